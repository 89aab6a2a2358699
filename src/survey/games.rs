//! Random games, to see what is too large to be seen wholly.

use super::view::{Budget, Cycle, View};
use crate::random::{Random, mix};
use std::collections::HashMap;

/// A game that comes to no end is given up after so many plies.
const LONGEST: usize = 2_000;

/// Plays random games and looks at their positions. A cycle is taken down if it takes no more plies than are showable.
pub fn play(view: &mut View, budget: &mut Budget, showable: usize) {
    let Some(mut walker) = view.begin() else { return };
    if walker.outcome().is_some() {
        return;
    }
    let start = walker.position();
    let wants_cycle = view.rules().repetition.is_none();
    for number in 0.. {
        let mut random = Random::new(mix(1, number));
        walker.go_to(&start);
        let mut plies = Vec::new();
        let mut been = HashMap::new();
        while walker.outcome().is_none() && plies.len() < LONGEST {
            if wants_cycle
                && plies.len() <= showable
                && let Some(before) = been.insert(walker.position(), plies.len())
                && view.cycle.as_ref().is_none_or(|cycle| cycle.plies.len() > plies.len())
            {
                view.cycle = Some(Cycle { plies: plies.clone(), length: plies.len() - before, decision: walker.decision() });
            }
            let legal = walker.legal();
            view.note_legal(&walker, &legal);
            let Some(&ply) = legal.get(random.below(legal.len() as u32) as usize) else { return };
            if !budget.spend(view.rules(), legal.len()) || !walker.play(ply) || walker.fault().is_some() {
                return;
            }
            plies.push(ply);
        }
        if walker.outcome().is_some() {
            view.games += 1;
            view.note_end(&walker, || plies);
        }
    }
}
