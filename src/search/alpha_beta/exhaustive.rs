//! Search to the end of the game when the end is near: it asks only who wins, which takes far fewer
//! positions than computing a value.

use super::{MAX_DEPTH, PROVEN, RootPly, Search};
use crate::engine::game::{State, Turn};
use crate::random::{Random, mix};
use std::sync::atomic::Ordering::Relaxed;

/// The number of random games that estimate how near the end is.
const NEAR_END_GAMES: u32 = 16;
/// A search to the end is tried if the logarithm of the square root of the number of lines of play
/// is at most this.
const MAX_NEAR_END: f32 = 24.0;

/// Tests if so few plies are left that the game may be searched to its end: the longest of a few
/// random games from here must have few enough plies and choices.
pub(super) fn is_near_end(state: &State, seed: u64) -> bool {
    let mut random = Random::new(mix(seed, 1));
    let mut walk = state.clone();
    let start = state.mark();
    let mut plies = Vec::new();
    for _ in 0..NEAR_END_GAMES {
        walk.return_to(&start);
        let mut size = 0.0;
        for made in 0.. {
            let is_roll = match walk.turn() {
                Turn::Nobody => break,
                turn => turn == Turn::Chance,
            };
            walk.candidates_into(&mut plies);
            size += (plies.len() as f32).ln();
            let is_long = made > MAX_DEPTH || size > 2.0 * MAX_NEAR_END;
            if is_roll || is_long || plies.is_empty() {
                return false;
            }
            walk.advance(plies[random.below(plies.len() as u32) as usize]);
        }
    }
    true
}

impl Search<'_> {
    /// Searches to the end of the game, within a number of positions: first for a win, then for a
    /// ply that does not lose. Moves such a ply to the front and returns whether there is one.
    /// Losing plies are moved to the end.
    pub(super) fn solve(
        &mut self,
        state: &mut State,
        mover: usize,
        plies: &mut [RootPly],
        most: u64,
    ) -> bool {
        let end = self.until;
        self.until = end.min(self.positions + most);
        self.is_exhaustive = true;
        let mut found = None;
        for low in [PROVEN - 1, -PROVEN] {
            let mut index = 0;
            while index < plies.len() && found.is_none() && !self.stopped {
                let before = self.positions;
                let value =
                    self.child(state, plies[index].ply, mover, MAX_DEPTH, [low, low + 1], 1);
                plies[index].positions += self.positions - before;
                if !self.stopped && value > low {
                    found = Some((index, value));
                }
                if !self.stopped && value <= -PROVEN {
                    plies[index].value = value;
                }
                index += 1;
            }
        }
        self.is_exhaustive = false;
        self.until = end;
        self.stopped = self.positions >= end
            || self.limits.deadline.has_passed()
            || self.limits.is_stopped()
            || self.ended.load(Relaxed);
        if let Some((index, value)) = found {
            plies[..=index].rotate_right(1);
            plies[0].value = value;
        } else {
            plies.sort_by_key(|ply| ply.value <= -PROVEN);
        }
        found.is_some()
    }
}
