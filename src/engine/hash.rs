//! Hashes of positions.

use super::bits::Bits;
use super::frame::REGISTERS;
use super::runner::MAX_WORDS;
use crate::random::mix;

/// How many words a position has at most: half of the registers, of the widest sets, and half as
/// many words as half of the registers for the numbers.
const WORDS: usize = REGISTERS / 2 * MAX_WORDS + REGISTERS / 4;

/// A key for each word, by the project's own generator, and one for what stands beside the last
/// word where their number is odd.
pub static KEYS: [u64; WORDS + 1] = {
    let mut keys = [0; WORDS + 1];
    let mut index = 0;
    while index < keys.len() {
        keys[index] = key(index);
        index += 1;
    }
    keys
};

/// The key of the end.
pub const FINAL_KEY: u64 = key(WORDS + 1);

const fn key(index: usize) -> u64 {
    mix(0x6c75_6477_7269_6768, index as u64) | 1
}

/// How many sets of so many words, of a board whose site numbers are below that, share a word.
pub fn sets_per_word(width: usize, slots: usize) -> usize {
    if width == 1 { 64 / slots.next_power_of_two().min(64) } else { 1 }
}

/// A hash of sets, so many of which share a word, numbers and the point in the order of play. The
/// words, to each of which its key is added, are multiplied two by two, and the halves of each
/// product of 128 bits folded; the products do not wait for one another. (The sum of such products
/// is NH, of Black, Halevi, Krawczyk, Krovetz and Rogaway, 1999; the folding is Wang Yi's, in
/// wyhash.)
#[inline(always)]
pub fn hash<const W: usize>(sets: &[Bits<W>], sets_per_word: usize, nums: &[i32], at: u16) -> u64 {
    let shared = |sets: &[Bits<W>], index: usize| {
        sets[1..]
            .iter()
            .fold(sets[0].0[index], |word, set| word << (64 / sets_per_word) | set.0[index])
    };
    let sets =
        sets.chunks(sets_per_word).flat_map(|sets| (0..W).map(move |index| shared(sets, index)));
    let numbers = nums
        .chunks(2)
        .map(|pair| pair.iter().fold(0, |word, &number| word << 32 | u64::from(number as u32)));
    let mut words = sets.chain(numbers);
    let mut keys = KEYS.iter();
    let mut keyed = |word: u64| keys.next().map_or(word, |key| word.wrapping_add(*key));
    let mut sum = u64::from(at).wrapping_mul(FINAL_KEY);
    while let Some(word) = words.next() {
        let (one, other) = (keyed(word), keyed(words.next().unwrap_or(0)));
        sum = sum.wrapping_add(fold_product(one, other));
    }
    fold_product(sum ^ sum >> 32, FINAL_KEY)
}

/// The halves of a product of 128 bits, folded into one.
#[inline(always)]
fn fold_product(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    (product as u64) ^ (product >> 64) as u64
}
