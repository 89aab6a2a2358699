//! A ply of a playout: sampled from a pool, and undone and removed if it is illegal.

use super::super::super::fuel::MOVE_FUEL;
use super::super::set_ops::{self, Words};
use super::super::status;
use super::piles::Place;
use super::playout::{Playout, PoolBlocks, Slot};
use super::pool::Pool;
use super::products::Factor;
use super::{Continuation, FunctionEmitter, ProgramPoint, Register};
use crate::compile::op::Code;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use std::array::from_fn;

impl FunctionEmitter<'_, '_> {
    /// Returns the number of members of each move set.
    pub(super) fn counts(&mut self, slots: &[Slot]) -> Vec<Value> {
        let count = |slot: &Slot| {
            let members = set_ops::used(&mut self.b, &slot.members);
            let factors: Vec<Factor<Words>> = slot
                .factors
                .iter()
                .map(|factor| factor.map(|set| set_ops::used(&mut self.b, set)))
                .collect();
            self.product_count(&factors, &members)
        };
        slots.iter().map(count).collect()
    }

    /// Returns the exclusive prefix sums of the numbers.
    fn before(&mut self, counts: &[Value]) -> Vec<Value> {
        let mut sum = self.b.ins().iconst(types::I32, 0);
        let before = counts.iter().map(|&count| {
            let before = sum;
            sum = self.b.ins().iadd(sum, count);
            before
        });
        before.collect()
    }

    /// Emits the sampling of a ply.
    pub(super) fn sample(&mut self, pool: Pool) {
        let PoolBlocks { sample, .. } = self.pool_blocks(pool);
        let decision = pool.decision;
        let slots = self.slots(pool);
        let Playout { random, left, last_ply_decision, fuel, rejections_left, .. } =
            *self.playout();
        self.b.switch_to_block(sample);
        if slots.is_empty() {
            return self.jump(self.otherwise(decision));
        }
        let on = self.b.create_block();
        let plies = self.b.use_var(left);
        if pool.proposals {
            let rejections_left = self.b.use_var(rejections_left);
            // After too many rejections the legal moves are generated.
            let legal = self.pool_blocks(Pool { proposals: false, ..pool }).begin;
            self.b.ins().brif(rejections_left, on, &[], legal, &[]);
        } else {
            let over = self.b.create_block();
            let goes_on = self.goes_on();
            self.b.ins().brif(goes_on, on, &[], over, &[]);
            self.b.switch_to_block(over);
            self.keep_or_take_back();
            // The position is counted already: -1 keeps the caller from counting it again.
            let nowhere = self.b.ins().iconst(types::I32, -1);
            self.b.def_var(last_ply_decision, nowhere);
            self.finish(status::DECIDE, decision);
        }
        self.b.switch_to_block(on);
        let counts = self.counts(&slots);
        let before = self.before(&counts);
        let member_count = self.sum(counts);
        if self.can_fail(pool) {
            let [some, none] = from_fn(|_| self.b.create_block());
            self.b.ins().brif(member_count, some, &[], none, &[]);
            self.b.switch_to_block(none);
            // All moves have turned out to be illegal.
            self.keep_or_take_back();
            if self.is_unsure(pool) {
                self.undo_arrival();
            }
            self.pass_over(decision);
            self.b.switch_to_block(some);
        }
        let rank = self.below(random, member_count);
        let less = self.b.ins().iadd_imm_s(plies, -1);
        self.b.def_var(left, less);
        if self.program.repetition.is_some() {
            let here = self.b.ins().iconst(types::I32, i64::from(decision));
            self.b.def_var(last_ply_decision, here);
        }
        let none = self.b.ins().iconst(types::I32, 0);
        self.b.def_var(self.leaves, none);
        if self.uses_move_fuel {
            let available = self.b.use_var(fuel.ply);
            let most = self.b.ins().iconst(types::I32, i64::from(MOVE_FUEL));
            let granted = self.b.ins().umin(available, most);
            self.b.def_var(self.move_fuel, granted);
        }
        // The position is restored if the ply is illegal. Copies of SSA variables cost nothing.
        if self.can_fail(pool) {
            self.copy_piles(Place::Stack, Place::Before);
        }
        for (register, before) in self.kept() {
            self.copy(register, before);
        }
        let blocks: Vec<Block> = slots.iter().map(|_| self.b.create_block()).collect();
        self.choose(rank, &before, &blocks);
        for (index, (slot, block)) in slots.iter().zip(blocks).enumerate() {
            self.b.switch_to_block(block);
            let members = set_ops::used(&mut self.b, &slot.members);
            let rank = self.b.ins().isub(rank, before[index]);
            for (argument, prefix) in
                self.chosen.prefix.clone().into_iter().zip(slot.prefix.into_iter().flatten())
            {
                let prefix = self.b.use_var(prefix);
                self.b.def_var(argument, prefix);
            }
            let single = self.sample_product(&slot.factors, &members, rank);
            let member = set_ops::lowest(&mut self.b, &single);
            let index = self.b.ins().iconst(types::I32, index as i64);
            self.b.def_var(self.playout().sampled_set, index);
            self.choose_member(member, &single);
            self.jump(self.applying(slot.specialization, decision));
        }
    }

    /// Returns a number above zero if another ply may be made: as many as the caller allows, unless
    /// they are so expensive that the caller may have to read the clock.
    pub(super) fn goes_on(&mut self) -> Value {
        let Playout { left, fuel, .. } = *self.playout();
        let plies = self.b.use_var(left);
        if !self.uses_move_fuel {
            return plies;
        }
        let is_dear = self.b.use_var(fuel.is_dear);
        let none = self.b.ins().iconst(types::I32, 0);
        self.b.ins().select(is_dear, none, plies)
    }

    /// Tests if a ply sampled from this pool can be illegal.
    pub(super) fn can_fail(&self, pool: Pool) -> bool {
        let decision = pool.decision;
        let fails = |&(address, then): &ProgramPoint| {
            self.op(address).code == Code::Fail
                && (then == Continuation::End(decision)
                    || then == Continuation::Completed(decision))
        };
        pool == self.first_pool(decision) && self.reached.iter().any(fails)
    }

    /// Emits the rejection of a ply: undoes it and removes it from its move set.
    pub(super) fn withdraw(&mut self, pool: Pool) {
        if !self.can_fail(pool) {
            return;
        }
        let PoolBlocks { sample, withdraw, .. } = self.pool_blocks(pool);
        let slots = self.slots(pool);
        let Playout { left, fuel, rejections_left, sampled_set, .. } = *self.playout();
        self.b.switch_to_block(withdraw);
        if pool.proposals {
            let fewer = self.b.use_var(rejections_left);
            let fewer = self.b.ins().iadd_imm_s(fewer, -1);
            self.b.def_var(rejections_left, fewer);
        }
        self.copy_piles(Place::Before, Place::Stack);
        for (register, before) in self.kept() {
            self.copy(before, register);
        }
        let plies = self.b.use_var(left);
        let plies = self.b.ins().iadd_imm_s(plies, 1);
        self.b.def_var(left, plies);
        if self.uses_move_fuel {
            // A trial uses up fuel for the next ones.
            let available = self.b.use_var(fuel.ply);
            let most = self.b.ins().iconst(types::I32, i64::from(MOVE_FUEL));
            let granted = self.b.ins().umin(available, most);
            let left = self.b.use_var(self.move_fuel);
            let used = self.b.ins().isub(granted, left);
            let trial = i64::from(self.env.fuel.dearest_trial());
            let used = self.b.ins().iadd_imm_s(used, trial);
            let used = self.b.ins().umin(used, available);
            let rest = self.b.ins().isub(available, used);
            self.b.def_var(fuel.ply, rest);
        }
        let member = set_ops::used(&mut self.b, &self.chosen.member);
        let sampled_set = self.b.use_var(sampled_set);
        for (index, slot) in slots.into_iter().enumerate() {
            if !slot.factors.is_empty() {
                continue;
            }
            // Without a branch: nothing is removed from the sets that were not sampled.
            let is_it = self.b.ins().icmp_imm_u(IntCC::Equal, sampled_set, index as i64);
            let gone = set_ops::gate(&mut self.b, is_it, &member);
            let members = set_ops::used(&mut self.b, &slot.members);
            let rest = set_ops::without(&mut self.b, &members, &gone);
            set_ops::define(&mut self.b, &slot.members, &rest);
        }
        self.b.ins().jump(sample, &[]);
    }

    /// Returns the registers that a ply may change, each with its copy from before the ply.
    fn kept(&self) -> Vec<(Register, Register)> {
        self.playout()
            .before
            .iter()
            .map(|(key, before)| (self.registers[key].clone(), before.clone()))
            .collect()
    }

    fn copy(&mut self, from: Register, to: Register) {
        match (from, to) {
            (Register::Set(from), Register::Set(to)) => {
                for (from, to) in from.into_iter().zip(to) {
                    let word = self.b.use_var(from);
                    self.b.def_var(to, word);
                }
            }
            (Register::Number(from), Register::Number(to)) => {
                let number = self.b.use_var(from);
                self.b.def_var(to, number);
            }
            _ => unreachable!("a set is no number"),
        }
    }
}
