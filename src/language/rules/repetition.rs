//! The rule of repetition: which positions are the same, and what happens when one occurs again.

use super::{Condition, Local, MemoryId, PlayerId, PlayerOf, Rules, Spanned, Statement};
use crate::syntax::Span;

/// What happens when a position is repeated.
#[derive(Clone, Debug)]
pub struct Repetition {
    /// The occurrence from which on it happens, at least 2; the first occurrence counts.
    pub times: u32,
    pub comparing: Comparing,
    /// What its statements ask of the plies since an earlier occurrence.
    pub throughout: Vec<Throughout>,
    pub then: Vec<Spanned<Statement>>,
    pub span: Span,
}

/// What makes two positions the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparing {
    /// Everything except these memories: the board, the other memories, the player to act and the
    /// place in the order of play.
    AllBut(Vec<MemoryId>),
    Only {
        /// The pieces, and the sites that were cut out.
        board: bool,
        /// The player to act.
        mover: bool,
        memories: Vec<MemoryId>,
    },
}

/// A condition on all plies since the occurrence with which the counted ones begin.
#[derive(Clone, Debug)]
pub struct Throughout {
    /// Evaluated after every ply, for the player who made it.
    pub condition: Spanned<Condition>,
    /// Whose plies count, as seen by the player whose ply repeats the position; `None` for those of
    /// all players.
    pub player: Option<Spanned<PlayerOf>>,
    /// The variable that says in [`Repetition::then`] whether the condition held.
    pub variable: Local,
}

impl Throughout {
    /// The greatest number of them in a game.
    pub const MOST: usize = 6;

    /// Returns whose plies count if `mover` has repeated the position: a constant, or the player at
    /// a distance from the mover in the order of play. `None` if this is unknown before play.
    pub fn player_of(player: &PlayerOf, mover: PlayerId, players: usize) -> Option<PlayerId> {
        match player {
            PlayerOf::Fixed(player) => Some(*player),
            PlayerOf::Mover => Some(mover),
            PlayerOf::Next(player) => {
                let before = Throughout::player_of(&player.node, mover, players)?;
                Some(PlayerId((before.0 + 1) % players.max(1) as u16))
            }
            PlayerOf::ByPlayer(player, branches) => {
                let chosen = Throughout::player_of(&player.node, mover, players)?;
                Throughout::player_of(&branches.get(chosen.index())?.node, mover, players)
            }
            PlayerOf::Local(_)
            | PlayerOf::Memory { .. }
            | PlayerOf::If(..)
            | PlayerOf::Call(..) => None,
        }
    }
}

impl Repetition {
    /// Tests if it only ends the game, and whole positions are compared.
    fn is_plain(&self, rules: &Rules) -> bool {
        self.comparing == Comparing::AllBut(Vec::new())
            && self.throughout.is_empty()
            && !self.forbids(rules)
    }

    fn forbids(&self, rules: &Rules) -> bool {
        let is_illegal = |statement: &Statement| matches!(statement, Statement::Illegal);
        self.then.iter().any(|statement| rules.holds(&statement.node, &is_illegal))
    }
}

impl Rules {
    /// Tests if a ply can be illegal because it repeats a position.
    pub fn forbids_repetition(&self) -> bool {
        self.repetition.as_ref().is_some_and(|repetition| repetition.forbids(self))
    }

    /// Tests if more of the past matters than how often whole positions have occurred: plies are
    /// illegal by repetition, parts of positions are compared, or conditions are asked of the plies
    /// in between. What is found about a position then holds for one past only.
    pub fn depends_on_past(&self) -> bool {
        self.repetition.as_ref().is_some_and(|repetition| !repetition.is_plain(self))
    }
}
