//! What the compiler decided about each clause: how it is executed, by which instructions, and why
//! it is not executed for all sites at once where it is not.
//!
//! In: what lifting finds out on its way. Out: a list of notes, kept with the program. No
//! instruction depends on it.

use super::program::Address;
use crate::language::rules::MoveId;
use crate::syntax::Span;

/// Why something cannot be lifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// A region that is grown from a site, for every site at once.
    Group,
    /// The sites of a line, other than to find one of them.
    Line,
    /// A walk to any number of sites.
    Length,
    /// A region that is made for one site.
    Region,
    /// Two regions that both depend on the site.
    TwoRegions,
    /// Two sites that both vary.
    TwoSites,
    /// The site itself, as a number.
    Site,
    /// A direction that is known only in play.
    Direction,
    /// A player who is known only in play.
    Player,
    /// Arithmetic that is done for one site only.
    Arithmetic,
    /// A second site to which no known steps lead from the first.
    Choice,
    /// A value that differs from case to case.
    Value,
    /// The requirement comes after the effect.
    Effect,
    /// The requirement stands inside the statement.
    Inside,
    /// The move chooses no site that the requirement could be lifted over.
    Siteless,
    /// No instruction was made: it stands under a condition that is known never to lead to it.
    Known,
    /// No instruction was made: no decision offers the move.
    Unoffered,
    /// No instruction was made, because what is around it never comes to it.
    Unreached,
}

impl Why {
    /// The reason in words, a clause that follows "because".
    pub fn words(self) -> &'static str {
        match self {
            Why::Group => "each site has a different group",
            Why::Line => "which sites are on the line depends on the site",
            Why::Length => "the distance is only known during play",
            Why::Region => "the region differs from site to site",
            Why::TwoRegions => "more than one part of this region depends on the site",
            Why::TwoSites => "it relates two sites",
            Why::Site => "this is computed for one site at a time",
            Why::Direction => "this direction depends on the site or is only known during play",
            Why::Player => "this player is only known during play",
            Why::Arithmetic => "this is computed for one site at a time",
            Why::Choice => "this region has no fixed steps from the site chosen before",
            Why::Value => "its value is only known during play",
            Why::Effect => "it depends on the position after this effect",
            Why::Inside => "it is inside this statement",
            Why::Siteless => "the move chooses no site that it could use",
            Why::Known => "the result is known before play",
            Why::Unoffered => "no decision offers this move",
            Why::Unreached => "it is unreachable",
        }
    }

    /// The reason as a key.
    pub fn name(self) -> &'static str {
        match self {
            Why::Group => "group",
            Why::Line => "line",
            Why::Length => "length",
            Why::Region => "region",
            Why::TwoRegions => "two-regions",
            Why::TwoSites => "two-sites",
            Why::Site => "site",
            Why::Direction => "direction",
            Why::Player => "player",
            Why::Arithmetic => "arithmetic",
            Why::Choice => "choice",
            Why::Value => "value",
            Why::Effect => "effect",
            Why::Inside => "inside",
            Why::Siteless => "siteless",
            Why::Known => "known",
            Why::Unoffered => "unoffered",
            Why::Unreached => "unreached",
        }
    }
}

/// Why something is not lifted, and the text at which that was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unlifted {
    pub why: Why,
    pub span: Span,
}

/// What a clause belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClausePart {
    Setup,
    Move(MoveId),
    Play,
    End,
    Repetition,
}

/// What a clause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClauseKind {
    /// What is chosen when a move is made.
    Choice,
    Requirement,
    Condition,
    /// The sites for each of which statements are obeyed.
    For,
    /// What is compared when the game ends by score.
    Score,
    /// What is asked of a region site by site, in a clause or in an effect.
    Loop,
    /// What makes a requirement hold of every move.
    Bound,
}

/// How a clause is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// For all sites at once.
    Lifted,
    /// For all sites at once, but anew for each site chosen before.
    Anew,
    /// For all sites at once, by each of so many paths from the site chosen before.
    Paths(u16),
    /// For all numbers at once.
    Numbers,
    /// Once for all that a decision offers.
    Decision,
    /// Whenever execution comes to it, for what is at hand.
    Once,
    /// For each move when it is tried.
    Tried(Unlifted),
    /// For the one that random play has drawn, where that takes less than to ask it of all.
    Sampled,
    /// After each ply that is looked ahead to.
    Ahead,
    /// For one site after the other.
    Each(Option<Unlifted>),
    /// Made anew for each of so many directions, numbers or kinds of piece.
    Cases(u16),
    /// Known before play.
    Known(bool),
    /// It cannot fail while the text counts at most so many pieces.
    Guarded { most: u32, of: Span },
    /// By no instruction at all.
    Never(Unlifted),
}

/// How one copy of a clause is executed. There are more when code is made anew for players,
/// directions or arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExecutionNote {
    pub part: ClausePart,
    pub kind: ClauseKind,
    pub span: Span,
    pub how: How,
    /// Its instructions: from this one to the one before the other. What they share with
    /// instructions before them is not counted again.
    pub from: Address,
    pub to: Address,
}
