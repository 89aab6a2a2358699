//! Changes the look that a file of rules describes, such as the colour of the board.
//!
//! A detail about the same subject is replaced; any other detail is added to the last `look` of the
//! file. If the file has no `look`, one is added as its last part; in a variant it adds to the look
//! of the base game.

use crate::language::finding::Edit;
use crate::syntax::{Node, Span, parse};

/// A detail of the look: its word, its subject, and its value; `None` removes the detail.
#[derive(Clone, Copy, Debug)]
pub struct Detail<'d> {
    pub head: &'d str,
    pub of: Option<&'d str>,
    /// A word, or a colour as `#rrggbb`.
    pub value: Option<&'d str>,
}

/// Returns the edit that gives a detail its value; `Some(None)` if the detail already has it, and
/// `None` if the text is no game.
///
/// ```
/// use ludwright::editor::look::{Detail, set};
/// use ludwright::language::finding::Fix;
///
/// let text = "(game \"G\"\n  (piece Stone)\n  (look\n    (color board tan)))\n";
/// let detail = Detail { head: "color", of: Some("board"), value: Some("#112233") };
/// let edit = set(text, detail).flatten().expect("a change");
/// let after = Fix { title: String::new(), edits: vec![edit] }.applied(text);
/// assert!(after.contains("(look\n    (color board \"#112233\")))"), "{after}");
/// ```
pub fn set(text: &str, detail: Detail) -> Option<Option<Edit>> {
    let tree = parse(text);
    let game = tree.forms.iter().find(|form| is(form, "game") || is(form, "variant-of"))?;
    let added = |part: &'_ Node| is(part, "add") && part.args().first().is_some_and(is_look);
    let mut looks = game.args().iter().filter_map(|part| match part {
        part if is_look(part) => Some(part),
        part if added(part) => part.args().first(),
        _ => None,
    });
    let look = looks.next_back();
    let known = look.and_then(|look| look.args().iter().rfind(|known| is_about(known, detail)));
    let written = detail.value.map(|value| write(detail, value));
    Some(match (known, look, written) {
        (Some(known), _, Some(written)) => {
            let is_new = known.span.text(text) != written;
            is_new.then_some(Edit { span: known.span, text: written })
        }
        // Removing a detail also removes the space before it.
        (Some(known), Some(_), None) => {
            let start = text[..known.span.start].trim_end().len();
            Some(Edit { span: Span::new(start, known.span.end), text: String::new() })
        }
        (None, Some(look), Some(written)) => Some(after_last(text, look, &written)),
        (None, None, Some(written)) => {
            let part = format!("(look {written})");
            let part = if is(game, "game") { part } else { format!("(add {part})") };
            Some(after_last(text, game, &part))
        }
        (_, _, None) => None,
    })
}

/// Inserts a text after the last part of a form, on a line of its own if the last part has one.
fn after_last(text: &str, form: &Node, part: &str) -> Edit {
    let last = form.args().last().map_or(form.head_span(), |last| last.span);
    let line = text[..last.start].rfind('\n').map_or(0, |end| end + 1);
    let before = &text[line..last.start];
    let is_alone = line > form.span.start && before.trim().is_empty();
    let gap = match (is_alone, is(form, "look")) {
        (true, _) => format!("\n{before}"),
        (false, true) => " ".to_owned(),
        (false, false) => "\n  ".to_owned(),
    };
    Edit { span: Span::new(last.end, last.end), text: gap + part }
}

fn is(node: &Node, head: &str) -> bool {
    node.head().is_some_and(|(word, _)| word == head)
}

fn is_look(node: &Node) -> bool {
    is(node, "look")
}

/// Tests if a detail has the same subject and holds for all players.
fn is_about(known: &Node, detail: Detail) -> bool {
    let arguments = known.args();
    is(known, detail.head)
        && match detail.of {
            None => true,
            Some(of) => {
                arguments.len() == 2 && arguments.first().and_then(Node::as_word) == Some(of)
            }
        }
}

fn write(Detail { head, of, .. }: Detail, value: &str) -> String {
    let of = of.map(|of| format!(" {of}")).unwrap_or_default();
    let quote = if value.starts_with('#') { "\"" } else { "" };
    format!("({head}{of} {quote}{value}{quote})")
}
