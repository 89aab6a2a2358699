//! A position as plain data, and how a game ended.

use crate::language::rules::PlayerId;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    Win(PlayerId),
    Draw,
}

/// A position of one compiled game, flat. It means nothing to another game, nor to the same one with other options.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The sets of the position, a few words each.
    pub(super) words: Box<[u64]>,
    pub(super) numbers: Box<[i32]>,
    /// The decision that the game is at.
    pub(super) at: u16,
    pub(super) outcome: Option<Outcome>,
}

impl Position {
    /// What the number with this register is in the position.
    pub fn number(&self, register: u16) -> i32 {
        self.numbers.get(usize::from(register)).copied().unwrap_or(0)
    }

    /// The index of the decision that the game is at; meaningless once it is over.
    pub fn decision(&self) -> usize {
        usize::from(self.at)
    }
}
