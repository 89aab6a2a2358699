//! Describes findings and failures in JSON.

use crate::program::failure::{Failure, FailureMessage};
use crate::program::schema::Answer;
pub use ludwright::answers::diagnostic::{DiagnosticAnswer, by_file, of_findings};
use ludwright::diagnostics::Places;
use ludwright::files::reason;
use schemars::JsonSchema;
use serde::Serialize;

/// What a command has to say beside its results: a line of standard error.
#[derive(Serialize, JsonSchema)]
pub struct DiagnosticsAnswer {
    pub diagnostics: Vec<DiagnosticAnswer>,
}

impl Answer for DiagnosticsAnswer {
    const NAME: &'static str = "diagnostics";
}

/// Describes why a command fails; empty if the failure is already reported.
pub fn of_failure(failure: &Failure) -> Vec<DiagnosticAnswer> {
    let told = |code, told: &FailureMessage| {
        vec![DiagnosticAnswer::new("error", Some(code), &told.message, told.help.clone())]
    };
    match failure {
        Failure::AlreadyReported(_) => Vec::new(),
        Failure::Rejected(rejected) => of_findings(&rejected.sources, &rejected.findings),
        Failure::Input(message) => told("input", message),
        Failure::Usage(message) => told("usage", message),
        Failure::Endless { fault, name, text } => {
            let help = Some(fault.advice(text).to_owned());
            let place = Places::new(text).of(fault.span.start);
            let told = DiagnosticAnswer::new("error", Some("endless"), &fault.message, help);
            vec![told.at(name, place)]
        }
        Failure::Output(error) => {
            let message = format!("cannot write: {}", reason(error));
            told("output", &FailureMessage { message, help: None })
        }
    }
}
