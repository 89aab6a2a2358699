//! The fuel that a program takes, computed once from its instructions and the board.
//!
//! A loop takes fuel in every iteration, as much as the most expensive path through its body costs.
//! Loops inside the body take their own and do not count towards it. Trying a move takes the cost
//! of the most expensive path through the routine that makes it, without loops. So neither the
//! interpreter nor machine code counts instructions, and both charge the same.

use crate::board::Board;
use crate::compile::op::{Code, Op, OperandRole};
use crate::compile::program::{Address, Program};
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;

/// The fuel for one tried move and all that follows it up to the next move sets: a twentieth of a
/// second of interpreting.
pub const MOVE_FUEL: u32 = 1 << 22;
/// The fuel for everything up to the next ply: all moves tried at the decisions in between, and the
/// order of play from one to the next. A quarter of a second of interpreting.
pub const PLY_FUEL: u32 = 1 << 24;
/// The least fuel for trying a move.
pub const TRIAL_FUEL: u32 = 8;
/// A ply that takes more fuel, about a quarter of a millisecond, makes the next poll of a limit
/// read the clock, and for that reason ends a playout in machine code.
pub const DEAR_FUEL: u32 = 1 << 14;
/// The costs that make a unit of fuel, which is about a round of a loop with a few simple
/// instructions.
const COST_PER_UNIT: u64 = 16;

/// The fuel that the loops and moves of a program take.
pub struct FuelCosts {
    /// By address: the fuel for a round of the loop that this instruction goes round.
    rounds: Vec<u32>,
    /// By specialization: the fuel for trying one of its moves.
    trials: Vec<u32>,
    /// The most fuel that trying a move can take, its loops included; `None` if nothing bounds
    /// them.
    most_for_a_move: Option<u64>,
}

impl FuelCosts {
    /// Computes the costs for sets of this many words.
    pub fn new(board: &Board, program: &Program, words: usize) -> FuelCosts {
        let costs = RoutineCosts::new(board, program, words);
        let mut last_jumps: FxHashMap<Address, Address> = FxHashMap::default();
        for (address, op) in (0..).zip(&program.code) {
            if let Some(target) = target(op).filter(|&target| target <= address) {
                last_jumps.insert(target, address);
            }
        }
        let round = |(address, op): (Address, &Op)| match op.code {
            Code::LoopBack => costs.longest(op.c, address),
            Code::Take | Code::Dequeue => {
                costs.longest(address, last_jumps.get(&address).copied().unwrap_or(address))
            }
            _ => 0,
        };
        let mut known: FxHashMap<Address, u64> = FxHashMap::default();
        let mut trial = |from: Address| {
            let end = program.routine_around(from).end;
            *known.entry(from).or_insert_with(|| costs.longest(from, end - 1))
        };
        let mut fuel = FuelCosts {
            rounds: (0..).zip(&program.code).map(|at| units(round(at)).max(1)).collect(),
            trials: program
                .specializations
                .iter()
                .map(|specialization| units(trial(specialization.apply)).max(TRIAL_FUEL))
                .collect(),
            most_for_a_move: None,
        };
        let loops = |address| last_jumps.get(&address).map(|&last| address..=last);
        let mut bounds: FxHashMap<Address, Option<u64>> = FxHashMap::default();
        fuel.most_for_a_move =
            (0..).zip(&program.specializations).try_fold(0, |most, (at, each)| {
                let routine =
                    || fuel.bound(program, each.apply, loops, board.slots() as u64, words);
                let bound = (*bounds.entry(each.apply).or_insert_with(routine))?;
                // Requirements may be tested once before the move is made.
                Some(most.max(2 * bound + u64::from(fuel.trial(at))))
            });
        fuel
    }

    /// Returns the most fuel that the loops of a routine can take; `None` if one of them need not
    /// end. A loop over sites goes round once for each of them, as often as the loops around it.
    fn bound(
        &self,
        program: &Program,
        from: Address,
        loops: impl Fn(Address) -> Option<RangeInclusive<Address>>,
        slots: u64,
        words: usize,
    ) -> Option<u64> {
        let routine = program.routine(from);
        let looping: Vec<_> = routine.iter().filter_map(|&address| loops(address)).collect();
        routine.iter().try_fold(0_u64, |total, &address| {
            let round = match program.code[usize::from(address)].code {
                Code::LoopBack => return None,
                Code::Take | Code::Dequeue => u64::from(self.rounds[usize::from(address)]),
                Code::Flood => slots * words.div_ceil(4) as u64,
                _ => return Some(total),
            };
            let depth = looping.iter().filter(|range| range.contains(&address)).count();
            Some(total.saturating_add(round.saturating_mul(slots.saturating_pow(depth as u32))))
        })
    }

    /// Tests if this many moves can be tried at a position without running out of fuel.
    pub fn suffices_for(&self, moves: u32) -> bool {
        self.most_for_a_move.is_some_and(|most| {
            most <= MOVE_FUEL.into() && most * u64::from(moves) <= PLY_FUEL.into()
        })
    }

    /// Returns the fuel for a round of each loop, by the address of the instruction that takes it.
    #[inline(always)]
    pub fn rounds(&self) -> &[u32] {
        &self.rounds
    }

    /// Returns the fuel for trying the most expensive move.
    #[cfg(feature = "native")]
    pub fn dearest_trial(&self) -> u32 {
        self.trials.iter().copied().max().unwrap_or(TRIAL_FUEL)
    }

    /// Returns the fuel for trying a move of a specialization.
    #[inline(always)]
    pub fn trial(&self, specialization: u16) -> u32 {
        self.trials[usize::from(specialization)]
    }
}

/// Converts costs to fuel, capped at the fuel of a ply.
fn units(cost: u64) -> u32 {
    ((cost + COST_PER_UNIT / 2) / COST_PER_UNIT).min(PLY_FUEL.into()) as u32
}

/// Returns the address that an instruction may jump to.
fn target(op: &Op) -> Option<Address> {
    (op.code.roles()[2] == OperandRole::Target).then_some(op.c)
}

/// The costs of instructions, in nanoseconds of interpreting or somewhat less.
struct RoutineCosts<'p> {
    code: &'p [Op],
    words: u64,
    /// The most steps of a line.
    line: u64,
    has_rings: bool,
    masks: &'p [u16],
}

impl RoutineCosts<'_> {
    fn new<'p>(board: &Board, program: &'p Program, words: usize) -> RoutineCosts<'p> {
        let has_rings = board.has_rings();
        RoutineCosts {
            code: &program.code,
            words: words as u64,
            line: if has_rings { board.slots() } else { board.longest_line() } as u64,
            has_rings,
            masks: &program.masks,
        }
    }

    /// Returns the cost of the most expensive path from the instruction `first` that goes back to
    /// it or leaves the range up to `last`. A path that goes back elsewhere is an iteration of a
    /// nested loop.
    fn longest(&self, first: Address, last: Address) -> u64 {
        let mut ways: Vec<Option<u64>> = vec![None; usize::from(last - first) + 1];
        for at in (first..=last).rev() {
            let op = &self.code[usize::from(at)];
            let after = |to: Address| match to {
                _ if to == first || to > last || to < first => Some(0),
                _ if to <= at => None,
                _ => ways[usize::from(to - first)],
            };
            let next = || after(at.saturating_add(1));
            let after = match (op.code, target(op)) {
                (Code::Return | Code::Fail | Code::Win | Code::Draw | Code::Decide, _) => Some(0),
                (Code::Jump | Code::LoopBack, Some(target)) => after(target),
                (_, Some(target)) => next().max(after(target)),
                (_, None) => next(),
            };
            ways[usize::from(at - first)] = after.map(|after| after + self.of(op));
        }
        ways[0].unwrap_or(0)
    }

    /// Returns the cost of an instruction. Fills and walks cost as much as on an empty board; a
    /// flood as much as its first pass, since it takes the fuel for later passes as it makes them.
    fn of(&self, op: &Op) -> u64 {
        let RoutineCosts { words, line, .. } = *self;
        let mask = self.masks.get(usize::from(op.x)).copied().unwrap_or(0);
        let directions = u64::from(mask.count_ones());
        let pass = 1 + 2 * words;
        2 + match op.code {
            Code::Fill => line * pass,
            Code::Walk => directions * line * pass,
            Code::Flood | Code::Beside => directions * (1 + words),
            Code::Sight => directions * if self.has_rings { 2 * line } else { 3 + words },
            Code::Between => 24 * line,
            Code::Direction => 16,
            Code::Shift => words,
            Code::Enqueue => 8 + words,
            Code::AddMoveSet => 8 + 2 * words,
            Code::Sink | Code::Rise => 40 * words.min(4),
            Code::Carry => 80,
            Code::Height => 20,
            Code::NewQueue => words / 2,
            Code::Take => words / 4,
            Code::Bit | Code::IfIn | Code::IfOut | Code::EachPrefix => 0,
            code if code.has_sets() => words / 2,
            _ => 0,
        }
    }
}
