//! Refactorings of a file: extract and inline definitions, delete unused declarations, make a
//! number an option, and make changes a variant. Renaming is in [`rename`](super::rename).
//!
//! Each refactoring is checked before it is offered: no file may get an error that it did not have.

mod extract;
mod options;
mod unused;
mod variant;

pub use variant::variant;

use super::CheckedSources;
use crate::language::finding::{Code, Edit, Severity};
use crate::language::sources::Sources;
use crate::syntax::{Node, Span};

/// A refactoring at a selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Names the selected expression by a definition.
    Extract,
    /// Replaces the uses of a definition by its body, and removes the definition.
    Inline,
    /// Deletes the declarations that nothing uses.
    DeleteUnused,
    /// Makes an option of a number.
    MakeOption,
}

impl Action {
    pub const ALL: [Action; 4] =
        [Action::Extract, Action::Inline, Action::DeleteUnused, Action::MakeOption];

    /// Returns the action's stable name.
    pub fn name(self) -> &'static str {
        match self {
            Action::Extract => "extract",
            Action::Inline => "inline",
            Action::DeleteUnused => "delete-unused",
            Action::MakeOption => "make-option",
        }
    }

    /// Returns a title for the action, in the imperative.
    pub fn title(self) -> &'static str {
        match self {
            Action::Extract => "make a definition of this expression",
            Action::Inline => "write the definition out where it is used",
            Action::DeleteUnused => "delete what is never used",
            Action::MakeOption => "make an option of this number",
        }
    }
}

/// Returns the edits of an action at a selection in a file, in the order of the text. A new
/// definition or option gets the given name, or else a free one.
///
/// # Errors
/// Says why the action is not possible here.
///
/// ```
/// use ludwright::editor::CheckedSources;
/// use ludwright::editor::refactor::{Action, refactor};
/// use ludwright::language::finding::Fix;
/// use ludwright::syntax::Span;
///
/// let text = "(game \"Fill\" (players White Black) (board (square 3)) (piece Stone)
///   (move drop (to t (and (empty) (not (beside t)))) (put Stone t)) (play (turns (choose drop))))";
/// let text = text.replace("(not (beside t))", "(row 1)");
/// let study = CheckedSources::of((&*text).into());
/// let at = text.find("(and").unwrap();
/// let edits = refactor(&study, 0, Span::new(at, at + 20), Action::Extract, Some("Free")).unwrap();
/// let after = Fix { title: String::new(), edits }.applied(&text);
/// assert!(after.contains("(define Free\n    (and (empty) (row 1)))"), "{after}");
/// assert!(after.contains("(to t Free)"), "{after}");
/// ```
pub fn refactor(
    study: &CheckedSources,
    file: usize,
    selection: Span,
    action: Action,
    name: Option<&str>,
) -> Result<Vec<Edit>, String> {
    if study.is_faulty() {
        return Err("fix the mistakes first".to_owned());
    }
    match action {
        Action::Extract => extract::extract(study, file, selection, name),
        Action::Inline => extract::inline(study, file, selection.start),
        Action::DeleteUnused => unused::delete(study, file),
        Action::MakeOption => options::make_option(study, file, selection.start, name),
    }
}

/// Lists the possible actions at a selection.
pub fn offers(study: &CheckedSources, file: usize, selection: Span) -> Vec<Action> {
    let is_possible = |action: &Action| refactor(study, file, selection, *action, None).is_ok();
    Action::ALL.into_iter().filter(is_possible).collect()
}

/// Returns the game after edits of a file, if it has no errors.
fn changed(study: &CheckedSources, file: usize, edits: &[Edit]) -> Result<CheckedSources, String> {
    let start = study.sources.byte_of(file, 0);
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.span);
    let splice = |sources: Sources, edit: &Edit| {
        sources.spliced(&Edit { span: edit.span.shifted(start), text: edit.text.clone() })
    };
    let sources = edits.into_iter().rev().fold(study.sources.clone(), splice);
    let after = CheckedSources::of(sources);
    let error =
        after.checked.findings.iter().find(|finding| {
            finding.severity() == Severity::Error || finding.code == Code::UnfitValue
        });
    match error {
        Some(finding) => Err(finding.message.clone()),
        None => Ok(after),
    }
}

/// Returns a name that no declaration of a game has: the given one, perhaps with a number appended.
fn free_name(study: &CheckedSources, name: &str) -> String {
    let is_free = |new: &String| study.checked.names.iter().all(|known| known.name != *new);
    let numbered = (2..).map(|number| format!("{name}{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

/// Returns the nodes that contain a span, from the outermost to the innermost.
fn around(forms: &[Node], span: Span) -> Vec<&Node> {
    let contains = |node: &&Node| node.span.start <= span.start && span.end <= node.span.end;
    let mut path = Vec::new();
    let mut level = forms;
    while let Some(node) = level.iter().find(contains) {
        path.push(node);
        level = node.as_form().unwrap_or_default();
    }
    path
}

/// Returns a selection without the white space at its ends.
fn trimmed(text: &str, selection: Span) -> Span {
    let selected = selection.text(text);
    let start = selection.start + (selected.len() - selected.trim_start().len());
    Span::new(start, start + selected.trim().len())
}

/// Returns the column of a byte in its line.
fn column(text: &str, byte: usize) -> usize {
    byte - text[..byte].rfind('\n').map_or(0, |end| end + 1)
}

/// Indents the later lines of a text that moves from one column to another.
fn reindented(text: &str, from: usize, to: usize) -> String {
    let mut lines = text.split('\n');
    let mut moved = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let blanks = line.len() - line.trim_start_matches(' ').len();
        let blanks = (blanks + to).saturating_sub(from);
        moved.push('\n');
        if !line.trim().is_empty() {
            moved.push_str(&" ".repeat(blanks));
        }
        moved.push_str(line.trim_start_matches(' '));
    }
    moved
}

/// Returns the span to delete with a node: the whole lines, if nothing else is on them.
fn with_line(text: &str, span: Span) -> Span {
    let line = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |end| span.end + end);
    let is_first = text[line..span.start].trim().is_empty();
    let is_last = text[span.end..end].trim().is_empty();
    // A cut must not separate the `\r` and `\n` of a line end.
    let whole = |at: usize| at - usize::from(text[..at].ends_with('\r'));
    match (is_first && line > 0, is_last) {
        (true, true) => Span::new(whole(line - 1), whole(end)),
        // A closing bracket that follows moves to the line before.
        (true, false) if text[span.end..].starts_with(')') => Span::new(whole(line - 1), span.end),
        _ => {
            let before = text[..span.start].trim_end_matches(' ').len();
            Span::new(before, span.end)
        }
    }
}
