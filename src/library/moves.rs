//! Moves in the engine's packed form.

use super::game::Game;
use crate::engine::PackedMove;
use crate::engine::game::{self as engine, GameId};
use crate::notation::spell;
use std::fmt;

/// A move of a state: a few bytes, cheap to copy.
///
/// A move belongs to the game that listed it. A game that is loaded twice with the same options is
/// the same game; with other options, or after an edit of its text, it is another game. A move of
/// another game is never [legal](crate::State::is_legal), and [`State::play`](crate::State::play)
/// refuses it.
///
/// Moves of one game are equal if they are the same. [`State::spell`](crate::State::spell) writes a
/// move as text, and [`State::parse_move`](crate::State::parse_move) reads it anywhere. `Display`
/// writes the same text as long as the game is in use somewhere. Rolls of dice are moves, too.
///
/// ```
/// use ludwright::Game;
///
/// let state = Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
/// let center = state.parse_move("b2")?;
/// assert!(state.moves().any(|legal| legal == center));
/// assert_eq!(center.to_string(), "place b2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    pub(super) packed: PackedMove,
    game: GameId,
}

impl Move {
    pub(super) fn new(game: &engine::Game, packed: PackedMove) -> Move {
        Move { packed, game: game.id() }
    }

    /// Tests if the move belongs to a game.
    ///
    /// ```
    /// use ludwright::Game;
    ///
    /// let small = Game::from_file("games/kitaran.game", &[("Size", "3")])?;
    /// let large = Game::from_file("games/kitaran.game", &[("Size", "4")])?;
    /// let corner = small.start().parse_move("a1")?;
    /// assert!(corner.is_of(&small));
    /// assert!(!corner.is_of(&large));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_of(self, game: &Game) -> bool {
        self.game == game.0.id()
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match engine::Game::alive(self.game) {
            Some(game) => f.write_str(&spell(game.rules(), &game.spell_out(self.packed))),
            None => f.write_str("(a move of a game that is no longer in use)"),
        }
    }
}
