//! A driver of any width behind one interface, and random playouts.

use super::bits::Bits;
use super::driver::{Driver, PackedMove, Unit};
use super::frame::{Frame, MoveSet};
use super::machine::{MAX_REJECTIONS, Machine};
use super::position::{Outcome, Position};
use super::tables::Tables;
use crate::board::Board;
use crate::compile::program::{Address, Program};
use crate::random::Random;
use crate::syntax::Span;
use std::sync::Arc;

/// How many words a set has on the largest boards.
pub const MAX_WORDS: usize = 32;

/// How a random playout went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    pub plies: u32,
    /// `None` when the cap was reached.
    pub outcome: Option<Outcome>,
}

/// Whom a playout asks, every few milliseconds, whether to stop; a playout that nobody watches is
/// made in one go.
pub type StopSignal<'s> = Option<&'s mut dyn FnMut() -> bool>;

/// What the rest of the engine asks of a driver, whatever its width.
pub trait Runner: Send + Sync {
    /// Sets the game up and goes to the first decision.
    fn begin(&mut self);
    /// Goes to a position with the given history of hashes, its own last.
    fn load(&mut self, position: &Position, history: &[u64]);
    /// Goes to a position, and from that place in the order of play to the next decision; see
    /// [`Driver::begin_turn`].
    fn begin_turn(&mut self, position: &Position, address: Address, rolled: bool);
    fn position(&self) -> Position;
    /// Writes the position over another of the same game.
    fn read(&self, position: &mut Position);
    fn history(&self) -> &[u64];
    fn hash(&self) -> u64;
    fn outcome(&self) -> Option<Outcome>;
    /// The text to blame when the rules went round without end.
    fn out_of_fuel(&self) -> Option<Span>;
    fn at(&self) -> usize;
    fn legal(&mut self) -> Vec<PackedMove>;
    /// Plays a candidate; false, with nothing changed, where it is illegal.
    fn play(&mut self, candidate: PackedMove) -> bool;
    /// Tests whether the watched condition with that number holds.
    fn watched(&mut self, condition: usize) -> bool;
    /// Puts the position aside, without what is offered there.
    fn save(&mut self);
    /// Puts back the position that was put aside last.
    fn restore(&mut self);
    /// How many plies are offered: those that are legal, and perhaps some that turn out not to be.
    fn breadth(&self) -> u32;
    /// Counts the sequences of exactly so many plies or turns.
    fn perft(&mut self, depth: u32, unit: Unit) -> u64;
    /// Plays uniformly random plies until the game ends or so many are made, or somebody who is
    /// asked now and then says that it should stop.
    fn playout(&mut self, random: &mut Random, cap: u32, stop: StopSignal) -> Playout;
    /// Goes to a position with the given history, and plays on from there. Fails with the text to
    /// blame where the rules go round without end.
    fn playout_from(
        &mut self,
        position: &Position,
        history: &[u64],
        random: &mut Random,
        cap: u32,
        stop: StopSignal,
    ) -> Result<Playout, Span>;
    /// How many rounds of loops, moves that were tried among them, were gone through so far. As
    /// long as the program is interpreted, the same everywhere.
    fn fuel_used(&self) -> u64;
    /// How many words a set has.
    fn width(&self) -> usize;
    /// Makes machine code for all runners of the game made from now on, which wait for it.
    fn jit_compile(&self);
    /// Has machine code made on a thread of its own, for all runners of the game once it is there.
    fn jit_compile_in_background(&self);
    /// Says when runners of the game made from now on go on with machine code; see
    /// [`Machine::set_jit_threshold`].
    fn set_jit_threshold(&self, plies: u32);
    /// A runner for the same game, which has not begun.
    fn another(&self) -> Box<dyn Runner>;
    /// The same game at the same position.
    fn boxed_clone(&self) -> Box<dyn Runner>;
}

/// Makes a runner of the least width that the board fits in; none when it fits in none.
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

    fn hash(&self) -> u64 {
        Driver::hash(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn out_of_fuel(&self) -> Option<Span> {
        self.out_of_fuel
    }

    fn at(&self) -> usize {
        usize::from(self.at)
    }

    fn legal(&mut self) -> Vec<PackedMove> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        Driver::legal(self)
    }

    fn play(&mut self, candidate: PackedMove) -> bool {
        self.is_of_this_game(candidate) && Driver::play(self, candidate)
    }

    fn watched(&mut self, condition: usize) -> bool {
        Driver::watched(self, condition)
    }

    fn save(&mut self) {
        Driver::save(self);
    }

    fn restore(&mut self) {
        Driver::restore(self);
    }

    fn breadth(&self) -> u32 {
        self.machine.frame.member_count
    }

    fn perft(&mut self, depth: u32, unit: Unit) -> u64 {
        Driver::perft(self, depth, unit)
    }

    #[inline(always)]
    fn playout(&mut self, random: &mut Random, cap: u32, mut stop: StopSignal) -> Playout {
        // Where positions are counted, the decision at hand must be known to be one.
        self.skips_legality_check = self.machine.program.repetition.is_none();
        let mut plies = 0;
        while self.outcome.is_none() && plies < cap {
            // A turn whose further plies are known to be so many is played to its end first.
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
        Playout { plies, outcome: self.outcome }
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
            // What is offered there, machine code works out for itself.
            self.refill_fuel();
            self.machine.grant_move_fuel();
        } else {
            self.resume();
        }
        let playout = self.playout(random, cap, stop);
        self.out_of_fuel.map_or(Ok(playout), Err)
    }

    fn fuel_used(&self) -> u64 {
        self.machine.fuel_used()
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
    /// Plays one of the legal moves, each equally likely: one of what is offered, drawn again for
    /// as long as it is illegal. Where none is legal after all, goes on to where some may be, and
    /// gives false.
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

    /// Plays one of the legal moves, each equally likely, by draws from more than is legal. Gives
    /// false, with nothing changed, when so many of them were in vain that it is better to draw
    /// from what is legal.
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

    /// Draws from the offers from that one on, of which there is one, and plays what was drawn.
    /// Gives false where that is illegal; it is not offered any more then.
    #[inline(always)]
    fn sample(&mut self, random: &mut Random, first: u32) -> bool {
        let rank = random.below(self.machine.frame.member_count);
        let move_sets = self.machine.move_sets_from(first);
        let index = move_sets.iter().filter(|move_set| move_set.before <= rank).count() - 1;
        let MoveSet { members, before, specialization, prefix } = move_sets[index];
        let member = members.nth(rank - before).expect("the offer has so many members");
        let played = self.play(PackedMove { specialization, member: member as u16, prefix });
        if !played {
            self.withdraw(first as usize + index, member);
        }
        played
    }

    /// Takes back one member of an offer.
    #[cold]
    fn withdraw(&mut self, index: usize, member: usize) {
        let move_set_count = self.machine.frame.move_set_count as usize;
        self.machine.frame.member_count -= 1;
        self.machine.move_sets[index].members &= !Bits::single(member);
        for move_set in &mut self.machine.move_sets[index + 1..move_set_count] {
            move_set.before -= 1;
        }
    }
}
