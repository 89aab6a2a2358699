//! Products of choices: a move set together with the factors directly before it.
//!
//! Random play samples from a product, and the last ply of a sequence is counted, without listing
//! it. Where plies are made one by one, it becomes a move set for each combination of its prefix
//! arguments, in the order in which the ranks of samples number them.

use super::super::helpers::Helper;
use super::super::set_ops::{self, Variables, Words};
use super::{FunctionEmitter, TRUSTED};
use crate::compile::op::{Code, Op};
use crate::compile::program::{Address, MAX_PARAMETERS, Program};
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, Value, types};
use std::array::from_fn;

/// A factor; `S` is the representation of its set.
#[derive(Clone)]
pub(super) enum Factor<S> {
    /// A prefix argument takes each value of the set.
    Each { prefix: usize, set: S },
    /// The `more` prefix arguments from `first` on are chosen together with the member.
    Together { first: usize, more: usize },
}

impl<S> Factor<S> {
    /// Returns the factor with its set in another representation.
    pub(super) fn map<T>(&self, convert: impl FnOnce(&S) -> T) -> Factor<T> {
        match self {
            Factor::Each { prefix, set } => Factor::Each { prefix: *prefix, set: convert(set) },
            &Factor::Together { first, more } => Factor::Together { first, more },
        }
    }
}

/// Returns the factors of a move set, with the registers of their sets.
pub(super) fn factors(program: &Program, address: Address) -> Vec<Factor<u16>> {
    let end = usize::from(address);
    let begin = end - usize::from(program.code[end].x);
    let factor = |op: &Op| match op.code {
        Code::EachPrefix => Factor::Each { prefix: usize::from(op.x), set: op.a },
        _ => Factor::Together { first: usize::from(op.x), more: usize::from(op.b) },
    };
    program.code[begin..end].iter().map(factor).collect()
}

/// Returns how many members of a product are chosen together.
fn together<S>(factors: &[Factor<S>]) -> usize {
    let more = factors.iter().map(|factor| match factor {
        Factor::Together { more, .. } => *more,
        Factor::Each { .. } => 0,
    });
    more.sum::<usize>() + 1
}

impl FunctionEmitter<'_, '_> {
    /// Returns the factors of the move set that an instruction adds.
    pub(super) fn factors(&mut self, address: Address) -> Vec<Factor<Words>> {
        let factors = factors(self.program, address);
        factors.iter().map(|factor| factor.map(|&set| self.words(set))).collect()
    }

    /// Returns the number of moves of a product.
    pub(super) fn product_count(&mut self, factors: &[Factor<Words>], members: &[Value]) -> Value {
        let mut product = self.combination_count(together(factors), members);
        for factor in factors {
            if let Factor::Each { set, .. } = factor {
                let count = set_ops::count(&mut self.b, set);
                product = self.b.ins().imul(product, count);
            }
        }
        product
    }

    /// Returns the number of ways to choose `size` members together.
    fn combination_count(&mut self, size: usize, members: &[Value]) -> Value {
        let count = set_ops::count(&mut self.b, members);
        if size == 1 {
            return count;
        }
        let count = self.b.ins().uextend(types::I64, count);
        let (mut ordered, mut orders) = (count, 1);
        for place in 1..size as i64 {
            let left = self.b.ins().iadd_imm_s(count, -place);
            ordered = self.b.ins().imul(ordered, left);
            orders *= place + 1;
        }
        let orders = self.b.ins().iconst(types::I64, orders);
        let ways = self.b.ins().udiv(ordered, orders);
        self.b.ins().ireduce(types::I32, ways)
    }

    /// Gives the current ply the prefix arguments of the move with that rank. Returns its member as
    /// a set.
    pub(super) fn sample_product(
        &mut self,
        factors: &[Factor<Variables>],
        members: &[Value],
        mut rank: Value,
    ) -> Words {
        let size = together(factors);
        let mut each = Vec::new();
        for factor in factors {
            if let Factor::Each { prefix, set } = factor {
                each.push((*prefix, set_ops::used(&mut self.b, set)));
            }
        }
        // The rank is a number in mixed radix; its last digit is the member.
        let mut inner = rank;
        if !each.is_empty() {
            let ways = self.combination_count(size, members);
            (rank, inner) = self.divide(rank, ways);
        }
        let outermost = each.first().map(|(prefix, _)| *prefix);
        for (prefix, set) in each.into_iter().rev() {
            let mut digit = rank;
            if Some(prefix) != outermost {
                let count = set_ops::count(&mut self.b, &set);
                (rank, digit) = self.divide(rank, count);
            }
            self.choose_prefix(prefix, &set, digit);
        }
        for factor in factors {
            if let Factor::Together { first, .. } = *factor {
                let count = set_ops::count(&mut self.b, members);
                let ranks = self.b.create_sized_stack_slot(StackSlotData::new(
                    StackSlotKind::ExplicitSlot,
                    4 * MAX_PARAMETERS as u32,
                    2,
                ));
                let ranks = self.b.ins().stack_addr(types::I64, ranks, 0);
                let many = self.b.ins().iconst(types::I32, size as i64);
                let arguments = [count, many, inner, ranks];
                self.helpers.call(&mut self.b, Helper::Combination, &arguments);
                for place in 0..size {
                    inner = self.b.ins().load(types::I32, TRUSTED, ranks, 4 * place as i32);
                    if place + 1 < size {
                        self.choose_prefix(first + place, members, inner);
                    }
                }
            }
        }
        self.nth(members, inner)
    }

    /// Returns the quotient and the remainder of numbers that are not negative.
    fn divide(&mut self, number: Value, by: Value) -> (Value, Value) {
        let quotient = self.b.ins().udiv(number, by);
        let whole = self.b.ins().imul(quotient, by);
        (quotient, self.b.ins().isub(number, whole))
    }

    /// Sets a prefix argument of the current ply to a value by rank.
    fn choose_prefix(&mut self, prefix: usize, values: &[Value], rank: Value) {
        let single = self.nth(values, rank);
        let value = set_ops::lowest(&mut self.b, &single);
        if let Some(&argument) = self.chosen.prefix.get(prefix) {
            self.b.def_var(argument, value);
        }
    }

    /// Stores the move sets of a product.
    pub(super) fn list_product(
        &mut self,
        factors: &[Factor<Words>],
        members: &[Value],
        op: Op,
        address: Address,
    ) {
        let Some((factor, inner)) = factors.split_first() else {
            return self.store_move_set(members, op, address);
        };
        let (prefix, values) = match factor {
            Factor::Each { prefix, set } => (*prefix, set),
            Factor::Together { first, .. } => (*first, &Words::from_slice(members)),
        };
        let [head, body, done] = from_fn(|_| self.b.create_block());
        let left = set_ops::variables(&mut self.b, self.layout.width);
        set_ops::define(&mut self.b, &left, values);
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(head);
        let values = set_ops::used(&mut self.b, &left);
        let any = set_ops::any(&mut self.b, &values);
        self.b.ins().brif(any, body, &[], done, &[]);
        self.b.switch_to_block(body);
        let value = set_ops::lowest(&mut self.b, &values);
        let value = self.b.ins().ireduce(types::I16, value);
        if let Some(&argument) = self.prefix.as_ref().and_then(|all| all.get(prefix)) {
            self.b.def_var(argument, value);
        }
        let others = set_ops::rest(&mut self.b, &values);
        set_ops::define(&mut self.b, &left, &others);
        match *factor {
            Factor::Each { .. } => self.list_product(inner, members, op, address),
            Factor::Together { more: 1, .. } => self.list_product(inner, &others, op, address),
            Factor::Together { first, more } => {
                let next = Factor::Together { first: first + 1, more: more - 1 };
                self.list_product(&[next], &others, op, address);
            }
        }
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(done);
    }
}
