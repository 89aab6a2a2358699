//! Playouts: random plies, one after the other, in one function.
//!
//! From ply to ply the position stays in values. What is offered is never written down: every offer of a decision is a set among the values, and one of all members is drawn. A ply that turns out to be
//! illegal is taken back and withdrawn, and another one drawn. The draws are those of the interpreter, one by one.
//!
//! A decision that takes more than that is handed over: one within `steps`, one that makes offers in a loop, and one that must be known to have a legal ply although its offers may be illegal.

use super::super::super::frame::{Frame, HELD};
use super::super::super::hash;
use super::super::super::machine::{MOST_ROUNDS, PATIENCE, TRIAL};
use super::super::helpers::Helpers;
use super::super::status;
use super::super::words::{self, Words};
use super::graph::routine;
use super::{Place, Recipe, Register, Then, Writer};
use crate::compile::op::{Code, Role};
use crate::compile::program::{Address, Program};
use crate::random::{INCREMENT, MULTIPLIER};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use cranelift_frontend::{FunctionBuilder, Switch, Variable};
use std::array::from_fn;
use std::collections::{BTreeMap, HashMap};
use std::mem::offset_of;

/// A function is not made of more instructions: what making it takes grows faster than they do.
const MOST_INSTRUCTIONS: usize = 6_000;

/// An offer: the members that are left of it, and what is held for it.
#[derive(Clone, Copy)]
struct Slot<const W: usize> {
    variation: u16,
    members: [Variable; W],
    held: [Variable; HELD],
}

/// The blocks of a decision that are no instruction's.
#[derive(Clone, Copy)]
struct Doors {
    /// Its offers are to be made.
    begin: Block,
    /// They have been made.
    arrive: Block,
    /// A ply is to be drawn.
    draw: Block,
    /// The ply that was drawn is illegal.
    withdraw: Block,
}

/// What only playouts have to do with.
pub struct Playout<const W: usize> {
    /// By decision that is played here, where each of its offers is made.
    slots: BTreeMap<u16, BTreeMap<Address, Slot<W>>>,
    doors: HashMap<u16, Doors>,
    /// The generator's state, and how many plies may still be made.
    random: Variable,
    left: Variable,
    /// The decision of the ply that led to where play is; -1 where no ply did.
    came: Variable,
    /// How many rounds are left of the decision at hand, those granted to the ply included.
    patience: Variable,
    arguments: [Variable; HELD + 1],
    /// Which of the offers was drawn from.
    drawn: Variable,
    /// The position before the ply.
    before: BTreeMap<(bool, u16), Register<W>>,
}

impl<const W: usize> Playout<W> {
    pub fn new(b: &mut FunctionBuilder, program: &Program) -> Playout<W> {
        let mut slot = |address: Address| Slot {
            variation: program.code[usize::from(address)].b,
            members: from_fn(|_| b.declare_var(types::I64)),
            held: from_fn(|_| b.declare_var(types::I32)),
        };
        let decisions = (0..program.decisions.len() as u16).filter_map(|decision| Some((decision, offers(program, decision)?)));
        let slots = decisions.map(|(decision, offers)| (decision, offers.into_iter().map(|address| (address, slot(address))).collect()));
        Playout {
            slots: slots.collect(),
            doors: HashMap::new(),
            random: b.declare_var(types::I64),
            left: b.declare_var(types::I32),
            came: b.declare_var(types::I32),
            patience: b.declare_var(types::I32),
            arguments: from_fn(|_| b.declare_var(types::I32)),
            drawn: b.declare_var(types::I32),
            before: BTreeMap::new(),
        }
    }

    /// Whether the decision is played here.
    pub fn plays(&self, decision: u16) -> bool {
        self.slots.contains_key(&decision)
    }
}

/// The instructions that make the offers of a decision, in their order, where its plies can be drawn in machine code.
fn offers(program: &Program, decision: u16) -> Option<Vec<Address>> {
    let code = &program.decisions[usize::from(decision)];
    let reached = routine(program, code.offer);
    let op = |address: Address| program.code[usize::from(address)];
    let offers: Vec<Address> = reached.iter().copied().filter(|&address| op(address).code == Code::Offer).collect();
    let (first, last) = (*offers.first()?, *offers.last()?);
    let goes_back = |&from: &Address| op(from).code.roles()[2] == Role::Target && op(from).c <= from && op(from).c <= last && from >= first;
    let is_known = program.repetition.is_none() || code.exact || reached.iter().any(|&address| op(address).code == Code::Sure);
    (code.steps.is_none() && is_known && !reached.iter().any(goes_back)).then_some(offers)
}

/// The decisions whose plies can be drawn in machine code; none where that would take too much of it.
pub fn played(program: &Program) -> Vec<bool> {
    let all = 0..program.decisions.len() as u16;
    let mut size = 0;
    let mut played = Vec::new();
    for decision in all {
        let offers = offers(program, decision);
        let code = &program.decisions[usize::from(decision)];
        let mover = code.mover.index();
        let variations = offers.iter().flatten().map(|&address| program.variations[usize::from(program.code[usize::from(address)].b)].apply);
        let routines = variations.chain([code.offer, code.next, code.leave, code.otherwise, program.end[mover]]);
        if offers.is_some() {
            size += routines.map(|address| routine(program, address).len()).sum::<usize>();
        }
        played.push(offers.is_some());
    }
    if size > MOST_INSTRUCTIONS { vec![false; played.len()] } else { played }
}

impl<const W: usize> Writer<'_, '_, W> {
    /// Where a playout can come to from the offers of a decision, besides what their instructions say.
    pub(super) fn after_offers(&self, playout: &Playout<W>, decision: u16) -> Vec<Place> {
        let mut places = vec![self.otherwise(decision)];
        places.extend(playout.slots[&decision].values().map(|slot| self.applying(slot.variation, decision)));
        let repetition = self.program.repetition.iter().flat_map(|rule| &rule.then);
        places.extend(repetition.map(|&then| (then, Then::Counted(decision))));
        places
    }

    /// The decisions that are played here.
    pub(super) fn entries(playout: &Playout<W>, program: &Program) -> Vec<Place> {
        playout.slots.keys().map(|&decision| (program.decisions[usize::from(decision)].offer, Then::At(decision))).collect()
    }

    fn playout(&self) -> &Playout<W> {
        self.playout.as_ref().expect("a playout")
    }

    /// Writes what is no instruction: the beginning, and what is done at decisions.
    pub(super) fn begin_playout(&mut self) {
        let playout = self.playout();
        let [random, left, came] = [playout.random, playout.left, playout.came];
        let decisions: Vec<u16> = playout.slots.keys().copied().collect();
        for &decision in &decisions {
            let [begin, arrive, draw, withdraw] = from_fn(|_| self.b.create_block());
            self.b.set_cold_block(withdraw);
            self.playout.as_mut().expect("a playout").doors.insert(decision, Doors { begin, arrive, draw, withdraw });
        }
        for (is_set, register) in self.written.clone() {
            let before = Register::new(&mut self.b, is_set);
            self.playout.as_mut().expect("a playout").before.insert((is_set, register), before);
        }
        self.read_frame();
        let state = self.load(types::I64, offset_of!(Frame<W>, random));
        self.b.def_var(random, state);
        let plies = self.load(types::I32, offset_of!(Frame<W>, left));
        self.b.def_var(left, plies);
        let nowhere = self.b.ins().iconst(types::I32, -1);
        self.b.def_var(came, nowhere);
        let mut entries = Switch::new();
        for &decision in &decisions {
            entries.set_entry(u128::from(decision), self.playout().doors[&decision].begin);
        }
        let nothing = self.b.create_block();
        let at = self.offering.capacity;
        entries.emit(&mut self.b, at, nothing);
        self.b.switch_to_block(nothing);
        self.leave_with(status::FULL, 0);
        for decision in decisions {
            self.begin_offers(decision);
            self.arrive(decision);
            self.draw(decision);
            self.withdraw(decision);
        }
    }

    /// The order of play has come to a decision.
    pub(super) fn decide(&mut self, decision: u16) {
        match self.playout().doors.get(&decision).copied() {
            Some(doors) => _ = self.b.ins().jump(doors.begin, &[]),
            None => self.finish(status::DECIDE, decision),
        }
    }

    /// The offers of a decision have been made.
    pub(super) fn offered(&mut self, decision: u16) {
        let arrive = self.playout().doors[&decision].arrive;
        self.b.ins().jump(arrive, &[]);
    }

    /// The position has been counted.
    pub(super) fn counted(&mut self, decision: u16) {
        let draw = self.playout().doors[&decision].draw;
        self.b.ins().jump(draw, &[]);
    }

    /// A requirement has failed. Where nobody drew the ply, play has come to nothing.
    pub(super) fn fail(&mut self, then: Then) {
        match then {
            Then::End(decision) => {
                let withdraw = self.playout().doors[&decision].withdraw;
                self.b.ins().jump(withdraw, &[]);
            }
            _ => self.finish(status::DRAW, 0),
        }
    }

    /// Keeps an offer among the values.
    pub(super) fn keep_offer(&mut self, address: Address, decision: u16) {
        let slot = self.playout().slots[&decision][&address];
        let members = self.words(self.op(address).a);
        for (variable, word) in slot.members.into_iter().zip(members) {
            self.b.def_var(variable, word);
        }
        for (variable, held) in slot.held.into_iter().zip(self.held.into_iter().flatten()) {
            let held = self.b.use_var(held);
            let held = self.b.ins().sextend(types::I32, held);
            self.b.def_var(variable, held);
        }
    }

    /// An argument of the ply that is made.
    pub(super) fn drawn_argument(&mut self, index: u8) -> Value {
        let argument = self.playout().arguments[usize::from(index)];
        self.b.use_var(argument)
    }

    /// Writes back what a playout hands on besides the position.
    pub(super) fn write_playout(&mut self) {
        let playout = self.playout();
        let kept = [
            (playout.random, offset_of!(Frame<W>, random)),
            (playout.left, offset_of!(Frame<W>, left)),
            (playout.came, offset_of!(Frame<W>, came)),
        ];
        for (variable, offset) in kept {
            let value = self.b.use_var(variable);
            self.store(value, offset);
        }
    }

    fn slots(&self, decision: u16) -> Vec<Slot<W>> {
        self.playout().slots[&decision].values().copied().collect()
    }

    fn begin_offers(&mut self, decision: u16) {
        self.b.switch_to_block(self.playout().doors[&decision].begin);
        let none = self.b.ins().iconst(types::I64, 0);
        let zero = self.b.ins().iconst(types::I32, 0);
        for slot in self.slots(decision) {
            slot.members.into_iter().for_each(|word| self.b.def_var(word, none));
            slot.held.into_iter().for_each(|held| self.b.def_var(held, zero));
        }
        self.b.def_var(self.sure, zero);
        let all = self.b.ins().iconst(types::I32, i64::from(PATIENCE));
        self.b.def_var(self.playout().patience, all);
        self.jump((self.program.decisions[usize::from(decision)].offer, Then::At(decision)));
    }

    /// How many members the offers have before each, and all together.
    fn counts(&mut self, slots: &[Slot<W>]) -> Vec<Value> {
        let mut sum = self.b.ins().iconst(types::I32, 0);
        let mut counts = vec![sum];
        for slot in slots {
            let members = slot.members.map(|word| self.b.use_var(word));
            let count = words::count(&mut self.b, &members);
            sum = self.b.ins().iadd(sum, count);
            counts.push(sum);
        }
        counts
    }

    /// Writes what is done when offers have been made: where there are some, the position is counted if repetition matters.
    fn arrive(&mut self, decision: u16) {
        let Doors { arrive, draw, .. } = self.playout().doors[&decision];
        let slots = self.slots(decision);
        self.b.switch_to_block(arrive);
        let counts = self.counts(&slots);
        let some = self.b.create_block();
        let otherwise = self.blocks[&self.otherwise(decision)];
        let total = counts[slots.len()];
        self.b.ins().brif(total, some, &[], otherwise, &[]);
        self.b.switch_to_block(some);
        let Some(rule) = &self.program.repetition else {
            self.b.ins().jump(draw, &[]);
            return;
        };
        if !self.program.decisions[usize::from(decision)].exact {
            let [unsure, on] = [self.b.create_block(), self.b.create_block()];
            let sure = self.b.use_var(self.sure);
            let is_sure = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, sure, 0);
            self.b.ins().brif(is_sure, on, &[], unsure, &[]);
            self.b.switch_to_block(unsure);
            self.finish(status::DECIDE, decision);
            self.b.switch_to_block(on);
        }
        let came = self.playout().came;
        let came = self.b.use_var(came);
        let [count, often] = [self.b.create_block(), self.b.create_block()];
        self.b.set_cold_block(often);
        let by_ply = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, came, 0);
        self.b.ins().brif(by_ply, count, &[], draw, &[]);
        self.b.switch_to_block(count);
        let hash = self.hash(decision);
        let history = self.offering.room;
        let times = self.helpers.number(&mut self.b, Helpers::ARISE, &[history, hash]);
        let is_often = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, times, i64::from(rule.times));
        self.b.ins().brif(is_often, often, &[], draw, &[]);
        self.b.switch_to_block(often);
        let mut movers = Switch::new();
        for (index, before) in self.program.decisions.iter().enumerate() {
            let then = (rule.then[before.mover.index()], Then::Counted(decision));
            movers.set_entry(index as u128, self.blocks[&then]);
        }
        movers.emit(&mut self.b, came, draw);
    }

    /// The hash of the position at a decision, as [`hash::hash`] has it.
    fn hash(&mut self, decision: u16) -> Value {
        let (sets, numbers) = (self.program.layout.sets, self.program.nums);
        let last = hash::LAST as i64;
        let mut sum = self.b.ins().iconst(types::I64, i64::from(decision).wrapping_mul(last));
        let mut keys = hash::KEYS.iter().copied();
        let sets = (0..sets).flat_map(|register| self.words(register)).collect::<Vec<Value>>();
        let words = sets.into_iter().map(|word| (word, keys.next().unwrap_or(1))).collect::<Vec<(Value, u64)>>();
        let pairs: Vec<Vec<u16>> = (0..numbers).collect::<Vec<u16>>().chunks(2).map(<[u16]>::to_vec).collect();
        let mut all = words;
        for (pair, key) in pairs.into_iter().zip(hash::KEYS.iter().rev().copied()) {
            let halves: Vec<Value> = pair.into_iter().map(|register| self.number(register)).collect();
            let halves: Vec<Value> = halves.into_iter().map(|half| self.b.ins().uextend(types::I64, half)).collect();
            let word = halves.into_iter().reduce(|high, low| {
                let high = self.b.ins().ishl_imm_u(high, 32);
                self.b.ins().bor(high, low)
            });
            all.extend(word.map(|word| (word, key)));
        }
        for (word, key) in all {
            let mixed = self.b.ins().bxor_imm_s(word, key.rotate_left(17) as i64);
            let folded = self.folded(mixed, key);
            sum = self.b.ins().iadd(sum, folded);
        }
        let high = self.b.ins().ushr_imm_u(sum, 32);
        let mixed = self.b.ins().bxor(sum, high);
        self.folded(mixed, hash::LAST)
    }

    fn folded(&mut self, word: Value, key: u64) -> Value {
        let key = self.b.ins().iconst(types::I64, key as i64);
        let (low, high) = (self.b.ins().imul(word, key), self.b.ins().umulhi(word, key));
        self.b.ins().bxor(low, high)
    }

    /// Writes the draw of a ply.
    fn draw(&mut self, decision: u16) {
        let Doors { draw, .. } = self.playout().doors[&decision];
        let slots = self.slots(decision);
        let [left, came, patience, drawn] =
            [self.playout().left, self.playout().came, self.playout().patience, self.playout().drawn];
        self.b.switch_to_block(draw);
        let [over, on, some, none] = from_fn(|_| self.b.create_block());
        self.b.set_cold_block(over);
        self.b.set_cold_block(none);
        let plies = self.b.use_var(left);
        self.b.ins().brif(plies, on, &[], over, &[]);
        self.b.switch_to_block(over);
        let nowhere = self.b.ins().iconst(types::I32, -1);
        self.b.def_var(came, nowhere);
        self.finish(status::DECIDE, decision);
        self.b.switch_to_block(on);
        let counts = self.counts(&slots);
        let total = counts[slots.len()];
        self.b.ins().brif(total, some, &[], none, &[]);
        self.b.switch_to_block(none);
        // All that was offered has turned out to be illegal.
        let nowhere = self.b.ins().iconst(types::I32, -1);
        self.b.def_var(came, nowhere);
        self.jump(self.otherwise(decision));
        self.b.switch_to_block(some);
        let rank = self.below(total);
        let less = self.b.ins().iadd_imm_s(plies, -1);
        self.b.def_var(left, less);
        let here = self.b.ins().iconst(types::I32, i64::from(decision));
        self.b.def_var(came, here);
        let none = self.b.ins().iconst(types::I32, 0);
        self.b.def_var(self.leaves, none);
        let available = self.b.use_var(patience);
        let most = self.b.ins().iconst(types::I32, i64::from(MOST_ROUNDS));
        let granted = self.b.ins().umin(available, most);
        self.b.def_var(self.rounds, granted);
        for (key, before) in self.playout().before.iter().map(|(&key, &before)| (key, before)).collect::<Vec<_>>() {
            self.copy(self.registers[&key], before);
        }
        let blocks: Vec<Block> = slots.iter().map(|_| self.b.create_block()).collect();
        self.choose(rank, &counts, &blocks);
        for (index, (slot, block)) in slots.iter().zip(blocks).enumerate() {
            self.b.switch_to_block(block);
            let members: Words<W> = slot.members.map(|word| self.b.use_var(word));
            let rank = self.b.ins().isub(rank, counts[index]);
            let member = self.nth(&members, rank);
            let arguments = self.playout().arguments;
            self.b.def_var(arguments[0], member);
            for (argument, held) in arguments[1..].iter().zip(slot.held) {
                let held = self.b.use_var(held);
                self.b.def_var(*argument, held);
            }
            let index = self.b.ins().iconst(types::I32, index as i64);
            self.b.def_var(drawn, index);
            self.jump(self.applying(slot.variation, decision));
        }
    }

    /// Goes to the block of the offer that the rank falls in.
    fn choose(&mut self, rank: Value, counts: &[Value], blocks: &[Block]) {
        /// With more offers a jump by a table is better than one question after the other.
        const FEW: usize = 3;
        let reached = |writer: &mut Self, index: usize| writer.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, rank, counts[index]);
        let last = blocks.len() - 1;
        if blocks.len() <= FEW {
            for (index, &block) in blocks[..last].iter().enumerate() {
                let later = reached(self, index + 1);
                let on = self.b.create_block();
                self.b.ins().brif(later, on, &[], block, &[]);
                self.b.switch_to_block(on);
            }
            self.b.ins().jump(blocks[last], &[]);
            return;
        }
        let mut place = self.b.ins().iconst(types::I32, 0);
        for index in 1..blocks.len() {
            let later = reached(self, index);
            let later = self.b.ins().uextend(types::I32, later);
            place = self.b.ins().iadd(place, later);
        }
        let mut table = Switch::new();
        for (index, &block) in blocks[..last].iter().enumerate() {
            table.set_entry(index as u128, block);
        }
        table.emit(&mut self.b, place, blocks[last]);
    }

    /// The member of a set with so many before it. There must be one.
    fn nth(&mut self, members: &Words<W>, rank: Value) -> Value {
        let (mut word, mut rest) = (members[0], rank);
        let mut base = self.b.ins().iconst(types::I32, 0);
        let mut before = base;
        for index in 1..W {
            let count = self.b.ins().popcnt(members[index - 1]);
            let count = self.b.ins().ireduce(types::I32, count);
            before = self.b.ins().iadd(before, count);
            let later = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, rank, before);
            let beyond = self.b.ins().isub(rank, before);
            let here = self.b.ins().iconst(types::I32, 64 * index as i64);
            word = self.b.ins().select(later, members[index], word);
            rest = self.b.ins().select(later, beyond, rest);
            base = self.b.ins().select(later, here, base);
        }
        let rest = self.b.ins().uextend(types::I64, rest);
        let place = self.helpers.number(&mut self.b, Helpers::PLACE, &[word, rest]);
        self.b.ins().iadd(base, place)
    }

    /// Takes a ply back and out of what is offered.
    fn withdraw(&mut self, decision: u16) {
        let Doors { draw, withdraw, .. } = self.playout().doors[&decision];
        let slots = self.slots(decision);
        let Playout { left, patience, arguments, drawn, .. } = *self.playout();
        self.b.switch_to_block(withdraw);
        for (key, before) in self.playout().before.iter().map(|(&key, &before)| (key, before)).collect::<Vec<_>>() {
            self.copy(before, self.registers[&key]);
        }
        let plies = self.b.use_var(left);
        let plies = self.b.ins().iadd_imm_s(plies, 1);
        self.b.def_var(left, plies);
        // What the trial took is no longer there for the next one.
        let available = self.b.use_var(patience);
        let most = self.b.ins().iconst(types::I32, i64::from(MOST_ROUNDS));
        let granted = self.b.ins().umin(available, most);
        let rounds = self.b.use_var(self.rounds);
        let used = self.b.ins().isub(granted, rounds);
        let used = self.b.ins().iadd_imm_s(used, i64::from(TRIAL));
        let used = self.b.ins().umin(used, available);
        let rest = self.b.ins().isub(available, used);
        self.b.def_var(patience, rest);
        let member = self.b.use_var(arguments[0]);
        let member: Words<W> = words::single(&mut self.b, member);
        let drawn = self.b.use_var(drawn);
        for (index, slot) in slots.into_iter().enumerate() {
            let is_it = self.b.ins().icmp_imm_u(IntCC::Equal, drawn, index as i64);
            let gone = words::gate(&mut self.b, is_it, &member);
            let members = slot.members.map(|word| self.b.use_var(word));
            let rest = words::without(&mut self.b, &members, &gone);
            slot.members.into_iter().zip(rest).for_each(|(variable, word)| self.b.def_var(variable, word));
        }
        self.b.ins().jump(draw, &[]);
    }

    fn copy(&mut self, from: Register<W>, to: Register<W>) {
        match (from, to) {
            (Register::Set(from), Register::Set(to)) => {
                for (from, to) in from.into_iter().zip(to) {
                    let word = self.b.use_var(from);
                    self.b.def_var(to, word);
                }
            }
            (Register::Number(from), Register::Number(to)) => {
                let number = self.b.use_var(from);
                self.b.def_var(to, number);
            }
            _ => unreachable!("a set is no number"),
        }
    }

    /// A number from 0 to one less than that, which is not zero: [`Random::below`](crate::random::Random::below).
    fn below(&mut self, bound: Value) -> Value {
        let wide = self.b.ins().uextend(types::I64, bound);
        let [doubtful, again, done] = from_fn(|_| self.b.create_block());
        self.b.set_cold_block(doubtful);
        self.b.set_cold_block(again);
        let product = self.b.append_block_param(done, types::I64);
        let retried = self.b.append_block_param(again, types::I64);
        let first = self.bits(wide);
        let low = self.b.ins().ireduce(types::I32, first);
        let is_doubtful = self.b.ins().icmp(IntCC::UnsignedLessThan, low, bound);
        self.b.ins().brif(is_doubtful, doubtful, &[], done, &[BlockArg::from(first)]);
        self.b.switch_to_block(doubtful);
        let negative = self.b.ins().ineg(bound);
        let short = self.b.ins().urem(negative, bound);
        self.b.ins().jump(again, &[BlockArg::from(first)]);
        self.b.switch_to_block(again);
        let low = self.b.ins().ireduce(types::I32, retried);
        let is_short = self.b.ins().icmp(IntCC::UnsignedLessThan, low, short);
        let redraw = self.b.create_block();
        self.b.ins().brif(is_short, redraw, &[], done, &[BlockArg::from(retried)]);
        self.b.switch_to_block(redraw);
        let next = self.bits(wide);
        self.b.ins().jump(again, &[BlockArg::from(next)]);
        self.b.switch_to_block(done);
        let high = self.b.ins().ushr_imm_u(product, 32);
        self.b.ins().ireduce(types::I32, high)
    }

    /// The next 32 bits of the generator times a number.
    fn bits(&mut self, factor: Value) -> Value {
        let random = self.playout().random;
        let old = self.b.use_var(random);
        let product = self.b.ins().imul_imm_s(old, MULTIPLIER as i64);
        let next = self.b.ins().iadd_imm_s(product, INCREMENT as i64);
        self.b.def_var(random, next);
        let high = self.b.ins().ushr_imm_u(old, 18);
        let mixed = self.b.ins().bxor(high, old);
        let mixed = self.b.ins().ushr_imm_u(mixed, 27);
        let mixed = self.b.ins().ireduce(types::I32, mixed);
        let turn = self.b.ins().ushr_imm_u(old, 59);
        let turn = self.b.ins().ireduce(types::I32, turn);
        let bits = self.b.ins().rotr(mixed, turn);
        let bits = self.b.ins().uextend(types::I64, bits);
        self.b.ins().imul(bits, factor)
    }

    /// Whether the function is a playout.
    pub(super) fn is_playout(&self) -> bool {
        matches!(self.recipe, Recipe::Playout)
    }
}
