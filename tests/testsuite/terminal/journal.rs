//! Journals: processes are killed, and files truncated, at many points.

use super::fresh_state;
use ludwright::random::Random;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::Duration;

const GAME: &str = "tests/commands/prompt/dice.game";
/// Lines to type. They change journals in every way: by appending lines, and by rewriting the file.
const SCRIPT: [&str; 23] = [
    "step 1",
    "step 1",
    "comment slowly",
    "step 1",
    "undo",
    "step 1",
    "undo",
    "undo",
    "redo",
    "redo",
    "step 1",
    "comment and then",
    "comment more",
    "step 1",
    "goto 3",
    "step 1",
    "step 1",
    "seats Black=greedy",
    "seats Black=human",
    "step 1",
    "goto 1",
    "step 1",
    "step 1",
];

fn play(state: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
    command.args(["play", GAME]).args(arguments).env("LUDWRIGHT_STATE", state);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A game played line by line.
struct Player {
    child: Child,
    said: BufReader<ChildStdout>,
}

impl Player {
    fn begin(state: &Path, arguments: &[&str]) -> Player {
        let mut child =
            play(state, &[arguments, &["--format", "json"]].concat()).spawn().expect("the binary");
        let said = BufReader::new(child.stdout.take().expect("its output"));
        let mut player = Player { child, said };
        player.answer();
        player
    }

    fn says(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().expect("its input"), "{line}")
            .expect("somebody who reads");
    }

    /// Waits for an answer of one line.
    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.said.read_line(&mut line).expect("an answer");
        line
    }

    /// Sends a line, and waits until it is executed, which the answer to `seed` shows.
    fn obeyed(&mut self, line: &str) {
        self.says(line);
        self.says("seed");
        while !self.answer().contains("seed:") {}
    }

    /// Kills the process with SIGKILL.
    fn kill(mut self) {
        self.child.kill().expect("a process");
        self.child.wait().expect("its end");
    }
}

fn journals(state: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(state).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "record")).collect();
    found.sort();
    found
}

fn journal(state: &Path) -> String {
    journals(state)
        .first()
        .map(|path| std::fs::read_to_string(path).expect("a text"))
        .unwrap_or_default()
}

/// Resumes the game and prints its record.
fn resume(state: &Path) -> Output {
    let mut child = play(state, &["--resume"]).spawn().expect("the binary");
    let _ = child.stdin.take().expect("its input").write_all(b"record\n");
    child.wait_with_output().expect("its output")
}

fn moves(record: &str) -> Vec<String> {
    let after = record
        .lines()
        .skip_while(|line| !line.starts_with("game: "))
        .skip_while(|line| !line.is_empty());
    after
        .filter(|line| line.starts_with("step") || line.starts_with("roll"))
        .map(|line| line.split("  #").next().unwrap_or("").to_owned())
        .collect()
}

/// Moves up to the current position, without undone ones.
fn played(record: &str) -> Vec<String> {
    let at = record
        .lines()
        .find_map(|line| line.strip_prefix("at: "))
        .map(|plies| plies.parse().expect("a number"));
    moves(record).into_iter().take(at.unwrap_or(usize::MAX)).collect()
}

/// Content of the journal after each line of the script, without a crash.
fn unharmed(name: &str) -> Vec<String> {
    let state = fresh_state(name);
    let mut player = Player::begin(&state, &["--seed", "5"]);
    let mut kept = vec![journal(&state)];
    for line in SCRIPT {
        player.obeyed(line);
        kept.push(journal(&state));
    }
    player.kill();
    kept
}

#[test]
fn a_game_survives_its_process_at_any_point() {
    let kept = unharmed("unharmed, line by line");
    for (count, expected) in kept.iter().enumerate() {
        let state = fresh_state("killed");
        let mut player = Player::begin(&state, &["--seed", "5"]);
        SCRIPT[..count].iter().for_each(|line| player.obeyed(line));
        player.kill();
        assert_eq!(&journal(&state), expected, "after {count} lines");
        let output = resume(&state);
        let (said, complained) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "after {count} lines: {complained}");
        assert_eq!(moves(&said), played(expected), "after {count} lines");
    }
}

#[test]
fn a_game_survives_its_process_between_any_two_instructions() {
    let kept = unharmed("unharmed");
    let lines: String = SCRIPT.into_iter().map(|line| format!("{line}\n")).collect();
    let mut random = Random::new(7);
    let mut seen = std::collections::BTreeSet::new();
    for attempt in 0..40 {
        let state = fresh_state("shot");
        let mut player = Player::begin(&state, &["--seed", "5"]);
        player
            .child
            .stdin
            .as_mut()
            .expect("its input")
            .write_all(lines.as_bytes())
            .expect("somebody who reads");
        std::thread::sleep(Duration::from_micros(u64::from(random.below(20_000))));
        player.kill();
        let left = journal(&state);
        // An empty file holds no game. A line may be half executed, when a computer player moves
        // after it.
        let half_done = |pair: &[String]| {
            pair[1].starts_with(&left) && moves(&left).starts_with(&played(&pair[0]))
        };
        let whole = kept.iter().position(|text| *text == left || left.is_empty());
        let known = whole.or_else(|| kept.windows(2).position(half_done));
        let index = known
            .unwrap_or_else(|| panic!("attempt {attempt}: no line of the script leaves\n{left}"));
        seen.insert(index);
        assert_eq!(
            resume(&state).status.code(),
            Some(i32::from(left.is_empty())),
            "attempt {attempt}"
        );
    }
    assert!(seen.len() > 1, "all were killed at the same point: {seen:?}");
}

#[test]
fn a_journal_may_be_cut_off_anywhere() {
    let state = fresh_state("cut");
    let mut player = Player::begin(&state, &["--seed", "5"]);
    ["step 1", "comment é", "comment of two lines", "step 1"]
        .iter()
        .for_each(|line| player.obeyed(line));
    player.kill();
    let path = journals(&state).remove(0);
    let whole = std::fs::read(&path).expect("a journal");
    let header = whole.windows(2).position(|bytes| bytes == b"\n\n").expect("a header") + 2;
    for length in 0..=whole.len() {
        std::fs::write(&path, &whole[..length]).expect("a file");
        let output = resume(&state);
        let (said, complained) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        if length < header {
            assert_eq!(output.status.code(), Some(1), "{length}");
            assert!(complained.contains("there is no unfinished game"), "{length}: {complained}");
            assert_eq!(
                std::fs::read(&path).expect("a journal").len(),
                length,
                "what is not understood is left alone"
            );
            continue;
        }
        assert_eq!(output.status.code(), Some(0), "{length}: {complained}");
        let end = whole[..length].iter().rposition(|&byte| byte == b'\n').expect("a header") + 1;
        let lines = moves(std::str::from_utf8(&whole[..end]).expect("whole lines"));
        let found = moves(&said);
        assert!(
            found.starts_with(&lines) && found.len() <= lines.len() + 1,
            "{length}: {found:?} of {lines:?}"
        );
    }
}

#[test]
fn two_games_at_once_keep_out_of_each_others_way() {
    let state = fresh_state("two");
    let mut one = Player::begin(&state, &["--seed", "5"]);
    one.obeyed("step 1");
    let mut other = Player::begin(&state, &["--seed", "6"]);
    other.obeyed("step 1");
    one.obeyed("undo");
    other.obeyed("comment mine");
    one.obeyed("redo");
    assert_eq!(journals(&state).len(), 2);
    assert_eq!(resume(&state).status.code(), Some(1), "both are being played");
    other.obeyed("step 1");
    let theirs = std::fs::read_to_string(&journals(&state)[1]).expect("a text");
    assert!(theirs.contains("seed: 6") && theirs.contains("mine"), "{theirs}");
    one.kill();
    let output = resume(&state);
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("seed: 5"),
        "the one that nobody plays any more"
    );
    assert_eq!(std::fs::read_to_string(&journals(&state)[1]).expect("a text"), theirs);
    // Journals in use remain, however many others are left.
    for _ in 0..12 {
        let mut more = Player::begin(&state, &["--seed", "7"]);
        more.obeyed("step 1");
        more.kill();
    }
    assert_eq!(std::fs::read_to_string(&journals(&state)[1]).expect("a text"), theirs);
    assert!(journals(&state).len() <= 9, "{:?}", journals(&state));
    other.kill();
}
