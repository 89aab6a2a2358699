//! Random games, for boards too large to be explored completely.

use super::observations::{Hang, Observations};
use super::reachability::Cycle;
use crate::engine::PlyBudget;
use crate::engine::game::State;
use crate::random::{Random, mix};
use std::collections::HashMap;

/// The ply limit of a random game.
const MAX_PLIES: usize = 2_000;

/// Plays random games until the budget is exhausted, and records their observations. Of the games
/// that repeat a position within `showable` plies, the shortest is recorded.
pub fn play(observations: &mut Observations, budget: &mut PlyBudget, showable: usize) {
    let Some(mut state) = observations.begin() else { return };
    if state.outcome().is_some() {
        return;
    }
    let start = state.position();
    let wants_cycle = observations.rules().repetition.is_none();
    for number in 0.. {
        let mut random = Random::new(mix(1, number));
        state.go_to(&start);
        let mut plies = Vec::new();
        let mut been = HashMap::new();
        let mut uncounted = HashMap::new();
        while let Some(decision) = state.decision()
            && plies.len() < MAX_PLIES
        {
            if wants_cycle
                && plies.len() <= showable
                && let Some(before) = been.insert(state.position(), plies.len())
                && observations
                    .cycle
                    .as_ref()
                    .is_none_or(|cycle| cycle.plies_in_all() > plies.len())
            {
                let (path, around) = (plies[..before].to_vec(), plies[before..].to_vec());
                observations.cycle = Some(Cycle { path, around, decision, is_shortest: false });
            }
            note_counters(observations, &state, &mut uncounted);
            let legal = state.candidates();
            if let Some(fault) = state.fault() {
                observations.note_hang(Hang { fault, plies });
                return;
            }
            observations.note_legal(&state, &legal);
            let Some(&ply) = legal.get(random.below(legal.len() as u32) as usize) else { return };
            if !budget.spend(&state, legal.len()) || !state.advance(ply) {
                return;
            }
            plies.push(ply);
            if let Some(fault) = state.fault() {
                observations.note_hang(Hang { fault, plies });
                return;
            }
            observations.note_ply(&state, decision, ply);
        }
        if state.outcome().is_some() {
            observations.games += 1;
            observations.note_end(&state, || plies);
        } else {
            observations.given_up = true;
        }
    }
}

/// A position without its counters: sets, the other registers, and the decision.
type Uncounted = (Vec<u64>, Vec<i32>, usize);

/// Records counters that are the only difference between this position and an earlier one of the
/// same game.
fn note_counters(
    observations: &mut Observations,
    state: &State,
    been: &mut HashMap<Uncounted, Vec<i32>>,
) {
    if observations
        .suspects
        .counters
        .iter()
        .all(|counter| observations.counted.contains(&counter.memory))
    {
        return;
    }
    let position = state.position();
    let mut others = position.numbers().to_vec();
    for &register in observations.suspects.counters.iter().flat_map(|counter| &counter.registers) {
        others[usize::from(register)] = 0;
    }
    let earlier = been.insert(
        (position.words().to_vec(), others, position.decision()),
        position.numbers().to_vec(),
    );
    let Some(earlier) = earlier else { return };
    for counter in &observations.suspects.counters {
        let differs = |&register: &u16| earlier[usize::from(register)] != position.number(register);
        if counter.registers.iter().any(differs) {
            observations.counted.insert(counter.memory);
        }
    }
}
