//! Rule cases: what the rules of one game make of one situation.
//!
//! In: rules and the text of a case (`tests/cases/FORMAT.md` describes it). Out: a report of what
//! is otherwise than the case says. It refuses to know files.

mod case;
mod report;
mod run;

pub use case::{Case, CaseStep, Expectation};
pub use report::{CaseReport, Difference};
pub use run::Runner;
