//! Finds a misplaced bracket that explains other findings.
//!
//! Brackets may match and still be misplaced: one form ends too early, and another gets an extra
//! argument. Candidate moves come from the indentation and from extra arguments; each is tried by
//! checking the rules with the bracket moved, and the move that leaves the fewest errors wins.

use super::{Checked, check_trees};
use crate::language::finding::{Code, Finding, Severity};
use crate::language::sources::Sources;
use crate::syntax::{BracketMove, FaultKind, Span, Tree};

/// How many extra arguments are tried with a neighbouring bracket moved.
const MAX_QUERIES: usize = 4;

/// How many brackets before the indicated one, and how many places before the indicated one, are
/// tried.
const MAX_TRIED: usize = 16;

/// The maximal length of a text, in bytes; a longer one takes too long to check repeatedly.
const LONGEST: usize = 1 << 17;

/// Returns the findings with the best bracket move, if it reduces the errors. The misplaced bracket
/// itself counts as an error; a move by the indentation may leave the number unchanged.
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
    // Ties go to the first candidate.
    let best = |moves: &mut dyn Iterator<Item = BracketMove>| {
        let found =
            moves.map(|moved| (moved, check_trees(sources, &sources.trees_moving(moved), choices)));
        // A text that is no game any more is not checked further: its few errors prove nothing.
        let found = found.filter(|(_, moved)| is_game(moved) || !is_game(checked));
        found.min_by_key(|(_, checked)| errors(checked).count())
    };
    let text = sources.text();
    // The indentation gives the approximate position. While other errors remain, other brackets of
    // the line and then other places are tried.
    let nearer = |(moved, found): (BracketMove, Checked),
                  others: &dyn Fn(&str, BracketMove) -> Vec<BracketMove>| {
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
    // Without support from the indentation, a move must explain at least two errors.
    let asked = mistakes > 1 && indented.is_none();
    let beside = if asked { best(&mut neighbours(text, checked)) } else { None };
    indented
        .or_else(|| beside.map(|(_, found)| found).filter(|found| errors(found).count() < mistakes))
}

/// Tests if the text is a game, and nothing but a game.
fn is_game(checked: &Checked) -> bool {
    checked.findings.iter().all(|finding| finding.code != Code::NotAGame)
}

fn errors(checked: &Checked) -> impl Iterator<Item = &Finding> {
    checked.findings.iter().filter(|finding| finding.severity() == Severity::Error)
}

/// Returns the spans of extra arguments, limited to [`MAX_QUERIES`].
fn extras(checked: &Checked) -> impl Iterator<Item = Span> {
    errors(checked)
        .filter(|finding| finding.code == Code::ExtraArgument)
        .map(|finding| finding.span)
        .take(MAX_QUERIES)
}

/// Returns the closing bracket directly before this position.
fn bracket_before(text: &str, place: usize) -> Option<Span> {
    let end = text[..place].trim_end().len();
    text[..end].ends_with(')').then(|| Span::new(end - 1, end))
}

/// Returns the closing bracket directly after this position.
fn bracket_after(text: &str, place: usize) -> Option<Span> {
    let start = text.len() - text[place..].trim_start().len();
    text[start..].starts_with(')').then(|| Span::new(start, start + 1))
}

/// Moves that append an extra argument to the form before it, or remove it from the end of its
/// form.
fn neighbours(text: &str, checked: &Checked) -> impl Iterator<Item = BracketMove> {
    extras(checked).flat_map(move |extra| {
        let earlier = bracket_before(text, extra.start)
            .map(|brackets| BracketMove { brackets, to: extra.end });
        let later = bracket_after(text, extra.end)
            .map(|brackets| BracketMove { brackets, to: text[..extra.start].trim_end().len() });
        earlier.into_iter().chain(later)
    })
}

/// Moves of an earlier bracket of the line to the same place.
fn other_brackets(text: &str, moved: BracketMove) -> Vec<BracketMove> {
    let line = text[..moved.brackets.start].rfind('\n').map_or(0, |end| end + 1);
    let before = if moved.brackets.len() == 1 { line..moved.brackets.start } else { 0..0 };
    let brackets = before.rev().filter(|&place| text.as_bytes()[place] == b')').take(MAX_TRIED);
    brackets.map(|place| BracketMove { brackets: Span::new(place, place + 1), ..moved }).collect()
}

/// Moves of the same bracket to an earlier place, after a word or a bracket.
fn other_places(text: &str, moved: BracketMove) -> Vec<BracketMove> {
    let bytes = text.as_bytes();
    let is_end = |&place: &usize| {
        (bytes[place] == b')' || bytes[place].is_ascii_whitespace())
            && !bytes[place - 1].is_ascii_whitespace()
            && bytes[place - 1] != b'('
    };
    (1..moved.to)
        .rev()
        .filter(is_end)
        .take(MAX_TRIED)
        .map(|to| BracketMove { to, ..moved })
        .collect()
}
