//! The page can be read and used by everybody: in windows of several sizes, in light and dark, with
//! the keyboard alone, by those who may only look; and whatever a game is called stays text.

use super::sharing::CATCH;
use super::{Host, Visit};
use serde_json::json;
use std::fs;

on_both! {
    everything_can_be_read_and_reached,
    the_keyboard_is_enough,
    an_explanation_covers_neither_the_board_nor_the_legend,
    what_is_called_like_markup_stays_text,
}

const LOOK: &str = include_str!("look.js");
const SIZES: [(u32, u32); 5] = [(360, 740), (390, 844), (768, 1024), (1920, 1080), (1280, 720)];

/// Looks at the page in every size, light and dark.
#[track_caller]
fn look(visit: &mut Visit, what: &str) {
    let mut faults: Vec<String> = Vec::new();
    let mut add = |found: serde_json::Value, place: &str| {
        let found = found.as_array().expect("a list").iter();
        faults.extend(found.map(|fault| format!("{what}, {place}: {fault}")));
    };
    for (width, height) in SIZES {
        visit.page.resize(width, height);
        for is_dark in [true, false] {
            visit.page.set_dark(is_dark);
            let scheme = if is_dark { "dark" } else { "light" };
            add(visit.page.eval(LOOK), &format!("{width} wide, {scheme}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Counts the rows of the controls below the board.
fn rows_of_controls(visit: &mut Visit) -> u64 {
    let rows = "new Set([...document.querySelectorAll('#controls > *')].filter((each) => each.getClientRects().length) \
        .map((each) => { const { top, bottom } = each.getBoundingClientRect(); return Math.round((top + bottom) / 8); })).size";
    visit.page.eval(rows).as_u64().expect("a number")
}

fn everything_can_be_read_and_reached(host: Host) {
    let Some(mut visit) = Visit::at(host, "reading", &[], None) else { return };
    visit.page.until("document.querySelector('.card')");
    look(&mut visit, "first visit");
    visit.open_shipped("lichen-chess");
    visit.page.until("document.querySelector('[data-site].can')");
    look(&mut visit, "a game");
    // On a phone, the whole board is there before anything is scrolled.
    visit.page.resize(360, 740);
    visit.page.eval("scrollTo(0, 0)");
    let ends = "document.getElementById('board').getBoundingClientRect().bottom";
    let ends = visit.page.eval(ends).as_f64().expect("a number");
    assert!(ends < 740.0, "the board ends at {ends}");
    assert!(rows_of_controls(&mut visit) <= 2, "more than two rows of controls on a phone");
    visit.page.resize(1280, 720);
    visit.page.click("#layout-write");
    assert!(rows_of_controls(&mut visit) <= 2, "more than two rows of controls beside the rules");
    // Every site says where it is, what is on it, and whether it can be chosen.
    let labels = visit.page.eval(
        "[...document.querySelectorAll('[data-site]')].map((site) => site.getAttribute('aria-label'))",
    );
    let labels: Vec<&str> =
        labels.as_array().expect("a list").iter().filter_map(|label| label.as_str()).collect();
    assert_eq!(labels.len(), 15);
    assert!(labels.iter().all(|label| label.contains(", ")), "{labels:?}");
    assert!(labels.iter().any(|label| label.ends_with("can be chosen")), "{labels:?}");
    visit.page.click("[data-site].can");
    visit.page.until("document.querySelector('#menu button')");
    look(&mut visit, "a menu");
    visit.page.click("#menu button");
    visit.wait_for_plies(1);
    visit.page.until("document.querySelector('[data-site].can')");
    visit.page.click("[data-site]:not(.can)");
    visit.page.until("!document.getElementById('why').hidden");
    visit.put_caret_after("(piece ");
    visit.page.type_text("x");
    visit.page.until("document.querySelector('#check-line.error')");
    // A narrow window shows the rules when they are asked for.
    visit.page.resize(360, 740);
    visit.page.click("#layout-write");
    look(&mut visit, "mistakes");
    for tab in ["options", "look", "ask", "share"] {
        visit.page.click(&format!("#tab-{tab}"));
        look(&mut visit, tab);
    }
    // Each layout is shown by its button and by a key, and kept over a reload.
    visit.page.click("#layout-play");
    look(&mut visit, "play");
    let board = "document.getElementById('board').getBoundingClientRect().height / innerHeight";
    let share = visit.page.eval(board).as_f64().expect("a number");
    assert!(share > 0.85, "the board has {share} of the window's height");
    visit.page.key("F9", false);
    visit.page.until("document.body.dataset.layout === 'write'");
    visit.page.eval("document.getElementById('divide-rules').focus()");
    let width = "document.getElementById('rules').clientWidth";
    let before = visit.page.eval(width).as_f64().expect("a number");
    visit.page.key("ArrowRight", false);
    visit.page.until(&format!("{width} > {before}"));
    for kind in ["sweep", "solve", "claims", "cases", "deep", "diff"] {
        visit.page.click("#layout-ask");
        visit.page.click(&format!("#ask-{kind}"));
        look(&mut visit, kind);
    }
    visit.page.click("#layout-write");
    for open in ["#open-search", "#keys", "#save-as", "#rework"] {
        visit.page.click(open);
        visit.page.until("document.querySelector('dialog[open]')");
        look(&mut visit, open);
        visit.page.key("Escape", false);
        visit.page.until("!document.querySelector('dialog[open]')");
    }
    // What is set up, and what is demanded, needs rules without errors.
    visit.put_caret_after("(piece x");
    visit.page.key("Backspace", false);
    visit.wait_for_good_rules();
    visit.page.click("#set-up");
    visit.page.until("document.querySelector('.set-up [data-site]')");
    look(&mut visit, "set-up");
    visit.page.key("Escape", false);
    visit.page.until("!document.querySelector('dialog[open]')");
    visit.page.click("#must-be");
    visit.page.click("#board [data-site].can");
    look(&mut visit, "what must be so");
    visit.page.click("#must .link");
    visit.page.until("document.querySelector('form.must')");
    look(&mut visit, "a case");
    visit.page.key("Escape", false);
    visit.page.until("!document.querySelector('dialog[open]')");
    visit.page.click("#go-home");
    visit.page.click("#home-tour");
    visit.wait_for("#tour", "1 of 10");
    look(&mut visit, "the tour");
    visit.end();
}

fn an_explanation_covers_neither_the_board_nor_the_legend(host: Host) {
    let Some(mut visit) = Visit::at(host, "explanation", &[], Some("kitaran")) else { return };
    visit.page.click("#board [data-site=b2]");
    visit.wait_for_plies(1);
    for (layout, width, height) in
        [("write", 1280, 800), ("ask", 1280, 800), ("play", 1280, 800), ("play", 390, 844)]
    {
        visit.page.resize(width, height);
        visit.page.click(&format!("#layout-{layout}"));
        let size = "document.querySelector('#board svg').getBoundingClientRect().height";
        let before = visit.page.eval(size).as_f64().expect("a number");
        visit.page.click("#board [data-site=b2]");
        visit.page.until("!document.getElementById('why').hidden");
        let covered = "[...document.querySelectorAll('#board svg, #legend li')].filter((each) => { \
            const [one, other] = [each, document.getElementById('why')].map((each) => each.getBoundingClientRect()); \
            return one.left < other.right && other.left < one.right && one.top < other.bottom - 1 && other.top < one.bottom - 1; \
            }).map((each) => each.outerHTML.slice(0, 80))";
        assert_eq!(visit.page.eval(covered), json!([]), "{layout} at {width}");
        // The board keeps most of its size, and the controls their place below it.
        let after = visit.page.eval(size).as_f64().expect("a number");
        assert!(after > 0.6 * before, "{layout} at {width}: {after} of {before} pixels");
        let wide = "document.getElementById('controls').clientWidth / document.getElementById('talk').clientWidth";
        assert!(visit.page.eval(wide).as_f64() > Some(0.9), "{layout} at {width}");
        let is_seen =
            "document.getElementById('why').getBoundingClientRect().top < innerHeight - 20";
        assert_eq!(visit.page.eval(is_seen), true, "{layout} at {width}");
        visit.page.click("#why .close");
    }
    // What a requirement refers to is no failure.
    visit.page.click("#board [data-site=b3]");
    visit.wait_for_plies(2);
    visit.page.click("#board [data-site=b2]");
    visit.wait_for("#why", "taken");
    let kinds = "[...document.querySelectorAll('#why li')].map((each) => `${each.className} ${each.innerText}`)";
    let kinds = visit.page.eval(kinds);
    let kinds: Vec<&str> =
        kinds.as_array().into_iter().flatten().filter_map(|kind| kind.as_str()).collect();
    assert!(kinds.iter().any(|kind| kind.starts_with("fails (require")), "{kinds:?}");
    assert!(kinds.iter().any(|kind| kind.starts_with("fact taken")), "{kinds:?}");
    visit.end();
}

fn the_keyboard_is_enough(host: Host) {
    let Some(mut visit) = Visit::at(host, "keyboard", &[], None) else { return };
    visit.page.until("document.activeElement.id === 'home-title'");
    let focus = "document.activeElement.dataset.game ?? document.activeElement.dataset.site \
        ?? document.activeElement.id";
    let tab_to = |visit: &mut Visit, wanted: &str| {
        for _ in 0..60 {
            visit.page.key("Tab", false);
            if visit.page.eval(focus) == wanted {
                return;
            }
        }
        panic!("Tab does not lead to {wanted}");
    };
    tab_to(&mut visit, "kitaran");
    visit.page.key("Enter", false);
    visit.wait_for_board();
    visit.wait_for_choices(25);
    // From the rules to the board, and a stone in its middle.
    visit.page.eval("document.querySelector('textarea').focus()");
    visit.page.key("F6", false);
    visit.page.until("document.activeElement.dataset.site");
    let start = visit.page.eval(focus);
    visit.page.key("ArrowRight", false);
    assert_ne!(visit.page.eval(focus), start);
    visit.page.key("Enter", false);
    visit.wait_for_plies(1);
    visit.wait_for("#said", "place");
    // The focus stays on the board, and Tab leads on to the controls and the panels.
    visit.page.until("document.activeElement.dataset.site");
    tab_to(&mut visit, "undo");
    visit.page.key("Enter", false);
    visit.page.until("document.querySelector('#plies .start [aria-current]')");
    tab_to(&mut visit, "tab-game");
    visit.page.key("ArrowRight", false);
    visit.page.until("!document.getElementById('panel-options').hidden");
    visit.end();
}

fn what_is_called_like_markup_stays_text(host: Host) {
    const NAME: &str = "<img src=x onerror=pwned()>";
    let rules = format!(
        "(game \"{NAME}\"\n  (about \"{NAME}\")\n  (players Black White)\n  \
         (option Size (range 3 4) 3 \"{NAME}\")\n  (board (square Size))\n  (piece Stone)\n  \
         (move place (to t (empty)) (put Stone t))\n  (play (turns (choose place)))\n  \
         (end (if (none (empty)) (draw)))\n  (claim \"{NAME}\" (never-repeats)))\n"
    );
    let file = format!("{NAME}.game").replace('/', "");
    let Some(mut visit) = Visit::at(host, "markup", &[(&file, &rules)], None) else { return };
    visit.wait_for("#home-files", NAME);
    visit.page.click("#home-files button");
    visit.wait_for_board();
    visit.wait_for("#title", NAME);
    visit.page.click("#tab-options");
    visit.wait_for("#options", NAME);
    visit.put_caret_after("(piece Stone)");
    visit.page.type_text("\n\"<script>pwned()</script>");
    visit.page.until("document.querySelector('#check-line.error')");
    visit.select("\n  \"<script>pwned()</script>");
    visit.page.key("Backspace", false);
    visit.wait_for_good_rules();
    visit.page.click("#tab-ask");
    visit.page.click("#ask-claims");
    visit.page.click("#ask-start");
    visit.wait_for("#jobs", NAME);
    // Pages that are given away bring their own scripts, and are looked at as they are served.
    visit.page.eval(
        "window.open = () => ({ location: { set href(address) { window.shared = address; } }, close() {} })",
    );
    visit.page.eval(CATCH);
    visit.page.click("#tab-share");
    for page in ["page", "sheet"] {
        visit.page.eval("window.shared = ''; window.caught = []");
        visit.page.click(&format!("#share-{page}"));
        visit.page.until("window.shared || window.caught.length");
        let found = visit.page.eval(
            "(window.shared ? fetch(window.shared) : window.caught[0].blob).then((answer) => answer.text())\
             .then((text) => [text.includes('&lt;img'), text.includes('<img')])",
        );
        assert_eq!(found, json!([true, false]), "{page}");
    }
    assert_eq!(visit.page.eval("document.querySelectorAll('img, [onerror]').length"), 0);
    visit.page.click("#go-home");
    visit.wait_for("#home-files", NAME);
    assert_eq!(visit.page.eval("document.querySelectorAll('img, [onerror]').length"), 0);
    visit.end();
}

#[test]
fn a_studio_for_showing_changes_no_file() {
    let rules = include_str!("../../games/tic-tac-toe.game");
    let files = [("mine.game", rules)];
    let arguments = ["mine.game", "--read-only"];
    let Some(mut visit) = Visit::begin("showing", &files, &arguments) else { return };
    visit.wait_for_board();
    visit.wait_for_choices(9);
    assert_eq!(visit.page.eval("document.querySelector('textarea').readOnly"), true);
    assert_eq!(visit.page.eval("document.getElementById('save').disabled"), true);
    // Games can be played, and the rules show how they work.
    visit.page.click("[data-site=b2]");
    visit.wait_for_plies(1);
    visit.put_caret_after("(to t (emp");
    visit.page.until("document.querySelectorAll('.marks .lit .area').length === 8");
    visit.page.type_text("x");
    visit.page.key("s", true);
    visit.wait_for("#toasts", "reading only");
    assert_eq!(visit.text(), rules);
    let saved = fs::read_to_string(visit.folder.join("games/mine.game")).expect("the file");
    assert_eq!(saved, rules);
    // What would write a file is not offered.
    visit.page.click("#go-home");
    visit.page.until("!document.getElementById('home-reading').hidden");
    let offered = "['home-tour', 'home-templates'].some((id) => \
        document.getElementById(id).getClientRects().length)";
    assert_eq!(visit.page.eval(offered), false);
    visit.end();
}
