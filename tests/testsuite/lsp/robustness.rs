//! Damaged texts, senseless requests and malformed messages.

use super::client::*;
use ludwright::random::Random;
use serde_json::{Value, json};

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
        for method in [
            "hover",
            "completion",
            "signatureHelp",
            "definition",
            "documentHighlight",
            "prepareRename",
        ] {
            client.ask_at(&format!("textDocument/{method}"), FILE, position.clone());
        }
        let document = json!({ "uri": FILE });
        for method in ["documentSymbol", "semanticTokens/full", "foldingRange"] {
            client.ask(&format!("textDocument/{method}"), json!({ "textDocument": document }));
        }
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
