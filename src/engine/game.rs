//! A compiled game: starts states, counts sequences, plays at random, and translates moves.

pub use super::fault::Fault;
pub use super::identity::GameId;
pub use super::state::{Mark, State};

#[doc(hidden)]
pub use super::task::CodeQuality;

use super::actions::Actions;
use super::driver::{Finished, PackedMove, Unit};
use super::machine::{JIT_AUTO, JIT_NEVER};
use super::planes::Planes;
use super::position::{Outcome, Position};
use super::runner::{Playout, Runner, runner};
use super::snapshot::Snapshot;
use crate::board::{Direction, Site};
use crate::compile::program::{EntryCode, ParameterSource, Program};
use crate::compile::{compile, compile_watching};
use crate::language::claims::Claim;
use crate::language::finding::{Code, Finding};
use crate::language::rules::{Condition, MoveId, PieceId, PlayerId, Rules, Spanned};
use crate::random::Random;
use crate::syntax::Span;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

/// Seconds per ply of random play of the simplest game, and the seconds that each instruction of
/// the program and each word of a site set add. Measured on a processor of 2023.
const PLY_SECONDS: f64 = 15e-9;
const INSTRUCTION_SECONDS: f64 = 0.1e-9;

/// A compiled game. Cheap to clone; clones share the compiled rules.
#[derive(Clone)]
pub struct Game(Arc<GameData>);

/// The games in use, to find a game by its identity. A game leaves the table when it is dropped.
static ALIVE: Mutex<BTreeMap<GameId, Weak<GameData>>> = Mutex::new(BTreeMap::new());

struct GameData {
    id: GameId,
    rules: Rules,
    program: Arc<Program>,
    /// The runner from which every state makes its own.
    prototype: Box<dyn Runner>,
    decisions: Vec<Decision>,
    actions: OnceLock<Option<Actions>>,
    planes: OnceLock<Planes>,
}

impl Drop for GameData {
    fn drop(&mut self) {
        let mut alive = ALIVE.lock().unwrap_or_else(PoisonError::into_inner);
        // Another game with the same identity may have replaced this one in the table.
        if alive.get(&self.id).is_some_and(|game| game.strong_count() == 0) {
            alive.remove(&self.id);
        }
    }
}

/// When machine code takes over from the interpreter.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JitPolicy {
    /// At once if machine code is ready; otherwise once enough plies were interpreted to pay for
    /// compiling it.
    Auto,
    Never,
    /// After this many interpreted plies.
    AfterPlies(u32),
}

/// The reason why a move was not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The move is not legal here.
    Illegal,
    /// The move is legal, but the rules run out of fuel after it.
    Fault(Fault),
}

impl std::fmt::Display for PlayError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            PlayError::Illegal => f.write_str("it is not legal"),
            PlayError::Fault(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for PlayError {}

/// A point in the order of play where a ply is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The player whose ply it is; `None` for chance.
    pub mover: Option<PlayerId>,
    /// The innermost enclosing phase.
    pub phase: Option<String>,
    /// Which decision of this mover and phase it is, from 1.
    pub step: usize,
    /// The moves to choose from.
    pub moves: Vec<MoveId>,
    /// The number of counters of the enclosing loops (`repeat`, `steps`).
    pub counters: usize,
}

/// Who is to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    Player(PlayerId),
    Chance,
    /// The game is over.
    Nobody,
}

impl Turn {
    /// Returns the player to act; `None` for chance and when the game is over.
    pub fn player(self) -> Option<PlayerId> {
        match self {
            Turn::Player(player) => Some(player),
            Turn::Chance | Turn::Nobody => None,
        }
    }
}

/// The choice for one parameter of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Argument {
    Site(Site),
    Direction(Direction),
    Number(i32),
    Piece(PieceId),
}

/// One ply: a move rule and an argument for each of its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub rule: MoveId,
    pub arguments: Vec<Argument>,
}

impl Move {
    /// Returns the move with the arguments that are chosen together in the order of sites. It is
    /// the same move; the engine lists it so.
    pub fn in_order(mut self, rules: &Rules) -> Move {
        for together in rules.moves[self.rule.index()].unordered() {
            if let Some(arguments) = self.arguments.get_mut(together) {
                arguments.sort_unstable();
            }
        }
        self
    }
}

impl Game {
    /// Compiles typed rules, and verifies that a game can start.
    ///
    /// # Errors
    /// If the rules or the board are too large, a form cannot be compiled where it stands, or the
    /// rules run out of fuel before the first ply.
    pub fn compile(rules: Rules) -> Result<Game, Finding> {
        let program = compile(&rules)?;
        Game::of(rules, program)
    }

    /// Compiles typed rules together with the conditions of their claims, in order.
    /// [`State::holds`] evaluates them at any position; play is the same as without them.
    ///
    /// # Errors
    /// As [`Game::compile`].
    pub fn compile_watching(rules: Rules) -> Result<Game, Finding> {
        let watched: Vec<&Spanned<Condition>> =
            rules.claims.iter().filter_map(Claim::condition).collect();
        let program = compile_watching(&rules, &watched)?;
        Game::of(rules, program)
    }

    fn of(rules: Rules, program: Program) -> Result<Game, Finding> {
        let program = Arc::new(program);
        let Some(prototype) = runner(&rules.board, &program) else {
            let whole = rules.opening();
            return Err(Finding::new(
                Code::BoardTooLarge,
                whole,
                "the board is larger than a board can be",
            ));
        };
        let decisions = program.decisions.iter().map(|code| Decision {
            mover: (!code.chance).then_some(code.mover),
            phase: code.phase.clone(),
            step: code.step,
            moves: code.moves.clone(),
            counters: code.counters.len(),
        });
        let decisions = decisions.collect();
        let id = GameId::of(&rules, &program);
        let (actions, planes) = (OnceLock::new(), OnceLock::new());
        let data = GameData { id, rules, program, prototype, decisions, actions, planes };
        let game = Game(Arc::new(data));
        ALIVE.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::downgrade(&game.0));
        match game.begin() {
            Ok(_) => Ok(game),
            Err(fault) => Err(fault.before_first_ply(&game.0.rules)),
        }
    }

    /// Finds a game with that identity among the games in use.
    pub fn alive(id: GameId) -> Option<Game> {
        ALIVE.lock().unwrap_or_else(PoisonError::into_inner).get(&id)?.upgrade().map(Game)
    }

    /// Returns the identity of the game, for data that belongs to this game alone.
    pub fn id(&self) -> GameId {
        self.0.id
    }

    /// Returns the typed rules.
    pub fn rules(&self) -> &Rules {
        &self.0.rules
    }

    /// Returns the compiled program.
    pub fn program(&self) -> &Program {
        &self.0.program
    }

    /// Estimates the seconds per ply of random play from the size of the program, without running
    /// it, so that the estimate is the same everywhere. Of some forty games most take half to twice
    /// as long; where a short program does much at each site, ten times as long.
    pub fn seconds_per_ply(&self) -> f64 {
        let words = self.rules().board.slots().div_ceil(64) as f64;
        PLY_SECONDS + INSTRUCTION_SECONDS * self.program().code.len() as f64 * words
    }

    /// Returns the number of words of each set of a position.
    pub fn width(&self) -> usize {
        self.0.prototype.width()
    }

    /// Returns every decision, in the order of play.
    pub fn decisions(&self) -> &[Decision] {
        &self.0.decisions
    }

    /// Tests if a ply is made by chance: if some decision of chance has its rule.
    pub fn is_roll(&self, ply: &Move) -> bool {
        self.decisions()
            .iter()
            .any(|decision| decision.mover.is_none() && decision.moves.contains(&ply.rule))
    }

    /// Starts a game at the first position.
    ///
    /// # Errors
    /// If the rules run out of fuel before the first ply. Such rules fail to compile.
    pub fn begin(&self) -> Result<State, Fault> {
        let mut runner = self.0.prototype.another();
        runner.begin();
        State::new(self.clone(), runner)
    }

    /// Starts a game at a position: the board and memories, the index of the decision, and its
    /// counters (how many iterations or steps are left, including the current one; missing ones are
    /// 1). If no move is legal there, play continues as the rules say.
    ///
    /// # Errors
    /// If there is no such decision or the rules run out of fuel.
    pub fn begin_at(
        &self,
        snapshot: &Snapshot,
        decision: usize,
        counters: &[i32],
    ) -> Result<State, Fault> {
        let mut runner = self.0.prototype.another();
        let Some(code) = self.0.program.decisions.get(decision) else {
            return Err(no_such_point());
        };
        let mut position =
            snapshot.position(&self.0.rules, &self.0.program, runner.width(), decision as u16);
        for (index, &register) in code.counters.iter().enumerate() {
            position.numbers[usize::from(register)] = counters.get(index).copied().unwrap_or(1);
        }
        runner.load(&position, &[]);
        self.start_at_runner(runner)
    }

    /// Starts a game at the first statement of a turn or phase, given the board and memories before
    /// it; `entry` is an index into [`Program::entries`]. Counters of enclosing loops are 1. With
    /// `rolled`, rolls before a player's ply are skipped: the snapshot already contains their
    /// results.
    ///
    /// # Errors
    /// If there is no such turn or the rules run out of fuel.
    pub fn begin_turn(
        &self,
        snapshot: &Snapshot,
        entry: usize,
        rolled: bool,
    ) -> Result<State, Fault> {
        let mut runner = self.0.prototype.another();
        let Some(code) = self.0.program.entries.get(entry) else {
            return Err(no_such_point());
        };
        let mut position = snapshot.position(&self.0.rules, &self.0.program, runner.width(), 0);
        for &register in self.counters_around(code) {
            position.numbers[usize::from(register)] = 1;
        }
        runner.begin_turn(&position, code.address, rolled);
        self.start_at_runner(runner)
    }

    /// Returns the counter registers of the loops that enclose a turn or phase, outermost first:
    /// the registers shared by all decisions inside it.
    fn counters_around(&self, entry: &EntryCode) -> &[u16] {
        let mut inside =
            self.0.program.decisions[entry.decisions.clone()].iter().map(|code| &code.counters[..]);
        let first = inside.next().unwrap_or_default();
        let shared = |counters: &[u16]| {
            first.iter().zip(counters).take_while(|(one, other)| one == other).count()
        };
        // If all of them are in one loop inside the entry, its counter is included. This is
        // harmless: it is set before it is read.
        &first[..inside.map(shared).min().unwrap_or(first.len())]
    }

    /// Starts a game at the runner's position, with no history before it.
    fn start_at_runner(&self, mut runner: Box<dyn Runner>) -> Result<State, Fault> {
        // Loading a position clears the fault.
        if let Some(span) = runner.out_of_fuel() {
            return Err(Fault::out_of_fuel(span));
        }
        let (entry, position) = (runner.first_entry(), runner.position());
        runner.load(&position, entry.as_slice());
        State::new(self.clone(), runner)
    }

    /// Makes a state of a game that is over, from the board, the memories and the result.
    ///
    /// # Errors
    /// Never: nothing is left to evaluate.
    pub fn over_at(&self, snapshot: &Snapshot, outcome: Outcome) -> Result<State, Fault> {
        let mut runner = self.0.prototype.another();
        let mut position = snapshot.position(&self.0.rules, &self.0.program, runner.width(), 0);
        position.outcome = Some(outcome);
        runner.load(&position, &[]);
        State::new(self.clone(), runner)
    }

    /// Counts the sequences of exactly `depth` plies from a state.
    ///
    /// # Errors
    /// If the rules run out of fuel in one of them.
    pub fn perft(&self, from: &State, depth: u32) -> Result<u64, Fault> {
        self.count(from, depth, Unit::Ply, Finished::Skip)
    }

    /// Counts the sequences of exactly `turns` turns from a state. A turn is all plies of one
    /// player up to the next decision of another player or of chance; each ply of chance is a turn.
    /// Turns are equal if their plies are. The rest of a turn in progress counts as one, and so
    /// does a turn cut short by the end of the game.
    ///
    /// # Errors
    /// If the rules run out of fuel in one of them, or a turn exceeds a thousand plies.
    pub fn perft_turns(&self, from: &State, turns: u32) -> Result<u64, Fault> {
        self.count(from, turns, Unit::Turn, Finished::Skip)
    }

    /// Counts the sequences of exactly `depth` units from a state and, with [`Finished::Count`],
    /// the shorter ones that end the game.
    ///
    /// # Errors
    /// As [`Game::perft_turns`].
    pub fn count(
        &self,
        from: &State,
        depth: u32,
        unit: Unit,
        finished: Finished,
    ) -> Result<u64, Fault> {
        let mut runner = from.runner().boxed_clone();
        let count = runner.perft(depth, unit, finished);
        runner.out_of_fuel().map_or(Ok(count), |span| Err(Fault::out_of_fuel(span)))
    }

    /// Translates a candidate, as [`State::candidates`] lists them, to a move.
    pub fn spell_out(&self, candidate: PackedMove) -> Move {
        let specialization = &self.0.program.specializations[usize::from(candidate.specialization)];
        let sources = specialization.sources.iter();
        Move {
            rule: specialization.rule,
            arguments: sources.map(|source| self.argument(candidate, source)).collect(),
        }
    }

    /// Returns an argument of a candidate.
    pub(super) fn argument(&self, candidate: PackedMove, source: &ParameterSource) -> Argument {
        let member = candidate.member;
        match *source {
            ParameterSource::Member => Argument::Site(Site(member)),
            ParameterSource::MemberPath(path) => {
                let board = &self.0.rules.board;
                let to = path
                    .steps()
                    .iter()
                    .try_fold(Site(member), |site, &direction| board.step(site, direction));
                Argument::Site(to.unwrap_or(Site(member)))
            }
            ParameterSource::MemberNumber(least) => Argument::Number(least + i32::from(member)),
            ParameterSource::Prefix(prefix) => {
                Argument::Site(Site(candidate.prefix[usize::from(prefix)] as u16))
            }
            ParameterSource::PrefixNumber(prefix, least) => {
                Argument::Number(least + i32::from(candidate.prefix[usize::from(prefix)]))
            }
            ParameterSource::Direction(direction) => Argument::Direction(direction),
            ParameterSource::Number(number) => Argument::Number(number),
            ParameterSource::Piece(piece) => Argument::Piece(piece),
            ParameterSource::Site(site) => Argument::Site(site),
        }
    }

    /// Returns the numbers of all plies; `None` if there are more than `u32::MAX`.
    pub fn actions(&self) -> Option<&Actions> {
        self.0.actions.get_or_init(|| Actions::new(self)).as_ref()
    }

    /// Returns the planes that a player sees of a position.
    pub fn planes(&self) -> &Planes {
        self.0.planes.get_or_init(|| Planes::new(self))
    }

    /// Compiles the game to machine code if it can be compiled for this computer, and lets states
    /// created from now on wait for every function that they need. Results do not change. Without
    /// this call, searches, playouts and counts compile in the background once they have
    /// interpreted enough plies.
    pub fn jit_compile(&self) {
        self.0.prototype.jit_compile();
    }

    /// Starts compiling the game to machine code on a background thread. All states adopt it once
    /// it is ready.
    pub fn jit_compile_in_background(&self) {
        self.0.prototype.jit_compile_in_background();
    }

    /// Sets when states, counts and playouts created from now on switch to machine code, for tests
    /// that compare it with the interpreter. A number of plies is at least one, and the machine
    /// then waits for the compilation.
    #[doc(hidden)]
    pub fn set_jit_policy(&self, policy: JitPolicy) {
        self.0.prototype.set_jit_threshold(match policy {
            JitPolicy::Auto => JIT_AUTO,
            JitPolicy::Never => JIT_NEVER,
            JitPolicy::AfterPlies(plies) => plies.clamp(1, JIT_NEVER - 1),
        });
    }

    /// Sets the quality of machine code that is not compiled yet, for tests of many games.
    #[doc(hidden)]
    pub fn set_code_quality(&self, quality: CodeQuality) {
        self.0.prototype.set_code_quality(quality);
    }

    /// Makes a source of random playouts from a state.
    pub fn playouts(&self, from: &State) -> Playouts {
        Playouts { runner: from.runner().boxed_clone(), start: from.mark() }
    }
}

/// A source of random playouts on one thread. Aligned so that the playouts of two threads never
/// share a cache line.
#[repr(align(128))]
pub struct Playouts {
    runner: Box<dyn Runner>,
    start: Mark,
}

impl Playouts {
    /// Plays at most `cap` uniformly random plies, until the game ends. The same seed gives the
    /// same playout.
    ///
    /// # Errors
    /// If the rules run out of fuel.
    pub fn play(&mut self, seed: u64, cap: u32) -> Result<Playout, Fault> {
        self.runner
            .playout_from(
                self.start.position(),
                self.start.history(),
                &mut Random::new(seed),
                cap,
                None,
            )
            .map_err(Fault::out_of_fuel)
    }

    /// As [`play`](Self::play), but calls `stop` every few milliseconds, and breaks off if it
    /// returns true.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub fn play_until(
        &mut self,
        seed: u64,
        cap: u32,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Playout, Fault> {
        self.runner
            .playout_from(
                self.start.position(),
                self.start.history(),
                &mut Random::new(seed),
                cap,
                Some(stop),
            )
            .map_err(Fault::out_of_fuel)
    }

    /// Returns the final position of the last playout.
    pub fn position(&self) -> Position {
        self.runner.position()
    }
}

fn no_such_point() -> Fault {
    Fault { message: "there is no such point in the order of play".into(), span: Span::default() }
}
