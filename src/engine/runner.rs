//! Erases the width of a driver behind the trait [`Runner`], and plays random games.
//!
//! Random plies are chosen by rejection sampling: a member of the move sets, or of the cheaper
//! proposals, is sampled uniformly and, if it is illegal, removed and another one sampled. Accepted
//! plies are thus uniform among the legal ones.

use super::bits::Bits;
use super::driver::{Driver, Finished, PackedMove, Unit};
use super::frame::{Frame, MoveSet};
use super::fuel::TRIAL_FUEL;
use super::machine::{MAX_REJECTIONS, Machine};
use super::position::{Outcome, Position};
use super::tables::Tables;
use super::task::CodeQuality;
use crate::board::Board;
use crate::compile::program::{Address, Program};
use crate::language::rules::Teams;
use crate::random::Random;
use crate::syntax::Span;
use std::sync::Arc;

/// The width of sets on the largest boards.
pub const MAX_WORDS: usize = 32;

/// The result of a random playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    pub plies: u32,
    /// `None` if the playout was stopped or reached its cap.
    pub outcome: Option<Outcome>,
    /// Whether the two persons have exchanged their colours at its end.
    pub swapped: bool,
    pub teams: Teams,
}

impl Playout {
    /// Returns the outcome by person; see [`Outcome::by_person`].
    pub fn personal_outcome(self) -> Option<Outcome> {
        self.outcome.map(|over| over.by_person(self.swapped))
    }

    /// Returns the outcome by team; see [`Outcome::by_team`].
    pub fn team_outcome(self) -> Option<Outcome> {
        Some(self.personal_outcome()?.by_team(self.teams))
    }
}

/// A callback that returns true to stop a playout, called every few milliseconds.
pub type StopSignal<'s> = Option<&'s mut dyn FnMut() -> bool>;

/// The operations of a driver, independent of its width.
pub trait Runner: Send + Sync {
    /// Runs the setup and goes to the first decision.
    fn begin(&mut self);
    /// Sets the position and the history of hashes, its own last.
    fn load(&mut self, position: &Position, history: &[u64]);
    /// Sets the position, and follows the order of play from `address` to the next decision; see
    /// [`Driver::begin_turn`].
    fn begin_turn(&mut self, position: &Position, address: Address, rolled: bool);
    fn position(&self) -> Position;
    /// Copies the position into another of the same game.
    fn read(&self, position: &mut Position);
    fn history(&self) -> &[u64];
    /// Returns the history if play begins at the current position.
    fn first_entry(&self) -> Option<u64>;
    fn hash(&self) -> u64;
    fn outcome(&self) -> Option<Outcome>;
    /// Tests if the two persons have exchanged their colours, by the pie rule.
    fn is_swapped(&self) -> bool;
    /// The clause to blame if the fuel is exhausted.
    fn out_of_fuel(&self) -> Option<Span>;
    fn at(&self) -> usize;
    fn legal(&mut self) -> Vec<PackedMove> {
        let mut legal = Vec::new();
        self.legal_into(&mut legal);
        legal
    }
    /// Lists the legal candidates in a buffer, which is emptied first.
    fn legal_into(&mut self, legal: &mut Vec<PackedMove>);
    /// Tests if a move is one of the candidates, legal or not.
    fn is_candidate(&mut self, packed: PackedMove) -> bool;
    /// Tests if the legal moves can certainly be listed without running out of fuel.
    fn can_list(&self) -> bool;
    /// Plays a candidate; returns false, with the position unchanged, if it is illegal.
    fn play(&mut self, candidate: PackedMove) -> bool;
    /// Sets the position and the history, and plays a candidate that is legal there.
    fn play_from(&mut self, position: &Position, history: &[u64], candidate: PackedMove) -> bool;
    /// Tests if the watched condition with that index holds.
    fn watched(&mut self, condition: usize) -> bool;
    /// Sets the position, executes the statements that are compiled to observe it, and copies the
    /// position back.
    fn observe(&mut self, position: &mut Position);
    /// Pushes the position, without its move sets, on a stack.
    fn save(&mut self);
    /// Pops the position that was saved last.
    fn restore(&mut self);
    /// Returns the number of members of the move sets: an upper bound on the number of legal moves.
    fn move_count_bound(&self) -> u32;
    /// Counts the sequences of exactly `depth` plies or turns.
    fn perft(&mut self, depth: u32, unit: Unit, finished: Finished) -> u64;
    /// Plays at most `cap` uniformly random plies, until the game ends or `stop` returns true.
    fn playout(&mut self, random: &mut Random, cap: u32, stop: StopSignal) -> Playout;
    /// Sets the position and the history, and plays on from there. Fails with the clause to blame
    /// if the fuel is exhausted.
    fn playout_from(
        &mut self,
        position: &Position,
        history: &[u64],
        random: &mut Random,
        cap: u32,
        stop: StopSignal,
    ) -> Result<Playout, Span>;
    /// Returns the fuel used so far: the same everywhere as long as the program is interpreted.
    fn fuel_used(&self) -> u64;
    /// Returns the number of instructions that were interpreted so far.
    fn interpreted(&self) -> u64;
    /// Returns the number of words of a set.
    fn width(&self) -> usize;
    /// Compiles machine code for all runners made from now on, which wait for it.
    fn jit_compile(&self);
    /// Starts compiling machine code on a background thread, for all runners of the game.
    fn jit_compile_in_background(&self);
    /// Sets when runners made from now on switch to machine code; see
    /// [`Machine::set_jit_threshold`].
    fn set_jit_threshold(&self, plies: u32);
    /// Sets the quality of machine code that is not compiled yet.
    fn set_code_quality(&self, quality: CodeQuality);
    /// Makes a runner for the same game, before its setup.
    fn another(&self) -> Box<dyn Runner>;
    /// Makes a runner for the same game at the same position.
    fn boxed_clone(&self) -> Box<dyn Runner>;
}

/// Makes a runner of the least width that fits the board; `None` if the board is too large.
pub fn runner(board: &Board, program: &Arc<Program>) -> Option<Box<dyn Runner>> {
    fn make<const W: usize>(board: &Board, program: &Arc<Program>) -> Box<dyn Runner> {
        let tables = Arc::new(Tables::<W>::new(board, program));
        Box::new(Driver::new(Machine::new(Arc::clone(program), tables)))
    }
    Some(match board.slots() {
        0..=64 => make::<1>(board, program),
        65..=128 => make::<2>(board, program),
        129..=192 => make::<3>(board, program),
        193..=256 => make::<4>(board, program),
        257..=384 => make::<6>(board, program),
        385..=512 => make::<8>(board, program),
        513..=1024 => make::<16>(board, program),
        1025..=2048 => make::<MAX_WORDS>(board, program),
        _ => return None,
    })
}

impl<const W: usize> Runner for Driver<W> {
    fn begin(&mut self) {
        Driver::begin(self);
    }

    fn load(&mut self, position: &Position, history: &[u64]) {
        Driver::load(self, position);
        self.history.replace(history);
        self.resume();
    }

    fn begin_turn(&mut self, position: &Position, address: Address, rolled: bool) {
        Driver::load(self, position);
        self.history.replace(&[]);
        Driver::begin_turn(self, address, rolled);
    }

    fn position(&self) -> Position {
        Driver::position(self)
    }

    fn read(&self, position: &mut Position) {
        let sets = self.machine.frame.sets[..usize::from(self.machine.program.layout.sets)].iter();
        position
            .words
            .chunks_exact_mut(W)
            .zip(sets)
            .for_each(|(words, set)| words.copy_from_slice(&set.0));
        let nums = position.numbers.len();
        position.numbers.copy_from_slice(&self.machine.frame.nums[..nums]);
        position.at = self.at;
        position.outcome = self.outcome;
    }

    fn history(&self) -> &[u64] {
        self.history.hashes()
    }

    fn first_entry(&self) -> Option<u64> {
        Driver::first_entry(self)
    }

    fn hash(&self) -> u64 {
        Driver::hash(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    #[inline]
    fn is_swapped(&self) -> bool {
        let register = self.machine.program.swapped;
        register.is_some_and(|register| self.machine.frame.nums[usize::from(register)] != 0)
    }

    fn out_of_fuel(&self) -> Option<Span> {
        self.out_of_fuel
    }

    fn at(&self) -> usize {
        usize::from(self.at)
    }

    fn legal_into(&mut self, legal: &mut Vec<PackedMove>) {
        legal.clear();
        if self.outcome.is_none() {
            Driver::legal_into(self, legal);
        }
    }

    fn is_candidate(&mut self, packed: PackedMove) -> bool {
        Driver::is_candidate(self, packed)
    }

    fn can_list(&self) -> bool {
        self.outcome.is_some()
            || self.decision().steps.is_none()
                && !self.machine.program.forbids_repetition()
                && self.machine.tables.fuel.suffices_for(self.machine.frame.member_count)
    }

    fn play(&mut self, candidate: PackedMove) -> bool {
        self.is_of_this_game(candidate) && Driver::play(self, candidate)
    }

    fn play_from(&mut self, position: &Position, history: &[u64], candidate: PackedMove) -> bool {
        Driver::load(self, position);
        self.history.replace(history);
        if self.outcome.is_some() || !self.is_of_this_game(candidate) {
            return false;
        }
        if self.decision().steps.is_some() {
            // Legality there depends on the other moves.
            self.resume();
        } else {
            self.refill_fuel();
        }
        Driver::play(self, candidate)
    }

    fn watched(&mut self, condition: usize) -> bool {
        Driver::watched(self, condition)
    }

    fn observe(&mut self, position: &mut Position) {
        Driver::load(self, position);
        self.refill_fuel();
        for routine in 0..self.machine.program.observing.len() {
            self.machine.grant_move_fuel(TRIAL_FUEL);
            self.machine.run(self.machine.program.observing[routine]);
        }
        self.read(position);
    }

    fn save(&mut self) {
        Driver::save(self);
    }

    fn restore(&mut self) {
        Driver::restore(self);
    }

    fn move_count_bound(&self) -> u32 {
        self.machine.frame.member_count
    }

    fn perft(&mut self, depth: u32, unit: Unit, finished: Finished) -> u64 {
        Driver::perft(self, depth, unit, finished)
    }

    #[inline(always)]
    fn playout(&mut self, random: &mut Random, cap: u32, mut stop: StopSignal) -> Playout {
        // A position is added to the history only at a decision with a legal move, so legality
        // cannot be left open if repetitions count.
        // Where plies can be illegal, it is added on arrival.
        let program = &self.machine.program;
        self.skips_legality_check = program.repetition.is_none() || program.forbids_repetition();
        let mut plies = 0;
        while self.outcome.is_none() && plies < cap {
            // A turn with a known target is first played to its end here: machine code does not use
            // targets.
            let before = plies;
            let most =
                if stop.is_some() { self.pace.stride().min(cap - plies) } else { cap - plies };
            if !self.is_target_known() {
                plies += self.run_playout(random, most);
            }
            if self.outcome.is_none() && plies - before < most {
                plies += u32::from(self.play_random(random));
            }
            if let Some(stop) = &mut stop
                && self.pace.count((plies - before).max(1)).is_some()
                && stop()
            {
                break;
            }
        }
        self.machine.count_plies(plies);
        if std::mem::take(&mut self.skips_legality_check) && self.outcome.is_none() {
            self.resume();
        }
        let teams = self.machine.program.teams;
        Playout { plies, outcome: self.outcome, swapped: self.is_swapped(), teams }
    }

    fn playout_from(
        &mut self,
        position: &Position,
        history: &[u64],
        random: &mut Random,
        cap: u32,
        stop: StopSignal,
    ) -> Result<Playout, Span> {
        Driver::load(self, position);
        self.history.replace(history);
        if self.machine.can_run_playouts() {
            // Machine code generates the moves itself.
            self.refill_fuel();
            self.machine.grant_move_fuel(TRIAL_FUEL);
        } else {
            self.resume();
        }
        let playout = self.playout(random, cap, stop);
        self.out_of_fuel.map_or(Ok(playout), Err)
    }

    fn fuel_used(&self) -> u64 {
        self.machine.fuel_used()
    }

    fn interpreted(&self) -> u64 {
        self.machine.interpreted()
    }

    fn width(&self) -> usize {
        W
    }

    fn jit_compile(&self) {
        self.machine.jit_compile();
    }

    fn jit_compile_in_background(&self) {
        self.machine.jit_compile_in_background();
    }

    fn set_jit_threshold(&self, plies: u32) {
        self.machine.set_jit_threshold(plies);
    }

    fn set_code_quality(&self, quality: CodeQuality) {
        self.machine.set_code_quality(quality);
    }

    fn another(&self) -> Box<dyn Runner> {
        Box::new(Driver::new(self.machine.another()))
    }

    fn boxed_clone(&self) -> Box<dyn Runner> {
        let mut driver = Driver::new(self.machine.another());
        Runner::load(&mut driver, &Driver::position(self), self.history.hashes());
        Box::new(driver)
    }
}

impl<const W: usize> Driver<W> {
    /// Plays a uniformly random legal move, by sampling from the move sets until a legal one is
    /// found. Passes over the decision and returns false if none is legal.
    #[inline(always)]
    fn play_random(&mut self, random: &mut Random) -> bool {
        if self.decision().proposals.is_some() && self.play_proposal(random) {
            return true;
        }
        while self.machine.frame.member_count > 0 {
            if self.sample(random, 0) {
                return true;
            }
            if self.has_no_completion() {
                break;
            }
        }
        self.pass_decision();
        false
    }

    /// Plays a uniformly random legal move, by sampling from the proposals. Returns false, with the
    /// position unchanged, after too many rejections; the caller then samples from the move sets.
    fn play_proposal(&mut self, random: &mut Random) -> bool {
        let Frame { move_set_count, member_count, all_legal, .. } = *self.machine.frame;
        self.machine.frame.member_count = 0;
        self.machine.generate_proposals(self.at);
        for _ in 0..MAX_REJECTIONS {
            if self.machine.frame.member_count == 0 {
                break;
            }
            if self.sample(random, move_set_count) {
                return true;
            }
        }
        let frame = &mut *self.machine.frame;
        (frame.move_set_count, frame.member_count, frame.all_legal) =
            (move_set_count, member_count, all_legal);
        false
    }

    /// Samples a member of the move sets from index `first` on and plays it. There must be a
    /// member. Returns false if it is illegal; it is then removed.
    #[inline(always)]
    fn sample(&mut self, random: &mut Random, first: u32) -> bool {
        let rank = random.below(self.machine.frame.member_count);
        let move_sets = self.machine.move_sets_from(first);
        let index = move_sets.iter().filter(|move_set| move_set.before <= rank).count() - 1;
        let MoveSet { members, before, specialization, prefix } = move_sets[index];
        let member = members.nth(rank - before).expect("the rank is below the number of members");
        let played = self.play(PackedMove { specialization, member: member as u16, prefix });
        if !played {
            self.remove_member(first as usize + index, member);
        }
        played
    }

    /// Removes a member of a move set.
    #[cold]
    fn remove_member(&mut self, index: usize, member: usize) {
        let move_set_count = self.machine.frame.move_set_count as usize;
        self.machine.frame.member_count -= 1;
        self.machine.move_sets[index].members &= !Bits::single(member);
        for move_set in &mut self.machine.move_sets[index + 1..move_set_count] {
            move_set.before -= 1;
        }
    }
}
