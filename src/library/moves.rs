//! Moves, as small as the engine has them.

use crate::engine::PackedMove;

/// A move of a state: a few bytes, to be copied freely.
///
/// A move means something to the game that listed it. Two moves of one state are equal if they are
/// the same; [`State::spell`](crate::State::spell) writes one down, and
/// [`State::parse_move`](crate::State::parse_move) reads it again anywhere. Rolls of dice are
/// moves, too.
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
