//! Highlighting, signatures, folding, snippets and recipes.

use super::client::*;
use ludwright::editor::CheckedSources;
use ludwright::editor::recipe::insert;
use ludwright::language::check;
use ludwright::language::finding::Fix;
use ludwright::language::recipes::recipes;
use ludwright::language::sources::Sources;
use serde_json::{Value, json};

/// Decodes semantic tokens to texts with their types and modifiers.
fn decoded(text: &str, legend: &Value, answer: &Value) -> Vec<(String, String)> {
    let lines: Vec<Vec<u16>> = text.lines().map(|line| line.encode_utf16().collect()).collect();
    let data: Vec<usize> = answer["data"]
        .as_array()
        .expect("data")
        .iter()
        .map(|number| number.as_u64().expect("a number") as usize)
        .collect();
    let (mut line, mut column) = (0, 0);
    let mut tokens = Vec::new();
    for token in data.chunks(5) {
        column = if token[0] > 0 { token[1] } else { column + token[1] };
        line += token[0];
        let word = String::from_utf16(&lines[line][column..column + token[2]]).expect("characters");
        let mut kind = legend["tokenTypes"][token[3]].as_str().expect("a type").to_owned();
        for (bit, modifier) in
            legend["tokenModifiers"].as_array().expect("modifiers").iter().enumerate()
        {
            if token[4] >> bit & 1 == 1 {
                kind.push_str(&format!(" {}", modifier.as_str().expect("a modifier")));
            }
        }
        tokens.push((word, kind));
    }
    tokens
}

#[test]
fn every_word_is_coloured() {
    let mut client = Client::start();
    let answer = client.ask("initialize", json!({ "capabilities": {} }));
    let legend = answer["capabilities"]["semanticTokensProvider"]["legend"].clone();
    client.open(FILE, GAME);
    let document = json!({ "textDocument": { "uri": FILE } });
    let answer = client.ask("textDocument/semanticTokens/full", document.clone());
    let found = decoded(GAME, &legend, &answer);
    let tokens = CheckedSources::of(Sources::from(GAME)).tokens(0);
    assert_eq!(found.len(), tokens.len());
    for (token, (word, _)) in tokens.iter().zip(&found) {
        assert_eq!(token.span.text(GAME), word);
    }
    for (word, kind) in [
        ("game", "keyword"),
        ("\"Fill 𝄞\"", "string"),
        ("White", "enumMember declaration"),
        ("Size", "typeParameter declaration"),
        ("2", "number"),
        ("; Where p has a stone é beside 𝄞 s.", "comment"),
        ("Near", "method declaration"),
        ("site", "type defaultLibrary"),
        ("s", "variable declaration"),
        ("beside", "function defaultLibrary"),
        ("drop", "event declaration"),
        ("require", "keyword"),
        ("mover", "variable readonly defaultLibrary"),
    ] {
        let first = found.iter().find(|(known, _)| known == word);
        assert_eq!(first.map(|(_, found)| found.as_str()), Some(kind), "{word}");
    }
    // A mistake takes the colours of nothing else.
    let wrong = GAME.replace("(empty)", "(emtpy)");
    client.change(FILE, 2, json!([{ "text": wrong }]));
    let answer = client.ask("textDocument/semanticTokens/full", document.clone());
    let faulty = decoded(&wrong, &legend, &answer);
    assert_eq!(faulty.len() + 1, found.len());
    // A text that extends over two lines has a token in each.
    let two = GAME.replace("along each", "along\r\n  each");
    client.change(FILE, 3, json!([{ "text": two }]));
    let answer = client.ask("textDocument/semanticTokens/full", document);
    let words: Vec<String> =
        decoded(&two, &legend, &answer).into_iter().map(|(word, _)| word).collect();
    assert!(words.iter().any(|word| word == "\"Sites along"), "{words:?}");
    assert!(words.iter().any(|word| word == "  each side.\""), "{words:?}");
    client.end();
}

#[test]
fn the_argument_at_the_cursor_is_shown() {
    for offsets in [true, false] {
        let mut client = Client::start();
        let information = json!({ "parameterInformation": { "labelOffsetSupport": offsets } });
        let help = json!({ "signatureHelp": { "signatureInformation": information } });
        client.ask("initialize", json!({ "capabilities": { "textDocument": help } }));
        client.open(FILE, GAME);
        for (place, label, parameter) in [
            (
                "(put |Stone t)",
                "(put piece: kind at: sites owner?: player beneath?: beneath) -> statement",
                "piece: kind",
            ),
            (
                "(put Stone |t)",
                "(put piece: kind at: sites owner?: player beneath?: beneath) -> statement",
                "at: sites",
            ),
            // `…` is one UTF-16 unit and three bytes.
            ("(and (beside s) |(of p", "(and regions…: sites) -> sites", "regions…: sites"),
            ("(Near t |mover)", "(Near s: site p: player) -> sites", "p: player"),
        ] {
            let help = client.ask_at("textDocument/signatureHelp", FILE, at(GAME, place));
            let index = help["activeSignature"].as_u64().expect("one") as usize;
            let signature = &help["signatures"][index];
            assert_eq!(signature["label"], label, "{place}");
            let active = help["activeParameter"].as_u64().expect("one") as usize;
            assert_eq!(signature["activeParameter"], help["activeParameter"]);
            let shown = &signature["parameters"][active]["label"];
            let expected = match label.find(parameter).filter(|_| offsets) {
                Some(at) => {
                    let units = |byte: usize| label[..byte].encode_utf16().count();
                    json!([units(at), units(at + parameter.len())])
                }
                None => json!(parameter),
            };
            assert_eq!(*shown, expected, "{place}");
            let said = signature["parameters"][active]["documentation"]["value"].as_str();
            assert!(said.is_some_and(|said| !said.is_empty()), "{signature}");
        }
        // Of a form that is just being written.
        let text = GAME.replace("(put Stone t)", "(put Stone ");
        client.change(FILE, 2, json!([{ "text": text }]));
        let help = client.ask_at("textDocument/signatureHelp", FILE, at(&text, "(put Stone |"));
        assert_eq!(help["activeParameter"], 1, "{help}");
        let help = client.ask_at("textDocument/signatureHelp", FILE, at(&text, "; Wh|ere"));
        assert!(help.is_null());
        client.end();
    }
}

#[test]
fn forms_fold() {
    let mut client = Client::begin();
    client.open(FILE, GAME);
    let ranges =
        client.ask("textDocument/foldingRange", json!({ "textDocument": { "uri": FILE } }));
    assert_eq!(ranges, json!([{ "startLine": 0, "endLine": 8 }]));
    let text = GAME.replace("(put Stone t)", "\n  ; One\n  ; two\n  (put\n    Stone t)");
    client.change(FILE, 2, json!([{ "text": text }]));
    let ranges =
        client.ask("textDocument/foldingRange", json!({ "textDocument": { "uri": FILE } }));
    assert_eq!(
        ranges,
        json!([
            { "startLine": 0, "endLine": 12 },
            { "startLine": 7, "endLine": 11 },
            { "startLine": 8, "endLine": 9, "kind": "comment" },
            { "startLine": 10, "endLine": 11 },
        ])
    );
    client.end();
}

#[test]
fn a_recipe_goes_where_it_belongs() {
    let ko = recipes().find(|recipe| recipe.title() == "ko").expect("one");
    let expected = {
        let edits = insert(&Sources::from(GAME), 0, None, &[], ko);
        Fix { title: String::new(), edits }.applied(GAME)
    };
    assert!(check(&expected, &[]).rules.is_some(), "{expected}");
    let items = |answer: &Value| {
        let items = answer["items"].as_array().expect("items").clone();
        items.into_iter().filter(|item| item["kind"] == 15).collect::<Vec<Value>>()
    };
    let with = |typed: &str| GAME.replace("  (play (", &format!("  {typed}\n  (play ("));
    let taken = |text: &str, item: &Value| {
        let mut edits = item["additionalTextEdits"].as_array().expect("edits").clone();
        edits.push(item["textEdit"].clone());
        edited(text, &json!(edits))
    };
    let one = |answer: &Value| {
        let found = items(answer);
        assert!(found.len() > 20, "{}", found.len());
        let ko = found.iter().find(|item| item["label"] == "ko").expect("one").clone();
        let about = ko["documentation"]["value"].as_str().expect("a text");
        assert!(about.contains("(remember Ko sites)"), "{about}");
        ko
    };
    // On a line of its own; after a bracket; in the midst of the name.
    let places = [("", 0), ("()", 1), ("(k)", 2), ("k", 1), ("(ko)", 1)];
    // An editor that asks for the changes of the one that is chosen.
    let mut client = Client::begin();
    client.open(FILE, GAME);
    let mut version = 2;
    let mut change = |client: &mut Client, text: &str| {
        client.change(FILE, version, json!([{ "text": text }]));
        version += 1;
    };
    for (typed, cursor) in places {
        let text = with(typed);
        let place = text.find("\n  (play (").expect("it") - typed.len() + cursor;
        change(&mut client, &text);
        let answer = client.ask_at("textDocument/completion", FILE, position(&text, place));
        let item = one(&answer);
        assert_eq!(item["additionalTextEdits"], Value::Null);
        let bracket = if typed.starts_with('(') { "(" } else { "" };
        assert_eq!(item["filterText"], format!("{bracket}ko"));
        let resolved = client.ask("completionItem/resolve", item.clone());
        assert_eq!(taken(&text, &resolved), expected, "{typed}");
        // More was typed before it was chosen: the editor adds that to the change of the name only.
        let more = format!("{}o{}", &text[..place], &text[place..]);
        change(&mut client, &more);
        let resolved = client.ask("completionItem/resolve", item);
        assert_eq!(taken(&text, &resolved), expected, "{typed} and more");
    }
    // None where no part can be.
    let text = with("()");
    change(&mut client, &text);
    let answer = client.ask_at("textDocument/completion", FILE, at(&text, "(put Stone |t)"));
    assert!(items(&answer).is_empty());
    client.end();

    // An editor that does not ask again has them at once.
    let mut client = Client::start();
    client.ask("initialize", json!({ "capabilities": {} }));
    client.open(FILE, &with("()"));
    let answer = client.ask_at("textDocument/completion", FILE, at(&with("()"), "  (|)"));
    assert_eq!(taken(&with("()"), &one(&answer)), expected);
    client.end();
}
