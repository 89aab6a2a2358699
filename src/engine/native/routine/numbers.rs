//! Instructions that compute a number.

use super::super::super::frame::MAX_PREFIX;
use super::super::helpers::Helper;
use super::super::set_ops;
use super::{FunctionEmitter, TRUSTED};
use crate::compile::op::{Code, Op};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

impl FunctionEmitter<'_, '_> {
    pub(super) fn found_number(&mut self, op: Op) -> Value {
        match op.code {
            Code::Constant => self.b.ins().iconst(types::I32, i64::from(op.constant())),
            Code::Assign => self.number(op.b),
            Code::Add | Code::Subtract | Code::Multiply | Code::Least | Code::Greatest => {
                let (one, other) = (self.number(op.b), self.number(op.c));
                match op.code {
                    Code::Add => {
                        let sum = self.b.ins().sadd_overflow(one, other);
                        self.saturated(sum, one)
                    }
                    Code::Subtract => {
                        let difference = self.b.ins().ssub_overflow(one, other);
                        self.saturated(difference, one)
                    }
                    Code::Multiply => self.multiplied(one, other),
                    code => {
                        let order = if code == Code::Least {
                            IntCC::SignedLessThan
                        } else {
                            IntCC::SignedGreaterThan
                        };
                        let first = self.b.ins().icmp(order, one, other);
                        self.b.ins().select(first, one, other)
                    }
                }
            }
            Code::Divide | Code::Remainder => {
                let number = self.number(op.b);
                let (quotient, rest) = self.divided(number, op.c);
                if op.code == Code::Divide { quotient } else { rest }
            }
            Code::Count => {
                let set = self.words(op.b);
                set_ops::count(&mut self.b, &set)
            }
            Code::Lowest => {
                let set = self.words(op.b);
                let any = set_ops::any(&mut self.b, &set);
                let lowest = set_ops::lowest(&mut self.b, &set);
                let nowhere = self.b.ins().iconst(types::I32, -1);
                self.b.ins().select(any, lowest, nowhere)
            }
            Code::Step => {
                let site = self.number(op.b);
                self.stepped(op.x, site)
            }
            Code::StepBy => {
                let (site, number) = (self.number(op.b), self.number(op.c));
                let tables = self.b.ins().iconst(types::I64, self.env.tables_address as i64);
                let way = self.b.ins().iconst(types::I32, i64::from(op.x));
                self.helpers.number(&mut self.b, Helper::StepBy, &[tables, way, site, number])
            }
            Code::Direction => {
                let (from, to) = (self.number(op.b), self.number(op.c));
                let tables = self.b.ins().iconst(types::I64, self.env.tables_address as i64);
                self.helpers.number(&mut self.b, Helper::Direction, &[tables, from, to])
            }
            Code::Distance => {
                let (from, to) = (self.number(op.b), self.number(op.c));
                let tables = self.b.ins().iconst(types::I64, self.env.tables_address as i64);
                let mask = self.b.ins().iconst(types::I32, i64::from(self.env.mask(op)));
                self.helpers.number(&mut self.b, Helper::Distance, &[tables, mask, from, to])
            }
            Code::Argument if usize::from(op.x) > MAX_PREFIX => self.b.ins().iconst(types::I32, -1),
            Code::Argument if self.chooses() => self.chosen_argument(op.x),
            Code::Argument => self.load(types::I32, self.layout.arguments + 4 * usize::from(op.x)),
            _ => {
                let (number, set) = (self.number(op.a), self.words(op.b));
                let has = self.is_in(op.c, &set);
                let more = self.b.ins().iadd_imm_s(number, 1 << op.x);
                self.b.ins().select(has, more, number)
            }
        }
    }

    /// Saturates a sum or difference that overflowed; `sign` is an operand with the sign of the
    /// exact result.
    pub(super) fn saturated(&mut self, (number, overflow): (Value, Value), sign: Value) -> Value {
        let negative = self.b.ins().sshr_imm_u(sign, 31);
        let most = self.b.ins().bxor_imm_s(negative, i64::from(i32::MAX));
        self.b.ins().select(overflow, most, number)
    }

    pub(super) fn multiplied(&mut self, one: Value, other: Value) -> Value {
        let (one, other) =
            (self.b.ins().sextend(types::I64, one), self.b.ins().sextend(types::I64, other));
        let product = self.b.ins().imul(one, other);
        let bounded = [(IntCC::SignedGreaterThan, i32::MAX), (IntCC::SignedLessThan, i32::MIN)]
            .into_iter()
            .fold(product, |number, (beyond, bound)| {
                let bound = self.b.ins().iconst(types::I64, i64::from(bound));
                let is_beyond = self.b.ins().icmp(beyond, number, bound);
                self.b.ins().select(is_beyond, bound, number)
            });
        self.b.ins().ireduce(types::I32, bounded)
    }

    /// Returns the quotient, rounded down, and the remainder of a division by a number above zero.
    pub(super) fn divided(&mut self, number: Value, by: u16) -> (Value, Value) {
        let by = i64::from(by.max(1));
        if by.count_ones() == 1 {
            let quotient = self.b.ins().sshr_imm_u(number, i64::from(by.trailing_zeros()));
            return (quotient, self.b.ins().band_imm_s(number, by - 1));
        }
        // The division truncates: a negative remainder borrows one from the quotient.
        let quotient = self.b.ins().sdiv_imm_s(number, by);
        let product = self.b.ins().imul_imm_s(quotient, by);
        let rest = self.b.ins().isub(number, product);
        let sign = self.b.ins().sshr_imm_u(rest, 31);
        let missing = self.b.ins().band_imm_s(sign, by);
        let (quotient, rest) =
            (self.b.ins().iadd(quotient, sign), self.b.ins().iadd(rest, missing));
        (quotient, rest)
    }

    /// Returns the site one step from another, or -1.
    pub(super) fn stepped(&mut self, way: u8, site: Value) -> Value {
        let next = &self.tables.next[usize::from(way & 15)];
        let nowhere = self.b.ins().iconst(types::I32, -1);
        if next.is_empty() {
            return nowhere;
        }
        let valid = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, site, next.len() as i64);
        let entry = self.table_entry(site, next, 1);
        let to = self.b.ins().load(types::I32, TRUSTED.with_readonly(), entry, 0);
        self.b.ins().select(valid, to, nowhere)
    }
}
