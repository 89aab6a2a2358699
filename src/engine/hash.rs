//! Hashes of positions.

use super::bits::Bits;
use crate::random::mix;

/// How many words have keys of their own.
const KEYS: usize = 256;

/// A key for each word: odd numbers of the project's own generator.
static KEY: [u64; KEYS] = {
    let mut keys = [0; KEYS];
    let mut index = 0;
    while index < KEYS {
        keys[index] = mix(0x6c75_6477_7269_6768, index as u64) | 1;
        index += 1;
    }
    keys
};

/// A hash of sets, numbers and the point in the order of play. Every word is multiplied by its own key to 128 bits, whose halves are folded; the products do not
/// wait for one another. (The sum of such products is the multilinear family of Carter and Wegman, 1979; the folding is Wang Yi's, in wyhash.)
#[inline(always)]
pub fn hash<const W: usize>(sets: &[Bits<W>], nums: &[i32], at: u16) -> u64 {
    let mut sum = product(u64::from(at) ^ 0x9e37_79b9_7f4a_7c15, 0);
    let mut place = 1;
    for set in sets {
        for word in set.0 {
            sum = sum.wrapping_add(product(word, place));
            place += 1;
        }
    }
    for pair in nums.chunks(2) {
        let high = pair.get(1).map_or(0, |&number| number as u32);
        sum = sum.wrapping_add(product(u64::from(pair[0] as u32) | u64::from(high) << 32, place));
        place += 1;
    }
    let folded = u128::from(sum ^ sum >> 32) * u128::from(KEY[0]);
    (folded as u64) ^ (folded >> 64) as u64
}

/// The product of a word and the key of its place; beyond the last key, places are mixed into the word.
#[inline(always)]
fn product(word: u64, place: usize) -> u64 {
    let key = KEY[place % KEYS];
    let product = u128::from(word ^ key.rotate_left((place / KEYS) as u32 + 17)) * u128::from(key);
    (product as u64) ^ (product >> 64) as u64
}
