//! What players do beside moving: take back, begin again, ask why, change options, send games to and
//! fro; on phones, with the keyboard, in the dark; and whatever a game is called stays text.

use super::{Opened, made, module};
use ludwright::record::Record;
use serde_json::json;
use std::fs;
use std::path::Path;

const LOOK: &str = include_str!("../studio/look.js");
const TIC_TAC_TOE: &str = "tests/games/tic-tac-toe.game";

fn site(name: &str) -> String {
    format!("[data-site=\"{name}\"]")
}

#[test]
fn undo_hint_why_and_a_new_game() {
    let Some(mut opened) = Opened::begin("use", &[TIC_TAC_TOE, "--license", "CC BY 4.0"]) else {
        return;
    };
    opened.wait_for("#about", "CC BY 4.0");
    for (count, name) in ["b2", "a1"].iter().enumerate() {
        opened.page.click(&format!("{}.can", site(name)));
        opened.wait_for_plies(count + 1);
    }
    opened.page.until("document.querySelector('[data-site].can')");
    opened.page.click(&site("b2"));
    opened.wait_for("#why", "b2");
    assert!(opened.page.eval("!document.querySelector('#why').hidden") == true);
    opened.page.click("#hint");
    opened.wait_for("#thought", "Hint:");
    opened.page.until("document.querySelector('.marks .hint path')");
    opened.page.click("#undo");
    opened.wait_for("#plies [aria-current]", "b2");
    // Another ply is a variation.
    opened.page.click(&format!("{}.can", site("c3")));
    opened.wait_for_plies(3);
    opened.page.until("document.querySelector('.variation')");
    opened.page.click("#restart");
    opened.wait_for_plies(0);
    opened.page.until("!document.querySelector('#undo').disabled");
    opened.page.click("#undo");
    opened.wait_for_plies(3);
    // Another size begins anew; taking that back brings the game back, and its size.
    opened.page.eval("document.querySelector('#options-part').open = true");
    opened.page.eval(
        "(() => { const input = document.querySelector('#options [name=Size]'); input.value = '4'; \
         input.dispatchEvent(new Event('change')); })()",
    );
    opened.page.until("document.querySelectorAll('[data-site]').length === 16");
    opened.page.click("#undo");
    opened.page.until("document.querySelectorAll('[data-site]').length === 9");
    opened.wait_for_plies(3);
    opened.page.until("document.querySelector('#options [name=Size]').value === '3'");
    opened.end();
}

/// Lets the module wait until `go`.
const LATE: &str = "(() => { const compile = WebAssembly.compileStreaming; \
    const gate = new Promise((go) => { window.go = go; }); \
    WebAssembly.compileStreaming = async (response) => { await gate; return compile(response); }; })()";

/// Compares the position that the page came with, and its choices, with those of the module.
const FIRST: &str = "(async () => {
  const { files, options, seats, record, first } = JSON.parse(document.getElementById('data').textContent);
  const other = modules['player.js'].answering.connection.beside();
  const take = record ? [record] : [];
  const { game } = (await other.ask('open', { files, options, seats, take, seed: 5 })).ok;
  const choices = (await other.ask('choices', { chosen: [] })).ok ?? null;
  other.end();
  if (!first) return game.plies.some(({ text }) => text.startsWith('roll')) ? [] : ['nothing'];
  const texts = [[first.game, game], [first.choices, choices]].map((pair) => pair.map((each) => JSON.stringify(each)));
  return texts.filter(([one, other]) => one !== other);
})()";

#[test]
fn a_board_is_played_on_before_the_module_has_started() {
    let record = ["games/kitaran.game", "--from", "tests/pictures/kitaran.record"];
    let program = ["games/lichen-chess.game", "--seat", "White=mcts:20it"];
    let games: [(&str, &[&str], Option<&str>); 5] = [
        ("late-place", &[TIC_TAC_TOE], Some("b2")),
        ("late-step", &["tests/games/breakthrough.game"], Some("a2")),
        ("late-dice", &["games/two-dice-swarm.game"], None),
        ("late-record", &record, None),
        ("late-program", &program, None),
    ];
    for (name, arguments, chosen) in games {
        let Some(mut opened) = Opened::prepare(name, arguments) else { return };
        let script = json!({ "source": LATE });
        opened.page.command("Page.addScriptToEvaluateOnNewDocument", script);
        opened.page.open(&format!("file://{}", opened.file.display()));
        opened.page.until("document.querySelector('#board svg')");
        if let Some(chosen) = chosen {
            opened.page.click(&format!("{}.can", site(chosen)));
            opened.wait_for_plies(0);
        }
        assert!(opened.page.eval("modules['player.js'].answering.connection.draft").is_null());
        opened.page.eval("window.go()");
        opened.page.until("modules['player.js'].answering.connection.draft");
        match name {
            "late-place" => opened.wait_for_plies(1),
            "late-step" => opened.page.until("document.querySelector('[data-site=a3].can')"),
            "late-program" => opened.wait_for_plies(1),
            _ => {}
        }
        assert_eq!(opened.page.eval(FIRST), json!([]), "{name}");
        opened.end();
    }
}

#[test]
fn a_page_whose_module_is_gone_says_so() {
    let Some(file) = made("gone", &[TIC_TAC_TOE]) else { return };
    let page = fs::read_to_string(&file).expect("a page");
    let (before, rest) = page.split_once("id=\"module\">").expect("the module");
    let (_, after) = rest.split_once('<').expect("its end");
    fs::write(&file, format!("{before}id=\"module\"><{after}")).expect("a page");
    let Some(mut opened) = Opened::prepare("without", &[TIC_TAC_TOE]) else { return };
    opened.page.open(&format!("file://{}", file.display()));
    opened.wait_for("#failure", "could not be started: the file with the program");
    opened.end();
}

/// Breaks the module in every worker: the next request panics for want of memory.
const BREAK: &str =
    "(() => { const whole = exports; exports = { ...whole, call: () => whole.alloc(-1) }; })()";

#[test]
fn a_page_goes_on_after_an_error_of_the_program() {
    let arguments = [TIC_TAC_TOE, "--seat", "O=mcts:20it"];
    let Some(mut opened) = Opened::begin("recovery", &arguments) else { return };
    opened.page.click(&format!("{}.can", site("b2")));
    opened.wait_for_plies(2);
    let click_any = |opened: &mut Opened| {
        opened.page.until("document.querySelector('[data-site].can')");
        opened.page.click("[data-site].can");
    };
    opened.page.until("document.querySelector('[data-site].can')");
    opened.page.eval_in_workers(BREAK);
    click_any(&mut opened);
    opened.wait_for(".toast.bad", "goes on as before");
    opened.wait_for(".toast.bad", "capacity overflow");
    opened.wait_for_plies(2);
    // A new worker has the same game. The worker of the computer is still broken.
    click_any(&mut opened);
    opened.wait_for_plies(3);
    opened.page.until("[...document.querySelectorAll('#status button')].some((each) => each.innerText === 'Go on')");
    opened.page.click("#status button.main");
    opened.wait_for_plies(4);
    opened.end();
}

#[test]
fn a_finger_drags_pieces_and_taps_sites() {
    let Some(mut opened) = Opened::begin("finger", &["tests/games/breakthrough.game"]) else {
        return;
    };
    let touches = json!({ "enabled": true, "maxTouchPoints": 1 });
    opened.page.command("Emulation.setTouchEmulationEnabled", touches);
    opened.page.until("document.querySelector('[data-site=a2].can')");
    // The picture takes most of the width.
    let width = opened.page.eval(
        "(() => { const picture = document.querySelector('#board svg'); \
         return picture.viewBox.baseVal.width * picture.getScreenCTM().a; })()",
    );
    assert!(width.as_f64().expect("a number") > 300.0, "{width} of 360");
    opened.page.drag_by_finger(&site("a2"), &site("a3"));
    opened.wait_for_plies(1);
    // On an empty site a finger scrolls.
    let is_kept = |name: &str| {
        format!(
            "!document.querySelector('{}').dispatchEvent(new Event('touchstart', {{ bubbles: true, cancelable: true }}))",
            site(name).replace('"', "")
        )
    };
    opened.page.until("document.querySelector('[data-site=b7].can')");
    assert_eq!(opened.page.eval(&is_kept("b7")), true);
    assert_eq!(opened.page.eval(&is_kept("b5")), false);
    // Where it cannot go, the page says why.
    opened.page.until("document.querySelector('[data-site=a7].can')");
    opened.page.drag_by_finger(&site("a7"), &site("a5"));
    opened.wait_for("#why", "a5");
    opened.wait_for_plies(1);
    opened.end();
}

#[test]
fn two_people_far_apart_play_by_letters() {
    let Some(mut white) = Opened::begin("letters", &[TIC_TAC_TOE]) else { return };
    let Some(mut black) = Opened::begin("letters-too", &[TIC_TAC_TOE]) else { return };
    white.page.click(&format!("{}.can", site("b2")));
    white.wait_for_plies(1);
    let sent = white.copied("#send");
    assert!(sent.contains("#play=") && sent.len() < 60, "{sent}");
    // Pasted with words around it.
    let answer = black.ask("take", &json!({ "text": format!("Your turn! {sent} Regards") }));
    assert_eq!(answer["game"]["ply"], 1, "{answer}");
    // Opened as an address, with the answer in it.
    let (_, code) = sent.split_once("#play=").expect("a code");
    black.load(&format!("#play={code}"));
    black.wait_for_plies(1);
    black.page.until("document.querySelector('[data-site=b2]').ariaLabel.includes('X')");
    black.page.click(&format!("{}.can", site("a1")));
    black.wait_for_plies(2);
    // The address follows the game, and opens it again.
    black.page.until(&format!("location.hash.length > 6 && location.hash !== '#play={code}'"));
    let hash = black.page.eval("location.hash");
    black.load(hash.as_str().expect("an address"));
    black.wait_for_plies(2);
    // Codes that are cut, or of another game, are refused and change nothing.
    for wrong in [&code[..code.len() - 2], "AAAA", "AQAAAAAA", "#play=%%%", "#play="] {
        let answer = black.ask("take", &json!({ "text": wrong }));
        assert!(answer["refused"].is_string(), "{wrong}: {answer}");
    }
    black.wait_for_plies(2);
    white.end();
    black.end();
}

#[test]
fn pages_can_be_read_on_phones_and_desks_with_the_keyboard_and_in_the_dark() {
    let Some(mut opened) = Opened::begin("reading", &["games/lichen-chess.game"]) else { return };
    opened.page.until("document.querySelector('[data-site].can')");
    let mut faults = Vec::new();
    for (width, height) in [(360, 740), (800, 1000), (1280, 800)] {
        for is_dark in [false, true] {
            opened.page.resize(width, height);
            opened.page.set_dark(is_dark);
            opened.page.eval(
                "document.querySelectorAll('details').forEach((part) => { part.open = true; })",
            );
            let found = opened.page.eval(LOOK);
            let found = found.as_array().expect("a list").clone();
            faults
                .extend(found.iter().map(|fault| format!("{width} wide, dark {is_dark}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    opened.page.set_dark(false);
    opened.page.eval("document.querySelector('[data-site].can').focus()");
    opened.page.key("Enter", false);
    opened
        .page
        .until("document.querySelector('#menu button') || document.querySelector('.chosen rect')");
    opened.page.key("Escape", false);
    opened.page.until("!document.querySelector('.chosen rect')");
    opened.end();
}

#[test]
fn what_comes_from_files_and_addresses_stays_text() {
    const NAME: &str = "</script><img src=x onerror=pwned()>{{script}}";
    let rules = format!(
        "(game \"{NAME}\"\n  (about \"{NAME}\")\n  (players Black White)\n  \
         (option Size (range 3 4) 3 \"{NAME}\")\n  (board (square Size))\n  (piece Stone)\n  \
         (move place (to t (empty)) (put Stone t))\n  (play (turns (choose place)))\n  \
         (end (if (none (empty)) (draw)))) ; {NAME}\n"
    );
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("player-markup.game");
    fs::write(&file, rules).expect("a file");
    let arguments = [file.to_str().expect("a path"), "--license", NAME];
    let Some(mut opened) = Opened::begin("markup", &arguments) else { return };
    opened.wait_for("#title", NAME);
    opened.wait_for("#about", NAME);
    opened.wait_for("#options", NAME);
    opened.page.eval("document.querySelector('#show-text').click()");
    opened.wait_for("dialog pre", NAME);
    opened.page.key("Escape", false);
    for text in [
        NAME.to_owned(),
        format!("game: {NAME}\n\nplace z9\n"),
        format!("\n\nplace {NAME}\n"),
        format!("position:\n {NAME}\n"),
        format!("#play={NAME}"),
        "A".repeat(100_000),
    ] {
        opened.page.eval(&format!(
            "(() => {{ const data = new DataTransfer(); data.setData('text/plain', {}); \
             document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true }})); }})()",
            json!(text)
        ));
        opened.page.until("document.querySelector('.toast.bad')");
        opened.page.eval("document.querySelectorAll('.toast').forEach((note) => note.remove())");
    }
    opened.page.eval("location.hash = '#play=<img src=x onerror=pwned()>'");
    opened.page.until("document.querySelector('.toast.bad')");
    assert_eq!(opened.page.eval("document.querySelectorAll('img, [onerror]').length"), 0);
    // A script that gets into the page in spite of that does not run.
    opened.page.eval(
        "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = true' }))",
    );
    assert_eq!(opened.page.eval("window.ran ?? false"), false);
    opened.page.complaints.retain(|complaint| !complaint.contains("Content Security Policy"));
    opened.end();
}

#[test]
fn a_page_begins_with_a_record() {
    let record = "tests/pictures/kitaran.record";
    let Some(mut opened) = Opened::begin("record", &["games/kitaran.game", "--from", record])
    else {
        return;
    };
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(record)).expect("it");
    let plies = Record::parse(&text).expect("a record").plies.len();
    opened.wait_for_plies(plies);
    opened.end();
}

#[test]
fn a_page_is_one_file_of_limited_size() {
    let Some(file) = made("size", &["games/cicada.game"]) else { return };
    let text = fs::read_to_string(file).expect("a page");
    // The modules of the tests are built fast; those to give away are a third smaller. That of pages
    // that play has no part of what only questions need.
    let module = module().expect("a module");
    let size = |path: &Path| fs::metadata(path).expect("a module").len() as usize;
    let packed = size(&module);
    assert!(packed < 2_276_000, "{packed} bytes");
    let name = module.file_name().expect("a name").to_string_lossy().replacen('.', "-ask.", 1);
    let asking = size(&module.with_file_name(name));
    assert!(asking < 2_450_000, "{asking} bytes");
    let beside = text.len().saturating_sub(packed.div_ceil(3) * 4);
    assert!(beside < 160_000, "{beside} bytes beside the module");
    // Parts of pictures refer to others of the same page.
    let text = text.replace("url(#", "");
    for outside in ["http://", "https://", "src=\"", "@import", "url("] {
        let found: Vec<&str> =
            text.lines().filter(|line| line.contains(outside) && line.len() < 1_000).collect();
        let is_name = |line: &&str| !line.contains("www.w3.org");
        assert!(!found.iter().any(is_name), "{outside}: {found:?}");
    }
}
