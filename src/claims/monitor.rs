//! A game under way in, ply by ply; whether it goes against a property out.

use super::question::{Property, Question};
use crate::deadline::Deadline;
use crate::engine::game::{Game, Move, State};
use crate::engine::position::Outcome;
use std::collections::HashSet;

/// Looks on while a game is played.
pub struct PropertyMonitor {
    property: Property,
    plies: u32,
    /// The positions so far, by hash, as the engine tells repetitions.
    seen: HashSet<u64>,
    /// Whether a position that comes a second time ends the game.
    second_ends: bool,
}

impl PropertyMonitor {
    /// Nothing has been seen yet.
    pub fn new(property: Property, game: &Game) -> PropertyMonitor {
        let second_ends = game.rules().repetition.as_ref().is_some_and(|rule| rule.times == 2);
        PropertyMonitor { property, plies: 0, seen: HashSet::new(), second_ends }
    }

    /// Looks at the next position, the first one included, and tells if the game goes against the
    /// property with it.
    pub fn violates(&mut self, state: &mut State) -> bool {
        let plies = self.plies;
        self.plies += 1;
        let over = state.outcome();
        match self.property {
            Property::EndsWithin(most) => plies >= most && over.is_none(),
            Property::NotDrawn => over == Some(Outcome::Draw),
            Property::Always { condition, so } => state.holds(condition) != so,
            Property::NeverRepeats => {
                (over.is_none() || self.second_ends) && !self.seen.insert(state.hash())
            }
        }
    }
}

/// Plays plies over, from where the question begins, passing over those that are not legal then;
/// gives those that were made up to where the game goes against the property, if it does before the
/// time is over.
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
