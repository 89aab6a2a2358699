//! Constant folding of numbers, in halves.

use super::Checker;
use super::typed::{Typed, at};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::rules::*;
use crate::syntax::{Node, Span};

/// The maximal absolute value of a number in a file.
const BOUND: i64 = 1_000_000_000;

/// Help for findings: which numbers are known before play.
pub(super) const BEFORE_PLAY: &str =
    "numbers in the file, options, and what is computed from them are known before play";

/// Formats a number given in halves: `5`, `-0.5`.
pub(super) fn spell(halves: i64) -> String {
    let sign = if halves < 0 { "-" } else { "" };
    let size = halves.unsigned_abs();
    let half = if size % 2 == 1 { ".5" } else { "" };
    format!("{sign}{}{half}", size / 2)
}

/// Returns the value of a constant, in halves.
pub(super) fn known(number: &Spanned<Number>) -> Option<i64> {
    match number.node {
        Number::Constant(halves) => Some(halves),
        _ => None,
    }
}

fn all_known(numbers: &[Spanned<Number>]) -> Option<Vec<i64>> {
    numbers.iter().map(known).collect()
}

impl Checker<'_> {
    /// Builds a constant; reports an overflow.
    pub(super) fn bounded(&mut self, halves: Option<i64>, span: Span) -> Option<Number> {
        match halves {
            Some(halves) if halves.abs() <= 2 * BOUND => Some(Number::Constant(halves)),
            _ => {
                let message =
                    format!("expected a number from -{BOUND} to {BOUND}, found a larger one");
                self.refuse_live(Finding::new(Code::NumberOverflow, span, message))
            }
        }
    }

    /// Builds a sum.
    pub(super) fn sum(&mut self, numbers: Vec<Spanned<Number>>, span: Span) -> Option<Number> {
        let Some(known) = all_known(&numbers) else {
            return Some(Number::Add(numbers));
        };
        let sum = known.into_iter().try_fold(0i64, i64::checked_add);
        self.bounded(sum, span)
    }

    /// Builds a difference.
    pub(super) fn difference(
        &mut self,
        from: Spanned<Number>,
        number: Spanned<Number>,
        span: Span,
    ) -> Option<Number> {
        match (known(&from), known(&number)) {
            (Some(from), Some(number)) => self.bounded(from.checked_sub(number), span),
            _ => Some(Number::Subtract(from.into(), number.into())),
        }
    }

    /// Builds a product.
    pub(super) fn product(&mut self, numbers: Vec<Spanned<Number>>, span: Span) -> Option<Number> {
        let Some(known) = all_known(&numbers) else {
            return Some(Number::Multiply(numbers));
        };
        let mut product = 2i64;
        for factor in known {
            let quarters = product.checked_mul(factor);
            if quarters.is_some_and(|quarters| quarters % 2 != 0) {
                let message =
                    "expected a whole number or a half, found a product with a smaller fraction";
                return self.refuse_live(Finding::new(Code::BadNumber, span, message));
            }
            let Number::Constant(halves) = self.bounded(quarters.map(|it| it / 2), span)? else {
                return None;
            };
            product = halves;
        }
        Some(Number::Constant(product))
    }

    /// Builds a minimum or maximum.
    pub(super) fn extreme(
        &mut self,
        ludeme: Ludeme,
        numbers: Vec<Spanned<Number>>,
    ) -> Option<Number> {
        let least = ludeme == Ludeme::Least;
        let known = all_known(&numbers).and_then(|known| match least {
            true => known.into_iter().min(),
            false => known.into_iter().max(),
        });
        Some(match known {
            Some(halves) => Number::Constant(halves),
            None if least => Number::Least(numbers),
            None => Number::Greatest(numbers),
        })
    }

    /// Builds a quotient or remainder.
    pub(super) fn quotient(
        &mut self,
        ludeme: Ludeme,
        number: Spanned<Number>,
        by: Spanned<Number>,
    ) -> Option<Number> {
        let divisor = known(&by).map(|halves| halves / 2);
        let Some(divisor) = divisor.filter(|&divisor| divisor > 0) else {
            let found = match divisor {
                Some(divisor) => format!("found {divisor}"),
                None => format!(
                    "found `{}`, which is only known during play",
                    by.span.text(self.source)
                ),
            };
            let message =
                format!("expected a divisor above zero that is known before play, {found}");
            let finding = Finding::new(Code::BadDivisor, by.span, message);
            match divisor {
                Some(_) => self.report_live(finding),
                None => self.report(finding),
            }
            return None;
        };
        let narrow = i32::try_from(divisor).ok()?;
        let divides = ludeme == Ludeme::Divide;
        Some(match known(&number) {
            Some(halves) if divides => Number::Constant(2 * (halves / 2).div_euclid(divisor)),
            Some(halves) => Number::Constant(2 * (halves / 2).rem_euclid(divisor)),
            None if divides => Number::Divide(number.into(), narrow),
            None => Number::Remainder(number.into(), narrow),
        })
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
        let mut finding = Finding::new(Code::HalfNotAllowed, span, message);
        finding.help =
            Some(String::from("halves are allowed only in options, comparisons and `by-score`"));
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
        let mut message = format!("expected a number from {least} to {most}, found {value}");
        // The text of an option or a definition does not show its value.
        if number.span.text(self.source) != value.to_string() {
            message = format!(
                "expected a number from {least} to {most}, found `{}`, which is {value}",
                self.excerpt(number.span)
            );
        }
        self.refuse_live(
            Finding::new(Code::OutOfRange, number.span, message)
                .with_optional_help(self.usage_within()),
        )
    }

    /// Checks a whole number that must be constant and within bounds.
    pub(super) fn constant_node(&mut self, node: &Node, least: i64, most: i64) -> Option<i64> {
        let number = self.value(node)?;
        self.constant_within(&number, least, most)
    }

    /// Inlines the body of a definition without parameters if it is constant.
    pub(super) fn inlined(value: &Value, span: Span) -> Option<Typed> {
        macro_rules! constant {
            ($($kind:ident is $type:ident::$variant:ident,)*) => {
                match value {
                    $(Value::$kind(Spanned { node: node @ $type::$variant(_), .. }) => {
                        Some(Typed::$kind(at(node.clone(), span)))
                    })*
                    _ => None,
                }
            };
        }
        constant! {
            Number is Number::Constant,
            Condition is Condition::Constant,
            Site is SiteOf::Literal,
            Sites is Sites::Literal,
            Direction is DirectionOf::Fixed,
            Directions is Directions::Fixed,
            Player is PlayerOf::Fixed,
            Piece is PieceOf::Fixed,
        }
    }
}
