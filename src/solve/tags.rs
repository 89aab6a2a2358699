//! Tags of positions: hashes by which a position and its images under the symmetries of the game are
//! one entry of a table.
//!
//! Every bit of a set has a random number for each image of its site (Albert Zobrist, *A New Hashing
//! Method with Application for Game Playing*, University of Wisconsin, 1970), and so has every value
//! of a register. So the hashes of all images of a position follow from those of another one by the
//! bits in which the two differ. The tag is the least of them.
//!
//! A tag has 118 bits: the chance that any two of 10⁹ positions collide is below 10⁻¹⁷.

use super::image::Mapping;
use super::symmetry::symmetries;
use crate::engine::game::State;
use crate::engine::position::Position;
use crate::random::{Random, mix};

/// The low bits of a tag's second word, which are free for the result in a table.
pub const FREE: u64 = (1 << 10) - 1;
/// The seed of the random numbers.
const SEED: u64 = 0x50_4f53_4954;
/// Tells decisions from registers.
const DECISION: u64 = 1 << 63;
/// The bits of a word.
const WORD_BITS: usize = u64::BITS as usize;

/// Two words, the low bits of the second free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tag(pub(super) u64, pub(super) u64);

impl Tag {
    /// Makes a tag of 128 bits, of which some are left out.
    pub fn new(first: u64, second: u64) -> Tag {
        Tag(first, second & !FREE)
    }

    /// Returns a hash of the tag.
    #[inline]
    pub fn hash(self) -> u64 {
        mix(self.0, self.1)
    }
}

/// Hashes of a position, of which tags are made.
type Hashes = [u64; 2];

/// Computes the tags of one game's positions.
#[derive(Clone)]
pub struct Tagger {
    /// The symmetries, without the identity.
    mappings: Vec<Mapping>,
    /// By bit of the sets and image, the identity first.
    bits: Vec<Hashes>,
    /// The registers that not every symmetry leaves as they are.
    mapped: Vec<bool>,
    /// The position that [`go_to`](Self::go_to) was told last, with the hashes of its images without
    /// its decision.
    at: Position,
    hashes: Vec<Hashes>,
    /// The hashes of the position after.
    next: Vec<Hashes>,
}

impl Tagger {
    /// Finds the symmetries of the state's game if `symmetric`; otherwise uses the identity alone.
    pub fn new(from: &State, symmetric: bool) -> Tagger {
        let game = from.game();
        let found = if symmetric { symmetries(game) } else { Vec::new() };
        let mappings: Vec<Mapping> =
            found.iter().map(|symmetry| Mapping::new(game, symmetry)).collect();
        let mut at = from.position();
        at.words_mut().fill(0);
        let sets = usize::from(game.program().layout.sets);
        let words = at.words().len().checked_div(sets).unwrap_or(0);
        let mut random = Random::new(SEED);
        let numbers: Vec<Hashes> =
            (0..at.words().len() * WORD_BITS).map(|_| [random.bits64(), random.bits64()]).collect();
        let mut bits = Vec::new();
        for set in 0..sets {
            for site in 0..words * WORD_BITS {
                let bit = |set: usize, site: usize| numbers[set * words * WORD_BITS + site];
                bits.push(bit(set, site));
                bits.extend(
                    mappings.iter().map(|mapping| bit(mapping.set(set), mapping.site(site))),
                );
            }
        }
        let mapped = (0..at.numbers().len())
            .map(|register| mappings.iter().any(|mapping| mapping.changes(register)))
            .collect();
        let mut hashes = vec![[0; 2]; mappings.len() + 1];
        for (register, &value) in at.numbers().iter().enumerate() {
            for (image, hashes) in hashes.iter_mut().enumerate() {
                add(hashes, register_hash(&mappings, image, register, value));
            }
        }
        Tagger { mappings, bits, mapped, at, next: hashes.clone(), hashes }
    }

    /// Returns the number of symmetries under which positions are identified.
    pub fn symmetries(&self) -> usize {
        self.hashes.len()
    }

    /// Returns the tag of a position, from which those of the next ones follow fast.
    pub fn go_to(&mut self, position: &Position) -> Tag {
        let tag = self.tag(position);
        std::mem::swap(&mut self.hashes, &mut self.next);
        self.at.copy_from(position);
        tag
    }

    /// Returns the tag of a position.
    pub fn tag(&mut self, position: &Position) -> Tag {
        let images = self.hashes.len();
        self.next.copy_from_slice(&self.hashes);
        for (word, (&from, &to)) in self.at.words().iter().zip(position.words()).enumerate() {
            let mut differing = from ^ to;
            while differing != 0 {
                let bit = word * WORD_BITS + differing.trailing_zeros() as usize;
                differing &= differing - 1;
                let changes = &self.bits[bit * images..][..images];
                self.next.iter_mut().zip(changes).for_each(|(to, &change)| add(to, change));
            }
        }
        // One by one: there are few, often none.
        if self.at.numbers().iter().zip(position.numbers()).any(|(from, to)| from != to) {
            self.change_registers(position);
        }
        let mut least = self.next.iter().min().copied().unwrap_or_default();
        add(&mut least, hashes_of(position.decision() as u64 | DECISION));
        Tag::new(least[0], least[1])
    }

    /// Adds the differences of the registers to the hashes of the position after.
    fn change_registers(&mut self, position: &Position) {
        let both = self.at.numbers().iter().zip(position.numbers()).enumerate();
        for (register, (&from, &to)) in both.filter(|(_, (from, to))| from != to) {
            let change = |image: usize| {
                let mut hash = register_hash(&self.mappings, image, register, from);
                add(&mut hash, register_hash(&self.mappings, image, register, to));
                hash
            };
            let of_all = change(0);
            for (image, hashes) in self.next.iter_mut().enumerate() {
                add(hashes, if self.mapped[register] { change(image) } else { of_all });
            }
        }
    }
}

/// Returns the hash of a register's value under a symmetry; the first is the identity.
fn register_hash(mappings: &[Mapping], image: usize, register: usize, value: i32) -> Hashes {
    let mapping = image.checked_sub(1).and_then(|index| mappings.get(index));
    let value = mapping.map_or(value, |mapping| mapping.number(register, value));
    hashes_of((register as u64) << 32 | u64::from(value as u32))
}

fn hashes_of(content: u64) -> Hashes {
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344].map(|seed| mix(mix(seed, content), seed))
}

#[inline(always)]
fn add(to: &mut Hashes, change: Hashes) {
    to[0] ^= change[0];
    to[1] ^= change[1];
}
