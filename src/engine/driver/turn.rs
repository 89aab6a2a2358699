//! Starts in the middle of the order of play, at the first statement of a turn or phase.

use super::{Driver, Stop};
use crate::compile::program::Address;
use crate::engine::fuel::TRIAL_FUEL;

impl<const W: usize> Driver<W> {
    /// Executes the order of play from `address` to the first decision with a legal move. With
    /// `rolled`, rolls on the way are skipped: the position already contains their results.
    pub fn begin_turn(&mut self, address: Address, rolled: bool) {
        self.clear_move_sets();
        self.refill_fuel();
        self.machine.grant_move_fuel(TRIAL_FUEL);
        let mut stop = self.machine.flow(address);
        // A loop that depends on the position alone could roll forever, so each roll is skipped at
        // most once.
        let mut rolls = self.machine.program.decisions.len();
        while let Stop::Decide(decision) = stop
            && rolled
            && rolls > 0
            && self.machine.program.decisions[usize::from(decision)].chance
        {
            rolls -= 1;
            self.clear_move_sets();
            stop = self.machine.go_on(decision);
        }
        self.advance(stop, None);
    }
}
