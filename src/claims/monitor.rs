//! Checks a property along a game.

use super::question::{Property, Question};
use crate::budget::Deadline;
use crate::engine::game::{Game, Move, State};
use crate::engine::position::Outcome;
use std::collections::HashSet;

/// A monitor that follows a game ply by ply.
pub struct PropertyMonitor {
    property: Property,
    plies: u32,
    /// The hashes of the positions so far, as the engine identifies repetitions.
    seen: HashSet<u64>,
    /// Whether the second occurrence of a position ends the game.
    second_ends: bool,
}

impl PropertyMonitor {
    /// Creates a monitor before the first position.
    pub fn new(property: Property, game: &Game) -> PropertyMonitor {
        let second_ends = game.rules().repetition.as_ref().is_some_and(|rule| rule.times == 2)
            && !game.rules().depends_on_past();
        PropertyMonitor { property, plies: 0, seen: HashSet::new(), second_ends }
    }

    /// Observes the next position, including the first, and returns whether the property is now
    /// violated.
    pub fn violates(&mut self, state: &mut State) -> bool {
        let plies = self.plies;
        self.plies += 1;
        let over = state.outcome();
        match self.property {
            Property::EndsWithin(most) => plies >= most && over.is_none(),
            Property::NotDrawn => over.is_some_and(Outcome::is_draw),
            Property::Always { condition, so } => state.holds(condition) != so,
            Property::NeverRepeats => {
                (over.is_none() || self.second_ends) && !self.seen.insert(state.hash())
            }
        }
    }
}

/// Replays plies from the start of the question, skipping illegal ones. Returns the plies made up
/// to the violation; `None` if there is none or time runs out.
pub fn replay<'m>(
    question: &Question,
    property: Property,
    state: &mut State,
    plies: impl IntoIterator<Item = &'m Move>,
    deadline: &Deadline,
) -> Option<Vec<Move>> {
    let mut deadline = deadline.clone();
    let mut watch = PropertyMonitor::new(property, &question.game);
    let mut made = Vec::new();
    state.return_to(&question.start.mark());
    if watch.violates(state) {
        return Some(made);
    }
    for ply in plies {
        if deadline.is_over() {
            return None;
        }
        let Some(candidate) = state
            .candidates()
            .into_iter()
            .find(|&candidate| question.game.spell_out(candidate) == *ply)
        else {
            continue;
        };
        if !state.advance(candidate) || state.fault().is_some() {
            return None;
        }
        made.push(ply.clone());
        if watch.violates(state) {
            return Some(made);
        }
    }
    None
}
