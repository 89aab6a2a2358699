//! The studio as designers use it: its page in a real browser, with the mouse and the keyboard.
//!
//! Each test starts a studio in a folder of its own and opens a page in a headless Chromium, which
//! they share, and does what a designer does. Without a browser, the tests say loudly that they did
//! not run. What does not depend on the server is tested on a studio that is a page, too (`on_both`),
//! which needs the module for browsers.

/// Makes two tests of one: with the server, and on a studio that is a page.
macro_rules! on_both {
    ($($test:ident),* $(,)?) => {
        $(mod $test {
            use crate::studio::Host;

            #[test]
            fn with_the_server() {
                super::$test(Host::Server);
            }

            #[test]
            fn as_a_page() {
                super::$test(Host::Page);
            }
        })*
    };
}

mod asking;
mod axe;
pub mod chromium;
mod kept;
mod latency;
mod moving;
mod playing;
mod reading;
mod reworking;
mod seen;
mod sharing;
mod walk;
mod watching;
mod writing;

use chromium::Chromium;
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// The number of plies in the list, and of sites that can be chosen.
const PLIES: &str = "document.querySelectorAll('#plies li:not(.start)').length";
const CHOICES: &str = "document.querySelectorAll('[data-site].can').length";

/// What answers the page of a studio.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Host {
    /// The server of the program.
    Server,
    /// The module for browsers, in a page from the disk.
    Page,
}

/// A running studio, and its page in a browser.
struct Visit {
    host: Host,
    program: Option<Child>,
    address: String,
    folder: PathBuf,
    page: Chromium,
}

/// Starts the program; returns it with its address.
fn program(folder: &Path, arguments: &[&str]) -> (Child, String) {
    let built = env!("CARGO_BIN_EXE_ludwright").into();
    let mut child = Command::new(std::env::var_os("LUDWRIGHT_PROGRAM").unwrap_or(built))
        .arg("studio")
        .args(arguments)
        .arg("--no-open")
        .current_dir(folder.join("games"))
        .env("LUDWRIGHT_STATE", folder.join("state"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    let mut address = String::new();
    let output = child.stdout.as_mut().expect("its output");
    BufReader::new(output).read_line(&mut address).expect("its address");
    (child, address.trim().to_owned())
}

/// Writes the studio as a page, for all tests. What its pages keep, each browser profile has for itself.
fn site() -> Option<&'static Path> {
    static SITE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let site = SITE.get_or_init(|| {
        let module = crate::player::module()?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("studio-site");
        let _ = fs::remove_dir_all(&folder);
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
        command.args(["studio", "--site"]).arg(&folder).arg("--module").arg(module);
        let output = command.output().expect("the program");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(folder)
    });
    site.as_deref()
}

impl Visit {
    /// Begins a visit with these files in the folder, unless there is no browser.
    fn begin(name: &str, files: &[(&str, &str)], arguments: &[&str]) -> Option<Visit> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("studio").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("games")).expect("a folder");
        for (path, text) in files {
            let path = folder.join("games").join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let mut page = Chromium::start(&folder)?;
        let (program, address) = program(&folder, arguments);
        page.open(&address);
        Some(Visit { host: Host::Server, program: Some(program), address, folder, page })
    }

    /// Begins a visit with these files and this game open, unless there is no browser or no module.
    fn at(host: Host, name: &str, files: &[(&str, &str)], first: Option<&str>) -> Option<Visit> {
        if host == Host::Server {
            return Visit::begin(name, files, first.as_slice());
        }
        let site = site()?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("studio-page").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let mut page = Chromium::start(&folder)?;
        let address = format!("file://{}/index.html", site.display());
        page.open(&address);
        page.until("document.querySelector('.card')");
        let mut visit = Visit { host, program: None, address, folder, page };
        files.iter().for_each(|(path, text)| visit.store(path, text));
        if !files.is_empty() {
            visit.page.command("Page.reload", json!({}));
            visit.page.until("document.querySelector('#home-files button')");
        }
        match first {
            Some(_) if !files.is_empty() => visit.page.click("#home-files button"),
            Some(name) => visit.open_shipped(name),
            None => {}
        }
        Some(visit)
    }

    /// Does something with the files that the browser keeps, and returns what it comes to.
    fn in_store(&mut self, mode: &str, action: &str) -> serde_json::Value {
        self.page.eval(&format!(
            "new Promise((done) => {{ const opened = indexedDB.open('ludwright-studio', 1); \
             opened.onsuccess = () => {{ const change = opened.result.transaction('files', '{mode}'); \
             const asked = change.objectStore('files').{action}; \
             change.oncomplete = () => {{ opened.result.close(); done(asked.result); }}; }}; }})"
        ))
    }

    /// Puts a file beside the others.
    fn store(&mut self, path: &str, text: &str) {
        if self.host == Host::Page {
            self.in_store("readwrite", &format!("put({}, {})", json!(text), json!(path)));
            return;
        }
        let path = self.folder.join("games").join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// Returns the text of a file that is kept.
    #[track_caller]
    fn stored(&mut self, path: &str) -> String {
        if self.host == Host::Page {
            let text = self.in_store("readonly", &format!("get({})", json!(path)));
            return text.as_str().expect(path).to_owned();
        }
        fs::read_to_string(self.folder.join("games").join(path)).expect(path)
    }

    /// Lists the files that are kept, by name.
    fn files(&mut self) -> String {
        let mut names: Vec<String> = match self.host {
            Host::Page => {
                let names = self.in_store("readonly", "getAllKeys()");
                let names = names.as_array().into_iter().flatten();
                names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
            }
            Host::Server => {
                let root = self.folder.join("games");
                let (mut names, mut folders) = (Vec::new(), vec![root.clone()]);
                while let Some(folder) = folders.pop() {
                    for entry in fs::read_dir(folder).expect("a folder") {
                        let path = entry.expect("a file").path();
                        match path.is_dir() {
                            true => folders.push(path),
                            false => {
                                let name = path.strip_prefix(&root).expect("a file there");
                                names.push(name.display().to_string());
                            }
                        }
                    }
                }
                names
            }
        };
        names.sort();
        names.join(" ")
    }

    /// Opens a game from the first page.
    #[track_caller]
    fn open_shipped(&mut self, name: &str) {
        self.page.click(&format!("[data-game=\"{name}\"]"));
        self.wait_for_board();
    }

    #[track_caller]
    fn wait_for_board(&mut self) {
        self.page.until(
            "document.getElementById('home').hidden && document.querySelector('[data-site]')",
        );
    }

    /// Puts the caret after a text of the rules, and the focus into the editor.
    #[track_caller]
    fn put_caret_after(&mut self, text: &str) {
        let found = self.page.eval(&format!(
            "(() => {{ const field = document.querySelector('textarea'); const text = {}; \
             const at = field.value.indexOf(text); if (at < 0) return false; field.focus(); \
             field.setSelectionRange(at + text.length, at + text.length); return true; }})()",
            json!(text)
        ));
        assert_eq!(found, true, "{text} in {}", self.text());
    }

    /// Selects a text of the rules, so that what is typed replaces it.
    #[track_caller]
    fn select(&mut self, text: &str) {
        self.put_caret_after(text);
        let length = text.encode_utf16().count();
        self.page.eval(&format!(
            "(() => {{ const field = document.querySelector('textarea'); const end = field.selectionEnd; \
             field.setSelectionRange(end - {length}, end); }})()"
        ));
    }

    fn text(&mut self) -> String {
        let text = self.page.eval("document.querySelector('textarea').value");
        text.as_str().expect("a text").to_owned()
    }

    /// Returns the text that an element shows.
    fn shown(&mut self, selector: &str) -> String {
        let script = format!("document.querySelector({})?.innerText ?? ''", json!(selector));
        self.page.eval(&script).as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the text of an element contains something.
    #[track_caller]
    fn wait_for(&mut self, selector: &str, text: &str) {
        self.page.until(&format!(
            "document.querySelector({})?.innerText.includes({})",
            json!(selector),
            json!(text)
        ));
    }

    /// Waits until the rules as they are written are checked, and a finding has the text.
    #[track_caller]
    fn wait_for_finding(&mut self, text: &str) {
        self.page.until("!document.getElementById('check-line').ariaBusy");
        self.wait_for("#findings", text);
    }

    /// Waits until the rules as they are written have no errors and the board follows them.
    #[track_caller]
    fn wait_for_good_rules(&mut self) {
        self.page.until(
            "!document.getElementById('check-line').ariaBusy \
             && document.getElementById('check-line').className !== 'error' \
             && !document.getElementById('board-pane').classList.contains('faulty')",
        );
    }

    /// Sets a control to a value, as if it had been chosen.
    #[track_caller]
    fn set(&mut self, selector: &str, value: &str) {
        self.page.eval(&format!(
            "(() => {{ const control = document.querySelector({}); control.value = {}; \
             control.dispatchEvent(new Event('change')); }})()",
            json!(selector),
            json!(value)
        ));
    }

    /// Waits until this number of sites can be chosen.
    #[track_caller]
    fn wait_for_choices(&mut self, count: usize) {
        self.page.until(&format!("{CHOICES} === {count}"));
    }

    /// Waits until this number of plies is in the list, those of variations included.
    #[track_caller]
    fn wait_for_plies(&mut self, count: usize) {
        self.page.until(&format!("{PLIES} === {count}"));
    }

    /// Counts the plies in the list, those of variations included.
    fn plies(&mut self) -> u64 {
        self.page.eval(PLIES).as_u64().expect("a number")
    }

    /// Tests that no script failed and nothing was refused that the page needs.
    #[track_caller]
    fn end(mut self) {
        self.page.eval("0");
        assert!(self.page.complaints.is_empty(), "{}", self.page.complaints.join("\n"));
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        if let Some(program) = &mut self.program {
            let _ = program.kill();
            let _ = program.wait();
        }
    }
}
