//! Machine code for a routine: its instructions one by one, registers as values.
//!
//! In: where a routine begins and what follows it. Out: a function of the intermediate form, to be
//! compiled. The registers of the position are read when it begins and written when it is done;
//! where the routine fails they stay as they were. All other registers are values that nobody else
//! sees.
//!
//! - `graph`: where a function goes. `frame`: what goes in and out of it. `instruction`, `numbers`,
//!   `lines`: what it does. `site_sets`: sites as sets. `rows`: rows. `unmasked`: sets with more
//!   beside the board. `flood_cache`: what is remembered of groups. `sightlines`: what is kept of
//!   lines of sight.
//! - `plies`: plies that the function itself chooses. `perft`: functions that count sequences.
//!   `lookahead`: functions that look ahead within `steps`.
//! - `playout`: a function that makes random plies, with `pool`, `ply`, `trial` and `playout_ops`.

mod flood_cache;
mod frame;
mod graph;
mod instruction;
mod lines;
mod lookahead;
mod numbers;
mod perft;
mod playout;
mod playout_ops;
mod plies;
mod ply;
mod pool;
mod rows;
mod sightlines;
mod site_sets;
mod trial;
mod unmasked;

pub use perft::is_countable;
pub use playout::suits;

use super::super::frame::MAX_PREFIX;
use super::super::tables::BoardTables;
use super::environment::Environment;
use super::helpers::Helpers;
use super::layout::Layout;
use super::set_ops::{Variables, Words};
use super::sightlines::SightlineCache;
use super::wide::Wide;
use crate::compile::program::{Address, Program};
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, MemFlagsData, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};
use playout::Playout;
use plies::Chosen;
use rows::StepChain;
use site_sets::Registers;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What a function does, and which routines it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    /// The routine there.
    Just(Address),
    /// The routine there, and nothing of the position is changed.
    Dry(Address),
    /// The order of play after a ply of the decision, up to the next decision, and its offers.
    GoOn(u16),
    /// What is looked at after a ply of the decision and, if the game is not over, the order of
    /// play after it.
    EndAndGoOn(u16),
    /// The order of play from there to the next decision, and its offers.
    Flow(Address),
    /// How many sequences of two plies begin at the decision, with plies from its offers that the
    /// frame speaks of; nothing of the position is changed. The number stands above the status.
    Tally(u16),
    /// The same of sequences of as many plies as the frame says, three at least. There must be as
    /// many frames as plies one behind the other, of which only the first holds a position.
    Perft(u16),
    /// Whether so many further plies of the decision, which is within `steps`, can be made that the
    /// ending condition holds then. The number of plies is handed over instead of that of offers
    /// there is room for, which the frame says. There must be as many frames as plies one behind
    /// the other, with the same position.
    Lookahead(u16),
    /// Random plies from a decision on, until the game ends, so many were made, or a decision is
    /// come to that may have no legal ply. The frame says how many plies, and of the generator's
    /// state; instead of room for offers the function is handed the history, and instead of how
    /// many there is room for, the decision.
    Playout,
}

impl FunctionKind {
    /// The functions that a function calls.
    pub fn callees(self, program: &Program) -> Vec<FunctionKind> {
        match self {
            FunctionKind::Lookahead(_) => vec![self],
            FunctionKind::Perft(_) => {
                let countable =
                    (0..).zip(&program.decisions).filter(|(_, decision)| is_countable(decision));
                countable
                    .flat_map(|(decision, _)| {
                        [FunctionKind::Tally(decision), FunctionKind::Perft(decision)]
                    })
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

/// What a function does next where a routine returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Continuation {
    /// The function is done.
    Done,
    /// It is done, and has come to that decision.
    At(u16),
    /// In a playout, at that decision: what is drawn from has been offered.
    ProposalsReady(u16),
    /// In a playout that begins at that decision: its offers have been made. They are made by
    /// instructions of their own, so that what is known after a ply is known for all others.
    First(u16),
    /// The order of play goes on after a ply of that decision.
    GoOn(u16),
    /// It is looked whether the game is over after a ply of that decision.
    End(u16),
    /// In a look ahead: the ending condition holds.
    Checked,
    /// In a playout: the ply of that decision was the last one within `steps`, and the ending
    /// condition holds.
    Completed(u16),
    /// In a playout, at that decision: the position has arisen too often, and what follows from
    /// that has been done.
    Counted(u16),
}

/// An instruction, and what follows its routine. The same instruction with another continuation has
/// a block of its own.
type ProgramPoint = (Address, Continuation);

/// The registers of one kind that are values.
#[derive(Clone)]
enum Register {
    Set(Variables),
    Number(Variable),
}

/// The variables of the offers made so far, and where there is room for them.
#[derive(Clone, Copy)]
struct MoveSetBuffer {
    move_set_count: Variable,
    member_count: Variable,
    room: Value,
    capacity: Value,
}

/// Emits one function.
pub struct FunctionEmitter<'w, 'f> {
    b: FunctionBuilder<'f>,
    program: &'w Program,
    env: &'w Environment,
    tables: &'w BoardTables,
    layout: &'w Layout,
    helpers: &'w Helpers,
    /// What is kept of lines of sight, where anything is.
    sightlines: Option<&'w SightlineCache>,
    kind: FunctionKind,
    /// Every place that can be reached.
    reached: HashSet<ProgramPoint>,
    blocks: HashMap<ProgramPoint, Block>,
    /// By kind (sets first) and number.
    registers: HashMap<(bool, u16), Register>,
    /// The registers of the position that are written, by kind and number.
    written: BTreeSet<(bool, u16)>,
    /// The sites in registers of numbers, as sets.
    sites: HashMap<u16, Variables>,
    /// Which registers hold such a site: when play comes to a place, and at the instruction that is
    /// being written.
    site_registers_at: HashMap<ProgramPoint, Registers>,
    site_registers: Registers,
    /// The registers that are asked for their numbers.
    numbers_needed: Registers,
    /// The families of lines of sight that are up to date at the instruction that is being written.
    fresh_sightlines: BTreeSet<usize>,
    /// The sets that are there in wide values, too.
    wide_sets: HashMap<u16, Wide>,
    /// The sets that are there with more beside the board, too.
    unmasked: HashMap<u16, Words>,
    /// What is known of sets that are made by steps in one direction.
    step_chains: HashMap<u16, StepChain>,
    prefix: Option<[Variable; MAX_PREFIX]>,
    move_fuel: Variable,
    leaves: Variable,
    move_set_buffer: MoveSetBuffer,
    frame: Value,
    queues: Value,
    /// Where the next ply is made.
    next_ply: Option<Block>,
    callees: HashMap<FunctionKind, FuncRef>,
    /// The ply that is made, where the function chooses it.
    chosen: Chosen,
    /// Of a look ahead: the number of plies, and where the offers that were made are tried.
    plies: Option<Value>,
    try_offers: Option<Block>,
    /// What a playout has to do with besides.
    playout: Option<Playout>,
    /// How many sequences were counted so far.
    tally: Variable,
    all_legal: Variable,
    /// Which of the parts of the frame besides the registers the function has to do with.
    uses_move_fuel: bool,
    can_leave: bool,
    move_sets: bool,
    emits_guard: bool,
}

const TRUSTED: MemFlagsData = MemFlagsData::trusted();

impl<'w, 'f> FunctionEmitter<'w, 'f> {
    /// Begins a function whose signature stands, and which may call those.
    pub fn new(
        mut b: FunctionBuilder<'f>,
        program: &'w Program,
        env: &'w Environment,
        (helpers, sightlines): (&'w Helpers, Option<&'w SightlineCache>),
        kind: FunctionKind,
        callees: HashMap<FunctionKind, FuncRef>,
    ) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let &[frame, room, capacity, queues] = b.block_params(entry) else {
            unreachable!("a function has four parameters")
        };
        let [move_set_count, member_count] = [b.declare_var(types::I64), b.declare_var(types::I32)];
        let [move_fuel, leaves] = [b.declare_var(types::I32), b.declare_var(types::I32)];
        let tally = b.declare_var(types::I64);
        let all_legal = b.declare_var(types::I32);
        let chosen = Chosen::new(&mut b, program, env.layout.width);
        FunctionEmitter {
            b,
            program,
            env,
            tables: &env.tables,
            layout: &env.layout,
            helpers,
            sightlines,
            kind,
            reached: HashSet::new(),
            blocks: HashMap::new(),
            registers: HashMap::new(),
            written: BTreeSet::new(),
            sites: HashMap::new(),
            site_registers_at: HashMap::new(),
            site_registers: Registers::NONE,
            numbers_needed: Registers::NONE,
            fresh_sightlines: BTreeSet::new(),
            wide_sets: HashMap::new(),
            unmasked: HashMap::new(),
            step_chains: HashMap::new(),
            prefix: None,
            move_fuel,
            leaves,
            move_set_buffer: MoveSetBuffer { move_set_count, member_count, room, capacity },
            frame,
            queues,
            next_ply: None,
            callees,
            chosen,
            plies: None,
            try_offers: None,
            playout: None,
            tally,
            all_legal,
            uses_move_fuel: false,
            can_leave: false,
            move_sets: false,
            emits_guard: false,
        }
    }

    /// Writes the function.
    pub fn write(mut self, config: TargetFrontendConfig) {
        let entries = match self.kind {
            FunctionKind::Just(address)
            | FunctionKind::Dry(address)
            | FunctionKind::Flow(address) => vec![(address, Continuation::Done)],
            FunctionKind::GoOn(decision) => self.onward(decision),
            FunctionKind::EndAndGoOn(decision) => vec![self.end(decision)],
            FunctionKind::Lookahead(decision) => {
                vec![(
                    self.program.decisions[usize::from(decision)].generate_moves,
                    Continuation::At(decision),
                )]
            }
            FunctionKind::Playout => {
                self.playout = Some(Playout::new(&mut self.b, self.program, self.layout.width));
                (0..self.program.decisions.len() as u16)
                    .map(|decision| self.first_playout_pool_start(decision))
                    .collect()
            }
            FunctionKind::Tally(decision) | FunctionKind::Perft(decision) => {
                let specializations = self.specializations(decision);
                specializations
                    .into_iter()
                    .map(|specialization| self.applying(specialization, decision))
                    .collect()
            }
        };
        self.explore(&entries);
        self.find_sites(&entries);
        for place in self.ending_places() {
            if let Some(&block) = self.blocks.get(&place) {
                self.b.set_cold_block(block);
            }
        }
        self.declare_views();
        if self.is_playout() && self.program.repetition.is_some() {
            // All of the position is counted.
            self.declare_position();
        }
        if let FunctionKind::Perft(_) = self.kind {
            // All of it is handed on.
            self.declare_position();
            self.written.extend((0..self.program.layout.sets).map(|register| (true, register)));
            self.written.extend((0..self.program.nums).map(|register| (false, register)));
        }
        match self.kind {
            FunctionKind::Tally(decision) | FunctionKind::Perft(decision) => {
                self.begin_perft(decision)
            }
            FunctionKind::Lookahead(decision) => self.begin_lookahead(decision),
            FunctionKind::Playout => self.begin_playout(),
            FunctionKind::GoOn(decision) => {
                self.read_frame();
                self.go_on(decision);
            }
            _ => {
                self.read_frame();
                self.jump(entries[0]);
            }
        }
        let mut places: Vec<ProgramPoint> = self.blocks.keys().copied().collect();
        places.sort_unstable();
        for place in places {
            self.block(place);
        }
        self.b.seal_all_blocks();
        self.b.finalize(config);
    }

    /// Makes all registers of the position values.
    fn declare_position(&mut self) {
        (0..self.program.layout.sets).for_each(|register| self.declare(true, register));
        (0..self.program.nums).for_each(|register| self.declare(false, register));
    }

    fn jump(&mut self, place: ProgramPoint) {
        let block = self.blocks[&place];
        self.b.ins().jump(block, &[]);
    }

    fn fork(&mut self, condition: Value, yes: ProgramPoint, no: ProgramPoint) {
        let (yes, no) = (self.blocks[&yes], self.blocks[&no]);
        self.b.ins().brif(condition, yes, &[], no, &[]);
    }

    /// Goes on after a ply of the decision.
    fn go_on(&mut self, decision: u16) {
        match self.onward(decision)[..] {
            [next, leave] => {
                let leaves = match self.kind {
                    FunctionKind::Tally(_) | FunctionKind::Perft(_) | FunctionKind::Playout => {
                        self.b.use_var(self.leaves)
                    }
                    _ => self.load(types::I32, self.layout.leaves),
                };
                self.fork(leaves, leave, next);
            }
            [next, ..] => self.jump(next),
            [] => unreachable!("play goes on somewhere"),
        }
    }

    /// Writes the instructions from a place on, up to where a block ends or another begins.
    fn block(&mut self, start: ProgramPoint) {
        self.b.switch_to_block(self.blocks[&start]);
        self.site_registers =
            self.site_registers_at.get(&start).copied().unwrap_or(Registers::NONE);
        self.fresh_sightlines.clear();
        self.wide_sets.clear();
        self.unmasked.clear();
        self.step_chains.clear();
        let (mut address, then) = start;
        loop {
            if self.instruction((address, then)) {
                return;
            }
            self.site_registers = self.site_registers_after(address, self.site_registers);
            address += 1;
            if self.blocks.contains_key(&(address, then)) {
                self.jump((address, then));
                return;
            }
        }
    }
}
