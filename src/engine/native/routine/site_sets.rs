//! Sites that are also known as sets.
//!
//! A site is a number in a register. If it is the member of the current ply, was taken from a set,
//! or is a step away from such a site, the function keeps the set of just that site, too. Tests and
//! effects then need no variable shift, no bounds check and no table.

use super::super::super::bits::Bits;
use super::super::set_ops::{self, Words};
use super::{FunctionEmitter, ProgramPoint};
use crate::compile::op::{Code, Op, OperandRole};
use crate::compile::program::Address;
use cranelift_codegen::ir::Value;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Larger sets of one site cost more than they save.
const MAX_SITE_SET_WORDS: usize = 2;

/// A set of number registers.
pub type Registers = Bits<4>;

impl FunctionEmitter<'_, '_> {
    /// Finds by data flow analysis for every program point the registers whose site is known as a
    /// set, whichever path leads there.
    pub(super) fn find_sites(&mut self, entries: &[ProgramPoint]) {
        if self.layout.width > MAX_SITE_SET_WORDS {
            return;
        }
        let mut known: HashMap<ProgramPoint, Registers> =
            entries.iter().map(|&entry| (entry, Bits::NONE)).collect();
        let mut open = entries.to_vec();
        while let Some(place) = open.pop() {
            let after = self.site_registers_after(place.0, known[&place]);
            for next in self.successors(place) {
                // Registers do not carry values from one routine to the next.
                let after = if next.1 == place.1 { after } else { Bits::NONE };
                match known.entry(next) {
                    Entry::Vacant(entry) => _ = entry.insert(after),
                    Entry::Occupied(entry) if *entry.get() & after == *entry.get() => continue,
                    Entry::Occupied(mut entry) => *entry.get_mut() &= after,
                }
                open.push(next);
            }
        }
        self.site_registers_at = known;
    }

    /// Returns the registers whose site is known as a set after an instruction.
    pub(super) fn site_registers_after(
        &self,
        address: Address,
        mut site_registers: Registers,
    ) -> Registers {
        let op = self.op(address);
        let is_sited = self.gives_site(op, site_registers);
        for (role, register) in op.operands() {
            if let OperandRole::NumberWrite | OperandRole::NumberChange = role {
                site_registers &= !Bits::single(usize::from(register));
            }
        }
        if is_sited { site_registers | Bits::single(usize::from(op.a)) } else { site_registers }
    }

    fn gives_site(&self, op: Op, site_registers: Registers) -> bool {
        self.layout.width <= MAX_SITE_SET_WORDS
            && !self.is_of_position(false, op.a)
            && match op.code {
                Code::Argument => op.x == 0,
                Code::Take => true,
                Code::Step => {
                    site_registers.has(usize::from(op.b))
                        && self.env.steps[usize::from(op.x & 15)].one_shift().is_some()
                }
                _ => false,
            }
    }

    /// Returns the set of the site that an instruction computes as this number, if it is known as a
    /// set.
    pub(super) fn given_site(&mut self, op: Op, number: Value) -> Option<Words> {
        self.gives_site(op, self.site_registers).then(|| match (op.code, self.chosen_member()) {
            (Code::Argument, Some(member)) => member,
            (Code::Argument, None) => set_ops::single(&mut self.b, self.layout.width, number),
            _ => self.stepped_site(op),
        })
    }

    /// Returns the set of the site that a step leads to.
    fn stepped_site(&mut self, op: Op) -> Words {
        let from = self.one(op.b);
        set_ops::step(&mut self.b, &self.env.steps[usize::from(op.x & 15)], &from)
    }

    /// Stores the set of the site in a register.
    pub(super) fn keep_site(&mut self, register: u16, words: Words) {
        if self.layout.width > MAX_SITE_SET_WORDS {
            return;
        }
        let (b, width) = (&mut self.b, self.layout.width);
        let variables = self.sites.entry(register).or_insert_with(|| set_ops::variables(b, width));
        set_ops::define(b, variables, &words);
    }

    /// Returns the set of the site in a register; empty if it holds none.
    pub(super) fn one(&mut self, register: u16) -> Words {
        match self.sites.get(&register) {
            Some(variables) if self.site_registers.has(usize::from(register)) => {
                set_ops::used(&mut self.b, variables)
            }
            _ => {
                let site = self.number(register);
                set_ops::single(&mut self.b, self.layout.width, site)
            }
        }
    }

    /// Tests if the site in a register is in a set: returns a number that is zero if it is not.
    pub(super) fn is_in(&mut self, register: u16, set: &[Value]) -> Value {
        let one = self.one(register);
        let both = set_ops::and(&mut self.b, &one, set);
        set_ops::any(&mut self.b, &both)
    }
}
