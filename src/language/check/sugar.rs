//! Finds the words that [`desugar`](crate::language::desugar) turns into statements.

use super::Checker;
use super::additions::Addition;
use super::parts::Part;
use crate::language::ludemes::Ludeme;
use crate::syntax::Node;

/// Returns the forms with this head in the parts, and in what a variant adds to a definition.
pub(super) fn forms<'n>(
    parts: &[Part<'n>],
    additions: &[Addition<'n>],
    head: Ludeme,
) -> Vec<&'n Node> {
    let added = additions.iter().flat_map(|addition| match addition {
        Addition::Body { body, .. } => *body,
        Addition::Look(_) | Addition::Moves { .. } => &[],
    });
    let mut left: Vec<&Node> = parts.iter().flat_map(|part| part.args).chain(added).collect();
    let mut found = Vec::new();
    while let Some(node) = left.pop() {
        if node.begins_with(head.row().spelling) {
            found.push(node);
        }
        left.extend(node.as_form().into_iter().flatten());
    }
    found
}

impl Checker<'_> {
    /// Notes which words of the game are rewritten before it is compiled.
    pub(super) fn note_sugar(&mut self, parts: &[Part], additions: &[Addition]) {
        self.declared.sugar.drop_outs =
            self.teams().count() > 2 && !forms(parts, additions, Ludeme::Lose).is_empty();
        self.note_last_moves(parts, additions);
        let going = forms(parts, additions, Ludeme::GoOn);
        if let Some(first) = going.iter().map(|node| node.span).min_by_key(|span| span.start) {
            let verbs = going.iter().flat_map(|node| node.args()).filter_map(Node::as_word);
            self.declared.sugar.go_on = Some((first, verbs.map(str::to_owned).collect()));
        }
    }
}
