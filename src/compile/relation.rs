//! Relations between sites: the representation in which regions and conditions that are written
//! about a site, or about two, are lifted.
//!
//! A region written about a site x is a relation: x leads to each of its sites. A condition on two
//! sites is a relation, too, and one on one site is a set. Relations are only ever *applied* to
//! sets, so there are two sorts, [`SetTerm`] and [`RelationTerm`], as in dynamic algebras (Pratt
//! 1990) and Peirce algebras (Brink, Britz and Schmidt 1994). Written for a relation R and sets S,
//! A and B, with V the board:
//!
//! | operation | meaning | [`Terms`] |
//! |---|---|---|
//! | preimage ⟨R⟩S | the x that R leads into S | [`preimage`](Terms::preimage) |
//! | image R\[S\] | the y that R leads to from S | the preimage of the converse |
//! | converse R˘ | the pairs turned around | [`converse`](Terms::converse) |
//! | along f, g | the x with (f(x), g(x)) in R, for paths f and g | [`along`](Terms::along) |
//! | ports | R as paths, each from a set of starts | [`ports`](Terms::ports) |
//! | degree | how many y in S an x leads to, as sets to be summed | [`degree`](Terms::degree) |
//!
//! *Region not empty*, *site in region* and *size of region* are a preimage, a preimage or `along`,
//! and a degree; whichever way round a rule is written, its parts become the same terms.
//!
//! Terms are hash-consed (Ershov 1958): equal terms have one identifier. The constructors of
//! [`Terms`] apply these laws from left to right, so that what is spelled differently often becomes
//! one term; that is sufficient for equal meaning, never necessary.
//!
//! - ⟨R ∪ Q⟩S = ⟨R⟩S ∪ ⟨Q⟩S, ⟨R;Q⟩S = ⟨R⟩⟨Q⟩S, ⟨A?⟩S = A ∩ S, (R;Q)˘ = Q˘;R˘ and (R;Q);P = R;(Q;P)
//!   (Tarski 1941). A?;B? = (A ∩ B)?, R;(A × B) = ⟨R⟩A × B and (A × B);R = A × R\[B\]. R;P ∪ R;Q =
//!   R;(P ∪ Q), and likewise on the other side (Codd 1970; Bird and de Moor 1997).
//! - A functional f distributes from the left: f ∩ (R ∪ Q), f ∩ (R − Q) and f ∩ (R ∩ Q) are taken
//!   apart, and dom(f ∩ A × B) = dom(f) ∩ A ∩ ⟨f⟩B (Schmidt and Ströhlein 1993). This is all of
//!   `along`. A relation with ports is a union of functional ones, so that its intersection with,
//!   and its difference from, another one has a preimage, too.
//! - Steps in opposite directions are converse and injective on every board. A ray is open at both
//!   ends and at most one lap long; its converse is the ray in the opposite direction through the
//!   same sites. A flood leads from a site of `within` to another one by steps inside `within`.
//! - (Step;W?)* = 1 ∪ Step;Flood(W): a closure of steps into a set is a flood. (A × B) − 1 leads from
//!   x in A into S if B ∩ S has a site other than x.
//!
//! Sets that were computed before are leaves, as registers with the versions of their contents.
//! `lowering` and `conditions` make terms from typed rules, where variables are `columns`; what
//! depends on no column is a leaf. `emission` emits the instructions of a set. The reference
//! interpreter knows nothing of this module: it stands alone against a wrong law.

mod columns;
mod conditions;
mod constructors;
mod emission;
mod lowering;
mod operations;
mod passages;

pub(super) use columns::{Lowered, Members, SiteTerm};

use super::assembler::{Num, Set};
use super::directions::Guard;
use super::plan::Why;
use crate::board::{Board, Direction, Site};
use crate::syntax::Span;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::ops::Range;

/// A set of sites, by the index of its term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId(u32);

/// A relation between sites, by the index of its term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationId(u32);

impl SetId {
    /// The empty set.
    pub const NONE: SetId = SetId(0);
    /// All sites of the board.
    pub const BOARD: SetId = SetId(1);
}

impl RelationId {
    /// The empty relation.
    pub const NONE: RelationId = RelationId(0);
    /// The identity.
    pub const SAME: RelationId = RelationId(1);
    /// All pairs of sites.
    pub const ALL: RelationId = RelationId(2);
}

/// A guard, with the versions of what its registers hold, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GuardId(u32);

/// A relation that is only known site by site, by index: the body of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoopId(pub(super) u32);

/// A set of sites.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SetTerm {
    /// No site.
    None,
    /// Every site of the board.
    Board,
    /// Sites that are known before play, in ascending order.
    Constant(Vec<Site>),
    /// What a register holds as of a version.
    Register(Set, u32),
    /// The site, or none, whose number a register holds as of a version.
    Single(Num, u32),
    /// The intersection.
    And(SetId, SetId),
    /// The union.
    Or(SetId, SetId),
    /// The difference.
    Minus(SetId, SetId),
    /// The symmetric difference.
    Xor(SetId, SetId),
    /// The sites one step from the set in any of the directions of the mask.
    Beside(u16, SetId),
    /// The sites from which a ray in the direction leads into the first set; the sites strictly
    /// between are in the second one.
    Fill(Direction, SetId, SetId),
    /// The sites of the second set that are passed, within it, from the first one in the directions
    /// of the mask.
    Walk(u16, SetId, SetId),
    /// The sites passed from a single site, through the second set, in the directions of the mask,
    /// and the first ones behind them.
    Sight(u16, SetId, SetId),
    /// The sites of the second set that are connected with the first one within it, by steps in the
    /// directions of the mask.
    Flood(u16, SetId, SetId),
    /// The sites from which some number of steps of the relation, or none, leads into the set.
    Closure(RelationId, SetId),
    /// All sites if the set is not empty, else none.
    Somewhere(SetId),
    /// The sites other than which the set has a site.
    Elsewhere(SetId),
    /// The set if the guard holds, else no site.
    Guarded(GuardId, SetId),
    /// The sites that a loop leads to from a set.
    Loop(LoopId, SetId),
}

/// A relation between sites.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RelationTerm {
    /// No pair.
    None,
    /// The identity on a set.
    Test(SetId),
    /// From every site of the first set to every site of the second.
    Product(SetId, SetId),
    /// One step in any of the directions of the mask.
    Step(u16),
    /// One step or more in a direction of the mask, at most one lap, with the sites strictly
    /// between in the set.
    Ray(u16, SetId),
    /// From a site of the set to those connected with it in the set, by steps in the directions of
    /// the mask; a site is connected with itself.
    Flood(u16, SetId),
    /// Any number of steps of the relation, or none.
    Star(RelationId),
    /// One relation after the other.
    Then(RelationId, RelationId),
    /// The intersection.
    And(RelationId, RelationId),
    /// The union.
    Or(RelationId, RelationId),
    /// The difference.
    Minus(RelationId, RelationId),
    /// From each site to the one whose number plus one these bit planes hold there, the lowest bit
    /// first.
    Stored(Vec<SetId>),
    /// The converse of what bit planes store.
    Back(RelationId),
    /// The relation if the guard holds, else no pair.
    Guarded(GuardId, RelationId),
    /// What is only known site by site; if the flag is set, the converse.
    Loop(LoopId, bool),
}

/// Why an operation on sets cannot compute something, and the text that is to blame if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The reason.
    pub why: Why,
    /// The text.
    pub span: Option<Span>,
}

impl From<Why> for Stuck {
    fn from(why: Why) -> Stuck {
        Stuck { why, span: None }
    }
}

/// The terms of a game.
#[derive(Debug)]
pub struct Terms<'b> {
    board: &'b Board,
    sets: IndexSet<SetTerm, FxBuildHasher>,
    /// What each set costs, in fills.
    costs: Vec<u8>,
    relations: IndexSet<RelationTerm, FxBuildHasher>,
    converses: FxHashMap<RelationId, RelationId>,
    guards: IndexSet<(Guard, Vec<u32>), FxBuildHasher>,
    /// The texts that rays and groups were lowered from last.
    spans: FxHashMap<RelationId, Span>,
    /// For each loop, why there is one.
    loops: Vec<Stuck>,
    /// The work that is left for paths, in relations and words of sets.
    left: u32,
}

impl<'b> Terms<'b> {
    /// Makes the terms that every board has.
    pub fn new(board: &'b Board) -> Terms<'b> {
        let all = RelationTerm::Product(SetId::BOARD, SetId::BOARD);
        Terms {
            board,
            sets: [SetTerm::None, SetTerm::Board].into_iter().collect(),
            costs: vec![0, 0],
            relations: [RelationTerm::None, RelationTerm::Test(SetId::BOARD), all]
                .into_iter()
                .collect(),
            converses: FxHashMap::default(),
            guards: IndexSet::default(),
            spans: FxHashMap::default(),
            loops: Vec::new(),
            left: operations::MAX_WORK,
        }
    }

    /// Returns the term of a set.
    pub fn set_term(&self, id: SetId) -> &SetTerm {
        &self.sets[id.0 as usize]
    }

    /// Returns the term of a relation.
    pub fn relation_term(&self, id: RelationId) -> &RelationTerm {
        &self.relations[id.0 as usize]
    }

    /// Returns a set as it is written.
    fn set(&mut self, term: SetTerm) -> SetId {
        let cost = self.cost_of(&term);
        let (index, is_new) = self.sets.insert_full(term);
        if is_new {
            self.costs.push(cost);
        }
        SetId(index as u32)
    }

    /// Returns what a set costs beyond steps and operations on bits, in fills.
    fn cost_of(&self, term: &SetTerm) -> u8 {
        let of = |id: SetId| self.costs[id.0 as usize];
        match *term {
            SetTerm::None | SetTerm::Board | SetTerm::Constant(_) => 0,
            SetTerm::Register(..) | SetTerm::Single(..) => 0,
            SetTerm::And(a, b) | SetTerm::Or(a, b) => of(a).saturating_add(of(b)),
            SetTerm::Minus(a, b) | SetTerm::Xor(a, b) => of(a).saturating_add(of(b)),
            SetTerm::Beside(_, a) | SetTerm::Guarded(_, a) => of(a),
            SetTerm::Somewhere(a) | SetTerm::Elsewhere(a) => of(a),
            SetTerm::Fill(_, a, b) => of(a).saturating_add(of(b)).saturating_add(1),
            SetTerm::Walk(mask, a, b) | SetTerm::Sight(mask, a, b) => {
                of(a).saturating_add(of(b)).saturating_add(mask.count_ones() as u8)
            }
            SetTerm::Flood(..) | SetTerm::Closure(..) | SetTerm::Loop(..) => u8::MAX,
        }
    }

    /// Returns a relation as it is written.
    fn relation(&mut self, term: RelationTerm) -> RelationId {
        RelationId(self.relations.insert_full(term).0 as u32)
    }

    /// Returns what a register holds as of a version.
    pub fn register(&mut self, set: Set, version: u32) -> SetId {
        self.set(SetTerm::Register(set, version))
    }

    /// Returns the site whose number a register holds as of a version.
    pub fn single(&mut self, site: Num, version: u32) -> SetId {
        self.set(SetTerm::Single(site, version))
    }

    /// Returns a set that is known before play. The sites are in ascending order.
    pub fn constant(&mut self, sites: Vec<Site>) -> SetId {
        match sites.len() {
            0 => SetId::NONE,
            _ if self.board.is_all(&sites) => SetId::BOARD,
            _ => self.set(SetTerm::Constant(sites)),
        }
    }

    /// Returns the intersection.
    pub fn and(&mut self, a: SetId, b: SetId) -> SetId {
        match (self.set_term(a), self.set_term(b)) {
            _ if a == b => a,
            (SetTerm::None, _) | (_, SetTerm::None) => SetId::NONE,
            (SetTerm::Board, _) => b,
            (_, SetTerm::Board) => a,
            // Subtracting a complement's set saves computing the complement.
            (_, &SetTerm::Minus(SetId::BOARD, out)) => self.minus(a, out),
            (&SetTerm::Minus(SetId::BOARD, out), _) => self.minus(b, out),
            (&SetTerm::Guarded(guard, set), _) => {
                let both = self.and(set, b);
                self.under(guard, both)
            }
            (_, &SetTerm::Guarded(guard, set)) => {
                let both = self.and(a, set);
                self.under(guard, both)
            }
            _ => self.set(SetTerm::And(a.min(b), a.max(b))),
        }
    }

    /// Returns the union.
    pub fn or(&mut self, a: SetId, b: SetId) -> SetId {
        match (self.set_term(a), self.set_term(b)) {
            _ if a == b => a,
            (SetTerm::Board, _) | (_, SetTerm::Board) => SetId::BOARD,
            (SetTerm::None, _) => b,
            (_, SetTerm::None) => a,
            (&SetTerm::Minus(SetId::BOARD, one), &SetTerm::Minus(SetId::BOARD, other)) => {
                let both = self.and(one, other);
                self.complement(both)
            }
            // Steps from one set in several directions are one.
            (&SetTerm::Beside(one, from), &SetTerm::Beside(other, of)) if from == of => {
                self.beside(one | other, of)
            }
            (&SetTerm::Or(before, last), &SetTerm::Beside(other, of)) => {
                match *self.set_term(last) {
                    SetTerm::Beside(one, from) if from == of => {
                        let last = self.beside(one | other, of);
                        self.or(before, last)
                    }
                    _ => self.set(SetTerm::Or(a, b)),
                }
            }
            (&SetTerm::Walk(one, from, passed), &SetTerm::Walk(other, of, through))
                if (from, passed) == (of, through) =>
            {
                self.set(SetTerm::Walk(one | other, of, through))
            }
            _ => self.set(SetTerm::Or(a, b)),
        }
    }

    /// Returns the difference.
    pub fn minus(&mut self, a: SetId, b: SetId) -> SetId {
        match (self.set_term(a), self.set_term(b)) {
            _ if a == b => SetId::NONE,
            (SetTerm::None, _) | (_, SetTerm::Board) => SetId::NONE,
            (_, SetTerm::None) => a,
            (_, &SetTerm::Minus(SetId::BOARD, rest)) => self.and(a, rest),
            (&SetTerm::Guarded(guard, set), _) => {
                let rest = self.minus(set, b);
                self.under(guard, rest)
            }
            _ => self.set(SetTerm::Minus(a, b)),
        }
    }

    /// Returns the sites that are not in the set.
    pub fn complement(&mut self, a: SetId) -> SetId {
        self.minus(SetId::BOARD, a)
    }

    /// Returns the symmetric difference.
    pub fn xor(&mut self, a: SetId, b: SetId) -> SetId {
        match (self.set_term(a), self.set_term(b)) {
            _ if a == b => SetId::NONE,
            (SetTerm::None, _) => b,
            (_, SetTerm::None) => a,
            (SetTerm::Board, _) => self.complement(b),
            (_, SetTerm::Board) => self.complement(a),
            _ => self.set(SetTerm::Xor(a.min(b), a.max(b))),
        }
    }

    /// Returns the sites one step from the set in any of the directions of the mask.
    pub fn beside(&mut self, mask: u16, of: SetId) -> SetId {
        match of {
            SetId::NONE => of,
            _ if mask == 0 => SetId::NONE,
            _ => self.set(SetTerm::Beside(mask, of)),
        }
    }

    /// Returns all sites if the set is not empty, else none.
    pub fn somewhere(&mut self, set: SetId) -> SetId {
        match *self.set_term(set) {
            SetTerm::None | SetTerm::Board | SetTerm::Somewhere(_) => set,
            SetTerm::Constant(_) => SetId::BOARD,
            _ => self.set(SetTerm::Somewhere(set)),
        }
    }

    /// Returns a guard, with the versions of the contents of its registers.
    pub(super) fn guard(&mut self, guard: Guard, versions: Vec<u32>) -> GuardId {
        GuardId(self.guards.insert_full((guard, versions)).0 as u32)
    }

    /// Returns the set if the guard holds, else no site.
    pub(super) fn under(&mut self, guard: GuardId, set: SetId) -> SetId {
        match set {
            SetId::NONE => set,
            _ => self.set(SetTerm::Guarded(guard, set)),
        }
    }

    /// Returns the cost of a set beyond steps and operations on bits, in fills. A part that it
    /// needs more than once is counted each time.
    pub fn cost(&self, set: SetId) -> u32 {
        u32::from(self.costs[set.0 as usize])
    }

    /// Divides the operands of an intersection into the sets in these registers and the others:
    /// returns the intersection of each, if there are both.
    pub fn factored(&mut self, set: SetId, registers: Range<u16>) -> Option<(SetId, SetId)> {
        let (mut factor, mut rest) = (SetId::BOARD, SetId::BOARD);
        let mut left = vec![set];
        while let Some(id) = left.pop() {
            match *self.set_term(id) {
                SetTerm::And(a, b) => left.extend([b, a]),
                SetTerm::Register(one, _) if registers.contains(&one.0) => {
                    factor = self.and(factor, id);
                }
                _ => rest = self.and(rest, id),
            }
        }
        (factor != SetId::BOARD && rest != SetId::BOARD).then_some((factor, rest))
    }

    /// Returns the sets without whose sites a set has none, by how it is written: those in these
    /// registers, and steps from them. `known` keeps what was found of its parts.
    pub fn needed(
        &self,
        set: SetId,
        registers: &Range<u16>,
        known: &mut FxHashMap<SetId, FxHashSet<SetId>>,
    ) -> FxHashSet<SetId> {
        if let Some(needed) = known.get(&set) {
            return needed.clone();
        }
        let mut of = |part: SetId| self.needed(part, registers, known);
        let itself = FxHashSet::from_iter([set]);
        let needed = match *self.set_term(set) {
            SetTerm::Register(one, _) if registers.contains(&one.0) => itself,
            SetTerm::Beside(_, part) if !of(part).is_empty() => itself,
            SetTerm::And(a, b) => of(a).union(&of(b)).copied().collect(),
            SetTerm::Or(a, b) => of(a).intersection(&of(b)).copied().collect(),
            SetTerm::Minus(a, _) => of(a),
            _ => FxHashSet::default(),
        };
        known.insert(set, needed.clone());
        needed
    }
}
