//! The transposition table of proof search: who can force a win, by position, in buckets of four
//! entries. A full bucket replaces the entry with the least work. The table doubles up to a maximum
//! size.
//!
//! While several searches read the table at the same time, it does not change; each keeps its
//! results in a [`Fresh`] of its own.
//!
//! Several threads may also write at the same time. The first word of an entry is the first word of
//! the tag combined with a hash of the second, so that an entry whose words come from two threads
//! matches no tag (Robert Hyatt and Timothy Mann, *A lock-less transposition table implementation
//! for parallel search*, ICGA Journal 25, 2002).

use super::RanOut;
use super::proof::Shared;
use super::tags::{FREE, Tag};
use crate::language::rules::PlayerId;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Words per entry, and words per bucket, which is one cache line.
const ENTRY: usize = 2;
const BUCKET: usize = 4 * ENTRY;
/// The initial number of buckets.
pub const FIRST: usize = 1 << 10;
/// The low bits of an entry's second word: two bits per player (can force a win, cannot), then the
/// bit length of the work.
const PLAYER_BITS: u32 = 2;
const WORK: u32 = 4;
const KNOWN: u64 = FREE;

/// A proven result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proven {
    /// The player can force a win; the other one therefore cannot.
    Wins(PlayerId),
    /// The player cannot force a win.
    Not(PlayerId),
}

impl Proven {
    /// Tests if the result says that the player wins. Otherwise it is taken to say that he does
    /// not.
    #[inline]
    pub fn is_win_of(self, player: PlayerId) -> bool {
        self == Proven::Wins(player)
    }

    /// Tests if the result says who wins, which no repetition can prevent.
    #[inline]
    pub fn is_decisive(self) -> bool {
        matches!(self, Proven::Wins(_))
    }

    /// Returns the result if no successor has the value that the player to act wants, before any
    /// successor is known. `wants` tells if that is the player whose win is in question.
    #[inline]
    pub fn by_default(wants: bool, player: PlayerId) -> Proven {
        Proven::Wins(if wants { PlayerId(1 - player.0) } else { player })
    }

    /// Combines the results of two successors that do not decide their position: a player wins it
    /// only if he wins after both.
    #[inline]
    pub fn weaker(self, other: Proven) -> Proven {
        match (self, other) {
            (Proven::Wins(_), Proven::Not(_)) => other,
            _ => self,
        }
    }

    fn bits(self) -> u64 {
        let at = |player: PlayerId, bits: u64| bits << (PLAYER_BITS * u32::from(player.0));
        match self {
            Proven::Wins(player) => at(player, 1) | at(PlayerId(1 - player.0), 2),
            Proven::Not(player) => at(player, 2),
        }
    }
}

/// A transposition table for two players.
pub struct Table {
    /// The buckets, and words on either side that are not used.
    words: Vec<AtomicU64>,
    /// The index of the first word of the first bucket.
    first: usize,
    pub buckets: usize,
    /// The maximum number of buckets.
    pub most: usize,
    entries: AtomicUsize,
}

impl Table {
    /// Creates a table that grows to at most `bytes`.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if not one bucket fits.
    pub fn new(bytes: u64) -> Result<Table, RanOut> {
        let most = bytes as usize / (BUCKET * size_of::<u64>());
        let entries = AtomicUsize::default();
        let mut table = Table { words: Vec::new(), first: 0, buckets: 0, most, entries };
        table.grow();
        if table.buckets == 0 { Err(RanOut::Memory) } else { Ok(table) }
    }

    /// Raises the size limit of the table by this many bytes.
    pub fn allow(&mut self, bytes: u64) {
        self.most += bytes as usize / (BUCKET * size_of::<u64>());
    }

    /// Returns the number of entries.
    pub fn entries(&self) -> usize {
        self.entries.load(Relaxed)
    }

    /// Tests if the table should grow, and may: above half load too many buckets are full.
    #[inline]
    pub fn is_crowded(&self) -> bool {
        self.entries() > self.buckets * BUCKET / ENTRY / 2 && self.buckets < self.most
    }

    /// Doubles the table, up to the maximum or the available memory, and rehashes in place.
    pub fn grow(&mut self) {
        let before = self.buckets;
        let buckets = (2 * before).max(FIRST).min(self.most);
        let words = buckets * BUCKET + BUCKET - 1;
        if self.words.try_reserve_exact(words - self.words.len()).is_err() {
            self.most = before;
            return;
        }
        let used = self.words.len();
        self.words.resize_with(words, AtomicU64::default);
        self.buckets = buckets;
        self.align(used);
        // The bucket index is monotone in the hash and never falls as the table grows. So going
        // downwards, no entry is moved twice.
        for bucket in (0..before).rev() {
            let entries: [u64; BUCKET] = std::array::from_fn(|index| {
                std::mem::take(self.words[self.first + bucket * BUCKET + index].get_mut())
            });
            for entry in entries.chunks_exact(ENTRY).filter(|entry| entry[1] != 0) {
                let tag = Tag(entry[0] ^ cover(entry[1]), entry[1] & !KNOWN);
                if let Some(place) = self.least(tag) {
                    *self.entries.get_mut() -= usize::from(self.data(place) != 0);
                    self.write(place, tag, entry[1]);
                }
            }
        }
    }

    /// Moves the buckets among the first `used` words so that they begin with a cache line again,
    /// after a reallocation.
    fn align(&mut self, used: usize) {
        let line = BUCKET * size_of::<u64>();
        let first = self.words.as_ptr().align_offset(line).min(BUCKET - 1);
        let before = std::mem::replace(&mut self.first, first);
        match used {
            0 => {}
            _ if before < first => self.words[..used].rotate_right(first - before),
            _ => self.words[..used].rotate_left(before - first),
        }
    }

    /// Returns the known result about a player's win.
    #[inline]
    pub fn look(&self, tag: Tag, player: PlayerId) -> Option<Proven> {
        let (_, entry) = self.find(tag)?;
        read(entry, player)
    }

    /// Prefetches the bucket of a tag.
    #[inline(always)]
    pub fn prefetch(&self, tag: Tag) {
        prefetch(self.words.as_ptr(), self.places(tag).start);
    }

    /// Returns the bit length of the work behind an entry.
    pub fn work(&self, tag: Tag) -> Option<u64> {
        Some((self.find(tag)?.1 & KNOWN) >> WORK)
    }

    /// Stores a result with the number of positions that it took. Returns whether the table should
    /// grow.
    #[inline]
    pub fn keep(&self, tag: Tag, proven: Proven, work: u64) -> bool {
        let work = u64::from(u64::BITS - work.leading_zeros()).min(KNOWN >> WORK);
        let here = self.find(tag);
        let Some(place) = here.map(|(place, _)| place).or_else(|| self.least(tag)) else {
            return false;
        };
        let before = here.map_or(0, |(_, entry)| entry & KNOWN);
        if self.data(place) == 0 {
            self.entries.fetch_add(1, Relaxed);
        }
        let known = proven.bits() | before & ((1 << WORK) - 1);
        self.write(place, tag, tag.1 | known | work.max(before >> WORK) << WORK);
        self.is_crowded()
    }

    /// Returns the range of a tag's bucket. The range reduction is a multiplication (Lemire).
    #[inline]
    fn places(&self, tag: Tag) -> Range<usize> {
        let bucket = ((u128::from(tag.hash()) * self.buckets as u128) >> 64) as usize;
        let first = self.first + bucket * BUCKET;
        first..first + BUCKET
    }

    /// Returns the place of the entry to overwrite: an empty one, or the one with the least work.
    fn least(&self, tag: Tag) -> Option<usize> {
        self.places(tag).step_by(ENTRY).min_by_key(|&place| match self.data(place) {
            0 => 0,
            entry => 1 + ((entry & KNOWN) >> WORK),
        })
    }

    /// Returns the place and the second word of a tag's entry.
    #[inline]
    fn find(&self, tag: Tag) -> Option<(usize, u64)> {
        self.places(tag).step_by(ENTRY).find_map(|place| {
            let entry = self.data(place);
            let is_here = entry != 0
                && entry & !KNOWN == tag.1
                && self.words[place].load(Relaxed) == tag.0 ^ cover(entry);
            is_here.then_some((place, entry))
        })
    }

    /// Returns the second word of an entry; 0 if the place is empty.
    #[inline]
    fn data(&self, place: usize) -> u64 {
        self.words[place + 1].load(Relaxed)
    }

    #[inline]
    fn write(&self, place: usize, tag: Tag, entry: u64) {
        self.words[place].store(tag.0 ^ cover(entry), Relaxed);
        self.words[place + 1].store(entry, Relaxed);
    }
}

/// Decodes the bits of an entry about a player's win.
#[inline]
fn read(entry: u64, player: PlayerId) -> Option<Proven> {
    let other = PlayerId(1 - player.0);
    let of = |player: PlayerId| entry >> (PLAYER_BITS * u32::from(player.0)) & 3;
    match (of(player), of(other)) {
        (1, _) => Some(Proven::Wins(player)),
        (_, 1) => Some(Proven::Wins(other)),
        (2, _) => Some(Proven::Not(player)),
        _ => None,
    }
}

/// The results that one search has found while the table must not change.
#[derive(Default)]
pub struct Fresh {
    /// The results in order, each with the number of positions that it took.
    kept: Vec<(Tag, Proven, u64)>,
    /// The bits of an entry, by tag.
    known: FxHashMap<Tag, u64>,
}

impl Fresh {
    /// Returns the known result about a player's win, from this search or from the table.
    #[inline]
    pub fn look(&self, shared: &Shared, tag: Tag, player: PlayerId) -> Option<Proven> {
        let own = if shared.is_frozen { self.known.get(&tag) } else { None };
        own.and_then(|&known| read(known, player)).or_else(|| shared.table.look(tag, player))
    }

    /// Keeps a result with the number of positions that it took: in the table, unless the table
    /// must not change.
    #[inline]
    pub fn keep(&mut self, shared: &Shared, tag: Tag, proven: Proven, work: u64) {
        if !shared.is_frozen {
            shared.keep(tag, proven, work);
            return;
        }
        *self.known.entry(tag).or_default() |= proven.bits();
        self.kept.push((tag, proven, work));
    }

    /// Moves all results to a table, which grows if it has to.
    pub fn move_to(&mut self, table: &mut Table) {
        for (tag, proven, work) in self.kept.drain(..) {
            table.keep(tag, proven, work);
        }
        self.known.clear();
        if table.is_crowded() {
            table.grow();
        }
    }
}

/// Returns the word that is combined with the first word of an entry whose second word is this.
#[inline]
fn cover(entry: u64) -> u64 {
    entry.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Prefetches an element of an array.
#[inline(always)]
pub fn prefetch<T>(array: *const T, index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads and writes nothing, and has no effect on an invalid address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(array.wrapping_add(index).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (array, index);
}
