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
    /// The words of its sets: so many for each set, in the order of the layout.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words of its sets, to be written over with those of another position of the same game.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// What it counts and remembers besides sets.
    pub fn numbers(&self) -> &[i32] {
        &self.numbers
    }

    /// Puts the game at a decision, with numbers as [`numbers`](Self::numbers) gives them.
    pub fn set_at(&mut self, at: u16, numbers: &[i32]) {
        self.at = at;
        self.outcome = None;
        self.numbers.copy_from_slice(numbers);
    }

    /// Writes over one of its numbers.
    pub fn set_number(&mut self, register: usize, number: i32) {
        self.numbers[register] = number;
    }

    /// Adds the position to some bytes. Two positions of one compiled game add the same bytes, as many as any other, only where they are equal.
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
