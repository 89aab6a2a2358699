//! Cicada on 5 by 5 squares, where groups of five molt.
//!
//! Every row has a sixth bit that stays empty, so that shifts need no masks. No standing group has
//! more than four nymphs, so the sum of the sizes of the groups adjacent to each square is computed
//! for all squares at once, as a bit-sliced adder. A group is flood-filled only where a move may
//! split one.

use super::{Baseline, List, site, win};
use ludwright::engine::position::Outcome;

#[derive(Clone, Copy)]
pub struct Cicada {
    nymphs: u64,
    shells: u64,
    movers_turn: bool,
}

const SIZE: u32 = 5;
const ROW: u32 = SIZE + 1;
const ALL: u64 = {
    let mut all = 0;
    let mut row = 0;
    while row < SIZE {
        all |= 0b1_1111 << (row * ROW);
        row += 1;
    }
    all
};
const MOLT: u32 = 5;

/// Orthogonal neighbours, possibly with bits outside the board.
#[inline(always)]
fn beside(bits: u64) -> u64 {
    bits << 1 | bits >> 1 | bits << ROW | bits >> ROW
}

/// Orthogonal and diagonal neighbours, possibly with bits outside the board.
#[inline(always)]
fn around(bit: u64) -> u64 {
    let row = bit << 1 | bit | bit >> 1;
    (row << ROW | row | row >> ROW) & !bit
}

/// Calls `see` with each bit.
#[inline(always)]
fn each(mut bits: u64, mut see: impl FnMut(u64)) {
    while bits != 0 {
        let bit = bits & bits.wrapping_neg();
        bits ^= bit;
        see(bit);
    }
}

/// The given bits and the nymphs connected to them.
#[inline(always)]
fn group(mut bits: u64, nymphs: u64) -> u64 {
    loop {
        let more = bits | beside(bits) & nymphs;
        if more == bits {
            return bits;
        }
        bits = more;
    }
}

/// Maximum number of groups of two or more on the board.
const GROUPS: usize = 8;

/// Groups of two or more, and the total size of the groups adjacent to each square.
struct Groups {
    /// Each group with its neighbours.
    groups: [(u64, u64); GROUPS],
    number: usize,
    /// Nymphs without an adjacent one.
    alone: u64,
    /// Squares where the total is at most 4, and at most 5.
    at_most_4: u64,
    at_most_5: u64,
}

impl Groups {
    #[inline(always)]
    fn of(nymphs: u64) -> Groups {
        let mut found = Groups {
            groups: [(0, 0); GROUPS],
            number: 0,
            alone: nymphs & !beside(nymphs),
            at_most_4: 0,
            at_most_5: 0,
        };
        // The three lowest bits of the total, and whether it reaches eight. Single nymphs are added
        // first, all at once.
        let alone = found.alone;
        let (east, west, north, south) = (alone << 1, alone >> 1, alone << ROW, alone >> ROW);
        let (pair, other) = (east ^ west, north ^ south);
        let (both, others) = (east & west, north & south);
        let carry = pair & other;
        let mut ones = pair ^ other;
        let mut twos = both ^ others ^ carry;
        let mut fours = both & others;
        let mut more = 0;
        let mut rest = nymphs & !alone;
        while rest != 0 {
            let lowest = rest & rest.wrapping_neg();
            let group = group(lowest, rest);
            let beside = beside(group);
            rest &= !group;
            found.groups[found.number % GROUPS] = (group, beside);
            found.number += 1;
            // A group of two, three or four nymphs: adds its size at its neighbours.
            let size = u64::from(group.count_ones());
            let [one_bit, two_bit, four_bit] =
                [0, 1, 2].map(|bit| beside & (size >> bit & 1).wrapping_neg());
            let carry = ones & one_bit;
            ones ^= one_bit;
            let next = twos & two_bit | carry & (twos ^ two_bit);
            twos ^= two_bit ^ carry;
            more |= fours & four_bit | next & (fours ^ four_bit);
            fours ^= four_bit ^ next;
        }
        let over_5 = more | fours & twos;
        found.at_most_5 = !over_5;
        found.at_most_4 = !(over_5 | fours & ones);
        found
    }

    /// Targets that are legal for a nymph of this group even if its departure does not split the
    /// group.
    #[inline(always)]
    fn within(&self, beside: u64, targets: u64) -> u64 {
        targets & (self.at_most_4 | beside & self.at_most_5)
    }
}

impl Cicada {
    fn empty(&self) -> u64 {
        ALL & !(self.nymphs | self.shells)
    }

    /// Legal placements of Placer.
    #[inline(always)]
    fn placements(&self) -> u64 {
        if self.nymphs.count_ones() < MOLT {
            self.empty()
        } else {
            self.empty() & Groups::of(self.nymphs).at_most_4
        }
    }

    /// Calls `see` with each nymph, as a bit, and its legal destinations.
    #[inline(always)]
    fn moves(&self, mut see: impl FnMut(u64, u64)) {
        let empty = self.empty();
        if self.nymphs.count_ones() <= MOLT {
            return each(self.nymphs, |from| see(from, around(from) & empty));
        }
        let groups = Groups::of(self.nymphs);
        each(groups.alone, |from| see(from, groups.within(beside(from), around(from) & empty)));
        for &(group, beside) in &groups.groups[..groups.number] {
            each(group, |from| {
                let targets = around(from) & empty;
                let within = groups.within(beside, targets);
                see(from, within | self.asked(from, targets & beside & !within));
            });
        }
    }

    /// The targets where a nymph makes no group that is too large, tested one by one by flood fill.
    #[inline(always)]
    fn asked(&self, from: u64, targets: u64) -> u64 {
        let mut legal = 0;
        each(targets, |to| {
            if group(to, self.nymphs ^ from).count_ones() <= MOLT {
                legal |= to;
            }
        });
        legal
    }
}

/// A ply is the destination; a ply of Mover has the origin above this bit.
const FROM: u32 = 8;

impl Baseline for Cicada {
    type Past = ();

    fn start() -> Self {
        Cicada { nymphs: 0, shells: 0, movers_turn: false }
    }

    #[inline(always)]
    fn list(&self, plies: &mut List) {
        if self.movers_turn {
            self.moves(|from, targets| {
                plies.push_bits(targets, (from.trailing_zeros() << FROM) as u16)
            });
        } else {
            plies.push_bits(self.placements(), 0);
        }
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        if !self.movers_turn {
            return u64::from(self.placements().count_ones());
        }
        let mut count = 0;
        self.moves(|_, targets| count += u64::from(targets.count_ones()));
        count
    }

    #[inline(always)]
    fn play(&mut self, ply: u16, (): &mut ()) {
        let to = 1 << (ply % (1 << FROM));
        if self.movers_turn {
            self.nymphs ^= 1 << (ply >> FROM);
        }
        self.nymphs |= to;
        self.movers_turn = !self.movers_turn;
        if beside(to) & self.nymphs != 0 {
            let group = group(to, self.nymphs);
            if group.count_ones() == MOLT {
                self.nymphs ^= group;
                self.shells |= group;
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.count() == 0 { win(usize::from(!self.movers_turn)) } else { None }
    }

    fn spell(&self, ply: u16) -> String {
        let label = |square: u32| site(square % ROW, square / ROW);
        let (from, to) = (u32::from(ply >> FROM), u32::from(ply % (1 << FROM)));
        if self.movers_turn {
            format!("move {}-{}", label(from), label(to))
        } else {
            format!("place {}", label(to))
        }
    }
}
