//! The visitor of typed rules: lists the parts of a statement and of an expression.
//!
//! No match has a wildcard: a new kind of statement or expression does not build until its parts
//! are listed. Code that treats most kinds alike walks the rules by this module; the compiler, the
//! reference interpreter and the proof of symmetries interpret each kind and have matches of their
//! own.

mod statements;

pub use statements::StatementClass;

use super::rules::{
    Binder, Condition, DefinitionId, DirectionOf, Directions, Domain, KeyOf, Local, MemoryId,
    MoveId, Number, PieceId, PieceOf, PlayerId, PlayerOf, SiteOf, Sites, Spanned, Statement, Value,
    Whose,
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
            Domain::Players(_) | Domain::Pieces(..) | Domain::Numbers { .. } => {}
        }
    }

    fn binder(&mut self, binder: &'r Binder) {
        self.domain(&binder.domain);
    }

    fn values(&mut self, values: &'r [Value]) {
        for value in values {
            match value {
                Value::Number(it) => self.numbers([it]),
                Value::Condition(it) => self.conditions([it]),
                Value::Sites(it) => self.regions([it]),
                Value::Site(it) => self.sites([it]),
                Value::Direction(it) => self.directions([it]),
                Value::Directions(it) => self.0.push(Expression::Directions(it)),
                Value::Player(it) => self.players([it]),
                Value::Piece(it) => self.kinds([it]),
                Value::Statements(_) => {}
            }
        }
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

/// What has expressions directly inside it.
pub trait Composite {
    /// Those expressions, in the order of the fields.
    fn parts(&self) -> Vec<Expression<'_>> {
        self.inside().0
    }

    /// What it has besides expressions, statements and variables.
    fn labels(&self) -> Vec<Label<'_>> {
        self.inside().1
    }

    fn inside(&self) -> Parts<'_> {
        let mut parts = Parts::default();
        self.list_parts(&mut parts);
        parts
    }

    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>);
}

impl Composite for Number {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            Number::Local(_) => {}
            Number::Constant(halves) => parts.label(Label::Number(*halves)),
            Number::Memory { memory, player, site, key } => {
                parts.label(Label::Memory(*memory));
                parts.players(player);
                parts.sites(site.as_deref());
                parts.key(key);
            }
            Number::Add(all)
            | Number::Multiply(all)
            | Number::Least(all)
            | Number::Greatest(all) => parts.numbers(all),
            Number::Subtract(from, what) => parts.numbers([&**from, &**what]),
            Number::Divide(what, by) | Number::Remainder(what, by) => {
                parts.label(Label::Number(i64::from(*by)));
                parts.numbers([&**what]);
            }
            Number::Count(sites) => parts.regions([&**sites]),
            Number::CountWhere(binder, condition) => {
                parts.binder(binder);
                parts.conditions([&**condition]);
            }
            Number::Sum(binder, of)
            | Number::LeastOver(binder, of)
            | Number::GreatestOver(binder, of) => {
                parts.binder(binder);
                parts.numbers([&**of]);
            }
            Number::RowOf(site) | Number::ColumnOf(site) => parts.sites([&**site]),
            Number::Distance { from, to, directions } => {
                parts.label(Label::Directions(directions));
                parts.sites([&**from, &**to]);
            }
            Number::ByPlayer(player, branches) => {
                parts.players([&**player]);
                parts.numbers(branches);
            }
            Number::If(condition, then, otherwise) => {
                parts.conditions([&**condition]);
                parts.numbers([&**then, &**otherwise]);
            }
            Number::Call(id, arguments) => parts.call(*id, arguments),
        }
    }
}

impl Composite for Condition {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            Condition::Local(_) => {}
            Condition::Constant(holds) => parts.label(Label::Number(i64::from(*holds))),
            Condition::And(all) | Condition::Or(all) => parts.conditions(all),
            Condition::Not(inner) => parts.conditions([&**inner]),
            Condition::Any(sites) | Condition::None(sites) => parts.regions([&**sites]),
            Condition::In(site, sites) => {
                parts.sites([&**site]);
                parts.regions([&**sites]);
            }
            Condition::Exists(binder, inner) | Condition::Every(binder, inner) => {
                parts.binder(binder);
                parts.conditions([&**inner]);
            }
            Condition::Compare(comparison, left, right) => {
                parts.label(Label::Number(*comparison as i64));
                parts.numbers([&**left, &**right]);
            }
            Condition::SamePlayer(left, right) => parts.players([&**left, &**right]),
            Condition::Can(player, moves) => {
                parts.label(Label::Moves(moves));
                parts.players([&**player]);
            }
            Condition::SameSite(left, right) => parts.sites([&**left, &**right]),
            Condition::SameDirection(left, right) => parts.directions([&**left, &**right]),
            Condition::SameKind(left, right) => parts.kinds([&**left, &**right]),
            Condition::Connected(region, directions) => {
                parts.regions([&**region]);
                parts.0.push(Expression::Directions(directions));
            }
            Condition::ByPlayer(player, branches) => {
                parts.players([&**player]);
                parts.conditions(branches);
            }
            Condition::Memory { memory, player } => {
                parts.label(Label::Memory(*memory));
                parts.players(player.as_deref());
            }
            Condition::Call(id, arguments) => parts.call(*id, arguments),
        }
    }
}

impl Composite for Sites {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            Sites::Everywhere | Sites::Nowhere | Sites::Empty | Sites::CutOut | Sites::Local(_) => {
            }
            Sites::Literal(sites) => parts.label(Label::Sites(sites)),
            Sites::Pieces { kinds, whose } => {
                parts.kinds(kinds);
                parts.label(Label::Number(i64::from(matches!(whose, Whose::Others(_)))));
                match whose {
                    Whose::Anyones => {}
                    Whose::Players(player) | Whose::Others(player) => parts.players([player]),
                }
            }
            Sites::Memory { memory, player, direction } => {
                parts.label(Label::Memory(*memory));
                parts.players(player);
                parts.directions(direction);
            }
            Sites::One(site) => parts.sites([&**site]),
            Sites::Beside(of, directions) => {
                parts.regions([&**of]);
                parts.0.push(Expression::Directions(directions));
            }
            Sites::Group { of, within, directions } => {
                parts.regions([&**of, &**within]);
                parts.0.push(Expression::Directions(directions));
            }
            Sites::Lines { number, region, directions } => {
                parts.label(Label::Number(*number as i64));
                parts.regions([&**region]);
                parts.0.push(Expression::Directions(directions));
            }
            Sites::Walk { from, directions, through } => {
                parts.sites([&**from]);
                parts.0.push(Expression::Directions(directions));
                parts.regions([&**through]);
            }
            Sites::Slide { from, directions } => {
                parts.sites([&**from]);
                parts.0.push(Expression::Directions(directions));
            }
            Sites::Between(from, to) => parts.sites([&**from, &**to]),
            Sites::When(condition, region) => {
                parts.conditions([&**condition]);
                parts.regions([&**region]);
            }
            Sites::Union(binder, region) | Sites::Reach(binder, region) => {
                parts.binder(binder);
                parts.regions([&**region]);
            }
            Sites::And(all) | Sites::Or(all) => parts.regions(all),
            Sites::Not(inner) => parts.regions([&**inner]),
            Sites::Where(binder, condition) => {
                parts.binder(binder);
                parts.conditions([&**condition]);
            }
            Sites::ByPlayer(player, branches) => {
                parts.players([&**player]);
                parts.regions(branches);
            }
            Sites::Call(id, arguments) => parts.call(*id, arguments),
        }
    }
}

impl Composite for SiteOf {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            SiteOf::Nowhere | SiteOf::Local(_) => {}
            SiteOf::Literal(site) => parts.label(Label::Site(*site)),
            SiteOf::Step(from, direction, number) => {
                parts.label(Label::Number(i64::from(*number)));
                parts.sites([&**from]);
                parts.directions([&**direction]);
            }
            SiteOf::StepBy(from, direction, number) => {
                parts.sites([&**from]);
                parts.directions([&**direction]);
                parts.numbers([&**number]);
            }
            SiteOf::First { from, direction, stops } => {
                parts.sites([&**from]);
                parts.directions([&**direction]);
                parts.regions([&**stops]);
            }
            SiteOf::Memory { memory, player, site } => {
                parts.label(Label::Memory(*memory));
                parts.players(player);
                parts.sites(site.as_deref());
            }
            SiteOf::Only(region) => parts.regions([&**region]),
            SiteOf::ByPlayer(player, branches) => {
                parts.players([&**player]);
                parts.sites(branches);
            }
            SiteOf::If(condition, then, otherwise) => {
                parts.conditions([&**condition]);
                parts.sites([&**then, &**otherwise]);
            }
            SiteOf::Call(id, arguments) => parts.call(*id, arguments),
        }
    }
}

impl Composite for DirectionOf {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            DirectionOf::Local(_) => {}
            DirectionOf::Fixed(direction) => parts.label(Label::Direction(*direction)),
            DirectionOf::Between(from, to) => parts.sites([&**from, &**to]),
            DirectionOf::Turned(of, steps) => {
                parts.label(Label::TurnedBy(*steps));
                parts.directions([&**of]);
            }
            DirectionOf::Memory { memory, player, site } => {
                parts.label(Label::Memory(*memory));
                parts.players(player.as_deref());
                parts.sites(site.as_deref());
            }
            DirectionOf::ByPlayer(player, branches) => {
                parts.players([&**player]);
                parts.directions(branches);
            }
            DirectionOf::If(condition, then, otherwise) => {
                parts.conditions([&**condition]);
                parts.directions([&**then, &**otherwise]);
            }
            DirectionOf::Call(id, arguments) => parts.call(*id, arguments),
        }
    }
}

impl Composite for Directions {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            Directions::Local(_) => {}
            Directions::Fixed(directions) => parts.label(Label::Directions(directions)),
            Directions::One(direction) => parts.directions([&**direction]),
            Directions::List(list) => parts.directions(list),
            Directions::ByPlayer(player, branches) => {
                parts.players([&**player]);
                parts.0.extend(branches.iter().map(Expression::Directions));
            }
            Directions::Half(of) => parts.0.push(Expression::Directions(of)),
            Directions::Call(id, arguments) => parts.call(*id, arguments),
        }
    }
}

impl Composite for PlayerOf {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            PlayerOf::Mover | PlayerOf::Local(_) => {}
            PlayerOf::Fixed(player) => parts.label(Label::Player(*player)),
            PlayerOf::Next(of) => parts.players([&**of]),
            PlayerOf::Memory { memory, player } => {
                parts.label(Label::Memory(*memory));
                parts.players(player.as_deref());
            }
            PlayerOf::ByPlayer(player, branches) => {
                parts.players([&**player]);
                parts.players(branches);
            }
            PlayerOf::If(condition, then, otherwise) => {
                parts.conditions([&**condition]);
                parts.players([&**then, &**otherwise]);
            }
            PlayerOf::Call(id, arguments) => parts.call(*id, arguments),
        }
    }
}

impl Composite for PieceOf {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            PieceOf::Local(_) => {}
            PieceOf::Fixed(piece) => parts.label(Label::Piece(*piece)),
            PieceOf::At(site) => parts.sites([&**site]),
            PieceOf::Memory { memory, player, site } => {
                parts.label(Label::Memory(*memory));
                parts.players(player.as_deref());
                parts.sites(site.as_deref());
            }
            PieceOf::ByPlayer(player, branches) => {
                parts.players([&**player]);
                parts.kinds(branches);
            }
            PieceOf::If(condition, then, otherwise) => {
                parts.conditions([&**condition]);
                parts.kinds([&**then, &**otherwise]);
            }
            PieceOf::Call(id, arguments) => parts.call(*id, arguments),
        }
    }
}

impl Value {
    /// Returns it as an expression; `None` for statements.
    pub fn expression(&self) -> Option<Expression<'_>> {
        let mut parts = Parts::default();
        parts.values(std::slice::from_ref(self));
        parts.0.pop()
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
