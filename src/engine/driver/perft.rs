//! Sequences of plies or turns, counted.

use super::{Candidate, Driver, Offer};

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

impl<const W: usize> Driver<W> {
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
        let last = depth == 1 && unit == Unit::Ply;
        if last && self.is_certain() {
            return u64::from(self.machine.frame.total);
        }
        if depth == 2
            && unit == Unit::Ply
            && !self.may_repeat()
            && let Some(tally) = self.machine.tally(self.at, self.base)
        {
            return tally;
        }
        let mut count = 0;
        let before = self.at;
        let base = self.base;
        let offers = self.offers();
        self.base = offers.end;
        for index in offers {
            let Offer { mut members, variation, held, .. } = self.machine.offers[index as usize];
            while let Some(member) = members.take() {
                let candidate = Candidate { variation, member: member as u16, held };
                if self.endless.is_some() {
                    break;
                }
                self.machine.tire(1);
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
                self.clear_offers();
            }
        }
        self.base = base;
        count
    }

    /// Whether the game can end by repetition with the next ply.
    fn may_repeat(&self) -> bool {
        self.machine.program.repetition.as_ref().is_some_and(|rule| self.history.most() + 1 >= rule.times as usize)
    }

    /// Whether the player whose decision that was acts again now. Every ply of chance is a turn of its own.
    fn is_same_turn(&self, before: u16) -> bool {
        let before = &self.machine.program.decisions[usize::from(before)];
        let now = self.decision();
        self.outcome.is_none() && !before.chance && !now.chance && before.mover == now.mover
    }
}
