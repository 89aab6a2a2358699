//! Compiles numbers: for one site, and as fields for every site at once.

mod arithmetic;
mod extremes;
mod fields;

use super::assembler::{Assembler, Num};
use super::directions::Guard;
use super::layout::Home;
use super::lift::Members;
use super::op::Code;
use super::plan::{ClauseKind, How, Why};
use super::values::{Amount, Binding, Field, PlayerOperand, Quantity, Scope, SiteOperand};
use super::{Compiled, Compiler, Stop, unevaluated};
use crate::board::Board;
use crate::language::rules::{Binder, Condition, Domain, Number, Sites, Spanned};

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
            Number::Local(local) => match scope.get(*local) {
                Some(Binding::Number(quantity)) => Ok(quantity),
                binding => {
                    let (number, scope) = unevaluated(binding)?;
                    self.lift_number(number, &scope)
                }
            },
            Number::Memory { memory, player, site, kind } => {
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
                        kind.as_ref(),
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
            Number::Divide(number, by) => self.divide(number, *by, Code::Divide, scope),
            Number::Remainder(number, by) => self.divide(number, *by, Code::Remainder, scope),
            Number::Least(parts) => {
                self.folded(parts, scope, |c, a, b| c.extreme(a, b, Code::Least))
            }
            Number::Greatest(parts) => {
                self.folded(parts, scope, |c, a, b| c.extreme(a, b, Code::Greatest))
            }
            Number::Count(region) => self.count(region, scope),
            Number::CountWhere(binder, condition) => self.count_where(binder, condition, scope),
            Number::Sum(binder, number) => self.sum(binder, number, scope),
            Number::LeastOver(binder, number) => {
                self.extreme_over(binder, number, Code::Least, scope)
            }
            Number::GreatestOver(binder, number) => {
                self.extreme_over(binder, number, Code::Greatest, scope)
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
                let key = self.call_key(*definition, arguments, scope);
                if let Some(known) = key.as_deref().and_then(|key| self.asm.defined(key)) {
                    return Ok(Quantity::whole(Amount::In(Num(known))));
                }
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                let quantity = self.lift_number(body, &scope)?;
                if let (Some(key), &Quantity { amount: Amount::In(num), scale: 1 }) =
                    (key, &quantity)
                {
                    self.asm.define(key, num.0);
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
        if let Some(holds) = self.settled(condition, scope)? {
            return self.lift_number(branches[usize::from(!holds)], scope);
        }
        let scale = if branches.iter().any(|branch| may_be_half(branch)) { 2 } else { 1 };
        let select = |c: &mut Self| {
            c.num_if(condition, scope, |c, holds| {
                let quantity = c.lift_number(branches[usize::from(!holds)], scope)?;
                let quantity = c.scaled(quantity, scale)?;
                c.held(&quantity)
            })
        };
        if self.context.lift == 0 {
            return Ok(Quantity { amount: Amount::In(select(self)?), scale });
        }
        if let Some(selected) = self.attempt(select)? {
            return Ok(Quantity { amount: Amount::In(selected), scale });
        }
        let holds = self.lift_condition(condition, scope)?;
        let [then, otherwise] = branches;
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
            Amount::In(num) => {
                Amount::In(self.asm.num(Code::Divide, 0, num.0, quantity.scale as u16))
            }
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
        if let Some(set) = self.attempt(|c| c.region(region, scope))? {
            return Ok(Quantity::whole(Amount::In(self.asm.num(Code::Count, 0, set.0, 0))));
        }
        let board = self.asm.board();
        let (members, ladder) = match self.lift_members(region, board, scope)? {
            Members::Any(members) => (members, Vec::new()),
            Members::Ladder(ladder) => (ladder.clone(), ladder),
        };
        let bits = self.sum_bits(members);
        Ok(Quantity::whole(Amount::Field(Field { ladder, ..Field::new(bits) })))
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
            return Ok(Quantity::whole(Amount::In(self.asm.num(Code::Count, 0, set.0, 0))));
        }
        if let Domain::Groups { region, directions, .. } = &binder.domain {
            let count = self.asm.fresh_num();
            let (zero, one) = (self.asm.constant(0), self.asm.constant(1));
            self.asm.emit(Code::Assign, 0, count.0, zero.0, 0);
            self.each_group(
                region,
                directions,
                scope,
                Assembler::open_pure_loop,
                |c, group, _| {
                    let scope = scope.with(binder.variable, Binding::Sites(group));
                    let no = c.asm.label();
                    c.asm.open();
                    c.jump(condition, &scope, false, no)?;
                    c.asm.emit(Code::Add, 0, count.0, count.0, one.0);
                    c.asm.close();
                    c.asm.place(no);
                    Ok(())
                },
            )?;
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
        let count = self.asm.fresh_num();
        let zero = self.asm.constant(0);
        self.asm.emit(Code::Assign, 0, count.0, zero.0, 0);
        let one = self.asm.constant(1);
        for (guard, scope) in &cases {
            let no = self.asm.label();
            self.asm.open();
            self.guarded(guard, |c| {
                c.jump(condition, scope, false, no)?;
                c.asm.emit(Code::Add, 0, count.0, count.0, one.0);
                Ok(())
            })?;
            self.asm.close();
            self.asm.place(no);
        }
        Ok(Quantity::whole(Amount::In(count)))
    }

    fn sum(
        &mut self,
        binder: &'r Binder,
        number: &'r Spanned<Number>,
        scope: &Scope<'r>,
    ) -> Compiled<Quantity> {
        if let Domain::Groups { region, directions, .. } = &binder.domain {
            let total = self.asm.fresh_num();
            let zero = self.asm.constant(0);
            self.asm.emit(Code::Assign, 0, total.0, zero.0, 0);
            self.each_group(
                region,
                directions,
                scope,
                Assembler::open_pure_loop,
                |c, group, _| {
                    let scope = scope.with(binder.variable, Binding::Sites(group));
                    let part = c.number(number, &scope)?;
                    c.asm.emit(Code::Add, 0, total.0, total.0, part.0);
                    Ok(())
                },
            )?;
            return Ok(Quantity::whole(Amount::In(total)));
        }
        let Domain::Sites(domain) = &binder.domain else {
            let mut sum = Quantity::whole(Amount::Fixed(0));
            for (guard, scope) in self.cases(binder.variable, &binder.domain, scope)? {
                let part = match guard.is_empty() {
                    true => self.lift_number(number, &scope)?,
                    false => self.guarded_number(&guard, number, &scope)?,
                };
                sum = self.add(sum, part)?;
            }
            return Ok(sum);
        };
        let domain = self.region(domain, scope)?;
        let lifted = self.attempt(|c| {
            c.lifting(binder.variable, scope, |c, scope| c.lift_field(number, scope))
        })?;
        if let Some(field) = lifted {
            // Weighted population counts of the bit planes.
            let mut sum = Quantity::whole(Amount::Fixed(0));
            for (shift, &bit) in field.bits.iter().enumerate() {
                let here = self.asm.and(bit, domain);
                let count = self.asm.num(Code::Count, 0, here.0, 0);
                let part = self.multiply(
                    Quantity::whole(Amount::In(count)),
                    Quantity::whole(Amount::Fixed(1 << shift)),
                )?;
                sum = self.add(sum, part)?;
            }
            if field.offset != 0 {
                let count = self.asm.num(Code::Count, 0, domain.0, 0);
                let part = self.multiply(
                    Quantity::whole(Amount::In(count)),
                    Quantity::whole(Amount::Fixed(field.offset)),
                )?;
                sum = self.add(sum, part)?;
            }
            return Ok(sum);
        }
        let (from, how) = (self.asm.length(), How::Each(Some(self.unlifted)));
        let total = self.asm.fresh_num();
        let zero = self.asm.constant(0);
        self.asm.emit(Code::Assign, 0, total.0, zero.0, 0);
        self.each_site(domain, Assembler::open_pure_loop, |c, site| {
            let scope = scope.with(binder.variable, Binding::Site(site));
            let part = c.number(number, &scope)?;
            c.asm.emit(Code::Add, 0, total.0, total.0, part.0);
            Ok(())
        })?;
        self.note(ClauseKind::Loop, number.span, how, from);
        Ok(Quantity::whole(Amount::In(total)))
    }

    /// Evaluates a whole number that differs from site to site.
    fn lift_field(&mut self, number: &'r Spanned<Number>, scope: &Scope<'r>) -> Compiled<Field> {
        let Quantity { amount, scale: 1 } = self.lift_number(number, scope)? else {
            return Err(Stop::NotLiftable(Why::Value));
        };
        match self.unknown(amount)? {
            Amount::Field(field) => Ok(field),
            _ => Err(Stop::NotLiftable(Why::Value)),
        }
    }

    /// Returns the number if the guard holds, otherwise 0.
    fn guarded_number(
        &mut self,
        guard: &Guard,
        number: &'r Spanned<Number>,
        scope: &Scope<'r>,
    ) -> Compiled<Quantity> {
        let result = self.asm.fresh_num();
        let zero = self.asm.constant(0);
        self.asm.emit(Code::Assign, 0, result.0, zero.0, 0);
        let scale = self.guarded(guard, |c| {
            let part = c.lift_number(number, scope)?;
            if matches!(part.amount, Amount::Field(_) | Amount::Known(_)) {
                return Err(Stop::NotLiftable(Why::Direction));
            }
            let held = c.held(&part)?;
            c.asm.emit(Code::Assign, 0, result.0, held.0, 0);
            Ok(part.scale)
        })?;
        Ok(Quantity { amount: Amount::In(result), scale })
    }
}

/// Tests if a number can have a fraction, as far as its own text shows.
fn may_be_half(number: &Spanned<Number>) -> bool {
    match &number.node {
        Number::Constant(halves) => halves % 2 != 0,
        Number::Add(all)
        | Number::Multiply(all)
        | Number::Least(all)
        | Number::Greatest(all)
        | Number::ByPlayer(_, all) => all.iter().any(may_be_half),
        Number::Subtract(one, other) | Number::If(_, one, other) => {
            may_be_half(one) || may_be_half(other)
        }
        Number::Sum(_, of) | Number::LeastOver(_, of) | Number::GreatestOver(_, of) => {
            may_be_half(of)
        }
        Number::Local(_) | Number::Call(..) => true,
        Number::Memory { .. }
        | Number::Divide(..)
        | Number::Remainder(..)
        | Number::Count(_)
        | Number::CountWhere(..)
        | Number::RowOf(_)
        | Number::ColumnOf(_)
        | Number::Distance { .. } => false,
    }
}
