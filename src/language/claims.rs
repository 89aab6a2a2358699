//! Claims about a game: plain data, filled in by the checker and decided by the module `claims`.
//! Rules do not depend on claims.

use super::rules::{Condition, PlayerId, Spanned};
use crate::syntax::Span;

/// A claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The sentence for readers.
    pub text: String,
    pub span: Span,
    /// The options that it sets, with their values.
    pub options: Vec<(String, String)>,
    /// The moves that are made first, as spelled.
    pub opening: Vec<Spanned<String>>,
    /// The programs that play, as spelled; `None` stands for all players without one of their own.
    pub seats: Vec<(Option<PlayerId>, Spanned<String>)>,
    /// `None` if the assertion can only be checked with the claim's options, and others are chosen.
    pub assertion: Option<Spanned<Assertion>>,
}

impl Claim {
    /// Returns the condition on positions that it contains.
    pub fn condition(&self) -> Option<&Spanned<Condition>> {
        self.assertion.as_ref()?.node.condition()
    }
}

/// An assertion about a game.
#[derive(Clone, Debug)]
pub enum Assertion {
    /// Every game ends within this number of plies.
    EndsWithin(u32),
    /// No position occurs twice in a game.
    NeverRepeats,
    /// No game is drawn.
    NeverDraws,
    /// The condition holds in every reachable position.
    Always(Spanned<Condition>),
    /// The condition holds in some reachable position.
    Possible(Spanned<Condition>),
    /// The player wins with best play.
    Wins(PlayerId),
    /// No player wins with best play.
    Drawn,
    /// The mean over games between programs is on that side of the bound, in halves of a percent.
    Mean { of: Counted, side: Side, halves: u32 },
    /// The negation.
    Not(Box<Spanned<Assertion>>),
}

/// What is measured in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The player's score: 1 for a win, ½ for a draw.
    Score(PlayerId),
    /// 1 for a draw.
    Draws,
}

/// A side of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Below,
    Above,
}

impl Assertion {
    /// Returns the condition on positions that it contains.
    pub fn condition(&self) -> Option<&Spanned<Condition>> {
        match self {
            Assertion::Always(condition) | Assertion::Possible(condition) => Some(condition),
            Assertion::Not(inner) => inner.node.condition(),
            _ => None,
        }
    }
}
