//! A compiled game: where matches of it begin, and what its moves are.

pub use super::fault::Fault;
pub use super::state::{Mark, State};

use super::driver::{PackedMove, Unit};
use super::machine::{JIT_AUTO, JIT_NEVER};
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
use std::sync::Arc;

/// A game that can be played. Cheap to clone; clones share the compiled rules.
#[derive(Clone)]
pub struct Game(Arc<GameData>);

struct GameData {
    rules: Rules,
    program: Arc<Program>,
    /// What every match of the game begins from.
    blank: Box<dyn Runner>,
    decisions: Vec<Decision>,
}

/// When machine code takes over from the interpreter.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JitPolicy {
    /// At once where it is made; else once so many plies were interpreted that making it is worth
    /// the while.
    Auto,
    Never,
    /// After so many interpreted plies.
    AfterPlies(u32),
}

/// Why a move was not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// It is not legal here.
    Illegal,
    /// It is, but what follows from it never ends.
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
    /// Whose ply it is; nobody's at a ply of chance.
    pub mover: Option<PlayerId>,
    /// The innermost phase around it.
    pub phase: Option<String>,
    /// Which decision of this mover and phase it is, from 1.
    pub step: usize,
    /// What can be chosen from.
    pub moves: Vec<MoveId>,
    /// How many counters the loops around it have (`repeat`, `steps`), outermost first.
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

/// What was chosen for one parameter of a move.
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

impl Game {
    /// Compiles typed rules, and sees that a game can begin.
    ///
    /// # Errors
    /// Gives a finding when the rules are larger than a game can be, ask for what no program can
    /// do, or go round without end before the first ply.
    pub fn compile(rules: Rules) -> Result<Game, Finding> {
        let program = compile(&rules)?;
        Game::of(rules, program)
    }

    /// Compiles typed rules together with the conditions of their claims, in order.
    /// [`State::holds`] tells of any position of such a game which of them hold; otherwise it is
    /// the same game.
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
        let Some(blank) = runner(&rules.board, &program) else {
            let whole = Span { start: 0, end: rules.source().len().min(1) };
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
        let game = Game(Arc::new(GameData { rules, program, blank, decisions }));
        match game.begin() {
            Ok(_) => Ok(game),
            Err(fault) => Err(fault.before_first_ply(&game.0.rules)),
        }
    }

    /// The rules that the game was made from.
    pub fn rules(&self) -> &Rules {
        &self.0.rules
    }

    /// What the rules were compiled to.
    pub fn program(&self) -> &Program {
        &self.0.program
    }

    /// Every point in the order of play where a ply is made, in that order.
    pub fn decisions(&self) -> &[Decision] {
        &self.0.decisions
    }

    /// Tests if a ply is made by chance: its rule is one that only chance follows.
    pub fn is_roll(&self, ply: &Move) -> bool {
        self.decisions()
            .iter()
            .any(|decision| decision.mover.is_none() && decision.moves.contains(&ply.rule))
    }

    /// Begins a match at the first position.
    ///
    /// # Errors
    /// Fails where the rules go round without end before the first ply; rules that do were not
    /// compiled.
    pub fn begin(&self) -> Result<State, Fault> {
        let mut runner = self.0.blank.another();
        runner.begin();
        State::new(self.clone(), runner)
    }

    /// Begins a match at a position: what stands and is remembered, the index of the decision, and
    /// its counters (how many rounds or steps are left, this one included; missing ones are 1).
    /// Where no move is legal there, play goes on as the rules say.
    ///
    /// # Errors
    /// Fails where there is no such decision, the setting is not of this game, or the rules go
    /// round without end.
    pub fn begin_at(
        &self,
        snapshot: &Snapshot,
        decision: usize,
        counters: &[i32],
    ) -> Result<State, Fault> {
        let mut runner = self.0.blank.another();
        let Some(code) = self.0.program.decisions.get(decision) else {
            return Err(Fault {
                message: "there is no such point in the order of play".into(),
                span: Span::default(),
            });
        };
        let mut position =
            snapshot.position(&self.0.rules, &self.0.program, runner.width(), decision as u16);
        for (index, &register) in code.counters.iter().enumerate() {
            position.numbers[usize::from(register)] = counters.get(index).copied().unwrap_or(1);
        }
        runner.load(&position, &[]);
        self.begun(runner)
    }

    /// Begins a match at the first statement of a turn or a phase, given what stands and is
    /// remembered before it; `entry` is an index into [`Program::entries`]. Counters of loops
    /// around it are 1. `rolled` says that rolls before a player's ply have been made: what they
    /// led to is in the setting.
    ///
    /// # Errors
    /// Fails where there is no such turn, the setting is not of this game, or the rules go round
    /// without end.
    pub fn begin_turn(
        &self,
        snapshot: &Snapshot,
        entry: usize,
        rolled: bool,
    ) -> Result<State, Fault> {
        let mut runner = self.0.blank.another();
        let Some(code) = self.0.program.entries.get(entry) else {
            return Err(Fault {
                message: "there is no such point in the order of play".into(),
                span: Span::default(),
            });
        };
        let mut position = snapshot.position(&self.0.rules, &self.0.program, runner.width(), 0);
        for &register in self.counters_around(code) {
            position.numbers[usize::from(register)] = 1;
        }
        runner.begin_turn(&position, code.address, rolled);
        self.begun(runner)
    }

    /// The registers of the counters of the loops around a turn or a phase, outermost first: those
    /// that all decisions inside it share.
    fn counters_around(&self, entry: &EntryCode) -> &[u16] {
        let mut inside =
            self.0.program.decisions[entry.decisions.clone()].iter().map(|code| &code.counters[..]);
        let first = inside.next().unwrap_or_default();
        let shared = |counters: &[u16]| {
            first.iter().zip(counters).take_while(|(one, other)| one == other).count()
        };
        // With a single loop inside, its counter is shared as well; it is set before it is read.
        &first[..inside.map(shared).min().unwrap_or(first.len())]
    }

    /// Begins a match at the runner's position, as one that nothing was before.
    fn begun(&self, mut runner: Box<dyn Runner>) -> Result<State, Fault> {
        // To load a position forgets the fault.
        if let Some(span) = runner.out_of_fuel() {
            return Err(Fault::out_of_fuel(span));
        }
        let (hash, position) = (runner.hash(), runner.position());
        runner.load(&position, &[hash]);
        State::new(self.clone(), runner)
    }

    /// Makes a match that is over: what stands and is remembered, and how it ended.
    ///
    /// # Errors
    /// Fails where the setting is not of this game.
    pub fn over_at(&self, snapshot: &Snapshot, outcome: Outcome) -> Result<State, Fault> {
        let mut runner = self.0.blank.another();
        let mut position = snapshot.position(&self.0.rules, &self.0.program, runner.width(), 0);
        position.outcome = Some(outcome);
        runner.load(&position, &[]);
        State::new(self.clone(), runner)
    }

    /// Counts the sequences of exactly `depth` plies from the match's position.
    ///
    /// # Errors
    /// Fails where the rules go round without end in one of them.
    pub fn perft(&self, from: &State, depth: u32) -> Result<u64, Fault> {
        Self::count(from, depth, Unit::Ply)
    }

    /// Counts the sequences of exactly so many turns from the match's position. A turn is all that
    /// one player does up to the next decision of another player or of chance, whose every ply is a
    /// turn; two are the same when their plies are the same. The rest of a turn that has begun is
    /// one, and so is a turn that the game's end cuts short.
    ///
    /// # Errors
    /// Fails where the rules go round without end in one of them, or a turn goes on beyond a
    /// thousand plies.
    pub fn perft_turns(&self, from: &State, turns: u32) -> Result<u64, Fault> {
        Self::count(from, turns, Unit::Turn)
    }

    fn count(from: &State, depth: u32, unit: Unit) -> Result<u64, Fault> {
        let mut runner = from.runner().boxed_clone();
        let count = runner.perft(depth, unit);
        runner.out_of_fuel().map_or(Ok(count), |span| Err(Fault::out_of_fuel(span)))
    }

    /// Says what move a candidate is, as [`State::candidates`] lists them.
    pub fn spell_out(&self, candidate: PackedMove) -> Move {
        let specialization = &self.0.program.specializations[usize::from(candidate.specialization)];
        let member = candidate.member;
        let argument = |source: &ParameterSource| match *source {
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
            ParameterSource::Direction(direction) => Argument::Direction(direction),
            ParameterSource::Number(number) => Argument::Number(number),
            ParameterSource::Piece(piece) => Argument::Piece(piece),
        };
        Move {
            rule: specialization.rule,
            arguments: specialization.sources.iter().map(argument).collect(),
        }
    }

    /// Makes machine code for the game, where it can be made for this computer, and lets matches
    /// begun from now on wait for all of it that they can use. They give the same results as ever.
    /// Searches, playouts and counts have it made by themselves once they have gone on for a while,
    /// and go on without it until then.
    pub fn jit_compile(&self) {
        self.0.blank.jit_compile();
    }

    /// Has machine code made for the game on a thread of its own. Everything that is done with the
    /// game goes on with it once it is there.
    pub fn jit_compile_in_background(&self) {
        self.0.blank.jit_compile_in_background();
    }

    /// Says when machine code takes over in matches, counts and playouts begun from now on, for
    /// tests that hold it against the interpreter: it never does, or after so many interpreted
    /// plies, one at least, be it made by then or not.
    #[doc(hidden)]
    pub fn set_jit_policy(&self, policy: JitPolicy) {
        self.0.blank.set_jit_threshold(match policy {
            JitPolicy::Auto => JIT_AUTO,
            JitPolicy::Never => JIT_NEVER,
            JitPolicy::AfterPlies(plies) => plies.clamp(1, JIT_NEVER - 1),
        });
    }

    /// Makes a source of random playouts from the match's position.
    pub fn playouts(&self, from: &State) -> Playouts {
        Playouts { runner: from.runner().boxed_clone(), start: from.mark() }
    }
}

/// An endless source of random playouts on one thread. Sources side by side share no line of the
/// cache, so that threads do not wait for each other.
#[repr(align(128))]
pub struct Playouts {
    runner: Box<dyn Runner>,
    start: Mark,
}

impl Playouts {
    /// Plays one game of uniformly random plies, at most `cap` of them. The same seed gives the
    /// same playout.
    ///
    /// # Errors
    /// Fails where the rules go round without end.
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

    /// The same, but every few milliseconds somebody is asked whether to stop, and then the playout
    /// has come to no end.
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

    /// Where the last playout stopped.
    pub fn position(&self) -> Position {
        self.runner.position()
    }
}
