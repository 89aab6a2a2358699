//! Checks `distance`, and the numbers that a variable takes in turn.

use super::Checker;
use super::known::known;
use super::report::{Within, is_number};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::Ludeme;
use crate::language::rules::*;
use crate::syntax::Span;

/// The maximal number of values of a variable of numbers; the compiler repeats what they are used
/// in.
const MAX_NUMBERS: i64 = 64;

/// The maximal absolute value of a number that a variable takes.
const NUMBER_BOUND: i64 = 1_000_000;

/// The maximal number of different lists of directions in the distances of a game; each has a table
/// of all pairs of sites.
const MAX_LISTS: usize = 8;

impl Checker<'_> {
    /// Builds the distance of two sites.
    pub(super) fn distance(
        &mut self,
        from: Spanned<SiteOf>,
        to: Spanned<SiteOf>,
        directions: Option<Spanned<Directions>>,
        span: Span,
    ) -> Option<Number> {
        let board = self.require_board(span)?;
        let directions = match directions {
            Some(Spanned { node: Directions::Fixed(directions), span }) => {
                let returning = directions.iter().find(|&&way| board.returns(way));
                if let Some(track) = returning.and_then(|way| way.track()) {
                    self.report_return("distance", track, span, &board);
                    return None;
                }
                directions
            }
            None => board.all().to_vec(),
            Some(directions) => {
                let help = "write `orthogonal`, or list directions by name";
                return self.not_constant(directions.span, "directions", help);
            }
        };
        let mask = directions.iter().fold(0, |mask, direction| mask | 1 << direction.index());
        if !self.distance_masks.contains(&mask) {
            self.distance_masks.push(mask);
        }
        if self.distance_masks.len() > MAX_LISTS {
            let message = format!(
                "expected at most {MAX_LISTS} different lists of directions in `distance`, found \
                 another one"
            );
            return self.refuse(Finding::new(Code::RulesTooLarge, span, message));
        }
        Some(Number::Distance { from: from.into(), to: to.into(), directions })
    }

    /// Builds the domain of the whole numbers from one to another.
    pub(super) fn numbers_between(
        &mut self,
        least: &Spanned<Number>,
        most: &Spanned<Number>,
        span: Span,
    ) -> Option<Domain> {
        let is_written = |number: &Spanned<Number>| is_number(number.span.text(self.source));
        // Bounds that options give may leave nothing.
        let may_be_empty = !is_written(least) || !is_written(most);
        self.number_domain([least, most], span, may_be_empty, (MAX_NUMBERS, "numbers"))
    }

    /// Returns a bound of a range of numbers. One that changes during play is a requirement.
    fn end_of_range(&mut self, number: &Spanned<Number>, comparison: &str) -> Option<i64> {
        if matches!(self.context.within, Within::Row(row) if row.ludeme == Ludeme::ChooseNumber)
            && known(number).is_none()
        {
            let text = self.excerpt(number.span);
            let help = format!(
                "choose from all numbers that can be needed, as in `(number n 1 20)`, and write `(require ({comparison} n {text}))`"
            );
            return self.not_constant(number.span, "a number", help);
        }
        self.constant_within(number, -NUMBER_BOUND, NUMBER_BOUND)
    }

    /// Builds the domain of the whole numbers between two constants; reports bounds in reverse, if
    /// the domain may not be empty, and a domain that is too large.
    pub(super) fn number_domain(
        &mut self,
        [least, most]: [&Spanned<Number>; 2],
        span: Span,
        may_be_empty: bool,
        (limit, what): (i64, &str),
    ) -> Option<Domain> {
        let first = self.end_of_range(least, ">=");
        let last = self.end_of_range(most, "<=");
        let (first, last) = (first?, last?);
        let finding = if first > last && !may_be_empty {
            self.reversed_bounds(least.span, most.span, [first.to_string(), last.to_string()])
        } else if last - first >= limit {
            let count = last - first + 1;
            let message = format!("expected at most {limit} {what}, found {count}");
            Finding::new(Code::OutOfRange, least.span.join(most.span), message)
        } else {
            let (least, most) = (first as i32, last as i32);
            return Some(Domain::Numbers { least, most, span });
        };
        self.refuse_live(finding)
    }
}
