//! A position as flat data, and the result of a game.

use crate::language::rules::PlayerId;
use std::hash::{Hash, Hasher};

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    Win(PlayerId),
    Draw,
}

/// A position of one compiled game, as flat data. It is meaningless to another game and to other
/// options of the same one, which reject it.
///
/// Equality ignores which game a position belongs to, so that games supposed to be equal can be
/// compared.
#[derive(Clone, Debug)]
pub struct Position {
    /// The [fingerprint](crate::compile::program::Program::fingerprint) of the position's program.
    pub(super) program: u64,
    /// The sets, each of the same number of words.
    pub(super) words: Box<[u64]>,
    pub(super) numbers: Box<[i32]>,
    /// The current decision.
    pub(super) at: u16,
    pub(super) outcome: Option<Outcome>,
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
            && self.numbers == other.numbers
            && (self.at, self.outcome) == (other.at, other.outcome)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.words, &self.numbers, self.at, self.outcome).hash(state);
    }
}

impl Position {
    /// Returns the words of the sets, in the order of the layout.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the words of the sets, to be overwritten with those of another position of the same
    /// game.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Returns the counters and the memories that are not sets.
    pub fn numbers(&self) -> &[i32] {
        &self.numbers
    }

    /// Sets the decision and the numbers, in the order of [`numbers`](Self::numbers).
    pub(crate) fn set_at(&mut self, at: u16, numbers: &[i32]) {
        self.at = at;
        self.outcome = None;
        self.numbers.copy_from_slice(numbers);
    }

    /// Sets one of the numbers.
    pub(crate) fn set_number(&mut self, register: usize, number: i32) {
        self.numbers[register] = number;
    }

    /// Appends the position to `bytes`. All positions of a compiled game have the same length, and
    /// equal bytes only if they are equal.
    pub fn write_bytes(&self, bytes: &mut Vec<u8>) {
        self.words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        self.numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        let over = match self.outcome {
            None => 0,
            Some(Outcome::Draw) => 1,
            Some(Outcome::Win(player)) => u32::from(player.0) + 2,
        };
        bytes.extend(self.at.to_le_bytes());
        bytes.extend(over.to_le_bytes());
    }

    /// Returns the number in a register; 0 if there is none.
    pub fn number(&self, register: u16) -> i32 {
        self.numbers.get(usize::from(register)).copied().unwrap_or(0)
    }

    /// Returns the index of the current decision; meaningless once the game is over.
    pub fn decision(&self) -> usize {
        usize::from(self.at)
    }
}
