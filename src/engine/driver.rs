//! Plays plies: takes a machine from one decision to the next, or to the end of the game.
//!
//! A ply is tried in place; if it turns out to be illegal, the position is restored. Within `steps`
//! a ply is legal only if the turn can still be completed with the greatest number of plies.
//!
//! - `recurrence`: rules about the past. `lookahead`: tests if a turn can be completed; `dead_ends`
//!   memoizes failures. `pass_cycles`: detects an order of play that cycles without a ply. `perft`:
//!   counts sequences of plies.
//! - `turn`: starts at a turn or phase. `packed_move`: moves in compact form. `saved`: saves,
//!   restores and loads positions. `facts`: asserts what compiled code takes for granted.

mod dead_ends;
mod facts;
mod lookahead;
mod packed_move;
pub mod pass_cycles;
mod perft;
mod recurrence;
mod saved;
mod turn;

pub use packed_move::PackedMove;
pub use perft::{Finished, Unit};

use super::bits::Bits;
use super::frame::Frame;
use super::fuel::TRIAL_FUEL;
use super::history::History;
use super::machine::Machine;
use super::position::{Outcome, PlayerSet};
use super::task::Stop;
use crate::budget::Pace;
use crate::compile::program::DecisionCode;
use crate::language::rules::{PlayerId, Teams};
use crate::random::Random;
use crate::syntax::Span;
use dead_ends::DeadEnds;
use lookahead::LookaheadLevel;
use packed_move::PackedMoves;
use pass_cycles::PassCycles;
use saved::SavedPosition;
use std::ops::Range;

/// At most this many random plies are made between two calls of a stop signal.
const PLIES_BETWEEN_CLOCK_CHECKS: u32 = 256;

/// Fuel charged for a machine-code playout that makes no ply.
const EMPTY_PLAYOUT_FUEL: u32 = 1 << 16;

/// A machine and the game in progress on it. Aligned so that two threads' drivers never share a
/// cache line.
#[repr(align(128))]
pub struct Driver<const W: usize> {
    pub machine: Machine<W>,
    /// The current decision; meaningless once the game is over.
    pub at: u16,
    pub outcome: Option<Outcome>,
    /// The clause to blame if the fuel is exhausted; the game then counts as a draw.
    pub out_of_fuel: Option<Span>,
    /// The hashes of the positions so far, the current one last; kept only if the rules count
    /// repetitions.
    pub history: History,
    /// The index of the first move set of the current decision; those below belong to saved
    /// positions.
    base: u32,
    /// Playouts only: skips the legality check on arrival at a decision, and detects "no legal
    /// move" when sampling fails. Within `steps` the target is then unknown on arrival, too; see
    /// `play_random`.
    pub skips_legality_check: bool,
    /// Within `steps`: how many further plies the turn must have after a ply for it to be legal, if
    /// known.
    target: Option<i32>,
    /// Look-ahead: the fewest plies that were left to be made at any point of the last search.
    fewest_left: i32,
    /// The stack of saved positions.
    saved_sets: Vec<Bits<W>>,
    saved_nums: Vec<i32>,
    saved: Vec<SavedPosition>,
    /// Positions of the current turn from which look-ahead has failed.
    dead_ends: DeadEnds,
    /// The stack of the look-ahead within `steps`.
    lookahead: Vec<LookaheadLevel<W>>,
    /// Candidates of the levels of the look-ahead that are tried in random order.
    shuffled: Vec<PackedMove>,
    /// Detects cycles among the decisions passed over since the last ply.
    passes: PassCycles<W>,
    /// Decides how many random plies are made between two clock readings.
    pub pace: Pace,
}

impl<const W: usize> Driver<W> {
    /// Makes a driver whose position is the empty board.
    pub fn new(machine: Machine<W>) -> Self {
        Driver {
            machine,
            at: 0,
            outcome: None,
            out_of_fuel: None,
            history: History::default(),
            base: 0,
            skips_legality_check: false,
            target: None,
            fewest_left: 0,
            saved_sets: Vec::new(),
            saved_nums: Vec::new(),
            saved: Vec::new(),
            dead_ends: DeadEnds::default(),
            lookahead: Vec::new(),
            shuffled: Vec::new(),
            passes: PassCycles::default(),
            pace: Pace::new(PLIES_BETWEEN_CLOCK_CHECKS),
        }
    }

    /// Returns the current decision.
    pub fn decision(&self) -> &DecisionCode {
        &self.machine.program.decisions[usize::from(self.at)]
    }

    /// Runs the setup and goes to the first decision.
    pub fn begin(&mut self) {
        self.refill_fuel();
        self.machine.grant_move_fuel(TRIAL_FUEL);
        let setup = self.machine.program.setup;
        let start = self.machine.program.start;
        let stop = self.machine.run(setup);
        if !self.record_outcome(stop) {
            self.clear_move_sets();
            let stop = self.machine.flow(start);
            let forbids = self.machine.program.forbids_repetition();
            if let (true, Stop::Decide(first)) = (forbids, stop) {
                self.at = first;
                self.enter_first();
            }
            self.advance(stop, None);
            if !forbids && self.outcome.is_none() {
                self.enter_first();
            }
        }
    }

    /// Records the result if a routine has ended the game, and returns whether it has.
    fn record_outcome(&mut self, stop: Stop) -> bool {
        self.outcome = match stop {
            Stop::Win(player) => Some(Outcome::Win(self.teams().leader(PlayerId(player.into())))),
            Stop::Lose(player) => Some(Outcome::Win(self.teams().rival(PlayerId(player.into())))),
            Stop::Draw => Some(Outcome::Draw),
            Stop::Share(among) => Some(Outcome::Shared(PlayerSet(among))),
            Stop::OutOfFuel(address) => {
                self.out_of_fuel = Some(self.machine.program.origin(address));
                Some(Outcome::Draw)
            }
            Stop::Return | Stop::Fail(_) | Stop::Decide(_) => return false,
        };
        true
    }

    fn teams(&self) -> Teams {
        self.machine.program.teams
    }

    /// Drops the move sets of the current decision.
    #[inline(always)]
    fn clear_move_sets(&mut self) {
        self.machine.frame.move_set_count = self.base;
        self.machine.frame.member_count = 0;
        self.machine.frame.all_legal = 0;
    }

    /// Tests if all members of the current move sets are known to be legal. Valid only while these
    /// move sets are the last ones generated, because generating others overwrites `all_legal`.
    #[inline(always)]
    fn is_certain(&self) -> bool {
        let decision = self.decision();
        decision.steps.is_none() && (decision.exact || self.machine.frame.all_legal > 0)
    }

    /// Follows the order of play from `stop` until a decision has a legal move or the game is over.
    /// The move sets then belong to that decision. Within `steps`, `target` is given if the ply
    /// before has determined it.
    #[inline(always)]
    fn advance(&mut self, mut stop: Stop, mut target: Option<i32>) {
        loop {
            self.dead_ends.clear();
            let Stop::Decide(decision) = stop else {
                if !self.record_outcome(stop) {
                    // The order of play has no `Return`. End the game if a program has one
                    // nevertheless.
                    self.outcome = Some(Outcome::Draw);
                }
                self.clear_move_sets();
                return;
            };
            if cfg!(debug_assertions) {
                self.assert_apart();
            }
            self.at = decision;
            self.target = target.take();
            // A target implies that there is a legal ply.
            if self.target.is_some() || self.has_legal_move() {
                return;
            }
            if self.is_cycle() {
                return;
            }
            self.clear_move_sets();
            stop = self.machine.otherwise(decision);
        }
    }

    /// Refills the fuel after a ply, or on arrival at a position set from outside.
    #[inline(always)]
    pub(super) fn refill_fuel(&mut self) {
        self.machine.refill_fuel();
        self.passes.clear();
    }

    /// Tests if the order of play has been at this decision with this position before, since the
    /// last ply and without a legal move. It would then cycle forever, so the game is ended as out
    /// of fuel.
    #[cold]
    fn is_cycle(&mut self) -> bool {
        let (sets, nums) = self.registers();
        let position =
            (self.at, &self.machine.frame.sets[..sets], &self.machine.frame.nums[..nums]);
        let span = self.machine.program.decisions[usize::from(self.at)].span;
        let cycle = self.passes.cycle(position, span);
        if let Some(first) = cycle {
            self.out_of_fuel = Some(first);
            self.outcome = Some(Outcome::Draw);
            self.clear_move_sets();
        }
        cycle.is_some()
    }

    /// Returns how many set and number registers hold the position.
    #[inline(always)]
    fn registers(&self) -> (usize, usize) {
        let program = &self.machine.program;
        (usize::from(program.layout.sets), usize::from(program.nums))
    }

    /// Tests if a member of the move sets is legal, or exists if legality is not checked. Within
    /// `steps` this determines the target.
    #[inline(always)]
    fn has_legal_move(&mut self) -> bool {
        if self.is_certain() || self.skips_legality_check {
            return self.machine.frame.member_count > 0;
        }
        match self.steps_left() {
            None => self.any_candidate(self.move_set_range(), |driver, candidate| {
                driver.is_legal(candidate)
            }),
            Some(left) => {
                self.target = self.best_target(left);
                self.target.is_some()
            }
        }
    }

    /// Passes over the current decision, which has no legal move.
    pub fn pass_decision(&mut self) {
        if self.is_cycle() {
            return;
        }
        self.clear_move_sets();
        let stop = self.machine.otherwise(self.at);
        self.advance(stop, None);
    }

    /// Returns the indices of the current decision's move sets.
    pub(super) fn move_set_range(&self) -> Range<u32> {
        self.base..self.machine.frame.move_set_count
    }

    /// Tests if any candidate in the range satisfies `test`.
    pub(super) fn any_candidate(
        &mut self,
        move_sets: Range<u32>,
        mut test: impl FnMut(&mut Self, PackedMove) -> bool,
    ) -> bool {
        let mut candidates = PackedMoves::new(move_sets);
        while let Some(candidate) = candidates.next(&self.machine.move_sets) {
            if test(self, candidate) {
                return true;
            }
        }
        false
    }

    /// Copies a candidate's arguments into the frame and grants fuel for trying it.
    #[inline(always)]
    fn pass_arguments(&mut self, candidate: PackedMove) {
        if cfg!(debug_assertions) {
            self.assert_facts(candidate);
        }
        let frame = &mut *self.machine.frame;
        frame.arguments[0] = i32::from(candidate.member);
        for (argument, prefix) in frame.arguments[1..].iter_mut().zip(candidate.prefix) {
            *argument = i32::from(prefix);
        }
        frame.leaves = 0;
        let trial = self.machine.tables.fuel.trial(candidate.specialization);
        self.machine.grant_move_fuel(trial);
    }

    /// Applies a candidate and evaluates the end of the game. Returns false if a requirement fails;
    /// the position is then undefined.
    fn make(&mut self, candidate: PackedMove) -> bool {
        self.pass_arguments(candidate);
        match self.machine.apply(candidate.specialization) {
            Stop::Return => {}
            Stop::Fail(_) => return false,
            stop => {
                self.record_outcome(stop);
                return true;
            }
        }
        let stop = self.machine.end(self.at);
        self.record_outcome(stop);
        true
    }

    /// Tests if a candidate is legal, leaving the position unchanged.
    pub fn is_legal(&mut self, candidate: PackedMove) -> bool {
        if self.is_certain() {
            return true;
        }
        if self.decision().steps.is_some() {
            self.save();
            let legal = self.complete(candidate);
            self.restore();
            return legal;
        }
        if self.machine.program.forbids_repetition() {
            return self.is_legal_by_history(candidate);
        }
        self.pass_arguments(candidate);
        let stop = match self.machine.test_requirements(candidate.specialization) {
            Some(stop) => stop,
            None => {
                self.save();
                let stop = self.machine.apply(candidate.specialization);
                self.restore();
                stop
            }
        };
        if let Stop::OutOfFuel(address) = stop {
            self.out_of_fuel = Some(self.machine.program.origin(address));
        }
        !matches!(stop, Stop::Fail(_))
    }

    /// Applies a candidate within `steps` and returns whether the turn can be completed after it.
    /// The position is undefined if it cannot.
    fn complete(&mut self, candidate: PackedMove) -> bool {
        let left = self.steps_left().unwrap_or(0);
        let target = self.target.unwrap_or(left - 1);
        if !self.make(candidate) {
            return false;
        }
        // Look-ahead overwrites `leaves`, which selects how play continues after this ply.
        let leaves = self.machine.frame.leaves;
        let completes = if self.is_last() {
            // A ply that ends the turn counts as all remaining plies.
            target == left - 1 && self.ending_holds()
        } else {
            self.completes(target)
        };
        self.machine.frame.leaves = leaves;
        completes
    }

    /// Plays a candidate and goes to the next decision. Returns false, with the position unchanged,
    /// if the candidate is illegal.
    #[inline(always)]
    pub fn play(&mut self, candidate: PackedMove) -> bool {
        let decision = self.at;
        if self.decision().steps.is_some() {
            let Some(target) = self.step(candidate) else { return false };
            self.clear_move_sets();
            if self.outcome.is_none() {
                let is_last = self.is_last();
                let stop = self.machine.go_on(decision);
                // The target is the maximum over all plies, and this ply has reached it: the next
                // decision's maximum is one less, without another look-ahead.
                let next =
                    (target > 0 && !is_last && stop == Stop::Decide(decision)).then(|| target - 1);
                self.refill_fuel();
                self.advance(stop, next);
                self.count_occurrence(decision, Some(candidate));
            }
            return true;
        }
        if self.machine.program.forbids_repetition() {
            return self.play_by_history(candidate);
        }
        self.pass_arguments(candidate);
        let specialization =
            &self.machine.program.specializations[usize::from(candidate.specialization)];
        let (exact, is_proposal) = (specialization.exact, specialization.is_proposal);
        let must_be_legal = cfg!(debug_assertions) && (exact || !is_proposal && self.is_certain());
        // Exact moves never fail, and machine code leaves the position unchanged when it fails.
        let stop = if exact || self.machine.is_native() {
            self.machine.apply(candidate.specialization)
        } else {
            self.save();
            let stop = self.machine.apply(candidate.specialization);
            if let Stop::Fail(_) = stop {
                self.restore()
            } else {
                self.discard()
            }
            stop
        };
        match stop {
            Stop::Return => {
                self.clear_move_sets();
                let stop = self.machine.end_and_go_on(decision);
                self.refill_fuel();
                self.advance(stop, None);
                self.count_occurrence(decision, Some(candidate));
            }
            Stop::Fail(_) => {
                debug_assert!(
                    !must_be_legal,
                    "an illegal move was taken to be legal: {candidate:?}"
                );
                return false;
            }
            stop => {
                self.clear_move_sets();
                self.record_outcome(stop);
            }
        }
        true
    }

    /// Applies a candidate within `steps` and returns how many further plies the turn must have.
    /// Returns `None`, with the position unchanged, if the candidate is illegal; the target is then
    /// known, unless no candidate is legal.
    fn step(&mut self, candidate: PackedMove) -> Option<i32> {
        let most = self.steps_left().unwrap_or(0) - 1;
        // Without a target, completing the turn by all remaining steps is tried first: a candidate
        // that achieves this is legal, and the others need not be examined. Otherwise the target is
        // determined and, if it is lower, the candidate gets a second chance.
        loop {
            self.save();
            if self.complete(candidate) {
                self.discard();
                return Some(self.target.unwrap_or(most));
            }
            self.restore();
            if self.target.is_some() {
                return None;
            }
            self.target = self.best_target(most + 1);
            if self.target.is_none_or(|target| target == most) {
                return None;
            }
        }
    }

    /// Plays at most `most` random plies in one call of machine code. Returns the number of plies
    /// played; 0 if there is no machine code for playouts.
    #[inline(always)]
    pub fn run_playout(&mut self, random: &mut Random, most: u32) -> u32 {
        let frame = &mut *self.machine.frame;
        (frame.random, frame.left) = (random.state, most);
        let Some(stop) = self.machine.run_playout(self.at, &mut self.history) else { return 0 };
        let Frame { random: state, left, at, last_ply_decision, .. } = *self.machine.frame;
        random.state = state;
        self.clear_move_sets();
        match left < most {
            true => self.refill_fuel(),
            // A playout without a ply may have passed over many decisions, which must not be free.
            false => self.machine.consume_fuel(EMPTY_PLAYOUT_FUEL),
        }
        if let Stop::Decide(decision) = stop {
            self.at = decision;
            self.generate_or_pass();
            // The position that this ply has led to is not in the history yet.
            if last_ply_decision >= 0 {
                self.count_occurrence(last_ply_decision as u16, None);
            }
        } else {
            self.at = at as u16;
            if !self.record_outcome(stop) {
                self.outcome = Some(Outcome::Draw);
            }
        }
        most - left
    }

    /// Adds the current position, reached by a ply of `decision`, to the history, and applies the
    /// rule of repetition if it has occurred often enough. The ply is not given after machine code
    /// has made it, which it does only where whole positions are counted.
    #[inline(always)]
    fn count_occurrence(&mut self, decision: u16, ply: Option<PackedMove>) {
        if self.outcome.is_some() {
            return;
        }
        let program = &self.machine.program;
        let Some(rule) = &program.repetition else { return };
        if let (Some(_), Some(ply)) = (&rule.past, ply) {
            self.enter_past(decision, ply);
            if self.outcome.is_some() {
                self.clear_move_sets();
            }
            return;
        }
        let times = rule.times;
        let then = rule.then[program.decisions[usize::from(decision)].mover.index()];
        let hash = self.hash();
        if self.history.push(hash) >= times as usize {
            let stop = self.machine.run(then);
            if self.record_outcome(stop) {
                self.clear_move_sets();
            }
        }
    }

    /// Generates the move sets of the current decision after [`Driver::load`], and passes over
    /// decisions without a legal move.
    pub fn resume(&mut self) {
        self.refill_fuel();
        self.generate_or_pass();
    }

    /// Generates the move sets of the current decision, and passes over decisions without a legal
    /// move.
    fn generate_or_pass(&mut self) {
        self.clear_move_sets();
        if self.outcome.is_some() {
            return;
        }
        self.machine.grant_move_fuel(TRIAL_FUEL);
        let stop = match self.machine.generate_moves(self.at) {
            Stop::Return => Stop::Decide(self.at),
            stop => stop,
        };
        self.advance(stop, None);
    }

    /// Appends the legal candidates of the current decision.
    pub fn legal_into(&mut self, legal: &mut Vec<PackedMove>) {
        self.refill_fuel();
        self.any_candidate(self.move_set_range(), |driver, candidate| {
            if driver.is_legal(candidate) {
                legal.push(driver.listed(candidate));
            }
            // One move that exhausts the fuel makes the whole list meaningless.
            driver.out_of_fuel.is_some()
        });
    }

    /// Tests if the watched condition with that index holds. It is evaluated for the mover of the
    /// current decision, or of the last one if the game is over.
    pub fn watched(&mut self, condition: usize) -> bool {
        let mover = self.decision().mover;
        self.refill_fuel();
        self.machine.grant_move_fuel(TRIAL_FUEL);
        // Moves that a condition asks for are made and taken back, unless the fuel runs out.
        self.save();
        let stop = self.machine.run(self.machine.program.watched[condition][mover.index()]);
        self.restore();
        if let Stop::OutOfFuel(address) = stop {
            self.out_of_fuel = Some(self.machine.program.origin(address));
        }
        stop == Stop::Return
    }
}
