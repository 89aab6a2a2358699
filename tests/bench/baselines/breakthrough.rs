//! Breakthrough on 8 by 8 squares.
//!
//! The board is stored from the mover's side and flipped after every ply, so that both players move
//! up.

use super::{Baseline, List, site, win};
use ludwright::engine::position::Outcome;

#[derive(Clone, Copy)]
pub struct Breakthrough {
    mine: u64,
    theirs: u64,
    mover: usize,
    outcome: Option<Outcome>,
}

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;
const FAR_ROW: u64 = 0xff << 56;

impl Breakthrough {
    /// Squares that pawns can reach by a step up and left, straight up, and up and right.
    #[inline(always)]
    fn targets(&self) -> [u64; 3] {
        if self.outcome.is_some() {
            return [0; 3];
        }
        let left = (self.mine & !FIRST_COLUMN) << 7 & !self.mine;
        let straight = self.mine << 8 & !(self.mine | self.theirs);
        let right = (self.mine & !LAST_COLUMN) << 9 & !self.mine;
        [left, straight, right]
    }
}

/// A ply is the destination plus `STEP` times the index of the step.
const STEP: u16 = 64;

impl Baseline for Breakthrough {
    type Past = ();

    fn start() -> Self {
        Breakthrough { mine: 0xffff, theirs: 0xffff << 48, mover: 0, outcome: None }
    }

    #[inline(always)]
    fn list(&self, plies: &mut List) {
        for (step, targets) in (0..).zip(self.targets()) {
            plies.push_bits(targets, step * STEP);
        }
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        self.targets().iter().map(|targets| u64::from(targets.count_ones())).sum()
    }

    #[inline(always)]
    fn play(&mut self, ply: u16, (): &mut ()) {
        let to = 1 << (ply % STEP);
        let from = to >> (7 + ply / STEP);
        let mine = self.mine ^ (from | to);
        let theirs = self.theirs & !to;
        if to & FAR_ROW != 0 || theirs == 0 {
            self.outcome = win(self.mover);
        }
        (self.mine, self.theirs) = (theirs.swap_bytes(), mine.swap_bytes());
        self.mover ^= 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn spell(&self, ply: u16) -> String {
        let label = |square: u32| {
            site(square % 8, if self.mover == 0 { square / 8 } else { 7 - square / 8 })
        };
        let to = u32::from(ply % STEP);
        format!("move {}-{}", label(to - 7 - u32::from(ply / STEP)), label(to))
    }
}
