//! Piles in machine code. The tops are variables like other sets. The pieces below the tops take
//! many sets and are seldom used, so functions that change piles or ask for their heights keep them
//! on the stack.

use super::super::helpers::Helper;
use super::super::set_ops::Words;
use super::{FunctionEmitter, TRUSTED};
use crate::compile::layout::PileRegisters;
use crate::compile::op::{Code, Op};
use cranelift_codegen::ir::{
    InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind, Value, types,
};
use cranelift_frontend::FunctionBuilder;
use std::ops::Range;

/// Vectors of two words are aligned as words.
const UNALIGNED: MemFlagsData = MemFlagsData::new().with_notrap();

/// The sets below the tops, on the stack, after room for the tops, as helpers expect them.
pub struct StoredPiles {
    slot: StackSlot,
    /// The copy of these sets from before the ply that a playout makes.
    before: StackSlot,
    registers: Range<u16>,
    tops: u16,
    /// Whether the function changes it.
    pub is_changed: bool,
}

impl StoredPiles {
    /// Makes room for sets of this many words.
    pub fn new(b: &mut FunctionBuilder, piles: &PileRegisters, width: usize) -> StoredPiles {
        let bytes = (8 * width * piles.count()) as u32;
        let mut slot =
            || b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3));
        StoredPiles {
            slot: slot(),
            before: slot(),
            registers: piles.all_below(),
            tops: piles.tops,
            is_changed: false,
        }
    }

    /// Tests if a set is on the stack.
    pub fn holds(&self, register: u16) -> bool {
        self.registers.contains(&register)
    }
}

/// Where the sets below the tops are.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Stack,
    /// The copy from before the ply.
    Before,
    /// The frame, or the frame this many bytes further on.
    Frame(usize),
}

impl FunctionEmitter<'_, '_> {
    /// Tests if a set is on the stack.
    pub(super) fn is_stored(&self, register: u16) -> bool {
        self.piles.as_ref().is_some_and(|piles| piles.holds(register))
    }

    /// Returns the address of a set on the stack; `None` if it is a variable.
    pub(super) fn stored(&mut self, register: u16) -> Option<(Value, i32)> {
        let piles = self.piles.as_ref().filter(|piles| piles.holds(register))?;
        let place = piles.tops + register - piles.registers.start;
        let address = self.b.ins().stack_addr(types::I64, piles.slot, 0);
        Some((address, 8 * (usize::from(place) * self.layout.width) as i32))
    }

    /// Copies all sets below the tops, unless nothing changes them.
    pub(super) fn copy_piles(&mut self, from: Place, to: Place) {
        let Some(StoredPiles { slot, before, registers, tops, is_changed }) = &self.piles else {
            return;
        };
        if !is_changed && !matches!(from, Place::Frame(_)) {
            return;
        }
        let size = 8 * self.layout.width;
        let (slot, before, bytes) = (*slot, *before, size * registers.len());
        let (behind_tops, in_frame) = (size * usize::from(*tops), self.set_offset(registers.start));
        let [from, to] = [from, to].map(|place| match place {
            Place::Stack => (self.b.ins().stack_addr(types::I64, slot, 0), behind_tops),
            Place::Before => (self.b.ins().stack_addr(types::I64, before, 0), behind_tops),
            Place::Frame(behind) => (self.frame, behind + in_frame),
        });
        // Two words at a time, and one at the end if their number is odd.
        for offset in (0..bytes).step_by(16) {
            let kind = if bytes - offset >= 16 { types::I64X2 } else { types::I64 };
            let words = self.b.ins().load(kind, UNALIGNED, from.0, (from.1 + offset) as i32);
            self.b.ins().store(UNALIGNED, words, to.0, (to.1 + offset) as i32);
        }
    }

    /// Emits an instruction that changes piles or asks how high one is.
    pub(super) fn work_on_piles(&mut self, op: Op) {
        let (Some(stored), Some(compact)) = (&self.piles, &self.tables.piles) else { return };
        let (slot, tops, below) = (stored.slot, stored.tops, stored.registers.clone());
        let sets = self.b.ins().stack_addr(types::I64, slot, 0);
        let width = self.layout.width;
        let place = |top: u16, word: usize| (8 * (usize::from(top) * width + word)) as i32;
        for top in 0..tops {
            for (index, word) in self.words(top).into_iter().enumerate() {
                self.b.ins().store(TRUSTED, word, sets, place(top, index));
            }
        }
        let registers = self.b.ins().iconst(types::I64, std::ptr::from_ref(compact) as i64);
        let mut arguments = vec![registers, sets];
        if op.code == Code::Height {
            arguments.push(self.number(op.b));
            let height = self.helpers.number(&mut self.b, Helper::Height, &arguments);
            return self.put(op.a, height);
        }
        let helper = match op.code {
            Code::Carry => {
                let beneath = self.b.ins().iconst(types::I32, i64::from(op.x));
                arguments.extend([op.a, op.b, op.c].map(|number| self.number(number)));
                arguments.push(beneath);
                Helper::Carry
            }
            Code::Rise => {
                let at = self.words(op.a);
                arguments.push(self.spill(&at));
                arguments.push(self.number(op.b));
                Helper::Rise
            }
            _ => {
                let at = self.words(op.a);
                arguments.push(self.spill(&at));
                Helper::Sink
            }
        };
        self.helpers.call(&mut self.b, helper, &arguments);
        for top in 0..tops {
            let words: Words = (0..width)
                .map(|index| self.b.ins().load(types::I64, TRUSTED, sets, place(top, index)))
                .collect();
            self.set(top, words);
        }
        below.for_each(|register| self.forget(register));
    }
}
