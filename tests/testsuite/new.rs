//! A new game of each kind has no findings, is formatted, passes its case, and ends in random play;
//! nothing is overwritten.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Makes an empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("new").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ludwright"))
        .current_dir(folder)
        .env("LUDWRIGHT_STATE", folder.join("state"))
        .args(arguments)
        .output()
        .expect("the binary")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the output of a command that must succeed.
fn good(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{arguments:?}\n{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    text(&output.stdout)
}

#[test]
fn a_new_game_is_in_order() {
    let folder = folder("kinds");
    for kind in ["placement", "movement", "capture"] {
        let name = format!("my-{kind}");
        let file = format!("{name}.game");
        assert!(
            good(&folder, &["new", &name, "--like", kind])
                .starts_with(&format!("wrote {file} and "))
        );
        assert_eq!(good(&folder, &["check", &file]), format!("{file}: no findings\n"));
        assert!(good(&folder, &["test", &file]).ends_with("1 passed, 0 failed\n"));
        good(&folder, &["fmt", "--check", &file]);
        let report: serde_json::Value = serde_json::from_str(&good(
            &folder,
            &["bench", &file, "--seconds", "0.1", "--format", "json"],
        ))
        .expect("JSON");
        assert_eq!(report["unfinished"], 0.0, "{report}");
        // Boards of both extreme sizes work.
        for size in ["4", "9"] {
            good(&folder, &["moves", &file, "-o", &format!("Size={size}")]);
        }
        assert!(good(&folder, &["play", &file]).contains('a'), "it shows a board");
    }
    let placed = std::fs::read(folder.join("my-placement.game")).expect("a file");
    good(&folder, &["new", "plain"]);
    assert_eq!(
        text(&std::fs::read(folder.join("plain.game")).expect("a file")),
        text(&placed).replace("My Placement", "Plain")
    );
}

#[test]
fn nothing_is_overwritten() {
    let folder = folder("refusals");
    std::fs::write(folder.join("there.game"), "mine").expect("a file");
    std::fs::create_dir(folder.join("cases.cases")).expect("a folder");
    for (name, said) in [
        ("there", "error: there.game exists already; nothing was written\n"),
        ("there.game", "error: there.game exists already; nothing was written\n"),
        ("cases", "error: cases.cases exists already; nothing was written\n"),
        ("nowhere/game", "error: there is no folder nowhere\n"),
        (
            "..",
            "error: .. cannot be the name of a game\n  help: use letters or digits, such as `three-stones`\n",
        ),
        (
            "--",
            "error: the following required arguments were not provided:\n  <NAME>\n\nUsage: ludwright new <NAME>\n\nFor more information, try '--help'.\n",
        ),
    ] {
        let output = run(&folder, &["new", name]);
        assert_eq!(
            (output.status.code(), text(&output.stderr).as_str()),
            (Some(2), said),
            "{name:?}"
        );
    }
    assert_eq!(std::fs::read_to_string(folder.join("there.game")).expect("a file"), "mine");
    let mut left: Vec<_> = folder
        .read_dir()
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    left.sort_unstable();
    assert_eq!(left, ["cases.cases", "there.game"]);
}

#[test]
fn names_are_written_as_texts() {
    let folder = folder("names");
    for (name, title) in [
        ("three-stones", "Three Stones"),
        ("Ünlü_oyun.game", "Ünlü Oyun"),
        ("a \"b\" \\c", "A \\\"b\\\" \\\\c"),
    ] {
        good(&folder, &["new", name]);
        let file = format!("{}.game", name.trim_end_matches(".game"));
        assert!(
            std::fs::read_to_string(folder.join(&file))
                .expect("a file")
                .starts_with(&format!("(game \"{title}\"\n")),
            "{name}"
        );
        good(&folder, &["check", &file]);
    }
}
