//! Rule cases: executable examples of what the rules allow and do in a position.
//!
//! `tests/cases/FORMAT.md` describes the format.

mod case;
mod report;
mod run;

pub use case::{Case, CaseStep, Expectation};
pub use report::{CaseReport, Difference};
pub use run::Runner;
