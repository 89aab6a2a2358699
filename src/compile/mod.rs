//! Typed rules to a program.
//!
//! In: a [`Rules`]. Out: a [`Program`]. Rules are written about one site at a time; here, and
//! nowhere else, they are *lifted*: a condition on one site becomes an operation on whole sets of
//! sites. It refuses to know how sets are stored and how a program is run.
//!
//! - `op`, `assembler`, `layout`, `program`: what is made, from the instruction up.
//! - `plan`, `clauses`, `listing`: what was decided, clause by clause, and the instructions for
//!   people to read.
//! - `values`: what an expression becomes.
//! - `operands`, `regions`, `numbers`, `conditions`: expressions for the sites, directions and
//!   players at hand.
//! - `lift`: the same for every site of the board at once.
//! - `effects`: statements, with the `site_facts` that they may count on. `moves`: what is offered,
//!   and what making a move does. `proposals`: what random play draws from. `flow`: the order of
//!   play.

pub mod assembler;
pub mod clauses;
mod conditions;
mod effects;
mod flow;
mod guards;
pub mod layout;
mod lift;
pub mod listing;
mod moves;
mod numbers;
pub mod op;
mod operands;
pub mod plan;
pub mod program;
mod proposals;
mod regions;
mod site_facts;
mod values;

use crate::board::{Board, Direction, Site};
use crate::language::finding::{Code as FindingCode, Finding};
use crate::language::rules::{
    Condition, DefinitionId, MemoryId, MemoryType, MoveId, PlayerId, Rules, Spanned, Statement,
    Value,
};
use crate::syntax::Span;
use assembler::{Assembler, FIXED, FoldedConstants, Set, TooLarge};
use indexmap::IndexMap;
use layout::Layout;
use op::Code;
use plan::{ClauseKind, ClausePart, ExecutionNote, How, Unlifted, Why};
use program::{Address, Program, Specialization};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use values::{Binding, Scope};

/// How many expressions are compiled at most, definitions counted wherever they are used.
const MAX_EXPRESSIONS: u32 = 400_000;

/// How many values are computed at most, shared ones counted as often as they are asked for: half a
/// second. A line of sight in eight directions on the largest board takes a thousand.
const MAX_COMPUTATIONS: usize = 1 << 24;

/// What is said of an expression that no program can work out where it stands.
const UNKNOWN_BEFORE_PLAY: &str = "this cannot be computed here: it depends on something that is known for one site at a time only";

/// Why an expression or a routine could not be compiled as asked.
#[derive(Clone, Debug)]
enum Stop {
    /// It depends on the site that is lifted over in a way that cannot be lifted.
    NotLiftable(Why),
    TooLarge(Span),
    Misplaced(Span, &'static str),
}

type Compiled<T> = Result<T, Stop>;

/// A routine that is finished but has no address yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Routine(u16);

struct Compiler<'r> {
    rules: &'r Rules,
    board: &'r Board,
    layout: Layout,
    constants: IndexMap<Vec<Site>, ()>,
    asm: Assembler,
    routines: Vec<(Assembler, Span)>,
    clauses: IndexMap<Span, ()>,
    /// The player for whom code is made.
    mover: PlayerId,
    /// How many liftings were begun.
    lifts: u32,
    /// The expression at work.
    last: Span,
    /// What the clause at work belongs to.
    part: ClausePart,
    /// What came of the last attempt that failed.
    unlifted: Unlifted,
    /// How requirements are asked where statements are compiled.
    asked: How,
    /// The lifting in which a move from the site lifted over, one step in that direction, is
    /// offered: that step leads to a site.
    offered: Option<(u32, Direction)>,
    /// The most chains that are ever at work one inside the other.
    chains: u8,
    context: RoutineContext,
    moves: Moves,
    order: OrderOfPlay<'r>,
    spent: Spent,
}

/// What is known at a place of the routine at work. A routine begins with none of it.
#[derive(Default)]
struct RoutineContext {
    /// The lifting at work; 0 where there is none.
    lift: u32,
    /// What is known of the sites of the move at hand, until a piece is touched.
    site_facts: site_facts::SiteFacts,
    /// Which sites are known to be one step apart where a move is made: by the register of the
    /// second site, that of the first and the direction. Where moves are offered,
    /// `Compiler::offered` knows it.
    stepped: FxHashMap<u16, (u16, Direction)>,
    /// The chains at work around the statement.
    chain: u8,
}

/// What has been compiled for the moves.
#[derive(Default)]
struct Moves {
    specializations: Vec<(Specialization, Routine)>,
    /// By mover and rule, the statements of the body that no variation needs to ask: they held
    /// where the move was offered.
    settled: FxHashMap<(PlayerId, MoveId), Vec<usize>>,
    /// The variations by what tells them apart.
    made: FxHashMap<moves::SpecializationKey, u16>,
    /// The routines that offer moves, by mover and moves.
    move_generators: FxHashMap<(PlayerId, Vec<MoveId>), moves::MoveGenerator>,
    /// Whether what is offered is only to be drawn from.
    proposals: bool,
}

/// What has been compiled of the order of play.
#[derive(Default)]
struct OrderOfPlay<'r> {
    /// Numbers of the position that the order of play needs beyond the memories.
    counters: u16,
    decisions: Vec<flow::Pending>,
    /// How many decisions there are of a phase and a mover, or of chance.
    steps: FxHashMap<(Option<&'r str>, Option<PlayerId>), usize>,
    /// How many turnings the ways of the decisions have in all.
    path_steps: usize,
    /// Which statements belong to the order of play, by their addresses.
    flow_statements: FxHashMap<*const Statement, bool>,
    /// The order of play, its turns and phases; one that is inside another comes after it.
    entries: Vec<flow::PendingEntry>,
}

/// What compiling has cost so far.
#[derive(Default)]
struct Spent {
    /// How many expressions were looked at.
    work: u32,
    /// How many values were computed for routines that are finished, or begun around the one at
    /// work.
    computed: usize,
}

/// Compiles a game.
///
/// # Errors
/// Gives a finding when the rules need more registers or instructions than there are, or ask for
/// what no program can do.
pub fn compile(rules: &Rules) -> Result<Program, Finding> {
    compile_watching(rules, &[])
}

/// Compiles a game together with conditions that somebody wants to know of any position. They have
/// no part in how it is played.
///
/// # Errors
/// As [`compile`].
pub fn compile_watching<'r>(
    rules: &'r Rules,
    watched: &[&'r Spanned<Condition>],
) -> Result<Program, Finding> {
    let whole = Span { start: 0, end: rules.source().len().min(1) };
    Compiler::new(rules).and_then(|compiler| compiler.program(watched)).map_err(|stop| match stop {
        Stop::TooLarge(span) => Finding::new(FindingCode::RulesTooLarge, span, "these rules are too large to compile")
            .with_help("split long cases, use fewer directions or players, or repeat a `turn` instead of writing it out"),
        Stop::Misplaced(span, message) => Finding::new(FindingCode::Misplaced, span, message),
        Stop::NotLiftable(_) => Finding::new(FindingCode::Misplaced, whole, UNKNOWN_BEFORE_PLAY),
    })
}

impl<'r> Compiler<'r> {
    fn new(rules: &'r Rules) -> Compiled<Compiler<'r>> {
        let whole = Span { start: 0, end: rules.source().len().min(1) };
        let layout = Layout::new(rules, flow::cuts(rules)).map_err(|_| Stop::TooLarge(whole))?;
        let first = layout.sets;
        let known = FoldedConstants { none: Set(first), board: Set(first + 1) };
        let mut constants = IndexMap::new();
        constants.insert(Vec::new(), ());
        constants.insert(rules.board.sites().collect(), ());
        Ok(Compiler {
            rules,
            board: &rules.board,
            layout,
            constants,
            asm: Assembler::new(known),
            routines: Vec::new(),
            clauses: IndexMap::new(),
            mover: PlayerId(0),
            lifts: 0,
            last: Span::default(),
            part: ClausePart::Setup,
            unlifted: Unlifted { why: Why::Value, span: Span::default() },
            asked: How::Once,
            offered: None,
            chains: 0,
            context: RoutineContext::default(),
            moves: Moves::default(),
            order: OrderOfPlay::default(),
            spent: Spent::default(),
        })
    }

    /// Makes a routine by what the function emits; it is closed by a return.
    fn routine(
        &mut self,
        span: Span,
        emit: impl FnOnce(&mut Self) -> Compiled<()>,
    ) -> Compiled<Routine> {
        let known = FoldedConstants { none: self.asm.none(), board: self.asm.board() };
        let around = std::mem::replace(&mut self.asm, Assembler::new(known));
        self.spent.computed += around.requests();
        let context = std::mem::take(&mut self.context);
        let done = emit(self);
        self.asm.emit(Code::Return, 0, 0, 0, 0);
        let finished = std::mem::replace(&mut self.asm, around);
        // Routines within this one have added theirs.
        self.spent.computed = self.spent.computed - self.asm.requests() + finished.requests();
        self.context = context;
        done.map_err(|stop| match stop {
            Stop::NotLiftable(_) => Stop::Misplaced(self.last, UNKNOWN_BEFORE_PLAY),
            stop => stop,
        })?;
        self.routines.push((finished, span));
        if self.routines.len() >= usize::from(u16::MAX) {
            return Err(Stop::TooLarge(span));
        }
        Ok(Routine((self.routines.len() - 1) as u16))
    }

    /// Compiles everything and puts the routines together.
    fn program(mut self, watched: &[&'r Spanned<Condition>]) -> Compiled<Program> {
        let rules = self.rules;
        let whole = Span { start: 0, end: rules.source().len().min(1) };
        let blamed = |statements: &[Spanned<Statement>]| {
            statements.first().map_or(whole, |statement| statement.span)
        };
        let setup =
            self.routine(blamed(&rules.setup), |c| c.statements(&rules.setup, &Scope::default()))?;
        self.part = ClausePart::End;
        let players: Vec<PlayerId> = (0..rules.players.len() as u16).map(PlayerId).collect();
        let mut end = Vec::new();
        let mut repetition = Vec::new();
        let mut watching = vec![Vec::new(); watched.len()];
        for &player in &players {
            self.mover = player;
            for (condition, routines) in watched.iter().zip(&mut watching) {
                routines.push(
                    self.routine(condition.span, |c| c.require(condition, &Scope::default()))?,
                );
            }
            end.push(
                self.routine(blamed(&rules.end), |c| c.statements(&rules.end, &Scope::default()))?,
            );
            if let Some(rule) = &rules.repetition {
                let part = std::mem::replace(&mut self.part, ClausePart::Repetition);
                repetition.push(
                    self.routine(rule.span, |c| c.statements(&rule.then, &Scope::default()))?,
                );
                self.part = part;
            }
        }
        self.mover = PlayerId(0);
        self.part = ClausePart::Play;
        let flow = self.order_of_play()?;
        let free_sets = self.layout.sets + self.constants.len() as u16;
        let nums = self.layout.nums + self.order.counters;
        if self.constants.len() > usize::from(FIXED) || free_sets >= FIXED || nums >= FIXED {
            return Err(Stop::TooLarge(whole));
        }
        let mut code = Vec::new();
        let mut path_starts: Vec<Address> = Vec::new();
        let mut places = Vec::new();
        let mut origins = Vec::new();
        let mut notes = Vec::new();
        for (routine, span) in std::mem::take(&mut self.routines) {
            let start = code.len().min(usize::from(u16::MAX)) as u16;
            path_starts.push(start);
            origins.push((start, span));
            let finished = routine
                .finish(code.len(), (free_sets, nums))
                .map_err(|TooLarge| Stop::TooLarge(span))?;
            code.extend(finished.ops);
            notes.extend(finished.notes);
            places = finished.places;
        }
        let at = |routine: Routine| path_starts[usize::from(routine.0)];
        let mut initial = vec![0; usize::from(nums)];
        for (index, memory) in rules.memories.iter().enumerate() {
            if let layout::Home::Nums { first } = self.layout.home(MemoryId(index as u16)) {
                let copies = if memory.per_player { players.len() } else { 1 };
                let value = if memory.holds == MemoryType::Site { -1 } else { memory.initial };
                initial[usize::from(first)..usize::from(first) + copies].fill(value);
            }
        }
        // The order of play is the last routine, so the labels left over are its own.
        let decisions = self
            .order
            .decisions
            .into_iter()
            .map(|decision| decision.resolve(&at, &places))
            .collect::<Option<Vec<_>>>();
        let mut hasher = FxHasher::default();
        (rules.board.slots(), players.len(), &self.layout, &initial).hash(&mut hasher);
        rules.board.sites().for_each(|site| site.hash(&mut hasher));
        rules.memories.iter().for_each(|memory| memory.holds.hash(&mut hasher));
        let entries = self
            .order
            .entries
            .into_iter()
            .map(|entry| entry.resolve(&places))
            .collect::<Option<Vec<_>>>();
        Ok(Program {
            fingerprint: hasher.finish(),
            code,
            clauses: self.clauses.into_keys().collect(),
            origins,
            notes,
            layout: self.layout,
            constants: self.constants.into_keys().collect(),
            nums,
            initial,
            specializations: self
                .moves
                .specializations
                .into_iter()
                .map(|(specialization, apply)| Specialization {
                    apply: at(apply),
                    ..specialization
                })
                .collect(),
            decisions: decisions.ok_or(Stop::TooLarge(whole))?,
            entries: entries.ok_or(Stop::TooLarge(whole))?,
            setup: at(setup),
            start: at(flow),
            end: end.into_iter().map(at).collect(),
            repetition: rules.repetition.as_ref().map(|rule| program::RepetitionCode {
                times: rule.times,
                then: repetition.into_iter().map(at).collect(),
            }),
            watched: watching
                .into_iter()
                .map(|routines: Vec<Routine>| routines.into_iter().map(at).collect())
                .collect(),
            chains: self.chains,
        })
    }

    /// Counts an expression against what a game may have.
    fn work(&mut self, span: Span) -> Compiled<()> {
        self.spent.work += 1;
        self.last = span;
        let computed = self.spent.computed + self.asm.requests();
        if self.spent.work > MAX_EXPRESSIONS
            || self.asm.length() > usize::from(u16::MAX)
            || computed > MAX_COMPUTATIONS
        {
            return Err(Stop::TooLarge(span));
        }
        Ok(())
    }

    /// Looks at an expression: while that is done it is the one to blame, and afterwards the one
    /// around it is again.
    fn at<T>(&mut self, span: Span, look: impl FnOnce(&mut Self) -> Compiled<T>) -> Compiled<T> {
        let around = self.last;
        self.work(span)?;
        let found = look(self)?;
        self.last = around;
        Ok(found)
    }

    /// The stop for that reason, found out at that text.
    fn blame(&mut self, span: Span, why: Why) -> Stop {
        self.last = span;
        Stop::NotLiftable(why)
    }

    /// The number by which instructions speak of a clause.
    fn clause(&mut self, span: Span) -> u16 {
        let (index, _) = self.clauses.insert_full(span, ());
        index.min(usize::from(u16::MAX)) as u16
    }

    /// Takes down how a clause is executed, by the instructions from that one on.
    fn note(&mut self, kind: ClauseKind, span: Span, how: How, from: usize) {
        self.asm.note(ExecutionNote { part: self.part, kind, span, how, from: 0, to: 0 }, from);
    }

    /// The register of a set that never changes.
    fn constant(&mut self, mut sites: Vec<Site>) -> Set {
        sites.sort_unstable();
        sites.dedup();
        let (index, _) = self.constants.insert_full(sites, ());
        Set((usize::from(self.layout.sets) + index).min(usize::from(FIXED) - 1) as u16)
    }

    /// The directions as a mask, by their index.
    fn mask(directions: &[Direction]) -> u8 {
        directions.iter().fold(0, |mask, direction| mask | 1 << direction.index())
    }

    /// Binds a definition's parameters to expressions that are looked at where they are used.
    fn open_arguments(
        &self,
        definition: DefinitionId,
        arguments: &'r [Value],
        scope: &Scope<'r>,
    ) -> (Scope<'r>, &'r Value) {
        let definition = &self.rules.definitions[definition.index()];
        let mut inner = Scope::default();
        for (parameter, argument) in definition.parameters.iter().zip(arguments) {
            inner = inner.with(*parameter, Binding::Unevaluated(argument, scope.clone()));
        }
        (inner, &definition.body)
    }

    /// Tries something that may depend on the lifted site in a way that cannot be lifted; what it
    /// emitted is then taken back.
    fn attempt<T>(
        &mut self,
        compile: impl FnOnce(&mut Self) -> Compiled<T>,
    ) -> Compiled<Option<T>> {
        let attempt = self.asm.attempt();
        let last = self.last;
        match compile(self) {
            Ok(value) => {
                self.asm.commit(attempt);
                Ok(Some(value))
            }
            Err(Stop::NotLiftable(why)) => {
                self.asm.roll_back(attempt);
                self.unlifted = Unlifted { why, span: std::mem::replace(&mut self.last, last) };
                Ok(None)
            }
            Err(stop) => Err(stop),
        }
    }
}
