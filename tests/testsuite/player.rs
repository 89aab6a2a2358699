//! Pages that play, as players use them: opened from the disk in a real browser without a network,
//! clicked on and typed on; and the module in them, which must play as the program does.
//!
//! The tests need a browser and the module (`src/web/build.sh`). Without one of them they say loudly
//! that they did not run.

mod gallery;
mod games;
mod module;
mod use_of_pages;

use crate::studio::chromium::Chromium;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How the game at hand stands: what can be clicked next and where, and what tells this moment from
/// others.
const OFFERS: &str = "(() => {
  const found = [...document.querySelectorAll('[data-site].can, #choices button:not(.back), #menu button')];
  const inside = (each) => {
    const at = each.getBoundingClientRect();
    const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
    return each.contains(document.elementFromPoint(x, y)) ? [[x, y]] : [];
  };
  const moment = ['#plies', '#status', '#menu', '#choices'].map((id) => document.querySelector(id).textContent);
  const chosen = document.querySelectorAll('.chosen rect').length;
  return {
    over: Boolean(document.querySelector('#status.over')), all: found.length, places: found.flatMap(inside),
    moment: JSON.stringify([moment, chosen]),
  };
})()";

/// Returns the module for browsers.
pub fn module() -> Option<PathBuf> {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/web/ludwright.wasm.gz");
    let path = std::env::var_os("LUDWRIGHT_WEB_MODULE").map_or(built, PathBuf::from);
    if !path.is_file() {
        // Written directly, so that it is seen although the test passes.
        let _ = std::io::stderr().write_all(
            b"\n*** NO MODULE FOR BROWSERS: the pages that play were NOT TESTED. ***\n\
              *** Build it (src/web/build.sh says what that needs) and test again. ***\n\n",
        );
        return None;
    }
    Some(path)
}

/// A page that was made and opened.
struct Opened {
    page: Chromium,
    file: PathBuf,
}

/// Makes a page of a game; `None` if there is no module.
fn made(name: &str, arguments: &[&str]) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("player");
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(format!("{name}.html"));
    let _ = fs::remove_file(&file);
    let module = module()?;
    let output = Command::new(env!("CARGO_BIN_EXE_ludwright"))
        .arg("page")
        .args(arguments)
        .arg("--module")
        .arg(module)
        .arg("-O")
        .arg(&file)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("LUDWRIGHT_STATE", folder.join("state"))
        .output()
        .expect("the program");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(file)
}

impl Opened {
    /// Makes a page of a game and opens it on a phone without a network.
    fn begin(name: &str, arguments: &[&str]) -> Option<Opened> {
        let mut opened = Opened::prepare(name, arguments)?;
        opened.load("");
        Some(opened)
    }

    /// Makes a page of a game, for a phone without a network.
    fn prepare(name: &str, arguments: &[&str]) -> Option<Opened> {
        let file = made(name, arguments)?;
        let folder = file.parent().expect("a folder").join(name);
        fs::create_dir_all(&folder).expect("a folder");
        let mut opened = Opened { page: Chromium::start(&folder)?, file };
        opened.page.resize(360, 740);
        opened.page.command("Network.enable", json!({}));
        let offline = json!({ "offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0 });
        opened.page.command("Network.emulateNetworkConditions", offline);
        Some(opened)
    }

    /// Opens the page with the end of an address.
    fn load(&mut self, fragment: &str) {
        // The same file with another end of its address would not be loaded anew.
        self.page.command("Page.navigate", json!({ "url": "about:blank" }));
        self.page.until("location.href === 'about:blank'");
        self.page.open(&format!("file://{}{fragment}", self.file.display()));
        self.page.until("modules['player.js'].answering.connection?.draft");
        // What the page copies is kept for the test.
        self.page.eval(
            "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }",
        );
    }

    /// Asks the module, as the page does.
    fn ask(&mut self, name: &str, arguments: &Value) -> Value {
        self.page.eval(&format!(
            "modules['player.js'].answering.connection.ask({}, {arguments})\
             .catch((error) => ({{ refused: error.message }}))",
            json!(name)
        ))
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
            "document.querySelector({})?.textContent.includes({})",
            json!(selector),
            json!(text)
        ));
    }

    /// Counts the plies made.
    #[track_caller]
    fn wait_for_plies(&mut self, count: usize) {
        self.page.until(&format!(
            "document.querySelectorAll('#plies li:not(.start)').length === {count}"
        ));
    }

    /// Clicks a button and returns what it has copied.
    #[track_caller]
    fn copied(&mut self, button: &str) -> String {
        self.page.eval("window.copied = ''");
        self.page.eval(&format!("document.querySelector({}).click()", json!(button)));
        self.page.until("window.copied");
        self.page.eval("window.copied").as_str().expect("a text").to_owned()
    }

    /// Tests that no script failed and nothing was refused that the page needs.
    #[track_caller]
    fn end(mut self) {
        self.page.eval("0");
        assert!(self.page.complaints.is_empty(), "{}", self.page.complaints.join("\n"));
    }
}
