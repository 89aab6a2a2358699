//! Exploring all positions and proof search in turns.
//!
//! It is not known beforehand which method ends first: exploring does in games with few positions,
//! and finds distances as well; a proof may need only a small part of many positions. So they take
//! turns: exploring goes on to a number of positions that doubles from turn to turn, and proof
//! search to at least twice as many, since it more often ends first in games with many positions.
//! It goes on to more while the number of unexpanded positions grows fast: exploring is then far
//! from its end.
//!
//! A turn ends by positions, never by the clock: the work does not depend on the time limit or on
//! how busy the computer is, only its extent does. If one method runs out of memory or positions,
//! the other goes on with the memory of both.

use super::graph::Exploration;
use super::proof::Prover;
use super::verdict::Verdicts;
use super::{
    Clock, RanOut, Solution, SolveLimits, Stopped, Value, best_line, certify, is_symmetric,
    proof_solution,
};
use crate::budget::MemoryBudget;
use crate::engine::game::State;
use crate::verify::Certificate;
use std::ops::ControlFlow::{self, Break, Continue};

/// The positions of the first turn of exploring. Smaller games are always explored whole.
const FIRST_TURN: u64 = 1 << 17;
/// The positions of proof search as a multiple of the positions of exploring: this share, plus the
/// growth factor for each unexpanded position per expanded one, up to the maximum.
const PROVING_SHARE: f64 = 2.0;
const PROVING_GROWTH: f64 = 4.0;
const MOST_PROVING: f64 = 16.0;
/// While both methods go on, exploring has this many quarters of the memory: it stores every
/// position, proof search only a few bytes for some.
const EXPLORING_QUARTERS: u64 = 3;

/// The place where the certificate of a solution is written, if one is requested.
pub(super) type Place<'p> = Option<&'p mut Option<Certificate>>;

/// Solves the position of a state whose game proof search can decide.
///
/// # Errors
/// Stops if neither method leads to a value within the limits, or if the rules do not terminate
/// somewhere.
pub(super) fn solve(
    from: &State,
    limits: &SolveLimits,
    mut place: Place,
    clock: &mut Clock,
) -> Result<Solution, Stopped> {
    let symmetric = is_symmetric(from, limits);
    let for_exploring = limits.memory / 4 * EXPLORING_QUARTERS;
    let mut memory_budget = MemoryBudget::new(for_exploring);
    // The reasons why the methods have ended.
    let [mut exploring_ended, mut proving_ended] = [None, None];
    let begun = Verdicts::exploration(from, symmetric, &mut memory_budget);
    let mut exploring = unless_ended(begun.map_err(Stopped::from), &mut exploring_ended)?;
    let mut proving = None;
    let mut until = FIRST_TURN;
    let mut until_proving = u64::MAX;
    loop {
        if let Some(exploration) = exploring.take() {
            clock.elsewhere = proving.as_ref().map_or(0, Prover::nodes);
            let place = place.as_deref_mut();
            let turn = explore(from, exploration, until, place, &mut memory_budget, clock);
            match unless_ended(turn, &mut exploring_ended)? {
                Some(Break(solution)) => return Ok(solution),
                Some(Continue(exploration)) => {
                    let share = PROVING_SHARE + PROVING_GROWTH * exploration.growth();
                    until_proving = (until as f64 * share.min(MOST_PROVING)) as u64;
                    exploring = Some(exploration);
                }
                None => until_proving = u64::MAX,
            }
        }
        if proving_ended.is_none() {
            clock.elsewhere = exploring.as_ref().map_or(0, |exploring| exploring.len() as u64);
            let taken = if exploring.is_some() { for_exploring } else { 0 };
            let memory = prover_memory(limits.memory - taken, place.is_some());
            let prover = match proving.take() {
                Some(prover) => Ok(prover),
                None => prover(from, memory, limits),
            };
            let turn = prover.and_then(|prover| prove(from, prover, memory, until_proving, clock));
            match unless_ended(turn, &mut proving_ended)? {
                Some(Break((value, mut prover))) => {
                    drop(exploring);
                    return describe(from, value, &mut prover, limits, place, clock);
                }
                Some(Continue(prover)) => proving = Some(prover),
                None => {}
            }
        }
        match (exploring_ended, proving_ended) {
            (Some(RanOut::Memory), Some(_)) => return Err(RanOut::Memory.into()),
            (Some(_), Some(ran_out)) => return Err(ran_out.into()),
            _ => until = until.saturating_mul(2),
        }
    }
}

/// Solves the position of a state by proof search alone.
///
/// # Errors
/// As [`solve`].
pub(super) fn solve_by_proof(
    from: &State,
    limits: &SolveLimits,
    place: Place,
    clock: &mut Clock,
) -> Result<Solution, Stopped> {
    let memory = prover_memory(limits.memory, place.is_some());
    let mut prover = prover(from, memory, limits)?;
    loop {
        match prove(from, prover, memory, u64::MAX, clock)? {
            Break((value, mut prover)) => {
                return describe(from, value, &mut prover, limits, place, clock);
            }
            Continue(open) => prover = open,
        }
    }
}

fn prover(from: &State, memory: u64, limits: &SolveLimits) -> Result<Prover, Stopped> {
    let mut prover = Prover::new(from, is_symmetric(from, limits), memory, limits.threads.max(1))?;
    prover.numbers_alone = limits.by_numbers;
    Ok(prover)
}

/// Returns the memory of proof search: half of `memory` if a certificate is to be written.
fn prover_memory(memory: u64, is_certified: bool) -> u64 {
    if is_certified { memory / 2 } else { memory }
}

/// Turns a limit that ends only this method into no result, and keeps the limit.
fn unless_ended<T>(
    turn: Result<T, Stopped>,
    ended: &mut Option<RanOut>,
) -> Result<Option<T>, Stopped> {
    match turn {
        Err(Stopped::RanOut(ran_out @ (RanOut::Memory | RanOut::Steps))) => {
            *ended = Some(ran_out);
            Ok(None)
        }
        turn => turn.map(Some),
    }
}

/// Explores up to a number of positions, and evaluates them if these are all.
fn explore(
    from: &State,
    mut exploration: Exploration,
    until: u64,
    place: Place,
    memory_budget: &mut MemoryBudget,
    clock: &mut Clock,
) -> Result<ControlFlow<Solution, Exploration>, Stopped> {
    if !exploration.advance(until, memory_budget, clock)? {
        return Ok(Continue(exploration));
    }
    evaluate(from, exploration, place, memory_budget, clock).map(Break)
}

/// Explores the remaining positions, and solves the game with all of them.
///
/// # Errors
/// As [`solve`].
pub(super) fn evaluate(
    from: &State,
    mut exploration: Exploration,
    place: Place,
    memory_budget: &mut MemoryBudget,
    clock: &mut Clock,
) -> Result<Solution, Stopped> {
    exploration.advance(u64::MAX, memory_budget, clock)?;
    let mut verdicts = Verdicts::evaluate(from, exploration.graph(), memory_budget, clock)?;
    let solution = best_line::describe(from, &mut verdicts, memory_budget, clock)?;
    certify(from, solution.value, &mut verdicts, place, memory_budget, clock)?;
    Ok(solution)
}

/// Searches up to a number of positions; returns the value if it was found.
fn prove(
    from: &State,
    mut prover: Prover,
    memory: u64,
    until: u64,
    clock: &mut Clock,
) -> Result<ControlFlow<(Value, Prover), Prover>, Stopped> {
    prover.set_memory(memory);
    Ok(match proof_solution::decide(from, &mut prover, until, clock)? {
        Some(value) => Break((value, prover)),
        None => Continue(prover),
    })
}

/// Derives the rest of a solution, and the certificate, from the proofs of a value.
fn describe(
    from: &State,
    value: Value,
    prover: &mut Prover,
    limits: &SolveLimits,
    place: Place,
    clock: &mut Clock,
) -> Result<Solution, Stopped> {
    let solution = proof_solution::describe(from, value, prover, clock)?;
    let mut memory_budget = MemoryBudget::new(limits.memory / 2);
    certify(from, solution.value, prover, place, &mut memory_budget, clock)?;
    Ok(solution)
}
