//! A compiled game: the instructions, and the data that ties them to the order of play.
//!
//! It is plain data. How wide sets are is the engine's choice.

use super::layout::Layout;
use super::op::{Code, Op, OperandRole};
use super::plan::{ClausePart, ExecutionNote};
use crate::board::{Direction, Site};
use crate::language::rules::{MoveId, PieceId, PlayerId, Teams};
use crate::syntax::Span;
use std::ops::Range;

/// An index into [`Program::code`].
pub type Address = u16;

/// The greatest number of different masks of directions in a program.
pub const MAX_MASKS: usize = 256;
/// The greatest number of parameters of a move.
pub const MAX_PARAMETERS: usize = 6;
/// At most this many fills of a program are cached from ply to ply.
pub const MAX_CACHED_FILLS: usize = 20;

/// A compiled game.
#[derive(Clone, Debug)]
pub struct Program {
    /// A hash of the board, the memories and the layout of registers: programs with equal
    /// fingerprints read positions alike.
    pub fingerprint: u64,
    pub code: Vec<Op>,
    /// The clauses that `Fail` and `LoopBack` refer to.
    pub clauses: Vec<Span>,
    /// The start of each routine, ascending, and the text that it was compiled from.
    pub origins: Vec<(Address, Span)>,
    /// How each clause is executed; a clause inside another comes before it.
    pub notes: Vec<ExecutionNote>,
    pub layout: Layout,
    /// The constant sets, in the registers after those of the position.
    pub constants: Vec<Vec<Site>>,
    /// The directions of instructions that go in several, as bit masks by index. An instruction
    /// names its mask by number; there are at most [`MAX_MASKS`].
    pub masks: Vec<u16>,
    /// Number of number registers of a position, counters included.
    pub nums: u16,
    /// The numbers before the setup.
    pub initial: Vec<i32>,
    pub specializations: Vec<Specialization>,
    pub decisions: Vec<DecisionCode>,
    /// The order of play, its turns and its phases; an inner entry follows the outer one.
    pub entries: Vec<EntryCode>,
    pub setup: Address,
    /// The first instruction of the order of play.
    pub start: Address,
    /// By player, the routine that runs after his plies.
    pub end: Vec<Address>,
    pub repetition: Option<RepetitionCode>,
    /// For each watched condition, by player to act: a routine that returns if it holds and fails
    /// if it does not.
    pub watched: Vec<Vec<Address>>,
    /// The routines that [`compile_observing`](super::compile_observing) adds.
    pub observing: Vec<Address>,
    /// Greatest nesting depth of chains.
    pub chains: u8,
    /// The number that says whether the two persons have exchanged their colours, by the pie rule.
    pub swapped: Option<u16>,
    pub teams: Teams,
}

impl Program {
    /// Returns what the rule of repetition compares and asks, if it is more than that whole
    /// positions end the game.
    pub fn past(&self) -> Option<&PastCode> {
        self.repetition.as_ref()?.past.as_ref()
    }

    /// Tests if plies can be illegal by repetition.
    #[inline(always)]
    pub fn forbids_repetition(&self) -> bool {
        self.past().is_some_and(|past| past.forbids)
    }

    /// Returns the text to blame for an instruction.
    pub fn origin(&self, address: Address) -> Span {
        let blamed = self
            .code
            .get(usize::from(address))
            .filter(|op| op.code == Code::LoopBack)
            .and_then(|op| self.clauses.get(usize::from(op.a)));
        // The outermost clause is the last one that contains it.
        let mut end = self.notes.iter().rev().filter(|note| note.part == ClausePart::End);
        let clause = end.find(|note| (note.from..note.to).contains(&address)).map(|note| note.span);
        let (before, _) = self.origins.split_at(self.routines_up_to(address));
        clause.or(blamed.copied()).or(before.last().map(|&(_, span)| span)).unwrap_or_default()
    }

    /// Returns how many routines start at the address or before it.
    fn routines_up_to(&self, address: Address) -> usize {
        self.origins.partition_point(|&(start, _)| start <= address)
    }

    /// Returns the addresses of the whole routine that an instruction belongs to.
    pub fn routine_around(&self, address: Address) -> Range<Address> {
        let (before, after) = self.origins.split_at(self.routines_up_to(address));
        let end = after.first().map_or(self.code.len() as Address, |&(start, _)| start);
        before.last().map_or(0, |&(start, _)| start)..end
    }

    /// Returns the number of prefix arguments that moves of a specialization have, up to the last
    /// one that is used.
    pub fn prefixes(&self, specialization: &Specialization) -> usize {
        let named = specialization.sources.iter().map(|source| match *source {
            ParameterSource::Prefix(place) | ParameterSource::PrefixNumber(place, _) => {
                usize::from(place) + 1
            }
            _ => 0,
        });
        let routine = self.routine(specialization.apply);
        let read = routine.iter().map(|&address| match self.code[usize::from(address)] {
            Op { code: Code::Argument, x, .. } => usize::from(x),
            _ => 0,
        });
        named.chain(read).max().unwrap_or(0)
    }

    /// Returns the instructions reachable from an address before the routine ends, in order.
    pub fn routine(&self, from: Address) -> Vec<Address> {
        let all = self.routine_around(from);
        let mut is_reached = vec![false; all.len()];
        let mut open = vec![from];
        while let Some(address) = open.pop() {
            if std::mem::replace(&mut is_reached[usize::from(address - all.start)], true) {
                continue;
            }
            let op = self.code[usize::from(address)];
            match op.code {
                Code::Jump | Code::LoopBack => open.push(op.c),
                Code::Return | Code::Decide | Code::Fail | Code::Win | Code::Draw => {}
                code if code.roles()[2] == OperandRole::Target => open.extend([address + 1, op.c]),
                _ => open.push(address + 1),
            }
        }
        all.zip(is_reached).filter_map(|(at, is_reached)| is_reached.then_some(at)).collect()
    }
}

/// What happens when a position has occurred `times` times; by player whose ply led to it.
#[derive(Clone, Debug)]
pub struct RepetitionCode {
    pub times: u32,
    pub then: Vec<Address>,
    /// The comparison and the conditions on plies, unless whole positions are compared and their
    /// repetition ends the game.
    pub past: Option<PastCode>,
}

/// The parts of a position that a rule of repetition compares, and its conditions on past plies.
/// The truth of each `throughout` is an argument of [`RepetitionCode::then`], which fails if the
/// ply is illegal.
#[derive(Clone, Debug)]
pub struct PastCode {
    /// The registers that are compared.
    pub sets: Vec<u16>,
    pub nums: Vec<u16>,
    pub place: Place,
    pub throughout: Vec<ThroughoutCode>,
    /// Whether a ply can be illegal by repetition. Positions are then compared on arrival at a
    /// decision, and no generated move is certainly legal.
    pub forbids: bool,
    /// The move of the pie rule, which does not count.
    pub swap: Option<MoveId>,
}

/// Which place in the order of play is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Decision,
    /// The player to act.
    Mover,
    Anywhere,
}

/// A condition on the plies since an earlier position.
#[derive(Clone, Debug)]
pub struct ThroughoutCode {
    /// By player who has made a ply, a routine that returns if it holds after that and fails if
    /// not.
    pub holds: Vec<Address>,
    /// By player whose ply repeats the position: whose plies count; `None` if all players' plies
    /// do.
    pub counted: Vec<Option<PlayerId>>,
}

/// A move rule with some arguments fixed, whose moves are generated for a whole set at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Specialization {
    pub rule: MoveId,
    /// Where the argument of each parameter comes from.
    pub sources: Vec<ParameterSource>,
    /// The routine that makes the move. Its argument 0 is the member of the move set, the next ones
    /// are the prefix.
    pub apply: Address,
    /// What the routine takes for granted of the sites of every generated move.
    pub facts: Vec<SiteFact>,
    /// Whether every generated move is legal. If not, it must be tried: the routine fails if it is
    /// illegal.
    pub exact: bool,
    /// Whether it is generated only as a proposal for rejection sampling.
    pub is_proposal: bool,
}

/// What is known of the site of a parameter before its move is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SiteFact {
    /// The index of the parameter.
    pub parameter: usize,
    pub bearing: Bearing,
}

/// What a site bears.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Bearing {
    /// No piece, and it is not cut out.
    Nothing,
    /// A piece in one of these registers.
    OneOf(Vec<u16>),
}

/// Where an argument of a move comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParameterSource {
    /// The member of the move set, as a site.
    Member,
    /// The site at the end of a path from the member.
    MemberPath(Path),
    /// The member, as a number: its index plus this offset.
    MemberNumber(i32),
    /// An argument of the prefix, as a site.
    Prefix(u8),
    /// An argument of the prefix, as a number: its value plus this offset.
    PrefixNumber(u8, i32),
    Direction(Direction),
    Number(i32),
    Piece(PieceId),
    Site(Site),
}

/// A path of one step or a few.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    steps: [Direction; Path::MAX_STEPS],
    length: u8,
}

impl Path {
    /// The greatest number of steps.
    pub const MAX_STEPS: usize = 4;

    /// Makes a path; `None` if there are no steps or too many.
    pub fn new(steps: &[Direction]) -> Option<Path> {
        let mut path =
            Path { steps: [*steps.first()?; Path::MAX_STEPS], length: steps.len() as u8 };
        path.steps.get_mut(..steps.len())?.copy_from_slice(steps);
        Some(path)
    }

    /// Returns the steps in order.
    pub fn steps(&self) -> &[Direction] {
        &self.steps[..usize::from(self.length)]
    }
}

/// One step of a path into the nested statements of the order of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The index of a statement in its list.
    pub statement: usize,
    pub inside: PathTarget,
}

/// Where inside a statement the path continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathTarget {
    /// The list with this index among those inside the statement.
    List(usize),
    /// A turn of this player.
    Turn(PlayerId),
    /// The iteration of a `repeat` after which `left` iterations follow.
    Round { left: i64 },
    /// The iteration of a `repeat` whose register counts the iterations left, this one included.
    Counted(u16),
    /// The iteration of a `for` over its value with this index.
    Value(usize),
    /// A definition, with the sources of its arguments.
    Definition(Vec<ArgumentSource>),
}

/// Where an argument of a definition with plies in it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentSource {
    /// It is the same at any time.
    Settled,
    Player(PlayerId),
    /// A register of the position holds it, multiplied by the scale.
    Kept {
        register: u16,
        scale: i64,
    },
}

/// A point at which a ply is made.
#[derive(Clone, Debug)]
pub struct DecisionCode {
    /// The path to it from the beginning of the order of play.
    pub way: Vec<PathStep>,
    /// The index of the statement that asks for the ply, in the list at the end of the path.
    pub statement: usize,
    /// The player of the turn around it.
    pub mover: PlayerId,
    pub chance: bool,
    /// The clause that asks for the ply.
    pub span: Span,
    pub phase: Option<String>,
    /// Its number among the decisions of this mover and phase, from 1.
    pub step: usize,
    pub moves: Vec<MoveId>,
    /// The counter registers of the loops around it, outermost first.
    pub counters: Vec<u16>,
    /// The routine that generates the moves.
    pub generate_moves: Address,
    /// Whether every generated move is legal.
    pub exact: bool,
    /// A cheaper routine that generates a superset of the legal moves, for rejection sampling. If
    /// there is one, all generated moves meet their requirements.
    pub proposals: Option<Address>,
    /// Where play continues after the ply.
    pub next: Address,
    /// Where it continues after a ply that ends the turn.
    pub leave: Address,
    /// Where it continues if no move is legal.
    pub otherwise: Address,
    pub steps: Option<StepsCode>,
}

/// Where a turn or a phase begins, or the order of play itself.
#[derive(Clone, Debug)]
pub struct EntryCode {
    /// The name of the phase; `None` for a turn.
    pub phase: Option<String>,
    /// Its first statement. All state that the code there reads is in the position.
    pub address: Address,
    /// The decisions inside it.
    pub decisions: Range<usize>,
}

/// What a decision within `steps` must look ahead to.
#[derive(Clone, Copy, Debug)]
pub struct StepsCode {
    /// The register that counts the steps left, this one included.
    pub left: u16,
    /// A routine that returns if the ending condition holds and fails if it does not.
    pub ending: Address,
}
