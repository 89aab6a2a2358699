//! Deletes unused declarations, repeatedly until none is left, and the statements that set a memory
//! which is never read.

use super::{changed, with_line};
use crate::editor::{CheckedSources, path_to};
use crate::language::finding::{Code, Edit};
use crate::language::ludemes::{Kind, rows};
use crate::language::names::NameKind;
use crate::syntax::{Node, Span, parse};

/// The most rounds of deletion.
const ROUNDS: usize = 30;

/// Deletes what is unused in a file.
pub(super) fn delete(study: &CheckedSources, file: usize) -> Result<Vec<Edit>, String> {
    let before = study.sources.text_of(file).to_owned();
    let mut now = study.clone();
    for _ in 0..ROUNDS {
        let tries = unused(&now, file).into_iter().filter_map(|at| deletion(&now, file, at));
        let Some(next) = tries.into_iter().find_map(|edits| changed(&now, file, &edits).ok())
        else {
            break;
        };
        now = next;
    }
    let after = now.sources.text_of(file);
    if after == before {
        return Err(match unused(study, file).is_empty() {
            true => "everything is used".to_owned(),
            false => "what is never used cannot be deleted by itself here".to_owned(),
        });
    }
    Ok(vec![difference(&before, after)])
}

/// Lists the places of unused names in a file.
fn unused(study: &CheckedSources, file: usize) -> Vec<Span> {
    let findings = study.checked.findings.iter().filter(|finding| finding.code == Code::Unused);
    let places = findings.map(|finding| study.sources.place(finding.span));
    places.filter(|(of, _)| *of == file).map(|(_, span)| span).collect()
}

/// Returns the edits that delete a declaration, with the statements that use its name.
fn deletion(study: &CheckedSources, file: usize, name: Span) -> Option<Vec<Edit>> {
    let text = study.sources.text_of(file);
    let tree = parse(text);
    let declared = study.name_at(file, name.start)?;
    let path = path_to(&tree.forms, name.start);
    let is_let = |node: &Node| node.head().is_some_and(|(head, _)| head == "let");
    let own = match declared.kind {
        NameKind::Variable => path.iter().rev().find(|node| is_let(node))?.span,
        _ => path.get(1)?.span,
    };
    let is_statement = |node: &Node| {
        node.head().is_some_and(|(head, _)| rows(head).any(|row| row.result == Kind::Statement))
    };
    let mut spans = vec![own];
    for &span in &declared.uses {
        let (of, span) = study.sources.place(span);
        let path = path_to(&tree.forms, span.start);
        let inner = path.iter().rev().find(|node| is_statement(node)).filter(|_| of == file)?;
        spans.push(inner.span);
    }
    spans.sort_unstable();
    spans.dedup();
    let edit = |span: Span| Edit { span: with_line(text, span), text: String::new() };
    Some(spans.into_iter().map(edit).collect())
}

/// Returns the smallest change between two texts.
pub(super) fn difference(before: &str, after: &str) -> Edit {
    let same = |(one, other): &(char, char)| one == other;
    let length = |letters: &mut dyn Iterator<Item = (char, char)>| {
        letters.map(|(letter, _)| letter.len_utf8()).sum::<usize>()
    };
    let start = length(&mut before.chars().zip(after.chars()).take_while(same));
    let ends = before[start..].chars().rev().zip(after[start..].chars().rev());
    let end = length(&mut ends.take_while(same));
    Edit {
        span: Span::new(start, before.len() - end),
        text: after[start..after.len() - end].to_owned(),
    }
}
