//! Looking ahead within `steps`: whether a turn can still be completed, and by how many plies.
//!
//! The search is depth-first. Its levels are kept on the heap, so that a turn may have as many
//! plies on every thread.

use super::{Driver, PackedMoves, Stop};

/// So many plies of `steps` are looked ahead. No turn of a game has as many.
const MAX_LOOKAHEAD: i32 = 1000;

/// A position of the look ahead, and which of its candidates are still to be tried.
pub(super) struct LookaheadLevel<const W: usize> {
    /// How many plies are to be made from here.
    plies: i32,
    candidates: PackedMoves<W>,
    /// How many offers there were before those of this level, and how many members those had
    /// together.
    first: u32,
    member_count: u32,
    /// Whether note is taken of the position where no candidate leads to an end.
    is_memoized: bool,
}

/// What is known of a position when it is come to.
enum LevelEntry {
    /// Whether the turn can be completed from there.
    Known(bool),
    /// Its candidates are to be tried.
    LookaheadLevel,
}

impl<const W: usize> Driver<W> {
    /// How many steps are left at the decision, this one included, where it is within `steps`.
    pub(super) fn steps_left(&self) -> Option<i32> {
        self.decision().steps.map(|steps| self.machine.frame.nums[usize::from(steps.left)])
    }

    /// Whether it has turned out that no ply of the decision, which is within `steps`, can complete
    /// the turn.
    pub fn has_no_completion(&self) -> bool {
        self.decision().steps.is_some() && self.target.is_none()
    }

    /// Whether the decision is within `steps`, and it is known how many further plies its legal
    /// plies can have.
    pub fn is_target_known(&self) -> bool {
        self.decision().steps.is_some() && self.target.is_some()
    }

    /// The most further plies that can be made after some candidate such that the ending condition
    /// holds; `None` when it can never hold.
    pub(super) fn best_target(&mut self, left: i32) -> Option<i32> {
        let mut best = None;
        self.any_candidate(self.move_set_range(), |driver, candidate| {
            driver.save();
            if driver.make(candidate) {
                best = best
                    .max(driver.max_further_plies(left - 1, best.map_or(0, |best: i32| best + 1)));
            }
            driver.restore();
            best == Some(left - 1)
        });
        best
    }

    /// The most further plies, at most `max_count` and at least `least`, after which the ending
    /// condition can hold, in a position after a ply within `steps`.
    fn max_further_plies(&mut self, most: i32, least: i32) -> Option<i32> {
        if self.out_of_fuel.is_some() {
            return Some(most);
        }
        if self.is_last() {
            return self.ending_holds().then_some(most);
        }
        (least..=most).rev().find(|&plies| self.completes(plies))
    }

    /// Whether the ply just made ends the game or the turn, so that it completes the number of
    /// `steps`.
    pub(super) fn is_last(&self) -> bool {
        let decision = self.decision();
        self.outcome.is_some() || self.machine.frame.leaves != 0 && decision.leave != decision.next
    }

    /// Whether the ending condition holds now.
    pub(super) fn ending_holds(&mut self) -> bool {
        self.decision().steps.is_none() || self.machine.ending(self.at) == Stop::Return
    }

    /// Whether so many further plies can be made such that the ending condition holds after the
    /// last. A ply that ends the game or the turn counts for all of the rest.
    pub(super) fn completes(&mut self, plies: i32) -> bool {
        let lowest = self.lookahead.len();
        match self.enter(plies) {
            LevelEntry::Known(completes) => return completes,
            LevelEntry::LookaheadLevel => {}
        }
        while let Some(level) = self.lookahead.last_mut() {
            let plies = level.plies;
            let completes = match level.candidates.next(&self.machine.move_sets) {
                Some(candidate) => {
                    self.save();
                    if !self.make(candidate) {
                        false
                    } else if self.is_last() {
                        self.ending_holds()
                    } else {
                        match self.enter(plies - 1) {
                            LevelEntry::Known(completes) => completes,
                            LevelEntry::LookaheadLevel => continue,
                        }
                    }
                }
                None => {
                    self.leave_level();
                    if self.lookahead.len() == lowest {
                        return false;
                    }
                    // The candidate that led there leads nowhere.
                    false
                }
            };
            self.restore();
            if completes {
                while self.lookahead.len() > lowest {
                    self.drop_level();
                    if self.lookahead.len() > lowest {
                        self.restore();
                    }
                }
                return true;
            }
        }
        false
    }

    /// Comes to a position from which so many plies are to be made. Where that is not enough to
    /// know whether they can be, its offers are made as the next level's.
    fn enter(&mut self, plies: i32) -> LevelEntry {
        if plies <= 0 {
            return LevelEntry::Known(self.ending_holds());
        }
        if (self.machine.is_out_of_fuel() || plies > MAX_LOOKAHEAD) && self.out_of_fuel.is_none() {
            self.out_of_fuel = Some(self.decision().span);
        }
        if self.out_of_fuel.is_some() {
            // Whatever is found now is not looked at.
            return LevelEntry::Known(true);
        }
        if !self.machine.is_past_memo_threshold()
            && let Some(completes) = self.machine.look_ahead(self.at, plies)
        {
            return LevelEntry::Known(completes);
        }
        let is_memoized = plies > 1 && self.machine.is_past_memo_threshold();
        if is_memoized && self.is_dead_end(plies) {
            return LevelEntry::Known(false);
        }
        let (first, member_count) =
            (self.machine.frame.move_set_count, self.machine.frame.member_count);
        if let Stop::OutOfFuel(address) = self.machine.generate_moves(self.at) {
            self.out_of_fuel = Some(self.machine.program.origin(address));
        }
        let candidates = PackedMoves::new(first..self.machine.frame.move_set_count);
        self.lookahead.push(LookaheadLevel { plies, candidates, first, member_count, is_memoized });
        LevelEntry::LookaheadLevel
    }

    /// Takes back the offers of the level that was come to last.
    fn drop_level(&mut self) -> Option<LookaheadLevel<W>> {
        let level = self.lookahead.pop()?;
        self.machine.frame.move_set_count = level.first;
        self.machine.frame.member_count = level.member_count;
        Some(level)
    }

    /// No candidate of the level that was come to last leads to an end.
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

    /// Whether looking so many plies ahead has failed at this position before.
    fn is_dead_end(&mut self, plies: i32) -> bool {
        let (sets, nums) = self.registers();
        self.dead_ends.holds(
            plies,
            &self.machine.frame.sets[..sets],
            &self.machine.frame.nums[..nums],
        )
    }
}

#[cfg(test)]
mod tests {
    /// A turn of as many plies as are looked ahead, and a sequence of as many as are counted, take
    /// no more stack than short ones.
    #[test]
    fn long_turns_are_looked_through_on_a_small_stack() {
        let text = r#"(game "Long" (players White Black) (board (rectangle 2 1)) (piece Stone) (setup (put Stone a1 White))
            (move go (from s (pieces)) (to t (and (beside s) (empty))) (relocate s t))
            (play (turns (steps 1000 (choose go)))))"#;
        let look = move || {
            let game = crate::load(text, &[]).expect("rules");
            let position = game.begin().expect("a first position");
            (position.legal().len(), game.perft(&position, 1200))
        };
        let thread = std::thread::Builder::new().stack_size(1 << 18).spawn(look).expect("a thread");
        assert_eq!(thread.join().expect("an end"), (1, Ok(1)));
    }

    /// A turn that can never be completed, for either player, leaves the order of play going round.
    #[test]
    fn turns_that_cannot_be_completed_are_told_of() {
        let text = r#"(game "Never" (players White Black) (board (square 4)) (piece Stone)
            (setup (put Stone (row 1) White) (put Stone (row 4) Black))
            (move go (from s (mine)) (to t (and (beside s all) (empty))) (relocate s t))
            (play (turns (steps 1 (choose go) (so-that (none (mine)))))))"#;
        let error = crate::load(text, &[]).err().expect("rules without a first position");
        let column =
            text.lines().nth(3).and_then(|line| line.find("(steps 1")).expect("it is there") + 1;
        assert_eq!((error.line(), error.column()), (Some(4), Some(column)), "{error}");
    }
}
