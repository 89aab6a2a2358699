//! Sums, and largest and smallest numbers, over a domain.

use super::super::assembler::{Assembler, Num, Set};
use super::super::directions::Guard;
use super::super::plan::{ClauseKind, How};
use super::super::values::{Amount, Binding, Field, Quantity, Scope};
use super::super::{Compiled, Compiler};
use super::MAX_FIELD_BITS;
use crate::language::rules::{Binder, Domain, Number, Spanned};

/// Which of several numbers is asked for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Extreme {
    Least,
    Greatest,
}

impl Extreme {
    /// Returns the number that every other one replaces.
    fn outermost(self) -> i32 {
        match self {
            Extreme::Least => i32::MAX,
            Extreme::Greatest => i32::MIN,
        }
    }
}

impl<'r> Compiler<'r> {
    /// Evaluates the extreme of the numbers over a domain, or their sum; 0 if the domain is empty.
    pub(super) fn total(
        &mut self,
        binder: &'r Binder,
        number: &'r Spanned<Number>,
        extreme: Option<Extreme>,
        scope: &Scope<'r>,
    ) -> Compiled<Quantity> {
        let bound = |value| scope.with(binder.variable, value);
        let add = |c: &mut Self, total: Num, scope: &Scope<'r>| {
            let part = c.number(number, scope)?;
            match extreme {
                None => c.asm.add_to(total, total, part),
                Some(extreme) => c.replace_by(extreme, total, part),
            }
            Ok(())
        };
        let (total, domain) = match &binder.domain {
            Domain::Sites(domain) => {
                let domain = self.region(domain, scope)?;
                let lifted = self.attempt(|c| {
                    c.lifting(binder.variable, scope, |c, scope| c.lift_field(number, scope))
                })?;
                match (lifted, extreme) {
                    (Some(field), None) => return self.sum_of_field(&field, domain),
                    // The weights of the bits are numbers in registers.
                    (Some(field), Some(extreme)) if field.bits.len() < MAX_FIELD_BITS - 1 => {
                        let extreme = self.extreme_of_field(&field, domain, extreme)?;
                        return Ok(Quantity::whole(Amount::In(extreme)));
                    }
                    _ => {}
                }
                let (from, how) = (self.asm.length(), How::Each(Some(self.unlifted)));
                let total = self.starting_at(extreme.map_or(0, Extreme::outermost));
                self.each_site(domain, Assembler::open_pure_loop, |c, site| {
                    add(c, total, &bound(Binding::Site(site)))
                })?;
                self.note(ClauseKind::Loop, number.span, how, from);
                (total, domain)
            }
            Domain::Groups { region, directions, .. } => {
                let total = self.starting_at(extreme.map_or(0, Extreme::outermost));
                let open = Assembler::open_pure_loop;
                self.each_group(region, directions, scope, open, |c, group, _| {
                    add(c, total, &bound(Binding::Sites(group)))
                })?;
                (total, self.region(region, scope)?)
            }
            domain => {
                let cases = self.cases(binder.variable, domain, scope)?;
                return match extreme {
                    None => self.sum_of_cases(cases, number),
                    Some(extreme) => self.extreme_of_cases(cases, number, extreme),
                };
            }
        };
        if extreme.is_some() {
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
            let count = Amount::In(self.asm.count(set));
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

    /// Emits that a number takes the place of the one in a register if it is more extreme.
    fn replace_by(&mut self, extreme: Extreme, register: Num, number: Num) {
        match extreme {
            Extreme::Least => self.asm.least_to(register, register, number),
            Extreme::Greatest => self.asm.greatest_to(register, register, number),
        }
    }

    /// Returns a register that holds a number at first.
    pub(in crate::compile) fn starting_at(&mut self, number: i32) -> Num {
        let register = self.asm.fresh_num();
        let start = self.asm.constant(number);
        self.asm.assign_to(register, start);
        register
    }

    /// Sets the register to 0 if the set is empty.
    fn zero_if_none(&mut self, number: Num, set: Set) {
        let zero = self.asm.constant(0);
        let over = self.asm.label();
        self.asm.if_any(set, over);
        self.asm.open();
        self.asm.assign_to(number, zero);
        self.asm.close();
        self.asm.place(over);
    }

    /// Returns the least or the greatest value of a field at the sites of a set; 0 if it is empty.
    /// From the highest bit, it keeps the sites with the better bit, if there are any.
    fn extreme_of_field(&mut self, field: &Field, domain: Set, extreme: Extreme) -> Compiled<Num> {
        let start = field.offset.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
        let best = self.starting_at(start as i32);
        let left = self.asm.fresh_set();
        self.asm.copy_to(left, domain);
        for (index, &bit) in field.bits.iter().enumerate().rev() {
            let (with, without) = (self.asm.and(left, bit), self.asm.without(left, bit));
            let weight = self.asm.constant(1 << index);
            let over = self.asm.label();
            if extreme == Extreme::Greatest {
                self.asm.if_none(with, over);
                self.asm.open();
                self.asm.copy_to(left, with);
                self.asm.add_to(best, best, weight);
                self.asm.close();
                self.asm.place(over);
                continue;
            }
            let end = self.asm.label();
            self.asm.if_none(without, over);
            self.asm.open();
            self.asm.copy_to(left, without);
            self.asm.close();
            self.asm.jump(end);
            self.asm.place(over);
            self.asm.open();
            self.asm.add_to(best, best, weight);
            self.asm.close();
            self.asm.place(end);
        }
        self.zero_if_none(best, domain);
        Ok(best)
    }

    /// Returns the least or the greatest number of the cases whose guards hold; 0 if no guard does.
    fn extreme_of_cases(
        &mut self,
        cases: Vec<(Guard, Scope<'r>)>,
        number: &'r Spanned<Number>,
        extreme: Extreme,
    ) -> Compiled<Quantity> {
        if cases.iter().all(|(guard, _)| guard.is_empty()) {
            let mut result = None;
            for (_, scope) in cases {
                let part = self.lift_number(number, &scope)?;
                let part = self.whole(part)?;
                result = Some(match result {
                    None => part,
                    Some(result) => self.extreme(result, part, extreme)?,
                });
            }
            return Ok(result.unwrap_or(Quantity::whole(Amount::Fixed(0))));
        }
        let best = self.starting_at(extreme.outermost());
        let applied = self.starting_at(0);
        let (zero, one) = (self.asm.constant(0), self.asm.constant(1));
        for (guard, scope) in &cases {
            self.guarded(guard, |c| {
                let part = c.number(number, scope)?;
                c.replace_by(extreme, best, part);
                c.asm.assign_to(applied, one);
                Ok(())
            })?;
        }
        let over = self.asm.label();
        self.asm.if_unequal(applied, zero, over);
        self.asm.open();
        self.asm.assign_to(best, zero);
        self.asm.close();
        self.asm.place(over);
        Ok(Quantity::whole(Amount::In(best)))
    }
}
