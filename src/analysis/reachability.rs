//! All positions of a game, or as many of them as there is patience for.
//!
//! In: a game. Out: what can be seen from its positions, and the shortest way to come to one of
//! them again.

use super::observations::{Cycle, Observations, PlyBudget};
use crate::engine::PackedMove;
use crate::engine::game::State;
use crate::engine::position::Position;
use indexmap::IndexMap;
use std::collections::VecDeque;

/// So many positions that may come again are tried as the beginning of the cycle that is shown.
const MAX_CYCLE_STARTS: usize = 24;

/// The positions that were come to, each with where from, in the order in which they were.
struct PositionGraph {
    positions: IndexMap<Position, Option<(usize, PackedMove)>>,
    plies: Vec<Transition>,
}

struct Transition {
    from: usize,
    to: usize,
    made: PackedMove,
}

/// Looks at positions, those that take the fewest plies first.
pub fn explore(observations: &mut Observations, budget: &mut PlyBudget) {
    let Some(mut state) = observations.begin() else { return };
    if state.outcome().is_some() {
        observations.note_end(&state, Vec::new);
        observations.complete = true;
        return;
    }
    let mut graph =
        PositionGraph { positions: IndexMap::from([(state.position(), None)]), plies: Vec::new() };
    observations.complete = graph.grow(&mut state, observations, budget);
    if observations.rules().repetition.is_none() || observations.complete {
        observations.cycle = graph.cycle();
    }
}

impl PositionGraph {
    /// Follows every ply of every position; false when not all could be.
    fn grow(
        &mut self,
        state: &mut State,
        observations: &mut Observations,
        budget: &mut PlyBudget,
    ) -> bool {
        let mut next = 0;
        while let Some((position, _)) = self.positions.get_index(next) {
            let position = position.clone();
            state.go_to(&position);
            let legal = state.candidates();
            observations.note_legal(state, &legal);
            for &made in &legal {
                state.go_to(&position);
                if !budget.spend(state, legal.len())
                    || !state.advance(made)
                    || state.fault().is_some()
                {
                    return false;
                }
                observations.note_ply(state, position.decision(), made);
                if state.outcome().is_some() {
                    observations
                        .note_end(state, || self.path_to(next).into_iter().chain([made]).collect());
                    continue;
                }
                let entry = self.positions.entry(state.position());
                let to = entry.index();
                entry.or_insert(Some((next, made)));
                self.plies.push(Transition { from: next, to, made });
            }
            next += 1;
        }
        true
    }

    /// The plies that lead to a position.
    fn path_to(&self, to: usize) -> Vec<PackedMove> {
        let before = |&(_, step): &(usize, Option<(usize, PackedMove)>)| {
            step.map(|(from, _)| (from, self.positions[from]))
        };
        let mut way: Vec<PackedMove> =
            std::iter::successors(Some((to, self.positions[to])), before)
                .filter_map(|(_, step)| step.map(|(_, made)| made))
                .collect();
        way.reverse();
        way
    }

    /// Finds a short game that comes back to where it was.
    fn cycle(&self) -> Option<Cycle> {
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); self.positions.len()];
        for (index, ply) in self.plies.iter().enumerate() {
            after[ply.from].push(index);
        }
        let beginnings = self.recurring().into_iter().filter_map(|beginning| {
            let around = self.shortest_cycle_from(beginning, &after)?;
            let length = around.len();
            let plies = self.path_to(beginning).into_iter().chain(around).collect();
            let decision = self.positions.get_index(beginning)?.0.decision();
            Some(Cycle { plies, length, decision })
        });
        beginnings.take(MAX_CYCLE_STARTS).min_by_key(|cycle| cycle.plies.len())
    }

    /// The positions that come again, and those between two such, in order.
    fn recurring(&self) -> Vec<usize> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.positions.len()];
        let mut after = before.clone();
        for ply in &self.plies {
            before[ply.to].push(ply.from);
            after[ply.from].push(ply.to);
        }
        let mut remains = vec![true; self.positions.len()];
        peel(&mut remains, &before, &after);
        peel(&mut remains, &after, &before);
        (0..remains.len()).filter(|&position| remains[position]).collect()
    }

    /// The shortest way from a position back to it.
    fn shortest_cycle_from(
        &self,
        beginning: usize,
        after: &[Vec<usize>],
    ) -> Option<Vec<PackedMove>> {
        let mut from: Vec<Option<usize>> = vec![None; after.len()];
        let mut queue = VecDeque::from([beginning]);
        while let Some(position) = queue.pop_front() {
            for &index in &after[position] {
                let to = self.plies[index].to;
                if from[to].is_none() {
                    from[to] = Some(index);
                    queue.push_back(to);
                }
            }
            if from[beginning].is_some() {
                break;
            }
        }
        let mut around = Vec::new();
        let mut position = beginning;
        loop {
            let ply = &self.plies[from[position]?];
            around.push(ply.made);
            position = ply.from;
            if position == beginning {
                around.reverse();
                return Some(around);
            }
        }
    }
}

/// Takes away, again and again, the positions that none of those that remain leads to.
fn peel(remains: &mut [bool], before: &[Vec<usize>], after: &[Vec<usize>]) {
    let mut degrees: Vec<usize> = before
        .iter()
        .map(|before| before.iter().filter(|&&other| remains[other]).count())
        .collect();
    let mut bare: Vec<usize> = (0..remains.len())
        .filter(|&position| remains[position] && degrees[position] == 0)
        .collect();
    while let Some(position) = bare.pop() {
        remains[position] = false;
        for &next in after[position].iter().filter(|&&next| remains[next]) {
            degrees[next] -= 1;
            if degrees[next] == 0 {
                bare.push(next);
            }
        }
    }
}
