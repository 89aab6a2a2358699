//! Positions packed into words: shorter than in a [`Position`], and side by side on a stack.

use crate::engine::position::Position;

/// Returns the number of words of a packed position.
pub fn packed_words(position: &Position) -> usize {
    position.words().len() + 1 + position.numbers().len().div_ceil(2)
}

/// Appends a position in which the game is not over.
pub fn pack(position: &Position, to: &mut Vec<u64>) {
    to.extend_from_slice(position.words());
    to.push(position.decision() as u64);
    to.extend(position.numbers().chunks(2).map(|pair| {
        pair.iter().rev().fold(0, |word, &number| word << 32 | u64::from(number as u32))
    }));
}

/// Reads a position that [`pack`] has written.
pub fn unpack(from: &[u64], position: &mut Position) {
    let (words, rest) = from.split_at(position.words().len());
    position.words_mut().copy_from_slice(words);
    let Some((&decision, numbers)) = rest.split_first() else { return };
    position.set_at(
        decision as u16,
        numbers.iter().flat_map(|&pair| [pair as i32, (pair >> 32) as i32]),
    );
}
