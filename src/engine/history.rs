//! The positions that a game has been through, by their hashes.

const FILTER_WORDS: usize = 32;

/// Hashes in order, with a filter (Burton Bloom, 1970, with a single bit for each) that tells most new ones at a glance.
#[derive(Clone, Debug, Default)]
pub struct History {
    hashes: Vec<u64>,
    /// The bit of every hash that was ever added since the last [`History::replace`] is set.
    filter: [u64; FILTER_WORDS],
    /// No hash was ever there more often since then.
    most: usize,
}

impl History {
    /// The hashes, the latest last.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Adds a hash, and tells how often it is there now.
    #[inline]
    pub fn push(&mut self, hash: u64) -> usize {
        let (word, bit) = place(hash);
        let before = match self.filter[word] & bit {
            0 => 0,
            _ => self.hashes.iter().filter(|&&other| other == hash).count(),
        };
        self.filter[word] |= bit;
        self.hashes.push(hash);
        self.most = self.most.max(before + 1);
        before + 1
    }

    /// A number that no hash is there more often than.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Takes back all but the first so many.
    pub fn truncate(&mut self, length: usize) {
        self.hashes.truncate(length);
    }

    /// Forgets everything and takes these instead.
    pub fn replace(&mut self, hashes: &[u64]) {
        self.hashes.clear();
        self.filter = [0; FILTER_WORDS];
        self.most = 0;
        for &hash in hashes {
            self.push(hash);
        }
    }
}

fn place(hash: u64) -> (usize, u64) {
    ((hash >> 6) as usize % FILTER_WORDS, 1 << (hash % 64))
}
