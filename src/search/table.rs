//! The tables of a depth-first search: transpositions and evaluations, by position hash.
//!
//! Both have a fixed number of entries, and a new one replaces what stood in its place.

/// The meaning of a stored value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    #[default]
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    hash: u64,
    pub value: i32,
    /// The place of the best ply among the legal ones, in the order of the engine.
    pub place: u16,
    /// The depth to which it was searched, at least 1; 0 for an empty entry.
    pub depth: i8,
    pub bound: Bound,
}

/// The values of positions (Richard Greenblatt, Donald Eastlake and Stephen Crocker, *The
/// Greenblatt Chess Program*, 1967).
pub struct TranspositionTable {
    entries: Vec<Known>,
}

impl TranspositionTable {
    /// Makes a table of about that many bytes.
    pub fn new(memory: usize) -> TranspositionTable {
        TranspositionTable { entries: vec![Known::default(); entries(memory, size_of::<Known>())] }
    }

    /// Returns what is known of the position with this hash.
    #[inline]
    pub fn get(&self, hash: u64) -> Option<Known> {
        let known = self.entries[hash as usize & (self.entries.len() - 1)];
        (known.depth > 0 && known.hash == hash).then_some(known)
    }

    /// Stores a value. `place` is dropped if it is too large to be stored.
    #[inline]
    pub fn insert(&mut self, hash: u64, value: i32, depth: i32, bound: Bound, place: usize) {
        let index = hash as usize & (self.entries.len() - 1);
        let depth = depth.clamp(1, i32::from(i8::MAX)) as i8;
        let place = u16::try_from(place).unwrap_or(u16::MAX);
        self.entries[index] = Known { hash, value, place, depth, bound };
    }
}

/// Evaluations of positions.
pub struct EvaluationCache {
    entries: Vec<(u64, i32)>,
}

impl EvaluationCache {
    /// Makes a cache of about that many bytes.
    pub fn new(memory: usize) -> EvaluationCache {
        EvaluationCache { entries: vec![(0, 0); entries(memory, size_of::<(u64, i32)>())] }
    }

    /// Returns the evaluation of the position with this hash. The hash 0 is never known.
    #[inline]
    pub fn get(&self, hash: u64) -> Option<i32> {
        let (known, value) = self.entries[hash as usize & (self.entries.len() - 1)];
        (known == hash && hash != 0).then_some(value)
    }

    /// Stores an evaluation.
    #[inline]
    pub fn insert(&mut self, hash: u64, value: i32) {
        let index = hash as usize & (self.entries.len() - 1);
        self.entries[index] = (hash, value);
    }
}

/// Returns the greatest power of two that fits, at least 1,024.
fn entries(memory: usize, size: usize) -> usize {
    let most = (memory / size).max(1_024);
    1 << most.ilog2()
}
