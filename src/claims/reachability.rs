//! Explores all positions for a game that violates a property.
//!
//! Repetition rules are ignored: their effect on a game that returns to a position is found by
//! replaying that game.

use super::question::{Property, Question};
use crate::analysis::reachability::{Extent, PositionGraph, Step, Visitor};
use crate::budget::{Deadline, Fuel};
use crate::engine::game::{Fault, State};
use crate::engine::position::Outcome;

/// Explores positions breadth-first until one violates the property or `most` plies were followed.
///
/// # Errors
/// Returns the [`Fault`] if the rules run out of fuel.
pub fn explore(
    question: &Question,
    property: Property,
    most: u64,
    deadline: Deadline,
    graph: &mut PositionGraph,
) -> Result<Extent, Fault> {
    let mut state = question.start.clone();
    if is_against(property, &mut state, 0) {
        return Ok(Extent::Stopped(Vec::new()));
    }
    if state.outcome().is_some() {
        return Ok(Extent::All);
    }
    // `spend` refuses the ply that uses up the last unit, so there is one more than plies.
    let plies = Fuel::new(most.saturating_add(1));
    let start = question.start.clone();
    graph.explore(&mut state, &mut Counterexample { start, property, plies, deadline })
}

/// Stops a search at a counterexample, or when the budget runs out.
struct Counterexample {
    start: State,
    property: Property,
    plies: Fuel,
    deadline: Deadline,
}

impl Visitor for Counterexample {
    fn may_follow(&mut self, _: &State, _: usize) -> bool {
        self.plies.spend(1) && !self.deadline.is_over()
    }

    fn on_ply(&mut self, state: &mut State, step: &Step) -> bool {
        is_against(self.property, state, step.depth) && self.is_real(step)
    }
}

impl Counterexample {
    /// Tests if the path to a counterexample is also allowed by the rule of repetition: it may
    /// return to an earlier position of the path or of the opening.
    fn is_real(&self, step: &Step) -> bool {
        if self.start.game().rules().repetition.is_none() {
            return true;
        }
        let mut state = self.start.clone();
        step.path().into_iter().all(|ply| state.advance(ply))
            && is_against(self.property, &mut state, step.depth)
    }
}

/// Tests if the position after `plies` plies by itself violates the property.
fn is_against(property: Property, state: &mut State, plies: u32) -> bool {
    match property {
        Property::Always { condition, so } => state.holds(condition) != so,
        Property::NotDrawn => state.outcome().is_some_and(Outcome::is_draw),
        Property::EndsWithin(most) => plies >= most && state.outcome().is_none(),
        Property::NeverRepeats => false,
    }
}
