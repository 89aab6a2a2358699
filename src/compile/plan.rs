//! The execution plan: how each clause is executed, by which instructions, and why it is not
//! executed for all sites at once. It is kept with the program and shown to users; no instruction
//! depends on it.

use super::program::Address;
use crate::language::rules::MoveId;
use crate::syntax::Span;

/// Why something cannot be lifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// A region grown from a site, for every site at once.
    Group,
    /// The sites of a line, for another purpose than to find one of them.
    Line,
    /// A walk of any length.
    Length,
    /// A region that is only computed for one site.
    Region,
    /// Two regions that both depend on the site.
    TwoRegions,
    /// A relation of two variable sites.
    TwoSites,
    /// The site itself, as a number.
    Site,
    /// A direction that is known only in play.
    Direction,
    /// A player who is known only in play.
    Player,
    /// The kind of the piece on the site.
    Kind,
    /// Arithmetic that is only done for one site.
    Arithmetic,
    /// A second site that is no fixed path away from the first.
    Choice,
    /// A value that differs from case to case.
    Value,
    /// The requirement comes after the effect.
    Effect,
    /// The requirement stands inside the statement.
    Inside,
    /// The heights of piles, for more numbers than are worth a test each.
    Heights,
    /// The move chooses no site that the requirement could be lifted over.
    Siteless,
    /// No instruction: a condition around it is known never to lead there.
    Known,
    /// No instruction: no decision includes the move.
    Unoffered,
    /// No instruction: the code around it is unreachable.
    Unreached,
}

impl Why {
    /// Returns the reason in words, a clause that follows "because".
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
            Why::Kind => "the kind of the piece differs from site to site",
            Why::Arithmetic => "this is computed for one site at a time",
            Why::Choice => "this region has no fixed steps from the site chosen before",
            Why::Value => "its value is only known during play",
            Why::Effect => "it depends on the position after this effect",
            Why::Inside => "it is inside this statement",
            Why::Heights => "piles are seldom so high that it fails",
            Why::Siteless => "the move chooses no site that it could use",
            Why::Known => "the result is known before play",
            Why::Unoffered => "no decision offers this move",
            Why::Unreached => "it is unreachable",
        }
    }

    /// Returns what to write to avoid the reason, where there is something.
    pub fn instead(self) -> Option<&'static str> {
        Some(match self {
            Why::Group => {
                "if the group need not contain the new piece, test if the site is beside a group grown from a fixed region"
            }
            Why::Line | Why::Length => {
                "use `first` for the piece at the end of a line, or walk from the sites that are looked for"
            }
            Why::TwoSites | Why::TwoRegions => {
                "write the relation as the region of the choice: `(to t (beside s))` instead of `(require (in t (beside s)))`"
            }
            Why::Direction => {
                "name the directions: run through a list with `some`, `for` or `union`"
            }
            Why::Player => "name the player: write `mover`, or a `case` on `mover`",
            Why::Choice => {
                "reach the site by steps: choose a direction with `towards`, and step along it"
            }
            Why::Effect => {
                "if the effect does not change the answer, put the requirement before it"
            }
            Why::Inside => "put the requirement outside this statement",
            _ => return None,
        })
    }

    /// Returns the reason as a key.
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
            Why::Kind => "kind",
            Why::Arithmetic => "arithmetic",
            Why::Choice => "choice",
            Why::Value => "value",
            Why::Effect => "effect",
            Why::Inside => "inside",
            Why::Heights => "heights",
            Why::Siteless => "siteless",
            Why::Known => "known",
            Why::Unoffered => "unoffered",
            Why::Unreached => "unreached",
        }
    }
}

/// Why something is not lifted, and the text that is to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unlifted {
    pub why: Why,
    pub span: Span,
}

/// The part of the rules that a clause belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClausePart {
    Setup,
    Move(MoveId),
    Play,
    End,
    Repetition,
}

/// The kind of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClauseKind {
    /// What is chosen when a move is made.
    Choice,
    Requirement,
    Condition,
    /// The region of sites over which a loop runs.
    For,
    /// The number that is compared when the game ends by score.
    Score,
    /// An expression that is evaluated site by site, in a clause or an effect.
    Loop,
    /// A bound under which a requirement holds for every move.
    Bound,
}

/// How a clause is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// For all sites at once.
    Lifted,
    /// For all sites at once, repeated for each site chosen before.
    Anew,
    /// For all sites at once, along this many paths from the site chosen before.
    Paths(u16),
    /// For all numbers at once.
    Numbers,
    /// Once per decision.
    Decision,
    /// Whenever execution reaches it, for the current sites.
    Once,
    /// For each move when it is tried.
    Tried(Unlifted),
    /// For the sampled move only, if that costs less than to lift it.
    Sampled,
    /// After each ply of a look-ahead.
    Ahead,
    /// Site by site.
    Each(Option<Unlifted>),
    /// Compiled separately for each of this many directions, numbers or kinds of piece.
    Cases(u16),
    /// Known before play.
    Known(bool),
    /// Cannot fail while the region has at most `most` pieces, or no pile more, if it is their
    /// clause.
    Guarded { most: u32, of: Span },
    /// Not at all.
    Never(Unlifted),
}

/// How one copy of a clause is executed. Code specialized for players, directions or arguments has
/// several copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExecutionNote {
    pub part: ClausePart,
    pub kind: ClauseKind,
    pub span: Span,
    pub how: How,
    /// The range of its instructions. Instructions that it shares with earlier code are not
    /// included.
    pub from: Address,
    pub to: Address,
}
