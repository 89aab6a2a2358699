//! What a random playout plays is uniform among the legal plies, although it draws from more of them and draws again.
//!
//! From each of many positions thousands of playouts of one ply are made, and where they lead is counted: Pearson's chi-squared test, with the cube root of
//! Wilson and Hilferty (*The Distribution of Chi-Square*, Proceedings of the National Academy of Sciences 17, 1931) to read it by. The seeds are fixed, so
//! that the verdict is the same every time.

#[allow(dead_code, reason = "other tests need the rest")]
mod support;

use ludwright::engine::game::{Game, Match};
use ludwright::engine::position::Position;
use ludwright::notation;
use ludwright::random::{Random, mix};
use ludwright::record::Start;
use std::collections::HashMap;
use support::{Variant, files, load};

/// How many playouts there are for each legal ply.
const PLAYOUTS: u64 = 100;
/// So many standard deviations from what is likely are too many: it happens once in a million times.
const TOO_FAR: f64 = 4.75;

fn game(name: &str) -> Game {
    load(&Variant { name: name.to_owned(), options: Vec::new(), plies: 0 })
}

/// Tests one position, and gives by how many standard deviations the playouts are less even than is likely.
fn deviation(position: &Match, seed: u64) -> f64 {
    let legal = position.legal();
    // Plies that lead to the same position cannot be told apart.
    let mut expected: HashMap<Position, u64> = HashMap::new();
    for ply in legal {
        let mut after = position.clone();
        after.play(ply).expect("a legal ply");
        *expected.entry(after.position()).or_default() += PLAYOUTS;
    }
    let mut found: HashMap<Position, u64> = HashMap::new();
    let mut playouts = position.game().playouts(position);
    for number in 0..legal.len() as u64 * PLAYOUTS {
        assert_eq!(playouts.play(mix(seed, number), 1).expect("an end").plies, 1);
        *found.entry(playouts.position()).or_default() += 1;
    }
    assert!(found.keys().all(|after| expected.contains_key(after)), "a playout leads where no legal ply does");
    let term = |(after, &expected): (&Position, &u64)| {
        let difference = *found.get(after).unwrap_or(&0) as f64 - expected as f64;
        difference * difference / expected as f64
    };
    let freedom = expected.len() as f64 - 1.0;
    if freedom == 0.0 {
        return 0.0;
    }
    let statistic: f64 = expected.iter().map(term).sum();
    let spread = 2.0 / (9.0 * freedom);
    ((statistic / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

#[test]
fn playouts_are_uniform_in_every_game() {
    for (index, name) in ["games", "tests/games"].into_iter().flat_map(files).enumerate() {
        let game = game(&name);
        let mut random = Random::new(index as u64);
        let mut position = game.begin().expect("a first position");
        for number in 0..40 {
            let legal = position.legal();
            if legal.is_empty() {
                break;
            }
            // The later positions of a game are those where more is forbidden.
            if number % 13 == 12 {
                let deviation = deviation(&position, mix(index as u64, number));
                assert!(deviation < TOO_FAR, "{name} after {number} plies: {deviation}");
            }
            let ply = legal[random.below(legal.len() as u32) as usize].clone();
            position.play(&ply).expect("a legal ply");
        }
    }
}

/// Placer may not make a group of six, which is known of a square only when it is asked.
#[test]
fn squares_that_are_drawn_in_vain_change_nothing() {
    let game = game("cicada");
    let mut random = Random::new(0);
    let mut tested = 0;
    while tested < 20 {
        let mut position = game.begin().expect("a first position");
        loop {
            let legal = position.legal();
            if legal.is_empty() {
                break;
            }
            let empty = position.setting().pieces.iter().filter(|piece| piece.is_none()).count();
            if position.plies().len().is_multiple_of(2) && legal.len() < empty {
                let deviation = deviation(&position, tested);
                assert!(deviation < TOO_FAR, "{:?}: {deviation}", position.plies());
                tested += 1;
            }
            let ply = legal[random.below(legal.len() as u32) as usize].clone();
            position.play(&ply).expect("a legal ply");
        }
    }
}

/// Most of what the pieces can do leaves the king in check.
#[test]
fn plies_that_are_drawn_in_vain_change_nothing() {
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
    let position = Start::parse(text).expect("a position").begin(&game("chess")).expect("a position of chess");
    let legal = ["move c1-e3", "move c3-e2", "move c3-e4", "move d1-e2", "move e1-d2", "move f1-e2", "move g1-e2"];
    assert_eq!(notation::legal(&position), legal);
    for seed in 0..10 {
        let deviation = deviation(&position, seed);
        assert!(deviation < TOO_FAR, "seed {seed}: {deviation}");
    }
}
