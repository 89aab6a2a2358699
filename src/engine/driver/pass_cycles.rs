//! Detects an order of play that cycles without a ply.
//!
//! A decision without a legal move is passed over. What follows depends on the position alone, so
//! reaching the same decision with the same position again means an endless cycle. It is found by
//! Brent's algorithm (Richard Brent, "An improved Monte Carlo factorization algorithm", 1980): each
//! position is compared with one saved position, which is replaced after 1, 2, 4, 8 … passes. The
//! clause reported is the first of the cycle in the text, independent of where detection happens.

use super::Bits;
use crate::syntax::Span;

/// The number of decisions passed over since the last ply, the saved position, and the first clause
/// in the text among those passed over since it was saved.
pub struct PassCycles<const W: usize> {
    count: u64,
    at: u16,
    sets: Vec<Bits<W>>,
    nums: Vec<i32>,
    first: Span,
}

impl<const W: usize> Default for PassCycles<W> {
    fn default() -> Self {
        PassCycles { count: 0, at: 0, sets: Vec::new(), nums: Vec::new(), first: Span::default() }
    }
}

impl<const W: usize> PassCycles<W> {
    /// Starts anew after a ply.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a decision without a legal move, given by its index, the position's registers and its
    /// clause. Returns the first clause of the cycle in the text if the position has recurred.
    pub fn cycle(
        &mut self,
        (at, sets, nums): (u16, &[Bits<W>], &[i32]),
        clause: Span,
    ) -> Option<Span> {
        if self.count > 0 && (at, sets, nums) == (self.at, &self.sets[..], &self.nums[..]) {
            return Some(self.first);
        }
        self.first = self.first.min(clause);
        self.count += 1;
        if self.count.is_power_of_two() {
            (self.at, self.first) = (at, clause);
            self.sets.clear();
            self.sets.extend_from_slice(sets);
            self.nums.clear();
            self.nums.extend_from_slice(nums);
        }
        None
    }
}
