//! Compiles typed rules ([`Rules`]) to a [`Program`].
//!
//! Rules are written about one site at a time. The compiler *lifts* them: a condition on one site
//! becomes an operation on whole sets, which computes it for every site of the board at once. What
//! cannot be lifted is tested site by site. How sets are stored and how instructions are executed
//! is left to the engine.
//!
//! - `op`, `assembler`, `layout`, `program`: the instructions, their emission, the registers of a
//!   position, and the finished program.
//! - `plan`, `clauses`, `listing`: how each clause is executed, and the instructions as text.
//! - `values`: what an expression evaluates to during compilation.
//! - `operands`, `directions`, `numbers`, `conditions`: expressions for one site, direction or player.
//!   `relation`: regions, for one site and for all, and conditions for all; `regions`: what they are
//!   made of.
//! - `coordinates`: rows, columns and distances, which are known for each site. `board_values`:
//!   whatever else depends on the board alone. `calls`: uses of definitions with the same value.
//! - `lift`: expressions for every site of the board at once. `lines`: lines of several sites.
//! - `effects`: statements, with the `site_facts` that they may rely on. `moves`: move generation
//!   and the routines that make moves. `guards`: when all generated moves are legal. `proposals`:
//!   supersets of the legal moves for rejection sampling. `ability`: whether there is a legal move.
//!   `flow`: the order of play. `linking`: joins all routines to the program.

mod ability;
pub mod assembler;
mod board_values;
mod calls;
pub mod clauses;
mod conditions;
mod coordinates;
mod directions;
mod effects;
mod flow;
mod guards;
mod kinds;
pub mod layout;
mod lift;
mod lines;
mod linking;
pub mod listing;
mod moves;
mod numbers;
pub mod op;
mod operands;
pub mod plan;
pub mod program;
mod proposals;
mod recurrence;
mod regions;
pub mod relation;
mod site_facts;
mod values;
mod verify;

use crate::board::{Board, Direction, Site};
use crate::language::finding::{Code as FindingCode, Finding};
use crate::language::rules::{
    Condition, Definition, DefinitionId, Local, MoveId, Parameter, PieceId, PlayerId, Rules, Sites,
    Spanned, Statement,
};
use crate::syntax::Span;
use assembler::{Assembler, FIXED, FoldedConstants, Num, Set, TooLarge};
use indexmap::IndexMap;
use layout::{Layout, PileRegisters};
use linking::Unlinked;
use op::{MaskNumber, RegisterFile};
use plan::{ClauseKind, ClausePart, ExecutionNote, How, Unlifted, Why};
use program::{MAX_MASKS, Program, Specialization};
use recurrence::RepetitionRoutines;
use relation::Terms;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use values::Scope;
pub use verify::{Defect, InvalidProgram};

/// Limit on compiled expressions; a definition counts at every use.
const MAX_EXPRESSIONS: u32 = 400_000;

/// Limit on requested values, shared ones counted at every request: about half a second of work. A
/// line of sight in eight directions on the largest board takes a thousand.
const MAX_COMPUTATIONS: usize = 1 << 24;

/// Message for an expression that depends on a lifted site where it cannot be lifted.
const UNKNOWN_BEFORE_PLAY: &str = "this cannot be computed here: it depends on something that is known for one site at a time only";

/// Why an expression or a routine could not be compiled.
#[derive(Clone, Debug)]
enum Stop {
    /// It depends on the lifted site in a way that cannot be lifted.
    NotLiftable(Why),
    TooLarge(Span),
    Misplaced(Span, &'static str),
}

type Compiled<T> = Result<T, Stop>;

/// A finished routine, by index; its address is assigned at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Routine(u16);

/// Variables, by the key of an expression.
type Mentioned = FxHashMap<(*const (), u8), Rc<[Local]>>;

struct Compiler<'r> {
    rules: &'r Rules,
    board: &'r Board,
    layout: Layout,
    constants: IndexMap<Vec<Site>, ()>,
    /// The masks of directions that instructions name by number.
    masks: IndexMap<u16, ()>,
    terms: Terms<'r>,
    /// The region of each loop of the terms, in its scope, and the column that it runs over.
    loops: Vec<(u32, &'r Spanned<Sites>, Scope<'r>)>,
    /// The columns that loops have fixed, with the registers of their sites.
    fixed: Vec<(u32, Num)>,
    asm: Assembler,
    routines: Vec<(Assembler, Span)>,
    clauses: IndexMap<Span, ()>,
    /// The player for whom code is generated.
    mover: PlayerId,
    /// Number of liftings so far, which is also the id of the latest.
    lifts: u32,
    /// The variables that expressions mention, as far as they were asked for.
    mentioned: RefCell<Mentioned>,
    /// The variables that change.
    assigned: HashSet<Local>,
    /// The expression being compiled, which errors point at.
    last: Span,
    /// The part of the rules that the current clause belongs to.
    part: ClausePart,
    /// Why the latest failed attempt failed.
    unlifted: Unlifted,
    /// How the requirements of the current statements are executed.
    asked: How,
    /// While a move set is generated whose second site is one step from the lifted one: the lifting
    /// and the direction. That step is known to lead to a site.
    offered: Option<(u32, Direction)>,
    /// The search for a legal move, while code for it is generated.
    search: Option<ability::Search>,
    /// Greatest nesting depth of chains.
    chains: u8,
    /// Whether the rules read the kind of the piece on a site.
    reads_kinds: bool,
    /// The kinds that are assumed on lifted sites; `None` is no kind.
    assumed: Vec<(kinds::LiftedSite, Option<PieceId>)>,
    /// The lifted site whose kind was needed last and is not assumed.
    open_kind: Option<kinds::LiftedSite>,
    context: RoutineContext<'r>,
    /// What becomes of a `then` in the current routine.
    then: moves::ThenRole<'r>,
    moves: Moves,
    order: flow::OrderOfPlay<'r>,
    /// The greatest distance of two sites, by the mask of directions.
    farthest: FxHashMap<u16, u16>,
    spent: Spent,
    board_values: board_values::BoardValues,
}

/// What is known at the current point of a routine. Every routine starts with the default.
#[derive(Clone, Default)]
struct RoutineContext<'r> {
    /// The current lifting; 0 outside of any.
    lift: u32,
    /// Conditions whose value is known here, because move generation has branched on them, each
    /// with the copy of it that stands in the other branch.
    assumed: Vec<([&'r Spanned<Condition>; 2], bool)>,
    /// What is known of the sites of the move, until a piece changes.
    site_facts: site_facts::SiteFacts,
    /// Sites known to be one step apart in a routine that makes a move: the register of the second
    /// site, to that of the first and the direction. During move generation it is
    /// `Compiler::offered`.
    stepped: FxHashMap<u16, (u16, Direction)>,
    /// The registers of the variables in scope that change.
    changing: Vec<(RegisterFile, u16)>,
    /// The parameters of the move that the routine makes.
    parameters: &'r [Parameter],
    /// Number of chains around the current statement.
    chain: u8,
    /// While move generation tries a move: where that ends.
    tried: Option<ability::Trial>,
    /// Whether move generation has tested every requirement of the move that the routine makes.
    are_requirements_met: bool,
}

/// What has been compiled for the moves.
#[derive(Default)]
struct Moves {
    specializations: Vec<(Specialization, Routine)>,
    /// By mover and rule, the statements of the body that no specialization tests, because move
    /// generation has tested them.
    settled: FxHashMap<(PlayerId, MoveId), Vec<usize>>,
    /// The specializations by what distinguishes them.
    made: FxHashMap<moves::SpecializationKey, u16>,
    /// The routines that generate moves, by mover and moves.
    move_generators: FxHashMap<(PlayerId, Vec<MoveId>), moves::MoveGenerator>,
    /// Whether move sets are generated as proposals, a superset of the legal moves.
    proposals: bool,
    /// The greatest number of move sets that the products of the current routine stand for.
    products: usize,
    /// Whether move sets are not added: it is only found out if they can be products.
    probes: bool,
}

/// Cost of the compilation so far.
#[derive(Default)]
struct Spent {
    /// Number of compiled expressions.
    work: u32,
    /// Number of values requested by finished routines and by those suspended around the current
    /// one.
    computed: usize,
}

/// Compiles a game.
///
/// # Errors
/// Returns a finding if the rules need more registers or instructions than there are, or contain
/// something that cannot be compiled.
pub fn compile(rules: &Rules) -> Result<Program, Finding> {
    compile_with(rules, Extra::default())
}

/// Compiles a game together with conditions to be tested in any position ([`Program::watched`]).
/// They do not affect play.
///
/// # Errors
/// As [`compile`].
pub fn compile_watching<'r>(
    rules: &'r Rules,
    watched: &[&'r Spanned<Condition>],
) -> Result<Program, Finding> {
    compile_with(rules, Extra { watched, ..Extra::default() })
}

/// Statements to be executed in any position, for a player to act.
pub type Observing = (PlayerId, Vec<Spanned<Statement>>);

/// Compiles statements that write down what they find in a position of a game
/// ([`Program::observing`]), in the last `memories` memories, which the rules of play do not use.
/// The registers before those are the ones of the game without them. The program has no order of
/// play.
///
/// # Errors
/// As [`compile`].
pub fn compile_observing<'r>(
    rules: &'r Rules,
    memories: usize,
    observing: &'r [Observing],
) -> Result<Program, Finding> {
    compile_with(rules, Extra { watched: &[], observing, memories })
}

/// What is compiled besides the rules of play.
#[derive(Clone, Copy, Default)]
struct Extra<'e, 'r> {
    watched: &'e [&'r Spanned<Condition>],
    observing: &'r [Observing],
    /// How many memories, the last ones, only these statements use.
    memories: usize,
}

fn compile_with<'r>(rules: &'r Rules, extra: Extra<'_, 'r>) -> Result<Program, Finding> {
    let compiled = Compiler::new(rules, extra.memories)
        .and_then(|compiler| compiler.compiled(extra))
        .and_then(|unlinked| unlinked.link().map_err(Stop::TooLarge));
    compiled.map_err(|stop| match stop {
        Stop::TooLarge(span) => {
            let message = "these rules are too large to compile";
            let help = "split long cases, use fewer directions or players, or repeat a `turn` \
                        instead of writing it out";
            Finding::new(FindingCode::RulesTooLarge, span, message).with_help(help)
        }
        Stop::Misplaced(span, message) => Finding::new(FindingCode::Misplaced, span, message),
        Stop::NotLiftable(_) => {
            Finding::new(FindingCode::Misplaced, rules.opening(), UNKNOWN_BEFORE_PLAY)
        }
    })
}

impl<'r> Compiler<'r> {
    fn new(rules: &'r Rules, observed: usize) -> Compiled<Compiler<'r>> {
        let layout = Layout::new(rules, flow::cuts(rules), observed)
            .map_err(|TooLarge| Stop::TooLarge(rules.opening()))?;
        let first = layout.sets;
        let below = layout.piles.as_ref().map_or(0..0, PileRegisters::all_below);
        let known = FoldedConstants {
            none: Set(first),
            board: Set(first + 1),
            pieces_end: layout.pieces_end,
            below_first: below.start,
            below_end: below.end,
        };
        let mut constants = IndexMap::new();
        constants.insert(Vec::new(), ());
        constants.insert(rules.board.sites().collect(), ());
        Ok(Compiler {
            rules,
            board: &rules.board,
            order: flow::OrderOfPlay::new(rules, &layout),
            layout,
            constants,
            masks: IndexMap::new(),
            terms: Terms::new(&rules.board),
            loops: Vec::new(),
            fixed: Vec::new(),
            asm: Assembler::new(known),
            routines: Vec::new(),
            clauses: IndexMap::new(),
            mover: PlayerId(0),
            lifts: 0,
            mentioned: RefCell::default(),
            assigned: rules.assigned(),
            last: Span::default(),
            part: ClausePart::Setup,
            unlifted: Unlifted { why: Why::Value, span: Span::default() },
            asked: How::Once,
            offered: None,
            search: None,
            chains: 0,
            reads_kinds: kinds::reads_kinds(rules),
            assumed: Vec::new(),
            open_kind: None,
            context: RoutineContext::default(),
            then: moves::ThenRole::default(),
            moves: Moves::default(),
            farthest: FxHashMap::default(),
            spent: Spent::default(),
            board_values: board_values::BoardValues::default(),
        })
    }

    /// Compiles a routine: what `emit` emits, followed by a return.
    fn routine(
        &mut self,
        span: Span,
        emit: impl FnOnce(&mut Self) -> Compiled<()>,
    ) -> Compiled<Routine> {
        let known = self.asm.known();
        let around = std::mem::replace(&mut self.asm, Assembler::new(known));
        self.spent.computed += around.requests();
        let context = std::mem::take(&mut self.context);
        let done = emit(self);
        self.asm.ret();
        let finished = std::mem::replace(&mut self.asm, around);
        // Routines compiled inside this one have already added theirs.
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

    /// Compiles all rules.
    fn compiled(mut self, extra: Extra<'_, 'r>) -> Compiled<Unlinked<'r>> {
        let rules = self.rules;
        let whole = rules.opening();
        let blamed = |statements: &[Spanned<Statement>]| {
            statements.first().map_or(whole, |statement| statement.span)
        };
        let setup =
            self.routine(blamed(&rules.setup), |c| c.statements(&rules.setup, &Scope::default()))?;
        self.part = ClausePart::End;
        let mut end = Vec::new();
        let mut repetition = RepetitionRoutines::default();
        let mut watched = vec![Vec::new(); extra.watched.len()];
        for player in (0..rules.players.len() as u16).map(PlayerId) {
            self.mover = player;
            for (condition, routines) in extra.watched.iter().zip(&mut watched) {
                routines.push(
                    self.routine(condition.span, |c| c.require(condition, &Scope::default()))?,
                );
            }
            end.push(
                self.routine(blamed(&rules.end), |c| c.statements(&rules.end, &Scope::default()))?,
            );
            if let Some(rule) = &rules.repetition {
                let part = std::mem::replace(&mut self.part, ClausePart::Repetition);
                self.repetition_routines(rule, &mut repetition)?;
                self.part = part;
            }
        }
        let mut observing = Vec::new();
        for (player, statements) in extra.observing {
            self.mover = *player;
            observing.push(
                self.routine(blamed(statements), |c| c.statements(statements, &Scope::default()))?,
            );
        }
        self.mover = PlayerId(0);
        self.part = ClausePart::Play;
        let start = match extra.observing.is_empty() {
            true => self.order_of_play()?,
            // Nobody plays by this program: its moves need not be compiled.
            false => self.routine(whole, |_| Ok(()))?,
        };
        Ok(Unlinked {
            rules,
            layout: self.layout,
            constants: self.constants.into_keys().collect(),
            masks: self.masks.into_keys().collect(),
            clauses: self.clauses.into_keys().collect(),
            chains: self.chains,
            specializations: self.moves.specializations,
            order: self.order,
            routines: self.routines,
            setup,
            start,
            end,
            repetition,
            watched,
            observing,
        })
    }

    /// Counts an expression against the limits.
    fn work(&mut self, span: Span) -> Compiled<()> {
        self.spent.work += 1;
        self.last = span;
        let computed = self.spent.computed + self.asm.requests();
        if self.spent.work > MAX_EXPRESSIONS
            || self.asm.length() > usize::from(u16::MAX)
            || computed > MAX_COMPUTATIONS
            || self.asm.is_full()
        {
            return Err(Stop::TooLarge(span));
        }
        Ok(())
    }

    /// Compiles a part. Errors point at its text meanwhile, and at the enclosing expression
    /// afterwards.
    fn at<T>(&mut self, span: Span, look: impl FnOnce(&mut Self) -> Compiled<T>) -> Compiled<T> {
        let around = self.last;
        self.work(span)?;
        let found = look(self)?;
        self.last = around;
        Ok(found)
    }

    /// Returns the stop for this reason and makes the error point at this text.
    fn blame(&mut self, span: Span, why: Why) -> Stop {
        self.last = span;
        Stop::NotLiftable(why)
    }

    /// Returns the index of a clause in [`Program::clauses`].
    fn clause(&mut self, span: Span) -> u16 {
        let (index, _) = self.clauses.insert_full(span, ());
        index.min(usize::from(u16::MAX)) as u16
    }

    /// Notes how a clause is executed, by the instructions from `from` on. Those of moves that are
    /// only searched belong to the clause that asks.
    fn note(&mut self, kind: ClauseKind, span: Span, how: How, from: usize) {
        if self.search.is_some() || span.is_empty() {
            return;
        }
        self.asm.note(ExecutionNote { part: self.part, kind, span, how, from: 0, to: 0 }, from);
    }

    /// Returns the register of a constant set.
    fn constant(&mut self, mut sites: Vec<Site>) -> Set {
        sites.sort_unstable();
        sites.dedup();
        let (index, _) = self.constants.insert_full(sites, ());
        Set((usize::from(self.layout.sets) + index).min(usize::from(FIXED) - 1) as u16)
    }

    /// Returns the directions as a bit mask, by index.
    fn mask(directions: &[Direction]) -> u16 {
        directions.iter().fold(0, |mask, direction| mask | 1 << direction.index())
    }

    /// Returns the number of a mask in [`Program::masks`].
    fn ways(&mut self, mask: u16) -> MaskNumber {
        let (index, _) = self.masks.insert_full(mask, ());
        MaskNumber(index.min(MAX_MASKS - 1) as u8)
    }

    /// Returns a definition.
    fn definition(&self, id: DefinitionId) -> &'r Definition {
        &self.rules.definitions[id.index()]
    }

    /// Compiles something that may not be liftable. If it is not, takes back what was emitted,
    /// stores the reason in `unlifted` and returns `None`.
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
