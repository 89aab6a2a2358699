//! How long designers wait: from a key to its findings, and from a click to the board that shows it,
//! on the largest rules file that ships, on a board of 400 sites, and in the middle of a long game.
//!
//! The times are taken in the page, up to the picture in which the answer can be seen. The tests of
//! every run take few of them, and hold them to ten times what is wanted of a release build on a
//! quiet machine; this prints all figures:
//!
//! ```sh
//! cargo test --release --test testsuite studio::latency -- --ignored --nocapture
//! ```
//!
//! With `LUDWRIGHT_PROGRAM`, it measures another build of the program.

use super::Visit;
use std::time::Duration;

/// What is measured of each kind: for every run of the tests, and for the figures.
const FEW: usize = 6;
const MANY: usize = 50;
/// What findings may take.
const WANTED: f64 = 100.0;
/// Plies of the long game.
const PLIES: usize = 100;

/// Times, in milliseconds.
struct Times(Vec<f64>);

impl Times {
    fn percentile(&self, percent: usize) -> f64 {
        self.0[(self.0.len() - 1) * percent / 100]
    }

    /// Prints them, and tests that they are not ten times too long.
    #[track_caller]
    fn tell(&self, what: &str) {
        let (median, most) = (self.percentile(50), self.percentile(95));
        eprintln!("{what:50} median {median:4.0} ms, 95th percentile {most:4.0} ms");
        assert!(median < 10.0 * WANTED, "{what}: {median} ms");
    }
}

/// Begins to measure from an event to the next change of an element.
fn watch(visit: &mut Visit, event: &str, element: &str) {
    visit.page.eval(&format!(
        "(() => {{ window.measured = []; window.unwatch?.(); \
           const measure = () => {{ const began = performance.now(); \
             const seen = new MutationObserver(() => {{ seen.disconnect(); \
               requestAnimationFrame(() => measured.push(performance.now() - began)); }}); \
             seen.observe(document.getElementById('{element}'), {{ childList: true }}); }}; \
           addEventListener('{event}', measure, true); \
           window.unwatch = () => removeEventListener('{event}', measure, true); }})()"
    ));
}

fn measured(visit: &mut Visit) -> Times {
    let measured = visit.page.eval("measured");
    let mut times: Vec<f64> =
        measured.as_array().expect("a list").iter().filter_map(|time| time.as_f64()).collect();
    times.sort_by(f64::total_cmp);
    Times(times)
}

/// Makes and takes back a mistake in a word of the rules.
#[track_caller]
fn type_mistakes(visit: &mut Visit, after: &str, count: usize) -> Times {
    visit.wait_for_good_rules();
    watch(visit, "keydown", "check-line");
    for number in 1..=count {
        match number % 2 {
            1 => {
                visit.put_caret_after(after);
                visit.page.type_text("x");
            }
            _ => visit.page.key("Backspace", false),
        }
        visit.page.until(&format!("measured.length === {number}"));
    }
    if count % 2 == 1 {
        visit.page.key("Backspace", false);
    }
    visit.wait_for_good_rules();
    measured(visit)
}

/// Plays on sites that are free.
#[track_caller]
fn click_sites(visit: &mut Visit, count: usize) -> Times {
    watch(visit, "pointerup", "board");
    for number in 1..=count {
        // A step that leads all over the board.
        let free = format!(
            "(() => {{ const free = [...document.querySelectorAll('[data-site].can')]; \
             return free[{number} * 7919 % free.length]?.dataset.site; }})()"
        );
        visit.page.until(&free);
        let site = visit.page.eval(&free);
        visit.page.click(&format!("[data-site={}]", site.as_str().expect("a site")));
        visit.page.until(&format!("measured.length === {number}"));
    }
    measured(visit)
}

/// Go on a board of 20 by 20 sites.
fn large() -> String {
    let rules = include_str!("../../games/go.game");
    let at = rules.find("(board").expect("a board");
    let end = at + rules[at..].find('\n').expect("a line");
    format!("{}(board (square 20)){}", &rules[..at], &rules[end..])
}

fn measure(count: usize, plies: usize) {
    let name = format!("latency-{count}");
    let Some(mut visit) = Visit::begin(&name, &[("large.game", &large())], &["swarm"]) else {
        return;
    };
    visit.wait_for_board();
    type_mistakes(&mut visit, "(remember Due number", count).tell("a key to its findings, Swarm");
    visit.page.click("#go-home");
    visit.page.click("#home-files button");
    visit.page.until_within(
        "document.querySelectorAll('[data-site].can').length === 400",
        Duration::from_secs(60),
    );
    type_mistakes(&mut visit, "(put Stone t", count).tell("a key to its findings, 400 sites");
    click_sites(&mut visit, count).tell("a click to the board, 400 sites");
    if plies > count {
        click_sites(&mut visit, plies - count);
        type_mistakes(&mut visit, "(put Stone t", count)
            .tell(&format!("a key to its findings, 400 sites, {plies} plies"));
        click_sites(&mut visit, count).tell(&format!("a click to the board, {plies} plies"));
    }
    visit.end();
}

#[test]
fn findings_follow_the_keys_and_the_board_the_mouse() {
    measure(FEW, 0);
}

#[test]
#[ignore = "prints figures"]
fn figures() {
    measure(MANY, PLIES);
}
