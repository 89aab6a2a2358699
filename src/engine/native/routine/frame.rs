//! Loads and stores of the frame: the position, the move sets, the fuel.
//!
//! A function loads registers and [`KeptField`]s into variables when it begins and stores them when
//! it is done. Only functions of this module access their places in the frame.

use super::super::layout::KeptField;
use super::super::set_ops::{self, Words};
use super::super::status;
use super::piles::Place;
use super::playout::Playout;
use super::{FunctionEmitter, FunctionKind, Mode, Register, TRUSTED};
use crate::compile::program::Address;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use cranelift_frontend::Variable;

impl FunctionEmitter<'_, '_> {
    /// Loads the registers of the position, and makes the constant sets.
    pub(super) fn read_registers(&mut self) {
        let mut registers: Vec<(bool, u16)> = self.registers.keys().copied().collect();
        registers.sort_unstable();
        let constants = self.program.layout.sets..;
        self.copy_piles(Place::Frame(0), Place::Stack);
        for (is_set, register) in registers {
            if is_set && self.is_stored(register) {
                continue;
            }
            if self.is_of_position(is_set, register) {
                match self.registers[&(is_set, register)].clone() {
                    Register::Set(variables) => {
                        for (index, variable) in variables.into_iter().enumerate() {
                            let word = self.load(types::I64, self.set_offset(register) + 8 * index);
                            self.b.def_var(variable, word);
                        }
                    }
                    Register::Number(variable) => {
                        let number = self.load(types::I32, self.number_offset(register));
                        self.b.def_var(variable, number);
                    }
                }
            } else if let Some(constant) =
                constants.contains(&register).then(|| register - constants.start).filter(|_| is_set)
                && let Some(constant) = self.env.constants.get(usize::from(constant))
            {
                let words = set_ops::constant(&mut self.b, constant);
                self.set(register, words);
            }
        }
    }

    /// Loads the fields of the frame that the function needs.
    pub(super) fn read_frame(&mut self) {
        self.read_registers();
        if self.uses_move_fuel {
            let move_fuel = self.entry_value(self.layout.move_fuel);
            self.b.def_var(self.move_fuel, move_fuel);
        }
        // Functions that choose plies reset these before each of them.
        if self.uses_leaves && !self.chooses() {
            let leaves = self.entry_value(self.layout.leaves);
            self.b.def_var(self.leaves, leaves);
        }
        if self.emits_guard && !self.chooses() {
            let all_legal = self.entry_value(self.layout.all_legal);
            self.b.def_var(self.all_legal, all_legal);
        }
        if self.move_sets && !self.is_tally() && !matches!(self.mode, Mode::Playout(_)) {
            let move_set_count = self.entry_value(self.layout.move_set_count);
            let move_set_count = self.b.ins().uextend(types::I64, move_set_count);
            self.b.def_var(self.move_set_buffer.move_set_count, move_set_count);
            let member_count = self.entry_value(self.layout.member_count);
            self.b.def_var(self.move_set_buffer.member_count, member_count);
        }
    }

    /// Returns from the function if there is no room for another move set.
    pub(super) fn make_room(&mut self, address: Address) {
        let move_set_count = self.b.use_var(self.move_set_buffer.move_set_count);
        let [full, on] = [self.b.create_block(), self.b.create_block()];
        let is_full = self.b.ins().icmp(
            IntCC::UnsignedGreaterThanOrEqual,
            move_set_count,
            self.move_set_buffer.capacity,
        );
        self.b.ins().brif(is_full, full, &[], on, &[]);
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

    /// Returns the value that a kept field had when the function began.
    pub(super) fn entry_value(&mut self, field: KeptField) -> Value {
        self.load(field.kind, field.offset)
    }

    /// Stores a kept field in the next frame, for the function that is called with it.
    pub(super) fn pass_on(&mut self, value: Value, field: KeptField) {
        self.store(value, self.layout.frame_size + field.offset);
    }

    /// Returns a kept field of the next frame, as the function that was called with it left it.
    pub(super) fn passed_back(&mut self, field: KeptField) -> Value {
        self.load(field.kind, self.layout.frame_size + field.offset)
    }

    /// Stores the variable of a kept field.
    fn write_back(&mut self, variable: Variable, field: KeptField) {
        let value = self.b.use_var(variable);
        self.store(value, field.offset);
    }

    /// Stores the fuel, if the function uses any.
    pub(super) fn write_move_fuel(&mut self) {
        if self.uses_move_fuel {
            self.write_back(self.move_fuel, self.layout.move_fuel);
        }
    }

    /// Loads a set from the frame.
    pub(super) fn load_set(&mut self, offset: usize) -> Words {
        (0..self.layout.width).map(|index| self.load(types::I64, offset + 8 * index)).collect()
    }

    /// Stores a set to the frame.
    pub(super) fn store_set(&mut self, set: &[Value], offset: usize) {
        set.iter().enumerate().for_each(|(index, &word)| self.store(word, offset + 8 * index));
    }

    /// Returns from the function without a change to the frame, except for the fuel.
    pub(super) fn leave_with(&mut self, tag: u64, payload: u16) {
        if tag != status::FULL {
            self.write_move_fuel();
        }
        let status = self.b.ins().iconst(types::I64, (tag | u64::from(payload) << 8) as i64);
        self.b.ins().return_(&[status]);
    }

    /// Stores the registers of the position that may have changed to the frame, or to one that is
    /// `behind` bytes further on.
    pub(super) fn write_registers(&mut self, behind: usize) {
        self.copy_piles(Place::Stack, Place::Frame(behind));
        for (is_set, register) in self.written.clone() {
            match self.registers[&(is_set, register)].clone() {
                Register::Set(variables) => {
                    for (index, variable) in variables.into_iter().enumerate() {
                        let word = self.b.use_var(variable);
                        self.store(word, behind + self.set_offset(register) + 8 * index);
                    }
                }
                Register::Number(variable) => {
                    let number = self.b.use_var(variable);
                    self.store(number, behind + self.number_offset(register));
                }
            }
        }
    }

    /// Stores the changed values in the frame.
    pub(super) fn write_frame(&mut self) {
        if let FunctionKind::Dry(_)
        | FunctionKind::Tally(_)
        | FunctionKind::Perft(_)
        | FunctionKind::Lookahead(_) = self.kind
        {
            return;
        }
        self.write_registers(0);
        if let Mode::Playout(_) = self.mode {
            return self.write_playout();
        }
        if self.uses_leaves {
            self.write_back(self.leaves, self.layout.leaves);
        }
        if self.move_sets {
            let move_set_count = self.move_sets_so_far();
            let move_set_count = self.b.ins().ireduce(types::I32, move_set_count);
            self.store(move_set_count, self.layout.move_set_count.offset);
            self.write_back(self.move_set_buffer.member_count, self.layout.member_count);
        }
        if self.emits_guard {
            self.write_back(self.all_legal, self.layout.all_legal);
        }
    }

    /// Stores the state of the playout.
    fn write_playout(&mut self) {
        let &Playout { random, left, at, last_ply_decision, .. } = self.playout();
        self.write_back(random, self.layout.random);
        let left = self.b.use_var(left);
        self.store(left, self.layout.left);
        self.write_back(at, self.layout.at);
        self.write_back(last_ply_decision, self.layout.last_ply_decision);
    }

    /// Stores the changed values in the frame and returns from the function. In perft the next ply
    /// follows instead: a game that is over has no moves.
    pub(super) fn finish(&mut self, tag: u64, payload: u16) {
        if matches!(self.mode, Mode::Perft { .. }) && tag != status::OUT_OF_FUEL {
            return self.next_ply_follows();
        }
        if let (FunctionKind::Lookahead(decision), status::DRAW) = (self.kind, tag) {
            return self.jump(self.ending(decision));
        }
        self.keep_or_take_back();
        self.write_frame();
        self.leave_with(tag, payload);
    }

    pub(super) fn words(&mut self, register: u16) -> Words {
        if let Some((address, offset)) = self.stored(register) {
            let word = |index| offset + 8 * index;
            let words = (0..self.layout.width as i32).map(word);
            return words
                .map(|place| self.b.ins().load(types::I64, TRUSTED, address, place))
                .collect();
        }
        match &self.registers[&(true, register)] {
            Register::Set(variables) => set_ops::used(&mut self.b, variables),
            Register::Number(_) => unreachable!("a set is no number"),
        }
    }

    pub(super) fn set(&mut self, register: u16, words: Words) {
        if self.is_of_position(true, register) {
            self.fresh_sightlines.clear();
        }
        self.forget(register);
        if let Some((address, offset)) = self.stored(register) {
            for (place, word) in (offset..).step_by(8).zip(words) {
                self.b.ins().store(TRUSTED, word, address, place);
            }
        } else if let Register::Set(variables) = &self.registers[&(true, register)] {
            set_ops::define(&mut self.b, variables, &words);
        }
    }

    /// Forgets the facts about a set that changes.
    pub(super) fn forget(&mut self, register: u16) {
        self.wide_sets.remove(&register);
        self.step_chains.remove(&register);
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

    /// Uses the fuel of a round of a loop; stops at the instruction if there is none left.
    pub(super) fn take_move_fuel(&mut self, address: Address) {
        let round = i64::from(self.env.fuel.rounds()[usize::from(address)]);
        let move_fuel = self.b.use_var(self.move_fuel);
        let [over, on] = [self.b.create_block(), self.b.create_block()];
        let spent = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, move_fuel, round);
        self.b.ins().brif(spent, over, &[], on, &[]);
        self.b.switch_to_block(over);
        let none = self.b.ins().iconst(types::I32, 0);
        self.b.def_var(self.move_fuel, none);
        self.finish(status::OUT_OF_FUEL, address);
        self.b.switch_to_block(on);
        let left = self.b.ins().iadd_imm_s(move_fuel, -round);
        self.b.def_var(self.move_fuel, left);
    }

    /// Returns the number of move sets so far.
    pub(super) fn move_sets_so_far(&mut self) -> Value {
        self.b.use_var(self.move_set_buffer.move_set_count)
    }

    /// Returns the address of a move set.
    pub(super) fn move_set_address(&mut self, index: Value) -> Value {
        let offset = self.b.ins().imul_imm_s(index, self.layout.move_set_size as i64);
        self.b.ins().iadd(self.move_set_buffer.room, offset)
    }

    pub(super) fn set_offset(&self, register: u16) -> usize {
        self.layout.sets + 8 * usize::from(register) * self.layout.width
    }

    fn number_offset(&self, register: u16) -> usize {
        self.layout.nums + 4 * usize::from(register)
    }
}
