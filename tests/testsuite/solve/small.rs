//! Small boards and late positions, solved and compared with brute force.

use super::brute::{Covered, Key, agrees, key, tried};
use super::{game, solved};
use crate::snapshots_in;
use ludwright::engine::game::{Game, State};
use ludwright::files::{gather, gather_with};
use ludwright::language::check;
use ludwright::language::sources::Sources;
use ludwright::random::Random;
use ludwright::solve::SolveLimits;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A file and its options.
type Small<'a> = (&'a str, &'a [(&'a str, &'a str)]);

/// Games small enough for exhaustive search: a file, parts of a variant that make its board
/// smaller, and values of options.
struct Whole {
    file: &'static str,
    variant: &'static [&'static str],
    options: &'static [(&'static str, &'static [&'static str])],
}

impl Whole {
    /// Lists every combination of the options.
    fn choices(&self) -> Vec<Vec<(String, String)>> {
        self.options.iter().fold(vec![Vec::new()], |choices, (name, values)| {
            let with = |before: &Vec<(String, String)>, value: &&str| {
                let mut choice = before.clone();
                choice.push((name.to_string(), value.to_string()));
                choice
            };
            choices
                .iter()
                .flat_map(|before| {
                    values.iter().map(|value| with(before, value)).collect::<Vec<_>>()
                })
                .collect()
        })
    }

    /// Compares the first position of each combination with brute force. Returns the number of
    /// combinations, and of all positions.
    fn agree(&self, most: usize) -> (usize, usize) {
        let variant = self.variant.concat();
        let sources = varied(self.file, &variant);
        let choices = self.choices();
        let mut positions = 0;
        for choices in &choices {
            let what = format!("{} {variant} {choices:?}", self.file);
            let game = ludwright::load(&sources, choices)
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            let covered = agrees(&what, &game, &key(&game.begin().expect("it begins")), most);
            positions +=
                covered.unwrap_or_else(|| panic!("{what} has too many positions")).positions;
        }
        (choices.len(), positions)
    }
}

/// Sources of a variant of a game, or of the game itself if the variant is empty.
pub fn varied(file: &str, variant: &str) -> Sources {
    let path = Path::new(file);
    if variant.is_empty() {
        return gather(path).expect("the files of the game");
    }
    let base = path.file_name().expect("a name").to_string_lossy();
    let text = format!("(variant-of \"{base}\" \"Small\" {variant})");
    gather_with(&path.with_file_name("small.game"), &|path| {
        path.ends_with("small.game").then(|| text.clone())
    })
    .expect("the files of the game")
}

const MOLT: (&str, &[&str]) = ("Molt", &["3", "4", "5", "6", "7", "8"]);
const KOMI: (&str, &[&str]) = ("Komi", &["0", "0.5", "1", "2", "3.5", "10.5"]);
const FACING: (&str, &[&str]) = ("Facing", &["forward", "back"]);
const POINTER: (&str, &[&str]) = ("Pointer", &["own", "any"]);
const CHAIN: (&str, &[&str]) = ("Chain", &["off", "on"]);
const LINES: (&str, &[&str]) = ("Grid", &["square", "diagonal"]);
const SURPLUS: (&str, &[&str]) = ("Surplus", &["1", "2", "3", "4"]);

/// A rectangle of squares.
const RECTANGLE: &str = "(option Columns (range 1 4) 2 \"\") (option Rows (range 1 4) 2 \"\") (board (rectangle Columns Rows))";
/// The same, or a hexagon with such sides.
const NODES: &str = "(option Columns (range 2 4) 2 \"\") (option Rows (range 2 4) 2 \"\")
    (board (case Grid (hex (hexagon Columns Rows)) (else (rectangle Columns Rows))))";
/// The kingstones alone, side by side.
const KINGS: &str = "(board (rectangle 3 2) (columns-from \"B\") (rows-from top))
    (setup
      (put King C1 Black)
      (put King C2 White)
      (mark C1 (Token Black (case Facing (forward S) (back N))))
      (mark C2 (Token White (case Facing (forward N) (back S)))))";
/// A small board. Memories that the next turn does not use are cleared, which merges positions.
const TILES: &str = "(option Columns (range 2 3) 2 \"\") (option Rows (range 3 4) 3 \"\") (option Cubes (range 3 6) 3 \"\") (omit Size)
    (board (rectangle Columns Rows))
    (hand Supply (- Cubes Columns))
    (define (Edge (player p)) (case p (Red (row 1)) (Blue (row Rows))))
    (define (Advance (player p))
      (turn p
        (steps (Die p) (choose move) (so-that (none (where s Moved (= (Start s) s)))))
        (for s (of p Cube) (set (Start s) a1))
        (set Moved nowhere)))";
/// Dice with two sides.
const COIN: &str = "(move roll (number r 1 2) (number b 1 2) (set (Die Red) r) (set (Die Blue) b))";
const COINS: &str =
    "(move roll (number r 1 2) (number b 1 2) (set (Die Red) (+ r 1)) (set (Die Blue) (+ b 1)))";

/// Complete games with few positions.
const WHOLE: &[Whole] = &[
    Whole { file: "tests/games/tic-tac-toe.game", variant: &[], options: &[] },
    Whole { file: "tests/games/misere-tic-tac-toe.game", variant: &[], options: &[] },
    Whole {
        file: "tests/games/three-player-tic-tac-toe.game",
        variant: &[],
        options: &[("Size", &["3"])],
    },
    Whole { file: "tests/games/hex.game", variant: &[], options: &[("Size", &["2", "3"])] },
    Whole {
        file: "tests/games/hex-with-pie.game",
        variant: &[],
        options: &[("Size", &["2", "3"])],
    },
    Whole { file: "tests/games/dodgem.game", variant: &[], options: &[] },
    Whole { file: "tests/games/outlast.game", variant: &[], options: &[] },
    Whole { file: "games/cicada.game", variant: &[], options: &[("Size", &["3"]), MOLT] },
    Whole { file: "games/hexomino-cicada.game", variant: &[], options: &[("Size", &["3"]), MOLT] },
    Whole { file: "games/kitaran.game", variant: &[], options: &[("Size", &["3"])] },
    Whole {
        file: "games/kitaran.game",
        variant: &[RECTANGLE],
        options: &[("Columns", &["1", "2", "3"]), ("Rows", &["2"]), KOMI],
    },
    Whole { file: "games/diagonal-kitaran.game", variant: &[], options: &[("Size", &["3"])] },
    Whole {
        file: "games/diagonal-kitaran.game",
        variant: &[RECTANGLE],
        options: &[("Columns", &["1", "2", "3"]), ("Rows", &["2"]), KOMI],
    },
    Whole {
        file: "games/double-move-situ.game",
        variant: &[NODES],
        options: &[("Grid", &["hex"]), SURPLUS],
    },
    Whole {
        file: "games/double-move-situ.game",
        variant: &[NODES],
        options: &[LINES, ("Columns", &["2", "3"]), SURPLUS],
    },
    Whole {
        file: "games/wide-situ.game",
        variant: &[NODES],
        options: &[LINES, ("Columns", &["2", "3"]), SURPLUS],
    },
    Whole {
        file: "games/lichen-chess.game",
        variant: &[],
        options: &[("Hand", &["1"]), FACING, POINTER, ("Wings", &["on", "off"])],
    },
    Whole {
        file: "games/lichen-chess.game",
        variant: &[KINGS],
        options: &[("Hand", &["1"]), FACING, POINTER],
    },
    Whole { file: "games/swarm.game", variant: &[TILES, COIN], options: &[CHAIN] },
    Whole { file: "games/two-dice-swarm.game", variant: &[TILES, COINS], options: &[CHAIN] },
];

/// Complete games with more positions.
const WHOLE_LARGER: &[Whole] = &[
    Whole {
        file: "games/kitaran.game",
        variant: &[RECTANGLE],
        options: &[("Columns", &["4"]), ("Rows", &["2"]), ("Komi", &["0", "0.5"])],
    },
    Whole {
        file: "games/diagonal-kitaran.game",
        variant: &[RECTANGLE],
        options: &[("Columns", &["4"]), ("Rows", &["2"]), ("Komi", &["0", "0.5"])],
    },
    Whole {
        file: "games/double-move-situ.game",
        variant: &[NODES],
        options: &[LINES, ("Columns", &["4"]), SURPLUS],
    },
    Whole {
        file: "games/double-move-situ.game",
        variant: &[NODES],
        options: &[LINES, ("Columns", &["3"]), ("Rows", &["3"]), ("Surplus", &["1", "4"])],
    },
    Whole {
        file: "games/lichen-chess.game",
        variant: &[KINGS],
        options: &[("Hand", &["2"]), FACING, POINTER],
    },
    Whole {
        file: "games/swarm.game",
        variant: &[TILES, COIN],
        options: &[("Cubes", &["4"]), CHAIN],
    },
    Whole {
        file: "tests/games/connect-four.game",
        variant: &[],
        options: &[("Columns", &["4"]), ("Rows", &["3", "4"])],
    },
];

/// Compares complete games from their first position.
#[test]
fn whole_games_agree_with_brute_force() {
    whole_games("whole", WHOLE, 120_000);
}

#[test]
#[ignore = "takes minutes; `cargo test --release --test testsuite solve::small::larger -- --ignored`"]
fn larger_whole_games_agree_with_brute_force() {
    whole_games("whole-larger", WHOLE_LARGER, 300_000);
}

fn whole_games(name: &str, games: &[Whole], most: usize) {
    let mut found: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for whole in games {
        let (boards, positions) = whole.agree(most);
        let so_far = found.entry(whole.file).or_default();
        *so_far = (so_far.0 + boards, so_far.1 + positions);
    }
    let report: String = found
        .iter()
        .map(|(file, (games, positions))| format!("{file}: {games} games, {positions} positions\n"))
        .collect();
    snapshots_in("solve").bind(|| insta::assert_snapshot!(name, report));
}

/// A race in which overshooting sets a player back, so that both the roll and waiting matter.
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
        let covered = agrees(&text, &game, &key(&game.begin().expect("it begins")), 5_000)
            .expect("few positions");
        assert_eq!((covered.rolled, covered.cyclic), (1, 1), "{text}");
    }
}

/// Compares the positions of a random game with brute force, from its end backwards, as long as
/// their graphs are small.
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

/// Returns the positions of a random game.
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

/// Compares the last positions of random games on somewhat larger boards.
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
        // If even the last position of a game is too complex, another game is tried.
        for number in 0..MAX_GAMES {
            covered +=
                late(&format!("{file} {choices:?}, game {number}"), &game, &mut random, 1_500);
            if number + 1 >= *games && covered.solved > 0 {
                break;
            }
        }
        assert_ne!(covered.solved, 0, "{file} was never compared");
    }
}

/// Maximum number of random games.
const MAX_GAMES: usize = 40;

/// Maximum number of sites of a small board.
const SMALL: usize = 18;

/// Collects every choice of options with a small board.
fn variants(
    sources: &Sources,
    chosen: &[(String, String)],
    found: &mut Vec<Vec<(String, String)>>,
) {
    let Some(rules) = check(sources, chosen).rules else { return };
    match rules.options.get(chosen.len()) {
        None if rules.board.sites().count() <= SMALL => found.push(chosen.to_vec()),
        None => {}
        Some(option) => {
            for value in option.values.iter() {
                variants(
                    sources,
                    &[chosen, &[(option.name.clone(), value.clone())]].concat(),
                    found,
                );
            }
        }
    }
}

/// Compares a random game of every third variant of every shipped game that has a small board.
#[test]
fn small_boards_of_every_shipped_game_agree_with_brute_force() {
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
        for (index, choices) in small.iter().enumerate().step_by(STEP) {
            let game = ludwright::load(&sources, choices)
                .unwrap_or_else(|error| panic!("{file} {choices:?}: {error}"));
            let what = format!("{file} {choices:?}");
            let mut random = Random::new(index as u64);
            let more = (0..GAMES)
                .map(|tried| late(&what, &game, &mut random, FIRST_POSITION_LIMIT << tried))
                .find(|covered| covered.solved > 0);
            compared += usize::from(more.is_some());
            covered += more.unwrap_or_default();
        }
        assert_ne!(compared, 0, "{file} was never compared");
        found.insert(file, (small.len(), compared, covered));
    }
    let report: String = found
        .iter()
        .map(|(file, (variants, compared, Covered { solved, cyclic, rolled, .. }))| {
            format!("{file}: {compared} of {variants} variants, {solved} positions, {cyclic} cyclic, {rolled} rolled\n")
        })
        .collect();
    snapshots_in("solve").bind(|| insta::assert_snapshot!("shipped", report));
}

/// Of the variants with a small board, every how many are compared.
const STEP: usize = 3;
/// Maximum number of random games per variant; each doubles the limit of positions.
const GAMES: usize = 2;
/// Limit of positions for the first game.
const FIRST_POSITION_LIMIT: usize = 100;

/// The solver ignores the repetition rule, and finds the same value as a full search that obeys it.
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
        for number in 0..15 {
            for (back, (snapshot, decision, counters)) in
                played(&game, &mut random).iter().rev().enumerate()
            {
                let from: State = game.begin_at(snapshot, *decision, counters).expect("a position");
                let Some(value) = tried(&from, &mut 3_000) else { break };
                let solution = solved(&from, &SolveLimits::default());
                assert_eq!(
                    solution.value, value,
                    "{file} {choices:?}, game {number}, {back} plies before the end"
                );
                covered.insert(file);
                cyclic += usize::from(solution.acyclic == Some(false));
            }
        }
    }
    assert_eq!(covered.len(), small.len(), "{covered:?}");
    assert!(cyclic > 20, "{cyclic}");
}
