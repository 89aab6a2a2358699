//! Moves in the engine's packed form.

use crate::engine::PackedMove;

/// A move of a state: a few bytes, cheap to copy.
///
/// It is only meaningful to the game that listed it. Moves of one state are equal if they are the
/// same; [`State::spell`](crate::State::spell) writes a move as text, and
/// [`State::parse_move`](crate::State::parse_move) reads it anywhere. Rolls of dice are moves, too.
///
/// ```
/// use ludwright::Game;
///
/// let state = Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
/// let center = state.parse_move("b2")?;
/// assert!(state.moves().any(|legal| legal == center));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move(pub(super) PackedMove);
