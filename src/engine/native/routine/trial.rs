//! Turns within `steps` in playouts: played on trial, without looking ahead, and undone if they
//! cannot be completed. The frame keeps the state at the start of the turn.

use super::super::status;
use super::playout::Playout;
use super::{Continuation, FunctionEmitter, Mode, ProgramPoint};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::array::from_fn;

impl FunctionEmitter<'_, '_> {
    /// Returns the routine of the ending condition, which follows the last ply within `steps`.
    pub(super) fn completing(&self, decision: u16) -> Option<ProgramPoint> {
        let steps = self.program.decisions[usize::from(decision)].steps?;
        Some((steps.ending, Continuation::Completed(decision)))
    }

    /// Starts a trial if the decision is within `steps` and no trial is going on. The turn is
    /// undone if it has more plies than may be made.
    pub(super) fn try_turn(&mut self, decision: u16) {
        if self.program.decisions[usize::from(decision)].steps.is_none() {
            return;
        }
        let Playout { trial: Some((trial, _)), .. } = *self.playout() else { return };
        let [begin, on] = from_fn(|_| self.b.create_block());
        let is_tried = self.b.use_var(trial);
        self.b.ins().brif(is_tried, on, &[], begin, &[]);
        self.b.switch_to_block(begin);
        self.write_frame();
        let tried = self.b.ins().iconst(types::I32, i64::from(decision) + 1);
        self.b.def_var(trial, tried);
        self.b.ins().jump(on, &[]);
        self.b.switch_to_block(on);
    }

    /// Emits the code after a ply if the game is not over. After the last ply within `steps` the
    /// ending condition must hold.
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

    /// Returns whether a condition holds or the ply ends the turn, if that matters after the
    /// decision.
    pub(super) fn or_leaves(&mut self, decision: u16, condition: Value) -> Value {
        if !self.can_be_left(decision) {
            return condition;
        }
        let leaves = self.b.use_var(self.leaves);
        let leaves = self.b.ins().icmp_imm_u(IntCC::NotEqual, leaves, 0);
        self.b.ins().bor(condition, leaves)
    }

    /// Emits the end of a successful trial.
    pub(super) fn complete(&mut self, decision: u16) {
        if let Some((trial, _)) = self.playout().trial {
            let none = self.b.ins().iconst(types::I32, 0);
            self.b.def_var(trial, none);
        }
        self.go_on(decision);
    }

    /// Undoes the turn if one is on trial, because it ends before it is completed; else continues.
    pub(super) fn keep_or_take_back(&mut self) {
        let Mode::Playout(playout) = &self.mode else { return };
        let Some((trial, back)) = playout.trial else { return };
        let on = self.b.create_block();
        let tried = self.b.use_var(trial);
        self.b.ins().brif(tried, back, &[], on, &[]);
        self.b.switch_to_block(on);
    }

    /// Emits the undoing of a turn: the function returns at its start.
    pub(super) fn take_back(&mut self) {
        let Some((trial, back)) = self.playout().trial else { return };
        self.b.switch_to_block(back);
        let tried = self.b.use_var(trial);
        let decision = self.b.ins().iadd_imm_s(tried, -1);
        let decision = self.b.ins().uextend(types::I64, decision);
        let shifted = self.b.ins().ishl_imm_u(decision, 8);
        let status = self.b.ins().bor_imm_u(shifted, status::DECIDE as i64);
        self.b.ins().return_(&[status]);
    }
}
