//! A studio that is a page: what the browser keeps, and what only the program can do.

use super::{Host, Visit};
use serde_json::json;

#[test]
fn a_page_keeps_files_and_drafts_and_says_what_needs_the_program() {
    let Some(mut visit) = Visit::at(Host::Page, "kept", &[], Some("kitaran")) else { return };
    visit.wait_for_choices(25);
    visit.page.click("[data-site=c3]");
    visit.wait_for_plies(1);
    let save = |visit: &mut Visit| {
        visit.page.key("s", true);
        visit.page.until("document.querySelector('dialog[open] input')");
        visit.page.key("Enter", false);
    };
    save(&mut visit);
    visit.wait_for("#toasts", "Saved as kitaran.game");
    // What is written afterwards is a draft, and is there when the page is opened again.
    visit.put_caret_after("(game \"");
    visit.page.type_text("New ");
    visit.wait_for("#title", "New Kitaran");
    visit.wait_for("#file", "•");
    visit.page.eval("new Promise((done) => setTimeout(done, 600))");
    visit.page.command("Page.reload", json!({}));
    visit.wait_for("#title", "New Kitaran");
    visit.wait_for_board();
    visit.wait_for_plies(1);
    visit.wait_for("#file", "kitaran.game");
    visit.page.click("#go-home");
    visit.wait_for("#home-drafts", "New Kitaran");
    visit.wait_for("#home-files", "kitaran.game");
    // A file of the same name is not replaced unasked.
    visit.page.click("#home-templates button");
    visit.wait_for("#title", "My Game");
    visit.page.click("#save-as");
    visit.set("dialog input", "kitaran");
    visit.page.click("dialog button.main");
    visit.wait_for("dialog", "exists already");
    visit.page.key("Escape", false);
    // What needs threads, hours or a folder says so.
    visit.page.until("!document.querySelector('dialog[open]')");
    visit.page.click("#tab-ask");
    visit.page.click("#ask-start");
    visit.wait_for("#toasts", "need the program on your computer");
    // A file can be deleted.
    visit.page.click("#go-home");
    visit.page.click("#home-files .link");
    visit.page.until("document.querySelector('dialog[open] button.main')");
    visit.page.click("dialog button.main");
    visit.page.until("document.getElementById('home-files-box').hidden");
    visit.end();
}
