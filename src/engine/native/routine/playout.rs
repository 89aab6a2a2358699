//! Playouts: random plies, one after the other, in one function.
//!
//! From ply to ply the position stays in values. What is offered is never written down: every offer of a decision is a set among the values, and one of all members is drawn. A ply that turns out to be
//! illegal is taken back and withdrawn, and another one drawn. The draws are those of the interpreter, one by one.
//!
//! It is not for all programs: the plies of a decision within `steps`, and of one that makes offers in a loop, take more than that. Where a decision must be known to have a legal ply before it is
//! drawn, and is not, play is handed over.

use super::super::super::frame::{Frame, HELD};
use super::super::super::machine::{MOST_ROUNDS, PATIENCE, TRIAL};
use super::super::helpers::Helpers;
use super::super::status;
use super::super::words::{self, Words};
use super::graph::{offers, routine};
use super::pool::{Draws, Pool};
use super::{Place, Recipe, Register, Then, Writer};
use crate::compile::op::{Code, Op, Role};
use crate::compile::program::{Address, DecisionCode, Program};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::{FunctionBuilder, Switch, Variable};
use std::array::from_fn;
use std::collections::{BTreeMap, HashMap};
use std::mem::offset_of;

/// A function is not made of more instructions, counted once for each word of a set: what making it takes grows faster than they do.
const MOST_INSTRUCTIONS: usize = 6_000;

/// An offer: the members that are left of it, and what is held for it.
#[derive(Clone, Copy)]
struct Slot<const W: usize> {
    variation: u16,
    members: [Variable; W],
    held: [Variable; HELD],
    /// Whether it is one of the draws.
    draws: bool,
}

/// The blocks of a pool that are no instruction's.
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
    /// By decision, where each of its offers is made.
    slots: Vec<BTreeMap<Address, Slot<W>>>,
    doors: HashMap<Pool, Doors>,
    /// The generator's state, and how many plies may still be made.
    pub(super) random: Variable,
    pub(super) left: Variable,
    /// The decision that was come to last, and that of the ply that led to where play is; -1 where no ply did.
    at: Variable,
    pub(super) came: Variable,
    /// How many rounds are left of the decision at hand, those granted to the ply included.
    patience: Variable,
    pub(super) draws: Draws,
    arguments: [Variable; HELD + 1],
    /// The first of them as a set of one site.
    member: [Variable; W],
    /// Which of the offers was drawn from.
    drawn: Variable,
    /// The position before the ply.
    before: BTreeMap<(bool, u16), Register<W>>,
}

impl<const W: usize> Playout<W> {
    pub fn new(b: &mut FunctionBuilder, program: &Program) -> Playout<W> {
        let mut slot = |address: Address, draws: bool| Slot {
            variation: program.code[usize::from(address)].b,
            members: from_fn(|_| b.declare_var(types::I64)),
            held: from_fn(|_| b.declare_var(types::I32)),
            draws,
        };
        let mut slots = |decision: &DecisionCode| {
            let legal = offers(program, decision.offer).into_iter().map(|address| (address, false));
            let draws = decision.draws.into_iter().flat_map(|from| offers(program, from)).map(|address| (address, true));
            legal.chain(draws).map(|(address, draws)| (address, slot(address, draws))).collect()
        };
        Playout {
            slots: program.decisions.iter().map(&mut slots).collect(),
            doors: HashMap::new(),
            random: b.declare_var(types::I64),
            left: b.declare_var(types::I32),
            at: b.declare_var(types::I32),
            came: b.declare_var(types::I32),
            patience: b.declare_var(types::I32),
            draws: Draws::new(b),
            arguments: from_fn(|_| b.declare_var(types::I32)),
            member: from_fn(|_| b.declare_var(types::I64)),
            drawn: b.declare_var(types::I32),
            before: BTreeMap::new(),
        }
    }
}

/// Whether playouts of a program can be made in one function, and making it is worth the while, where a set has so many words.
pub fn suits(program: &Program, words: usize) -> bool {
    let op = |address: Address| program.code[usize::from(address)];
    let mut size = 0;
    let mut suits = |decision: &DecisionCode| {
        let reached = routine(program, decision.offer);
        let draws = decision.draws.iter().flat_map(|&from| routine(program, from));
        let draws: Vec<Address> = draws.collect();
        let offers = offers(program, decision.offer);
        let goes_back = |&from: &Address| {
            let op = op(from);
            op.code.roles()[2] == Role::Target && offers.iter().any(|offer| (op.c..=from).contains(offer))
        };
        let is_known = program.repetition.is_none() || decision.exact || reached.iter().any(|&address| op(address).code == Code::Sure);
        let end = program.end[decision.mover.index()];
        let drawn = draws.iter().filter(|&&address| op(address).code == Code::Offer);
        let variations = offers.iter().chain(drawn).map(|&address| program.variations[usize::from(op(address).b)].apply);
        let others = variations.chain([decision.next, decision.leave, decision.otherwise, end]);
        size += reached.len() + draws.len() + others.map(|address| routine(program, address).len()).sum::<usize>();
        decision.steps.is_none() && is_known && !reached.iter().any(goes_back)
    };
    program.decisions.iter().all(&mut suits) && size * words <= MOST_INSTRUCTIONS
}

impl<const W: usize> Writer<'_, '_, W> {
    /// Where a playout can come to from the offers of a decision, besides what their instructions say.
    pub(super) fn after_offers(&self, playout: &Playout<W>, decision: u16) -> Vec<Place> {
        let mut places = vec![self.otherwise(decision), (self.program.decisions[usize::from(decision)].offer, Then::At(decision))];
        places.extend(playout.slots[usize::from(decision)].values().map(|slot| self.applying(slot.variation, decision)));
        let repetition = self.program.repetition.iter().flat_map(|rule| &rule.then);
        places.extend(repetition.map(|&then| (then, Then::Counted(decision))));
        places
    }

    pub(super) fn playout(&self) -> &Playout<W> {
        self.playout.as_ref().expect("a playout")
    }

    fn doors(&self, pool: Pool) -> Doors {
        self.playout().doors[&pool]
    }

    /// Writes what is no instruction: the beginning, and what is done at decisions.
    pub(super) fn begin_playout(&mut self) {
        let playout = self.playout();
        let [random, left, came] = [playout.random, playout.left, playout.came];
        let decisions = 0..self.program.decisions.len() as u16;
        let pools: Vec<Pool> = decisions.clone().flat_map(|decision| self.pools(decision)).collect();
        for &pool in &pools {
            let [begin, arrive, draw, withdraw] = from_fn(|_| self.b.create_block());
            if !pool.draws {
                self.b.set_cold_block(withdraw);
            }
            if pool != self.first_pool(pool.decision) {
                let offers = self.blocks[&self.made(pool)];
                [begin, offers, arrive, draw].into_iter().for_each(|block| self.b.set_cold_block(block));
            }
            self.playout.as_mut().expect("a playout").doors.insert(pool, Doors { begin, arrive, draw, withdraw });
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
        for decision in decisions.clone() {
            entries.set_entry(u128::from(decision), self.doors(self.first_pool(decision)).begin);
        }
        let nothing = self.b.create_block();
        let at = self.offering.capacity;
        entries.emit(&mut self.b, at, nothing);
        self.b.switch_to_block(nothing);
        self.leave_with(status::FULL, 0);
        for pool in pools {
            self.begin_offers(pool);
            self.arrive(pool);
            self.draw(pool);
            if pool == self.first_pool(pool.decision) {
                self.withdraw(pool);
            }
        }
    }

    /// The order of play has come to a decision.
    pub(super) fn decide(&mut self, decision: u16) {
        let begin = self.doors(self.first_pool(decision)).begin;
        self.b.ins().jump(begin, &[]);
    }

    /// The offers of a decision have been made, those that are drawn from or those that are legal.
    pub(super) fn offered(&mut self, decision: u16, draws: bool) {
        let arrive = self.doors(Pool { decision, draws }).arrive;
        self.b.ins().jump(arrive, &[]);
    }

    /// The position has been counted.
    pub(super) fn counted(&mut self, decision: u16) {
        let draw = self.doors(self.first_pool(decision)).draw;
        self.b.ins().jump(draw, &[]);
    }

    /// A requirement has failed. Where nobody drew the ply, play has come to nothing.
    pub(super) fn fail(&mut self, then: Then) {
        match then {
            Then::End(decision) => {
                let withdraw = self.doors(self.first_pool(decision)).withdraw;
                self.b.ins().jump(withdraw, &[]);
            }
            _ => self.finish(status::DRAW, 0),
        }
    }

    /// Keeps an offer among the values.
    pub(super) fn keep_offer(&mut self, address: Address, decision: u16) {
        let slot = self.playout().slots[usize::from(decision)][&address];
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

    /// The member that was drawn, as a set, where a register holds just that while a ply is made.
    pub(super) fn drawn_member(&mut self, register: u16, then: Then) -> Option<Words<W>> {
        let member = self.playout.as_ref()?.member;
        let writes =
            |op: &Op| op.operands().contains(&(Role::NumberWrite, register)) || op.operands().contains(&(Role::NumberChange, register));
        let made = self.reached.iter().filter(|place| place.1 == then).map(|place| self.op(place.0));
        let mut writers = made.filter(writes).peekable();
        let is_written = matches!(then, Then::End(_)) && !self.is_of_position(false, register) && writers.peek().is_some();
        let is_it = is_written && writers.all(|op| op.code == Code::Argument && op.x == 0);
        is_it.then(|| member.map(|word| self.b.use_var(word)))
    }

    /// Writes back what a playout hands on besides the position.
    pub(super) fn write_playout(&mut self) {
        let playout = self.playout();
        let kept = [
            (playout.random, offset_of!(Frame<W>, random)),
            (playout.left, offset_of!(Frame<W>, left)),
            (playout.at, offset_of!(Frame<W>, at)),
            (playout.came, offset_of!(Frame<W>, came)),
        ];
        for (variable, offset) in kept {
            let value = self.b.use_var(variable);
            self.store(value, offset);
        }
    }

    fn slots(&self, pool: Pool) -> Vec<Slot<W>> {
        self.playout().slots[usize::from(pool.decision)].values().filter(|slot| slot.draws == pool.draws).copied().collect()
    }

    fn begin_offers(&mut self, pool: Pool) {
        self.b.switch_to_block(self.doors(pool).begin);
        let none = self.b.ins().iconst(types::I64, 0);
        let zero = self.b.ins().iconst(types::I32, 0);
        for slot in self.slots(pool) {
            slot.members.into_iter().for_each(|word| self.b.def_var(word, none));
            slot.held.into_iter().for_each(|held| self.b.def_var(held, zero));
        }
        self.b.def_var(self.sure, zero);
        if pool == self.first_pool(pool.decision) {
            let here = self.b.ins().iconst(types::I32, i64::from(pool.decision));
            self.b.def_var(self.playout().at, here);
            let all = self.b.ins().iconst(types::I32, i64::from(PATIENCE));
            self.b.def_var(self.playout().patience, all);
        }
        self.jump(self.made(pool));
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
    fn arrive(&mut self, pool: Pool) {
        let Doors { arrive, draw, .. } = self.doors(pool);
        let decision = pool.decision;
        let slots = self.slots(pool);
        self.b.switch_to_block(arrive);
        let counts = self.counts(&slots);
        let some = self.b.create_block();
        let otherwise = self.blocks[&self.otherwise(decision)];
        let total = counts[slots.len()];
        if pool != self.first_pool(decision) {
            self.b.ins().brif(total, draw, &[], some, &[]);
            self.b.switch_to_block(some);
            self.undo_draws();
            self.b.ins().jump(otherwise, &[]);
            return;
        }
        self.b.ins().brif(total, some, &[], otherwise, &[]);
        self.b.switch_to_block(some);
        if pool.draws {
            self.begin_draws(decision);
        }
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
        // A position that has arisen before had a legal ply then, and so it is known to have one now.
        let yes = self.b.ins().iconst(types::I32, 1);
        self.b.def_var(self.playout().draws.counted, yes);
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

    /// Writes the draw of a ply.
    fn draw(&mut self, pool: Pool) {
        let Doors { draw, .. } = self.doors(pool);
        let decision = pool.decision;
        let slots = self.slots(pool);
        let Playout { random, left, came, patience, draws, drawn, .. } = *self.playout();
        self.b.switch_to_block(draw);
        if slots.is_empty() {
            return self.jump(self.otherwise(decision));
        }
        let [on, some, none] = from_fn(|_| self.b.create_block());
        self.b.set_cold_block(none);
        let plies = self.b.use_var(left);
        if pool.draws {
            let available = self.b.use_var(draws.tries);
            let legal = self.doors(Pool { draws: false, ..pool }).begin;
            self.b.ins().brif(available, on, &[], legal, &[]);
        } else {
            let over = self.b.create_block();
            self.b.set_cold_block(over);
            self.b.ins().brif(plies, on, &[], over, &[]);
            self.b.switch_to_block(over);
            let nowhere = self.b.ins().iconst(types::I32, -1);
            self.b.def_var(came, nowhere);
            self.finish(status::DECIDE, decision);
        }
        self.b.switch_to_block(on);
        let counts = self.counts(&slots);
        let total = counts[slots.len()];
        self.b.ins().brif(total, some, &[], none, &[]);
        self.b.switch_to_block(none);
        // All that was offered has turned out to be illegal.
        if pool.draws {
            self.undo_draws();
        } else {
            let nowhere = self.b.ins().iconst(types::I32, -1);
            self.b.def_var(came, nowhere);
        }
        self.jump(self.otherwise(decision));
        self.b.switch_to_block(some);
        let rank = self.below(random, total);
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
        for (register, before) in self.kept() {
            self.copy(register, before);
        }
        let blocks: Vec<Block> = slots.iter().map(|_| self.b.create_block()).collect();
        self.choose(rank, &counts, &blocks);
        for (index, (slot, block)) in slots.iter().zip(blocks).enumerate() {
            self.b.switch_to_block(block);
            let members: Words<W> = slot.members.map(|word| self.b.use_var(word));
            let rank = self.b.ins().isub(rank, counts[index]);
            let single = self.nth(&members, rank);
            let member = words::lowest(&mut self.b, &single);
            let Playout { arguments, member: set, .. } = *self.playout();
            set.into_iter().zip(single).for_each(|(variable, word)| self.b.def_var(variable, word));
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

    /// Takes a ply back and out of what is offered.
    fn withdraw(&mut self, pool: Pool) {
        let Doors { draw, withdraw, .. } = self.doors(pool);
        let slots = self.slots(pool);
        let Playout { left, patience, draws, member, drawn, .. } = *self.playout();
        self.b.switch_to_block(withdraw);
        if pool.draws {
            let available = self.b.use_var(draws.tries);
            let available = self.b.ins().iadd_imm_s(available, -1);
            self.b.def_var(draws.tries, available);
        }
        for (register, before) in self.kept() {
            self.copy(before, register);
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
        let member = member.map(|word| self.b.use_var(word));
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

    /// The registers that a ply may change, and where they are as they were before it.
    fn kept(&self) -> Vec<(Register<W>, Register<W>)> {
        self.playout().before.iter().map(|(key, &before)| (self.registers[key], before)).collect()
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

    /// Whether the function is a playout.
    pub(super) fn is_playout(&self) -> bool {
        matches!(self.recipe, Recipe::Playout)
    }
}
