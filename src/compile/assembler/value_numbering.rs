//! Shares equal computations: value numbering by hash. A value is found again by its instruction
//! and the versions of its operands, as long as its scope is open. What takes more than one
//! instruction, such as a loop, is found again by the definition that it is the value of, the
//! arguments and the version of the position.

use super::Assembler;
use crate::compile::op::{Op, OperandRole, RegisterFile};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// An instruction without its result, and the versions of its operands.
type Computation = (Op, [u32; 3]);

/// The available values, with their registers.
#[derive(Default)]
pub(super) struct AvailableValues {
    computed: FxHashMap<Computation, u16>,
    /// By the description of a definition and its arguments: the version of the position, which
    /// only grows, and the register.
    defined: FxHashMap<Rc<[u32]>, (u32, u16)>,
    /// All of them, in the order in which they were computed.
    order: Vec<Value>,
    /// By open scope inside the outermost one, how many values there were before it.
    scopes: Vec<usize>,
}

enum Value {
    Computed(Computation),
    Defined(Rc<[u32]>),
}

impl AvailableValues {
    /// Opens a scope. Returns how many were open.
    pub fn open(&mut self) -> usize {
        self.scopes.push(self.order.len());
        self.scopes.len() - 1
    }

    /// Closes the innermost scope, whose values stay available.
    pub fn close(&mut self) {
        self.scopes.pop();
    }

    /// Closes scopes with their values until so many are open.
    pub fn discard(&mut self, scopes: usize) {
        let Some(&before) = self.scopes.get(scopes) else { return };
        self.scopes.truncate(scopes);
        for value in self.order.drain(before..) {
            match value {
                Value::Computed(computation) => drop(self.computed.remove(&computation)),
                Value::Defined(key) => drop(self.defined.remove(&key)),
            }
        }
    }

    /// Closes the innermost scope with its values.
    pub fn discard_last(&mut self) {
        self.discard(self.scopes.len().saturating_sub(1));
    }

    /// Makes all values unavailable; the scopes stay open.
    pub fn forget(&mut self) {
        self.computed.clear();
        self.defined.clear();
        self.order.clear();
        self.scopes.fill(0);
    }

    /// Returns how many scopes are open.
    pub fn scopes(&self) -> usize {
        self.scopes.len()
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

    /// Returns the register with the value of a definition, if it is available. The key describes
    /// the definition and its arguments.
    pub fn defined(&self, key: &[u32]) -> Option<u16> {
        let &(version, register) = self.values.defined.get(key)?;
        (version == self.position_version).then_some(register)
    }

    /// Makes the value of a definition available, if it is not. The register must not change from
    /// now on.
    pub fn define(&mut self, key: &[u32], register: u16) {
        if self.defined(key).is_none() {
            let key: Rc<[u32]> = key.into();
            self.values.order.push(Value::Defined(key.clone()));
            self.values.defined.insert(key, (self.position_version, register));
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
        if let Some(&register) = self.values.computed.get(&computation) {
            return register;
        }
        let register = match op.code.roles()[0].file() {
            Some(RegisterFile::Sets) => self.fresh_set().0,
            _ => self.fresh_num().0,
        };
        self.emit(Op { a: register, ..op });
        self.values.computed.insert(computation, register);
        self.values.order.push(Value::Computed(computation));
        register
    }

    /// Returns the version of a set, likewise.
    pub fn set_version(&self, register: u16) -> u32 {
        self.set_versions.get(&register).copied().unwrap_or(0)
    }
}
