//! Describes the place of a clause.

pub use crate::diagnostics::{Place, place};
use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::notation::clause::quote;
use crate::syntax::Span;
use serde::Serialize;

/// A place with a remark.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct RemarkedPlace {
    #[serde(flatten)]
    pub place: Place,
    /// The remark.
    pub says: String,
}

/// Quotes a clause with its line, and with its file if there are several.
pub fn locate(clause: Span, rules: &Rules, source: &Sources) -> String {
    let (file, span) = source.place(clause);
    let line = source.text_of(file)[..span.start].matches('\n').count() + 1;
    let name = if source.names().len() > 1 {
        source.names().nth(file).unwrap_or_default()
    } else {
        "line"
    };
    format!("{name} {line}, {}", quote(rules, clause))
}
