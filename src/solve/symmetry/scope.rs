//! Scopes of the typed rules: what variables stand for, with definitions expanded on demand.

use crate::board::Site;
use crate::language::rules::{
    Condition, DefinitionId, DirectionOf, Directions, Local, Number, PieceOf, PlayerOf, Rules,
    SiteOf, Sites, Value,
};
use std::rc::Rc;

/// The variables in scope, as a linked list that shares its tails.
#[derive(Clone, Default)]
pub struct Scope<'r>(Option<Rc<BoundNames<'r>>>);

struct BoundNames<'r> {
    name: Local,
    meaning: Meaning<'r>,
    outer: Scope<'r>,
}

/// What a variable stands for.
#[derive(Clone)]
pub enum Meaning<'r> {
    /// An arbitrary value, equal to every other with the same number.
    Any(u32),
    /// The opposite of the arbitrary direction with this number.
    Back(u32),
    /// A site.
    Site(Site),
    /// An argument, in the scope of the call.
    Given(&'r Value, Scope<'r>),
}

/// An expression after resolving names: its scope, or the value of its variable.
pub enum Resolved<'r, T> {
    Any(u32),
    Back(u32),
    Site(Site),
    It(&'r T, Scope<'r>),
}

impl<'r> Scope<'r> {
    /// Returns the scope with one more variable.
    pub fn with(&self, name: Local, meaning: Meaning<'r>) -> Scope<'r> {
        Scope(Some(Rc::new(BoundNames { name, meaning, outer: self.clone() })))
    }

    fn get(&self, name: Local) -> Option<&Meaning<'r>> {
        let frame = self.0.as_ref()?;
        if frame.name == name { Some(&frame.meaning) } else { frame.outer.get(name) }
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

/// An expression that may be a variable or a call of a definition.
pub trait Named: Sized {
    fn local(&self) -> Option<Local>;
    fn call(&self) -> Option<(DefinitionId, &[Value])>;
    fn of(value: &Value) -> Option<&Self>;
}

macro_rules! named {
    ($($type:ident: $variant:ident, $call:ident;)*) => {$(
        impl Named for $type {
            fn local(&self) -> Option<Local> {
                if let $type::Local(local) = self { Some(*local) } else { None }
            }
            fn call(&self) -> Option<(DefinitionId, &[Value])> {
                match self {
                    $type::$call(definition, arguments) => Some((*definition, arguments)),
                    _ => None,
                }
            }
            fn of(value: &Value) -> Option<&Self> {
                if let Value::$variant(it) = value { Some(&it.node) } else { None }
            }
        }
    )*};
}
named! {
    Number: Number, Call;
    Condition: Condition, Call;
    Sites: Sites, Call;
    SiteOf: Site, Call;
    DirectionOf: Direction, Call;
    Directions: Directions, Call;
    PlayerOf: Player, Call;
    PieceOf: Piece, Call;
}

/// Resolves variables and expands definitions until another kind of expression is reached; `None`
/// for an unbound variable.
pub fn resolve<'r, T: Named>(
    rules: &'r Rules,
    mut it: &'r T,
    mut scope: Scope<'r>,
) -> Option<Resolved<'r, T>> {
    loop {
        if let Some(local) = it.local() {
            match scope.get(local)?.clone() {
                Meaning::Any(number) => return Some(Resolved::Any(number)),
                Meaning::Back(number) => return Some(Resolved::Back(number)),
                Meaning::Site(site) => return Some(Resolved::Site(site)),
                Meaning::Given(value, outer) => (it, scope) = (T::of(value)?, outer),
            }
        } else if let Some((definition, arguments)) = it.call() {
            scope = scope.inside(rules, definition, arguments);
            it = T::of(&rules.definitions[definition.index()].body)?;
        } else {
            return Some(Resolved::It(it, scope));
        }
    }
}
