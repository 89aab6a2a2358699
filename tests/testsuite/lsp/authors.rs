//! What an author of rules files asks for, from the first mistake to the last.

use super::client::*;
use ludwright::language::check;
use ludwright::language::format::format;
use serde_json::{Value, json};

#[test]
fn an_author_is_helped_from_beginning_to_end() {
    let mut client = Client::begin();
    // Diagnostics: a mistake, with characters of two UTF-16 units and of two bytes in the text.
    let wrong = GAME.replace("(beside s)", "(besides \"𝄞é\" s)").replace("\"𝄞é\" ", "");
    client.open(FILE, &wrong);
    let found = client.wrong_with(FILE, 1);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (found[0]["code"].as_str(), found[0]["severity"].as_u64(), found[0]["source"].as_str()),
        (Some("unknown-ludeme"), Some(1), Some("ludwright"))
    );
    assert_eq!(found[0]["message"], "there is no ludeme `besides`\nhelp: did you mean `beside`?");
    assert_eq!(covered(&wrong, &found[0]["range"]), "besides");

    // Quick fix.
    let context = json!({ "diagnostics": found });
    let params =
        json!({ "textDocument": { "uri": FILE }, "range": found[0]["range"], "context": context });
    let actions = client.ask("textDocument/codeAction", params);
    assert_eq!(
        (actions[0]["title"].as_str(), actions[0]["kind"].as_str()),
        (Some("write `beside`"), Some("quickfix"))
    );
    let edits = &actions[0]["edit"]["changes"][FILE];
    assert_eq!(edited(&wrong, edits), GAME);
    client.change(FILE, 2, json!([{ "range": edits[0]["range"], "text": edits[0]["newText"] }]));
    assert_eq!(client.wrong_with(FILE, 2), Vec::<Value>::new());

    // Hover.
    for (place, said) in [
        ("(be|side s)", "The sites one step away, orthogonally unless directions are given."),
        ("(|and (beside", "(and regions…: sites) -> sites"),
        ("(Ne|ar t mover)", "definition `Near` -> sites"),
        ("(Near t mover|)", "mover -> player"),
        ("(square Si|ze)", "Sites along each side."),
        ("(Near| t mover)", "Where p has a stone é beside 𝄞 s."),
        ("(put Stone t|)", "variable `t` -> site"),
        ("(choose dr|op", "move `drop`"),
    ] {
        let hover = client.ask_at("textDocument/hover", FILE, at(GAME, place));
        let text = hover["contents"]["value"].as_str().unwrap_or_default();
        assert!(text.contains(said), "{place}: {text}");
    }
    assert!(client.ask_at("textDocument/hover", FILE, at(GAME, "; Wh|ere")).is_null());

    // Completion.
    for (place, expected, snippet) in [
        ("(put Stone |t)", "t", "t"),
        ("(put |Stone t)", "Stone", "Stone"),
        ("(|beside s)", "beside", "beside"),
        ("(require (|none", "none", "none"),
        ("(choose |drop", "drop", "drop"),
        ("(lose |mover)", "White", "White"),
        ("(and (beside s) |(of", "Near", "(Near ${1:s} ${2:p})"),
        ("(and (beside s) |(of", "empty", "(empty)"),
        ("(square |Size)", "Size", "Size"),
    ] {
        let list = client.ask_at("textDocument/completion", FILE, at(GAME, place));
        let item =
            list["items"].as_array().expect("items").iter().find(|item| item["label"] == expected);
        let item = item.unwrap_or_else(|| panic!("{place}: {list}"));
        assert_eq!(item["textEdit"]["newText"], snippet, "{place}");
        assert_eq!(item["insertTextFormat"], 2);
    }
    let list = client.ask_at("textDocument/completion", FILE, at(GAME, "\"Sites |along"));
    assert_eq!(list["items"], json!([]));

    // Definition and references.
    let declared = client.ask_at("textDocument/definition", FILE, at(GAME, "(Ne|ar t mover)"));
    assert_eq!(
        (declared["uri"].as_str(), &declared["range"]["start"]),
        (Some(FILE), &at(GAME, "(define (|Near"))
    );
    let mut references = json!({ "textDocument": { "uri": FILE }, "position": at(GAME, "(put Sto|ne t)"), "context": { "includeDeclaration": true } });
    let found = client.ask("textDocument/references", references.clone());
    let starts: Vec<&Value> = found
        .as_array()
        .expect("a list")
        .iter()
        .map(|location| &location["range"]["start"])
        .collect();
    assert_eq!(
        starts,
        [&at(GAME, "(piece |Stone"), &at(GAME, "(of p |Stone"), &at(GAME, "(put |Stone")]
    );
    references["context"]["includeDeclaration"] = json!(false);
    assert_eq!(client.ask("textDocument/references", references).as_array().map(Vec::len), Some(2));
    let found = client.ask_at("textDocument/documentHighlight", FILE, at(GAME, "(to |t (empty))"));
    assert_eq!(found.as_array().map(Vec::len), Some(3));

    // Rename.
    let place = json!({ "textDocument": { "uri": FILE }, "position": at(GAME, "(Ne|ar t mover)") });
    let prepared = client.ask("textDocument/prepareRename", place.clone());
    assert_eq!(
        (prepared["placeholder"].as_str(), covered(GAME, &prepared["range"])),
        (Some("Near"), "Near")
    );
    let rename = |name: &str| json!({ "textDocument": place["textDocument"], "position": place["position"], "newName": name });
    let changes = client.ask("textDocument/rename", rename("Around"));
    let renamed = edited(GAME, &changes["changes"][FILE]);
    assert_eq!(renamed, GAME.replace("Near", "Around"));
    assert!(check(&renamed, &[]).rules.is_some());
    for (name, why) in [
        ("around", "begin with an upper-case letter"),
        ("Stone", "`Stone` is already the name of a piece"),
        ("a b", "is not a name"),
    ] {
        let refused = client.answer("textDocument/rename", rename(name));
        assert!(
            refused["error"]["message"].as_str().is_some_and(|message| message.contains(why)),
            "{refused}"
        );
    }

    // Symbols.
    let symbols =
        client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": FILE } }));
    assert_eq!(symbols[0]["name"], "Fill 𝄞");
    let children = symbols[0]["children"].as_array().expect("parts");
    let names: Vec<&str> = children.iter().filter_map(|symbol| symbol["name"].as_str()).collect();
    assert_eq!(names, ["White", "Black", "Size", "board", "Stone", "Near", "drop", "play"]);
    assert!(children.iter().all(|symbol| {
        covered(GAME, &symbol["range"]).contains(covered(GAME, &symbol["selectionRange"]))
    }));

    // Formatting.
    let options = json!({ "textDocument": { "uri": FILE }, "options": { "tabSize": 8, "insertSpaces": true } });
    let edits = client.ask("textDocument/formatting", options.clone());
    assert_eq!(edited(GAME, &edits), format(GAME).expect("it is right"));
    let crlf = GAME.replace('\n', "\r\n");
    client.change(FILE, 3, json!([{ "text": crlf }]));
    let edits = client.ask("textDocument/formatting", options.clone());
    assert_eq!(edited(&crlf, &edits), format(GAME).expect("it is right"));
    client.change(FILE, 4, json!([{ "text": format(GAME).expect("it is right") }]));
    assert_eq!(client.ask("textDocument/formatting", options.clone()), json!([]));
    client.change(FILE, 5, json!([{ "text": "(game" }]));
    assert_eq!(client.ask("textDocument/formatting", options), Value::Null);
    assert_eq!(client.wrong_with(FILE, 5)[0]["code"], "unclosed-bracket");

    // A closed file has no diagnostics.
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": FILE } }));
    client.wait_for(FILE, &[]);
    client.end();
}

#[test]
#[cfg(unix)]
fn games_of_several_files_are_one() {
    let lines = "(definitions\n  (define (Row (site s)) (beside s orthogonal)))\n";
    let base = GAME
        .replace("(piece Stone)", "(piece Stone)\n  (include \"lines.game\")")
        .replace("(beside s)", "(Row s)");
    let variant = "(variant-of \"base.game\" \"Other\"\n  (default Size 4)\n  (move drop (to t (empty)) (require (none (Near t mover))) (put Stone t)))\n";
    let folder = folder(
        "several",
        &[("base.game", &base), ("lines.game", lines), ("variant.game", variant)],
    );
    let [base_uri, lines_uri, variant_uri] =
        ["base.game", "lines.game", "variant.game"].map(|file| uri(&folder.join(file)));
    let mut client = Client::begin();
    client.open(&variant_uri, variant);
    client.wait_for(&variant_uri, &[]);

    // Definitions in another file, and the file behind a name.
    let declared = client.ask_at("textDocument/definition", &variant_uri, at(variant, "(Ne|ar"));
    assert_eq!(
        (declared["uri"].as_str(), &declared["range"]["start"]),
        (Some(&*base_uri), &at(&base, "(define (|Near"))
    );
    let named = client.ask_at("textDocument/definition", &variant_uri, at(variant, "\"ba|se.game"));
    assert_eq!(named["uri"], *base_uri);

    // Unsaved text counts, also in files that depend on it.
    client.open(&lines_uri, lines);
    client.wait_for(&lines_uri, &[]);
    client.change(&lines_uri, 2, json!([{ "text": lines.replace("orthogonal", "orthogon") }]));
    assert_eq!(client.wrong_with(&lines_uri, 2)[0]["code"], "unknown-name");
    client.change(&lines_uri, 3, json!([{ "text": lines.replace("Row", "Line") }]));
    client.wait_for(&lines_uri, &["unknown-name"]);
    client.wait_for(&variant_uri, &["unknown-name"]);
    let (_, found) = client.diagnostics[&variant_uri].clone();
    assert_eq!(covered(variant, &found[0]["range"]), "\"base.game\"");
    assert!(
        found[0]["message"]
            .as_str()
            .is_some_and(|message| message.starts_with("in line 8 of base.game: ")),
        "{found:?}"
    );
    client.change(&lines_uri, 4, json!([{ "text": lines }]));
    client.wait_for(&variant_uri, &[]);

    // Renaming edits all files, also those that are not open.
    let params = json!({ "textDocument": { "uri": lines_uri }, "position": at(lines, "(Ro|w (site"), "newName": "Around" });
    let changes = client.ask("textDocument/rename", params)["changes"].clone();
    assert_eq!(changes.as_object().map(|files| files.len()), Some(2), "{changes}");
    assert_eq!(edited(&base, &changes[&base_uri]), base.replace("Row", "Around"));
    assert_eq!(edited(lines, &changes[&lines_uri]), lines.replace("Row", "Around"));
    let params = json!({ "textDocument": { "uri": variant_uri }, "position": at(variant, "Si|ze"), "newName": "Side" });
    let changes = client.ask("textDocument/rename", params)["changes"].clone();
    assert_eq!(edited(variant, &changes[&variant_uri]), variant.replace("Size", "Side"));
    assert_eq!(edited(&base, &changes[&base_uri]), base.replace("Size", "Side"));
    client.end();
    std::fs::remove_dir_all(&folder).expect("it was ours");
}

/// Returns the texts of the rules files in a folder.
fn texts(folder: &str) -> Vec<(String, String)> {
    let entries =
        std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let paths = entries.filter(|path| path.extension().is_some_and(|end| end == "game"));
    let mut texts: Vec<(String, String)> = paths
        .filter_map(|path| Some((path.display().to_string(), std::fs::read_to_string(&path).ok()?)))
        .collect();
    texts.sort();
    texts
}

#[test]
fn every_fix_is_offered() {
    let mut client = Client::begin();
    let mut offered = 0;
    for (name, text) in texts("tests/mistakes").into_iter().chain(texts("tests/findings")) {
        let uri = format!("untitled:{name}");
        let mendable: Vec<_> = check(&text, &[])
            .findings
            .into_iter()
            .filter(|finding| finding.fix.is_some())
            .collect();
        if mendable.is_empty() {
            continue;
        }
        client.open(&uri, &text);
        for finding in mendable {
            let range = json!({ "start": position(&text, finding.span.start), "end": position(&text, finding.span.end) });
            let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [], "only": ["quickfix"] } });
            let actions = client.ask("textDocument/codeAction", params);
            let fix = finding.fix.expect("it has one");
            let action = actions
                .as_array()
                .expect("a list")
                .iter()
                .find(|action| action["title"] == *fix.title);
            let action =
                action.unwrap_or_else(|| panic!("{name}: {} is not offered: {actions}", fix.title));
            let mended = edited(&text, &action["edit"]["changes"][&uri]);
            assert_eq!(mended, fix.applied(&text), "{name}");
            offered += 1;
        }
        client.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
    assert!(offered >= 40, "{offered}");
    client.end();
}
