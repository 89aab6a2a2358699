//! Code hoisting: a value that is computed in a stretch that may be skipped, and again behind it in
//! any case, is computed once before it (very busy expressions; Muchnick, *Advanced Compiler Design
//! and Implementation*, 1997, section 13.5).
//!
//! The rules of a decision are such stretches if they have a requirement that is tested once per
//! decision: the values of each are not available to the next one. What such requirements have in
//! common is computed in any case, and is shared, too. No path executes more instructions than
//! before.

use super::{Assembler, FIXED, Register};
use crate::compile::op::{Op, OperandRole, RegisterFile};
use rustc_hash::FxHashMap;

/// The instructions, and what refers to them by index.
pub(super) struct Instructions {
    ops: Vec<Op>,
    labels: Vec<Option<usize>>,
    loops: Vec<(usize, usize)>,
    notes: Vec<(super::ExecutionNote, usize, usize)>,
}

impl Assembler {
    /// Notes that a jump may skip the instructions from `from` up to here.
    pub fn note_skipped(&mut self, from: usize) {
        self.skipped.push((from, self.ops.len()));
    }

    /// Returns the registers that an instruction writes.
    pub(super) fn written_by(&self, op: &Op) -> impl Iterator<Item = Register> + use<> {
        let hidden = self.known.changed_by(op.code).map(|set| (RegisterFile::Sets, set));
        registers(op, true).chain(hidden)
    }

    /// Hoists instructions out of the stretches that may be skipped. Returns the instructions as
    /// they were before; `None` if there is nothing to hoist. A value hoisted for one stretch is
    /// available in all others the next time.
    pub(super) fn hoist(&mut self) -> Option<Instructions> {
        let mut stretches = self.skipped.clone();
        stretches.sort_unstable();
        if stretches.is_empty() {
            return None;
        }
        // By register, the instructions that write it.
        let mut writes: FxHashMap<Register, Vec<usize>> = FxHashMap::default();
        for (index, op) in self.ops.iter().enumerate() {
            for register in self.written_by(op) {
                writes.entry(register).or_default().push(index);
            }
        }
        // A register has one value if nothing changes it; temporaries are written once.
        let is_constant = |register: Register| {
            let most = usize::from(register.1 >= FIXED);
            writes.get(&register).is_none_or(|writes| writes.len() <= most)
        };
        // The first instruction of each computation, and whether a path does not execute it.
        let mut computed: FxHashMap<Op, (usize, bool)> = FxHashMap::default();
        // The registers of instructions that are dropped, and the equal ones that are kept.
        let mut equal: FxHashMap<Register, u16> = FxHashMap::default();
        let mut hoisted: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        let mut moved = vec![false; self.ops.len()];
        let mut dropped = vec![false; self.ops.len()];
        // A jump leads here past the instructions in between.
        let mut skipped_to = 0;
        for (index, op) in self.ops.iter().enumerate() {
            if self.entries.contains(&index) {
                // No temporary outlives a decision, which may lead here.
                computed.clear();
            }
            let is_conditional = index < skipped_to;
            if is_conditional {
                // What may be skipped itself is no place to hoist to.
                stretches.retain(|&(from, _)| from != index);
            }
            if op.code.roles()[2] == OperandRole::Target {
                let target = self.labels[usize::from(op.c)].unwrap_or(self.ops.len());
                skipped_to = skipped_to.max(target);
            }
            let mut used = registers(op, true).chain(registers(op, false));
            if !op.code.is_pure() || op.a < FIXED || !used.all(is_constant) {
                continue;
            }
            let computation = Op { a: 0, ..renamed(*op, &equal).in_order() };
            let Some((known, skipped)) = computed.get_mut(&computation) else {
                computed.insert(computation, (index, is_conditional));
                continue;
            };
            let known = *known;
            if *skipped {
                let stretch = stretches.iter().find(|&&(from, to)| (from..to).contains(&known));
                let Some(&(from, _)) = stretch.filter(|_| !is_conditional) else { continue };
                let is_there = |register: Register| {
                    let writes = writes.get(&register).into_iter().flatten();
                    writes.into_iter().all(|&index| index < from || moved[index])
                };
                if !registers(&renamed(self.ops[known], &equal), false).all(is_there) {
                    continue;
                }
                *skipped = false;
                moved[known] = true;
                hoisted.entry(from).or_default().push(known);
            }
            dropped[index] = true;
            let result = registers(op, true);
            equal.extend(result.map(|register| (register, self.ops[known].a)));
        }
        if equal.is_empty() {
            return None;
        }
        let mut order = Vec::with_capacity(self.ops.len());
        // By instruction: where it begins, with what is hoisted before it and without.
        let mut begins = Vec::with_capacity(self.ops.len() + 1);
        for index in 0..=self.ops.len() {
            let before = order.len();
            let mut here = hoisted.remove(&index).unwrap_or_default();
            here.sort_unstable();
            order.extend(here);
            begins.push((before, order.len()));
            if index < self.ops.len() && !moved[index] && !dropped[index] {
                order.push(index);
            }
        }
        let ops = order.into_iter().map(|index| renamed(self.ops[index], &equal)).collect();
        let label = |place: &Option<usize>| place.map(|place| begins[place].0);
        let labels = self.labels.iter().map(label).collect();
        let loops = self.loops.iter().map(|&(from, to)| (begins[from].0, begins[to].0)).collect();
        let note = |&(note, from, to): &(_, usize, usize)| {
            let from = begins[from].1;
            (note, from, begins[to].0.max(from))
        };
        let notes = self.notes.iter().map(note).collect();
        for (from, to) in &mut self.skipped {
            (*from, *to) = (begins[*from].1, begins[*to].0);
        }
        self.entries = self.entries.iter().map(|&entry| begins[entry].0).collect();
        Some(self.replace(Instructions { ops, labels, loops, notes }))
    }

    /// Replaces the instructions and all that refers to them by index. Returns what was there.
    pub(super) fn replace(&mut self, replacement: Instructions) -> Instructions {
        Instructions {
            ops: std::mem::replace(&mut self.ops, replacement.ops),
            labels: std::mem::replace(&mut self.labels, replacement.labels),
            loops: std::mem::replace(&mut self.loops, replacement.loops),
            notes: std::mem::replace(&mut self.notes, replacement.notes),
        }
    }
}

/// Returns the registers that the instruction writes, or those that it only reads.
fn registers(op: &Op, written: bool) -> impl Iterator<Item = Register> + use<> {
    let operands = op.operands().into_iter().filter(move |(role, _)| role.is_written() == written);
    operands.filter_map(|(role, register)| Some((role.file()?, register)))
}

/// Returns the instruction with the registers that it reads replaced by equal ones.
fn renamed(mut op: Op, equal: &FxHashMap<Register, u16>) -> Op {
    for (role, register) in op.operands_mut() {
        if let (Some(file), false) = (role.file(), role.is_written())
            && let Some(&known) = equal.get(&(file, *register))
        {
            *register = known;
        }
    }
    op
}
