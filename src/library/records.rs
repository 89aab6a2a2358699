//! Games and positions as text: written, read and played over.
//!
//! A record is a few lines about the game, an empty line, and a move a line.
//!
//! ```
//! use ludwright::{Game, records::Record};
//!
//! let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
//! let record: Record = "game: Tic-Tac-Toe\n\nplace b2  # the centre\nplace a1\n".parse()?;
//! let state = record.replay(&game)?;
//! assert_eq!(state.played().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::game::Game;
use super::state::State;
use crate::files;
use crate::load::{Cause, LoadError};
use crate::notation::Misread;
use crate::record::{self as floor, Start, Stopped};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A game written down.
///
/// `parse` reads one, `to_string` writes it so that it is read again.
///
/// ```
/// use ludwright::{Game, records::Record};
///
/// let mut state = Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
/// for text in ["a1", "b1", "a2", "b2", "a3"] {
///     state.play(state.parse_move(text)?)?;
/// }
/// let record = Record::of(&state);
/// assert_eq!(record.moves().last(), Some("place a3"));
/// assert_eq!(record.to_string().parse::<Record>()?, record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record(floor::Record);

/// Why a text is no record or no position, or cannot be played over by these rules.
///
/// ```
/// use ludwright::{Game, records::Record};
///
/// let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
/// let record: Record = "game: Tic-Tac-Toe\n\nplace b2\nplace b2\n".parse()?;
/// let error = record.replay(&game).unwrap_err();
/// assert_eq!(error.line(), Some(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    line: Option<usize>,
    message: String,
    help: Option<String>,
}

impl Record {
    /// Writes down what was played, rolls included.
    ///
    /// See [`Record`] for an example.
    pub fn of(state: &State) -> Record {
        Record(floor::Record { seed: None, ..floor::Record::of(&state.inner, 0) })
    }

    /// The title of the game, if the record names it.
    ///
    /// ```
    /// let record: ludwright::records::Record = "game: Chase\n\nplace a1\n".parse()?;
    /// assert_eq!(record.title(), Some("Chase"));
    /// # Ok::<(), ludwright::records::RecordError>(())
    /// ```
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.0.game.as_deref()
    }

    /// The options that it was played with, as pairs of name and value.
    ///
    /// ```
    /// let record: ludwright::records::Record = "option: Size=3\n\nplace a1\n".parse()?;
    /// assert_eq!(record.options().collect::<Vec<_>>(), [("Size", "3")]);
    /// # Ok::<(), ludwright::records::RecordError>(())
    /// ```
    pub fn options(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.options.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// How the game ended, if the record says it.
    ///
    /// ```
    /// let record: ludwright::records::Record = "result: White wins\n\nplace a1\n".parse()?;
    /// assert_eq!(record.result(), Some("White wins"));
    /// # Ok::<(), ludwright::records::RecordError>(())
    /// ```
    #[must_use]
    pub fn result(&self) -> Option<&str> {
        self.0.result.as_deref()
    }

    /// The moves as they stand there, without comments.
    ///
    /// ```
    /// let record: ludwright::records::Record = "\nplace a1  # a corner\nplace b2\n".parse()?;
    /// assert_eq!(record.moves().collect::<Vec<_>>(), ["place a1", "place b2"]);
    /// # Ok::<(), ludwright::records::RecordError>(())
    /// ```
    pub fn moves(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.plies.iter().map(|ply| ply.text.as_str())
    }

    /// Loads the game that it is of from the file of its rules, with the record's options.
    ///
    /// # Errors
    /// Tells if the record is of another game or its options do not fit, and else as
    /// [`Game::from_file`].
    ///
    /// ```
    /// let record: ludwright::records::Record = "game: Kitaran\noption: Size=3\n\nplace a1\n".parse()?;
    /// let state = record.replay(&record.load("games/kitaran.game")?)?;
    /// assert_eq!(format!("\n{state}"), "
    ///   3 . . .
    ///   2 . . .
    ///   1 B . .
    ///     a b c
    ///
    /// Fresh: a1
    ///
    /// White to move
    /// ");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(&self, path: impl AsRef<Path>) -> Result<Game, LoadError> {
        let path = path.as_ref();
        let named = || crate::language::sources::Sources::named(&path.display().to_string(), "");
        let sources = files::gather(path)
            .map_err(|error| LoadError::new(Cause::Unreadable(error), named()))?;
        floor::load(&sources, &[], Some(&self.0)).map(Game)
    }

    /// Plays it over, from the position that it begins at.
    ///
    /// # Errors
    /// Tells which move cannot be played and why, or that the game ends otherwise than the record
    /// says.
    ///
    /// See [`RecordError`] for an example.
    pub fn replay(&self, game: &Game) -> Result<State, RecordError> {
        self.0.is_of(game.0.rules()).map_err(|message| RecordError {
            line: None,
            message,
            help: None,
        })?;
        let mut state = self.0.begin(&game.0)?;
        self.0.replay(&mut state)?;
        Ok(State::new(state))
    }
}

impl FromStr for Record {
    type Err = RecordError;

    /// Reads a record. Whether its moves are legal [`replay`](Record::replay) says.
    fn from_str(text: &str) -> Result<Record, RecordError> {
        Ok(Record(floor::Record::parse(text)?))
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0.write())
    }
}

impl RecordError {
    /// The line of the text that is at fault, from 1; none where the whole is.
    ///
    /// See [`RecordError`] for an example.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// What to do about it, if that is known.
    ///
    /// ```
    /// use ludwright::{Game, records::Record};
    ///
    /// let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
    /// let record: Record = "\nplase b2\n".parse()?;
    /// assert_eq!(record.replay(&game).unwrap_err().help(), Some("did you mean `place`?"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl From<Misread> for RecordError {
    fn from(misread: Misread) -> RecordError {
        RecordError { line: Some(misread.line), message: misread.to_string(), help: None }
    }
}

impl From<Stopped> for RecordError {
    fn from(stopped: Stopped) -> RecordError {
        let line = (stopped.line > 0).then_some(stopped.line);
        RecordError { line, message: stopped.to_string(), help: stopped.help }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RecordError {}

/// Writes down where a game stands, with its options: [`read_position`] goes there again. What was
/// played before is not part of it.
///
/// See [`read_position`] for an example.
#[must_use]
pub fn write_position(state: &State) -> String {
    Start::write(&state.inner)
}

/// Begins at a position that is written down: a diagram, and below it what is remembered and who is
/// to act. Options in the text are passed over.
///
/// # Errors
/// Names the line that says something the game does not know.
///
/// ```
/// use ludwright::{Game, records::{read_position, write_position}};
///
/// let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
/// let state = read_position(&game, "position:
///  3 X . .
///  2 . O .
///  1 . . .
/// to move: X
/// ")?;
/// assert_eq!(state.legal_moves().len(), 7);
/// assert_eq!(read_position(&game, &write_position(&state))?.hash(), state.hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_position(game: &Game, text: &str) -> Result<State, RecordError> {
    Ok(State::new(Start::parse(text)?.begin(&game.0)?))
}
