//! Applies a symmetry to packed position keys.
//!
//! Sets are permuted eight sites at a time by lookup tables; the interned remainder of a key is
//! mapped once per number and cached.

use super::RanOut;
use super::key::Coder;
use super::symmetry::Symmetry;
use crate::board::{Direction, Site};
use crate::budget::MemoryBudget;
use crate::compile::layout::Home;
use crate::engine::game::Game;
use crate::language::rules::{MemoryId, MemoryType};

/// Marks a cache entry not computed yet.
const OPEN: u32 = u32::MAX;

/// The effect of a symmetry on the sets and registers of one game.
#[derive(Clone)]
pub struct Mapping {
    /// By set, the set that holds its image (they differ for memories per direction).
    sets: Vec<usize>,
    /// By index of a site, the index of its image. A board may leave out indices.
    sites: Vec<usize>,
    /// The registers that hold sites.
    numbers: Vec<usize>,
    /// The registers that hold directions.
    directions: Vec<usize>,
    symmetry: Symmetry,
}

impl Mapping {
    /// Determines the effect of a symmetry of a game.
    pub fn new(game: &Game, symmetry: &Symmetry) -> Mapping {
        let (rules, layout) = (game.rules(), &game.program().layout);
        let mut sets: Vec<usize> = (0..usize::from(layout.sets)).collect();
        let (mut numbers, mut courses) = (Vec::new(), Vec::new());
        for (index, memory) in rules.memories.iter().enumerate() {
            let copies = if memory.per_player { rules.players.len() } else { 1 };
            match layout.home(MemoryId(index as u16)) {
                Home::Sets { first } if !memory.per_direction.is_empty() => {
                    let directions = &memory.per_direction;
                    for (place, &direction) in directions.iter().enumerate() {
                        let turned = symmetry.direction(direction);
                        let to =
                            directions.iter().position(|&other| other == turned).unwrap_or(place);
                        for copy in 0..copies {
                            let set =
                                |place: usize| usize::from(first) + copy * directions.len() + place;
                            sets[set(place)] = set(to);
                        }
                    }
                }
                Home::Nums { first } if memory.holds == MemoryType::Site => {
                    numbers.extend((0..copies).map(|copy| usize::from(first) + copy))
                }
                Home::Nums { first } if memory.holds == MemoryType::Direction => {
                    courses.extend((0..copies).map(|copy| usize::from(first) + copy))
                }
                _ => {}
            }
        }
        let end = rules.board.sites().map(|site| site.index() + 1).max().unwrap_or(0);
        let mut sites: Vec<usize> = (0..end).collect();
        for site in rules.board.sites() {
            sites[site.index()] = symmetry.site(site).index();
        }
        Mapping { sets, sites, numbers, directions: courses, symmetry: symmetry.clone() }
    }

    /// Returns the set that holds the image of a set.
    pub fn set(&self, set: usize) -> usize {
        self.sets.get(set).copied().unwrap_or(set)
    }

    /// Returns the image of a site; itself beyond the board.
    pub fn site(&self, site: usize) -> usize {
        self.sites.get(site).copied().unwrap_or(site)
    }

    /// Tests if some value of a register has another image.
    pub fn changes(&self, register: usize) -> bool {
        self.numbers.contains(&register) || self.directions.contains(&register)
    }

    /// Tests if every register keeps its value.
    fn keeps_registers(&self) -> bool {
        self.numbers.is_empty() && self.directions.is_empty()
    }

    /// Returns the image of a register's value.
    pub fn number(&self, register: usize, value: i32) -> i32 {
        if self.directions.contains(&register) {
            let direction = usize::try_from(value).ok().and_then(Direction::from_index);
            return direction
                .map_or(value, |direction| self.symmetry.direction(direction).index() as i32);
        }
        match u16::try_from(value) {
            Ok(site) if self.numbers.contains(&register) => {
                i32::from(self.symmetry.site(Site(site)).0)
            }
            _ => value,
        }
    }
}

/// A symmetry prepared for the keys of one game.
pub struct Image {
    mapping: Mapping,
    /// The number of sites, which is also the width of a set in a key, in bits.
    sites: usize,
    /// By word of a set's image: for each byte of the set and each value of that byte, the bits
    /// that it contributes to the word.
    words: Vec<Vec<u64>>,
    /// By the number of a remainder, the number of its image, or [`OPEN`].
    rests: Vec<u32>,
}

impl Image {
    /// Builds the lookup tables for a game.
    pub fn new(game: &Game, symmetry: &Symmetry) -> Image {
        let mapping = Mapping::new(game, symmetry);
        let sites: Vec<Site> = game.rules().board.sites().collect();
        let image_of = |site: &Site| {
            let image = mapping.site(site.index());
            sites.iter().position(|other| other.index() == image).unwrap_or(0)
        };
        let images: Vec<usize> = sites.iter().map(image_of).collect();
        let mut words = vec![vec![0u64; images.len().div_ceil(8) * 256]; images.len().div_ceil(64)];
        for (site, &image) in images.iter().enumerate() {
            for value in (0..256usize).filter(|value| value >> (site % 8) & 1 == 1) {
                words[image / 64][site / 8 * 256 + value] |= 1 << (image % 64);
            }
        }
        Image { mapping, sites: sites.len(), words, rests: Vec::new() }
    }

    /// Writes the image of a key over another key.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if there is no room for a new remainder.
    pub fn turn(
        &mut self,
        key: &[u64],
        image: &mut [u64],
        coder: &mut Coder,
        memory_budget: &mut MemoryBudget,
    ) -> Result<(), RanOut> {
        image.fill(0);
        for (set, &to) in self.mapping.sets.iter().enumerate() {
            for (word, added) in self.words.iter().enumerate() {
                let mut turned = 0;
                for (chunk, added) in added.chunks(8 * 256).enumerate() {
                    let mut left = bits(key, set * self.sites + chunk * 64);
                    for added in added.chunks_exact(256) {
                        turned |= added[(left & 255) as usize];
                        left >>= 8;
                    }
                }
                set_bits(image, to * self.sites + word * 64, turned);
            }
        }
        let rest = coder.rest(key);
        let turned = if self.mapping.keeps_registers() {
            rest
        } else {
            self.rest(rest, coder, memory_budget)?
        };
        coder.set_rest(image, turned);
        Ok(())
    }

    /// Returns the number of a remainder's image.
    fn rest(
        &mut self,
        number: u32,
        coder: &mut Coder,
        memory_budget: &mut MemoryBudget,
    ) -> Result<u32, RanOut> {
        let index = number as usize;
        if let Some(&known) = self.rests.get(index).filter(|&&known| known != OPEN) {
            return Ok(known);
        }
        if self.rests.len() <= index {
            memory_budget.take(((index + 1 - self.rests.len()) * size_of::<u32>()) as u64)?;
            self.rests.resize(index + 1, OPEN);
        }
        let mut position = coder.blank();
        coder.read_rest(number, &mut position);
        for register in 0..position.numbers().len() {
            let turned = self.mapping.number(register, position.numbers()[register]);
            position.set_number(register, turned);
        }
        let turned = coder.number(&position, memory_budget)?;
        self.rests[index] = turned;
        Ok(turned)
    }
}

/// Reads 64 bits of a key from bit `from` on, 0 beyond its end.
#[inline(always)]
fn bits(key: &[u64], from: usize) -> u64 {
    let (word, shift) = (from / 64, from % 64);
    let low = key[word] >> shift;
    match key.get(word + 1).filter(|_| shift > 0) {
        Some(next) => low | next << (64 - shift),
        None => low,
    }
}

/// Sets bits in a key from bit `from` on.
#[inline(always)]
fn set_bits(key: &mut [u64], from: usize, bits: u64) {
    let (word, shift) = (from / 64, from % 64);
    key[word] |= bits << shift;
    if shift > 0
        && let Some(next) = key.get_mut(word + 1)
    {
        *next |= bits >> (64 - shift);
    }
}
