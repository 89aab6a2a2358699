//! Shortens a game that violates a property.

use super::monitor::replay;
use super::question::{Property, Question};
use crate::budget::Deadline;
use crate::engine::game::Move;

/// The limit of replays.
const MAX_REPLAYS: u32 = 4_000;

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
        // For this property, only the length matters.
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
