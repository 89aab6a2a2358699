//! Records the expected types at one place of the text, for completion.

use super::Checker;
use crate::language::Expected;
use crate::language::ludemes::Kind;
use crate::syntax::{Node, Span};

/// The queried place, and what has been recorded so far.
pub(super) struct ExpectationQuery {
    place: Span,
    expected: Expected,
}

impl ExpectationQuery {
    pub(super) fn about(place: Span) -> ExpectationQuery {
        ExpectationQuery { place, expected: Expected::default() }
    }
}

impl Checker<'_> {
    /// Records the expected type of a node if it is the queried word, or the form that the word
    /// begins.
    pub(super) fn record_expected(&mut self, node: &Node, wanted: Kind) {
        let Some(asked) = &mut self.asked else { return };
        if node.span != asked.place && node.head().is_none_or(|(_, span)| span != asked.place) {
            return;
        }
        let expected = &mut asked.expected;
        if !expected.kinds.contains(&wanted) {
            expected.kinds.push(wanted);
        }
        for (name, kind) in self.context.scope.variables(&self.context.kinds) {
            if !expected.variables.iter().any(|(known, _)| known == name) {
                expected.variables.push((name.to_owned(), kind));
            }
        }
        expected.variables.sort_by(|(first, _), (second, _)| first.cmp(second));
    }

    /// Returns the recorded expectations.
    pub(super) fn expected(self) -> Expected {
        let board = self.declared.board.clone();
        let names = self.declared_names();
        let noted = self.asked.map(|asked| asked.expected).unwrap_or_default();
        Expected { board, names, ..noted }
    }
}
