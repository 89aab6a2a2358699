//! The numbers of positions that a proof-number search has left undecided. A lost entry is only
//! searched again: of two positions with the same slot the table keeps the one that took more work,
//! and beside it the last one.

use super::number_search::Numbers;
use super::proof_table::prefetch;
use super::tags::Tag;
use crate::language::rules::PlayerId;

/// The entries of a bucket.
const BUCKET: usize = 2;
/// The initial number of buckets.
const FIRST: usize = 1 << 10;

/// An entry: a hash of the position and the question, and its numbers, [`Numbers::NONE`] if empty.
type Entry = (u64, Numbers);

/// A table that doubles its size as needed, up to a maximum.
pub struct NumberTable {
    buckets: Vec<[Entry; BUCKET]>,
    entries: usize,
    /// The maximum number of buckets.
    most: usize,
}

impl NumberTable {
    /// Creates a table that grows to at most `bytes`, as far as it needs them.
    pub fn new(bytes: u64) -> NumberTable {
        let most = bytes as usize / size_of::<[Entry; BUCKET]>();
        NumberTable { buckets: Vec::new(), entries: 0, most }
    }

    /// Returns the numbers of a position for the question if a player wins.
    #[inline]
    pub fn get(&self, tag: Tag, player: PlayerId) -> Option<Numbers> {
        let hash = hash(tag, player);
        let bucket = self.buckets.get(place(hash, self.buckets.len()))?;
        let numbers = bucket.iter().find(|entry| entry.0 == hash)?.1;
        (numbers != Numbers::NONE).then_some(numbers)
    }

    /// Prefetches the bucket of a position.
    #[inline(always)]
    pub fn prefetch(&self, tag: Tag, player: PlayerId) {
        prefetch(self.buckets.as_ptr(), place(hash(tag, player), self.buckets.len()));
    }

    /// Stores the numbers of a position for the question if a player wins.
    pub fn keep(&mut self, tag: Tag, player: PlayerId, numbers: Numbers) {
        if self.entries >= self.buckets.len() * BUCKET / 2 {
            self.grow();
        }
        self.enter((hash(tag, player), numbers));
    }

    fn enter(&mut self, entry: Entry) {
        let at = place(entry.0, self.buckets.len());
        let Some([first, second]) = self.buckets.get_mut(at) else { return };
        if first.0 == entry.0 || second.0 == entry.0 {
            *(if first.0 == entry.0 { first } else { second }) = entry;
            return;
        }
        self.entries += usize::from(second.1 == Numbers::NONE);
        *second = match first.1.sum() > entry.1.sum() {
            true => entry,
            false => std::mem::replace(first, entry),
        };
    }

    /// Doubles the table, up to the maximum or the available memory.
    fn grow(&mut self) {
        let buckets = (2 * self.buckets.len()).max(FIRST).min(self.most);
        let mut larger = Vec::new();
        if buckets == self.buckets.len() || larger.try_reserve_exact(buckets).is_err() {
            self.most = self.buckets.len();
            return;
        }
        larger.resize(buckets, [(0, Numbers::NONE); BUCKET]);
        let before = std::mem::replace(&mut self.buckets, larger);
        self.entries = 0;
        for entry in before.into_iter().flatten().filter(|entry| entry.1 != Numbers::NONE) {
            self.enter(entry);
        }
    }
}

fn hash(tag: Tag, player: PlayerId) -> u64 {
    tag.hash() ^ player.0 as u64
}

/// Returns the bucket index of a hash. The range reduction is a multiplication (Lemire).
fn place(hash: u64, buckets: usize) -> usize {
    ((u128::from(hash) * buckets as u128) >> 64) as usize
}
