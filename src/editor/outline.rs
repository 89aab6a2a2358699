//! The outline of a file: its parts and their declarations. Works on files with errors.

use crate::language::ludemes::{Kind, Ludeme, Row, rows};
use crate::syntax::{Node, Span, Tree, parse};

/// A part of a file.
#[derive(Clone, Debug)]
pub struct OutlinePart {
    /// The declared name, or the word that the part begins with.
    pub name: String,
    /// The span of the name.
    pub name_span: Span,
    /// The span of the whole part.
    pub span: Span,
    pub row: &'static Row,
    /// The arguments of a use of the name: type and name, in order.
    pub arguments: Vec<(String, String)>,
    /// The values of an option, as written.
    pub values: Vec<String>,
    /// The description of an option, or the comment before or behind the part; empty if there is
    /// none.
    pub about: String,
}

impl OutlinePart {
    /// Formats a use of the declared name with its arguments.
    ///
    /// ```
    /// let parts = ludwright::editor::outline::parts("(game \"G\" (define (Near (site s)) (beside s)) (hand Supply 4))");
    /// assert_eq!(parts.iter().map(|part| part.usage()).collect::<Vec<_>>(), ["(Near s: site)", "(Supply player: player)"]);
    /// ```
    pub fn usage(&self) -> String {
        let arguments: String =
            self.arguments.iter().map(|(kind, name)| format!(" {name}: {kind}")).collect();
        if arguments.is_empty() { self.name.clone() } else { format!("({}{arguments})", self.name) }
    }
}

/// Lists the parts of a file in the order of the text, with one entry for each player.
pub fn parts(text: &str) -> Vec<OutlinePart> {
    let tree = parse(text);
    let mut parts = Vec::new();
    for form in &tree.forms {
        let whole = form
            .head()
            .is_some_and(|(head, _)| matches!(head, "game" | "variant-of" | "definitions"));
        let nodes = form.as_form().filter(|_| whole).unwrap_or_default();
        for node in nodes.iter().skip(1) {
            let Some(row) =
                node.head().and_then(|(head, _)| rows(head).find(|row| row.result == Kind::Part))
            else {
                continue;
            };
            match row.ludeme {
                Ludeme::Players => {
                    let names = node.as_form().unwrap_or_default().iter().skip(1);
                    parts.extend(names.filter_map(|node| {
                        let (name, span) =
                            node.head().or_else(|| Some((node.as_word()?, node.span)))?;
                        Some(named(name, span, node.span, row, String::new()))
                    }));
                }
                _ => parts.extend(part(text, &tree, node, row)),
            }
        }
    }
    parts
}

/// Returns the title of the game in a file and its span.
pub fn title(text: &str) -> Option<(String, Span)> {
    let tree = parse(text);
    let game = tree
        .forms
        .iter()
        .find(|form| form.head().is_some_and(|(head, _)| matches!(head, "game" | "variant-of")))?;
    let texts: Vec<&Node> =
        game.as_form()?.iter().skip(1).take_while(|node| node.as_text().is_some()).collect();
    let title = texts.last()?;
    Some((title.as_text()?.to_owned(), title.span))
}

fn named(name: &str, name_span: Span, span: Span, row: &'static Row, about: String) -> OutlinePart {
    OutlinePart {
        name: name.to_owned(),
        name_span,
        span,
        row,
        arguments: Vec::new(),
        values: Vec::new(),
        about,
    }
}

fn part(text: &str, tree: &Tree, node: &Node, row: &'static Row) -> Option<OutlinePart> {
    let args = node.as_form()?.get(1..)?;
    let declares = row
        .slots
        .first()
        .is_some_and(|slot| matches!(slot.kind, Kind::Name | Kind::Verb | Kind::Heading));
    let (head, span) = node.head()?;
    let heading = args.first().filter(|_| declares);
    let (name, name_span) = heading
        .and_then(|first| first.head().or_else(|| Some((first.as_word()?, first.span))))
        .unwrap_or((head, span));
    let mut part = named(name, name_span, node.span, row, comment(text, tree, node.span));
    match row.ludeme {
        Ludeme::Define => {
            let parameters = heading.and_then(Node::as_form).unwrap_or_default().iter().skip(1);
            let word = |parts: &[Node], index: usize| {
                parts.get(index).and_then(Node::as_word).map(str::to_owned)
            };
            part.arguments = parameters
                .filter_map(|node| Some((word(node.as_form()?, 0)?, word(node.as_form()?, 1)?)))
                .collect();
        }
        Ludeme::Hand | Ludeme::Remember => {
            let details =
                args.iter().filter(|node| node.head().is_some_and(|(head, _)| head == "per"));
            let mut per_what: Vec<&str> =
                details.filter_map(|node| node.as_form()?.get(1)?.as_word()).collect();
            if row.ludeme == Ludeme::Hand {
                per_what.push("player");
            }
            part.arguments = ["player", "direction", "kind", "site"]
                .into_iter()
                .filter(|what| per_what.contains(what))
                .map(per)
                .collect();
        }
        Ludeme::Option => {
            let listed = args.get(1).and_then(Node::as_form).unwrap_or_default().iter().skip(1);
            part.values = listed.filter_map(Node::as_word).map(str::to_owned).collect();
            if let Some(description) = args.last().and_then(Node::as_text) {
                part.about = description.split_whitespace().collect::<Vec<_>>().join(" ");
            }
        }
        _ => {}
    }
    Some(part)
}

fn per(what: &str) -> (String, String) {
    (what.to_owned(), what.to_owned())
}

/// Returns the comment after a part on its last line, or else the comments on the lines before it.
fn comment(text: &str, tree: &Tree, span: Span) -> String {
    let between = |start: usize, end: usize| text.get(start..end).unwrap_or("?");
    let behind = |start: usize| {
        between(span.end, start)
            .chars()
            .all(|letter| letter != '\n' && (letter.is_whitespace() || letter == ')'))
    };
    let said = |text: &str| text.trim_start_matches(';').trim().to_owned();
    // Comments are in the order of the text.
    let after = tree.comments.partition_point(|comment| comment.span.start < span.end);
    if let Some(comment) = tree.comments.get(after)
        && comment.trailing
        && behind(comment.span.start)
    {
        return said(&comment.text);
    }
    let before = tree.comments.partition_point(|comment| comment.span.end <= span.start);
    let mut lines = Vec::new();
    let mut start = span.start;
    for comment in tree.comments[..before].iter().rev().take_while(|comment| !comment.trailing) {
        let gap = between(comment.span.end, start);
        if !gap.chars().all(char::is_whitespace) || gap.matches('\n').count() > 1 {
            break;
        }
        lines.push(said(&comment.text));
        start = comment.span.start;
    }
    lines.reverse();
    lines.join(" ")
}
