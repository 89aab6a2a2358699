//! Plies: from a decision to the next one.
//!
//! In: a machine. Out: the same machine at the next decision, or a finished game. A ply is tried in place; where it turns out to be illegal the position is
//! put back. Within `steps` a ply is legal only if the turn can still be completed, which is found by looking ahead.

use super::bits::Bits;
use super::history::History;
use super::machine::{HELD, Machine, Offer, Stop};
use super::position::{Outcome, Position};
use crate::compile::program::{Address, DecisionCode};
use crate::language::rules::PlayerId;
use crate::syntax::Span;

/// How many plies a turn has at most when turns are counted: more of them than any game asks for are taken for no end.
const LONGEST_TURN: u32 = 1000;
/// How many plies one sequence has at most when sequences are counted, so that the stack holds them.
const LONGEST_SEQUENCE: usize = 4000;

/// What sequences are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Ply,
    /// All plies of one player up to the next decision of another's, or of chance's.
    Turn,
}

/// A machine with a game under way in it.
pub struct Driver<const W: usize> {
    pub machine: Machine<W>,
    /// The decision that the game is at; meaningless once it is over.
    pub at: u16,
    pub outcome: Option<Outcome>,
    /// The text to blame when the rules went round without end; the game is then over as a draw.
    pub endless: Option<Span>,
    /// The positions so far, the one at hand last; kept only where repetition counts.
    pub history: History,
    /// Where the offers of the decision at hand begin; those before it are of positions put aside.
    base: usize,
    /// Within `steps`: how many further plies the legal ones must be able to have after them, where that is known.
    target: Option<i32>,
    /// Positions put aside.
    saved_sets: Vec<Bits<W>>,
    saved_nums: Vec<i32>,
    saved: Vec<Saved>,
}

/// So many plies of `steps` are looked ahead. Each takes its share of the stack, and no turn of a game has as many.
const FARTHEST: i32 = 1000;

#[derive(Clone, Copy)]
struct Saved {
    at: u16,
    outcome: Option<Outcome>,
    history: usize,
    target: Option<i32>,
}

/// One member of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub variation: u16,
    pub member: u16,
    pub held: [i16; HELD],
}

impl<const W: usize> Driver<W> {
    /// Makes a driver at the empty board.
    pub fn new(machine: Machine<W>) -> Self {
        Driver {
            machine,
            at: 0,
            outcome: None,
            endless: None,
            history: History::default(),
            base: 0,
            target: None,
            saved_sets: Vec::new(),
            saved_nums: Vec::new(),
            saved: Vec::new(),
        }
    }

    /// The decision that the game is at.
    pub fn decision(&self) -> &DecisionCode {
        &self.machine.program.decisions[usize::from(self.at)]
    }

    /// Sets the game up and goes to the first decision.
    pub fn begin(&mut self) {
        self.machine.refresh();
        let setup = self.machine.program.setup;
        let start = self.machine.program.start;
        let stop = self.machine.run(setup);
        if !self.ends(stop) {
            self.advance(start);
            self.arrive();
        }
    }

    /// Takes note of a routine's end; gives whether the game is over.
    fn ends(&mut self, stop: Stop) -> bool {
        self.outcome = match stop {
            Stop::Win(player) => Some(Outcome::Win(PlayerId(u16::from(player)))),
            Stop::Draw => Some(Outcome::Draw),
            Stop::Endless(address) => {
                self.endless = Some(self.machine.program.origin(address));
                Some(Outcome::Draw)
            }
            Stop::Return | Stop::Fail(_) | Stop::Decide(_) => return false,
        };
        true
    }

    /// Goes on in the order of play until a decision has a legal move, or the game is over. The offers are then the decision's.
    pub fn advance(&mut self, mut from: Address) {
        loop {
            self.machine.offers.truncate(self.base);
            let stop = self.machine.run(from);
            match stop {
                Stop::Decide(decision) => self.at = decision,
                stop => {
                    if !self.ends(stop) {
                        // The order of play never returns; a program that does is over.
                        self.outcome = Some(Outcome::Draw);
                    }
                    return;
                }
            }
            self.offer();
            if self.outcome.is_some() || self.settle() {
                return;
            }
            from = self.decision().otherwise;
        }
    }

    /// Makes the offers of the decision at hand, behind whatever offers there are.
    pub fn offer(&mut self) {
        self.machine.renew();
        let routine = self.decision().offer;
        self.target = None;
        let stop = self.machine.run(routine);
        self.ends(stop);
    }

    /// Whether one of the offers is legal. Within `steps` the target is known after it.
    pub fn settle(&mut self) -> bool {
        let offers = self.base..self.machine.offers.len();
        if self.decision().exact && self.decision().steps.is_none() {
            return !offers.is_empty();
        }
        match self.steps_left() {
            None => self.any_candidate(offers, |driver, candidate| driver.is_legal(candidate)),
            Some(left) => {
                self.target = self.best_target(left);
                self.target.is_some()
            }
        }
    }

    /// Tests whether something holds for a candidate of the offers.
    fn any_candidate(&mut self, offers: std::ops::Range<usize>, mut test: impl FnMut(&mut Self, Candidate) -> bool) -> bool {
        for index in offers {
            let Offer { mut members, variation, held } = self.machine.offers[index];
            while let Some(member) = members.take() {
                if test(self, Candidate { variation, member: member as u16, held }) {
                    return true;
                }
            }
        }
        false
    }

    /// How many steps are left at the decision, this one included, where it is within `steps`.
    fn steps_left(&self) -> Option<i32> {
        self.decision().steps.map(|steps| self.machine.nums[usize::from(steps.left)])
    }

    /// The most further plies that can be made after some candidate such that the ending condition holds; `None` when it can never hold.
    fn best_target(&mut self, left: i32) -> Option<i32> {
        let mut best = None;
        let offers = self.base..self.machine.offers.len();
        self.any_candidate(offers, |driver, candidate| {
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
    fn is_last(&self) -> bool {
        let decision = self.decision();
        self.outcome.is_some() || self.machine.leaves && decision.leave != decision.next
    }

    /// Whether the ending condition holds now.
    fn ending_holds(&mut self) -> bool {
        let Some(steps) = self.decision().steps else { return true };
        self.machine.run(steps.ending) == Stop::Return
    }

    /// Whether so many further plies can be made such that the ending condition holds after the last. A ply that ends the game or the turn counts for all of the rest.
    fn completes(&mut self, plies: i32) -> bool {
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
        let first = self.machine.offers.len();
        let routine = self.decision().offer;
        if let Stop::Endless(address) = self.machine.run(routine) {
            self.endless = Some(self.machine.program.origin(address));
        }
        let last = self.machine.offers.len();
        let found = self.any_candidate(first..last, |driver, candidate| {
            driver.save();
            let completes =
                driver.make(candidate) && if driver.outcome.is_some() { driver.ending_holds() } else { driver.completes(plies - 1) };
            driver.restore();
            completes
        });
        self.machine.offers.truncate(first);
        found
    }

    /// Puts the position aside, to be put back by [`Driver::restore`].
    pub fn save(&mut self) {
        let sets = usize::from(self.machine.program.layout.sets);
        let nums = usize::from(self.machine.program.nums);
        self.saved_sets.extend_from_slice(&self.machine.sets[..sets]);
        self.saved_nums.extend_from_slice(&self.machine.nums[..nums]);
        self.saved.push(Saved { at: self.at, outcome: self.outcome, history: self.history.hashes().len(), target: self.target });
    }

    /// Puts back the position that was put aside last.
    pub fn restore(&mut self) {
        let sets = usize::from(self.machine.program.layout.sets);
        let nums = usize::from(self.machine.program.nums);
        if let Some(saved) = self.saved.pop() {
            let from = self.saved_sets.len() - sets;
            self.machine.sets[..sets].copy_from_slice(&self.saved_sets[from..]);
            self.saved_sets.truncate(from);
            let from = self.saved_nums.len() - nums;
            self.machine.nums[..nums].copy_from_slice(&self.saved_nums[from..]);
            self.saved_nums.truncate(from);
            self.at = saved.at;
            self.outcome = saved.outcome;
            self.target = saved.target;
            self.history.truncate(saved.history);
        }
    }

    /// Makes a candidate's effects and looks whether they end the game. Gives false, with the position in disarray, where a requirement fails.
    fn make(&mut self, candidate: Candidate) -> bool {
        let apply = self.machine.program.variations[usize::from(candidate.variation)].apply;
        let mover = self.decision().mover;
        self.machine.arguments[0] = i32::from(candidate.member);
        for (argument, held) in self.machine.arguments[1..].iter_mut().zip(candidate.held) {
            *argument = i32::from(held);
        }
        self.machine.leaves = false;
        self.machine.refresh();
        match self.machine.run(apply) {
            Stop::Return => {}
            Stop::Fail(_) => return false,
            stop => {
                self.ends(stop);
                return true;
            }
        }
        let end = self.machine.program.end[mover.index()];
        let stop = self.machine.run(end);
        self.ends(stop);
        true
    }

    /// Tests whether a candidate is legal; the position stays as it is.
    pub fn is_legal(&mut self, candidate: Candidate) -> bool {
        if self.decision().exact && self.decision().steps.is_none() {
            return true;
        }
        self.save();
        let legal = self.make_legally(candidate).is_some();
        self.restore();
        legal
    }

    /// Makes a candidate's effects if it is legal, and tells whether they end the turn. Where it is not, the position is in disarray.
    fn make_legally(&mut self, candidate: Candidate) -> Option<bool> {
        let target = self.target;
        let left = self.steps_left();
        if !self.make(candidate) {
            return None;
        }
        let leaves = self.machine.leaves;
        let legal = left.is_none_or(|left| {
            let target = target.unwrap_or(left - 1);
            if self.is_last() { target == left - 1 && self.ending_holds() } else { self.completes(target) }
        });
        legal.then_some(leaves)
    }

    /// Plays a candidate and goes on to the next decision. Gives false, with the position as it was, where the candidate is illegal.
    pub fn play(&mut self, candidate: Candidate) -> bool {
        let checked = !self.decision().exact || self.decision().steps.is_some();
        if checked {
            self.save();
            let Some(leaves) = self.make_legally(candidate) else {
                self.restore();
                return false;
            };
            self.discard();
            self.go_on(leaves);
        } else {
            self.make(candidate);
            self.go_on(self.machine.leaves);
        }
        true
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

    /// Goes on to the next decision after a ply was made.
    fn go_on(&mut self, leaves: bool) {
        if self.outcome.is_some() {
            self.machine.offers.truncate(self.base);
            return;
        }
        let decision = self.decision();
        let mover = decision.mover;
        let from = if leaves { decision.leave } else { decision.next };
        self.advance(from);
        if self.outcome.is_none() {
            self.count_occurrence(mover);
        }
    }

    /// Counts the position at hand as one that has arisen, and ends the game where it has too often.
    fn count_occurrence(&mut self, mover: PlayerId) {
        let Some(rule) = &self.machine.program.repetition else { return };
        let times = rule.times;
        let then = rule.then[mover.index()];
        let hash = self.hash();
        let before = self.history.occurrences(hash);
        self.history.push(hash);
        if before + 1 >= times as usize {
            let stop = self.machine.run(then);
            self.ends(stop);
            if self.outcome.is_some() {
                self.machine.offers.truncate(self.base);
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

    /// A hash of the position: what stands, what is remembered, which decision it is. Each word is mixed in by a multiplication of 128 bits, folded (after
    /// Wang Yi's wyhash), so that positions that differ in one word never collide for want of mixing.
    pub fn hash(&self) -> u64 {
        let sets = usize::from(self.machine.program.layout.sets);
        let nums = usize::from(self.machine.program.nums);
        let mut hash = fold(0x9e37_79b9_7f4a_7c15 ^ u64::from(self.at));
        for set in &self.machine.sets[..sets] {
            for word in set.0 {
                hash = fold(hash ^ word);
            }
        }
        for &number in &self.machine.nums[..nums] {
            hash = fold(hash ^ number as u32 as u64);
        }
        fold(hash)
    }

    /// The position at hand.
    pub fn position(&self) -> Position {
        let sets = usize::from(self.machine.program.layout.sets);
        let nums = usize::from(self.machine.program.nums);
        Position {
            words: self.machine.sets[..sets].iter().flat_map(|set| set.0).collect(),
            numbers: self.machine.nums[..nums].into(),
            at: self.at,
            outcome: self.outcome,
        }
    }

    /// Goes to a position of this game. Offers and history are those of the position before; see [`Driver::resume`].
    pub fn load(&mut self, position: &Position) {
        for (set, words) in self.machine.sets.iter_mut().zip(position.words.chunks_exact(W)) {
            set.0.copy_from_slice(words);
        }
        let nums = usize::from(self.machine.program.nums).min(position.numbers.len());
        self.machine.nums[..nums].copy_from_slice(&position.numbers[..nums]);
        self.at = position.at;
        self.outcome = position.outcome;
        self.endless = None;
        self.target = None;
        self.base = 0;
        self.machine.offers.clear();
    }

    /// Makes the offers of the decision at hand. Where none is legal, goes on to one where some is.
    pub fn resume(&mut self) {
        self.machine.offers.truncate(self.base);
        if self.outcome.is_some() {
            return;
        }
        self.machine.refresh();
        self.offer();
        if !self.settle() {
            let otherwise = self.decision().otherwise;
            self.advance(otherwise);
        }
    }

    /// The legal candidates of the decision at hand.
    pub fn legal(&mut self) -> Vec<Candidate> {
        self.machine.renew();
        let mut legal = Vec::new();
        let offers = self.base..self.machine.offers.len();
        self.any_candidate(offers, |driver, candidate| {
            if driver.is_legal(candidate) {
                legal.push(candidate);
            }
            // One move whose effects never end is enough to know.
            driver.endless.is_some()
        });
        legal
    }

    /// Counts the sequences of exactly so many plies or turns. The rest of a turn that has begun is one, and so is a turn that the game's end cuts short.
    /// Where a turn seems to have no end, [`Driver::endless`] says so and the count means nothing.
    pub fn perft(&mut self, depth: u32, unit: Unit) -> u64 {
        self.count(depth, unit, 0)
    }

    /// Counts the sequences of so many plies or turns, after so many plies of the first turn.
    fn count(&mut self, depth: u32, unit: Unit, made: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.outcome.is_some() || self.endless.is_some() {
            return 0;
        }
        if made >= LONGEST_TURN || self.saved.len() >= LONGEST_SEQUENCE {
            self.endless = Some(self.decision().span);
            return 0;
        }
        let exact = self.decision().exact && self.decision().steps.is_none();
        let last = depth == 1 && unit == Unit::Ply;
        if last && exact {
            return self.machine.offers[self.base..].iter().map(|offer| u64::from(offer.members.count())).sum();
        }
        let mut count = 0;
        let before = self.at;
        let base = self.base;
        let offers = base..self.machine.offers.len();
        self.base = offers.end;
        for index in offers {
            let Offer { mut members, variation, held } = self.machine.offers[index];
            while let Some(member) = members.take() {
                let candidate = Candidate { variation, member: member as u16, held };
                if self.endless.is_some() {
                    break;
                }
                if last {
                    count += u64::from(self.is_legal(candidate));
                    continue;
                }
                self.save();
                if self.play(candidate) {
                    count += match unit {
                        Unit::Turn if self.is_same_turn(before) => self.count(depth, unit, made + 1),
                        _ => self.count(depth - 1, unit, 0),
                    };
                }
                self.restore();
                self.machine.offers.truncate(self.base);
            }
        }
        self.base = base;
        count
    }

    /// Whether the player whose decision that was acts again now. Every ply of chance is a turn of its own.
    fn is_same_turn(&self, before: u16) -> bool {
        let before = &self.machine.program.decisions[usize::from(before)];
        let now = self.decision();
        self.outcome.is_none() && !before.chance && !now.chance && before.mover == now.mover
    }
}

#[inline(always)]
fn fold(word: u64) -> u64 {
    let product = u128::from(word ^ 0xa076_1d64_78bd_642f) * u128::from(0xe703_7ed1_a0b4_28dbu64);
    (product as u64) ^ (product >> 64) as u64
}
