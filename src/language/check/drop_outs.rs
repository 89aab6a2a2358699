//! Checks on players who drop out, which [`desugar`](crate::language::desugar) turns into statements.

use super::Checker;
use super::additions::Addition;
use super::parts::Part;
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::Ludeme;
use crate::language::rules::*;
use crate::syntax::Node;

/// Tests if a part, or what a variant adds to a definition, contains `lose`.
pub(super) fn loses(parts: &[Part], additions: &[Addition]) -> bool {
    let added = additions.iter().flat_map(|addition| match addition {
        Addition::Body { body, .. } => *body,
        Addition::Look(_) | Addition::Moves { .. } => &[],
    });
    let mut left: Vec<&Node> = parts.iter().flat_map(|part| part.args).chain(added).collect();
    while let Some(node) = left.pop() {
        if node.head().is_some_and(|(head, _)| head == Ludeme::Lose.row().spelling) {
            return true;
        }
        left.extend(node.as_form().into_iter().flatten());
    }
    false
}

impl Checker<'_> {
    /// Checks that no player drops out by repetition: the next ply has been decided on then.
    pub(super) fn check_drop_outs(&mut self, rules: &Rules) {
        let Some(repetition) = &rules.repetition else { return };
        let statements = repetition.then.iter();
        for statement in statements.filter(|statement| {
            rules.holds(&statement.node, &|inner| matches!(inner, Statement::DropOut(_)))
        }) {
            let message =
                "no player can drop out by `repetition` in a game of three players or more";
            let finding = Finding::new(Code::Misplaced, statement.span, message);
            self.report(finding.with_help(
                "write a result that ends the game, such as `(draw)` or `(win (next mover))`",
            ));
        }
    }
}
