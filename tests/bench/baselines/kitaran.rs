//! Kitaran as bit boards, up to 7 by 7.
//!
//! Every row has one bit more than the board has columns; it stays empty, so that shifts need no
//! masks.

use super::{Baseline, CAP, List, site, win};
use ludwright::engine::position::Outcome;

#[derive(Clone, Copy)]
pub struct Kitaran<const SIZE: usize> {
    /// Stones of the player to move, and of the opponent.
    mine: u64,
    theirs: u64,
    /// Stones that the last turn placed or converted.
    fresh: u64,
    mover: usize,
    /// Index of the position in the past, and of the one after the last placement; positions before
    /// it cannot recur.
    index: usize,
    since: usize,
    outcome: Option<Outcome>,
}

/// The mover's stones and the fresh ones of every position since the last placement. The occupied
/// sites are the same in all of them, so with the parity of the ply these identify the position.
pub struct Past(Box<[(u64, u64)]>);

impl Default for Past {
    fn default() -> Past {
        Past(vec![(0, 0); CAP as usize + 1].into())
    }
}

impl<const SIZE: usize> Kitaran<SIZE> {
    const ROW: usize = SIZE + 1;
    const ALL: u64 = {
        assert!(SIZE * Self::ROW <= 64);
        let mut all = 0;
        let mut row = 0;
        while row < SIZE {
            all |= ((1 << SIZE) - 1) << (row * Self::ROW);
            row += 1;
        }
        all
    };

    /// Orthogonal neighbours, possibly with bits outside the board.
    #[inline(always)]
    fn beside(bits: u64) -> u64 {
        bits << 1 | bits >> 1 | bits << Self::ROW | bits >> Self::ROW
    }

    /// Sites where the mover can place (empty ones) or convert (his own).
    #[inline(always)]
    fn legal(&self) -> u64 {
        if self.outcome.is_some() {
            return 0;
        }
        let converting = self.mine & Self::beside(self.theirs) & !Self::beside(self.fresh);
        Self::ALL & !(self.mine | self.theirs) | converting
    }

    /// Result of a full board.
    fn counted(&self) -> Option<Outcome> {
        let (mine, theirs) = (self.mine.count_ones(), self.theirs.count_ones());
        match mine.cmp(&theirs) {
            std::cmp::Ordering::Greater => win(self.mover),
            std::cmp::Ordering::Less => win(1 - self.mover),
            std::cmp::Ordering::Equal => Some(Outcome::Draw),
        }
    }

    /// Tests if the position has occurred twice before. It compares only positions since the last
    /// placement with the same player to move.
    fn is_third(&self, past: &Past) -> bool {
        let here = (self.mine, self.fresh);
        let before = past.0[self.since..self.index].iter().rev().skip(1).step_by(2);
        before.filter(|&&before| before == here).count() >= 2
    }
}

impl<const SIZE: usize> Baseline for Kitaran<SIZE> {
    type Past = Past;

    fn start() -> Self {
        Kitaran { mine: 0, theirs: 0, fresh: 0, mover: 0, index: 0, since: 0, outcome: None }
    }

    #[inline(always)]
    fn list(&self, plies: &mut List) {
        plies.push_bits(self.legal(), 0);
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        u64::from(self.legal().count_ones())
    }

    #[inline(always)]
    fn play(&mut self, ply: u16, past: &mut Past) {
        let bit = 1 << ply;
        let converts = self.mine & bit != 0;
        let taken = if converts { Self::beside(bit) & self.theirs } else { bit };
        (self.mine, self.theirs) = (self.theirs & !taken, self.mine | taken);
        self.fresh = taken;
        self.mover ^= 1;
        self.index += 1;
        past.0[self.index] = (self.mine, self.fresh);
        if converts {
            if self.is_third(past) {
                self.outcome = Some(Outcome::Draw);
            }
        } else {
            self.since = self.index;
            if self.mine | self.theirs == Self::ALL {
                self.outcome = self.counted();
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn spell(&self, ply: u16) -> String {
        let verb = if self.mine >> ply & 1 == 0 { "place" } else { "convert" };
        let row = Self::ROW as u32;
        format!("{verb} {}", site(u32::from(ply) % row, u32::from(ply) / row))
    }
}
