//! Arithmetic on numbers that are known, in a register, or a field with one value for each site.

use super::super::assembler::{Assembler, Num};
use super::super::plan::Why;
use super::super::values::{Amount, Field, Quantity, Scope};
use super::super::{Compiled, Compiler, Stop};
use super::MAX_FIELD_BITS;
use super::totals::Extreme;
use crate::language::rules::{Comparison, Number, Spanned};

impl<'r> Compiler<'r> {
    pub(super) fn folded(
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
    pub(in crate::compile) fn scaled(
        &mut self,
        quantity: Quantity,
        scale: i64,
    ) -> Compiled<Quantity> {
        let factor = scale / quantity.scale;
        if factor <= 1 {
            return Ok(quantity);
        }
        let amount = match quantity.amount {
            Amount::Fixed(number) => Amount::Fixed(number * factor),
            Amount::In(num) => {
                let factor = self.asm.constant(factor as i32);
                Amount::In(self.asm.multiply(num, factor))
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

    pub(super) fn at_common_scale(
        &mut self,
        a: Quantity,
        b: Quantity,
    ) -> Compiled<(Quantity, Quantity)> {
        let scale = a.scale.max(b.scale);
        Ok((self.scaled(a, scale)?, self.scaled(b, scale)?))
    }

    /// Returns two amounts; if one is a field, the other becomes a field, too, if it is known for
    /// each site.
    pub(super) fn alike(&mut self, a: Amount, b: Amount) -> Compiled<(Amount, Amount)> {
        match (&a, &b) {
            (Amount::Field(_), _) => Ok((a, self.unknown(b)?)),
            (_, Amount::Field(_)) => Ok((self.unknown(a)?, b)),
            _ => Ok((a, b)),
        }
    }

    pub(super) fn add(&mut self, a: Quantity, b: Quantity) -> Compiled<Quantity> {
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
            (a, b) => self.in_registers(Assembler::add, a, b)?,
        };
        Ok(Quantity { amount, scale })
    }

    pub(super) fn subtract(&mut self, from: Quantity, number: Quantity) -> Compiled<Quantity> {
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
            (a, b) => self.in_registers(Assembler::subtract, a, b)?,
        };
        Ok(Quantity { amount, scale })
    }

    pub(super) fn multiply(&mut self, a: Quantity, b: Quantity) -> Compiled<Quantity> {
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
            (a, b) => self.in_registers(Assembler::multiply, a, b)?,
        };
        Ok(Quantity { amount, scale })
    }

    /// Computes a number from two others in registers.
    fn in_registers(
        &mut self,
        emit: fn(&mut Assembler, Num, Num) -> Num,
        a: Amount,
        b: Amount,
    ) -> Compiled<Amount> {
        let (a, b) = (self.held(&Quantity::whole(a))?, self.held(&Quantity::whole(b))?);
        Ok(Amount::In(emit(&mut self.asm, a, b)))
    }

    pub(super) fn divide(
        &mut self,
        number: &'r Spanned<Number>,
        by: i32,
        known: fn(i64, i64) -> i64,
        emit: fn(&mut Assembler, Num, u16) -> Num,
        scope: &Scope<'r>,
    ) -> Compiled<Quantity> {
        let quantity = self.lift_number(number, scope)?;
        let quantity = self.whole(quantity)?;
        let of_known = |number: &i64| known(*number, i64::from(by));
        let amount = match &quantity.amount {
            Amount::Fixed(number) => Amount::Fixed(of_known(number)),
            Amount::Known(all) => Amount::Known(all.iter().map(of_known).collect()),
            _ => {
                let divisor = u16::try_from(by).map_err(|_| {
                    Stop::Misplaced(number.span, "this divisor is larger than 65535")
                })?;
                let held = self.held(&quantity)?;
                Amount::In(emit(&mut self.asm, held, divisor))
            }
        };
        Ok(Quantity::whole(amount))
    }

    pub(super) fn extreme(
        &mut self,
        a: Quantity,
        b: Quantity,
        extreme: Extreme,
    ) -> Compiled<Quantity> {
        let (a, b) = self.at_common_scale(a, b)?;
        let scale = a.scale;
        let (of_two, comparison): (fn(i64, i64) -> i64, _) = match extreme {
            Extreme::Least => (i64::min, Comparison::AtMost),
            Extreme::Greatest => (i64::max, Comparison::AtLeast),
        };
        if let Some(amount) = self.pointwise(&a.amount, &b.amount, scale, of_two) {
            return Ok(Quantity { amount, scale });
        }
        if matches!((&a.amount, &b.amount), (Amount::Field(_), _) | (_, Amount::Field(_))) {
            let first = self.compare_fields(comparison, a.clone(), b.clone())?;
            let field = self.select(first, a.amount, b.amount)?;
            return Ok(Quantity { amount: Amount::Field(field), scale });
        }
        let amount = match (a.amount, b.amount) {
            (Amount::Fixed(a), Amount::Fixed(b)) => Amount::Fixed(of_two(a, b)),
            (a, b) => match extreme {
                Extreme::Least => self.in_registers(Assembler::least, a, b)?,
                Extreme::Greatest => self.in_registers(Assembler::greatest, a, b)?,
            },
        };
        Ok(Quantity { amount, scale })
    }
}
