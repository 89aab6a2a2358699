//! Canonical keys: the least of the keys of a position and of its images under the game's
//! symmetries, so that symmetric positions share one key.

use super::RanOut;
use super::image::Image;
use super::key::Coder;
use super::symmetry::{Symmetry, symmetries};
use crate::budget::MemoryBudget;
use crate::engine::game::State;
use crate::engine::position::Position;

/// Returns the symmetries of a state's game that map its position to itself, without the identity.
/// Returns none if a rule of repetition counts earlier plies, which a symmetry may not map to
/// themselves.
pub fn symmetries_of(state: &State) -> Vec<Symmetry> {
    if state.game().rules().repetition.is_some() && state.ply_count() > 0 {
        return Vec::new();
    }
    let mut found = symmetries(state.game());
    let mut coder = Coder::new(state);
    let mut memory_budget = MemoryBudget::new(u64::MAX);
    let mut key = vec![0; coder.words()];
    if coder.write(&state.position(), &mut key, &mut memory_budget).is_err() {
        return Vec::new();
    }
    found.retain(|symmetry| {
        let mut image = vec![0; key.len()];
        let mut map = Image::new(state.game(), symmetry);
        map.turn(&key, &mut image, &mut coder, &mut memory_budget).is_ok() && image == key
    });
    found
}

/// Computes canonical keys for the positions of one game.
pub struct Canonicalizer {
    coder: Coder,
    images: Vec<Image>,
    key: Vec<u64>,
    image: Vec<u64>,
    least: Vec<u64>,
}

impl Canonicalizer {
    /// Finds the symmetries of the state's game if `symmetric`; otherwise uses the identity alone.
    pub fn new(from: &State, symmetric: bool) -> Canonicalizer {
        let game = from.game();
        let coder = Coder::new(from);
        let found = if symmetric { symmetries(game) } else { Vec::new() };
        let images = found.iter().map(|symmetry| Image::new(game, symmetry)).collect();
        let blank = vec![0; coder.words()];
        Canonicalizer { coder, images, key: blank.clone(), image: blank.clone(), least: blank }
    }

    /// Returns the number of words per key.
    pub fn words(&self) -> usize {
        self.coder.words()
    }

    /// Returns the number of symmetries, including the identity.
    pub fn symmetries(&self) -> usize {
        self.images.len() + 1
    }

    /// Returns a position to decode into.
    pub fn blank(&self) -> Position {
        self.coder.blank()
    }

    /// Returns the canonical key of a position in which the game is not over.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if there is no room for a new remainder.
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

    /// Decodes a key into a position.
    pub fn read(&self, key: &[u64], position: &mut Position) {
        self.coder.read(key, position);
    }
}
