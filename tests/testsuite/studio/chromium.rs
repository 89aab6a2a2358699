//! Drives headless Chromium by its DevTools protocol, through a pipe: no driver, no port.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long the browser may take for an answer, and a page for what is expected of it, on a busy
/// machine.
const LIMIT: Duration = Duration::from_secs(60);

/// What a designer reads of the page, for whoever looks into a failure.
const SHOWN: &str =
    "['tour', 'check-line', 'findings', 'light', 'status', 'game-note', 'why', 'toasts']
  .map((id) => `${id}: ${document.getElementById(id).innerText}`).join('\\n')";

/// A browser with one page.
pub struct Chromium {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    next: u64,
    /// What scripts have thrown, and what the page was refused.
    pub complaints: Vec<String>,
    profile: PathBuf,
}

/// Finds a browser. Says loudly if there is none.
pub fn browser() -> Option<PathBuf> {
    let found = crate::browser::chromium();
    if found.is_none() {
        // Written directly, so that it is seen although the test passes.
        let _ = std::io::stderr().write_all(
            b"\n*** NO BROWSER: the studio was NOT TESTED as designers use it. ***\n\
              *** Install Chromium (Debian: apt-get install chromium) and test again. ***\n\n",
        );
    }
    found
}

impl Chromium {
    /// Starts the browser with a profile of its own and opens an empty page.
    pub fn start(browser: &Path, profile: &Path) -> Chromium {
        let mut child = Command::new("sh")
            // The browser reads commands from descriptor 3 and answers on 4.
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1"])
            .arg(browser)
            // Root may not use the sandbox; the page is our own.
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-sync"])
            .args(["--disable-component-update", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .args(["--window-size=1280,720", "about:blank"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser");
        let input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while output.read_until(0, &mut message).is_ok_and(|length| length > 0) {
                message.pop();
                let Ok(read) = serde_json::from_slice(&message) else { break };
                if sender.send(read).is_err() {
                    break;
                }
                message.clear();
            }
        });
        let mut made = Chromium {
            child,
            input,
            messages,
            session: None,
            next: 0,
            complaints: Vec::new(),
            profile: profile.to_owned(),
        };
        let targets = made.command("Target.getTargets", json!({}));
        let targets = targets["targetInfos"].as_array().expect("a list");
        let page = targets.iter().find(|target| target["type"] == "page").expect("a page");
        let wanted = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = made.command("Target.attachToTarget", wanted);
        made.session = attached["sessionId"].as_str().map(str::to_owned);
        let size = json!({ "width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false });
        made.command("Emulation.setDeviceMetricsOverride", size);
        for part in ["Page.enable", "Runtime.enable", "Log.enable"] {
            made.command(part, json!({}));
        }
        made
    }

    /// Sends a command and returns its answer.
    pub fn command(&mut self, method: &str, parameters: Value) -> Value {
        self.ask(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Result<Value, String> {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.input.write_all(format!("{message}\0").as_bytes()).expect("the browser listens");
        loop {
            let answer = self.messages.recv_timeout(LIMIT).expect("the browser answers");
            if answer["id"] == self.next {
                return match &answer["error"] {
                    Value::Null => Ok(answer["result"].clone()),
                    error => Err(error.to_string()),
                };
            }
            self.note(&answer);
        }
    }

    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                self.complaints.push(parameters["exceptionDetails"].to_string());
            }
            Some("Log.entryAdded") if parameters["entry"]["level"] == "error" => {
                let entry = &parameters["entry"];
                self.complaints.push(format!("{} {}", entry["text"], entry["url"]));
            }
            _ => {}
        }
    }

    /// Evaluates an expression of JavaScript; a promise is awaited.
    pub fn eval(&mut self, script: &str) -> Value {
        let wanted = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let answer = self.command("Runtime.evaluate", wanted);
        assert!(answer["exceptionDetails"].is_null(), "{script}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Opens an address.
    pub fn open(&mut self, address: &str) {
        self.command("Page.navigate", json!({ "url": address }));
        self.until("location.href !== 'about:blank' && document.readyState === 'complete'");
    }

    /// Waits until a condition holds in the page.
    #[track_caller]
    pub fn until(&mut self, condition: &str) {
        self.until_within(condition, LIMIT);
    }

    #[track_caller]
    pub fn until_within(&mut self, condition: &str, limit: Duration) {
        let began = Instant::now();
        // Navigation ends scripts that wait, so that each waits only a moment.
        let script = format!(
            "new Promise((done) => {{ const end = performance.now() + 500; const look = () => {{ \
             let holds = false; try {{ holds = Boolean({condition}); }} catch {{}} \
             if (holds || performance.now() > end) done(holds); else setTimeout(look, 4); }}; look(); }})"
        );
        loop {
            let wanted =
                json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
            // A script ends with an error when its page is left.
            let answer = self.ask("Runtime.evaluate", wanted);
            if answer.is_ok_and(|answer| answer["result"]["value"] == true) {
                return;
            }
            if began.elapsed() > limit {
                let page = self.eval(SHOWN);
                self.shoot("failed");
                let complaints = self.complaints.join("\n");
                panic!(
                    "it never holds that {condition}\n{complaints}\n{}",
                    page.as_str().unwrap_or("")
                );
            }
        }
    }

    /// Returns the middle of an element in the window, which is scrolled to it.
    #[track_caller]
    pub fn place(&mut self, selector: &str) -> (f64, f64) {
        let found = format!("document.querySelector({})", json!(selector));
        let middle = format!(
            "(() => {{ const found = {found}; if (!found?.getClientRects().length) return null; \
             found.scrollIntoView({{ block: 'nearest' }}); const at = found.getBoundingClientRect(); \
             return [at.x + at.width / 2, at.y + at.height / 2]; }})()"
        );
        loop {
            self.until(&format!("{found}?.getClientRects().length"));
            // A picture may have been drawn anew in the meantime.
            let middle = self.eval(&middle);
            if let Some([x, y]) = middle.as_array().map(Vec::as_slice) {
                return (x.as_f64().expect("a number"), y.as_f64().expect("a number"));
            }
        }
    }

    /// Moves the mouse, presses it, or releases it.
    pub fn mouse(&mut self, kind: &str, (x, y): (f64, f64)) {
        let (button, buttons) = match kind {
            "mousePressed" => ("left", 1),
            "mouseReleased" => ("left", 0),
            "mouseDragged" => ("left", 1),
            _ => ("none", 0),
        };
        let kind = if kind == "mouseDragged" { "mouseMoved" } else { kind };
        let event = json!({
            "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1,
        });
        self.command("Input.dispatchMouseEvent", event);
    }

    /// Clicks at a point.
    pub fn click_at(&mut self, at: (f64, f64)) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            self.mouse(kind, at);
        }
    }

    /// Clicks on an element.
    #[track_caller]
    pub fn click(&mut self, selector: &str) {
        let at = self.place(selector);
        self.click_at(at);
    }

    /// Drags from one element to another.
    #[track_caller]
    pub fn drag(&mut self, from: &str, to: &str) {
        let (from, to) = (self.place(from), self.place(to));
        self.mouse("mouseMoved", from);
        self.mouse("mousePressed", from);
        self.mouse("mouseDragged", ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0));
        self.mouse("mouseDragged", to);
        self.mouse("mouseReleased", to);
    }

    /// Presses a key, with `ctrl` or without.
    pub fn key(&mut self, key: &str, ctrl: bool) {
        let code = match key {
            "Backspace" => 8,
            "Enter" => 13,
            "Escape" => 27,
            "Tab" => 9,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "F2" => 113,
            "F6" => 117,
            "F8" => 119,
            "." => 190,
            one => u32::from(one.to_uppercase().as_bytes()[0]),
        };
        let mut event = json!({
            "type": "keyDown", "key": key, "windowsVirtualKeyCode": code,
            "modifiers": if ctrl { 2 } else { 0 },
        });
        if key == "Enter" {
            event["text"] = json!("\r");
        }
        self.command("Input.dispatchKeyEvent", event.clone());
        event["type"] = json!("keyUp");
        self.command("Input.dispatchKeyEvent", event);
    }

    /// Types a text, letter by letter.
    pub fn type_text(&mut self, text: &str) {
        for letter in text.chars() {
            if letter == '\n' {
                self.key("Enter", false);
                continue;
            }
            let letter = letter.to_string();
            let event = json!({ "type": "keyDown", "key": letter, "text": letter });
            self.command("Input.dispatchKeyEvent", event);
            self.command("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": letter }));
        }
    }

    /// Saves a picture of the page beside the profile, for whoever looks into a failure.
    pub fn shoot(&mut self, name: &str) {
        use std::fs;
        let answer = self.command("Page.captureScreenshot", json!({ "format": "png" }));
        let encoded = answer["data"].as_str().unwrap_or_default();
        let _ = fs::write(self.profile.with_file_name(format!("{name}.png.base64")), encoded);
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // Asked to close, it ends all of its processes.
        let _ = self.input.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        for _ in 0..100 {
            if self.child.try_wait().is_ok_and(|ended| ended.is_some()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(30));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
