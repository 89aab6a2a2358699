//! Formats rules files in the standard layout. The layout of a form follows from the kinds of the
//! slots in its row of the table of ludemes.

use super::finding::{Code, Finding};
use super::ludemes::{Kind, Ludeme, Row, TABLE, Times, rows};
use crate::syntax::format::{FormLayout, Head, format as lay_out};
use crate::syntax::{Fault, FaultKind, SOURCE_LIMIT};

/// Formats a rules file. The tree does not change, and formatting is idempotent.
///
/// ```
/// let text = "(game \"Fill\"(players White Black)\n\n\n(move place(to t(empty))(put Stone t) ))";
/// let laid_out = ludwright::language::format::format(text).expect("its brackets match");
/// assert_eq!(laid_out, r#"(game "Fill"
///   (players White Black)
///
///   (move place
///     (to t (empty))
///     (put Stone t)))
/// "#);
/// ```
///
/// # Errors
/// Returns the syntax errors, such as a bracket that is not closed. Names and types are not
/// checked.
pub fn format(text: &str) -> Result<String, Vec<Finding>> {
    lay_out(text, &layout_of).map_err(|faults| match faults.as_slice() {
        [Fault { kind: FaultKind::FileTooLarge, span }] if text.len() <= SOURCE_LIMIT => {
            let message = format!("the formatted file would be larger than {SOURCE_LIMIT} bytes, the limit for a rules file");
            vec![Finding::new(Code::FileTooLarge, *span, message)]
        }
        faults => syntax_findings(text, faults),
    })
}

/// Describes the syntax faults of a text.
pub(super) fn syntax_findings(text: &str, faults: &[Fault]) -> Vec<Finding> {
    let mut findings = super::check(text, &[]).findings;
    findings.retain(|finding| faults.iter().any(|fault| fault.span == finding.span));
    findings
}

/// The heads of the forms that a rules file can be.
const HEADS: [&str; 3] = ["game", "variant-of", "definitions"];

/// Tests if a text begins like a rules file: with `(game`, `(variant-of` or `(definitions`, after
/// white space and comments. Matching brackets alone are not enough: rule cases have them, too.
///
/// ```
/// use ludwright::language::format::begins_as_rules;
///
/// assert!(begins_as_rules("; Mine.\n(game \"Fill\")"));
/// assert!(!begins_as_rules("title: One stone\nposition:\n  1 B\n    a\n"));
/// ```
pub fn begins_as_rules(text: &str) -> bool {
    let begin = past_comments(text.strip_prefix('\u{feff}').unwrap_or(text));
    let Some(inside) = begin.strip_prefix('(').map(past_comments) else { return false };
    let ends = |letter: char| letter.is_whitespace() || matches!(letter, '(' | ')' | '"' | ';');
    HEADS.contains(&inside.split(ends).next().unwrap_or_default())
}

fn past_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with(';') {
        rest = rest.split_once(['\n', '\r']).map_or("", |(_, after)| after.trim_start());
    }
    rest
}

/// Lists the words of forms whose parts are indented by two columns, in the order of the table. The
/// parts of other forms are aligned with the first form among them.
pub fn indented_words() -> Vec<&'static str> {
    let mut words: Vec<&str> = Vec::new();
    for row in TABLE.iter().filter(|row| !row.word && layout_of_row(row) != FormLayout::List) {
        if !words.contains(&row.spelling) {
            words.push(row.spelling);
        }
    }
    words
}

/// Returns the layout of forms that begin with this word and have this number of parts after it.
fn layout_of(word: &str, parts: usize) -> FormLayout {
    let fits = |row: &&Row| {
        row.slots.len() == parts
            || row.slots.iter().any(|slot| matches!(slot.times, Times::Some | Times::Any))
    };
    let row = rows(word).find(fits).or_else(|| rows(word).next());
    row.map_or(FormLayout::List, layout_of_row)
}

fn layout_of_row(row: &Row) -> FormLayout {
    let many = |times| matches!(times, Times::Some | Times::Any);
    let find = |wanted: &dyn Fn(Kind) -> bool| {
        row.slots.iter().position(|slot| wanted(slot.kind) && slot.times != Times::One)
    };
    let last = row.slots.len().saturating_sub(1);
    if row.slots.iter().any(|slot| slot.kind == Kind::Heading) {
        return FormLayout::Definition;
    }
    // Its first choice stands with the word, as the variable of a loop does.
    if row.ludeme == Ludeme::Then {
        return FormLayout::Steps(Head::Parts(1));
    }
    if let Some(first) = find(&|kind| matches!(kind, Kind::Parameter | Kind::Part)) {
        return FormLayout::Open(Head::Parts(first));
    }
    // A part of the game that contains only forms.
    let is_form = |kind: Kind| TABLE.iter().any(|other| other.result == kind);
    if row.result == Kind::Part
        && row.slots.first().is_some_and(|slot| many(slot.times) && is_form(slot.kind))
    {
        return FormLayout::Open(Head::Parts(0));
    }
    // The rows of a diagram or a drawing and the lines of a board stand below one another.
    if matches!(row.ludeme, Ludeme::Diagram | Ludeme::Drawing | Ludeme::Lines) {
        return FormLayout::Open(Head::Parts(0));
    }
    match find(&|kind| kind == Kind::Statement || kind.is_branch()) {
        Some(first) if row.slots[first].kind.is_branch() && many(row.slots[first].times) => {
            return FormLayout::Cases;
        }
        Some(first) if row.slots[..first].iter().any(|slot| many(slot.times)) => {
            return FormLayout::Steps(Head::Words);
        }
        Some(first) => return FormLayout::Steps(Head::Parts(first)),
        None => {}
    }
    match row.slots {
        // The body of a branch may have any type.
        [only] if row.result.is_branch() && many(only.times) => FormLayout::Branch,
        [first, _, ..] if first.kind == Kind::Text && row.result == Kind::Part => {
            FormLayout::Body(Head::Parts(1))
        }
        [first, ..] if first.kind == Kind::Variable && row.result != Kind::Parameter => {
            FormLayout::Body(Head::Parts(last))
        }
        [first, _, ..] if first.kind == Kind::Condition && !many(first.times) => {
            FormLayout::Body(Head::Parts(1))
        }
        [.., slot]
            if last > 0
                && row.result == Kind::Part
                && (many(slot.times) || slot.kind == Kind::Text) =>
        {
            FormLayout::Body(Head::Parts(last))
        }
        _ => FormLayout::List,
    }
}
