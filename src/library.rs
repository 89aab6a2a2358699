//! The public interface: a few types that hide the engine.
//!
//! Everything here wraps lower levels. These types are the stable interface; the engine's types may
//! change with any version.

pub mod batch;
mod error;
mod game;
pub mod learning;
mod moves;
mod outcome;
pub mod perft;
pub mod players;
pub mod playouts;
pub mod records;
mod sites;
pub mod solver;
mod state;
mod threads;

pub use error::{EndlessError, ParseMoveError, PlayError};
pub use game::{Game, GameOption};
pub use moves::Move;
pub use outcome::{Outcome, Player, PlayerSet, Turn};
pub use sites::{Argument, Memory, MemoryValue, MoveParts, Site};
pub use state::{Piece, State};
