//! Rule cases in an editor.

use super::client::*;
use serde_json::{Value, json};

const CASE: &str = "# About a stone.
title: A stone é fills a cell.
position:
  3 . . .
  2 . . .
  1 . . .
    a b c
to move: White
play: drop a1
then:
  3 . . .
  2 . . .
  1 W . .
mover: Black
";

fn messages(found: &[Value]) -> Vec<&str> {
    found.iter().filter_map(|one| one["message"].as_str()).collect()
}

#[test]
#[cfg(unix)]
fn a_case_says_what_test_says() {
    let folder = folder("case", &[("fill.game", GAME)]);
    let cases = folder.join("fill.cases");
    std::fs::create_dir_all(&cases).expect("a folder");
    std::fs::write(cases.join("stone.case"), CASE).expect("a file");
    let [game_uri, case_uri] =
        ["fill.game", "fill.cases/stone.case"].map(|file| uri(&folder.join(file)));
    let mut client = Client::begin();
    client.open(&case_uri, CASE);
    assert_eq!(client.wrong_with(&case_uri, 1), Vec::<Value>::new());

    // An expectation that fails, and what it finds.
    let wrong = CASE.replace("mover: Black", "mover: White");
    client.change(&case_uri, 2, json!([{ "text": wrong }]));
    let found = client.wrong_with(&case_uri, 2);
    assert_eq!(messages(&found), ["expected White, found Black"]);
    assert_eq!(
        (found[0]["code"].as_str(), found[0]["severity"].as_u64()),
        (Some("failed-case"), Some(1))
    );
    assert_eq!(covered(&wrong, &found[0]["range"]), "mover: White");

    // A line that cannot be read is told at once; a site that the game lacks, after a pause.
    let unread = CASE.replace("mover: Black", "mver: Black");
    client.change(&case_uri, 3, json!([{ "text": unread }]));
    let found = client.wrong_with(&case_uri, 3);
    assert_eq!(messages(&found), ["a case has no `mver:`; did you mean `mover:`?"]);
    assert_eq!(covered(&unread, &found[0]["range"]), "mver: Black");
    let misfit = CASE.replace("  2 . . .\n  1 . . .\n    a", "  2 . . . .\n  1 . . .\n    a");
    client.change(&case_uri, 4, json!([{ "text": misfit }]));
    let found = client.wrong_with(&case_uri, 4);
    assert_eq!((found.len(), covered(&misfit, &found[0]["range"])), (1, "2 . . . ."));

    // The rules count as they are written, not as they were saved.
    client.change(&case_uri, 5, json!([{ "text": CASE }]));
    assert_eq!(client.wrong_with(&case_uri, 5), Vec::<Value>::new());
    client.open(&game_uri, &GAME.replace("(put Stone t)", "(put Stone t White)"));
    client.wait_for(&game_uri, &[]);
    let forbidding = GAME.replace("(require (none (Near t mover)))", "(require (none (row 1)))");
    client.change(&game_uri, 2, json!([{ "text": forbidding }]));
    client.wait_for(&case_uri, &["failed-case"]);
    let (_, found) = client.diagnostics[&case_uri].clone();
    assert!(
        messages(&found)[0].starts_with("expected `drop a1` can be played, found "),
        "{found:?}"
    );
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": game_uri } }));
    client.wait_for(&case_uri, &[]);

    // Colours and folding; whatever else is asked has no answer.
    let document = json!({ "textDocument": { "uri": case_uri } });
    let tokens = client.ask("textDocument/semanticTokens/full", document.clone());
    assert_eq!(tokens["data"].as_array().map(|data| data.len() / 5), Some(7));
    let ranges = client.ask("textDocument/foldingRange", document.clone());
    assert_eq!(
        ranges,
        json!([{ "startLine": 1, "endLine": 13 }, { "startLine": 2, "endLine": 6 }, { "startLine": 9, "endLine": 12 }])
    );
    for method in ["hover", "completion", "definition", "signatureHelp", "prepareRename"] {
        let answer =
            client.ask_at(&format!("textDocument/{method}"), &case_uri, at(CASE, "drop| a1"));
        assert!(answer.is_null(), "{method}: {answer}");
    }
    assert!(client.ask("textDocument/documentSymbol", document.clone()).is_null());
    let options = json!({ "textDocument": { "uri": case_uri }, "options": { "tabSize": 2, "insertSpaces": true } });
    assert!(client.ask("textDocument/formatting", options).is_null());
    client.end();
    std::fs::remove_dir_all(&folder).expect("it was ours");
}

#[test]
fn a_case_without_rules_is_told_so() {
    let mut client = Client::begin();
    client.open("untitled:new.case", CASE);
    client.wait_for("untitled:new.case", &["case-without-rules"]);
    let (_, found) = client.diagnostics["untitled:new.case"].clone();
    assert_eq!(found[0]["severity"], 3);
    assert_eq!(found[0]["range"]["start"], at(CASE, "|title:"));
    client.change("untitled:new.case", 2, json!([{ "text": " ".repeat((1 << 20) + 1) }]));
    client.wait_for("untitled:new.case", &["case-too-large"]);
    client.end();
}

/// Many changes in a row, as by typing, run the case once.
#[test]
#[cfg(unix)]
fn typing_in_a_case_is_quick() {
    let folder = folder("typing", &[("fill.game", GAME)]);
    let cases = folder.join("fill.cases");
    std::fs::create_dir_all(&cases).expect("a folder");
    std::fs::write(cases.join("stone.case"), CASE).expect("a file");
    let case_uri = uri(&cases.join("stone.case"));
    let mut client = Client::begin();
    client.open(&case_uri, CASE);
    client.wrong_with(&case_uri, 1);
    let end = position(CASE, CASE.len());
    for version in 2..40 {
        let change = json!({ "range": { "start": end, "end": end }, "text": "\n" });
        client.change(&case_uri, version, json!([change]));
    }
    let mut told = 0;
    while client.diagnostics[&case_uri].0 != 39 {
        client.next();
        told += 1;
    }
    assert!(told < 20, "{told}");
    client.end();
    std::fs::remove_dir_all(&folder).expect("it was ours");
}
