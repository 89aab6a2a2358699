//! Walks and looks along lines.

use super::super::super::bits::Bits;
use super::super::super::tables::{Along, back};
use super::super::helpers::Helpers;
use super::super::words::{self, Words};
use super::{TRUSTED, Writer};
use crate::compile::op::{Code, Op};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::array::from_fn;

impl<const W: usize> Writer<'_, '_, W> {
    /// Walks along lines: in one shift a round where the directions allow it, else by a helper.
    pub(super) fn walked_set(&mut self, op: Op) -> Words<W> {
        let (one, other) = (self.words(op.b), self.words(op.c));
        let ways: Vec<usize> = match op.code {
            Code::Walk => (0..8).filter(|way| op.x >> way & 1 == 1).collect(),
            _ => vec![usize::from(back(op.x))],
        };
        if ways.iter().any(|&way| self.tables.steps[way].one_shift().is_none()) {
            let helper = if op.code == Code::Walk { Helpers::WALK } else { Helpers::FILL };
            let way = self.b.ins().iconst(types::I32, i64::from(op.x));
            let (one, other) = (self.spilled(&one), self.spilled(&other));
            return self.helped(helper, &[way, one, other]);
        }
        let b = &mut self.b;
        let tables = self.tables;
        let walks = ways.into_iter().map(|way| match op.code {
            Code::Walk => words::walk(b, &tables.steps[way], &one, &other),
            _ => words::fill(b, &tables.steps[way], &one, &other),
        });
        let walks: Vec<Words<W>> = walks.collect();
        let none = words::constant(b, Bits::NONE);
        walks.into_iter().reduce(|all, walk| words::or(b, &all, &walk)).unwrap_or(none)
    }

    /// Looks along lines from a site: at rays that never change where site numbers rise or fall along them, else by a helper.
    pub(super) fn sight(&mut self, op: Op) -> Words<W> {
        let (site, stops) = (self.number(op.b), self.words(op.c));
        let ways: Option<Vec<Along<W>>> = (0..8).filter(|way| op.x >> way & 1 == 1).map(|way| self.tables.rays.along(way)).collect();
        let Some(ways) = ways else {
            let (ways, stops) = (self.b.ins().iconst(types::I32, i64::from(op.x)), self.spilled(&stops));
            return self.helped(Helpers::SIGHT, &[ways, site, stops]);
        };
        let row = self.b.ins().iadd_imm_s(site, 1);
        let none = words::constant(&mut self.b, Bits::NONE);
        let seen: Vec<Words<W>> = ways.into_iter().map(|along| self.seen(along, row, &stops)).collect();
        seen.into_iter().reduce(|all, seen| words::or(&mut self.b, &all, &seen)).unwrap_or(none)
    }

    /// The first of the sites in one direction; the rays of the site are in that row.
    fn seen(&mut self, Along { rays, rises }: Along<W>, row: Value, stops: &Words<W>) -> Words<W> {
        let ray = self.ray(rays, row);
        let met = words::and(&mut self.b, &ray, stops);
        words::nearest(&mut self.b, &met, rises)
    }

    /// A ray that is in that row.
    pub(super) fn ray(&mut self, rays: &[Bits<W>], row: Value) -> Words<W> {
        let entry = self.table_entry(row, rays);
        from_fn(|index| self.b.ins().load(types::I64, TRUSTED.with_readonly(), entry, 8 * index as i32))
    }

    /// Where an entry of a table lies that never changes; the first one where there is none with that number.
    pub(super) fn table_entry<T>(&mut self, index: Value, table: &[T]) -> Value {
        let valid = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, index, table.len() as i64);
        let first = self.b.ins().iconst(types::I32, 0);
        let index = self.b.ins().select(valid, index, first);
        let index = self.b.ins().uextend(types::I64, index);
        let offset = self.b.ins().imul_imm_s(index, size_of::<T>() as i64);
        let table = self.b.ins().iconst(types::I64, table.as_ptr() as i64);
        self.b.ins().iadd(table, offset)
    }
}
