//! Where in the rules a list of statements stands.
//!
//! In: the rules. Out: addresses of lists of statements that can be copied and compared. It refuses
//! to know what a statement does.

use crate::language::rules::{DefinitionId, MoveId, Rules, Spanned, Statement, Value};

/// The address of a list of statements: a list of the file, and the way from there into the lists
/// inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPath {
    root: Root,
    /// In turn: the number of a statement in its list, and the number of the list among those
    /// inside the statement.
    way: Vec<(usize, usize)>,
}

/// A list of statements that stands inside no other.
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
        ListPath { root, way: Vec::new() }
    }

    /// Returns the address of a list inside a statement of this one.
    pub fn inside(&self, statement: usize, list: usize) -> ListPath {
        let mut place = self.clone();
        place.way.push((statement, list));
        place
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
        for &(statement, list) in &self.way {
            statements = statements[statement].node.bodies()[list];
        }
        statements
    }
}
