//! Looks ahead within `steps`: tests if a number of further plies can be made such that the ending
//! condition holds after the last.
//!
//! The function generates the moves of its decision, tries one ply after the other, and calls
//! itself for the rest, with the position after the ply in the next frame: a depth-first search. It
//! stops when its fuel is exhausted; then `driver::lookahead` takes over, which memoizes dead ends.
//! Each frame holds the fewest plies that were left to be made at any point of the search below it.

use super::super::status;
use super::{Continuation, FunctionEmitter, Mode, ProgramPoint};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

impl FunctionEmitter<'_, '_> {
    /// Returns the routine of the ending condition, which follows the last ply.
    pub(super) fn ending(&self, decision: u16) -> ProgramPoint {
        let code = &self.program.decisions[usize::from(decision)];
        (code.steps.map_or(code.generate_moves, |steps| steps.ending), Continuation::Checked)
    }

    /// Emits the start of the function and the loop over the generated moves.
    pub(super) fn begin_lookahead(&mut self, decision: u16) {
        let Mode::Lookahead { next_ply, try_move_sets, plies, .. } = self.mode else { return };
        self.uses_move_fuel = true;
        let fewest = self.b.ins().ireduce(types::I32, plies);
        self.store(fewest, self.layout.left);
        let capacity = self.load(types::I32, self.layout.capacity);
        self.move_set_buffer.capacity = self.b.ins().uextend(types::I64, capacity);
        self.read_frame();
        let first = self.move_sets_so_far();
        self.jump((
            self.program.decisions[usize::from(decision)].generate_moves,
            Continuation::At(decision),
        ));
        self.b.switch_to_block(try_move_sets);
        let last = self.move_sets_so_far();
        self.each_ply(decision, next_ply, first, |_| last, Self::begin_trial);
        self.leave_with(status::FAIL, 0);
    }

    /// Emits the start of a trial.
    fn begin_trial(&mut self) {
        let trial = i64::from(self.env.fuel.dearest_trial());
        let move_fuel = self.b.use_var(self.move_fuel);
        let [over, on] = [self.b.create_block(), self.b.create_block()];
        let is_over = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, move_fuel, trial);
        self.b.ins().brif(is_over, over, &[], on, &[]);
        self.b.switch_to_block(over);
        self.leave_with(status::OUT_OF_FUEL, 0);
        self.b.switch_to_block(on);
        let left = self.b.ins().iadd_imm_s(move_fuel, -trial);
        self.b.def_var(self.move_fuel, left);
        self.read_registers();
    }

    /// Emits the code after a ply that does not end the game: the remaining plies.
    pub(super) fn follow(&mut self, decision: u16, plies: Value) {
        let [rest, found, on, next, stop] = std::array::from_fn(|_| self.b.create_block());
        let ending = self.blocks[&self.ending(decision)];
        let is_last = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, plies, 1);
        let fewest = self.load(types::I32, self.layout.left);
        let none = self.b.ins().iconst(types::I32, 0);
        let fewest = self.b.ins().select(is_last, none, fewest);
        self.store(fewest, self.layout.left);
        let is_last = self.or_leaves(decision, is_last);
        self.b.ins().brif(is_last, ending, &[], rest, &[]);
        self.b.switch_to_block(rest);
        let size = self.layout.frame_size;
        self.write_registers(size);
        let move_fuel = self.b.use_var(self.move_fuel);
        self.pass_on(move_fuel, self.layout.move_fuel);
        let move_set_count = self.move_sets_so_far();
        let move_set_count = self.b.ins().ireduce(types::I32, move_set_count);
        self.pass_on(move_set_count, self.layout.move_set_count);
        let behind = self.b.ins().iadd_imm_s(self.frame, size as i64);
        let fewer = self.b.ins().iadd_imm_s(plies, -1);
        let call = self.b.ins().call(
            self.callees[&self.kind],
            &[behind, self.move_set_buffer.room, fewer, self.queues],
        );
        let status = self.b.inst_results(call)[0];
        let left = self.passed_back(self.layout.move_fuel);
        self.b.def_var(self.move_fuel, left);
        let fewest = self.load(types::I32, self.layout.left);
        let fewest_behind = self.load(types::I32, size + self.layout.left);
        let fewest = self.b.ins().umin(fewest, fewest_behind);
        self.store(fewest, self.layout.left);
        let is_found = self.b.ins().icmp_imm_u(IntCC::Equal, status, status::RETURN as i64);
        self.b.ins().brif(is_found, found, &[], on, &[]);
        self.b.switch_to_block(found);
        self.leave_with(status::RETURN, 0);
        self.b.switch_to_block(on);
        let has_failed = self.b.ins().icmp_imm_u(IntCC::Equal, status, status::FAIL as i64);
        self.b.ins().brif(has_failed, next, &[], stop, &[]);
        self.b.switch_to_block(next);
        self.next_ply_follows();
        self.b.switch_to_block(stop);
        // The caller charges the fuel that this search has used, even if it stops without an
        // answer.
        self.write_move_fuel();
        self.b.ins().return_(&[status]);
    }
}
