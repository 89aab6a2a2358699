//! Shares equal computations: value numbering by hash. A value is found again by its instruction
//! and the versions of its operands, as long as its scope is open. What takes more than one
//! instruction, such as a loop, is found again by the definition that it is the value of, the
//! arguments and the version of the position.

use super::Assembler;
use crate::compile::op::{Op, OperandRole, RegisterFile};

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

    /// Returns a register with the result of a pure instruction, whose first operand is 0, computed
    /// unless the value is available.
    pub(super) fn value(&mut self, op: Op) -> u16 {
        // A canonical order of operands finds more equal computations.
        let op = op.in_order();
        self.requests += 1;
        let computation = self.computation(op);
        if let Some(register) = self.available(&computation) {
            return register;
        }
        let register = match op.code.roles()[0].file() {
            Some(RegisterFile::Sets) => self.fresh_set().0,
            _ => self.fresh_num().0,
        };
        self.emit(Op { a: register, ..op });
        self.keep(computation, register);
        register
    }

    /// Returns the version of a set, likewise.
    pub fn set_version(&self, register: u16) -> u32 {
        self.set_versions.get(&register).copied().unwrap_or(0)
    }
}
