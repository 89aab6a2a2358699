//! Evaluates expressions whose value depends on the board alone: on no piece, memory, hand or
//! chance.
//!
//! Their values are known before play, given the values of their free variables. The checker
//! evaluates expressions of constants and the holes of a board, the compiler expressions that play
//! would otherwise compute in every position, the proof of symmetries expressions that it compares
//! with their images. All other expressions have no value here, nor have those that take more work
//! than the fuel allows.

mod regions;
mod site_set;

pub use site_set::SiteSet;

use super::rules::{
    Binder, Condition, Definition, DefinitionId, DirectionOf, Directions, Domain, Local, Number,
    PieceId, PieceOf, PlayerId, PlayerOf, Rules, SiteOf, Sites, Spanned, Value,
};
use super::visit::Expression;
use crate::board::{Board, Direction, Site};
use std::cell::Cell;

/// The unit of numbers: the representation of 1. Products of up to sixteen halves are exact.
pub const ONE: i128 = 1 << 16;

/// The value of an expression that depends on the board alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardValue {
    /// In multiples of [`ONE`].
    Number(i128),
    Condition(bool),
    Sites(SiteSet),
    /// `None` is nowhere.
    Site(Option<Site>),
    /// `None` is no direction.
    Direction(Option<Direction>),
    Directions(Vec<Direction>),
    Player(PlayerId),
    /// `None` is no kind.
    Piece(Option<PieceId>),
}

/// The variables in scope.
#[derive(Clone, Copy)]
pub enum Variables<'v> {
    /// No variable, as in a definition without parameters.
    None,
    /// The variables around the expression. The function returns `None` for an unknown value.
    Outer(&'v dyn Fn(Local) -> Option<BoardValue>),
    With(Local, &'v BoardValue, &'v Variables<'v>),
}

impl Variables<'_> {
    fn get(&self, local: Local) -> Option<BoardValue> {
        match self {
            Variables::None => None,
            Variables::Outer(lookup) => lookup(local),
            Variables::With(variable, value, _) if *variable == local => Some((*value).clone()),
            Variables::With(_, _, outer) => outer.get(local),
        }
    }
}

/// The evaluator. Every function returns `None` for an expression without a value before play.
#[derive(Clone, Copy)]
pub struct Evaluator<'e> {
    pub board: &'e Board,
    /// The definitions of the game.
    pub definitions: &'e [Definition],
    /// The number of players; 0 if they are not known yet, or if players can drop out: who is next
    /// is then decided in play.
    pub players: u16,
    pub mover: Option<PlayerId>,
    /// Whether sites can be cut out in play.
    pub cuts: bool,
    /// The largest number. Larger ones become this one, and those below its complement that one.
    pub most: i64,
    /// The work left, in expressions and words of sets.
    pub fuel: &'e Cell<u32>,
}

/// Tests if the expression itself, apart from its parts, reads more than the board.
pub fn reads_position(expression: Expression, cuts: bool) -> bool {
    match expression {
        Expression::Number(it) => matches!(it.node, Number::Memory { .. }),
        Expression::Sites(it) => match it.node {
            Sites::Everywhere => cuts,
            Sites::Empty
            | Sites::CutOut
            | Sites::Pieces { .. }
            | Sites::Memory { .. }
            | Sites::Slide { .. } => true,
            _ => false,
        },
        Expression::Site(it) => matches!(it.node, SiteOf::Memory { .. }),
        Expression::Player(it) => matches!(it.node, PlayerOf::Memory { .. }),
        Expression::Piece(it) => matches!(it.node, PieceOf::At(_) | PieceOf::Memory { .. }),
        Expression::Condition(it) => {
            matches!(it.node, Condition::Memory { .. } | Condition::Can(..))
        }
        Expression::Direction(it) => matches!(it.node, DirectionOf::Memory { .. }),
        Expression::Directions(_) => false,
    }
}

macro_rules! call {
    ($self:ident, $definition:ident, $arguments:ident, $variables:ident, $type:ident, $function:ident) => {
        $self.call(*$definition, $arguments, $variables, &mut |body, variables| match body {
            Value::$type(body) => $self.$function(&body.node, variables),
            _ => None,
        })
    };
}

macro_rules! local {
    ($variables:ident, $local:ident, $type:ident) => {
        match $variables.get(*$local)? {
            BoardValue::$type(value) => Some(value),
            _ => None,
        }
    };
}

impl<'e> Evaluator<'e> {
    /// Creates the evaluator for a board without a game.
    pub fn new(board: &'e Board, fuel: &'e Cell<u32>) -> Evaluator<'e> {
        let most = i32::MAX.into();
        Evaluator { board, definitions: &[], players: 0, mover: None, cuts: false, most, fuel }
    }

    /// Creates the evaluator for a game, whoever moves.
    pub fn of(rules: &'e Rules, cuts: bool, fuel: &'e Cell<u32>) -> Evaluator<'e> {
        let players = if rules.drop_outs.is_some() { 0 } else { rules.players.len() as u16 };
        let definitions = &rules.definitions;
        Evaluator { definitions, players, cuts, ..Evaluator::new(&rules.board, fuel) }
    }

    /// Uses up some fuel; `None` if there is not enough.
    fn spend(&self, work: usize) -> Option<()> {
        let left = self.fuel.get().checked_sub(u32::try_from(work).ok()?);
        self.fuel.set(left.unwrap_or(0));
        left.map(drop)
    }

    /// Returns a number within the range, in multiples of [`ONE`].
    fn bounded(&self, number: i128) -> i128 {
        number.clamp(ONE * i128::from(!self.most), ONE * i128::from(self.most))
    }

    /// Evaluates an expression of any type.
    pub fn value(&self, expression: Expression, variables: &Variables) -> Option<BoardValue> {
        use Expression as E;
        Some(match expression {
            E::Number(it) => BoardValue::Number(self.number(&it.node, variables)?),
            E::Condition(it) => BoardValue::Condition(self.condition(&it.node, variables)?),
            E::Sites(it) => BoardValue::Sites(self.sites(&it.node, variables)?),
            E::Site(it) => BoardValue::Site(self.site(&it.node, variables)?),
            E::Direction(it) => BoardValue::Direction(self.direction(&it.node, variables)?),
            E::Directions(it) => BoardValue::Directions(self.directions(&it.node, variables)?),
            E::Player(it) => BoardValue::Player(self.player(&it.node, variables)?),
            E::Piece(it) => BoardValue::Piece(self.piece(&it.node, variables)?),
        })
    }

    /// Evaluates a number, in multiples of [`ONE`].
    pub fn number(&self, number: &Number, variables: &Variables) -> Option<i128> {
        self.spend(1)?;
        let of = |number: &Spanned<Number>| self.number(&number.node, variables);
        let all = |numbers: &[Spanned<Number>]| numbers.iter().map(of).collect::<Option<Vec<_>>>();
        match number {
            Number::Constant(halves) => Some(i128::from(*halves) * (ONE / 2)),
            Number::Local(local) => local!(variables, local, Number),
            Number::Add(parts) => {
                Some(all(parts)?.into_iter().fold(0, |sum, part| self.bounded(sum + part)))
            }
            Number::Subtract(from, number) => Some(self.bounded(of(from)? - of(number)?)),
            Number::Multiply(parts) => {
                let product = all(parts)?.into_iter();
                Some(product.fold(ONE, |product, part| self.bounded(product * part / ONE)))
            }
            Number::Divide(number, by) => Some(ONE * of(number)?.div_euclid(ONE * i128::from(*by))),
            Number::Remainder(number, by) => Some(of(number)?.rem_euclid(ONE * i128::from(*by))),
            Number::Least(parts) => Some(all(parts)?.into_iter().min().unwrap_or(0)),
            Number::Greatest(parts) => Some(all(parts)?.into_iter().max().unwrap_or(0)),
            Number::Count(sites) => Some(ONE * self.sites(&sites.node, variables)?.len() as i128),
            Number::CountWhere(binder, condition) => {
                let mut count = 0;
                self.each(binder, variables, &mut |_, variables| {
                    count += i128::from(self.condition(&condition.node, variables)?);
                    Some(true)
                })?;
                Some(ONE * count)
            }
            Number::Sum(binder, number) => {
                let numbers = self.numbers(binder, number, variables)?;
                Some(numbers.into_iter().fold(0, |sum, part| self.bounded(sum + part)))
            }
            Number::LeastOver(binder, number) => {
                Some(self.numbers(binder, number, variables)?.into_iter().min().unwrap_or(0))
            }
            Number::GreatestOver(binder, number) => {
                Some(self.numbers(binder, number, variables)?.into_iter().max().unwrap_or(0))
            }
            Number::RowOf(site) => {
                let site = self.site(&site.node, variables)?;
                Some(ONE * site.map_or(0, |site| self.board.row_of(site)) as i128)
            }
            Number::ColumnOf(site) => {
                let site = self.site(&site.node, variables)?;
                Some(ONE * site.map_or(0, |site| self.board.column_of(site)) as i128)
            }
            Number::Distance { from, to, directions } => {
                let ends = (self.site(&from.node, variables)?, self.site(&to.node, variables)?);
                let (Some(from), Some(to)) = ends else { return Some(ONE * Board::FAR as i128) };
                self.spend(self.board.slots())?;
                Some(ONE * i128::from(self.board.distances(from, directions)[to.index()]))
            }
            Number::ByPlayer(player, numbers) => {
                of(numbers.get(self.player(&player.node, variables)?.index())?)
            }
            Number::If(condition, then, otherwise) => {
                match self.condition(&condition.node, variables)? {
                    true => of(then),
                    false => of(otherwise),
                }
            }
            Number::Call(definition, arguments) => {
                call!(self, definition, arguments, variables, Number, number)
            }
            _ => None,
        }
    }

    /// Returns the values of a number for all values of a variable.
    fn numbers(
        &self,
        binder: &Binder,
        number: &Spanned<Number>,
        variables: &Variables,
    ) -> Option<Vec<i128>> {
        let mut numbers = Vec::new();
        self.each(binder, variables, &mut |_, variables| {
            numbers.push(self.number(&number.node, variables)?);
            Some(true)
        })?;
        Some(numbers)
    }

    /// Tests if a condition holds; `and` and `or` short-circuit.
    pub fn condition(&self, condition: &Condition, variables: &Variables) -> Option<bool> {
        self.spend(1)?;
        let of = |condition: &Spanned<Condition>| self.condition(&condition.node, variables);
        match condition {
            Condition::Constant(holds) => Some(*holds),
            Condition::And(parts) => {
                parts.iter().try_fold(true, |all, part| if all { of(part) } else { Some(false) })
            }
            Condition::Or(parts) => {
                parts.iter().try_fold(false, |any, part| if any { Some(true) } else { of(part) })
            }
            Condition::Not(part) => Some(!of(part)?),
            Condition::Any(sites) => Some(!self.sites(&sites.node, variables)?.is_empty()),
            Condition::None(sites) => Some(self.sites(&sites.node, variables)?.is_empty()),
            Condition::In(site, sites) => {
                let site = self.site(&site.node, variables)?;
                let sites = self.sites(&sites.node, variables)?;
                Some(site.is_some_and(|site| sites.contains(site)))
            }
            Condition::Exists(binder, body) | Condition::Every(binder, body) => {
                let every = matches!(condition, Condition::Every(..));
                let mut holds = every;
                self.each(binder, variables, &mut |_, variables| {
                    holds = self.condition(&body.node, variables)?;
                    Some(holds == every)
                })?;
                Some(holds)
            }
            Condition::Compare(comparison, left, right) => {
                let left = self.number(&left.node, variables)?;
                Some(comparison.holds(left, self.number(&right.node, variables)?))
            }
            Condition::SamePlayer(left, right) => {
                let left = self.player(&left.node, variables)?;
                Some(left == self.player(&right.node, variables)?)
            }
            Condition::SameSite(left, right) => {
                let left = self.site(&left.node, variables)?;
                Some(left == self.site(&right.node, variables)? && left.is_some())
            }
            Condition::SameDirection(left, right) => {
                let left = self.direction(&left.node, variables)?;
                Some(left == self.direction(&right.node, variables)? && left.is_some())
            }
            Condition::SameKind(left, right) => {
                let left = self.piece(&left.node, variables)?;
                Some(left == self.piece(&right.node, variables)? && left.is_some())
            }
            Condition::Connected(region, directions) => {
                let region = self.sites(&region.node, variables)?;
                let directions = self.directions(&directions.node, variables)?;
                Some(self.groups(&region, &directions)?.len() <= 1)
            }
            Condition::ByPlayer(player, conditions) => {
                of(conditions.get(self.player(&player.node, variables)?.index())?)
            }
            Condition::Can(..) | Condition::Memory { .. } => None,
            Condition::Local(local) => local!(variables, local, Condition),
            Condition::Call(definition, arguments) => {
                call!(self, definition, arguments, variables, Condition, condition)
            }
        }
    }

    /// Evaluates a single site; the inner `None` is nowhere.
    pub fn site(&self, site: &SiteOf, variables: &Variables) -> Option<Option<Site>> {
        self.spend(1)?;
        match site {
            SiteOf::Literal(site) => Some(Some(*site)),
            SiteOf::Nowhere => Some(None),
            SiteOf::Local(local) => local!(variables, local, Site),
            SiteOf::Step(from, direction, number) => {
                let from = self.site(&from.node, variables)?;
                let direction = self.direction(&direction.node, variables)?;
                let (Some(from), Some(direction)) = (from, direction) else { return Some(None) };
                let step = |site, _| self.board.step(site, direction);
                Some((0..*number).try_fold(from, step))
            }
            SiteOf::StepBy(from, direction, number) => {
                let from = self.site(&from.node, variables)?;
                let direction = self.direction(&direction.node, variables)?;
                let number = self.number(&number.node, variables)?.div_euclid(ONE);
                let (Some(from), Some(direction)) = (from, direction) else { return Some(None) };
                self.spend(self.board.slots())?;
                Some(self.board.steps(from, direction, number as i64))
            }
            SiteOf::First { from, direction, stops } => {
                let from = self.site(&from.node, variables)?;
                let direction = self.direction(&direction.node, variables)?;
                let stops = self.sites(&stops.node, variables)?;
                let (Some(from), Some(direction)) = (from, direction) else { return Some(None) };
                let mut line = self.line(from, direction);
                Some(line.find(|&site| stops.contains(site)))
            }
            SiteOf::Only(region) => Some(self.sites(&region.node, variables)?.only()),
            SiteOf::ByPlayer(player, sites) => {
                let player = self.player(&player.node, variables)?;
                self.site(&sites.get(player.index())?.node, variables)
            }
            SiteOf::If(condition, then, otherwise) => {
                let holds = self.condition(&condition.node, variables)?;
                self.site(&if holds { then } else { otherwise }.node, variables)
            }
            SiteOf::Call(definition, arguments) => {
                call!(self, definition, arguments, variables, Site, site)
            }
            _ => None,
        }
    }

    /// Evaluates a direction; the inner `None` is no direction.
    fn direction(
        &self,
        direction: &DirectionOf,
        variables: &Variables,
    ) -> Option<Option<Direction>> {
        self.spend(1)?;
        match direction {
            DirectionOf::Fixed(direction) => Some(Some(*direction)),
            DirectionOf::Local(local) => local!(variables, local, Direction),
            DirectionOf::Between(from, to) => {
                let ends = (self.site(&from.node, variables)?, self.site(&to.node, variables)?);
                let (Some(from), Some(to)) = ends else { return Some(None) };
                let leads = |one: &Direction| self.board.step(from, *one) == Some(to);
                Some(self.board.straight().find(leads))
            }
            DirectionOf::Turned(direction, steps) => {
                let direction = self.direction(&direction.node, variables)?;
                Some(direction.and_then(|one| self.board.turned(one, i32::from(steps.0))))
            }
            DirectionOf::ByPlayer(player, directions) => {
                let player = self.player(&player.node, variables)?;
                self.direction(&directions.get(player.index())?.node, variables)
            }
            DirectionOf::If(condition, then, otherwise) => {
                let holds = self.condition(&condition.node, variables)?;
                self.direction(&if holds { then } else { otherwise }.node, variables)
            }
            DirectionOf::Memory { .. } => None,
            DirectionOf::Call(definition, arguments) => {
                call!(self, definition, arguments, variables, Direction, direction)
            }
        }
    }

    /// Evaluates directions, in order and without repetition.
    pub fn directions(
        &self,
        directions: &Directions,
        variables: &Variables,
    ) -> Option<Vec<Direction>> {
        self.spend(1)?;
        match directions {
            Directions::Fixed(directions) => Some(directions.clone()),
            Directions::One(direction) => {
                Some(self.direction(&direction.node, variables)?.into_iter().collect())
            }
            Directions::List(listed) => {
                let mut directions = Vec::new();
                for direction in listed {
                    let direction = self.direction(&direction.node, variables)?;
                    directions.extend(direction.filter(|one| !directions.contains(one)));
                }
                Some(directions)
            }
            Directions::ByPlayer(player, directions) => {
                let player = self.player(&player.node, variables)?;
                self.directions(&directions.get(player.index())?.node, variables)
            }
            Directions::Half(of) => {
                let ways = self.directions(&of.node, variables)?;
                Some(ways.into_iter().map(Direction::half).collect())
            }
            Directions::Local(local) => local!(variables, local, Directions),
            Directions::Call(definition, arguments) => {
                call!(self, definition, arguments, variables, Directions, directions)
            }
        }
    }

    /// Evaluates a player.
    pub fn player(&self, player: &PlayerOf, variables: &Variables) -> Option<PlayerId> {
        self.spend(1)?;
        match player {
            PlayerOf::Fixed(player) => Some(*player),
            PlayerOf::Mover => self.mover,
            PlayerOf::Next(player) => {
                let player = self.player(&player.node, variables)?;
                Some(PlayerId((player.0 + 1).checked_rem(self.players)?))
            }
            PlayerOf::Local(local) => local!(variables, local, Player),
            PlayerOf::ByPlayer(player, players) => {
                let player = self.player(&player.node, variables)?;
                self.player(&players.get(player.index())?.node, variables)
            }
            PlayerOf::If(condition, then, otherwise) => {
                let holds = self.condition(&condition.node, variables)?;
                self.player(&if holds { then } else { otherwise }.node, variables)
            }
            PlayerOf::Call(definition, arguments) => {
                call!(self, definition, arguments, variables, Player, player)
            }
            _ => None,
        }
    }

    /// Evaluates a kind of piece; the inner `None` is no kind.
    fn piece(&self, piece: &PieceOf, variables: &Variables) -> Option<Option<PieceId>> {
        self.spend(1)?;
        match piece {
            PieceOf::Fixed(piece) => Some(Some(*piece)),
            PieceOf::Local(local) => local!(variables, local, Piece),
            PieceOf::ByPlayer(player, pieces) => {
                let player = self.player(&player.node, variables)?;
                self.piece(&pieces.get(player.index())?.node, variables)
            }
            PieceOf::If(condition, then, otherwise) => {
                let holds = self.condition(&condition.node, variables)?;
                self.piece(&if holds { then } else { otherwise }.node, variables)
            }
            PieceOf::Call(definition, arguments) => {
                call!(self, definition, arguments, variables, Piece, piece)
            }
            _ => None,
        }
    }

    /// Evaluates the arguments of a definition, and its body with them. An argument that is not
    /// known matters only if the body uses it.
    fn call<T>(
        &self,
        definition: DefinitionId,
        arguments: &[Value],
        variables: &Variables,
        evaluate: &mut dyn FnMut(&Value, &Variables) -> Option<T>,
    ) -> Option<T> {
        let definition = self.definitions.get(definition.index())?;
        let argument = |local: Local| {
            let index = definition.parameters.iter().position(|&parameter| parameter == local)?;
            self.value(arguments.get(index)?.expression()?, variables)
        };
        evaluate(&definition.body, &Variables::Outer(&argument))
    }

    /// Evaluates something for the values of a variable, in order, as long as it returns true.
    fn each(
        &self,
        binder: &Binder,
        variables: &Variables,
        evaluate: &mut dyn FnMut(&BoardValue, &Variables) -> Option<bool>,
    ) -> Option<()> {
        let values: Vec<BoardValue> = match &binder.domain {
            Domain::Sites(sites) => {
                let sites = self.sites(&sites.node, variables)?;
                sites.iter().map(|site| BoardValue::Site(Some(site))).collect()
            }
            Domain::Directions(directions) => {
                let directions = self.directions(&directions.node, variables)?;
                directions.into_iter().map(|one| BoardValue::Direction(Some(one))).collect()
            }
            Domain::Players(_) if self.players == 0 => return None,
            // A path or a board knows no teams.
            Domain::Team(..) => return None,
            Domain::Players(_) => {
                (0..self.players).map(|player| BoardValue::Player(PlayerId(player))).collect()
            }
            Domain::Pieces(pieces, _) => {
                pieces.iter().map(|&piece| BoardValue::Piece(Some(piece))).collect()
            }
            Domain::Numbers { least, most, .. } => {
                self.spend((i64::from(*most) - i64::from(*least)).max(0) as usize)?;
                (*least..=*most).map(|one| BoardValue::Number(ONE * i128::from(one))).collect()
            }
            Domain::Groups { region, directions, .. } => {
                let region = self.sites(&region.node, variables)?;
                let directions = self.directions(&directions.node, variables)?;
                self.groups(&region, &directions)?.into_iter().map(BoardValue::Sites).collect()
            }
        };
        for value in values {
            if !evaluate(&value, &Variables::With(binder.variable, &value, variables))? {
                break;
            }
        }
        Some(())
    }
}
