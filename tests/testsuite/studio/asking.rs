//! Questions about a game: jobs run beside play, are stopped, and draw what they have found; programs
//! play, give hints and estimate.

use super::{Host, Visit};
use serde_json::json;

on_both! {
    programs_play_hint_and_estimate,
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

/// Asks for something, and returns the selector of its card.
#[track_caller]
fn ask(visit: &mut Visit, kind: &str, fields: &[(&str, &str)]) -> String {
    visit.set("#ask-kind", kind);
    for (name, value) in fields {
        visit.page.click(&format!("#ask-fields [name={name}]"));
        visit.page.type_text(value);
    }
    visit.page.click("#ask-start");
    let card = format!(".job[data-kind={kind}]");
    visit.page.until(&format!("document.querySelector({})", json!(card)));
    card
}

#[track_caller]
fn wait_for_end(visit: &mut Visit, card: &str, state: &str) -> String {
    visit
        .page
        .until(&format!("document.querySelector({}).dataset.state !== 'running'", json!(card)));
    let shown = visit.shown(card);
    let ended = visit.page.eval(&format!("document.querySelector({}).dataset.state", json!(card)));
    assert_eq!(ended, state, "{shown}");
    shown
}

#[test]
fn questions_are_answered_beside_play() {
    let files = [("corners.game", RULES)];
    let Some(mut visit) = Visit::begin("asking", &files, &["corners.game"]) else { return };
    visit.wait_for_board();
    visit.page.click("#tab-ask");
    // More games than anybody waits for: one plays on, sees what was found so far, and stops it.
    let playtest = ask(&mut visit, "playtest", &[("games", "100000")]);
    visit.wait_for_choices(9);
    visit.page.click("[data-site=b2]");
    visit.wait_for_plies(1);
    visit.page.until("document.querySelectorAll('.job .shares li').length >= 2");
    let drawn = visit.shown(".job .shares");
    assert!(drawn.contains("Black") && drawn.contains('%'), "{drawn}");
    visit.page.click(&format!("{playtest} .actions .main"));
    visit.page.until("document.querySelector('#report iframe')");
    visit.page.key("Escape", false);
    visit.page.until("document.getElementById('report').hidden");
    visit.page.click(&format!("{playtest} .actions button:last-child"));
    wait_for_end(&mut visit, &playtest, "stopped");

    let solved = ask(&mut visit, "solve", &[]);
    let solved = wait_for_end(&mut visit, &solved, "done");
    assert!(solved.contains("value       draw"), "{solved}");
    let sweep = ask(&mut visit, "sweep", &[("option-Size", "2..3"), ("games", "4")]);
    let swept = wait_for_end(&mut visit, &sweep, "done");
    assert!(swept.contains("Size=2") && swept.contains("Size=3"), "{swept}");
    let claims = ask(&mut visit, "claims", &[]);
    let decided = wait_for_end(&mut visit, &claims, "done");
    assert!(decided.contains("It ends."), "{decided}");
    // What was written since the file was saved changes the game; the question is about all of it,
    // although the program has not read it yet.
    visit.page.click("#layout-write");
    visit.select("line 3");
    visit.page.type_text("line 2");
    visit.page.click("#layout-ask");
    let diff = ask(&mut visit, "diff", &[]);
    let differs = wait_for_end(&mut visit, &diff, "done");
    assert!(differs.contains("differ"), "{differs}");
    let deep = ask(&mut visit, "deep", &[]);
    wait_for_end(&mut visit, &deep, "done");
    // Where there is nothing to test, the answer is how to write it, and not a failure.
    let cards = visit.page.eval("document.querySelectorAll('.job').length");
    visit.set("#ask-kind", "cases");
    visit.page.click("#ask-start");
    visit.page.until("document.querySelector('.job[data-kind=cases][data-state=done]')");
    assert!(visit.shown(".job[data-kind=cases]").contains("There are no rule cases yet"));
    assert_eq!(cards, 6);
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
