//! Playing at a prompt.
//!
//! In: a game and the lines that somebody types. Out: text to show, and what is to be saved or loaded. It refuses to know terminals and files.

mod command;
mod session;

pub use command::{COMMANDS, Command};
pub use session::{Refused, Reply, Screen, Session};
