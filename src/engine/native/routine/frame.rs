//! What goes in and out of a function: the position, the offers, the rounds that are left.

use super::super::super::frame::{Frame, Offer};
use super::super::status;
use super::super::words::{self, Words};
use super::{Recipe, Register, TRUSTED, Writer};
use crate::compile::op::Code;
use crate::compile::program::Address;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use std::mem::offset_of;

impl<const W: usize> Writer<'_, '_, W> {
    /// Reads the registers of the position, and makes the constant sets.
    pub(super) fn read_registers(&mut self) {
        let mut registers: Vec<(bool, u16)> = self.registers.keys().copied().collect();
        registers.sort_unstable();
        let constants = self.program.layout.sets..;
        for (is_set, register) in registers {
            if self.is_of_position(is_set, register) {
                match self.registers[&(is_set, register)] {
                    Register::Set(variables) => {
                        for (index, variable) in variables.into_iter().enumerate() {
                            let word = self.load(types::I64, set_offset::<W>(register, index));
                            self.b.def_var(variable, word);
                        }
                    }
                    Register::Number(variable) => {
                        let number = self.load(types::I32, number_offset::<W>(register));
                        self.b.def_var(variable, number);
                    }
                }
            } else if let Some(constant) = constants.contains(&register).then(|| register - constants.start).filter(|_| is_set)
                && let Some(&constant) = self.tables.constants.get(usize::from(constant))
            {
                let words = words::constant(&mut self.b, constant);
                self.set(register, words);
            }
        }
    }

    /// Reads what the function needs of the frame, and makes sure of room for the offers that are not made in loops.
    pub(super) fn read_frame(&mut self) {
        self.read_registers();
        if self.counts_rounds {
            let rounds = self.load(types::I32, offset_of!(Frame<W>, rounds));
            self.b.def_var(self.rounds, rounds);
        }
        if self.can_leave {
            let leaves = self.load(types::I32, offset_of!(Frame<W>, leaves));
            self.b.def_var(self.leaves, leaves);
        }
        if self.offers && !self.is_tally() && !self.is_playout() {
            let offered = self.load(types::I32, offset_of!(Frame<W>, offered));
            let offered = self.b.ins().uextend(types::I64, offered);
            self.b.def_var(self.offering.offered, offered);
            let total = self.load(types::I32, offset_of!(Frame<W>, total));
            self.b.def_var(self.offering.total, total);
            let most = self.reached.iter().filter(|&&(address, _)| self.op(address).code == Code::Offer).count();
            let first = self.reached.iter().map(|place| place.0).min().unwrap_or_default();
            self.make_room(most, first);
        }
    }

    /// Gives up where there is no room for so many more offers.
    pub(super) fn make_room(&mut self, count: usize, address: Address) {
        let offered = self.b.use_var(self.offering.offered);
        let most = self.b.ins().iadd_imm_s(offered, count as i64);
        let [full, on] = [self.b.create_block(), self.b.create_block()];
        self.b.set_cold_block(full);
        let too_many = self.b.ins().icmp(IntCC::UnsignedGreaterThan, most, self.offering.capacity);
        self.b.ins().brif(too_many, full, &[], on, &[]);
        self.b.switch_to_block(full);
        self.leave_with(status::FULL, address);
        self.b.switch_to_block(on);
    }

    pub(super) fn load(&mut self, kind: Type, offset: usize) -> Value {
        self.b.ins().load(kind, TRUSTED, self.frame, offset as i32)
    }

    pub(super) fn store(&mut self, value: Value, offset: usize) {
        self.b.ins().store(TRUSTED, value, self.frame, offset as i32);
    }

    /// Returns without a change to the frame, save that rounds were used.
    pub(super) fn leave_with(&mut self, tag: u64, payload: u16) {
        if self.counts_rounds && tag != status::FULL {
            let rounds = self.b.use_var(self.rounds);
            self.store(rounds, offset_of!(Frame<W>, rounds));
        }
        let status = self.b.ins().iconst(types::I64, (tag | u64::from(payload) << 8) as i64);
        self.b.ins().return_(&[status]);
    }

    /// Writes the registers of the position that may have changed into the frame, or into one that begins so many bytes behind it.
    pub(super) fn write_registers(&mut self, behind: usize) {
        for (is_set, register) in self.written.clone() {
            match self.registers[&(is_set, register)] {
                Register::Set(variables) => {
                    for (index, variable) in variables.into_iter().enumerate() {
                        let word = self.b.use_var(variable);
                        self.store(word, behind + set_offset::<W>(register, index));
                    }
                }
                Register::Number(variable) => {
                    let number = self.b.use_var(variable);
                    self.store(number, behind + number_offset::<W>(register));
                }
            }
        }
    }

    /// Writes back what has changed.
    pub(super) fn write_frame(&mut self) {
        if let Recipe::Dry(_) | Recipe::Tally(_) | Recipe::Perft(_) | Recipe::Ahead(_) = self.recipe {
            return;
        }
        self.write_registers(0);
        if self.can_leave {
            let leaves = self.b.use_var(self.leaves);
            self.store(leaves, offset_of!(Frame<W>, leaves));
        }
        if self.is_playout() {
            return self.write_playout();
        }
        if self.offers {
            let offered = self.b.use_var(self.offering.offered);
            let offered = self.b.ins().ireduce(types::I32, offered);
            self.store(offered, offset_of!(Frame<W>, offered));
            let total = self.b.use_var(self.offering.total);
            self.store(total, offset_of!(Frame<W>, total));
        }
        if self.reassures {
            let sure = self.b.use_var(self.sure);
            self.store(sure, offset_of!(Frame<W>, sure));
        }
    }

    /// Returns with what has changed written back. Where sequences are counted the next ply follows instead: where the game is over nothing is offered.
    pub(super) fn finish(&mut self, tag: u64, payload: u16) {
        if self.is_perft() && tag != status::ENDLESS {
            return self.next_ply_follows();
        }
        if let (Recipe::Ahead(decision), status::DRAW) = (self.recipe, tag) {
            return self.jump(self.ending(decision));
        }
        self.keep_or_take_back();
        self.write_frame();
        self.leave_with(tag, payload);
    }

    pub(super) fn words(&mut self, register: u16) -> Words<W> {
        match self.registers[&(true, register)] {
            Register::Set(variables) => variables.map(|variable| self.b.use_var(variable)),
            Register::Number(_) => unreachable!("a set is no number"),
        }
    }

    pub(super) fn set(&mut self, register: u16, words: Words<W>) {
        if self.is_of_position(true, register) {
            self.viewed.clear();
        }
        self.wides.remove(&register);
        self.loose.remove(&register);
        self.runs.remove(&register);
        if let Register::Set(variables) = self.registers[&(true, register)] {
            for (variable, word) in variables.into_iter().zip(words) {
                self.b.def_var(variable, word);
            }
        }
    }

    pub(super) fn number(&mut self, register: u16) -> Value {
        match self.registers[&(false, register)] {
            Register::Number(variable) => self.b.use_var(variable),
            Register::Set(_) => unreachable!("a number is no set"),
        }
    }

    pub(super) fn put(&mut self, register: u16, number: Value) {
        if let Register::Number(variable) = self.registers[&(false, register)] {
            self.b.def_var(variable, number);
        }
    }

    /// Takes one round off what the ply may have, and stops at the instruction where there is none left.
    pub(super) fn round(&mut self, address: Address) {
        let rounds = self.b.use_var(self.rounds);
        let [over, on] = [self.b.create_block(), self.b.create_block()];
        self.b.set_cold_block(over);
        let spent = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, rounds, 1);
        self.b.ins().brif(spent, over, &[], on, &[]);
        self.b.switch_to_block(over);
        let none = self.b.ins().iconst(types::I32, 0);
        self.b.def_var(self.rounds, none);
        self.finish(status::ENDLESS, address);
        self.b.switch_to_block(on);
        let left = self.b.ins().iadd_imm_s(rounds, -1);
        self.b.def_var(self.rounds, left);
    }

    /// How many offers there are by now.
    pub(super) fn offered_so_far(&mut self) -> Value {
        self.b.use_var(self.offering.offered)
    }

    /// Where an offer lies.
    pub(super) fn offer_entry(&mut self, index: Value) -> Value {
        let offset = self.b.ins().imul_imm_s(index, size_of::<Offer<W>>() as i64);
        self.b.ins().iadd(self.offering.room, offset)
    }
}

fn set_offset<const W: usize>(register: u16, word: usize) -> usize {
    offset_of!(Frame<W>, sets) + 8 * (usize::from(register) * W + word)
}

fn number_offset<const W: usize>(register: u16) -> usize {
    offset_of!(Frame<W>, nums) + 4 * usize::from(register)
}
