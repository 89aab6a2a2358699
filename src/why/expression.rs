//! Explains the value of an expression by the values of its parts.

use super::notes::{Note, Notes, bindings};
use super::{Answer, Verdict, opening, values};
use crate::language::rules::Value as Expression;
use crate::reference::View;
use crate::syntax::Span;

/// Explains the value of an expression in the position of a view. `about` is its text.
pub fn why_value(view: &View, expression: &Expression, about: &str, span: Span) -> Answer {
    let mut notes = Notes::default();
    notes.bind(view, span);
    let said = match expression {
        Expression::Condition(condition) => notes.condition(view, condition),
        Expression::Sites(region) => {
            notes.region(view, region);
            None
        }
        Expression::Number(number) => {
            notes.number(view, number);
            None
        }
        _ => None,
    };
    let found = values::value(view.rules, &view.value(expression));
    let message = match said {
        Some(said) => format!("`{about}` is {found}: {said}"),
        None => format!("`{about}` is {found}"),
    };
    let Notes { mut notes, bound, .. } = notes;
    // The message states the value of the whole.
    notes.retain(|note| note.span != span);
    if !notes.iter().any(|note| note.span.start <= span.start && span.end <= note.span.end) {
        let first = Note { span: opening(view.rules, span, &notes), text: found };
        notes.insert(0, first);
    }
    Answer {
        about: about.to_owned(),
        verdict: Verdict::Value,
        message,
        clause: Some(span),
        notes,
        help: bindings(&bound),
        ending: None,
    }
}
