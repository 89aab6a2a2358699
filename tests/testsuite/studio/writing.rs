//! Rules are written: on the tour, with mistakes, by others at the same time; and survive a crash.

use super::{Host, PLIES, Visit, program};
use serde_json::json;
use std::fs;

on_both! {
    mistakes_are_shown_and_mended,
    playing_finds_what_reading_does_not,
    the_tour_makes_a_game,
    recipes_go_where_they_belong,
    a_saved_file_keeps_its_game_and_a_restart_is_undone,
}

fn the_tour_makes_a_game(host: Host) {
    let Some(mut visit) = Visit::at(host, "tour", &[], None) else { return };
    visit.page.click("#home-tour");
    visit.wait_for("#tour", "1 of 10");
    visit.wait_for_choices(9);
    visit.page.click("[data-site=b2]");
    visit.wait_for("#tour", "2 of 10");
    // The tour begins with rules of which nothing is to be said.
    visit.page.eval("new Promise((done) => setTimeout(done, 1500))");
    assert_eq!(visit.shown("#findings"), "");
    // What is found is said in words; the game that shows it is a button, and no text.
    visit.select("(otherwise (draw))");
    visit.page.key("Backspace", false);
    visit.wait_for("#findings", "no legal move");
    let found = visit.shown("#findings");
    assert!(
        !found.contains("place ") && !found.contains("ludwright") && !found.contains("rules:"),
        "{found}"
    );
    visit.page.until("[...document.querySelectorAll('#findings button')].some((each) => each.innerText === 'Show this game on the board')");
    visit.page.key("z", true);
    visit.wait_for_good_rules();
    visit.page.click("#undo");
    visit.wait_for("#tour", "3 of 10");
    visit.put_caret_after("(square 3");
    visit.page.key("Backspace", false);
    visit.page.type_text("5");
    visit.wait_for("#tour", "4 of 10");
    visit.page.until("document.querySelectorAll('[data-site]').length === 25");
    visit.put_caret_after("(players Black White)");
    visit.page.type_text("\n(option Size (range 3 9) 5 \"Sites along each side.\")");
    visit.put_caret_after("(square 5");
    visit.page.key("Backspace", false);
    visit.page.type_text("Size");
    visit.wait_for("#tour", "5 of 10");
    visit.page.click("#tab-options");
    visit.page.click("#options [name=Size]");
    visit.page.key("ArrowDown", false);
    visit.wait_for("#tour", "6 of 10");
    visit.page.until("document.querySelectorAll('[data-site]').length === 16");
    visit.put_caret_after("(put Stone");
    visit.page.key("Backspace", false);
    visit.page.key("Backspace", false);
    visit.page.type_text("en");
    visit.wait_for_finding("Stoen");
    visit.page.click("#findings .fix");
    visit.wait_for("#tour", "7 of 10");
    assert!(visit.text().contains("(put Stone t)"), "{}", visit.text());
    visit.put_caret_after("(otherwise (draw)))))");
    visit.page.type_text("\n\n(end\n(if (any (line 3 (mine))) (win mover)))");
    visit.wait_for("#tour", "8 of 10");
    visit.put_caret_after("(emp");
    visit.wait_for("#tour", "9 of 10");
    visit.wait_for("#light", "(empty)");
    visit.page.click("#tab-game");
    visit.set("[data-seat=White]", "mcts:100it");
    // Black's moves, until the game is over.
    for _ in 0..16 {
        visit.page.until(
            "document.querySelector('#status.over') || document.querySelector('[data-site].can')",
        );
        let is_over = visit.page.eval("Boolean(document.querySelector('#status.over'))");
        if is_over == true {
            break;
        }
        let plies = visit.plies();
        visit.page.click("[data-site].can");
        visit.page.until(&format!("{PLIES} > {plies}"));
    }
    visit.wait_for("#tour", "10 of 10");
    visit.page.click("#tab-ask");
    visit.page.click("#ask-fields [name=games]");
    visit.page.type_text("4");
    visit.page.click("#ask-start");
    visit.wait_for("#tour", "You have made a game");
    visit.page.until("document.querySelector('.job[data-state=done]')");
    visit.page.until("document.querySelector('.job .sentences .first')");
    visit.page.key("s", true);
    visit.page.until("document.querySelector('dialog[open] input')");
    visit.page.key("Enter", false);
    visit.wait_for("#toasts", "Saved");
    // The message does not cover what one goes on with.
    visit.page.click("#tab-options");
    visit.page.until("!document.getElementById('panel-options').hidden");
    assert!(visit.shown("#toasts").contains("Saved"));
    let saved = visit.stored("my-first-game.game");
    assert_eq!(saved, visit.text());
    visit.end();
}

fn playing_finds_what_reading_does_not(host: Host) {
    let Some(mut visit) = Visit::at(host, "observed", &[], Some("tic-tac-toe")) else { return };
    visit.wait_for_board();
    visit.wait_for_good_rules();
    let right = visit.text();
    visit.put_caret_after("(put Mark t)");
    visit.page.type_text(" (remove t)");
    visit.wait_for("#findings", "can go on for ever");
    visit.wait_for("#findings", "never reached");
    // What is written later is played again, under its own options.
    visit.select(" (remove t)");
    visit.page.key("Backspace", false);
    visit.wait_for("#check-line", "No findings");
    assert_eq!(visit.text(), right);
    visit.page.eval("new Promise((done) => setTimeout(done, 1200))");
    assert_eq!(visit.shown("#findings"), "");
    visit.end();
}

fn mistakes_are_shown_and_mended(host: Host) {
    let Some(mut visit) = Visit::at(host, "mistakes", &[], Some("kitaran")) else { return };
    visit.wait_for_board();
    visit.wait_for_good_rules();
    let right = visit.text();
    // A word of the language, mended by a click.
    visit.select("(beside s)");
    visit.page.type_text("(besid s)");
    visit.wait_for_finding("besid");
    visit.page.until("document.querySelector('.ink .findings.error')");
    visit.page.click("#findings .fix");
    visit.wait_for_good_rules();
    assert_eq!(visit.text(), right);
    // What is being written is called by its names, without types.
    visit.put_caret_after("(require ");
    visit.wait_for("#signature", "(require");
    let signature = visit.shown("#signature code");
    assert!(!signature.contains("->") && !signature.contains(':'), "{signature}");
    // The brackets around the cursor are marked where they stand.
    let marked = "[...document.querySelectorAll('.ink .bracket')].map((each) => getComputedStyle(each).display).join()";
    visit.page.until(&format!("{marked} === 'inline,inline'"));
    // A fix that adds a letter offers no completions where the cursor goes next.
    visit.page.eval("new Promise((done) => setTimeout(done, 150))");
    visit.page.until("document.getElementById('completion').hidden");
    // Completions go with their word, and out of sight with it.
    visit.page.key(" ", true);
    visit.page.until("!document.getElementById('completion').hidden");
    // They are called by their names, too, and leave the signature in sight.
    let told = visit.page.eval("document.getElementById('completion').innerText");
    let told = told.as_str().expect("a text");
    assert!(told.contains("(any") && !told.contains("->") && !told.contains(": "), "{told}");
    let lowest = "document.getElementById('completion').getBoundingClientRect().bottom \
        - document.getElementById('signature').getBoundingClientRect().top";
    assert!(visit.page.eval(lowest).as_f64().expect("a number") <= 0.0);
    // An explanation under the mouse leaves the signature and the findings in sight.
    visit.page.eval("document.getElementById('editor').scrollTop = 1e6");
    visit.page.until("document.getElementById('completion').hidden");
    let covered = "(() => { const word = [...document.querySelectorAll('.ink .t-ludeme')].at(-1).getBoundingClientRect(); return [word.x + 4, word.y + 4]; })()";
    // The page may still lay out what the signature says, which moves the word.
    let is_explained = "new Promise((done) => setTimeout(done, 800)).then(() => !document.getElementById('hover').hidden)";
    let explained = (0..10).any(|_| {
        let at = visit.page.eval(covered);
        let at = (at[0].as_f64().expect("a number"), at[1].as_f64().expect("a number"));
        visit.page.mouse("mouseMoved", (2.0, 2.0));
        visit.page.mouse("mouseMoved", at);
        visit.page.eval(is_explained) == true
    });
    assert!(explained, "the word under the mouse is not explained");
    let ends = "document.getElementById('hover').getBoundingClientRect().bottom - document.getElementById('signature').getBoundingClientRect().top";
    let ends = visit.page.eval(ends).as_f64().expect("a number");
    assert!(ends <= 1.0, "the explanation covers {ends} pixels of the signature");
    visit.page.mouse("mouseMoved", (2.0, 2.0));
    visit.page.until("document.getElementById('hover').hidden");
    // A name, mended by a key.
    visit.select("(mine Stone)");
    visit.page.type_text("(mine Stoned)");
    visit.wait_for_finding("Stoned");
    // What is explained of a finding says how to correct it.
    visit.page.click("#findings .actions .link");
    visit.wait_for("dialog", "Right:");
    visit.page.key("Escape", false);
    visit.page.until("!document.querySelector('dialog')");
    visit.put_caret_after("(mine Stoned)");
    visit.page.key("ArrowLeft", false);
    visit.page.key(".", true);
    visit.wait_for_good_rules();
    assert_eq!(visit.text(), right);
    // A bracket too many, taken back after the page was loaded again.
    visit.put_caret_after("(piece Stone)");
    visit.page.type_text(")");
    visit.page.until("document.querySelector('#check-line.error')");
    visit.page.key("F8", false);
    visit
        .page
        .eval("new Promise((done) => setTimeout(done, 600)).then(() => { window.isOld = true; })");
    visit.page.command("Page.reload", json!({}));
    visit.page.until(
        "!window.isOld && document.querySelector('textarea').value.includes('(piece Stone))')",
    );
    visit.put_caret_after("(piece Stone)");
    visit.page.key("z", true);
    visit.wait_for_good_rules();
    assert_eq!(visit.text(), right);
    visit.end();
}

#[test]
fn what_is_written_survives_a_crash_and_other_programs() {
    let rules = include_str!("../../games/tic-tac-toe.game");
    let Some(mut visit) = Visit::begin("crash", &[("mine.game", rules)], &["mine.game"]) else {
        return;
    };
    visit.wait_for_board();
    visit.wait_for_choices(9);
    // Another program writes the file.
    let path = visit.folder.join("games/mine.game");
    fs::write(&path, rules.replacen("(game \"", "; Taken in.\n(game \"", 1)).expect("a file");
    visit.page.until("document.querySelector('textarea').value.startsWith('; Taken in.')");
    // Both write it: the designer is asked, and nothing is lost.
    visit.put_caret_after("; Taken in.");
    visit.page.type_text(" Mine.");
    visit.wait_for_good_rules();
    fs::write(&path, format!("; Theirs.\n{rules}")).expect("a file");
    visit.page.until("!document.getElementById('disk').hidden");
    visit.page.click("#disk button");
    assert!(visit.text().starts_with("; Taken in. Mine."), "{}", visit.text());
    // A ply, then the program is killed.
    visit.page.click("[data-site=b2]");
    visit.wait_for_plies(1);
    let written = visit.text();
    let mut running = visit.program.take().expect("a program");
    running.kill().expect("it runs");
    running.wait().expect("its end");
    visit.page.until("!document.getElementById('lost').hidden");
    assert_eq!(visit.text(), written);
    let (program, address) = program(&visit.folder, &[]);
    visit.program = Some(program);
    visit.address = address;
    visit.page.complaints.clear();
    // The page asks before what was not kept is lost, but everything was.
    visit.page.eval("sessionStorage.clear(); document.getElementById('desk').hidden = true");
    let address = visit.address.clone();
    visit.page.open(&address);
    visit.page.complaints.clear();
    visit.page.click("#home-drafts button");
    visit.wait_for_board();
    assert_eq!(visit.text(), written);
    visit.wait_for_plies(1);
    visit.end();
}

#[test]
fn two_tabs_do_not_spoil_each_others_work() {
    let rules = include_str!("../../games/tic-tac-toe.game");
    let Some(mut visit) = Visit::begin("tabs", &[("mine.game", rules)], &["mine.game"]) else {
        return;
    };
    visit.wait_for_board();
    let board = "document.getElementById('home').hidden \
        && document.querySelectorAll('[data-site].can').length === 9";
    let desk = "sessionStorage.getItem('ludwright-desk')";
    let mut other = visit.page.beside();
    other.open(&visit.address);
    other.until(board);
    // A tab that is duplicated knows the desk of the first one, and gets a copy.
    let first = visit.page.eval(desk);
    other.eval(&format!("sessionStorage.setItem('ludwright-desk', {first})"));
    other.command("Page.reload", json!({}));
    other.until(&format!("{desk} !== {first} && {board}"));
    visit.page.click("[data-site=b2]");
    visit.wait_for_plies(1);
    other.until(board);
    // What one saves, the other takes in.
    visit.put_caret_after("(game \"");
    visit.page.type_text("My ");
    visit.wait_for("#title", "My Tic");
    visit.page.key("s", true);
    visit.wait_for("#toasts", "Saved");
    other.until("document.querySelector('textarea').value.includes('My Tic-Tac-Toe')");
    // Both write: the one who saves last is asked.
    visit.put_caret_after("(game \"");
    visit.page.type_text("Own ");
    other.eval(
        "(() => { const field = document.querySelector('textarea'); field.focus(); \
         field.setSelectionRange(0, 0); })()",
    );
    other.type_text("; Other.\n");
    other.until("document.title.includes('•')");
    visit.page.key("s", true);
    other.until("!document.getElementById('disk').hidden");
    other.key("s", true);
    other.until("document.getElementById('disk').innerText.includes('since it was opened')");
    let path = visit.folder.join("games/mine.game");
    let saved = fs::read_to_string(&path).expect("the file");
    assert!(saved.starts_with("(game \"Own My Tic"), "{saved}");
    other.until("document.querySelector('textarea').value.startsWith('; Other.')");
    // The file goes: the tabs say so. It can be written again.
    fs::remove_file(&path).expect("the file");
    visit.wait_for("#disk", "deleted");
    visit.page.key("s", true);
    visit.page.until("document.getElementById('disk').hidden");
    assert_eq!(fs::read_to_string(&path).expect("the file"), saved);
    // What the other tab has not saved is a draft, which can be discarded when the tab is closed.
    drop(other);
    let discard = "#home-drafts button.link";
    for _ in 0..50 {
        visit.page.click("#go-home");
        visit.page.until("!document.getElementById('home').hidden");
        if visit.page.eval(&format!("Boolean(document.querySelector('{discard}'))")) == true {
            break;
        }
        visit.page.click("#home-back");
    }
    visit.page.click(discard);
    visit.page.click("dialog .main");
    visit.page.until("!document.querySelector('#home-drafts li')");
    visit.end();
}

/// Holds saves before they are sent, and their answers before the page has them, until `go`.
const HOLD: &str = "(() => { const send = window.fetch; const gates = []; \
    const gate = () => new Promise((go) => gates.push(go)); \
    window.go = () => gates.shift()(); window.held = () => gates.length; \
    window.fetch = async (address, ...rest) => { \
      if (!String(address).endsWith('api/save')) return send(address, ...rest); \
      await gate(); const answer = await send(address, ...rest); await gate(); return answer; \
    }; })()";

#[test]
fn an_editor_outside_writes_while_a_save_is_on_its_way() {
    let rules = include_str!("../../games/tic-tac-toe.game");
    let Some(mut visit) = Visit::begin("outside", &[("mine.game", rules)], &["mine.game"]) else {
        return;
    };
    visit.wait_for_board();
    let path = visit.folder.join("games/mine.game");
    let read = || fs::read_to_string(&path).expect("the file");
    let write = |text: &str| fs::write(&path, text).expect("a file");
    visit.page.eval(HOLD);
    let save = |visit: &mut Visit, mine: &str| {
        visit.put_caret_after("(game \"");
        visit.page.type_text(mine);
        visit.wait_for_good_rules();
        visit.page.key("s", true);
        visit.page.until("window.held() === 1");
    };
    let asks = "!document.getElementById('disk').hidden";
    let is_changed = "document.title.startsWith('•')";

    // The file is written before the save arrives: nothing is replaced, and the page asks.
    save(&mut visit, "First ");
    let first = format!("; First of theirs.\n{rules}");
    write(&first);
    visit.page.eval("window.go()");
    visit.page.until("window.held() === 1");
    visit.page.eval("window.go()");
    visit.page.until(asks);
    visit.page.until(is_changed);
    assert_eq!(read(), first);
    let mine = visit.text();
    assert!(mine.starts_with("(game \"First Tic"), "{mine}");
    // Mine is kept, and saved over theirs, which the page showed.
    visit.page.click("#disk button");
    visit.page.key("s", true);
    visit.page.until("window.held() === 1");
    visit.page.eval("window.go()");
    visit.page.until("window.held() === 1");
    visit.page.eval("window.go()");
    visit.wait_for("#toasts", "Saved");
    visit.page.until(&format!("!({is_changed})"));
    assert_eq!(read(), mine);

    // The file is written after the save, and the page hears of that before the save's answer.
    save(&mut visit, "Second ");
    let mine = visit.text();
    visit.page.eval("window.go()");
    visit.page.until("window.held() === 1");
    assert_eq!(read(), mine);
    let second = format!("; Second of theirs.\n{rules}");
    write(&second);
    visit.page.until(asks);
    visit.page.eval("window.go()");
    std::thread::sleep(std::time::Duration::from_millis(300));
    visit.wait_for("#disk", "changed by another program, and here, too");
    visit.page.until(is_changed);
    assert_eq!((visit.text(), read()), (mine.clone(), second.clone()));
    // Theirs is taken; mine is an undo away.
    visit.page.click("#disk button:nth-of-type(2)");
    visit.page.until("document.querySelector('textarea').value.startsWith('; Second of theirs.')");
    visit.page.until(&format!("!({asks}) && !({is_changed})"));
    visit.page.eval("document.querySelector('textarea').focus()");
    visit.page.key("z", true);
    visit.wait_for_good_rules();
    assert_eq!((visit.text(), read()), (mine, second));
    visit.end();
}

fn recipes_go_where_they_belong(host: Host) {
    let rules = include_str!("../../games/tic-tac-toe.game");
    let Some(mut visit) = Visit::at(host, "recipes", &[("mine.game", rules)], Some("mine.game"))
    else {
        return;
    };
    visit.wait_for_board();
    visit.wait_for_good_rules();
    let before = visit.text();
    // The cursor is within a move.
    let inside = before.find("(put ").expect("an effect");
    visit.put_caret_after(&before[..inside]);
    visit.page.key("F2", false);
    visit.page.until("document.querySelector('#found [role=option]')");
    visit.page.type_text("pass");
    visit.wait_for("#found [aria-selected=true]", "pass");
    visit.page.key("Enter", false);
    visit.page.until("document.querySelector('textarea').value.includes('(move pass)')");
    visit.wait_for_good_rules();
    let after = visit.text();
    assert_eq!(after.matches("(play ").count(), 1, "{after}");
    assert!(after.contains("\n  (move pass)\n"), "{after}");
    assert!(after.contains("(play (turns (choose place pass)))"), "{after}");
    // One undo takes all of it back.
    visit.page.key("z", true);
    visit.wait_for_good_rules();
    assert_eq!(visit.text(), before);
    // Its name is typed, and completed.
    visit.put_caret_after("(piece Mark)");
    visit.page.key("Enter", false);
    visit.page.type_text("(forced");
    visit.wait_for("#completion li[aria-selected=true]", "forced pass");
    visit.page.key("Enter", false);
    visit.page.until("document.querySelector('textarea').value.includes('(move pass)')");
    visit.wait_for_good_rules();
    let completed = visit.text();
    assert!(!completed.contains("(forced") && !completed.contains("()"), "{completed}");
    assert!(completed.contains("(otherwise (choose pass))"), "{completed}");
    visit.end();
}

fn a_saved_file_keeps_its_game_and_a_restart_is_undone(host: Host) {
    let rules = include_str!("../../games/tic-tac-toe.game");
    let Some(mut visit) = Visit::at(host, "kept", &[("mine.game", rules)], None) else { return };
    let open = |visit: &mut Visit| {
        visit.page.click("#home-files button");
        visit.wait_for_board();
    };
    open(&mut visit);
    visit.wait_for_choices(9);
    visit.page.click("[data-site=b2]");
    visit.wait_for_plies(1);
    visit.page.click("[data-site=a1]");
    visit.wait_for_plies(2);
    let seat = "document.querySelector('#seats label:nth-child(2) select')";
    let player = visit.page.eval(&format!("{seat}.dataset.seat"));
    let player = player.as_str().expect("a name").to_owned();
    visit.set(&format!("[data-seat=\"{player}\"]"), "greedy");
    visit.page.until(&format!("{seat}.value === 'greedy'"));
    visit.page.click("#restart");
    visit.page.until("document.querySelector('#plies .start [aria-current]')");
    let all = visit.plies();
    visit.page.click("#undo");
    visit.page.until("!document.querySelector('#plies .start [aria-current]')");
    assert_eq!(visit.plies(), all);
    let list = visit.shown("#plies");
    for _ in 0..2 {
        visit.page.click("#go-home");
        visit.page.until("!document.getElementById('home').hidden");
        assert_eq!(visit.page.eval("document.querySelectorAll('#home-drafts li').length"), 0);
        open(&mut visit);
        visit
            .page
            .until(&format!("document.querySelector('#plies').innerText === {}", json!(list)));
        assert_eq!(visit.page.eval(&format!("{seat}.value")), "greedy");
    }
    visit.end();
}
