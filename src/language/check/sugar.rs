//! Finds the words that [`desugar`](crate::language::desugar) turns into statements, and checks
//! players who drop out and pieces that go on.

use super::Checker;
use super::additions::Addition;
use super::parts::Part;
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::Ludeme;
use crate::language::rules::*;
use crate::syntax::{Node, Span};

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
        if node.head().is_some_and(|(word, _)| word == head.row().spelling) {
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

    /// Checks that no move with which a piece goes on is made in `steps`, whose plies are counted.
    pub(super) fn check_going_on(&mut self, rules: &Rules) {
        let going: Vec<MoveId> =
            rules.statements().flat_map(|statement| statement.node.go_on()).copied().collect();
        let faults: Vec<(Span, MoveId)> = rules
            .statements()
            .filter_map(|statement| match &statement.node {
                Statement::Steps { moves, .. } => {
                    let id = moves.iter().find(|id| going.contains(id))?;
                    Some((statement.span, *id))
                }
                _ => None,
            })
            .collect();
        for (span, id) in faults {
            let verb = &rules.moves[id.index()].verb;
            let message =
                format!("`{verb}` is not allowed in `steps`: a piece goes on with it elsewhere");
            let finding = Finding::new(Code::Misplaced, span, message);
            self.report(finding.with_help(format!(
                "write a second move, with another verb, that does the same as `{verb}`"
            )));
        }
    }

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
