//! Plies: from a decision to the next one.
//!
//! In: a machine. Out: the same machine at the next decision, or a finished game. A ply is tried in
//! place; where it turns out to be illegal the position is put back. Within `steps` a ply is legal
//! only if the turn can still be completed.
//!
//! - `lookahead`: whether a turn can be completed, with `dead_ends`. `pass_cycles`: order of play
//!   that goes round without a ply. `perft`: how many sequences of plies there are.
//! - `turn`: beginning at a turn.

mod dead_ends;
mod lookahead;
mod pass_cycles;
mod perft;
mod turn;

pub use perft::Unit;

use super::bits::Bits;
use super::frame::{Frame, MAX_PREFIX, MoveSet};
use super::hash::hash;
use super::history::History;
use super::machine::Machine;
use super::position::{Outcome, Position};
use super::task::Stop;
use crate::compile::program::{DecisionCode, ParameterSource};
use crate::deadline::Pace;
use crate::language::rules::PlayerId;
use crate::random::Random;
use crate::syntax::Span;
use dead_ends::DeadEnds;
use lookahead::LookaheadLevel;
use pass_cycles::PassCycles;
use std::ops::Range;

/// So many random plies pass at most before somebody is asked whether to stop.
const PLIES_BETWEEN_CLOCK_CHECKS: u32 = 256;

/// What a playout in machine code costs that makes no ply.
const EMPTY_PLAYOUT_FUEL: u32 = 1 << 16;

/// A machine with a game under way in it. Two threads' drivers share no line of the cache.
#[repr(align(128))]
pub struct Driver<const W: usize> {
    pub machine: Machine<W>,
    /// The decision that the game is at; meaningless once it is over.
    pub at: u16,
    pub outcome: Option<Outcome>,
    /// The text to blame when the rules went round without end; the game is then over as a draw.
    pub out_of_fuel: Option<Span>,
    /// The positions so far, the one at hand last; kept only where repetition counts.
    pub history: History,
    /// Where the offers of the decision at hand begin; those before it are of positions put aside.
    base: u32,
    /// Whether nobody minds if the decision at hand turns out to have no legal move, or how many
    /// further plies the legal ones must have; see [`Driver::play_random`].
    pub skips_legality_check: bool,
    /// Within `steps`: how many further plies the legal ones must be able to have after them, where
    /// that is known.
    target: Option<i32>,
    /// Positions put aside.
    saved_sets: Vec<Bits<W>>,
    saved_nums: Vec<i32>,
    saved: Vec<Saved>,
    /// Positions that were looked at in vain since the decision was come to.
    dead_ends: DeadEnds,
    /// The look ahead within `steps` that is under way.
    lookahead: Vec<LookaheadLevel<W>>,
    /// The decisions without a legal move that the order of play has come to since the last ply.
    passes: PassCycles<W>,
    /// How many random plies are made between two looks at the clock.
    pub pace: Pace,
}

#[derive(Clone, Copy)]
struct Saved {
    at: u16,
    outcome: Option<Outcome>,
    history: usize,
    target: Option<i32>,
}

/// One member of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedMove {
    pub specialization: u16,
    pub member: u16,
    pub prefix: [i16; MAX_PREFIX],
}

/// The candidates of some offers, one after the other.
struct PackedMoves<const W: usize> {
    /// The offers that are left, by their places.
    move_sets: Range<u32>,
    /// What is left of the one before them.
    last: MoveSet<W>,
}

impl<const W: usize> PackedMoves<W> {
    fn new(move_sets: Range<u32>) -> Self {
        PackedMoves { move_sets, last: MoveSet::EMPTY }
    }

    /// The next candidate, where the offers lie in that room.
    #[inline(always)]
    fn next(&mut self, room: &[MoveSet<W>]) -> Option<PackedMove> {
        loop {
            if let Some(member) = self.last.members.take() {
                let MoveSet { specialization, prefix, .. } = self.last;
                return Some(PackedMove { specialization, member: member as u16, prefix });
            }
            self.last = room[self.move_sets.next()? as usize];
        }
    }
}

impl<const W: usize> Driver<W> {
    /// Makes a driver at the empty board.
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
            saved_sets: Vec::new(),
            saved_nums: Vec::new(),
            saved: Vec::new(),
            dead_ends: DeadEnds::default(),
            lookahead: Vec::new(),
            passes: PassCycles::default(),
            pace: Pace::new(PLIES_BETWEEN_CLOCK_CHECKS),
        }
    }

    /// The decision that the game is at.
    pub fn decision(&self) -> &DecisionCode {
        &self.machine.program.decisions[usize::from(self.at)]
    }

    /// Sets the game up and goes to the first decision.
    pub fn begin(&mut self) {
        self.refill_fuel();
        self.machine.grant_move_fuel();
        let setup = self.machine.program.setup;
        let start = self.machine.program.start;
        let stop = self.machine.run(setup);
        if !self.ends(stop) {
            self.clear_move_sets();
            let stop = self.machine.flow(start);
            self.advance(stop, None);
            self.arrive();
        }
    }

    /// Takes note of a routine's end; gives whether the game is over.
    fn ends(&mut self, stop: Stop) -> bool {
        self.outcome = match stop {
            Stop::Win(player) => Some(Outcome::Win(PlayerId(u16::from(player)))),
            Stop::Draw => Some(Outcome::Draw),
            Stop::OutOfFuel(address) => {
                self.out_of_fuel = Some(self.machine.program.origin(address));
                Some(Outcome::Draw)
            }
            Stop::Return | Stop::Fail(_) | Stop::Decide(_) => return false,
        };
        true
    }

    /// Forgets the offers of the decision at hand.
    #[inline(always)]
    fn clear_move_sets(&mut self) {
        self.machine.frame.move_set_count = self.base;
        self.machine.frame.member_count = 0;
        self.machine.frame.all_legal = 0;
    }

    /// Whether every offer of the decision at hand is known to be legal, where the offers were the
    /// last ones made.
    #[inline(always)]
    fn is_certain(&self) -> bool {
        let decision = self.decision();
        decision.steps.is_none() && (decision.exact || self.machine.frame.all_legal > 0)
    }

    /// Takes note of where the order of play has come to, and goes on in it until a decision has a
    /// legal move, or the game is over. The offers are then the decision's. Within `steps` the
    /// target may be known from the ply before.
    #[inline(always)]
    fn advance(&mut self, mut stop: Stop, mut target: Option<i32>) {
        loop {
            self.dead_ends.clear();
            let Stop::Decide(decision) = stop else {
                if !self.ends(stop) {
                    // The order of play never returns; a program that does is over.
                    self.outcome = Some(Outcome::Draw);
                }
                self.clear_move_sets();
                return;
            };
            self.at = decision;
            self.target = target.take();
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

    /// Fills up the fuel: a ply has been made, or a position has been come to from outside.
    #[inline(always)]
    pub(super) fn refill_fuel(&mut self) {
        self.machine.refill_fuel();
        self.passes.clear();
    }

    /// Tests if the order of play has come to this very position and decision before, neither with
    /// a legal move, since the last ply. It then does so again and again, and the game is over as
    /// one without end.
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

    /// How many registers of sets and of numbers a position has.
    #[inline(always)]
    fn registers(&self) -> (usize, usize) {
        let program = &self.machine.program;
        (usize::from(program.layout.sets), usize::from(program.nums))
    }

    /// Whether one of the offers is legal, where somebody minds. Within `steps` the target is known
    /// after it then.
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

    /// Goes on from a decision without a legal move.
    pub fn pass_decision(&mut self) {
        if self.is_cycle() {
            return;
        }
        self.clear_move_sets();
        let stop = self.machine.otherwise(self.at);
        self.advance(stop, None);
    }

    /// The offers of the decision at hand, by their places.
    fn move_set_range(&self) -> Range<u32> {
        self.base..self.machine.frame.move_set_count
    }

    /// Tests whether something holds for a candidate of the offers.
    fn any_candidate(
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

    /// Puts the position aside, to be put back by [`Driver::restore`].
    pub fn save(&mut self) {
        let sets = usize::from(self.machine.program.layout.sets);
        let nums = usize::from(self.machine.program.nums);
        self.saved_sets.extend_from_slice(&self.machine.frame.sets[..sets]);
        self.saved_nums.extend_from_slice(&self.machine.frame.nums[..nums]);
        self.saved.push(Saved {
            at: self.at,
            outcome: self.outcome,
            history: self.history.hashes().len(),
            target: self.target,
        });
    }

    /// Puts back the position that was put aside last.
    pub fn restore(&mut self) {
        let sets = usize::from(self.machine.program.layout.sets);
        let nums = usize::from(self.machine.program.nums);
        if let Some(saved) = self.saved.pop() {
            let from = self.saved_sets.len() - sets;
            self.machine.frame.sets[..sets].copy_from_slice(&self.saved_sets[from..]);
            self.saved_sets.truncate(from);
            let from = self.saved_nums.len() - nums;
            self.machine.frame.nums[..nums].copy_from_slice(&self.saved_nums[from..]);
            self.saved_nums.truncate(from);
            self.at = saved.at;
            self.outcome = saved.outcome;
            self.target = saved.target;
            self.history.truncate(saved.history);
        }
    }

    /// Hands a candidate's arguments to the machine.
    #[inline(always)]
    fn pass_arguments(&mut self, candidate: PackedMove) {
        let frame = &mut *self.machine.frame;
        frame.arguments[0] = i32::from(candidate.member);
        for (argument, prefix) in frame.arguments[1..].iter_mut().zip(candidate.prefix) {
            *argument = i32::from(prefix);
        }
        frame.leaves = 0;
        self.machine.grant_move_fuel();
    }

    /// Makes a candidate's effects and looks whether they end the game. Gives false, with the
    /// position in disarray, where a requirement fails.
    fn make(&mut self, candidate: PackedMove) -> bool {
        self.pass_arguments(candidate);
        match self.machine.apply(candidate.specialization) {
            Stop::Return => {}
            Stop::Fail(_) => return false,
            stop => {
                self.ends(stop);
                return true;
            }
        }
        let stop = self.machine.end(self.at);
        self.ends(stop);
        true
    }

    /// Tests whether a candidate is legal; the position stays as it is.
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
        self.pass_arguments(candidate);
        let stop = match self.machine.attempt(candidate.specialization) {
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

    /// Makes a candidate's effects within `steps`, and tells whether the turn can be completed
    /// after it. Where it cannot, the position is in disarray.
    fn complete(&mut self, candidate: PackedMove) -> bool {
        let left = self.steps_left().unwrap_or(0);
        let target = self.target.unwrap_or(left - 1);
        if !self.make(candidate) {
            return false;
        }
        let leaves = self.machine.frame.leaves;
        let completes = if self.is_last() {
            target == left - 1 && self.ending_holds()
        } else {
            self.completes(target)
        };
        self.machine.frame.leaves = leaves;
        completes
    }

    /// Tests if a candidate can be one of this game: if its sites are on the board. Machine code
    /// relies on that.
    pub fn is_of_this_game(&self, candidate: PackedMove) -> bool {
        let PackedMove { specialization, member, prefix } = candidate;
        let slots = self.machine.tables.board.next[0].len();
        let Some(specialization) =
            self.machine.program.specializations.get(usize::from(specialization))
        else {
            return false;
        };
        let is_number = specialization
            .sources
            .iter()
            .any(|source| matches!(source, ParameterSource::MemberNumber(_)));
        let most = if is_number { 64 * W } else { slots };
        usize::from(member) < most && prefix.iter().all(|&site| site < 0 || (site as usize) < slots)
    }

    /// Plays a candidate and goes on to the next decision. Gives false, with the position as it
    /// was, where the candidate is illegal.
    #[inline(always)]
    pub fn play(&mut self, candidate: PackedMove) -> bool {
        let decision = self.at;
        if self.decision().steps.is_some() {
            let Some(target) = self.step(candidate) else { return false };
            self.clear_move_sets();
            if self.outcome.is_none() {
                let is_last = self.is_last();
                let stop = self.machine.go_on(decision);
                // No other ply of the turn can have more after it than the one that this one was to
                // have next.
                let next =
                    (target > 0 && !is_last && stop == Stop::Decide(decision)).then(|| target - 1);
                self.refill_fuel();
                self.advance(stop, next);
                self.count_occurrence(decision);
            }
            return true;
        }
        self.pass_arguments(candidate);
        let exact =
            self.machine.program.specializations[usize::from(candidate.specialization)].exact;
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
                self.count_occurrence(decision);
            }
            Stop::Fail(_) => return false,
            stop => {
                self.clear_move_sets();
                self.ends(stop);
            }
        }
        true
    }

    /// Makes a candidate's effects within `steps`, and gives how many further plies the turn can
    /// have; none, with the position as it was, where the candidate is illegal. The target is known
    /// then.
    fn step(&mut self, candidate: PackedMove) -> Option<i32> {
        let most = self.steps_left().unwrap_or(0) - 1;
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

    /// Plays so many random plies at most in one go, for as long as machine code knows how to.
    /// Gives how many.
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
            // A playout without a ply may have passed over many decisions.
            false => self.machine.consume_fuel(EMPTY_PLAYOUT_FUEL),
        }
        if let Stop::Decide(decision) = stop {
            self.at = decision;
            self.generate_or_pass();
            // Where a ply has just led there, that was not counted yet.
            if last_ply_decision >= 0 {
                self.count_occurrence(last_ply_decision as u16);
            }
        } else {
            self.at = at as u16;
            if !self.ends(stop) {
                self.outcome = Some(Outcome::Draw);
            }
        }
        most - left
    }

    /// Drops the position that was put aside last.
    fn discard(&mut self) {
        if self.saved.pop().is_some() {
            let sets = usize::from(self.machine.program.layout.sets);
            let nums = usize::from(self.machine.program.nums);
            self.saved_sets.truncate(self.saved_sets.len() - sets);
            self.saved_nums.truncate(self.saved_nums.len() - nums);
        }
    }

    /// Counts the position at hand, which a ply of that decision led to, as one that has arisen,
    /// and ends the game where it has too often.
    #[inline(always)]
    fn count_occurrence(&mut self, decision: u16) {
        if self.outcome.is_some() {
            return;
        }
        let program = &self.machine.program;
        let Some(rule) = &program.repetition else { return };
        let times = rule.times;
        let then = rule.then[program.decisions[usize::from(decision)].mover.index()];
        let hash = self.hash();
        if self.history.push(hash) >= times as usize {
            let stop = self.machine.run(then);
            if self.ends(stop) {
                self.clear_move_sets();
            }
        }
    }

    /// Counts the first position as one that has arisen.
    fn arrive(&mut self) {
        if self.outcome.is_none() && self.machine.program.repetition.is_some() {
            let hash = self.hash();
            self.history.push(hash);
        }
    }

    /// A hash of the position: what stands, what is remembered, which decision it is.
    pub fn hash(&self) -> u64 {
        let sets = usize::from(self.machine.program.layout.sets);
        let nums = usize::from(self.machine.program.nums);
        hash(
            &self.machine.frame.sets[..sets],
            self.machine.tables.board.sets_per_word,
            &self.machine.frame.nums[..nums],
            self.at,
        )
    }

    /// The position at hand.
    pub fn position(&self) -> Position {
        let sets = usize::from(self.machine.program.layout.sets);
        let nums = usize::from(self.machine.program.nums);
        Position {
            program: self.machine.program.fingerprint,
            words: self.machine.frame.sets[..sets].iter().flat_map(|set| set.0).collect(),
            numbers: self.machine.frame.nums[..nums].into(),
            at: self.at,
            outcome: self.outcome,
        }
    }

    /// Goes to a position of this game. Offers and history are those of the position before; see
    /// [`Driver::resume`].
    ///
    /// # Panics
    /// If the position is of another game: what its numbers mean there is no site here, perhaps.
    pub fn load(&mut self, position: &Position) {
        assert_eq!(
            position.program, self.machine.program.fingerprint,
            "the position is of another game"
        );
        for (set, words) in self.machine.frame.sets.iter_mut().zip(position.words.chunks_exact(W)) {
            set.0.copy_from_slice(words);
        }
        let nums = usize::from(self.machine.program.nums).min(position.numbers.len());
        // They are few, and often none.
        self.machine
            .frame
            .nums
            .iter_mut()
            .zip(&position.numbers[..nums])
            .for_each(|(number, &from)| *number = from);
        self.at = position.at;
        self.outcome = position.outcome;
        self.out_of_fuel = None;
        self.target = None;
        self.base = 0;
        self.clear_move_sets();
    }

    /// Makes the offers of the decision at hand, which has been come to from outside. Where none is
    /// legal, goes on to one where some is.
    pub fn resume(&mut self) {
        self.refill_fuel();
        self.generate_or_pass();
    }

    /// Makes the offers of the decision at hand. Where none is legal, goes on to one where some is.
    fn generate_or_pass(&mut self) {
        self.clear_move_sets();
        if self.outcome.is_some() {
            return;
        }
        self.machine.grant_move_fuel();
        let stop = match self.machine.generate_moves(self.at) {
            Stop::Return => Stop::Decide(self.at),
            stop => stop,
        };
        self.advance(stop, None);
    }

    /// The legal candidates of the decision at hand.
    pub fn legal(&mut self) -> Vec<PackedMove> {
        self.refill_fuel();
        let mut legal = Vec::new();
        self.any_candidate(self.move_set_range(), |driver, candidate| {
            if driver.is_legal(candidate) {
                legal.push(candidate);
            }
            // One move whose effects never end is enough to know.
            driver.out_of_fuel.is_some()
        });
        legal
    }

    /// Tests whether the watched condition with that number holds now. Whoever is to act is its
    /// mover; when the game is over, whoever was last.
    pub fn watched(&mut self, condition: usize) -> bool {
        let mover = self.decision().mover;
        self.refill_fuel();
        self.machine.grant_move_fuel();
        let stop = self.machine.run(self.machine.program.watched[condition][mover.index()]);
        if let Stop::OutOfFuel(address) = stop {
            self.out_of_fuel = Some(self.machine.program.origin(address));
        }
        stop == Stop::Return
    }
}
