//! What designers saw go wrong on boards of all sizes, in lists and in answers.

use super::asking::{ask, wait_for_end};
use super::{Host, Visit};
use serde_json::json;

on_both! {
    boards_of_all_sizes_can_be_read,
    nothing_moves_the_board,
    players_are_told_apart_as_on_the_board,
    choices_are_beside_their_site,
    pictures_show_games_that_are_played,
    what_is_exact_is_not_provisional,
    records_are_dropped_on_the_page,
    what_lights_up_lies_below_the_pieces,
    a_changed_game_is_compared_with_the_one_that_ships,
    what_decided_the_game_is_marked,
    tabs_stay_beside_the_answers,
    piles_are_fanned_out_under_the_pointer,
}

/// Rules of a square board of this size, which end when it is full.
fn rules(size: u32) -> String {
    format!(
        "(game \"Filling\"\n  (players Black White)\n  (board (square {size}))\n  (piece Stone)\n  \
         (move place (to t (empty)) (put Stone t))\n  (play (turns (choose place)))\n  \
         (end (if (none (empty)) (draw))))\n"
    )
}

fn number(visit: &mut Visit, script: &str) -> f64 {
    visit.page.eval(script).as_f64().unwrap_or_else(|| panic!("{script} is no number"))
}

/// The place of an element in the window: left, top, width, height.
fn place(visit: &mut Visit, selector: &str) -> [f64; 4] {
    let found = visit.page.eval(&format!(
        "(({{ left, top, width, height }}) => [left, top, width, height])(document.querySelector({}).getBoundingClientRect())",
        json!(selector)
    ));
    [0, 1, 2, 3].map(|part| found[part].as_f64().expect("a number"))
}

/// How many pixels high the letters of labels are that stand in the picture.
const LABELS: &str = "Math.min(...[...document.querySelectorAll('#board svg text')].map((each) => \
    parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a))";
const LEGEND: &str = "parseFloat(getComputedStyle(document.querySelector('#legend li')).fontSize)";

fn boards_of_all_sizes_can_be_read(host: Host) {
    let (small, large) = (rules(3), rules(20));
    let files = [("large.game", large.as_str()), ("small.game", small.as_str())];
    let Some(mut visit) = Visit::at(host, "sizes", &files, None) else { return };
    let mut legends = Vec::new();
    for (file, least) in [(1, 0.45), (2, 0.45)] {
        visit.page.resize(1280, 800);
        visit.page.click(&format!("#home-files li:nth-child({file}) button"));
        visit.wait_for_board();
        visit.wait_for_good_rules();
        visit.page.click("#layout-write");
        let [_, _, _, height] = place(&mut visit, "#board svg");
        assert!(height > least * 800.0, "the board is {height} pixels high beside the rules");
        legends.push(number(&mut visit, LEGEND));
        let labels = number(&mut visit, LABELS);
        assert!(labels >= 9.0, "labels of {labels} pixels");
        let seat = place(&mut visit, "#seats select")[2];
        assert!(seat >= 80.0, "a menu of {seat} pixels for the seat");
        // Who is to move is said once.
        let turns = "document.getElementById('board-pane').innerText.split('to move').length - 1";
        assert_eq!(number(&mut visit, turns), 1.0);
        // The board is as large beside the questions, or nearly.
        visit.page.click("#tab-ask");
        let beside = place(&mut visit, "#board svg")[3];
        assert!(beside > 0.9 * height, "{beside} pixels beside the questions, {height} before");
        visit.page.click("#tab-game");
        // A page at 200 % has a quarter of the room.
        visit.page.resize(640, 400);
        visit.page.click("#layout-play");
        let [_, _, _, height] = place(&mut visit, "#board svg");
        assert!(height > 240.0, "the board is {height} pixels high at 200 %");
        visit.page.resize(1920, 1080);
        visit.page.click("#layout-play");
        visit.page.until(
            "document.querySelector('#board svg').getBoundingClientRect().height > 0.8 * innerHeight",
        );
        visit.page.click("#go-home");
    }
    assert_eq!(legends[0], legends[1], "the legend is as large beside every board");
    visit.end();
}

fn nothing_moves_the_board(host: Host) {
    let rules = include_str!("../../games/tic-tac-toe.game");
    let files = [("small.game", rules)];
    let Some(mut visit) = Visit::at(host, "still", &files, Some("small.game")) else { return };
    visit.wait_for_board();
    visit.wait_for_good_rules();
    for layout in ["write", "play"] {
        visit.page.click(&format!("#layout-{layout}"));
        let before = place(&mut visit, "#board svg");
        visit.page.click("#hint");
        visit.wait_for("#thought", "Hint");
        assert_eq!(place(&mut visit, "#board svg"), before, "a hint, {layout}");
        visit.page.click("#board [data-site].can");
        visit.page.until("document.querySelectorAll('#plies li:not(.start)').length > 0");
        assert_eq!(place(&mut visit, "#board svg"), before, "a ply, {layout}");
        visit.page.click("#undo");
        visit.page.until("document.querySelector('#plies .start [aria-current]')");
    }
    // Findings have no more room than they need.
    visit.page.click("#layout-write");
    let without = place(&mut visit, "#findings-box")[3];
    visit.put_caret_after("(piece ");
    visit.page.type_text("(");
    visit.page.until("document.querySelector('#check-line.error')");
    let with = place(&mut visit, "#findings-box")[3];
    assert!(with > without + 20.0, "{with} pixels of findings after {without}");
    visit.page.key("Backspace", false);
    visit.wait_for_good_rules();
    // The room is given back after a while, so that nothing jumps while one types.
    visit.page.until(&format!(
        "document.getElementById('findings-box').getBoundingClientRect().height === {without}"
    ));
    visit.end();
}

fn players_are_told_apart_as_on_the_board(host: Host) {
    let Some(mut visit) = Visit::at(host, "colours", &[], Some("kitaran")) else { return };
    visit.wait_for_board();
    visit.wait_for_choices(25);
    let dot = |visit: &mut Visit, selector: &str| {
        let selector = json!(format!("{selector} .tile i"));
        visit
            .page
            .eval(&format!("getComputedStyle(document.querySelector({selector})).backgroundColor"))
    };
    let seats = [1, 2].map(|seat| dot(&mut visit, &format!("#seats label:nth-child({seat})")));
    assert_ne!(seats[0], seats[1]);
    for (ply, site) in ["c3", "b2"].into_iter().enumerate() {
        assert_eq!(dot(&mut visit, "#status"), seats[ply], "the status before ply {ply}");
        visit.page.click(&format!("#board [data-site={site}]"));
        visit.wait_for_plies(ply + 1);
        let row = format!("#plies > li:nth-child({}) .go", ply + 2);
        assert_eq!(dot(&mut visit, &row), seats[ply], "ply {ply} of the list");
        assert!(visit.shown(&row).contains(site));
    }
    // The pieces on the board have these colours, too.
    let inks = visit.page.eval(
        "[...document.querySelectorAll('#board svg *')].map((each) => getComputedStyle(each).fill)",
    );
    let inks = inks.as_array().expect("colours");
    seats.iter().for_each(|seat| assert!(inks.contains(seat), "{seat} is not on the board"));
    // Where pieces do not tell the players apart, no colour does, but their names.
    visit.page.click("#go-home");
    visit.open_shipped("cicada");
    visit.page.until("document.querySelector('#board [data-site].can')");
    assert_eq!(visit.page.eval("document.querySelectorAll('#seats .tile').length"), 0);
    // The list of memories repeats nothing that the board shows.
    let lines = visit.shown("#memories");
    assert!(lines.lines().count() <= 4, "{lines}");
    visit.end();
}

fn choices_are_beside_their_site(host: Host) {
    let Some(mut visit) = Visit::at(host, "beside", &[], Some("lichen-chess")) else { return };
    visit.wait_for_board();
    for (width, height) in [(1280, 800), (390, 844)] {
        visit.page.resize(width, height);
        visit.page.click("#layout-play");
        for number in [0, 3, 7] {
            visit.page.until("document.querySelectorAll('#board [data-site].can').length > 7");
            let site =
                format!("[...document.querySelectorAll('#board [data-site].can')][{number}]");
            let site = visit.page.eval(&format!("{site}.dataset.site"));
            let site = format!("#board [data-site={}]", site.as_str().expect("a site"));
            visit.page.click(&site);
            visit.page.until("document.querySelector('#menu button')");
            let ([left, top, wide, high], menu) =
                (place(&mut visit, &site), place(&mut visit, "#menu"));
            let away = |at: f64, size: f64, from: f64, length: f64| {
                (from - at - size).max(at - from - length)
            };
            let gaps = [away(left, wide, menu[0], menu[2]), away(top, high, menu[1], menu[3])];
            let most = gaps[0].max(gaps[1]);
            assert!(most < 40.0, "the menu is {most} pixels from {site} at {width}: {menu:?}");
            let inside = menu[0] >= 0.0 && menu[0] + menu[2] <= f64::from(width);
            assert!(inside && menu[1] >= 0.0, "the menu leaves the window at {width}: {menu:?}");
            visit.page.key("Escape", false);
            visit.page.until("!document.querySelector('#menu button')");
        }
    }
    visit.end();
}

fn pictures_show_games_that_are_played(host: Host) {
    let rules = include_str!("../../games/tic-tac-toe.game");
    let files = [("mine.game", rules)];
    let Some(mut visit) = Visit::at(host, "thumbs", &files, None) else { return };
    visit.page.until("document.querySelector('#home-files .thumb svg')");
    // Every picture has pieces of two colours: games begin on empty boards.
    let boards = visit.page.eval("[...document.querySelectorAll('.card svg, #home-files .thumb svg')].map((each) => \
        new Set([...each.querySelectorAll('[class*=piece], g, circle, path')].map((one) => getComputedStyle(one).fill)).size)");
    let boards = boards.as_array().expect("pictures");
    assert!(
        boards.len() >= 6 && boards.iter().all(|colours| colours.as_u64() >= Some(3)),
        "{boards:?}"
    );
    // Boards are not all of one colour, and darker where the scheme is dark.
    let colours = "new Set([...document.querySelectorAll('.card svg .ground')].map((each) => \
        [...each.querySelectorAll('use')].map((one) => one.getAttribute('fill')).join())).size";
    let colours = number(&mut visit, colours);
    assert!(colours >= 4.0, "boards of {colours} colours");
    for (is_dark, wanted) in [(true, "brightness"), (false, "none")] {
        visit.page.set_dark(is_dark);
        visit.page.until(&format!(
            "[...document.querySelectorAll('.card svg .ground')].every((each) => getComputedStyle(each).filter.startsWith('{wanted}'))"
        ));
    }
    visit.end();
}

fn what_is_exact_is_not_provisional(host: Host) {
    let rules = include_str!("../../games/tic-tac-toe.game");
    let files = [("mine.game", rules)];
    let Some(mut visit) = Visit::at(host, "exact", &files, Some("mine.game")) else { return };
    visit.wait_for_board();
    visit.page.click("#layout-ask");
    let card = ask(&mut visit, "playtest", &[("strength", "beginner"), ("games", "50")]);
    let (sentences, whole) = wait_for_end(&mut visit, &card, "done");
    let first = sentences.lines().next().unwrap_or_default();
    assert!(first.contains("best play") && first.contains("draw"), "{sentences}");
    assert!(!whole.contains("rovisional"), "{whole}");
    // The bars have a part for draws.
    let chart = visit
        .page
        .eval(&format!("document.querySelector('{card} .chart').getAttribute('aria-label')"));
    assert!(chart.as_str().is_some_and(|chart| chart.contains("drawn")), "{chart}");
    visit.end();
}

/// Drops a file on the page.
fn drop_file(visit: &mut Visit, name: &str, text: &str) {
    visit.page.eval(&format!(
        "(() => {{ const dataTransfer = new DataTransfer(); dataTransfer.items.add(new File([{}], {})); \
         for (const kind of ['dragover', 'drop']) document.body.dispatchEvent(new DragEvent(kind, {{ dataTransfer, bubbles: true, cancelable: true }})); }})()",
        json!(text),
        json!(name)
    ));
}

fn records_are_dropped_on_the_page(host: Host) {
    let rules = include_str!("../../games/tic-tac-toe.game");
    let files = [("mine.game", rules)];
    let Some(mut visit) = Visit::at(host, "dropped", &files, Some("mine.game")) else { return };
    visit.wait_for_choices(9);
    visit.page.click("#board [data-site=c3]");
    visit.wait_for_plies(1);
    drop_file(&mut visit, "one.record", "game: Tic-Tac-Toe\n\nplace a1\nplace b2\n");
    visit.wait_for("#toasts", "one.record is open");
    visit.wait_for_choices(7);
    visit.wait_for("#plies", "place b2");
    // The game before is not lost.
    for left in [8, 9, 8] {
        visit.page.click("#undo");
        visit.wait_for_choices(left);
    }
    visit.wait_for("#plies", "place c3");
    // What is no record changes nothing.
    drop_file(&mut visit, "two.record", "game: Tic-Tac-Toe\n\nplace z9\n");
    visit.wait_for("#toasts", "z9");
    visit.wait_for_choices(8);
    // The record of another game opens that game, rules become a file.
    drop_file(&mut visit, "three.record", "game: Kitaran\n\nplace c3\n");
    visit.wait_for("#title", "Kitaran");
    visit.wait_for("#plies", "place c3");
    drop_file(&mut visit, "other.game", rules);
    visit.wait_for("#file", "other.game");
    assert_eq!(visit.stored("other.game"), rules);
    visit.page.complaints.retain(|complaint| !complaint.contains("api/take"));
    visit.end();
}

fn what_lights_up_lies_below_the_pieces(host: Host) {
    let Some(mut visit) = Visit::at(host, "below", &[], Some("kitaran")) else { return };
    visit.wait_for_choices(25);
    for (number, site) in ["c3", "b2"].into_iter().enumerate() {
        visit.page.click(&format!("#board [data-site={site}]"));
        visit.wait_for_plies(number + 1);
    }
    visit.put_caret_after("(to t (emp");
    visit.page.until("document.querySelectorAll('.marks .lit .area').length === 23");
    // Nothing that lights an area comes after a piece in the picture, and so over it.
    let above = "(() => { const pieces = document.querySelectorAll('#board svg > use'); \
        return [...document.querySelectorAll('.marks .lit .area')].filter((area) => [...pieces].some((piece) => \
        piece.compareDocumentPosition(area) & Node.DOCUMENT_POSITION_FOLLOWING)).length; })()";
    assert!(number(&mut visit, "document.querySelectorAll('#board svg > use').length") >= 2.0);
    assert_eq!(number(&mut visit, above), 0.0);
    // What explains a word lies beside the board, too, and says it without types.
    visit.page.key("F1", false);
    visit.page.until("!document.getElementById('hover').hidden");
    assert!(visit.shown("#hover").contains("(empty)"), "{}", visit.shown("#hover"));
    assert!(!visit.shown("#hover").contains("->"), "{}", visit.shown("#hover"));
    let [left, _, width, _] = place(&mut visit, "#hover");
    let board = place(&mut visit, "#board")[0];
    assert!(
        left + width <= board,
        "an explanation ends at {}, the board begins at {board}",
        left + width
    );
    visit.end();
}

fn a_changed_game_is_compared_with_the_one_that_ships(host: Host) {
    let Some(mut visit) = Visit::at(host, "ships", &[], Some("kitaran")) else { return };
    visit.wait_for_choices(25);
    visit.select("(to t (empty))");
    visit.page.type_text("(to t (and (empty) (not corners)))");
    visit.wait_for_choices(21);
    visit.page.click("#layout-ask");
    let card = ask(&mut visit, "diff", &[]);
    let (sentences, whole) = wait_for_end(&mut visit, &card, "done");
    assert!(sentences.contains("They differ in the first position."), "{sentences}");
    assert!(whole.contains("As it ships") && whole.contains("As it is now"), "{whole}");
    visit.end();
}

const LINES: &str = include_str!("../../games/tic-tac-toe.game");

fn what_decided_the_game_is_marked(host: Host) {
    let Some(mut visit) = Visit::at(host, "won", &[("mine.game", LINES)], Some("mine.game")) else {
        return;
    };
    for (site, left) in [("a1", 9), ("a2", 8), ("b1", 7), ("b2", 6), ("c1", 5)] {
        visit.wait_for_choices(left);
        visit.page.click(&format!("#board [data-site={site}]"));
    }
    visit.page.until("document.querySelector('#status.over')");
    // Each ring is around a site of the line.
    let marked = "[...document.querySelectorAll('.won .inner')].map(({ cx, cy }) => [cx.baseVal.value, cy.baseVal.value])";
    let on_line = format!(
        "(() => {{ const all = {marked}; return all.length === 3 && new Set(all.map(([, y]) => y)).size === 1; }})()"
    );
    visit.page.until(&on_line);
    // Beside the rules, their clause is named; players are told without.
    visit.page.click("#layout-write");
    visit.wait_for("#status", "contains a1 b1 c1");
    visit.page.click("#layout-play");
    visit.page.until(
        "document.getElementById('status').innerText.startsWith('X wins after place c1\\n')",
    );
    visit.page.click("#undo");
    visit.page.until("!document.querySelector('.won .inner')");
    visit.end();
}

fn tabs_stay_beside_the_answers(host: Host) {
    let Some(mut visit) = Visit::at(host, "tabs", &[("mine.game", LINES)], Some("mine.game"))
    else {
        return;
    };
    visit.wait_for_board();
    visit.page.resize(1280, 800);
    visit.page.click("#layout-ask");
    visit.page.click("#tab-game");
    visit.page.until(
        "!document.getElementById('panel-game').hidden && document.body.dataset.layout === 'ask'",
    );
    visit.page.click("#layout-ask");
    visit.page.until("!document.getElementById('panel-ask').hidden");
    visit.page.click("#layout-write");
    visit.page.until("!document.getElementById('panel-game').hidden");
    visit.end();
}

fn piles_are_fanned_out_under_the_pointer(host: Host) {
    let rules = "(game \"Piles\"\n  (players Red Blue)\n  (board (square 3) (piles 3))\n  (piece Man)\n  \
        (remember Facing direction (per site))\n  \
        (setup (put Man b2 Red) (put Man b2 Blue) (put Man b2 Red) (put Man a1 Blue) (set (Facing a1) NE))\n  \
        (move drop (to t (empty)) (put Man t))\n  (play (turns (choose drop)))\n  \
        (end (if (none (empty)) (draw)))\n  (look (shape Facing arrow)))\n";
    let Some(mut visit) = Visit::at(host, "fans", &[("piles.game", rules)], Some("piles.game"))
    else {
        return;
    };
    visit.wait_for_choices(7);
    let shown = "[...document.querySelectorAll('#board .fan')].filter((fan) => fan.getClientRects().length).map((fan) => [fan.dataset.fan, fan.querySelectorAll('use').length].join())";
    assert_eq!(visit.page.eval(shown), json!([]));
    let (at, away) =
        (visit.page.place("#board [data-site=b2]"), visit.page.place("#board [data-site=c3]"));
    visit.page.mouse("mouseMoved", at);
    visit.page.until(&format!("{shown}.join() === 'b2,3'"));
    visit.page.mouse("mouseMoved", away);
    visit.page.until(&format!("{shown}.length === 0"));
    // A screen reader is told the same, and where a site faces.
    let label =
        |site: &str| format!("document.querySelector('#board [data-site={site}]').ariaLabel");
    let said = visit.page.eval(&label("b2"));
    assert!(said.as_str().is_some_and(|said| said.contains("on Blue Man, Red Man")), "{said}");
    let said = visit.page.eval(&label("a1"));
    assert!(said.as_str().is_some_and(|said| said.contains("Facing NE")), "{said}");
    visit.end();
}
