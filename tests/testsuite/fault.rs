//! Crash reports: two lines, a distinct exit code, and no game is lost. Only builds with debug
//! assertions can be made to fail.

#![cfg(all(unix, debug_assertions))]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Kinds of failures, each with a part of its message.
const FAULTS: [(&str, &str); 8] = [
    ("panic", "it was asked for: \\u{1b}[31m\\u{202e} (src/cli/fault.rs:"),
    ("thread", "it was asked for"),
    ("overflow", "stack overflow"),
    ("deep", "stack overflow"),
    ("wild", "memory fault"),
    ("bus", "SIGBUS"),
    ("ill", "SIGILL"),
    ("abort", "SIGABRT"),
];

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fault").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn run(state: &Path, fault: &str, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
    command
        .args(arguments)
        .env("LUDWRIGHT_STATE", state)
        .env("LUDWRIGHT_FAULT", fault)
        .env_remove("RUST_BACKTRACE");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary");
    let _ = child.stdin.take().expect("its input").write_all(input.as_bytes());
    child.wait_with_output().expect("its output")
}

/// Returns the two lines of a crash report, after checking its form.
fn told(output: &Output, what: &str) -> [String; 2] {
    let said = String::from_utf8(output.stderr.clone()).expect("text");
    assert_eq!(output.status.code(), Some(70), "{what}: {:?}\n{said}", output.status);
    assert!(said.ends_with('\n') && !said.contains('\u{1b}'), "{what}: {said:?}");
    let lines: Vec<String> = said.lines().map(str::to_owned).collect();
    let head = format!(
        "ludwright {} has failed because of an internal error: ",
        env!("CARGO_PKG_VERSION")
    );
    assert!(lines.len() == 2 && lines[0].starts_with(&head), "{what}: {said}");
    assert!(lines[1].starts_with("please report these two lines"), "{what}: {said}");
    lines.try_into().expect("two lines")
}

#[test]
fn no_game_is_lost() {
    for (fault, what) in FAULTS {
        let state = folder(fault);
        let arguments = ["play", "games/kitaran.game", "-o", "Size=3", "--seed", "1"];
        let [first, second] = told(
            &run(&state, &format!("play:4:{fault}"), &arguments, "a1\na2\na3\nb1\nb2\n"),
            fault,
        );
        assert!(first.contains(what), "{fault}: {first}");
        let entries = std::fs::read_dir(&state)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path());
        let journal = entries
            .filter(|path| path.extension().is_some_and(|end| end == "record"))
            .collect::<Vec<PathBuf>>();
        assert_eq!(journal.len(), 1, "{fault}");
        for wanted in [
            "games/kitaran.game",
            &journal[0].display().to_string(),
            "ludwright play games/kitaran.game -o Size=3 --seed 1",
        ] {
            assert!(second.contains(wanted), "{fault}: {second}");
        }
        let resumed = run(&state, "", &["play", "games/kitaran.game", "--resume"], "record\n");
        let said = String::from_utf8_lossy(&resumed.stdout);
        assert_eq!(
            resumed.status.code(),
            Some(0),
            "{fault}: {}",
            String::from_utf8_lossy(&resumed.stderr)
        );
        assert!(said.ends_with("\nplace a1\nplace a2\nplace a3\n\n"), "{fault}: {said}");
    }
}

#[test]
fn a_backtrace_is_for_those_who_ask() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
    command
        .args(["engine", "games/kitaran.game"])
        .env("LUDWRIGHT_FAULT", "engine:1:panic")
        .env("RUST_BACKTRACE", "1");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary");
    child.stdin.take().expect("its input").write_all(b"ugi\n").expect("somebody who reads");
    let mut said = String::new();
    child.stderr.take().expect("its errors").read_to_string(&mut said).expect("text");
    assert_eq!(child.wait().expect("its end").code(), Some(70));
    assert!(
        said.contains("stack backtrace:") && said.contains("please report these two lines"),
        "{said}"
    );
}

#[test]
fn engines_and_language_servers_tell_as_well() {
    let state = folder("protocols");
    let [_, second] = told(
        &run(&state, "engine:2:panic", &["engine", "games/kitaran.game"], "isready\nisready\n"),
        "engine",
    );
    assert!(second.contains("games/kitaran.game"), "{second}");
    let message = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
    let open = r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///mine.game","languageId":"ludwright","version":1,"text":"(game)"}}}"#;
    let initialize =
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
    let shutdown = r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#;
    let messages: String = [initialize, open, shutdown].map(message).concat();
    let [_, second] = told(&run(&state, "lsp:3:deep", &["lsp"], &messages), "lsp");
    assert!(second.contains("file:///mine.game"), "{second}");
}

/// Where JSON is asked for, a report is an object of one line, after a panic and a stack overflow.
#[test]
fn reports_are_json_where_that_is_asked_for() {
    let state = folder("json");
    for fault in ["engine:1:panic", "engine:1:deep"] {
        let arguments = ["engine", "games/kitaran.game", "--format", "json"];
        let output = run(&state, fault, &arguments, "isready\n");
        let said = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(70), "{fault}: {said}");
        let told: serde_json::Value = serde_json::from_str(&said).expect("one object");
        assert_eq!(told["schema"], "ludwright-diagnostics", "{fault}: {said}");
        let told = &told["diagnostics"][0];
        assert_eq!(told["code"], "internal", "{fault}: {said}");
        let message = told["message"].as_str().expect("a text");
        assert!(message.contains("internal error: ") && message.len() > 60, "{fault}: {message}");
        assert!(told["help"].as_str().is_some_and(|help| help.contains("kitaran.game")), "{said}");
    }
}
