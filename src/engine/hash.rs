//! Hashes of positions.

use super::bits::Bits;
use super::frame::REGISTERS;
use super::runner::WIDEST;
use crate::random::mix;

/// How many words a position has at most: half of the registers, of the widest sets, and half as many words as half of the registers for the numbers.
const WORDS: usize = REGISTERS / 2 * WIDEST + REGISTERS / 4;

/// A key for each word: odd numbers of the project's own generator. Those of sets are the first ones, those of numbers the last ones.
pub static KEYS: [u64; WORDS] = {
    let mut keys = [0; WORDS];
    let mut index = 0;
    while index < keys.len() {
        keys[index] = key(index);
        index += 1;
    }
    keys
};

/// The key of the end.
pub const LAST: u64 = key(WORDS);

const fn key(index: usize) -> u64 {
    mix(0x6c75_6477_7269_6768, index as u64) | 1
}

/// A hash of sets, numbers and the point in the order of play. Every word is multiplied by its own key to 128 bits, whose halves are folded; the products do not
/// wait for one another. (The sum of such products is the multilinear family of Carter and Wegman, 1979; the folding is Wang Yi's, in wyhash.)
#[inline(always)]
pub fn hash<const W: usize>(sets: &[Bits<W>], nums: &[i32], at: u16) -> u64 {
    let mut sum = u64::from(at).wrapping_mul(LAST);
    for (set, keys) in sets.iter().zip(KEYS.chunks_exact(W)) {
        for (&word, &key) in set.0.iter().zip(keys) {
            sum = sum.wrapping_add(folded(word ^ key.rotate_left(17), key));
        }
    }
    for (pair, &key) in nums.chunks(2).zip(KEYS.iter().rev()) {
        let word = pair.iter().fold(0, |word, &number| word << 32 | u64::from(number as u32));
        sum = sum.wrapping_add(folded(word ^ key.rotate_left(17), key));
    }
    folded(sum ^ sum >> 32, LAST)
}

/// The halves of a product of 128 bits, folded into one.
#[inline(always)]
fn folded(word: u64, key: u64) -> u64 {
    let product = u128::from(word) * u128::from(key);
    (product as u64) ^ (product >> 64) as u64
}
