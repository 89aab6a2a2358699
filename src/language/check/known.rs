//! Values before play: expressions of constants become constants, and numbers that must be
//! constants are checked. Numbers are in halves.

use super::Checker;
use super::typed::{Typed, at};
use crate::board::{Board, Labels, Shape};
use crate::language::board_expressions::{BoardValue, Evaluator, ONE, Variables};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::Kind;
use crate::language::rules::*;
use crate::language::visit::Expression;
use crate::syntax::{Node, Span};
use std::cell::Cell;
use std::sync::Arc;

/// The maximal absolute value of a number in a file.
const BOUND: i64 = 1_000_000_000;

/// Limit on the work for the value of an expression of constants.
const MAX_WORK: u32 = 1 << 16;

/// Help for findings: which numbers are known before play.
pub(super) const BEFORE_PLAY: &str =
    "numbers in the file, options, and what is computed from them are known before play";

/// Returns the value of a constant, in halves.
pub(super) fn known(number: &Spanned<Number>) -> Option<i64> {
    match number.node {
        Number::Constant(halves) => Some(halves),
        _ => None,
    }
}

/// Tests if everything that an expression is computed from is constant. What depends on regions or
/// directions stays as it is written: the board, whose size may be an option, decides what they
/// are.
fn is_of_constants(expression: Expression) -> bool {
    let parts = expression.parts();
    let is_fixed = |part: Expression| match part {
        Expression::Sites(_) | Expression::Directions(_) => false,
        _ => part.is_constant() || is_of_constants(part),
    };
    !parts.is_empty() && parts.into_iter().all(is_fixed)
}

impl Checker<'_> {
    /// Replaces an expression of constants by its value; reports one that no number may have.
    pub(super) fn folded(&mut self, typed: Typed) -> Option<Typed> {
        let expression = match &typed {
            Typed::Number(it) => Expression::Number(it),
            Typed::Condition(it) => Expression::Condition(it),
            Typed::Directions(it) => Expression::Directions(it),
            Typed::Player(it) => Expression::Player(it),
            _ => return Some(typed),
        };
        let span = expression.span();
        match is_of_constants(expression).then(|| self.evaluated(expression)).flatten() {
            Some(value) => self.constant(value, span),
            None => Some(typed),
        }
    }

    /// Evaluates an expression of constants. Numbers are exact.
    pub(super) fn evaluated(&self, expression: Expression) -> Option<BoardValue> {
        let board = match &self.declared.board {
            Some(board) => board.clone(),
            // Only what needs no board is constant before there is one.
            None => {
                let site = Shape::Rectangle { columns: 1, rows: 1 };
                Arc::new(Board::new(site, Labels::default()).ok()?)
            }
        };
        let drop_outs = self.declared.sugar.drop_outs;
        let players = if drop_outs { 0 } else { self.declared.players.len() as u16 };
        let fuel = Cell::new(MAX_WORK);
        let evaluator = Evaluator { players, most: i64::MAX, ..Evaluator::new(&board, &fuel) };
        evaluator.value(expression, &Variables::None)
    }

    /// Builds a constant; reports a number that is too large or has a fraction other than a half.
    pub(super) fn constant(&mut self, value: BoardValue, span: Span) -> Option<Typed> {
        Some(match value {
            BoardValue::Number(number) if number % (ONE / 2) != 0 => {
                let message =
                    "expected a whole number or a half, found a product with a smaller fraction";
                return self.refuse_live(Finding::new(Code::BadNumber, span, message));
            }
            BoardValue::Number(number) => {
                let halves = i64::try_from(number / (ONE / 2)).unwrap_or(i64::MAX);
                Typed::Number(at(self.bounded(halves, span)?, span))
            }
            BoardValue::Condition(so) => Typed::Condition(at(Condition::Constant(so), span)),
            BoardValue::Sites(sites) => {
                Typed::Sites(at(Sites::Literal(sites.iter().collect()), span))
            }
            BoardValue::Site(site) => Typed::Site(at(SiteOf::Literal(site?), span)),
            BoardValue::Direction(way) => Typed::Direction(at(DirectionOf::Fixed(way?), span)),
            BoardValue::Directions(ways) => Typed::Directions(at(Directions::Fixed(ways), span)),
            BoardValue::Player(player) => Typed::Player(at(PlayerOf::Fixed(player), span)),
            BoardValue::Piece(kind) => Typed::Piece(at(PieceOf::Fixed(kind?), span)),
        })
    }

    /// Builds a constant number; reports an overflow.
    pub(super) fn bounded(&mut self, halves: i64, span: Span) -> Option<Number> {
        if halves.abs() <= 2 * BOUND {
            return Some(Number::Constant(halves));
        }
        let message = format!("expected a number from -{BOUND} to {BOUND}, found a larger one");
        self.refuse_live(Finding::new(Code::NumberOverflow, span, message))
    }

    /// Builds a product. One of constants is made factor by factor: each on the way is a number,
    /// too.
    pub(super) fn product(&mut self, factors: Vec<Spanned<Number>>, span: Span) -> Option<Typed> {
        let product = |factors| Typed::Number(at(Number::Multiply(factors), span));
        if factors.iter().any(|factor| known(factor).is_none()) {
            return Some(product(factors));
        }
        let mut factors = factors.into_iter();
        let mut so_far = at(factors.next()?.node, span);
        for factor in factors {
            let Typed::Number(next) = self.folded(product(vec![so_far, factor]))? else {
                return None;
            };
            so_far = next;
        }
        Some(Typed::Number(so_far))
    }

    /// Returns the divisor of a quotient or remainder.
    pub(super) fn divisor(&mut self, by: &Spanned<Number>) -> Option<i32> {
        let divisor = known(by).map(|halves| halves / 2);
        let found = match divisor {
            Some(divisor @ 1..) => return i32::try_from(divisor).ok(),
            Some(divisor) => format!("found {divisor}"),
            None => {
                format!("found `{}`, which is only known during play", by.span.text(self.source))
            }
        };
        let message = format!("expected a divisor above zero that is known before play, {found}");
        let finding = Finding::new(Code::BadDivisor, by.span, message);
        match divisor {
            Some(_) => self.report_live(finding),
            None => self.report(finding),
        }
        None
    }

    /// Checks that a number has no halves, including those of definitions it calls.
    pub(super) fn whole(&mut self, number: &Spanned<Number>) -> Option<()> {
        let Some((span, definition)) = self.half(number) else {
            return Some(());
        };
        let message = format!(
            "expected a whole number, found `{}`, which has a fraction",
            span.text(self.source)
        );
        let help = "halves are allowed only in options, comparisons and `by-score`";
        let mut finding = Finding::new(Code::HalfNotAllowed, span, message).with_help(help);
        if let Some(origin) = definition {
            finding = finding.with_other(origin, "defined here");
        }
        self.refuse_live(finding)
    }

    /// Finds a half in a number, and the definition that it comes from.
    pub(super) fn half(&self, number: &Spanned<Number>) -> Option<(Span, Option<Span>)> {
        match &number.node {
            Number::Constant(halves) => (halves % 2 != 0).then_some((number.span, None)),
            Number::Add(numbers) | Number::Multiply(numbers) | Number::ByPlayer(_, numbers) => {
                numbers.iter().find_map(|number| self.half(number))
            }
            Number::Subtract(one, other) | Number::If(_, one, other) => {
                self.half(one).or_else(|| self.half(other))
            }
            Number::Call(id, _) => {
                let definition = self.declared.definitions.get(id.index())?;
                definition.halves.then_some((number.span, Some(definition.name.span)))
            }
            Number::Local(_)
            | Number::Memory { .. }
            | Number::Divide(..)
            | Number::Remainder(..)
            | Number::Least(_)
            | Number::Greatest(_)
            | Number::Count(_)
            | Number::CountWhere(..)
            | Number::Sum(..)
            | Number::LeastOver(..)
            | Number::GreatestOver(..)
            | Number::RowOf(_)
            | Number::ColumnOf(_)
            | Number::Distance { .. } => None,
        }
    }

    /// Returns the value of a number that must be constant, in halves.
    pub(super) fn constant_of(&mut self, number: &Spanned<Number>) -> Option<i64> {
        known(number).or_else(|| self.not_constant(number.span, Kind::Number.phrase(), BEFORE_PLAY))
    }

    /// Returns the value of a whole number that must be constant and within bounds.
    pub(super) fn constant_within(
        &mut self,
        number: &Spanned<Number>,
        least: i64,
        most: i64,
    ) -> Option<i64> {
        self.whole(number)?;
        let value = self.constant_of(number)? / 2;
        if (least..=most).contains(&value) {
            return Some(value);
        }
        // The text of an option or a definition does not show its value.
        let found = match number.span.text(self.source) == value.to_string() {
            true => value.to_string(),
            false => format!("`{}`, which is {value}", self.excerpt(number.span)),
        };
        let message = format!("expected a number from {least} to {most}, found {found}");
        let finding = Finding::new(Code::OutOfRange, number.span, message);
        self.refuse_live(finding.with_optional_help(self.usage_within()))
    }

    /// Checks a whole number that must be constant and within bounds.
    pub(super) fn constant_node(&mut self, node: &Node, least: i64, most: i64) -> Option<i64> {
        let number = self.value(node)?;
        self.constant_within(&number, least, most)
    }
}
