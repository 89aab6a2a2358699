//! Cicada on 5 by 5 squares, where groups of five molt.
//!
//! Every row has a sixth bit that stays empty. No group that stands has more than four nymphs, so
//! that the sums of the groups beside a square fit a few sets, added like binary numbers; only
//! where a group may fall apart is one looked up square by square.

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

/// The bits beside these, and perhaps some that are not on the board.
#[inline(always)]
fn beside(bits: u64) -> u64 {
    bits << 1 | bits >> 1 | bits << ROW | bits >> ROW
}

/// The squares around one, diagonally as well, and perhaps some that are not on the board.
#[inline(always)]
fn around(bit: u64) -> u64 {
    let row = bit << 1 | bit | bit >> 1;
    (row << ROW | row | row >> ROW) & !bit
}

/// Shows each bit.
#[inline(always)]
fn each(mut bits: u64, mut see: impl FnMut(u64)) {
    while bits != 0 {
        let bit = bits & bits.wrapping_neg();
        bits ^= bit;
        see(bit);
    }
}

/// The nymphs that are connected with these bits, and the bits.
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

/// No more groups of two and more fit on the board.
const GROUPS: usize = 8;

/// The groups of two and more, and how many nymphs the groups beside each square have together.
struct Groups {
    /// Each group, and the bits beside it.
    groups: [(u64, u64); GROUPS],
    number: usize,
    /// Nymphs that stand alone.
    alone: u64,
    /// The squares where the sum is at most 4, and where it is at most 5.
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
        // The sum's three lowest bits, and whether it is eight or more.
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
            // It has two, three or four nymphs.
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

    /// The squares among these where a nymph from this group may go.
    #[inline(always)]
    fn within(&self, beside: u64, targets: u64) -> u64 {
        targets & (self.at_most_4 | beside & self.at_most_5)
    }
}

impl Cicada {
    fn empty(&self) -> u64 {
        ALL & !(self.nymphs | self.shells)
    }

    /// Where Placer can place.
    #[inline(always)]
    fn placements(&self) -> u64 {
        if self.nymphs.count_ones() < MOLT {
            self.empty()
        } else {
            self.empty() & Groups::of(self.nymphs).at_most_4
        }
    }

    /// Shows each nymph, as a bit, with the squares where it can go.
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

    /// The squares among these where a nymph makes no group that is too large, each looked at for
    /// itself.
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

/// A ply is the square where it leads, and Mover's, in higher bits, the square from which it comes.
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
