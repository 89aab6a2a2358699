//! Compiles numbers: for one site, and as fields for every site at once.

use super::assembler::{Num, Set};
use super::directions::Guard;
use super::layout::Home;
use super::lift::Members;
use super::op::Code;
use super::plan::{ClauseKind, How, Why};
use super::values::{Amount, Binding, Field, PlayerOperand, Quantity, Scope, SiteOperand};
use super::{Compiled, Compiler, Stop, unevaluated};
use crate::board::Board;
use crate::language::rules::{Binder, Comparison, Condition, Domain, Number, Sites, Spanned};
use std::collections::VecDeque;

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
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.lift_number(body, &scope)
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

    /// Returns the field that is the first amount at the sites of the set, else the second.
    fn select(&mut self, holds: Set, then: Amount, otherwise: Amount) -> Compiled<Field> {
        let (then, otherwise) = (self.unknown(then)?, self.unknown(otherwise)?);
        let (then, otherwise) = (field_of(then)?, field_of(otherwise)?);
        let offset = then.offset.min(otherwise.offset);
        let (then, otherwise) = (self.planes(then, offset)?, self.planes(otherwise, offset)?);
        let none = self.asm.none();
        let bits = (0..then.len().max(otherwise.len()))
            .map(|index| {
                let then = then.get(index).copied().unwrap_or(none);
                let otherwise = otherwise.get(index).copied().unwrap_or(none);
                let (then, otherwise) =
                    (self.asm.and(then, holds), self.asm.without(otherwise, holds));
                self.asm.or(then, otherwise)
            })
            .collect();
        Ok(Field { offset, ..Field::new(bits) })
    }

    /// Returns the bit planes of a field relative to an offset that is at most its own.
    fn planes(&mut self, field: Field, offset: i64) -> Compiled<Vec<Set>> {
        let rest = field.offset - offset;
        if rest == 0 {
            return Ok(field.bits);
        }
        if rest >= 1 << MAX_FIELD_BITS || field.bits.len() >= MAX_FIELD_BITS {
            return Err(Stop::NotLiftable(Why::Arithmetic));
        }
        let (board, none) = (self.asm.board(), self.asm.none());
        let width = (i64::BITS - rest.leading_zeros()) as usize;
        let constant: Vec<Set> =
            (0..width).map(|bit| if rest >> bit & 1 == 1 { board } else { none }).collect();
        Ok(self.add_bits(&field.bits, &constant))
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

    fn folded(
        &mut self,
        parts: &'r [Spanned<Number>],
        scope: &Scope<'r>,
        fold: impl Fn(&mut Self, Quantity, Quantity) -> Compiled<Quantity>,
    ) -> Compiled<Quantity> {
        let mut result = None;
        for part in parts {
            let part = self.lift_number(part, scope)?;
            result = Some(match result {
                None => part,
                Some(result) => fold(self, result, part)?,
            });
        }
        result.ok_or(Stop::NotLiftable(Why::Value))
    }

    /// Returns the quantity at a larger scale.
    pub(super) fn scaled(&mut self, quantity: Quantity, scale: i64) -> Compiled<Quantity> {
        let factor = scale / quantity.scale;
        if factor <= 1 {
            return Ok(quantity);
        }
        let amount = match quantity.amount {
            Amount::Fixed(number) => Amount::Fixed(number * factor),
            Amount::In(num) => {
                let factor = self.asm.constant(factor as i32);
                Amount::In(self.asm.num(Code::Multiply, 0, num.0, factor.0))
            }
            Amount::Field(mut field) => {
                // The scale is a power of two: the bits move up.
                for _ in 0..factor.trailing_zeros() {
                    field.bits.insert(0, self.asm.none());
                }
                Amount::Field(Field { offset: field.offset * factor, ..Field::new(field.bits) })
            }
            Amount::Known(all) => {
                Amount::Known(all.iter().map(|one| one.saturating_mul(factor)).collect())
            }
        };
        Ok(Quantity { amount, scale })
    }

    fn at_common_scale(&mut self, a: Quantity, b: Quantity) -> Compiled<(Quantity, Quantity)> {
        let scale = a.scale.max(b.scale);
        Ok((self.scaled(a, scale)?, self.scaled(b, scale)?))
    }

    /// Returns two amounts, of which one that is known for each site is made a field if the other is
    /// a field.
    fn alike(&mut self, a: Amount, b: Amount) -> Compiled<(Amount, Amount)> {
        match (&a, &b) {
            (Amount::Field(_), _) => Ok((a, self.unknown(b)?)),
            (_, Amount::Field(_)) => Ok((self.unknown(a)?, b)),
            _ => Ok((a, b)),
        }
    }

    fn add(&mut self, a: Quantity, b: Quantity) -> Compiled<Quantity> {
        let (a, b) = self.at_common_scale(a, b)?;
        let scale = a.scale;
        if let Some(amount) = self.pointwise(&a.amount, &b.amount, scale, i64::saturating_add) {
            return Ok(Quantity { amount, scale });
        }
        let amount = match self.alike(a.amount, b.amount)? {
            (Amount::Fixed(a), Amount::Fixed(b)) => Amount::Fixed(a + b),
            (Amount::Fixed(0), amount) | (amount, Amount::Fixed(0)) => amount,
            (Amount::Field(field), Amount::Fixed(number))
            | (Amount::Fixed(number), Amount::Field(field)) => {
                Amount::Field(Field { offset: field.offset + number, ..field })
            }
            // Every sum has one more bit than its terms. Those with more bits than a number
            // register are computed site by site.
            (Amount::Field(a), Amount::Field(b))
                if a.bits.len().max(b.bits.len()) >= MAX_FIELD_BITS =>
            {
                return Err(Stop::NotLiftable(Why::Arithmetic));
            }
            (Amount::Field(a), Amount::Field(b)) => {
                let bits = self.add_bits(&a.bits, &b.bits);
                Amount::Field(Field { offset: a.offset + b.offset, ..Field::new(bits) })
            }
            (Amount::Field(_), Amount::In(_)) | (Amount::In(_), Amount::Field(_)) => {
                return Err(Stop::NotLiftable(Why::Arithmetic));
            }
            (a, b) => {
                let a = self.held(&Quantity::whole(a))?;
                let b = self.held(&Quantity::whole(b))?;
                Amount::In(self.asm.num(Code::Add, 0, a.0, b.0))
            }
        };
        Ok(Quantity { amount, scale })
    }

    fn subtract(&mut self, from: Quantity, number: Quantity) -> Compiled<Quantity> {
        let (from, number) = self.at_common_scale(from, number)?;
        let scale = from.scale;
        if let Some(amount) =
            self.pointwise(&from.amount, &number.amount, scale, i64::saturating_sub)
        {
            return Ok(Quantity { amount, scale });
        }
        let amount = match self.alike(from.amount, number.amount)? {
            (Amount::Fixed(a), Amount::Fixed(b)) => Amount::Fixed(a - b),
            (amount, Amount::Fixed(0)) => amount,
            (Amount::Field(field), Amount::Fixed(number)) => {
                Amount::Field(Field { offset: field.offset - number, ..field })
            }
            (amount, Amount::Field(field)) => {
                // -b = (not b) - (2^n - 1) for n bits, as in two's complement.
                let board = self.asm.board();
                let all = (1i64 << field.bits.len()) - 1;
                let bits = field.bits.iter().map(|&bit| self.asm.without(board, bit)).collect();
                let negative = Quantity {
                    amount: Amount::Field(Field {
                        offset: -field.offset - all,
                        ..Field::new(bits)
                    }),
                    scale,
                };
                return self.add(Quantity { amount, scale }, negative);
            }
            (Amount::Field(_), Amount::In(_)) => return Err(Stop::NotLiftable(Why::Arithmetic)),
            (a, b) => {
                let a = self.held(&Quantity::whole(a))?;
                let b = self.held(&Quantity::whole(b))?;
                Amount::In(self.asm.num(Code::Subtract, 0, a.0, b.0))
            }
        };
        Ok(Quantity { amount, scale })
    }

    fn multiply(&mut self, a: Quantity, b: Quantity) -> Compiled<Quantity> {
        let scale = a.scale * b.scale;
        if let Some(amount) = self.pointwise(&a.amount, &b.amount, scale, i64::saturating_mul) {
            return Ok(Quantity { amount, scale });
        }
        let amount = match self.alike(a.amount, b.amount)? {
            (Amount::Fixed(a), Amount::Fixed(b)) => Amount::Fixed(a.saturating_mul(b)),
            (Amount::Field(field), Amount::Fixed(factor))
            | (Amount::Fixed(factor), Amount::Field(field))
                if (0..=64).contains(&factor) && field.bits.len() < MAX_FIELD_BITS =>
            {
                // Shift and add; a larger factor would take too many sets.
                let mut bits = Vec::new();
                for shift in (0..7).filter(|shift| factor >> shift & 1 == 1) {
                    let mut moved = vec![self.asm.none(); shift];
                    moved.extend(&field.bits);
                    bits = self.add_bits(&bits, &moved);
                }
                Amount::Field(Field { offset: field.offset * factor, ..Field::new(bits) })
            }
            (Amount::Field(_), _) | (_, Amount::Field(_)) => {
                return Err(Stop::NotLiftable(Why::Arithmetic));
            }
            (a, b) => {
                let a = self.held(&Quantity::whole(a))?;
                let b = self.held(&Quantity::whole(b))?;
                Amount::In(self.asm.num(Code::Multiply, 0, a.0, b.0))
            }
        };
        Ok(Quantity { amount, scale })
    }

    fn divide(
        &mut self,
        number: &'r Spanned<Number>,
        by: i32,
        code: Code,
        scope: &Scope<'r>,
    ) -> Compiled<Quantity> {
        let quantity = self.lift_number(number, scope)?;
        let quantity = self.whole(quantity)?;
        let amount = match (&quantity.amount, code) {
            (Amount::Fixed(number), Code::Divide) => {
                Amount::Fixed(number.div_euclid(i64::from(by)))
            }
            (Amount::Fixed(number), _) => Amount::Fixed(number.rem_euclid(i64::from(by))),
            (Amount::Known(all), Code::Divide) => {
                Amount::Known(all.iter().map(|one| one.div_euclid(i64::from(by))).collect())
            }
            (Amount::Known(all), _) => {
                Amount::Known(all.iter().map(|one| one.rem_euclid(i64::from(by))).collect())
            }
            _ => {
                let divisor = u16::try_from(by).map_err(|_| {
                    Stop::Misplaced(number.span, "this divisor is larger than 65535")
                })?;
                let held = self.held(&quantity)?;
                Amount::In(self.asm.num(code, 0, held.0, divisor))
            }
        };
        Ok(Quantity::whole(amount))
    }

    fn extreme(&mut self, a: Quantity, b: Quantity, code: Code) -> Compiled<Quantity> {
        let (a, b) = self.at_common_scale(a, b)?;
        let scale = a.scale;
        let of_two = |a: i64, b: i64| if code == Code::Least { a.min(b) } else { a.max(b) };
        if let Some(amount) = self.pointwise(&a.amount, &b.amount, scale, of_two) {
            return Ok(Quantity { amount, scale });
        }
        if matches!((&a.amount, &b.amount), (Amount::Field(_), _) | (_, Amount::Field(_))) {
            let comparison =
                if code == Code::Least { Comparison::AtMost } else { Comparison::AtLeast };
            let first = self.compare_fields(comparison, a.clone(), b.clone())?;
            let field = self.select(first, a.amount, b.amount)?;
            return Ok(Quantity { amount: Amount::Field(field), scale });
        }
        let amount = match (a.amount, b.amount) {
            (Amount::Fixed(a), Amount::Fixed(b)) => Amount::Fixed(of_two(a, b)),
            (a, b) => {
                let a = self.held(&Quantity::whole(a))?;
                let b = self.held(&Quantity::whole(b))?;
                Amount::In(self.asm.num(code, 0, a.0, b.0))
            }
        };
        Ok(Quantity { amount, scale })
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
            self.each_group(region, directions, scope, |c, group, _| {
                let scope = scope.with(binder.variable, Binding::Sites(group));
                let no = c.asm.label();
                c.asm.open();
                c.jump(condition, &scope, false, no)?;
                c.asm.emit(Code::Add, 0, count.0, count.0, one.0);
                c.asm.close();
                c.asm.place(no);
                Ok(())
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
            self.each_group(region, directions, scope, |c, group, _| {
                let scope = scope.with(binder.variable, Binding::Sites(group));
                let part = c.number(number, &scope)?;
                c.asm.emit(Code::Add, 0, total.0, total.0, part.0);
                Ok(())
            })?;
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
        self.each_site(domain, |c, site| {
            let scope = scope.with(binder.variable, Binding::Site(site));
            let part = c.number(number, &scope)?;
            c.asm.emit(Code::Add, 0, total.0, total.0, part.0);
            Ok(())
        })?;
        self.note(ClauseKind::Loop, number.span, how, from);
        Ok(Quantity::whole(Amount::In(total)))
    }

    /// Evaluates the least or the greatest number over a domain; 0 if the domain is empty.
    fn extreme_over(
        &mut self,
        binder: &'r Binder,
        number: &'r Spanned<Number>,
        code: Code,
        scope: &Scope<'r>,
    ) -> Compiled<Quantity> {
        let domain = match &binder.domain {
            Domain::Sites(domain) => domain,
            Domain::Groups { region, directions, .. } => {
                let best = self.outermost(code);
                self.each_group(region, directions, scope, |c, group, _| {
                    let scope = scope.with(binder.variable, Binding::Sites(group));
                    let part = c.number(number, &scope)?;
                    c.asm.emit(code, 0, best.0, best.0, part.0);
                    Ok(())
                })?;
                let region = self.region(region, scope)?;
                self.zero_if_none(best, region);
                return Ok(Quantity::whole(Amount::In(best)));
            }
            domain => {
                let cases = self.cases(binder.variable, domain, scope)?;
                return self.extreme_of_cases(cases, number, code);
            }
        };
        let domain = self.region(domain, scope)?;
        let lifted = self.attempt(|c| {
            c.lifting(binder.variable, scope, |c, scope| c.lift_field(number, scope))
        })?;
        // The weights of the bits are numbers in registers.
        if let Some(field) = lifted.filter(|field| field.bits.len() < MAX_FIELD_BITS - 1) {
            return Ok(Quantity::whole(Amount::In(self.extreme_of_field(&field, domain, code)?)));
        }
        let (from, how) = (self.asm.length(), How::Each(Some(self.unlifted)));
        let best = self.outermost(code);
        self.each_site(domain, |c, site| {
            let scope = scope.with(binder.variable, Binding::Site(site));
            let part = c.number(number, &scope)?;
            c.asm.emit(code, 0, best.0, best.0, part.0);
            Ok(())
        })?;
        self.zero_if_none(best, domain);
        self.note(ClauseKind::Loop, number.span, how, from);
        Ok(Quantity::whole(Amount::In(best)))
    }

    /// Returns a register with the number that every other one replaces as an extreme.
    fn outermost(&mut self, code: Code) -> Num {
        let best = self.asm.fresh_num();
        let start = self.asm.constant(if code == Code::Least { i32::MAX } else { i32::MIN });
        self.asm.emit(Code::Assign, 0, best.0, start.0, 0);
        best
    }

    /// Sets the register to 0 if the set is empty.
    fn zero_if_none(&mut self, number: Num, set: Set) {
        let zero = self.asm.constant(0);
        let over = self.asm.label();
        self.asm.emit(Code::IfAny, 0, set.0, 0, over.0);
        self.asm.open();
        self.asm.emit(Code::Assign, 0, number.0, zero.0, 0);
        self.asm.close();
        self.asm.place(over);
    }

    /// Returns the least or the greatest value of a field at the sites of a set; 0 if it is empty.
    /// From the highest bit, it keeps the sites with the better bit, if there are any.
    fn extreme_of_field(&mut self, field: &Field, domain: Set, code: Code) -> Compiled<Num> {
        let best = self.asm.fresh_num();
        let start = self.held(&Quantity::whole(Amount::Fixed(field.offset)))?;
        self.asm.emit(Code::Assign, 0, best.0, start.0, 0);
        let left = self.asm.fresh_set();
        self.asm.emit(Code::Copy, 0, left.0, domain.0, 0);
        for (index, &bit) in field.bits.iter().enumerate().rev() {
            let (with, without) = (self.asm.and(left, bit), self.asm.without(left, bit));
            let weight = self.asm.constant(1 << index);
            let over = self.asm.label();
            if code == Code::Greatest {
                self.asm.emit(Code::IfNone, 0, with.0, 0, over.0);
                self.asm.open();
                self.asm.emit(Code::Copy, 0, left.0, with.0, 0);
                self.asm.emit(Code::Add, 0, best.0, best.0, weight.0);
                self.asm.close();
                self.asm.place(over);
                continue;
            }
            let end = self.asm.label();
            self.asm.emit(Code::IfNone, 0, without.0, 0, over.0);
            self.asm.open();
            self.asm.emit(Code::Copy, 0, left.0, without.0, 0);
            self.asm.close();
            self.asm.emit(Code::Jump, 0, 0, 0, end.0);
            self.asm.place(over);
            self.asm.open();
            self.asm.emit(Code::Add, 0, best.0, best.0, weight.0);
            self.asm.close();
            self.asm.place(end);
        }
        self.zero_if_none(best, domain);
        Ok(best)
    }

    /// Returns the least or the greatest number of those cases whose guards hold; 0 if there is none.
    fn extreme_of_cases(
        &mut self,
        cases: Vec<(Guard, Scope<'r>)>,
        number: &'r Spanned<Number>,
        code: Code,
    ) -> Compiled<Quantity> {
        if cases.iter().all(|(guard, _)| guard.is_empty()) {
            let mut result = None;
            for (_, scope) in cases {
                let part = self.lift_number(number, &scope)?;
                let part = self.whole(part)?;
                result = Some(match result {
                    None => part,
                    Some(result) => self.extreme(result, part, code)?,
                });
            }
            return Ok(result.unwrap_or(Quantity::whole(Amount::Fixed(0))));
        }
        let best = self.outermost(code);
        let applied = self.asm.fresh_num();
        let (zero, one) = (self.asm.constant(0), self.asm.constant(1));
        self.asm.emit(Code::Assign, 0, applied.0, zero.0, 0);
        for (guard, scope) in &cases {
            self.guarded(guard, |c| {
                let part = c.number(number, scope)?;
                c.asm.emit(code, 0, best.0, best.0, part.0);
                c.asm.emit(Code::Assign, 0, applied.0, one.0, 0);
                Ok(())
            })?;
        }
        let over = self.asm.label();
        self.asm.emit(Code::IfUnequal, 0, applied.0, zero.0, over.0);
        self.asm.open();
        self.asm.emit(Code::Assign, 0, best.0, zero.0, 0);
        self.asm.close();
        self.asm.place(over);
        Ok(Quantity::whole(Amount::In(best)))
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

    /// Adds two numbers in bit planes: a ripple-carry adder on sets.
    pub(super) fn add_bits(&mut self, a: &[Set], b: &[Set]) -> Vec<Set> {
        let none = self.asm.none();
        let mut carry = none;
        let mut sum = Vec::new();
        for index in 0..a.len().max(b.len()) {
            let a = a.get(index).copied().unwrap_or(none);
            let b = b.get(index).copied().unwrap_or(none);
            let (bit, over) = self.full_adder(a, b, carry);
            sum.push(bit);
            carry = over;
        }
        if carry != none {
            sum.push(carry);
        }
        sum
    }

    /// Returns the sum bit and the carry of three bits.
    fn full_adder(&mut self, a: Set, b: Set, c: Set) -> (Set, Set) {
        let half = self.asm.xor(a, b);
        let sum = self.asm.xor(half, c);
        let both = self.asm.and(a, b);
        let rest = self.asm.and(half, c);
        let carry = self.asm.or(both, rest);
        (sum, carry)
    }

    /// Returns, for every site, the number of sets that contain it: a carry-save adder tree, which
    /// replaces three sets of one weight by a sum and a carry until one set of each weight is left.
    pub(super) fn sum_bits(&mut self, sets: Vec<Set>) -> Vec<Set> {
        let none = self.asm.none();
        let mut bits = Vec::new();
        let mut column: VecDeque<Set> = sets.into_iter().filter(|&set| set != none).collect();
        while !column.is_empty() {
            let mut carries = VecDeque::new();
            while column.len() >= 2 {
                let a = column.pop_back().unwrap_or(none);
                let b = column.pop_back().unwrap_or(none);
                // Missing if two sets are left: a half adder.
                let c = column.pop_back().unwrap_or(none);
                let (sum, carry) = self.full_adder(a, b, c);
                column.push_front(sum);
                if carry != none {
                    carries.push_back(carry);
                }
            }
            bits.push(column.pop_back().unwrap_or(none));
            column = carries;
        }
        bits
    }

    /// Returns the sites at which the comparison holds; at least one side is a number for each site.
    pub(super) fn compare_fields(
        &mut self,
        comparison: Comparison,
        left: Quantity,
        right: Quantity,
    ) -> Compiled<Set> {
        let (left, right) = self.at_common_scale(left, right)?;
        if let Some(set) = self.compare_known(comparison, &left.amount, &right.amount)? {
            return Ok(set);
        }
        if let (Amount::Field(field), Amount::Fixed(number)) = (&left.amount, &right.amount)
            && !field.ladder.is_empty()
            && matches!(comparison, Comparison::Less | Comparison::AtMost)
        {
            // The complement keeps the unary form, which a difference would lose.
            let number = number + i64::from(comparison == Comparison::AtMost);
            let (board, above) = (self.asm.board(), self.field_at_least(field, number));
            return Ok(self.asm.without(board, above));
        }
        let (left, right) = match comparison {
            // Swapped, every order becomes "left >= right" or "left > right".
            Comparison::Less | Comparison::AtMost => (right, left),
            _ => (left, right),
        };
        let strict = matches!(comparison, Comparison::Less | Comparison::Greater);
        let difference = self.subtract(left, right)?;
        let Amount::Field(field) = difference.amount else {
            return Err(Stop::NotLiftable(Why::Value));
        };
        match comparison {
            Comparison::Equal | Comparison::Unequal => {
                let least = self.field_at_least(&field, 0);
                let more = self.field_at_least(&field, 1);
                let equal = self.asm.without(least, more);
                let board = self.asm.board();
                Ok(if comparison == Comparison::Equal {
                    equal
                } else {
                    self.asm.without(board, equal)
                })
            }
            _ => Ok(self.field_at_least(&field, i64::from(strict))),
        }
    }

    /// Returns the sites at which the field is at least a number.
    fn field_at_least(&mut self, field: &Field, number: i64) -> Set {
        let number = number - field.offset;
        if number <= 0 {
            return self.asm.board();
        }
        if !field.ladder.is_empty() {
            return field.ladder.get(number as usize - 1).copied().unwrap_or(self.asm.none());
        }
        if number >= 1 << field.bits.len() {
            return self.asm.none();
        }
        // From the lowest bit: a 1 in the number demands the bit, a 0 makes it sufficient.
        let mut result = self.asm.board();
        for (index, &bit) in field.bits.iter().enumerate() {
            result = if number >> index & 1 == 1 {
                self.asm.and(bit, result)
            } else {
                self.asm.or(bit, result)
            };
        }
        result
    }
}

/// Returns a number as a field.
fn field_of(amount: Amount) -> Compiled<Field> {
    match amount {
        Amount::Fixed(number) => Ok(Field { offset: number, ..Field::new(Vec::new()) }),
        Amount::Field(field) => Ok(field),
        Amount::In(_) | Amount::Known(_) => Err(Stop::NotLiftable(Why::Arithmetic)),
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
