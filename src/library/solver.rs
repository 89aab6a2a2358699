//! Exact values: what a position is worth with best play.
//!
//! ```
//! use ludwright::{Game, solver::{Solver, Value}};
//!
//! let start = Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
//! let solution = Solver::new().solve(&start)?;
//! assert_eq!(solution.value, Value::Draw);
//! assert!(solution.moves.iter().all(|first| first.is_best), "no first move loses");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::error::EndlessError;
use super::moves::Move;
use super::outcome::Player;
use super::state::State;
use crate::engine::game as engine;
use crate::solve as floor;
use std::time::Duration;

/// Solves positions, within limits of time and memory. Positions that are symmetric to each other
/// count as one, where the rules allow it.
///
/// ```
/// use ludwright::{Game, solver::{Solver, Value}};
/// use std::time::Duration;
///
/// let start = Game::from_file("tests/games/chess.game", &[])?.start();
/// let solution = Solver::new().memory(64 << 20).time(Duration::from_millis(50)).solve(&start)?;
/// assert_eq!(solution.value, Value::Unknown, "there was not time enough for chess");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[must_use]
pub struct Solver(floor::Budget);

/// What a position is worth with best play.
///
/// See the [module](self) for an example.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// The player can force a win.
    Win(Player),
    /// Nobody can force a win, and everybody can force a draw at least. Play that never ends is a
    /// draw.
    Draw,
    /// Of three players or more none can force a win, and not all can force a draw.
    Open,
    /// Where dice are rolled: what the first player can expect, 1 for a win and ½ for a draw. The
    /// second can expect what is missing to 1.
    Score(f64),
    /// It could not be found out within the limits, or dice or repetition stand in the way.
    Unknown,
}

/// What was found out about a position.
///
/// See the [module](self) for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Solution {
    /// What the position is worth.
    pub value: Value,
    /// In how many moves a win comes about: the winner hurries, the others hold out. None also
    /// where the win was proven without looking at all positions.
    pub distance: Option<u32>,
    /// The legal moves with what they are worth, as far as that was found out.
    pub moves: Vec<SolvedMove>,
    /// A line of best play.
    pub line: Vec<Move>,
    /// How many positions were looked at.
    pub positions: u64,
}

/// A legal move, and what the position after it is worth.
///
/// ```
/// use ludwright::{Game, solver::Solver};
///
/// let mut state = Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
/// for text in ["a1", "b1"] {
///     state.play(state.parse_move(text)?)?;
/// }
/// let solution = Solver::new().solve(&state)?;
/// let best: Vec<String> = solution.moves.iter().filter(|first| first.is_best).map(|first| state.spell(first.ply)).collect();
/// assert_eq!(best, ["place a2", "place a3", "place b2"]);
/// assert_eq!(solution.distance, Some(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SolvedMove {
    /// The move.
    pub ply: Move,
    /// What is to be had after it.
    pub value: Value,
    /// In how many moves a win comes about, this one included.
    pub distance: Option<u32>,
    /// Whether it keeps what the position is worth.
    pub is_best: bool,
}

impl Solver {
    /// A solver that may take ten minutes and two gigabytes.
    ///
    /// See [`Solver`] for an example, of this and of all that can be changed.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// The same, but it may take so long.
    pub fn time(self, time: Duration) -> Solver {
        Solver(floor::Budget { time: Some(time), ..self.0 })
    }

    /// The same, but it may take so many bytes for what it finds.
    pub fn memory(self, bytes: u64) -> Solver {
        Solver(floor::Budget { memory: bytes, ..self.0 })
    }

    /// The same, but it may look at about so many positions, and takes whatever time that needs: so
    /// it finds the same on every computer.
    pub fn positions(self, positions: u64) -> Solver {
        Solver(floor::Budget { positions: Some(positions), time: None, ..self.0 })
    }

    /// Solves a position. Where the limits do not allow it, the value is [`Value::Unknown`].
    ///
    /// # Errors
    /// Fails where the rules go round without end in some position.
    ///
    /// See the [module](self) for an example.
    pub fn solve(&self, state: &State) -> Result<Solution, EndlessError> {
        let solution = floor::solve(&state.inner, &self.0, &mut |_| true)
            .map_err(|fault| state.endless(fault))?;
        let first = |first: &floor::FirstMove| {
            let value = Value::from(first.value);
            Some(SolvedMove {
                ply: state.find(&first.ply)?,
                value,
                distance: first.distance,
                is_best: first.optimal,
            })
        };
        Ok(Solution {
            value: solution.value.into(),
            distance: solution.distance,
            moves: solution.first.iter().filter_map(first).collect(),
            line: line(state, &solution.line),
            positions: solution.nodes,
        })
    }
}

/// Goes along moves of the engine for as long as they are legal.
pub(super) fn line(state: &State, plies: &[engine::Move]) -> Vec<Move> {
    let mut state = state.clone();
    let step = |ply| {
        let found = state.find(ply)?;
        state.play(found).ok().map(|()| found)
    };
    plies.iter().map_while(step).collect()
}

impl From<floor::Value> for Value {
    fn from(value: floor::Value) -> Value {
        match value {
            floor::Value::Win(player) => Value::Win(Player(player)),
            floor::Value::Draw => Value::Draw,
            floor::Value::Open => Value::Open,
            floor::Value::Score(score) => Value::Score(score),
            floor::Value::Unknown(_) => Value::Unknown,
        }
    }
}
