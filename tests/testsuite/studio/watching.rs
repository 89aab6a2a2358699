//! What must be so is pointed at on the board, watched by rule cases, and shown on boards where it is not.

use super::{Host, PLIES, Visit};
use serde_json::json;

on_both! {
    what_must_be_so_is_pointed_at,
    a_move_that_leads_from_site_to_site_is_pointed_at,
    rules_without_a_file_are_saved_first,
    what_is_no_longer_so_is_told,
}

const RULES: &str = include_str!("../../games/tic-tac-toe.game");
const WRONG: &str = "title: The mark goes to the middle.\nplay: place a1\nthen:\n  3 . . .\n  2 . X .\n  1 . . .\n    a b c\n";

fn what_must_be_so_is_pointed_at(host: Host) {
    let files = [("mine.game", RULES), ("mine.cases/wrong.case", WRONG)];
    let Some(mut visit) = Visit::at(host, "watched", &files, Some("mine.game")) else { return };
    visit.wait_for_choices(9);
    // Nothing is played while moves are pointed at.
    visit.page.click("#must-be");
    visit.wait_for("#must", "Nothing is played");
    visit.page.click("#board [data-site=b2]");
    visit.wait_for("#must", "place b2 is legal now");
    assert_eq!(visit.page.eval(PLIES), 0);
    visit.page.click("#must [data-must=illegal]");
    visit.wait_for("#toasts", "It is not so yet");
    visit.wait_for("#toasts", "mine.cases/place-b2-is-not-legal.case");
    visit.page.until("document.getElementById('must').hidden");
    // Afterwards, a click plays; why a site cannot be chosen can be made to stay so.
    visit.page.click("#board [data-site=a1]");
    visit.wait_for_plies(1);
    visit.wait_for_choices(8);
    visit.page.click("#board [data-site=a1]");
    visit.wait_for("#why", "Why not a1?");
    visit.page.click("#why [data-must=illegal]");
    visit.wait_for("#toasts", "It is so, and the rule case mine.cases/place-a1-is-not-legal.case");
    // Escape ends it.
    visit.page.click("#must-be");
    visit.page.until("!document.getElementById('must').hidden");
    visit.page.eval("document.querySelector('#must button').focus()");
    visit.page.key("Escape", false);
    visit.page.until("document.getElementById('must').hidden");
    // What is no move of this game at all cannot be watched: it would never be legal.
    visit.page.click("#must-be");
    visit.page.click("#must button.link");
    visit.page.until("document.querySelector('form.must')");
    visit.page.eval(
        "(() => { const [kind, move] = [document.querySelector('form.must select'), document.querySelector('form.must input[list]')];
          kind.value = 'illegal'; move.value = 'place z9'; for (const each of [kind, move]) each.dispatchEvent(new Event('input')); })()",
    );
    visit.page.click("form.must button.main");
    let said = "This cannot be watched: the board has no site z9; its columns are a to c";
    visit.wait_for("form.must [role=status]", said);
    assert_eq!(visit.shown("form.must button.main"), "Make it so");
    visit.page.key("Escape", false);
    // All cases are run, in both ways of serving; what fails is shown on boards.
    visit.page.click("#layout-ask");
    visit.page.click("#ask-cases");
    visit.page.click("#ask-start");
    visit.wait_for(".job .sentences", "2 cases of 3 fail.");
    visit.page.until("document.querySelector('.job').dataset.state === 'done'");
    let captions =
        "[...document.querySelectorAll('.job figcaption')].map((each) => each.innerText)";
    let captions = visit.page.eval(captions);
    let expected = json!(["The position there", "As the case demands", "As the rules have it"]);
    assert_eq!(captions, expected);
    assert_eq!(visit.page.eval("document.querySelectorAll('.job .pair svg .differs').length"), 5);
    assert_eq!(visit.page.eval("document.querySelectorAll('.job pre').length"), 0);
    visit.page.until("document.querySelector('.job .old').hidden");
    visit.end();
}

fn a_move_that_leads_from_site_to_site_is_pointed_at(host: Host) {
    let files = [("mine.game", include_str!("../../games/breakthrough.game"))];
    let Some(mut visit) = Visit::at(host, "pointed", &files, Some("mine.game")) else { return };
    visit.wait_for_choices(8);
    visit.page.click("#must-be");
    visit.page.click("#board [data-site=a2]");
    visit.page.until("document.querySelector('#board [data-site=a3].can')");
    visit.page.click("#board [data-site=a3]");
    visit.wait_for("#must", "move a2-a3 is legal now");
    // From where nothing can move, and to where it cannot.
    visit.page.click("#board [data-site=a1]");
    visit.wait_for("#must", "Click where it would go");
    visit.page.click("#board [data-site=a5]");
    visit.wait_for("#must", "move a1-a5");
    visit.page.click("#board [data-site=b2]");
    visit.page.until("document.querySelector('#board [data-site=b3].can')");
    visit.page.click("#board [data-site=b6]");
    visit.wait_for("#must", "move b2-b6 is illegal");
    visit.page.click("#must [data-must=illegal]");
    visit.wait_for("#toasts", "move-b2-b6-is-not-legal.case");
    assert_eq!(visit.page.eval(PLIES), 0);
    visit.end();
}

/// Rules that have no file yet get one before a case is kept beside them.
fn rules_without_a_file_are_saved_first(host: Host) {
    let Some(mut visit) = Visit::at(host, "unsaved", &[], None) else { return };
    visit.page.click("#home-templates li:nth-child(2) button");
    visit.wait_for_board();
    visit.page.click("#must-be");
    visit.page.click("#board [data-site=a1]");
    visit.page.click("#must [data-must=legal]");
    visit.page.until("document.querySelector('dialog[open] input')");
    visit.page.click("dialog[open] button.main");
    visit.wait_for("#toasts", "my-game.cases/place-a1-is-legal.case");
    assert!(visit.stored("my-game.cases/place-a1-is-legal.case").contains("legal: place a1"));
    visit.end();
}

/// Whoever changes the rules so that a case fails is told, unasked; and once, not with every letter.
fn what_is_no_longer_so_is_told(host: Host) {
    let rules = include_str!("../../games/tic-tac-toe.game");
    let case = "title: The middle is free.\nlegal: place b2\n";
    let files = [("mine.game", rules), ("mine.cases/free.case", case)];
    let Some(mut visit) = Visit::at(host, "told", &files, Some("mine.game")) else { return };
    visit.wait_for_choices(9);
    visit.select("(empty)");
    visit.page.type_text("(and (empty) corners)");
    visit.wait_for_choices(4);
    visit.wait_for("#toasts", "No longer so: “The middle is free”.");
    assert_eq!(visit.page.eval("document.querySelectorAll('.job').length"), 0);
    visit.page.click("#toasts .link");
    visit.wait_for("#jobs", "The middle is free. fails.");
    visit.page.click("#layout-write");
    visit.page.eval("document.querySelectorAll('.toast').forEach((each) => each.remove())");
    visit.select("corners");
    visit.page.type_text("(or corners (row 1))");
    visit.wait_for_choices(5);
    visit.page.eval("new Promise((done) => setTimeout(done, 3000))");
    assert_eq!(visit.shown("#toasts"), "");
    // The answer that was asked for is still there.
    visit.page.command("Page.reload", json!({}));
    visit.wait_for_board();
    visit.page.until("document.querySelectorAll('.job[data-kind=cases]').length === 1");
    visit
        .page
        .until("document.querySelector('.job[data-kind=cases]').textContent.includes('fails.')");
    visit.end();
}
