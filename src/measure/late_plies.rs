//! Blunders: plies near the end of a game that give away a result which the solver proves.
//!
//! Going back from the end, each position of a game is solved with a small number of positions, up
//! to the first for which they are not enough. A ply counts if the player to act could force a win
//! or a draw, and some legal ply would have given that away. All games are measured alike, however
//! strong the players are.

use super::game_rows::{Effort, LatePlies};
use crate::engine::game::{Move, State, Turn};
use crate::language::rules::PlayerId;
use crate::solve::{FirstMove, Progress, SolveLimits, Value, solve};
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

/// Counts the blunders near the end of a game that began at `start`. Also returns the plies that
/// the solver has tried, at least.
pub fn count(start: &State, plies: &[Move], stop: &AtomicBool) -> (LatePlies, u64) {
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
        };
        let tell = &mut |_: &Progress| !stop.load(Ordering::Relaxed);
        let Ok(solution) = solve(&position, &limits, tell) else { break };
        spent += solution.nodes;
        effort.add_solution(&solution, legal);
        if matches!(solution.value, Value::Unknown(_)) || spent >= POSITIONS_OF_GAME {
            break;
        }
        let players = position.game().rules().players.len();
        let gives_away =
            |first: &FirstMove| gives_away(solution.value, first.value, person, players);
        if solution.first.iter().any(gives_away) {
            let made = solution.first.iter().find(|first| first.ply == *ply);
            found.plies += 1;
            found.blunders += u32::from(made.is_some_and(gives_away));
        }
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
