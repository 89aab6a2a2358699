//! Playouts: random plies, one after the other, in one function.
//!
//! From ply to ply the position stays in values. What is offered is never written down: every offer of a decision is a set among the values, and one of all members is drawn. A ply that turns out to be
//! illegal is taken back and withdrawn, and another one drawn. The draws are those of the interpreter, one by one.
//!
//! A turn within `steps` is tried: its plies are drawn from what is offered, without a look ahead. If all of its steps can be made and the ending condition holds after the last, which is drawn again while it
//! does not, every one of them was legal. If not, the turn is taken back and handed over, to be played with the same draws by those who look ahead. So it is when the game ends in the middle.
//!
//! It is not for all programs: the plies of a decision that makes offers in a loop take more than that. Where a decision must be known to have a legal ply before it is drawn, and is not, play is
//! handed over.

use super::super::super::frame::{Frame, HELD};
use super::super::super::machine::{MOST_ROUNDS, PATIENCE, TRIAL};
use super::super::helpers::Helpers;
use super::super::status;
use super::super::words::{self, Words};
use super::graph::{kin, offers, routine};
use super::pool::{Draws, Pool};
use super::{Place, Recipe, Register, Then, Writer};
use crate::compile::op::{Code, Role};
use crate::compile::program::{Address, DecisionCode, Program};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, StackSlot, StackSlotData, StackSlotKind, Value, types};
use cranelift_frontend::{FunctionBuilder, Switch, Variable};
use std::array::from_fn;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::mem::offset_of;

/// A function is not made of more instructions, counted once for each word of a set: what making it takes grows faster than they do.
const MOST_INSTRUCTIONS: usize = 8_000;

/// An offer: the members that are left of it, and what is held for it where the program holds anything.
#[derive(Clone, Copy)]
struct Slot<const W: usize> {
    variation: u16,
    members: [Variable; W],
    held: Option<[Variable; HELD]>,
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
    /// What was held for the ply, and its member.
    held: [Variable; HELD],
    site: Variable,
    /// The member as a set of one site.
    member: [Variable; W],
    /// Which of the offers was drawn from.
    drawn: Variable,
    /// Where some decision is within `steps`: one more than the decision that the turn which is being tried began with, or 0; and where such a turn is taken back. The frame is then as it was when the turn
    /// began.
    trial: Option<(Variable, Block)>,
    /// For every decision the first one after whose plies the same is looked at.
    pub(super) kin: Vec<u16>,
    /// Where what nobody reads is written.
    scratch: StackSlot,
    /// The position before the ply.
    before: BTreeMap<(bool, u16), Register<W>>,
}

impl<const W: usize> Playout<W> {
    pub fn new(b: &mut FunctionBuilder, program: &Program) -> Playout<W> {
        let holds = program.code.iter().any(|op| op.code == Code::Hold);
        let mut slot = |address: Address, draws: bool| Slot {
            variation: program.code[usize::from(address)].b,
            members: from_fn(|_| b.declare_var(types::I64)),
            held: holds.then(|| from_fn(|_| b.declare_var(types::I32))),
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
            held: from_fn(|_| b.declare_var(types::I32)),
            site: b.declare_var(types::I32),
            member: from_fn(|_| b.declare_var(types::I64)),
            drawn: b.declare_var(types::I32),
            trial: program.decisions.iter().any(|decision| decision.steps.is_some()).then(|| (b.declare_var(types::I32), b.create_block())),
            kin: kin(program),
            scratch: b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3)),
            before: BTreeMap::new(),
        }
    }
}

/// Whether playouts of a program can be made in one function, and making it is worth the while, where a set has so many words.
pub fn suits(program: &Program, words: usize) -> bool {
    let op = |address: Address| program.code[usize::from(address)];
    let mut flow = BTreeSet::new();
    let mut size = 0;
    let mut suits = |decision: &DecisionCode| {
        let reached = routine(program, decision.offer);
        let draws: Vec<Address> = decision.draws.iter().flat_map(|&from| routine(program, from)).collect();
        let offers = offers(program, decision.offer);
        let goes_back = |&from: &Address| {
            let op = op(from);
            op.code.roles()[2] == Role::Target && offers.iter().any(|offer| (op.c..=from).contains(offer))
        };
        let is_known = program.repetition.is_none() || decision.exact || reached.iter().any(|&address| op(address).code == Code::Sure);
        let drawn = draws.iter().filter(|&&address| op(address).code == Code::Offer);
        let variations = offers.iter().chain(drawn).map(|&address| program.variations[usize::from(op(address).b)].apply);
        let ending = decision.steps.map(|steps| steps.ending);
        let own = variations.chain([program.end[decision.mover.index()]]).chain(ending);
        // The offers are made in two places: at first, and after a ply; or after some draws, which are made in one.
        size += if draws.is_empty() { 2 * reached.len() } else { reached.len() + draws.len() };
        size += own.map(|address| routine(program, address).len()).sum::<usize>();
        flow.extend([decision.next, decision.leave, decision.otherwise].into_iter().flat_map(|address| routine(program, address)));
        is_known && (decision.steps.is_none() || program.repetition.is_none()) && !reached.iter().any(goes_back)
    };
    program.decisions.iter().all(&mut suits) && (size + flow.len()) * words <= MOST_INSTRUCTIONS
}

impl<const W: usize> Writer<'_, '_, W> {
    /// Where a playout can come to from the offers of a decision, besides what their instructions say.
    pub(super) fn after_offers(&self, playout: &Playout<W>, decision: u16) -> Vec<Place> {
        let mut places = vec![self.otherwise(decision)];
        places.extend(self.pools(decision).into_iter().skip(1).map(|pool| self.made(pool)));
        places.extend(playout.slots[usize::from(decision)].values().map(|slot| self.applying(slot.variation, decision)));
        let repetition = self.program.repetition.iter().flat_map(|rule| &rule.then);
        places.extend(repetition.map(|&then| (then, Then::Counted(decision))));
        places
    }

    /// What is looked at after the last ply within `steps`.
    pub(super) fn completing(&self, decision: u16) -> Option<Place> {
        let steps = self.program.decisions[usize::from(decision)].steps?;
        Some((steps.ending, Then::Completed(decision)))
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
        if let Some((trial, _)) = self.playout().trial {
            let none = self.b.ins().iconst(types::I32, 0);
            self.b.def_var(trial, none);
        }
        let mut entries = Switch::new();
        let firsts: Vec<Block> = decisions.clone().map(|_| self.b.create_block()).collect();
        for (decision, &first) in decisions.clone().zip(&firsts) {
            entries.set_entry(u128::from(decision), first);
        }
        let nothing = self.b.create_block();
        let at = self.offering.capacity;
        entries.emit(&mut self.b, at, nothing);
        self.b.switch_to_block(nothing);
        self.leave_with(status::FULL, 0);
        for (decision, first) in decisions.zip(firsts) {
            let pool = self.first_pool(decision);
            if pool.draws {
                self.b.switch_to_block(first);
                self.decide(decision);
            } else {
                self.begin_offers(pool, first, self.first_offering(decision));
            }
        }
        for pool in pools {
            self.begin_offers(pool, self.doors(pool).begin, self.made(pool));
            self.arrive(pool);
            self.draw(pool);
            self.withdraw(pool);
        }
        self.take_back();
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
            Then::End(decision) | Then::Completed(decision) => {
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
        for (variable, held) in slot.held.into_iter().flatten().zip(self.held.into_iter().flatten()) {
            let held = self.b.use_var(held);
            let held = self.b.ins().sextend(types::I32, held);
            self.b.def_var(variable, held);
        }
    }

    /// An argument of the ply that is made.
    pub(super) fn drawn_argument(&mut self, index: u8) -> Value {
        let playout = self.playout();
        let argument = index.checked_sub(1).map_or(playout.site, |index| playout.held[usize::from(index)]);
        self.b.use_var(argument)
    }

    /// The member that was drawn, as a set, in a playout.
    pub(super) fn drawn_member(&mut self) -> Option<Words<W>> {
        let member = self.playout.as_ref()?.member;
        Some(member.map(|word| self.b.use_var(word)))
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

    /// Begins to make the offers of a pool where it can be come to so.
    fn begin_offers(&mut self, pool: Pool, begin: Block, place: Place) {
        if !self.blocks.contains_key(&place) {
            return;
        }
        self.b.switch_to_block(begin);
        let none = self.b.ins().iconst(types::I64, 0);
        let zero = self.b.ins().iconst(types::I32, 0);
        for slot in self.slots(pool) {
            slot.members.into_iter().for_each(|word| self.b.def_var(word, none));
            slot.held.into_iter().flatten().for_each(|held| self.b.def_var(held, zero));
        }
        self.b.def_var(self.sure, zero);
        self.jump(place);
    }

    /// How many members each of the offers has.
    fn counts(&mut self, slots: &[Slot<W>]) -> Vec<Value> {
        let count = |slot: &Slot<W>| {
            let members = slot.members.map(|word| self.b.use_var(word));
            words::count(&mut self.b, &members)
        };
        slots.iter().map(count).collect()
    }

    /// How many members the offers have before each.
    fn before(&mut self, counts: &[Value]) -> Vec<Value> {
        let mut sum = self.b.ins().iconst(types::I32, 0);
        let before = counts.iter().map(|&count| {
            let before = sum;
            sum = self.b.ins().iadd(sum, count);
            before
        });
        before.collect()
    }

    /// Writes what is done when offers have been made: where there are some, the position is counted if repetition matters.
    fn arrive(&mut self, pool: Pool) {
        let Doors { arrive, draw, .. } = self.doors(pool);
        let decision = pool.decision;
        let slots = self.slots(pool);
        self.b.switch_to_block(arrive);
        if pool != self.first_pool(decision) {
            let counts = self.counts(&slots);
            let none = self.b.create_block();
            let total = self.sum(counts);
            self.b.ins().brif(total, draw, &[], none, &[]);
            self.b.switch_to_block(none);
            self.undo_draws();
            return self.jump(self.otherwise(decision));
        }
        let here = self.b.ins().iconst(types::I32, i64::from(decision));
        self.b.def_var(self.playout().at, here);
        let all = self.b.ins().iconst(types::I32, i64::from(PATIENCE));
        self.b.def_var(self.playout().patience, all);
        let counts = self.counts(&slots);
        let [some, none] = from_fn(|_| self.b.create_block());
        let total = self.sum(counts);
        self.b.ins().brif(total, some, &[], none, &[]);
        self.b.switch_to_block(none);
        self.keep_or_take_back();
        self.jump(self.otherwise(decision));
        self.b.switch_to_block(some);
        self.try_turn(decision);
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
        let [count, known, often, full] = from_fn(|_| self.b.create_block());
        [known, often, full].into_iter().for_each(|block| self.b.set_cold_block(block));
        let by_ply = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, came, 0);
        self.b.ins().brif(by_ply, count, &[], draw, &[]);
        self.b.switch_to_block(count);
        let hash = self.hash(decision);
        if pool.draws {
            let yes = self.b.ins().iconst(types::I32, 1);
            self.b.def_var(self.playout().draws.counted, yes);
        }
        self.push(hash, [draw, known, full]);
        self.b.switch_to_block(full);
        self.finish(status::DECIDE, decision);
        // A position that has arisen before had a legal ply then, and so it is known to have one now.
        self.b.switch_to_block(known);
        let history = self.offering.room;
        let times = self.helpers.number(&mut self.b, Helpers::ARISEN, &[history, hash]);
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
        let on = self.b.create_block();
        let plies = self.b.use_var(left);
        if pool.draws {
            let tries = self.b.use_var(draws.tries);
            let legal = self.doors(Pool { draws: false, ..pool }).begin;
            self.b.ins().brif(tries, on, &[], legal, &[]);
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
        let before = self.before(&counts);
        let total = self.sum(counts);
        if self.can_fail(pool) {
            let [some, none] = from_fn(|_| self.b.create_block());
            self.b.set_cold_block(none);
            self.b.ins().brif(total, some, &[], none, &[]);
            self.b.switch_to_block(none);
            // All that was offered has turned out to be illegal.
            self.keep_or_take_back();
            if pool.draws {
                self.undo_draws();
            } else {
                let nowhere = self.b.ins().iconst(types::I32, -1);
                self.b.def_var(came, nowhere);
            }
            self.jump(self.otherwise(decision));
            self.b.switch_to_block(some);
        }
        let rank = self.below(random, total);
        let less = self.b.ins().iadd_imm_s(plies, -1);
        self.b.def_var(left, less);
        if self.program.repetition.is_some() {
            let here = self.b.ins().iconst(types::I32, i64::from(decision));
            self.b.def_var(came, here);
        }
        let none = self.b.ins().iconst(types::I32, 0);
        self.b.def_var(self.leaves, none);
        if self.counts_rounds {
            let available = self.b.use_var(patience);
            let most = self.b.ins().iconst(types::I32, i64::from(MOST_ROUNDS));
            let granted = self.b.ins().umin(available, most);
            self.b.def_var(self.rounds, granted);
        }
        for (register, before) in self.kept() {
            self.copy(register, before);
        }
        let blocks: Vec<Block> = slots.iter().map(|_| self.b.create_block()).collect();
        self.choose(rank, &before, &blocks);
        for (index, (slot, block)) in slots.iter().zip(blocks).enumerate() {
            self.b.switch_to_block(block);
            let members: Words<W> = slot.members.map(|word| self.b.use_var(word));
            let rank = self.b.ins().isub(rank, before[index]);
            let single = self.nth(&members, rank);
            let member = words::lowest(&mut self.b, &single);
            let Playout { held, site, member: set, .. } = *self.playout();
            set.into_iter().zip(single).for_each(|(variable, word)| self.b.def_var(variable, word));
            self.b.def_var(site, member);
            for (argument, held) in held.into_iter().zip(slot.held.into_iter().flatten()) {
                let held = self.b.use_var(held);
                self.b.def_var(argument, held);
            }
            let index = self.b.ins().iconst(types::I32, index as i64);
            self.b.def_var(drawn, index);
            self.jump(self.applying(slot.variation, decision));
        }
    }

    /// Begins to try a turn where the decision is within `steps` and the turn is not being tried yet. If there are not as many plies to be made as it has steps, play is handed over.
    fn try_turn(&mut self, decision: u16) {
        let Some(steps) = self.program.decisions[usize::from(decision)].steps else { return };
        let Playout { trial: Some((trial, _)), left, .. } = *self.playout() else { return };
        let [begin, long, on] = from_fn(|_| self.b.create_block());
        self.b.set_cold_block(long);
        let is_tried = self.b.use_var(trial);
        self.b.ins().brif(is_tried, on, &[], begin, &[]);
        self.b.switch_to_block(begin);
        self.write_frame();
        let (plies, most) = (self.b.use_var(left), self.number(steps.left));
        let is_long = self.b.ins().icmp(IntCC::UnsignedLessThan, plies, most);
        let tried = self.b.ins().iconst(types::I32, i64::from(decision) + 1);
        let on_trial = self.b.create_block();
        self.b.ins().brif(is_long, long, &[], on_trial, &[]);
        self.b.switch_to_block(long);
        self.leave_with(status::DECIDE, decision);
        self.b.switch_to_block(on_trial);
        self.b.def_var(trial, tried);
        self.b.ins().jump(on, &[]);
        self.b.switch_to_block(on);
    }

    /// The decisions after whose plies the same is looked at as after those of the first of them.
    pub(super) fn kin(&self, first: u16) -> Vec<u16> {
        (0..).zip(&self.playout().kin).filter(|(_, kin)| **kin == first).map(|(decision, _)| decision).collect()
    }

    /// A ply of one of the decisions after which the same is looked at has been made, and the game is not over.
    pub(super) fn after_ply(&mut self, first: u16) {
        let others = self.kin(first).into_iter().skip(1).map(|decision| (decision, self.b.create_block()));
        let others: Vec<(u16, Block)> = others.collect();
        let mut decisions = Switch::new();
        others.iter().for_each(|&(decision, block)| decisions.set_entry(u128::from(decision), block));
        let (at, block) = (self.b.use_var(self.playout().at), self.b.create_block());
        decisions.emit(&mut self.b, at, block);
        for (decision, block) in others.into_iter().chain([(first, block)]) {
            self.b.switch_to_block(block);
            self.step_or_go_on(decision);
        }
    }

    /// A ply has been made, and the game is not over. The last one within `steps` must leave the ending condition true.
    pub(super) fn step_or_go_on(&mut self, decision: u16) {
        if let (Some(steps), Some(completing)) = (self.program.decisions[usize::from(decision)].steps, self.completing(decision)) {
            let left = self.number(steps.left);
            let mut is_last = self.b.ins().icmp_imm_s(IntCC::SignedLessThanOrEqual, left, 1);
            if self.onward(decision).len() > 1 {
                let leaves = self.b.use_var(self.leaves);
                let leaves = self.b.ins().icmp_imm_u(IntCC::NotEqual, leaves, 0);
                is_last = self.b.ins().bor(is_last, leaves);
            }
            let more = self.b.create_block();
            let completing = self.blocks[&completing];
            self.b.ins().brif(is_last, completing, &[], more, &[]);
            self.b.switch_to_block(more);
        }
        self.go_on(decision);
    }

    /// The turn that was tried is completed.
    pub(super) fn complete(&mut self, decision: u16) {
        if let Some((trial, _)) = self.playout().trial {
            let none = self.b.ins().iconst(types::I32, 0);
            self.b.def_var(trial, none);
        }
        self.go_on(decision);
    }

    /// Goes on where no turn is being tried. One that is, is taken back: it has come to an end before it was completed.
    pub(super) fn keep_or_take_back(&mut self) {
        let Some((trial, back)) = self.playout.as_ref().and_then(|playout| playout.trial) else { return };
        let on = self.b.create_block();
        let tried = self.b.use_var(trial);
        self.b.ins().brif(tried, back, &[], on, &[]);
        self.b.switch_to_block(on);
    }

    /// Writes what is done when a turn is taken back: play is handed over at its beginning.
    fn take_back(&mut self) {
        let Some((trial, back)) = self.playout().trial else { return };
        self.b.set_cold_block(back);
        self.b.switch_to_block(back);
        let tried = self.b.use_var(trial);
        let decision = self.b.ins().iadd_imm_s(tried, -1);
        let decision = self.b.ins().uextend(types::I64, decision);
        let shifted = self.b.ins().ishl_imm_u(decision, 8);
        let status = self.b.ins().bor_imm_u(shifted, status::DECIDE as i64);
        self.b.ins().return_(&[status]);
    }

    /// Has what the offers come to so far worked out here, before the ways part. (Code is placed where it is needed first: where both ways need it, that would be twice.)
    pub(super) fn settle_offers(&mut self, (address, then): Place) {
        let (Then::At(decision) | Then::First(decision) | Then::Drawn(decision)) = then else { return };
        let Some(playout) = &self.playout else { return };
        let since = (0..address).rev().take_while(|&before| self.op(before).code.roles()[2] != Role::Target);
        let slots = since.filter_map(|address| playout.slots[usize::from(decision)].get(&address)).copied().collect::<Vec<_>>();
        let scratch = playout.scratch;
        for word in slots.into_iter().flat_map(|slot| slot.members) {
            let word = self.b.use_var(word);
            self.b.ins().stack_store(types::I64, word, scratch, 0);
        }
    }

    /// Whether a ply that is drawn from there can turn out to be illegal.
    fn can_fail(&self, pool: Pool) -> bool {
        let decision = pool.decision;
        let fails = |&(address, then): &Place| {
            self.op(address).code == Code::Fail && (then == Then::End(decision) || then == Then::Completed(decision))
        };
        pool == self.first_pool(decision) && self.reached.iter().any(fails)
    }

    /// Takes a ply back and out of what is offered.
    fn withdraw(&mut self, pool: Pool) {
        if !self.can_fail(pool) {
            return;
        }
        let Doors { draw, withdraw, .. } = self.doors(pool);
        let slots = self.slots(pool);
        let Playout { left, patience, draws, member, drawn, .. } = *self.playout();
        self.b.switch_to_block(withdraw);
        if pool.draws {
            let tries = self.b.use_var(draws.tries);
            let tries = self.b.ins().iadd_imm_s(tries, -1);
            self.b.def_var(draws.tries, tries);
        }
        for (register, before) in self.kept() {
            self.copy(before, register);
        }
        let plies = self.b.use_var(left);
        let plies = self.b.ins().iadd_imm_s(plies, 1);
        self.b.def_var(left, plies);
        if self.counts_rounds {
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
        }
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
