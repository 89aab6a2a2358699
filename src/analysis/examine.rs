//! All findings about a text: of the checker, of other values of the options, and of play.
//! playing it shows.

use super::{BoardCoverage, Effort, analyze};
use crate::diagnostics::Places;
use crate::engine::game::Game;
use crate::language::finding::Finding;
use crate::language::sources::Sources;
use crate::language::{ChoiceFault, check, check_values};
use crate::notation::clause::{line, quote};
use crate::syntax::Span;
use std::panic::resume_unwind;
use std::thread::Builder;

/// The result of checking and playing a game.
#[derive(Clone, Debug)]
pub struct Examined {
    pub findings: Vec<Finding>,
    /// Coverage per board; empty if the rules cannot be played.
    pub looked: Vec<BoardCoverage>,
    /// Unreached end conditions: place and text as messages quote them, and the line.
    pub unreached: Vec<(String, String, usize)>,
}

/// Checks a game, analyzes its play with the given effort, and returns all findings.
///
/// # Errors
/// If the options do not fit.
pub fn examine(
    source: &Sources,
    choices: &[(String, String)],
    effort: Effort,
) -> Result<Examined, Vec<ChoiceFault>> {
    let checked = check(source, choices);
    let mut findings = checked.findings;
    if !checked.choice_faults.is_empty() {
        return Err(checked.choice_faults);
    }
    let Some(rules) = checked.rules else {
        return Ok(Examined { findings, looked: Vec::new(), unreached: Vec::new() });
    };
    // A glance skips texts with findings: the known faults may explain everything it would report.
    let looks = findings.is_empty() || effort == Effort::Deep;
    // Explicit options restrict the check to the values chosen.
    let other_values = || match choices.is_empty() {
        true => check_values(source, &rules),
        false => Vec::new(),
    };
    let analyzed = || looks.then(|| analyze(source, choices, rules.clone(), effort)).flatten();
    let (values, seen) = std::thread::scope(|scope| {
        match Builder::new().spawn_scoped(scope, other_values) {
            Ok(thread) => {
                let seen = analyzed();
                (thread.join().unwrap_or_else(|panic| resume_unwind(panic)), seen)
            }
            // Browsers have no threads.
            Err(_) => (other_values(), analyzed()),
        }
    });
    let (mut looked, mut unreached, mut found) = (Vec::new(), Vec::new(), Vec::new());
    match seen {
        None => findings.extend(Game::compile(rules).err()),
        Some(seen) => {
            unreached = seen
                .unreached
                .iter()
                .map(|&span| (line(&rules, span), quote(&rules, span), line_of(source, span)))
                .collect();
            (looked, found) = (seen.looked, seen.findings);
        }
    }
    findings.extend(values);
    if findings.is_empty() || effort == Effort::Deep {
        let new: Vec<Finding> =
            found.into_iter().filter(|finding| !is_told(source, &findings, finding)).collect();
        findings.extend(new);
    }
    Ok(Examined { findings, looked, unreached })
}

/// Line of a span in its file, from 1.
fn line_of(source: &Sources, span: Span) -> usize {
    let (file, span) = source.place(span);
    Places::new(source.text_of(file)).of(span.start).line
}

/// Tests if a known finding covers a finding from play: its span contains it, or it has the same
/// code and the `if` or `move` form around it contains it.
fn is_told(source: &Sources, known: &[Finding], seen: &Finding) -> bool {
    let holds = |outer: Span, inner: Span| outer.start <= inner.start && inner.end <= outer.end;
    known.iter().any(|known| {
        holds(known.span, seen.span)
            || known.code == seen.code
                && source
                    .form_around(known.span, &["if", "move"])
                    .is_some_and(|form| holds(form, seen.span))
    })
}
