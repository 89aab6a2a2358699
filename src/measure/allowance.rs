//! Decides as games are played how many of each pairing fit into the processor time of a plan.
//!
//! Games between searchers have the time that everything else leaves. Pairings are played in
//! rounds: a few games of each, then twice as many in all, and so on. The first round goes from the
//! weakest players to the strongest, whose games are left out where they would take too long.
//! Before each round, its cost is estimated from the games before it. Only complete rounds
//! decide, and costs are counted in units that do not depend on the computer ([`Effort`]).
//! So the same seed gives the same games on any number of threads.

use super::cost_model::{RECORDED_LISTS, SOLVED_PLY_SECONDS};
use super::game_rows::{Effort, GameRow, Played};
use super::plan::{Allowance, Batch, Pairing, Plan, iterations};
use super::results::Results;
use crate::search::PlayerKind;

/// Seconds per iteration of a search besides its plies, per recorded ply, per expression or
/// statement of the reference interpreter, and per evaluated position; and the time of a ply of a
/// search relative to the plan's estimate. Measured: whole playtests take the estimated time within
/// a fifth.
const ITERATION_SECONDS: f64 = 9e-7;
const RECORDED_PLY_SECONDS: f64 = 3e-5;
const STEP_SECONDS: f64 = 8e-8;
const EVALUATED_SECONDS: f64 = 1.5e-6;
const PLY_FACTOR: f64 = 0.5;
/// The games of each pairing in the first round.
const FIRST_ROUND: u64 = 4;
/// The fraction of the time for the doubling of the strongest players.
const DOUBLING: f64 = 0.3;
/// Fewer games of the doubling would decide nothing.
const MIN_DOUBLING: u64 = 8;

/// Returns for each pairing how many of its games to play, as far as the results so far tell.
pub fn limits(results: &Results) -> Vec<u64> {
    let pairings = &results.plan.pairings;
    let Some(allowance) = results.plan.allowance else { return whole_plan(results) };
    let is_steady = |pairing: &Pairing| pairing.rung.is_none() && !pairing.is_random();
    let weights = weights(pairings);
    let mut steady: Vec<usize> =
        (0..pairings.len()).filter(|&index| is_steady(&pairings[index])).collect();
    steady.sort_by(|&one, &other| weights[one].total_cmp(&weights[other]));
    let mut limits: Vec<u64> = pairings
        .iter()
        .map(|pairing| if pairing.is_random() { pairing.games } else { 0 })
        .collect();
    let all = allowance.milliseconds as f64 / 1e3;
    let (others, others_are_done) = other_batches(results, allowance);
    let mut left = all - others;
    // The first round goes from the weakest players to the strongest, as far as their games fit by
    // the cost of the pairing before.
    let mut each = 0.0;
    for at in 0..steady.len() {
        let index = steady[at];
        let fits = |games: u64| at == 0 || games as f64 * each * weights[index] <= left;
        let first_round = whole(FIRST_ROUND, &pairings[index]);
        let games = if fits(first_round) { first_round } else { whole(1, &pairings[index]) };
        if !fits(games) {
            steady.truncate(at);
            break;
        }
        limits[index] = games;
        if !others_are_done || results.games(index) < games {
            return limits;
        }
        left -= spent(results, index, 0, games, allowance);
        if games < first_round {
            return limits;
        }
        each = mean(results, index, games, allowance) / weights[index];
    }
    let doubling = pairings.iter().position(|pairing| pairing.rung.is_some());
    let least = doubling.map_or(0, |index| MIN_DOUBLING.min(pairings[index].games));
    let reserved = match doubling {
        Some(index) if least as f64 * each * weights[index] <= DOUBLING * all => DOUBLING * all,
        _ => 0.0,
    };
    left -= reserved;
    let most = steady.iter().map(|&index| pairings[index].games).max().unwrap_or(0);
    let mut done = FIRST_ROUND.min(most);
    while done < most {
        let next = (2 * done).min(most);
        let cost = steady.iter().map(|&index| mean(results, index, done, allowance)).sum::<f64>()
            * (next - done) as f64;
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
    // Of pairings with the same weight, tree searches come before trained players.
    let strongest = steady
        .iter()
        .copied()
        .find(|&index| steady.last().is_some_and(|&last| weights[index] == weights[last]));
    if let (Some(index), Some(strongest)) = (doubling, strongest) {
        let each = mean(results, strongest, done, allowance) * weights[index] / weights[strongest];
        let fitting = ((left + reserved) / each.max(1e-9)).max(0.0) as u64;
        let games = whole(fitting.min(pairings[index].games), &pairings[index]);
        if games >= least {
            limits[index] = games;
        }
    }
    limits
}

/// Returns the cost of a batch that was played: the estimated seconds, or its weight in a plan
/// without an allowance.
pub fn cost(plan: &Plan, batch: Batch, played: &Played) -> f64 {
    match plan.allowance {
        Some(allowance) => seconds_of(played, allowance),
        None => plan.weight(batch) as f64,
    }
}

/// Estimates the cost of what is still to be played, as [`cost`] counts it: of the next batches,
/// and with an allowance of all later rounds.
pub fn rest(results: &Results, next: &[(usize, Batch)]) -> f64 {
    let plan = &results.plan;
    let Some(allowance) = plan.allowance else {
        return next.iter().map(|(_, batch)| plan.weight(*batch)).sum::<u64>() as f64;
    };
    let pairings = &plan.pairings;
    let whole = allowance.milliseconds as f64 / 1e3;
    let done: f64 = results.lots.iter().map(|played| seconds_of(played, allowance)).sum();
    let left = (whole - done).max(0.0);
    let weights = weights(pairings);
    let played: Vec<u64> = (0..pairings.len()).map(|index| results.games(index)).collect();
    let known = (0..pairings.len()).filter(|&index| !pairings[index].is_random());
    let known = known.filter(|&index| played[index] > 0);
    let strongest = known.max_by(|&one, &other| weights[one].total_cmp(&weights[other]));
    let (Some(strongest), true) = (strongest, other_batches(results, allowance).1) else {
        return left;
    };
    // Where games are short, the plan runs out of games before it runs out of time.
    let each = mean(results, strongest, u64::MAX, allowance) / weights[strongest];
    let missing = |index: usize, games: u64| {
        let own = match played[index] {
            0 => each * weights[index],
            _ => mean(results, index, u64::MAX, allowance),
        };
        games.saturating_sub(played[index]) as f64 * own
    };
    let doubling = pairings.iter().position(|pairing| pairing.rung.is_some());
    if let Some(index) = doubling {
        let games = limits(results)[index];
        if games > 0 {
            return missing(index, games);
        }
    }
    let is_steady =
        |index: &usize| pairings[*index].rung.is_none() && !pairings[*index].is_random();
    let steady = (0..pairings.len()).filter(is_steady);
    let steady: f64 = steady.map(|index| missing(index, pairings[index].games)).sum();
    let reserved = doubling.map_or(0.0, |_| DOUBLING * whole);
    let steady = steady.min((left - reserved).max(0.0));
    steady + doubling.map_or(0.0, |index| missing(index, pairings[index].games).min(left - steady))
}

/// Returns the relative cost of a game of each pairing: the mean iterations of its players. Players
/// who use a training count as the strongest others.
fn weights(pairings: &[Pairing]) -> Vec<f64> {
    let all = pairings.iter().flat_map(|pairing| pairing.seats.iter().flatten());
    let most = all.map(iterations).max().unwrap_or(1);
    let own = |kind: &PlayerKind| match kind {
        PlayerKind::StrongIterations(_) => most,
        kind => iterations(kind),
    };
    let mean = |pairing: &Pairing| {
        let kinds = || pairing.seats.iter().flatten();
        kinds().map(own).sum::<u64>() as f64 / kinds().count().max(1) as f64
    };
    pairings.iter().map(mean).collect()
}

/// Returns the estimated seconds for the batches played that are not games between searchers, and
/// whether all such batches are done.
fn other_batches(results: &Results, allowance: Allowance) -> (f64, bool) {
    let plan = &results.plan;
    let batches = plan.batches();
    let is_other =
        |batch: &Batch| batch.pairing().is_none_or(|index| plan.pairings[index].is_random());
    let done: Vec<&Played> =
        results.lots.iter().filter(|played| is_other(&batches[played.lot])).collect();
    let all = batches.iter().filter(|batch| is_other(batch)).count();
    (done.iter().map(|played| seconds_of(played, allowance)).sum(), done.len() == all)
}

/// Returns the estimated seconds for a batch.
fn seconds_of(played: &Played, allowance: Allowance) -> f64 {
    let games = played.rows.iter().map(|row| seconds(row, allowance));
    work(played.effort, allowance) + games.sum::<f64>()
}

/// Returns the limits of a plan without an allowance: every game.
fn whole_plan(results: &Results) -> Vec<u64> {
    results.plan.pairings.iter().map(|pairing| pairing.games).collect()
}

/// Rounds a number of games up to whole groups, as far as the pairing has them.
fn whole(games: u64, pairing: &Pairing) -> u64 {
    games.next_multiple_of(pairing.group.max(1)).min(pairing.games)
}

/// Returns the estimated seconds for a game.
fn seconds(row: &GameRow, allowance: Allowance) -> f64 {
    let each = RECORDED_PLY_SECONDS + RECORDED_LISTS * listing(allowance);
    work(row.effort, allowance) + row.plies.len() as f64 * each
}

/// Returns the estimated seconds that listing very many plies adds to an iteration.
fn listing(allowance: Allowance) -> f64 {
    allowance.listing as f64 / 1e12
}

/// Returns the estimated seconds for some work.
pub fn work(effort: Effort, allowance: Allowance) -> f64 {
    let Effort { iterations, plies, steps, evaluated, solved } = effort;
    let ply = PLY_FACTOR * allowance.ply as f64 / 1e12;
    iterations as f64 * (ITERATION_SECONDS + listing(allowance))
        + plies as f64 * ply
        + steps as f64 * STEP_SECONDS
        + evaluated as f64 * EVALUATED_SECONDS
        + solved as f64 * (ply + SOLVED_PLY_SECONDS)
}

/// Returns the estimated seconds for the recorded games `from..to` of a pairing.
fn spent(results: &Results, index: usize, from: u64, to: u64, allowance: Allowance) -> f64 {
    let own = results.rows(index).filter(|row| (from..to).contains(&row.game));
    own.map(|row| seconds(row, allowance)).sum()
}

/// Returns the mean estimated seconds of a pairing's games with numbers below `games`.
fn mean(results: &Results, index: usize, games: u64, allowance: Allowance) -> f64 {
    let count = results.rows(index).filter(|row| row.game < games).count();
    spent(results, index, 0, games, allowance) / count.max(1) as f64
}
