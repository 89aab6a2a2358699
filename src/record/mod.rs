//! Games written down.
//!
//! In: text, or a match. Out: the record of a game, and the match that it leads to. It refuses to know files and who plays.

mod load;
mod text;

pub use load::{Unloadable, load};
pub use text::{LIMIT, Ply, Record, Stopped};
