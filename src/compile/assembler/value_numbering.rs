//! Shares equal computations: value numbering by hash. A value is found again by its instruction
//! and the versions of its operands, as long as its scope is open.

use super::{Assembler, Num, Set};
use crate::compile::op::{Code, Op, OperandRole};

/// An instruction without its result, and the versions of its operands.
pub(super) type Computation = (Op, [u32; 3]);

impl Assembler {
    fn computation(&self, op: Op) -> Computation {
        let versions = op.operands().map(|(role, register)| match role {
            OperandRole::SetRead => self.set_version(register),
            OperandRole::NumberRead => self.num_versions.get(&register).copied().unwrap_or(0),
            _ => 0,
        });
        (op, versions)
    }

    fn available(&self, computation: &Computation) -> Option<u16> {
        self.values.iter().rev().find_map(|scope| scope.get(computation)).copied()
    }

    fn keep(&mut self, computation: Computation, register: u16) {
        if let Some(scope) = self.values.last_mut() {
            scope.insert(computation, register);
        }
    }

    /// Returns a register with the set, computed unless the value is available.
    pub fn set(&mut self, code: Code, x: u8, b: u16, c: u16) -> Set {
        // Commutative: a canonical order of operands finds more equal computations.
        let (b, c) = match code {
            Code::And | Code::Or | Code::Xor if c < b => (c, b),
            _ => (b, c),
        };
        self.requests += 1;
        let computation = self.computation(Op::new(code, x, 0, b, c));
        if let Some(register) = self.available(&computation) {
            return Set(register);
        }
        let set = self.fresh_set();
        self.emit(code, x, set.0, b, c);
        self.keep(computation, set.0);
        set
    }

    /// Returns a register with the number, computed unless the value is available.
    pub fn num(&mut self, code: Code, x: u8, b: u16, c: u16) -> Num {
        self.requests += 1;
        let computation = self.computation(Op::new(code, x, 0, b, c));
        if let Some(register) = self.available(&computation) {
            return Num(register);
        }
        let num = self.fresh_num();
        self.emit(code, x, num.0, b, c);
        self.keep(computation, num.0);
        num
    }

    pub(super) fn set_version(&self, register: u16) -> u32 {
        self.set_versions.get(&register).copied().unwrap_or(0)
    }
}
