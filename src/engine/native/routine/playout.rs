//! Playouts: random plies, one after the other, in one function.
//!
//! From ply to ply the position stays in values. What is offered is never written down: every offer
//! of a decision is a set among the values, and one of all members is drawn. A ply that turns out
//! to be illegal is taken back and withdrawn, and another one drawn. The draws are those of the
//! interpreter, one by one.
//!
//! A turn within `steps` is tried: its plies are drawn from what is offered, without a look ahead.
//! If all of its steps can be made and the ending condition holds after the last, which is drawn
//! again while it does not, every one of them was legal. If not, the turn is taken back and handed
//! over, to be played with the same draws by those who look ahead. So it is when the game ends in
//! the middle.
//!
//! It is not for all programs: the plies of a decision that makes offers in a loop take more than
//! that. Where a decision must be known to have a legal ply before it is drawn, and is not, play is
//! handed over.

use super::super::super::frame::MAX_PREFIX;
use super::super::super::machine::PLY_FUEL;
use super::super::helpers::Helpers;
use super::super::set_ops::{self, Variables};
use super::super::status;
use super::graph::{end_classes, move_set_addresses};
use super::pool::{Pool, ProposalState};
use super::{Continuation, FunctionEmitter, FunctionKind, ProgramPoint, Register};
use crate::compile::op::{Code, OperandRole};
use crate::compile::program::{Address, DecisionCode, Program};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, StackSlot, StackSlotData, StackSlotKind, types};
use cranelift_frontend::{FunctionBuilder, Switch, Variable};
use std::array::from_fn;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A function is not made of more instructions, counted once for each word of a set: what making it
/// takes grows faster than they do.
const MOST_INSTRUCTIONS: usize = 8_000;

/// After so many decisions without a legal ply a playout hands play over.
const MOST_PASSES: i64 = 1 << 12;

/// An offer: the members that are left of it, and what is held for it where the program holds
/// anything.
#[derive(Clone)]
pub(super) struct Slot {
    pub(super) specialization: u16,
    pub(super) members: Variables,
    pub(super) prefix: Option<[Variable; MAX_PREFIX]>,
    /// Whether it is one of the draws.
    pub(super) proposals: bool,
}

/// The blocks of a pool that are no instruction's.
#[derive(Clone, Copy)]
pub(super) struct PoolBlocks {
    /// Its offers are to be made.
    pub(super) begin: Block,
    /// They have been made.
    pub(super) arrive: Block,
    /// A ply is to be drawn.
    pub(super) sample: Block,
    /// The ply that was drawn is illegal.
    pub(super) withdraw: Block,
}

/// What only playouts have to do with.
pub struct Playout {
    /// By decision, where each of its offers is made.
    pub(super) slots: Vec<BTreeMap<Address, Slot>>,
    pub(super) pool_blocks: HashMap<Pool, PoolBlocks>,
    /// The generator's state, and how many plies may still be made.
    pub(super) random: Variable,
    pub(super) left: Variable,
    /// The decision that was come to last, and that of the ply that led to where play is; -1 where
    /// no ply did.
    pub(super) at: Variable,
    pub(super) last_ply_decision: Variable,
    /// How many rounds are left of the decision at hand, those granted to what is tried included.
    pub(super) ply_fuel: Variable,
    pub(super) proposals: ProposalState,
    /// Which of the offers was drawn from.
    pub(super) sampled_set: Variable,
    /// Where some decision is within `steps`: one more than the decision that the turn which is
    /// being tried began with, or 0; and where such a turn is taken back. The frame is then as it
    /// was when the turn began.
    pub(super) trial: Option<(Variable, Block)>,
    /// Maps each decision to the first whose end-of-ply code is identical, so that they share
    /// blocks.
    pub(super) end_classes: Vec<u16>,
    /// Where what nobody reads is written.
    pub(super) scratch: StackSlot,
    /// The position before the ply.
    pub(super) before: BTreeMap<(bool, u16), Register>,
}

impl Playout {
    /// What a playout of a program whose sets have so many words has to do with.
    pub fn new(b: &mut FunctionBuilder, program: &Program, width: usize) -> Playout {
        let holds = program.code.iter().any(|op| op.code == Code::SetPrefix);
        let mut slot = |address: Address, proposals: bool| Slot {
            specialization: program.code[usize::from(address)].b,
            members: set_ops::variables(b, width),
            prefix: holds.then(|| from_fn(|_| b.declare_var(types::I32))),
            proposals,
        };
        let mut slots = |decision: &DecisionCode| {
            let legal = move_set_addresses(program, decision.generate_moves)
                .into_iter()
                .map(|address| (address, false));
            let proposals = decision
                .proposals
                .into_iter()
                .flat_map(|from| move_set_addresses(program, from))
                .map(|address| (address, true));
            legal
                .chain(proposals)
                .map(|(address, proposals)| (address, slot(address, proposals)))
                .collect()
        };
        Playout {
            slots: program.decisions.iter().map(&mut slots).collect(),
            pool_blocks: HashMap::new(),
            random: b.declare_var(types::I64),
            left: b.declare_var(types::I32),
            at: b.declare_var(types::I32),
            last_ply_decision: b.declare_var(types::I32),
            ply_fuel: b.declare_var(types::I32),
            proposals: ProposalState::new(b),
            sampled_set: b.declare_var(types::I32),
            trial: program
                .decisions
                .iter()
                .any(|decision| decision.steps.is_some())
                .then(|| (b.declare_var(types::I32), b.create_block())),
            end_classes: end_classes(program),
            scratch: b.create_sized_stack_slot(StackSlotData::new(
                StackSlotKind::ExplicitSlot,
                8,
                3,
            )),
            before: BTreeMap::new(),
        }
    }
}

/// Whether playouts of a program can be made in one function, and making it is worth the while,
/// where a set has so many words.
pub fn suits(program: &Program, words: usize) -> bool {
    let op = |address: Address| program.code[usize::from(address)];
    let mut flow = BTreeSet::new();
    let mut size = 0;
    let mut suits = |decision: &DecisionCode| {
        let reached = program.routine(decision.generate_moves);
        let proposals: Vec<Address> =
            decision.proposals.iter().flat_map(|&from| program.routine(from)).collect();
        let move_sets = move_set_addresses(program, decision.generate_moves);
        let goes_back = |&from: &Address| {
            let op = op(from);
            op.code.roles()[2] == OperandRole::Target
                && move_sets.iter().any(|move_set| (op.c..=from).contains(move_set))
        };
        let is_known = program.repetition.is_none()
            || decision.exact
            || reached.iter().any(|&address| op(address).code == Code::GuardAllLegal);
        let sampled_set = proposals.iter().filter(|&&address| op(address).code == Code::AddMoveSet);
        let specializations = move_sets
            .iter()
            .chain(sampled_set)
            .map(|&address| program.specializations[usize::from(op(address).b)].apply);
        let ending = decision.steps.map(|steps| steps.ending);
        let own = specializations.chain([program.end[decision.mover.index()]]).chain(ending);
        // The offers are made in two places: at first, and after a ply; or after some draws, which
        // are made in one.
        size +=
            if proposals.is_empty() { 2 * reached.len() } else { reached.len() + proposals.len() };
        size += own.map(|address| program.routine(address).len()).sum::<usize>();
        flow.extend(
            [decision.next, decision.leave, decision.otherwise]
                .into_iter()
                .flat_map(|address| program.routine(address)),
        );
        is_known
            && (decision.steps.is_none() || program.repetition.is_none())
            && !reached.iter().any(goes_back)
    };
    program.decisions.iter().all(&mut suits) && (size + flow.len()) * words <= MOST_INSTRUCTIONS
}

impl FunctionEmitter<'_, '_> {
    /// Where a playout can come to from the offers of a decision, besides what their instructions
    /// say.
    pub(super) fn after_generation(&self, playout: &Playout, decision: u16) -> Vec<ProgramPoint> {
        let mut places = vec![self.otherwise(decision)];
        places.extend(self.pools(decision).into_iter().skip(1).map(|pool| self.made(pool)));
        places.extend(
            playout.slots[usize::from(decision)]
                .values()
                .map(|slot| self.applying(slot.specialization, decision)),
        );
        let repetition = self.program.repetition.iter().flat_map(|rule| &rule.then);
        places.extend(repetition.map(|&then| (then, Continuation::Counted(decision))));
        places
    }

    pub(super) fn playout(&self) -> &Playout {
        self.playout.as_ref().expect("a playout")
    }

    pub(super) fn pool_blocks(&self, pool: Pool) -> PoolBlocks {
        self.playout().pool_blocks[&pool]
    }

    /// Writes what is no instruction: the beginning, and what is done at decisions.
    pub(super) fn begin_playout(&mut self) {
        let playout = self.playout();
        let [random, left, last_ply_decision] =
            [playout.random, playout.left, playout.last_ply_decision];
        let decisions = 0..self.program.decisions.len() as u16;
        let pools: Vec<Pool> =
            decisions.clone().flat_map(|decision| self.pools(decision)).collect();
        for &pool in &pools {
            let [begin, arrive, sample, withdraw] = from_fn(|_| self.b.create_block());
            if !pool.proposals {
                self.b.set_cold_block(withdraw);
            }
            if pool != self.first_pool(pool.decision) {
                let move_sets = self.blocks[&self.made(pool)];
                [begin, move_sets, arrive, sample]
                    .into_iter()
                    .for_each(|block| self.b.set_cold_block(block));
            }
            self.playout
                .as_mut()
                .expect("a playout")
                .pool_blocks
                .insert(pool, PoolBlocks { begin, arrive, sample, withdraw });
        }
        for (is_set, register) in self.written.clone() {
            let before = Register::new(&mut self.b, is_set, self.layout.width);
            self.playout.as_mut().expect("a playout").before.insert((is_set, register), before);
        }
        self.read_frame();
        let state = self.load(types::I64, self.layout.random);
        self.b.def_var(random, state);
        let none = self.b.ins().iconst(types::I32, 0);
        self.store(none, self.layout.passes);
        let plies = self.load(types::I32, self.layout.left);
        self.b.def_var(left, plies);
        let nowhere = self.b.ins().iconst(types::I32, -1);
        self.b.def_var(last_ply_decision, nowhere);
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
        let at = self.move_set_buffer.capacity;
        entries.emit(&mut self.b, at, nothing);
        self.b.switch_to_block(nothing);
        self.leave_with(status::FULL, 0);
        for (decision, first) in decisions.zip(firsts) {
            let pool = self.first_pool(decision);
            if pool.proposals {
                self.b.switch_to_block(first);
                self.decide(decision);
            } else {
                self.begin_pool(pool, first, self.first_playout_pool_start(decision));
            }
        }
        for pool in pools {
            self.begin_pool(pool, self.pool_blocks(pool).begin, self.made(pool));
            self.arrive(pool);
            self.sample(pool);
            self.withdraw(pool);
        }
        self.take_back();
    }

    /// The order of play has come to a decision.
    pub(super) fn decide(&mut self, decision: u16) {
        let begin = self.pool_blocks(self.first_pool(decision)).begin;
        self.b.ins().jump(begin, &[]);
    }

    /// The offers of a decision have been made, those that are drawn from or those that are legal.
    pub(super) fn pool_filled(&mut self, decision: u16, proposals: bool) {
        let arrive = self.pool_blocks(Pool { decision, proposals }).arrive;
        self.b.ins().jump(arrive, &[]);
    }

    /// The position has been counted.
    pub(super) fn counted(&mut self, decision: u16) {
        let sample = self.pool_blocks(self.first_pool(decision)).sample;
        self.b.ins().jump(sample, &[]);
    }

    /// A requirement has failed. Where nobody drew the ply, play has come to nothing.
    pub(super) fn fail(&mut self, then: Continuation) {
        match then {
            Continuation::End(decision) | Continuation::Completed(decision) => {
                let withdraw = self.pool_blocks(self.first_pool(decision)).withdraw;
                self.b.ins().jump(withdraw, &[]);
            }
            _ => self.finish(status::DRAW, 0),
        }
    }

    /// Keeps an offer among the values.
    pub(super) fn keep_move_set(&mut self, address: Address, decision: u16) {
        let slot = self.playout().slots[usize::from(decision)][&address].clone();
        let members = self.words(self.op(address).a);
        set_ops::define(&mut self.b, &slot.members, &members);
        for (variable, prefix) in
            slot.prefix.into_iter().flatten().zip(self.prefix.into_iter().flatten())
        {
            let prefix = self.b.use_var(prefix);
            let prefix = self.b.ins().sextend(types::I32, prefix);
            self.b.def_var(variable, prefix);
        }
    }

    /// Writes back what a playout hands on besides the position.
    pub(super) fn write_playout(&mut self) {
        let playout = self.playout();
        let kept = [
            (playout.random, self.layout.random),
            (playout.left, self.layout.left),
            (playout.at, self.layout.at),
            (playout.last_ply_decision, self.layout.last_ply_decision),
        ];
        for (variable, offset) in kept {
            let value = self.b.use_var(variable);
            self.store(value, offset);
        }
    }

    pub(super) fn slots(&self, pool: Pool) -> Vec<Slot> {
        self.playout().slots[usize::from(pool.decision)]
            .values()
            .filter(|slot| slot.proposals == pool.proposals)
            .cloned()
            .collect()
    }

    /// Begins to make the offers of a pool where it can be come to so.
    fn begin_pool(&mut self, pool: Pool, begin: Block, place: ProgramPoint) {
        if !self.blocks.contains_key(&place) {
            return;
        }
        self.b.switch_to_block(begin);
        let none = self.b.ins().iconst(types::I64, 0);
        let zero = self.b.ins().iconst(types::I32, 0);
        for slot in self.slots(pool) {
            slot.members.into_iter().for_each(|word| self.b.def_var(word, none));
            slot.prefix.into_iter().flatten().for_each(|prefix| self.b.def_var(prefix, zero));
        }
        self.b.def_var(self.all_legal, zero);
        self.jump(place);
    }

    /// Writes what is done when offers have been made: where there are some, the position is
    /// counted if repetition matters.
    fn arrive(&mut self, pool: Pool) {
        let PoolBlocks { arrive, sample, .. } = self.pool_blocks(pool);
        let decision = pool.decision;
        let slots = self.slots(pool);
        self.b.switch_to_block(arrive);
        if pool != self.first_pool(decision) {
            let counts = self.counts(&slots);
            let none = self.b.create_block();
            let member_count = self.sum(counts);
            self.b.ins().brif(member_count, sample, &[], none, &[]);
            self.b.switch_to_block(none);
            self.undo_proposals();
            return self.pass_over(decision);
        }
        let here = self.b.ins().iconst(types::I32, i64::from(decision));
        self.b.def_var(self.playout().at, here);
        let all = self.b.ins().iconst(types::I32, i64::from(PLY_FUEL));
        self.b.def_var(self.playout().ply_fuel, all);
        let [some, none] = from_fn(|_| self.b.create_block());
        let any = self.any_left(&slots);
        self.b.ins().brif(any, some, &[], none, &[]);
        self.b.switch_to_block(none);
        self.keep_or_take_back();
        self.pass_over(decision);
        self.b.switch_to_block(some);
        self.try_turn(decision);
        if pool.proposals {
            self.begin_proposals(decision);
        }
        let Some(rule) = &self.program.repetition else {
            self.b.ins().jump(sample, &[]);
            return;
        };
        if !self.program.decisions[usize::from(decision)].exact {
            let [unsure, on] = [self.b.create_block(), self.b.create_block()];
            let all_legal = self.b.use_var(self.all_legal);
            let is_sure = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, all_legal, 0);
            self.b.ins().brif(is_sure, on, &[], unsure, &[]);
            self.b.switch_to_block(unsure);
            self.finish(status::DECIDE, decision);
            self.b.switch_to_block(on);
        }
        let last_ply_decision = self.playout().last_ply_decision;
        let last_ply_decision = self.b.use_var(last_ply_decision);
        let [count, known, often, full] = from_fn(|_| self.b.create_block());
        [known, often, full].into_iter().for_each(|block| self.b.set_cold_block(block));
        let by_ply = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, last_ply_decision, 0);
        self.b.ins().brif(by_ply, count, &[], sample, &[]);
        self.b.switch_to_block(count);
        let hash = self.hash(decision);
        if pool.proposals {
            let yes = self.b.ins().iconst(types::I32, 1);
            self.b.def_var(self.playout().proposals.counted, yes);
        }
        self.push(hash, [sample, known, full]);
        self.b.switch_to_block(full);
        self.finish(status::DECIDE, decision);
        // A position that has arisen before had a legal ply then, and so it is known to have one
        // now.
        self.b.switch_to_block(known);
        let history = self.move_set_buffer.room;
        let times = self.helpers.number(&mut self.b, Helpers::ARISEN, &[history, hash]);
        let is_often = self.b.ins().icmp_imm_u(
            IntCC::UnsignedGreaterThanOrEqual,
            times,
            i64::from(rule.times),
        );
        self.b.ins().brif(is_often, often, &[], sample, &[]);
        self.b.switch_to_block(often);
        let mut movers = Switch::new();
        for (index, before) in self.program.decisions.iter().enumerate() {
            let then = (rule.then[before.mover.index()], Continuation::Counted(decision));
            movers.set_entry(index as u128, self.blocks[&then]);
        }
        movers.emit(&mut self.b, last_ply_decision, sample);
    }

    /// Goes on from a decision that has no legal ply. The order of play may go round for ever
    /// between such decisions, which is not found out here: after many of them play is handed over.
    pub(super) fn pass_over(&mut self, decision: u16) {
        let passes = self.load(types::I32, self.layout.passes);
        let passes = self.b.ins().iadd_imm_s(passes, 1);
        self.store(passes, self.layout.passes);
        let [many, on] = from_fn(|_| self.b.create_block());
        self.b.set_cold_block(many);
        let are_many = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, passes, MOST_PASSES);
        self.b.ins().brif(are_many, many, &[], on, &[]);
        self.b.switch_to_block(many);
        self.finish(status::DECIDE, decision);
        self.b.switch_to_block(on);
        self.jump(self.otherwise(decision));
    }

    /// Has what the offers come to so far worked out here, before the ways part. (Code is placed
    /// where it is needed first: where both ways need it, that would be twice.)
    pub(super) fn settle_move_sets(&mut self, (address, then): ProgramPoint) {
        let (Continuation::At(decision)
        | Continuation::First(decision)
        | Continuation::ProposalsReady(decision)) = then
        else {
            return;
        };
        let Some(playout) = &self.playout else { return };
        let since = (0..address)
            .rev()
            .take_while(|&before| self.op(before).code.roles()[2] != OperandRole::Target);
        let slots = since
            .filter_map(|address| playout.slots[usize::from(decision)].get(&address))
            .cloned()
            .collect::<Vec<_>>();
        let scratch = playout.scratch;
        for word in slots.into_iter().flat_map(|slot| slot.members) {
            let word = self.b.use_var(word);
            self.b.ins().stack_store(types::I64, word, scratch, 0);
        }
    }

    /// Whether the function is a playout.
    pub(super) fn is_playout(&self) -> bool {
        matches!(self.kind, FunctionKind::Playout)
    }
}
