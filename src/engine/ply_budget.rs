//! A budget of plies, charged by cost.

use super::state::State;
use crate::budget::Fuel;

/// Fuel charged as one ply of the budget; fractions are free.
const FUEL_PER_PLY: u64 = 1 << 12;

/// A budget in plies, for looking at some positions of a game. It is independent of the clock, so
/// that results are deterministic.
#[derive(Debug)]
pub struct PlyBudget {
    plies: Fuel,
    /// The fuel that the state had used at the last call.
    fuel_used: u64,
}

impl PlyBudget {
    pub fn of(plies: u64) -> PlyBudget {
        PlyBudget { plies: Fuel::new(plies), fuel_used: 0 }
    }

    /// Charges one ply, by the number of legal plies, the size of the board and the fuel used since
    /// the last call. Returns false if the budget is exhausted.
    pub fn spend(&mut self, state: &State, legal: usize) -> bool {
        let whole = state.fuel_used().saturating_sub(self.fuel_used) / FUEL_PER_PLY;
        self.fuel_used = state.fuel_used();
        let slots = state.game().rules().board.slots();
        self.plies.spend(1 + legal as u64 / 16 + slots as u64 / 64 + whole)
    }
}
