//! One key for a position and all of its images.
//!
//! In: positions of one game. Out: the least key among those of a position and of its images under
//! the game's symmetries. It refuses to know what a position is worth.

use super::RanOut;
use super::image::Image;
use super::key::Coder;
use super::memory::MemoryBudget;
use super::symmetry::symmetries;
use crate::engine::game::State;
use crate::engine::position::Position;

/// Gives positions their keys.
pub struct Canonicalizer {
    coder: Coder,
    images: Vec<Image>,
    key: Vec<u64>,
    image: Vec<u64>,
    least: Vec<u64>,
}

impl Canonicalizer {
    /// Finds the symmetries of the match's game, if they are wanted.
    pub fn new(from: &State, symmetric: bool) -> Canonicalizer {
        let game = from.game();
        let coder = Coder::new(from);
        let found = if symmetric { symmetries(game) } else { Vec::new() };
        let images = found.iter().map(|symmetry| Image::new(game, symmetry)).collect();
        let blank = vec![0; coder.words()];
        Canonicalizer { coder, images, key: blank.clone(), image: blank.clone(), least: blank }
    }

    /// How many words a key has.
    pub fn words(&self) -> usize {
        self.coder.words()
    }

    /// How many symmetries there are, the one that leaves everything where it is among them.
    pub fn symmetries(&self) -> usize {
        self.images.len() + 1
    }

    /// A position to write over.
    pub fn blank(&self) -> Position {
        self.coder.blank()
    }

    /// The key of a position that is not over.
    ///
    /// # Errors
    /// Tells if the game counts so much that there is no memory left for it.
    pub fn canonical_key(
        &mut self,
        position: &Position,
        memory_budget: &mut MemoryBudget,
    ) -> Result<&[u64], RanOut> {
        self.coder.write(position, &mut self.key, memory_budget)?;
        self.least.copy_from_slice(&self.key);
        for image in &mut self.images {
            image.turn(&self.key, &mut self.image, &mut self.coder, memory_budget)?;
            if self.image < self.least {
                std::mem::swap(&mut self.image, &mut self.least);
            }
        }
        Ok(&self.least)
    }

    /// Writes the position of a key over another.
    pub fn read(&self, key: &[u64], position: &mut Position) {
        self.coder.read(key, position);
    }
}
