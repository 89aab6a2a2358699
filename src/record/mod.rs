//! Games written down.
//!
//! In: text, or a match. Out: the record of a game or a position to start from, and the match that
//! it leads to. It refuses to know files and who plays.

mod load;
mod start;
mod text;

pub use load::load;
pub use start::Start;
pub(crate) use text::beginning;
pub use text::{CHANGED, LIMIT, PlyNote, Record, RecordedPly, Stopped, fingerprint};
