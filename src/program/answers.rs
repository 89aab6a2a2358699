//! Words the library's results as text and as JSON, in the same way for the prompt, the commands
//! and the studio.

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
