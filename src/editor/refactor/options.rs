//! Makes a number of the rules an option. Of several ranges, it takes the widest that the rules
//! allow.

use super::{changed, free_name};
use crate::editor::outline::parts;
use crate::editor::{CheckedSources, path_to};
use crate::language::check_values;
use crate::language::finding::Edit;
use crate::language::ludemes::Ludeme;
use crate::syntax::{Span, parse};

/// Names and descriptions of options, by the word before the number.
const NAMES: &[(&str, &str, &str)] = &[
    ("square", "Size", "Sites along each side of the board."),
    ("hexagon", "Size", "Sites along each side of the board."),
    ("rhombus", "Size", "Sites along each side of the board."),
    ("triangle", "Size", "Sites along each side of the board."),
    ("star", "Size", "Sites along each side of the board."),
    ("rectangle", "Length", "Sites along a side of the board."),
    ("line", "Row", "How many pieces make a line."),
    ("hand", "Supply", "How many pieces a player has in hand."),
    ("repetition", "Times", "How often a position may occur."),
    ("repeat", "Rounds", "How often it is repeated."),
    ("row", "Row", "The number of a row."),
];

/// Makes an option of the number at a byte.
pub(super) fn make_option(
    study: &CheckedSources,
    file: usize,
    byte: usize,
    name: Option<&str>,
) -> Result<Vec<Edit>, String> {
    let text = study.sources.text_of(file);
    let tree = parse(text);
    let path = path_to(&tree.forms, byte);
    let (number, form) = match &path[..] {
        [.., form, number] => (*number, *form),
        _ => return Err("there is no number here".to_owned()),
    };
    let value: i64 = number.span.text(text).parse().map_err(|_| "there is no number here")?;
    let is_option = |node: &&crate::syntax::Node| {
        node.head().is_some_and(|(head, _)| matches!(head, "option" | "claim" | "notation"))
    };
    if path.iter().any(is_option) {
        return Err("this number cannot be an option".to_owned());
    }
    let head = form.head().map_or("", |(head, _)| head);
    let known = NAMES.iter().find(|(word, _, _)| *word == head);
    let (given, about) = known.map_or(("Number", "How many."), |(_, name, about)| (name, about));
    let name = name.map_or_else(|| free_name(study, given), str::to_owned);
    if study.checked.names.iter().any(|known| known.name == name) {
        return Err(format!("there is a {name} already"));
    }
    let declared = parts(text);
    let last = |ludeme: Ludeme| declared.iter().rfind(|part| part.row.ludeme == ludeme);
    let before = last(Ludeme::Option).map(|part| part.span.end);
    let before = before.or_else(|| {
        let player = last(Ludeme::Players)?.span;
        Some(path_to(&tree.forms, player.start).get(1)?.span.end)
    });
    let title = super::super::outline::title(text).map(|(_, span)| span.end);
    let at = before.or(title).ok_or("the file has no game")?;
    let ranges = [
        (value / 2, value * 2),
        (value - 1, value * 2),
        (value - 1, value + 1),
        (value, value * 2),
        (value, value + 1),
        (value - 1, value),
    ];
    let mut reason = "no other value is possible here".to_owned();
    for (least, most) in ranges {
        if least >= most || (least < 1 && value >= 1) {
            continue;
        }
        let option = format!("\n  (option {name} (range {least} {most}) {value} \"{about}\")");
        let edits = vec![
            Edit { span: Span::new(at, at), text: option },
            Edit { span: number.span, text: name.clone() },
        ];
        let after = match changed(study, file, &edits) {
            Ok(after) => after,
            Err(message) => {
                reason = message;
                continue;
            }
        };
        let Some(rules) = &after.checked.rules else { continue };
        if let Some(finding) = check_values(&after.sources, rules).first() {
            reason = finding.message.clone();
            continue;
        }
        let mut edits = edits;
        edits.sort_by_key(|edit| edit.span);
        return Ok(edits);
    }
    Err(reason)
}
