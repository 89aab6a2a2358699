//! A clause of the rules in, how a message of one line speaks of it out. It refuses to know why
//! anybody asks.

use super::spelling::clip_to;
use crate::engine::game::Fault;
use crate::language::rules::{Domain, Rules};
use crate::syntax::Span;

/// A clause longer than this is clipped.
const LONGEST: usize = 72;

/// Names the line that a clause begins on, and its file where there are several: `line 21 of the
/// rules`.
pub fn line(rules: &Rules, clause: Span) -> String {
    let file = rules.files.file_of(clause);
    let name = rules.files.names().nth(file).filter(|_| rules.files.names().len() > 1);
    format!("line {} of {}", line_number(rules, clause), name.unwrap_or("the rules"))
}

/// The line that a clause begins on in its file, from 1.
pub fn line_number(rules: &Rules, clause: Span) -> usize {
    let (file, span) = rules.files.place(clause);
    let before = rules.files.text_of(file).as_bytes().iter().take(span.start);
    before.filter(|&&byte| byte == b'\n').count() + 1
}

/// Quotes a clause on one line: comments left out, white space folded, and clipped where it is
/// long.
pub fn quote(rules: &Rules, clause: Span) -> String {
    format!("`{}`", fold(rules, clause, LONGEST))
}

/// The text of a clause on one line, clipped after so many characters.
pub fn fold(rules: &Rules, clause: Span, most: usize) -> String {
    let mut words: Vec<&str> = Vec::new();
    let mut rest = clause.text(rules.source());
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
    format!("{}: {}, {}", fault.message, line(rules, fault.span), quote(rules, fault.span))
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

/// Names what a parameter is chosen from.
pub fn among(rules: &Rules, domain: &Domain) -> String {
    match domain {
        Domain::Sites(sites) => quote(rules, sites.span),
        Domain::Directions(directions) => quote(rules, directions.span),
        Domain::Players(span) | Domain::Pieces(_, span) => quote(rules, *span),
        Domain::Numbers { least, most, .. } => format!("the numbers from {least} to {most}"),
    }
}
