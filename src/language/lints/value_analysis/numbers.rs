//! Intervals of numbers: what a number can be in any reachable position, and how intervals compare.

use super::ValueAnalysis;
use crate::board::Board;
use crate::language::rules::*;

/// An interval of numbers, in halves, both bounds included.
pub(in crate::language::lints) type Range = (i64, i64);
/// Bounds of at least this absolute value count as infinite.
pub(in crate::language::lints) const UNBOUNDED_END: i64 = i64::MAX / 4;
pub(super) const UNBOUNDED: Range = (-UNBOUNDED_END, UNBOUNDED_END);

impl<'r> ValueAnalysis<'r> {
    pub(in crate::language::lints) fn range(&mut self, number: &'r Spanned<Number>) -> Range {
        let bounded = |(least, most): Range| {
            (least.clamp(-UNBOUNDED_END, UNBOUNDED_END), most.clamp(-UNBOUNDED_END, UNBOUNDED_END))
        };
        match &number.node {
            Number::Constant(halves) => self.option_at(number.span).unwrap_or((*halves, *halves)),
            Number::Memory { memory, .. } => {
                let memory = &self.rules.memories[memory.index()];
                match memory.holds {
                    MemoryType::Number { most } if memory.per_site => (0, 2 * i64::from(most)),
                    _ if memory.hand => (0, UNBOUNDED_END),
                    _ => UNBOUNDED,
                }
            }
            Number::Add(all) => bounded(all.iter().fold((0, 0), |(least, most), part| {
                let part = self.range(part);
                bounded((least + part.0, most + part.1))
            })),
            Number::Subtract(from, number) => {
                let (from, number) = (self.range(from), self.range(number));
                bounded((from.0 - number.1, from.1 - number.0))
            }
            Number::Remainder(_, by) => (0, 2 * i64::from(*by - 1)),
            Number::Least(all) | Number::Greatest(all) => {
                let least = matches!(number.node, Number::Least(_));
                let ranges: Vec<Range> = all.iter().map(|part| self.range(part)).collect();
                let (ends, others): (Vec<i64>, Vec<i64>) = ranges.into_iter().unzip();
                match least {
                    true => (
                        ends.into_iter().min().unwrap_or(-UNBOUNDED_END),
                        others.into_iter().min().unwrap_or(UNBOUNDED_END),
                    ),
                    false => (
                        ends.into_iter().max().unwrap_or(-UNBOUNDED_END),
                        others.into_iter().max().unwrap_or(UNBOUNDED_END),
                    ),
                }
            }
            Number::Count(sites) => match (&sites.node, self.region(&sites.node).kinds) {
                (_, 0) => (0, 0),
                (Sites::One(_), _) => (0, 2),
                _ => (0, 2 * self.largest as i64),
            },
            Number::CountWhere(binder, _) => (0, 2 * self.values(&binder.domain)),
            Number::Sum(_, inner) if self.range(inner).0 >= 0 => (0, UNBOUNDED_END),
            Number::LeastOver(_, inner) | Number::GreatestOver(_, inner) => {
                let (least, most) = self.range(inner);
                (least.min(0), most.max(0))
            }
            // Another value of an option can make a larger board.
            Number::RowOf(_) | Number::ColumnOf(_) | Number::Distance { .. } => {
                (0, 2 * Board::FAR as i64)
            }
            Number::ByPlayer(_, branches) => {
                let ranges: Vec<Range> = branches.iter().map(|branch| self.range(branch)).collect();
                (
                    ranges.iter().map(|range| range.0).min().unwrap_or(-UNBOUNDED_END),
                    ranges.iter().map(|range| range.1).max().unwrap_or(UNBOUNDED_END),
                )
            }
            Number::If(condition, then, otherwise) => match self.truth(condition) {
                Some(true) => self.range(then),
                Some(false) => self.range(otherwise),
                None => {
                    let (then, otherwise) = (self.range(then), self.range(otherwise));
                    (then.0.min(otherwise.0), then.1.max(otherwise.1))
                }
            },
            Number::Call(id, _) => {
                if let Some(known) = self.ranges[id.index()] {
                    return known;
                }
                let range = match &self.rules.definitions[id.index()].body {
                    Value::Number(number) => self.range(number),
                    _ => UNBOUNDED,
                };
                self.ranges[id.index()] = Some(range);
                range
            }
            Number::Local(local) => self.named.get(local).copied().unwrap_or(UNBOUNDED),
            Number::Multiply(_) | Number::Divide(..) | Number::Sum(..) => UNBOUNDED,
        }
    }

    /// Returns the maximal number of values of a domain.
    fn values(&self, domain: &Domain) -> i64 {
        match domain {
            Domain::Sites(_) | Domain::Groups { .. } => self.largest as i64,
            Domain::Directions(_) => 8,
            Domain::Players(_) | Domain::Team(..) => self.rules.players.len() as i64,
            Domain::Pieces(kinds, _) => kinds.len() as i64,
            Domain::Numbers { least, most, .. } => {
                (i64::from(*most) - i64::from(*least) + 1).max(0)
            }
        }
    }
}

/// Compares two intervals.
pub(super) fn compare(comparison: Comparison, left: Range, right: Range) -> Option<bool> {
    let (below, not_above) = (left.1 < right.0, left.1 <= right.0);
    let (above, not_below) = (left.0 > right.1, left.0 >= right.1);
    // An infinite bound decides nothing.
    let known = |so: bool, end: i64, other: i64| {
        so && end.abs() < UNBOUNDED_END && other.abs() < UNBOUNDED_END
    };
    let (below, not_above) = (known(below, left.1, right.0), known(not_above, left.1, right.0));
    let (above, not_below) = (known(above, left.0, right.1), known(not_below, left.0, right.1));
    let either = |so: bool, not: bool| if so { Some(true) } else { not.then_some(false) };
    match comparison {
        Comparison::Equal => {
            (below || above).then_some(false).or((not_above && not_below).then_some(true))
        }
        Comparison::Unequal => {
            (below || above).then_some(true).or((not_above && not_below).then_some(false))
        }
        Comparison::Less => either(below, not_below),
        Comparison::AtMost => either(not_above, above),
        Comparison::Greater => either(above, not_above),
        Comparison::AtLeast => either(not_below, below),
    }
}
