//! Decides as games are played how many of each pairing fit into the processor time of a plan.
//!
//! Pairings are played in rounds: a few games of each, then twice as many in all, and so on. Before
//! each round, its cost is estimated from the games of the rounds before it. Only complete rounds
//! decide, and a game's cost is counted in units that do not depend on the computer ([`Effort`]).
//! So the same seed gives the same games on any number of threads.

use super::cost_model::SOLVED_PLY_SECONDS;
use super::game_rows::{Effort, GameRow};
use super::plan::{Allowance, Pairing};
use super::results::Results;

/// Seconds per iteration of a search besides its plies, per ply that is recorded, per expression or
/// statement that the reference interpreter evaluates, and per position that is evaluated; and what
/// a ply of a search takes, relative to the estimate of the plan. Measured: with these, the time of
/// whole playtests is met within a fifth.
const ITERATION_SECONDS: f64 = 9e-7;
const RECORDED_PLY_SECONDS: f64 = 3e-5;
const STEP_SECONDS: f64 = 8e-8;
const EVALUATED_SECONDS: f64 = 1.5e-6;
const PLY_FACTOR: f64 = 0.5;
/// The games of each pairing in the first round.
const FIRST_ROUND: u64 = 4;
/// The fraction of the time for the doubling of the strongest players.
const DOUBLING: f64 = 0.3;
/// Fewer games of it would decide nothing.
const MIN_DOUBLING: u64 = 8;

/// Returns for each pairing how many of its games are to be played, as far as known.
pub fn limits(results: &Results) -> Vec<u64> {
    let pairings = &results.plan.pairings;
    let Some(allowance) = results.plan.allowance else { return whole_plan(results) };
    let is_steady = |pairing: &Pairing| pairing.rung.is_none() && !pairing.is_random();
    let steady: Vec<usize> =
        (0..pairings.len()).filter(|&index| is_steady(&pairings[index])).collect();
    let mut limits: Vec<u64> = pairings
        .iter()
        .map(|pairing| if pairing.is_random() { pairing.games } else { 0 })
        .collect();
    let all = allowance.milliseconds as f64 / 1e3;
    let has_doubling = pairings.iter().any(|pairing| pairing.rung.is_some());
    let mut left = if has_doubling { all * (1.0 - DOUBLING) } else { all };
    let most = steady.iter().map(|&index| pairings[index].games).max().unwrap_or(0);
    let mut done = 0;
    while done < most {
        let next = if done == 0 { FIRST_ROUND } else { 2 * done }.min(most);
        let cost: f64 = match done {
            0 => 0.0,
            _ => {
                steady.iter().map(|&index| mean(results, index, done, allowance)).sum::<f64>()
                    * (next - done) as f64
            }
        };
        let to = if cost <= left {
            next
        } else {
            done + ((next - done) as f64 * (left / cost).max(0.0)) as u64
        };
        for &index in &steady {
            limits[index] = whole(to, &pairings[index]);
        }
        if steady.iter().any(|&index| results.games(index) < limits[index]) {
            return limits;
        }
        left -= steady.iter().map(|&index| spent(results, index, done, to, allowance)).sum::<f64>();
        if to < next {
            break;
        }
        done = next;
    }
    if has_doubling {
        left += all * DOUBLING;
        doubling(results, &steady, done.max(FIRST_ROUND), left, allowance, &mut limits);
    }
    limits
}

/// Adds the games of the doubling, as many as fit.
fn doubling(
    results: &Results,
    steady: &[usize],
    done: u64,
    left: f64,
    allowance: Allowance,
    limits: &mut [u64],
) {
    let pairings = &results.plan.pairings;
    // Twice the iterations take twice the time: from the strongest pairing to this one.
    let weight = |pairing: &Pairing| {
        let weights = pairing.seats.iter().flatten().map(super::plan::iterations);
        weights.sum::<u64>() as f64 / pairing.seats.iter().flatten().count().max(1) as f64
    };
    let strongest = steady
        .iter()
        .copied()
        .max_by(|&one, &other| weight(&pairings[one]).total_cmp(&weight(&pairings[other])));
    let Some(strongest) = strongest else { return };
    let each = mean(results, strongest, done, allowance) / weight(&pairings[strongest]).max(1.0);
    for (pairing, limit) in pairings.iter().zip(limits) {
        if pairing.rung.is_none() {
            continue;
        }
        let fitting = (left / (each * weight(pairing)).max(1e-9)).max(0.0);
        let games = whole((fitting as u64).min(pairing.games), pairing);
        if games >= MIN_DOUBLING.min(pairing.games) {
            *limit = games;
        }
    }
}

/// Returns the limits of a plan without an allowance: every game.
fn whole_plan(results: &Results) -> Vec<u64> {
    results.plan.pairings.iter().map(|pairing| pairing.games).collect()
}

/// Rounds a number of games up to whole groups and seatings, as far as the pairing has them.
fn whole(games: u64, pairing: &Pairing) -> u64 {
    games.next_multiple_of(pairing.group.max(1)).min(pairing.games)
}

/// Returns the estimated seconds for a game.
fn seconds(row: &GameRow, allowance: Allowance) -> f64 {
    let Effort { iterations, plies, steps, evaluated, solved } = row.effort;
    let ply = PLY_FACTOR * allowance.ply as f64 / 1e12;
    iterations as f64 * ITERATION_SECONDS
        + plies as f64 * ply
        + steps as f64 * STEP_SECONDS
        + evaluated as f64 * EVALUATED_SECONDS
        + solved as f64 * (ply + SOLVED_PLY_SECONDS)
        + row.plies.len() as f64 * RECORDED_PLY_SECONDS
}

/// Returns the estimated seconds for the games of a pairing from one number to another.
fn spent(results: &Results, index: usize, from: u64, to: u64, allowance: Allowance) -> f64 {
    let own = results.rows(index).filter(|row| (from..to).contains(&row.game));
    own.map(|row| seconds(row, allowance)).sum()
}

/// Returns the mean over the first games of a pairing.
fn mean(results: &Results, index: usize, games: u64, allowance: Allowance) -> f64 {
    let count = results.rows(index).filter(|row| row.game < games).count();
    spent(results, index, 0, games, allowance) / count.max(1) as f64
}
