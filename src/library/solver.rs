//! Exact values: the result of a position with best play.
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
use crate::language::rules::Teams;
use crate::solve as floor;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A solver, with limits of time and memory. Symmetric positions count once, if the rules are
/// symmetric.
///
/// ```
/// use ludwright::{Game, solver::{Solver, Value}};
/// use std::time::Duration;
///
/// let start = Game::from_file("tests/games/chess.game", &[])?.start();
/// let solution = Solver::new().memory(64 << 20).time(Duration::from_millis(50)).threads(2).solve(&start)?;
/// assert_eq!(solution.value, Value::Unknown, "there was not time enough for chess");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[must_use]
pub struct Solver(floor::SolveLimits);

/// The value of a position with best play.
///
/// See the [module](self) for an example.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Value {
    /// The player can force a win. With the pie rule, `Player` names the person who began as this
    /// player; with teams, the team of which this is the first player.
    Win(Player),
    /// No player can force a win, and each can force at least a draw. Endless play is a draw.
    Draw,
    /// With three or more players: nobody can force a win, and not everybody can force a draw.
    Open,
    /// With dice: the expected score of the first player, 1 for a win and ½ for a draw. The second
    /// player's is 1 minus this score.
    Score(f64),
    /// The value was not found within the limits, or the solver cannot handle the dice or the rule
    /// of repetition.
    Unknown,
}

/// The result of solving a position.
///
/// See the [module](self) for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Solution {
    /// The value of the position.
    pub value: Value,
    /// The number of moves to a forced win: the winner plays for the shortest win, the others for
    /// the longest. `None` also if the win was proven without examining all positions.
    pub distance: Option<u32>,
    /// The legal moves with their values, as far as the values were determined.
    pub moves: Vec<SolvedMove>,
    /// A line of best play.
    pub line: Vec<Move>,
    /// The number of positions examined.
    pub positions: u64,
}

/// A legal move with the value of the position after it.
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
    /// The value of the position after the move.
    pub value: Value,
    /// The number of moves to a forced win, including this one.
    pub distance: Option<u32>,
    /// Whether the move preserves the value of the position.
    pub is_best: bool,
}

impl Solver {
    /// Makes a solver with limits of ten minutes and two gigabytes.
    ///
    /// See [`Solver`] for an example of all settings.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// Sets the limit of time.
    pub fn time(self, time: Duration) -> Solver {
        Solver(floor::SolveLimits { time: Some(time), ..self.0 })
    }

    /// Sets the limit of memory, in bytes.
    pub fn memory(self, bytes: u64) -> Solver {
        Solver(floor::SolveLimits { memory: bytes, ..self.0 })
    }

    /// Limits the number of positions, approximately, instead of the time: the result is then the
    /// same on every computer.
    pub fn positions(self, positions: u64) -> Solver {
        Solver(floor::SolveLimits { positions: Some(positions), time: None, ..self.0 })
    }

    /// Sets the number of threads that search for a proof if there are too many positions to
    /// examine all: one by default, and always one with a limit of positions. Values do not depend
    /// on this number, but it can change which first moves have known values.
    pub fn threads(self, threads: usize) -> Solver {
        Solver(floor::SolveLimits { threads, ..self.0 })
    }

    /// Searches for proofs by proof numbers alone, as long as no position repeats: faster for some
    /// races, slower for most games.
    pub fn by_numbers(self) -> Solver {
        Solver(floor::SolveLimits { by_numbers: true, ..self.0 })
    }

    /// Solves a position. The value is [`Value::Unknown`] if the limits do not suffice.
    ///
    /// # Errors
    /// If the rules never reach the next move in some position.
    ///
    /// See the [module](self) for an example.
    pub fn solve(&self, state: &State) -> Result<Solution, EndlessError> {
        self.solve_while(state, |_| true)
    }

    /// As [`solve`](Solver::solve), and passes the number of positions found so far to `go_on`, a
    /// few times per second. Once `go_on` returns false, the value is [`Value::Unknown`].
    ///
    /// # Errors
    /// As [`solve`](Solver::solve).
    ///
    /// ```
    /// use ludwright::{Game, solver::{Solver, Value}};
    ///
    /// let start = Game::from_file("tests/games/chess.game", &[])?.start();
    /// let solution = Solver::new().solve_while(&start, |positions| positions < 1_000)?;
    /// assert_eq!(solution.value, Value::Unknown);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_while(
        &self,
        state: &State,
        mut go_on: impl FnMut(u64) -> bool,
    ) -> Result<Solution, EndlessError> {
        let mut tell = |progress: &floor::Progress| go_on(progress.nodes);
        let solution =
            floor::solve(&state.inner, &self.0, &mut tell).map_err(|fault| state.endless(fault))?;
        let teams = state.inner.game().rules().teams;
        let first = |first: &floor::FirstMove| {
            let value = Value::of(first.value, teams);
            Some(SolvedMove {
                ply: state.find(&first.ply)?,
                value,
                distance: first.distance,
                is_best: first.optimal,
            })
        };
        Ok(Solution {
            value: Value::of(solution.value, teams),
            distance: solution.distance,
            moves: solution.first.iter().filter_map(first).collect(),
            line: line(state, &solution.line),
            positions: solution.nodes,
        })
    }
}

/// Translates moves of the engine by playing them, up to the first illegal one.
pub(super) fn line(state: &State, plies: &[engine::Move]) -> Vec<Move> {
    let mut state = state.clone();
    let step = |ply| {
        let found = state.find(ply)?;
        state.play(found).ok().map(|()| found)
    };
    plies.iter().map_while(step).collect()
}

impl Value {
    /// Converts a value in which teams are named by their first players.
    fn of(value: floor::Value, teams: Teams) -> Value {
        match value {
            floor::Value::Win(team) => Value::Win(Player(teams.first(team))),
            floor::Value::Draw => Value::Draw,
            floor::Value::Open => Value::Open,
            floor::Value::Score(score) => Value::Score(score),
            floor::Value::Unknown(_) => Value::Unknown,
        }
    }
}
