//! The positions of a tree.

use crate::engine::position::Position;

/// Positions of one game, as flat data.
#[derive(Default)]
pub struct Positions {
    words: Vec<u64>,
    numbers: Vec<i32>,
    decisions: Vec<u16>,
}

impl Positions {
    pub fn len(&self) -> usize {
        self.decisions.len()
    }

    pub fn clear(&mut self) {
        self.words.clear();
        self.numbers.clear();
        self.decisions.clear();
    }

    pub fn push(&mut self, position: &Position) -> u32 {
        let index = self.len() as u32;
        self.words.extend_from_slice(position.words());
        self.numbers.extend_from_slice(position.numbers());
        self.decisions.push(position.decision() as u16);
        index
    }

    /// Copies a position into another of the same game.
    pub fn read(&self, index: u32, position: &mut Position) {
        let index = index as usize;
        let (words, numbers) = (position.words().len(), position.numbers().len());
        position.words_mut().copy_from_slice(&self.words[index * words..][..words]);
        position.set_at(self.decisions[index], &self.numbers[index * numbers..][..numbers]);
    }

    /// Adds one of other positions of the same game, which have that many words and numbers each.
    pub fn push_from(&mut self, other: &Positions, index: u32, size: (usize, usize)) -> u32 {
        let (from, at, (words, numbers)) = (index as usize, self.len() as u32, size);
        self.words.extend_from_slice(&other.words[from * words..][..words]);
        self.numbers.extend_from_slice(&other.numbers[from * numbers..][..numbers]);
        self.decisions.push(other.decisions[from]);
        at
    }
}
