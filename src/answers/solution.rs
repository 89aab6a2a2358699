//! Formats the result of the solver as text or JSON.

use super::ByName;
use super::position::scores;
use crate::engine::position::Outcome;
use crate::language::rules::{PlayerId, Rules};
use crate::notation::{counted, grouped, outcome, spell, team_does};
use crate::solve::{Ending, FirstMove, RanOut, Solution, Unknown, Value};
use serde::Serialize;

/// At most this many moves are listed.
const MAX_LISTED_MOVES: usize = 12;

/// Formats a solution as text.
pub fn tell(rules: &Rules, solution: &Solution) -> String {
    let mut lines: Vec<(&str, String)> = Vec::new();
    match solution.value {
        Value::Unknown(why) => {
            lines.push(("value", format!("unknown: {}", reason(why))));
            lines.extend(advice(why).map(|advice| ("try", advice.to_owned())));
        }
        _ => lines.push(("value", headline(rules, solution))),
    }
    let optimal: Vec<&FirstMove> = solution.optimal().collect();
    if !optimal.is_empty() {
        let open =
            solution.first.iter().filter(|first| matches!(first.value, Value::Unknown(_))).count();
        let open = if open > 0 { format!("; {open} unknown") } else { String::new() };
        let which = if optimal.len() == solution.first.len() {
            "all ".to_owned()
        } else {
            format!("{} of ", optimal.len())
        };
        let named = |first: &&FirstMove| match first
            .distance
            .filter(|_| Some(first.distance) != Some(solution.distance))
        {
            Some(plies) => format!("{} (in {plies})", spell(rules, &first.ply)),
            None => spell(rules, &first.ply),
        };
        let mut names: Vec<String> = optimal.iter().take(MAX_LISTED_MOVES).map(named).collect();
        if optimal.len() > MAX_LISTED_MOVES {
            names.push("…".to_owned());
        }
        lines.push((
            "optimal",
            format!("{which}{}: {}{open}", solution.first.len(), names.join(", ")),
        ));
    }
    if !solution.line.is_empty() {
        let plies: Vec<String> = solution.line.iter().map(|ply| spell(rules, ply)).collect();
        lines.push(("line", format!("{}; {}", plies.join(", "), ending(rules, solution))));
    }
    let symmetries = match solution.symmetries {
        1 => String::new(),
        many => format!(", symmetric ones counted once ({many} symmetries)"),
    };
    let how = match (solution.acyclic, solution.value) {
        (None, Value::Unknown(_)) => " searched",
        (None, _) => " by depth-first search",
        _ => "",
    };
    lines.push((
        "positions",
        format!("{}{how}{symmetries}, in {}", grouped(solution.nodes), seconds(solution.seconds)),
    ));
    match (solution.acyclic, solution.longest) {
        (Some(true), Some(longest)) => lines.push((
            "ends",
            format!(
                "no position can repeat; every game ends within {}",
                counted(u64::from(longest), "ply")
            ),
        )),
        (Some(false), Some(longest)) => lines.push((
            "ends",
            format!(
                "positions can repeat; every game ends within {}",
                counted(u64::from(longest), "ply")
            ),
        )),
        (Some(false), None) => {
            let rule = match &rules.repetition {
                Some(rule) => {
                    format!("`repetition` has its effect when one occurs {} times", rule.times)
                }
                None => "no rule ends the game then".to_owned(),
            };
            lines.push(("ends", format!("positions can repeat; {rule}")));
        }
        _ => {}
    }
    lines.into_iter().map(|(name, value)| format!("{name:<11} {value}\n")).collect()
}

/// Describes the value in one line.
pub fn headline(rules: &Rules, solution: &Solution) -> String {
    match solution.distance {
        Some(0) => format!("{}: the game is over", worth(rules, solution.value)),
        Some(plies) => {
            format!("{} in {}", worth(rules, solution.value), counted(u64::from(plies), "ply"))
        }
        None if solution.goes_round => match rules.repetition {
            Some(_) => "draw by repetition: with best play nothing else ends the game".to_owned(),
            None => "draw: with best play the game never ends".to_owned(),
        },
        None => worth(rules, solution.value),
    }
}

pub fn worth(rules: &Rules, value: Value) -> String {
    match value {
        Value::Win(winner) => team_does(rules, winner, "wins", "win"),
        Value::Draw if rules.players.len() == 1 => format!("{} cannot win", rules.players[0].name),
        Value::Draw => "draw".to_owned(),
        Value::Open => "open".to_owned(),
        Value::Score(score) => {
            format!("{} {}", team_does(rules, PlayerId(0), "scores", "score"), points(score))
        }
        Value::Unknown(_) => "unknown".to_owned(),
    }
}

/// Formats a score with up to six decimals, without trailing zeros.
fn points(score: f64) -> String {
    let text = format!("{score:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

/// Describes why a value is unknown.
pub fn reason(why: Unknown) -> &'static str {
    match why {
        Unknown::RanOut(RanOut::Memory) => "memory ran out",
        Unknown::RanOut(RanOut::Time) => "time ran out",
        Unknown::RanOut(RanOut::Steps) => "the number of positions ran out",
        Unknown::RanOut(RanOut::Cancelled) => "stopped",
        Unknown::Repetition => {
            "no player can force a win before a position repeats, and what a repetition means depends on the position or on who repeats it"
        }
        Unknown::DiceRepetition => {
            "positions can repeat, and with dice the value then depends on how often each has occurred before"
        }
        Unknown::Past => {
            "what is legal or ends the game depends on the positions before, and that is searched for at most two players without dice"
        }
        Unknown::DiceForMany => {
            "with dice and three or more players, best play has no unique value"
        }
        Unknown::Endless => "games can go on for ever, whatever the dice show",
    }
}

/// Suggests a change that may make the value known.
fn advice(why: Unknown) -> Option<&'static str> {
    match why {
        Unknown::RanOut(RanOut::Memory) => {
            Some("a higher `--memory`, a smaller board (`-o`), or a later position (`--from`)")
        }
        Unknown::RanOut(RanOut::Time) => {
            Some("a higher `--time`, a smaller board (`-o`), or a later position (`--from`)")
        }
        Unknown::RanOut(RanOut::Steps) => {
            Some("a higher `--positions`, a smaller board (`-o`), or a later position (`--from`)")
        }
        _ => None,
    }
}

fn ending(rules: &Rules, solution: &Solution) -> String {
    match solution.ending {
        Ending::Over(Outcome::Draw) if rules.players.len() == 1 => "no win".to_owned(),
        Ending::Over(over) => outcome(rules, Some(over)),
        Ending::Repeats(before) => {
            let until = match rules.repetition {
                Some(_) => "until the rule of repetition ends the game",
                None => "for ever",
            };
            format!("then the position after ply {before} repeats, {until}")
        }
        Ending::Chance => "then dice are rolled".to_owned(),
        Ending::Open => "and so on".to_owned(),
    }
}

pub fn seconds(seconds: f64) -> String {
    if seconds < 100.0 { format!("{seconds:.2} s") } else { format!("{seconds:.0} s") }
}

/// What solving a position has found.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SolutionAnswer {
    /// `NAME wins`, `draw`, `open`, `NAME cannot win`, `NAME scores N` or `unknown`; with the pie rule
    /// NAME is `the first player` or `the second player`.
    pub value: String,
    /// Why the value is unknown.
    pub why: Option<&'static str>,
    /// The score of each player with best play, expected where there are dice; null if it is open or
    /// unknown. With the pie rule, a player is the person who has begun as it.
    pub scores: Option<ByName<f64>>,
    /// The plies to the win, if the value is one.
    pub distance: Option<u32>,
    /// The first moves that keep the value.
    pub optimal: Vec<String>,
    /// Every first move.
    pub moves: Vec<FirstMoveAnswer>,
    /// A line of best play.
    pub line: Vec<String>,
    /// How that line ends.
    pub ending: String,
    /// The positions searched.
    pub positions: u64,
    /// The same as `positions`.
    pub nodes: u64,
    /// How many symmetries of board and rules were used, including the identity.
    pub symmetries: usize,
    /// Whether no position can repeat; null if not all positions were explored.
    pub acyclic: Option<bool>,
    /// The length of the longest game in plies, if it is known.
    pub longest: Option<u32>,
    pub seconds: f64,
}

/// A first move, and the value of the position after it.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct FirstMoveAnswer {
    #[serde(rename = "move")]
    pub ply: String,
    pub value: String,
    /// The plies to the win with this move, if the value is one.
    pub distance: Option<u32>,
}

/// Describes a solution in JSON.
pub fn describe(rules: &Rules, solution: &Solution) -> SolutionAnswer {
    let why = match solution.value {
        Value::Unknown(why) => Some(reason(why)),
        _ => None,
    };
    let scores = match solution.value {
        Value::Win(winner) => Some(scores(rules, Outcome::Win(rules.teams.first(winner)))),
        Value::Draw => Some(scores(rules, Outcome::Draw)),
        Value::Score(score) => {
            let of =
                |player| if rules.teams.of(player) == PlayerId(0) { score } else { 1.0 - score };
            let players = (0..).map(PlayerId).zip(&rules.players);
            Some(players.map(|(player, named)| (named.name.clone(), of(player))).collect())
        }
        Value::Open | Value::Unknown(_) => None,
    };
    let moves = solution.first.iter().map(|first| FirstMoveAnswer {
        ply: spell(rules, &first.ply),
        value: worth(rules, first.value),
        distance: first.distance,
    });
    SolutionAnswer {
        value: worth(rules, solution.value),
        why,
        scores,
        distance: solution.distance,
        optimal: solution.optimal().map(|first| spell(rules, &first.ply)).collect(),
        moves: moves.collect(),
        line: solution.line.iter().map(|ply| spell(rules, ply)).collect(),
        ending: ending(rules, solution),
        positions: solution.nodes,
        nodes: solution.nodes,
        symmetries: solution.symmetries,
        acyclic: solution.acyclic,
        longest: solution.longest,
        seconds: solution.seconds,
    }
}
