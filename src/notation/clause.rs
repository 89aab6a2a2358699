//! Formats a clause of the rules for messages of one line.

use super::spelling::clip_to;
use crate::engine::game::Fault;
use crate::language::rules::{Domain, Rules};
use crate::syntax::Span;

/// Maximum length of a quoted clause in characters.
const LONGEST: usize = 72;

/// Returns the line on which a clause begins, with its file if the rules have several: `line 21 of
/// the rules`.
pub fn line(rules: &Rules, clause: Span) -> String {
    let file = rules.files.file_of(clause);
    let name = rules.files.names().nth(file).filter(|_| rules.files.names().len() > 1);
    format!("line {} of {}", line_number(rules, clause), name.unwrap_or("the rules"))
}

/// Returns the number of the line on which a clause begins in its file, from 1.
pub fn line_number(rules: &Rules, clause: Span) -> usize {
    let (file, span) = rules.files.place(clause);
    let before = rules.files.text_of(file).as_bytes().iter().take(span.start);
    before.filter(|&&byte| byte == b'\n').count() + 1
}

/// Quotes a clause on one line: without comments, with white space folded, clipped to 72
/// characters.
pub fn quote(rules: &Rules, clause: Span) -> String {
    format!("`{}`", fold(rules, clause, LONGEST))
}

/// Returns the text of a clause on one line, clipped to `most` characters.
pub fn fold(rules: &Rules, clause: Span, most: usize) -> String {
    let mut words: Vec<&str> = Vec::new();
    let mut rest = clause.text(rules.source());
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        words.extend(without_comment(line).split_whitespace());
        rest = after;
    }
    // A bracket on a line of its own attaches to the text before it.
    let folded = words.join(" ").replace(" )", ")").replace("( ", "(");
    clip_to(&folded, most)
}

/// Describes rules that do not terminate, with the clause where the fuel ran out.
pub fn endless(rules: &Rules, fault: &Fault) -> String {
    format!("{}: {}, {}", fault.message, line(rules, fault.span), quote(rules, fault.span))
}

/// Returns the line up to its comment. Semicolons in strings begin no comment.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let end = line.char_indices().find(|&(_, character)| {
        quoted ^= character == '"';
        character == ';' && !quoted
    });
    end.map_or(line, |(end, _)| &line[..end])
}

/// Names the domain of a parameter.
pub fn among(rules: &Rules, domain: &Domain) -> String {
    match domain {
        Domain::Sites(sites) => quote(rules, sites.span),
        Domain::Directions(directions) => quote(rules, directions.span),
        Domain::Players(span)
        | Domain::Team(_, span)
        | Domain::Pieces(_, span)
        | Domain::Groups { span, .. } => quote(rules, *span),
        Domain::Numbers { least, most, .. } => format!("the numbers from {least} to {most}"),
    }
}
