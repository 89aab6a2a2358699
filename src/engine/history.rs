//! The history of position hashes, for rules about repetition.

use super::guarded::{Fence, Guarded};

pub const FILTER_WORDS: usize = 32;
/// The initial capacity of the buffer.
const INITIAL_CAPACITY: usize = 64;
/// How many hashes [`History::replace`] adds to a kept prefix rather than keep a longer one.
const MAX_ADDED: usize = 64;

/// Hashes in order, with a one-hash Bloom filter (Burton Bloom, 1970) that recognizes most new ones
/// without a search. The layout is fixed, so that machine code can append.
#[derive(Debug, Default)]
#[repr(C)]
pub struct History {
    before: Fence,
    /// Contains the bit of every hash added since the last [`History::replace`]; truncation leaves
    /// it set.
    pub filter: [u64; FILTER_WORDS],
    /// The number of hashes.
    pub length: u64,
    /// The capacity of the buffer and its address while it is [lent](History::lend) to machine
    /// code, otherwise zero.
    pub capacity: u64,
    pub first: u64,
    after: Fence,
    /// The hashes, followed by spare capacity.
    hashes: Guarded<u64>,
    /// An upper bound on the occurrences of any one hash.
    max_count: usize,
    /// The prefix that [`History::replace`] returns to if the new hashes begin with it, as all
    /// descents of one search do.
    prefix: Prefix,
}

/// The first hashes of a history, which stay in its buffer.
#[derive(Debug, Default)]
struct Prefix {
    length: usize,
    filter: [u64; FILTER_WORDS],
    max_count: usize,
}

impl History {
    /// Returns the hashes, the latest last.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes[..self.length as usize]
    }

    /// Appends a hash and returns how often it now occurs.
    #[inline]
    pub fn push(&mut self, hash: u64) -> usize {
        let is_known = self.may_contain(hash);
        self.append(hash);
        if is_known { self.count(hash) } else { 1 }
    }

    /// Appends a hash without counting it.
    #[inline]
    pub fn append(&mut self, hash: u64) {
        self.make_room();
        let end = self.length as usize;
        self.hashes[end] = hash;
        self.length += 1;
        let (word, bit) = place(hash);
        self.filter[word] |= bit;
    }

    /// Tests if a hash may have been added: false only if it is certainly new.
    #[inline]
    pub fn may_contain(&self, hash: u64) -> bool {
        let (word, bit) = place(hash);
        self.filter[word] & bit != 0
    }

    /// Makes room for another hash.
    #[inline]
    fn make_room(&mut self) {
        if self.length as usize == self.hashes.len() {
            self.hashes.extend_to((2 * self.hashes.len()).max(INITIAL_CAPACITY), || 0);
        }
        self.max_count = self.max_count.max(1);
    }

    /// Lends the history to machine code, which may append up to the capacity. There is room for at
    /// least one hash.
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

    /// Checks that machine code has not written out of bounds, in builds with debug assertions.
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

    /// Counts the occurrences of a hash.
    #[cold]
    pub fn count(&mut self, hash: u64) -> usize {
        let times = self.hashes().iter().filter(|&&other| other == hash).count();
        self.max_count = self.max_count.max(times);
        times
    }

    /// Returns an upper bound on the occurrences of any one hash.
    pub fn max_count(&self) -> usize {
        self.max_count
    }

    /// Removes all but the first `length` hashes.
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length as u64);
        self.prefix.length = self.prefix.length.min(length);
    }

    /// Replaces the hashes.
    #[inline(always)]
    pub fn replace(&mut self, hashes: &[u64]) {
        if self.max_count > 0 || !hashes.is_empty() {
            self.reset(hashes);
        }
    }

    fn reset(&mut self, hashes: &[u64]) {
        let kept = &self.hashes[..self.prefix.length];
        let mut shared = kept.iter().zip(hashes).take_while(|(one, other)| one == other).count();
        if shared < kept.len() || shared + MAX_ADDED < hashes.len() {
            // A search begins with the history of its first position, which all descents share.
            shared = if shared + MAX_ADDED < hashes.len() { hashes.len() } else { shared };
            self.length = 0;
            self.filter = [0; FILTER_WORDS];
            self.max_count = 0;
            for &hash in &hashes[..shared] {
                self.push(hash);
            }
            let (filter, max_count) = (self.filter, self.max_count);
            self.prefix = Prefix { length: shared, filter, max_count };
        }
        self.length = self.prefix.length as u64;
        self.filter = self.prefix.filter;
        self.max_count = self.prefix.max_count;
        for &hash in &hashes[shared..] {
            self.push(hash);
        }
    }
}

/// Returns the index of the filter word for a hash, and its bit.
fn place(hash: u64) -> (usize, u64) {
    ((hash >> 6) as usize % FILTER_WORDS, 1 << (hash % 64))
}
