//! Floods, with a cache of the last results.
//!
//! A group that is evaluated after every ply seldom changes, and where pieces are only added it
//! only grows. Flood fill is monotone: if neither seeds nor region have lost a site, the old result
//! is part of the new one and a start for it. This is checked at every flood, so nothing has to
//! track what happens in between.

use super::super::super::frame::FLOOD_CACHE_SIZE;
use super::super::set_ops::{self, Words};
use super::{FunctionEmitter, Mode};
use crate::compile::op::Code;
use crate::compile::program::Address;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

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
        // The iterations depend on the cached result, so they are not counted.
        let all = set_ops::flood(b, &self.env.steps, self.env.mask(op), &start, &within, None);
        for (at, set) in [(from_at, &from), (within_at, &within), (all_at, &all)] {
            self.store_set(set, known + at);
        }
        all
    }

    /// Emits a flood from its seeds alone.
    fn whole_flood(&mut self, address: Address, from: &[Value], within: &[Value]) -> Words {
        let ways = self.env.mask(self.op(address));
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

    /// Returns the cache slot of a flood. Only playouts use the cache: the positions of a count
    /// differ so little that testing the cached inputs takes longer than the flood, and a flood in
    /// a loop has other seeds each time.
    fn flood_slot(&self, address: Address) -> Option<usize> {
        let Mode::Playout(_) = self.mode else { return None };
        let code = &self.program.code[..usize::from(address)];
        let slot = code.iter().filter(|op| op.code == Code::Flood).count();
        (slot < FLOOD_CACHE_SIZE && !self.is_in_loop(address)).then_some(slot)
    }
}
