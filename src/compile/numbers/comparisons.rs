//! Comparisons of numbers that depend on columns.

use super::super::plan::Why;
use super::super::relation::{Lowered, RelationId, SetId};
use super::super::values::{Amount, Quantity, Scope};
use super::super::{Compiled, Compiler, Stop};
use crate::board::{Board, Site};
use crate::language::rules::{Comparison, Condition, Number, Spanned};
use crate::language::visit::Expression;

/// The greatest number of values, or of steps, by which a comparison relates two sites.
const MAX_VALUES: i64 = 32;

impl<'r> Compiler<'r> {
    /// Lowers a comparison. On one column it compares fields; what two columns compare is known
    /// before play.
    pub(in crate::compile) fn lower_comparison(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Compiled<Lowered> {
        let Condition::Compare(comparison, left, right) = &condition.node else {
            return Err(Stop::NotLiftable(Why::Value));
        };
        let on = |c: &Self, number| c.columns(Expression::Number(number), scope);
        let (of_left, of_right) = (on(self, left), on(self, right));
        match (&of_left[..], &of_right[..]) {
            (&[one], &[other]) if one != other => {
                let first = self.over_column(one, |c| c.lift_number(left, scope))?;
                let second = self.over_column(other, |c| c.lift_number(right, scope))?;
                self.compare_columns(*comparison, (one, first), (other, second))
            }
            (&[_, _], []) => {
                let limit = self.lift_number(right, scope)?;
                self.compare_distance(*comparison, left, limit, scope)
            }
            ([], &[_, _]) => {
                let limit = self.lift_number(left, scope)?;
                self.compare_distance(turned(*comparison), right, limit, scope)
            }
            (&[column], &[]) | (&[], &[column]) => self.compare_on(column, condition, scope),
            (&[one], &[other]) if one == other => self.compare_on(one, condition, scope),
            _ => Err(Stop::NotLiftable(Why::TwoSites)),
        }
    }

    fn compare_on(
        &mut self,
        column: u32,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Compiled<Lowered> {
        let Condition::Compare(comparison, left, right) = &condition.node else {
            return Err(Stop::NotLiftable(Why::Value));
        };
        for (count, limit, comparison) in
            [(left, right, *comparison), (right, left, turned(*comparison))]
        {
            if let Number::Count(region) = &count.node
                && self.columns(Expression::Number(limit), scope).is_empty()
                && let Quantity { amount: Amount::Fixed(limit), scale: 1 } =
                    self.lift_number(limit, scope)?
            {
                match (comparison, limit) {
                    (Comparison::AtLeast, 1) | (Comparison::Greater | Comparison::Unequal, 0) => {
                        return self.lower_any(region, scope);
                    }
                    (Comparison::Less, 1) | (Comparison::AtMost | Comparison::Equal, 0) => {
                        let any = self.lower_any(region, scope)?;
                        return self.negated(any);
                    }
                    _ => {}
                }
            }
        }
        self.over_column(column, |c| {
            let left = c.lift_number(left, scope)?;
            let right = c.lift_number(right, scope)?;
            let is_field =
                |number: &Quantity| matches!(number.amount, Amount::Field(_) | Amount::Known(_));
            if is_field(&left) || is_field(&right) {
                let set = c.compare_fields(*comparison, left, right)?;
                return Ok(Lowered::on(column, c.known_set(set)));
            }
            // The column is resolved.
            let holds = c.gate(condition, scope)?;
            Ok(Lowered::gate(c.known_set(holds)))
        })
    }

    /// Lowers a comparison of two numbers that are known before play for each site of a column.
    fn compare_columns(
        &mut self,
        comparison: Comparison,
        (one, left): (u32, Quantity),
        (other, right): (u32, Quantity),
    ) -> Compiled<Lowered> {
        let (left, right) = self.at_common_scale(left, right)?;
        let (Amount::Known(left), Amount::Known(right)) = (left.amount, right.amount) else {
            return Err(Stop::NotLiftable(Why::TwoSites));
        };
        let sites: Vec<Site> = self.board.sites().collect();
        let mut values: Vec<i64> = sites.iter().map(|site| left[site.index()]).collect();
        values.sort_unstable();
        values.dedup();
        if values.len() as i64 > MAX_VALUES {
            return Err(Stop::NotLiftable(Why::TwoSites));
        }
        let mut relation = RelationId::NONE;
        for value in values {
            let from = sites.iter().filter(|site| left[site.index()] == value);
            let to = sites.iter().filter(|site| comparison.holds(value, right[site.index()]));
            let from = self.terms.constant(from.copied().collect());
            let to = self.terms.constant(to.copied().collect());
            let pairs = self.terms.product(from, to);
            relation = self.terms.union(relation, pairs);
        }
        Ok(self.pair(one, other, relation))
    }

    /// Lowers a comparison of the distance of two sites with a constant.
    fn compare_distance(
        &mut self,
        comparison: Comparison,
        distance: &'r Spanned<Number>,
        limit: Quantity,
        scope: &Scope<'r>,
    ) -> Compiled<Lowered> {
        let (Number::Distance { from, to, directions }, Amount::Fixed(limit)) =
            (&distance.node, self.whole(limit)?.amount)
        else {
            return Err(Stop::NotLiftable(Why::TwoSites));
        };
        let (from, to) = (self.lower_site(from, scope)?, self.lower_site(to, scope)?);
        let mask = Self::mask(directions);
        let within = |c: &mut Self, most: i64| {
            if most >= Board::FAR as i64 {
                return Ok(Lowered::gate(SetId::BOARD));
            }
            if most > MAX_VALUES {
                return Err(Stop::NotLiftable(Why::Length));
            }
            let step = c.terms.step(mask);
            let step = c.terms.union(RelationId::SAME, step);
            let near = match most {
                0.. => (0..most).fold(RelationId::SAME, |near, _| c.terms.then(near, step)),
                _ => RelationId::NONE,
            };
            c.related(&from, near, &to)
        };
        let (least, most) = match comparison {
            Comparison::AtMost => return within(self, limit),
            Comparison::Less => return within(self, limit - 1),
            Comparison::Greater | Comparison::AtLeast => {
                let beyond = if comparison == Comparison::Greater { limit } else { limit - 1 };
                let near = within(self, beyond)?;
                return self.negated(near);
            }
            Comparison::Equal | Comparison::Unequal => {
                (within(self, limit - 1)?, within(self, limit)?)
            }
        };
        let farther = self.negated(least)?;
        let equal = self.both(most, farther);
        if comparison == Comparison::Equal { Ok(equal) } else { self.negated(equal) }
    }
}

/// Returns the comparison that holds for two numbers in the other order.
fn turned(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal | Comparison::Unequal => comparison,
        Comparison::Less => Comparison::Greater,
        Comparison::AtMost => Comparison::AtLeast,
        Comparison::Greater => Comparison::Less,
        Comparison::AtLeast => Comparison::AtMost,
    }
}
