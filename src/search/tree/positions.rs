//! The positions of a tree.

use crate::engine::position::Position;
use crate::search::window::fetch;

/// Positions of one game, as flat data: for each position its words, then its decision and its
/// numbers, two to a word.
pub struct Positions {
    /// The number of words of a position's sets.
    words: usize,
    /// The number of words that a position takes here.
    stride: usize,
    data: Vec<u64>,
}

impl Positions {
    /// Returns an empty list for positions of the same game as this one.
    pub fn like(position: &Position) -> Positions {
        let words = position.words().len();
        let stride = words + (1 + position.numbers().len()).div_ceil(2);
        Positions { words, stride, data: Vec::new() }
    }

    /// Returns an empty list for positions of the same game.
    pub fn emptied(&self) -> Positions {
        Positions { data: Vec::new(), ..*self }
    }

    /// As [`emptied`](Self::emptied), but reuses the memory of `other`.
    pub fn emptied_into(&self, other: Positions) -> Positions {
        let mut data = other.data;
        data.clear();
        Positions { data, ..*self }
    }

    pub fn len(&self) -> usize {
        self.data.len() / self.stride
    }

    /// Returns the number of bytes that a position takes.
    pub fn size(&self) -> usize {
        8 * self.stride
    }

    /// Fetches all positions into the cache.
    pub fn fetch(&self) {
        fetch(&self.data, |&word| word);
    }

    pub fn clear(&mut self) {
        self.data.clear();
    }

    /// Adds a position; returns its index.
    pub fn push(&mut self, position: &Position) -> u32 {
        let index = self.len() as u32;
        self.data.extend_from_slice(position.words());
        let (first, rest) = match position.numbers() {
            [] => (0, &[][..]),
            [first, rest @ ..] => (*first, rest),
        };
        self.data.push(joined(position.decision() as i32, first));
        let (pairs, last) = rest.as_chunks();
        self.data.extend(pairs.iter().map(|&[low, high]| joined(low, high)));
        self.data.extend(last.iter().map(|&last| joined(last, 0)));
        index
    }

    /// Adds a position from another list of the same game; returns its index.
    pub fn push_from(&mut self, other: &Positions, index: u32) -> u32 {
        let at = self.len() as u32;
        self.data.extend_from_slice(other.get(index));
        at
    }

    fn get(&self, index: u32) -> &[u64] {
        &self.data[index as usize * self.stride..][..self.stride]
    }

    /// Copies a position into another of the same game.
    pub fn read(&self, index: u32, position: &mut Position) {
        let (words, rest) = self.get(index).split_at(self.words);
        position.words_mut().copy_from_slice(words);
        let mut numbers = rest.iter().flat_map(|&word| [word as i32, (word >> 32) as i32]);
        let decision = numbers.next().unwrap_or(0);
        position.set_at(decision as u16, numbers);
    }
}

/// Joins two numbers to a word.
fn joined(low: i32, high: i32) -> u64 {
    u64::from(low as u32) | u64::from(high as u32) << 32
}
