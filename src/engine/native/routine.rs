//! Machine code for a routine: its instructions one by one, registers as values.
//!
//! In: where a routine begins and what follows it. Out: a function of the intermediate form, to be compiled. The registers of the position are read when it
//! begins and written when it is done; where the routine fails they stay as they were. All other registers are values that nobody else sees.

use super::super::bits::Bits;
use super::super::frame::{Frame, HELD, Offer, Queue};
use super::super::tables::Tables;
use super::helpers::Helpers;
use super::status;
use super::words::{self, Words};
use crate::compile::op::{Code, Op, Role};
use crate::compile::program::{Address, DecisionCode, Program};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Type, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};
use std::array::from_fn;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::mem::offset_of;

/// What a function is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Recipe {
    /// The routine there.
    Just(Address),
    /// The routine there, and nothing of the position is changed.
    Dry(Address),
    /// The order of play after a ply of the decision, up to the next decision, and its offers.
    GoOn(u16),
    /// What is looked at after a ply of the decision and, if the game is not over, the order of play after it.
    EndAndGoOn(u16),
    /// The order of play from there to the next decision, and its offers.
    Flow(Address),
    /// How many offers there are after each ply of the decision, all together; nothing of the position is changed. The frame's offers say which plies.
    Tally(u16),
}

/// What follows where a stretch of instructions returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Then {
    /// The function is done.
    Done,
    /// It is done, and has come to that decision.
    At(u16),
    /// The order of play goes on after a ply of that decision.
    GoOn(u16),
    /// It is looked whether the game is over after a ply of that decision.
    End(u16),
}

/// An instruction, and what follows its routine.
type Place = (Address, Then);

/// The registers of one kind that are values.
enum Register<const W: usize> {
    Set([Variable; W]),
    Number(Variable),
}

/// The variables of the offers made so far, and where there is room for them.
#[derive(Clone, Copy)]
struct Offering {
    offered: Variable,
    total: Variable,
    room: Value,
    capacity: Value,
}

/// Writes one function.
pub struct Writer<'w, 'f, const W: usize> {
    b: FunctionBuilder<'f>,
    program: &'w Program,
    tables: &'w Tables<W>,
    helpers: &'w Helpers,
    recipe: Recipe,
    /// Every place that can be reached.
    reached: HashSet<Place>,
    blocks: HashMap<Place, Block>,
    /// By kind (sets first) and number.
    registers: HashMap<(bool, u16), Register<W>>,
    /// The registers of the position that are written, by kind and number.
    written: BTreeSet<(bool, u16)>,
    held: Option<[Variable; HELD]>,
    rounds: Variable,
    leaves: Variable,
    offering: Offering,
    frame: Value,
    queues: Value,
    /// Where a tally goes on with the next ply.
    next_ply: Option<Block>,
    /// How many offers there are after all plies so far, for a tally.
    tally: Variable,
    sure: Variable,
    /// Which of the parts of the frame besides the registers the function has to do with.
    counts_rounds: bool,
    can_leave: bool,
    offers: bool,
    reassures: bool,
}

const TRUSTED: MemFlagsData = MemFlagsData::trusted();

impl<'w, 'f, const W: usize> Writer<'w, 'f, W> {
    /// Begins a function whose signature stands.
    pub fn new(mut b: FunctionBuilder<'f>, program: &'w Program, tables: &'w Tables<W>, helpers: &'w Helpers, recipe: Recipe) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let &[frame, room, capacity, queues] = b.block_params(entry) else { unreachable!("a function has four parameters") };
        let [offered, total] = [b.declare_var(types::I64), b.declare_var(types::I32)];
        let [rounds, leaves] = [b.declare_var(types::I32), b.declare_var(types::I32)];
        let tally = b.declare_var(types::I64);
        let sure = b.declare_var(types::I32);
        Writer {
            b,
            program,
            tables,
            helpers,
            recipe,
            reached: HashSet::new(),
            blocks: HashMap::new(),
            registers: HashMap::new(),
            written: BTreeSet::new(),
            held: None,
            rounds,
            leaves,
            offering: Offering { offered, total, room, capacity },
            frame,
            queues,
            next_ply: None,
            tally,
            sure,
            counts_rounds: false,
            can_leave: false,
            offers: false,
            reassures: false,
        }
    }

    /// Writes the function.
    pub fn write(mut self, config: TargetFrontendConfig) {
        let entries = match self.recipe {
            Recipe::Just(address) | Recipe::Dry(address) | Recipe::Flow(address) => vec![(address, Then::Done)],
            Recipe::GoOn(decision) => self.onward(decision),
            Recipe::EndAndGoOn(decision) => vec![self.end(decision)],
            Recipe::Tally(decision) => {
                let variations = self.variations(decision);
                variations.into_iter().map(|variation| self.applying(variation, decision)).collect()
            }
        };
        self.explore(&entries);
        match self.recipe {
            Recipe::Tally(decision) => self.each_ply(decision),
            Recipe::GoOn(decision) => {
                self.read_frame();
                self.go_on(decision);
            }
            _ => {
                self.read_frame();
                self.jump(entries[0]);
            }
        }
        let mut places: Vec<Place> = self.blocks.keys().copied().collect();
        places.sort_unstable();
        for place in places {
            self.block(place);
        }
        self.b.seal_all_blocks();
        self.b.finalize(config);
    }

    /// What a decision offers.
    fn variations(&self, decision: u16) -> Vec<u16> {
        let mut open = vec![(self.program.decisions[usize::from(decision)].offer, Then::Done)];
        let mut reached = HashSet::new();
        let mut variations = BTreeSet::new();
        while let Some(place) = open.pop() {
            if reached.insert(place) {
                let op = self.op(place.0);
                if op.code == Code::Offer {
                    variations.insert(op.b);
                }
                open.extend(self.successors(place));
            }
        }
        variations.into_iter().collect()
    }

    fn applying(&self, variation: u16, decision: u16) -> Place {
        (self.program.variations[usize::from(variation)].apply, Then::End(decision))
    }

    fn end(&self, decision: u16) -> Place {
        let mover = self.program.decisions[usize::from(decision)].mover;
        (self.program.end[mover.index()], Then::GoOn(decision))
    }

    /// Goes through the members of all offers of the decision that lie in the room from the place given instead of a capacity on, applies each to the
    /// position, and adds up what the decision after it offers.
    fn each_ply(&mut self, decision: u16) {
        let [next_offer, this_offer, next_ply, this_ply, done] = std::array::from_fn(|_| self.b.create_block());
        self.next_ply = Some(next_ply);
        let index = self.b.declare_var(types::I64);
        let rest: [Variable; W] = from_fn(|_| self.b.declare_var(types::I64));
        let zero = self.b.ins().iconst(types::I64, 0);
        self.b.def_var(self.tally, zero);
        self.b.def_var(index, self.offering.capacity);
        self.b.ins().jump(next_offer, &[]);

        self.b.switch_to_block(next_offer);
        let offered = self.load(types::I32, offset_of!(Frame<W>, offered));
        let offered = self.b.ins().uextend(types::I64, offered);
        let here = self.b.use_var(index);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, here, offered);
        self.b.ins().brif(more, this_offer, &[], done, &[]);

        self.b.switch_to_block(this_offer);
        let entry = self.offer_entry(here);
        let held_argument =
            |argument: usize| (offset_of!(Offer<W>, held) + 2 * argument, offset_of!(Frame<W>, arguments) + 4 * (argument + 1));
        for (from, to) in (0..HELD).map(held_argument) {
            let held = self.b.ins().load(types::I16, TRUSTED, entry, from as i32);
            let held = self.b.ins().sextend(types::I32, held);
            self.store(held, to);
        }
        for (word, variable) in rest.into_iter().enumerate() {
            let members = self.b.ins().load(types::I64, TRUSTED, entry, (offset_of!(Offer<W>, members) + 8 * word) as i32);
            self.b.def_var(variable, members);
        }
        let after = self.b.ins().iadd_imm_s(here, 1);
        self.b.def_var(index, after);
        self.b.ins().jump(next_ply, &[]);

        self.b.switch_to_block(next_ply);
        let members: Words<W> = rest.map(|variable| self.b.use_var(variable));
        let any = words::any(&mut self.b, &members);
        self.b.ins().brif(any, this_ply, &[], next_offer, &[]);

        self.b.switch_to_block(this_ply);
        let member = words::lowest(&mut self.b, &members);
        for (variable, word) in rest.into_iter().zip(words::rest(&mut self.b, &members)) {
            self.b.def_var(variable, word);
        }
        self.store(member, offset_of!(Frame<W>, arguments));
        self.read_frame();
        let no = self.b.ins().iconst(types::I32, 0);
        self.b.def_var(self.leaves, no);
        self.b.def_var(self.offering.total, no);
        self.b.def_var(self.sure, no);
        let here = self.b.use_var(index);
        let here = self.b.ins().iadd_imm_s(here, -1);
        let entry = self.offer_entry(here);
        let variation = self.b.ins().load(types::I16, TRUSTED, entry, offset_of!(Offer<W>, variation) as i32);
        let variations = self.variations(decision);
        let (last, others) = variations.split_last().expect("a decision offers something");
        for &other in others {
            let on = self.b.create_block();
            let is_it = self.b.ins().icmp_imm_u(IntCC::Equal, variation, i64::from(other));
            let apply = self.blocks[&self.applying(other, decision)];
            self.b.ins().brif(is_it, apply, &[], on, &[]);
            self.b.switch_to_block(on);
        }
        self.jump(self.applying(*last, decision));

        self.b.switch_to_block(done);
        let tally = self.b.use_var(self.tally);
        let shifted = self.b.ins().ishl_imm_u(tally, 8);
        self.b.ins().return_(&[shifted]);
    }

    /// A tally: the position after a ply is at a decision whose offers are counted.
    fn count(&mut self, decision: u16) {
        let [unsure, on] = [self.b.create_block(), self.b.create_block()];
        self.b.set_cold_block(unsure);
        match &self.program.decisions[usize::from(decision)] {
            DecisionCode { steps: Some(_), .. } => _ = self.b.ins().jump(unsure, &[]),
            DecisionCode { exact: true, .. } => _ = self.b.ins().jump(on, &[]),
            _ => {
                let sure = self.b.use_var(self.sure);
                let is_sure = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, sure, 0);
                self.b.ins().brif(is_sure, on, &[], unsure, &[]);
            }
        }
        self.b.switch_to_block(unsure);
        let status = self.b.ins().iconst(types::I64, status::FULL as i64);
        self.b.ins().return_(&[status]);
        self.b.switch_to_block(on);
        let total = self.b.use_var(self.offering.total);
        let some = self.b.create_block();
        let otherwise = self.blocks[&self.otherwise(decision)];
        self.b.ins().brif(total, some, &[], otherwise, &[]);
        self.b.switch_to_block(some);
        let tally = self.b.use_var(self.tally);
        let total = self.b.ins().uextend(types::I64, total);
        let sum = self.b.ins().iadd(tally, total);
        self.b.def_var(self.tally, sum);
        self.to_next_ply();
    }

    fn otherwise(&self, decision: u16) -> Place {
        (self.program.decisions[usize::from(decision)].otherwise, Then::Done)
    }

    fn to_next_ply(&mut self) {
        if let Some(next) = self.next_ply {
            self.b.ins().jump(next, &[]);
        }
    }

    /// Where an offer lies.
    fn offer_entry(&mut self, index: Value) -> Value {
        let offset = self.b.ins().imul_imm_s(index, size_of::<Offer<W>>() as i64);
        self.b.ins().iadd(self.offering.room, offset)
    }

    fn op(&self, address: Address) -> Op {
        self.program.code[usize::from(address)]
    }

    /// Where the order of play goes on after a ply of the decision: both ways, where it matters whether the ply ends the turn.
    fn onward(&self, decision: u16) -> Vec<Place> {
        let code = &self.program.decisions[usize::from(decision)];
        let mut places = vec![(code.next, Then::Done)];
        if code.leave != code.next {
            places.push((code.leave, Then::Done));
        }
        places
    }

    /// The places that an instruction can lead to: the next one first.
    fn successors(&self, (address, then): Place) -> Vec<Place> {
        let op = self.op(address);
        let next = (address + 1, then);
        let target = (op.c, then);
        match op.code {
            Code::Jump | Code::Again => vec![target],
            Code::Return => match then {
                Then::At(decision) if self.is_tally() => vec![self.otherwise(decision)],
                Then::Done | Then::At(_) => Vec::new(),
                Then::GoOn(decision) => self.onward(decision),
                Then::End(decision) => vec![self.end(decision)],
            },
            Code::Decide => vec![(self.program.decisions[usize::from(op.a)].offer, Then::At(op.a))],
            Code::Fail | Code::Win | Code::Draw => Vec::new(),
            code if code.roles()[2] == Role::Target => vec![next, target],
            _ => vec![next],
        }
    }

    /// Finds what is reached, where blocks begin, and what the function has to do with.
    fn explore(&mut self, entries: &[Place]) {
        let mut open = entries.to_vec();
        for &entry in entries {
            self.begin_block(entry);
        }
        while let Some(place) = open.pop() {
            if !self.reached.insert(place) {
                continue;
            }
            let op = self.op(place.0);
            match op.code {
                Code::Again | Code::Take | Code::Dequeue | Code::Flood => self.counts_rounds = true,
                Code::Leave => self.can_leave = true,
                Code::Offer => self.offers = true,
                Code::Sure => self.reassures = true,
                _ => {}
            }
            if op.code == Code::Hold && self.held.is_none() {
                self.held = Some(from_fn(|_| self.b.declare_var(types::I16)));
            }
            for (role, register) in op.operands() {
                let (is_set, writes) = match role {
                    Role::SetRead => (true, false),
                    Role::SetWrite | Role::SetChange => (true, true),
                    Role::NumberRead => (false, false),
                    Role::NumberWrite | Role::NumberChange => (false, true),
                    Role::Unused | Role::Target | Role::Plain => continue,
                };
                if writes && self.is_of_position(is_set, register) {
                    self.written.insert((is_set, register));
                }
                let b = &mut self.b;
                self.registers.entry((is_set, register)).or_insert_with(|| match is_set {
                    true => Register::Set(from_fn(|_| b.declare_var(types::I64))),
                    false => Register::Number(b.declare_var(types::I32)),
                });
            }
            let successors = self.successors(place);
            let straight = op.code != Code::Return && op.code.roles()[2] != Role::Target && successors == [(place.0 + 1, place.1)];
            for next in successors {
                if !straight {
                    self.begin_block(next);
                }
                open.push(next);
            }
        }
    }

    fn is_tally(&self) -> bool {
        matches!(self.recipe, Recipe::Tally(_))
    }

    fn begin_block(&mut self, place: Place) {
        let b = &mut self.b;
        self.blocks.entry(place).or_insert_with(|| b.create_block());
    }

    fn is_of_position(&self, is_set: bool, register: u16) -> bool {
        register < if is_set { self.program.layout.sets } else { self.program.nums }
    }

    /// Reads what the function needs of the frame, and makes sure of room for the offers that are not made in loops.
    fn read_frame(&mut self) {
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
        if self.counts_rounds {
            let rounds = self.load(types::I32, offset_of!(Frame<W>, rounds));
            self.b.def_var(self.rounds, rounds);
        }
        if self.can_leave {
            let leaves = self.load(types::I32, offset_of!(Frame<W>, leaves));
            self.b.def_var(self.leaves, leaves);
        }
        if self.offers && !self.is_tally() {
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
    fn make_room(&mut self, count: usize, address: Address) {
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

    fn load(&mut self, kind: Type, offset: usize) -> Value {
        self.b.ins().load(kind, TRUSTED, self.frame, offset as i32)
    }

    fn store(&mut self, value: Value, offset: usize) {
        self.b.ins().store(TRUSTED, value, self.frame, offset as i32);
    }

    fn jump(&mut self, place: Place) {
        let block = self.blocks[&place];
        self.b.ins().jump(block, &[]);
    }

    fn fork(&mut self, condition: Value, yes: Place, no: Place) {
        let (yes, no) = (self.blocks[&yes], self.blocks[&no]);
        self.b.ins().brif(condition, yes, &[], no, &[]);
    }

    /// Goes on after a ply of the decision.
    fn go_on(&mut self, decision: u16) {
        match self.onward(decision)[..] {
            [next, leave] => {
                let leaves = match self.recipe {
                    Recipe::Tally(_) => self.b.use_var(self.leaves),
                    _ => self.load(types::I32, offset_of!(Frame<W>, leaves)),
                };
                self.fork(leaves, leave, next);
            }
            [next, ..] => self.jump(next),
            [] => unreachable!("play goes on somewhere"),
        }
    }

    /// Returns without a change to the frame, save that rounds were used.
    fn leave_with(&mut self, tag: u64, payload: u16) {
        if self.counts_rounds && tag != status::FULL {
            let rounds = self.b.use_var(self.rounds);
            self.store(rounds, offset_of!(Frame<W>, rounds));
        }
        let status = self.b.ins().iconst(types::I64, (tag | u64::from(payload) << 8) as i64);
        self.b.ins().return_(&[status]);
    }

    /// Writes back what has changed.
    fn write_frame(&mut self) {
        if let Recipe::Dry(_) | Recipe::Tally(_) = self.recipe {
            return;
        }
        for (is_set, register) in self.written.clone() {
            match self.registers[&(is_set, register)] {
                Register::Set(variables) => {
                    for (index, variable) in variables.into_iter().enumerate() {
                        let word = self.b.use_var(variable);
                        self.store(word, set_offset::<W>(register, index));
                    }
                }
                Register::Number(variable) => {
                    let number = self.b.use_var(variable);
                    self.store(number, number_offset::<W>(register));
                }
            }
        }
        if self.can_leave {
            let leaves = self.b.use_var(self.leaves);
            self.store(leaves, offset_of!(Frame<W>, leaves));
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

    /// Returns with what has changed written back. A tally goes on with the next ply instead: where the game is over nothing is offered.
    fn finish(&mut self, tag: u64, payload: u16) {
        if self.is_tally() && tag != status::ENDLESS {
            return self.to_next_ply();
        }
        self.write_frame();
        self.leave_with(tag, payload);
    }

    fn words(&mut self, register: u16) -> Words<W> {
        match self.registers[&(true, register)] {
            Register::Set(variables) => variables.map(|variable| self.b.use_var(variable)),
            Register::Number(_) => unreachable!("a set is no number"),
        }
    }

    fn set(&mut self, register: u16, words: Words<W>) {
        if let Register::Set(variables) = self.registers[&(true, register)] {
            for (variable, word) in variables.into_iter().zip(words) {
                self.b.def_var(variable, word);
            }
        }
    }

    fn number(&mut self, register: u16) -> Value {
        match self.registers[&(false, register)] {
            Register::Number(variable) => self.b.use_var(variable),
            Register::Set(_) => unreachable!("a number is no set"),
        }
    }

    fn put(&mut self, register: u16, number: Value) {
        if let Register::Number(variable) = self.registers[&(false, register)] {
            self.b.def_var(variable, number);
        }
    }

    /// Takes one round off what the ply may have, and stops at the instruction where there is none left.
    fn round(&mut self, address: Address) {
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

    /// A set in memory, for a helper to read.
    fn spilled(&mut self, words: &Words<W>) -> Value {
        let slot = self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 8 * W as u32, 3));
        let address = self.b.ins().stack_addr(types::I64, slot, 0);
        for (index, &word) in words.iter().enumerate() {
            self.b.ins().store(TRUSTED, word, address, 8 * index as i32);
        }
        address
    }

    /// A set that a helper works out from numbers or sets.
    fn helped(&mut self, helper: usize, arguments: &[Value]) -> Words<W> {
        let none = words::constant(&mut self.b, Bits::NONE);
        let result = self.spilled(&none);
        let tables = self.b.ins().iconst(types::I64, std::ptr::from_ref(self.tables) as i64);
        let mut all = vec![tables];
        all.extend_from_slice(arguments);
        all.push(result);
        self.helpers.call(&mut self.b, helper, &all);
        from_fn(|index| self.b.ins().load(types::I64, MemFlagsData::new(), result, 8 * index as i32))
    }

    /// Where the queue of a chain lies.
    fn queue(&mut self, chain: u8) -> Value {
        self.b.ins().iadd_imm_s(self.queues, (usize::from(chain) * size_of::<Queue<W>>()) as i64)
    }

    /// Keeps a sum or difference within 32 bits where it left them; `sign` is an operand whose sign it then has.
    fn saturated(&mut self, (number, overflow): (Value, Value), sign: Value) -> Value {
        let negative = self.b.ins().sshr_imm_u(sign, 31);
        let most = self.b.ins().bxor_imm_s(negative, i64::from(i32::MAX));
        self.b.ins().select(overflow, most, number)
    }

    fn multiplied(&mut self, one: Value, other: Value) -> Value {
        let (one, other) = (self.b.ins().sextend(types::I64, one), self.b.ins().sextend(types::I64, other));
        let product = self.b.ins().imul(one, other);
        let bounded = [(IntCC::SignedGreaterThan, i32::MAX), (IntCC::SignedLessThan, i32::MIN)].into_iter().fold(
            product,
            |number, (beyond, bound)| {
                let bound = self.b.ins().iconst(types::I64, i64::from(bound));
                let is_beyond = self.b.ins().icmp(beyond, number, bound);
                self.b.ins().select(is_beyond, bound, number)
            },
        );
        self.b.ins().ireduce(types::I32, bounded)
    }

    /// The quotient, rounded down, and the rest of a division by a number above zero.
    fn divided(&mut self, number: Value, by: u16) -> (Value, Value) {
        let by = i64::from(by.max(1));
        let quotient = self.b.ins().sdiv_imm_s(number, by);
        let product = self.b.ins().imul_imm_s(quotient, by);
        let rest = self.b.ins().isub(number, product);
        let sign = self.b.ins().sshr_imm_u(rest, 31);
        let missing = self.b.ins().band_imm_s(sign, by);
        let (quotient, rest) = (self.b.ins().iadd(quotient, sign), self.b.ins().iadd(rest, missing));
        (quotient, rest)
    }

    /// The site one step from another, or -1.
    fn stepped(&mut self, way: u8, site: Value) -> Value {
        let next = &self.tables.next[usize::from(way & 7)];
        let nowhere = self.b.ins().iconst(types::I32, -1);
        if next.is_empty() {
            return nowhere;
        }
        let valid = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, site, next.len() as i64);
        let first = self.b.ins().iconst(types::I32, 0);
        let index = self.b.ins().select(valid, site, first);
        let index = self.b.ins().uextend(types::I64, index);
        let offset = self.b.ins().ishl_imm_u(index, 2);
        let table = self.b.ins().iconst(types::I64, next.as_ptr() as i64);
        let entry = self.b.ins().iadd(table, offset);
        let to = self.b.ins().load(types::I32, TRUSTED.with_readonly(), entry, 0);
        self.b.ins().select(valid, to, nowhere)
    }

    /// Writes the instructions from a place on, up to where a block ends or another begins.
    fn block(&mut self, start: Place) {
        self.b.switch_to_block(self.blocks[&start]);
        let (mut address, then) = start;
        loop {
            if self.instruction((address, then)) {
                return;
            }
            address += 1;
            if self.blocks.contains_key(&(address, then)) {
                self.jump((address, then));
                return;
            }
        }
    }

    /// Writes one instruction; gives whether it ends its block.
    fn instruction(&mut self, place: Place) -> bool {
        let (address, then) = place;
        let op = self.op(address);
        let (next, target) = ((address + 1, then), (op.c, then));
        match op.code {
            Code::Copy
            | Code::And
            | Code::Or
            | Code::AndNot
            | Code::Xor
            | Code::Join
            | Code::Drop
            | Code::Clear
            | Code::Shift
            | Code::Beside => {
                let words = self.plain_set(op);
                self.set(op.a, words);
            }
            Code::Fill | Code::Walk | Code::First | Code::Flood | Code::Between | Code::Single | Code::Gate | Code::Transfer => {
                let words = self.found_set(op);
                self.set(op.a, words);
            }
            Code::Constant
            | Code::Assign
            | Code::Add
            | Code::Subtract
            | Code::Multiply
            | Code::Divide
            | Code::Remainder
            | Code::Least
            | Code::Greatest
            | Code::Count
            | Code::Lowest
            | Code::Step
            | Code::Direction
            | Code::Argument
            | Code::Bit => {
                let number = self.found_number(op);
                self.put(op.a, number);
            }
            Code::IfNone | Code::IfAny | Code::IfIn | Code::IfOut | Code::IfEqual | Code::IfUnequal | Code::IfLess | Code::IfAtLeast => {
                let (condition, negated) = self.condition(op);
                let (yes, no) = if negated { (next, target) } else { (target, next) };
                self.fork(condition, yes, no);
                return true;
            }
            Code::Jump => {
                self.jump(target);
                return true;
            }
            Code::Again => {
                self.round(address);
                self.jump(target);
                return true;
            }
            Code::Take => {
                let set = self.words(op.b);
                let any = words::any(&mut self.b, &set);
                let some = self.b.create_block();
                let over = self.blocks[&target];
                self.b.ins().brif(any, some, &[], over, &[]);
                self.b.switch_to_block(some);
                self.round(address);
                let lowest = words::lowest(&mut self.b, &set);
                let rest = words::rest(&mut self.b, &set);
                self.put(op.a, lowest);
                self.set(op.b, rest);
                self.jump(next);
                return true;
            }
            Code::Dequeue => {
                self.round(address);
                let queue = self.queue(op.x);
                let site = self.helpers.number(&mut self.b, Helpers::DEQUEUE, &[queue]);
                self.put(op.a, site);
                let over = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, site, 0);
                self.fork(over, target, next);
                return true;
            }
            Code::NewQueue => {
                let queue = self.queue(op.x);
                self.helpers.call(&mut self.b, Helpers::NEW_QUEUE, &[queue]);
            }
            Code::Enqueue => {
                let queue = self.queue(op.x);
                let set = self.words(op.a);
                let set = self.spilled(&set);
                self.helpers.call(&mut self.b, Helpers::ENQUEUE, &[queue, set]);
            }
            Code::Offer => self.offer(op, address),
            Code::Hold => {
                let number = self.number(op.a);
                let number = self.b.ins().ireduce(types::I16, number);
                if let Some(&held) = self.held.as_ref().and_then(|held| held.get(usize::from(op.x))) {
                    self.b.def_var(held, number);
                }
            }
            Code::Sure => {
                let sure = self.number(op.a);
                self.b.def_var(self.sure, sure);
            }
            Code::Leave => {
                let yes = self.b.ins().iconst(types::I32, 1);
                self.b.def_var(self.leaves, yes);
            }
            Code::Return => {
                match then {
                    Then::Done => self.finish(status::RETURN, 0),
                    Then::At(decision) if self.is_tally() => self.count(decision),
                    Then::At(decision) => self.finish(status::DECIDE, decision),
                    Then::GoOn(decision) => self.go_on(decision),
                    Then::End(decision) => self.jump(self.end(decision)),
                }
                return true;
            }
            Code::Fail | Code::Win if self.is_tally() => {
                self.to_next_ply();
                return true;
            }
            Code::Fail => {
                self.leave_with(status::FAIL, op.a);
                return true;
            }
            Code::Win => {
                self.write_frame();
                if self.counts_rounds {
                    let rounds = self.b.use_var(self.rounds);
                    self.store(rounds, offset_of!(Frame<W>, rounds));
                }
                let player = self.number(op.a);
                let player = self.b.ins().uextend(types::I64, player);
                let shifted = self.b.ins().ishl_imm_u(player, 8);
                let status = self.b.ins().bor_imm_u(shifted, status::WIN as i64);
                self.b.ins().return_(&[status]);
                return true;
            }
            Code::Draw => {
                self.finish(status::DRAW, 0);
                return true;
            }
            Code::Decide => {
                self.jump((self.program.decisions[usize::from(op.a)].offer, Then::At(op.a)));
                return true;
            }
        }
        false
    }

    fn plain_set(&mut self, op: Op) -> Words<W> {
        match op.code {
            Code::Clear => words::constant(&mut self.b, Bits::NONE),
            Code::Copy => self.words(op.b),
            Code::Join | Code::Drop => {
                let (set, other) = (self.words(op.a), self.words(op.b));
                if op.code == Code::Join { words::or(&mut self.b, &set, &other) } else { words::without(&mut self.b, &set, &other) }
            }
            Code::Shift | Code::Beside => {
                let set = self.words(op.b);
                let ways = if op.code == Code::Beside { op.x } else { 1 << (op.x & 7) };
                words::beside(&mut self.b, self.tables, ways, &set)
            }
            code => {
                let (one, other) = (self.words(op.b), self.words(op.c));
                match code {
                    Code::And => words::and(&mut self.b, &one, &other),
                    Code::Or => words::or(&mut self.b, &one, &other),
                    Code::AndNot => words::without(&mut self.b, &one, &other),
                    _ => words::xor(&mut self.b, &one, &other),
                }
            }
        }
    }

    fn found_set(&mut self, op: Op) -> Words<W> {
        match op.code {
            Code::Single => {
                let site = self.number(op.b);
                words::single(&mut self.b, site)
            }
            Code::Gate => {
                let (condition, set) = (self.number(op.c), self.words(op.b));
                words::gate(&mut self.b, condition, &set)
            }
            Code::Transfer => {
                let (from, to) = (self.number(op.b), self.number(op.c));
                let plane = self.words(op.a);
                let from: Words<W> = words::single(&mut self.b, from);
                let to: Words<W> = words::single(&mut self.b, to);
                let both = words::and(&mut self.b, &plane, &from);
                let there = words::any(&mut self.b, &both);
                let arrived = words::gate(&mut self.b, there, &to);
                let left = words::or(&mut self.b, &from, &to);
                let rest = words::without(&mut self.b, &plane, &left);
                words::or(&mut self.b, &rest, &arrived)
            }
            Code::Between => {
                let (from, to) = (self.number(op.b), self.number(op.c));
                self.helped(Helpers::BETWEEN, &[from, to])
            }
            Code::Flood => {
                let (from, within) = (self.words(op.b), self.words(op.c));
                let (flooded, layers) = words::flood(&mut self.b, self.tables, op.x, &from, &within);
                let cost = self.b.ins().imul_imm_s(layers, (W as i64 + 3) / 4);
                let rounds = self.b.use_var(self.rounds);
                let enough = self.b.ins().icmp(IntCC::UnsignedGreaterThan, rounds, cost);
                let less = self.b.ins().isub(rounds, cost);
                let none = self.b.ins().iconst(types::I32, 0);
                let left = self.b.ins().select(enough, less, none);
                self.b.def_var(self.rounds, left);
                flooded
            }
            _ => self.walked_set(op),
        }
    }

    /// Walks along lines: in one shift a round where the directions allow it, else by a helper.
    fn walked_set(&mut self, op: Op) -> Words<W> {
        let (one, other) = (self.words(op.b), self.words(op.c));
        let ways: Vec<usize> = match op.code {
            Code::Walk => (0..8).filter(|way| op.x >> way & 1 == 1).collect(),
            Code::Fill => vec![usize::from((op.x + 4) & 7)],
            _ => vec![usize::from(op.x & 7)],
        };
        if ways.iter().any(|&way| !self.tables.steps[way].is_one_shift()) {
            let helper = match op.code {
                Code::Walk => Helpers::WALK,
                Code::Fill => Helpers::FILL,
                _ => Helpers::FIRST,
            };
            let way = self.b.ins().iconst(types::I32, i64::from(op.x));
            let (one, other) = (self.spilled(&one), self.spilled(&other));
            return self.helped(helper, &[way, one, other]);
        }
        let b = &mut self.b;
        let tables = self.tables;
        let walks = ways.into_iter().map(|way| match op.code {
            Code::Walk => words::walk(b, &tables.steps[way], &one, &other),
            Code::Fill => words::fill(b, &tables.steps[way], &one, &other),
            _ => words::first(b, &tables.steps[way], &one, &other),
        });
        let walks: Vec<Words<W>> = walks.collect();
        let none = words::constant(b, Bits::NONE);
        walks.into_iter().reduce(|all, walk| words::or(b, &all, &walk)).unwrap_or(none)
    }

    fn found_number(&mut self, op: Op) -> Value {
        match op.code {
            Code::Constant => self.b.ins().iconst(types::I32, i64::from(op.constant())),
            Code::Assign => self.number(op.b),
            Code::Add | Code::Subtract | Code::Multiply | Code::Least | Code::Greatest => {
                let (one, other) = (self.number(op.b), self.number(op.c));
                match op.code {
                    Code::Add => {
                        let sum = self.b.ins().sadd_overflow(one, other);
                        self.saturated(sum, one)
                    }
                    Code::Subtract => {
                        let difference = self.b.ins().ssub_overflow(one, other);
                        self.saturated(difference, one)
                    }
                    Code::Multiply => self.multiplied(one, other),
                    code => {
                        let order = if code == Code::Least { IntCC::SignedLessThan } else { IntCC::SignedGreaterThan };
                        let first = self.b.ins().icmp(order, one, other);
                        self.b.ins().select(first, one, other)
                    }
                }
            }
            Code::Divide | Code::Remainder => {
                let number = self.number(op.b);
                let (quotient, rest) = self.divided(number, op.c);
                if op.code == Code::Divide { quotient } else { rest }
            }
            Code::Count => {
                let set = self.words(op.b);
                words::count(&mut self.b, &set)
            }
            Code::Lowest => {
                let set = self.words(op.b);
                let any = words::any(&mut self.b, &set);
                let lowest = words::lowest(&mut self.b, &set);
                let nowhere = self.b.ins().iconst(types::I32, -1);
                self.b.ins().select(any, lowest, nowhere)
            }
            Code::Step => {
                let site = self.number(op.b);
                self.stepped(op.x, site)
            }
            Code::Direction => {
                let (from, to) = (self.number(op.b), self.number(op.c));
                let tables = self.b.ins().iconst(types::I64, std::ptr::from_ref(self.tables) as i64);
                self.helpers.number(&mut self.b, Helpers::DIRECTION, &[tables, from, to])
            }
            Code::Argument if usize::from(op.x) > HELD => self.b.ins().iconst(types::I32, -1),
            Code::Argument => self.load(types::I32, offset_of!(Frame<W>, arguments) + 4 * usize::from(op.x)),
            _ => {
                let (number, set, site) = (self.number(op.a), self.words(op.b), self.number(op.c));
                let has = words::has(&mut self.b, &set, site);
                let more = self.b.ins().iadd_imm_s(number, 1 << op.x);
                self.b.ins().select(has, more, number)
            }
        }
    }

    /// What a conditional jump asks, and whether it jumps where the answer is no.
    fn condition(&mut self, op: Op) -> (Value, bool) {
        let compare = |writer: &mut Self, order: IntCC| {
            let (one, other) = (writer.number(op.a), writer.number(op.b));
            writer.b.ins().icmp(order, one, other)
        };
        match op.code {
            Code::IfNone | Code::IfAny => {
                let set = self.words(op.a);
                (words::any(&mut self.b, &set), op.code == Code::IfNone)
            }
            Code::IfIn | Code::IfOut => {
                let (site, set) = (self.number(op.a), self.words(op.b));
                (words::has(&mut self.b, &set, site), op.code == Code::IfOut)
            }
            Code::IfEqual => (compare(self, IntCC::Equal), false),
            Code::IfUnequal => (compare(self, IntCC::NotEqual), false),
            Code::IfLess => (compare(self, IntCC::SignedLessThan), false),
            _ => (compare(self, IntCC::SignedGreaterThanOrEqual), false),
        }
    }

    /// Whether the instruction may be gone through again before the function is done.
    fn is_in_loop(&self, address: Address) -> bool {
        self.reached.iter().any(|&(from, _)| {
            let op = self.op(from);
            from >= address && op.code.roles()[2] == Role::Target && op.c <= address
        })
    }

    /// Adds an offer, which stays only if it has a member.
    fn offer(&mut self, op: Op, address: Address) {
        let Offering { offered, total, .. } = self.offering;
        let members = self.words(op.a);
        if self.is_tally() {
            let before = self.b.use_var(total);
            let count = words::count(&mut self.b, &members);
            let after = self.b.ins().iadd(before, count);
            return self.b.def_var(total, after);
        }
        if self.is_in_loop(address) {
            self.make_room(1, address);
        }
        let place = self.b.use_var(offered);
        let entry = self.offer_entry(place);
        for (index, &word) in members.iter().enumerate() {
            self.b.ins().store(TRUSTED, word, entry, (offset_of!(Offer<W>, members) + 8 * index) as i32);
        }
        let before = self.b.use_var(total);
        self.b.ins().store(TRUSTED, before, entry, offset_of!(Offer<W>, before) as i32);
        let variation = self.b.ins().iconst(types::I16, i64::from(op.b));
        self.b.ins().store(TRUSTED, variation, entry, offset_of!(Offer<W>, variation) as i32);
        for (index, held) in self.held.into_iter().flatten().enumerate() {
            let held = self.b.use_var(held);
            self.b.ins().store(TRUSTED, held, entry, (offset_of!(Offer<W>, held) + 2 * index) as i32);
        }
        let count = words::count(&mut self.b, &members);
        let after = self.b.ins().iadd(before, count);
        self.b.def_var(total, after);
        let some = self.b.ins().icmp_imm_u(IntCC::NotEqual, count, 0);
        let more = self.b.ins().uextend(types::I64, some);
        let next = self.b.ins().iadd(place, more);
        self.b.def_var(offered, next);
    }
}

fn set_offset<const W: usize>(register: u16, word: usize) -> usize {
    offset_of!(Frame<W>, sets) + 8 * (usize::from(register) * W + word)
}

fn number_offset<const W: usize>(register: u16) -> usize {
    offset_of!(Frame<W>, nums) + 4 * usize::from(register)
}
