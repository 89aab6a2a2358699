//! Small boards and late positions, solved and held against brute force.

use super::brute::{Covered, Key, agrees, key, tried};
use super::{game, solved};
use ludwright::engine::game::{Game, Match};
use ludwright::files::gather;
use ludwright::language::check;
use ludwright::language::sources::Sources;
use ludwright::random::Random;
use ludwright::solve::Budget;
use std::collections::{BTreeMap, BTreeSet};

/// A file and its options.
type Small<'a> = (&'a str, &'a [(&'a str, &'a str)]);

/// From their first positions.
#[test]
fn small_games_agree_with_brute_force() {
    let small: &[Small] = &[
        ("tests/games/tic-tac-toe.game", &[]),
        ("tests/games/misere-tic-tac-toe.game", &[]),
        ("tests/games/three-player-tic-tac-toe.game", &[("Size", "3")]),
        ("tests/games/hex.game", &[("Size", "2")]),
        ("tests/games/hex.game", &[("Size", "3")]),
        ("tests/games/dodgem.game", &[]),
        ("games/cicada.game", &[("Size", "3")]),
        ("games/kitaran.game", &[("Size", "3")]),
        ("games/diagonal-kitaran.game", &[("Size", "3")]),
        ("games/hexomino-cicada.game", &[("Size", "3"), ("Molt", "3")]),
        ("games/lichen-chess.game", &[("Hand", "1")]),
        ("games/lichen-chess.game", &[("Hand", "1"), ("Wings", "off"), ("Facing", "back"), ("Pointer", "any")]),
    ];
    for (file, choices) in small {
        let game = game(file, choices);
        let what = format!("{file} {choices:?}");
        assert!(agrees(&what, &game, &key(&game.begin().expect("it begins")), 120_000).is_some(), "{what} has too many positions");
    }
}

/// A race of which whoever overshoots is set back: what is rolled matters, and so does whether one waits.
#[test]
fn races_with_dice_agree_with_brute_force() {
    for (most, goal, back) in [(2, 3, 0), (3, 4, 1), (3, 6, 3)] {
        let text = format!(
            r#"(game "Race" (players A B) (board (square 1)) (piece Stone) (remember Die number) (remember Far number (per player))
              (move roll (number n 1 {most}) (set Die n))
              (move walk (raise (Far mover) Die))
              (move wait (set Die 0))
              (play (forever (for p players
                (chance roll)
                (turn p (choose walk wait))
                (if (= (Far p) {goal}) (win p))
                (if (> (Far p) {goal}) (set (Far p) {back}))))))"#
        );
        let game = ludwright::load(&text, &[]).expect("a game");
        let covered = agrees(&text, &game, &key(&game.begin().expect("it begins")), 5_000).expect("few positions");
        assert_eq!((covered.rolled, covered.cyclic), (1, 1), "{text}");
    }
}

/// Holds what comes last in a random game against brute force, from its end backwards, for as long as there are not too many positions.
fn late(what: &str, game: &Game, random: &mut Random, most: usize) -> Covered {
    let mut covered = Covered::default();
    for (back, key) in played(game, random).iter().rev().enumerate() {
        match agrees(&format!("{what}, {back} plies before the end"), game, key, most) {
            Some(more) => covered += more,
            None => break,
        }
    }
    covered
}

/// The positions of a random game.
fn played(game: &Game, random: &mut Random) -> Vec<Key> {
    let mut play = game.begin().expect("it begins");
    let mut keys = Vec::new();
    while play.outcome().is_none() && keys.len() < 300 {
        keys.push(key(&play));
        let ply = play.legal()[random.below(play.legal().len() as u32) as usize].clone();
        play.play(&ply).expect("a legal move");
    }
    keys
}

/// Near the ends of random games on boards that are a little larger.
#[test]
fn late_positions_agree_with_brute_force() {
    let small: &[(Small, usize)] = &[
        (("games/kitaran.game", &[("Size", "4"), ("Komi", "0.5")]), 3),
        (("games/cicada.game", &[("Size", "4"), ("Molt", "4")]), 4),
        (("games/double-move-situ.game", &[("Order", "2"), ("Surplus", "1")]), 3),
        (("games/swarm.game", &[("Size", "4"), ("Cubes", "6"), ("Chain", "on")]), 2),
        (("games/lichen-chess.game", &[("Hand", "2"), ("Wings", "off")]), 2),
        (("tests/games/connect-four.game", &[("Columns", "5"), ("Rows", "4")]), 4),
        (("tests/games/cylinder-connect-four.game", &[("Columns", "4"), ("Rows", "4")]), 4),
        (("tests/games/othello.game", &[("Size", "4")]), 4),
        (("tests/games/breakthrough.game", &[("Size", "4")]), 4),
        (("tests/games/hex-breakthrough.game", &[("Size", "4")]), 4),
        (("tests/games/dodgem.game", &[("Size", "4")]), 3),
        (("tests/games/amazons.game", &[]), 1),
    ];
    for (index, ((file, choices), games)) in small.iter().enumerate() {
        let game = game(file, choices);
        let mut random = Random::new(index as u64);
        let mut covered = Covered::default();
        // Where too much can still come of the last positions of a game, another one is tried.
        for number in 0..TRIED {
            covered += late(&format!("{file} {choices:?}, game {number}"), &game, &mut random, 1_500);
            if number + 1 >= *games && covered.solved > 0 {
                break;
            }
        }
        assert_ne!(covered.solved, 0, "{file} was never compared");
    }
}

/// So many random games are tried at most.
const TRIED: usize = 40;

/// Boards of so many sites are small.
const SMALL: usize = 18;

/// Every choice of options with a small board.
fn variants(sources: &Sources, chosen: &[(String, String)], found: &mut Vec<Vec<(String, String)>>) {
    let Some(rules) = check(sources, chosen).rules else { return };
    match rules.options.get(chosen.len()) {
        None if rules.board.sites().count() <= SMALL => found.push(chosen.to_vec()),
        None => {}
        Some(option) => {
            for value in &option.values {
                variants(sources, &[chosen, &[(option.name.clone(), value.clone())]].concat(), found);
            }
        }
    }
}

/// A random game of every variant that has a small board, of every game that is shipped.
#[test]
fn every_small_board_of_every_shipped_game_agrees_with_brute_force() {
    let mut found: BTreeMap<String, (usize, usize, Covered)> = BTreeMap::new();
    for entry in std::fs::read_dir("games").expect("the games") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|end| end != "game") {
            continue;
        }
        let file = path.file_name().expect("a name").to_string_lossy().into_owned();
        let sources = gather(&path).expect("the files of the game");
        let mut small = Vec::new();
        variants(&sources, &[], &mut small);
        let mut compared = 0;
        let mut covered = Covered::default();
        for (index, choices) in small.iter().enumerate() {
            let game = ludwright::load(&sources, choices).unwrap_or_else(|error| panic!("{file} {choices:?}: {error}"));
            let what = format!("{file} {choices:?}");
            let mut random = Random::new(index as u64);
            let more = (0..GAMES).map(|tried| late(&what, &game, &mut random, FEW << tried)).find(|covered| covered.solved > 0);
            compared += usize::from(more.is_some());
            covered += more.unwrap_or_default();
        }
        assert_ne!(compared, 0, "{file} was never compared");
        found.insert(file, (small.len(), compared, covered));
    }
    let report: String = found
        .iter()
        .map(|(file, (variants, compared, Covered { solved, cyclic, rolled }))| {
            format!("{file}: {compared} of {variants} variants, {solved} positions, {cyclic} cyclic, {rolled} rolled\n")
        })
        .collect();
    insta::with_settings!({ snapshot_path => "../snapshots/solve", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("shipped", report);
    });
}

/// So many random games are tried for a variant at most, each with twice as many positions to look at.
const GAMES: usize = 2;
/// So many positions are looked at first.
const FEW: usize = 100;

/// Plain trying of everything obeys the rule of repetition; solving leaves it out of account, and comes to the same.
#[test]
fn the_rule_of_repetition_is_not_missed() {
    let small: &[Small] = &[
        ("games/kitaran.game", &[("Size", "3")]),
        ("games/diagonal-kitaran.game", &[("Size", "3")]),
        ("games/double-move-situ.game", &[("Order", "2"), ("Grid", "square"), ("Surplus", "1")]),
        ("games/lichen-chess.game", &[("Hand", "1"), ("Wings", "off")]),
    ];
    let mut covered: BTreeSet<&str> = BTreeSet::new();
    let mut cyclic = 0;
    for (file, choices) in small {
        let game = game(file, choices);
        let mut random = Random::new(1);
        for number in 0..30 {
            for (back, (setting, decision, counters)) in played(&game, &mut random).iter().rev().enumerate() {
                let from: Match = game.begin_at(setting, *decision, counters).expect("a position");
                let Some(value) = tried(&from, &mut 3_000) else { break };
                let solution = solved(&from, &Budget::default());
                assert_eq!(solution.value, value, "{file} {choices:?}, game {number}, {back} plies before the end");
                covered.insert(file);
                cyclic += usize::from(solution.acyclic == Some(false));
            }
        }
    }
    assert_eq!(covered.len(), small.len(), "{covered:?}");
    assert!(cyclic > 20, "{cyclic}");
}
