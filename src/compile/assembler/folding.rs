//! Simplifies operations on sets that are known: empty, the whole board, the complement of another
//! set, or the pieces of some kinds and owners.

use super::{Assembler, FoldedConstants, Set};
use crate::board::Direction;
use crate::compile::op::{Code, Op};
use rustc_hash::FxHashMap;

/// The number of shifts through which subsets are followed.
const MAX_SHIFTS: usize = 8;

/// Facts about sets in registers. A loop forgets them, because an iteration may change the operands
/// that a register was computed from.
#[derive(Default)]
pub(super) struct SetFacts {
    /// Registers that hold the complement of another one, as of its version.
    complements: FxHashMap<u16, (Set, u32)>,
    /// Registers that hold nothing of another one, as of the versions of both.
    differences: FxHashMap<u16, (Set, [u32; 2])>,
    /// Registers that hold the union of the registers of pieces in a bit mask.
    pieces: FxHashMap<u16, u128>,
    /// By register and direction: the set, as of its version, that the register holds shifted.
    shifts: FxHashMap<(u16, u8), (Set, u32)>,
}

impl SetFacts {
    /// Forgets what depends on the pieces of the position, which change here.
    pub(super) fn forget_pieces(&mut self) {
        self.pieces.clear();
    }
}

impl Assembler {
    /// Returns the set whose complement this one is, if known and unchanged since.
    fn complemented(&self, set: Set) -> Option<Set> {
        let &(other, version) = self.facts.complements.get(&set.0)?;
        (self.set_version(other.0) == version).then_some(other)
    }

    /// Tests if one of two sets is known to be what the other one has been taken out of.
    fn are_apart(&self, one: Set, other: Set) -> bool {
        [(one, other), (other, one)].into_iter().any(|(set, other)| {
            let versions = [set, other].map(|set| self.set_version(set.0));
            self.facts.differences.get(&set.0) == Some(&(other, versions))
        })
    }

    /// Returns the complement of a set.
    fn complement(&mut self, set: Set) -> Set {
        if let Some(other) = self.complemented(set) {
            return other;
        }
        let complement = self.binary(Code::AndNot, self.known.board, set);
        self.facts.complements.insert(complement.0, (set, self.set_version(set.0)));
        complement
    }

    /// Returns a set one step further in a direction.
    pub fn shift(&mut self, set: Set, direction: Direction) -> Set {
        let x = u8::from(direction);
        let shifted = Set(self.value(Op { x, b: set.0, ..Op::new(Code::Shift) }));
        self.shifts_to(set, direction, shifted);
        shifted
    }

    /// Says that a register holds a set one step further in a direction.
    pub fn shifts_to(&mut self, set: Set, direction: Direction, shifted: Set) {
        let version = self.set_version(set.0);
        self.facts.shifts.insert((shifted.0, direction.into()), (set, version));
    }

    /// Tests if a set is known to be a subset of another one: of the board, or both are shifted the
    /// same way and were subsets before. So a step into a region is not asked again whether it
    /// stays on the board.
    fn is_within(&self, set: Set, other: Set) -> bool {
        let unshifted = |set: Set, way: u8| {
            let &(before, version) = self.facts.shifts.get(&(set.0, way))?;
            (self.set_version(before.0) == version).then_some(before)
        };
        let (mut set, mut other) = (set, other);
        // Constants shifted on a board that wraps may come round, so that the steps are limited.
        for _ in 0..MAX_SHIFTS {
            if other == self.known.board || set == other {
                return true;
            }
            let before = |way| unshifted(set, way).zip(unshifted(other, way));
            let Some(earlier) = (0..8).find_map(before) else { return false };
            (set, other) = earlier;
        }
        false
    }

    /// Returns the intersection.
    pub fn and(&mut self, a: Set, b: Set) -> Set {
        let FoldedConstants { none, board, .. } = self.known;
        match (a, b) {
            _ if a == none || b == none => none,
            _ if a == board || a == b => b,
            _ if b == board => a,
            _ if self.are_apart(a, b) => none,
            _ if self.is_within(a, b) => a,
            _ if self.is_within(b, a) => b,
            // Two complements cancel, and the complement itself is dropped if nothing else reads
            // it.
            _ => match [a, b].map(|set| self.complemented(set)) {
                [_, Some(other)] => self.without(a, other),
                [Some(other), _] => self.without(b, other),
                _ => self.of_pieces(Code::And, a, b, |a, b| a & b),
            },
        }
    }

    /// Returns the union.
    pub fn or(&mut self, a: Set, b: Set) -> Set {
        let FoldedConstants { none, board, .. } = self.known;
        match (a, b) {
            _ if a == board || b == board => board,
            _ if a == none || a == b => b,
            _ if b == none => a,
            _ => self.of_pieces(Code::Or, a, b, |a, b| a | b),
        }
    }

    /// Returns the difference.
    pub fn without(&mut self, a: Set, b: Set) -> Set {
        let FoldedConstants { none, board, .. } = self.known;
        match (a, b) {
            _ if a == none || b == board || a == b => none,
            _ if b == none => a,
            _ if a == board => self.complement(b),
            _ => match self.complemented(b) {
                Some(other) => self.and(a, other),
                None => {
                    let difference = self.of_pieces(Code::AndNot, a, b, |a, b| a & !b);
                    let versions = [difference, b].map(|set| self.set_version(set.0));
                    self.facts.differences.insert(difference.0, (b, versions));
                    difference
                }
            },
        }
    }

    /// Returns the symmetric difference.
    pub fn xor(&mut self, a: Set, b: Set) -> Set {
        let FoldedConstants { none, board, .. } = self.known;
        match (a, b) {
            _ if a == b => none,
            _ if a == none => b,
            _ if b == none => a,
            _ if a == board => self.without(board, b),
            _ if b == board => self.without(board, a),
            _ => match [a, b].map(|set| self.complemented(set)) {
                [None, None] => self.binary(Code::Xor, a, b),
                [Some(one), Some(other)] => self.xor(one, other),
                [Some(one), None] => self.complemented_xor(one, b),
                [None, Some(other)] => self.complemented_xor(other, a),
            },
        }
    }

    /// Returns the complement of the symmetric difference.
    fn complemented_xor(&mut self, a: Set, b: Set) -> Set {
        let either = self.xor(a, b);
        self.without(self.known.board, either)
    }

    /// Returns the result of an operation as it is.
    fn binary(&mut self, code: Code, a: Set, b: Set) -> Set {
        Set(self.value(Op { b: a.0, c: b.0, ..Op::new(code) }))
    }

    /// Returns the registers of pieces whose union a set is, as a bit mask, if known.
    fn pieces_in(&self, set: Set) -> Option<u128> {
        match set.0 {
            register if register < self.known.pieces_end => 1u128.checked_shl(register.into()),
            register => self.facts.pieces.get(&register).copied(),
        }
    }

    /// Returns the result of an operation. On unions of registers of pieces, which are disjoint,
    /// it is such a union, too: one of the operands, or one of few registers.
    fn of_pieces(&mut self, code: Code, a: Set, b: Set, on: impl Fn(u128, u128) -> u128) -> Set {
        let masks = self.pieces_in(a).zip(self.pieces_in(b));
        let Some((in_a, in_b)) = masks else { return self.binary(code, a, b) };
        let mask = on(in_a, in_b);
        let lowest = Set(mask.trailing_zeros() as u16);
        match mask.count_ones() {
            _ if mask == in_a => a,
            _ if mask == in_b => b,
            0 => self.known.none,
            1 => lowest,
            2 if code != Code::Or => {
                let highest = Set(127 - mask.leading_zeros() as u16);
                self.or(lowest, highest)
            }
            _ => {
                let union = self.binary(code, a, b);
                self.facts.pieces.insert(union.0, mask);
                union
            }
        }
    }
}
