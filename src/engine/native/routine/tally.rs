//! Trying one ply after the other without making it in the frame; and tallies: what is offered after each ply of a decision, all together.

use super::super::super::frame::{Frame, HELD, Offer};
use super::super::status;
use super::super::words::{self, Words};
use super::graph::offers;
use super::{Place, TRUSTED, Then, Writer};
use crate::compile::program::DecisionCode;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;
use std::array::from_fn;
use std::collections::BTreeSet;
use std::mem::offset_of;

impl<const W: usize> Writer<'_, '_, W> {
    /// What a decision offers.
    pub(super) fn variations(&self, decision: u16) -> Vec<u16> {
        let offers = offers(self.program, self.program.decisions[usize::from(decision)].offer).into_iter();
        offers.map(|address| self.op(address).b).collect::<BTreeSet<u16>>().into_iter().collect()
    }

    pub(super) fn applying(&self, variation: u16, decision: u16) -> Place {
        (self.program.variations[usize::from(variation)].apply, Then::End(decision))
    }

    /// Goes through the offers of the decision that lie in the room from the place given instead of a capacity on, and adds up what the decision after each ply offers.
    pub(super) fn tally(&mut self, decision: u16) {
        let zero = self.b.ins().iconst(types::I64, 0);
        self.b.def_var(self.tally, zero);
        self.each_ply(decision, self.offering.capacity, |writer| {
            let offered = writer.load(types::I32, offset_of!(Frame<W>, offered));
            writer.b.ins().uextend(types::I64, offered)
        });
        let tally = self.b.use_var(self.tally);
        let shifted = self.b.ins().ishl_imm_u(tally, 8);
        self.b.ins().return_(&[shifted]);
    }

    /// Goes through the members of the offers of the decision that lie in the room from one place to another, and applies each to the position. What follows then, it does not know. When all were
    /// tried, what is written next is done.
    pub(super) fn each_ply(&mut self, decision: u16, first: Value, last: impl FnOnce(&mut Self) -> Value) {
        let [next_offer, this_offer, next_ply, this_ply, done] = std::array::from_fn(|_| self.b.create_block());
        self.next_ply = Some(next_ply);
        let index = self.b.declare_var(types::I64);
        let rest: [Variable; W] = from_fn(|_| self.b.declare_var(types::I64));
        self.b.def_var(index, first);
        self.b.ins().jump(next_offer, &[]);

        self.b.switch_to_block(next_offer);
        let offered = last(self);
        let here = self.b.use_var(index);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, here, offered);
        self.b.ins().brif(more, this_offer, &[], done, &[]);

        self.b.switch_to_block(this_offer);
        let entry = self.offer_entry(here);
        let held_argument =
            |argument: usize| (offset_of!(Offer<W>, held) + 2 * argument, offset_of!(Frame<W>, arguments) + 4 * (argument + 1));
        for (from, to) in (0..HELD).map(held_argument) {
            let held = self.b.ins().load(types::I16, TRUSTED, entry, from as i32);
            let held = self.b.ins().sextend(types::I32, held);
            self.store(held, to);
        }
        for (word, variable) in rest.into_iter().enumerate() {
            let members = self.b.ins().load(types::I64, TRUSTED, entry, (offset_of!(Offer<W>, members) + 8 * word) as i32);
            self.b.def_var(variable, members);
        }
        let after = self.b.ins().iadd_imm_s(here, 1);
        self.b.def_var(index, after);
        self.b.ins().jump(next_ply, &[]);

        self.b.switch_to_block(next_ply);
        let members: Words<W> = rest.map(|variable| self.b.use_var(variable));
        let any = words::any(&mut self.b, &members);
        self.b.ins().brif(any, this_ply, &[], next_offer, &[]);

        self.b.switch_to_block(this_ply);
        let member = words::lowest(&mut self.b, &members);
        for (variable, word) in rest.into_iter().zip(words::rest(&mut self.b, &members)) {
            self.b.def_var(variable, word);
        }
        self.store(member, offset_of!(Frame<W>, arguments));
        let no = self.b.ins().iconst(types::I32, 0);
        if self.is_tally() {
            self.read_frame();
            self.b.def_var(self.offering.total, no);
            self.b.def_var(self.sure, no);
        } else {
            self.begin_trial();
        }
        self.b.def_var(self.leaves, no);
        let here = self.b.use_var(index);
        let here = self.b.ins().iadd_imm_s(here, -1);
        let entry = self.offer_entry(here);
        let variation = self.b.ins().load(types::I16, TRUSTED, entry, offset_of!(Offer<W>, variation) as i32);
        let variations = self.variations(decision);
        let Some((last, others)) = variations.split_last() else {
            self.b.ins().jump(next_offer, &[]);
            return self.b.switch_to_block(done);
        };
        for &other in others {
            let on = self.b.create_block();
            let is_it = self.b.ins().icmp_imm_u(IntCC::Equal, variation, i64::from(other));
            let apply = self.blocks[&self.applying(other, decision)];
            self.b.ins().brif(is_it, apply, &[], on, &[]);
            self.b.switch_to_block(on);
        }
        self.jump(self.applying(*last, decision));

        self.b.switch_to_block(done);
    }

    /// A tally: the position after a ply is at a decision whose offers are counted.
    pub(super) fn count(&mut self, decision: u16) {
        let [unsure, on] = [self.b.create_block(), self.b.create_block()];
        self.b.set_cold_block(unsure);
        match &self.program.decisions[usize::from(decision)] {
            DecisionCode { steps: Some(_), .. } => _ = self.b.ins().jump(unsure, &[]),
            DecisionCode { exact: true, .. } => _ = self.b.ins().jump(on, &[]),
            _ => {
                let sure = self.b.use_var(self.sure);
                let is_sure = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, sure, 0);
                self.b.ins().brif(is_sure, on, &[], unsure, &[]);
            }
        }
        self.b.switch_to_block(unsure);
        let status = self.b.ins().iconst(types::I64, status::FULL as i64);
        self.b.ins().return_(&[status]);
        self.b.switch_to_block(on);
        let total = self.b.use_var(self.offering.total);
        let some = self.b.create_block();
        let otherwise = self.blocks[&self.otherwise(decision)];
        self.b.ins().brif(total, some, &[], otherwise, &[]);
        self.b.switch_to_block(some);
        let tally = self.b.use_var(self.tally);
        let total = self.b.ins().uextend(types::I64, total);
        let sum = self.b.ins().iadd(tally, total);
        self.b.def_var(self.tally, sum);
        self.next_ply_follows();
    }

    pub(super) fn next_ply_follows(&mut self) {
        if let Some(next) = self.next_ply {
            self.b.ins().jump(next, &[]);
        }
    }
}
