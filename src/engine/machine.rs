//! Interprets programs, and switches to machine code once it is compiled.
//!
//! The position is in the first registers of the [`Frame`] and is changed in place. Every loop
//! iteration takes **fuel** for the instructions in it (`fuel`), so that every call terminates. The
//! interpreter counts its plies; past a threshold, machine code is compiled in the background, and
//! each machine of the game adopts it at its next ply. Plies and their legality are the subject of
//! `driver`.

mod interpreter;

use super::background::Background;
use super::frame::{Frame, MoveSet, Queue};
use super::fuel::{DEAR_FUEL, MOVE_FUEL, PLY_FUEL};
use super::guarded::{Guarded, GuardedBox};
use super::history::History;
use super::native::Native;
use super::tables::Tables;
use super::task::{CallResult, CodeQuality, CountResult, Stop, Task};
use crate::budget;
use crate::compile::program::{Address, Program};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Compiling an instruction to machine code takes about as long as interpreting this many plies.
const JIT_PLIES_PER_INSTRUCTION: usize = 16;
/// A JIT threshold: compile in the background after enough interpreted plies to pay for compiling.
pub const JIT_AUTO: u32 = 0;
/// A JIT threshold: never switch to machine code.
pub const JIT_NEVER: u32 = u32::MAX;
/// The fuel after which look-ahead memoizes dead ends, and at which machine code gives up looking
/// ahead.
const MEMO_THRESHOLD: u32 = 1 << 13;
/// The instructions that take as long as to enter a position in look-ahead and leave it.
const ENTRY_INSTRUCTIONS: u64 = 384;
/// The fuel of a position at which machine code gives up counting.
const COUNTING_FUEL: u32 = 1 << 16;
/// The greatest depth of look-ahead and perft in machine code: each ply takes a frame and some
/// stack.
const MAX_NATIVE_LOOKAHEAD: usize = 16;
/// How many proposals may be rejected before the legal moves are generated.
pub const MAX_REJECTIONS: u32 = 8;
/// The limit for move sets per decision. Each is for a whole set of sites, so real rules stay far
/// below.
const MAX_MOVE_SETS: u32 = 1 << 18;

/// An interpreter for boards whose site numbers are below 64 `W`.
pub struct Machine<const W: usize> {
    pub program: Arc<Program>,
    pub tables: Arc<Tables<W>>,
    pub frame: GuardedBox<Frame<W>>,
    /// The buffer of move sets; the frame has their number.
    pub move_sets: Guarded<MoveSet<W>>,
    queues: Guarded<Queue<W>>,
    /// The frames of look-ahead and perft in machine code, one per ply.
    lookahead_frames: Guarded<Frame<W>>,
    /// The machine code, once this machine has adopted it.
    native: Option<Arc<Native<W>>>,
    /// The state shared by all machines of the game.
    shared: Arc<SharedNative<W>>,
    /// After this many interpreted plies the machine switches to machine code.
    jit_threshold: u32,
    /// Whether it then waits for the compilation instead of starting it on a background thread.
    blocks_on_jit: bool,
    /// Whether the playout function is known to be compiled.
    has_native_playouts: bool,
    /// The number of interpreted plies, counted up to the threshold.
    interpreted_plies: u32,
    /// The fuel left until the next ply, including the fuel granted to the current move.
    ply_fuel: u32,
    /// The value of `move_fuel` when the current move was granted its fuel.
    granted_fuel: u32,
    /// The fuel used before the last refill.
    fuel_used: u64,
    /// The number of instructions that were interpreted.
    interpreted: u64,
}

/// The machine code of a game, and the policy for machines made from now on.
struct SharedNative<const W: usize> {
    native: Background<Option<Arc<Native<W>>>>,
    /// The threshold of machines made from now on; see [`Machine::set_jit_threshold`].
    jit_threshold: AtomicU32,
    /// Whether these machines wait for the compilation of the functions that they need.
    blocks_on_jit: AtomicBool,
    /// The number of plies that counts have interpreted. A count may start one machine per first
    /// ply, none of which reaches the threshold alone.
    counted_plies: AtomicU32,
    /// Whether machine code that is not compiled yet is to be [`CodeQuality::Quick`].
    is_quick: AtomicBool,
}

impl<const W: usize> SharedNative<W> {
    fn quality(&self) -> CodeQuality {
        match self.is_quick.load(Ordering::Relaxed) {
            true => CodeQuality::Quick,
            false => CodeQuality::Full,
        }
    }
}

impl<const W: usize> Machine<W> {
    /// Makes a machine whose position is the empty board, before the setup.
    pub fn new(program: Arc<Program>, tables: Arc<Tables<W>>) -> Self {
        let mut frame = GuardedBox::new(Frame::default());
        let first = usize::from(program.layout.sets);
        for (register, constant) in frame.sets[first..].iter_mut().zip(&tables.constants) {
            *register = *constant;
        }
        frame.nums[..program.initial.len()].copy_from_slice(&program.initial);
        let mut queues = Guarded::default();
        queues.extend_to(usize::from(program.chains), Queue::default);
        let jit_threshold = JIT_PLIES_PER_INSTRUCTION
            .saturating_mul(W)
            .saturating_mul(program.code.len())
            .try_into()
            .unwrap_or(JIT_NEVER);
        Machine {
            program,
            tables,
            frame,
            move_sets: Guarded::default(),
            queues,
            lookahead_frames: Guarded::default(),
            native: None,
            shared: Arc::new(SharedNative {
                native: Background::default(),
                jit_threshold: AtomicU32::new(JIT_AUTO),
                blocks_on_jit: AtomicBool::new(false),
                is_quick: AtomicBool::new(CodeQuality::default() == CodeQuality::Quick),
                counted_plies: AtomicU32::new(0),
            }),
            jit_threshold,
            blocks_on_jit: false,
            has_native_playouts: false,
            interpreted_plies: 0,
            ply_fuel: PLY_FUEL,
            granted_fuel: 0,
            fuel_used: 0,
            interpreted: 0,
        }
    }

    /// Makes another machine for the same program, whose position is the empty board.
    pub fn another(&self) -> Self {
        let mut another = Machine::new(Arc::clone(&self.program), Arc::clone(&self.tables));
        another.shared = Arc::clone(&self.shared);
        match self.shared.jit_threshold.load(Ordering::Relaxed) {
            JIT_AUTO => {
                another.blocks_on_jit = self.shared.blocks_on_jit.load(Ordering::Relaxed);
                another.native = self.shared.native.get().cloned().flatten();
            }
            plies => (another.jit_threshold, another.blocks_on_jit) = (plies, true),
        }
        another
    }

    /// Charges the last move to the ply's fuel and grants a new one its own fuel, of which the
    /// trial itself takes `trial`.
    #[inline(always)]
    pub fn grant_move_fuel(&mut self, trial: u32) {
        self.consume_fuel(
            self.granted_fuel.saturating_sub(self.frame.move_fuel).saturating_add(trial),
        );
        self.frame.move_fuel = self.ply_fuel.min(MOVE_FUEL);
        self.granted_fuel = self.frame.move_fuel;
    }

    /// Refills the fuel, after a ply or on arrival at a position set from outside.
    #[inline(always)]
    pub fn refill_fuel(&mut self) {
        let fuel_used = self.fuel_used();
        if fuel_used - self.fuel_used > u64::from(DEAR_FUEL) {
            budget::hasten();
        }
        self.fuel_used = fuel_used;
        self.install_native();
        self.ply_fuel = PLY_FUEL;
        self.granted_fuel = self.frame.move_fuel;
    }

    /// Uses up some of the ply's fuel.
    #[inline(always)]
    pub fn consume_fuel(&mut self, move_fuel: u32) {
        self.ply_fuel = self.ply_fuel.saturating_sub(move_fuel);
    }

    /// Returns the fuel used so far. Machine code does not count every iteration.
    #[inline(always)]
    pub fn fuel_used(&self) -> u64 {
        self.fuel_used
            + u64::from(PLY_FUEL.saturating_sub(self.ply_fuel))
            + u64::from(self.granted_fuel.saturating_sub(self.frame.move_fuel))
    }

    /// Returns the number of instructions interpreted so far. Each position that look-ahead enters
    /// counts as a fixed number of further instructions.
    pub fn interpreted(&self) -> u64 {
        self.interpreted
    }

    /// Counts a position that look-ahead enters: the cost of its ply, its move sets and the way
    /// back, besides the instructions.
    pub fn count_entry(&mut self) {
        self.interpreted += ENTRY_INSTRUCTIONS;
    }

    /// Tests if enough fuel is used for look-ahead to memoize.
    pub fn is_past_memo_threshold(&self) -> bool {
        self.ply_fuel < PLY_FUEL - MEMO_THRESHOLD
    }

    /// Tests if the fuel is exhausted.
    pub fn is_out_of_fuel(&self) -> bool {
        self.ply_fuel == 0
    }

    /// Returns the move sets from index `first` on.
    pub fn move_sets_from(&self, first: u32) -> &[MoveSet<W>] {
        &self.move_sets[first as usize..self.frame.move_set_count as usize]
    }

    /// Compiles machine code, if it can be compiled for this computer, for all machines made from
    /// now on. They wait for every function that they need.
    pub fn jit_compile(&self) {
        self.shared.blocks_on_jit.store(true, Ordering::Relaxed);
        self.native_or_compile();
    }

    /// Starts compiling machine code on a background thread. All machines of the game adopt it once
    /// it is ready.
    pub fn jit_compile_in_background(&self) {
        self.shared.native.begin(|| {
            let (program, tables) = (Arc::clone(&self.program), Arc::clone(&self.tables));
            let quality = self.shared.quality();
            move || Native::new(&program, &tables, quality).map(Arc::new)
        });
    }

    /// Returns the machine code, compiling it on this thread if no thread has.
    fn native_or_compile(&self) -> Option<&Arc<Native<W>>> {
        let make = || Native::new(&self.program, &self.tables, self.shared.quality());
        self.shared.native.wait(|| make().map(Arc::new)).as_ref()
    }

    /// Sets the quality of machine code that is not compiled yet.
    pub fn set_code_quality(&self, quality: CodeQuality) {
        self.shared.is_quick.store(quality == CodeQuality::Quick, Ordering::Relaxed);
    }

    /// Sets how many plies machines made from now on interpret before they compile machine code and
    /// switch to it; [`JIT_NEVER`] and [`JIT_AUTO`] are special.
    pub fn set_jit_threshold(&self, plies: u32) {
        self.shared.jit_threshold.store(plies, Ordering::Relaxed);
    }

    /// Adds to the number of interpreted plies, and compiles machine code when it reaches the
    /// threshold.
    #[inline(always)]
    pub fn count_plies(&mut self, plies: u32) {
        if self.native.is_none() && self.interpreted_plies < self.jit_threshold {
            self.interpreted_plies = self.interpreted_plies.saturating_add(plies);
            if self.interpreted_plies >= self.jit_threshold && self.jit_threshold < JIT_NEVER {
                if self.blocks_on_jit {
                    self.native = self.native_or_compile().cloned();
                } else {
                    self.jit_compile_in_background();
                }
            }
        }
    }

    /// Goes on from the number of plies that earlier counts have interpreted, unless a policy was
    /// set.
    pub fn begin_count(&mut self) {
        if self.shared.jit_threshold.load(Ordering::Relaxed) == JIT_AUTO {
            let counted = self.shared.counted_plies.load(Ordering::Relaxed);
            self.interpreted_plies = self.interpreted_plies.max(counted);
        }
    }

    /// Keeps the number of plies interpreted so far for later counts.
    pub fn end_count(&self) {
        self.shared.counted_plies.fetch_max(self.interpreted_plies, Ordering::Relaxed);
    }

    /// Adopts machine code compiled in the background, unless a policy was set.
    #[inline(always)]
    fn install_native(&mut self) {
        if self.native.is_none()
            && !self.blocks_on_jit
            && let Some(made) = self.shared.native.get()
        {
            self.native = made.clone();
        }
    }

    /// Tests if machine code executes the program. A failed move then leaves the position
    /// unchanged.
    #[inline(always)]
    pub fn is_native(&self) -> bool {
        self.native.is_some()
    }

    /// Executes a task by machine code, if there is any.
    #[inline(always)]
    fn call(&mut self, task: Task) -> Option<Stop> {
        let native = self.native.as_deref()?;
        loop {
            let called = native.call(task, &mut self.frame, &mut self.move_sets, &mut self.queues);
            check(&self.frame, &self.move_sets, &self.queues);
            match called {
                CallResult::Stop(stop) => return Some(stop),
                CallResult::Full if grow(&mut self.move_sets) => {}
                CallResult::Full => return Some(Stop::OutOfFuel(self.routine_of(task))),
            }
        }
    }

    /// Returns the address of a task's routine.
    fn routine_of(&self, task: Task) -> Address {
        let decision = |index: u16| &self.program.decisions[usize::from(index)];
        match task {
            Task::Apply(specialization) | Task::TestRequirements(specialization) => {
                self.program.specializations[usize::from(specialization)].apply
            }
            Task::GenerateMoves(index) => decision(index).generate_moves,
            Task::GenerateProposals(index) => {
                decision(index).proposals.unwrap_or(decision(index).generate_moves)
            }
            Task::Ending(index) => {
                decision(index).steps.map_or(decision(index).generate_moves, |steps| steps.ending)
            }
            Task::End(index) | Task::EndAndGoOn(index) => {
                self.program.end[decision(index).mover.index()]
            }
            Task::GoOn(index) if self.frame.leaves != 0 => decision(index).leave,
            Task::GoOn(index) => decision(index).next,
            Task::Otherwise(index) => decision(index).otherwise,
        }
    }

    /// Applies a move of a specialization with the arguments in the frame. If it fails, the
    /// position is undefined unless the machine [is native](Machine::is_native).
    #[inline(always)]
    pub fn apply(&mut self, specialization: u16) -> Stop {
        let task = Task::Apply(specialization);
        self.call(task).unwrap_or_else(|| self.run(self.routine_of(task)))
    }

    /// Tests the requirements of a specialization for the arguments in the frame, leaving the
    /// position unchanged. `None` without machine code: the caller must apply the move instead.
    #[inline(always)]
    pub fn test_requirements(&mut self, specialization: u16) -> Option<Stop> {
        self.call(Task::TestRequirements(specialization))
    }

    /// Counts the sequences of `plies` plies that begin with a member of the decision's move sets
    /// from index `from` on. `None` if machine code cannot: it neither tests moves one by one nor
    /// considers the history, and it has limited fuel and depth.
    pub fn perft(&mut self, decision: u16, from: u32, plies: u32) -> Option<u64> {
        let native = self.native.as_deref()?;
        let plies = usize::try_from(plies)
            .ok()
            .filter(|plies| (2..=MAX_NATIVE_LOOKAHEAD).contains(plies))?;
        let frames = &mut self.lookahead_frames;
        frames.extend_to(plies, Frame::default);
        copy_position(&self.program, &self.frame, &mut frames[0]);
        frames[..plies].iter_mut().for_each(|frame| frame.move_fuel = COUNTING_FUEL);
        (frames[0].first, frames[0].move_set_count) = (from, self.frame.move_set_count);
        loop {
            let counted =
                native.perft(decision, &mut frames[..plies], &mut self.move_sets, &mut self.queues);
            frames.check();
            check(&self.frame, &self.move_sets, &self.queues);
            match counted {
                CountResult::Sequences(count) => return Some(count),
                CountResult::Full if grow(&mut self.move_sets) => {}
                _ => return None,
            }
        }
    }

    /// Tests if `plies` further plies of the decision can be made such that the ending condition of
    /// its `steps` holds then. Also returns the fewest plies that were left to be made at any point
    /// of the search. `None` if machine code does not find out within its fuel and depth.
    pub fn look_ahead(&mut self, decision: u16, plies: i32) -> Option<(bool, i32)> {
        let native = self.native.as_deref()?;
        let asked = usize::try_from(plies).ok().filter(|&plies| plies > 0)?;
        let plies = asked.min(MAX_NATIVE_LOOKAHEAD);
        let frames = &mut self.lookahead_frames;
        frames.extend_to(plies, Frame::default);
        frames[..plies]
            .iter_mut()
            .for_each(|frame| copy_position(&self.program, &self.frame, frame));
        loop {
            (frames[0].move_fuel, frames[0].move_set_count) =
                (MEMO_THRESHOLD, self.frame.move_set_count);
            let stop = native.look_ahead(
                decision,
                &mut frames[..plies],
                &mut self.move_sets,
                &mut self.queues,
            );
            frames.check();
            check(&self.frame, &self.move_sets, &self.queues);
            let move_fuel = MEMO_THRESHOLD.saturating_sub(frames[0].move_fuel);
            self.ply_fuel = self.ply_fuel.saturating_sub(move_fuel);
            let completes = match stop {
                Some(Stop::Return) => true,
                Some(Stop::Fail(_)) => false,
                None if grow(&mut self.move_sets) => continue,
                _ => return None,
            };
            // A search that never comes to its last ply has the same answer for every greater
            // number of plies.
            let fewest = frames[0].left as usize;
            let is_answer = plies == asked || fewest > 0;
            return is_answer.then(|| (completes, (asked - plies + fewest) as i32));
        }
    }

    /// Tests if machine code can make random plies now. Starts the compilation if the function is
    /// not compiled yet.
    #[inline(always)]
    pub fn can_run_playouts(&mut self) -> bool {
        // Compiled functions are never dropped, so a positive answer is final.
        if !self.has_native_playouts {
            self.has_native_playouts = self
                .native
                .as_ref()
                .is_some_and(|native| native.can_run_playouts(self.blocks_on_jit));
        }
        self.has_native_playouts
    }

    /// Tests if machine code can count sequences now. Starts the compilation if the functions are
    /// not compiled yet.
    pub fn can_count(&self) -> bool {
        self.native.as_ref().is_some_and(|native| native.can_count(self.blocks_on_jit))
    }

    /// Makes random plies from the decision on by machine code, at most `left` of the frame.
    /// Returns why it stopped; `None` if there is no machine code for playouts.
    #[inline(always)]
    pub fn run_playout(&mut self, decision: u16, history: &mut History) -> Option<Stop> {
        if !self.can_run_playouts() {
            return None;
        }
        let native = self.native.as_deref()?;
        let stop = native.run_playout(decision, &mut self.frame, history, &mut self.queues);
        check(&self.frame, &self.move_sets, &self.queues);
        stop
    }

    /// Evaluates the end of the game after a ply of the decision.
    pub fn end(&mut self, decision: u16) -> Stop {
        let task = Task::End(decision);
        self.call(task).unwrap_or_else(|| self.run(self.routine_of(task)))
    }

    /// Generates the move sets of a decision, after the move sets in the buffer.
    pub fn generate_moves(&mut self, decision: u16) -> Stop {
        let task = Task::GenerateMoves(decision);
        self.call(task).unwrap_or_else(|| self.run(self.routine_of(task)))
    }

    /// Generates the proposals of a decision, a cheap superset of its moves, after the move sets
    /// that are in the buffer.
    pub fn generate_proposals(&mut self, decision: u16) -> Stop {
        let task = Task::GenerateProposals(decision);
        self.call(task).unwrap_or_else(|| self.run(self.routine_of(task)))
    }

    /// Evaluates the ending condition of the decision's `steps`: [`Stop::Return`] if it holds,
    /// [`Stop::Fail`] if not.
    pub fn ending(&mut self, decision: u16) -> Stop {
        let task = Task::Ending(decision);
        self.call(task).unwrap_or_else(|| self.run(self.routine_of(task)))
    }

    /// Follows the order of play to the next decision and generates its move sets.
    pub fn flow(&mut self, from: Address) -> Stop {
        match self.run(from) {
            Stop::Decide(decision) => match self.generate_moves(decision) {
                Stop::Return => Stop::Decide(decision),
                stop => stop,
            },
            stop => stop,
        }
    }

    /// Continues after a ply of the decision to the next one, without generating its move sets.
    pub fn arrive(&mut self, decision: u16) -> Stop {
        self.run(self.routine_of(Task::GoOn(decision)))
    }

    /// Continues after a ply of the decision to the next one, as [`Machine::flow`].
    pub fn go_on(&mut self, decision: u16) -> Stop {
        let task = Task::GoOn(decision);
        self.call(task).unwrap_or_else(|| self.flow(self.routine_of(task)))
    }

    /// Evaluates the end of the game after a ply of the decision, and continues unless it is over.
    #[inline(always)]
    pub fn end_and_go_on(&mut self, decision: u16) -> Stop {
        self.call(Task::EndAndGoOn(decision)).unwrap_or_else(|| match self.end(decision) {
            Stop::Return => self.go_on(decision),
            stop => stop,
        })
    }

    /// Continues after a decision without a legal move.
    pub fn otherwise(&mut self, decision: u16) -> Stop {
        let task = Task::Otherwise(decision);
        self.call(task).unwrap_or_else(|| self.flow(self.routine_of(task)))
    }
}

/// Checks that machine code has not written out of bounds, in builds with debug assertions.
#[inline(always)]
fn check<const W: usize>(
    frame: &GuardedBox<Frame<W>>,
    move_sets: &Guarded<MoveSet<W>>,
    queues: &Guarded<Queue<W>>,
) {
    frame.check();
    move_sets.check();
    queues.check();
}

/// Copies the position into another frame.
fn copy_position<const W: usize>(program: &Program, from: &Frame<W>, to: &mut Frame<W>) {
    let (sets, nums) = (usize::from(program.layout.sets), usize::from(program.nums));
    to.sets[..sets].copy_from_slice(&from.sets[..sets]);
    to.nums[..nums].copy_from_slice(&from.nums[..nums]);
}

/// Enlarges the buffer of move sets; returns false at the limit.
fn grow<const W: usize>(move_sets: &mut Guarded<MoveSet<W>>) -> bool {
    let some = move_sets.len() < MAX_MOVE_SETS as usize;
    if some {
        move_sets.extend_to((2 * move_sets.len()).max(64), || MoveSet::EMPTY);
    }
    some
}
