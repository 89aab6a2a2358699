//! Playouts: random plies in one function.
//!
//! The position stays in SSA variables from ply to ply. Move sets are not stored in memory: each is
//! a set in variables, and a move is sampled from all of their members. An illegal move is undone
//! and removed from its set, and another one is sampled. The function draws the same random
//! numbers as the interpreter, one for one.
//!
//! A turn within `steps` is on trial: its plies are sampled without looking ahead. If all of its
//! steps can be made and the ending condition holds after the last one, which is sampled again
//! while it does not, every one of them was legal. If not, or if the game ends in the middle, the
//! turn is undone, and the caller plays it by looking ahead, with the same random numbers.
//!
//! This does not suit all programs: a decision that adds move sets in a loop has an unknown number
//! of them.

use super::super::super::frame::MAX_PREFIX;
use super::super::super::fuel::{DEAR_FUEL, MOVE_FUEL, PLY_FUEL};
use super::super::helpers::Helper;
use super::super::set_ops::{self, Variables};
use super::super::status;
use super::graph::move_set_addresses;
use super::pool::{Arrival, Pool};
use super::products::{Factor, factors};
use super::{Continuation, FunctionEmitter, Mode, ProgramPoint, Register};
use crate::compile::op::{Code, OperandRole};
use crate::compile::program::{Address, DecisionCode, Program};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use cranelift_frontend::{FunctionBuilder, Switch, Variable};
use std::array::from_fn;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Limit on the instructions of a function times the words of a set: the time to compile it grows
/// faster than its size.
const MAX_INSTRUCTIONS: usize = 8_000;

/// After this many decisions without a legal ply a playout returns to its caller.
const MAX_PASSES: i64 = 1 << 12;

/// A move set: its remaining members, and its prefix arguments if the program uses any.
#[derive(Clone)]
pub(super) struct Slot {
    pub(super) specialization: u16,
    pub(super) members: Variables,
    /// The factors of a product. All moves of a product are legal, so none is removed.
    pub(super) factors: Vec<Factor<Variables>>,
    pub(super) prefix: Option<[Variable; MAX_PREFIX]>,
    /// Whether it is a set of proposals.
    pub(super) proposals: bool,
}

/// The blocks of a pool that belong to no instruction.
#[derive(Clone, Copy)]
pub(super) struct PoolBlocks {
    /// Generates its move sets.
    pub(super) begin: Block,
    /// They have been generated.
    pub(super) arrive: Block,
    /// Samples a ply.
    pub(super) sample: Block,
    /// The sampled ply is illegal.
    pub(super) withdraw: Block,
}

/// The fuel of a playout.
#[derive(Clone, Copy)]
pub(super) struct PlayoutFuel {
    /// The fuel left for the current ply with all of its trials, including the fuel granted to the
    /// current trial.
    pub(super) ply: Variable,
    /// Whether the ply that led to the current decision was expensive.
    pub(super) is_dear: Variable,
}

/// The state of a playout.
pub struct Playout {
    /// By decision, its move sets, by the instruction that adds each.
    pub(super) slots: Vec<BTreeMap<Address, Slot>>,
    pub(super) pool_blocks: HashMap<Pool, PoolBlocks>,
    /// The random state, and how many plies may still be made.
    pub(super) random: Variable,
    pub(super) left: Variable,
    /// The current decision, and the decision of the ply that led here; -1 if no ply did.
    pub(super) at: Variable,
    pub(super) last_ply_decision: Variable,
    pub(super) fuel: PlayoutFuel,
    /// How many proposals may still be rejected until the legal moves are generated.
    pub(super) rejections_left: Variable,
    pub(super) arrival: Arrival,
    /// The index of the move set that was sampled from.
    pub(super) sampled_set: Variable,
    /// If some decision is within `steps`: one more than the decision at which the turn on trial
    /// began, or 0; and the block that undoes the turn. The frame then holds the state at the start
    /// of the turn.
    pub(super) trial: Option<(Variable, Block)>,
    /// The registers of the position before the ply.
    pub(super) before: BTreeMap<(bool, u16), Register>,
}

impl Playout {
    /// Declares the state for a program whose sets have this many words.
    pub fn new(b: &mut FunctionBuilder, program: &Program, width: usize) -> Playout {
        let holds = program.code.iter().any(|op| op.code == Code::SetPrefix);
        let mut slot = |address: Address, proposals: bool| Slot {
            specialization: program.code[usize::from(address)].b,
            members: set_ops::variables(b, width),
            factors: factors(program, address)
                .iter()
                .map(|factor| factor.map(|_| set_ops::variables(b, width)))
                .collect(),
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
            fuel: PlayoutFuel { ply: b.declare_var(types::I32), is_dear: b.declare_var(types::I8) },
            rejections_left: b.declare_var(types::I32),
            arrival: Arrival::new(b),
            sampled_set: b.declare_var(types::I32),
            trial: program
                .decisions
                .iter()
                .any(|decision| decision.steps.is_some())
                .then(|| (b.declare_var(types::I32), b.create_block())),
            before: BTreeMap::new(),
        }
    }
}

/// Tests if the playouts of a program can be one function, and if compiling it pays, for sets of
/// this many words.
pub fn suits(program: &Program, words: usize) -> bool {
    if program.past().is_some() {
        return false;
    }
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
        let sampled_set = proposals.iter().filter(|&&address| op(address).code == Code::AddMoveSet);
        // Many move sets can have the same specialization.
        let specializations: BTreeSet<Address> = move_sets
            .iter()
            .chain(sampled_set)
            .map(|&address| program.specializations[usize::from(op(address).b)].apply)
            .collect();
        let ending = decision.steps.map(|steps| steps.ending);
        let own = specializations.into_iter().chain([program.end[decision.mover.index()]]);
        let own = own.chain(ending);
        // Move sets are generated in two places: at the start and after a ply; or, after rejected
        // proposals, in one.
        size +=
            if proposals.is_empty() { 2 * reached.len() } else { reached.len() + proposals.len() };
        size += own.map(|address| program.routine(address).len()).sum::<usize>();
        flow.extend(
            [decision.next, decision.leave, decision.otherwise]
                .into_iter()
                .flat_map(|address| program.routine(address)),
        );
        (decision.steps.is_none() || program.repetition.is_none())
            // The ending condition may reject a ply, which is then removed from its move set.
            && (decision.steps.is_none() || !move_sets.iter().any(|&move_set| op(move_set).x > 0))
            && !reached.iter().any(goes_back)
    };
    program.decisions.iter().all(&mut suits) && (size + flow.len()) * words <= MAX_INSTRUCTIONS
}

impl FunctionEmitter<'_, '_> {
    /// Returns the successors of a decision's move generation in a playout.
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
        match &self.mode {
            Mode::Playout(playout) => playout,
            _ => unreachable!("only a playout samples"),
        }
    }

    fn playout_mut(&mut self) -> &mut Playout {
        match &mut self.mode {
            Mode::Playout(playout) => playout,
            _ => unreachable!("only a playout samples"),
        }
    }

    pub(super) fn pool_blocks(&self, pool: Pool) -> PoolBlocks {
        self.playout().pool_blocks[&pool]
    }

    /// Emits the start of the function, and its code at decisions.
    pub(super) fn begin_playout(&mut self) {
        let playout = self.playout();
        let [random, left, last_ply_decision] =
            [playout.random, playout.left, playout.last_ply_decision];
        let decisions = 0..self.program.decisions.len() as u16;
        let pools: Vec<Pool> =
            decisions.clone().flat_map(|decision| self.pools(decision)).collect();
        for &pool in &pools {
            let [begin, arrive, sample, withdraw] = from_fn(|_| self.b.create_block());
            let blocks = PoolBlocks { begin, arrive, sample, withdraw };
            self.playout_mut().pool_blocks.insert(pool, blocks);
        }
        for (is_set, register) in self.written.clone() {
            let before = Register::new(&mut self.b, is_set, self.layout.width);
            self.playout_mut().before.insert((is_set, register), before);
        }
        self.read_frame();
        let state = self.entry_value(self.layout.random);
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
        // The first decision is passed in place of the capacity.
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

    /// Emits the continuation when the order of play reaches a decision.
    pub(super) fn decide(&mut self, decision: u16) {
        let begin = self.pool_blocks(self.first_pool(decision)).begin;
        self.b.ins().jump(begin, &[]);
    }

    /// Emits the continuation when the move sets of a pool have been generated.
    pub(super) fn pool_filled(&mut self, decision: u16, proposals: bool) {
        let arrive = self.pool_blocks(Pool { decision, proposals }).arrive;
        self.b.ins().jump(arrive, &[]);
    }

    /// Emits the continuation when the rule for repeated positions has been executed.
    pub(super) fn counted(&mut self, decision: u16) {
        let sample = self.pool_blocks(self.first_pool(decision)).sample;
        self.b.ins().jump(sample, &[]);
    }

    /// Emits a failed requirement. If it is not one of a sampled ply, the game is a draw.
    pub(super) fn fail(&mut self, then: Continuation) {
        match then {
            Continuation::End(decision) | Continuation::Completed(decision) => {
                let withdraw = self.pool_blocks(self.first_pool(decision)).withdraw;
                self.b.ins().jump(withdraw, &[]);
            }
            _ => self.finish(status::DRAW, 0),
        }
    }

    /// Stores a move set in its variables.
    pub(super) fn keep_move_set(&mut self, address: Address, decision: u16) {
        let slot = self.playout().slots[usize::from(decision)][&address].clone();
        let members = self.words(self.op(address).a);
        set_ops::define(&mut self.b, &slot.members, &members);
        for (kept, factor) in slot.factors.iter().zip(self.factors(address)) {
            if let (Factor::Each { set: kept, .. }, Factor::Each { set, .. }) = (kept, factor) {
                set_ops::define(&mut self.b, kept, &set);
            }
        }
        for (variable, prefix) in
            slot.prefix.into_iter().flatten().zip(self.prefix.into_iter().flatten())
        {
            let prefix = self.b.use_var(prefix);
            let prefix = self.b.ins().sextend(types::I32, prefix);
            self.b.def_var(variable, prefix);
        }
    }

    pub(super) fn slots(&self, pool: Pool) -> Vec<Slot> {
        self.playout().slots[usize::from(pool.decision)]
            .values()
            .filter(|slot| slot.proposals == pool.proposals)
            .cloned()
            .collect()
    }

    /// Emits the generation of a pool, if it is reachable from there.
    fn begin_pool(&mut self, pool: Pool, begin: Block, place: ProgramPoint) {
        if !self.blocks.contains_key(&place) {
            return;
        }
        self.b.switch_to_block(begin);
        let none = self.b.ins().iconst(types::I64, 0);
        let zero = self.b.ins().iconst(types::I32, 0);
        for slot in self.slots(pool) {
            let sets = slot.factors.into_iter().filter_map(|factor| match factor {
                Factor::Each { set, .. } => Some(set),
                Factor::Together { .. } => None,
            });
            let words = sets.chain([slot.members]).flatten();
            words.for_each(|word| self.b.def_var(word, none));
            slot.prefix.into_iter().flatten().for_each(|prefix| self.b.def_var(prefix, zero));
        }
        self.b.def_var(self.all_legal, zero);
        self.jump(place);
    }

    /// Emits the code after move generation: if there are moves and repetition matters, the
    /// position is counted.
    fn arrive(&mut self, pool: Pool) {
        let PoolBlocks { arrive, sample, .. } = self.pool_blocks(pool);
        let decision = pool.decision;
        let slots = self.slots(pool);
        self.b.switch_to_block(arrive);
        // The legal moves after too many rejections: the position is counted already.
        if pool != self.first_pool(decision) {
            let counts = self.counts(&slots);
            let none = self.b.create_block();
            let member_count = self.sum(counts);
            self.b.ins().brif(member_count, sample, &[], none, &[]);
            self.b.switch_to_block(none);
            self.undo_arrival();
            return self.pass_over(decision);
        }
        let here = self.b.ins().iconst(types::I32, i64::from(decision));
        self.b.def_var(self.playout().at, here);
        if self.uses_move_fuel {
            let PlayoutFuel { ply, is_dear } = self.playout().fuel;
            let left = self.b.use_var(self.move_fuel);
            let least = i64::from(MOVE_FUEL - DEAR_FUEL);
            let dear = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, left, least);
            self.b.def_var(is_dear, dear);
            let all = self.b.ins().iconst(types::I32, i64::from(PLY_FUEL));
            self.b.def_var(ply, all);
        }
        let [some, none] = from_fn(|_| self.b.create_block());
        let counts = self.counts(&slots);
        let any = self.sum(counts);
        self.b.ins().brif(any, some, &[], none, &[]);
        self.b.switch_to_block(none);
        self.keep_or_take_back();
        self.pass_over(decision);
        self.b.switch_to_block(some);
        self.try_turn(decision);
        if self.is_unsure(pool) {
            self.keep_arrival(pool);
        }
        let Some(rule) = &self.program.repetition else {
            self.b.ins().jump(sample, &[]);
            return;
        };
        let last_ply_decision = self.playout().last_ply_decision;
        let last_ply_decision = self.b.use_var(last_ply_decision);
        let [count, known, often, full] = from_fn(|_| self.b.create_block());
        // A position is counted when a ply leads to it, not when play is resumed in it.
        let by_ply = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, last_ply_decision, 0);
        self.b.ins().brif(by_ply, count, &[], sample, &[]);
        self.b.switch_to_block(count);
        let hash = self.hash(decision);
        if self.is_unsure(pool) {
            let yes = self.b.ins().iconst(types::I32, 1);
            self.b.def_var(self.playout().arrival.counted, yes);
        }
        self.push(hash, [sample, known, full]);
        self.b.switch_to_block(full);
        self.finish(status::DECIDE, decision);
        // A repeated position had a legal ply when it first occurred, so it has one now.
        self.b.switch_to_block(known);
        let history = self.move_set_buffer.room;
        let times = self.helpers.number(&mut self.b, Helper::Arisen, &[history, hash]);
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

    /// Continues from a decision without a legal ply. The order of play may loop forever between
    /// such decisions, which is not detected here: after many of them the function returns to its
    /// caller.
    pub(super) fn pass_over(&mut self, decision: u16) {
        let passes = self.load(types::I32, self.layout.passes);
        let passes = self.b.ins().iadd_imm_s(passes, 1);
        self.store(passes, self.layout.passes);
        let [many, on] = from_fn(|_| self.b.create_block());
        let are_many = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, passes, MAX_PASSES);
        self.b.ins().brif(are_many, many, &[], on, &[]);
        self.b.switch_to_block(many);
        self.finish(status::DECIDE, decision);
        self.b.switch_to_block(on);
        self.jump(self.otherwise(decision));
    }
}
