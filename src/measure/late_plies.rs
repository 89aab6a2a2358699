//! Proven facts on the plies of a game: blunders, which give a result away, and puzzles, positions
//! in which exactly one of several plies wins, and not at once.
//!
//! Where the values of all positions of the game are known, all plies are examined. Elsewhere each
//! position is solved with a small number of positions, from the end of the game back to the first
//! one for which that is not enough. A ply counts if the player to act could force a win or a draw,
//! and some legal ply would have given that away.

use super::game_rows::{Effort, LatePlies, PuzzlePly};
use crate::engine::game::{Move, State, Turn};
use crate::language::rules::PlayerId;
use crate::solve::{FirstMove, Progress, SolveLimits, Table, Value, tabulate};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most positions that are explored for one position of a game, and for a whole game.
const POSITIONS: u64 = 2_000;
const POSITIONS_OF_GAME: u64 = 8_000;
/// The most plies that are tried for a whole game: few games have as many in so few positions.
const PLIES_OF_GAME: u64 = 50 * POSITIONS_OF_GAME;
/// The plies from the end that are examined.
const MAX_PLIES: usize = 24;
/// The memory of the solver, in bytes.
const MEMORY: u64 = 32 << 20;
/// With dice, a ply that costs less of the expected score gives nothing away.
const COST: f64 = 0.1;

/// The blunders and puzzles of a game.
#[derive(Debug, Default)]
pub struct ProvenPlies {
    pub late: LatePlies,
    /// The puzzles, in the order of the game.
    pub puzzles: Vec<PuzzlePly>,
    /// The plies that were tried, as [`Effort::solved`] counts them.
    pub tried: u64,
}

/// A legal ply with the value of the position after it, and the plies from there to a win.
type ValuedPly = (Move, Value, Option<u32>);

/// Examines the plies of a game that began at `start`: all plies if the values of all positions are
/// given, or else the plies near its end.
pub fn examine(
    start: &State,
    plies: &[Move],
    table: Option<&Mutex<Table>>,
    stop: &AtomicBool,
) -> ProvenPlies {
    match table.map(Mutex::lock) {
        Some(Ok(mut table)) => examine_all(start, plies, &mut table, stop),
        _ => examine_late(start, plies, stop),
    }
}

/// Examines all plies of a game with the values of all positions.
fn examine_all(start: &State, plies: &[Move], table: &mut Table, stop: &AtomicBool) -> ProvenPlies {
    let mut found = ProvenPlies::default();
    let mut position = start.clone();
    for (made, ply) in (0..).zip(plies) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        if let (Turn::Player(person), Some(value)) = (position.team_turn(), table.value(&position))
        {
            found.tried += position.legal().len() as u64;
            let after = |ply: &Move| {
                let mut after = position.clone();
                after.play(ply).ok()?;
                let (value, distance) = table.value_and_distance(&after)?;
                Some((ply.clone(), value, distance))
            };
            let after: Vec<ValuedPly> = position.legal().iter().filter_map(after).collect();
            found.add(&position, (made, ply), (person, value), &after);
        }
        if position.play(ply).is_err() {
            break;
        }
    }
    found
}

impl ProvenPlies {
    /// Adds the ply that a person made in a position of this value, with the values after it.
    fn add(
        &mut self,
        position: &State,
        (number, made): (u32, &Move),
        (person, value): (PlayerId, Value),
        after: &[ValuedPly],
    ) {
        let players = position.game().rules().teams.count();
        let gives_away = |(_, after, _): &&ValuedPly| gives_away(value, *after, person, players);
        if after.iter().any(|own| gives_away(&own)) {
            let made = after.iter().find(|(ply, ..)| ply == made);
            self.late.plies += 1;
            self.late.blunders += u32::from(made.as_ref().is_some_and(gives_away));
        }
        if after.len() == position.legal().len()
            && let Some((_, plies)) = only_win(person, after)
        {
            self.puzzles.push(PuzzlePly { made: number, plies });
        }
    }
}

/// Returns the only ply of several that wins for a person, with the plies to the win, if all values
/// are known and the ply does not win at once.
pub fn only_win(person: PlayerId, after: &[ValuedPly]) -> Option<(&Move, u32)> {
    let is_known = |(_, value, _): &ValuedPly| !matches!(value, Value::Unknown(_));
    let mut winning = after.iter().filter(|(_, value, _)| *value == Value::Win(person));
    let (ply, _, distance) = winning.next()?;
    let is_puzzle = after.len() > 1 && winning.next().is_none() && after.iter().all(is_known);
    let rest = (*distance).filter(|&plies| is_puzzle && plies > 0)?;
    Some((ply, rest + 1))
}

/// Examines the plies near the end of a game.
fn examine_late(start: &State, plies: &[Move], stop: &AtomicBool) -> ProvenPlies {
    let mut found = ProvenPlies::default();
    let (mut spent, mut effort) = (0, Effort::default());
    let Some(mut positions) = last_positions(start, plies) else { return found };
    for (made, ply) in plies.iter().enumerate().rev() {
        let Some(position) = positions.pop() else { break };
        let Turn::Player(person) = position.team_turn() else { continue };
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
            by_numbers: false,
        };
        let tell = &mut |_: &Progress| !stop.load(Ordering::Relaxed);
        let Ok((solution, _)) = tabulate(&position, &limits, tell) else { break };
        spent += solution.nodes;
        effort.add_solution(&solution, legal);
        if matches!(solution.value, Value::Unknown(_)) || spent >= POSITIONS_OF_GAME {
            break;
        }
        let made = (made as u32, ply);
        found.add(&position, made, (person, solution.value), &valued(solution.first));
    }
    found.puzzles.reverse();
    found.tried = effort.solved;
    found
}

/// Converts first moves to plies with the distance from the position after each.
pub fn valued(first: Vec<FirstMove>) -> Vec<ValuedPly> {
    let rest = |first: &FirstMove| first.distance.map(|plies| plies - 1);
    first.into_iter().map(|first| (first.ply.clone(), first.value, rest(&first))).collect()
}

/// Returns the positions before each of the last plies; `None` if the game is not over.
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
