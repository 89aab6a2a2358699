//! Questions about a game: jobs run beside play, are stopped, and draw what they have found; programs
//! play, give hints and estimate.

use super::{Host, Visit};
use serde_json::json;

on_both! {
    programs_play_hint_and_estimate,
    questions_are_answered_beside_play,
    playtests_are_compared_and_rules_left_out,
    what_cannot_be_asked_is_said_at_the_form,
    answers_stay_with_the_rules_they_are_about,
}

const RULES: &str = "(game \"Corners\"
  (players Black White)
  (option Size (range 2 4) 3 \"Sites along each side.\")
  (board (square Size))
  (piece Stone)
  (move place (to t (empty)) (put Stone t))
  (play (turns (choose place)))
  (end
    (if (any (line 3 (mine))) (win mover))
    (if (none (empty)) (draw)))
  (claim \"It ends.\" (never-repeats)))
";

/// Opens the tab of a question, fills in its form and asks; returns the selector of its newest answer.
#[track_caller]
pub fn ask(visit: &mut Visit, kind: &str, fields: &[(&str, &str)]) -> String {
    visit.page.click(&format!("#ask-{kind}"));
    let before =
        visit.page.eval(&format!("document.querySelectorAll('[data-kind={kind}]').length"));
    for (name, value) in fields {
        let field = format!("#ask-fields [name={name}]");
        visit.set(&field, value);
    }
    visit.page.click("#ask-start");
    let card = format!(".job[data-kind={kind}]");
    visit.page.until(&format!("document.querySelectorAll({}).length > {before}", json!(card)));
    card
}

/// Waits until an answer is there, and returns its sentences and all of its text.
#[track_caller]
pub fn wait_for_end(visit: &mut Visit, card: &str, state: &str) -> (String, String) {
    visit
        .page
        .until(&format!("document.querySelector({}).dataset.state !== 'running'", json!(card)));
    let shown = visit.shown(card);
    let ended = visit.page.eval(&format!("document.querySelector({}).dataset.state", json!(card)));
    assert_eq!(ended, state, "{shown}");
    let whole = visit.page.eval(&format!("document.querySelector({}).textContent", json!(card)));
    let whole = whole.as_str().unwrap_or_default().to_owned();
    // Nothing speaks of the terminal, and nothing is cut off.
    for foreign in ["`", "mcts:", " --", "-o "] {
        assert!(!whole.contains(foreign), "{foreign} in {whole}");
    }
    let wide = visit.page.eval(&format!(
        "[...document.querySelectorAll({})].filter((each) => each.scrollWidth > each.clientWidth + 1).length",
        json!(format!("{card}, {card} .answer, #panel-ask"))
    ));
    assert_eq!(wide, 0, "{shown}");
    let sentences = "querySelectorAll('.sentences p').length";
    let count = visit.page.eval(&format!("document.querySelector({}).{sentences}", json!(card)));
    assert!((1..=3).contains(&count.as_u64().unwrap_or(0)), "{shown}");
    (visit.shown(&format!("{card} .sentences")), whole)
}

fn playtests_are_compared_and_rules_left_out(host: Host) {
    let rules = RULES.replace("(end\n", "(end\n    (if (= (count (pieces Stone)) 20) (draw))\n");
    let files = [("corners.game", rules.as_str())];
    let Some(mut visit) = Visit::at(host, "left-out", &files, Some("corners.game")) else { return };
    visit.wait_for_board();
    visit.page.click("#tab-ask");
    visit.page.until("document.querySelectorAll('#field-compareWith option').length > 5");
    let fields =
        [("strength", "random"), ("games", "200"), ("compareWith", "kitaran"), ("leaveOut", "yes")];
    let playtest = ask(&mut visit, "playtest", &fields);
    let (_, whole) = wait_for_end(&mut visit, &playtest, "done");
    for said in [
        "Compared with Kitaran",
        "Shorter than Kitaran",
        "Which rules can be left out",
        "The same game without it, in all positions",
        "more games are drawn",
    ] {
        assert!(whole.contains(said), "{said}: {whole}");
    }
    // What was filled in stays.
    let few = ask(&mut visit, "playtest", &[("games", "2")]);
    let (_, whole) = wait_for_end(&mut visit, &few, "done");
    assert!(whole.contains("too few games to say which rules"), "{whole}");
}

fn questions_are_answered_beside_play(host: Host) {
    let files = [("corners.game", RULES)];
    let Some(mut visit) = Visit::at(host, "asking", &files, Some("corners.game")) else { return };
    visit.wait_for_board();
    visit.page.click("#tab-ask");
    // The module that answers is fetched with the first question.
    let fetched = "document.querySelectorAll('script[src=\"ludwright-ask.js\"]').length";
    assert_eq!(visit.page.eval(fetched), 0);
    // More games than anybody waits for: one plays on, sees what was found so far, and cancels it.
    let fields = [("strength", "beginner"), ("games", "100000")];
    let playtest = ask(&mut visit, "playtest", &fields);
    visit.wait_for_choices(9);
    visit.page.click("#board [data-site=b2]");
    visit.wait_for_plies(1);
    visit.page.until(&format!("document.querySelector('{playtest} .chart[role=img]')"));
    visit.wait_for(&format!("{playtest} .work"), " left");
    visit.page.click(&format!("{playtest} .stop"));
    assert_eq!(visit.page.eval(fetched), u8::from(host == Host::Page));
    let (_, whole) = wait_for_end(&mut visit, &playtest, "stopped");
    // The form and the answer use the same names.
    assert!(
        whole.contains("beginner players") && whole.contains("two beginner players"),
        "{whole}"
    );
    let chart = visit.page.eval("document.querySelector('.chart').getAttribute('aria-label')");
    let chart = chart.as_str().expect("a text").to_owned();
    assert!(chart.contains("beginner: ") && chart.contains("drawn"), "{chart}");
    let font = visit.page.eval("getComputedStyle(document.querySelector('.job')).fontFamily");
    assert!(font.as_str().is_some_and(|font| font.contains("sans-serif")), "{font}");
    // A recorded game is stepped through on the board, which goes back to the game at hand.
    visit
        .page
        .eval("document.querySelectorAll('.job details').forEach((each) => { each.open = true; })");
    visit.page.click(&format!("{playtest} .points > li > button"));
    visit.page.until("!document.querySelector('#ask-line').hidden");
    visit.page.until("document.querySelector('#status.over')");
    visit.page.click("#ask-line [data-step=back]");
    visit.page.until("!document.querySelector('#status.over')");
    visit.page.click("#ask-line .main");
    visit.page.until("document.querySelector('#ask-line').hidden");
    visit.wait_for_choices(8);
    // Its plies were none of one's own.
    visit.wait_for_plies(1);

    // Best play, from the position on the board; its line is played by a click.
    let solved = ask(&mut visit, "solve", &[]);
    let (said, _) = wait_for_end(&mut visit, &solved, "done");
    assert!(said.contains("With best play it is a draw."), "{said}");
    visit.page.click(&format!("{solved} .line-plies li:nth-child(3) button"));
    visit.wait_for("#ask-line", "move 4 of");
    visit.wait_for_choices(5);
    visit.page.click("#ask-line .main");
    visit.wait_for_choices(8);

    let sweep = ask(&mut visit, "sweep", &[("option-Size", "2 3"), ("games", "4")]);
    let (said, _) = wait_for_end(&mut visit, &sweep, "done");
    assert!(said.contains("is nearest to even"), "{said}");
    let best_play = "[...document.querySelectorAll('.variants > li')].map((each) => [...each.querySelectorAll('dt')]\
        .filter((fact) => fact.textContent === 'with best play').map((fact) => fact.nextElementSibling.textContent).join())";
    assert_eq!(visit.page.eval(best_play), json!(["even", "even"]));
    let columns = "[...document.querySelectorAll('.variants > li')].map((each) => \
        [each.dataset.variant, Math.round(each.getBoundingClientRect().top), Boolean(each.querySelector('svg.map'))])";
    let columns = visit.page.eval(columns);
    assert_eq!((&columns[0][0], &columns[1][0]), (&json!("Size 2"), &json!("Size 3")));
    assert_eq!((&columns[0][1], &columns[0][2]), (&columns[1][1], &json!(true)), "side by side");
    assert_eq!(visit.page.eval("document.querySelectorAll('.recommended').length"), 1);
    let claims = ask(&mut visit, "claims", &[]);
    let (said, decided) = wait_for_end(&mut visit, &claims, "done");
    assert!(said.contains("1 of 1 claim holds.") && decided.contains("It ends."), "{said}");

    // Another value of an option: answers say that they are about an older version, until they are
    // asked for again; what is kept up to date asks by itself.
    visit.page.click(&format!("{claims} .keep input"));
    visit.page.click("#ask-sweep");
    visit.page.click(&format!("{sweep} [data-variant='Size 2'] > button"));
    visit.page.until("document.querySelectorAll('#board [data-site]').length === 4");
    visit.page.click("#ask-playtest");
    visit.page.until(&format!("!document.querySelector('{playtest} .old').hidden"));
    visit.page.click("#ask-claims");
    visit.page.until(&format!("document.querySelectorAll('{claims}').length === 2"));
    visit.page.until(&format!("document.querySelector('{claims} .old').hidden"));
    visit.page.click("#ask-solve");
    visit.page.click(&format!("{solved} .old .main"));
    visit.page.until(&format!("document.querySelectorAll('{solved}').length === 2"));
    wait_for_end(&mut visit, &solved, "done");
    visit.page.until(&format!("document.querySelector('{solved} .old').hidden"));

    // What was written since the file was saved changes the game; the question is about all of it,
    // although the program has not read it yet. The difference is seen on two boards.
    visit.page.click("#layout-write");
    visit.select("line 3");
    visit.page.type_text("line 2");
    visit.page.click("#layout-ask");
    let diff = ask(&mut visit, "diff", &[]);
    let (said, _) = wait_for_end(&mut visit, &diff, "done");
    assert!(said.contains("They differ after"), "{said}");
    assert_eq!(visit.page.eval("document.querySelectorAll('.pair svg').length"), 2);
    let deep = ask(&mut visit, "deep", &[]);
    wait_for_end(&mut visit, &deep, "done");

    // Where there is nothing to test, the answer is an invitation, and not a failure.
    let cases = ask(&mut visit, "cases", &[]);
    let (said, _) = wait_for_end(&mut visit, &cases, "done");
    assert!(said.contains("There are no rule cases yet."), "{said}");
    visit.page.until("document.querySelector('.invitation')");
    visit.page.click("#layout-write");
    visit.select("  (claim \"It ends.\" (never-repeats))");
    visit.page.key("Backspace", false);
    visit.page.click("#layout-ask");
    let claims = ask(&mut visit, "claims", &[]);
    let (said, _) = wait_for_end(&mut visit, &claims, "done");
    assert!(said.contains("The rules claim nothing yet."), "{said}");
    visit.page.click(&format!("{claims} .invitation button"));
    visit.wait_for_good_rules();
    assert!(visit.text().contains("(claim \"No game is drawn.\" (never-draws))"));
    if host == Host::Page {
        // The report is a file to download.
        visit.page.click("#layout-ask");
        visit.page.click("#ask-playtest");
        let link = format!("{playtest} a[download='report.html']");
        visit.wait_for(&link, "Download the whole report");
        let address = visit.page.eval(&format!("document.querySelector({}).href", json!(link)));
        assert!(address.as_str().is_some_and(|it| it.starts_with("blob:")), "{address}");
        return visit.end();
    }
    // Answers are there after a reload, those that were removed are not.
    visit.page.click("#layout-ask");
    visit.page.click("#ask-diff");
    visit.page.click(&format!("{diff} header .close"));
    visit.page.until(&format!("!document.querySelector('{diff}')"));
    visit.page.command("Page.reload", json!({}));
    visit.page.until(&format!("document.querySelectorAll('{solved}').length === 2"));
    assert_eq!(visit.page.eval(&format!("document.querySelectorAll('{diff}').length")), 0);
    visit.end();
}

fn programs_play_hint_and_estimate(host: Host) {
    let files = [("corners.game", RULES)];
    let Some(mut visit) = Visit::at(host, "programs", &files, Some("corners.game")) else { return };
    visit.wait_for_board();
    visit.wait_for_choices(9);
    visit.page.click("#hint");
    visit.wait_for("#thought", "Hint:");
    visit.page.until("document.querySelector('.marks .hint path')");
    visit.page.click("#evaluate");
    visit.wait_for("#score", "Black");
    visit.page.until("document.querySelector('#score .bar span')");
    // A program answers each ply; taking back takes back its ply, too, and makes it wait.
    visit.set("[data-seat=White]", "random");
    visit.page.click("[data-site=b2]");
    visit.wait_for_plies(2);
    visit.wait_for_choices(7);
    visit.page.click("#undo");
    visit.wait_for_choices(9);
    visit.set("[data-seat=Black]", "random");
    visit.page.until("document.querySelector('#status.over')");
    // Back in the middle of the game, the programs wait.
    visit.page.click("#plies li:nth-child(3) button");
    visit.page.until("[...document.querySelectorAll('#status button')].some((each) => each.innerText === 'Go on')");
    visit.page.click("#status button");
    visit.page.until("document.querySelector('#status.over')");
    visit.end();
}

fn what_cannot_be_asked_is_said_at_the_form(host: Host) {
    let files = [("corners.game", RULES)];
    let Some(mut visit) = Visit::at(host, "refused", &files, Some("corners.game")) else { return };
    visit.wait_for_board();
    visit.page.click("#layout-ask");
    visit.page.click("#ask-sweep");
    visit.page.click("#ask-start");
    visit.wait_for("#ask-refused", "Choose the values of at least one option");
    visit.page.until("!document.querySelector('.job, .toast')");
    // It does not stay over what is asked then.
    let card = ask(&mut visit, "solve", &[]);
    assert_eq!(visit.page.eval("document.getElementById('ask-refused').hidden"), true);
    wait_for_end(&mut visit, &card, "done");
    // What was filled in is still there after a look at another question.
    visit.set("#ask-fields [name=seconds]", "7");
    visit.page.click("#ask-playtest");
    visit.page.click("#ask-solve");
    assert_eq!(visit.page.eval("document.querySelector('#ask-fields [name=seconds]').value"), "7");
    // Nothing jumps when a question begins or ends, whatever else is done meanwhile.
    let moved = "[...document.querySelectorAll('#ask-kinds button')].filter((tab) => { \
        const before = tab.offsetWidth; const state = tab.dataset.state; tab.dataset.state = 'running'; \
        const after = tab.offsetWidth; tab.dataset.state = state; return before !== after; }).length";
    assert_eq!(visit.page.eval(moved), 0);
    // A newer answer leaves the one before under the hand.
    let again = "document.querySelector('.job .again')";
    visit.page.eval(&format!("window.hand = {again}; hand.focus()"));
    visit.page.eval("document.getElementById('ask-form').requestSubmit()");
    visit.page.until("document.querySelectorAll('.job').length === 2");
    assert_eq!(visit.page.eval("document.activeElement === window.hand"), true);
    wait_for_end(&mut visit, &card, "done");
    visit.page.click(&format!("{card} .close"));
    visit.page.until("document.querySelectorAll('.job').length === 1");
    // The last answer goes, too.
    visit.page.click(&format!("{card} .close"));
    visit.page.until("!document.querySelector('.job')");
    // The browser reports the refusal, too.
    visit.page.complaints.retain(|complaint| !complaint.contains("api/job"));
    visit.end();
}

fn answers_stay_with_the_rules_they_are_about(host: Host) {
    let files = [("corners.game", RULES)];
    let Some(mut visit) = Visit::at(host, "answers", &files, Some("corners.game")) else { return };
    visit.wait_for_board();
    visit.page.click("#layout-ask");
    let card = ask(&mut visit, "solve", &[]);
    let (sentences, _) = wait_for_end(&mut visit, &card, "done");
    let sentences = sentences.lines().next().unwrap_or_default().to_owned();
    let old = "!document.querySelector('.job[data-kind=solve] .old').hidden";
    let again = |visit: &mut Visit| {
        visit.page.command("Page.reload", json!({}));
        visit.wait_for_board();
        visit.page.until("document.querySelector('#ask-solve').dataset.state === 'done'");
        visit.page.click("#tab-ask");
        visit.page.click("#ask-solve");
        visit.wait_for(&card, &sentences);
    };
    again(&mut visit);
    assert_eq!(visit.page.eval(old), false);
    // Under other rules it is an answer about older ones, after the page was opened anew, too.
    visit.page.click("#layout-write");
    visit.select("line 3");
    visit.page.type_text("line 2");
    visit.wait_for_good_rules();
    visit.page.eval("new Promise((done) => setTimeout(done, 600))");
    again(&mut visit);
    visit.page.until(old);
    // A newer one takes its place.
    visit.page.click(&format!("{card} .again"));
    visit.page.until(&format!("!({old})"));
    wait_for_end(&mut visit, &card, "done");
    // What was removed does not come back.
    for left in [1, 0] {
        visit.page.click(&format!("{card} .close"));
        visit.page.until(&format!("document.querySelectorAll('.job').length === {left}"));
    }
    visit.page.command("Page.reload", json!({}));
    visit.wait_for_board();
    visit.page.eval("new Promise((done) => setTimeout(done, 600))");
    assert_eq!(visit.page.eval("document.querySelectorAll('.job').length"), 0);
    visit.end();
}
