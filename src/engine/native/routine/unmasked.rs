//! Sets with possible bits beside the board.
//!
//! A shift may cross an edge of the board where a step does not, and masking these bits takes an
//! instruction. It is not needed if the set is intersected with one that contains only sites: there
//! the unmasked set replaces the exact one. Cranelift drops the one of the two that is not used.

use super::super::set_ops::{self, Words};
use super::FunctionEmitter;
use crate::compile::op::{Code, Op};

impl FunctionEmitter<'_, '_> {
    /// Returns the set in a register, possibly with bits beside the board.
    pub(super) fn unmasked(&mut self, register: u16) -> Words {
        self.unmasked.get(&register).cloned().unwrap_or_else(|| self.words(register))
    }

    /// Returns the operands of a bitwise instruction such that its result is exact.
    pub(super) fn meeting(&mut self, op: Op) -> (Words, Words) {
        match op.code {
            Code::And if self.unmasked.contains_key(&op.b) => {
                (self.unmasked(op.b), self.words(op.c))
            }
            Code::And | Code::AndNot => (self.words(op.b), self.unmasked(op.c)),
            _ => (self.words(op.b), self.words(op.c)),
        }
    }

    /// Returns the result with possible bits beside the board, if that is cheaper.
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
