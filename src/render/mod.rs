//! Boards for people to look at.
//!
//! In: a position. Out: text. It refuses to know what the pieces do and whether anybody is looking.

mod text;

pub use text::{board, legend, view};
