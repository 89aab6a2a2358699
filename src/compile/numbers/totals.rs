//! Sums, and largest and smallest numbers, over a domain.

use super::super::assembler::{Assembler, Num, Set};
use super::super::directions::Guard;
use super::super::op::Code;
use super::super::plan::{ClauseKind, How};
use super::super::values::{Amount, Binding, Field, Quantity, Scope};
use super::super::{Compiled, Compiler};
use super::MAX_FIELD_BITS;
use crate::language::rules::{Binder, Domain, Number, Spanned};

impl<'r> Compiler<'r> {
    /// Evaluates the sum, the least or the greatest of the numbers over a domain, by the code that
    /// adds one to the others; 0 if the domain is empty.
    pub(super) fn total(
        &mut self,
        binder: &'r Binder,
        number: &'r Spanned<Number>,
        code: Code,
        scope: &Scope<'r>,
    ) -> Compiled<Quantity> {
        let bound = |value| scope.with(binder.variable, value);
        let add = |c: &mut Self, total: Num, scope: &Scope<'r>| {
            let part = c.number(number, scope)?;
            c.asm.emit(code, 0, total.0, total.0, part.0);
            Ok(())
        };
        let (total, domain) = match &binder.domain {
            Domain::Sites(domain) => {
                let domain = self.region(domain, scope)?;
                let lifted = self.attempt(|c| {
                    c.lifting(binder.variable, scope, |c, scope| c.lift_field(number, scope))
                })?;
                match lifted {
                    Some(field) if code == Code::Add => return self.sum_of_field(&field, domain),
                    // The weights of the bits are numbers in registers.
                    Some(field) if field.bits.len() < MAX_FIELD_BITS - 1 => {
                        let extreme = self.extreme_of_field(&field, domain, code)?;
                        return Ok(Quantity::whole(Amount::In(extreme)));
                    }
                    _ => {}
                }
                let (from, how) = (self.asm.length(), How::Each(Some(self.unlifted)));
                let total = self.outermost(code);
                self.each_site(domain, Assembler::open_pure_loop, |c, site| {
                    add(c, total, &bound(Binding::Site(site)))
                })?;
                self.note(ClauseKind::Loop, number.span, how, from);
                (total, domain)
            }
            Domain::Groups { region, directions, .. } => {
                let total = self.outermost(code);
                let open = Assembler::open_pure_loop;
                self.each_group(region, directions, scope, open, |c, group, _| {
                    add(c, total, &bound(Binding::Sites(group)))
                })?;
                (total, self.region(region, scope)?)
            }
            domain => {
                let cases = self.cases(binder.variable, domain, scope)?;
                return match code {
                    Code::Add => self.sum_of_cases(cases, number),
                    _ => self.extreme_of_cases(cases, number, code),
                };
            }
        };
        if code != Code::Add {
            self.zero_if_none(total, domain);
        }
        Ok(Quantity::whole(Amount::In(total)))
    }

    /// Returns the sum of a field at the sites of a set: weighted population counts of its bits.
    fn sum_of_field(&mut self, field: &Field, domain: Set) -> Compiled<Quantity> {
        let mut weighted = Vec::with_capacity(field.bits.len() + 1);
        for (shift, &bit) in field.bits.iter().enumerate() {
            weighted.push((self.asm.and(bit, domain), 1 << shift));
        }
        if field.offset != 0 {
            weighted.push((domain, field.offset));
        }
        let mut sum = Quantity::whole(Amount::Fixed(0));
        for (set, weight) in weighted {
            let count = Amount::In(self.asm.num(Code::Count, 0, set.0, 0));
            let weight = Quantity::whole(Amount::Fixed(weight));
            let part = self.multiply(Quantity::whole(count), weight)?;
            sum = self.add(sum, part)?;
        }
        Ok(sum)
    }

    fn sum_of_cases(
        &mut self,
        cases: Vec<(Guard, Scope<'r>)>,
        number: &'r Spanned<Number>,
    ) -> Compiled<Quantity> {
        let mut sum = Quantity::whole(Amount::Fixed(0));
        for (guard, scope) in cases {
            let part = match guard.is_empty() {
                true => self.lift_number(number, &scope)?,
                false => self.guarded_number(&guard, number, &scope)?,
            };
            sum = self.add(sum, part)?;
        }
        Ok(sum)
    }

    /// Returns a register with the number to which every other one is added, or which every other
    /// one replaces as an extreme.
    fn outermost(&mut self, code: Code) -> Num {
        self.starting_at(match code {
            Code::Least => i32::MAX,
            Code::Greatest => i32::MIN,
            _ => 0,
        })
    }

    /// Returns a register that holds a number at first.
    pub(in crate::compile) fn starting_at(&mut self, number: i32) -> Num {
        let register = self.asm.fresh_num();
        let start = self.asm.constant(number);
        self.asm.emit(Code::Assign, 0, register.0, start.0, 0);
        register
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
        let start = field.offset.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
        let best = self.starting_at(start as i32);
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
        let applied = self.starting_at(0);
        let (zero, one) = (self.asm.constant(0), self.asm.constant(1));
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
}
