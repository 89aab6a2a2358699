//! A compiled game: instructions, and what they mean for the order of play.
//!
//! In: what the compiler found out. Out: plain data that the engine runs. No bit sets here: how
//! wide they are is the engine's choice.

use super::layout::Layout;
use super::op::{Code, Op, OperandRole};
use super::plan::ExecutionNote;
use crate::board::{Direction, Site};
use crate::language::rules::{MoveId, PieceId, PlayerId};
use crate::syntax::Span;
use std::collections::BTreeSet;
use std::ops::Range;

/// An index into [`Program::code`].
pub type Address = u16;

/// How many parameters a move can have.
pub const MAX_PARAMETERS: usize = 6;
/// So many fills of a program are kept from ply to ply at most.
pub const MAX_CACHED_FILLS: usize = 20;

/// A compiled game.
#[derive(Clone, Debug)]
pub struct Program {
    /// A hash of the board, of what is remembered, and of which register holds what: programs that
    /// have it in common mean the same by what is in a position.
    pub fingerprint: u64,
    pub code: Vec<Op>,
    /// The clauses that `Fail` and `Again` speak of.
    pub clauses: Vec<Span>,
    /// Where each routine begins, ascending, and the text that it was made from.
    pub origins: Vec<(Address, Span)>,
    /// How each clause is executed; what is within another comes before it.
    pub notes: Vec<ExecutionNote>,
    pub layout: Layout,
    /// The sets that are constant, in the registers after the position's.
    pub constants: Vec<Vec<Site>>,
    /// How many numbers a position has, counters included.
    pub nums: u16,
    /// The values that the numbers have before the setup.
    pub initial: Vec<i32>,
    pub specializations: Vec<Specialization>,
    pub decisions: Vec<DecisionCode>,
    /// The order of play, and every turn and phase in it; one that is inside another comes after
    /// it.
    pub entries: Vec<EntryCode>,
    pub setup: Address,
    /// Where the order of play begins.
    pub start: Address,
    /// By player: what is looked at after his plies.
    pub end: Vec<Address>,
    pub repetition: Option<RepetitionCode>,
    /// For each condition that is watched, by player who is to act: a routine that returns where it
    /// holds and fails where it does not.
    pub watched: Vec<Vec<Address>>,
    /// How many chains are ever at work one within another.
    pub chains: u8,
}

impl Program {
    /// The text to blame for what happens at an instruction.
    pub fn origin(&self, address: Address) -> Span {
        let blamed = self
            .code
            .get(usize::from(address))
            .filter(|op| op.code == Code::LoopBack)
            .and_then(|op| self.clauses.get(usize::from(op.a)));
        let routine = self.origins.partition_point(|&(start, _)| start <= address);
        let whole = self.origins.get(routine.saturating_sub(1)).map(|&(_, span)| span);
        blamed.copied().or(whole).unwrap_or_default()
    }

    /// The instructions that can be reached from an address before the routine is done.
    pub fn routine(&self, from: Address) -> BTreeSet<Address> {
        let mut open = vec![from];
        let mut reached = BTreeSet::new();
        while let Some(address) = open.pop() {
            if reached.insert(address) {
                let op = self.code[usize::from(address)];
                match op.code {
                    Code::Jump | Code::LoopBack => open.push(op.c),
                    Code::Return | Code::Decide | Code::Fail | Code::Win | Code::Draw => {}
                    code if code.roles()[2] == OperandRole::Target => {
                        open.extend([address + 1, op.c])
                    }
                    _ => open.push(address + 1),
                }
            }
        }
        reached
    }
}

/// What is done when a position has arisen for so many times; by player whose ply led to it.
#[derive(Clone, Debug)]
pub struct RepetitionCode {
    pub times: u32,
    pub then: Vec<Address>,
}

/// A move rule with some of its arguments settled, offered for a whole set of sites at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Specialization {
    pub rule: MoveId,
    /// Where each parameter's argument comes from.
    pub sources: Vec<ParameterSource>,
    /// The routine that makes the move. It takes the site of the offer as argument 0 and what was
    /// held as the next ones.
    pub apply: Address,
    /// Whether every offer is legal. Otherwise it must be tried: the routine fails where it is not.
    pub exact: bool,
    /// Whether it is offered only to draw from.
    pub is_proposal: bool,
}

/// Where an argument comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParameterSource {
    /// The member of the set that is offered: a site.
    Member,
    /// The site at the end of a path from the member of the set.
    MemberPath(Path),
    /// The member of the set that is offered: this much more than its place in the set.
    MemberNumber(i32),
    /// What was held, as a site.
    Prefix(u8),
    Direction(Direction),
    Number(i32),
    Piece(PieceId),
}

/// One step or a few, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    steps: [Direction; Path::MAX_STEPS],
    length: u8,
}

impl Path {
    /// How many steps a path has at most.
    pub const MAX_STEPS: usize = 4;

    /// Makes a path; none of no step, nor of too many.
    pub fn new(steps: &[Direction]) -> Option<Path> {
        let mut path =
            Path { steps: [*steps.first()?; Path::MAX_STEPS], length: steps.len() as u8 };
        path.steps.get_mut(..steps.len())?.copy_from_slice(steps);
        Some(path)
    }

    /// The steps, from the first.
    pub fn steps(&self) -> &[Direction] {
        &self.steps[..usize::from(self.length)]
    }
}

/// A step on the way into the order of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The number of a statement in its list.
    pub statement: usize,
    pub inside: PathTarget,
}

/// Where inside a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathTarget {
    /// The list with this number among those inside the statement.
    List(usize),
    /// A turn of this player.
    Turn(PlayerId),
    /// The round of a `repeat` after which so many are left.
    Round { left: i64 },
    /// The round of a `repeat` that a register counts down, this one included.
    Counted(u16),
    /// The round of a `for` that has the value with this number among those it runs through.
    Value(usize),
    /// The definition that is done, by its arguments.
    Definition(Vec<ArgumentSource>),
}

/// An argument of a definition with plies in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentSource {
    /// What it is at any time.
    Settled,
    Player(PlayerId),
    /// A register keeps it, times so much.
    Kept {
        register: u16,
        scale: i64,
    },
}

/// What is known of a point where a ply is made.
#[derive(Clone, Debug)]
pub struct DecisionCode {
    /// The way there from the beginning of the order of play.
    pub way: Vec<PathStep>,
    /// The number of the statement that asks for the ply in the list at the end of the way.
    pub statement: usize,
    /// The player of the turn around it.
    pub mover: PlayerId,
    pub chance: bool,
    /// The clause that asks for the ply.
    pub span: Span,
    pub phase: Option<String>,
    /// Which decision of this mover and phase it is, from 1.
    pub step: usize,
    pub moves: Vec<MoveId>,
    /// The registers of the counters of the loops around it, outermost first.
    pub counters: Vec<u16>,
    /// The routine that offers the moves.
    pub generate_moves: Address,
    /// Whether every offer is legal.
    pub exact: bool,
    /// A routine that offers more than is legal, among it all that is, and takes less: random play
    /// draws from it and tries. Every offer of the other one is legal then.
    pub proposals: Option<Address>,
    /// Where play goes on after the ply.
    pub next: Address,
    /// Where it goes on when the ply ends the turn.
    pub leave: Address,
    /// Where it goes on when no move is legal.
    pub otherwise: Address,
    pub steps: Option<StepsCode>,
}

/// Where a turn or a phase begins, or the order of play itself.
#[derive(Clone, Debug)]
pub struct EntryCode {
    /// The name of the phase; none of a turn.
    pub phase: Option<String>,
    /// Its first statement. Whatever is needed there is in the position.
    pub address: Address,
    /// The decisions inside it.
    pub decisions: Range<usize>,
}

/// What a decision within `steps` must look ahead to.
#[derive(Clone, Copy, Debug)]
pub struct StepsCode {
    /// The register of the number of steps left, this one included.
    pub left: u16,
    /// A routine that returns where the ending condition holds and fails where it does not.
    pub ending: Address,
}
