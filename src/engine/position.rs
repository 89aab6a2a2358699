//! A position as plain data, and how a game ended.

use crate::language::rules::PlayerId;
use std::hash::{Hash, Hasher};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    Win(PlayerId),
    Draw,
}

/// A position of one compiled game, flat. It means nothing to another game, nor to the same one
/// with other options; a game refuses those of others.
///
/// Positions are equal where everything else is: which game they are of plays no part, so that
/// games that should be the same can be compared.
#[derive(Clone, Debug)]
pub struct Position {
    /// The [fingerprint](crate::compile::program::Program::fingerprint) of the program that it is a
    /// position of.
    pub(super) program: u64,
    /// The sets of the position, a few words each.
    pub(super) words: Box<[u64]>,
    pub(super) numbers: Box<[i32]>,
    /// The decision that the game is at.
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
    /// The words of its sets: so many for each set, in the order of the layout.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words of its sets, to be written over with those of another position of the same game.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// What it counts and remembers besides sets.
    pub fn numbers(&self) -> &[i32] {
        &self.numbers
    }

    /// Puts the game at a decision, with numbers as [`numbers`](Self::numbers) gives them.
    pub(crate) fn set_at(&mut self, at: u16, numbers: &[i32]) {
        self.at = at;
        self.outcome = None;
        self.numbers.copy_from_slice(numbers);
    }

    /// Writes over one of its numbers.
    pub(crate) fn set_number(&mut self, register: usize, number: i32) {
        self.numbers[register] = number;
    }

    /// Adds the position to some bytes. Two positions of one compiled game add the same bytes, as
    /// many as any other, only where they are equal.
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

    /// What the number with this register is in the position.
    pub fn number(&self, register: u16) -> i32 {
        self.numbers.get(usize::from(register)).copied().unwrap_or(0)
    }

    /// The index of the decision that the game is at; meaningless once it is over.
    pub fn decision(&self) -> usize {
        usize::from(self.at)
    }
}
