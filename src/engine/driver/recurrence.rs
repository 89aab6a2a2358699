//! Rules about the past: plies that are illegal because they repeat a position, comparison of only
//! a part of the position, and conditions on the plies since an earlier occurrence.
//!
//! The history then has a word for every ply that has led to a position: a hash of the compared
//! part and, if there are conditions on plies, the player of the ply and which conditions held
//! after it. Where plies can be illegal, a position is entered on arrival at a decision, before it
//! is known whether there is a legal move: otherwise legality would depend on itself. A ply is
//! tested for legality by making it.

use super::{Driver, PackedMove, Stop};
use crate::compile::program::{PastCode, Place};
use crate::engine::hash::{hash_words, packed};
use crate::language::rules::PlayerId;

/// The first bit of the conditions that held after the ply, and of its player, plus one.
const CONDITIONS: u32 = 64 - 10;
const PLAYER: u32 = 64 - 4;
/// The bits of the hash in a word of the history.
const KEY: u64 = (1 << CONDITIONS) - 1;
/// The hash of a position that is not counted.
const NOTHING: u64 = 0;
/// Stands for the decision in the hash if the place in the order of play does not matter.
const ANYWHERE: u16 = u16::MAX;

impl<const W: usize> Driver<W> {
    /// Makes a ply in a game in which plies can be illegal by repetition, and goes to the next
    /// decision. Returns false, with the position unchanged, if it is illegal.
    #[cold]
    pub(super) fn play_by_history(&mut self, candidate: PackedMove) -> bool {
        self.save();
        if !self.arrive(candidate) {
            self.restore();
            return false;
        }
        self.discard();
        self.refill_fuel();
        self.clear_move_sets();
        if self.outcome.is_none() {
            let stop = match self.machine.generate_moves(self.at) {
                Stop::Return => Stop::Decide(self.at),
                stop => stop,
            };
            self.advance(stop, None);
        }
        true
    }

    /// Tests if a candidate is legal in a game with illegal repetitions, leaving the position
    /// unchanged.
    #[cold]
    pub(super) fn is_legal_by_history(&mut self, candidate: PackedMove) -> bool {
        self.pass_arguments(candidate);
        if let Some(Stop::Fail(_)) = self.machine.test_requirements(candidate.specialization) {
            return false;
        }
        self.save();
        let legal = self.arrive(candidate);
        self.restore();
        legal
    }

    /// Makes a ply up to the arrival at the next decision, without generating its moves, and enters
    /// the position in the history. Returns false if the ply is illegal; the position is then
    /// undefined.
    fn arrive(&mut self, candidate: PackedMove) -> bool {
        let decision = self.at;
        self.pass_arguments(candidate);
        let stop = match self.machine.apply(candidate.specialization) {
            Stop::Return => match self.machine.end(decision) {
                Stop::Return => self.machine.arrive(decision),
                stop => stop,
            },
            Stop::Fail(_) => return false,
            stop => stop,
        };
        match stop {
            Stop::Decide(next) => {
                self.at = next;
                self.enter_past(decision, candidate)
            }
            stop => {
                self.settle(stop);
                true
            }
        }
    }

    /// Enters a position, reached by a ply of `decision`, in the history, and applies the rule of
    /// repetition if it has occurred often enough. Returns false if the ply is illegal.
    pub(super) fn enter_past(&mut self, decision: u16, candidate: PackedMove) -> bool {
        let program = std::sync::Arc::clone(&self.machine.program);
        let Some((rule, past)) =
            program.repetition.as_ref().and_then(|rule| Some((rule, rule.past.as_ref()?)))
        else {
            return true;
        };
        let made = &program.decisions[usize::from(decision)];
        let verb = program.specializations[usize::from(candidate.specialization)].rule;
        if past.swap == Some(verb) {
            self.history.append(NOTHING);
            return true;
        }
        let mover = (!made.chance).then_some(made.mover);
        let key = self.key(past);
        let Some(ply) = self.ply_bits(past, mover) else { return true };
        let is_known = self.history.may_contain(key);
        self.history.append(key | ply);
        let before = rule.times as usize - 1;
        let since = is_known.then(|| earlier(self.history.hashes(), before)).flatten();
        let Some(since) = since else { return true };
        for (index, throughout) in past.throughout.iter().enumerate() {
            let counted = throughout.counted[made.mover.index()];
            let held = held(self.history.hashes(), since, index, counted);
            self.machine.frame.arguments[index] = i32::from(held);
        }
        match self.machine.run(rule.then[made.mover.index()]) {
            Stop::Fail(_) => made.chance,
            Stop::Return => true,
            stop => {
                self.settle(stop);
                true
            }
        }
    }

    /// Enters the position from which play begins.
    pub(super) fn enter_first(&mut self) {
        self.first_entry().into_iter().for_each(|word| self.history.append(word));
    }

    /// Returns the history if play begins at the current position: nothing if the rules do not
    /// count repetitions.
    pub fn first_entry(&self) -> Option<u64> {
        let rule = self.machine.program.repetition.as_ref()?;
        Some(rule.past.as_ref().map_or_else(|| self.hash(), |past| self.key(past)))
    }

    /// Records how the game has ended.
    fn settle(&mut self, stop: Stop) {
        if !self.record_outcome(stop) {
            self.outcome = Some(crate::engine::position::Outcome::Draw);
        }
    }

    /// Hashes the part of the position that the rule compares.
    fn key(&self, past: &PastCode) -> u64 {
        let frame = &self.machine.frame;
        let sets = past.sets.iter().flat_map(|&register| frame.sets[usize::from(register)].0);
        let number = |&register: &u16| frame.nums[usize::from(register)];
        let nums = past.nums.chunks(2).map(|pair| packed(pair.iter().map(number)));
        let place = match past.place {
            Place::Decision => self.at,
            Place::Mover => self.decision().mover.0,
            Place::Anywhere => ANYWHERE,
        };
        (hash_words(sets.chain(nums), place) & KEY).max(NOTHING + 1)
    }

    /// Returns the bits of the player who has made the ply and of the conditions that held after
    /// it; none for a roll. `None` if the fuel is exhausted.
    fn ply_bits(&mut self, past: &PastCode, mover: Option<PlayerId>) -> Option<u64> {
        let Some(mover) = mover.filter(|_| !past.throughout.is_empty()) else { return Some(0) };
        let mut bits = u64::from(mover.0 + 1) << PLAYER;
        for (index, throughout) in past.throughout.iter().enumerate() {
            // Moves that a condition asks for are made and taken back, unless the fuel runs out.
            match self.machine.run(throughout.holds[mover.index()]) {
                Stop::Return => bits |= 1 << (CONDITIONS + index as u32),
                Stop::Fail(_) => {}
                stop => {
                    self.settle(stop);
                    return None;
                }
            }
        }
        Some(bits)
    }
}

/// Returns the place in the history of the position with which the counted occurrences of the last
/// one begin; `None` if it has occurred less often than `before` times before.
fn earlier(history: &[u64], before: usize) -> Option<usize> {
    let (last, history) = history.split_last()?;
    let mut same = (0..history.len()).rev().filter(|&at| (history[at] ^ last) & KEY == 0);
    same.nth(before - 1)
}

/// Tests if a condition held after every ply since a position, or every ply of a player.
fn held(history: &[u64], since: usize, condition: usize, counted: Option<PlayerId>) -> bool {
    history[since..].iter().skip(1).all(|word| {
        let player = word >> PLAYER;
        let counts = player > 0 && counted.is_none_or(|of| player == u64::from(of.0) + 1);
        !counts || word >> (CONDITIONS + condition as u32) & 1 == 1
    })
}
