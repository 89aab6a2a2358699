//! Floods, with a cache of the last results.
//!
//! A group that is evaluated after every ply seldom changes, and where pieces are only added it
//! only grows. Flood fill is monotone: if neither seeds nor region have lost a site, the old result
//! is part of the new one and a start for it. This is checked at every flood, so nothing has to
//! track what happens in between.

use super::super::super::frame::FLOOD_CACHE_SIZE;
use super::super::set_ops::{self, Words};
use super::{FunctionEmitter, FunctionKind};
use crate::compile::op::{Code, OperandRole};
use crate::compile::program::Address;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::collections::HashSet;

impl FunctionEmitter<'_, '_> {
    /// Emits a flood.
    pub(super) fn flood(&mut self, address: Address) -> Words {
        let op = self.op(address);
        let (from, within) = (self.words(op.b), self.words(op.c));
        let Some(slot) = self.flood_slot(address) else {
            return self.whole_flood(address, &from, &within);
        };
        let known = self.layout.flood_cache + slot * self.layout.cached_flood_size;
        let [from_at, within_at, all_at] = [
            self.layout.cached_flood_seeds,
            self.layout.cached_flood_region,
            self.layout.cached_flood_result,
        ];
        let [was_from, was_within, was_all] =
            [from_at, within_at, all_at].map(|at| self.load_set(known + at));
        let b = &mut self.b;
        let fewer = set_ops::without(b, &was_from, &from);
        let less = set_ops::without(b, &was_within, &within);
        let lost = set_ops::or(b, &fewer, &less);
        let lost = set_ops::any(b, &lost);
        let none = b.ins().iconst(types::I64, 0);
        // The old result is used only if nothing was lost.
        let grown: Words = was_all.iter().map(|&word| b.ins().select(lost, none, word)).collect();
        let start = set_ops::and(b, &from, &within);
        let start = set_ops::or(b, &start, &grown);
        // Usually the group is unchanged, which one dilation detects without looping over the
        // directions.
        let beside = set_ops::beside(b, &self.env.steps, op.x, &start);
        let beside = set_ops::and(b, &beside, &within);
        let new = set_ops::without(b, &beside, &start);
        let grows = set_ops::any(b, &new);
        let [flood, done] = [b.create_block(), b.create_block()];
        let result = set_ops::parameters(b, done, self.layout.width);
        b.ins().brif(grows, flood, &[], done, &set_ops::arguments(&start));
        b.switch_to_block(flood);
        // The number of iterations depends on the cache. Outside loops it need not be counted.
        let all = set_ops::flood(b, &self.env.steps, op.x, &start, &within, None);
        b.ins().jump(done, &set_ops::arguments(&all));
        b.switch_to_block(done);
        let all = result;
        // A ply that is only tried is followed by others from the same position, so the entry for
        // that position is kept. In perft the entry for the position after the ply belongs to the
        // next frame.
        let known = match self.kind {
            FunctionKind::Dry(_) | FunctionKind::Tally(_) | FunctionKind::Lookahead(_) => {
                return all;
            }
            FunctionKind::Perft(_) => known + self.layout.frame_size,
            _ => known,
        };
        for (at, set) in [(from_at, &from), (within_at, &within), (all_at, &all)] {
            self.store_set(set, known + at);
        }
        all
    }

    /// Emits a flood from its seeds alone.
    fn whole_flood(&mut self, address: Address, from: &[Value], within: &[Value]) -> Words {
        let ways = self.op(address).x;
        if !self.is_in_loop(address) {
            // It runs once per ply, so its iterations need no fuel.
            return set_ops::flood(&mut self.b, &self.env.steps, ways, from, within, None);
        }
        let times = self.b.declare_var(types::I32);
        let flooded = set_ops::flood(&mut self.b, &self.env.steps, ways, from, within, Some(times));
        let times = self.b.use_var(times);
        let cost = self.b.ins().imul_imm_s(times, (self.layout.width as i64 + 3) / 4);
        let move_fuel = self.b.use_var(self.move_fuel);
        let enough = self.b.ins().icmp(IntCC::UnsignedGreaterThan, move_fuel, cost);
        let less = self.b.ins().isub(move_fuel, cost);
        let none = self.b.ins().iconst(types::I32, 0);
        let left = self.b.ins().select(enough, less, none);
        self.b.def_var(self.move_fuel, left);
        flooded
    }

    /// Returns the cache entry of a flood. Floods from a single site and those in loops have none:
    /// they are of another group each time.
    fn flood_slot(&self, address: Address) -> Option<usize> {
        let code = &self.program.code[..usize::from(address)];
        let slot = code.iter().filter(|op| op.code == Code::Flood).count();
        (slot < FLOOD_CACHE_SIZE
            && !self.is_in_loop(address)
            && !self.is_of_a_site(address, self.op(address).b))
        .then_some(slot)
    }

    /// Tests if the set in a register, before an instruction, is computed from single sites. Only
    /// the straight-line code before the instruction is searched.
    fn is_of_a_site(&self, address: Address, register: u16) -> bool {
        // Each operand is visited once: expressions that share operands would make the search
        // exponential.
        let (mut open, mut seen) = (vec![(address, register)], HashSet::new());
        while let Some((address, register)) = open.pop() {
            for before in (0..address).rev() {
                let op = self.op(before);
                if op.code.roles()[2] == OperandRole::Target {
                    break;
                }
                let writes = |(role, written): (OperandRole, u16)| {
                    matches!(role, OperandRole::SetWrite | OperandRole::SetChange)
                        && written == register
                };
                if op.operands().into_iter().any(writes) {
                    if op.code == Code::Single {
                        return true;
                    }
                    let reads = op.operands().into_iter().filter(|(role, _)| {
                        matches!(role, OperandRole::SetRead | OperandRole::SetChange)
                    });
                    open.extend(
                        reads.map(|(_, read)| (before, read)).filter(|&next| seen.insert(next)),
                    );
                    break;
                }
            }
        }
        false
    }
}
