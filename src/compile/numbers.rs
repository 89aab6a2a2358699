//! Compiles numbers: for one site, and as fields for every site at once.

mod arithmetic;
mod comparisons;
mod fields;
mod totals;

use super::assembler::{Assembler, Num};
use super::calls::unevaluated;
use super::directions::Guard;
use super::layout::Home;
use super::plan::Why;
use super::relation::{Members, SetId};
use super::values::{Amount, Binding, Field, PlayerOperand, Quantity, Scope, SiteOperand};
use super::{Compiled, Compiler, Stop};
use crate::board::Board;
use crate::language::rules::{Binder, Condition, Domain, Number, Sites, Spanned};
use crate::language::visit::{Composite, Expression};
use totals::Extreme;

/// The greatest number of bits of a field: those of a number register.
pub(super) const MAX_FIELD_BITS: usize = 32;

impl<'r> Compiler<'r> {
    /// Evaluates a number; within a lifting it may be a field.
    pub(super) fn lift_number(
        &mut self,
        number: &'r Spanned<Number>,
        scope: &Scope<'r>,
    ) -> Compiled<Quantity> {
        self.at(number.span, |c| c.number_within(number, scope))
    }

    fn number_within(
        &mut self,
        number: &'r Spanned<Number>,
        scope: &Scope<'r>,
    ) -> Compiled<Quantity> {
        if let Some(known) = self.board_number(number, scope) {
            return Ok(known);
        }
        match &number.node {
            Number::Constant(halves) if halves % 2 == 0 => {
                Ok(Quantity::whole(Amount::Fixed(halves / 2)))
            }
            Number::Constant(halves) => Ok(Quantity { amount: Amount::Fixed(*halves), scale: 2 }),
            Number::Local(local) => match self.bound(*local, scope) {
                Some(Binding::Number(quantity)) => Ok(quantity),
                binding => {
                    let (number, scope) = unevaluated(binding)?;
                    self.lift_number(number, &scope)
                }
            },
            Number::Memory { memory, player, site, key } => {
                match (self.layout.home(*memory), site) {
                    (Home::Field { first, bits }, Some(site)) => {
                        match self.site_operand(site, scope)? {
                            SiteOperand::Lifted { path, .. } => Ok(Quantity::whole(Amount::Field(
                                self.field_along(first, bits, &path),
                            ))),
                            place => {
                                let site = self.site_number(&place)?;
                                Ok(Quantity::whole(Amount::In(self.field_at(first, bits, site, 0))))
                            }
                        }
                    }
                    _ => Ok(Quantity::whole(Amount::In(self.remembered(
                        *memory,
                        player.as_ref(),
                        key.as_ref(),
                        scope,
                    )?))),
                }
            }
            Number::Add(parts) => self.folded(parts, scope, |c, a, b| c.add(a, b)),
            Number::Subtract(from, number) => {
                let from = self.lift_number(from, scope)?;
                let number = self.lift_number(number, scope)?;
                self.subtract(from, number)
            }
            Number::Multiply(parts) => self.folded(parts, scope, |c, a, b| c.multiply(a, b)),
            Number::Divide(number, by) => {
                self.divide(number, *by, i64::div_euclid, Assembler::divide, scope)
            }
            Number::Remainder(number, by) => {
                self.divide(number, *by, i64::rem_euclid, Assembler::remainder, scope)
            }
            Number::Least(parts) => {
                self.folded(parts, scope, |c, a, b| c.extreme(a, b, Extreme::Least))
            }
            Number::Greatest(parts) => {
                self.folded(parts, scope, |c, a, b| c.extreme(a, b, Extreme::Greatest))
            }
            Number::Count(region) => self.count(region, scope),
            Number::CountWhere(binder, condition) => self.count_where(binder, condition, scope),
            Number::Sum(binder, number) => self.total(binder, number, None, scope),
            Number::LeastOver(binder, number) => {
                self.total(binder, number, Some(Extreme::Least), scope)
            }
            Number::GreatestOver(binder, number) => {
                self.total(binder, number, Some(Extreme::Greatest), scope)
            }
            Number::RowOf(site) => self.coordinate(site, scope, Board::row_of),
            Number::ColumnOf(site) => self.coordinate(site, scope, Board::column_of),
            Number::Distance { from, to, directions } => self.distance(from, to, directions, scope),
            Number::ByPlayer(player, branches) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => self.lift_number(&branches[player.index()], scope),
                PlayerOperand::In(who) => {
                    let result = self.by_player(who, |c, player| {
                        let quantity = c.lift_number(&branches[player.index()], scope)?;
                        let quantity = c.scaled(quantity, 2)?;
                        c.held(&quantity)
                    })?;
                    Ok(Quantity { amount: Amount::In(result), scale: 2 })
                }
            },
            Number::If(condition, then, otherwise) => {
                self.number_if(condition, [then, otherwise], scope)
            }
            Number::Call(definition, arguments) => {
                if let Some(height) = self.height_asked(*definition, arguments, scope)? {
                    return Ok(Quantity::whole(height));
                }
                let key = self.call_key(*definition, arguments, scope);
                if let Some(known) = key.as_deref().and_then(|key| self.asm.defined(key)) {
                    return Ok(Quantity::whole(Amount::In(Num(known))));
                }
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                let quantity = self.lift_number(body, &scope)?;
                if let (Some(key), &Quantity { amount: Amount::In(num), scale: 1 }) =
                    (key, &quantity)
                {
                    self.asm.define(&key, num.0);
                }
                Ok(quantity)
            }
        }
    }

    /// Selects one of two numbers, `[then, otherwise]`. A condition that depends on the lifted site
    /// selects bit plane by bit plane.
    fn number_if(
        &mut self,
        condition: &'r Spanned<Condition>,
        branches: [&'r Spanned<Number>; 2],
        scope: &Scope<'r>,
    ) -> Compiled<Quantity> {
        if let Some(holds) = self.settled(condition, scope) {
            return self.lift_number(branches[usize::from(!holds)], scope);
        }
        let scale = if branches.iter().any(|branch| may_be_half(branch)) { 2 } else { 1 };
        let [then, otherwise] = branches;
        let parts = [
            Expression::Condition(condition),
            Expression::Number(then),
            Expression::Number(otherwise),
        ];
        if parts.into_iter().all(|part| self.is_closed(part, scope)) {
            let selected = self.num_if(condition, scope, |c, holds| {
                let quantity = c.lift_number(branches[usize::from(!holds)], scope)?;
                let quantity = c.scaled(quantity, scale)?;
                c.held(&quantity)
            })?;
            return Ok(Quantity { amount: Amount::In(selected), scale });
        }
        let holds = self.lift_condition(condition, scope)?;
        let (then, otherwise) =
            (self.lift_number(then, scope)?, self.lift_number(otherwise, scope)?);
        let (then, otherwise) = self.at_common_scale(then, otherwise)?;
        let scale = then.scale;
        let field = self.select(holds, then.amount, otherwise.amount)?;
        Ok(Quantity { amount: Amount::Field(field), scale })
    }

    /// Evaluates a whole number to a register.
    pub(super) fn number(
        &mut self,
        number: &'r Spanned<Number>,
        scope: &Scope<'r>,
    ) -> Compiled<Num> {
        let quantity = self.lift_number(number, scope)?;
        let whole = self.whole(quantity)?;
        self.held(&whole)
    }

    /// Returns the quantity at scale 1. Halves, which the checker only admits where they matter,
    /// are rounded down.
    pub(super) fn whole(&mut self, quantity: Quantity) -> Compiled<Quantity> {
        if quantity.scale == 1 {
            return Ok(quantity);
        }
        let amount = match quantity.amount {
            Amount::Fixed(number) => Amount::Fixed(number.div_euclid(quantity.scale)),
            Amount::In(num) => Amount::In(self.asm.divide(num, quantity.scale as u16)),
            Amount::Field(_) => return Err(Stop::NotLiftable(Why::Arithmetic)),
            Amount::Known(all) => {
                Amount::Known(all.iter().map(|one| one.div_euclid(quantity.scale)).collect())
            }
        };
        Ok(Quantity::whole(amount))
    }

    /// Returns the register with the amount, not divided by the scale.
    pub(super) fn held(&mut self, quantity: &Quantity) -> Compiled<Num> {
        match quantity.amount {
            Amount::Fixed(number) => {
                Ok(self.asm.constant(number.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32))
            }
            Amount::In(num) => Ok(num),
            Amount::Field(_) | Amount::Known(_) => Err(Stop::NotLiftable(Why::Arithmetic)),
        }
    }

    fn count(&mut self, region: &'r Spanned<Sites>, scope: &Scope<'r>) -> Compiled<Quantity> {
        let set = match self.context.lift {
            0 => self.region(region, scope)?,
            column => match self.members(column, region, scope)? {
                Members::Same(set) => self.emit_set(set)?,
                Members::Of(relation) => {
                    let degree = self.terms.degree(relation, SetId::BOARD);
                    let degree = degree.map_err(|stuck| self.stuck(stuck))?;
                    let mut members = Vec::with_capacity(degree.sets.len());
                    for set in degree.sets {
                        members.push(self.emit_set(set)?);
                    }
                    let ladder = if degree.is_ladder { members.clone() } else { Vec::new() };
                    let bits = self.sum_bits(members);
                    let field = Field { ladder, ..Field::new(bits) };
                    return Ok(Quantity::whole(Amount::Field(field)));
                }
            },
        };
        Ok(Quantity::whole(Amount::In(self.asm.count(set))))
    }

    fn count_where(
        &mut self,
        binder: &'r Binder,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Compiled<Quantity> {
        if let Domain::Sites(domain) = &binder.domain {
            let domain = self.region(domain, scope)?;
            let set = self.domain_where(binder.variable, domain, condition, scope)?;
            return Ok(Quantity::whole(Amount::In(self.asm.count(set))));
        }
        let count_if = |c: &mut Self, count: Num, scope: &Scope<'r>| {
            let (one, no) = (c.asm.constant(1), c.asm.label());
            c.asm.open();
            c.jump(condition, scope, false, no)?;
            c.asm.add_to(count, count, one);
            c.asm.close();
            c.asm.place(no);
            Ok(())
        };
        if let Domain::Groups { region, directions, .. } = &binder.domain {
            let count = self.starting_at(0);
            let open = Assembler::open_pure_loop;
            self.each_group(region, directions, scope, open, |c, group, _| {
                count_if(c, count, &scope.with(binder.variable, Binding::Sites(group)))
            })?;
            return Ok(Quantity::whole(Amount::In(count)));
        }
        let cases = self.cases(binder.variable, &binder.domain, scope)?;
        if self.context.lift != 0 {
            let mut sets = Vec::new();
            for (guard, scope) in &cases {
                sets.push(self.guarded_set(guard, |c| c.lift_condition(condition, scope))?);
            }
            let bits = self.sum_bits(sets);
            return Ok(Quantity::whole(Amount::Field(Field::new(bits))));
        }
        let count = self.starting_at(0);
        for (guard, scope) in &cases {
            self.guarded(guard, |c| count_if(c, count, scope))?;
        }
        Ok(Quantity::whole(Amount::In(count)))
    }

    /// Evaluates a whole number that differs from site to site.
    pub(super) fn lift_field(
        &mut self,
        number: &'r Spanned<Number>,
        scope: &Scope<'r>,
    ) -> Compiled<Field> {
        let Quantity { amount, scale: 1 } = self.lift_number(number, scope)? else {
            return Err(Stop::NotLiftable(Why::Value));
        };
        match self.unknown(amount)? {
            Amount::Field(field) => Ok(field),
            _ => Err(Stop::NotLiftable(Why::Value)),
        }
    }

    /// Returns the number if the guard holds, otherwise 0.
    pub(super) fn guarded_number(
        &mut self,
        guard: &Guard,
        number: &'r Spanned<Number>,
        scope: &Scope<'r>,
    ) -> Compiled<Quantity> {
        let result = self.starting_at(0);
        let scale = self.guarded(guard, |c| {
            let part = c.lift_number(number, scope)?;
            if matches!(part.amount, Amount::Field(_) | Amount::Known(_)) {
                return Err(Stop::NotLiftable(Why::Direction));
            }
            let held = c.held(&part)?;
            c.asm.assign_to(result, held);
            Ok(part.scale)
        })?;
        Ok(Quantity { amount: Amount::In(result), scale })
    }
}

/// Tests if a number can have a fraction, as far as its own text shows.
fn may_be_half(number: &Spanned<Number>) -> bool {
    let is_half = |part| matches!(part, Expression::Number(part) if may_be_half(part));
    match &number.node {
        Number::Constant(halves) => halves % 2 != 0,
        Number::Local(_) | Number::Call(..) => true,
        Number::Divide(..) | Number::Remainder(..) => false,
        _ => number.node.parts().into_iter().any(is_half),
    }
}
