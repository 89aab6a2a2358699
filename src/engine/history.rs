//! The positions that a game has been through, by their hashes.

use super::guarded::{Fence, Guarded};

pub const FILTER_WORDS: usize = 32;
/// Room is made for so many hashes at first.
const INITIAL_CAPACITY: usize = 64;

/// Hashes in order, with a filter (Burton Bloom, 1970, with a single bit for each) that tells most
/// new ones at a glance. Its shape is fixed in memory, so that code made at run time can add to it.
#[derive(Debug, Default)]
#[repr(C)]
pub struct History {
    before: Fence,
    /// The bit of every hash that was ever added since the last [`History::replace`] is set.
    pub filter: [u64; FILTER_WORDS],
    /// How many hashes there are.
    pub length: u64,
    /// How many there is room for, and where they lie in memory: for machine code that was
    /// [lent](History::lend) the history, and for as long as it has it. Zero otherwise.
    pub capacity: u64,
    pub first: u64,
    after: Fence,
    /// The hashes, and behind them room for more.
    hashes: Guarded<u64>,
    /// No hash was ever there more often since then.
    max_count: usize,
}

impl History {
    /// The hashes, the latest last.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes[..self.length as usize]
    }

    /// Adds a hash, and tells how often it is there now.
    #[inline]
    pub fn push(&mut self, hash: u64) -> usize {
        self.make_room();
        let end = self.length as usize;
        self.hashes[end] = hash;
        self.length += 1;
        let (word, bit) = place(hash);
        let is_known = self.filter[word] & bit != 0;
        self.filter[word] |= bit;
        if is_known { self.count(hash) } else { 1 }
    }

    /// Sees to it that there is room for another hash.
    #[inline]
    fn make_room(&mut self) {
        if self.length as usize == self.hashes.len() {
            self.hashes.extend_to((2 * self.hashes.len()).max(INITIAL_CAPACITY), || 0);
        }
        self.max_count = self.max_count.max(1);
    }

    /// Hands the history to machine code, which may add hashes for as long as there is room. It has
    /// one place at least.
    #[inline]
    #[cfg_attr(not(feature = "native"), allow(dead_code, reason = "there is no machine code"))]
    pub fn lend<T>(&mut self, borrower: impl FnOnce(*mut History) -> T) -> T {
        self.make_room();
        self.capacity = self.hashes.len() as u64;
        self.first = self.hashes.as_mut_ptr() as u64;
        let result = borrower(self);
        (self.capacity, self.first) = (0, 0);
        self.check();
        result
    }

    /// Looks whether machine code has written beside the history, in builds with debug assertions.
    ///
    /// # Panics
    /// If it has.
    #[inline(always)]
    #[cfg_attr(not(feature = "native"), allow(dead_code, reason = "there is no machine code"))]
    fn check(&self) {
        self.before.check();
        self.after.check();
        self.hashes.check();
        debug_assert!(self.length as usize <= self.hashes.len());
    }

    /// Tells how often a hash is there.
    #[cold]
    pub fn count(&mut self, hash: u64) -> usize {
        let times = self.hashes().iter().filter(|&&other| other == hash).count();
        self.max_count = self.max_count.max(times);
        times
    }

    /// A number that no hash is there more often than.
    pub fn max_count(&self) -> usize {
        self.max_count
    }

    /// Takes back all but the first so many.
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length as u64);
    }

    /// Forgets everything and takes these instead.
    #[inline(always)]
    pub fn replace(&mut self, hashes: &[u64]) {
        if self.max_count > 0 || !hashes.is_empty() {
            self.reset(hashes);
        }
    }

    fn reset(&mut self, hashes: &[u64]) {
        self.length = 0;
        self.filter = [0; FILTER_WORDS];
        self.max_count = 0;
        for &hash in hashes {
            self.push(hash);
        }
    }
}

/// The word of the filter for a hash, and the bit.
fn place(hash: u64) -> (usize, u64) {
    ((hash >> 6) as usize % FILTER_WORDS, 1 << (hash % 64))
}
