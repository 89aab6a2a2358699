//! A designer's first own game, from a blank page to a file that is given away, without leaving the page.

use super::sharing::CATCH;
use super::{Host, PLIES, Visit};

on_both! {
    a_first_game_is_made_from_a_blank_page,
}

/// Searches by words, and puts the first recipe that is found into the rules.
#[track_caller]
fn put_in(visit: &mut Visit, words: &str, recipe: &str) {
    visit.page.click("#open-search");
    visit.page.until("document.querySelector('dialog.search #found [role=option]')");
    visit.page.type_text(words);
    visit.wait_for("#found [aria-selected=true]", recipe);
    visit.wait_for("dialog.search .actions", "Put it into the rules");
    visit.page.key("Enter", false);
    visit.page.until("!document.querySelector('dialog[open]')");
}

fn a_first_game_is_made_from_a_blank_page(host: Host) {
    let Some(mut visit) = Visit::at(host, "walk", &[], None) else { return };
    visit.page.eval(CATCH);
    visit.page.click("#home-templates li:first-child button");
    visit.wait_for("#title", "My Game");
    // What is missing is said, and recipes bring it.
    visit.wait_for_finding("the game has no move");
    put_in(&mut visit, "place a stone", "place a stone");
    visit.wait_for_good_rules();
    visit.wait_for_choices(25);
    put_in(&mut visit, "three in a row wins", "in a row");
    visit.page.until("document.querySelector('textarea').value.includes('(end')");
    visit.wait_for_good_rules();
    // It is played to its end.
    for (number, site) in ["a1", "a5", "b1", "b5", "c1"].into_iter().enumerate() {
        visit.page.click(&format!("#board [data-site={site}]"));
        visit.wait_for_plies(number + 1);
    }
    visit.page.until("document.querySelector('#status.over')");
    visit.wait_for("#status", "Black wins");
    visit.page.key("s", true);
    visit.page.until("document.querySelector('dialog[open] input')");
    visit.page.key("Enter", false);
    visit.wait_for("#toasts", "Saved as my-game.game");
    // A slip is found, named beside the board, and mended by a click.
    visit.select("line 3");
    visit.page.type_text("lin 3");
    visit.wait_for_finding("lin");
    visit.wait_for("#game-note", "The error, line");
    visit.page.click("#findings .fix");
    visit.wait_for_good_rules();
    // Three are too few, as a playtest says.
    visit.page.click("#layout-ask");
    visit.page.click("#ask-playtest");
    visit.set("#ask-fields [name=strength]", "beginner");
    visit.set("#ask-fields [name=games]", "20");
    visit.page.click("#ask-start");
    let done = "document.querySelector('.job[data-kind=playtest]')?.dataset.state === 'done'";
    visit.page.until_within(done, std::time::Duration::from_secs(120));
    visit.page.until("document.querySelector('.job[data-kind=playtest] .sentences .first')");
    // Four in a row is another game; how, is shown on two boards.
    visit.page.click("#layout-write");
    visit.select("line 3");
    visit.page.type_text("line 4");
    visit.wait_for_good_rules();
    visit.page.click("#layout-ask");
    visit.page.click("#ask-diff");
    visit.page.click("#ask-start");
    visit.wait_for(".job[data-kind=diff] .sentences", "They differ after");
    visit.page.until("document.querySelectorAll('.job[data-kind=diff] .pair svg').length === 2");
    // It is saved, and given away: rules in words, and the game that was played.
    visit.page.key("s", true);
    visit.wait_for("#file", "my-game.game");
    visit.page.until("!document.getElementById('file').innerText.includes('•')");
    let saved = visit.stored("my-game.game");
    assert!(saved.contains("(line 4"), "{saved}");
    visit.page.click("#tab-share");
    // A page from the disk shows no other pages: there, the sheet is a file at once.
    visit.page.click(if matches!(host, Host::Page) { "#share-sheet" } else { "#save-sheet" });
    visit.page.until("window.caught.some(({ name }) => name.endsWith('.html'))");
    visit.page.click("#share-record");
    visit.page.until("window.caught.some(({ name }) => name.endsWith('.record'))");
    let sheet =
        "window.caught.find(({ name }) => name.endsWith('.html')).blob.then((blob) => blob.text())";
    let sheet = visit.page.eval(sheet);
    assert!(sheet.as_str().is_some_and(|sheet| sheet.contains("My Game")), "{sheet}");
    assert!(visit.page.eval(PLIES).as_u64() >= Some(5));
    visit.end();
}
