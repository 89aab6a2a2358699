//! Tags: hashes that give a position and its images under the symmetries of the game the same table
//! entry.
//!
//! Every bit of a set has a random number for each image of its site (Albert Zobrist, *A New
//! Hashing Method with Application for Game Playing*, University of Wisconsin, 1970), and so has
//! every value of a register. So the hashes of all images of a position are updated from those of a
//! similar position by the bits in which the two differ. The tag is the least of these hashes.
//!
//! A tag has 118 bits: the chance that any two of 10⁹ positions collide is below 10⁻¹⁷.

use super::dead_pieces::DeadPieces;
use super::filling::FillingPlies;
use super::image::Mapping;
use super::symmetry::symmetries;
use crate::engine::game::State;
use crate::engine::position::Position;
use crate::random::{Random, mix};
use std::sync::Arc;

/// The low bits of a tag's second word, which are free for the result in a table.
pub const FREE: u64 = (1 << 10) - 1;
/// The seed of the random numbers.
const SEED: u64 = 0x50_4f53_4954;
/// Distinguishes decisions from registers.
const DECISION: u64 = 1 << 63;
/// The bits of a word.
const WORD_BITS: usize = u64::BITS as usize;

/// Two words, the low bits of the second free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tag(pub(super) u64, pub(super) u64);

impl Tag {
    /// Makes a tag from 128 bits, without the free low bits.
    pub fn new(first: u64, second: u64) -> Tag {
        Tag(first, second & !FREE)
    }

    /// Returns a hash of the tag.
    #[inline]
    pub fn hash(self) -> u64 {
        mix(self.0, self.1)
    }
}

/// The two words of a position's hash, from which its tag is made.
type Hashes = [u64; 2];

/// Computes the tags of one game's positions.
#[derive(Clone)]
pub struct Tagger {
    /// The symmetries, without the identity.
    mappings: Vec<Mapping>,
    /// By bit of the sets and image, the identity first.
    bits: Vec<Hashes>,
    /// The registers that some symmetry changes.
    mapped: Vec<bool>,
    knowledge: Knowledge,
    /// The position of the last call of [`go_to`](Self::go_to), with the hashes of its images
    /// without its decision.
    at: Tagged,
    /// The position after.
    next: Tagged,
}

/// Facts that the rules prove about different positions with the same value.
#[derive(Clone)]
enum Knowledge {
    Nothing,
    /// Some pieces no longer matter.
    DeadPieces(Arc<DeadPieces>),
    /// A position is the sum of its parts.
    Parts(Box<FillingPlies>),
}

/// The data that a tag is computed from.
#[derive(Clone)]
struct Tagged {
    /// The sets, followed by a set of dead pieces if these are distinguished.
    words: Vec<u64>,
    numbers: Vec<i32>,
    hashes: Vec<Hashes>,
}

impl Tagger {
    /// Finds the symmetries of the state's game if `symmetric`; otherwise uses the identity alone.
    pub fn new(from: &State, symmetric: bool) -> Tagger {
        let game = from.game();
        let found = if symmetric { symmetries(game) } else { Vec::new() };
        let mappings: Vec<Mapping> =
            found.iter().map(|symmetry| Mapping::new(game, symmetry)).collect();
        let knowledge = match FillingPlies::of(from, &mappings) {
            Some(parts) => Knowledge::Parts(Box::new(parts)),
            None => DeadPieces::of(game)
                .map_or(Knowledge::Nothing, |pieces| Knowledge::DeadPieces(Arc::new(pieces))),
        };
        let position = from.position();
        let sets = usize::from(game.program().layout.sets);
        let width = position.words().len().checked_div(sets).unwrap_or(0);
        let sets = sets + usize::from(matches!(knowledge, Knowledge::DeadPieces(_)));
        let mut random = Random::new(SEED);
        let numbers: Vec<Hashes> =
            (0..sets * width * WORD_BITS).map(|_| [random.bits64(), random.bits64()]).collect();
        let mut bits = Vec::new();
        for set in 0..sets {
            for site in 0..width * WORD_BITS {
                let bit = |set: usize, site: usize| numbers[set * width * WORD_BITS + site];
                bits.push(bit(set, site));
                bits.extend(
                    mappings.iter().map(|mapping| bit(mapping.set(set), mapping.site(site))),
                );
            }
        }
        let mapped = (0..position.numbers().len())
            .map(|register| mappings.iter().any(|mapping| mapping.changes(register)))
            .collect();
        let mut hashes = vec![[0; 2]; mappings.len() + 1];
        for (register, &value) in position.numbers().iter().enumerate() {
            for (image, hashes) in hashes.iter_mut().enumerate() {
                add(hashes, register_hash(&mappings, image, register, value));
            }
        }
        let numbers = position.numbers().to_vec();
        let at = Tagged { words: vec![0; sets * width], numbers, hashes };
        Tagger { mappings, bits, mapped, knowledge, next: at.clone(), at }
    }

    /// Returns the number of symmetries under which positions are identified.
    pub fn symmetries(&self) -> usize {
        self.at.hashes.len()
    }

    /// Returns the tag of a position, from which the tags of similar positions are computed fast.
    pub fn go_to(&mut self, position: &Position) -> Tag {
        let tag = self.tag(position);
        self.next.numbers.copy_from_slice(position.numbers());
        match &mut self.knowledge {
            Knowledge::Nothing => self.next.words.copy_from_slice(position.words()),
            Knowledge::DeadPieces(_) => {}
            Knowledge::Parts(parts) => parts.go_to(position.words()),
        }
        std::mem::swap(&mut self.at, &mut self.next);
        tag
    }

    /// Returns the tag of a position.
    pub fn tag(&mut self, position: &Position) -> Tag {
        let images = self.at.hashes.len();
        let (at, next) = (&self.at, &mut self.next);
        next.hashes.copy_from_slice(&at.hashes);
        let mut parts = [0; 2];
        let words = match &mut self.knowledge {
            Knowledge::Nothing => position.words(),
            Knowledge::DeadPieces(dead_pieces) => {
                dead_pieces.bury(position.words(), &mut next.words);
                &next.words
            }
            Knowledge::Parts(own) => {
                parts = own.hashes(position.words());
                &[]
            }
        };
        for (word, (&from, &to)) in at.words.iter().zip(words).enumerate() {
            let mut differing = from ^ to;
            while differing != 0 {
                let bit = word * WORD_BITS + differing.trailing_zeros() as usize;
                differing &= differing - 1;
                let changes = &self.bits[bit * images..][..images];
                next.hashes.iter_mut().zip(changes).for_each(|(to, &change)| add(to, change));
            }
        }
        // One by one: there are few, often none.
        if at.numbers.iter().zip(position.numbers()).any(|(from, to)| from != to) {
            self.change_registers(position);
        }
        let mut least = self.next.hashes.iter().min().copied().unwrap_or_default();
        add(&mut least, parts);
        add(&mut least, hashes_of(position.decision() as u64 | DECISION));
        Tag::new(least[0], least[1])
    }

    /// Adds the differences of the registers to the hashes of the position after.
    fn change_registers(&mut self, position: &Position) {
        let both = self.at.numbers.iter().zip(position.numbers()).enumerate();
        for (register, (&from, &to)) in both.filter(|(_, (from, to))| from != to) {
            let change = |image: usize| {
                let mut hash = register_hash(&self.mappings, image, register, from);
                add(&mut hash, register_hash(&self.mappings, image, register, to));
                hash
            };
            let of_all = change(0);
            for (image, hashes) in self.next.hashes.iter_mut().enumerate() {
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
