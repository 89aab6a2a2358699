//! What is inside a statement.
//!
//! In: the typed game. Out: the statements within others, and whether there is one of a kind. It refuses to know what any of them does.

use super::rules::{At, Rules, Statement, Value};

impl Statement {
    /// The lists of statements inside it, definitions left alone.
    pub fn bodies(&self) -> Vec<&[At<Statement>]> {
        match self {
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::ByPlayer(_, branches) => branches.iter().map(Vec::as_slice).collect(),
            Statement::For(_, body)
            | Statement::Chain { body, .. }
            | Statement::Forever(body)
            | Statement::While(_, body)
            | Statement::Repeat(_, body)
            | Statement::Turns(body)
            | Statement::Turn(_, body)
            | Statement::Phase(_, body)
            | Statement::Choose { otherwise: Some(body), .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The same lists, to be changed.
    pub fn bodies_mut(&mut self) -> Vec<&mut Vec<At<Statement>>> {
        match self {
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::ByPlayer(_, branches) => branches.iter_mut().collect(),
            Statement::For(_, body)
            | Statement::Chain { body, .. }
            | Statement::Forever(body)
            | Statement::While(_, body)
            | Statement::Repeat(_, body)
            | Statement::Turns(body)
            | Statement::Turn(_, body)
            | Statement::Phase(_, body)
            | Statement::Choose { otherwise: Some(body), .. } => vec![body],
            _ => Vec::new(),
        }
    }
}

impl Rules {
    /// Tests if the statement, or one inside it or in a definition that it uses, is such a one.
    pub fn holds(&self, statement: &Statement, such: &impl Fn(&Statement) -> bool) -> bool {
        self.holds_unseen(statement, such, &mut vec![false; self.definitions.len()])
    }

    /// The same, with definitions that were looked through already passed over.
    fn holds_unseen(&self, statement: &Statement, such: &impl Fn(&Statement) -> bool, seen: &mut [bool]) -> bool {
        if such(statement) {
            return true;
        }
        if let Statement::Do(definition, _) = statement
            && let Some(seen_before) = seen.get_mut(definition.index())
            && !std::mem::replace(seen_before, true)
            && let Value::Statements(body) = &self.definitions[definition.index()].body
            && body.iter().any(|statement| self.holds_unseen(&statement.it, such, seen))
        {
            return true;
        }
        statement.bodies().into_iter().flatten().any(|statement| self.holds_unseen(&statement.it, such, seen))
    }
}
