//! Says in words, and in JSON, what the library has found: the prompt, the commands and the studio
//! say it alike.

pub mod comparison;
pub mod diagnostic;
pub mod difference;
pub mod evaluation;
pub mod explanation;
pub mod leave_out;
pub mod play;
#[cfg(feature = "studio")]
pub mod studio;

pub use ludwright::answers::{claims, coverage, place, position, solution, story, subject};
