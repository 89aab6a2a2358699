//! The transposition table of proof search: who can force a win, by position, in buckets of four
//! entries. A full bucket replaces the entry with the least work. The table doubles up to a maximum
//! size.
//!
//! A key of one word is stored exactly. Longer keys are stored as 118 bits of hash: the chance that
//! any two of 10⁹ positions collide is below 10⁻¹⁷.

use super::RanOut;
use crate::budget::MemoryBudget;
use crate::language::rules::PlayerId;
use crate::random::mix;

/// Words per entry, and words per bucket (one cache line).
const ENTRY: usize = 2;
const BUCKET: usize = 4 * ENTRY;
/// The initial number of buckets.
pub const FIRST: usize = 1 << 10;
/// The low bits of an entry's second word: two bits per player (can force a win, cannot), then the
/// bit length of the work.
const PLAYER_BITS: u32 = 2;
const WORK: u32 = 4;
const KNOWN: u64 = (1 << 10) - 1;

/// A key as the table stores it: two words, the low bits of the second free for the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tag(u64, u64);

impl Tag {
    /// Makes the tag of a key.
    pub fn of(key: &[u64]) -> Tag {
        if let [word] = key {
            return Tag(*word, 0);
        }
        let hash = |seed: u64| {
            key.iter().fold(seed, |sum, &word| {
                mix(sum, word).rotate_left(29) ^ word.wrapping_mul(seed | 1)
            })
        };
        Tag(mix(hash(0x243f_6a88_85a3_08d3), 0), mix(hash(0x1319_8a2e_0370_7344), 1) & !KNOWN)
    }
}

/// A proven result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proven {
    /// The player can force a win; the other one therefore cannot.
    Wins(PlayerId),
    /// The player cannot force a win.
    Not(PlayerId),
}

impl Proven {
    /// Tests if it says that the player wins. If not, it is taken for what says that he does not.
    #[inline]
    pub fn is_win_of(self, player: PlayerId) -> bool {
        self == Proven::Wins(player)
    }

    /// Tests if it says who wins, which no repetition can prevent.
    #[inline]
    pub fn is_decisive(self) -> bool {
        matches!(self, Proven::Wins(_))
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
    words: Vec<u64>,
    pub buckets: usize,
    /// The maximum number of buckets.
    pub most: usize,
    pub entries: usize,
}

impl Table {
    /// Creates a table that grows to at most `bytes`, all of which is charged at once.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if the budget has less left, or if not one bucket fits.
    pub fn new(bytes: u64, memory_budget: &mut MemoryBudget) -> Result<Table, RanOut> {
        memory_budget.take(bytes)?;
        let most = bytes as usize / (BUCKET * size_of::<u64>());
        let mut table = Table { words: Vec::new(), buckets: 0, most, entries: 0 };
        table.grow();
        if table.buckets == 0 { Err(RanOut::Memory) } else { Ok(table) }
    }

    /// Lets the table grow by this many bytes more, which are charged elsewhere.
    pub fn allow(&mut self, bytes: u64) {
        self.most += bytes as usize / (BUCKET * size_of::<u64>());
    }

    /// Doubles the table, up to the maximum or the memory that there is, and rehashes in place.
    fn grow(&mut self) {
        let before = self.buckets;
        let buckets = (2 * before).max(FIRST).min(self.most);
        if self.words.try_reserve_exact((buckets - before) * BUCKET).is_err() {
            self.most = before;
            return;
        }
        self.words.resize(buckets * BUCKET, 0);
        self.buckets = buckets;
        // The bucket index is monotone in the hash and never falls as the table grows. So going
        // downwards, no entry is moved twice.
        for bucket in (0..before).rev() {
            let mut entries = [0; BUCKET];
            entries.swap_with_slice(&mut self.words[bucket * BUCKET..][..BUCKET]);
            for entry in entries.chunks_exact(ENTRY).filter(|entry| entry[1] != 0) {
                let tag = Tag(entry[0], entry[1] & !KNOWN);
                if let Some(place) = self.least(tag) {
                    self.entries -= usize::from(self.words[place + 1] != 0);
                    self.words[place..place + ENTRY].copy_from_slice(entry);
                }
            }
        }
    }

    /// Returns what is known of a player's win.
    #[inline]
    pub fn look(&self, tag: Tag, player: PlayerId) -> Option<Proven> {
        let entry = self.words[self.find(tag)? + 1];
        let other = PlayerId(1 - player.0);
        let of = |player: PlayerId| entry >> (PLAYER_BITS * u32::from(player.0)) & 3;
        match (of(player), of(other)) {
            (1, _) => Some(Proven::Wins(player)),
            (_, 1) => Some(Proven::Wins(other)),
            (2, _) => Some(Proven::Not(player)),
            _ => None,
        }
    }

    /// Returns the bit length of the work behind an entry.
    pub fn work(&self, tag: Tag) -> Option<u64> {
        Some((self.words[self.find(tag)? + 1] & KNOWN) >> WORK)
    }

    /// Stores a result with the number of positions that it took.
    #[inline]
    pub fn keep(&mut self, tag: Tag, proven: Proven, work: u64) {
        let work = u64::from(u64::BITS - work.leading_zeros()).min(KNOWN >> WORK);
        let here = self.find(tag);
        let Some(place) = here.or_else(|| self.least(tag)) else { return };
        let before = if here.is_some() { self.words[place + 1] & KNOWN } else { 0 };
        self.entries += usize::from(self.words[place + 1] == 0);
        self.words[place] = tag.0;
        self.words[place + 1] =
            tag.1 | proven.bits() | before & ((1 << WORK) - 1) | work.max(before >> WORK) << WORK;
        // Grows above half load; beyond, too many buckets are full.
        if self.entries > self.buckets * BUCKET / ENTRY / 2 && self.buckets < self.most {
            self.grow();
        }
    }

    /// Returns the places of a tag's bucket. The range reduction is a multiplication (Lemire).
    fn places(&self, tag: Tag) -> impl Iterator<Item = usize> + use<> {
        let bucket = ((u128::from(mix(tag.0, tag.1)) * self.buckets as u128) >> 64) as usize;
        (bucket * BUCKET..(bucket + 1) * BUCKET).step_by(ENTRY)
    }

    /// Returns the place to overwrite: an empty one, or the one with the least work.
    fn least(&self, tag: Tag) -> Option<usize> {
        self.places(tag).min_by_key(|&place| match self.words[place + 1] {
            0 => 0,
            entry => 1 + ((entry & KNOWN) >> WORK),
        })
    }

    fn find(&self, tag: Tag) -> Option<usize> {
        self.places(tag).find(|&place| {
            let entry = self.words[place + 1];
            self.words[place] == tag.0 && entry & !KNOWN == tag.1 && entry != 0
        })
    }
}
