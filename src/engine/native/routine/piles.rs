//! Changes of piles, which helpers make in memory.
//!
//! A function that is one routine without moves works on the frame: what lies below the tops is
//! never in variables there. Others keep all registers of the position in variables, and pass the
//! helper a copy.

use super::super::helpers::Helpers;
use super::{FunctionEmitter, FunctionKind, TRUSTED};
use crate::compile::op::{Code, Op};
use crate::compile::program::Program;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::ops::Range;

/// Returns the registers that a function leaves in the frame. A function that lists moves may have
/// to begin again for want of room, and one that makes a move can find that it is illegal: they must
/// not have changed the frame by then.
pub(super) fn in_frame(program: &Program, kind: FunctionKind) -> Range<u16> {
    let (Some(piles), FunctionKind::Just(address)) = (&program.layout.piles, kind) else {
        return 0..0;
    };
    let leaves_it = |&address: &u16| {
        matches!(program.code[usize::from(address)].code, Code::AddMoveSet | Code::Fail)
    };
    match program.routine(address).iter().any(leaves_it) {
        true => 0..0,
        false => piles.all_below(),
    }
}

impl FunctionEmitter<'_, '_> {
    /// Tests if a set of the position is not kept in variables.
    pub(super) fn is_in_frame(&self, is_set: bool, register: u16) -> bool {
        is_set && self.in_frame.contains(&register)
    }

    /// Emits an instruction that changes piles.
    pub(super) fn move_piles(&mut self, op: Op) {
        let Some([placed, compact]) = &self.tables.piles else { return };
        let (tops, below) = (0..placed.tops, placed.all_below());
        let kept: Vec<u16> = match self.in_frame.is_empty() {
            true => tops.chain(below).collect(),
            false => tops.collect(),
        };
        let registers = if self.in_frame.is_empty() { compact } else { placed };
        let registers = self.b.ins().iconst(types::I64, std::ptr::from_ref(registers) as i64);
        let sets = match self.in_frame.is_empty() {
            true => {
                let words = kept.iter().flat_map(|&set| self.words(set)).collect::<Vec<Value>>();
                self.spill(&words)
            }
            false => {
                for &set in &kept {
                    let words = self.words(set);
                    self.store_set(&words, self.set_offset(set));
                }
                self.b.ins().iadd_imm_s(self.frame, self.layout.sets as i64)
            }
        };
        let mut arguments = vec![registers, sets];
        let helper = match op.code {
            Code::Carry => {
                let beneath = self.b.ins().iconst(types::I32, i64::from(op.x));
                arguments.extend([op.a, op.b, op.c].map(|number| self.number(number)));
                arguments.push(beneath);
                Helpers::CARRY
            }
            Code::Rise => {
                let at = self.words(op.a);
                arguments.push(self.spill(&at));
                arguments.push(self.number(op.b));
                Helpers::RISE
            }
            _ => {
                let at = self.words(op.a);
                arguments.push(self.spill(&at));
                Helpers::SINK
            }
        };
        self.helpers.call(&mut self.b, helper, &arguments);
        let width = self.layout.width;
        for (place, set) in kept.into_iter().enumerate() {
            let word = |word: usize| (8 * (place * width + word)) as i32;
            let words = (0..width)
                .map(|index| self.b.ins().load(types::I64, TRUSTED, sets, word(index)))
                .collect();
            self.set(set, words);
        }
    }
}
