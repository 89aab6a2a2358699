//! No character of a file, a name or an argument acts on a terminal: output shows it as an escape.
//! The program's own colours pass.

#![cfg(unix)]

use ludwright::syntax::visible::is_hidden;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Every character that must not reach a terminal except line feed and tab, and some harmful
/// sequences. Its colours are ones that the program does not use.
fn hostile() -> String {
    let hidden = (1..0x11_0000)
        .filter_map(char::from_u32)
        .filter(|&character| is_hidden(character) && !matches!(character, '\n' | '\t'));
    format!(
        "{}\u{1b}]0;title\u{7}\u{1b}[95;46m\u{1b}[2J\u{9b}31m\u{202e}abc",
        hidden.collect::<String>()
    )
}

/// The same without characters that end a line of a record or case.
fn hostile_line() -> String {
    hostile().replace(['\r', '#'], "")
}

/// Lists the characters of an output that would act on a terminal, except the program's colours.
fn acting(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8(bytes.to_vec()).expect("what is no text is shown as such");
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some(character) = rest.chars().next() {
        let is_colour = |sequence: &&str| {
            let begin = sequence
                .strip_prefix("\u{1b}[")
                .and_then(|inside| inside.split_once('m'))
                .map(|(numbers, _)| numbers);
            begin.is_some_and(|numbers| {
                numbers != "95;46"
                    && numbers.chars().all(|sign| sign.is_ascii_digit() || sign == ';')
            })
        };
        if character == '\u{1b}' && is_colour(&rest) {
            rest = &rest[1..];
            continue;
        }
        rest = &rest[character.len_utf8()..];
        if is_hidden(character)
            && !matches!(character, '\n' | '\t')
            && !(character == '\r' && rest.starts_with('\n'))
        {
            found.push(character.escape_unicode().to_string());
        }
    }
    found
}

struct Files {
    folder: PathBuf,
}

impl Files {
    /// A game and files about it, with every such character in their texts and names.
    fn new() -> Files {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("escapes");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let files = Files { folder };
        let evil = hostile().replace(['\\', '"'], "");
        let line = hostile_line();
        let rest = |size: u8| {
            format!(
                "(game \"Evil{evil}\"\n  (author \"{evil}\")\n  (year 2024)\n  (source \"{evil}\")\n  (players Black White)\n  (option Size (range 2 3) {size} \"Size {evil}\")\n  (board (square Size))\n  (piece Stone)\n  ; {line}\n  (move place (to t (empty)) (put Stone t))\n  (play (turns (choose place (otherwise (lose mover))))) ; {line}\n  (claim \"{evil}\" (ends-within 9)))\n"
            )
        };
        // Unknown words are fine: their messages are tested as well.
        files.write("evil.game", &rest(2));
        files.write(
            "other.game",
            &rest(2).replace("(otherwise (lose mover))", "(otherwise (win mover))"),
        );
        files.write(
            "odd.game",
            &format!("(game \"Odd\" {line} (players {line}) \"{evil}\" (include \"{evil}\") (piece Stone \"{evil}\" \"\u{301}\"))"),
        );
        files.write(&files.odd_name(), "(game");
        files.write(
            "good.record",
            &format!(
                "# all {line}\n\nplace a1  # {line}\nplace a2\n# {line}\nplace b1\nplace b2\n"
            ),
        );
        files.write(
            "bad.record",
            &format!("game: {line}\nseat: {line}=human\noption: {line}=2\n\nplace {line}\n"),
        );
        files.write("worse.record", &format!("{line}: {line}\n"));
        files.write(
            "bad.position",
            &format!("position:\n  2 . {line}\n  1 . .\n    a b\nto move: {line}\n"),
        );
        files.write(
            "good.case",
            &format!("title: Case {line}\nposition:\n  2 . .\n  1 . .\n    a b\nto move: Black\nillegal: place a1\nlegal: place {line}\n"),
        );
        files.write("bad.case", &format!("{line}: {line}\n"));
        files
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).expect("a file");
    }

    fn odd_name(&self) -> String {
        "o\u{1b}[95;46m\u{9b}\u{202e}\u{200b}\u{2028}\rdd.game".to_owned()
    }

    fn run(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
        command
            .args(arguments)
            .current_dir(&self.folder)
            .env("LUDWRIGHT_STATE", self.folder.join("state"));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary");
        let _ = child.stdin.take().expect("its input").write_all(input.as_bytes());
        child.wait_with_output().expect("its output")
    }
}

#[test]
fn nothing_acts_on_a_terminal() {
    let files = Files::new();
    let odd = files.odd_name();
    let evil = hostile_line();
    let (key, range, option) = (format!("{evil}=1"), format!("{evil}=1..2"), format!("--{evil}"));
    let seats = ["--seat", "Black=random", "--seat", "White=random", "--games", "4"];
    let typed = format!(
        "record\ncomment {evil}\nplace a1\ncomment {evil}\nrecord\nundo\nboard\ntargets\noptions\nhelp\nwhy place a1\nhint random\nseats\nplace {evil}\n"
    );
    let asked = format!(
        "ugi\nsetoption name {evil} value {evil}\nposition fen {evil}\nquery {evil}\nposition startpos moves {evil}\n{evil}\nquery position\ngo iterations 10\n"
    );
    let refused: [(&str, &str); 7] = [
        ("save", "nowhere/"),
        ("load", ""),
        ("position", ""),
        ("explain", ""),
        ("why", ""),
        ("eval", ""),
        ("seats", ""),
    ];
    let mut runs: Vec<(Vec<&str>, String)> = vec![
        (vec!["check", "evil.game", "odd.game", &odd], String::new()),
        (vec!["check", "--deep", "evil.game"], String::new()),
        (vec!["check", &evil], String::new()),
        (vec!["check", "evil.game", "-o", &key], String::new()),
        (vec!["check", "evil.game", "-o", &evil], String::new()),
        (vec!["check", "evil.game", &option], String::new()),
        (vec!["moves", "evil.game", "--from", "good.record"], String::new()),
        (vec!["moves", "evil.game", "--from", "bad.record"], String::new()),
        (vec!["moves", "evil.game", "--from", "worse.record"], String::new()),
        (vec!["moves", "evil.game", "--position", "bad.position"], String::new()),
        (vec!["moves", "evil.game", "--from", &odd], String::new()),
        (vec!["perft", "evil.game", "2", "--divide"], String::new()),
        (vec!["perft", &odd, "2"], String::new()),
        (vec!["replay", "evil.game", "good.record"], String::new()),
        (vec!["replay", "evil.game", "good.record", "--step"], "\n\n\nboard\n".to_owned()),
        (vec!["replay", "evil.game", "bad.record", "--force"], String::new()),
        (vec!["bench", "evil.game", "--seconds", "0"], String::new()),
        (vec!["show", "evil.game", "--from", "good.record"], String::new()),
        (vec!["show", "evil.game", "--targets", &evil, "--svg"], String::new()),
        (vec!["show", "evil.game", "-O", &evil], String::new()),
        (vec!["show", "evil.game", "--html", "good.record"], String::new()),
        (vec!["show", "--html", "good.record", "-O", &evil], String::new()),
        (vec!["rules", "evil.game"], String::new()),
        (vec!["why", "evil.game", &evil], String::new()),
        (vec!["why", "evil.game", "place a1"], String::new()),
        (vec!["why", "evil.game", "result", "--from", "good.record"], String::new()),
        (vec!["trace", "evil.game", "good.record"], String::new()),
        (vec!["plan", "evil.game", "--code"], String::new()),
        (vec!["test", "evil.game", "good.case", "bad.case", "--show"], String::new()),
        (vec!["test", "evil.game", "--show", "--games", "10"], String::new()),
        (vec!["test", "evil.game", &odd], String::new()),
        ([&["playtest", "evil.game", "--full"][..], &seats].concat(), String::new()),
        (
            [&["playtest", "evil.game", "--shard", "1/2", "-O", "part.json"][..], &seats].concat(),
            String::new(),
        ),
        (vec!["merge", "part.json", "--full"], String::new()),
        (vec!["merge", "part.json", "evil.game"], String::new()),
        ([&["sweep", "evil.game", "-o", "Size=2,3", "--full"][..], &seats].concat(), String::new()),
        (vec!["sweep", "evil.game", "-o", &range], String::new()),
        (vec!["solve", "evil.game"], String::new()),
        (vec!["diff", "evil.game", "other.game"], String::new()),
        (vec!["diff", "evil.game", "other.game", "--rename", &key], String::new()),
        (vec!["engine", "evil.game"], asked),
        (vec!["fmt", "--check", "evil.game", "odd.game", &odd], String::new()),
        (vec!["fmt", "good.record"], String::new()),
        (vec!["explain", &evil], String::new()),
        (vec!["new", &evil], String::new()),
        (vec!["play", "evil.game", "--seed", "1"], typed),
        (
            vec!["play", "evil.game", "--from", "good.record"],
            "record\nwhy result\nundo\n".to_owned(),
        ),
        (vec!["play", "evil.game", "--seat", &key], String::new()),
        (vec!["play", &odd], String::new()),
        (vec![&evil], String::new()),
    ];
    runs.extend(
        refused.map(|(command, rest)| {
            (vec!["play", "evil.game"], format!("{command} {rest}{evil}\n"))
        }),
    );
    let mut shown = 0;
    for (arguments, input) in &runs {
        for color in ["always", "never"] {
            let output = files.run(&[&arguments[..], &["--color", color]].concat(), input);
            let what: String = arguments
                .iter()
                .take(2)
                .map(|argument| {
                    argument
                        .chars()
                        .filter(char::is_ascii_alphanumeric)
                        .take(12)
                        .collect::<String>()
                        + " "
                })
                .collect();
            assert!(matches!(output.status.code(), Some(0..=3)), "{what}: {:?}", output.status);
            for (bytes, stream) in [(&output.stdout, "output"), (&output.stderr, "errors")] {
                let found = acting(bytes);
                assert!(
                    found.is_empty(),
                    "{what}{color} {stream}: {found:?}\n{}",
                    String::from_utf8_lossy(bytes).escape_debug()
                );
                if color == "never" {
                    assert!(!bytes.contains(&0x1b), "{what}{stream}");
                }
                shown += usize::from(String::from_utf8_lossy(bytes).contains("\\u{1b}"));
            }
        }
    }
    assert!(
        shown > runs.len(),
        "much of this shows what is in the file, {shown} of {}",
        runs.len()
    );
    // Data outputs keep the exact bytes.
    let text = fs::read_to_string(files.folder.join("evil.game")).expect("a file");
    let laid_out = files.run(&["fmt"], &text);
    assert!(String::from_utf8_lossy(&laid_out.stdout).contains('\u{202e}'));
    let json = files.run(&["show", "evil.game", "--format", "json"], "");
    assert!(serde_json::from_slice::<serde_json::Value>(&json.stdout).is_ok());
}
