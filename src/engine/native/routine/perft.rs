//! Perft: counts sequences of plies.
//!
//! Every decision has two functions. One makes each of its plies and adds up how many moves the
//! next decision has: the last ply of a sequence is counted, not made (bulk counting). The other
//! one stores the next decision's moves and the position in the next frame and calls a function of
//! that decision to count the rest. They give up where the generated moves may be illegal.

use super::super::status;
use super::{FunctionEmitter, FunctionKind, Mode};
use crate::compile::program::DecisionCode;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;
use std::array::from_fn;

/// Tests if the plies of a decision can be counted without looking ahead.
pub fn is_countable(decision: &DecisionCode) -> bool {
    decision.steps.is_none()
}

impl FunctionEmitter<'_, '_> {
    /// Tests if the function makes the last ply but one.
    pub(super) fn is_tally(&self) -> bool {
        matches!(self.kind, FunctionKind::Tally(_))
    }

    /// Emits the loop over the decision's moves in the frame.
    pub(super) fn begin_perft(&mut self, decision: u16) {
        let Mode::Perft { next_ply, tally } = self.mode else { return };
        let zero = self.b.ins().iconst(types::I64, 0);
        self.b.def_var(tally, zero);
        let first = self.load(types::I32, self.layout.first);
        let first = self.b.ins().uextend(types::I64, first);
        let last = |emitter: &mut Self| {
            let move_set_count = emitter.entry_value(emitter.layout.move_set_count);
            emitter.b.ins().uextend(types::I64, move_set_count)
        };
        self.each_ply(decision, next_ply, first, last, |emitter| {
            emitter.read_frame();
            let none = emitter.b.ins().iconst(types::I32, 0);
            emitter.b.def_var(emitter.move_set_buffer.member_count, none);
            emitter.b.def_var(emitter.all_legal, none);
        });
        let tally = self.b.use_var(tally);
        let shifted = self.b.ins().ishl_imm_u(tally, 8);
        self.b.ins().return_(&[shifted]);
    }

    /// Emits the continuation when a ply has led to a decision and its moves have been generated.
    pub(super) fn count(&mut self, decision: u16, tally: Variable) {
        let code = &self.program.decisions[usize::from(decision)];
        if !is_countable(code) {
            return self.leave_with(status::FAIL, 0);
        }
        let [unsure, on, some] = from_fn(|_| self.b.create_block());
        if code.exact {
            self.b.ins().jump(on, &[]);
        } else {
            let all_legal = self.b.use_var(self.all_legal);
            let is_sure = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, all_legal, 0);
            self.b.ins().brif(is_sure, on, &[], unsure, &[]);
        }
        self.b.switch_to_block(unsure);
        self.leave_with(status::FAIL, 0);
        self.b.switch_to_block(on);
        let member_count = self.b.use_var(self.move_set_buffer.member_count);
        let otherwise = self.blocks[&self.otherwise(decision)];
        self.b.ins().brif(member_count, some, &[], otherwise, &[]);
        self.b.switch_to_block(some);
        let rest = if self.is_tally() {
            self.b.ins().uextend(types::I64, member_count)
        } else {
            self.counted_behind(decision)
        };
        let counted = self.b.use_var(tally);
        let sum = self.b.ins().iadd(counted, rest);
        self.b.def_var(tally, sum);
        self.next_ply_follows();
    }

    /// Returns the number of sequences, shorter by one ply, that begin at the decision. Returns
    /// from the function if that is not known.
    fn counted_behind(&mut self, decision: u16) -> Value {
        let [tally, perft, both, stop, on] = from_fn(|_| self.b.create_block());
        let status = self.b.append_block_param(both, types::I64);
        let size = self.layout.frame_size;
        self.write_registers(size);
        let first = self.entry_value(self.layout.move_set_count);
        self.store(first, size + self.layout.first);
        let move_set_count = self.move_sets_so_far();
        let move_set_count = self.b.ins().ireduce(types::I32, move_set_count);
        self.pass_on(move_set_count, self.layout.move_set_count);
        let left = self.load(types::I32, self.layout.left);
        let left = self.b.ins().iadd_imm_s(left, -1);
        self.store(left, size + self.layout.left);
        let behind = self.b.ins().iadd_imm_s(self.frame, size as i64);
        let arguments =
            [behind, self.move_set_buffer.room, self.move_set_buffer.capacity, self.queues];
        let more = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, left, 2);
        self.b.ins().brif(more, perft, &[], tally, &[]);
        for (block, kind) in
            [(tally, FunctionKind::Tally(decision)), (perft, FunctionKind::Perft(decision))]
        {
            self.b.switch_to_block(block);
            let call = self.b.ins().call(self.callees[&kind], &arguments);
            let status = self.b.inst_results(call)[0];
            self.b.ins().jump(both, &[status.into()]);
        }
        self.b.switch_to_block(both);
        let tag = self.b.ins().band_imm_u(status, 0xff);
        let counts = self.b.ins().icmp_imm_u(IntCC::Equal, tag, status::RETURN as i64);
        self.b.ins().brif(counts, on, &[], stop, &[]);
        self.b.switch_to_block(stop);
        self.b.ins().return_(&[status]);
        self.b.switch_to_block(on);
        self.b.ins().ushr_imm_u(status, 8)
    }
}
