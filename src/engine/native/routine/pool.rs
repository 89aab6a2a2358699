//! The pools from which a playout samples at a decision: proposals if the decision has them, and
//! after too many rejections the legal moves; else the legal moves.
//!
//! Where sampled plies can be illegal, it is unknown on arrival whether there is a legal one. Play
//! continues as if there were; if there turns out to be none, this is undone.

use super::super::super::history::History;
use super::super::super::machine::MAX_REJECTIONS;
use super::super::status;
use super::playout::Playout;
use super::{Continuation, FunctionEmitter, ProgramPoint, TRUSTED};
use cranelift_codegen::ir::{InstBuilder, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use std::mem::offset_of;

/// The moves that a playout samples from at a decision: its proposals, or its legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pool {
    pub decision: u16,
    pub proposals: bool,
}

/// The state on arrival, restored if there turns out to be no legal ply.
#[derive(Clone, Copy)]
pub struct Arrival {
    /// Whether the position was added to the history.
    pub counted: Variable,
    /// The random state and the decision of the last ply, as they were on arrival.
    random: Variable,
    last_ply_decision: Variable,
}

impl Arrival {
    pub fn new(b: &mut FunctionBuilder) -> Arrival {
        Arrival {
            counted: b.declare_var(types::I32),
            random: b.declare_var(types::I64),
            last_ply_decision: b.declare_var(types::I32),
        }
    }
}

impl FunctionEmitter<'_, '_> {
    /// Returns the first pool of a decision. If there is another one, only samples from the first
    /// can be illegal.
    pub(super) fn first_pool(&self, decision: u16) -> Pool {
        Pool {
            decision,
            proposals: self.program.decisions[usize::from(decision)].proposals.is_some(),
        }
    }

    /// Returns the pools of a decision in order.
    pub(super) fn pools(&self, decision: u16) -> Vec<Pool> {
        let first = self.first_pool(decision);
        let legal = Pool { decision, proposals: false };
        if first.proposals { vec![first, legal] } else { vec![legal] }
    }

    /// Returns where the first pool is generated.
    pub(super) fn first_pool_start(&self, decision: u16) -> ProgramPoint {
        self.made(self.first_pool(decision))
    }

    /// Returns where the first pool of the decision at which a playout begins is generated.
    pub(super) fn first_playout_pool_start(&self, decision: u16) -> ProgramPoint {
        match self.first_pool_start(decision) {
            (move_set, Continuation::At(_)) => (move_set, Continuation::First(decision)),
            proposals => proposals,
        }
    }

    /// Returns where a pool is generated.
    pub(super) fn made(&self, Pool { decision, proposals }: Pool) -> ProgramPoint {
        let code = &self.program.decisions[usize::from(decision)];
        match code.proposals.filter(|_| proposals) {
            Some(from) => (from, Continuation::ProposalsReady(decision)),
            None => (code.generate_moves, Continuation::At(decision)),
        }
    }

    /// Tests if a pool can turn out to have no legal ply after the position has been counted, or
    /// after random numbers that the interpreter does not draw: it counts only positions with a
    /// legal ply.
    pub(super) fn is_unsure(&self, pool: Pool) -> bool {
        pool.proposals || self.program.repetition.is_some() && self.can_fail(pool)
    }

    /// Prepares sampling from an unsure pool; returns from the playout if no ply is left to be
    /// made.
    pub(super) fn keep_arrival(&mut self, pool: Pool) {
        let [over, on] = [self.b.create_block(), self.b.create_block()];
        let goes_on = self.goes_on();
        self.b.ins().brif(goes_on, on, &[], over, &[]);
        self.b.switch_to_block(over);
        self.finish(status::DECIDE, pool.decision);
        self.b.switch_to_block(on);
        for (variable, before) in self.on_arrival() {
            let value = self.b.use_var(variable);
            self.b.def_var(before, value);
        }
        let none = self.b.ins().iconst(types::I32, 0);
        self.b.def_var(self.playout().arrival.counted, none);
        if pool.proposals {
            let most = self.b.ins().iconst(types::I32, i64::from(MAX_REJECTIONS));
            self.b.def_var(self.playout().rejections_left, most);
        }
    }

    /// Returns the variables saved on arrival, each with its copy.
    fn on_arrival(&self) -> [(Variable, Variable); 2] {
        let Playout { random, last_ply_decision, arrival, .. } = *self.playout();
        [(random, arrival.random), (last_ply_decision, arrival.last_ply_decision)]
    }

    /// Restores the state on arrival at a position that turns out to have no legal ply.
    pub(super) fn undo_arrival(&mut self) {
        for (variable, before) in self.on_arrival() {
            let value = self.b.use_var(before);
            self.b.def_var(variable, value);
        }
        if self.program.repetition.is_some() {
            let [forget, on] = [self.b.create_block(), self.b.create_block()];
            let counted = self.b.use_var(self.playout().arrival.counted);
            self.b.ins().brif(counted, forget, &[], on, &[]);
            self.b.switch_to_block(forget);
            let (history, offset) = (self.move_set_buffer.room, offset_of!(History, length) as i32);
            let length = self.b.ins().load(types::I64, TRUSTED, history, offset);
            let length = self.b.ins().iadd_imm_s(length, -1);
            self.b.ins().store(TRUSTED, length, history, offset);
            self.b.ins().jump(on, &[]);
            self.b.switch_to_block(on);
        }
    }
}
