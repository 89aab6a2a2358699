//! Largest and smallest numbers over a domain.

use super::super::assembler::{Assembler, Num, Set};
use super::super::directions::Guard;
use super::super::op::Code;
use super::super::plan::{ClauseKind, How};
use super::super::values::{Amount, Binding, Field, Quantity, Scope};
use super::super::{Compiled, Compiler};
use super::MAX_FIELD_BITS;
use crate::language::rules::{Binder, Domain, Number, Spanned};

impl<'r> Compiler<'r> {
    /// Evaluates the least or the greatest number over a domain; 0 if the domain is empty.
    pub(super) fn extreme_over(
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
                self.each_group(
                    region,
                    directions,
                    scope,
                    Assembler::open_pure_loop,
                    |c, group, _| {
                        let scope = scope.with(binder.variable, Binding::Sites(group));
                        let part = c.number(number, &scope)?;
                        c.asm.emit(code, 0, best.0, best.0, part.0);
                        Ok(())
                    },
                )?;
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
        self.each_site(domain, Assembler::open_pure_loop, |c, site| {
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
    pub(super) fn outermost(&mut self, code: Code) -> Num {
        let best = self.asm.fresh_num();
        let start = self.asm.constant(if code == Code::Least { i32::MAX } else { i32::MIN });
        self.asm.emit(Code::Assign, 0, best.0, start.0, 0);
        best
    }

    /// Sets the register to 0 if the set is empty.
    pub(super) fn zero_if_none(&mut self, number: Num, set: Set) {
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
    pub(super) fn extreme_of_field(
        &mut self,
        field: &Field,
        domain: Set,
        code: Code,
    ) -> Compiled<Num> {
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
    pub(super) fn extreme_of_cases(
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
}
