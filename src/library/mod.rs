//! What a Rust program uses: few types, behind which nothing of the engine shows.
//!
//! All of it wraps what the floors below do. A type of the engine may change with any version;
//! those here are the crate's promise.

mod error;
mod game;
mod moves;
mod outcome;
pub mod perft;
pub mod players;
pub mod playouts;
pub mod records;
pub mod solver;
mod state;
mod threads;

pub use error::{EndlessError, ParseMoveError, PlayError};
pub use game::{Game, GameOption};
pub use moves::Move;
pub use outcome::{Outcome, Player, Turn};
pub use state::{Piece, State};
