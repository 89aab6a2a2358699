//! Hashes positions.

use super::bits::Bits;
use super::frame::REGISTERS;
use super::runner::MAX_WORDS;
use crate::compile::layout::PileRegisters;
use crate::random::mix;
use std::ops::Range;

/// The maximum number of words of a position: half of the registers are sets of the greatest width,
/// and half are numbers, two to a word.
const WORDS: usize = REGISTERS / 2 * MAX_WORDS + REGISTERS / 4;

/// The key of each word, and one for the padding of an odd number of words.
pub static KEYS: [u64; WORDS + 1] = {
    let mut keys = [0; WORDS + 1];
    let mut index = 0;
    while index < keys.len() {
        keys[index] = key(index);
        index += 1;
    }
    keys
};

/// The key of the final step.
pub const FINAL_KEY: u64 = key(WORDS + 1);

const fn key(index: usize) -> u64 {
    mix(0x6c75_6477_7269_6768, index as u64) | 1
}

/// Hashes the sets, the numbers, two to a word, and the decision.
///
/// The pieces below the tops of piles come last, down to the first depth without pieces: piles are
/// seldom high.
///
/// Each word is added to its key, the words are multiplied pairwise, and the halves of each 128-bit
/// product are folded. The products are independent, so they execute in parallel. The sum of
/// products is NH (Black, Halevi, Krawczyk, Krovetz and Rogaway, 1999); the folding comes from
/// wyhash (Wang Yi).
#[inline(always)]
pub fn hash<const W: usize>(
    sets: &[Bits<W>],
    nums: &[i32],
    piles: Option<&PileRegisters>,
    at: u16,
) -> u64 {
    let numbers = nums.chunks(2).map(|pair| packed(pair.iter().copied()));
    let Some(piles) = piles else {
        return hash_words(sets.iter().flat_map(|set| set.0).chain(numbers), at);
    };
    let below = piles.all_below();
    let [first, end] = [below.start, below.end].map(usize::from);
    let others = sets[..first].iter().chain(&sets[end..]).flat_map(|set| set.0);
    let depths = (1..usize::from(piles.most)).map(|depth| {
        let Range { start, end } = piles.below(depth);
        &sets[usize::from(start)..usize::from(end)]
    });
    let depths = depths.take_while(|depth| depth.iter().any(|set| !set.is_none()));
    // Each part has an even number of words.
    let count = (sets.len() - (end - first)) * W + nums.len().div_ceil(2);
    let padding = |count: usize| std::iter::repeat_n(0, count % 2);
    let below =
        depths.flat_map(|depth| depth.iter().flat_map(|set| set.0).chain(padding(depth.len() * W)));
    hash_words(others.chain(numbers).chain(padding(count)).chain(below), at)
}

/// Returns the word that holds two numbers, or one.
#[inline(always)]
pub fn packed(numbers: impl Iterator<Item = i32>) -> u64 {
    numbers.fold(0, |word, number| word << 32 | u64::from(number as u32))
}

/// Hashes words and the decision.
#[inline(always)]
pub fn hash_words(mut words: impl Iterator<Item = u64>, at: u16) -> u64 {
    let mut keys = KEYS.iter();
    let mut keyed = |word: u64| keys.next().map_or(word, |key| word.wrapping_add(*key));
    let mut sum = u64::from(at).wrapping_mul(FINAL_KEY);
    while let Some(word) = words.next() {
        let (one, other) = (keyed(word), keyed(words.next().unwrap_or(0)));
        sum = sum.wrapping_add(fold_product(one, other));
    }
    fold_product(sum ^ sum >> 32, FINAL_KEY)
}

/// Multiplies to 128 bits and folds the halves by exclusive or.
#[inline(always)]
fn fold_product(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    (product as u64) ^ (product >> 64) as u64
}
