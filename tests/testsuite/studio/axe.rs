//! Every view of the studio is examined by axe-core, a tool for the accessibility of pages, at three
//! sizes, light and dark, with the server and as a page. `LUDWRIGHT_AXE` names its script (`axe.min.js` of the package `axe-core`);
//! without it, the test says loudly that it did not run. What it has found once is also looked for
//! by `look.js`, which needs nothing.

use super::{Host, Visit};
use serde_json::json;
use std::io::Write;
use std::time::Duration;

const SIZES: [(u32, u32); 3] = [(1440, 900), (1024, 768), (390, 844)];

on_both! {
    home_and_the_tour_are_accessible,
    play_is_accessible,
    quick_answers_are_accessible,
    searches_and_their_answers_are_accessible,
    panels_are_accessible,
    writing_is_accessible,
}

/// Returns a line for each rule that is violated, with the elements.
const EXAMINE: &str = "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => \
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => \
    `${id}: ${target.join(' ')}: ${failureSummary.replaceAll('\\n', ' ').slice(0, 300)}`)))";

struct Examination {
    visit: Visit,
    /// The layout that is shown, which a narrow window would otherwise choose by itself.
    layout: &'static str,
    faults: Vec<String>,
}

impl Examination {
    /// Examines what is shown.
    fn look(&mut self, what: &str) {
        for (width, height) in SIZES {
            self.visit.page.resize(width, height);
            if !self.layout.is_empty() {
                self.visit
                    .page
                    .eval(&format!("document.getElementById('layout-{}').click()", self.layout));
            }
            for scheme in ["dark", "light"] {
                self.visit.page.set_dark(scheme == "dark");
                // A moment for what follows the size of the window.
                self.visit.page.eval("new Promise((done) => setTimeout(done, 150))");
                let found = self.visit.page.eval(EXAMINE);
                for fault in found.as_array().expect("a list") {
                    let fault = format!("{what}, {width}, {scheme}: {fault}");
                    eprintln!("{fault}");
                    self.faults.push(fault);
                }
                self.visit.page.shoot(&format!("{what}-{width}-{scheme}"));
            }
        }
        self.visit.page.resize(1280, 800);
    }

    /// Shows a layout.
    fn lay_out(&mut self, layout: &'static str) {
        self.layout = layout;
        self.visit.page.click(&format!("#layout-{layout}"));
    }

    /// Opens a window, examines it and closes it.
    fn look_into(&mut self, opener: &str, what: &str) {
        self.visit.page.click(opener);
        self.visit.page.until("document.querySelector('dialog[open]')");
        self.look(what);
        self.visit.page.key("Escape", false);
        self.visit.page.until("!document.querySelector('dialog[open]')");
    }

    /// Asks something, and examines the form and the answer with all details unfolded.
    fn ask(&mut self, kind: &str, fields: &[(&str, &str)]) {
        self.visit.page.click(&format!("#ask-{kind}"));
        for (field, value) in fields {
            self.visit.set(&format!("#ask-fields [name={field}]"), value);
        }
        self.look(&format!("{kind}-form"));
        self.visit.page.click("#ask-start");
        let done =
            format!("document.querySelector('.job[data-kind={kind}]')?.dataset.state === 'done'");
        self.visit.page.until_within(&done, Duration::from_secs(120));
        self.visit.page.eval(
            "document.querySelectorAll('.job details').forEach((part) => { part.open = true; })",
        );
        self.look(&format!("{kind}-answer"));
    }

    fn end(self) {
        assert!(self.faults.is_empty(), "{}", json!(self.faults));
        self.visit.end();
    }
}

/// Opens the studio with a file of rules, at home.
fn at_home(host: Host, name: &str) -> Option<Examination> {
    let Some(script) = std::env::var_os("LUDWRIGHT_AXE") else {
        let _ = std::io::stderr().write_all(
            b"\n*** NO axe-core: the accessibility of the studio was NOT EXAMINED by it. ***\n\
              *** Set LUDWRIGHT_AXE to its axe.min.js and test again. ***\n\n",
        );
        return None;
    };
    let script = std::fs::read_to_string(script).expect("the script");
    let rules = include_str!("../../games/tic-tac-toe.game");
    let mut visit = Visit::at(host, name, &[("mine.game", rules)], None)?;
    visit.page.eval(&format!("{script}; true"));
    // A colour that is on its way from one scheme to the other is none that anybody reads.
    visit.page.eval("const still = new CSSStyleSheet(); still.replaceSync('* { transition: none !important; }'); document.adoptedStyleSheets.push(still)");
    visit.page.until("document.querySelector('#home-files .thumb svg')");
    Some(Examination { visit, layout: "", faults: Vec::new() })
}

/// Opens the file of rules, in a layout.
fn at_the_rules(host: Host, name: &str, layout: &'static str) -> Option<Examination> {
    let mut seen = at_home(host, name)?;
    seen.visit.page.click("#home-files button");
    seen.visit.wait_for_board();
    seen.visit.wait_for_good_rules();
    seen.lay_out(layout);
    Some(seen)
}

fn home_and_the_tour_are_accessible(host: Host) {
    let Some(mut seen) = at_home(host, "axe-home") else { return };
    seen.look("home");
    seen.visit.page.click("#home-tour");
    seen.visit.wait_for("#tour", "1 of 10");
    seen.look("tour");
    seen.end();
}

fn play_is_accessible(host: Host) {
    let Some(mut seen) = at_the_rules(host, "axe-play", "play") else { return };
    seen.look("play");
    seen.visit.page.click("[data-site=b2]");
    seen.visit.wait_for_plies(1);
    seen.visit.page.click("[data-site=b2]");
    seen.visit.page.until("!document.getElementById('why').hidden");
    seen.look("why");
    seen.visit.page.click("#must-be");
    seen.look("must");
    seen.visit.page.click("#must .link");
    seen.visit.page.until("document.querySelector('form.must')");
    seen.look("must-case");
    seen.end();
}

fn quick_answers_are_accessible(host: Host) {
    let Some(mut seen) = at_the_rules(host, "axe-quick", "ask") else { return };
    seen.ask("playtest", &[("strength", "beginner"), ("games", "20")]);
    seen.ask("cases", &[]);
    seen.ask("claims", &[]);
    seen.end();
}

fn searches_and_their_answers_are_accessible(host: Host) {
    let Some(mut seen) = at_the_rules(host, "axe-searches", "ask") else { return };
    seen.ask("solve", &[]);
    seen.ask("deep", &[]);
    for kind in ["sweep", "diff"] {
        seen.visit.page.click(&format!("#ask-{kind}"));
        seen.look(&format!("{kind}-form"));
    }
    seen.end();
}

/// On a phone, the panels are below the board.
fn panels_are_accessible(host: Host) {
    let Some(mut seen) = at_the_rules(host, "axe-panels", "play") else { return };
    for tab in ["options", "look", "share"] {
        seen.visit.page.click(&format!("#tab-{tab}"));
        seen.look(tab);
    }
    seen.look_into("#set-up", "set-up");
    seen.end();
}

fn writing_is_accessible(host: Host) {
    let Some(mut seen) = at_the_rules(host, "axe-writing", "write") else { return };
    seen.look("write");
    seen.look_into("#open-search", "search");
    seen.look_into("#keys", "keys");
    seen.look_into("#save-as", "save-as");
    seen.look_into("#rework", "rework");
    seen.visit.put_caret_after("(piece ");
    seen.visit.page.type_text("x");
    seen.visit.page.until("document.querySelector('#check-line.error')");
    seen.look("mistakes");
    seen.visit.put_caret_after("(to t (");
    seen.visit.page.eval("document.querySelector('textarea').dispatchEvent(new KeyboardEvent('keydown', { key: ' ', ctrlKey: true, bubbles: true }))");
    seen.look("completion");
    seen.end();
}
