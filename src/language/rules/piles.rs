//! Piles: where sites hold pieces one on another.
//!
//! The pieces of a position are those on top. What lies under them is in sets that no text
//! declares, for each depth and kind: at depth 1 the pieces right below the top, and so on. So a
//! pile is as high as there are depths at which it has a piece, and every clause about pieces is
//! about those on top unless it says otherwise.

use super::{
    Comparison, Condition, DefinitionId, Local, Memory, MemoryId, MemoryType, Piece, PieceId,
    Rules, Spanned, Statement,
};
use crate::syntax::Span;

/// The piles of a game. The sets come after the memories of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piles {
    /// The clause.
    pub span: Span,
    /// How many pieces a pile has at most, 2 or more.
    pub most: usize,
    /// The definition of the height of a site, and its parameter.
    pub height: DefinitionId,
    pub site: Local,
    first: MemoryId,
    /// The kinds of piece on which others may lie, each with whether it is owned.
    covered: Vec<(PieceId, bool)>,
    /// Whether pieces of some kinds cannot be covered.
    pub is_choosy: bool,
}

impl Piles {
    /// Describes piles of at most so many pieces, in which only pieces of the `covered` kinds have
    /// others on them. The sets come after so many memories; `height` is the definition of the
    /// height of a site.
    pub fn new(
        span: Span,
        most: usize,
        (pieces, covered): (&[Piece], &[PieceId]),
        memories: usize,
        (height, site): (DefinitionId, Local),
    ) -> Piles {
        let is_choosy = covered.len() < pieces.len();
        let covered = covered.iter().map(|&kind| (kind, pieces[kind.index()].owned)).collect();
        Piles { span, most, height, site, first: MemoryId(memories as u16), covered, is_choosy }
    }

    /// Returns the sets of pieces of these kinds, as the rules list them.
    pub fn memories(&self, pieces: &[Piece]) -> impl Iterator<Item = Memory> {
        let depths = (1..self.most).flat_map(|depth| self.kinds().map(move |kind| (depth, kind)));
        depths.map(|(depth, kind)| {
            let name = format!("{}-below-{depth}", pieces[kind.index()].name);
            let at = Span::new(self.span.start, self.span.start);
            let per_player = self.is_owned(kind);
            Memory { per_player, ..Memory::new(name, at, MemoryType::Sites) }
        })
    }

    /// Returns the kinds of piece on which others may lie.
    pub fn kinds(&self) -> impl Iterator<Item = PieceId> {
        self.covered.iter().map(|&(kind, _)| kind)
    }

    /// Tests if other pieces may lie on those of a kind.
    pub fn covers(&self, kind: PieceId) -> bool {
        self.kinds().any(|covered| covered == kind)
    }

    /// Tests if a pile can consist of pieces of these kinds, from the bottom up.
    pub fn allows(&self, mut kinds: impl ExactSizeIterator<Item = PieceId>) -> bool {
        let below = kinds.len().saturating_sub(1);
        kinds.len() <= self.most && kinds.by_ref().take(below).all(|kind| self.covers(kind))
    }

    /// Says what a pile can be: `a pile has at most 8 pieces, and nothing lies on a Wall`.
    pub fn limit(&self, pieces: &[Piece]) -> String {
        let kinds = pieces.iter().zip((0..).map(PieceId));
        let bare = kinds.filter(|&(_, kind)| !self.covers(kind));
        let bare: Vec<String> = bare.map(|(piece, _)| format!("a {}", piece.name)).collect();
        match bare.is_empty() {
            true => format!("a pile has at most {} pieces", self.most),
            false => {
                let bare = bare.join(" or ");
                format!("a pile has at most {} pieces, and nothing lies on {bare}", self.most)
            }
        }
    }

    /// Tests if pieces of a kind have owners and others may lie on them.
    pub fn is_owned(&self, kind: PieceId) -> bool {
        self.covered.contains(&(kind, true))
    }

    /// Returns the set of the sites with a piece of a kind so many pieces below the top, 1 or more;
    /// `None` if nothing lies on pieces of this kind.
    pub fn set(&self, depth: usize, kind: PieceId) -> Option<MemoryId> {
        let place = self.kinds().position(|covered| covered == kind)?;
        Some(MemoryId(self.first.0 + ((depth - 1) * self.covered.len() + place) as u16))
    }

    /// Returns the first of the sets.
    pub fn first_set(&self) -> MemoryId {
        self.first
    }

    /// Returns what a set is of: how many pieces below the top, and the kind; `None` if the memory
    /// is none of the sets.
    pub fn of_set(&self, memory: MemoryId) -> Option<(usize, PieceId)> {
        let place = memory.index().checked_sub(self.first.index())?;
        let (depth, kind) = (place / self.covered.len() + 1, place % self.covered.len());
        (depth < self.most).then(|| (depth, self.covered[kind].0))
    }
}

impl Rules {
    /// Tests if a memory is one of the sets that hold what lies below the tops of piles.
    pub fn is_of_pile(&self, memory: MemoryId) -> bool {
        self.piles.as_ref().is_some_and(|piles| piles.of_set(memory).is_some())
    }

    /// Tests if a statement is what makes a move illegal by which a pile would be too high: it has
    /// the span of the effect.
    pub fn keeps_bound(&self, statement: &Spanned<Statement>) -> bool {
        let Statement::Require(condition) = &statement.node else { return false };
        condition.span == statement.span && self.is_limit_of_pile(condition)
    }

    /// Tests if a condition is what an effect on a pile requires: it has the span of the effect.
    pub fn is_limit_of_pile(&self, condition: &Spanned<Condition>) -> bool {
        let text = condition.span.text(self.source());
        self.piles.is_some() && ["(put", "(relocate"].iter().any(|head| text.starts_with(head))
    }

    /// Tests if a statement is what makes a move illegal by which a pile would be too high, and
    /// asks for the heights of piles.
    pub fn limits_height(&self, statement: &Spanned<Statement>) -> bool {
        let is_limit =
            |condition: &Condition| matches!(condition, Condition::Compare(Comparison::AtMost, ..));
        matches!(&statement.node, Statement::Require(condition) if is_limit(&condition.node))
            && self.keeps_bound(statement)
    }

    /// Tests if a memory is not shown: by the look, or since it is part of piles.
    pub fn hides(&self, memory: MemoryId) -> bool {
        self.look.hides(memory) || self.is_of_pile(memory)
    }
}
