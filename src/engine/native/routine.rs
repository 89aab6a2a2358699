//! Translates routines of a program to Cranelift IR, with registers as SSA variables.
//!
//! A function loads the registers of the position, and the numbers of the frame that it keeps in
//! variables, when it begins and stores them when it is done; if the routine fails, the position in
//! the frame is unchanged. All other registers are local to the function. Code is emitted once for
//! each instruction and [`Continuation`].
//!
//! - `graph`: control flow. `frame`: loads and stores. `instruction`, `numbers`, `lines`: the
//!   instructions. `site_sets`: sites also known as sets. `rows`: rows by doubling. `flood_cache`:
//!   incremental floods. `sightlines`: incremental lines of sight. `piles`: changes of piles.
//! - `plies`: loops over plies that the function chooses itself. `perft`: functions that count
//!   sequences. `lookahead`: functions that look ahead within `steps`.
//! - `playout`: the function that makes random plies, with `pool`, `ply`, `trial`, `playout_ops`.

mod flood_cache;
mod frame;
mod graph;
mod instruction;
mod lines;
mod lookahead;
mod numbers;
mod perft;
mod piles;
mod playout;
mod playout_ops;
mod plies;
mod ply;
mod pool;
mod products;
mod rows;
mod sightlines;
mod site_sets;
mod trial;

pub use perft::is_countable;
pub use playout::suits;

use super::super::frame::MAX_PREFIX;
use super::super::tables::BoardTables;
use super::environment::Environment;
use super::helpers::Helpers;
use super::layout::Layout;
use super::set_ops::Variables;
use super::sightlines::SightlineCache;
use super::wide::Wide;
use crate::compile::program::{Address, Program};
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, MemFlagsData, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};
use piles::StoredPiles;
use playout::Playout;
use plies::Chosen;
use rows::StepChain;
use site_sets::Registers;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The purpose of a function, and the routines that it consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    /// The routine at this address.
    Just(Address),
    /// The routine at this address, without changing the position.
    Dry(Address),
    /// The order of play after a ply of the decision up to the next decision, and its move
    /// generation.
    GoOn(u16),
    /// The end-of-ply routine after a ply of the decision and, if the game is not over, as `GoOn`.
    EndAndGoOn(u16),
    /// The order of play from this address to the next decision, and its move generation.
    Flow(Address),
    /// Counts the sequences of two plies that begin with the decision's moves in the frame, without
    /// changing the position. The count is the payload of the status.
    Tally(u16),
    /// Counts longer sequences, with the number of plies given in the frame. There must be one
    /// consecutive frame for each ply; only the first holds a position.
    Perft(u16),
    /// Tests if further plies of the decision, which is within `steps`, can be made such that the
    /// ending condition then holds. The number of plies is passed in place of the capacity for
    /// move sets, which the frame holds. There must be one consecutive frame for each ply, all with
    /// the same position.
    Lookahead(u16),
    /// Makes random plies from a decision until the game ends, the ply limit is reached, or a
    /// decision may have no legal ply. The frame holds the limit and the random state. The history
    /// is passed in place of the buffer for move sets, the decision in place of its capacity.
    Playout,
}

impl FunctionKind {
    /// Returns the functions that this one calls.
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

/// The continuation after a routine returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Continuation {
    /// The function ends.
    Done,
    /// That decision is reached, and its moves have been generated.
    At(u16),
    /// In a playout, at that decision: its proposals have been generated.
    ProposalsReady(u16),
    /// In a playout that begins at that decision: its moves have been generated. This code is
    /// separate, because fewer facts hold here than after a ply.
    First(u16),
    /// The order of play continues after a ply of that decision.
    GoOn(u16),
    /// The end-of-ply routine of that decision follows.
    End(u16),
    /// In a look-ahead: the ending condition holds.
    Checked,
    /// In a playout: the ply of that decision was the last within `steps`, and the ending condition
    /// holds.
    Completed(u16),
    /// In a playout, at that decision: the rule for repeated positions has been executed.
    Counted(u16),
}

/// An instruction, and the continuation of its routine. Code is emitted for each pair.
type ProgramPoint = (Address, Continuation);

/// The SSA variables of a register.
#[derive(Clone)]
enum Register {
    Set(Variables),
    Number(Variable),
}

/// The variables that count the move sets and their members, and the buffer that holds the sets.
#[derive(Clone, Copy)]
struct MoveSetBuffer {
    move_set_count: Variable,
    member_count: Variable,
    room: Value,
    capacity: Value,
}

/// The source of the plies of a function, with the values that only functions of that mode use.
enum Mode {
    /// The frame holds the ply, where the function makes one.
    Routine,
    /// The function makes every ply and counts the sequences.
    Perft { next_ply: Block, tally: Variable },
    /// The function generates the moves, tries one ply after the other, and calls itself for the
    /// remaining plies.
    Lookahead { next_ply: Block, try_move_sets: Block, plies: Value },
    /// The function samples plies.
    Playout(Box<Playout>),
}

/// Emits one function.
pub struct FunctionEmitter<'w, 'f> {
    b: FunctionBuilder<'f>,
    program: &'w Program,
    env: &'w Environment,
    tables: &'w BoardTables,
    layout: &'w Layout,
    helpers: &'w Helpers,
    /// The cached lines of sight, if any.
    sightlines: Option<&'w SightlineCache>,
    kind: FunctionKind,
    /// Every reachable program point.
    reached: HashSet<ProgramPoint>,
    blocks: HashMap<ProgramPoint, Block>,
    /// By kind (true: a set) and number.
    registers: HashMap<(bool, u16), Register>,
    /// The registers of the position that are written.
    written: BTreeSet<(bool, u16)>,
    /// The pieces below the tops of piles, if the function changes any.
    piles: Option<StoredPiles>,
    /// Sites in number registers, as sets.
    sites: HashMap<u16, Variables>,
    /// The registers whose site is known as a set, at a program point and at the current
    /// instruction.
    site_registers_at: HashMap<ProgramPoint, Registers>,
    site_registers: Registers,
    /// The families of lines of sight that are up to date at the current instruction.
    fresh_sightlines: BTreeSet<usize>,
    /// The sets that are available in SIMD vectors, too.
    wide_sets: HashMap<u16, Wide>,
    /// The sets that are known as intersections of steps in one direction.
    step_chains: HashMap<u16, StepChain>,
    prefix: Option<[Variable; MAX_PREFIX]>,
    move_fuel: Variable,
    /// Whether the current ply ends the turn.
    leaves: Variable,
    move_set_buffer: MoveSetBuffer,
    frame: Value,
    queues: Value,
    callees: HashMap<FunctionKind, FuncRef>,
    /// The current ply, if the function chooses it.
    chosen: Chosen,
    mode: Mode,
    all_legal: Variable,
    /// Which parts of the frame the function uses besides the registers.
    uses_move_fuel: bool,
    uses_leaves: bool,
    move_sets: bool,
    emits_guard: bool,
}

const TRUSTED: MemFlagsData = MemFlagsData::trusted();

impl<'w, 'f> FunctionEmitter<'w, 'f> {
    /// Starts a function with its signature and the functions that it may call.
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
        let mode = match kind {
            FunctionKind::Tally(_) | FunctionKind::Perft(_) => {
                Mode::Perft { next_ply: b.create_block(), tally: b.declare_var(types::I64) }
            }
            FunctionKind::Lookahead(_) => {
                let [next_ply, try_move_sets] = [b.create_block(), b.create_block()];
                Mode::Lookahead { next_ply, try_move_sets, plies: capacity }
            }
            FunctionKind::Playout => {
                Mode::Playout(Box::new(Playout::new(&mut b, program, env.layout.width)))
            }
            _ => Mode::Routine,
        };
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
            piles: None,
            sites: HashMap::new(),
            site_registers_at: HashMap::new(),
            site_registers: Registers::NONE,
            fresh_sightlines: BTreeSet::new(),
            wide_sets: HashMap::new(),
            step_chains: HashMap::new(),
            prefix: None,
            move_fuel,
            leaves,
            move_set_buffer: MoveSetBuffer { move_set_count, member_count, room, capacity },
            frame,
            queues,
            callees,
            chosen,
            mode,
            all_legal,
            uses_move_fuel: false,
            uses_leaves: false,
            move_sets: false,
            emits_guard: false,
        }
    }

    /// Emits the function.
    pub fn write(mut self, config: TargetFrontendConfig) {
        let entries = match self.kind {
            FunctionKind::Just(address)
            | FunctionKind::Dry(address)
            | FunctionKind::Flow(address) => vec![(address, Continuation::Done)],
            FunctionKind::GoOn(decision) => {
                self.uses_leaves = self.can_be_left(decision);
                self.onward(decision)
            }
            FunctionKind::EndAndGoOn(decision) => vec![self.end(decision)],
            FunctionKind::Lookahead(decision) => {
                vec![(
                    self.program.decisions[usize::from(decision)].generate_moves,
                    Continuation::At(decision),
                )]
            }
            FunctionKind::Playout => (0..self.program.decisions.len() as u16)
                .map(|decision| self.first_playout_pool_start(decision))
                .collect(),
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
        self.declare_sightline_inputs();
        if self.program.repetition.is_some() && matches!(self.mode, Mode::Playout(_)) {
            // The hash covers the whole position.
            self.declare_position();
        }
        if let FunctionKind::Perft(_) = self.kind {
            // The whole position is copied to the next frame.
            self.declare_position();
            self.written.extend((0..self.program.layout.sets).map(|register| (true, register)));
            self.written.extend((0..self.program.nums).map(|register| (false, register)));
        }
        if let Some(piles) = &mut self.piles {
            // They are copied as a whole.
            let written = self.written.len();
            self.written.retain(|&(is_set, register)| !is_set || !piles.holds(register));
            piles.is_changed = self.written.len() < written;
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
        // Sorted, so that the code does not depend on the order of the hash map.
        let mut places: Vec<ProgramPoint> = self.blocks.keys().copied().collect();
        places.sort_unstable();
        for place in places {
            self.block(place);
        }
        self.b.seal_all_blocks();
        self.b.finalize(config);
    }

    /// Declares all registers of the position.
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

    /// Continues after a ply of the decision.
    fn go_on(&mut self, decision: u16) {
        match self.onward(decision)[..] {
            [next, leave] => {
                let leaves = self.b.use_var(self.leaves);
                self.fork(leaves, leave, next);
            }
            [next, ..] => self.jump(next),
            [] => unreachable!("play goes on somewhere"),
        }
    }

    /// Emits the instructions from a program point up to the end of its block or the start of
    /// another.
    fn block(&mut self, start: ProgramPoint) {
        self.b.switch_to_block(self.blocks[&start]);
        self.site_registers =
            self.site_registers_at.get(&start).copied().unwrap_or(Registers::NONE);
        // Values computed in other blocks need not dominate this one.
        self.fresh_sightlines.clear();
        self.wide_sets.clear();
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
