//! The studio's server from outside, byte by byte: who may ask, what is refused, and that nothing
//! is lost.

mod events;
mod work;

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running studio with folders of its own.
struct Studio {
    child: Child,
    port: u16,
    token: String,
    folder: PathBuf,
}

const GAME: &str = "(game \"Fill\"\n  (players White Black)\n  (option Size (range 2 4) 3 \"Side.\")\n  \
    (board (square Size))\n  (piece Stone)\n  (move drop\n    (to t (empty))\n    (put Stone t))\n  \
    (play (turns (choose drop))))\n";

impl Studio {
    fn start(name: &str, arguments: &[&str]) -> Studio {
        let folder =
            std::env::temp_dir().join(format!("ludwright-studio-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("games")).expect("a folder");
        std::fs::write(folder.join("games/fill.game"), GAME).expect("a file");
        Studio::again(folder, arguments)
    }

    fn again(folder: PathBuf, arguments: &[&str]) -> Studio {
        let games = folder.join("games");
        Studio::at(folder, &games, arguments)
    }

    /// Starts the program for a file or folder inside its folder.
    fn at(folder: PathBuf, path: &Path, arguments: &[&str]) -> Studio {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ludwright"))
            .arg("studio")
            .arg(path)
            .args(["--no-open"])
            .args(arguments)
            .env("LUDWRIGHT_STATE", folder.join("state"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("its output"))
            .read_line(&mut line)
            .expect("a line");
        let rest = line.trim().strip_prefix("http://127.0.0.1:").expect("an address").to_owned();
        let (port, path) = rest.split_once('/').expect("a path");
        let token = path.trim_end_matches('/').to_owned();
        Studio { child, port: port.parse().expect("a port"), token, folder }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        stream
    }

    /// Sends bytes, and returns the status and the body of the answer.
    fn raw(&self, bytes: &[u8]) -> (u16, String) {
        let mut stream = self.connect();
        // The server may answer and close before it has read everything.
        let _ = stream.write_all(bytes);
        answer(&mut stream)
    }

    /// Sends a request of the page.
    fn ask(&self, name: &str, body: &Value) -> (u16, Value) {
        let body = body.to_string();
        let (status, text) = self.raw(self.post(&format!("api/{name}"), &body).as_bytes());
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Sends a request of the page that must be granted.
    fn grant(&self, name: &str, body: Value) -> Value {
        let (status, answer) = self.ask(name, &body);
        assert_eq!(status, 200, "{name}: {answer}");
        answer
    }

    fn post(&self, path: &str, body: &str) -> String {
        format!(
            "POST /{}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: {}\r\n\r\n{body}",
            self.token,
            self.port,
            body.len()
        )
    }

    fn get(&self, path: &str, host: &str, more: &str) -> (u16, String) {
        self.raw(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n").as_bytes())
    }

    fn open(&self, what: Value) -> Value {
        self.grant("open", what)
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn answer(stream: &mut TcpStream) -> (u16, String) {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body).to_owned();
    (status, body)
}

#[test]
fn only_the_page_may_ask() {
    let studio = Studio::start("gate", &[]);
    let (port, token) = (studio.port, studio.token.clone());
    let own = format!("127.0.0.1:{port}");
    let path = format!("/{token}/");
    assert_eq!(token.len(), 32);
    assert_eq!(studio.get(&path, &own, "").0, 200);
    assert_eq!(studio.get(&path, &format!("localhost:{port}"), "").0, 200);
    let wrong = format!("/{}/", "0".repeat(32));
    for (asked, host, more, status) in [
        ("/", own.as_str(), "", 404),
        (wrong.as_str(), &own, "", 404),
        (&path[..path.len() - 2], &own, "", 404),
        (&format!("/{token}0/"), &own, "", 404),
        (&path, "evil.example", "", 403),
        (&path, &format!("127.0.0.1:{}", port.wrapping_add(1)), "", 403),
        (&path, "127.0.0.1", "", 403),
        (&path, &own, "Origin: http://evil.example\r\n", 403),
        (&path, &own, "Origin: null\r\n", 403),
        (&path, &own, "Host: evil.example\r\n", 400),
        (&format!("/{token}/page/../../Cargo.toml"), &own, "", 404),
        (&format!("/{token}/page/%2e%2e/secret"), &own, "", 404),
        (&format!("/{token}/view/{}", "0".repeat(32)), &own, "", 404),
        (&format!("/{token}/events?desk=none"), &own, "", 404),
    ] {
        assert_eq!(studio.get(asked, host, more).0, status, "{asked} {host} {more}");
    }
    // No `Host` at all.
    assert_eq!(studio.raw(format!("GET {path} HTTP/1.1\r\n\r\n").as_bytes()).0, 403);
    let post = studio.post("api/home", "{}");
    assert_eq!(studio.raw(post.as_bytes()).0, 200);
    for more in
        ["Origin: http://evil.example", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site"]
    {
        let foreign = post.replacen("\r\n\r\n", &format!("\r\n{more}\r\n\r\n"), 1);
        assert_eq!(studio.raw(foreign.as_bytes()).0, 403, "{more}");
    }
    // The page says what it may load.
    let mut stream = studio.connect();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {own}\r\n\r\n").expect("a request");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    let head = text.split("\r\n\r\n").next().expect("a head");
    assert!(
        head.contains("Content-Security-Policy: default-src 'none'; script-src 'self';"),
        "{head}"
    );
    assert!(head.contains("frame-ancestors 'none'") && head.contains("nosniff"), "{head}");
}

#[test]
fn malformed_requests_are_errors() {
    let studio = Studio::start("malformed", &[]);
    let own = format!("Host: 127.0.0.1:{}\r\n", studio.port);
    let path = format!("/{}/api/home", studio.token);
    let post = |more: &str, body: &str| format!("POST {path} HTTP/1.1\r\n{own}{more}\r\n{body}");
    let long = "x".repeat(40_000);
    // With its end in the chunk that goes beyond the limit.
    let barely = "x".repeat(17_000);
    for (bytes, status) in [
        (String::from("nonsense\r\n\r\n"), 400),
        (String::from("\r\n\r\n\r\n"), 400),
        (format!("GET {path}\r\n\r\n"), 400),
        (format!("BREW {path} HTTP/1.1\r\n{own}\r\n"), 405),
        (format!("DELETE {path} HTTP/1.1\r\n{own}\r\n"), 405),
        (post("", "{}"), 411),
        (post("Content-Length: two\r\n", "{}"), 400),
        (post("Content-Length: -1\r\n", ""), 400),
        (post("Content-Length: 2\r\nContent-Length: 3\r\n", "{}"), 400),
        (post("Content-Length: 99999999999999999999999999\r\n", "{}"), 413),
        (post("Content-Length: 1048577\r\n", &" ".repeat(1 << 20)), 413),
        (post("Content-Length: 1\r\n", "{}"), 400),
        (post("Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"), 501),
        (post("Content-Length: 3\r\n", "{},"), 400),
        (post("Content-Length: 2\r\n", "[]"), 400),
        (post(&format!("X: {long}\r\nContent-Length: 2\r\n"), "{}"), 431),
        (post(&format!("X: {barely}\r\nContent-Length: 2\r\n"), "{}"), 431),
        (post(&format!("{}Content-Length: 2\r\n", "X: y\r\n".repeat(100)), "{}"), 431),
    ] {
        let (found, body) = studio.raw(bytes.as_bytes());
        assert_eq!(found, status, "{:?}: {body}", &bytes[..bytes.len().min(120)]);
        assert!(body.starts_with("{\"error\":\""), "{body}");
    }
    // Bytes that are no text, and JSON that nests deeply.
    let nested = "[".repeat(100_000);
    let bytes = [post("Content-Length: 4\r\n", "").as_bytes(), b"\xff\xfe\x00{"].concat();
    assert_eq!(studio.raw(&bytes).0, 400);
    assert_eq!(
        studio.raw(post(&format!("Content-Length: {}\r\n", nested.len()), &nested).as_bytes()).0,
        400
    );
    let desk = studio.open(json!({ "path": "fill.game" }))["desk"].clone();
    for (name, arguments) in [
        ("none", json!({ "desk": desk })),
        ("edit", json!({ "desk": desk })),
        ("edit", json!({ "desk": "other", "text": "" })),
        ("edit", json!({ "desk": desk, "text": 7 })),
        ("edit", json!({ "desk": desk, "text": "", "options": [1] })),
        ("choices", json!({ "desk": desk, "chosen": [1] })),
        ("choices", json!({ "desk": desk, "chosen": "a1" })),
        ("goto", json!({ "desk": desk, "id": -1 })),
        ("goto", json!({ "desk": desk, "id": 1e300 })),
        ("goto", json!({ "desk": desk, "id": 99 })),
        ("undo", json!({ "desk": desk })),
        ("redo", json!({ "desk": desk })),
        ("play", json!({ "desk": desk, "text": "drop z9" })),
        ("playChosen", json!({ "desk": desk, "chosen": [] })),
        ("playChosen", json!({ "desk": desk, "chosen": ["z9"] })),
        ("seats", json!({ "desk": desk, "seats": { "Nobody": "random" } })),
        ("seats", json!({ "desk": desk, "seats": { "White": "mcts:99999999it" } })),
        ("seats", json!({ "desk": desk, "seats": { "White": "strong:99999999it" } })),
        ("seats", json!({ "desk": desk, "seats": { "White": "strong:900s" } })),
        ("seats", json!({ "desk": desk, "seats": { "White": "rm -rf /" } })),
        ("job", json!({ "desk": desk, "kind": "other" })),
        (
            "job",
            json!({ "desk": desk, "kind": "sweep", "arguments": { "axes": { "Size": "1..99999999" } } }),
        ),
        ("job", json!({ "desk": desk, "kind": "playtest", "arguments": { "games": 999_999_999 } })),
        ("job", json!({ "desk": desk, "kind": "claims" })),
        ("stop", json!({ "desk": desk, "job": "none" })),
        ("share", json!({ "desk": desk, "kind": "all" })),
        ("open", json!({ "shipped": "none" })),
        ("open", json!({ "template": "none" })),
        ("open", json!({ "draft": "../../etc/passwd" })),
    ] {
        let (status, answer) = studio.ask(name, &arguments);
        let started = name == "job" && arguments["kind"] == "claims";
        match started {
            true => assert_eq!(status, 200, "{answer}"),
            false => {
                assert!((400..500).contains(&status), "{name} {arguments}: {status} {answer}");
                assert!(
                    answer["error"].as_str().is_some_and(|error| !error.is_empty()),
                    "{answer}"
                );
            }
        }
    }
    // Any bytes as a text, at any place.
    for text in ["", "(", ")", "\"", "(game", "\u{0}\u{ffff}😀", &"(".repeat(5_000), GAME] {
        let units = text.encode_utf16().count();
        for at in [0, 1, units / 2, units, units + 9] {
            for name in ["complete", "hover", "light", "signature"] {
                let (status, _) =
                    studio.ask(name, &json!({ "desk": desk, "text": text, "at": at }));
                assert_eq!(status, 200, "{name} of {text:?} at {at}");
            }
        }
        studio.grant("edit", json!({ "desk": desk, "text": text, "revision": 1 }));
    }
}

#[test]
fn slow_and_idle_peers_do_not_stop_others() {
    let studio = Studio::start("slow", &[]);
    let mut slow: Vec<TcpStream> = (0..40).map(|_| studio.connect()).collect();
    for (number, stream) in slow.iter_mut().enumerate() {
        let begun = studio.post("api/home", "{}");
        let _ = stream.write_all(&begun.as_bytes()[..number]);
    }
    let began = Instant::now();
    studio.grant("home", json!({}));
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    // More than the server takes: it says so, or waits until others are done; it does not break.
    let more: Vec<TcpStream> = (0..60).map(|_| studio.connect()).collect();
    drop(more);
    for stream in &slow {
        let _ = stream.shutdown(Shutdown::Both);
    }
    let deadline = Instant::now() + Duration::from_secs(20);
    while studio.raw(studio.post("api/home", "{}").as_bytes()).0 != 200 {
        assert!(Instant::now() < deadline, "the server has not recovered");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn files_outside_the_folder_are_out_of_reach() {
    let studio = Studio::start("files", &[]);
    std::fs::write(studio.folder.join("secret.game"), "(game \"Secret\")").expect("a file");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(
            studio.folder.join("secret.game"),
            studio.folder.join("games/link.game"),
        )
        .expect("a link");
        std::os::unix::fs::symlink(&studio.folder, studio.folder.join("games/up")).expect("a link");
        std::os::unix::fs::symlink(
            studio.folder.join("new.game"),
            studio.folder.join("games/dangling.game"),
        )
        .expect("a link");
    }
    let desk = studio.open(json!({ "path": "fill.game" }))["desk"].clone();
    for path in [
        "../secret.game",
        "/etc/passwd",
        "link.game",
        "up/secret.game",
        "dangling.game",
        "./fill.game",
        "games/../../secret.game",
        "",
        "/",
        "a\u{0}.game",
        "c:\\x.game",
        ".hidden.game",
        "..",
        "none/x.game",
    ] {
        let (status, answer) = studio.ask("open", &json!({ "path": path }));
        assert!(status >= 400 && !answer.to_string().contains("Secret"), "{path}: {answer}");
        if path != "/" && !path.is_empty() {
            let save = json!({ "desk": desk, "text": GAME, "path": path, "overwrite": true });
            let (status, answer) = studio.ask("save", &save);
            assert!(status >= 400, "{path}: {answer}");
        }
    }
    assert!(!studio.folder.join("new.game").exists());
    let secret = std::fs::read_to_string(studio.folder.join("secret.game")).expect("a file");
    assert_eq!(secret, "(game \"Secret\")");
    // An include cannot leave the folder either.
    let text = "(variant-of \"../secret.game\" \"Variant\")";
    let answer = studio.grant("edit", json!({ "desk": desk, "text": text, "revision": 1 }));
    assert_eq!(answer["check"]["findings"][0]["code"], "outside-folder");
    assert!(!studio.grant("home", json!({}))["files"].to_string().contains("link"));
}

#[test]
fn saving_replaces_nothing_unseen() {
    let studio = Studio::start("saving", &[]);
    let opened = studio.open(json!({ "path": "fill.game" }));
    let (desk, disk) = (&opened["desk"], &opened["disk"]);
    let file = studio.folder.join("games/fill.game");
    let read = || std::fs::read_to_string(&file).expect("a file");
    let new = GAME.replace("Fill", "Filled");
    let saved = studio.grant("save", json!({ "desk": desk, "text": new, "disk": disk }));
    assert_eq!((read(), &saved["path"]), (new.clone(), &json!("fill.game")));
    // Another program has written the file.
    std::fs::write(&file, "(game \"Other\")\r\n").expect("a file");
    let conflict =
        studio.grant("save", json!({ "desk": desk, "text": GAME, "disk": saved["disk"] }));
    assert_eq!(conflict["conflict"]["text"], "(game \"Other\")\n");
    assert_eq!(read(), "(game \"Other\")\r\n");
    let disk = &conflict["conflict"]["disk"];
    studio.grant("save", json!({ "desk": desk, "text": GAME, "disk": disk }));
    // Lines end as they did.
    assert_eq!(read(), GAME.replace('\n', "\r\n"));
    // Under another name, nothing is overwritten unasked.
    std::fs::write(studio.folder.join("games/other.game"), "mine").expect("a file");
    let conflict = studio.grant("save", json!({ "desk": desk, "text": GAME, "path": "other" }));
    assert_eq!(conflict["conflict"]["text"], "mine");
    let saved = studio.grant("save", json!({ "desk": desk, "text": GAME, "path": "third" }));
    assert_eq!(saved["path"], "third.game");
    assert_eq!(
        std::fs::read_to_string(studio.folder.join("games/third.game")).expect("a file"),
        GAME
    );

    let showing = Studio::start("showing", &["--read-only"]);
    let opened = showing.open(json!({ "path": "fill.game" }));
    assert_eq!(opened["readOnly"], true);
    let save =
        json!({ "desk": opened["desk"], "text": "", "disk": opened["disk"], "overwrite": true });
    assert_eq!(showing.ask("save", &save).0, 403);
    assert_eq!(
        std::fs::read_to_string(showing.folder.join("games/fill.game")).expect("a file"),
        GAME
    );
}

#[test]
fn nothing_is_lost_when_the_program_is_killed() {
    let mut studio = Studio::start("killed", &[]);
    let opened = studio.open(json!({ "path": "fill.game" }));
    let desk = opened["desk"].clone();
    let text = GAME.replace("Fill", "Unsaved é 😀");
    let options = json!({ "Size": "2" });
    studio.grant("edit", json!({ "desk": desk, "text": text, "revision": 5, "options": options }));
    studio.grant("play", json!({ "desk": desk, "text": "drop a1" }));
    studio.grant("play", json!({ "desk": desk, "text": "drop b2" }));
    studio.grant("undo", json!({ "desk": desk }));
    studio.grant("play", json!({ "desk": desk, "text": "drop b1" }));
    // On Unix this is `kill -9`.
    studio.child.kill().expect("it runs");
    studio.child.wait().expect("it ends");
    let folder = std::mem::take(&mut studio.folder);
    let studio = Studio::again(folder, &[]);
    let home = studio.grant("home", json!({}));
    assert_eq!(home["drafts"][0]["draft"], desk);
    assert_eq!(home["drafts"][0]["title"], "Unsaved é 😀");
    let again = studio.open(json!({ "desk": desk }));
    assert_eq!(
        (&again["desk"], &again["text"], &again["draft"]),
        (&desk, &json!(text), &json!(true))
    );
    let game = &again["game"];
    assert_eq!((&game["ply"], game["tree"].as_array().map(Vec::len)), (&json!(2), Some(3)));
    assert_eq!(game["sites"].as_array().map(Vec::len), Some(4));
    assert_eq!(game["plies"][1]["text"], "drop b1");
}

#[test]
fn two_tabs_do_not_share_a_desk() {
    let studio = Studio::start("tabs", &[]);
    let first = studio.open(json!({ "path": "fill.game" }));
    let mut events = studio.connect();
    let address =
        format!("/{}/events?desk={}", studio.token, first["desk"].as_str().expect("a name"));
    write!(events, "GET {address} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", studio.port)
        .expect("a request");
    let mut begun = [0; 16];
    events.read_exact(&mut begun).expect("an answer");
    let second = studio.open(json!({ "desk": first["desk"] }));
    assert_ne!(first["desk"], second["desk"]);
    studio.grant("play", json!({ "desk": second["desk"], "text": "drop a1" }));
    let choices = studio.grant("choices", json!({ "desk": first["desk"], "chosen": [] }));
    assert_eq!(choices["sites"].as_array().map(Vec::len), Some(9));
    // A tab that is loaded again keeps its desk.
    drop(events);
    let deadline = Instant::now() + Duration::from_secs(10);
    while studio.open(json!({ "desk": first["desk"] }))["desk"] != first["desk"] {
        assert!(Instant::now() < deadline, "the desk is still taken");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn nothing_but_the_address_is_printed_to_standard_output() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/cicada.game");
    let output = Command::new(env!("CARGO_BIN_EXE_ludwright"))
        .args(["studio", "no-such-folder", "--no-open"])
        .output()
        .expect("the program");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let output = Command::new(env!("CARGO_BIN_EXE_ludwright"))
        .args(["studio", readme.to_str().expect("a path"), "--no-open"])
        .output()
        .expect("the program");
    assert_eq!(output.status.code(), Some(2));
    assert!(folder.is_file());
}

#[test]
fn everything_has_a_limit() {
    let studio = Studio::start("limits", &[]);
    // More desks than are kept in memory: those that made room come back when they are asked for.
    let first = studio.open(json!({ "path": "fill.game" }));
    for _ in 0..30 {
        studio.open(json!({ "path": "fill.game" }));
    }
    let desk = first["desk"].clone();
    let played = studio.grant("play", json!({ "desk": desk, "text": "drop a1" }));
    assert_eq!(played["game"]["ply"], 1);
    // Only what is not saved is a draft. It can be discarded, with its desk.
    assert_eq!(studio.grant("home", json!({}))["drafts"], json!([]));
    let text = GAME.replace("Fill", "Draft");
    studio.grant("edit", json!({ "desk": desk, "text": text, "revision": 1 }));
    assert_eq!(studio.grant("home", json!({}))["drafts"][0]["title"], "Draft");
    studio.grant("forget", json!({ "draft": desk }));
    assert_eq!(studio.grant("home", json!({}))["drafts"], json!([]));
    assert_eq!(studio.ask("play", &json!({ "desk": desk, "text": "drop a1" })).0, 404);
    // More files than are listed.
    for number in 0..600 {
        std::fs::write(studio.folder.join(format!("games/{number:03}.game")), GAME)
            .expect("a file");
    }
    let home = studio.grant("home", json!({}));
    assert_eq!((home["files"].as_array().map(Vec::len), &home["more"]), (Some(500), &json!(true)));
    // More jobs than run at a time, stopped at once.
    let desk = studio.open(json!({ "path": "fill.game" }))["desk"].clone();
    let arguments = json!({ "games": 100_000 });
    let job = json!({ "desk": desk, "kind": "playtest", "arguments": arguments });
    let started: Vec<(u16, Value)> = (0..20).map(|_| studio.ask("job", &job)).collect();
    let granted: Vec<&Value> =
        started.iter().filter(|(status, _)| *status == 200).map(|(_, answer)| answer).collect();
    assert_eq!(granted.len(), 4);
    assert!(started.iter().all(|(status, _)| matches!(status, 200 | 503)), "{started:?}");
    for job in granted {
        studio.grant("stop", json!({ "desk": desk, "job": job["job"] }));
    }
    let deadline = Instant::now() + Duration::from_secs(30);
    while studio.grant("jobs", json!({ "desk": desk })).to_string().contains("running") {
        assert!(Instant::now() < deadline, "the jobs go on");
        std::thread::sleep(Duration::from_millis(50));
    }
    // More moves than can be listed.
    let all = "(or (empty) (pieces))";
    let crowded = format!(
        "(game \"Crowd\" (players A B) (board (square 16)) (piece Stone)\n  \
         (move place (at s {all}) (at u {all}) (at v {all}) (put Stone v))\n  \
         (play (turns (choose place))))"
    );
    let crowd = studio.open(json!({}))["desk"].clone();
    let began = Instant::now();
    let edited = studio.grant("edit", json!({ "desk": crowd, "text": crowded, "revision": 1 }));
    assert!(edited["game"]["crowded"].is_string(), "{}", edited["check"]["findings"]);
    for (name, arguments) in [
        ("choices", json!({ "desk": crowd, "chosen": [] })),
        ("play", json!({ "desk": crowd, "text": "place a1 a1 a1" })),
        ("playChosen", json!({ "desk": crowd, "chosen": ["a1"] })),
        ("why", json!({ "desk": crowd, "site": "a1", "chosen": [] })),
        ("hint", json!({ "desk": crowd })),
        ("job", json!({ "desk": crowd, "kind": "playtest", "arguments": {} })),
    ] {
        assert_eq!(studio.ask(name, &arguments).0, 400, "{name}");
    }
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    // One hint at a time.
    let ask = || studio.ask("hint", &json!({ "desk": desk })).0;
    let hints: Vec<u16> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    assert!(hints.contains(&200) && hints.contains(&400), "{hints:?}");
}

#[test]
fn long_games_go_on_under_rules_that_change() {
    let studio = Studio::start("long", &[]);
    let text = GAME.replace("range 2 4", "range 2 8");
    let desk = studio.open(json!({}))["desk"].clone();
    let edit = |text: &str, revision: u64| {
        let options = json!({ "Size": "6" });
        let edit = json!({ "desk": desk, "text": text, "revision": revision, "options": options });
        studio.grant("edit", edit)
    };
    assert_eq!(edit(&text, 1)["check"]["ok"], true);
    for column in ["a", "b", "c", "d", "e"] {
        for row in 1..=5 {
            let ply = format!("drop {column}{row}");
            studio.grant("play", json!({ "desk": desk, "text": ply }));
        }
    }
    // What is asked at once is asked of the game under the new rules.
    assert_eq!(edit(&text.replace("Fill", "Filled"), 2)["check"]["ok"], true);
    let played = studio.grant("play", json!({ "desk": desk, "text": "drop f1" }));
    assert_eq!(played["game"]["ply"], 26);
    // Ply 13, on c3, is not legal any more.
    let less = text.replace("(put Stone t)", "(require (!= t c3)) (put Stone t)");
    assert_eq!(edit(&less, 3)["check"]["ok"], true);
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        // The same text again answers how the game is by now.
        let game = edit(&less, 4)["game"].clone();
        if game["stopped"]["ply"] == 13 && game["ply"] == 12 {
            break;
        }
        assert!(Instant::now() < deadline, "{game}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
