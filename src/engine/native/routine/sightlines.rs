//! Incremental lines of sight in playouts.
//!
//! The frame caches the results of fills with the goals and the sites passed (`through`) from which
//! they were computed. If one of these sites has changed, the result can change only at the sites
//! behind it on a line, up to the next site that is not passed: they see the goal on the changed
//! site or, through it, the goals that it sees itself. The changes are found by comparison with the
//! cached operands, so nothing has to track what happens in between.

use super::super::super::tables::DirectionRays;
use super::super::helpers::Helper;
use super::super::set_ops::{self, Words};
use super::super::sightlines::{FillFamily, SetExpression, SightlineCache};
use super::super::wide::{self, Wide};
use super::FunctionEmitter;
use crate::compile::op::{Code, Op};
use crate::compile::program::Address;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Value, types};
use std::array::from_fn;
use std::collections::BTreeSet;

/// With more changed sites the fills are computed from scratch.
const MAX_CHANGES: i64 = 6;

/// The cache is not aligned for vectors.
const UNALIGNED: MemFlagsData = MemFlagsData::new().with_notrap();

impl FunctionEmitter<'_, '_> {
    /// Declares the registers that the cached fills of this function depend on.
    pub(super) fn declare_sightline_inputs(&mut self) {
        let Some(sightlines) = self.sightlines else { return };
        let families: BTreeSet<usize> = self
            .reached
            .iter()
            .filter_map(|place| sightlines.places.get(&place.0))
            .map(|place| place.0)
            .collect();
        for family in families {
            let FillFamily { through, goals, .. } = &sightlines.families[family];
            for register in goals.iter().chain([through]).flat_map(SetExpression::registers) {
                self.declare(true, register);
            }
        }
    }

    /// Returns the result of a fill, if it is cached.
    pub(super) fn cached_fill(&mut self, address: Address) -> Option<Wide> {
        let sightlines = self.sightlines?;
        let &(family, fill) = sightlines.places.get(&address)?;
        if self.fresh_sightlines.insert(family) {
            self.update_family(sightlines, &sightlines.families[family]);
        }
        Some(self.load_slot(sightlines.families[family].slot_of(fill)))
    }

    fn slot_offset(&self, slot: usize) -> usize {
        self.layout.sightlines + 8 * self.layout.width * slot
    }

    fn load_slot(&mut self, slot: usize) -> Wide {
        let offset = self.slot_offset(slot) as i32;
        wide::load(&mut self.b, self.layout.width, UNALIGNED, self.frame, offset)
    }

    fn store_slot(&mut self, slot: usize, set: &[Value]) {
        let offset = self.slot_offset(slot) as i32;
        wide::store(&mut self.b, self.layout.width, UNALIGNED, set, self.frame, offset);
    }

    /// Emits the update of a family of fills.
    fn update_family(&mut self, sightlines: &SightlineCache, family: &FillFamily) {
        let sets: Vec<Words> = [&family.through]
            .into_iter()
            .chain(&family.goals)
            .map(|source| self.source(source))
            .collect();
        let before: Vec<Words> = (0..sets.len())
            .map(|slot| self.load_set(self.slot_offset(family.slot + slot)))
            .collect();
        let none = set_ops::none(&mut self.b, self.layout.width);
        let changed = sets.iter().zip(&before).fold(none, |all, (set, before)| {
            let other = set_ops::xor(&mut self.b, set, before);
            set_ops::or(&mut self.b, &all, &other)
        });
        let [some, anew, few, each, done] = from_fn(|_| self.b.create_block());
        let any = set_ops::any(&mut self.b, &changed);
        self.b.ins().brif(any, some, &[], done, &[]);

        self.b.switch_to_block(some);
        for (slot, set) in sets.iter().enumerate() {
            self.store_set(set, self.slot_offset(family.slot + slot));
        }
        let count = set_ops::count(&mut self.b, &changed);
        let are_many = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, count, MAX_CHANGES);
        self.b.ins().brif(are_many, anew, &[], few, &[]);

        self.b.switch_to_block(anew);
        self.recompute_family(family);
        self.b.ins().jump(done, &[]);

        self.b.switch_to_block(few);
        // One changed site after the other. Each update is exact for the position in which the
        // sites so far have changed and the others have not: `through` goes from the old set to the
        // new one site by site.
        let [left, through] =
            from_fn(|_| set_ops::parameters(&mut self.b, each, self.layout.width));
        let arguments = |left: &[Value], through: &[Value]| -> Vec<BlockArg> {
            left.iter().chain(through).copied().map(BlockArg::from).collect()
        };
        self.b.ins().jump(each, &arguments(&changed, &before[0]));

        self.b.switch_to_block(each);
        let rest = set_ops::rest(&mut self.b, &left);
        let site = set_ops::without(&mut self.b, &left, &rest);
        let row = set_ops::lowest(&mut self.b, &left);
        let row = self.b.ins().iadd_imm_s(row, 1);
        let there = set_ops::and(&mut self.b, &sets[0], &site);
        let elsewhere = set_ops::without(&mut self.b, &through, &site);
        let through = set_ops::or(&mut self.b, &elsewhere, &there);
        let behind = |emitter: &mut Self, way: u8| emitter.behind(sightlines, way, row, &through);
        self.change(family, behind, &site, &through, &sets[1..]);
        let more = set_ops::any(&mut self.b, &rest);
        self.b.ins().brif(more, each, &arguments(&rest, &through), done, &[]);
        self.b.switch_to_block(done);
    }

    /// Emits the update of a family of fills for one changed site; `behind` returns the sites that
    /// look at it in a direction.
    fn change(
        &mut self,
        family: &FillFamily,
        behind: impl Fn(&mut Self, u8) -> Words,
        site: &[Value],
        through: &Words,
        goals: &[Words],
    ) {
        // At the site itself: whether it is passed, and which goals are on it. No goal is passed.
        let mut here = |set: &Words| {
            let here = set_ops::and(&mut self.b, set, site);
            wide::pack(&mut self.b, &here)
        };
        let open = here(through);
        let there: Vec<Wide> = goals.iter().map(here).collect();
        let mut fills: Vec<_> = (family.slot_of(0)..).zip(&family.fills).collect();
        // Grouped by direction, so that no value is live for long.
        fills.sort_by_key(|&(_, &(_, way))| way);
        for fills in fills.chunk_by(|(_, (_, one)), (_, (_, other))| one == other) {
            let behind = behind(self, fills[0].1.1);
            let behind = wide::pack(&mut self.b, &behind);
            for &(slot, &(goals, _)) in fills {
                let kept = self.load_slot(slot);
                // The sites behind see all or nothing: the goal on the site, or the goals that the
                // site sees.
                let seen =
                    kept.iter().zip(&open).zip(&there[goals]).map(|((&kept, &open), &there)| {
                        let beyond = self.b.ins().band(kept, open);
                        self.b.ins().bor(beyond, there)
                    });
                let seen: Wide = seen.collect();
                let unseen = wide::is_none(&mut self.b, &seen);
                // Sets the sites behind to "seen" or "unseen", without a branch.
                let now = kept.into_iter().zip(&behind).map(|(kept, &behind)| {
                    let same = self.b.ins().bxor(kept, unseen);
                    let differs = self.b.ins().band_not(behind, same);
                    self.b.ins().bxor(kept, differs)
                });
                let now: Wide = now.collect();
                self.store_slot(slot, &now);
            }
        }
    }

    /// Returns the sites that look in a direction at the site of this row, up to the first one not
    /// passed.
    fn behind(
        &mut self,
        sightlines: &SightlineCache,
        way: u8,
        row: Value,
        through: &[Value],
    ) -> Words {
        let Some(DirectionRays { words: rays, is_ascending }) = sightlines.behind(way) else {
            unreachable!("only lines with rays are kept")
        };
        let ray = self.ray(rays, row);
        let stops = set_ops::without(&mut self.b, &ray, through);
        set_ops::up_to(&mut self.b, &ray, &stops, is_ascending)
    }

    /// Emits the computation of a family of fills from their cached operands.
    fn recompute_family(&mut self, family: &FillFamily) {
        let at = |emitter: &mut Self, slot: usize| {
            let offset = emitter.slot_offset(slot) as i64;
            emitter.b.ins().iadd_imm_s(emitter.frame, offset)
        };
        let tables = self.b.ins().iconst(types::I64, self.env.tables_address as i64);
        let through = at(self, family.slot);
        for (slot, &(goals, way)) in (family.slot_of(0)..).zip(&family.fills) {
            let way = self.b.ins().iconst(types::I32, i64::from(way));
            let (goals, result) = (at(self, family.slot + 1 + goals), at(self, slot));
            self.helpers.call(&mut self.b, Helper::Fill, &[tables, way, goals, through, result]);
        }
    }

    /// Returns the result of a bitwise instruction in vectors, if one of its operands is available
    /// in them.
    pub(super) fn wide_set(&mut self, op: Op) -> Option<Wide> {
        let is_alike = matches!(op.code, Code::And | Code::Or | Code::AndNot | Code::Xor);
        if !is_alike || ![op.b, op.c].iter().any(|register| self.wide_sets.contains_key(register)) {
            return None;
        }
        let [one, other] = [op.b, op.c].map(|register| self.wide(register));
        Some(
            one.into_iter()
                .zip(other)
                .map(|(one, other)| self.apply_bitwise(op.code, one, other))
                .collect(),
        )
    }

    /// Returns the set in a register, in vectors.
    fn wide(&mut self, register: u16) -> Wide {
        if let Some(wide) = self.wide_sets.get(&register) {
            return wide.clone();
        }
        let constant = register
            .checked_sub(self.program.layout.sets)
            .and_then(|index| self.env.constants.get(usize::from(index)));
        match constant {
            Some(constant) => wide::constant(&mut self.b, constant),
            None => {
                let words = self.words(register);
                wide::pack(&mut self.b, &words)
            }
        }
    }

    /// Assigns a set in vectors to a register.
    pub(super) fn set_wide(&mut self, register: u16, wide: Wide) {
        let words = wide::unpack(&mut self.b, self.layout.width, &wide);
        self.set(register, words);
        self.wide_sets.insert(register, wide);
    }

    /// Emits the evaluation of an expression.
    fn source(&mut self, source: &SetExpression) -> Words {
        match source {
            SetExpression::Register(register) => self.words(*register),
            SetExpression::Made(code, parts) => {
                let [one, other] = [&parts[0], &parts[1]].map(|part| self.source(part));
                self.apply_to_words(*code, &one, &other)
            }
        }
    }
}
