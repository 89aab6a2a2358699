//! The visitor of typed rules: what is inside a statement, and inside an expression.
//!
//! No match has a wildcard: a new kind of statement or expression does not build until its parts
//! are listed. Whoever walks rules in general uses this module; whoever interprets each kind
//! (compiler, reference interpreter, symmetries) has exhaustive matches instead.

mod statements;

pub use statements::StatementClass;

use super::rules::{
    Binder, Condition, DefinitionId, DirectionOf, Directions, Domain, Local, Number, PieceOf,
    PlayerOf, SiteOf, Sites, Spanned, Statement, Value, Whose,
};
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

/// Collects expressions.
#[derive(Default)]
pub struct Parts<'r>(Vec<Expression<'r>>);

impl<'r> Parts<'r> {
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
        macro_rules! call {
            ($type:ident, $expression:ident) => {
                if let $type::Call(id, _) = $expression.node { Some(id) } else { None }
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
        match self {
            Expression::Number(it) => it.node.parts(),
            Expression::Condition(it) => it.node.parts(),
            Expression::Sites(it) => it.node.parts(),
            Expression::Site(it) => it.node.parts(),
            Expression::Direction(it) => it.node.parts(),
            Expression::Directions(it) => it.node.parts(),
            Expression::Player(it) => it.node.parts(),
            Expression::Piece(it) => it.node.parts(),
        }
    }
}

/// What has expressions directly inside it.
pub trait Composite {
    /// Those expressions, in the order of the fields.
    fn parts(&self) -> Vec<Expression<'_>> {
        let mut parts = Parts::default();
        self.list_parts(&mut parts);
        parts.0
    }

    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>);
}

impl Composite for Number {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            Number::Constant(_) | Number::Local(_) => {}
            Number::Memory { player, site, kind, .. } => {
                parts.players(player);
                parts.sites(site.as_deref());
                parts.kinds(kind);
            }
            Number::Add(all)
            | Number::Multiply(all)
            | Number::Least(all)
            | Number::Greatest(all) => parts.numbers(all),
            Number::Subtract(from, what) => parts.numbers([&**from, &**what]),
            Number::Divide(what, _) | Number::Remainder(what, _) => parts.numbers([&**what]),
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
            Number::Distance { from, to, .. } => parts.sites([&**from, &**to]),
            Number::ByPlayer(player, branches) => {
                parts.players([&**player]);
                parts.numbers(branches);
            }
            Number::If(condition, then, otherwise) => {
                parts.conditions([&**condition]);
                parts.numbers([&**then, &**otherwise]);
            }
            Number::Call(_, arguments) => parts.values(arguments),
        }
    }
}

impl Composite for Condition {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            Condition::Constant(_) | Condition::Local(_) => {}
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
            Condition::Compare(_, left, right) => parts.numbers([&**left, &**right]),
            Condition::SamePlayer(left, right) => parts.players([&**left, &**right]),
            Condition::Can(player, _) => parts.players([&**player]),
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
            Condition::Memory { player, .. } => parts.players(player.as_deref()),
            Condition::Call(_, arguments) => parts.values(arguments),
        }
    }
}

impl Composite for Sites {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            Sites::Everywhere
            | Sites::Nowhere
            | Sites::Empty
            | Sites::CutOut
            | Sites::Literal(_)
            | Sites::Local(_) => {}
            Sites::Pieces { kinds, whose } => {
                parts.kinds(kinds);
                match whose {
                    Whose::Anyones => {}
                    Whose::Players(player) | Whose::Others(player) => parts.players([player]),
                }
            }
            Sites::Memory { player, direction, .. } => {
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
            Sites::Lines { region, directions, .. } => {
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
            Sites::Call(_, arguments) => parts.values(arguments),
        }
    }
}

impl Composite for SiteOf {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            SiteOf::Literal(_) | SiteOf::Nowhere | SiteOf::Local(_) => {}
            SiteOf::Step(from, direction, _) => {
                parts.sites([&**from]);
                parts.directions([&**direction]);
            }
            SiteOf::First { from, direction, stops } => {
                parts.sites([&**from]);
                parts.directions([&**direction]);
                parts.regions([&**stops]);
            }
            SiteOf::Memory { player, site, .. } => {
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
            SiteOf::Call(_, arguments) => parts.values(arguments),
        }
    }
}

impl Composite for DirectionOf {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            DirectionOf::Fixed(_) | DirectionOf::Local(_) => {}
            DirectionOf::Between(from, to) => parts.sites([&**from, &**to]),
            DirectionOf::Turned(of, _) => parts.directions([&**of]),
            DirectionOf::Memory { player, site, .. } => {
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
            DirectionOf::Call(_, arguments) => parts.values(arguments),
        }
    }
}

impl Composite for Directions {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            Directions::Fixed(_) | Directions::Local(_) => {}
            Directions::One(direction) => parts.directions([&**direction]),
            Directions::List(list) => parts.directions(list),
            Directions::ByPlayer(player, branches) => {
                parts.players([&**player]);
                parts.0.extend(branches.iter().map(Expression::Directions));
            }
            Directions::Call(_, arguments) => parts.values(arguments),
        }
    }
}

impl Composite for PlayerOf {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            PlayerOf::Fixed(_) | PlayerOf::Mover | PlayerOf::Local(_) => {}
            PlayerOf::Next(of) => parts.players([&**of]),
            PlayerOf::Memory { player, .. } => parts.players(player.as_deref()),
            PlayerOf::ByPlayer(player, branches) => {
                parts.players([&**player]);
                parts.players(branches);
            }
            PlayerOf::If(condition, then, otherwise) => {
                parts.conditions([&**condition]);
                parts.players([&**then, &**otherwise]);
            }
            PlayerOf::Call(_, arguments) => parts.values(arguments),
        }
    }
}

impl Composite for PieceOf {
    fn list_parts<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            PieceOf::Fixed(_) | PieceOf::Local(_) => {}
            PieceOf::At(site) => parts.sites([&**site]),
            PieceOf::Memory { player, site, .. } => {
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
            PieceOf::Call(_, arguments) => parts.values(arguments),
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
