//! A program made to play.
//!
//! In: compiled rules. Out: matches, legal moves, results, counts, playouts. It refuses to know ludemes, spellings and files.
//!
//! - `bits`, `tables`: sets of sites, and the board for them.
//! - `machine`: runs the instructions. `driver`: plies; `history`: the positions that they have led through. `runner`: the same for any width of board, and random playouts.
//! - [`game`]: what callers use. [`walker`]: what searches use. [`setting`]: positions spelled out. [`position`]: positions as plain data.

mod bits;
mod driver;
pub mod game;
mod history;
mod machine;
pub mod position;
mod runner;
pub mod setting;
mod tables;
pub mod walker;

pub use driver::Candidate;
pub use runner::Playout;
