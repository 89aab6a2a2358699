//! Rule cases: executable examples of what the rules allow and do in a position.
//!
//! `tests/cases/FORMAT.md` describes the format.

mod answer;
mod case;
mod report;
mod run;

pub use answer::{CaseAnswer, DifferenceAnswer};
pub use case::{Case, CaseStep, Expectation};
pub use report::{Boards, CaseReport, Difference};
pub use run::Runner;
