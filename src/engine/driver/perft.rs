//! Sequences of plies or turns, counted.

use super::{Candidate, Driver, Offer};
use crate::compile::op::Code;
use crate::compile::program::{Address, DecisionCode, Program};

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

/// What is counted, and what was found out on the way.
struct Counting {
    unit: Unit,
    /// How many plies the order of play takes at least from a decision back to it.
    cycle: u32,
    /// Machine code is asked to count sequences of so many plies at most.
    reach: u32,
}

/// How many plies the order of play takes at least from any decision back to it.
fn shortest_cycle(program: &Program) -> u32 {
    let decisions = program.decisions.len();
    let decided = |from: Address| {
        let ops = program.routine(from).into_iter().map(|address| program.code[usize::from(address)]);
        ops.filter(|op| op.code == Code::Decide).map(|op| usize::from(op.a)).collect::<Vec<_>>()
    };
    // A decision without a legal ply is passed over.
    let passed: Vec<Vec<usize>> = program.decisions.iter().map(|decision| decided(decision.otherwise)).collect();
    let after = |decision: &DecisionCode| [decided(decision.next), decided(decision.leave)].concat();
    let after: Vec<Vec<usize>> = program.decisions.iter().map(after).collect();
    let cycle = |start: usize| {
        let mut come = vec![false; decisions];
        let mut open = vec![start];
        for plies in 1.. {
            let mut next = Vec::new();
            let mut found: Vec<usize> = open.iter().flat_map(|&decision| after[decision].iter().copied()).collect();
            while let Some(decision) = found.pop() {
                if !std::mem::replace(&mut come[decision], true) {
                    found.extend(&passed[decision]);
                    next.push(decision);
                }
            }
            if come[start] {
                return plies;
            }
            if next.is_empty() {
                break;
            }
            open = next;
        }
        u32::MAX
    };
    (0..decisions).map(cycle).min().unwrap_or(1)
}

impl<const W: usize> Driver<W> {
    /// Counts the sequences of exactly so many plies or turns. The rest of a turn that has begun is one, and so is a turn that the game's end cuts short.
    /// Where a turn seems to have no end, [`Driver::endless`] says so and the count means nothing.
    pub fn perft(&mut self, depth: u32, unit: Unit) -> u64 {
        let cycle = if self.machine.program.repetition.is_some() { shortest_cycle(&self.machine.program) } else { 1 };
        self.count(depth, &mut Counting { unit, cycle, reach: u32::MAX }, 0)
    }

    /// Counts the sequences of so many plies or turns, after so many plies of the first turn.
    fn count(&mut self, depth: u32, counting: &mut Counting, made: u32) -> u64 {
        let unit = counting.unit;
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
        if unit == Unit::Ply && self.machine.is_native() && (2..=counting.reach).contains(&depth) && !self.may_repeat(depth, counting.cycle)
        {
            match self.machine.perft(self.at, self.base, depth) {
                Some(count) => return count,
                // What stands in the way is more likely to be met with on a longer way.
                None => counting.reach = (depth - 1).max(2),
            }
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
                        Unit::Turn if self.is_same_turn(before) => self.count(depth, counting, made + 1),
                        _ => self.count(depth - 1, counting, 0),
                    };
                }
                self.restore();
                self.clear_offers();
            }
        }
        self.base = base;
        count
    }

    /// Whether repetition can end the game before the last of so many plies, two at least, where the order of play takes so many to come round.
    fn may_repeat(&self, plies: u32, cycle: u32) -> bool {
        // Of the positions after each ply but the last, those that are the same are a cycle apart.
        let new = 1 + (plies - 2) / cycle;
        self.machine.program.repetition.as_ref().is_some_and(|rule| self.history.most() + new as usize >= rule.times as usize)
    }

    /// Whether the player whose decision that was acts again now. Every ply of chance is a turn of its own.
    fn is_same_turn(&self, before: u16) -> bool {
        let before = &self.machine.program.decisions[usize::from(before)];
        let now = self.decision();
        self.outcome.is_none() && !before.chance && !now.chance && before.mover == now.mover
    }
}
