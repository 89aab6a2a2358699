//! Says in JSON where a clause of the rules is.

use super::Places;
use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::notation::clause::quote;
use crate::syntax::Span;
use serde::Serialize;

/// A place in the rules. Lines count from 1, columns from 1 in characters, `start` and `end` from 0
/// in bytes of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Place {
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub start: usize,
    pub end: usize,
    /// The text there, on one line.
    pub text: String,
}

/// Describes a place in the rules.
pub fn place(span: Span, rules: &Rules, source: &Sources) -> Place {
    let (file, local) = source.place(span);
    let place = Places::new(source.text_of(file)).of(local.start);
    Place {
        file: source.names().nth(file).unwrap_or_default().to_owned(),
        line: place.line,
        column: place.column,
        start: local.start,
        end: local.end,
        text: quote(rules, span).trim_matches('`').to_owned(),
    }
}
