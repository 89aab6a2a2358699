//! Changes of piles, which a helper makes in a copy of their sets on the stack.

use super::super::helpers::Helpers;
use super::super::set_ops::Words;
use super::{FunctionEmitter, TRUSTED};
use crate::compile::op::{Code, Op};
use cranelift_codegen::ir::{InstBuilder, types};

impl FunctionEmitter<'_, '_> {
    /// Emits an instruction that changes piles.
    pub(super) fn move_piles(&mut self, op: Op) {
        let (Some(placed), Some(compact)) = (&self.program.layout.piles, &self.tables.piles) else {
            return;
        };
        let all: Vec<u16> = placed.registers().collect();
        let words: Words = all.iter().flat_map(|&set| self.words(set)).collect();
        let sets = self.spill(&words);
        let registers = self.b.ins().iconst(types::I64, std::ptr::from_ref(compact) as i64);
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
        for (place, set) in all.into_iter().enumerate() {
            let word = |word: usize| (8 * (place * width + word)) as i32;
            let words = (0..width)
                .map(|index| self.b.ins().load(types::I64, TRUSTED, sets, word(index)))
                .collect();
            self.set(set, words);
        }
    }
}
