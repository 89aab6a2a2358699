//! A client of the language server `ludwright lsp` over pipes.

#![cfg(feature = "lsp")]

use ludwright::language::check;
use ludwright::language::format::format;
use ludwright::random::Random;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Time limit for an answer, generous for slow machines.
const PATIENCE: Duration = Duration::from_secs(120);

struct Client {
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    asked: i32,
    /// Latest diagnostics of each file, with the version of its text.
    diagnostics: BTreeMap<String, (Value, Vec<Value>)>,
}

impl Client {
    fn start() -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
        let mut server = command
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary");
        let mut output = BufReader::new(server.stdout.take().expect("its output"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = server.stdin.take();
        Client { server, input, messages, asked: 0, diagnostics: BTreeMap::new() }
    }

    fn begin() -> Client {
        let mut client = Client::start();
        let capabilities = json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } });
        let answer = client.ask(
            "initialize",
            json!({ "processId": null, "rootUri": null, "capabilities": capabilities }),
        );
        assert_eq!(answer["serverInfo"]["name"], "ludwright");
        client.tell("initialized", json!({}));
        client
    }

    fn write(&mut self, text: &str) {
        self.write_raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    fn write_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        // The server may already have closed its input.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    fn next(&mut self) -> Value {
        let message = self.messages.recv_timeout(PATIENCE).expect("a message");
        if message["method"] == "textDocument/publishDiagnostics" {
            let params = &message["params"];
            let uri = params["uri"].as_str().expect("a name").to_owned();
            let list = params["diagnostics"].as_array().expect("a list").clone();
            self.diagnostics.insert(uri, (params["version"].clone(), list));
        }
        message
    }

    /// Sends a request and returns the full response.
    fn answer(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.write(
            &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string(),
        );
        loop {
            let message = self.next();
            if message["id"] == id {
                return message;
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Sends a request about a position.
    fn ask_at(&mut self, method: &str, uri: &str, position: Value) -> Value {
        self.ask(method, json!({ "textDocument": { "uri": uri }, "position": position }))
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "ludwright", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, uri: &str, version: i32, changes: Value) {
        self.tell("textDocument/didChange", json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes }));
    }

    /// Waits for the diagnostics of a version of a file.
    fn wrong_with(&mut self, uri: &str, version: i32) -> Vec<Value> {
        loop {
            match self.diagnostics.get(uri) {
                Some((known, list)) if *known == version => return list.clone(),
                _ => self.next(),
            };
        }
    }

    /// Waits until the diagnostics of a file have the expected codes.
    fn wait_for(&mut self, uri: &str, expected: &[&str]) {
        let codes = |list: &[Value]| {
            list.iter().map(|one| one["code"].as_str().unwrap_or("").to_owned()).collect::<Vec<_>>()
        };
        while self.diagnostics.get(uri).is_none_or(|(_, list)| codes(list) != expected) {
            self.next();
        }
    }

    /// Shuts the server down properly, and checks that it wrote nothing to standard error.
    fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        let (code, errors) = self.left();
        assert_eq!((code, errors.as_str()), (Some(0), ""));
    }

    /// Waits for the server to end.
    fn left(&mut self) -> (Option<i32>, String) {
        self.input = None;
        let mut errors = String::new();
        self.server.stderr.take().expect("its errors").read_to_string(&mut errors).expect("text");
        (self.server.wait().expect("an end").code(), errors)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.server.kill();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().expect("a number"),
            _ => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("JSON"))
}

/// Converts a byte to a position, independently of the server.
fn position(text: &str, byte: usize) -> Value {
    let before = &text[..byte];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    json!({ "line": before.matches('\n').count(), "character": before[line..].encode_utf16().count() })
}

fn byte(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().expect("a line") as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let units = position["character"].as_u64().expect("a column") as usize;
    let mut column = 0;
    let letters = text[start..].chars().take_while(|letter| {
        column += letter.len_utf16();
        column <= units && *letter != '\n'
    });
    start + letters.map(char::len_utf8).sum::<usize>()
}

/// Applies edits in any order.
fn edited(text: &str, edits: &Value) -> String {
    let mut text = text.to_owned();
    let mut edits: Vec<Value> = edits.as_array().expect("a list").clone();
    edits.sort_by_key(|edit| byte(&text, &edit["range"]["start"]));
    for edit in edits.iter().rev() {
        let range = byte(&text, &edit["range"]["start"])..byte(&text, &edit["range"]["end"]);
        text.replace_range(range, edit["newText"].as_str().expect("a text"));
    }
    text
}

/// Position of the mark `|` in the first occurrence of a text.
fn at(text: &str, marked: &str) -> Value {
    let (before, after) = marked.split_once('|').expect("a mark");
    let found = text.find(&format!("{before}{after}")).unwrap_or_else(|| panic!("{marked}"));
    position(text, found + before.len())
}

fn covered<'t>(text: &'t str, range: &Value) -> &'t str {
    &text[byte(text, &range["start"])..byte(text, &range["end"])]
}

const GAME: &str = "(game \"Fill 𝄞\"
  (players White Black)
  (option Size (range 2 4) 3 \"Sites along each side.\")
  (board (square Size))
  (piece Stone)
  ; Where p has a stone é beside 𝄞 s.
  (define (Near (site s) (player p)) (and (beside s) (of p Stone)))
  (move drop (to t (empty)) (require (none (Near t mover))) (put Stone t))
  (play (turns (choose drop (otherwise (lose mover))))))
";

const FILE: &str = "untitled:fill.game";

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

/// Makes a folder with some files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ludwright lsp-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (file, text) in files {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    folder.canonicalize().expect("it is there")
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.to_str().expect("text").replace(' ', "%20"))
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

#[test]
fn whatever_is_written_is_answered() {
    let mut random = Random::new(11);
    let mut client = Client::begin();
    let text = std::fs::read_to_string("games/cicada.game").expect("the file");
    let pieces = [
        "(",
        ")",
        "\"",
        ";",
        " ",
        "\n",
        "\r",
        "𝄞",
        "é",
        "(put ",
        "Size",
        "-",
        "9999999999999999999",
        "{",
        "“",
    ];
    client.open(FILE, &text);
    let mut version = 1;
    let place =
        |random: &mut Random| json!({ "line": random.below(90), "character": random.below(60) });
    for _ in 0..60 {
        let mut changes: Vec<Value> = Vec::new();
        for _ in 0..1 + random.below(3) {
            let piece = pieces[random.below(pieces.len() as u32) as usize];
            let start = place(&mut random);
            let line = start["line"].as_u64().expect("a line") + u64::from(random.below(2));
            let end = json!({ "line": line, "character": random.below(60) });
            changes.push(json!({ "range": { "start": start, "end": end }, "text": piece }));
        }
        version += 1;
        client.change(FILE, version, json!(changes));
        let position = place(&mut random);
        for method in ["hover", "completion", "definition", "documentHighlight", "prepareRename"] {
            client.ask_at(&format!("textDocument/{method}"), FILE, position.clone());
        }
        let document = json!({ "uri": FILE });
        client.ask("textDocument/documentSymbol", json!({ "textDocument": document }));
        client.ask(
            "textDocument/formatting",
            json!({ "textDocument": document, "options": { "tabSize": 2, "insertSpaces": true } }),
        );
        let range = json!({ "start": place(&mut random), "end": position });
        client.ask(
            "textDocument/codeAction",
            json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } }),
        );
        client.answer(
            "textDocument/rename",
            json!({ "textDocument": document, "position": position, "newName": "Other" }),
        );
    }
    client.wrong_with(FILE, version);
    client.end();
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mut client = Client::start();
    let code = |answer: Value| answer["error"]["code"].as_i64();
    assert_eq!(code(client.answer("textDocument/hover", json!({}))), Some(-32002));
    assert_eq!(code(client.answer("initialize", json!([1, 2]))), Some(-32602));
    client.tell("textDocument/didOpen", json!({ "textDocument": 7 }));
    client.ask("initialize", json!({ "capabilities": {} }));
    for (method, params, expected) in [
        ("initialize", json!({ "capabilities": {} }), -32600),
        ("textDocument/nonsense", Value::Null, -32601),
        ("textDocument/hover", Value::Null, -32602),
        (
            "textDocument/completion",
            json!({ "textDocument": { "uri": "no name" }, "position": { "line": -1, "character": 0 } }),
            -32602,
        ),
        (
            "textDocument/rename",
            json!({ "textDocument": { "uri": FILE }, "position": { "line": 0, "character": 0 }, "newName": "X" }),
            -32803,
        ),
    ] {
        assert_eq!(code(client.answer(method, params)), Some(expected), "{method}");
    }
    let nowhere = json!({ "line": 4294967295u32, "character": 4294967295u32 });
    assert_eq!(client.ask_at("textDocument/hover", FILE, nowhere.clone()), Value::Null);
    client.open(FILE, GAME);
    client.ask_at("textDocument/completion", FILE, nowhere);
    client.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": FILE }, "contentChanges": "x" }),
    );
    client.tell("$/cancelRequest", json!({ "id": "x" }));
    client.write("{}");
    client.write("[[[");
    client.write(&"[".repeat(100_000));
    client.write(
        &json!({ "jsonrpc": "2.0", "id": 99_999_999_999u64, "method": "shutdown" }).to_string(),
    );
    assert_eq!(
        (
            client.wrong_with(FILE, 1).len(),
            client.ask_at("textDocument/hover", FILE, at(GAME, "(be|side"))["range"].is_object()
        ),
        (0, true)
    );
    // A text over the size limit.
    client.change(FILE, 2, json!([{ "text": " ".repeat((1 << 20) + 1) }]));
    assert_eq!(client.wrong_with(FILE, 2)[0]["code"], "file-too-large");
    assert_eq!(client.ask("shutdown", Value::Null), Value::Null);
    assert_eq!(code(client.answer("textDocument/hover", json!({}))), Some(-32600));
    client.tell("exit", Value::Null);
    assert_eq!(client.left(), (Some(0), String::new()));
}

#[test]
fn any_bytes_may_come() {
    let ends: [&[u8]; 6] = [
        b"\x00\xff\xfe nonsense\n",
        b"Content-Length: 18446744073709551615\r\n\r\n{",
        b"Content-Length: -5\r\n\r\n{}",
        b"Content-Length: 10\r\n\r\n{}",
        b"\r\n\r\n\r\n",
        &[b'x'; 100_000],
    ];
    for bytes in ends {
        let mut client = Client::begin();
        client.write_raw(bytes);
        let (code, errors) = client.left();
        assert!(
            code == Some(1)
                && errors.contains("cannot read the editor's messages")
                && !errors.contains("panicked"),
            "{code:?} {errors}"
        );
    }
    // Closing the input without `shutdown` is an error.
    let mut client = Client::begin();
    assert_eq!(client.left(), (Some(1), String::new()));
    let mut random = Random::new(3);
    for _ in 0..10 {
        let mut client = Client::start();
        let noise: Vec<u8> = (0..2000).map(|_| random.below(256) as u8).collect();
        client.write_raw(&noise);
        let (code, errors) = client.left();
        assert!(code == Some(1) && !errors.contains("panicked"), "{errors}");
    }
}
