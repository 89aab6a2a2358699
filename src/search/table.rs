//! The tables of a depth-first search: transpositions and evaluations, by position hash.
//!
//! Both have a fixed number of entries, and a new entry replaces the one with the same index.
//! Several threads may use them at once.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// The meaning of a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// The stored result of a search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    pub value: i32,
    /// The index of the best ply among the legal plies, in the engine's order.
    pub place: u16,
    /// The depth to which it was searched, at least 1.
    pub depth: i8,
    pub bound: Bound,
}

impl Known {
    fn pack(self) -> u64 {
        u64::from(self.value.cast_unsigned())
            | u64::from(self.place) << 32
            | u64::from(self.depth.cast_unsigned()) << 48
            | (self.bound as u64) << 56
    }

    fn unpack(word: u64) -> Known {
        Known {
            value: (word as u32).cast_signed(),
            place: (word >> 32) as u16,
            depth: ((word >> 48) as u8).cast_signed(),
            bound: match word >> 56 {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
        }
    }
}

/// A word for each position, which several threads may read and write at once without a lock:
/// beside the word stands its exclusive or with the hash of the position, so that halves of two
/// entries are not taken for one. (Robert Hyatt and Tim Mann, *A Lockless Transposition-Table
/// Implementation for Parallel Search*, ICGA Journal 25, 2002.)
struct Words {
    entries: Vec<[AtomicU64; 2]>,
}

impl Words {
    /// Makes a table of about that many bytes: the greatest power of two of entries that fits, and
    /// at least 1,024.
    fn new(memory: usize) -> Words {
        let most = (memory / size_of::<[AtomicU64; 2]>()).max(1_024);
        let entries = std::iter::repeat_with(Default::default).take(1 << most.ilog2()).collect();
        Words { entries }
    }

    fn entry(&self, hash: u64) -> &[AtomicU64; 2] {
        &self.entries[hash as usize & (self.entries.len() - 1)]
    }

    /// Returns the word of the position with this hash; always `None` for the hash 0, which marks
    /// empty entries.
    #[inline]
    fn get(&self, hash: u64) -> Option<u64> {
        let [combined, word] = self.entry(hash).each_ref().map(|half| half.load(Relaxed));
        (combined ^ word == hash && hash != 0).then_some(word)
    }

    #[inline]
    fn insert(&self, hash: u64, word: u64) {
        let [combined, plain] = self.entry(hash);
        combined.store(hash ^ word, Relaxed);
        plain.store(word, Relaxed);
    }
}

/// The values of positions (Richard Greenblatt, Donald Eastlake and Stephen Crocker, *The
/// Greenblatt Chess Program*, 1967).
pub struct TranspositionTable {
    words: Words,
}

impl TranspositionTable {
    /// Makes a table of about that many bytes.
    pub fn new(memory: usize) -> TranspositionTable {
        TranspositionTable { words: Words::new(memory) }
    }

    /// Returns the stored result of the position with this hash.
    #[inline]
    pub fn get(&self, hash: u64) -> Option<Known> {
        self.words.get(hash).map(Known::unpack)
    }

    /// Stores a value. `place` is dropped if it is too large to be stored.
    #[inline]
    pub fn insert(&self, hash: u64, value: i32, depth: i32, bound: Bound, place: usize) {
        let depth = depth.clamp(1, i32::from(i8::MAX)) as i8;
        let place = u16::try_from(place).unwrap_or(u16::MAX);
        self.words.insert(hash, Known { value, place, depth, bound }.pack());
    }
}

/// Evaluations of positions.
pub struct EvaluationCache {
    words: Words,
}

impl EvaluationCache {
    /// Makes a cache of about that many bytes.
    pub fn new(memory: usize) -> EvaluationCache {
        EvaluationCache { words: Words::new(memory) }
    }

    /// Returns the evaluation of the position with this hash.
    #[inline]
    pub fn get(&self, hash: u64) -> Option<i32> {
        self.words.get(hash).map(|word| (word as u32).cast_signed())
    }

    /// Stores an evaluation.
    #[inline]
    pub fn insert(&self, hash: u64, value: i32) {
        self.words.insert(hash, u64::from(value.cast_unsigned()));
    }
}
