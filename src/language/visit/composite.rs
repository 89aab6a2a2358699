//! What is inside an expression of each type.

use super::super::rules::{
    Condition, DirectionOf, Directions, Number, PieceOf, PlayerOf, SiteOf, Sites, Whose,
};
use super::{Expression, Label, Parts};

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
