//! What is proven, in a table that grows up to a size.
//!
//! In: keys of positions, and who can force a win from them. Out: the same again, for as long as
//! there was room. What took less work makes room for what took more. It refuses to know how things
//! are proven.
//!
//! A key of one word is kept as it is. Of longer ones 118 bits of a hash are kept: the chance that
//! any two of a thousand million positions are taken for each other is below 10⁻¹⁷.

use super::RanOut;
use super::memory::MemoryBudget;
use crate::language::rules::PlayerId;
use crate::random::mix;

/// So many words are an entry, and so many a bucket: entries beside each other.
const ENTRY: usize = 2;
const BUCKET: usize = 4 * ENTRY;
/// A table begins with so many buckets.
const FIRST: usize = 1 << 10;
/// The low bits of an entry's second word: for each player, that he can force a win, and that he
/// cannot; then the logarithm of the work.
const PLAYER_BITS: u32 = 2;
const WORK: u32 = 4;
const KNOWN: u64 = (1 << 10) - 1;

/// What stands for a key.
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

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proven {
    /// The player can force a win, so that the other one cannot.
    Wins(PlayerId),
    /// The player cannot force a win.
    Not(PlayerId),
}

impl Proven {
    fn bits(self) -> u64 {
        let at = |player: PlayerId, bits: u64| bits << (PLAYER_BITS * u32::from(player.0));
        match self {
            Proven::Wins(player) => at(player, 1) | at(PlayerId(1 - player.0), 2),
            Proven::Not(player) => at(player, 2),
        }
    }
}

/// Keeps what is proven for two players.
pub struct Table {
    words: Vec<u64>,
    buckets: usize,
    /// Up to how many buckets it grows.
    most: usize,
    entries: usize,
}

impl Table {
    /// Makes a table that grows up to so many bytes.
    ///
    /// # Errors
    /// Tells if there is too little memory left for it.
    pub fn new(bytes: u64, memory_budget: &mut MemoryBudget) -> Result<Table, RanOut> {
        memory_budget.take(bytes)?;
        let most = bytes as usize / (BUCKET * size_of::<u64>());
        let mut table = Table { words: Vec::new(), buckets: 0, most, entries: 0 };
        table.grow();
        if table.buckets == 0 { Err(RanOut::Memory) } else { Ok(table) }
    }

    /// Makes room for twice as many, or for as many as there is memory for.
    fn grow(&mut self) {
        let before = self.buckets;
        let buckets = (2 * before).max(FIRST).min(self.most);
        if self.words.try_reserve_exact((buckets - before) * BUCKET).is_err() {
            self.most = before;
            return;
        }
        self.words.resize(buckets * BUCKET, 0);
        self.buckets = buckets;
        // A bucket goes no lower than it stood, and a higher one nowhere below a lower one, so that
        // those that went before have made room.
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

    /// Whether the player can force a win, if that is known.
    #[inline]
    pub fn look(&self, tag: Tag, player: PlayerId) -> Option<bool> {
        let known = self.words[self.find(tag)? + 1] >> (PLAYER_BITS * u32::from(player.0));
        match known & 3 {
            1 => Some(true),
            2 => Some(false),
            _ => None,
        }
    }

    /// The logarithm of the work that it took to prove what is known.
    pub fn work(&self, tag: Tag) -> Option<u64> {
        Some((self.words[self.find(tag)? + 1] & KNOWN) >> WORK)
    }

    /// Notes what was proven, with so much work.
    pub fn keep(&mut self, tag: Tag, proven: Proven, work: u64) {
        let work = u64::from(u64::BITS - work.leading_zeros()).min(KNOWN >> WORK);
        let here = self.find(tag);
        let Some(place) = here.or_else(|| self.least(tag)) else { return };
        let before = if here.is_some() { self.words[place + 1] & KNOWN } else { 0 };
        self.entries += usize::from(self.words[place + 1] == 0);
        self.words[place] = tag.0;
        self.words[place + 1] =
            tag.1 | proven.bits() | before & ((1 << WORK) - 1) | work.max(before >> WORK) << WORK;
        // Fuller than half, too many buckets have no place left.
        if self.entries > self.buckets * BUCKET / ENTRY / 2 && self.buckets < self.most {
            self.grow();
        }
    }

    /// Where the entries of a tag may stand.
    fn places(&self, tag: Tag) -> impl Iterator<Item = usize> + use<> {
        let bucket = ((u128::from(mix(tag.0, tag.1)) * self.buckets as u128) >> 64) as usize;
        (bucket * BUCKET..(bucket + 1) * BUCKET).step_by(ENTRY)
    }

    /// Where a new entry does least harm.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_more_work_stays() {
        let mut memory_budget = MemoryBudget::new(1 << 10);
        let mut table = Table::new(1 << 6, &mut memory_budget).expect("memory");
        let (first, second) = (PlayerId(0), PlayerId(1));
        for number in 1..=4 {
            table.keep(Tag::of(&[number]), Proven::Wins(first), 1 << (2 * number));
        }
        table.keep(Tag::of(&[5]), Proven::Not(second), 1 << 6);
        let known =
            |number: u64| [first, second].map(|player| table.look(Tag::of(&[number]), player));
        assert_eq!(known(1), [None, None]);
        assert_eq!(known(2), [Some(true), Some(false)]);
        assert_eq!(known(5), [None, Some(false)]);
        assert_eq!(table.work(Tag::of(&[4])), Some(9));
    }

    #[test]
    fn little_is_forgotten_while_it_grows() {
        let mut table = Table::new(1 << 20, &mut MemoryBudget::new(1 << 20)).expect("memory");
        let (first, second) = (PlayerId(0), PlayerId(1));
        let tag = |number: u64| Tag::of(&[number, 7]);
        (0..20_000).for_each(|number| {
            table.keep(tag(number), Proven::Wins(PlayerId(number as u16 % 2)), number)
        });
        assert!(table.buckets > FIRST && table.buckets <= table.most);
        let kept = (0..20_000)
            .filter(|&number| table.look(tag(number), first) == Some(number % 2 == 0))
            .count();
        let wrong = (0..20_000)
            .filter(|&number| table.look(tag(number), second) == Some(number % 2 == 0))
            .count();
        // Buckets that are full make room now and then.
        assert!(kept > 18_000 && wrong == 0, "{kept}");
        assert_eq!(table.entries, kept);
    }

    #[test]
    fn what_is_proven_of_both_adds_up() {
        let mut table = Table::new(1 << 10, &mut MemoryBudget::new(1 << 12)).expect("memory");
        let tag = Tag::of(&[1, 2, 3]);
        table.keep(tag, Proven::Not(PlayerId(0)), 1);
        table.keep(tag, Proven::Not(PlayerId(1)), 1);
        assert_eq!(
            [0, 1].map(|player| table.look(tag, PlayerId(player))),
            [Some(false), Some(false)]
        );
        assert_eq!(table.look(Tag::of(&[1, 2, 4]), PlayerId(0)), None);
    }
}
