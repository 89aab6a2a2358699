//! The public interface: a few types that hide the engine.
//!
//! Everything here wraps lower levels. These types are the stable interface; the engine's types may
//! change with any version.

pub mod batch;
pub mod checks;
mod error;
pub mod explanations;
pub mod expressions;
mod game;
pub mod learning;
mod moves;
mod outcome;
pub mod perft;
pub mod players;
pub mod playouts;
pub mod playtests;
pub mod records;
mod sites;
pub mod solver;
mod state;
mod threads;
pub mod trainings;

pub use error::{EndlessError, ParseMoveError, PlayError};
pub use game::{Game, GameOption};
pub use moves::Move;
pub use outcome::{Outcome, Player, PlayerSet, Turn};
pub use sites::{Argument, Memory, MemoryValue, MoveParts, Site};
pub use state::{Piece, State};
