//! Shares equal computations: value numbering by hash. A value is found again by its instruction
//! and the versions of its operands, as long as its scope is open. What takes more than one
//! instruction, such as a loop, is found again by the definition that it is the value of, the
//! arguments and the version of the position.

use super::{Assembler, Num, Set};
use crate::compile::op::{Code, Op, OperandRole};

use rustc_hash::FxHashMap;

/// An instruction without its result, and the versions of its operands.
type Computation = (Op, [u32; 3]);

/// The values computed in a scope, with their registers.
#[derive(Default)]
pub(super) struct AvailableValues {
    computed: FxHashMap<Computation, u16>,
    /// By the description of a definition and its arguments, and the version of the position.
    defined: FxHashMap<(Vec<u32>, u32), u16>,
}

impl AvailableValues {
    /// Adds the values of a scope inside this one.
    pub fn extend(&mut self, inner: AvailableValues) {
        self.computed.extend(inner.computed);
        self.defined.extend(inner.defined);
    }
}

impl Assembler {
    fn computation(&self, op: Op) -> Computation {
        let versions = op.operands().map(|(role, register)| match role {
            OperandRole::SetRead => self.set_version(register),
            OperandRole::NumberRead => self.num_version(register),
            _ => 0,
        });
        (op, versions)
    }

    fn available(&self, computation: &Computation) -> Option<u16> {
        self.values.iter().rev().find_map(|scope| scope.computed.get(computation)).copied()
    }

    fn keep(&mut self, computation: Computation, register: u16) {
        if let Some(scope) = self.values.last_mut() {
            scope.computed.insert(computation, register);
        }
    }

    /// Returns the register with the value of a definition, if it is available. The key describes
    /// the definition and its arguments.
    pub fn defined(&self, key: &[u32]) -> Option<u16> {
        let key = (key.to_vec(), self.position_version);
        self.values.iter().rev().find_map(|scope| scope.defined.get(&key)).copied()
    }

    /// Makes the value of a definition available. The register must not change from now on.
    pub fn define(&mut self, key: Vec<u32>, register: u16) {
        if let Some(scope) = self.values.last_mut() {
            scope.defined.insert((key, self.position_version), register);
        }
    }

    /// Returns the version of a number, which describes its value together with its register.
    pub fn num_version(&self, register: u16) -> u32 {
        self.num_versions.get(&register).copied().unwrap_or(0)
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

    /// Returns the version of a set, likewise.
    pub fn set_version(&self, register: u16) -> u32 {
        self.set_versions.get(&register).copied().unwrap_or(0)
    }
}
