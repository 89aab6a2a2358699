//! Explains how a game ended: the clause that decided it, and the sites that decided its
//! conditions.

use super::notes::{Note, VariableValue, bindings};
use super::story::{Happening, HappeningKind, Recorder};
use super::{Answer, TOO_LONG, Verdict, first_line, opening};
use crate::board::Site;
use crate::engine::game::State;
use crate::notation::{shown_outcome, spell};
use crate::reference::Interpreter;
use std::collections::BTreeSet;

/// How a game ended.
#[derive(Clone, Debug)]
pub struct Ending {
    /// The message without the clauses of the rules.
    pub brief: String,
    /// The sites that decided the result, such as those of a line; in ascending order.
    pub sites: Vec<Site>,
}

/// Explains which clause decided the game.
///
/// # Errors
/// Fails if the game is not over, ended without a deciding clause or was over in the given
/// position, or if finding the clause takes too long.
pub fn why_result(position: &State) -> Result<Answer, String> {
    let rules = position.game().rules();
    let Some(over) = position.outcome() else { return Err("the game is not over yet".to_owned()) };
    let result = shown_outcome(rules, Some(over));
    let mut recorder = Recorder::default();
    if position.ply_count() == 0 {
        let begun = Interpreter::start(rules, &mut recorder);
        if !begun.is_ok_and(|begun| {
            begun.outcome() == Some(over) && *begun.snapshot() == position.snapshot()
        }) {
            return Err(format!("the game was over in the given position: {result}"));
        }
    } else {
        let mut earlier = position.clone();
        earlier.undo();
        let mut interpreter = Interpreter::with_past(&earlier);
        if position
            .plies()
            .last()
            .is_some_and(|last| interpreter.play(last, &mut recorder).is_err())
        {
            return Err(TOO_LONG.to_owned());
        }
    }
    let happenings = recorder.happenings;
    let Some(at) = happenings.iter().rposition(|happening| happening.kind == HappeningKind::Result)
    else {
        return Err(format!("the game ended because its order of play is complete: {result}"));
    };
    let deciding = &happenings[at];
    let mut notes = vec![Note { span: deciding.span, text: deciding.text.clone() }];
    let mut bound = deciding.bound.clone();
    let mut reasons = Vec::new();
    // The parts of the message without clauses.
    let mut plain = Vec::new();
    let mut sites = BTreeSet::new();
    for happening in led_to(&happenings[..at], deciding) {
        reasons.push(happening.text.clone());
        sites.extend(&happening.sites);
        if matches!(happening.kind, HappeningKind::NoMove | HappeningKind::Repetition) {
            plain.push(happening.text.clone());
        }
        match happening.kind {
            HappeningKind::NoMove if happening.span == deciding.span => {
                notes[0].text = format!("{result}: {}", happening.text)
            }
            _ if happening.notes.is_empty() => notes.push(Note {
                span: first_line(rules, happening.span),
                text: happening.text.clone(),
            }),
            _ => notes.extend(happening.notes.iter().cloned()),
        }
        let new: Vec<VariableValue> =
            happening.bound.iter().filter(|new| !bound.contains(new)).cloned().collect();
        bound.extend(new);
    }
    let scores = deciding.text.strip_prefix(&format!("{result}: ")).map(str::to_owned);
    reasons.extend(scores.clone());
    plain.extend(scores);
    let last = position
        .plies()
        .last()
        .map(|ply| format!(" after `{}`", spell(rules, ply)))
        .unwrap_or_default();
    let because = |reasons: &[String]| match reasons {
        [] => format!("{result}{last}"),
        some => format!("{result}{last}: {}", some.join("; ")),
    };
    let brief = because(&plain);
    notes[0].span = opening(rules, deciding.span, &notes[1..]);
    Ok(Answer {
        about: "result".to_owned(),
        verdict: Verdict::Over,
        message: because(&reasons),
        clause: Some(deciding.span),
        notes,
        help: bindings(&bound),
        ending: Some(Ending { brief, sites: sites.into_iter().collect() }),
    })
}

/// Returns the happenings directly before a result, in the same part of the rules: the conditions
/// that led to it.
fn led_to<'h>(before: &'h [Happening], result: &Happening) -> Vec<&'h Happening> {
    let same = before.iter().rev().take_while(|happening| happening.part == result.part);
    let near = same.take_while(|happening| {
        happening.holds
            && !matches!(
                happening.kind,
                HappeningKind::Effect | HappeningKind::Choice | HappeningKind::Let
            )
    });
    let mut led: Vec<&Happening> = near.collect();
    led.reverse();
    led
}
