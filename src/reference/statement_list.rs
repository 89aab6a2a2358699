//! Addresses of statement lists, which can be cloned and compared, unlike references.

use crate::language::rules::{DefinitionId, MoveId, Rules, Spanned, Statement, Value};
use crate::language::visit::Composite;

/// A path to a statement list: a top-level list, then steps into nested lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPath {
    root: Root,
    /// Pairs of statement index and index among the statement's lists.
    steps: Vec<(usize, usize)>,
}

/// A statement list that is not nested in a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    Setup,
    Play,
    End,
    Repetition,
    Move(MoveId),
    Definition(DefinitionId),
}

impl ListPath {
    pub fn root(root: Root) -> ListPath {
        ListPath { root, steps: Vec::new() }
    }

    /// Returns the path of a list inside a statement of this list.
    pub fn inside(&self, statement: usize, list: usize) -> ListPath {
        let mut path = self.clone();
        path.steps.push((statement, list));
        path
    }

    pub fn statements<'r>(&self, rules: &'r Rules) -> &'r [Spanned<Statement>] {
        let mut statements: &'r [Spanned<Statement>] = match self.root {
            Root::Setup => &rules.setup,
            Root::Play => &rules.play,
            Root::End => &rules.end,
            Root::Repetition => match &rules.repetition {
                Some(repetition) => &repetition.then,
                None => return &[],
            },
            Root::Move(rule) => &rules.moves[rule.index()].body,
            Root::Definition(definition) => match &rules.definitions[definition.index()].body {
                Value::Statements(statements) => statements,
                other => unreachable!("expected statements, found {other:?}"),
            },
        };
        for &(statement, list) in &self.steps {
            statements = statements[statement].node.bodies()[list];
        }
        statements
    }
}
