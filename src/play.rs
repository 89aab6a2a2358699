//! The logic of the prompt: a [`Session`] turns each line into a [`Reply`].
//!
//! This module accesses no terminal or file: replies contain text to show, and ask the caller to
//! read or write files.
//!
//! - [`Session`]: the state of the prompt. [`Seats`]: who plays.
//! - [`variations`]: the plies of a game with undo and redo, for the prompt and for the studio.
//! - `queries`: answers that change nothing. `expressions`: values of expressions, typed or
//!   watched. `refusal`: explains why a line is neither a move nor a command. `moves`: moves in the
//!   forms that people type.
//! - `programs`: plies of computer players. `switch_game`: replaces the game. `reload`: continues
//!   the game after the rules have changed.
//! - [`choices()`]: a move chosen part by part, as with the mouse.
//! - [`COMMANDS`]: all commands. [`CompletionContext`]: completion.

mod choices;
mod command;
mod completion;
mod expressions;
mod moves;
mod programs;
mod queries;
mod refusal;
mod reload;
mod reply;
mod seats;
mod session;
mod switch_game;
pub mod variations;

pub use choices::{Choices, Entry, Part, choices};
pub use command::{COMMANDS, Command, CommandRow};
pub use completion::{Candidate, CompletionContext, Hint, Sense};
pub use expressions::show as show_value;
pub use reply::{Played, Refused, Reply, Wanted};
pub use seats::{Seats, reseated};
pub use session::{Screen, Session};
