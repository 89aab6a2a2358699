//! The reference interpreter on small games, each of which tests some words of the language.
//!
//! Each file of `plain/games` ends with the expected results. They follow from the documentation of
//! the words, not from the output of any program.

use crate::support::{Variant, files, load, rules_file};
use ludwright::engine::game::{Game, Move, Turn};
use ludwright::notation::{outcome, spell, turn};
use ludwright::random::Random;
use ludwright::reference::{Interpreter, NoopTracer};

/// A game played by spelled moves.
struct Table<'g> {
    game: &'g Game,
    interpreter: Interpreter<'g>,
}

impl<'g> Table<'g> {
    fn new(game: &'g Game) -> Table<'g> {
        Table {
            game,
            interpreter: Interpreter::start(game.rules(), &mut NoopTracer)
                .expect("a first position"),
        }
    }

    fn legal(&self) -> Vec<(String, Move)> {
        let mut legal: Vec<(String, Move)> = self
            .interpreter
            .legal()
            .into_iter()
            .map(|ply| (spell(self.game.rules(), &ply), ply))
            .collect();
        legal.sort_by(|one, other| one.0.cmp(&other.0));
        legal
    }

    fn spelled(&self) -> Vec<String> {
        self.legal().into_iter().map(|(spelled, _)| spelled).collect()
    }

    fn play(&mut self, spelled: &str, place: &str) {
        let found = self.legal().into_iter().find(|(legal, _)| legal == spelled);
        let (_, ply) = found.unwrap_or_else(|| panic!("{place}: {spelled} is not legal"));
        self.interpreter.play(&ply, &mut NoopTracer).expect("a legal move");
    }
}

/// Loads a game with options such as `Size=3 Molt=4`; words without `=` are ignored.
fn game(name: &str, options: &str) -> Game {
    let choices = options.split_whitespace().filter_map(|word| word.split_once('='));
    let options = choices.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    load(&Variant { name: name.to_owned(), options, plies: 0 })
}

/// In games named `facts-…`, a move is legal at first if its verb begins with `yes-`. Lines such as
/// `; play: place a1` at the end of a file are executed in order: `start` begins a new game with
/// options, `play` makes plies, and `moves`, `mover` and `result` are expectations.
#[test]
fn scripts_are_obeyed() {
    for name in files("tests/plain/games") {
        let text = std::fs::read_to_string(rules_file(&name)).expect("a game");
        // One game for each `start`.
        let options: Vec<&str> = std::iter::once("")
            .chain(text.lines().filter_map(|line| line.strip_prefix("; start: ")))
            .collect();
        let games: Vec<Game> = options.into_iter().map(|options| game(&name, options)).collect();
        let mut games = games.iter();
        let mut table = Table::new(games.next().expect("the first"));
        if name.starts_with("facts-") {
            let verbs = text
                .lines()
                .filter_map(|line| line.trim().strip_prefix("(move ")?.split([' ', ')']).next());
            let expected: Vec<&str> = verbs.filter(|verb| verb.starts_with("yes-")).collect();
            let legal = table.spelled();
            let missing: Vec<&&str> =
                expected.iter().filter(|verb| !legal.contains(&verb.to_string())).collect();
            assert!(missing.is_empty(), "{name}: {missing:?} should be legal");
            assert_eq!(legal.len(), expected.len(), "{name}: {legal:?}");
        }
        for (number, line) in (1..).zip(text.lines()) {
            let place = format!("{name}:{number}");
            let Some((key, value)) = line.strip_prefix("; ").and_then(|line| line.split_once(": "))
            else {
                continue;
            };
            let rules = table.game.rules();
            match key {
                "start" => table = Table::new(games.next().expect("another")),
                "play" => value.split(", ").for_each(|spelled| table.play(spelled, &place)),
                "moves" => assert_eq!(table.spelled().join(", "), value, "{place}"),
                "mover" => assert_eq!(turn(rules, table.interpreter.turn()), value, "{place}"),
                "result" => {
                    assert_eq!(outcome(rules, table.interpreter.outcome()), value, "{place}")
                }
                _ => {}
            }
        }
    }
}

fn perft(interpreter: &Interpreter, depth: u32) -> u64 {
    let after = |ply: Move| {
        let mut next = interpreter.clone();
        next.play(&ply, &mut NoopTracer).expect("a legal move");
        perft(&next, depth - 1)
    };
    match depth {
        0 => 1,
        1 => interpreter.legal().len() as u64,
        _ => interpreter.legal().into_iter().map(after).sum(),
    }
}

/// perft(1), perft(2), … from implementations of the games written by hand, without these rules
/// files.
#[test]
fn counts_are_right() {
    let counts: [(&str, &str, &[u64]); 8] = [
        ("cicada", "", &[25, 144, 3456]),
        ("cicada", "Size=3 Molt=3", &[9, 40, 320, 2600]),
        ("double-move-situ", "", &[61, 3660]),
        ("double-move-situ", "Grid=diagonal Order=2 Surplus=1", &[17, 272, 3688]),
        ("kitaran", "", &[25, 600]),
        ("kitaran", "Size=3", &[9, 72, 504, 3148]),
        ("lichen-chess", "", &[58, 254]),
        ("swarm", "", &[36, 696]),
    ];
    for (name, options, expected) in counts {
        let game = game(name, options);
        let start = Table::new(&game).interpreter;
        assert_eq!(perft(&start, 0), 1);
        for (depth, &count) in (1..).zip(expected) {
            assert_eq!(perft(&start, depth), count, "{name} {options}, depth {depth}");
        }
    }
}

/// Invariants of every game hold in random play.
#[test]
fn random_games_are_sound() {
    for name in files("tests/plain/games") {
        let game = game(&name, "");
        let mut random = Random::new(1);
        let mut table = Table::new(&game);
        for _ in 0..25 {
            let legal = table.spelled();
            assert!(legal.is_sorted_by(|one, other| one < other), "each once: {legal:?}");
            assert_eq!(legal.is_empty(), table.interpreter.outcome().is_some());
            assert_eq!(
                table.interpreter.turn() == Turn::Nobody,
                table.interpreter.outcome().is_some()
            );
            if legal.is_empty() {
                break;
            }
            table.play(&legal[random.below(legal.len() as u32) as usize], &name);
        }
    }
}
