//! Blunders: plies that give away a result which the solver proves.
//!
//! Where the values of all positions of the game are known, all plies of a game are looked at.
//! Elsewhere, going back from the end, each position of a game is solved with a small number of positions, up
//! to the first for which they are not enough. A ply counts if the player to act could force a win
//! or a draw, and some legal ply would have given that away. All games are measured alike, however
//! strong the players are.

use super::game_rows::{Effort, LatePlies};
use crate::engine::game::{Move, State, Turn};
use crate::language::rules::PlayerId;
use crate::solve::{Progress, SolveLimits, Table, Value, tabulate};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The positions for a single position, and for all of a game.
const POSITIONS: u64 = 2_000;
const POSITIONS_OF_GAME: u64 = 8_000;
/// The plies for all of a game, in all of its positions: few games have as many in so few positions.
const PLIES_OF_GAME: u64 = 50 * POSITIONS_OF_GAME;
/// The plies from the end that are looked at.
const MAX_PLIES: usize = 24;
/// The memory of the solver, in bytes.
const MEMORY: u64 = 32 << 20;
/// With dice, a ply that costs less of the expected score gives nothing away.
const COST: f64 = 0.1;

/// Counts the blunders of a game that began at `start`: all, if the values of all positions are
/// given, or else those near its end. Also returns the plies that were tried for it, at least.
pub fn count(
    start: &State,
    plies: &[Move],
    table: Option<&Mutex<Table>>,
    stop: &AtomicBool,
) -> (LatePlies, u64) {
    match table.map(Mutex::lock) {
        Some(Ok(mut table)) => count_all(start, plies, &mut table, stop),
        _ => count_late(start, plies, stop),
    }
}

/// Counts the blunders of a game with the values of all positions.
fn count_all(
    start: &State,
    plies: &[Move],
    table: &mut Table,
    stop: &AtomicBool,
) -> (LatePlies, u64) {
    let (mut found, mut tried) = (LatePlies::default(), 0);
    let mut position = start.clone();
    for ply in plies {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        if let (Turn::Player(person), Some(value)) =
            (position.personal_turn(), table.value(&position))
        {
            tried += position.legal().len() as u64;
            let after = |ply: &Move| {
                let mut after = position.clone();
                after.play(ply).ok()?;
                Some((ply.clone(), table.value(&after)?))
            };
            let after: Vec<(Move, Value)> = position.legal().iter().filter_map(after).collect();
            add(&mut found, ply, (person, value), &after, players(&position));
        }
        if position.play(ply).is_err() {
            break;
        }
    }
    (found, tried)
}

fn players(position: &State) -> usize {
    position.game().rules().players.len()
}

/// Counts a ply of a person in a position of this value, if a legal ply would give it away.
fn add(
    found: &mut LatePlies,
    made: &Move,
    (person, value): (PlayerId, Value),
    after: &[(Move, Value)],
    players: usize,
) {
    let gives_away = |(_, after): &&(Move, Value)| gives_away(value, *after, person, players);
    if after.iter().any(|own| gives_away(&own)) {
        let made = after.iter().find(|(ply, _)| ply == made);
        found.plies += 1;
        found.blunders += u32::from(made.as_ref().is_some_and(gives_away));
    }
}

/// Counts the blunders near the end of a game.
fn count_late(start: &State, plies: &[Move], stop: &AtomicBool) -> (LatePlies, u64) {
    let mut found = LatePlies::default();
    let (mut spent, mut effort) = (0, Effort::default());
    let Some(mut positions) = last_positions(start, plies) else { return (found, 0) };
    for ply in plies.iter().rev() {
        let Some(position) = positions.pop() else { break };
        let Turn::Player(person) = position.personal_turn() else { continue };
        let legal = position.legal().len();
        if legal < 2 {
            continue;
        }
        let limits = SolveLimits {
            memory: MEMORY,
            time: None,
            positions: Some(POSITIONS.min(POSITIONS_OF_GAME - spent)),
            plies: Some(PLIES_OF_GAME.saturating_sub(effort.solved)),
            symmetric: false,
            threads: 1,
        };
        let tell = &mut |_: &Progress| !stop.load(Ordering::Relaxed);
        let Ok((solution, _)) = tabulate(&position, &limits, tell) else { break };
        spent += solution.nodes;
        effort.add_solution(&solution, legal);
        if matches!(solution.value, Value::Unknown(_)) || spent >= POSITIONS_OF_GAME {
            break;
        }
        let after: Vec<(Move, Value)> =
            solution.first.into_iter().map(|first| (first.ply, first.value)).collect();
        add(&mut found, ply, (person, solution.value), &after, players(&position));
    }
    (found, effort.solved)
}

/// Returns the positions before each of the last plies.
fn last_positions(start: &State, plies: &[Move]) -> Option<Vec<State>> {
    let mut position = start.clone();
    let mut found = Vec::new();
    for (index, ply) in plies.iter().enumerate() {
        if plies.len() - index <= MAX_PLIES {
            found.push(position.clone());
        }
        position.play(ply).ok()?;
    }
    position.outcome().map(|_| found)
}

/// Tests if a ply to a position with the value `after` gives away what the person could force.
fn gives_away(before: Value, after: Value, person: PlayerId, players: usize) -> bool {
    match (before, after) {
        (Value::Win(winner), _) if winner == person => after != before,
        (Value::Draw, Value::Win(winner)) => winner != person && players > 1,
        (Value::Score(before), Value::Score(after)) => {
            let lost = if person.index() == 0 { before - after } else { after - before };
            lost >= COST
        }
        _ => false,
    }
}
