//! Playing at a prompt.
//!
//! In: a game and the lines that somebody types. Out: text to show, and what is to be saved or loaded. It refuses to know terminals and files.
//!
//! - [`Session`]: a line in, a [`Reply`] out. `line`: what was played and what was taken back. [`Seats`]: who plays for whom.
//! - `answers`: what is said about the game. `refusal`: what is said of a line that is neither a move nor a command.
//! - `programs`: programs at the table. `another`: another game in the place of the one at hand. `reload`: the game goes on under other rules.
//! - [`COMMANDS`]: every command. [`Words`]: what a line may become while it is typed.

mod another;
mod answers;
mod command;
mod line;
mod programs;
mod refusal;
mod reload;
mod reply;
mod seats;
mod session;
mod words;

pub use command::{COMMANDS, Command, Row};
pub use reply::{Played, Refused, Reply, Wanted};
pub use seats::Seats;
pub use session::{Screen, Session};
pub use words::{Hint, Sense, Words};
