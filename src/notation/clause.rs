//! A clause of the rules in, how a message of one line speaks of it out. It refuses to know why anybody asks.

use super::spelling::{clip_to, spell_argument};
use crate::account::{Account, Nobody, Objection};
use crate::engine::game::{Fault, Match, Move};
use crate::language::rules::{Domain, Rules};
use crate::syntax::Span;

/// A clause longer than this is clipped.
const LONGEST: usize = 72;

/// The line of the rules file that a clause begins on, from 1.
pub fn line(rules: &Rules, clause: Span) -> usize {
    let before = rules.source.as_bytes().iter().take(clause.start);
    before.filter(|&&byte| byte == b'\n').count() + 1
}

/// Quotes a clause on one line: comments left out, white space folded, and clipped where it is long.
pub fn quote(rules: &Rules, clause: Span) -> String {
    format!("`{}`", fold(rules, clause, LONGEST))
}

/// The text of a clause on one line, clipped after so many characters.
pub fn fold(rules: &Rules, clause: Span, most: usize) -> String {
    let mut words: Vec<&str> = Vec::new();
    let mut rest = clause.text(&rules.source);
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        words.extend(without_comment(line).split_whitespace());
        rest = after;
    }
    // A bracket that stands on a line of its own closes what is before it.
    let folded = words.join(" ").replace(" )", ")").replace("( ", "(");
    clip_to(&folded, most)
}

/// Says what goes round without end, and which clause of the rules does it.
pub fn endless(rules: &Rules, fault: &Fault) -> String {
    format!("{}: line {} of the rules, {}", fault.message, line(rules, fault.span), quote(rules, fault.span))
}

/// The line up to its comment. A semicolon between quotes begins none.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let end = line.char_indices().find(|&(_, character)| {
        quoted ^= character == '"';
        character == ';' && !quoted
    });
    end.map_or(line, |(end, _)| &line[..end])
}

/// Says which clause of the rules forbids a move that could be chosen from now; nothing where no clause is known.
pub(super) fn reason(position: &Match, ply: &Move) -> Option<String> {
    let rules = position.game().rules();
    let account = Account::at(position);
    match account.objection(ply, &mut Nobody) {
        _ if account.is_exhausted() => None,
        Some(Objection::Over | Objection::NotNow) => None,
        Some(Objection::Requirement(clause)) => {
            Some(format!("line {} of the rules asks {}, and it does not hold", line(rules, clause), quote(rules, clause)))
        }
        Some(Objection::NotOffered(index)) => {
            let parameter = &rules.moves[ply.rule.index()].parameters[index];
            let chosen = spell_argument(rules, ply.arguments.get(index)?);
            let among = among(rules, &parameter.domain);
            Some(format!("`{chosen}` is not among {among}, from which line {} of the rules chooses", line(rules, parameter.span)))
        }
        None => {
            let decision = &position.game().program().decisions[position.decision()?];
            let steps = decision.steps.is_some().then(|| line(rules, decision.span))?;
            Some(format!("the turn could not be completed after it, as line {steps} of the rules demands"))
        }
    }
}

/// Names what a parameter is chosen from.
pub fn among(rules: &Rules, domain: &Domain) -> String {
    match domain {
        Domain::Sites(sites) => quote(rules, sites.span),
        Domain::Directions(directions) => quote(rules, directions.span),
        Domain::Players(span) | Domain::Pieces(_, span) => quote(rules, *span),
        Domain::Numbers { least, most, .. } => format!("the numbers from {least} to {most}"),
    }
}
