//! Looking ahead within `steps`: whether a turn can still be completed, and by how many plies.

use super::{Driver, Stop};

/// So many plies of `steps` are looked ahead. Each takes its share of the stack, and no turn of a game has as many.
const FARTHEST: i32 = 1000;

impl<const W: usize> Driver<W> {
    /// How many steps are left at the decision, this one included, where it is within `steps`.
    pub(super) fn steps_left(&self) -> Option<i32> {
        self.decision().steps.map(|steps| self.machine.frame.nums[usize::from(steps.left)])
    }

    /// Whether it has turned out that no ply of the decision, which is within `steps`, can complete the turn.
    pub fn is_hopeless(&self) -> bool {
        self.decision().steps.is_some() && self.target.is_none()
    }

    /// Whether the decision is within `steps`, and it is known how many further plies its legal plies can have.
    pub fn is_settled(&self) -> bool {
        self.decision().steps.is_some() && self.target.is_some()
    }

    /// The most further plies that can be made after some candidate such that the ending condition holds; `None` when it can never hold.
    pub(super) fn best_target(&mut self, left: i32) -> Option<i32> {
        let mut best = None;
        self.any_candidate(self.offers(), |driver, candidate| {
            driver.save();
            if driver.make(candidate) {
                best = best.max(driver.furthest(left - 1, best.map_or(0, |best: i32| best + 1)));
            }
            driver.restore();
            best == Some(left - 1)
        });
        best
    }

    /// The most further plies, at most `most` and at least `least`, after which the ending condition can hold, in a position after a ply within `steps`.
    fn furthest(&mut self, most: i32, least: i32) -> Option<i32> {
        if self.endless.is_some() {
            return Some(most);
        }
        if self.is_last() {
            return self.ending_holds().then_some(most);
        }
        (least..=most).rev().find(|&plies| self.completes(plies))
    }

    /// Whether the ply just made ends the game or the turn, so that it completes the number of `steps`.
    pub(super) fn is_last(&self) -> bool {
        let decision = self.decision();
        self.outcome.is_some() || self.machine.frame.leaves != 0 && decision.leave != decision.next
    }

    /// Whether the ending condition holds now.
    pub(super) fn ending_holds(&mut self) -> bool {
        self.decision().steps.is_none() || self.machine.ending(self.at) == Stop::Return
    }

    /// Whether so many further plies can be made such that the ending condition holds after the last. A ply that ends the game or the turn counts for all of the rest.
    pub(super) fn completes(&mut self, plies: i32) -> bool {
        if plies <= 0 {
            return self.ending_holds();
        }
        if (self.machine.is_spent() || plies > FARTHEST) && self.endless.is_none() {
            self.endless = Some(self.decision().span);
        }
        if self.endless.is_some() {
            // Whatever is found now is not looked at.
            return true;
        }
        if !self.machine.is_hard()
            && let Some(completes) = self.machine.foresee(self.at, plies)
        {
            return completes;
        }
        let hard = plies > 1 && self.machine.is_hard();
        if hard && self.is_dead_end(plies) {
            return false;
        }
        let first = self.machine.frame.offered;
        let total = self.machine.frame.total;
        if let Stop::Endless(address) = self.machine.offer(self.at) {
            self.endless = Some(self.machine.program.origin(address));
        }
        let last = self.machine.frame.offered;
        let found = self.any_candidate(first..last, |driver, candidate| {
            driver.save();
            let completes = driver.make(candidate) && if driver.is_last() { driver.ending_holds() } else { driver.completes(plies - 1) };
            driver.restore();
            completes
        });
        self.machine.frame.offered = first;
        self.machine.frame.total = total;
        if hard && !found {
            let (sets, nums) = (usize::from(self.machine.program.layout.sets), usize::from(self.machine.program.nums));
            self.dead_ends.add(plies, &self.machine.frame.sets[..sets], &self.machine.frame.nums[..nums]);
        }
        found
    }

    /// Whether looking so many plies ahead has failed at this position before.
    fn is_dead_end(&mut self, plies: i32) -> bool {
        let (sets, nums) = (usize::from(self.machine.program.layout.sets), usize::from(self.machine.program.nums));
        self.dead_ends.holds(plies, &self.machine.frame.sets[..sets], &self.machine.frame.nums[..nums])
    }
}
