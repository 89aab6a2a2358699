//! The JSON of `trace`: documented keys, consecutive positions, and an effect for every change.

use serde_json::Value;
use std::process::Command;

fn trace(game: &str) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
    let record = format!("tests/commands/trace/{game}.record");
    let output = command
        .args(["trace", &format!("games/{game}.game"), &record, "--format", "json"])
        .output()
        .expect("the binary");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Board and memories, without the ply to come.
fn snapshot(position: &Value) -> Vec<&str> {
    let lines = position.as_str().expect("a position").lines();
    lines
        .filter(|line| {
            !["to move:", "phase:", "step:", "left:", "result:"]
                .iter()
                .any(|key| line.starts_with(key))
        })
        .collect()
}

#[test]
fn plies_follow_from_each_other() {
    for game in ["kitaran", "cicada", "double-move-situ", "lichen-chess", "swarm"] {
        let lines = trace(game);
        assert_eq!(keys(&lines[0]), ["schema", "version", "game", "rules", "options", "position"]);
        let mut before = &lines[0]["position"];
        for (index, line) in lines[1..].iter().enumerate() {
            assert_eq!(
                keys(line),
                [
                    "schema", "version", "ply", "to_move", "played", "clauses", "before", "after",
                    "result", "scores"
                ]
            );
            assert_eq!(line["ply"], index + 1);
            assert_eq!(&line["before"], before, "{game}, ply {}", index + 1);
            before = &line["after"];
            let clauses = line["clauses"].as_array().expect("clauses");
            for clause in clauses {
                assert_eq!(
                    keys(clause),
                    [
                        "part", "kind", "file", "line", "column", "start", "end", "text", "says",
                        "notes"
                    ]
                );
                for note in clause["notes"].as_array().expect("notes") {
                    assert_eq!(
                        keys(note),
                        ["file", "line", "column", "start", "end", "text", "says"]
                    );
                }
            }
            let did = clauses
                .iter()
                .any(|clause| clause["kind"] == "effect" && clause["says"] != "nothing changes");
            let changed = snapshot(&line["before"]) != snapshot(&line["after"]);
            assert!(did || !changed, "{game}, ply {}: {line}", index + 1);
            let ended = clauses.iter().any(|clause| clause["kind"] == "result");
            assert_eq!(ended, !line["result"].is_null(), "{game}, ply {}", index + 1);
        }
        assert!(!lines.last().expect("a line")["result"].is_null(), "{game} is played to its end");
    }
}
