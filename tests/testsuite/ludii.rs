//! Drafts of games of Ludii: `ludii/*.lud`, which are written for these tests. What a draft leaves
//! out is shown by snapshots; that nothing is left out wrongly, by counts that are known otherwise.

use crate::cli::run;
use crate::snapshots_in;
use ludwright::diagnostics::{Style, report};
use ludwright::language::ludii::draft;
use ludwright::language::sources::Sources;
use ludwright::language::{check, format};
use ludwright::perft::perft;
use ludwright::syntax::{SOURCE_LIMIT, parse};
use ludwright::{Game, random};
use std::path::{Path, PathBuf};

fn text_of(name: &str) -> String {
    std::fs::read_to_string(format!("tests/ludii/{name}.lud")).expect("a file of Ludii")
}

#[test]
fn drafts_and_what_they_leave_out() {
    let _bound = snapshots_in("ludii").bind_to_scope();
    insta::glob!("../ludii", "*.lud", |path| {
        let text = std::fs::read_to_string(path).expect("a file of Ludii");
        let name = path.file_name().expect("a name").to_string_lossy();
        let shown = |findings| report(&Sources::named(&name, &text), findings, Style::PLAIN);
        let shown = match draft(&text, "Draft") {
            Ok(draft) => {
                let checked = check(Sources::named("draft.game", &draft.rules), &[]);
                assert!(checked.rules.is_some(), "{name}: {:#?}", checked.findings);
                let formatted = format::format(&draft.rules).expect("its brackets match");
                assert_eq!(formatted, draft.rules, "{name}");
                format!("{}\n{}", draft.rules, shown(&draft.findings))
            }
            Err(findings) => shown(&findings),
        };
        insta::assert_snapshot!("draft", shown);
    });
}

/// Drafts without findings, and games of our own with the same moves.
#[test]
fn whole_drafts_play_as_the_games_do() {
    for (name, game, options, depth) in [
        ("tic-tac-toe", "tic-tac-toe", &[][..], 6),
        ("hex", "hex", &[("Size", "3")], 6),
        ("hex", "hex", &[("Size", "5")], 3),
        ("breakthrough", "breakthrough", &[], 4),
        ("amazons", "amazons", &[], 3),
        ("draughts", "draughts", &[], 8),
    ] {
        let drafted = draft(&text_of(name), "Draft").expect("it can be read");
        assert!(drafted.findings.is_empty(), "{name}: {:#?}", drafted.findings);
        let drafted = Game::from_source(&drafted.rules, options).expect("it can be played").start();
        let path = format!("tests/games/{game}.game");
        let game = Game::from_file(&path, options).expect("it can be played").start();
        for depth in 1..=depth {
            let count = |state| perft(state, depth).expect("it ends");
            assert_eq!(count(&drafted), count(&game), "{name}, {depth} plies");
        }
    }
}

/// The game of `konane.lud`, written without any of this: a square is 0, 1 or 2, the numbers of the
/// players whose pieces they have.
mod by_hand {
    const SIDE: i32 = 6;
    const WAYS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

    #[derive(Clone)]
    pub struct Position {
        squares: [[u8; SIDE as usize]; SIDE as usize],
        plies: u32,
        hole: (i32, i32),
    }

    impl Position {
        pub fn first() -> Position {
            let mut squares = [[0; SIDE as usize]; SIDE as usize];
            for (row, squares) in squares.iter_mut().enumerate() {
                for (column, square) in squares.iter_mut().enumerate() {
                    *square = if (row + column) % 2 == 1 { 1 } else { 2 };
                }
            }
            Position { squares, plies: 0, hole: (0, 0) }
        }

        fn at(&self, (row, column): (i32, i32)) -> Option<u8> {
            self.squares
                .get(usize::try_from(row).ok()?)?
                .get(usize::try_from(column).ok()?)
                .copied()
        }

        fn with(&self, changes: &[((i32, i32), u8)]) -> Position {
            let mut next = self.clone();
            next.plies += 1;
            for &((row, column), piece) in changes {
                next.squares[row as usize][column as usize] = piece;
                next.hole = (row, column);
            }
            next
        }

        fn next(&self) -> Vec<Position> {
            let mover = if self.plies.is_multiple_of(2) { 1 } else { 2 };
            let sites = || (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)));
            let own = sites().filter(|&site| self.at(site) == Some(mover));
            let side = SIDE - 1;
            let is_open = |(row, column): (i32, i32)| {
                let corner = [0, side].contains(&row) && [0, side].contains(&column);
                corner || ([2, 3].contains(&row) && [2, 3].contains(&column))
            };
            let is_near = |(row, column): (i32, i32)| {
                (row - self.hole.0).abs() + (column - self.hole.1).abs() == 1
            };
            match self.plies {
                0 => {
                    own.filter(|&site| is_open(site)).map(|site| self.with(&[(site, 0)])).collect()
                }
                1 => {
                    own.filter(|&site| is_near(site)).map(|site| self.with(&[(site, 0)])).collect()
                }
                _ => own
                    .flat_map(|(row, column)| {
                        WAYS.map(|(up, right)| {
                            let over = (row + up, column + right);
                            let to = (row + 2 * up, column + 2 * right);
                            (self.at(over) == Some(3 - mover) && self.at(to) == Some(0))
                                .then(|| self.with(&[((row, column), 0), (over, 0), (to, mover)]))
                        })
                    })
                    .flatten()
                    .collect(),
            }
        }

        pub fn count(&self, depth: u32) -> u64 {
            match depth {
                0 => 1,
                _ => self.next().iter().map(|next| next.count(depth - 1)).sum(),
            }
        }
    }
}

#[test]
fn phases_and_jumps_play_as_by_hand() {
    let drafted = draft(&text_of("konane"), "Draft").expect("it can be read");
    assert!(drafted.findings.is_empty(), "{:#?}", drafted.findings);
    let start = Game::from_source(&drafted.rules, &[]).expect("it can be played").start();
    for depth in 1..=8 {
        assert_eq!(perft(&start, depth), Ok(by_hand::Position::first().count(depth)), "{depth}");
    }
}

/// Whatever the bytes are, there is a draft that can be read, or the reason why not.
#[test]
fn any_text_is_a_draft_or_a_finding() {
    let look = |text: &str| match draft(text, "Draft") {
        Ok(draft) => assert!(parse(&draft.rules).faults.is_empty(), "{text}\n{}", draft.rules),
        Err(findings) => {
            assert!(!findings.is_empty(), "{text}");
            let inside = |at: usize| at <= text.len() && text.is_char_boundary(at);
            let spans = findings.iter().map(|finding| finding.span);
            assert!(spans.into_iter().all(|span| inside(span.start) && inside(span.end)), "{text}");
        }
    };
    const PARTS: [&str; 20] = [
        "(",
        ")",
        "{",
        "}",
        "\"",
        "#1",
        "<",
        ">",
        "~",
        "Mover",
        "P2",
        "if:",
        "(to)",
        "(last To)",
        "4",
        "..",
        "//",
        "(or ",
        "(sites ",
        "é",
    ];
    for name in ["left-out", "draughts", "konane", "hex"] {
        let text = text_of(name);
        for (round, at) in (0..text.len()).step_by(23).enumerate() {
            look(&text[..at]);
            let draw = |number: u64| random::mix(round as u64, number) as usize;
            let from = draw(0) % text.len();
            let to = text.len().min(from + draw(1) % 12);
            look(&format!("{}{}{}", &text[..from], PARTS[draw(2) % PARTS.len()], &text[to..]));
        }
    }
    for text in
        ["", "\u{feff}", "é", "(game", "(game)", "(game \"A\")", "(game \"A\" (players 400))"]
    {
        look(text);
    }
    look(&"(".repeat(5_000));
    look(&"{(game ".repeat(20_000));
    // Definitions that use themselves, or grow without end.
    look("(define \"A\" (or \"A\" \"A\")) (game \"G\" (rules (play \"A\")))");
    let mut grown = String::from("(define \"D0\" (move Pass))");
    for number in 1..60 {
        let before = number - 1;
        grown += &format!("(define \"D{number}\" (or \"D{before}\" \"D{before}\"))");
    }
    look(&format!("{grown}(game \"G\" (players 2) (rules (play \"D59\")))"));
    assert!(draft(&format!("{grown}(game \"G\" (rules (play \"D59\")))"), "G").is_err());
    look(&"x".repeat(SOURCE_LIMIT + 1));
}

#[test]
fn a_draft_is_written_once() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ludii");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let written = |name: &str| PathBuf::from(path(&format!("{name}.game"))).exists();
    std::fs::write(path("broken.lud"), [b'(', 0xe9]).expect("a file");
    for (name, from, code) in [
        ("whole", "tests/ludii/tic-tac-toe.lud", 0),
        ("partial", "tests/ludii/left-out.lud", 1),
        ("unread", "tests/ludii/unclosed.lud", 1),
        ("bytes", &path("broken.lud"), 1),
        ("folder", "tests/ludii", 2),
        ("missing", "tests/ludii/none.lud", 2),
        ("whole", "tests/ludii/hex.lud", 2),
    ] {
        let output = run(&["new", &path(name), "--from-ludii", from], "");
        assert_eq!(output.status.code(), Some(code), "{name}: {output:?}");
        let is_draft = ["whole", "partial"].contains(&name);
        assert_eq!(written(name), is_draft, "{name}");
    }
    let whole = std::fs::read_to_string(path("whole.game")).expect("a draft");
    assert!(whole.starts_with("(game \"Whole\"\n") && whole.contains("(square 3)"), "{whole}");
}
