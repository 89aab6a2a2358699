//! The binary from outside. A file `commands/*.cmd` holds command lines under headings; a snapshot
//! holds the output of those under one heading.
//!
//! `$ ARGUMENTS` runs the binary; following lines that begin with `> ` are its standard input;
//! `{tmp}` stands for the test's own folder; `#` starts a comment.

use crate::snapshots_in;
use fancy_regex::Regex;
use ludwright::language::check;
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const TMP: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/cli");

pub fn run(arguments: &[&str], input: &str) -> Output {
    run_in(&Path::new(TMP).join("state"), arguments, input)
}

/// Runs the binary with this folder for persistent state.
fn run_in(state: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
    command
        .args(arguments)
        .env("LUDWRIGHT_STATE", state)
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary");
    let mut stdin = child.stdin.take().expect("its input");
    // A command that does not read its input may have ended.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("its output")
}

/// The commands, as the program lists them.
pub fn commands() -> Vec<String> {
    let help = text(&run(&["--help"], "").stdout);
    let listed = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let names = listed
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next());
    let names: Vec<String> = names.filter(|name| *name != "help").map(str::to_owned).collect();
    assert!(names.iter().any(|name| name == "play"), "{help}");
    names
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn json(arguments: &[&str]) -> Value {
    let output = run(&[arguments, &["--format", "json"]].concat(), "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Runs one command line with its input, and adds what it prints to a transcript.
fn transcribe(state: &Path, command: &str, input: &str, shown: &mut String) {
    let output = run_in(state, &command.split_whitespace().collect::<Vec<&str>>(), input);
    shown.push_str(&format!("$ ludwright {command}\n"));
    input.lines().for_each(|line| shown.push_str(&format!("> {line}\n")));
    shown.push_str(&text(&output.stdout));
    for line in text(&output.stderr).lines() {
        shown.push_str(format!("! {line}").trim_end());
        shown.push('\n');
    }
    shown.push_str(&format!(
        "exit {}\n\n",
        output.status.code().map_or("by a signal".to_owned(), |code| code.to_string())
    ));
}

/// Masks what differs between machines: search times and rates, and the hash of paths in the names
/// of journals.
fn masked(shown: &str, folder: &str) -> String {
    let time = Regex::new(r"(games?|positions), [0-9.]+ s\)").expect("an expression");
    let trained = Regex::new(r"plies, in [0-9.]+ s").expect("an expression");
    let hash = Regex::new(r"-[0-9a-f]{12}-(\d+)\.record").expect("an expression");
    let rate = Regex::new(r" time \d+ (nodes \d+) nps \d+ ").expect("an expression");
    // So that a comment in a game does not change these snapshots.
    let rules = Regex::new(r#""rules":"[0-9a-f]{32}""#).expect("an expression");
    let shown = hash.replace_all(shown, "-HASH-$1.record");
    let shown = rules.replace_all(&shown, r#""rules":"HASH""#);
    let shown = trained.replace_all(&shown, "plies, in TIME");
    let shown = rate.replace_all(&shown, " time TIME $1 nps RATE ");
    time.replace_all(&shown, "$1, TIME)").replace(folder, "{tmp}")
}

/// A training that cannot be used is not taken for none.
#[test]
fn damaged_trainings_are_told() {
    let state = Path::new(TMP).join("damaged");
    let _ = std::fs::remove_dir_all(&state);
    let game = "tests/games/tic-tac-toe.game";
    let train = ["train", game, "--games", "2", "--match", "0", "--threads", "1"];
    assert_eq!(run_in(&state, &train, "").status.code(), Some(0));
    let kept: Vec<_> = std::fs::read_dir(state.join("trainings")).expect("a folder").collect();
    let [Ok(kept)] = &kept[..] else { panic!("{kept:?}") };
    let whole = std::fs::read(kept.path()).expect("a training");
    let told = |content: &[u8]| {
        std::fs::write(kept.path(), content).expect("a file");
        let output = run_in(&state, &["play", game], "hint learned\nquit\n");
        text(&output.stdout).split_whitespace().collect::<Vec<&str>>().join(" ")
    };
    assert!(!told(&whole).contains("note:"));
    for (content, why) in [
        (&whole[..whole.len() / 2], "weights, found"),
        (b"", "line 1: expected `ludwright evaluation 1`"),
        (b"\xff", "it is not text in UTF-8"),
    ] {
        let told = told(content);
        assert!(
            told.contains("note: the training of this game cannot be used (") && told.contains(why),
            "{told}"
        );
        assert!(told.contains("so that `learned` plays as `greedy`"), "{told}");
    }
}

/// A new game leaves the one before, and `undo` at its start leads back.
#[test]
fn restart_is_undone() {
    let state = Path::new(TMP).join("restart");
    let _ = std::fs::remove_dir_all(&state);
    let play = |lines: &str| {
        let lines = format!("{lines}\nrecord\nquit\n");
        let output = run_in(&state, &["play", "tests/games/tic-tac-toe.game"], &lines);
        let (told, failed) = (text(&output.stdout), text(&output.stderr));
        let record = told.rfind("game:").map_or(String::new(), |at| told[at..].to_owned());
        (record, format!("{told}{failed}"))
    };
    let plies = |record: &str| ["b2", "a1", "c3"].map(|site| record.contains(&format!(" {site}")));
    let (record, told) = play("b2\na1\nrestart");
    assert_eq!(plies(&record), [false; 3], "{told}");
    let (record, told) = play("b2\na1\nrestart\nundo");
    assert_eq!(plies(&record), [true, true, false], "{told}");
    // First the ply, then the restart; what was taken back before is still ahead.
    let (record, told) = play("b2\na1\nundo\nrestart\nc3\nundo\nundo\nredo");
    assert_eq!(plies(&record), [true, true, false], "{told}");
    let (_, told) = play("restart\nundo");
    assert!(told.contains("there is nothing to undo"), "{told}");
}

#[test]
fn commands_print_what_they_should() {
    insta::glob!("../commands", "*.cmd", |path| {
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let folder = Path::new(TMP).join(&stem);
        // Removes what the previous run left.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder of its own");
        let state = folder.join("state");
        let folder = folder.to_string_lossy().into_owned();
        let script = std::fs::read_to_string(path).expect("a script").replace("{tmp}", &folder);
        let mut settings = snapshots_in("commands");
        settings.remove_snapshot_suffix();
        let _bound = settings.bind_to_scope();
        let mut lines = script.lines().peekable();
        while lines.peek().is_some() {
            let mut heading = String::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with('$')) {
                heading.push_str(line.trim_start_matches('#'));
            }
            let mut shown = String::new();
            while let Some(command) = lines.next_if(|line| line.starts_with('$')) {
                let mut input = String::new();
                while let Some(typed) = lines.next_if(|line| line.starts_with('>')) {
                    input.push_str(typed[1..].trim_start());
                    input.push('\n');
                }
                transcribe(&state, command[1..].trim_start(), &input, &mut shown);
            }
            let sentence: String = heading
                .to_lowercase()
                .chars()
                .filter(|letter| letter.is_alphanumeric() || *letter == ' ')
                .collect();
            let words: Vec<&str> = sentence.split_whitespace().take(7).collect();
            insta::assert_snapshot!(format!("{stem}@{}", words.join("-")), masked(&shown, &folder));
        }
    });
}

#[test]
fn bench_measures() {
    let report =
        json(&["bench", "games/kitaran.game", "-o", "Size=3", "--seconds", "0.05", "--seed", "7"]);
    let keys: Vec<&String> = report.as_object().expect("an object").keys().collect();
    assert_eq!(
        keys,
        [
            "schema",
            "version",
            "game",
            "rules",
            "options",
            "playouts",
            "seconds",
            "playouts_per_second",
            "plies_per_second",
            "mean_plies",
            "wins",
            "draws",
            "unfinished"
        ]
    );
    let share = |value: &Value| value.as_f64().expect("a share");
    let wins = report["wins"].as_object().expect("a share for each player");
    assert_eq!(wins.keys().collect::<Vec<&String>>(), ["Black", "White"]);
    let sum = wins.values().map(share).sum::<f64>()
        + share(&report["draws"])
        + share(&report["unfinished"]);
    assert!((sum - 1.0).abs() < 1e-9, "{report}");
    assert!(
        report["playouts"].as_u64() >= Some(1) && share(&report["seconds"]) >= 0.05,
        "{report}"
    );
    let once = json(&["bench", "games/swarm.game", "--seconds", "0"]);
    assert_eq!(once["playouts"], 1);
}

#[test]
fn perft_tells_times_in_text_only() {
    let output = run(&["perft", "games/kitaran.game", "2", "--divide", "-o", "Size=3"], "");
    let shown = text(&output.stdout);
    let heads: Vec<Vec<&str>> =
        shown.lines().map(|line| line.split_whitespace().take(2).collect()).collect();
    assert_eq!(heads[..3], [["depth", "count"], ["1", "9"], ["2", "72"]], "{shown}");
    assert!(shown.lines().nth(2).is_some_and(|line| line.contains('s')), "{shown}");
    assert_eq!(shown.lines().filter(|line| line.ends_with(": 8")).count(), 9, "{shown}");
    let report = json(&["perft", "games/kitaran.game", "2", "--divide", "-o", "Size=3"]);
    assert_eq!(report["perft"], serde_json::json!([9, 72]));
    assert_eq!(report["divide"]["place b2"], 8);
}

#[test]
fn colour_is_a_matter_of_the_flag() {
    std::fs::create_dir_all(TMP).expect("a folder");
    let bad = Path::new(TMP).join("colour.game");
    std::fs::write(&bad, "(game").expect("a file");
    let bad = bad.to_string_lossy();
    let is_coloured = |arguments: &[&str]| text(&run(arguments, "").stderr).contains('\u{1b}');
    assert!(!is_coloured(&["check", &bad]));
    assert!(!is_coloured(&["check", &bad, "--color", "never"]));
    assert!(is_coloured(&["check", &bad, "--color", "always"]));
    assert!(is_coloured(&["--color", "always", "check", &bad]));
    assert!(is_coloured(&["moves", "no-such.game", "--color", "always"]));
    assert!(!is_coloured(&["moves", "no-such.game"]));
}

/// Findings beyond the most of a file are not counted, and nothing says that they are.
#[test]
fn more_findings_than_are_kept_are_said_to_be_more() {
    let game = std::fs::read_to_string("tests/games/tic-tac-toe.game").expect("a game");
    for (count, listed, counted) in [
        (99, "lists them all", "99 warnings"),
        (150, "lists the first 100 of all", "100 warnings, and perhaps more"),
    ] {
        let unused = (0..count).map(|number| format!("(define Unused{number} {number})\n"));
        let whole = game.trim_end().strip_suffix(')').expect("a bracket");
        let path = Path::new(TMP).join(format!("{count}-unused.game"));
        std::fs::create_dir_all(TMP).expect("a folder");
        std::fs::write(&path, format!("{whole}\n{})", unused.collect::<String>())).expect("a file");
        let output = run(&["check", path.to_str().expect("a path")], "");
        let [said, found] = [&output.stdout, &output.stderr].map(|bytes| text(bytes));
        assert!(found.contains(listed), "{found}");
        assert!(said.trim_end().ends_with(counted), "{said}");
    }
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
    let mut child = command
        .arg("manual")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("its end");
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
}

/// Ctrl-C ends a playtest and a sweep with the exit code that it gives other commands.
#[cfg(unix)]
#[test]
fn an_interrupted_playtest_says_so() {
    use std::time::Duration;
    let game = "tests/games/hex.game";
    let commands = [
        &["playtest", game, "--games", "5000", "--seat", "Red=mcts:50it", "--seat", "Blue=greedy"]
            [..],
        &["sweep", game, "-o", "Size=4,5", "--games", "5000"],
    ];
    for arguments in commands {
        let folder = format!("ludwright-interrupted-{}-{}", arguments[0], std::process::id());
        let state = std::env::temp_dir().join(folder);
        let child = Command::new(env!("CARGO_BIN_EXE_ludwright"))
            .args(arguments)
            .env("LUDWRIGHT_STATE", &state)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.expect("the program");
        // It opens a ledger just before it waits for Ctrl-C.
        while !state.join("playtests").exists() && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(500));
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.expect("a signal").success());
        assert_eq!(child.wait().expect("an end").code(), Some(130), "{arguments:?}");
        let _ = std::fs::remove_dir_all(state);
    }
}

/// Ctrl-C ends a training, which keeps what it has learned.
#[cfg(unix)]
#[test]
fn an_interrupted_training_is_kept() {
    std::fs::create_dir_all(TMP).expect("a folder");
    let file = Path::new(TMP).join("interrupted.evaluation");
    let _ = std::fs::remove_file(&file);
    // Where the computer is busy, the first game may not have begun.
    for seconds in [2, 10, 40] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ludwright"))
            .args(["train", "tests/games/tic-tac-toe.game", "--time", "10m", "-O"])
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program");
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.expect("a signal").success());
        assert_eq!(child.wait().expect("an end").code(), Some(130));
        if file.exists() {
            break;
        }
    }
    let kept = std::fs::read_to_string(&file).expect("a training");
    assert!(kept.starts_with("ludwright evaluation 1\n"), "{kept}");
}

#[test]
fn seeds_choose_the_dice() {
    let first = |seed: &str| {
        text(&run(&["play", "games/swarm.game", "--seed", seed], "").stdout)
            .lines()
            .next()
            .map(str::to_owned)
    };
    assert_eq!(first("7"), first("7"));
    assert!((1..20).any(|seed| first(&seed.to_string()) != first("7")));
}

#[test]
fn the_manual_is_the_one_in_the_repository() {
    let printed = text(&run(&["manual"], "").stdout);
    let kept = std::fs::read_to_string("grammar/MANUAL.md").unwrap_or_default();
    assert!(printed == kept, "run `cargo run -- manual > grammar/MANUAL.md`");
}

/// Byte of a line and a column in characters, both from 1.
fn byte_of(text: &str, place: &Value) -> usize {
    let number = |key: &str| place[key].as_u64().expect("a number") as usize;
    let start: usize = text.split_inclusive('\n').take(number("line") - 1).map(str::len).sum();
    start + text[start..].chars().take(number("column") - 1).map(char::len_utf8).sum::<usize>()
}

#[test]
fn fixes_are_told_to_programs() {
    let output = run(&["check", "tests/mistakes", "--format", "json"], "");
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut told = 0;
    for file in report["files"].as_array().expect("files") {
        let name = file["file"].as_str().expect("a name");
        let text = std::fs::read_to_string(name).expect("the file");
        let mut corrected = Vec::new();
        for finding in file["findings"].as_array().expect("findings") {
            for edit in finding["edits"].as_array().expect("edits") {
                let mut after = text.clone();
                // From the last to the first, so that the bytes of the others stay.
                for change in edit["changes"].as_array().expect("changes").iter().rev() {
                    let [start, end] = ["start", "end"].map(|key| &change[key]);
                    let byte = |place: &Value| place["byte"].as_u64().expect("a byte") as usize;
                    assert_eq!(
                        [byte(start), byte(end)],
                        [start, end].map(|place| byte_of(&text, place))
                    );
                    assert_eq!(change["file"], name);
                    after.replace_range(
                        byte(start)..byte(end),
                        change["text"].as_str().expect("a text"),
                    );
                }
                corrected.push((edit["title"].as_str().expect("a title").to_owned(), after));
            }
        }
        for fix in check(&text, &[]).findings.into_iter().filter_map(|finding| finding.fix) {
            assert!(
                corrected.contains(&(fix.title.clone(), fix.applied(&text))),
                "{name}: {}",
                fix.title
            );
            told += 1;
        }
    }
    assert!(told >= 40, "{told}");
}
