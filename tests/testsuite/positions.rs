//! Positions as files: writing and reading is the identity, and `positions.txt` has perft counts of
//! some.

use crate::support::rules_files;
use ludwright::engine::game::{Game, State};
use ludwright::notation;
use ludwright::random::Random;
use ludwright::record::{Start, load};
use std::path::PathBuf;

fn game(path: &std::path::Path, options: &[(String, String)]) -> Game {
    let source = ludwright::files::gather(path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    load(&source, options, None).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Writes a position, reads it, and compares.
fn check_round_trip(position: &State) {
    let text = Start::write(position);
    let start = Start::parse(&text).unwrap_or_else(|misread| panic!("{misread}\n{text}"));
    let read = start.begin(position.game()).unwrap_or_else(|misread| panic!("{misread}\n{text}"));
    assert_eq!(notation::PositionText::of(&read), notation::PositionText::of(position), "{text}");
    let (again, legal) = (notation::legal(&read), notation::legal(position));
    // What repeats a position of the game so far may be illegal in the game alone.
    match position.game().rules().source().contains("(illegal)") {
        true => assert!(legal.iter().all(|ply| again.contains(ply)), "{text}"),
        false => assert_eq!(again, legal, "{text}"),
    }
    assert_eq!(Start::write(&read), text);
    let chosen = position
        .game()
        .rules()
        .options
        .iter()
        .map(|option| (option.name.clone(), option.values[option.chosen].clone()));
    assert_eq!(start.options, chosen.collect::<Vec<_>>());
}

#[test]
fn positions_read_back() {
    for (index, path) in rules_files().iter().enumerate() {
        let game = game(path, &[]);
        let mut random = Random::new(index as u64);
        for _ in 0..2 {
            let mut position = game.begin().expect("a first position");
            for ply in 0..300 {
                if ply < 30 || ply % 10 == 0 || position.outcome().is_some() {
                    check_round_trip(&position);
                }
                let legal = position.legal();
                if legal.is_empty() {
                    break;
                }
                let ply = legal[random.below(legal.len() as u32) as usize].clone();
                position.play(&ply).expect("a legal move");
            }
        }
    }
}

/// A ply outside every phase is counted among all of the player's.
#[test]
fn a_ply_outside_every_phase_reads_back() {
    let text = r#"
    (game "Phases"
      (players Black White)
      (board (square 3))
      (piece Stone)
      (move drop (to t (empty)) (put Stone t))
      (play
        (phase Opening (turn Black (choose drop)) (turn White (choose drop)))
        (turns (repeat 2 (choose drop)))))
    "#;
    let mut position =
        ludwright::load(text, &[]).expect("a game").begin().expect("a first position");
    while let Some(ply) = position.legal().first().cloned() {
        check_round_trip(&position);
        position.play(&ply).expect("a legal move");
    }
    check_round_trip(&position);
}

/// The last ply of all and that of each player are remembered under different names.
#[test]
fn the_last_ply_of_all_and_of_each_read_back() {
    let text = r#"
    (game "Last plies"
      (players Black White)
      (board (square 3))
      (piece Stone)
      (move drop (to t (empty)) (put Stone t))
      (move pass)
      (play (turns (choose drop pass)))
      (end (if (and (last-move pass) (last-move (next mover) pass)) (draw))))
    "#;
    let mut position =
        ludwright::load(text, &[]).expect("a game").begin().expect("a first position");
    let mut random = Random::new(3);
    while position.outcome().is_none() {
        check_round_trip(&position);
        let legal = position.legal();
        let ply = legal[random.below(legal.len() as u32) as usize].clone();
        position.play(&ply).expect("a legal move");
    }
    check_round_trip(&position);
}

/// Malformed position files and their messages.
#[test]
fn files_that_are_no_positions_are_refused() {
    let rows = "position:\n3 . . .\n2 . . .\n1 . . .\n";
    let cases = [
        (String::new(), "line 1: expected the rows of a diagram, found the end of the file"),
        ("option: Size\n".to_owned(), "line 1: expected `option: Name=Value`, found `Size`"),
        ("option: Size=3\noption: Size=4\n".to_owned(), "line 2: Size is 4 here but 3 above"),
        ("place a1\n".to_owned(), "line 1: expected row 3 of the diagram, found `place a1`"),
        (
            "3 . . .\n".to_owned(),
            "line 1: expected row 2 of the diagram, found the end of the file",
        ),
        (
            format!("{rows}to move: Red\n"),
            "line 5: no ply of this game matches `to move: Red`; its plies belong to Black and White",
        ),
        (
            format!("{rows}result: Red wins\n"),
            "line 5: expected `Black wins`, `White wins` or `draw`, found `Red wins`",
        ),
        (
            format!("{rows}legal: place a1\n"),
            "line 5: expected `to move:`, `phase:`, `step:`, `left:`, `result:` or `Fresh:`, found `legal: place a1`",
        ),
    ];
    let game = game("games/kitaran.game".as_ref(), &[("Size".to_owned(), "3".to_owned())]);
    for (text, message) in cases {
        let refused = match Start::parse(&text) {
            Ok(start) => start.begin(&game).err().map(|misread| misread.to_string()),
            Err(misread) => Some(misread.to_string()),
        };
        assert_eq!(refused.as_deref(), Some(message), "{text}");
    }
}

/// Where players drop out, a draw can be that of any of them: the message does not list all draws.
#[test]
fn a_result_that_is_none_is_refused_in_one_line() {
    let game = game("tests/games/outlast.game".as_ref(), &[]);
    let start = |result: &str| {
        let text = format!("position:\n3 B B .\n2 . . G\n1 R R G\nresult: {result}\n");
        Start::parse(&text).expect("a position").begin(&game).map_err(|misread| misread.to_string())
    };
    let message = "line 5: expected `Red wins`, `Green wins`, `Blue wins`, `draw` or `draw of NAME and NAME`, found `Green won`";
    assert_eq!(start("Green won").err().as_deref(), Some(message));
    assert!(start("draw of Green and Blue").is_ok());
}

/// Counts the sequences of `depth` whole turns, distinguished by their plies.
fn turns(position: &mut State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mover = position.turn();
    let mut count = 0;
    for ply in position.legal().to_vec() {
        position.play(&ply).expect("a legal move");
        count += turns(position, if position.turn() == mover { depth } else { depth - 1 });
        position.undo();
    }
    count
}

/// Checks the rows whose counts are feasible in a quick run, or with `is_deep` the others.
fn check_counts(is_deep: bool) {
    /// Limits of a quick run, for plies and for turns.
    const QUICK: [u64; 2] = [200_000, 10_000];
    let text = std::fs::read_to_string("tests/positions.txt").expect("tests/positions.txt");
    let mut wrong = Vec::new();
    for row in text.lines().filter(|row| !row.trim().is_empty() && !row.starts_with('#')) {
        let words: Vec<&str> = row.split_whitespace().collect();
        let [name, file, by, depth, count, _, ..] = words[..] else {
            panic!("`{row}` lacks something")
        };
        let (depth, count): (u32, u64) =
            (depth.parse().expect("a depth"), count.parse().expect("a count"));
        let quick = match by {
            "ply" => QUICK[0],
            "turn" => QUICK[1],
            _ => panic!("`{row}`: plies or turns?"),
        };
        if (count > quick) != is_deep {
            continue;
        }
        let rules = ["tests/games", "games"].map(|folder| format!("{folder}/{name}.game").into());
        let [rules, shipped]: [PathBuf; 2] = rules;
        let rules = if rules.exists() { rules } else { shipped };
        let mut position = if file == "-" {
            game(&rules, &[]).begin().expect("a first position")
        } else {
            let text = std::fs::read_to_string(format!("tests/positions/{file}.position"))
                .expect("a position");
            let start = Start::parse(&text).expect("a position");
            start
                .begin(&game(&rules, &start.options))
                .unwrap_or_else(|misread| panic!("{file}: {misread}"))
        };
        let found = match by {
            "turn" => turns(&mut position, depth),
            _ => position.game().perft(&position, depth).expect("an end"),
        };
        if found != count {
            wrong.push(format!("found {found} where it says {row}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn counts_agree() {
    check_counts(false);
}

#[test]
#[ignore = "takes long; `cargo test --release --test testsuite positions::deep -- --ignored`"]
fn deep_counts_agree() {
    check_counts(true);
}
