//! Drives headless Chromium by its DevTools protocol, through a pipe: no driver, no port.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// How often an element is looked for that does not stay where it is.
const MAX_LOOKS: usize = 500;
/// How long the browser may take for an answer, and a page for what is expected of it, on a busy
/// machine.
const LIMIT: Duration = Duration::from_secs(60);

/// What a designer reads of the page, for whoever looks into a failure.
const SHOWN: &str =
    "['tour', 'check-line', 'findings', 'light', 'status', 'game-note', 'why', 'toasts']
  .map((id) => `${id}: ${document.getElementById(id)?.innerText}`).join('\\n')";

/// A running browser. All tests share it, because starting one takes seconds; it ends with them, as
/// soon as nobody holds the other end of its pipe.
struct Browser {
    /// Not waited for: it outlives the last test by a moment.
    _process: Child,
    input: Mutex<ChildStdin>,
    /// Who waits for the messages of a page; those of the browser itself have no name.
    listeners: Mutex<HashMap<String, Sender<Value>>>,
    /// Held while the browser itself is asked.
    own: Mutex<Receiver<Value>>,
    next: AtomicU64,
}

/// A page in a profile of its own.
pub struct Chromium {
    browser: &'static Browser,
    context: String,
    target: String,
    session: String,
    messages: Receiver<Value>,
    /// What scripts have thrown, and what the page was refused.
    pub complaints: Vec<String>,
    /// The sessions of its workers, once it was asked for them.
    workers: Vec<String>,
    folder: PathBuf,
}

static BROWSER: OnceLock<Option<Browser>> = OnceLock::new();

/// Returns the browser. Says loudly if there is none.
fn browser() -> Option<&'static Browser> {
    let found =
        BROWSER.get_or_init(|| crate::browser::chromium().map(|path| Browser::start(&path)));
    if found.is_none() {
        // Written directly, so that it is seen although the test passes.
        let _ = std::io::stderr().write_all(
            b"\n*** NO BROWSER: the studio was NOT TESTED as designers use it. ***\n\
              *** Install Chromium (Debian: apt-get install chromium) and test again. ***\n\n",
        );
    }
    found.as_ref()
}

impl Browser {
    fn start(program: &Path) -> Browser {
        let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join("studio-profile");
        let _ = std::fs::remove_dir_all(&profile);
        let mut child = Command::new("sh")
            // The browser reads commands from descriptor 3 and answers on 4.
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1"])
            .arg(program)
            // Root may not use the sandbox; the page is our own.
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-sync"])
            .args(["--disable-component-update", "--remote-debugging-pipe"])
            // Several pages are used at a time.
            .args(["--disable-renderer-backgrounding", "--disable-background-timer-throttling"])
            .arg("--disable-backgrounding-occluded-windows")
            .arg(format!("--user-data-dir={}", profile.display()))
            .args(["--window-size=1280,720", "about:blank"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser");
        let input = Mutex::new(child.stdin.take().expect("a pipe"));
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, own) = channel();
        let listeners = Mutex::new(HashMap::from([(String::new(), sender)]));
        std::thread::spawn(move || read(output));
        let (own, next) = (Mutex::new(own), AtomicU64::new(1));
        Browser { _process: child, input, listeners, own, next }
    }

    /// Sends a command, for a page or for the browser itself; returns its number.
    fn send(&self, session: &str, method: &str, parameters: Value) -> u64 {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut message = json!({ "id": number, "method": method, "params": parameters });
        if !session.is_empty() {
            message["sessionId"] = json!(session);
        }
        let mut input = self.input.lock().expect("the pipe");
        input.write_all(format!("{message}\0").as_bytes()).expect("the browser listens");
        number
    }

    /// Asks the browser itself.
    fn ask(&self, method: &str, parameters: Value) -> Value {
        let messages = self.own.lock().expect("the messages");
        let number = self.send("", method, parameters);
        loop {
            let answer = messages.recv_timeout(LIMIT).expect("the browser answers");
            if answer["id"] == number {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }
}

/// Hands the messages of the browser to those who wait for them.
fn read(mut output: BufReader<ChildStdout>) {
    let mut message = Vec::new();
    while output.read_until(0, &mut message).is_ok_and(|length| length > 0) {
        message.pop();
        let Ok(read) = serde_json::from_slice::<Value>(&message) else { break };
        message.clear();
        let session = read["sessionId"].as_str().unwrap_or_default();
        // A page may be closed while messages of it are on their way.
        if let Some(Some(browser)) = BROWSER.get() {
            let listeners = browser.listeners.lock().expect("the listeners");
            if let Some(listener) = listeners.get(session) {
                let _ = listener.send(read);
            }
        }
    }
}

impl Chromium {
    /// Opens an empty page with a profile of its own, unless there is no browser. Pictures of
    /// failures go to the folder.
    pub fn start(folder: &Path) -> Option<Chromium> {
        let browser = browser()?;
        let context = browser.ask("Target.createBrowserContext", json!({}));
        let context = context["browserContextId"].as_str().expect("a name").to_owned();
        Some(Chromium::page(browser, context, folder))
    }

    /// Opens another page with the same profile.
    pub fn beside(&self) -> Chromium {
        Chromium::page(self.browser, self.context.clone(), &self.folder)
    }

    fn page(browser: &'static Browser, context: String, folder: &Path) -> Chromium {
        let name = |answer: Value, key: &str| answer[key].as_str().expect("a name").to_owned();
        let wanted =
            json!({ "url": "about:blank", "browserContextId": context, "newWindow": true });
        let target = name(browser.ask("Target.createTarget", wanted), "targetId");
        let wanted = json!({ "targetId": target, "flatten": true });
        let session = name(browser.ask("Target.attachToTarget", wanted), "sessionId");
        let (sender, messages) = channel();
        browser.listeners.lock().expect("the listeners").insert(session.clone(), sender);
        let mut made = Chromium {
            browser,
            context,
            target,
            session,
            messages,
            complaints: Vec::new(),
            workers: Vec::new(),
            folder: folder.to_owned(),
        };
        made.resize(1280, 720);
        made.command("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
        for part in ["Page.enable", "Runtime.enable", "Log.enable"] {
            made.command(part, json!({}));
        }
        made
    }

    /// Sets the size of the window.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.command("Emulation.setDeviceMetricsOverride", size);
    }

    /// Makes the page light or dark.
    pub fn set_dark(&mut self, is_dark: bool) {
        let value = if is_dark { "dark" } else { "light" };
        let feature = json!({ "name": "prefers-color-scheme", "value": value });
        self.command("Emulation.setEmulatedMedia", json!({ "features": [feature] }));
    }

    /// Sends a command and returns its answer.
    pub fn command(&mut self, method: &str, parameters: Value) -> Value {
        self.ask(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Result<Value, String> {
        let number = self.browser.send(&self.session, method, parameters);
        loop {
            let answer = self.messages.recv_timeout(LIMIT).expect("the browser answers");
            if answer["id"] == number {
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
            Some("Target.attachedToTarget") if parameters["targetInfo"]["type"] == "worker" => {
                let session = parameters["sessionId"].as_str().unwrap_or_default();
                self.workers.push(session.to_owned());
            }
            Some("Target.detachedFromTarget") => {
                self.workers.retain(|session| parameters["sessionId"] != **session);
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

    /// Evaluates an expression in every worker of the page.
    pub fn eval_in_workers(&mut self, script: &str) {
        let wanted =
            json!({ "autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true });
        self.command("Target.setAutoAttach", wanted);
        // Those that have ended in the meantime are known after an answer.
        self.eval("0");
        assert!(!self.workers.is_empty(), "the page has no workers");
        for session in self.workers.clone() {
            let (sender, answers) = channel();
            self.browser.listeners.lock().expect("the listeners").insert(session.clone(), sender);
            let number =
                self.browser.send(&session, "Runtime.evaluate", json!({ "expression": script }));
            let answer = loop {
                let answer = answers.recv_timeout(LIMIT).expect("the worker answers");
                if answer["id"] == number {
                    break answer;
                }
            };
            self.browser.listeners.lock().expect("the listeners").remove(&session);
            assert!(answer["result"]["exceptionDetails"].is_null(), "{script}: {answer}");
        }
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

    /// Returns the middle of an element in the window, which is scrolled to it, once it rests.
    #[track_caller]
    pub fn place(&mut self, selector: &str) -> (f64, f64) {
        let found = format!("document.querySelector({})", json!(selector));
        let middle = format!(
            "(() => {{ const found = {found}; if (!found?.getClientRects().length) return null; \
             found.scrollIntoView({{ block: 'nearest' }}); const at = found.getBoundingClientRect(); \
             return [at.x + at.width / 2, at.y + at.height / 2]; }})()"
        );
        let mut before = None;
        for _ in 0..MAX_LOOKS {
            self.until(&format!("{found}?.getClientRects().length"));
            // It may have been drawn anew in the meantime, or make room for something.
            let middle = self.eval(&middle);
            if let Some([x, y]) = middle.as_array().map(Vec::as_slice) {
                let at = (x.as_f64().expect("a number"), y.as_f64().expect("a number"));
                if before.replace(at) == Some(at) {
                    return at;
                }
            }
        }
        panic!("{selector} does not come to rest");
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

    /// Drags from one element to another with a finger.
    #[track_caller]
    pub fn drag_by_finger(&mut self, from: &str, to: &str) {
        let (from, to) = (self.place(from), self.place(to));
        let between = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let steps =
            [("touchStart", Some(from)), ("touchMove", Some(between)), ("touchMove", Some(to))];
        for (kind, at) in steps.into_iter().chain([("touchEnd", None)]) {
            let points: Vec<Value> = at.iter().map(|(x, y)| json!({ "x": x, "y": y })).collect();
            self.command(
                "Input.dispatchTouchEvent",
                json!({ "type": kind, "touchPoints": points }),
            );
        }
    }

    /// Clicks on what asks for files of the computer, and chooses these for the field that appears.
    #[track_caller]
    pub fn choose_files(&mut self, button: &str, field: &str, files: &[&Path]) {
        self.command("Page.setInterceptFileChooserDialog", json!({ "enabled": true }));
        self.click(button);
        self.until(&format!("document.querySelector({})", json!(field)));
        let root = self.command("DOM.getDocument", json!({}))["root"]["nodeId"].clone();
        let wanted = json!({ "nodeId": root, "selector": field });
        let node = self.command("DOM.querySelector", wanted)["nodeId"].clone();
        self.command("DOM.setFileInputFiles", json!({ "nodeId": node, "files": files }));
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
            "F9" => 120,
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

    /// Saves a picture of the page, for whoever looks into a failure.
    pub fn shoot(&mut self, name: &str) {
        use std::fs;
        let answer = self.command("Page.captureScreenshot", json!({ "format": "png" }));
        let encoded = answer["data"].as_str().unwrap_or_default();
        let _ = fs::write(self.folder.join(format!("{name}.png.base64")), encoded);
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        if let Ok(mut listeners) = self.browser.listeners.lock() {
            listeners.remove(&self.session);
        }
        self.browser.send("", "Target.closeTarget", json!({ "targetId": self.target }));
    }
}
