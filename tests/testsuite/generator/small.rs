//! Generates games with few positions: one to four players on one to four sites, dice, turns of
//! several plies, the pie rule, every kind of repetition, and play that goes round.

use super::dice::Dice;

/// What a rule of repetition, an end or a stuck player can say.
struct Results<'n> {
    players: &'n [&'n str],
}

impl Results<'_> {
    fn one(&self, dice: &mut Dice) -> String {
        let mut who = vec!["mover", "(next mover)"];
        who.extend(self.players);
        match dice.below(8) {
            0..3 => format!("(win {})", dice.pick(&who)),
            3..6 => format!("(lose {})", dice.pick(&who)),
            6 => String::from("(by-score p (count (of p)))"),
            _ => String::from("(draw)"),
        }
    }
}

/// Writes the teams of half of the games of three and four players.
fn teams(players: usize, dice: &mut Dice) -> String {
    let teams: &[&str] = match players {
        3 => &["", "(teams (A C) B)", "(teams (A B) C)", ""],
        4 => &["", "(teams (A C) (B D))", "(teams (A B) (C D))", "(teams (A D) B C)"],
        _ => return String::new(),
    };
    dice.pick(teams).to_string()
}

/// Returns the rules of a game of that seed; not every text is a game.
pub fn small_game(seed: u64) -> String {
    let dice = &mut Dice::new(seed);
    let players = &["A", "B", "C", "D"][..*dice.pick(&[1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 4])];
    let results = Results { players };
    let (columns, rows) = *dice.pick(&[(1, 1), (2, 1), (2, 1), (3, 1), (3, 1), (4, 1), (2, 2)]);
    let sites: Vec<String> = ["a1", "b1", "c1", "d1"][..columns]
        .iter()
        .flat_map(|site| [(*site).to_owned(), site.replace('1', "2")])
        .filter(|site| rows == 2 || site.ends_with('1'))
        .collect();
    let mut parts = vec![
        String::from("\"Small\""),
        format!("(players {})", players.join(" ")),
        teams(players.len(), dice),
        format!("(board (rectangle {columns} {rows}))"),
        String::from("(piece Stone) (remember Count number) (remember Die number)"),
    ];
    let mut setup: Vec<String> = Vec::new();
    let begin_with = dice.below(sites.len() + 1);
    for site in dice.some(&sites, begin_with) {
        setup.push(format!("(put Stone {site} {})", dice.pick(players)));
    }
    if !setup.is_empty() {
        parts.push(format!("(setup {})", setup.join(" ")));
    }
    let most = dice.between(1, 3);
    let moves = [
        ("drop", "(to t (empty)) (put Stone t)".to_owned()),
        ("step", "(from s (mine)) (to t (and (beside s) (empty))) (relocate s t)".to_owned()),
        ("step", "(from s (mine)) (to t (and (beside s) (empty))) (relocate s t)".to_owned()),
        (
            "take",
            "(from s (mine)) (to t (and (beside s) (theirs))) (remove t) (relocate s t)".to_owned(),
        ),
        (
            "turn",
            "(from s (mine)) (towards d all) (require (and (not (= d Course)) (in (step s d) (empty)))) \
             (relocate s (step s d)) (set Course d)"
                .to_owned(),
        ),
        ("mark", "(at t (mine)) (require (not (= t Last))) (set Last t)".to_owned()),
        ("flip", "(at t (theirs)) (convert t mover)".to_owned()),
        ("lift", "(from s (mine)) (remove s)".to_owned()),
        ("pass", String::new()),
        ("pass", String::new()),
        ("last", "(end-turn)".to_owned()),
        ("more", "(at t (empty)) (put Stone t) (extra-turn)".to_owned()),
        ("bet", format!("(number n 0 {most}) (set Count n)")),
        ("tick", format!("(require (< Count {most})) (raise Count 1)")),
        ("give", format!("(require (= Count {most})) {}", results.one(dice))),
    ];
    let count = dice.between(1, 4);
    let mut chosen: Vec<(&str, String)> = Vec::new();
    for (verb, body) in dice.some(&moves, count) {
        if !chosen.iter().any(|(other, _)| *other == verb) {
            chosen.push((verb, body));
        }
    }
    parts.extend(chosen.iter().map(|(verb, body)| format!("(move {verb} {body})")));
    // Symmetries turn remembered directions and sites: one without the other, too.
    for (memory, holds) in [("Course", "direction"), ("Last", "site")] {
        if chosen.iter().any(|(_, body)| body.contains(memory)) {
            parts.push(format!("(remember {memory} {holds})"));
        }
    }
    let sides = dice.between(2, 3);
    let rolls = dice.percent(25);
    if rolls {
        parts.push(format!("(move roll (number n 1 {sides}) (set Die n))"));
    }
    let verbs: Vec<&str> = chosen.iter().map(|(verb, _)| *verb).collect();
    let moving = chosen.iter().filter(|(_, body)| body.starts_with("(from "));
    let going: Vec<&str> = moving.map(|(verb, _)| *verb).collect();
    let goes_on = !going.is_empty() && dice.percent(25);
    let choice = |dice: &mut Dice| {
        let count = dice.between(1, verbs.len());
        let some = dice.some(&verbs, count).join(" ");
        if goes_on {
            let stop = if verbs.contains(&"pass") && dice.percent(50) { " pass" } else { "" };
            return format!("(choose {some} (go-on {}{stop}))", going.join(" "));
        }
        match dice.below(6) {
            0 => format!("(choose {some} (otherwise {}))", results.one(dice)),
            1 => format!("(choose {some} (otherwise (draw)))"),
            2 => format!("(repeat 2 (choose {some}))"),
            3 => format!("(steps 2 (choose {some}))"),
            _ => format!("(choose {some})"),
        }
    };
    let condition = |dice: &mut Dice| {
        let site = dice.pick(&sites).clone();
        match dice.below(7) {
            0 => String::from("(none (empty))"),
            1 => String::from("(none (mine))"),
            2 => format!("(= Count {})", dice.between(1, most)),
            3 => format!("(any (and {site} (mine)))"),
            4 => format!("(any (and {site} (pieces)))"),
            5 => format!("(= (count (mine)) {})", dice.between(1, sites.len())),
            _ => format!("(= Die {})", dice.between(0, sides)),
        }
    };
    let mut turn: Vec<String> = Vec::new();
    if rolls && dice.percent(80) {
        turn.push(String::from("(chance roll)"));
    }
    turn.push(choice(dice));
    if dice.percent(25) {
        turn.push(format!("(if {} {})", condition(dice), choice(dice)));
    }
    if rolls && dice.percent(30) {
        turn.push(String::from("(chance roll)"));
    }
    parts.push(format!("(play (turns {}))", turn.join(" ")));
    let ends: Vec<String> = (0..dice.below(3))
        .map(|_| format!("(if {} {})", condition(dice), results.one(dice)))
        .collect();
    if !ends.is_empty() {
        parts.push(format!("(end {})", ends.join(" ")));
    }
    if dice.percent(65) {
        let times = *dice.pick(&[2, 2, 2, 3, 3, 4]);
        let result = match dice.below(6) {
            0 | 1 => String::from("(draw)"),
            2 => format!(
                "(if {} {} (else {}))",
                condition(dice),
                results.one(dice),
                results.one(dice)
            ),
            3 => format!("(if {} {}) (draw)", condition(dice), results.one(dice)),
            _ => results.one(dice),
        };
        parts.push(format!("(repetition {times} {result})"));
    }
    if players.len() == 2 && dice.percent(15) {
        parts.push(String::from("(pie-rule)"));
    }
    format!("(game {})", parts.join("\n  "))
}
