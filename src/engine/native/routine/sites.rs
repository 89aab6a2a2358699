//! Sites that are known as sets, too.
//!
//! A site is a number in a register. Where it is the site of the ply that is made, was taken from a set, or lies a step from such a site, the function keeps a set of just that site besides. What is asked
//! of it, and what is done with it, then takes no shift by a number that is known only in play, no bounds and no table.

use super::super::super::bits::Bits;
use super::super::words::{self, Words};
use super::{FunctionEmitter, ProgramPoint};
use crate::compile::op::{Code, Op, Role};
use crate::compile::program::Address;
use cranelift_codegen::ir::Value;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Wider sets of one site cost more than they save.
const WIDEST: usize = 2;

/// Registers of numbers.
pub type Registers = Bits<4>;

impl FunctionEmitter<'_, '_> {
    /// Finds for every place which registers hold a site that is known as a set when play comes there.
    pub(super) fn find_sites(&mut self, entries: &[ProgramPoint]) {
        if self.layout.width > WIDEST {
            return;
        }
        let mut known: HashMap<ProgramPoint, Registers> = entries.iter().map(|&entry| (entry, Bits::NONE)).collect();
        let mut open = entries.to_vec();
        while let Some(place) = open.pop() {
            let after = self.sited_after(place.0, known[&place]);
            for next in self.successors(place) {
                // A routine knows nothing of the registers of another.
                let after = if next.1 == place.1 { after } else { Bits::NONE };
                match known.entry(next) {
                    Entry::Vacant(entry) => _ = entry.insert(after),
                    Entry::Occupied(entry) if *entry.get() & after == *entry.get() => continue,
                    Entry::Occupied(mut entry) => *entry.get_mut() &= after,
                }
                open.push(next);
            }
        }
        self.sited_at = known;
        self.find_asked();
    }

    /// Finds the registers of which more is asked than what their sites are as sets: the others need not be worked out as numbers.
    fn find_asked(&mut self) {
        let none = Registers::NONE;
        loop {
            let asked = self.reached.iter().fold(self.asked, |asked, place| {
                let (op, sited) = (self.op(place.0), self.sited_at.get(place).copied().unwrap_or(none));
                let reads = op.operands().into_iter().filter(|(role, _)| matches!(role, Role::NumberRead | Role::NumberChange));
                reads.fold(asked, |asked, (_, register)| {
                    let is_set = sited.has(usize::from(register))
                        && match op.code {
                            Code::Single | Code::Transfer | Code::IfIn | Code::IfOut => true,
                            Code::Step => self.gives_site(op, sited) && !asked.has(usize::from(op.a)),
                            _ => false,
                        };
                    if is_set { asked } else { asked | Bits::single(usize::from(register)) }
                })
            });
            if asked == self.asked {
                return;
            }
            self.asked = asked;
        }
    }

    /// Whether nobody asks for the number of the site that an instruction gives.
    pub(super) fn is_unasked(&self, op: Op) -> bool {
        op.code == Code::Step && self.gives_site(op, self.sited) && !self.asked.has(usize::from(op.a))
    }

    /// Which registers hold such a site after an instruction.
    pub(super) fn sited_after(&self, address: Address, mut sited: Registers) -> Registers {
        let op = self.op(address);
        let is_sited = self.gives_site(op, sited);
        for (role, register) in op.operands() {
            if let Role::NumberWrite | Role::NumberChange = role {
                sited &= !Bits::single(usize::from(register));
            }
        }
        if is_sited { sited | Bits::single(usize::from(op.a)) } else { sited }
    }

    fn gives_site(&self, op: Op, sited: Registers) -> bool {
        self.layout.width <= WIDEST
            && !self.is_of_position(false, op.a)
            && match op.code {
                Code::Argument => op.x == 0,
                Code::Take => true,
                Code::Step => sited.has(usize::from(op.b)) && self.env.steps[usize::from(op.x & 7)].one_shift().is_some(),
                _ => false,
            }
    }

    /// What the instruction, which gives that number, gives as a set, if that is known.
    pub(super) fn given_site(&mut self, op: Op, number: Value) -> Option<Words> {
        self.gives_site(op, self.sited).then(|| match (op.code, self.chosen_member()) {
            (Code::Argument, Some(member)) => member,
            (Code::Argument, None) => words::single(&mut self.b, self.layout.width, number),
            _ => self.stepped_site(op),
        })
    }

    /// The set of the site that a step leads to.
    pub(super) fn stepped_site(&mut self, op: Op) -> Words {
        let from = self.one(op.b);
        words::step(&mut self.b, &self.env.steps[usize::from(op.x & 7)], &from)
    }

    /// Keeps the set of the site that a register holds.
    pub(super) fn keep_site(&mut self, register: u16, words: Words) {
        if self.layout.width > WIDEST {
            return;
        }
        let (b, width) = (&mut self.b, self.layout.width);
        let variables = self.sites.entry(register).or_insert_with(|| words::variables(b, width));
        words::define(b, variables, &words);
    }

    /// The set of the site in a register; none where it holds none.
    pub(super) fn one(&mut self, register: u16) -> Words {
        match self.sites.get(&register) {
            Some(variables) if self.sited.has(usize::from(register)) => words::used(&mut self.b, variables),
            _ => {
                let site = self.number(register);
                words::single(&mut self.b, self.layout.width, site)
            }
        }
    }

    /// Whether the site in a register is in a set: a number that is zero where it is not.
    pub(super) fn is_in(&mut self, register: u16, set: &[Value]) -> Value {
        let one = self.one(register);
        let both = words::and(&mut self.b, &one, set);
        words::any(&mut self.b, &both)
    }
}
