//! The command `solve`.

use serde_json::json;
use std::path::Path;
use std::process::Command;

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_ludwright"))
        .arg("solve")
        .args(arguments)
        .output()
        .expect("the binary");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_command_tells_what_was_found() {
    let (code, text, _) = run(&["tests/games/dodgem.game"]);
    assert_eq!(code, Some(0));
    assert!(text.starts_with("value       Blue wins in 20 plies\noptimal     1 of 3: drive a3-b3\nline        drive a3-b3, "), "{text}");
    let (code, text, _) = run(&["tests/games/hex.game", "-o", "Size=2", "--format", "json"]);
    assert_eq!(code, Some(0));
    let mut report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for key in ["seconds", "rules"] {
        report.as_object_mut().expect("an object").remove(key).expect(key);
    }
    assert_eq!(
        report,
        json!({
            "schema": "ludwright-solve", "version": 1, "game": "Hex", "options": {"Size": "2"},
            "value": "Red wins", "why": null, "scores": {"Red": 1.0, "Blue": 0.0}, "distance": 3,
            "optimal": ["place a1", "place b2"],
            "moves": [
                {"move": "place a1", "value": "Red wins", "distance": 3}, {"move": "place a2", "value": "Blue wins", "distance": 4},
                {"move": "place b1", "value": "Blue wins", "distance": 4}, {"move": "place b2", "value": "Red wins", "distance": 3}
            ],
            "line": ["place a1", "place a2", "place b2"], "ending": "Red wins",
            "positions": 12, "nodes": 12, "symmetries": 2, "acyclic": true, "longest": 4
        })
    );
}

#[test]
fn the_command_says_when_it_ran_out() {
    let (code, text, _) = run(&["games/swarm.game", "--time", "50ms"]);
    assert_eq!(code, Some(3));
    assert!(
        text.starts_with(
            "value       unknown: time ran out\ntry         a higher `--time`, a smaller board (`-o`), or a later position (`--from`)\n"
        ),
        "{text}"
    );
    let (code, text, _) = run(&["games/swarm.game", "--memory", "4MB", "--format", "json"]);
    assert_eq!(code, Some(3));
    assert!(text.contains(r#""value":"unknown","why":"memory ran out""#), "{text}");
    let (code, _, complaint) = run(&["games/swarm.game", "--memory", "much"]);
    assert_eq!(code, Some(2));
    assert!(complaint.contains("expected a size such as 500MB or 8GB"), "{complaint}");
}

#[test]
fn the_command_writes_the_line_as_a_record() {
    let record = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dodgem.record");
    let record = record.to_str().expect("a path");
    let (code, _, _) = run(&["tests/games/dodgem.game", "--line", record]);
    assert_eq!(code, Some(0));
    let replayed = Command::new(env!("CARGO_BIN_EXE_ludwright"))
        .args(["replay", "tests/games/dodgem.game", record])
        .output()
        .expect("the binary");
    assert!(replayed.status.success());
    assert!(String::from_utf8_lossy(&replayed.stdout).contains("Blue wins"));
}

#[test]
fn the_command_prints_a_table() {
    let (code, text, _) =
        run(&["tests/games/hex.game", "--table", "--memory", "2MB", "--time", "2s"]);
    assert_eq!(code, Some(0));
    let rows: Vec<Vec<&str>> =
        text.lines().map(|line| line.split_whitespace().take(4).collect()).collect();
    assert_eq!(
        rows[..3],
        [["Size", "value", "plies", "first"], ["2", "Red", "wins", "3"], ["3", "Red", "wins", "5"]],
        "{text}"
    );
    assert!(
        text.lines().last().is_some_and(|last| last.ends_with(" more sizes were not tried")),
        "{text}"
    );
}
