//! Rules designed to be slow: checking takes time and memory linear in their length, or rejects
//! them early as too large.
//!
//! The measures do not depend on the load of the machine: bytes allocated, and how time grows with
//! length, where quadratic growth would be far beyond the bound.

use allocation_counter::measure;
use ludwright::analysis::{Effort, analysis_findings};
use ludwright::engine::game::Game;
use ludwright::language::finding::{Code, Finding};
use ludwright::language::sources::Sources;
use ludwright::language::{check, check_values};
use std::time::{Duration, Instant};

/// Returns all findings of `ludwright check`.
fn find(text: &str) -> Vec<Finding> {
    let source = Sources::from(text);
    let checked = check(&source, &[]);
    let mut findings = checked.findings;
    if let Some(rules) = checked.rules {
        findings.extend(check_values(&source, &rules));
        match analysis_findings(&source, &[], rules.clone(), Effort::Glance) {
            Some(seen) => findings.extend(seen),
            None => findings.extend(Game::compile(rules).err()),
        }
    }
    findings
}

fn repeated(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(" ")
}

/// A game with these parts and this order of play.
fn game(parts: &str, play: &str) -> String {
    format!(
        "(game \"Hostile\" (players White Black) (board (square 5)) (piece Stone) (remember Total number) {parts}
        (move drop (to t (empty)) (put Stone t)) (play {play}))"
    )
}

const TURNS: &str = "(turns (choose drop))";

fn nested(open: &str, inner: &str, depth: usize) -> String {
    format!(
        "{}{inner}{}",
        open.repeat(depth),
        ")".repeat(open.matches('(').count().saturating_sub(open.matches(')').count()) * depth)
    )
}

/// Makes a text of a given size.
type Text = Box<dyn Fn(usize) -> String>;

/// Families of texts, each with its name and base size.
fn growing() -> Vec<(&'static str, usize, Text)> {
    let end = |statement: fn(usize) -> String| {
        move |count: usize| game(&format!("(end {})", repeated(count, statement)), TURNS)
    };
    let flow = |statement: &'static str| {
        move |count: usize| {
            game(
                "",
                &format!("(turns (choose drop) {})", repeated(count, |_| statement.to_owned())),
            )
        }
    };
    let junk = |part: &'static str| {
        move |count: usize| format!("(game \"Hostile\" {})", part.repeat(count))
    };
    let players = |board: &'static str, condition: fn(usize) -> String| {
        move |count: usize| {
            let ends = format!(
                "(end (if (any (where s everywhere (or {}))) (draw)))",
                repeated(count, condition)
            );
            game(&ends, TURNS).replace("(board (square 5))", board)
        }
    };
    vec![
        (
            "the same end again and again",
            1_000,
            Box::new(end(|_| String::from("(if (none (empty)) (draw))"))),
        ),
        (
            "ends that all differ",
            1_000,
            Box::new(end(|index| format!("(if (> (count (empty)) {}) (win White))", index + 100))),
        ),
        ("effects in the order of play", 2_000, Box::new(flow("(raise Total 1)"))),
        (
            "conditions in the order of play",
            500,
            Box::new(flow("(if (any (empty)) (raise Total 1))")),
        ),
        ("plies", 800, Box::new(flow("(choose drop)"))),
        (
            "turns",
            800,
            Box::new(|count| {
                game("", &format!("(forever {})", "(turn White (choose drop))".repeat(count)))
            }),
        ),
        ("repetitions", 800, Box::new(flow("(repeat 2 (raise Total 1))"))),
        (
            "loops in a move",
            300,
            Box::new(|count| {
                game("", TURNS).replace(
                    "(put Stone t)",
                    &format!("(put Stone t) {}", "(for s (mine) (raise Total 1))".repeat(count)),
                )
            }),
        ),
        (
            "effects without brackets",
            2_000,
            Box::new(|count| {
                game("", TURNS).replace(
                    "(put Stone t)",
                    &format!("(put Stone t) {}", "lose mover ".repeat(count)),
                )
            }),
        ),
        (
            "shapes without brackets",
            2_000,
            Box::new(|count| game("", TURNS).replace("(square 5)", &"square 5 ".repeat(count))),
        ),
        (
            "conditions without brackets",
            2_000,
            Box::new(|count| {
                game(&format!("(end (if (and {}) (draw)))", "none mine ".repeat(count)), TURNS)
            }),
        ),
        ("words", 8_000, Box::new(junk("a "))),
        ("numbers", 8_000, Box::new(junk("1 "))),
        ("bad numbers", 8_000, Box::new(junk("1.3 "))),
        ("forms", 8_000, Box::new(junk("(a) "))),
        ("brackets", 8_000, Box::new(junk("()"))),
        ("quotes", 8_000, Box::new(junk("\""))),
        ("strange characters", 8_000, Box::new(junk("@ "))),
        (
            "lines of sight on the largest board",
            20,
            Box::new(players("(board (square 32))", |index| {
                format!("(> (count (walk s all (mine))) {})", index % 5)
            })),
        ),
    ]
}

/// Minimum of two measurements, which is least disturbed by other load.
fn time(text: &str) -> Duration {
    let once = || {
        let began = Instant::now();
        find(text);
        began.elapsed()
    };
    (0..2).map(|_| once()).min().unwrap_or_default()
}

#[test]
fn time_grows_with_the_length() {
    for (name, count, text) in growing() {
        let (short, long) = (text(count), text(8 * count));
        // Eight times the length takes 8 times as long if linear, 64 times if quadratic; 24
        // separates them.
        let grows_slowly = || {
            let (short, long) = (time(&short), time(&long));
            long < short * 24 + Duration::from_millis(100)
        };
        assert!((0..3).any(|_| grows_slowly()), "{name}");
    }
}

/// Very large texts, and the code of the finding that they must cause, if any.
fn large() -> Vec<(&'static str, String, Option<Code>)> {
    let options = |count: usize| {
        repeated(count, |index| format!("(option Opt{index}x (range 1 10000) 1 \"Some.\")"))
    };
    let sum = |count: usize| format!("(+ {})", repeated(count, |index| format!("Opt{index}x")));
    let least = (0..30)
        .fold(String::from("3"), |least, index| format!("(max {least} (min 5 Opt{index}x))"));
    let doubled = |first: &str, next: fn(usize) -> String| {
        format!("{first} {}", repeated(60, |index| next(index + 1)))
    };
    vec![
        (
            "options summed",
            game(
                &format!("{} (end (if (> (count (empty)) {}) (draw)))", options(30), sum(30)),
                TURNS,
            ),
            None,
        ),
        (
            "options that shape the board",
            game(&options(30), TURNS)
                .replace("(board (square 5))", &format!("(board (square {least}))")),
            None,
        ),
        (
            "twenty thousand ends",
            game(&format!("(end {})", "(if (none (empty)) (draw))".repeat(20_000)), TURNS),
            Some(Code::NeverReached),
        ),
        (
            "plies repeated twice, 190 times",
            game("", &nested("(repeat 2 ", "(turn White (choose drop))", 190)),
            Some(Code::RulesTooLarge),
        ),
        (
            "plies repeated eight times, 190 times",
            game("", &nested("(repeat 8 ", "(turn White (choose drop))", 190)),
            Some(Code::RulesTooLarge),
        ),
        (
            "turns within turns",
            game("", &nested("(turns ", "(choose drop)", 190)),
            Some(Code::RulesTooLarge),
        ),
        (
            "definitions that hold plies twice",
            game(
                &doubled("(define D0x (choose drop))", |index| {
                    format!("(define D{index}x D{0}x D{0}x)", index - 1)
                }),
                "(turns D60x)",
            ),
            Some(Code::RulesTooLarge),
        ),
        (
            "definitions that use numbers twice",
            game(
                &format!(
                    "{} (end (if (> D60x 3) (draw)))",
                    doubled("(define D0x (count (mine)))", |index| format!(
                        "(define D{index}x (+ D{0}x D{0}x))",
                        index - 1
                    ))
                ),
                TURNS,
            ),
            None,
        ),
        (
            "definitions that test conditions twice",
            game(
                &format!(
                    "{} (end (if D60x (draw)))",
                    doubled("(define D0x (> (count (empty)) 3))", |index| format!(
                        "(define D{index}x (or (and D{0}x (any (mine))) (and (not D{0}x) (none (mine)))))",
                        index - 1
                    ))
                ),
                TURNS,
            ),
            Some(Code::RulesTooLarge),
        ),
        (
            "counts along lines at every site",
            game(
                &format!(
                    "(end (if (any (where s everywhere (> (+ {}) 3))) (draw)))",
                    "(count (walk s all (mine))) ".repeat(5_000)
                ),
                TURNS,
            )
            .replace("(square 5)", "(square 32)"),
            None,
        ),
        (
            "a quarter of a megabyte of forms",
            format!("(game \"Hostile\" {})", "(a) ".repeat(1 << 16)),
            None,
        ),
        (
            "a megabyte of one word",
            game(&format!("(define {} (mine))", "A".repeat(1_000_000)), TURNS),
            None,
        ),
    ]
}

#[test]
fn memory_is_bounded() {
    for (name, text, code) in large() {
        let mut found = Vec::new();
        let used = measure(|| found = find(&text));
        assert!(used.bytes_max < 150 << 20, "{name}: {} bytes at a time", used.bytes_max);
        assert!(used.bytes_total < 1 << 30, "{name}: {} bytes in all", used.bytes_total);
        assert!(
            code.is_none_or(|code| found.iter().any(|finding| finding.code == code)),
            "{name}: {found:#?}"
        );
    }
}

/// Large but reasonable games remain valid.
#[test]
fn large_games_are_not_refused() {
    let options = repeated(64, |index| format!("(option Opt{index}x (range 1 10000) 1 \"Some.\")"));
    let ends = repeated(500, |index| {
        format!("(if (> (count (row {})) {}) (draw))", index % 5 + 1, index + 10)
    });
    let plies = repeated(1_000, |_| String::from("(choose drop)"));
    for text in [
        game(&options, TURNS),
        game(&format!("(end {ends})"), TURNS),
        game("", &format!("(turns {plies})")),
        game("", &nested("(repeat 2 ", "(turns (choose drop))", 10)),
    ] {
        assert!(
            check(&text, &[]).rules.is_some_and(|rules| Game::compile(rules).is_ok()),
            "{}",
            &text[..200]
        );
    }
}
