//! The visitor of typed rules: lists the parts of a statement and of an expression.
//!
//! No match has a wildcard: a new kind of statement or expression does not build until its parts
//! are listed. Code that treats most kinds alike walks the rules by this module; the compiler, the
//! reference interpreter and the proof of symmetries interpret each kind and have matches of their
//! own.

mod composite;
mod statements;

pub use composite::Composite;
pub use statements::StatementClass;

use super::rules::{
    Binder, Condition, DefinitionId, DirectionOf, Directions, Domain, KeyOf, Local, MemoryId,
    MoveId, Number, PieceId, PieceOf, PlayerId, PlayerOf, SiteOf, Sites, Spanned, Statement, Value,
};
use crate::board::{Direction, Site};
use crate::syntax::Span;

/// An expression of any type.
#[derive(Clone, Copy)]
pub enum Expression<'r> {
    Number(&'r Spanned<Number>),
    Condition(&'r Spanned<Condition>),
    Sites(&'r Spanned<Sites>),
    Site(&'r Spanned<SiteOf>),
    Direction(&'r Spanned<DirectionOf>),
    Directions(&'r Spanned<Directions>),
    Player(&'r Spanned<PlayerOf>),
    Piece(&'r Spanned<PieceOf>),
}

/// What an expression has besides expressions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Label<'r> {
    Number(i64),
    Site(Site),
    Sites(&'r [Site]),
    Direction(Direction),
    Directions(&'r [Direction]),
    TurnedBy(u8),
    Player(PlayerId),
    Piece(PieceId),
    Memory(MemoryId),
    Moves(&'r [MoveId]),
    Definition(DefinitionId),
}

/// Collects expressions and labels.
#[derive(Default)]
pub struct Parts<'r>(Vec<Expression<'r>>, Vec<Label<'r>>);

impl<'r> Parts<'r> {
    fn label(&mut self, label: Label<'r>) {
        self.1.push(label);
    }

    fn call(&mut self, definition: DefinitionId, arguments: &'r [Value]) {
        self.label(Label::Definition(definition));
        self.values(arguments);
    }

    fn numbers(&mut self, all: impl IntoIterator<Item = &'r Spanned<Number>>) {
        self.0.extend(all.into_iter().map(Expression::Number));
    }

    fn conditions(&mut self, all: impl IntoIterator<Item = &'r Spanned<Condition>>) {
        self.0.extend(all.into_iter().map(Expression::Condition));
    }

    fn regions(&mut self, all: impl IntoIterator<Item = &'r Spanned<Sites>>) {
        self.0.extend(all.into_iter().map(Expression::Sites));
    }

    fn sites(&mut self, all: impl IntoIterator<Item = &'r Spanned<SiteOf>>) {
        self.0.extend(all.into_iter().map(Expression::Site));
    }

    fn directions(&mut self, all: impl IntoIterator<Item = &'r Spanned<DirectionOf>>) {
        self.0.extend(all.into_iter().map(Expression::Direction));
    }

    fn players(&mut self, all: impl IntoIterator<Item = &'r Spanned<PlayerOf>>) {
        self.0.extend(all.into_iter().map(Expression::Player));
    }

    fn kinds(&mut self, all: impl IntoIterator<Item = &'r Spanned<PieceOf>>) {
        self.0.extend(all.into_iter().map(Expression::Piece));
    }

    fn key(&mut self, key: &'r Option<KeyOf>) {
        match key {
            None => {}
            Some(KeyOf::Kind(kind)) => self.kinds([kind]),
            Some(KeyOf::Number(number)) => self.numbers([&**number]),
        }
    }

    fn domain(&mut self, domain: &'r Domain) {
        match domain {
            Domain::Sites(sites) => self.regions([sites]),
            Domain::Directions(directions) => self.0.push(Expression::Directions(directions)),
            Domain::Groups { region, directions, .. } => {
                self.regions([region]);
                self.0.push(Expression::Directions(directions));
            }
            Domain::Team(player, _) => self.players([&**player]),
            Domain::Players(_) | Domain::Pieces(..) | Domain::Numbers { .. } => {}
        }
    }

    fn binder(&mut self, binder: &'r Binder) {
        self.domain(&binder.domain);
    }

    fn values(&mut self, values: &'r [Value]) {
        self.0.extend(values.iter().filter_map(Value::expression));
    }
}

impl<'r> Expression<'r> {
    /// Returns the definition that it calls.
    pub fn definition(self) -> Option<DefinitionId> {
        self.call().map(|(definition, _)| definition)
    }

    /// Returns the definition that it calls, and the arguments.
    pub fn call(self) -> Option<(DefinitionId, &'r [Value])> {
        macro_rules! call {
            ($type:ident, $expression:ident) => {
                match &$expression.node {
                    $type::Call(definition, arguments) => Some((*definition, arguments)),
                    _ => None,
                }
            };
        }
        match self {
            Expression::Number(it) => call!(Number, it),
            Expression::Condition(it) => call!(Condition, it),
            Expression::Sites(it) => call!(Sites, it),
            Expression::Site(it) => call!(SiteOf, it),
            Expression::Direction(it) => call!(DirectionOf, it),
            Expression::Directions(it) => call!(Directions, it),
            Expression::Player(it) => call!(PlayerOf, it),
            Expression::Piece(it) => call!(PieceOf, it),
        }
    }

    /// Returns the player who decides between branches, and the branches by player.
    pub fn by_player(self) -> Option<(&'r Spanned<PlayerOf>, Vec<Expression<'r>>)> {
        let decides = match self {
            Expression::Number(it) => matches!(it.node, Number::ByPlayer(..)),
            Expression::Condition(it) => matches!(it.node, Condition::ByPlayer(..)),
            Expression::Sites(it) => matches!(it.node, Sites::ByPlayer(..)),
            Expression::Site(it) => matches!(it.node, SiteOf::ByPlayer(..)),
            Expression::Direction(it) => matches!(it.node, DirectionOf::ByPlayer(..)),
            Expression::Directions(it) => matches!(it.node, Directions::ByPlayer(..)),
            Expression::Player(it) => matches!(it.node, PlayerOf::ByPlayer(..)),
            Expression::Piece(it) => matches!(it.node, PieceOf::ByPlayer(..)),
        };
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
        match self {
            Expression::Number(it) => it.span,
            Expression::Condition(it) => it.span,
            Expression::Sites(it) => it.span,
            Expression::Site(it) => it.span,
            Expression::Direction(it) => it.span,
            Expression::Directions(it) => it.span,
            Expression::Player(it) => it.span,
            Expression::Piece(it) => it.span,
        }
    }

    /// Returns the variable that it is.
    pub fn local(self) -> Option<Local> {
        match self {
            Expression::Number(Spanned { node: Number::Local(local), .. })
            | Expression::Condition(Spanned { node: Condition::Local(local), .. })
            | Expression::Sites(Spanned { node: Sites::Local(local), .. })
            | Expression::Site(Spanned { node: SiteOf::Local(local), .. })
            | Expression::Direction(Spanned { node: DirectionOf::Local(local), .. })
            | Expression::Directions(Spanned { node: Directions::Local(local), .. })
            | Expression::Player(Spanned { node: PlayerOf::Local(local), .. })
            | Expression::Piece(Spanned { node: PieceOf::Local(local), .. }) => Some(*local),
            _ => None,
        }
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
        self.inside().0
    }

    /// Returns what it has besides expressions and variables.
    pub fn labels(self) -> Vec<Label<'r>> {
        self.inside().1
    }

    fn inside(self) -> Parts<'r> {
        match self {
            Expression::Number(it) => it.node.inside(),
            Expression::Condition(it) => it.node.inside(),
            Expression::Sites(it) => it.node.inside(),
            Expression::Site(it) => it.node.inside(),
            Expression::Direction(it) => it.node.inside(),
            Expression::Directions(it) => it.node.inside(),
            Expression::Player(it) => it.node.inside(),
            Expression::Piece(it) => it.node.inside(),
        }
    }

    /// Tests if both are of the same kind, such as the size of a region.
    pub fn is_like(self, other: Expression<'r>) -> bool {
        fn alike<T>(one: &Spanned<T>, other: &Spanned<T>) -> bool {
            std::mem::discriminant(&one.node) == std::mem::discriminant(&other.node)
        }
        match (self, other) {
            (Expression::Number(one), Expression::Number(other)) => alike(one, other),
            (Expression::Condition(one), Expression::Condition(other)) => alike(one, other),
            (Expression::Sites(one), Expression::Sites(other)) => alike(one, other),
            (Expression::Site(one), Expression::Site(other)) => alike(one, other),
            (Expression::Direction(one), Expression::Direction(other)) => alike(one, other),
            (Expression::Directions(one), Expression::Directions(other)) => alike(one, other),
            (Expression::Player(one), Expression::Player(other)) => alike(one, other),
            (Expression::Piece(one), Expression::Piece(other)) => alike(one, other),
            _ => false,
        }
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
    /// Returns its expressions; none for players, numbers and kinds of piece.
    pub fn parts(&self) -> Vec<Expression<'_>> {
        let mut parts = Parts::default();
        parts.domain(self);
        parts.0
    }

    /// Returns its expression, for groups their region; `None` for players, numbers and kinds of
    /// piece.
    pub fn expression(&self) -> Option<Expression<'_>> {
        let mut parts = Parts::default();
        parts.domain(self);
        parts.0.into_iter().next()
    }
}
