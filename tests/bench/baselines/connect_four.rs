//! Connect Four on 7 columns of 6.
//!
//! A column has seven bits, the highest of which stays empty (after John Tromp), so that shifts
//! need no masks and one addition finds the landing squares.

use super::{Baseline, List, site, win};
use ludwright::engine::position::Outcome;

#[derive(Clone, Copy)]
pub struct ConnectFour {
    /// Discs of the player to move, and all discs.
    mine: u64,
    all: u64,
    mover: usize,
    outcome: Option<Outcome>,
}

pub const COLUMN: u32 = 7;
pub const BOTTOM: u64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;
pub const BOARD: u64 = BOTTOM * 0b11_1111;

pub fn has_line(discs: u64) -> bool {
    [1, COLUMN, COLUMN + 1, COLUMN - 1].into_iter().any(|step| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

impl ConnectFour {
    #[inline(always)]
    fn landings(&self) -> u64 {
        if self.outcome.is_some() { 0 } else { (self.all + BOTTOM) & BOARD }
    }
}

impl Baseline for ConnectFour {
    type Past = ();

    fn start() -> Self {
        ConnectFour { mine: 0, all: 0, mover: 0, outcome: None }
    }

    #[inline(always)]
    fn list(&self, plies: &mut List) {
        plies.push_bits(self.landings(), 0);
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        u64::from(self.landings().count_ones())
    }

    #[inline(always)]
    fn play(&mut self, ply: u16, (): &mut ()) {
        let bit = 1 << ply;
        let mine = self.mine | bit;
        self.mine ^= self.all;
        self.all |= bit;
        if has_line(mine) {
            self.outcome = win(self.mover);
        } else if self.all == BOARD {
            self.outcome = Some(Outcome::Draw);
        }
        self.mover ^= 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn spell(&self, ply: u16) -> String {
        format!("drop {}", site(u32::from(ply) / COLUMN, u32::from(ply) % COLUMN))
    }
}
