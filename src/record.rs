//! Records of games as text: parsing, writing and replaying them, and starting positions.

mod code;
mod load;
mod start;
mod text;

pub use code::encode;
pub use load::load;
pub use start::Start;
pub use text::beginning;
pub use text::{CHANGED, KEYS, LIMIT, PlyNote, Record, RecordedPly, Stopped, fingerprint};
