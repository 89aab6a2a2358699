//! Small games that each try out some words of the language, and what is to be found in them.
//!
//! In: the files in `games` beside this one. Out: tests. Each file says at its end what is to be found, as it follows from the documentation of the
//! words, not from what any program makes of them.

use super::{Plain, perft, random_game};
use ludwright::language::check;
use ludwright::language::rules::Rules;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A move whose verb begins with `yes` is legal at first, and one whose verb begins with `no` is not. Lines such as
/// `; play: place a1` at the end of a file are obeyed in their order: `start` begins a new game with options, `play` makes plies, and `moves`,
/// `mover` and `result` say what is to be found then.
#[test]
fn plain_obeys_the_scripts() {
    for path in scripts() {
        let mut plain = Plain::start(&load(&path, ""));
        let text = read(&path);
        if path.to_string_lossy().contains("facts-") {
            let verbs = text.lines().filter_map(|line| line.trim().strip_prefix("(move ")?.split([' ', ')']).next());
            let expected: Vec<&str> = verbs.filter(|verb| verb.starts_with("yes-")).collect();
            let missing: Vec<&&str> = expected.iter().filter(|verb| !plain.legal().contains(&verb.to_string())).collect();
            assert!(missing.is_empty(), "{}: {missing:?} should be legal", path.display());
            assert_eq!(plain.legal().len(), expected.len(), "{}: {:?}", path.display(), plain.legal());
        }
        for (number, line) in (1..).zip(text.lines()) {
            let place = format!("{}:{number}", path.display());
            let Some((key, value)) = line.strip_prefix("; ").and_then(|line| line.split_once(": ")) else { continue };
            match key {
                "start" => plain = Plain::start(&load(&path, value)),
                "play" => value.split(", ").for_each(|spelling| {
                    assert!(plain.legal().iter().any(|legal| legal == spelling), "{place}: {spelling} is not legal");
                    plain.play(spelling);
                }),
                "moves" => assert_eq!(plain.legal().join(", "), value, "{place}"),
                "mover" => assert_eq!(plain.to_move().as_deref().unwrap_or("nobody"), value, "{place}"),
                "result" => assert_eq!(plain.result().as_deref().unwrap_or("unfinished"), value, "{place}"),
                _ => {}
            }
        }
    }
}

/// Counts from an implementation of each game written by hand, without these rules files: perft(1), perft(2), ….
#[test]
fn plain_counts_are_right() {
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
    for (game, options, expected) in counts {
        let start = Plain::start(&load(&rules_file(game), options));
        assert_eq!(perft(&start, 0), 1);
        for (depth, &count) in (1..).zip(expected) {
            assert_eq!(perft(&start, depth), count, "{game} {options}, depth {depth}");
        }
    }
}

/// Whatever happens in them, small games obey what holds of every game.
#[test]
fn random_games_are_sound() {
    for path in scripts() {
        let rules = load(&path, "");
        for seed in 0..4 {
            let mut plain = Plain::start(&rules);
            for spelling in random_game(&rules, seed, 40) {
                let legal = plain.legal();
                assert!(legal.is_sorted_by(|one, other| one < other), "a set in order: {legal:?}");
                assert!(plain.result().is_none() && plain.to_move().is_some());
                plain.play(&spelling);
            }
            assert_eq!(plain.legal().is_empty(), plain.result().is_some());
            assert_eq!(plain.to_move().is_none(), plain.result().is_some());
        }
    }
}

fn folder(inside: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(inside)
}

fn rules_file(game: &str) -> PathBuf {
    folder("games").join(format!("{game}.game"))
}

/// The small games that each try out some words of the language.
fn scripts() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder("tests/plain/games")).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Loads a game with options such as `Size=3 Molt=4`. Words that are no choice are passed over.
fn load(path: &Path, options: &str) -> Arc<Rules> {
    let choices = options.split_whitespace().filter_map(|word| word.split_once('='));
    let choices: Vec<(String, String)> = choices.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let checked = check(&read(path), &choices);
    let faults = (checked.findings, checked.choice_faults);
    Arc::new(checked.rules.unwrap_or_else(|| panic!("{} {options}: {faults:?}", path.display())))
}
