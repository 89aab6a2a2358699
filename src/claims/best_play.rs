//! Claims about best play, decided by the solver.

use super::question::Question;
use super::{ClaimLimits, ClaimVerdict, Decided, Example};
use crate::budget::Deadline;
use crate::language::rules::{PlayerId, Rules};
use crate::notation::{clause, counted, person, spell, team_does};
use crate::solve::{RanOut, Solution, SolveLimits, Unknown, Value, solve};

/// The memory limit of the solver, in bytes.
const MEMORY: u64 = 1 << 30;
/// The assumed plies per position, to convert [`ClaimLimits::plies`] to positions.
const BRANCHING: u64 = 2;
/// Tolerance for an expected score to be a certain win or loss.
const EXACT: f64 = 1e-11;

/// Decides whether `wanted` wins with best play, or, if `None`, whether best play is a draw.
pub fn decide(
    question: &Question,
    wanted: Option<PlayerId>,
    so: bool,
    limits: &ClaimLimits,
    deadline: &Deadline,
) -> Decided {
    let limits = SolveLimits {
        memory: MEMORY,
        time: deadline.left(),
        positions: Some(limits.plies / BRANCHING),
        plies: None,
        symmetric: true,
        threads: 1,
        by_numbers: false,
    };
    let solved = solve(&question.start, &limits, &mut |_| true);
    let rules = question.game.rules();
    let solution = match solved {
        Ok(solution) => solution,
        Err(fault) => {
            return Decided::new(
                &question.claim,
                ClaimVerdict::Undecided,
                clause::endless(rules, &fault),
            );
        }
    };
    let is = is(solution.value, wanted.map(|player| rules.teams.of(player)));
    let verdict = match is {
        None => ClaimVerdict::Undecided,
        Some(is) if is == so => ClaimVerdict::Holds,
        Some(_) => ClaimVerdict::Fails,
    };
    let mut decided = Decided::new(&question.claim, verdict, words(rules, &solution));
    decided.exact = is.is_some();
    decided.positions = solution.nodes;
    if is.is_some() && !solution.line.is_empty() {
        decided.example =
            Some(Example { record: question.record(&solution.line), shortest: false });
    }
    decided
}

/// Tests if a team's value is the wanted one; `None` if this is unknown.
fn is(value: Value, wanted: Option<PlayerId>) -> Option<bool> {
    match value {
        Value::Win(player) => Some(wanted == Some(player)),
        Value::Draw => Some(wanted.is_none()),
        // No player can force a win, and not every player can force a draw.
        Value::Open => Some(false),
        Value::Score(score) => Some(match wanted {
            Some(PlayerId(0)) => score >= 1.0 - EXACT,
            Some(_) => score <= EXACT,
            // An expected score of ½ may be a mix of wins and losses.
            None if (score - 0.5).abs() > EXACT => false,
            None => return None,
        }),
        Value::Unknown(_) => None,
    }
}

fn words(rules: &Rules, solution: &Solution) -> String {
    // Proof search leaves positions out.
    let all = if solution.acyclic.is_some() { "all " } else { "" };
    let looked = match solution.symmetries {
        0 | 1 => counted(solution.nodes, "position"),
        symmetries => {
            format!(
                "{} (symmetric positions count once; {symmetries} symmetries)",
                counted(solution.nodes, "position")
            )
        }
    };
    let first = || match solution.line.first() {
        Some(first) => format!(", starting with {}", spell(rules, first)),
        None => String::new(),
    };
    match (solution.value, solution.distance) {
        (Value::Win(winner), Some(plies)) => {
            let wins = team_does(rules, winner, "wins", "win");
            format!(
                "{wins} in {} with best play{}; searched {all}{looked}",
                counted(u64::from(plies), "ply"),
                first()
            )
        }
        (Value::Win(winner), None) => format!(
            "{} with best play{}; searched {all}{looked}",
            team_does(rules, winner, "wins", "win"),
            first()
        ),
        (Value::Draw, _) if rules.players.len() == 1 => {
            format!("{} cannot win; searched {all}{looked}", person(rules, PlayerId(0)))
        }
        (Value::Draw, _) => format!("best play is a draw; searched {all}{looked}"),
        (Value::Open, _) => format!(
            "no player can force a win, and not every player can force a draw; searched {all}{looked}"
        ),
        (Value::Score(score), _) => {
            format!(
                "with best play {} {:.2} % on average; searched {all}{looked}",
                team_does(rules, PlayerId(0), "scores", "score"),
                score * 100.0
            )
        }
        (Value::Unknown(why), _) => match why {
            Unknown::RanOut(RanOut::Memory) => format!("memory ran out after {looked}"),
            Unknown::RanOut(RanOut::Time) => format!("time ran out after {looked}"),
            Unknown::RanOut(RanOut::Steps | RanOut::Cancelled) => {
                format!("not finished after {looked}")
            }
            Unknown::Repetition => String::from(
                "no player can force a win before a position repeats, and what a repetition means depends on the position or on who repeats it",
            ),
            Unknown::DiceRepetition => String::from(
                "positions can repeat, and with dice the value then depends on how often each has occurred before",
            ),
            Unknown::Past => String::from(
                "what is legal or ends the game depends on the positions before, and that is searched for at most two players without dice",
            ),
            Unknown::DiceForMany => {
                String::from("with dice and three or more players, best play is not unique")
            }
            Unknown::Endless => {
                String::from("with dice and games that can go on for ever, the value is not known")
            }
        },
    }
}
