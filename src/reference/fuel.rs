//! How much is looked at before it is taken for no end. It refuses to know what is looked at.

use std::cell::Cell;

/// What may still be looked at.
#[derive(Clone, Debug)]
pub struct FuelTracker(Cell<u64>);

/// A few seconds' worth.
const FUEL: u64 = 10_000_000;

impl FuelTracker {
    /// Makes one that has lost nothing yet.
    pub fn new() -> FuelTracker {
        FuelTracker(Cell::new(FUEL))
    }

    /// Takes note of something that is looked at, and of how many sites it is about.
    pub fn spend(&self, sites: usize) {
        self.0.set(self.0.get().saturating_sub(1 + sites as u64 / 16));
    }

    /// Ends it at once.
    pub fn run_dry(&self) {
        self.0.set(0);
    }

    /// Tests if it has come to an end.
    pub fn is_out_of_fuel(&self) -> bool {
        self.0.get() == 0
    }

    /// Begins anew.
    pub fn refill(&self) {
        self.0.set(FUEL);
    }
}
