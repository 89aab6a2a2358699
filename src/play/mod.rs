//! Playing at a prompt.
//!
//! In: a game and the lines that somebody types. Out: text to show, and what is to be saved or
//! loaded. It refuses to know terminals and files.
//!
//! - [`Session`]: a line in, a [`Reply`] out. `timeline`: what was played and what was taken back.
//!   [`Seats`]: who plays for whom.
//! - `queries`: what is said about the game. `refusal`: what is said of a line that is neither a
//!   move nor a command.
//! - `programs`: programs at the table. `switch_game`: another game in the place of the one at
//!   hand. `reload`: the game goes on under other rules.
//! - [`COMMANDS`]: every command. [`CompletionContext`]: what a line may become while it is typed.

mod command;
mod completion;
mod programs;
mod queries;
mod refusal;
mod reload;
mod reply;
mod seats;
mod session;
mod switch_game;
mod timeline;

pub use command::{COMMANDS, Command, CommandRow};
pub use completion::{CompletionContext, Hint, Sense};
pub use reply::{Played, Refused, Reply, Wanted};
pub use seats::Seats;
pub use session::{Screen, Session};
