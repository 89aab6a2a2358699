//! Games and positions as text: writes, reads and replays them.
//!
//! A record is a few lines about the game, an empty line, and one move per line.
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
use crate::formats;
use crate::load::{Cause, LoadError};
use crate::notation::Misread;
use crate::record::{self as floor, Start, Stopped};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

pub use crate::language::notations::Format;

/// The record of a game. `parse` reads what `to_string` writes.
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

/// The reason why a text is not a record or a position, or cannot be replayed by these rules.
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
    /// Records the moves of a state, including rolls.
    ///
    /// See [`Record`] for an example.
    pub fn of(state: &State) -> Record {
        Record(floor::Record { seed: None, ..floor::Record::of(&state.inner, 0) })
    }

    /// Returns the title of the game, if the record names it.
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

    /// Lists the options of the game, as pairs of name and value.
    ///
    /// ```
    /// let record: ludwright::records::Record = "option: Size=3\n\nplace a1\n".parse()?;
    /// assert_eq!(record.options().collect::<Vec<_>>(), [("Size", "3")]);
    /// # Ok::<(), ludwright::records::RecordError>(())
    /// ```
    pub fn options(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.options.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns the result of the game, if the record states it.
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

    /// Lists the moves as they are written, without comments.
    ///
    /// ```
    /// let record: ludwright::records::Record = "\nplace a1  # a corner\nplace b2\n".parse()?;
    /// assert_eq!(record.moves().collect::<Vec<_>>(), ["place a1", "place b2"]);
    /// # Ok::<(), ludwright::records::RecordError>(())
    /// ```
    pub fn moves(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.plies.iter().map(|ply| ply.text.as_str())
    }

    /// Loads the game of the record from its rules file, with the record's options.
    ///
    /// # Errors
    /// If the record is of another game or its options do not fit, and as [`Game::from_file`].
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

    /// Replays the moves from the record's first position.
    ///
    /// # Errors
    /// If a move cannot be played, with the reason, or the game ends differently from what the
    /// record states.
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

    /// Parses a record. The legality of its moves is tested by [`replay`](Record::replay).
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
    /// Returns the line of the text at fault, from 1; `None` if the error is not in one line.
    ///
    /// See [`RecordError`] for an example.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// Returns advice, if there is any.
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

/// Writes a position with the options of its game, for [`read_position`]. The moves played before
/// are not included.
///
/// See [`read_position`] for an example.
#[must_use]
pub fn write_position(state: &State) -> String {
    Start::write(&state.inner)
}

/// Reads a position: a diagram, followed by the memories and who is to act. Options in the text are
/// ignored.
///
/// # Errors
/// If a line does not fit the game; the error names the line.
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

/// Reads a game or a position in a format of other programs, as the `notation` of the rules
/// describes it. Options in the text are ignored: the game must have been loaded with them.
///
/// # Errors
/// If the rules do not describe the format, or the text does not fit the game.
///
/// ```
/// use ludwright::Game;
/// use ludwright::records::{Format, read_as, write_as};
///
/// let chess = Game::from_file("tests/games/chess.game", &[])?;
/// let state = read_as(&chess, Format::Pgn, "1. e4 e5 2. Nf3 *")?;
/// assert_eq!(state.played().len(), 3);
/// let line = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 2\n";
/// assert_eq!(write_as(&state, Format::Fen)?, line);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_as(game: &Game, format: Format, text: &str) -> Result<State, RecordError> {
    Ok(State::new(formats::read(&game.0, format, text)?))
}

/// Writes a game, or its position, in a format of other programs, as the `notation` of the rules
/// describes it.
///
/// See [`read_as`] for an example.
///
/// # Errors
/// If the rules do not describe the format, or the format cannot express the game or position.
pub fn write_as(state: &State, format: Format) -> Result<String, RecordError> {
    formats::write(&state.inner, format).map_err(|message| RecordError {
        line: None,
        message,
        help: None,
    })
}
