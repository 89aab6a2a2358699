//! Order of play that goes round without a ply.
//!
//! Where no move is legal at a decision, the order of play goes on to the next one. Nothing but the
//! position decides what comes then: if it comes to the same decision with the same position again,
//! it never comes to an end. The cycle is found by Brent's algorithm (Richard Brent, "An improved
//! Monte Carlo factorization algorithm", 1980): every position is compared with one that was kept,
//! and those after 1, 2, 4, 8 … passes are kept. The clause that is blamed is the first one of the
//! cycle in the text, wherever in the cycle it was noticed.

use super::Bits;
use crate::syntax::Span;

/// How many decisions were passed over since the last ply, the position that was kept of them, and
/// the first of their clauses in the text from that one on.
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
    /// Forgets all of them: a ply has been made.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Takes note of a decision without a legal move, by its index, the registers of the position
    /// and its clause. Where the position is known to come again and again, gives the first clause
    /// of the cycle in the text.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many passes a cycle of that length is found that begins after so many others.
    fn found(before: i32, length: i32) -> i32 {
        let mut passes = PassCycles::<1>::default();
        let number =
            |pass: i32| if pass < before { pass } else { before + (pass - before) % length };
        (0..)
            .find(|&pass| passes.cycle((0, &[], &[number(pass)]), Span::default()).is_some())
            .expect("a cycle")
    }

    #[test]
    fn a_cycle_is_found_soon() {
        assert_eq!(found(0, 1), 1);
        for (before, length) in [(0, 2), (3, 1), (5, 7), (100, 1), (0, 1000)] {
            let found = found(before, length);
            assert!(
                (before + length..=4 * (before + length)).contains(&found),
                "{before}, {length}: {found}"
            );
        }
    }

    #[test]
    fn the_first_clause_of_the_cycle_is_blamed() {
        // Clause 0 leads to a cycle of clauses 3, 1 and 2, in whatever place of it the passes
        // begin.
        for begin in 0..4 {
            let mut passes = PassCycles::<1>::default();
            let order = [0, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2].into_iter().skip(begin);
            let clause = |start: usize| Span { start, end: start + 1 };
            let blamed =
                order.filter_map(|at| passes.cycle((at, &[], &[]), clause(usize::from(at)))).next();
            assert_eq!(blamed, Some(clause(1)), "{begin}");
        }
    }

    #[test]
    fn what_differs_in_the_decision_is_no_cycle() {
        let mut passes = PassCycles::<1>::default();
        assert!((0..100).all(|at| passes.cycle((at, &[], &[]), Span::default()).is_none()));
    }
}
