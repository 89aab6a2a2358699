//! What the designer believes of the game.
//!
//! In: nothing. Out: plain data that the checker fills and that whoever decides claims reads. No
//! rule depends on it. It refuses to know how anything is decided.

use super::rules::{Condition, PlayerId, Spanned};
use crate::syntax::Span;

/// A claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What its author says, for people.
    pub text: String,
    pub span: Span,
    /// The options that it is about, by name, with their values.
    pub options: Vec<(String, String)>,
    /// The moves that it is about what follows, as they are spelled.
    pub opening: Vec<Spanned<String>>,
    /// The programs that play, as they are spelled: for a player, or for all that have none of
    /// their own.
    pub seats: Vec<(Option<PlayerId>, Spanned<String>)>,
    /// None where what it says makes sense only with the options that it is about, and others are
    /// chosen.
    pub assertion: Option<Spanned<Assertion>>,
}

impl Claim {
    /// The condition that it asks of positions, if it does.
    pub fn condition(&self) -> Option<&Spanned<Condition>> {
        self.assertion.as_ref()?.node.condition()
    }
}

/// What a claim says.
#[derive(Clone, Debug)]
pub enum Assertion {
    /// Every game is over after so many plies at most.
    EndsWithin(u32),
    /// No position comes twice in a game.
    NeverRepeats,
    /// No game is drawn.
    NeverDraws,
    /// The condition holds in every position that can come about.
    Always(Spanned<Condition>),
    /// The condition holds in some position that can come about.
    Possible(Spanned<Condition>),
    /// The player wins if everybody plays as well as can be.
    Wins(PlayerId),
    /// Nobody wins if everybody plays as well as can be.
    Drawn,
    /// What is counted in games between programs is in the mean on that side of a share, which is
    /// given in halves of a percent.
    Mean { of: Counted, side: Side, halves: u32 },
    /// That is not so.
    Not(Box<Spanned<Assertion>>),
}

/// What is counted in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The player's score: 1 for a win, ½ for a draw.
    Score(PlayerId),
    /// 1 for a draw.
    Draws,
}

/// A side of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Below,
    Above,
}

impl Assertion {
    /// The condition that it asks of positions, if it does.
    pub fn condition(&self) -> Option<&Spanned<Condition>> {
        match self {
            Assertion::Always(condition) | Assertion::Possible(condition) => Some(condition),
            Assertion::Not(inner) => inner.node.condition(),
            _ => None,
        }
    }
}
