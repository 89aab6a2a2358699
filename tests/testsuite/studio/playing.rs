//! Games are played: with the mouse to the end, with the keyboard, under rules that change, against
//! programs; and the board shows what the rules say.

use super::{CHOICES, Host, Visit};
use ludwright::random::Random;
use serde_json::json;

on_both! {
    games_that_ship_are_played_to_their_end_by_mouse,
    dice_kinds_directions_numbers_and_several_plies_are_chosen_by_mouse,
    the_game_goes_on_under_rules_that_change,
    the_board_shows_what_the_rules_say,
}

/// What can be clicked next, where it is, and what tells this moment from others.
const OFFERS: &str = "(() => {
  const found = [...document.querySelectorAll('[data-site].can, #choices button:not(.back), #menu button')];
  const inside = (each) => {
    const at = each.getBoundingClientRect();
    const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
    return each.contains(document.elementFromPoint(x, y)) ? [[x, y]] : [];
  };
  const moment = ['#plies', '#status', '#menu', '#choices'].map((id) => document.querySelector(id).innerText);
  const chosen = document.querySelectorAll('.chosen rect').length;
  return {
    over: Boolean(document.querySelector('#status.over')), all: found.length, places: found.flatMap(inside),
    moment: JSON.stringify([moment, chosen]),
  };
})()";

/// A game with all that can be asked for: dice, several plies a turn, directions, kinds, numbers,
/// and two verbs for the same site.
const FAIR: &str = "(game \"Fair\"
  (players Red Blue)
  (board (square 4))
  (piece Tent)
  (piece Cart)
  (remember Die number)
  (remember Signs sites (per direction orthogonal))
  (remember Price number)
  (move roll (number n 1 2) (set Die n))
  (move build (to t (empty)) (kind k Tent Cart) (put k t))
  (move point
    (at s (mine Tent))
    (towards d orthogonal)
    (require (not (in s (Signs d))))
    (mark s (Signs d)))
  (move ask (at s (mine)) (number n 1 3) (require (!= n Price)) (set Price n))
  (move roam (from s (mine Cart)) (to t (and (beside s all) (empty))) (relocate s t))
  (play
    (forever
      (for p players
        (chance roll)
        (turn p (steps Die (choose build point ask roam))))))
  (end (if (none (empty)) (by-score p (count (of p Cart))))))
";

/// Clicks what the page offers, at random, until the game is over. Returns the number of clicks.
#[track_caller]
fn play_to_the_end(visit: &mut Visit, seed: u64, most: usize) -> usize {
    let mut random = Random::new(seed);
    let mut clicks = 0;
    visit.page.until(&format!("{OFFERS}.places.length || {OFFERS}.over"));
    loop {
        let offers = visit.page.eval(OFFERS);
        if offers["over"] == true {
            return clicks;
        }
        let places = offers["places"].as_array().expect("a list");
        assert!(!places.is_empty(), "nothing that is offered can be clicked: {offers}");
        assert!(clicks < most, "not over after {clicks} clicks");
        let place = &places[random.below(places.len() as u32) as usize];
        let at = |index: usize| place[index].as_f64().expect("a number");
        visit.page.click_at((at(0), at(1)));
        clicks += 1;
        let moment = json!(offers["moment"].as_str().expect("a text"));
        visit.page.until(&format!(
            "((now) => now.moment !== {moment} && (now.over || now.places.length))({OFFERS})"
        ));
    }
}

/// Sets an option by its control.
#[track_caller]
fn set_option(visit: &mut Visit, name: &str, value: &str) {
    visit.page.click("#tab-options");
    let selector = format!("#options [name={name}]");
    visit.page.until(&format!("document.querySelector({})", json!(selector)));
    visit.set(&selector, value);
    let set = format!("document.querySelector({}).value === {}", json!(selector), json!(value));
    visit.page.until(&set);
    visit.page.click("#tab-game");
}

fn games_that_ship_are_played_to_their_end_by_mouse(host: Host) {
    let Some(mut visit) = Visit::at(host, "shipped", &[], None) else { return };
    // Each with options, and its number of sites. With all of its cubes, a game of Swarm takes
    // hundreds of plies.
    let games = [
        ("kitaran", "", 25),
        ("cicada", "Size=4", 16),
        ("double-move-situ", "", 60),
        ("lichen-chess", "", 15),
        ("swarm", "Cubes=8 Size=4", 16),
    ];
    // All of them are played to their end in pages of their own, with the same scripts and module.
    let count = if host == Host::Page { 2 } else { games.len() };
    for (seed, (name, options, sites)) in games.into_iter().enumerate().take(count) {
        visit.open_shipped(name);
        for option in options.split_whitespace() {
            let (option, value) = option.split_once('=').expect("a value");
            set_option(&mut visit, option, value);
        }
        visit.page.until(&format!("document.querySelectorAll('[data-site]').length === {sites}"));
        let clicks = play_to_the_end(&mut visit, seed as u64, 2000);
        let result = visit.shown("#status");
        assert!(result.contains("wins") || result.contains("draw"), "{name}: {result}");
        assert!(clicks > 5 && visit.plies() > 5, "{name}: {clicks} clicks");
        visit.page.click("#go-home");
        visit.page.until("!document.getElementById('home').hidden");
    }
    visit.end();
}

fn dice_kinds_directions_numbers_and_several_plies_are_chosen_by_mouse(host: Host) {
    let Some(mut visit) = Visit::at(host, "fair", &[("fair.game", FAIR)], Some("fair.game")) else {
        return;
    };
    visit.wait_for_board();
    // A short game may end before every verb was used: then another one is played.
    let mut missing = vec!["roll", "build", "Tent", "Cart", "point", "ask", "roam"];
    for seed in 0..10 {
        play_to_the_end(&mut visit, seed, 2000);
        let plies = visit.shown("#plies");
        missing.retain(|wanted| !plies.contains(wanted));
        if missing.is_empty() {
            break;
        }
        visit.page.click("#restart");
        visit.page.until("!document.querySelector('#status.over')");
    }
    assert!(missing.is_empty(), "not chosen in ten games: {missing:?}");
    visit.end();
}

fn the_game_goes_on_under_rules_that_change(host: Host) {
    let rules = include_str!("../../games/breakthrough.game");
    let Some(mut visit) = Visit::at(host, "change", &[("race.game", rules)], Some("race.game"))
    else {
        return;
    };
    visit.wait_for_board();
    visit.page.until("document.querySelector('[data-site].can')");
    // A pawn of the opponent's: the clause that forbids it is marked.
    visit.page.click("[data-site=b7]");
    visit.wait_for("#why", "b7");
    visit.page.until(
        "[...document.querySelectorAll('.ink .why.fails')].some((each) => each.innerText.includes('from'))",
    );
    // A ply by dragging, and one with the keyboard alone.
    visit.page.drag("[data-site=b2]", "[data-site=b3]");
    visit.wait_for_plies(1);
    visit.page.until("document.querySelector('[data-site=b7].can')");
    visit.page.eval("document.querySelector('[data-site=b8]').focus()");
    visit.page.key("ArrowDown", false);
    assert_eq!(visit.page.eval("document.activeElement.dataset.site"), "b7");
    visit.page.key("Enter", false);
    visit.page.until("document.querySelector('.chosen rect')");
    visit.page.key("Escape", false);
    visit.page.until("!document.querySelector('.chosen rect')");
    visit.page.key("Enter", false);
    visit.page.until("document.querySelector('.chosen rect')");
    visit.page.key("ArrowDown", false);
    visit.page.key("Enter", false);
    visit.wait_for_plies(2);
    // A variation: another second ply is kept beside the first.
    visit.page.click("#undo");
    visit.page.until("document.querySelector('[data-site=c7].can')");
    visit.page.drag("[data-site=c7]", "[data-site=c6]");
    visit.wait_for_plies(3);
    visit.page.until("document.querySelector('#plies .variation')");
    // It is made the main line, deleted and brought back; each time nothing else is lost.
    let main = "document.querySelector('#plies > li:last-child .go').textContent";
    visit.page.click("#plies .variation .tool[title^=Make]");
    visit.page.until(&format!("{main}.includes('c7-c6')"));
    visit.page.click("#plies > li:nth-child(3) > .ply .tool[title^=Delete]");
    visit.wait_for_plies(2);
    visit.page.click("#restore-plies");
    visit.wait_for_plies(3);
    visit.page.click("#plies > li:nth-child(3) > .ply .go");
    visit.page.until("document.querySelector('[data-site=d2].can')");
    // The same rules in other words: the game goes on as it is.
    visit.put_caret_after("(game \"");
    visit.page.type_text("New ");
    visit.wait_for("#title", "New ");
    visit.wait_for_plies(3);
    // Other moves in the same position are shown at once.
    visit.page.until(&format!("{CHOICES} > 3"));
    let all = visit.page.eval(CHOICES);
    visit.select("(from s (mine Pawn))");
    visit.page.type_text("(from s (and (or (column \"b\") (column \"c\")) (mine Pawn)))");
    visit.page.until(&format!("{CHOICES} > 0 && {CHOICES} < {all}"));
    visit.select("(from s (and (or (column \"b\") (column \"c\")) (mine Pawn)))");
    visit.page.type_text("(from s (mine Pawn))");
    visit.page.until(&format!("{CHOICES} === {all}"));
    // Under these rules, the first ply was not legal.
    let text = visit.text();
    let from = text.find("(require").or_else(|| text.find("(relocate")).expect("an effect");
    let before: String = text[..from].to_owned();
    visit.put_caret_after(&before);
    visit.page.type_text("(require false) ");
    visit.wait_for("#game-note", "ply 1");
    assert!(visit.shown("#game-note").contains("not legal"), "{}", visit.shown("#game-note"));
    visit.end();
}

fn the_board_shows_what_the_rules_say(host: Host) {
    let Some(mut visit) = Visit::at(host, "light", &[], Some("kitaran")) else { return };
    visit.wait_for_board();
    visit.wait_for_choices(25);
    visit.page.click("[data-site=c3]");
    visit.wait_for_plies(1);
    // The clauses that acted are marked.
    visit.page.until("[...document.querySelectorAll('.ink .acted')].some((each) => each.innerText.includes('put'))");
    visit.put_caret_after("(to t (emp");
    visit.page.until("document.querySelectorAll('.marks .lit .area').length === 24");
    visit.wait_for("#light", "24");
    // Conversion wants a stone of one's own: the clause that forbids it is shown.
    visit.page.until("document.querySelector('[data-site=d3].can')");
    visit.page.click("[data-site=c3]");
    visit.page.until(
        "document.querySelector('.ink .why.fails') && document.querySelector('.marks .no path')",
    );
    assert!(!visit.shown("#why").is_empty());
    // The keyboard goes from the rules to the board.
    visit.put_caret_after("(to t (emp");
    visit.page.key("F6", false);
    visit.page.until("document.activeElement.dataset.site");
    visit.end();
}
