//! Failures from outside the game: each is reported in one line, and the game continues if
//! possible.

use super::{Terminal, fresh_state};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const KITARAN: &str = "games/kitaran.game";
/// Shell commands that allow the next program a single open file at a time, whatever the shell has
/// open.
const ONE_FILE: &str = "exec 3>&- && ulimit -n 4";

/// Plays from a pipe, and returns the exit code and standard error.
fn complaint(state: &Path, arguments: &[&str], input: &[u8]) -> String {
    let mut child = play(state, arguments).stdin(Stdio::piped()).spawn().expect("the binary");
    // It need not read all input.
    let _ = child.stdin.take().expect("its input").write_all(input);
    told(child.wait_with_output().expect("its output"))
}

fn play(state: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
    command.arg("play").args(arguments).env("LUDWRIGHT_STATE", state);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the binary from a shell after other commands.
fn after(state: &Path, before: &str, arguments: &str) -> String {
    let mut command = Command::new("sh");
    command.args([
        "-c",
        &format!("{before} && exec \"$0\" {arguments}"),
        env!("CARGO_BIN_EXE_ludwright"),
    ]);
    told(command.env("LUDWRIGHT_STATE", state).stdin(Stdio::null()).output().expect("a shell"))
}

fn told(output: std::process::Output) -> String {
    format!(
        "exit {}\n{}",
        output.status.code().expect("an exit"),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[test]
fn trouble_is_told() {
    let state = fresh_state("trouble");
    let file = state.join("taken");
    std::fs::write(&file, "").expect("a file");
    // Each line of the diagram is small, their total is not.
    let endless_position = format!("position draw\n{}", ". . .\n".repeat(200_000)).into_bytes();
    let waiting = state.join("waiting.game");
    std::fs::write(&waiting, "(game \"Waiting\" (players A B) (board (square 2)) (piece Stone) (move put (put Stone a1)) (move wait) (play (turns (choose put wait))))").expect("a file");
    let waiting = waiting.to_string_lossy();
    let mut shown = String::new();
    for (what, said) in [
        ("a line that is too long", complaint(&state, &[KITARAN], &[b'x'; 5000])),
        ("a position that is too large", complaint(&state, &[KITARAN], &endless_position)),
        (
            "a folder to keep games in that is a file",
            complaint(&file, &[KITARAN, "-o", "Size=3"], b"b2\nmoves\n"),
        ),
        ("games to go on with that cannot be read", complaint(&file, &[KITARAN, "--resume"], b"")),
        (
            "programs without end",
            complaint(
                &state,
                &[&waiting, "--seat", "A=random", "--seat", "B=random", "--format", "json"],
                b"",
            ),
        ),
        ("a folder as input", {
            let folder = File::open(&state).expect("a folder");
            told(play(&state, &[KITARAN]).stdin(folder).output().expect("its output"))
        }),
        (
            "no folder to keep games in",
            complaint(Path::new(""), &[KITARAN, "-o", "Size=3"], b"b2\n"),
        ),
        ("no folder to go on from", complaint(Path::new(""), &[KITARAN, "--resume"], b"")),
        (
            "a file that there is no room for",
            complaint(&state, &[KITARAN, "-o", "Size=3"], b"b2\nsave /dev/full\n"),
        ),
        (
            "output that there is no room for",
            after(&state, "exec > /dev/full", &format!("moves {KITARAN}")),
        ),
        ("no room to watch files", after(&state, ONE_FILE, &format!("play {KITARAN} --watch"))),
        ("no room to read a terminal", {
            let terminal = Terminal::start(&state, 24, 80, ONE_FILE, &format!("play {KITARAN}"));
            terminal.end()
        }),
    ] {
        shown.push_str(&format!("## {what}\n{said}\n"));
    }
    shows!(shown.replace(&state.display().to_string(), "{tmp}"));
}
