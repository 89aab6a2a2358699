//! Describes the results of rule cases in JSON.

use super::report::{CaseReport, Difference};
use serde::Serialize;
use std::path::Path;

/// The result of a rule case.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct CaseAnswer {
    pub file: String,
    pub title: String,
    pub passed: bool,
    pub differences: Vec<DifferenceAnswer>,
}

/// A line of a rule case that says something else than the rules.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct DifferenceAnswer {
    pub line: usize,
    pub said: String,
    pub expected: String,
    pub found: String,
    pub position: String,
}

impl CaseAnswer {
    /// Describes a case that was run.
    pub fn of(case: &Path, report: &CaseReport) -> CaseAnswer {
        let difference = |difference: &Difference| DifferenceAnswer {
            line: difference.line,
            said: difference.said.clone(),
            expected: difference.expected.clone(),
            found: difference.found.clone(),
            position: difference.position.clone(),
        };
        CaseAnswer {
            file: case.display().to_string(),
            title: report.title.clone(),
            passed: report.passed(),
            differences: report.differences.iter().map(difference).collect(),
        }
    }
}
