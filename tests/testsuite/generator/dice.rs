//! Random choices from a seeded generator.

use ludwright::random::Random;

pub struct Dice(Random);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(Random::new(seed))
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n as u32) as usize
    }

    /// Returns a number between two bounds, both inclusive.
    pub fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most + 1 - least)
    }

    /// Returns true with this probability in percent.
    pub fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }

    /// Returns an index with probability proportional to its weight, `None` if all weights are
    /// zero.
    pub fn weighted(&mut self, weights: &[u32]) -> Option<usize> {
        let total: u32 = weights.iter().sum();
        let mut drawn = if total == 0 { return None } else { self.0.below(total) };
        weights.iter().position(|&weight| match drawn.checked_sub(weight) {
            Some(rest) => {
                drawn = rest;
                false
            }
            None => true,
        })
    }

    /// Returns at most `most` distinct elements in random order.
    pub fn some<T: Clone>(&mut self, from: &[T], most: usize) -> Vec<T> {
        let mut left = from.to_vec();
        let mut drawn = Vec::new();
        while drawn.len() < most && !left.is_empty() {
            let index = self.below(left.len());
            drawn.push(left.swap_remove(index));
        }
        drawn
    }
}
