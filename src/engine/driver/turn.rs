//! Beginning in the midst of the order of play, at the first statement of a turn or a phase.

use super::{Driver, Stop};
use crate::compile::program::Address;

impl<const W: usize> Driver<W> {
    /// Does the statements from there on, as far as a decision with a legal move. `rolled` says
    /// that rolls on the way have been made: what they led to is in the position.
    pub fn begin_turn(&mut self, address: Address, rolled: bool) {
        self.clear_move_sets();
        self.refill_fuel();
        self.machine.grant_move_fuel();
        let mut stop = self.machine.flow(address);
        // A loop may go on rolling as long as the position is what it is; each roll is passed once.
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
