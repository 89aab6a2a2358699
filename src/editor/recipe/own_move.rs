//! Merges the recipe's move that places a piece with the game's: the destination is restricted
//! further, and other effects come before or after the piece is put.

use super::Insertion;
use super::naming::with_words;
use crate::syntax::{Node, Span};
use std::collections::BTreeMap;

/// A move that places a piece: `(move verb (to t region) … (put Piece t) …)`.
struct Placement<'n> {
    variable: &'n str,
    region: &'n Node,
    before: &'n [Node],
    put: &'n Node,
    after: &'n [Node],
}

impl<'n> Placement<'n> {
    /// Reads a part; `None` if it is no move of this form.
    fn of(part: &'n Node) -> Option<Placement<'n>> {
        let nodes = part.as_form()?;
        let (choice, body) = (nodes.get(2)?, nodes.get(3..)?);
        let [head, variable, region] = choice.as_form()? else { return None };
        let variable = variable.as_word()?;
        if nodes.first()?.as_word() != Some("move") || head.as_word() != Some("to") {
            return None;
        }
        let is_choice = |node: &Node| {
            node.head().is_some_and(|(head, _)| {
                matches!(head, "to" | "at" | "from" | "towards" | "kind" | "number")
            })
        };
        let is_put = |node: &Node| match node.as_form() {
            Some([head, _, at]) => head.as_word() == Some("put") && at.as_word() == Some(variable),
            _ => false,
        };
        let put = body.iter().position(is_put)?;
        let is_one =
            !body.iter().any(is_choice) && body.iter().filter(|node| is_put(node)).count() == 1;
        is_one.then_some(Placement {
            variable,
            region,
            before: &body[..put],
            put: &body[put],
            after: &body[put + 1..],
        })
    }
}

impl<'t> Insertion<'t> {
    /// Merges a move of the recipe with the game's move that places pieces; if the game has
    /// several, with the one at the designer's cursor. False if the recipe's move has another form,
    /// or the game has no such move.
    pub(super) fn grow(&mut self, part: &Node, rules: &str) -> bool {
        let verb = part.as_form().and_then(|nodes| nodes.get(1)?.as_word());
        let Some(wanted) = Placement::of(part).filter(|_| verb == Some(&self.own_verb)) else {
            return false;
        };
        let parts: &'t [Node] = self.whole.as_form().unwrap_or_default();
        let placements = parts.iter().filter_map(|part| Some((part.span, Placement::of(part)?)));
        let mut placements: Vec<(Span, Placement)> = placements.collect();
        if placements.len() > 1 {
            let is_meant =
                |span: Span| self.at.is_some_and(|at| span.start <= at && at <= span.end);
            placements.retain(|(span, _)| is_meant(*span));
        }
        let Some((_, own)) = placements.pop() else { return false };
        // The recipe uses this name for another variable.
        if own.variable != wanted.variable && has_word(part, own.variable) {
            return false;
        }
        let words = BTreeMap::from([(wanted.variable.to_owned(), own.variable.to_owned())]);
        let text = |node: &Node| with_words(node.span.text(rules), &words);
        if !self.restrict(own.region, wanted.region, &text) {
            return false;
        }
        let indent = self.indent(own.put);
        let gap = indent.as_ref().map_or_else(|| " ".to_owned(), |indent| format!("\n{indent}"));
        let statement = |node: &Node| match &indent {
            Some(indent) => {
                let outer = indent.strip_suffix("  ").unwrap_or(indent);
                text(node).replace('\n', &format!("\n{outer}"))
            }
            None => text(node).split_whitespace().collect::<Vec<&str>>().join(" "),
        };
        for node in wanted.before {
            self.put(own.put.span.start, &format!("{}{gap}", statement(node)));
        }
        for node in wanted.after {
            self.put(own.put.span.end, &format!("{gap}{}", statement(node)));
        }
        self.verbs.retain(|verb| *verb != self.own_verb);
        true
    }

    /// Restricts the sites that a move of the game offers as the recipe restricts the empty sites;
    /// false if the recipe does not restrict the empty sites.
    fn restrict(&mut self, own: &Node, wanted: &Node, text: &dyn Fn(&Node) -> String) -> bool {
        let is_empty = |node: &Node| match node.as_form() {
            Some([head]) => head.as_word() == Some("empty"),
            _ => false,
        };
        let (before, after) = match wanted.as_form() {
            _ if is_empty(wanted) => return true,
            Some([head, first, others @ ..])
                if head.as_word() == Some("and") && is_empty(first) =>
            {
                let others: String = others.iter().map(|node| format!(" {}", text(node))).collect();
                if own.head().is_some_and(|(head, _)| head == "and") {
                    self.put(own.span.end - 1, &others);
                    return true;
                }
                ("(and ".to_owned(), format!("{others})"))
            }
            Some([head, variable, region, condition])
                if head.as_word() == Some("where") && is_empty(region) =>
            {
                let condition = text(condition);
                let condition = condition.split_whitespace().collect::<Vec<&str>>().join(" ");
                (format!("(where {} ", text(variable)), format!(" {condition})"))
            }
            _ => return false,
        };
        self.put(own.span.start, &before);
        self.put(own.span.end, &after);
        true
    }
}

/// Tests if a word is in a node.
fn has_word(node: &Node, word: &str) -> bool {
    node.as_word() == Some(word)
        || node.as_form().into_iter().flatten().any(|inner| has_word(inner, word))
}
