//! Says in words, and in JSON, what the library has found: the prompt, the commands and the studio
//! say it alike.

pub mod claims;
pub mod comparison;
pub mod coverage;
pub mod diagnostic;
pub mod difference;
pub mod evaluation;
pub mod explanation;
pub mod leave_out;
pub mod place;
pub mod play;
pub mod position;
pub mod solution;
pub mod story;
#[cfg(feature = "studio")]
pub mod studio;
pub mod subject;
