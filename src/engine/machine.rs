//! The machine that runs a program: a frame of registers and a loop.
//!
//! In: a program and the tables of its board. Out: a position that lives in the first registers,
//! changed in place. It refuses to know what a ply is; see `driver`.

use super::background::Background;
use super::bits::Bits;
use super::frame::{Frame, MoveSet, Queue};
use super::guarded::{Guarded, GuardedBox};
use super::history::History;
use super::native::Native;
use super::spread::{beside, between, direction, fill, flood, next, sight, single, walk};
use super::tables::{Tables, back};
use super::task::{CallResult, CountResult, Stop, Task};
use crate::compile::op::Code;
use crate::compile::program::{Address, Program};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// How many rounds of loops a ply may take with all that follows from it.
pub const MOVE_FUEL: u32 = 1 << 20;
/// How many rounds all that follows from one ply may take, up to the next ply: every move that is
/// tried at the decisions on the way, and the order of play between them. Less than half a second's
/// worth.
pub const PLY_FUEL: u32 = 1 << 24;
/// Making machine code of an instruction takes about as long as interpreting so many plies.
const JIT_PLIES_PER_INSTRUCTION: usize = 16;
/// Machine code takes over once so many plies were interpreted that making it is worth the while.
pub const JIT_AUTO: u32 = 0;
/// Machine code never takes over.
pub const JIT_NEVER: u32 = u32::MAX;
/// A decision that takes more rounds is a hard one.
const MEMO_THRESHOLD: u32 = 1 << 13;
/// So many plies are looked ahead or counted in machine code at most: each takes a frame, and its
/// share of the stack.
const MAX_NATIVE_LOOKAHEAD: usize = 16;
/// What trying a move costs besides its rounds.
pub const TRIAL_FUEL: u32 = 8;
/// How many draws from more than is legal may be in vain before what is legal is worked out.
pub const MAX_REJECTIONS: u32 = 8;
/// How many offers a decision may have. Each is for a whole set of sites, so this is far more than
/// any rules mean.
const MAX_MOVE_SETS: u32 = 1 << 18;

/// A machine for boards whose site numbers are below 64 `W`.
pub struct Machine<const W: usize> {
    pub program: Arc<Program>,
    pub tables: Arc<Tables<W>>,
    pub frame: GuardedBox<Frame<W>>,
    /// Room for offers; how many there are, the frame knows.
    pub move_sets: Guarded<MoveSet<W>>,
    queues: Guarded<Queue<W>>,
    /// Frames to look ahead in.
    lookahead_frames: Guarded<Frame<W>>,
    /// The program as machine code, once this machine uses it.
    native: Option<Arc<Native<W>>>,
    /// What it has in common with all machines of the game.
    shared: Arc<SharedNative<W>>,
    /// After so many interpreted plies this machine goes on with machine code.
    jit_threshold: u32,
    /// Whether it waits for machine code then, instead of having it made beside it.
    blocks_on_jit: bool,
    /// Whether machine code is known to make random plies.
    has_native_playouts: bool,
    /// How many plies were interpreted, up to what is worth having machine code made.
    interpreted_plies: u32,
    /// How many rounds are left of all that follows from one ply, those granted to what is at hand
    /// included.
    ply_fuel: u32,
    /// How many rounds there were when the move at hand was begun.
    granted_fuel: u32,
    /// How much fuel was used up before it was filled up last.
    fuel_used: u64,
}

/// The machine code of a game, and who waits for it.
struct SharedNative<const W: usize> {
    native: Background<Option<Arc<Native<W>>>>,
    /// When machines made from now on take over with machine code; see
    /// [`Machine::set_jit_threshold`].
    jit_threshold: AtomicU32,
    /// Whether machines made from now on wait for what machine code they can use.
    blocks_on_jit: AtomicBool,
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
            }),
            jit_threshold,
            blocks_on_jit: false,
            has_native_playouts: false,
            interpreted_plies: 0,
            ply_fuel: PLY_FUEL,
            granted_fuel: 0,
            fuel_used: 0,
        }
    }

    /// Another machine for the same program, whose position is the empty board.
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

    /// Allows the rounds of a single move anew, at the cost of the fuel.
    #[inline(always)]
    pub fn grant_move_fuel(&mut self) {
        self.consume_fuel(
            self.granted_fuel.saturating_sub(self.frame.move_fuel).saturating_add(TRIAL_FUEL),
        );
        self.frame.move_fuel = self.ply_fuel.min(MOVE_FUEL);
        self.granted_fuel = self.frame.move_fuel;
    }

    /// Fills up the fuel: a ply has been made, or a position has been come to from outside.
    #[inline(always)]
    pub fn refill_fuel(&mut self) {
        self.fuel_used = self.fuel_used();
        self.install_native();
        self.ply_fuel = PLY_FUEL;
        self.granted_fuel = self.frame.move_fuel;
    }

    /// Uses up so much of the fuel.
    #[inline(always)]
    pub fn consume_fuel(&mut self, move_fuel: u32) {
        self.ply_fuel = self.ply_fuel.saturating_sub(move_fuel);
    }

    /// How much fuel was used up so far. Machine code does not count every round.
    #[inline(always)]
    pub fn fuel_used(&self) -> u64 {
        self.fuel_used
            + u64::from(PLY_FUEL.saturating_sub(self.ply_fuel))
            + u64::from(self.granted_fuel.saturating_sub(self.frame.move_fuel))
    }

    /// Tests if so much of the fuel is used up that looking ahead is worth taking notes.
    pub fn is_past_memo_threshold(&self) -> bool {
        self.ply_fuel < PLY_FUEL - MEMO_THRESHOLD
    }

    /// Tests if the fuel is used up.
    pub fn is_out_of_fuel(&self) -> bool {
        self.ply_fuel == 0
    }

    /// The offers from that one on.
    pub fn move_sets_from(&self, first: u32) -> &[MoveSet<W>] {
        &self.move_sets[first as usize..self.frame.move_set_count as usize]
    }

    /// Makes machine code for all machines of the game made from now on, where it can be made; they
    /// wait for all of it that they can use.
    pub fn jit_compile(&self) {
        self.shared.blocks_on_jit.store(true, Ordering::Relaxed);
        self.native_or_compile();
    }

    /// Has machine code made on a thread of its own, where it can be made. All machines of the game
    /// go on with it once it is there.
    pub fn jit_compile_in_background(&self) {
        self.shared.native.begin(|| {
            let (program, tables) = (Arc::clone(&self.program), Arc::clone(&self.tables));
            move || Native::new(&program, &tables).map(Arc::new)
        });
    }

    /// The machine code, which is made here if nobody has made it.
    fn native_or_compile(&self) -> Option<&Arc<Native<W>>> {
        self.shared.native.wait(|| Native::new(&self.program, &self.tables).map(Arc::new)).as_ref()
    }

    /// Lets machines made from now on interpret so many plies before machine code takes over, made
    /// or not; all of them with [`JIT_NEVER`], and as many as are worth it with [`JIT_AUTO`].
    pub fn set_jit_threshold(&self, plies: u32) {
        self.shared.jit_threshold.store(plies, Ordering::Relaxed);
    }

    /// Takes note of so many plies that were made, and has machine code made when it has been so
    /// many that making it is worth the while.
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

    /// Goes on with machine code if it is there by now and nothing else was said.
    #[inline(always)]
    fn install_native(&mut self) {
        if self.native.is_none()
            && !self.blocks_on_jit
            && let Some(made) = self.shared.native.get()
        {
            self.native = made.clone();
        }
    }

    /// Whether machine code runs the program. A move that fails then leaves the position as it was.
    #[inline(always)]
    pub fn is_native(&self) -> bool {
        self.native.is_some()
    }

    /// Does a task by machine code, where there is any.
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

    /// The routine that a task begins with.
    fn routine_of(&self, task: Task) -> Address {
        let decision = |index: u16| &self.program.decisions[usize::from(index)];
        match task {
            Task::Apply(specialization) | Task::Attempt(specialization) => {
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

    /// Makes the move of a variation with the arguments at hand. Where it fails, the position is in
    /// disarray unless the machine [is native](Machine::is_native).
    #[inline(always)]
    pub fn apply(&mut self, specialization: u16) -> Stop {
        let task = Task::Apply(specialization);
        self.call(task).unwrap_or_else(|| self.run(self.routine_of(task)))
    }

    /// Looks whether the requirements of a variation hold for the arguments at hand, the position
    /// unchanged; `None` where that takes applying it.
    #[inline(always)]
    pub fn attempt(&mut self, specialization: u16) -> Option<Stop> {
        self.call(Task::Attempt(specialization))
    }

    /// How many sequences of so many plies begin with what the decision offers from the place on,
    /// where machine code finds that out: it does not look at moves one by one, nor at the
    /// positions before.
    pub fn perft(&mut self, decision: u16, from: u32, plies: u32) -> Option<u64> {
        let native = self.native.as_deref()?;
        let plies = usize::try_from(plies)
            .ok()
            .filter(|plies| (2..=MAX_NATIVE_LOOKAHEAD).contains(plies))?;
        let frames = &mut self.lookahead_frames;
        frames.extend_to(plies, Frame::default);
        copy_position(&self.program, &self.frame, &mut frames[0]);
        frames[0].flood_cache = self.frame.flood_cache;
        frames[..plies].iter_mut().for_each(|frame| frame.move_fuel = MEMO_THRESHOLD);
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

    /// Whether so many further plies of the decision can be made that the ending condition of the
    /// `steps` around it holds then, where machine code finds that out soon.
    pub fn look_ahead(&mut self, decision: u16, plies: i32) -> Option<bool> {
        let native = self.native.as_deref()?;
        let plies = usize::try_from(plies)
            .ok()
            .filter(|plies| (1..=MAX_NATIVE_LOOKAHEAD).contains(plies))?;
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
            return match stop {
                Some(Stop::Return) => Some(true),
                Some(Stop::Fail(_)) => Some(false),
                None if grow(&mut self.move_sets) => continue,
                _ => None,
            };
        }
    }

    /// Whether machine code can make random plies now. If it is still to be made for that, it is
    /// begun.
    #[inline(always)]
    pub fn can_run_playouts(&mut self) -> bool {
        // What was made stays.
        if !self.has_native_playouts {
            self.has_native_playouts = self
                .native
                .as_ref()
                .is_some_and(|native| native.can_run_playouts(self.blocks_on_jit));
        }
        self.has_native_playouts
    }

    /// Whether machine code can count sequences now. If it is still to be made for that, it is
    /// begun.
    pub fn can_count(&self) -> bool {
        self.native.as_ref().is_some_and(|native| native.can_count(self.blocks_on_jit))
    }

    /// Makes random plies from the decision on by machine code, where that can: as many as the
    /// frame says at most. Gives why it stopped.
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

    /// Looks whether the game is over after a ply of the decision.
    pub fn end(&mut self, decision: u16) -> Stop {
        let task = Task::End(decision);
        self.call(task).unwrap_or_else(|| self.run(self.routine_of(task)))
    }

    /// Makes the offers of a decision, behind whatever offers there are.
    pub fn generate_moves(&mut self, decision: u16) -> Stop {
        let task = Task::GenerateMoves(decision);
        self.call(task).unwrap_or_else(|| self.run(self.routine_of(task)))
    }

    /// Makes the offers that random play draws from at a decision, behind whatever offers there
    /// are.
    pub fn generate_proposals(&mut self, decision: u16) -> Stop {
        let task = Task::GenerateProposals(decision);
        self.call(task).unwrap_or_else(|| self.run(self.routine_of(task)))
    }

    /// Returns where the condition of the `steps` around the decision holds, fails where it does
    /// not.
    pub fn ending(&mut self, decision: u16) -> Stop {
        let task = Task::Ending(decision);
        self.call(task).unwrap_or_else(|| self.run(self.routine_of(task)))
    }

    /// Follows the order of play to the next decision, and makes its offers.
    pub fn flow(&mut self, from: Address) -> Stop {
        match self.run(from) {
            Stop::Decide(decision) => match self.generate_moves(decision) {
                Stop::Return => Stop::Decide(decision),
                stop => stop,
            },
            stop => stop,
        }
    }

    /// Goes on after a ply of the decision to the next one, as [`Machine::flow`].
    pub fn go_on(&mut self, decision: u16) -> Stop {
        let task = Task::GoOn(decision);
        self.call(task).unwrap_or_else(|| self.flow(self.routine_of(task)))
    }

    /// Goes on after a ply of the decision, unless the game is over then.
    #[inline(always)]
    pub fn end_and_go_on(&mut self, decision: u16) -> Stop {
        self.call(Task::EndAndGoOn(decision)).unwrap_or_else(|| match self.end(decision) {
            Stop::Return => self.go_on(decision),
            stop => stop,
        })
    }

    /// Goes on after a decision that has no legal move.
    pub fn otherwise(&mut self, decision: u16) -> Stop {
        let task = Task::Otherwise(decision);
        self.call(task).unwrap_or_else(|| self.flow(self.routine_of(task)))
    }

    /// Runs from an instruction until something stops it.
    pub fn run(&mut self, from: Address) -> Stop {
        let Machine { program, tables, frame, move_sets, queues, .. } = self;
        let Frame {
            sets,
            nums,
            arguments,
            prefix,
            move_fuel,
            leaves,
            move_set_count,
            member_count,
            all_legal,
            ..
        } = &mut **frame;
        let code = &program.code[..];
        let mut at = usize::from(from);
        // The cast cuts a register's number to what the files have, so that no access is checked.
        // The compiler gives out no higher one.
        macro_rules! set {
            ($register:expr) => {
                sets[usize::from($register as u8)]
            };
        }
        macro_rules! num {
            ($register:expr) => {
                nums[usize::from($register as u8)]
            };
        }
        loop {
            let op = code[at];
            at += 1;
            let jumps = match op.code {
                Code::Copy => {
                    set!(op.a) = set!(op.b);
                    false
                }
                Code::And => {
                    set!(op.a) = set!(op.b) & set!(op.c);
                    false
                }
                Code::Or => {
                    set!(op.a) = set!(op.b) | set!(op.c);
                    false
                }
                Code::AndNot => {
                    set!(op.a) = set!(op.b) & !set!(op.c);
                    false
                }
                Code::Xor => {
                    set!(op.a) = set!(op.b) ^ set!(op.c);
                    false
                }
                Code::Shift => {
                    set!(op.a) = tables.steps[usize::from(op.x & 7)].step(set!(op.b));
                    false
                }
                Code::Beside => {
                    set!(op.a) = beside(tables, op.x, set!(op.b));
                    false
                }
                Code::Fill => {
                    let back = &tables.steps[usize::from(back(op.x))];
                    set!(op.a) = fill(back, set!(op.b), set!(op.c));
                    false
                }
                Code::Walk => {
                    set!(op.a) = walk(tables, op.x, set!(op.b), set!(op.c));
                    false
                }
                Code::Flood => {
                    // A flood is a loop within the instruction.
                    let (flooded, times) = flood(tables, op.x, set!(op.b), set!(op.c));
                    *move_fuel = move_fuel.saturating_sub(times * (W as u32).div_ceil(4));
                    set!(op.a) = flooded;
                    false
                }
                Code::Sight => {
                    set!(op.a) = sight(tables, op.x, num!(op.b), set!(op.c));
                    false
                }
                Code::Between => {
                    set!(op.a) = between(tables, num!(op.b), num!(op.c));
                    false
                }
                Code::Single => {
                    set!(op.a) = single(num!(op.b));
                    false
                }
                Code::Gate => {
                    set!(op.a) = if num!(op.c) != 0 { set!(op.b) } else { Bits::NONE };
                    false
                }
                Code::Clear => {
                    set!(op.a) = Bits::NONE;
                    false
                }
                Code::Join => {
                    set!(op.a) |= set!(op.b);
                    false
                }
                Code::Drop => {
                    set!(op.a) &= !set!(op.b);
                    false
                }
                Code::Transfer => {
                    let (from, to) = (single(num!(op.b)), single(num!(op.c)));
                    let plane = set!(op.a);
                    let there = if (plane & from).is_none() { Bits::NONE } else { to };
                    set!(op.a) = (plane & !(from | to)) | there;
                    false
                }
                Code::Constant => {
                    num!(op.a) = op.constant();
                    false
                }
                Code::Assign => {
                    num!(op.a) = num!(op.b);
                    false
                }
                Code::Add => {
                    num!(op.a) = num!(op.b).saturating_add(num!(op.c));
                    false
                }
                Code::Subtract => {
                    num!(op.a) = num!(op.b).saturating_sub(num!(op.c));
                    false
                }
                Code::Multiply => {
                    num!(op.a) = num!(op.b).saturating_mul(num!(op.c));
                    false
                }
                Code::Divide => {
                    num!(op.a) = num!(op.b).div_euclid(i32::from(op.c.max(1)));
                    false
                }
                Code::Remainder => {
                    num!(op.a) = num!(op.b).rem_euclid(i32::from(op.c.max(1)));
                    false
                }
                Code::Least => {
                    num!(op.a) = num!(op.b).min(num!(op.c));
                    false
                }
                Code::Greatest => {
                    num!(op.a) = num!(op.b).max(num!(op.c));
                    false
                }
                Code::Count => {
                    num!(op.a) = set!(op.b).count() as i32;
                    false
                }
                Code::Lowest => {
                    num!(op.a) = set!(op.b).lowest().map_or(-1, |site| site as i32);
                    false
                }
                Code::Step => {
                    num!(op.a) = next(tables, op.x, num!(op.b));
                    false
                }
                Code::Direction => {
                    num!(op.a) = direction(tables, num!(op.b), num!(op.c));
                    false
                }
                Code::Argument => {
                    num!(op.a) = arguments.get(usize::from(op.x)).copied().unwrap_or(-1);
                    false
                }
                Code::Bit => {
                    let site = num!(op.c);
                    if site >= 0 && set!(op.b).has(site as usize) {
                        num!(op.a) += 1 << op.x;
                    }
                    false
                }
                Code::IfNone => set!(op.a).is_none(),
                Code::IfAny => !set!(op.a).is_none(),
                Code::IfIn => {
                    let site = num!(op.a);
                    site >= 0 && set!(op.b).has(site as usize)
                }
                Code::IfOut => {
                    let site = num!(op.a);
                    site < 0 || !set!(op.b).has(site as usize)
                }
                Code::IfEqual => num!(op.a) == num!(op.b),
                Code::IfUnequal => num!(op.a) != num!(op.b),
                Code::IfLess => num!(op.a) < num!(op.b),
                Code::IfAtLeast => num!(op.a) >= num!(op.b),
                Code::Jump => true,
                Code::LoopBack => {
                    if !take_move_fuel(move_fuel) {
                        return Stop::OutOfFuel(at as Address - 1);
                    }
                    true
                }
                Code::Take => match set!(op.b).take() {
                    None => true,
                    Some(site) => {
                        if !take_move_fuel(move_fuel) {
                            return Stop::OutOfFuel(at as Address - 1);
                        }
                        num!(op.a) = site as i32;
                        false
                    }
                },
                Code::NewQueue => {
                    if let Some(queue) = queues.get_mut(usize::from(op.x)) {
                        queue.empty();
                    }
                    false
                }
                Code::Enqueue => {
                    let sites = set!(op.a);
                    if let Some(queue) = queues.get_mut(usize::from(op.x)) {
                        queue.join(sites);
                    }
                    false
                }
                Code::Dequeue => {
                    if !take_move_fuel(move_fuel) {
                        return Stop::OutOfFuel(at as Address - 1);
                    }
                    match queues.get_mut(usize::from(op.x)).and_then(Queue::take) {
                        None => true,
                        Some(site) => {
                            num!(op.a) = i32::from(site);
                            false
                        }
                    }
                }
                Code::AddMoveSet => {
                    let members = set!(op.a);
                    if !members.is_none() {
                        if *move_set_count >= MAX_MOVE_SETS {
                            return Stop::OutOfFuel(at as Address - 1);
                        }
                        let move_set = MoveSet {
                            members,
                            before: *member_count,
                            specialization: op.b,
                            prefix: *prefix,
                        };
                        *member_count += members.count();
                        match move_sets.get_mut(*move_set_count as usize) {
                            Some(place) => *place = move_set,
                            None => move_sets.push(move_set),
                        }
                        *move_set_count += 1;
                    }
                    false
                }
                Code::SetPrefix => {
                    if let Some(prefix) = prefix.get_mut(usize::from(op.x)) {
                        *prefix = num!(op.a) as i16;
                    }
                    false
                }
                Code::GuardAllLegal => {
                    *all_legal = num!(op.a);
                    false
                }
                Code::Return => return Stop::Return,
                Code::Fail => return Stop::Fail(op.a),
                Code::Leave => {
                    *leaves = 1;
                    false
                }
                Code::Win => return Stop::Win(num!(op.a) as u8),
                Code::Draw => return Stop::Draw,
                Code::Decide => return Stop::Decide(op.a),
            };
            if jumps {
                at = usize::from(op.c);
            }
        }
    }
}

/// Looks whether machine code has written beside what it may write, in builds with debug
/// assertions.
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

/// Makes room for more offers; false where there are more than any rules mean.
fn grow<const W: usize>(move_sets: &mut Guarded<MoveSet<W>>) -> bool {
    let some = move_sets.len() < MAX_MOVE_SETS as usize;
    if some {
        move_sets.extend_to((2 * move_sets.len()).max(64), || MoveSet::EMPTY);
    }
    some
}

/// Takes one round off what a ply may have; false when there is none left.
#[inline(always)]
fn take_move_fuel(move_fuel: &mut u32) -> bool {
    *move_fuel = move_fuel.saturating_sub(1);
    *move_fuel > 0
}
