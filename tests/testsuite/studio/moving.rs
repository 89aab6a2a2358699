//! The board moves and sounds: pieces turn over, slide, follow the pointer and are captured visibly; the
//! look that is chosen by clicking is written into the rules.

use super::{Host, PLIES, Visit};

on_both! {
    pieces_turn_over_and_sound_when_it_is_switched_on,
    pieces_slide_follow_the_pointer_and_are_captured_visibly,
    the_look_is_chosen_by_clicking_and_written_into_the_rules,
}

/// Notes what moves on the board, by the frames of the movement, and what sounds.
const NOTE: &str = "(() => {
  window.moved = [];
  window.sounds = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) { window.moved.push(JSON.stringify(frames)); return animate.call(this, frames, options); };
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...rest) { window.sounds++; return start.apply(this, rest); };
})()";

fn moved(visit: &mut Visit, what: &str) -> bool {
    let script = format!("window.moved.some((frames) => frames.includes('{what}'))");
    visit.page.eval(&script) == true
}

fn pieces_turn_over_and_sound_when_it_is_switched_on(host: Host) {
    let Some(mut visit) = Visit::at(host, "turning", &[], Some("othello")) else { return };
    visit.wait_for_choices(4);
    visit.page.eval(NOTE);
    visit.page.click("#board [data-site].can");
    visit.wait_for_plies(1);
    visit.page.until("window.moved.length > 0");
    assert!(moved(&mut visit, "scale(0, 1)"), "a flip");
    assert!(moved(&mut visit, "scale(1.25)"), "a disc that is set down");
    // At first all is silent; what is switched on is on after a reload.
    assert_eq!(visit.page.eval("window.sounds"), 0);
    visit.page.click("#sound");
    visit.page.until("window.sounds > 0");
    let before = visit.page.eval("window.sounds").as_u64().expect("a number");
    visit.page.until("document.querySelector('#board [data-site].can')");
    visit.page.click("#board [data-site].can");
    visit.wait_for_plies(2);
    visit.page.until(&format!("window.sounds > {before}"));
    visit.page.command("Page.reload", serde_json::json!({}));
    visit.wait_for_board();
    visit.page.until("document.getElementById('sound').checked");
    visit.page.click("#sound");
    visit.end();
}

fn pieces_slide_follow_the_pointer_and_are_captured_visibly(host: Host) {
    let Some(mut visit) = Visit::at(host, "sliding", &[], Some("breakthrough")) else { return };
    visit.wait_for_choices(8);
    visit.page.eval(NOTE);
    visit.page.click("#board [data-site=c2]");
    visit.page.until("document.querySelector('#board [data-site=c3].can')");
    visit.page.click("#board [data-site=c3]");
    visit.wait_for_plies(1);
    visit.page.until("window.moved.some((frames) => frames.includes('translate(0px, '))");
    // Under the pointer is the piece itself, and it is not where it was.
    visit.wait_for_choices(8);
    let (from, to) =
        (visit.page.place("#board [data-site=c7]"), visit.page.place("#board [data-site=c6]"));
    visit.page.mouse("mousePressed", from);
    visit.page.mouse("mouseMoved", ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0));
    visit.page.mouse("mouseMoved", to);
    visit.page.until("document.querySelector('.ghost.piece svg')");
    visit.page.until("document.querySelector('.lifted')");
    let apart = format!(
        "(() => {{ const {{ left, right, top, bottom }} = document.querySelector('.ghost').getBoundingClientRect(); \
         return Math.hypot((left + right) / 2 - {}, (top + bottom) / 2 - {}); }})()",
        to.0, to.1
    );
    let apart = visit.page.eval(&apart).as_f64().expect("a number");
    assert!(apart < 30.0, "{apart} pixels from the pointer");
    visit.page.mouse("mouseReleased", to);
    visit.wait_for_plies(2);
    visit.page.until("!document.querySelector('.ghost')");
    // A pawn is captured.
    for (number, (from, to)) in
        [("c3", "c4"), ("d7", "d6"), ("c4", "c5"), ("h7", "h6")].into_iter().enumerate()
    {
        visit.page.until(&format!("document.querySelector('#board [data-site={from}].can')"));
        visit.page.click(&format!("#board [data-site={from}]"));
        visit.page.until(&format!("document.querySelector('#board [data-site={to}].can')"));
        visit.page.click(&format!("#board [data-site={to}]"));
        visit.page.until(&format!("{PLIES} === {}", number + 3));
    }
    visit.page.eval("window.moved = []");
    visit.page.until("document.querySelector('#board [data-site=c5].can')");
    visit.page.click("#board [data-site=c5]");
    visit.page.until("document.querySelector('#board [data-site=d6].can')");
    visit.page.click("#board [data-site=d6]");
    visit.wait_for_plies(7);
    visit.page.until("window.moved.some((frames) => frames.includes('scale(0.4)'))");
    visit.end();
}

fn the_look_is_chosen_by_clicking_and_written_into_the_rules(host: Host) {
    let rules = include_str!("../../games/tic-tac-toe.game");
    let Some(mut visit) = Visit::at(host, "look", &[("mine.game", rules)], Some("mine.game"))
    else {
        return;
    };
    visit.wait_for_board();
    visit.wait_for_good_rules();
    let before = visit.text();
    visit.page.click("#tab-look");
    visit.page.until("document.querySelector('#looks [aria-label=Sea]')");
    visit.page.click("#looks [aria-label=Sea]");
    visit
        .page
        .until("document.querySelector('textarea').value.includes('(color board \"#b7cbd8\")')");
    visit.wait_for_good_rules();
    visit.page.until("document.querySelector('#board .ground [fill=\"#b7cbd8\"]')");
    visit.page.until("document.querySelector('#looks [aria-label=Sea]').ariaPressed === 'true'");
    // Players have the colour of the board around theirs, and undo takes the look back.
    let around = "getComputedStyle(document.querySelector('#status .tile')).backgroundColor";
    assert_eq!(visit.page.eval(around), "rgb(183, 203, 216)");
    visit.page.eval("document.querySelector('textarea').focus()");
    visit.page.key("z", true);
    visit.page.until("!document.querySelector('textarea').value.includes('#b7cbd8')");
    assert_eq!(visit.text(), before);
    visit.end();
}
