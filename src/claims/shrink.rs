//! Shortens counterexamples, and lists smaller boards.

use super::monitor::replay;
use super::question::{Property, Question};
use crate::deadline::Deadline;
use crate::engine::game::Move;
use crate::language::check;
use crate::language::sources::Sources;

/// The limit of replays.
const MAX_REPLAYS: u32 = 4_000;
/// The limit of boards, and of values tried per option.
const MAX_BOARDS: usize = 12;

/// Shortens a counterexample by delta debugging: deletes chunks of plies of decreasing size as long
/// as the rest still violates the property. Plies that become illegal are skipped. (Andreas Zeller
/// and Ralf Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, IEEE Transactions on
/// Software Engineering 28, 2002.)
pub fn shortened(
    question: &Question,
    property: Property,
    mut plies: Vec<Move>,
    deadline: &Deadline,
) -> Vec<Move> {
    if let Property::EndsWithin(_) = property {
        // Here the counterexample is its length.
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
            // Deleting single plies may have made pairs deletable that were not before.
            1 => plies.len().div_ceil(2).min(2),
            _ => size.div_ceil(2),
        };
        if replays >= MAX_REPLAYS || deadline.has_passed() {
            break;
        }
    }
    plies
}

/// Lists choices of options with fewer sites, smallest first. Varies only numeric options that the
/// claim does not fix.
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
