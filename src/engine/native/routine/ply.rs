//! A ply of a playout: drawn from what is offered, and taken back and withdrawn where it is illegal.

use super::super::super::machine::{MOST_ROUNDS, TRIAL};
use super::super::status;
use super::super::words::{self, Words};
use super::playout::{Doors, Playout, Slot};
use super::pool::Pool;
use super::{Place, Register, Then, Writer};
use crate::compile::op::Code;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use std::array::from_fn;

impl<const W: usize> Writer<'_, '_, W> {
    /// How many members each of the offers has.
    pub(super) fn counts(&mut self, slots: &[Slot<W>]) -> Vec<Value> {
        let count = |slot: &Slot<W>| {
            let members = slot.members.map(|word| self.b.use_var(word));
            words::count(&mut self.b, &members)
        };
        slots.iter().map(count).collect()
    }

    /// How many members the offers have before each.
    fn before(&mut self, counts: &[Value]) -> Vec<Value> {
        let mut sum = self.b.ins().iconst(types::I32, 0);
        let before = counts.iter().map(|&count| {
            let before = sum;
            sum = self.b.ins().iadd(sum, count);
            before
        });
        before.collect()
    }

    /// Writes the draw of a ply.
    pub(super) fn draw(&mut self, pool: Pool) {
        let Doors { draw, .. } = self.doors(pool);
        let decision = pool.decision;
        let slots = self.slots(pool);
        let Playout { random, left, came, patience, draws, drawn, .. } = *self.playout();
        self.b.switch_to_block(draw);
        if slots.is_empty() {
            return self.jump(self.otherwise(decision));
        }
        let on = self.b.create_block();
        let plies = self.b.use_var(left);
        if pool.draws {
            let tries = self.b.use_var(draws.tries);
            let legal = self.doors(Pool { draws: false, ..pool }).begin;
            self.b.ins().brif(tries, on, &[], legal, &[]);
        } else {
            let over = self.b.create_block();
            self.b.set_cold_block(over);
            self.b.ins().brif(plies, on, &[], over, &[]);
            self.b.switch_to_block(over);
            let nowhere = self.b.ins().iconst(types::I32, -1);
            self.b.def_var(came, nowhere);
            self.finish(status::DECIDE, decision);
        }
        self.b.switch_to_block(on);
        let counts = self.counts(&slots);
        let before = self.before(&counts);
        let total = self.sum(counts);
        if self.can_fail(pool) {
            let [some, none] = from_fn(|_| self.b.create_block());
            self.b.set_cold_block(none);
            self.b.ins().brif(total, some, &[], none, &[]);
            self.b.switch_to_block(none);
            // All that was offered has turned out to be illegal.
            self.keep_or_take_back();
            if pool.draws {
                self.undo_draws();
            } else {
                let nowhere = self.b.ins().iconst(types::I32, -1);
                self.b.def_var(came, nowhere);
            }
            self.jump(self.otherwise(decision));
            self.b.switch_to_block(some);
        }
        let rank = self.below(random, total);
        let less = self.b.ins().iadd_imm_s(plies, -1);
        self.b.def_var(left, less);
        if self.program.repetition.is_some() {
            let here = self.b.ins().iconst(types::I32, i64::from(decision));
            self.b.def_var(came, here);
        }
        let none = self.b.ins().iconst(types::I32, 0);
        self.b.def_var(self.leaves, none);
        if self.counts_rounds {
            let available = self.b.use_var(patience);
            let most = self.b.ins().iconst(types::I32, i64::from(MOST_ROUNDS));
            let granted = self.b.ins().umin(available, most);
            self.b.def_var(self.rounds, granted);
        }
        for (register, before) in self.kept() {
            self.copy(register, before);
        }
        let blocks: Vec<Block> = slots.iter().map(|_| self.b.create_block()).collect();
        self.choose(rank, &before, &blocks);
        for (index, (slot, block)) in slots.iter().zip(blocks).enumerate() {
            self.b.switch_to_block(block);
            let members: Words<W> = slot.members.map(|word| self.b.use_var(word));
            let rank = self.b.ins().isub(rank, before[index]);
            let single = self.nth(&members, rank);
            let member = words::lowest(&mut self.b, &single);
            let Playout { held, site, member: set, .. } = *self.playout();
            set.into_iter().zip(single).for_each(|(variable, word)| self.b.def_var(variable, word));
            self.b.def_var(site, member);
            for (argument, held) in held.into_iter().zip(slot.held.into_iter().flatten()) {
                let held = self.b.use_var(held);
                self.b.def_var(argument, held);
            }
            let index = self.b.ins().iconst(types::I32, index as i64);
            self.b.def_var(drawn, index);
            self.jump(self.applying(slot.variation, decision));
        }
    }

    /// Whether a ply that is drawn from there can turn out to be illegal.
    fn can_fail(&self, pool: Pool) -> bool {
        let decision = pool.decision;
        let fails = |&(address, then): &Place| {
            self.op(address).code == Code::Fail && (then == Then::End(decision) || then == Then::Completed(decision))
        };
        pool == self.first_pool(decision) && self.reached.iter().any(fails)
    }

    /// Takes a ply back and out of what is offered.
    pub(super) fn withdraw(&mut self, pool: Pool) {
        if !self.can_fail(pool) {
            return;
        }
        let Doors { draw, withdraw, .. } = self.doors(pool);
        let slots = self.slots(pool);
        let Playout { left, patience, draws, member, drawn, .. } = *self.playout();
        self.b.switch_to_block(withdraw);
        if pool.draws {
            let tries = self.b.use_var(draws.tries);
            let tries = self.b.ins().iadd_imm_s(tries, -1);
            self.b.def_var(draws.tries, tries);
        }
        for (register, before) in self.kept() {
            self.copy(before, register);
        }
        let plies = self.b.use_var(left);
        let plies = self.b.ins().iadd_imm_s(plies, 1);
        self.b.def_var(left, plies);
        if self.counts_rounds {
            // What the trial took is no longer there for the next one.
            let available = self.b.use_var(patience);
            let most = self.b.ins().iconst(types::I32, i64::from(MOST_ROUNDS));
            let granted = self.b.ins().umin(available, most);
            let rounds = self.b.use_var(self.rounds);
            let used = self.b.ins().isub(granted, rounds);
            let used = self.b.ins().iadd_imm_s(used, i64::from(TRIAL));
            let used = self.b.ins().umin(used, available);
            let rest = self.b.ins().isub(available, used);
            self.b.def_var(patience, rest);
        }
        let member = member.map(|word| self.b.use_var(word));
        let drawn = self.b.use_var(drawn);
        for (index, slot) in slots.into_iter().enumerate() {
            let is_it = self.b.ins().icmp_imm_u(IntCC::Equal, drawn, index as i64);
            let gone = words::gate(&mut self.b, is_it, &member);
            let members = slot.members.map(|word| self.b.use_var(word));
            let rest = words::without(&mut self.b, &members, &gone);
            slot.members.into_iter().zip(rest).for_each(|(variable, word)| self.b.def_var(variable, word));
        }
        self.b.ins().jump(draw, &[]);
    }

    /// The registers that a ply may change, and where they are as they were before it.
    fn kept(&self) -> Vec<(Register<W>, Register<W>)> {
        self.playout().before.iter().map(|(key, &before)| (self.registers[key], before)).collect()
    }

    fn copy(&mut self, from: Register<W>, to: Register<W>) {
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
