//! Turns within `steps` in playouts: tried without a look ahead, and taken back where they cannot
//! be completed so. The frame keeps the position that a turn begins with.

use super::super::status;
use super::playout::Playout;
use super::{Continuation, FunctionEmitter, ProgramPoint};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Switch;
use std::array::from_fn;

impl FunctionEmitter<'_, '_> {
    /// What is looked at after the last ply within `steps`.
    pub(super) fn completing(&self, decision: u16) -> Option<ProgramPoint> {
        let steps = self.program.decisions[usize::from(decision)].steps?;
        Some((steps.ending, Continuation::Completed(decision)))
    }

    /// Begins to try a turn where the decision is within `steps` and the turn is not being tried
    /// yet. If there are not as many plies to be made as it has steps, play is handed over.
    pub(super) fn try_turn(&mut self, decision: u16) {
        let Some(steps) = self.program.decisions[usize::from(decision)].steps else { return };
        let Playout { trial: Some((trial, _)), left, .. } = *self.playout() else { return };
        let [begin, long, on] = from_fn(|_| self.b.create_block());
        self.b.set_cold_block(long);
        let is_tried = self.b.use_var(trial);
        self.b.ins().brif(is_tried, on, &[], begin, &[]);
        self.b.switch_to_block(begin);
        self.write_frame();
        let (plies, most) = (self.b.use_var(left), self.number(steps.left));
        let is_long = self.b.ins().icmp(IntCC::UnsignedLessThan, plies, most);
        let tried = self.b.ins().iconst(types::I32, i64::from(decision) + 1);
        let on_trial = self.b.create_block();
        self.b.ins().brif(is_long, long, &[], on_trial, &[]);
        self.b.switch_to_block(long);
        self.leave_with(status::DECIDE, decision);
        self.b.switch_to_block(on_trial);
        self.b.def_var(trial, tried);
        self.b.ins().jump(on, &[]);
        self.b.switch_to_block(on);
    }

    /// The decisions whose end-of-ply code is identical to that of the first of them, which is in
    /// front.
    pub(super) fn end_class(&self, first: u16) -> Vec<u16> {
        (0..)
            .zip(&self.playout().end_classes)
            .filter(|(_, class)| **class == first)
            .map(|(decision, _)| decision)
            .collect()
    }

    /// A ply of one of the decisions after which the same is looked at has been made, and the game
    /// is not over.
    pub(super) fn after_ply(&mut self, first: u16) {
        let others = self
            .end_class(first)
            .into_iter()
            .skip(1)
            .map(|decision| (decision, self.b.create_block()));
        let others: Vec<(u16, Block)> = others.collect();
        let mut decisions = Switch::new();
        others
            .iter()
            .for_each(|&(decision, block)| decisions.set_entry(u128::from(decision), block));
        let (at, block) = (self.b.use_var(self.playout().at), self.b.create_block());
        decisions.emit(&mut self.b, at, block);
        for (decision, block) in others.into_iter().chain([(first, block)]) {
            self.b.switch_to_block(block);
            self.step_or_go_on(decision);
        }
    }

    /// A ply has been made, and the game is not over. The last one within `steps` must leave the
    /// ending condition true.
    pub(super) fn step_or_go_on(&mut self, decision: u16) {
        if let (Some(steps), Some(completing)) =
            (self.program.decisions[usize::from(decision)].steps, self.completing(decision))
        {
            let left = self.number(steps.left);
            let is_last = self.b.ins().icmp_imm_s(IntCC::SignedLessThanOrEqual, left, 1);
            let is_last = self.or_leaves(decision, is_last);
            let more = self.b.create_block();
            let completing = self.blocks[&completing];
            self.b.ins().brif(is_last, completing, &[], more, &[]);
            self.b.switch_to_block(more);
        }
        self.go_on(decision);
    }

    /// Whether a condition holds or the ply just made ends the turn, where that matters after the
    /// decision.
    pub(super) fn or_leaves(&mut self, decision: u16, condition: Value) -> Value {
        if self.onward(decision).len() < 2 {
            return condition;
        }
        let leaves = self.b.use_var(self.leaves);
        let leaves = self.b.ins().icmp_imm_u(IntCC::NotEqual, leaves, 0);
        self.b.ins().bor(condition, leaves)
    }

    /// The turn that was tried is completed.
    pub(super) fn complete(&mut self, decision: u16) {
        if let Some((trial, _)) = self.playout().trial {
            let none = self.b.ins().iconst(types::I32, 0);
            self.b.def_var(trial, none);
        }
        self.go_on(decision);
    }

    /// Goes on where no turn is being tried. One that is, is taken back: it has come to an end
    /// before it was completed.
    pub(super) fn keep_or_take_back(&mut self) {
        let Some((trial, back)) = self.playout.as_ref().and_then(|playout| playout.trial) else {
            return;
        };
        let on = self.b.create_block();
        let tried = self.b.use_var(trial);
        self.b.ins().brif(tried, back, &[], on, &[]);
        self.b.switch_to_block(on);
    }

    /// Writes what is done when a turn is taken back: play is handed over at its beginning.
    pub(super) fn take_back(&mut self) {
        let Some((trial, back)) = self.playout().trial else { return };
        self.b.set_cold_block(back);
        self.b.switch_to_block(back);
        let tried = self.b.use_var(trial);
        let decision = self.b.ins().iadd_imm_s(tried, -1);
        let decision = self.b.ins().uextend(types::I64, decision);
        let shifted = self.b.ins().ishl_imm_u(decision, 8);
        let status = self.b.ins().bor_imm_u(shifted, status::DECIDE as i64);
        self.b.ins().return_(&[status]);
    }
}
