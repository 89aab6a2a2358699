//! Positions within a turn from which it cannot be completed.
//!
//! In: positions in which looking ahead has failed. Out: whether it has failed in one before. The
//! same plies in another order lead to the same position, so that a long turn has far fewer
//! positions than orders of its plies. Positions are kept whole, and none is taken for another.

use super::Bits;
use crate::random::mix;
use std::collections::HashMap;

/// What is kept at most, in words of eight bytes.
const MAX_WORDS: usize = 1 << 22;

/// The positions of one turn that lead nowhere, each with how many plies were left. What one turn
/// took is room for the next, so that nothing is allocated for long.
#[derive(Clone, Default)]
pub struct DeadEnds {
    /// One after the other; all are of the same length.
    words: Vec<u64>,
    /// By the hash of a position, the last one that has it; and for each, the one before with the
    /// same hash.
    last: HashMap<u64, usize>,
    before: Vec<Option<usize>>,
    /// The position that was asked about last.
    asked: Vec<u64>,
}

impl DeadEnds {
    /// Tests if looking so many plies ahead has failed at a position.
    pub fn holds<const W: usize>(&mut self, plies: i32, sets: &[Bits<W>], nums: &[i32]) -> bool {
        self.ask(plies, sets, nums);
        let length = self.asked.len();
        let same_hash = std::iter::successors(self.last.get(&self.hash()).copied(), |&index| {
            self.before[index]
        });
        let mut known = same_hash.map(|index| &self.words[index * length..][..length]);
        known.any(|known| known == self.asked)
    }

    /// Takes note of a position at which looking so many plies ahead has failed, if there is room.
    pub fn add<const W: usize>(&mut self, plies: i32, sets: &[Bits<W>], nums: &[i32]) {
        self.ask(plies, sets, nums);
        if self.words.len() < MAX_WORDS {
            let before = self.last.insert(self.hash(), self.before.len());
            self.before.push(before);
            self.words.extend_from_slice(&self.asked);
        }
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.words.clear();
        self.last.clear();
        self.before.clear();
    }

    fn hash(&self) -> u64 {
        self.asked.iter().fold(0, |hash, &word| mix(hash, word))
    }

    fn ask<const W: usize>(&mut self, plies: i32, sets: &[Bits<W>], nums: &[i32]) {
        self.asked.clear();
        self.asked.push(plies as u64);
        self.asked.extend(sets.iter().flat_map(|set| set.0));
        self.asked.extend(nums.iter().map(|&num| num as u64));
    }
}

#[cfg(test)]
mod tests {
    /// Ten steps of two pieces are made in more orders than there are rounds, between some thousand
    /// positions.
    #[test]
    fn a_long_turn_is_looked_through() {
        let text = r#"(game "Stroll" (players White Black) (board (square 5)) (piece Man)
            (setup (put Man a1 White) (put Man e5 White) (put Man a5 Black))
            (move step (from s (mine Man)) (to t (and (beside s all) (empty))) (relocate s t))
            (play (turns (steps 10 (choose step) (so-that (none (mine Man))))  (choose step))))"#;
        let game = crate::load(text, &[]).expect("rules");
        let position = game.begin().expect("an end of looking ahead");
        // Black steps: White's ten steps can never be completed, and are left out.
        assert_eq!(
            position.turn(),
            crate::engine::game::Turn::Player(crate::language::rules::PlayerId(0))
        );
        assert!(position.legal().iter().all(|ply| position.clone().play(ply).is_ok()));
    }
}
