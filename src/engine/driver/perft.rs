//! Perft: counts the sequences of plies or turns of a given length.
//!
//! Depth-first with an explicit stack. The last ply is counted without being played, and whole
//! subtrees are counted by machine code as long as no repetition can end the game in them.

use super::{Driver, PackedMoves};
use crate::compile::op::Code;
use crate::compile::program::{Address, DecisionCode, Place, Program};
use crate::engine::position::Position;
use rustc_hash::FxHashSet;

/// The limit for plies per turn if turns are counted. A longer turn is reported as endless.
const MAX_TURN_PLIES: u32 = 1000;
/// The limit for plies per sequence, since each saves a position.
const MAX_SEQUENCE_PLIES: usize = 4000;

/// The unit of perft depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Ply,
    /// All plies of one player up to the next decision of another player or of chance.
    Turn,
    /// As [`Unit::Turn`], but the turns that lead from one position to the same position count
    /// once.
    Position,
}

/// Whether a game that ends before the last unit counts as a sequence. Published tables differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Finished {
    #[default]
    Skip,
    Count,
}

/// The parameters of a count, and the depth limit of machine code, which falls during it.
struct Counting {
    unit: Unit,
    finished: Finished,
    /// The minimum number of plies from any decision back to it.
    cycle: u32,
    /// The greatest depth at which machine code is tried.
    max_native_depth: u32,
}

/// A position whose plies are tried one by one.
struct PerftLevel<const W: usize> {
    /// How many plies or turns are left, and how many plies of the current turn have been made.
    depth: u32,
    made: u32,
    /// The decision of the plies.
    at: u16,
    candidates: PackedMoves<W>,
    /// The driver's `base` before this level.
    base: u32,
    /// Whether the plies need only be tested, not played.
    is_last: bool,
    /// The positions after the turns that begin here, if positions are counted.
    after_turns: FxHashSet<Position>,
}

/// Computes the minimum number of plies from any decision back to it, by breadth-first search in
/// the graph of decisions.
fn shortest_cycle(program: &Program) -> u32 {
    let decisions = program.decisions.len();
    let decided = |from: Address| {
        let ops =
            program.routine(from).into_iter().map(|address| program.code[usize::from(address)]);
        ops.filter(|op| op.code == Code::Decide).map(|op| usize::from(op.a)).collect::<Vec<_>>()
    };
    // A decision without a legal ply is passed over at no cost.
    let passed: Vec<Vec<usize>> =
        program.decisions.iter().map(|decision| decided(decision.otherwise)).collect();
    let after =
        |decision: &DecisionCode| [decided(decision.next), decided(decision.leave)].concat();
    let after: Vec<Vec<usize>> = program.decisions.iter().map(after).collect();
    let cycle = |start: usize| {
        let mut reached = vec![false; decisions];
        let mut open = vec![start];
        for plies in 1.. {
            let mut next = Vec::new();
            let mut found: Vec<usize> =
                open.iter().flat_map(|&decision| after[decision].iter().copied()).collect();
            while let Some(decision) = found.pop() {
                if !std::mem::replace(&mut reached[decision], true) {
                    found.extend(&passed[decision]);
                    next.push(decision);
                }
            }
            if reached[start] {
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
    /// Counts the sequences of exactly `depth` units, and with [`Finished::Count`] the shorter ones
    /// that end the game. The rest of a turn in progress counts as one, and so does a turn cut
    /// short by the end of the game. If a turn seems endless, [`Driver::out_of_fuel`] is set and
    /// the count is meaningless.
    pub fn perft(&mut self, depth: u32, unit: Unit, finished: Finished) -> u64 {
        let cycle = if self.machine.program.repetition.is_some() {
            shortest_cycle(&self.machine.program)
        } else {
            1
        };
        // Machine code counts sequences of one length only.
        let max_native_depth = if finished == Finished::Count { 0 } else { u32::MAX };
        let mut counting = Counting { unit, finished, cycle, max_native_depth };
        self.machine.begin_count();
        let mut levels = Vec::new();
        let mut count = self.enter_count(depth, 0, &mut counting, &mut levels);
        while let Some(level) = levels.last_mut() {
            let candidate = if self.out_of_fuel.is_none() {
                level.candidates.next(&self.machine.move_sets)
            } else {
                None
            };
            let Some(candidate) = candidate else {
                self.base = level.base;
                levels.pop();
                if !levels.is_empty() {
                    self.restore();
                    self.clear_move_sets();
                }
                continue;
            };
            self.machine.count_plies(1);
            if level.is_last {
                count += u64::from(self.is_legal(candidate));
                continue;
            }
            let PerftLevel { depth, made, at, .. } = *level;
            self.save();
            if self.play(candidate) {
                let goes_on = unit != Unit::Ply && self.is_same_turn(at);
                let (depth, made) = if goes_on { (depth, made + 1) } else { (depth - 1, 0) };
                if goes_on || unit != Unit::Position || self.is_new_after_turn(&mut levels) {
                    let height = levels.len();
                    count += self.enter_count(depth, made, &mut counting, &mut levels);
                    if levels.len() > height {
                        continue;
                    }
                }
            }
            self.restore();
            self.clear_move_sets();
        }
        self.machine.end_count();
        count
    }

    /// Counts the sequences of `depth` plies or turns from the current position, after `made` plies
    /// of the current turn; or pushes a level for its plies and returns 0.
    fn enter_count(
        &mut self,
        depth: u32,
        made: u32,
        counting: &mut Counting,
        levels: &mut Vec<PerftLevel<W>>,
    ) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.out_of_fuel.is_some() {
            return 0;
        }
        if self.outcome.is_some() {
            return u64::from(counting.finished == Finished::Count);
        }
        if made >= MAX_TURN_PLIES || self.saved.len() >= MAX_SEQUENCE_PLIES {
            self.out_of_fuel = Some(self.decision().span);
            return 0;
        }
        let is_by_ply = counting.unit == Unit::Ply;
        let is_last = depth == 1 && is_by_ply;
        if is_last && self.is_certain() {
            return u64::from(self.machine.frame.member_count);
        }
        let is_native_depth = is_by_ply
            && self.machine.is_native()
            && (2..=counting.max_native_depth).contains(&depth);
        if is_native_depth && !self.may_repeat(depth, counting.cycle) && self.machine.can_count() {
            match self.machine.perft(self.at, self.base, depth) {
                Some(count) => return count,
                // The reason why machine code stopped is likelier in deeper subtrees: try only
                // shallower ones from now on.
                None => counting.max_native_depth = (depth - 1).max(2),
            }
        }
        let move_sets = self.move_set_range();
        let base = std::mem::replace(&mut self.base, move_sets.end);
        levels.push(PerftLevel {
            depth,
            made,
            at: self.at,
            candidates: PackedMoves::new(move_sets),
            base,
            is_last,
            after_turns: FxHashSet::default(),
        });
        0
    }

    /// Tests if no earlier turn from the position at which this one began led to the current
    /// position.
    fn is_new_after_turn(&self, levels: &mut [PerftLevel<W>]) -> bool {
        let begun = levels.iter_mut().rev().find(|level| level.made == 0);
        begun.is_none_or(|level| level.after_turns.insert(self.position()))
    }

    /// Tests if repetition can end the game before the last of `plies` plies (at least two), given
    /// the length of the shortest cycle.
    fn may_repeat(&self, plies: u32, cycle: u32) -> bool {
        // Equal positions are at least one cycle apart. Those after the last ply do not matter.
        let new = 1 + (plies - 2) / cycle;
        let Some(rule) = &self.machine.program.repetition else { return false };
        let most = match &rule.past {
            None => self.history.max_count(),
            Some(past) if !past.forbids && past.place == Place::Decision => {
                self.history.hashes().len().div_ceil(cycle.max(1) as usize)
            }
            Some(_) => return true,
        };
        most + new as usize >= rule.times as usize
    }

    /// Tests if the player of that decision acts again now. Each ply of chance is a turn of its
    /// own.
    fn is_same_turn(&self, before: u16) -> bool {
        let before = &self.machine.program.decisions[usize::from(before)];
        let now = self.decision();
        self.outcome.is_none() && !before.chance && !now.chance && before.mover == now.mover
    }
}
