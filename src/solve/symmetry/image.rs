//! Positions turned.
//!
//! In: a symmetry and positions. Out: their images. It refuses to know whether the rules bear it.

use super::Symmetry;
use crate::board::Site;
use crate::compile::layout::Home;
use crate::engine::game::Game;
use crate::engine::position::Position;
use crate::language::rules::{Holds, MemoryId};

/// Turns positions of one game.
pub struct Image {
    /// How many words a set has.
    width: usize,
    /// By set, the set that its image is.
    sets: Vec<usize>,
    /// By byte of a set and the byte's value, the words of its image.
    bytes: Vec<Vec<u64>>,
    /// The numbers that are sites.
    numbers: Vec<usize>,
    sites: Vec<Site>,
}

impl Image {
    /// Prepares to turn positions like this one.
    pub fn new(game: &Game, symmetry: &Symmetry, like: &Position) -> Image {
        let (rules, layout) = (game.rules(), &game.program().layout);
        let count = usize::from(layout.sets);
        let width = like.words().len().checked_div(count).unwrap_or(0);
        let mut sets: Vec<usize> = (0..count).collect();
        let mut numbers = Vec::new();
        for (index, memory) in rules.memories.iter().enumerate() {
            let copies = if memory.per_player { rules.players.len() } else { 1 };
            match layout.home(MemoryId(index as u16)) {
                Home::Sets { first } if !memory.per_direction.is_empty() => {
                    let directions = &memory.per_direction;
                    for (place, &direction) in directions.iter().enumerate() {
                        let turned = symmetry.direction(direction);
                        let to = directions.iter().position(|&other| other == turned).unwrap_or(place);
                        for copy in 0..copies {
                            let set = |place: usize| usize::from(first) + copy * directions.len() + place;
                            sets[set(place)] = set(to);
                        }
                    }
                }
                Home::Nums { first } if memory.holds == Holds::Site => numbers.extend((0..copies).map(|copy| usize::from(first) + copy)),
                _ => {}
            }
        }
        let slots = rules.board.slots();
        let byte = |byte: usize| {
            let mut images = vec![0u64; 256 * width];
            for value in 0..256usize {
                for bit in (0..8).filter(|bit| value >> bit & 1 == 1 && byte * 8 + bit < slots) {
                    let site = symmetry.site(Site((byte * 8 + bit) as u16)).index();
                    images[value * width + site / 64] |= 1 << (site % 64);
                }
            }
            images
        };
        Image {
            width,
            sets,
            bytes: (0..slots.div_ceil(8)).filter(|_| width > 0).map(byte).collect(),
            numbers,
            sites: symmetry.sites.clone(),
        }
    }

    /// Writes the image of a position over another.
    pub fn turn(&self, position: &Position, image: &mut Position) {
        image.set_at(position.decision() as u16, position.numbers());
        for &register in &self.numbers {
            let number = position.numbers()[register];
            if let Some(site) = usize::try_from(number).ok().and_then(|number| self.sites.get(number)) {
                image.set_number(register, i32::from(site.0));
            }
        }
        let words = image.words_mut();
        for (set, &to) in position.words().chunks_exact(self.width.max(1)).zip(&self.sets) {
            let turned = &mut words[to * self.width..][..self.width];
            turned.fill(0);
            for (images, byte) in self.bytes.iter().zip(set.iter().flat_map(|word| word.to_le_bytes())) {
                let image = &images[usize::from(byte) * self.width..][..self.width];
                turned.iter_mut().zip(image).for_each(|(word, &bits)| *word |= bits);
            }
        }
    }
}
