//! The errors of playing and of reading moves.

use crate::engine::game as engine;
use crate::language::rules::Rules;
use crate::notation::{Refusal, clause};
use std::fmt;

/// The rules never reach the next move, or take too long. Well-made rules never cause this error.
///
/// ```
/// let text = r#"
/// (game "Endless" (players A B) (board (rectangle 2 1)) (piece Stone unowned) (remember Once number)
///   (move put (to t (empty)) (put Stone t) (set Once 1))
///   (play (turns (choose put) (while (= Once 1) (set Once 1)))))
/// "#;
/// let mut state = ludwright::Game::from_source(text, &[])?.start();
/// let first = state.legal_moves()[0];
/// let Err(ludwright::PlayError::Endless(error)) = state.play(first) else { panic!("it never ends") };
/// assert_eq!(error.line(), 4);
/// assert!(error.to_string().ends_with("line 4 of the rules, `(while (= Once 1) (set Once 1))`"));
/// # Ok::<(), ludwright::LoadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndlessError {
    line: usize,
    message: String,
}

impl EndlessError {
    pub(super) fn new(rules: &Rules, fault: engine::Fault) -> EndlessError {
        EndlessError {
            line: clause::line_number(rules, fault.span),
            message: clause::endless(rules, &fault),
        }
    }

    /// Returns the line of the clause at fault in its file, from 1.
    ///
    /// See [`EndlessError`] for an example.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }
}

impl fmt::Display for EndlessError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EndlessError {}

/// The reason why a move was not played. The state is unchanged.
///
/// ```
/// use ludwright::{Game, PlayError};
///
/// let mut state = Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
/// let corner = state.parse_move("a1")?;
/// state.play(corner)?;
/// assert_eq!(state.play(corner), Err(PlayError::Illegal));
/// let elsewhere = Game::from_file("games/kitaran.game", &[])?.start().parse_move("b2")?;
/// assert_eq!(state.play(elsewhere), Err(PlayError::OtherGame));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayError {
    /// The move is not legal here.
    Illegal,
    /// The move [belongs](crate::Move::is_of) to another game, or to this game with other options.
    OtherGame,
    /// The move is legal, but the rules never reach the next choice.
    Endless(EndlessError),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PlayError::Illegal => f.write_str("the move is not legal"),
            PlayError::OtherGame => {
                f.write_str("the move is of another game, or of this one with other options")
            }
            PlayError::Endless(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PlayError {}

/// The reason why a text is not a legal move.
///
/// ```
/// let state = ludwright::Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
/// let error = state.parse_move("d1").unwrap_err();
/// assert_eq!(error.to_string(), "the board has no site `d1`");
/// # Ok::<(), ludwright::LoadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseMoveError {
    message: String,
    help: Option<String>,
}

impl ParseMoveError {
    pub(super) fn new(message: String, help: Option<String>) -> ParseMoveError {
        ParseMoveError { message, help }
    }

    /// Returns advice, or the clause of the rules that forbids the move, if there is anything to
    /// add.
    ///
    /// ```
    /// let state = ludwright::Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
    /// let error = state.parse_move("d1").unwrap_err();
    /// assert!(error.help().is_some());
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl From<Refusal> for ParseMoveError {
    fn from(refusal: Refusal) -> ParseMoveError {
        ParseMoveError { message: refusal.message, help: refusal.help }
    }
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseMoveError {}
