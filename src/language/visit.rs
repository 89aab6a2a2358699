//! Expressions and statements for code that treats most of them alike: their parts, the definitions
//! that they call, the variables that they bind, and the classes of statements.

mod statements;

pub use super::rules::{Composite, Expression, Label};
pub use statements::StatementClass;

use super::rules::{
    Binder, Condition, DefinitionId, DirectionOf, Directions, Domain, Local, Number, PieceOf,
    PlayerOf, SiteOf, Sites, Spanned, Statement, Value,
};
use crate::syntax::Span;
use std::mem::discriminant;

/// What is said of an expression of any type; the alias stands for the type.
macro_rules! of_any {
    ($expression:expr, $type:ident: $it:ident => $what:expr) => {
        of_any!(@ $expression, $type, $it, $what; Number(Number), Condition(Condition),
            Sites(Sites), Site(SiteOf), Direction(DirectionOf), Directions(Directions),
            Player(PlayerOf), Piece(PieceOf))
    };
    (@ $expression:expr, $type:ident, $it:ident, $what:expr; $($variant:ident($of:ident)),*) => {
        match $expression {
            $(Expression::$variant($it) => {
                #[allow(unused)]
                type $type = $of;
                $what
            })*
        }
    };
}

impl<'r> Expression<'r> {
    /// Returns the definition that it calls.
    pub fn definition(self) -> Option<DefinitionId> {
        self.call().map(|(definition, _)| definition)
    }

    /// Returns the definition that it calls, and the arguments.
    pub fn call(self) -> Option<(DefinitionId, &'r [Value])> {
        of_any!(self, Type: it => match &it.node {
            Type::Call(definition, arguments) => Some((*definition, &arguments[..])),
            _ => None,
        })
    }

    /// Returns the player who decides between branches, and the branches by player.
    pub fn by_player(self) -> Option<(&'r Spanned<PlayerOf>, Vec<Expression<'r>>)> {
        let decides = of_any!(self, Type: it => matches!(it.node, Type::ByPlayer(..)));
        let mut parts = self.parts().into_iter();
        let Some(Expression::Player(player)) = parts.next().filter(|_| decides) else {
            return None;
        };
        Some((player, parts.collect()))
    }

    /// Tests if it is a constant.
    pub fn is_constant(self) -> bool {
        match self {
            Expression::Number(it) => matches!(it.node, Number::Constant(_)),
            Expression::Condition(it) => matches!(it.node, Condition::Constant(_)),
            Expression::Sites(it) => matches!(it.node, Sites::Literal(_)),
            Expression::Site(it) => matches!(it.node, SiteOf::Literal(_)),
            Expression::Direction(it) => matches!(it.node, DirectionOf::Fixed(_)),
            Expression::Directions(it) => matches!(it.node, Directions::Fixed(_)),
            Expression::Player(it) => matches!(it.node, PlayerOf::Fixed(_)),
            Expression::Piece(it) => matches!(it.node, PieceOf::Fixed(_)),
        }
    }

    /// Returns its span.
    pub fn span(self) -> Span {
        of_any!(self, Type: it => it.span)
    }

    /// Returns the variable that it is.
    pub fn local(self) -> Option<Local> {
        of_any!(self, Type: it => match it.node {
            Type::Local(local) => Some(local),
            _ => None,
        })
    }

    /// Returns the variable that it binds in its last part, with its domain.
    pub fn binder(self) -> Option<&'r Binder> {
        match self {
            Expression::Number(Spanned {
                node:
                    Number::CountWhere(binder, _)
                    | Number::Sum(binder, _)
                    | Number::LeastOver(binder, _)
                    | Number::GreatestOver(binder, _),
                ..
            })
            | Expression::Condition(Spanned {
                node: Condition::Exists(binder, _) | Condition::Every(binder, _),
                ..
            })
            | Expression::Sites(Spanned {
                node: Sites::Union(binder, _) | Sites::Reach(binder, _) | Sites::Where(binder, _),
                ..
            }) => Some(binder),
            _ => None,
        }
    }

    /// Returns its direct children. The body of a called definition is not included.
    pub fn parts(self) -> Vec<Expression<'r>> {
        of_any!(self, Type: it => it.node.parts())
    }

    /// Returns it and all expressions inside it, each before those inside it. The bodies of called
    /// definitions are not included.
    pub fn descendants(self) -> impl Iterator<Item = Expression<'r>> {
        let mut left = vec![self];
        std::iter::from_fn(move || {
            let expression = left.pop()?;
            left.extend(expression.parts().into_iter().rev());
            Some(expression)
        })
    }

    /// Returns what it has besides expressions and variables.
    pub fn labels(self) -> Vec<Label<'r>> {
        of_any!(self, Type: it => it.node.labels())
    }

    /// Tests if both are of the same kind, such as the size of a region.
    pub fn is_like(self, other: Expression<'r>) -> bool {
        of_any!(self, Type: one => <&Spanned<Type>>::try_from(other)
            .is_ok_and(|other| discriminant(&one.node) == discriminant(&other.node)))
    }
}

impl Value {
    /// Returns it as an expression; `None` for statements.
    pub fn expression(&self) -> Option<Expression<'_>> {
        Some(match self {
            Value::Number(it) => Expression::Number(it),
            Value::Condition(it) => Expression::Condition(it),
            Value::Sites(it) => Expression::Sites(it),
            Value::Site(it) => Expression::Site(it),
            Value::Direction(it) => Expression::Direction(it),
            Value::Directions(it) => Expression::Directions(it),
            Value::Player(it) => Expression::Player(it),
            Value::Piece(it) => Expression::Piece(it),
            Value::Statements(_) => return None,
        })
    }

    /// The statements that it is; none if it is anything else.
    pub fn statements(&self) -> &[Spanned<Statement>] {
        if let Value::Statements(body) = self { body } else { &[] }
    }
}

impl Domain {
    /// Returns its expression, for groups their region; `None` for players, numbers and kinds of
    /// piece.
    pub fn expression(&self) -> Option<Expression<'_>> {
        self.parts().into_iter().next()
    }
}
