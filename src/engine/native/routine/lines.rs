//! Walks and lines of sight.

use super::super::super::tables::{DirectionRays, back};
use super::super::helpers::Helper;
use super::super::set_ops::{self, Words};
use super::{FunctionEmitter, TRUSTED};
use crate::compile::op::{Code, Op};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// Returns the indices of the directions in a mask.
fn directions(mask: u16) -> impl Iterator<Item = usize> {
    (0..16).filter(move |way| mask >> way & 1 == 1)
}

impl FunctionEmitter<'_, '_> {
    /// Emits walks along lines: by doubling if every direction is one constant shift, else by a
    /// helper.
    pub(super) fn walked_set(&mut self, op: Op) -> Words {
        let (one, other) = (self.words(op.b), self.words(op.c));
        let mask = self.env.mask(op);
        let ways: Vec<usize> = match op.code {
            Code::Walk => directions(mask).collect(),
            _ => vec![usize::from(back(op.x))],
        };
        if ways.iter().any(|&way| self.env.steps[way].one_shift().is_none()) {
            let helper = if op.code == Code::Walk { Helper::Walk } else { Helper::Fill };
            let way = if op.code == Code::Walk { i64::from(mask) } else { i64::from(op.x) };
            let way = self.b.ins().iconst(types::I32, way);
            let (one, other) = (self.spill(&one), self.spill(&other));
            return self.call_set_helper(helper, &[way, one, other]);
        }
        let b = &mut self.b;
        let steps = &self.env.steps;
        let walks = ways.into_iter().map(|way| match op.code {
            Code::Walk => set_ops::walk(b, &steps[way], &one, &other),
            _ => set_ops::fill(b, &steps[way], &one, &other),
        });
        let walks: Vec<Words> = walks.collect();
        let none = set_ops::none(b, self.layout.width);
        walks.into_iter().reduce(|all, walk| set_ops::or(b, &all, &walk)).unwrap_or(none)
    }

    /// Emits a search along lines from a site: by precomputed rays if site numbers rise or fall
    /// along them, else by a helper.
    pub(super) fn sight(&mut self, op: Op) -> Words {
        let (site, stops) = (self.number(op.b), self.words(op.c));
        let mask = self.env.mask(op);
        let ways: Option<Vec<DirectionRays>> =
            directions(mask).map(|way| self.tables.rays.along(way as u8)).collect();
        let Some(ways) = ways else {
            let (ways, stops) =
                (self.b.ins().iconst(types::I32, i64::from(mask)), self.spill(&stops));
            return self.call_set_helper(Helper::Sight, &[ways, site, stops]);
        };
        let row = self.b.ins().iadd_imm_s(site, 1);
        let none = set_ops::none(&mut self.b, self.layout.width);
        let seen: Vec<Words> =
            ways.into_iter().map(|along| self.seen(along, row, &stops)).collect();
        seen.into_iter().reduce(|all, seen| set_ops::or(&mut self.b, &all, &seen)).unwrap_or(none)
    }

    /// Returns the first stop in one direction; the rays of the site are in this row.
    fn seen(
        &mut self,
        DirectionRays { words, is_ascending }: DirectionRays,
        row: Value,
        stops: &[Value],
    ) -> Words {
        let ray = self.ray(words, row);
        let met = set_ops::and(&mut self.b, &ray, stops);
        set_ops::nearest(&mut self.b, &met, is_ascending)
    }

    /// Loads the ray in this row of a table of rays.
    pub(super) fn ray(&mut self, rays: &[u64], row: Value) -> Words {
        let width = self.layout.width;
        let entry = self.table_entry(row, rays, width);
        (0..width)
            .map(|index| {
                self.b.ins().load(types::I64, TRUSTED.with_readonly(), entry, 8 * index as i32)
            })
            .collect()
    }

    /// Returns the address of an entry in a constant table, whose entries have this many parts; the
    /// address of the first entry if the index is out of range.
    pub(super) fn table_entry<T>(&mut self, index: Value, table: &[T], parts: usize) -> Value {
        let valid =
            self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, index, (table.len() / parts) as i64);
        let first = self.b.ins().iconst(types::I32, 0);
        let index = self.b.ins().select(valid, index, first);
        let index = self.b.ins().uextend(types::I64, index);
        let offset = self.b.ins().imul_imm_s(index, (parts * size_of::<T>()) as i64);
        let table = self.b.ins().iconst(types::I64, table.as_ptr() as i64);
        self.b.ins().iadd(table, offset)
    }
}
