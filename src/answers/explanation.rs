//! Describes in JSON why a move is legal or not, and how a value came about.

use super::place::{Place, RemarkedPlace, place};
use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::why;
use serde::Serialize;

/// Why a move is legal or not, a game has ended, or an expression has its value.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// What was asked.
    pub about: String,
    /// `legal`, `not-offered`, `requirement`, `incomplete`, `not-now`, `over`, `unreadable` or, about
    /// an expression, `value`.
    pub verdict: &'static str,
    pub message: String,
    /// The decisive clause.
    pub clause: Option<Place>,
    /// The values in it, and where they come from.
    pub notes: Vec<RemarkedPlace>,
    pub help: Option<String>,
    /// The ply that is assumed to come next, if the given position fits several turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumed: Option<String>,
}

/// Describes an explanation in JSON.
pub fn describe(answer: &why::Answer, rules: &Rules, source: &Sources) -> Explanation {
    let notes = answer.notes.iter().map(|note| RemarkedPlace {
        place: place(note.span, rules, source),
        says: note.text.clone(),
    });
    Explanation {
        about: answer.about.clone(),
        verdict: answer.verdict.name(),
        message: answer.message.clone(),
        clause: answer.clause.map(|clause| place(clause, rules, source)),
        notes: notes.collect(),
        help: answer.help.clone(),
        assumed: None,
    }
}
