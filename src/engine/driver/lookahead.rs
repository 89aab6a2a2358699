//! Decides within `steps` whether a turn can be completed, and by how many plies.
//!
//! Depth-first search with an explicit stack, so that long turns do not exhaust a thread's. Machine
//! code searches first, within a small amount of fuel. Once that much is used up, positions that
//! fail are memoized in `dead_ends`.
//!
//! Almost all searches end at once, but a few that would succeed first enter a subtree so large
//! that it would use up the fuel. A search that takes long is therefore restarted with its
//! candidates in random order, each time with twice the fuel (Carla Gomes, Bart Selman and Henry
//! Kautz, *Boosting Combinatorial Search Through Randomization*, AAAI 1998). The answer does not
//! depend on the order.

use super::{Driver, PackedMoves, Stop};
use crate::engine::PackedMove;
use crate::random::Random;

/// The depth limit of look-ahead in plies, far beyond the turns of real games.
const MAX_LOOKAHEAD: i32 = 1000;
/// The fuel of the first search; each later search has twice as much as the one before.
const FIRST_FUEL: u64 = 1 << 16;
/// The index of the last search, which may use all remaining fuel of the ply; the earlier ones
/// share a quarter of it.
const LAST_RESTART: u32 = 6;

/// A position of the search and its candidates that are still to be tried.
pub(super) struct LookaheadLevel<const W: usize> {
    /// How many plies are to be made from here.
    plies: i32,
    candidates: PackedMoves<W>,
    /// The length of `shuffled` before the candidates of this level, which it holds if they are
    /// tried in random order.
    shuffled: usize,
    /// `move_set_count` and `member_count` of the frame before this level's move sets.
    first: u32,
    member_count: u32,
    /// Whether the position is recorded as a dead end if all candidates fail.
    is_memoized: bool,
}

/// The outcome of entering a position.
enum LevelEntry {
    /// Whether the turn can be completed from there.
    Known(bool),
    /// A level was pushed: its candidates must be tried.
    LookaheadLevel,
}

impl<const W: usize> Driver<W> {
    /// Returns how many steps are left at the decision, including its own, if it is within `steps`.
    pub(super) fn steps_left(&self) -> Option<i32> {
        self.decision().steps.map(|steps| self.machine.frame.nums[usize::from(steps.left)])
    }

    /// Tests if look-ahead has shown that no ply of the decision, which is within `steps`,
    /// completes the turn.
    pub fn has_no_completion(&self) -> bool {
        self.decision().steps.is_some() && self.target.is_none()
    }

    /// Tests if the decision is within `steps` and its target is known.
    pub fn is_target_known(&self) -> bool {
        self.decision().steps.is_some() && self.target.is_some()
    }

    /// Returns the target: the greatest number of further plies that the turn can have after any
    /// candidate with the ending condition true at its end; `None` if no candidate completes the
    /// turn.
    pub(super) fn best_target(&mut self, left: i32) -> Option<i32> {
        let mut best = None;
        self.any_candidate(self.move_set_range(), |driver, candidate| {
            driver.save();
            if driver.make(candidate) {
                // Only an improvement on the best so far is of interest, hence the lower bound.
                best = best
                    .max(driver.max_further_plies(left - 1, best.map_or(0, |best: i32| best + 1)));
            }
            driver.restore();
            best == Some(left - 1)
        });
        best
    }

    /// Returns the greatest number of further plies, in `least..=most`, after which the ending
    /// condition can hold. The position is that after a ply within `steps`.
    fn max_further_plies(&mut self, most: i32, least: i32) -> Option<i32> {
        if self.out_of_fuel.is_some() {
            return Some(most);
        }
        if self.is_last() {
            return self.ending_holds().then_some(most);
        }
        let mut plies = most;
        while plies >= least {
            self.fewest_left = plies;
            if self.completes(plies) {
                return Some(plies);
            }
            // No sequence has more plies than the longest one searched, so that any number above
            // has the same answer.
            plies -= self.fewest_left.max(1);
        }
        None
    }

    /// Tests if the ply just made ends the game or the turn, and thereby completes the `steps`.
    pub(super) fn is_last(&self) -> bool {
        let decision = self.decision();
        self.outcome.is_some() || self.machine.frame.leaves != 0 && decision.leave != decision.next
    }

    /// Tests if the ending condition holds now.
    pub(super) fn ending_holds(&mut self) -> bool {
        self.decision().steps.is_none() || self.machine.ending(self.at) == Stop::Return
    }

    /// Tests if exactly `plies` further plies can be made such that the ending condition holds
    /// after the last. A ply that ends the game or the turn counts as all remaining ones.
    pub(super) fn completes(&mut self, plies: i32) -> bool {
        for number in 0..LAST_RESTART {
            if let Some(completes) = self.search(plies, number) {
                return completes;
            }
        }
        self.search(plies, LAST_RESTART) == Some(true)
    }

    /// Searches as [`completes`](Self::completes) does; `None` if the fuel of the search with this
    /// number did not suffice.
    fn search(&mut self, plies: i32, number: u32) -> Option<bool> {
        let most = (number < LAST_RESTART).then_some(FIRST_FUEL << number);
        let until = most.map(|most| self.machine.fuel_used() + most);
        let mut order = (number > 0).then(|| Random::new(u64::from(number)));
        let lowest = self.lookahead.len();
        match self.enter(plies, &mut order) {
            LevelEntry::Known(completes) => return Some(completes),
            LevelEntry::LookaheadLevel => {}
        }
        loop {
            let completes = match self.next_candidate() {
                Some((candidate, plies)) => {
                    self.save();
                    if !self.make(candidate) {
                        false
                    } else if self.is_last() {
                        self.ending_holds()
                    } else {
                        match self.enter(plies - 1, &mut order) {
                            LevelEntry::Known(completes) => completes,
                            LevelEntry::LookaheadLevel => continue,
                        }
                    }
                }
                None => {
                    self.leave_level();
                    if self.lookahead.len() == lowest {
                        return Some(false);
                    }
                    // The candidate that led to this level fails.
                    false
                }
            };
            self.restore();
            let is_over = until.is_some_and(|until| self.machine.fuel_used() >= until);
            if completes || is_over {
                // Unwind the levels of this search, restoring the position that each was entered
                // from.
                while self.lookahead.len() > lowest {
                    self.drop_level();
                    if self.lookahead.len() > lowest {
                        self.restore();
                    }
                }
                return completes.then_some(true);
            }
        }
    }

    /// Returns the next candidate of the last level, and how many plies are to be made with it.
    fn next_candidate(&mut self) -> Option<(PackedMove, i32)> {
        let level = self.lookahead.last_mut()?;
        let candidate = match self.shuffled.len() > level.shuffled {
            true => self.shuffled.pop(),
            false => level.candidates.next(&self.machine.move_sets),
        };
        Some((candidate?, level.plies))
    }

    /// Enters a position from which `plies` plies are to be made. If the answer is not immediate,
    /// generates its move sets and pushes a level; with `order`, its candidates are shuffled.
    fn enter(&mut self, plies: i32, order: &mut Option<Random>) -> LevelEntry {
        self.fewest_left = self.fewest_left.min(plies);
        self.machine.count_entry();
        if plies <= 0 {
            return LevelEntry::Known(self.ending_holds());
        }
        if (self.machine.is_out_of_fuel() || plies > MAX_LOOKAHEAD) && self.out_of_fuel.is_none() {
            self.out_of_fuel = Some(self.decision().span);
        }
        if self.out_of_fuel.is_some() {
            // Out of fuel, every result is discarded. `true` unwinds the search at once.
            return LevelEntry::Known(true);
        }
        if !self.machine.is_past_memo_threshold()
            && let Some((completes, fewest_left)) = self.machine.look_ahead(self.at, plies)
        {
            self.fewest_left = self.fewest_left.min(fewest_left);
            return LevelEntry::Known(completes);
        }
        let is_memoized = plies > 1 && self.machine.is_past_memo_threshold();
        if is_memoized && self.is_dead_end(plies) {
            // How far the search from there went is not remembered.
            self.fewest_left = 0;
            return LevelEntry::Known(false);
        }
        let (first, member_count) =
            (self.machine.frame.move_set_count, self.machine.frame.member_count);
        if let Stop::OutOfFuel(address) = self.machine.generate_moves(self.at) {
            self.out_of_fuel = Some(self.machine.program.origin(address));
        }
        let mut candidates = PackedMoves::new(first..self.machine.frame.move_set_count);
        let shuffled = self.shuffled.len();
        if let Some(random) = order {
            while let Some(candidate) = candidates.next(&self.machine.move_sets) {
                self.shuffled.push(candidate);
            }
            random.shuffle(&mut self.shuffled[shuffled..]);
        }
        self.lookahead.push(LookaheadLevel {
            plies,
            candidates,
            shuffled,
            first,
            member_count,
            is_memoized,
        });
        LevelEntry::LookaheadLevel
    }

    /// Pops a level and its move sets.
    fn drop_level(&mut self) -> Option<LookaheadLevel<W>> {
        let level = self.lookahead.pop()?;
        self.shuffled.truncate(level.shuffled);
        self.machine.frame.move_set_count = level.first;
        self.machine.frame.member_count = level.member_count;
        Some(level)
    }

    /// Pops a level whose candidates have all failed, and memoizes its position.
    fn leave_level(&mut self) {
        if let Some(LookaheadLevel { plies, is_memoized: true, .. }) = self.drop_level() {
            let (sets, nums) = self.registers();
            self.dead_ends.add(
                plies,
                &self.machine.frame.sets[..sets],
                &self.machine.frame.nums[..nums],
            );
        }
    }

    /// Tests if `plies` further plies are known to fail from this position.
    fn is_dead_end(&mut self, plies: i32) -> bool {
        let (sets, nums) = self.registers();
        self.machine.consume_fuel(self.dead_ends.query_fuel(sets * W + nums));
        self.dead_ends.holds(
            plies,
            &self.machine.frame.sets[..sets],
            &self.machine.frame.nums[..nums],
        )
    }
}
