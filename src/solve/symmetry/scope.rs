//! Scopes of the typed rules: the meaning of variables, with definitions expanded on demand.

use crate::language::board_expressions::{BoardValue, Evaluator, Variables};
use crate::language::rules::{DefinitionId, Local, Rules, Value};
use crate::language::visit::Expression;
use std::rc::Rc;

/// The variables in scope, as a linked list that shares its tails.
#[derive(Clone, Default)]
pub struct Scope<'r>(Option<Rc<BoundNames<'r>>>);

struct BoundNames<'r> {
    name: Local,
    meaning: Meaning<'r>,
    outer: Scope<'r>,
}

/// The meaning of a variable.
#[derive(Clone)]
pub enum Meaning<'r> {
    /// An arbitrary value, equal to every other with the same number.
    Any(u32),
    /// The opposite of the arbitrary direction with this number.
    Back(u32),
    /// An argument, in the scope of the call.
    Given(&'r Value, Scope<'r>),
}

/// An expression after resolving names: its scope, or the value of its variable.
pub enum Resolved<'r> {
    Any(u32),
    Back(u32),
    It(Expression<'r>, Scope<'r>),
}

impl<'r> Scope<'r> {
    /// Returns the scope with one more variable.
    pub fn with(&self, name: Local, meaning: Meaning<'r>) -> Scope<'r> {
        Scope(Some(Rc::new(BoundNames { name, meaning, outer: self.clone() })))
    }

    /// Returns the meaning of a variable.
    pub fn get(&self, name: Local) -> Option<&Meaning<'r>> {
        let frame = self.0.as_ref()?;
        if frame.name == name { Some(&frame.meaning) } else { frame.outer.get(name) }
    }

    /// Returns the expression that a variable stands for, if that is the same in every position.
    pub fn constant(&self, name: Local, evaluator: &Evaluator) -> Option<BoardValue> {
        let Meaning::Given(value, outer) = self.get(name)? else { return None };
        let variable = |name| outer.constant(name, evaluator);
        evaluator.value(value.expression()?, &Variables::Outer(&variable))
    }

    /// Returns the scope of a definition's body for a call in this scope.
    pub fn inside(
        &self,
        rules: &'r Rules,
        definition: DefinitionId,
        arguments: &'r [Value],
    ) -> Scope<'r> {
        let parameters = &rules.definitions[definition.index()].parameters;
        parameters.iter().zip(arguments).fold(Scope::default(), |inner, (&name, argument)| {
            inner.with(name, Meaning::Given(argument, self.clone()))
        })
    }
}

/// Resolves variables and expands definitions until another kind of expression is reached; `None`
/// for an unbound variable.
pub fn resolve<'r>(
    rules: &'r Rules,
    mut it: Expression<'r>,
    mut scope: Scope<'r>,
) -> Option<Resolved<'r>> {
    loop {
        if let Some(local) = it.local() {
            match scope.get(local)?.clone() {
                Meaning::Any(number) => return Some(Resolved::Any(number)),
                Meaning::Back(number) => return Some(Resolved::Back(number)),
                Meaning::Given(value, outer) => (it, scope) = (value.expression()?, outer),
            }
        } else if let Some((definition, arguments)) = it.call() {
            scope = scope.inside(rules, definition, arguments);
            it = rules.definitions[definition.index()].body.expression()?;
        } else {
            return Some(Resolved::It(it, scope));
        }
    }
}
