//! Perft: counts move sequences, to compare move generators.
//!
//! ```
//! use ludwright::{Game, perft};
//!
//! let start = Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
//! assert_eq!(perft::perft(&start, 4), Ok(9 * 8 * 7 * 6));
//! # Ok::<(), ludwright::LoadError>(())
//! ```

use super::error::{EndlessError, PlayError};
use super::moves::Move;
use super::state::State;
use super::threads::Pool;
use rayon::prelude::*;

/// Counts the sequences of exactly `depth` moves. Games that end earlier do not count. Rolls are
/// moves.
///
/// # Errors
/// If the rules never reach the next move in some position.
///
/// ```
/// use ludwright::{Game, perft::perft};
///
/// let start = Game::from_file("tests/games/chess.game", &[])?.start();
/// assert_eq!([1, 2, 3].map(|depth| perft(&start, depth)), [Ok(20), Ok(400), Ok(8_902)]);
/// # Ok::<(), ludwright::LoadError>(())
/// ```
pub fn perft(state: &State, depth: u32) -> Result<u64, EndlessError> {
    state.inner.game().perft(&state.inner, depth).map_err(|fault| state.endless(fault))
}

/// Counts the sequences of exactly `turns` turns. A turn is all moves of a player until another
/// player is to act; each roll is a turn.
///
/// # Errors
/// If the rules never reach the next move in some position, or a turn does not end.
///
/// ```
/// use ludwright::{Game, perft::{perft, perft_turns}};
///
/// // A turn is a move of an amazon and an arrow.
/// let start = Game::from_file("tests/games/amazons.game", &[])?.start();
/// assert_eq!(perft_turns(&start, 1), perft(&start, 2));
/// # Ok::<(), ludwright::LoadError>(())
/// ```
pub fn perft_turns(state: &State, turns: u32) -> Result<u64, EndlessError> {
    state.inner.game().perft_turns(&state.inner, turns).map_err(|fault| state.endless(fault))
}

/// Counts the sequences of exactly `depth` moves by their first move, in the order of
/// [`State::moves`]; empty for a depth of 0. Runs on up to `threads` threads, no more than run at
/// the same time.
///
/// # Errors
/// As [`perft`].
///
/// ```
/// use ludwright::{Game, perft::{divide, perft}};
///
/// let start = Game::from_file("tests/games/breakthrough.game", &[("Size", "5")])?.start();
/// let counts = divide(&start, 4, 2)?;
/// assert_eq!(counts.len(), start.moves().len());
/// assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), perft(&start, 4)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn divide(state: &State, depth: u32, threads: usize) -> Result<Vec<(Move, u64)>, EndlessError> {
    let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
    let count = |ply: Move| {
        let mut after = state.clone();
        match after.play(ply) {
            Ok(()) => perft(&after, below).map(|count| (ply, count)),
            Err(PlayError::Endless(error)) => Err(error),
            Err(PlayError::Illegal | PlayError::OtherGame) => Ok((ply, 0)),
        }
    };
    let plies = state.legal_moves();
    match Pool::of(threads) {
        None => plies.into_iter().map(count).collect(),
        Some(pool) => pool.run(|| plies.into_par_iter().with_max_len(1).map(count).collect()),
    }
}
