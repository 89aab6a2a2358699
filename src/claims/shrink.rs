//! A game that goes against a property in, a short one out; and options in which the board is
//! smaller.

use super::monitor::replay;
use super::question::{Property, Question};
use crate::deadline::Deadline;
use crate::engine::game::Move;
use crate::language::check;
use crate::language::sources::Sources;

/// How often a game is played over to make it shorter.
const MAX_REPLAYS: u32 = 4_000;
/// How many smaller boards are tried.
const MAX_BOARDS: usize = 12;

/// Leaves out plies for as long as what remains goes against the property: halves at first, in the
/// end pairs and single ones. (Andreas Zeller and Ralf Hildebrandt, *Simplifying and Isolating
/// Failure-Inducing Input*, IEEE Transactions on Software Engineering 28, 2002; plies that are not
/// legal any more are left out as well.)
pub fn shortened(
    question: &Question,
    property: Property,
    mut plies: Vec<Move>,
    deadline: &Deadline,
) -> Vec<Move> {
    if let Property::EndsWithin(_) = property {
        // What counts is their number.
        return plies;
    }
    let mut state = question.start.clone();
    let mut replays = 0;
    let mut size = plies.len().div_ceil(2);
    while size > 0 {
        let mut from = 0;
        let mut found = false;
        while from < plies.len() && replays < MAX_REPLAYS && !deadline.has_passed() {
            replays += 1;
            let until = (from + size).min(plies.len());
            match replay(
                question,
                property,
                &mut state,
                plies[..from].iter().chain(&plies[until..]),
                deadline,
            ) {
                Some(shorter) if shorter.len() < plies.len() => {
                    plies = shorter;
                    found = true;
                }
                _ => from += size,
            }
        }
        size = match size {
            1 if !found => 0,
            1 => plies.len().div_ceil(2).min(2),
            _ => size.div_ceil(2),
        };
        if replays >= MAX_REPLAYS || deadline.has_passed() {
            break;
        }
    }
    plies
}

/// Lists choices with which the board has fewer sites, the smallest first. Options that the claim
/// is about by name stay as they are, as do those whose values are words.
pub fn smaller_boards(
    source: &Sources,
    choices: &[(String, String)],
    question: &Question,
) -> Vec<Vec<(String, String)>> {
    let rules = question.game.rules();
    let sites = rules.board.len();
    let free = rules
        .options
        .iter()
        .filter(|option| !question.claim.options.iter().any(|(own, _)| *own == option.name));
    let mut found: Vec<(usize, Vec<(String, String)>)> = Vec::new();
    for option in free {
        let lower =
            option.values[..option.chosen].iter().filter(|value| value.parse::<f64>().is_ok());
        for value in lower.take(MAX_BOARDS) {
            let others = choices.iter().filter(|(name, _)| *name != option.name).cloned();
            let choices: Vec<(String, String)> =
                others.chain([(option.name.clone(), value.clone())]).collect();
            match check(source, &choices).rules {
                Some(rules) if rules.board.len() < sites => {
                    found.push((rules.board.len(), choices))
                }
                _ => {}
            }
        }
    }
    found.sort_by_key(|(sites, _)| *sites);
    found.into_iter().map(|(_, choices)| choices).take(MAX_BOARDS).collect()
}
