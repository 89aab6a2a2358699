//! One key for a position and all of its images.
//!
//! In: positions of one game. Out: the least key among those of a position and of its images under the game's symmetries. It refuses to know what a position is worth.

use super::RanOut;
use super::key::Coder;
use super::memory::Meter;
use super::symmetry::{Image, symmetries};
use crate::engine::game::Match;
use crate::engine::position::Position;

/// Gives positions their keys.
pub struct Namer {
    coder: Coder,
    images: Vec<Image>,
    image: Position,
    least: Vec<u64>,
    key: Vec<u64>,
}

impl Namer {
    /// Finds the symmetries of the match's game, if they are wanted.
    pub fn new(from: &Match, symmetric: bool) -> Namer {
        let game = from.game();
        let coder = Coder::new(from);
        let image = coder.blank();
        let found = if symmetric { symmetries(game) } else { Vec::new() };
        let images = found.iter().map(|symmetry| Image::new(game, symmetry, &image)).collect();
        let words = coder.words();
        Namer { coder, images, image, least: vec![0; words], key: vec![0; words] }
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
    pub fn name(&mut self, position: &Position, meter: &mut Meter) -> Result<&[u64], RanOut> {
        self.coder.write(position, &mut self.least, meter)?;
        for image in &self.images {
            image.turn(position, &mut self.image);
            self.coder.write(&self.image, &mut self.key, meter)?;
            if self.key < self.least {
                std::mem::swap(&mut self.key, &mut self.least);
            }
        }
        Ok(&self.least)
    }

    /// Writes the position of a key over another.
    pub fn read(&self, key: &[u64], position: &mut Position) {
        self.coder.read(key, position);
    }
}
