//! Fuel: a budget of evaluation steps that turns endless rules into an error instead of a hang.

use std::cell::Cell;

/// The remaining fuel; interior mutability lets evaluation take `&self`.
#[derive(Clone, Debug)]
pub struct FuelTracker(Cell<u64>);

/// Lasts a few seconds.
const FUEL: u64 = 10_000_000;

impl FuelTracker {
    /// Starts with the full amount.
    pub fn new() -> FuelTracker {
        FuelTracker(Cell::new(FUEL))
    }

    /// Spends fuel on one expression or statement over this many sites.
    pub fn spend(&self, sites: usize) {
        self.0.set(self.0.get().saturating_sub(1 + sites as u64 / 16));
    }

    /// Uses up all fuel.
    pub fn run_dry(&self) {
        self.0.set(0);
    }

    /// Tests if the fuel is exhausted.
    pub fn is_out_of_fuel(&self) -> bool {
        self.0.get() == 0
    }

    /// Restores the full amount.
    pub fn refill(&self) {
        self.0.set(FUEL);
    }
}
