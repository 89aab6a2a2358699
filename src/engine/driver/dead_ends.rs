//! Remembers positions within a turn from which it cannot be completed.
//!
//! The same plies in another order lead to the same position, so a long turn has far fewer
//! positions than sequences of plies. Positions are compared in full: a false hit would make a
//! legal ply illegal.

use super::Bits;
use crate::random::mix;
use rustc_hash::FxHashMap;

/// The memory limit, in words of eight bytes.
const MAX_WORDS: usize = 1 << 22;
/// The registers that a query hashes and compares in the time of a unit of fuel.
const REGISTERS_PER_FUEL: usize = 4;

/// The dead ends of one turn, each with the number of plies that were left. Clearing keeps the
/// capacity, so that later turns rarely allocate.
#[derive(Clone, Default)]
pub struct DeadEnds {
    /// The entries, all of the same length, one after the other.
    words: Vec<u64>,
    /// Maps the hash of an entry to the latest entry that has it; `before` links each entry to the
    /// previous one with the same hash.
    last: FxHashMap<u64, usize>,
    before: Vec<Option<usize>>,
    /// Scratch: the entry of the last query.
    query: Vec<u64>,
}

impl DeadEnds {
    /// Tests if completing the turn by `plies` plies is known to fail from this position.
    pub fn holds<const W: usize>(&mut self, plies: i32, sets: &[Bits<W>], nums: &[i32]) -> bool {
        if self.last.is_empty() {
            return false;
        }
        self.set_query(plies, sets, nums);
        let length = self.query.len();
        let same_hash = std::iter::successors(self.last.get(&self.hash()).copied(), |&index| {
            self.before[index]
        });
        let mut known = same_hash.map(|index| &self.words[index * length..][..length]);
        known.any(|known| known == self.query)
    }

    /// Records that completing the turn by `plies` plies fails from this position, unless memory is
    /// full.
    pub fn add<const W: usize>(&mut self, plies: i32, sets: &[Bits<W>], nums: &[i32]) {
        self.set_query(plies, sets, nums);
        if self.words.len() < MAX_WORDS {
            let before = self.last.insert(self.hash(), self.before.len());
            self.before.push(before);
            self.words.extend_from_slice(&self.query);
        }
    }

    /// Returns the fuel for a query about this many registers, a set of several words being
    /// several.
    pub fn query_fuel(&self, registers: usize) -> u32 {
        match self.last.is_empty() {
            true => 0,
            false => (registers / REGISTERS_PER_FUEL) as u32,
        }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.words.clear();
        self.last.clear();
        self.before.clear();
    }

    fn hash(&self) -> u64 {
        self.query.iter().fold(0, |hash, &word| mix(hash, word))
    }

    fn set_query<const W: usize>(&mut self, plies: i32, sets: &[Bits<W>], nums: &[i32]) {
        self.query.clear();
        self.query.push(plies as u64);
        self.query.extend(sets.iter().flat_map(|set| set.0));
        self.query.extend(nums.iter().map(|&num| num as u64));
    }
}
