//! Random games, to see what is too large to be seen wholly.

use super::view::{Budget, Cycle, View};
use crate::engine::explorer::Explorer;
use crate::random::{Random, mix};
use std::collections::HashMap;

/// A game that comes to no end is given up after so many plies.
const LONGEST: usize = 2_000;
/// A cycle that takes more plies than this is no help to anybody.
const SHOWABLE: usize = 100;

/// Plays random games and looks at their positions.
pub fn play(view: &mut View, budget: &mut Budget) {
    let Some(mut explorer) = Explorer::new(&view.marked.game) else { return };
    if explorer.outcome().is_some() {
        return;
    }
    let start = explorer.position();
    let wants_cycle = view.rules().repetition.is_none();
    for number in 0.. {
        let mut random = Random::new(mix(1, number));
        explorer.go_to(&start);
        let mut plies = Vec::new();
        let mut been = HashMap::new();
        while explorer.outcome().is_none() && plies.len() < LONGEST {
            if wants_cycle
                && plies.len() <= SHOWABLE
                && let Some(before) = been.insert(explorer.position(), plies.len())
                && view.cycle.as_ref().is_none_or(|cycle| cycle.plies.len() > plies.len())
            {
                view.cycle = Some(Cycle { plies: plies.clone(), length: plies.len() - before, decision: explorer.decision() });
            }
            let legal = explorer.legal();
            view.note_legal(&explorer, &legal);
            let Some(&ply) = legal.get(random.below(legal.len() as u32) as usize) else { return };
            if !budget.spend(view.rules(), legal.len()) || !explorer.play(ply) || explorer.is_lost() {
                return;
            }
            plies.push(ply);
        }
        if explorer.outcome().is_some() {
            view.games += 1;
            view.note_end(&explorer, || plies);
        }
    }
}
