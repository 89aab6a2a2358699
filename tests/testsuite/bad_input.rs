//! Malformed and hostile input: every file gets a clear error, quickly and in little memory.

use crate::snapshots_in;
use ludwright::random::Random;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Limit in seconds of CPU time, which other load does not affect; larger for builds without
/// optimization.
const SOON: u32 = if cfg!(debug_assertions) { 8 } else { 1 };
/// Limit in kilobytes of mapped memory.
const MEMORY: u32 = 200_000;

fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a file");
    path
}

/// Runs the binary under limits of memory and time; the shell kills it beyond them.
fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    let limits = format!("ulimit -v {MEMORY} && ulimit -t {SOON} && exec \"$0\" \"$@\"");
    command.args(["-c", &limits, env!("CARGO_BIN_EXE_ludwright")]);
    let output = command.args(arguments).output().expect("a shell");
    assert!(
        output.status.code().is_some(),
        "{arguments:?} took too much time or memory: {}",
        output.status
    );
    output
}

fn game(parts: &str, rules: &str) -> Vec<u8> {
    let rest = "(move drop (to t (empty)) (put Stone t))";
    format!("(game \"Bad\" (players White Black) {parts} (piece Stone) {rest} {rules})")
        .into_bytes()
}

const PLAY: &str = "(play (turns (choose drop)))";
const BOARD: &str = "(board (square 3))";

/// Cases: name, input, command, and the code of the finding, `None` for an error without one.
fn inputs() -> Vec<(&'static str, Vec<u8>, &'static str, Option<&'static str>)> {
    let mut random = Random::new(7);
    let bytes: Vec<u8> = (0..100_000).map(|_| random.below(256) as u8).collect();
    let ascii: Vec<u8> = (0..1 << 20).map(|_| 32 + random.below(95) as u8).collect();
    let nested = |open: usize, close: usize| {
        format!("{}{}", "(and ".repeat(open), ")".repeat(close)).into_bytes()
    };
    vec![
        ("nested and closed", nested(100_000, 100_000), "check", Some("nested-too-deep")),
        ("nested and never closed", nested(100_000, 0), "check", Some("nested-too-deep")),
        ("brackets alone", vec![b'('; 1 << 20], "check", Some("nested-too-deep")),
        ("closing brackets alone", vec![b')'; 1 << 20], "check", Some("stray-bracket")),
        ("50 megabytes of spaces", vec![b' '; 50 << 20], "check", Some("file-too-large")),
        ("50 megabytes of brackets", vec![b'('; 50 << 20], "check", Some("file-too-large")),
        ("random bytes", bytes, "check", Some("not-text")),
        ("random characters", ascii, "check", None),
        ("nothing", Vec::new(), "check", Some("not-a-game")),
        (
            "a line without end",
            format!("(game {}", "x ".repeat(500_000)).into_bytes(),
            "check",
            Some("unclosed-bracket"),
        ),
        (
            "a billion sites",
            game("(board (rectangle 1000000000 1))", PLAY),
            "check",
            Some("board-too-large"),
        ),
        (
            "10^18 sites",
            game("(board (square 1000000000))", PLAY),
            "check",
            Some("board-too-large"),
        ),
        (
            "an option beyond all bounds",
            game(
                &format!("(option Size (range 1 (* 99999999999 99999999999)) 1 \"Size.\") {BOARD}"),
                PLAY,
            ),
            "check",
            Some("number-overflow"),
        ),
        (
            "an option with too many values",
            game(&format!("(option Size (range 1 99999999999) 1 \"Size.\") {BOARD}"), PLAY),
            "check",
            None,
        ),
        (
            "an option divided by zero",
            game(&format!("(option Size (range 1 (/ 5 0)) 1 \"Size.\") {BOARD}"), PLAY),
            "check",
            Some("bad-divisor"),
        ),
        (
            "a step of zero",
            game(&format!("(option Size (range 1 5 0) 1 \"Size.\") {BOARD}"), PLAY),
            "check",
            None,
        ),
        (
            "a definition of itself",
            game(
                &format!("{BOARD} (define (Again (site s)) (Again s))"),
                "(play (turns (choose drop)) (Again a1))",
            ),
            "check",
            Some("recursive-definition"),
        ),
        (
            "definitions of each other",
            game(
                &format!("{BOARD} (define One (Two)) (define Two (One))"),
                "(play (turns (choose drop)) (One))",
            ),
            "check",
            Some("recursive-definition"),
        ),
        ("definitions that double", doubling("1"), "check", Some("number-overflow")),
        (
            "definitions that double in play",
            doubling_conditions(),
            "check",
            Some("rules-too-large"),
        ),
        (
            "an unclosed bracket",
            game(BOARD, "(play (turns (choose drop))"),
            "check",
            Some("unclosed-bracket"),
        ),
        ("an unclosed text", b"(game \"Bad".to_vec(), "check", Some("unclosed-text")),
        ("invalid UTF-8", b"(game \"Caf\xe9\"".to_vec(), "check", Some("not-text")),
        (
            "effects for ever",
            game(&format!("{BOARD} (remember Total number)"), "(play (forever (raise Total 1)))"),
            "check",
            Some("no-ply"),
        ),
    ]
}

/// Rules that do not terminate, or not in reasonable time, which the checker cannot detect.
fn endless() -> Vec<(&'static str, Vec<u8>)> {
    const LARGE: &str = "(board (square 32)) (remember Total number)";
    let rules = |parts: &str, rest: &str| {
        format!("(game \"Endless\" (players White Black) {parts} (piece Stone) {rest})")
            .into_bytes()
    };
    let effects = |effects: &str| {
        rules(
            LARGE,
            &format!(
                "(move drop (to t (empty)) (put Stone t) {effects}) (play (turns (choose drop)))"
            ),
        )
    };
    let flow =
        |flow: &str| game("(board (square 3)) (remember Total number)", &format!("(play {flow})"));
    const LOOPS: &str = "(for a everywhere (for b everywhere (for c everywhere (raise Total 1))))";
    vec![
        ("while something is so", flow("(turns (choose drop) (while (any (empty)) (raise Total 1)))")),
        ("nobody can ever move again", flow("(forever (turn White (choose drop (otherwise))) (turn Black (choose drop (otherwise))))")),
        ("a billion repetitions", flow("(turns (choose drop) (repeat 1000000000 (raise Total 1)))")),
        ("three loops in the setup", rules(LARGE, &format!("(setup {LOOPS}) (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop)))"))),
        ("three loops in a move", effects(LOOPS)),
        ("three loops before a requirement", effects(&format!("{LOOPS} (require (> Total 3))"))),
        ("a flood from every site, for every move", effects("(for a everywhere (raise Total (count (group a (empty))))) (require (> Total 3))")),
        ("a chain from every site", effects("(for a everywhere (chain x a (join (beside x all))))")),
        (
            "four sites in a condition",
            rules(
                LARGE,
                "(move drop (to t (empty)) (put Stone t)) (play (turns (choose drop))) (end (if (any (where a everywhere (any (where b everywhere
                (any (where c everywhere (any (where d everywhere (any (and (group a (empty)) (group b (empty)) (group c (empty))
                (group d (empty)))))))))))) (draw)))",
            ),
        ),
        (
            "three sites to choose",
            rules(LARGE, "(move three (at a (empty)) (at b (empty)) (at c (empty)) (put Stone a)) (play (turns (choose three)))"),
        ),
        (
            "a turn that can never be completed",
            rules(
                "(board (square 8))",
                "(setup (put Stone (row 1) White) (put Stone (row 8) Black)) (move step (from s (mine)) (to t (and (beside s all) (empty))) (relocate s t))
                (play (turns (steps 12 (choose step) (so-that (none (mine))))))",
            ),
        ),
    ]
}

/// A chain of definitions, each of which uses the previous one twice.
fn doubling(first: &str) -> Vec<u8> {
    let mut parts = format!("{BOARD} (define D0x {first})");
    for index in 1..60 {
        parts.push_str(&format!("(define D{index}x (+ D{}x D{}x))", index - 1, index - 1));
    }
    game(&parts, "(play (turns (choose drop))) (end (if (= D59x 1) (draw)))")
}

/// A chain of conditions, each of which tests the previous one twice, on different paths.
fn doubling_conditions() -> Vec<u8> {
    let mut parts = format!("{BOARD} (define D0x (> (count (empty)) 3))");
    for index in 1..60 {
        let before = format!("D{}x", index - 1);
        parts.push_str(&format!(
            "(define D{index}x (or (and {before} (any (mine))) (and (not {before}) (none (mine)))))"
        ));
    }
    game(&parts, "(play (turns (choose drop))) (end (if D59x (draw)))")
}

#[test]
fn bad_files_get_a_clear_error() {
    let mut shown = String::new();
    for (name, bytes, command, code) in inputs() {
        let path = write(&format!("{}.game", name.replace([' ', '^'], "-")), &bytes);
        let path = path.to_string_lossy();
        let output = run(&[command, &path]);
        let errors = String::from_utf8_lossy(&output.stderr).replace(&*path, "bad.game");
        assert!(
            matches!(output.status.code(), Some(0 | 1)),
            "{name}: {:?}\n{errors}",
            output.status
        );
        assert!(errors.len() < 200_000, "{name}: {} bytes of errors", errors.len());
        let first: Vec<&str> =
            errors.lines().filter(|line| !line.trim().is_empty()).take(8).collect();
        let first: Vec<String> = first
            .iter()
            .map(|line| line.chars().take(110).collect::<String>().trim_end().to_owned())
            .collect();
        shown.push_str(&format!(
            "## {name}: exit {}\n{}\n\n",
            output.status.code().unwrap_or(-1),
            first.join("\n")
        ));
        if let Some(code) = code {
            assert_eq!(output.status.code(), Some(1), "{name}\n{errors}");
            assert!(errors.contains(code), "{name} is not found to be {code}\n{errors}");
            let output = run(&["check", &path, "--format", "json"]);
            let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
            let findings = report["files"][0]["findings"].as_array().expect("findings");
            assert!(findings.iter().any(|finding| finding["code"] == code), "{name}");
        }
    }
    snapshots_in("bad-input").bind(|| insta::assert_snapshot!(shown));
}

#[test]
fn endless_rules_get_a_clear_error() {
    let mut shown = String::new();
    for (name, bytes) in endless() {
        let path = write(&format!("{}.game", name.replace([' ', ','], "-")), &bytes);
        let path = path.to_string_lossy();
        for command in
            [&["perft", &path, "12", "--format", "json"][..], &["bench", &path, "--seconds", "60"]]
        {
            let output = run(command);
            let errors = String::from_utf8_lossy(&output.stderr).replace(&*path, "endless.game");
            assert_eq!(output.status.code(), Some(1), "{name}: {}\n{errors}", command[0]);
            assert!(
                errors.contains("never reach") && errors.contains("endless.game"),
                "{name}: {}\n{errors}",
                command[0]
            );
            if command[0] == "bench" {
                let label =
                    errors.lines().find(|line| line.contains("endless.game:")).unwrap_or_default();
                shown.push_str(&format!("## {name}\n{}\n", label.trim()));
            }
        }
    }
    snapshots_in("bad-input").bind(|| insta::assert_snapshot!(shown));
}

#[test]
fn bad_records_get_a_clear_error() {
    let mut shown = String::new();
    for (name, bytes) in [
        ("of another game", "game: Swarm\n\nroll 3 5\n".as_bytes().to_vec()),
        ("of another game with its options", "game: Swarm\noption: Chain=on\n\nroll 3 5\n".as_bytes().to_vec()),
        ("invalid UTF-8", b"game: Kitaran\n\nplace \xff\n".to_vec()),
        ("too large", vec![b'\n'; (1 << 20) + 1]),
        ("no such key", b"gane: Kitaran\n".to_vec()),
        ("no such option", b"option: Sise=5\n".to_vec()),
        ("no such value", b"option: Size=50\n".to_vec()),
        ("a long line", vec![b'x'; 1 << 20]),
        ("a key among the moves", b"game: Kitaran\n\nplace a1\nseed: 7\n".to_vec()),
        ("a key twice", b"game: Kitaran\ngame: Kitaran\n".to_vec()),
        ("a number that is none", b"seed: seven\n".to_vec()),
        ("a seat that is none", b"seat: White\n".to_vec()),
        ("a position that is none", b"start: position:\nstart: . X\n".to_vec()),
        ("no such verb", b"game: Kitaran\n\nplace a1\nplcae a2\n".to_vec()),
        ("no such site", b"game: Kitaran\n\nplace z9\n".to_vec()),
        ("wrong arguments", b"game: Kitaran\n\nplace a1 b2\n".to_vec()),
        ("not allowed", b"game: Kitaran\n\nplace a1\nplace a1\n".to_vec()),
        (
            "after the end",
            b"option: Size=3\n\nplace a1\nplace a2\nplace a3\nplace b1\nplace b2\nplace b3\nplace c1\nplace c2\nplace c3\nplace a1\n"
                .to_vec(),
        ),
    ] {
        let path = write("bad.record", &bytes);
        let path = path.to_string_lossy();
        let output = run(&["moves", "games/kitaran.game", "--from", &path]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        shown.push_str(&format!("## {name}\n{}\n", String::from_utf8_lossy(&output.stderr).replace(&*path, "bad.record")));
    }
    snapshots_in("bad-input").bind(|| insta::assert_snapshot!(shown));
}

#[test]
fn an_endless_file_is_refused() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad-pipe");
    std::fs::create_dir_all(&folder).expect("a folder");
    let pipe = folder.join("pipe.game");
    let made = pipe.exists()
        || Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success());
    assert!(made, "nobody writes to this pipe, so that whoever reads it waits for ever");
    let (pipe, folder) = (pipe.to_string_lossy(), folder.to_string_lossy());
    let game = "games/kitaran.game";
    for (path, why) in [
        ("/dev/zero", "it is a device, and no file"),
        (&pipe, "it is a pipe, and no file"),
        (&folder, "it is a folder"),
    ] {
        let runs: [&[&str]; 8] = [
            &["check", path],
            &["fmt", path],
            &["moves", path],
            &["moves", game, "--from", path],
            &["show", game, "--position", path],
            &["replay", game, path],
            &["trace", game, path],
            &["merge", path],
        ];
        for arguments in runs {
            let output = run(arguments);
            let errors = String::from_utf8_lossy(&output.stderr);
            // A folder is checked with all rules files in it; a pipe is none.
            let why = match arguments {
                ["check", path] if *path == folder => "there is no rules file in",
                _ => why,
            };
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
            assert!(errors.contains(why), "{arguments:?}: {errors}");
        }
    }
}

/// Names of a million letters are shortened in every message.
#[test]
fn long_names_are_shortened() {
    let name = "N".repeat(500_000);
    let small = "n".repeat(500_000);
    let file = |text: String| {
        format!("(game \"Long\" (players A B) (board (square 2)) (piece Stone) {text})")
            .into_bytes()
    };
    let rest = "(move put (to t (empty)) (put Stone t)) (play (turns (choose put)))";
    let files = [
        file(format!("(piece {name}) (piece {name}) {rest}")),
        file(format!("(define ({name} (site s)) (any ({name} s))) {rest}")),
        file(format!(
            "(define ({name} (site s) (site {small})) (any s)) (move put (to t (empty)) (require ({name} t)) (put Stone t)) (play (turns (choose put)))"
        )),
        file(format!("(option {name} (range 1 2) 5 \"{name}\") {rest}")),
        file(format!(
            "(remember {name} number) (move put (to t (empty)) (put {name}x t)) (play (turns (choose {small})))"
        )),
        file(format!(
            "(move {small} (to t ({small})) (put Stone t)) (play (turns (choose {small}x)))"
        )),
        file(format!("(include \"{small}.game\") {rest}")),
        format!("({small} \"Long\")").into_bytes(),
        format!("(game \"{name}\" (players {name}) (board ({small} 2)))").into_bytes(),
    ];
    for (number, bytes) in files.into_iter().enumerate() {
        let path = write(&format!("long-{number}.game"), &bytes);
        let path = path.to_string_lossy();
        for format in ["text", "json"] {
            let output = run(&["check", &path, "--format", format]);
            let said = [output.stdout, output.stderr].concat();
            assert_eq!(output.status.code(), Some(1), "{number}");
            assert!(
                said.len() < 20_000,
                "{number}: {} bytes as {format}: {}",
                said.len(),
                String::from_utf8_lossy(&said[..2_000])
            );
        }
    }
    let title = format!(
        "(game \"{}\" (players A B) (board (square 2)) (piece Stone) {rest})",
        "long ".repeat(180_000)
    );
    let words = write("words.game", title.as_bytes());
    let record = write("words.record", b"game: Another\n\nput a1\n");
    let output = run(&["replay", &words.to_string_lossy(), &record.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stderr.len() < 5_000, "{} bytes", output.stderr.len());
    for arguments in [
        ["moves", &small[..100_000]],
        ["explain", &small[..100_000]],
        ["check", &format!("-o{}=1", &small[..100_000])],
        ["moves", &format!("-o{}", &small[..100_000])],
        [&small[..100_000], "--format"],
    ] {
        let output = run(&[&arguments[..], &["games/kitaran.game"]].concat());
        assert!(
            output.stderr.len() < 5_000,
            "{}: {} bytes",
            &arguments[0][..5],
            output.stderr.len()
        );
    }
}
