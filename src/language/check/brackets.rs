//! Findings that a bracket in the wrong place explains in, that bracket out.
//!
//! Brackets may match and still not be where they were meant to be: one form ends too early, and
//! another has an argument too many. Whether one that moves makes sense of the rules is found out
//! by checking them again. It refuses to know what a form means.

use super::{Checked, check_trees};
use crate::language::finding::{Code, Finding, Severity};
use crate::language::sources::Sources;
use crate::syntax::{FaultKind, Moved, Span, Tree};

/// So many arguments too many are asked whether a bracket before or behind them should move.
const MAX_QUERIES: usize = 4;

/// So many brackets before the one that the indentation speaks of are tried, and so many places.
const MAX_TRIED: usize = 16;

/// A longer text takes too long to be checked so often.
const LONGEST: usize = 1 << 17;

/// Checks the rules with a bracket moved, if that leaves fewer mistakes, the misplaced bracket
/// counted.
pub(super) fn explained(
    sources: &Sources,
    choices: &[(String, String)],
    checked: &Checked,
) -> Option<Checked> {
    let mistakes = errors(checked).count();
    let unmatched = |tree: &Tree| {
        tree.faults.iter().any(|fault| {
            !matches!(
                fault.kind,
                FaultKind::StrayCharacter(_) | FaultKind::WrongQuotes | FaultKind::BadNumber
            )
        })
    };
    if mistakes == 0 || sources.text().len() > LONGEST || sources.trees().iter().any(unmatched) {
        return None;
    }
    let best = |moves: &mut dyn Iterator<Item = Moved>| {
        let found =
            moves.map(|moved| (moved, check_trees(sources, &sources.trees_moving(moved), choices)));
        found.min_by_key(|(_, checked)| errors(checked).count())
    };
    let text = sources.text();
    // The indentation tells where about; which bracket, and to which place, is tried as long as
    // other mistakes are left.
    let nearer = |(moved, found): (Moved, Checked), others: &dyn Fn(&str, Moved) -> Vec<Moved>| {
        match errors(&found).count() {
            1 => Some((moved, found)),
            _ => best(&mut [moved].into_iter().chain(others(text, moved))),
        }
    };
    let indented = best(&mut sources.misplaced_brackets().into_iter());
    let indented = indented
        .and_then(|found| nearer(found, &other_brackets))
        .and_then(|found| nearer(found, &other_places));
    let indented =
        indented.map(|(_, found)| found).filter(|found| errors(found).count() <= mistakes);
    // Without a word from the indentation it must explain two mistakes at least.
    let asked = mistakes > 1 && indented.is_none();
    let beside = if asked { best(&mut neighbours(text, checked)) } else { None };
    indented
        .or_else(|| beside.map(|(_, found)| found).filter(|found| errors(found).count() < mistakes))
}

fn errors(checked: &Checked) -> impl Iterator<Item = &Finding> {
    checked.findings.iter().filter(|finding| finding.severity() == Severity::Error)
}

/// Arguments too many, as far as they are asked.
fn extras(checked: &Checked) -> impl Iterator<Item = Span> {
    errors(checked)
        .filter(|finding| finding.code == Code::ExtraArgument)
        .map(|finding| finding.span)
        .take(MAX_QUERIES)
}

/// The bracket that ends right before this place.
fn bracket_before(text: &str, place: usize) -> Option<Span> {
    let end = text[..place].trim_end().len();
    text[..end].ends_with(')').then(|| Span::new(end - 1, end))
}

/// The bracket that follows right after this place.
fn bracket_after(text: &str, place: usize) -> Option<Span> {
    let start = text.len() - text[place..].trim_start().len();
    text[start..].starts_with(')').then(|| Span::new(start, start + 1))
}

/// Moves that give an argument too many to the form before it, or take it out of the form that it
/// ends.
fn neighbours(text: &str, checked: &Checked) -> impl Iterator<Item = Moved> {
    extras(checked).flat_map(move |extra| {
        let earlier =
            bracket_before(text, extra.start).map(|brackets| Moved { brackets, to: extra.end });
        let later = bracket_after(text, extra.end)
            .map(|brackets| Moved { brackets, to: text[..extra.start].trim_end().len() });
        earlier.into_iter().chain(later)
    })
}

/// Moves of an earlier bracket of the line to the same place.
fn other_brackets(text: &str, moved: Moved) -> Vec<Moved> {
    let line = text[..moved.brackets.start].rfind('\n').map_or(0, |end| end + 1);
    let before = if moved.brackets.len() == 1 { line..moved.brackets.start } else { 0..0 };
    let brackets = before.rev().filter(|&place| text.as_bytes()[place] == b')').take(MAX_TRIED);
    brackets.map(|place| Moved { brackets: Span::new(place, place + 1), ..moved }).collect()
}

/// Moves of the same bracket to a place not far before that one, behind a word or a bracket.
fn other_places(text: &str, moved: Moved) -> Vec<Moved> {
    let bytes = text.as_bytes();
    let is_end = |&place: &usize| {
        (bytes[place] == b')' || bytes[place].is_ascii_whitespace())
            && !bytes[place - 1].is_ascii_whitespace()
            && bytes[place - 1] != b'('
    };
    (1..moved.to).rev().filter(is_end).take(MAX_TRIED).map(|to| Moved { to, ..moved }).collect()
}
