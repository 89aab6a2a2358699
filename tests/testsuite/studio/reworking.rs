//! Rules are found by intention, reworked and watched; positions are set up by hand; files are copied,
//! renamed and deleted.

use super::{Host, Visit};

on_both! { rule_cases_are_copied_deleted_and_brought_back_with_their_rules,
    rules_are_searched_reworked_and_watched,
    files_are_copied_renamed_deleted_and_brought_back,
    a_name_that_was_changed_at_one_place_is_changed_at_all,
    memories_are_set_up_by_hand,
    what_rules_remember_by_themselves_is_not_set_up,
    records_are_renamed_with_the_rules,
    a_variant_is_made_of_what_was_changed,
    a_start_is_set_up_for_players_with_directions,
}

const BASE: &str = include_str!("../../games/tic-tac-toe.game");
const VARIANT: &str = "(variant-of \"mine.game\" \"Other\"\n  (define (InARow (player p))\n    (any (line 3 (of p Mark) diagonal))))\n";
const CASE: &str = "title: X is crowned.\nplay: place a1\nthen:\n  3 . . .\n  2 . . .\n  1 X . .\n    a b c\nmover: O\n";

fn rules_are_searched_reworked_and_watched(host: Host) {
    let files = [("mine.game", BASE), ("other.game", VARIANT)];
    let Some(mut visit) = Visit::at(host, "rework", &files, Some("mine.game")) else { return };
    visit.store("mine.cases/first.case", CASE);
    visit.wait_for_board();
    visit.wait_for_good_rules();
    // Words of players; one Escape closes.
    visit.page.click("#open-search");
    visit.page.type_text("whoever has more pieces at the end wins");
    visit.wait_for("#found [aria-selected=true]", "most stones win");
    visit.page.key("Escape", false);
    visit.page.until("!document.querySelector('dialog[open]')");
    // A command, and the manual.
    visit.page.key("F2", false);
    visit.page.until("document.querySelector('#found [role=group]')");
    visit.page.type_text("manual");
    visit.wait_for("#found [aria-selected=true]", "The manual");
    visit.page.key("Enter", false);
    visit.page.until("document.querySelector('dialog.search[open] #found [role=group]')");
    assert_eq!(visit.page.eval("document.querySelector('dialog.search input').value"), "");
    visit.page.type_text("replace text");
    visit.wait_for("#found [aria-selected=true]", "Find and replace");
    visit.page.key("Enter", false);
    visit.page.until("!document.getElementById('replace').hidden");
    visit.page.type_text("square");
    visit.wait_for("#replace [role=status]", "1 of ");
    visit.page.key("Escape", false);
    visit.page.until("document.getElementById('replace').hidden");
    // A player gets another name everywhere: here, in a variant, in a rule case.
    visit.put_caret_after("(players ");
    visit.page.key("F4", false);
    visit.page.until("document.querySelector('form.rework input')");
    // What is refused can be mended there.
    visit.set("form.rework input", "cross");
    visit.page.click("form.rework button");
    visit
        .page
        .until("document.querySelector('.toast.bad') && document.querySelector('form.rework')");
    visit.set("form.rework input", "Cross");
    visit.page.click("form.rework button");
    visit.wait_for("dialog[open]", "mine.cases/first.case");
    visit.page.click("dialog[open] button.main");
    visit.page.until("document.querySelector('textarea').value.includes('(players Cross O)')");
    visit.page.click("dialog[open] button.main");
    // The rules are saved with the files that have the new name.
    assert!(visit.stored("mine.game").contains("(players Cross O)"));
    let case = visit.stored("mine.cases/first.case");
    assert!(case.contains("title: X is crowned.") && case.contains("1 C . ."), "{case}");
    visit.wait_for_good_rules();
    // What must be so becomes a rule case.
    visit.page.click("#must-be");
    visit.page.click("#must .link");
    visit.page.until("document.querySelector('form.must')");
    visit.set("form.must input[list]", "place b2");
    visit.page.click("form.must button.main");
    visit.wait_for("#toasts", "place-b2-is-legal.case");
    let made = visit.stored("mine.cases/place-b2-is-legal.case");
    assert!(made.contains("legal: place b2"), "{made}");
    // A position that is set up by hand is the start of the game.
    visit.page.click("#set-up");
    visit.page.until("document.querySelector('.set-up [data-site=b2]')");
    visit.page.until("document.querySelectorAll('.tray [data-symbol] svg').length === 2");
    visit.page.click(".set-up [data-site=b2]");
    visit.page.until("document.querySelector('.set-up .actions button:last-child:not(:disabled)')");
    // A piece is dragged, and lies above the window on its way.
    let (from, to) = (".set-up [data-site=b2]", ".set-up [data-site=c1]");
    let (from, to) = (visit.page.place(from), visit.page.place(to));
    visit.page.mouse("mousePressed", from);
    for at in [((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0), to] {
        visit.page.mouse("mouseDragged", at);
    }
    visit.page.until("document.querySelector('dialog[open] .ghost.piece')");
    visit.page.mouse("mouseReleased", to);
    visit.page.until("!document.querySelector('.ghost')");
    visit.page.click("dialog[open] > .actions button.main");
    visit.page.until("document.querySelector('textarea').value.includes('(put Mark c1 Cross)')");
    visit.wait_for_good_rules();
    visit.page.eval("document.querySelector('textarea').focus()");
    visit.page.key("z", true);
    visit.page.until("!document.querySelector('textarea').value.includes('(setup')");
    // What is never used is deleted where the finding stands, and by who searches for that.
    for by_search in [false, true] {
        visit.put_caret_after("(game \"Tic-Tac-Toe\"");
        visit.page.type_text("\n  (define Never 7)");
        visit.wait_for_finding("Never");
        if by_search {
            visit.page.key("F2", false);
            visit.page.until("document.querySelector('#found [role=group]')");
            visit.page.type_text("delete unused");
            visit.wait_for("#found [aria-selected=true]", "Delete what is never used");
            visit.page.key("Enter", false);
        } else {
            visit.page.click("#findings button.fix");
        }
        visit.page.until("!document.querySelector('textarea').value.includes('Never')");
        visit.wait_for("#toasts", "What was never used is deleted");
        visit.wait_for_good_rules();
    }
    // The browser reports the refusal, too.
    visit.page.complaints.retain(|complaint| !complaint.contains("api/rename"));
    visit.end();
}

fn files_are_copied_renamed_deleted_and_brought_back(host: Host) {
    let Some(mut visit) = Visit::at(host, "files", &[("mine.game", BASE)], None) else { return };
    visit.page.until("document.querySelector('#home-files .thumb svg')");
    // It is the board alone, in the middle of a game.
    let shape = "(({ width, height }) => width / height)(document.querySelector('#home-files .thumb svg').viewBox.baseVal)";
    let shape = visit.page.eval(shape).as_f64().expect("a number");
    assert!((0.9..1.1).contains(&shape), "{shape}");
    assert_eq!(visit.page.eval("document.querySelectorAll('#home-files [data-site]').length"), 0);
    visit.page.click("[aria-label='Duplicate mine.game']");
    visit.wait_for("#home-files", "mine-2.game");
    // The rule cases of a file have its name, too.
    visit.store("mine-2.cases/begins.case", "legal: place b2\n");
    visit.page.click("[aria-label='Rename mine-2.game']");
    visit.set("dialog[open] input", "yours");
    visit.page.click("dialog[open] button.main");
    visit.wait_for("#home-files", "yours.game");
    assert_eq!(visit.files(), "mine.game yours.cases/begins.case yours.game");
    visit.page.click("[aria-label='Delete mine.game']");
    visit.wait_for("#home-files .undo", "mine.game was deleted");
    assert_eq!(visit.files(), "yours.cases/begins.case yours.game");
    visit.page.click("#home-files .undo button");
    visit.page.until("document.querySelector(\"[aria-label='Delete mine.game']\")");
    assert_eq!(visit.files(), "mine.game yours.cases/begins.case yours.game");
    visit.set("#home-search", "othello");
    visit.page.until("document.querySelector('#home-files li').hidden");
    // A file that is open on this page keeps its game under another name, and when it is deleted.
    visit.set("#home-search", "yours");
    let own = "[...document.querySelectorAll('#home-files button.row')].find((each) => each.innerText.includes('yours.game'))";
    visit.page.eval(&format!("{own}.click()"));
    visit.wait_for_choices(9);
    visit.page.click("#board [data-site=b2]");
    visit.wait_for_plies(1);
    visit.page.click("#go-home");
    visit.page.until("document.querySelector(\"[aria-label='Rename yours.game']\")");
    assert_eq!(visit.page.eval("document.getElementById('home-search').value"), "");
    visit.page.click("[aria-label='Rename yours.game']");
    visit.set("dialog[open] input", "theirs");
    visit.page.click("dialog[open] button.main");
    visit.wait_for("#home-files", "theirs.game");
    visit.page.click("#home-back");
    visit.wait_for("#file", "theirs.game");
    visit.put_caret_after("(game \"");
    visit.page.type_text("New ");
    visit.wait_for("#title", "New ");
    visit.page.key("s", true);
    visit.page.until("document.getElementById('file').innerText === 'theirs.game'");
    assert_eq!(visit.files(), "mine.game theirs.cases/begins.case theirs.game");
    assert!(visit.stored("theirs.game").contains("New "));
    visit.page.click("#go-home");
    visit.page.until("document.querySelector(\"[aria-label='Delete theirs.game']\")");
    visit.page.click("[aria-label='Delete theirs.game']");
    visit.wait_for("#home-files .undo", "theirs.game was deleted");
    visit.page.click("#home-back");
    visit.wait_for("#file", "not saved yet");
    visit.wait_for_plies(1);
    visit.end();
}

fn rule_cases_are_copied_deleted_and_brought_back_with_their_rules(host: Host) {
    let files = [
        ("mine.game", BASE),
        ("mine.cases/first.case", CASE),
        ("mine.cases/second.case", "legal: place b2\n"),
        // Not those of the copy.
        ("mine-2.cases/other.case", "legal: place b2\n"),
    ];
    let Some(mut visit) = Visit::at(host, "cases-of-files", &files, None) else { return };
    visit.page.click("[aria-label='Duplicate mine.game']");
    visit.wait_for("#home-files", "mine-3.game");
    let copied =
        "mine-2.cases/other.case mine-3.cases/first.case mine-3.cases/second.case mine-3.game";
    let own = "mine.cases/first.case mine.cases/second.case mine.game";
    assert_eq!(visit.files(), format!("{copied} {own}"));
    visit.page.click("[aria-label='Delete mine.game']");
    visit.wait_for("#home-files .undo", "mine.game was deleted");
    assert_eq!(visit.files(), copied);
    visit.page.click("#home-files .undo button");
    visit.page.until("document.querySelector(\"[aria-label='Delete mine.game']\")");
    assert_eq!(visit.files(), format!("{copied} {own}"));
    visit.end();
}

fn a_name_that_was_changed_at_one_place_is_changed_at_all(host: Host) {
    let Some(mut visit) = Visit::at(host, "renamed", &[("mine.game", BASE)], Some("mine.game"))
    else {
        return;
    };
    visit.wait_for_board();
    visit.select("Mark)");
    visit.page.type_text("Stone)");
    visit.wait_for_finding("found Mark, which is not defined");
    // Each sentence of the advice is a line.
    let help = visit.shown("#findings .help");
    let lines: Vec<&str> = help.lines().collect();
    let expected =
        ["did you mean Stone, which is not used yet?", "to declare a piece, write (piece Mark)"];
    assert_eq!(lines, expected);
    visit.page.click("#findings .fix");
    visit.wait_for_good_rules();
    assert!(!visit.text().contains("Mark"), "{}", visit.text());
    visit.end();
}

const MEMORIES: &str = "(game \"Memories\"
  (players White Black) (board (square 3)) (piece Stone) (piece Crown)
  (remember Left number 3) (remember Points number (per player)) (remember Marked sites)
  (remember Last site) (remember Chief player White) (remember Kept kind) (remember Way direction) (remember Bonus condition)
  (move drop (to t (and (empty) (not Marked))) (require (or Bonus (= Way N) (= Chief mover) (= Kept Crown) (= Last b2) (> Left 0)))
    (put Stone t) (raise (Points mover) 1) (lower Left 1) (mark t Marked) (set Last t) (set Chief mover))
  (play (turns (choose drop))) (end (if (= (Points White) 3) (win White))))
";

/// Memories of every kind get values by hand; the setup says the same, and play begins with them.
fn memories_are_set_up_by_hand(host: Host) {
    let files = [("memories.game", MEMORIES)];
    let Some(mut visit) = Visit::at(host, "memories", &files, Some("memories.game")) else {
        return;
    };
    visit.wait_for_choices(9);
    visit.page.click("#set-up");
    visit.page.until("document.querySelector('.set-up .memories input')");
    // Nothing is written that the rules say already.
    visit.page.click("dialog[open] > .actions button.main");
    visit.wait_for("#toasts", "begins with these pieces and memories already");
    assert_eq!(visit.text(), MEMORIES);
    let values = [
        ("Left", "7", "(set Left 7)"),
        ("Points Black", "2", "(set (Points Black) 2)"),
        ("Marked", "a1 c3", "(mark (sites a1 c3) Marked)"),
        ("Last", "b2", "(set Last b2)"),
        ("Chief", "Black", "(set Chief Black)"),
        ("Kept", "Crown", "(set Kept Crown)"),
        ("Way", "N", "(set Way N)"),
        ("Bonus", "true", "(set Bonus true)"),
    ];
    let field = |name: &str| {
        format!(
            "[...document.querySelectorAll('.memories label')].find((each) => each.innerText.trim() === '{name}').querySelector('input')"
        )
    };
    for (name, value, _) in values {
        let field = field(name);
        visit.page.eval(&format!(
            "(() => {{ const field = {field}; field.value = '{value}'; field.dispatchEvent(new Event('change')); }})()"
        ));
        // The answer has made the fields anew.
        visit.page.until(&format!("({field}).getAttribute('value') === '{value}'"));
    }
    visit.page.click("dialog[open] > .actions button.main");
    visit.page.until("document.querySelector('textarea').value.includes('(setup')");
    let text = visit.text();
    visit.page.complaints.retain(|complaint| !complaint.contains("api/setUp"));
    for (_, _, statement) in values {
        assert!(text.contains(statement), "{statement}: {text}");
    }
    visit.wait_for_good_rules();
    visit.wait_for_choices(7);
    visit.end();
}

/// What a rewritten word remembers is part of a position, but no setup can write it.
fn what_rules_remember_by_themselves_is_not_set_up(host: Host) {
    let files = [("mine.game", include_str!("../../games/draughts.game"))];
    let Some(mut visit) = Visit::at(host, "goes-on", &files, Some("mine.game")) else { return };
    visit.page.until("document.querySelector('#board [data-site].can')");
    visit.page.click("#set-up");
    let field = "[...document.querySelectorAll('.memories label')].find((each) => each.innerText.trim() === 'goes-on')?.querySelector('input')";
    visit.page.until(field);
    visit.page.eval(&format!(
        "(() => {{ const field = {field}; field.value = 'b6'; field.dispatchEvent(new Event('change')); }})()"
    ));
    visit.page.until(&format!("{field}.getAttribute('value') === 'b6'"));
    visit.page.click("dialog[open] > .actions button.main");
    visit.wait_for("#toasts", "keep something that a setup cannot write");
    assert!(visit.text().contains("(setup") && !visit.text().contains("goes-on"));
    visit.wait_for_good_rules();
    visit.end();
}

/// A record beside the rules is renamed with them, and the game on the board goes on.
fn records_are_renamed_with_the_rules(host: Host) {
    let record = "game: Tic-Tac-Toe\n\nplace b2\nplace a1\n";
    let files = [("mine.game", BASE), ("played.record", record)];
    let Some(mut visit) = Visit::at(host, "renamed-record", &files, None) else { return };
    let open = "[...document.querySelectorAll('#home-files button')].find((each) => each.innerText.includes('mine.game'))";
    visit.page.until(open);
    visit.page.eval(&format!("{open}.click()"));
    visit.wait_for_choices(9);
    visit.page.click("#board [data-site=c3]");
    visit.wait_for_plies(1);
    for (at, name) in [("(move ", "fill"), ("(piece ", "Token"), ("(players ", "Cross")] {
        visit.put_caret_after(at);
        visit.page.key("F4", false);
        visit.page.until("document.querySelector('form.rework input')");
        visit.set("form.rework input", name);
        visit.page.click("form.rework button");
        if name == "fill" {
            visit.wait_for("dialog[open]", "played.record");
            visit.page.click("dialog[open] button.main");
            visit.wait_for("dialog[open]", "changed and saved");
            visit.page.click("dialog[open] button.main");
        }
        visit
            .page
            .until(&format!("document.querySelector('textarea').value.includes('{at}{name}')"));
        visit.wait_for_good_rules();
        visit.wait_for_plies(1);
    }
    visit.wait_for("#plies", "fill c3");
    assert!(!visit.shown("#game-note").contains("not legal"));
    let kept = visit.stored("played.record");
    assert!(kept.contains("fill b2") && kept.contains("fill a1"), "{kept}");
    visit.end();
}

fn a_variant_is_made_of_what_was_changed(host: Host) {
    let make = |visit: &mut Visit, old: &str, new: &str, title: &str| {
        visit.select(old);
        visit.page.type_text(new);
        visit.wait_for_good_rules();
        visit.page.key("F4", false);
        visit.page.until("document.querySelector('[aria-label=\"Title of the variant\"]')");
        visit.set("[aria-label='Title of the variant']", title);
        visit.page.click("form.rework:last-of-type button");
        visit.wait_for("#toasts", &format!("{title} is saved as"));
        let shown = format!("document.querySelector('textarea').value.includes('{title}')");
        visit.page.until(&shown);
    };
    let Some(mut visit) = Visit::at(host, "variants", &[("mine.game", BASE)], Some("mine.game"))
    else {
        return;
    };
    visit.wait_for_board();
    visit.wait_for_good_rules();
    make(&mut visit, "(range 3 12) 3", "(range 3 12) 4", "Larger");
    assert_eq!(visit.stored("mine.game"), BASE);
    let larger = visit.stored("larger.game");
    assert!(larger.contains("(variant-of \"mine.game\" \"Larger\""), "{larger}");
    visit.end();
    // Of a game that ships, a copy is saved beside the variant.
    let Some(mut visit) = Visit::at(host, "shipped-variant", &[], Some("kitaran")) else { return };
    visit.wait_for_choices(25);
    make(&mut visit, "(to t (empty))", "(to t (and (empty) (not corners)))", "No Corners");
    let corners = visit.stored("no-corners.game");
    assert!(corners.contains("(variant-of \"kitaran.game\" \"No Corners\""), "{corners}");
    assert!(!visit.stored("kitaran.game").contains("corners"));
    visit.wait_for_choices(21);
    visit.end();
}

fn a_start_is_set_up_for_players_with_directions(host: Host) {
    let rules = "(game \"Race\"\n  (players (White N) (Black S))\n  (board (square 3))\n  (piece Man)\n  \
        (move step (from s (mine)) (to t (and (beside s) (empty))) (relocate s t))\n  \
        (play (turns (choose step (otherwise (lose mover))))))\n";
    let Some(mut visit) = Visit::at(host, "race", &[("race.game", rules)], Some("race.game"))
    else {
        return;
    };
    visit.wait_for_board();
    visit.wait_for_good_rules();
    visit.page.click("#set-up");
    visit.page.until("document.querySelector('.set-up [data-site=b1]')");
    visit.page.click(".set-up [data-site=b1]");
    visit.page.until("document.querySelector('.set-up .actions button:last-child:not(:disabled)')");
    visit.page.click("dialog[open] > .actions button.main");
    visit.page.until("document.querySelector('textarea').value.includes('(put Man b1 White)')");
    visit.wait_for_good_rules();
    visit.end();
}
