//! A studio that is a page: what the browser keeps.

use super::{Host, Visit};
use serde_json::json;
use std::fs;
use std::path::Path;

#[test]
fn a_page_keeps_files_and_drafts() {
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
    visit.page.click("#home-templates li:nth-child(2) button");
    visit.wait_for("#title", "My Game");
    visit.page.click("#save-as");
    visit.set("dialog input", "kitaran");
    visit.page.click("dialog button.main");
    visit.wait_for("dialog", "exists already");
    visit.page.key("Escape", false);
    visit.page.until("!document.querySelector('dialog[open]')");
    // A file can be deleted.
    visit.page.click("#go-home");
    visit.page.until("document.querySelector('#home-files .link')");
    visit.page.eval(
        "[...document.querySelectorAll('#home-files .link')].find((each) => each.textContent === 'Delete').click()",
    );
    visit.page.until("!document.querySelector('#home-files > li:not(.undo)')");
    visit.page.click("#home-files .undo button");
    visit.page.until("document.querySelector('#home-files > li.own')");
    visit.end();
}

#[test]
fn files_of_the_computer_are_opened_and_replace_nothing_unasked() {
    let Some(mut visit) = Visit::at(Host::Page, "files", &[], None) else { return };
    let rules = include_str!("../../games/tic-tac-toe.game");
    let file = |name: &str, bytes: &[u8]| {
        let path = visit.folder.join(name);
        fs::write(&path, bytes).expect("a file");
        path
    };
    let game = file("Mine.game", rules.replace('\n', "\r\n").as_bytes());
    let record = file("one.record", b"game: Tic-Tac-Toe\n\nplace a1\nplace b2\n");
    let picture = file("picture.png", &[0x89, b'P', b'N', b'G', 0xff, 0]);
    let choose = |visit: &mut Visit, files: &[&Path]| {
        visit.page.choose_files("#home-open", "#home-input", files);
    };
    // One is opened at once, with the line ends of the editor.
    choose(&mut visit, &[&game]);
    visit.wait_for("#title", "Tic-Tac-Toe");
    visit.wait_for_choices(9);
    assert_eq!(visit.text(), rules);
    visit.wait_for("#file", "Mine.game");
    let home = |visit: &mut Visit| {
        visit.page.click("#go-home");
        visit.page.until("document.querySelector('#home-files button')");
    };
    // A record is opened with its game, which is here already.
    home(&mut visit);
    choose(&mut visit, &[&record]);
    visit.wait_for_plies(2);
    visit.wait_for("#file", "Mine.game");
    // A file of the same name is not replaced unasked.
    home(&mut visit);
    fs::write(&game, rules.replace("Tic-Tac-Toe", "Other")).expect("a file");
    choose(&mut visit, &[&game, &record]);
    visit.wait_for("dialog", "keeps another Mine.game");
    visit.page.click("dialog .actions button:last-child");
    visit.page.until("!document.querySelector('dialog')");
    assert!(visit.shown("#home-files").contains("Tic-Tac-Toe"), "{}", visit.shown("#home-files"));
    // Several were chosen, so that none is opened.
    visit.page.eval("new Promise((done) => setTimeout(done, 500))");
    assert!(visit.page.eval("!document.getElementById('home').hidden") == true);
    choose(&mut visit, &[&game, &record]);
    visit.page.click("dialog button.main");
    visit.wait_for("#home-files", "Other");
    visit.wait_for("#home-files", "one.record");
    // What is no text says so.
    choose(&mut visit, &[&picture]);
    visit.wait_for("#toasts", "picture.png is no text");
    assert!(!visit.shown("#home-files").contains("picture"));
    visit.end();
}
