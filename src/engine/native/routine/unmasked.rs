//! Sets with what lies beside the board, too.
//!
//! Shifts lead off the board where steps do not. To take that away takes an instruction, which is
//! not needed where the set is met by another one that has nothing but sites: the loose set stands
//! in for the exact one there. Of the two only what is asked for is made into code.

use super::super::set_ops::{self, Words};
use super::FunctionEmitter;
use crate::compile::op::{Code, Op};

impl FunctionEmitter<'_, '_> {
    /// The set in a register, perhaps with more beside the board.
    pub(super) fn unmasked(&mut self, register: u16) -> Words {
        self.unmasked.get(&register).cloned().unwrap_or_else(|| self.words(register))
    }

    /// What meets in an instruction that is done to every site alike, and comes to an exact set.
    pub(super) fn meeting(&mut self, op: Op) -> (Words, Words) {
        match op.code {
            Code::And if self.unmasked.contains_key(&op.b) => {
                (self.unmasked(op.b), self.words(op.c))
            }
            Code::And | Code::AndNot => (self.words(op.b), self.unmasked(op.c)),
            _ => (self.words(op.b), self.words(op.c)),
        }
    }

    /// What an instruction comes to with more beside the board, where that takes less.
    pub(super) fn unmasked_after(&mut self, op: Op) -> Option<Words> {
        match op.code {
            Code::Shift | Code::Beside => Some(self.stepped_set(op, set_ops::unmasked_step)),
            Code::Or | Code::Xor
                if [op.b, op.c].iter().any(|register| self.unmasked.contains_key(register)) =>
            {
                let (one, other) = (self.unmasked(op.b), self.unmasked(op.c));
                Some(self.apply_to_words(op.code, &one, &other))
            }
            _ => None,
        }
    }
}
