//! Random playouts choose uniformly among the legal plies, although rejection sampling proposes
//! others, too.
//!
//! From each of many positions, thousands of playouts of one ply are made and their ends counted:
//! Pearson's chi-squared test, with the cube-root approximation of Wilson and Hilferty (*The
//! Distribution of Chi-Square*, Proceedings of the National Academy of Sciences 17, 1931). Seeds
//! are fixed, so the verdict is reproducible.

use crate::support::{Variant, few_moves, files, load};
use ludwright::engine::game::{Game, State};
use ludwright::engine::position::Position;
use ludwright::notation;
use ludwright::random::{Random, mix};
use ludwright::record::Start;
use std::collections::HashMap;

/// Playouts per legal ply.
const PLAYOUTS: u64 = 100;
/// Critical value in standard deviations: exceeded by chance once in a million tests.
const TOO_FAR: f64 = 4.75;

fn game(name: &str) -> Game {
    load(&Variant { name: name.to_owned(), options: Vec::new(), plies: 0 })
}

/// Probabilities of the positions after `plies` uniformly random legal plies.
fn likely(position: &State, plies: u32) -> HashMap<Position, f64> {
    let legal = position.legal();
    if plies == 0 || legal.is_empty() {
        return HashMap::from([(position.position(), 1.0)]);
    }
    // Merges plies that lead to the same position.
    let mut likely: HashMap<Position, f64> = HashMap::new();
    for ply in legal {
        let mut after = position.clone();
        after.play(ply).expect("a legal ply");
        for (there, part) in self::likely(&after, plies - 1) {
            *likely.entry(there).or_default() += part / legal.len() as f64;
        }
    }
    likely
}

/// Tests playouts of `plies` plies from a position. Returns the deviation from uniformity in
/// standard deviations.
fn deviation(position: &State, plies: u32, seed: u64) -> f64 {
    let likely = likely(position, plies);
    let games = (PLAYOUTS as f64 / likely.values().copied().fold(1.0, f64::min)).round();
    let mut found: HashMap<Position, u64> = HashMap::new();
    let mut playouts = position.game().playouts(position);
    for number in 0..games as u64 {
        assert!(playouts.play(mix(seed, number), plies).expect("an end").plies <= plies);
        *found.entry(playouts.position()).or_default() += 1;
    }
    assert!(
        found.keys().all(|after| likely.contains_key(after)),
        "a playout leads where no legal ply does"
    );
    let term = |(after, part): (&Position, &f64)| {
        let expected = part * games;
        (*found.get(after).unwrap_or(&0) as f64 - expected).powi(2) / expected
    };
    let freedom = likely.len() as f64 - 1.0;
    if freedom == 0.0 {
        return 0.0;
    }
    let statistic: f64 = likely.iter().map(term).sum();
    let spread = 2.0 / (9.0 * freedom);
    ((statistic / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

/// Tests at least `many` positions of random games, those that satisfy `is_due`, by playouts of
/// `plies` plies.
fn test_along(game: &Game, seed: u64, many: u64, plies: u32, is_due: impl Fn(&State) -> bool) {
    let mut random = Random::new(seed);
    let mut tested = 0;
    while tested < many {
        let mut position = game.begin().expect("a first position");
        while !position.legal().is_empty() {
            if is_due(&position) {
                let deviation =
                    deviation(&position, plies, mix(tested, position.plies().len() as u64));
                assert!(
                    deviation < TOO_FAR,
                    "{}, {:?}: {deviation}",
                    game.rules().title,
                    position.plies()
                );
                tested += 1;
            }
            let ply =
                position.legal()[random.below(position.legal().len() as u32) as usize].clone();
            position.play(&ply).expect("a legal ply");
        }
    }
}

#[test]
fn playouts_are_uniform_in_every_game() {
    for (index, name) in ["games", "tests/games"].into_iter().flat_map(files).enumerate() {
        let game = load(&Variant { options: few_moves(&name), name: name.clone(), plies: 0 });
        let mut random = Random::new(index as u64);
        let mut position = game.begin().expect("a first position");
        for number in 0..40 {
            let legal = position.legal();
            if legal.is_empty() {
                break;
            }
            // More plies are illegal in later positions.
            if number % 13 == 12 {
                let deviation = deviation(&position, 1, mix(index as u64, number));
                assert!(deviation < TOO_FAR, "{name} after {number} plies: {deviation}");
            }
            let ply = legal[random.below(legal.len() as u32) as usize].clone();
            position.play(&ply).expect("a legal ply");
        }
    }
}

/// Placer must not make a group of six, which is tested only for the sampled square.
#[test]
fn rejected_squares_leave_playouts_uniform() {
    let game = game("cicada");
    let empty = |position: &State| {
        position.snapshot().pieces.iter().filter(|piece| piece.is_none()).count()
    };
    test_along(&game, 0, 20, 1, |position| {
        position.plies().len().is_multiple_of(2) && position.legal().len() < empty(position)
    });
}

/// Lines of sight are updated incrementally, but on wrapped boards they are tested only for the
/// sampled site. Late in a game all proposals are often rejected.
#[test]
fn proposal_sets_leave_playouts_uniform() {
    let options = |order: &str, surplus: &str| {
        [("Order", order), ("Surplus", surplus)]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec()
    };
    let situ = |order, surplus| {
        load(&Variant {
            name: String::from("double-move-situ"),
            options: options(order, surplus),
            plies: 0,
        })
    };
    let text = "(game \"Sentries\" (players A B) (board (square 17) (wrap columns)) (piece Stone)
        (move post (to t (empty)) (require (<= (count d all (in (first t d (pieces)) (theirs Stone))) 1)) (put Stone t))
        (move change (at s (theirs Stone)) (require (> (count d all (in (first s d (pieces)) (mine Stone))) 2)) (remove s))
        (play (turns (choose post change (otherwise (lose mover))))))";
    let sentries = ludwright::load(text, &[]).expect("a game");
    assert!(sentries.program().decisions.iter().all(|decision| decision.proposals.is_some()));
    for (index, game) in
        [situ("6", "3"), situ("6", "1"), situ("7", "3"), sentries].iter().enumerate()
    {
        test_along(game, index as u64, 12, 1, |position| position.plies().len() % 31 == 30);
    }
}

/// The maximum length of a turn is computed at its first ply and reused at the next.
#[test]
fn later_plies_of_a_turn_are_as_even() {
    let options =
        [("Size", "4"), ("Cubes", "5")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let game = load(&Variant { name: String::from("swarm"), options: options.to_vec(), plies: 0 });
    test_along(&game, 1, 12, 2, |position| position.plies().len() % 9 == 8);
}

/// Most proposals leave the king in check.
#[test]
fn rejected_plies_leave_playouts_uniform() {
    let text = "\
position:
  8 r n b . k b n r
  7 p p p p q p p p
  6 . . . . . . . .
  5 . . . . . . . .
  4 . . . . . . . .
  3 . . N . . . . .
  2 P P P . . P P P
  1 R . B Q K B N R
    a b c d e f g h
to move: White
Castles:
";
    let position =
        Start::parse(text).expect("a position").begin(&game("chess")).expect("a position of chess");
    let legal = [
        "move c1-e3",
        "move c3-e2",
        "move c3-e4",
        "move d1-e2",
        "move e1-d2",
        "move f1-e2",
        "move g1-e2",
    ];
    assert_eq!(notation::legal(&position), legal);
    for seed in 0..10 {
        let deviation = deviation(&position, 1, seed);
        assert!(deviation < TOO_FAR, "seed {seed}: {deviation}");
    }
}
