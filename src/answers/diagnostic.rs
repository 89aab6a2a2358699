//! Describes findings in JSON.

use crate::diagnostics::{Places, SourcePosition};
use crate::language::finding::{Edit, Finding};
use crate::language::sources::Sources;
use serde::Serialize;

/// A finding in rules, the reason why a command fails, a warning or a note. Lines count from 1,
/// columns from 1 in characters.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct DiagnosticAnswer {
    /// The code of a finding, which `ludwright explain` explains. For other errors `input` (a record,
    /// a position, a move is wrong), `usage` (a wrong call, or a file that cannot be read or written),
    /// `endless` (a clause of the rules does not come to an end), `output` or `internal` (a fault of
    /// the program); else null.
    pub code: Option<&'static str>,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    pub message: String,
    pub help: Option<String>,
    /// The record of a game that shows a finding, which `ludwright replay` plays.
    pub record: Option<String>,
    /// The file that it is about, if it is about one place.
    pub file: Option<String>,
    pub line: Option<usize>,
    pub column: Option<usize>,
    /// The place of a finding; `line` and `column` are its beginning.
    pub start: Option<SourcePosition>,
    pub end: Option<SourcePosition>,
    /// Ways to correct a finding, each by itself.
    pub edits: Vec<EditAnswer>,
}

/// A way to correct a finding.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct EditAnswer {
    pub title: String,
    /// What it changes, in the text as it was checked. The changes do not overlap.
    pub changes: Vec<ChangeAnswer>,
}

/// A replacement of what is in a file from `start` up to, but not including, `end`.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ChangeAnswer {
    pub file: String,
    pub start: BytePosition,
    pub end: BytePosition,
    pub text: String,
}

/// A position in a file.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct BytePosition {
    #[serde(flatten)]
    pub place: SourcePosition,
    /// The same in bytes, from 0.
    pub byte: usize,
}

impl DiagnosticAnswer {
    /// Describes a message without a place.
    pub fn new(
        severity: &'static str,
        code: Option<&'static str>,
        message: &str,
        help: Option<String>,
    ) -> DiagnosticAnswer {
        let message = message.to_owned();
        DiagnosticAnswer { code, severity, message, help, ..DiagnosticAnswer::default() }
    }

    /// Adds a position in a file as the place.
    pub fn at(self, file: &str, place: SourcePosition) -> DiagnosticAnswer {
        let SourcePosition { line, column } = place;
        DiagnosticAnswer {
            file: Some(file.to_owned()),
            line: Some(line),
            column: Some(column),
            ..self
        }
    }
}

/// Describes the findings of the game's own file, and of each other file that has any.
pub fn by_file(source: &Sources, findings: &[Finding]) -> Vec<(String, Vec<DiagnosticAnswer>)> {
    let names: Vec<&str> = source.names().collect();
    let files = source.by_file(findings).into_iter();
    let described = files.map(|(file, findings)| {
        let places = Places::new(source.text_of(file));
        let change = |edit: Edit| ChangeAnswer {
            file: names[file].to_owned(),
            start: BytePosition { place: places.of(edit.span.start), byte: edit.span.start },
            end: BytePosition { place: places.of(edit.span.end), byte: edit.span.end },
            text: edit.text,
        };
        let describe = |finding: Finding| {
            let (start, end) = (places.of(finding.span.start), places.of(finding.span.end));
            let edits = finding.fix.into_iter().map(|fix| EditAnswer {
                title: fix.title,
                changes: fix.edits.into_iter().map(change).collect(),
            });
            let described = DiagnosticAnswer {
                code: Some(finding.code.name()),
                severity: finding.code.severity().name(),
                message: finding.message,
                help: finding.help,
                record: finding.record.map(|record| record.0),
                start: Some(start),
                end: Some(end),
                edits: edits.collect(),
                ..DiagnosticAnswer::default()
            };
            described.at(names[file], start)
        };
        (names[file].to_owned(), findings.into_iter().map(describe).collect())
    });
    described.collect()
}

/// Describes findings of all files.
pub fn of_findings(source: &Sources, findings: &[Finding]) -> Vec<DiagnosticAnswer> {
    by_file(source, findings).into_iter().flat_map(|(_, described)| described).collect()
}
