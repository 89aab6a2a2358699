//! A client of the language server over pipes, and the conversions that it needs.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Time limit for an answer, generous for slow machines.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    pub server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    asked: i32,
    /// Latest diagnostics of each file, with the version of its text.
    pub diagnostics: BTreeMap<String, (Value, Vec<Value>)>,
}

impl Client {
    pub fn start() -> Client {
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

    pub fn begin() -> Client {
        let mut client = Client::start();
        let capabilities = json!({ "textDocument": { "completion": { "completionItem": {
            "snippetSupport": true, "resolveSupport": { "properties": ["additionalTextEdits"] },
        } } } });
        let answer = client.ask(
            "initialize",
            json!({ "processId": null, "rootUri": null, "capabilities": capabilities }),
        );
        assert_eq!(answer["serverInfo"]["name"], "ludwright");
        client.tell("initialized", json!({}));
        client
    }

    pub fn write(&mut self, text: &str) {
        self.write_raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn write_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        // The server may already have closed its input.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    pub fn next(&mut self) -> Value {
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
    pub fn answer(&mut self, method: &str, params: Value) -> Value {
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

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Sends a request about a position.
    pub fn ask_at(&mut self, method: &str, uri: &str, position: Value) -> Value {
        self.ask(method, json!({ "textDocument": { "uri": uri }, "position": position }))
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "ludwright", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn change(&mut self, uri: &str, version: i32, changes: Value) {
        self.tell("textDocument/didChange", json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes }));
    }

    /// Waits for the diagnostics of a version of a file.
    pub fn wrong_with(&mut self, uri: &str, version: i32) -> Vec<Value> {
        loop {
            match self.diagnostics.get(uri) {
                Some((known, list)) if *known == version => return list.clone(),
                _ => self.next(),
            };
        }
    }

    /// Waits until the diagnostics of a file have the expected codes.
    pub fn wait_for(&mut self, uri: &str, expected: &[&str]) {
        let codes = |list: &[Value]| {
            list.iter().map(|one| one["code"].as_str().unwrap_or("").to_owned()).collect::<Vec<_>>()
        };
        while self.diagnostics.get(uri).is_none_or(|(_, list)| codes(list) != expected) {
            self.next();
        }
    }

    /// Shuts the server down properly, and checks that it wrote nothing to standard error.
    pub fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        let (code, errors) = self.left();
        assert_eq!((code, errors.as_str()), (Some(0), ""));
    }

    /// Waits for the server to end.
    pub fn left(&mut self) -> (Option<i32>, String) {
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

pub fn read(output: &mut impl BufRead) -> Option<Value> {
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
pub fn position(text: &str, byte: usize) -> Value {
    let before = &text[..byte];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    json!({ "line": before.matches('\n').count(), "character": before[line..].encode_utf16().count() })
}

pub fn byte(text: &str, position: &Value) -> usize {
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
pub fn edited(text: &str, edits: &Value) -> String {
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
pub fn at(text: &str, marked: &str) -> Value {
    let (before, after) = marked.split_once('|').expect("a mark");
    let found = text.find(&format!("{before}{after}")).unwrap_or_else(|| panic!("{marked}"));
    position(text, found + before.len())
}

pub fn covered<'t>(text: &'t str, range: &Value) -> &'t str {
    &text[byte(text, &range["start"])..byte(text, &range["end"])]
}

pub const GAME: &str = "(game \"Fill 𝄞\"
  (players White Black)
  (option Size (range 2 4) 3 \"Sites along each side.\")
  (board (square Size))
  (piece Stone)
  ; Where p has a stone é beside 𝄞 s.
  (define (Near (site s) (player p)) (and (beside s) (of p Stone)))
  (move drop (to t (empty)) (require (none (Near t mover))) (put Stone t))
  (play (turns (choose drop (otherwise (lose mover))))))
";

pub const FILE: &str = "untitled:fill.game";

/// Makes a folder with some files.
pub fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ludwright lsp-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (file, text) in files {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    folder.canonicalize().expect("it is there")
}

pub fn uri(path: &Path) -> String {
    format!("file://{}", path.to_str().expect("text").replace(' ', "%20"))
}
