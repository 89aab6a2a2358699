//! Fields, which hold a number for each site as bit planes: adders, comparisons, selection.

use super::super::assembler::Set;
use super::super::plan::Why;
use super::super::values::{Amount, Field, Quantity};
use super::super::{Compiled, Compiler, Stop};
use super::MAX_FIELD_BITS;
use crate::language::rules::Comparison;
use std::collections::VecDeque;

impl<'r> Compiler<'r> {
    /// Returns the field that is the first amount at the sites of the set, else the second.
    pub(super) fn select(
        &mut self,
        holds: Set,
        then: Amount,
        otherwise: Amount,
    ) -> Compiled<Field> {
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
    pub(super) fn planes(&mut self, field: Field, offset: i64) -> Compiled<Vec<Set>> {
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

    /// Adds two numbers in bit planes: a ripple-carry adder on sets.
    pub(in crate::compile) fn add_bits(&mut self, a: &[Set], b: &[Set]) -> Vec<Set> {
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
    pub(super) fn full_adder(&mut self, a: Set, b: Set, c: Set) -> (Set, Set) {
        let half = self.asm.xor(a, b);
        let sum = self.asm.xor(half, c);
        let both = self.asm.and(a, b);
        let rest = self.asm.and(half, c);
        let carry = self.asm.or(both, rest);
        (sum, carry)
    }

    /// Returns, for every site, the number of sets that contain it: a carry-save adder tree, which
    /// replaces three sets of one weight by a sum and a carry until one set of each weight is left.
    pub(in crate::compile) fn sum_bits(&mut self, sets: Vec<Set>) -> Vec<Set> {
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

    /// Returns the sites at which the comparison holds; at least one side is a number for each
    /// site.
    pub(in crate::compile) fn compare_fields(
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
    pub(super) fn field_at_least(&mut self, field: &Field, number: i64) -> Set {
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
pub(super) fn field_of(amount: Amount) -> Compiled<Field> {
    match amount {
        Amount::Fixed(number) => Ok(Field { offset: number, ..Field::new(Vec::new()) }),
        Amount::Field(field) => Ok(field),
        Amount::In(_) | Amount::Known(_) => Err(Stop::NotLiftable(Why::Arithmetic)),
    }
}
