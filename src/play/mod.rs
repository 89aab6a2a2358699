//! Playing at a prompt.
//!
//! In: a game and the lines that somebody types. Out: text to show, and what is to be saved or loaded. It refuses to know terminals and files.
//!
//! - [`Session`]: a line in, a [`Reply`] out. `line`: what was played and what was taken back. `answers`: what is said about the game. [`Seats`]: who plays for whom. `reload`: the game goes on under other rules.
//! - [`COMMANDS`]: every command. [`Words`]: what a line may become while it is typed.

mod answers;
mod command;
mod line;
mod reload;
mod seats;
mod session;
mod words;

pub use command::{COMMANDS, Command, Row};
pub use seats::Seats;
pub use session::{Played, Refused, Reply, Screen, Session, Wanted};
pub use words::{Sense, Words};
