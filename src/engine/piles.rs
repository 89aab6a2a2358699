//! Effects on piles: the pieces of a site are read, changed and written as a list.
//!
//! The position holds them as sets by depth ([`PileRegisters`]), so that clauses ask all sites at
//! once. An effect is on few sites, and takes as long as their piles are high.

use super::bits::Bits;
use crate::compile::layout::PileRegisters;

/// The most pieces that a pile can have: a position has no more registers of sets.
const HIGHEST: usize = 128;

/// The sets of the tops and of the pieces below them, as one array.
pub struct Piles<'s, const W: usize> {
    sets: &'s mut [Bits<W>],
    registers: &'s PileRegisters,
}

/// The pieces on a site, from the top down, by their register among the tops.
#[derive(Clone, Copy)]
struct Pile {
    pieces: [u16; HIGHEST],
    height: usize,
}

impl Pile {
    const EMPTY: Pile = Pile { pieces: [0; HIGHEST], height: 0 };

    fn pieces(&self) -> &[u16] {
        &self.pieces[..self.height]
    }

    /// Returns the pile of some pieces on top of others; pieces beyond the greatest height are left
    /// out.
    fn of(above: &[u16], below: &[u16]) -> Pile {
        let mut pile = Pile::EMPTY;
        for (place, &piece) in pile.pieces.iter_mut().zip(above.iter().chain(below)) {
            *place = piece;
            pile.height += 1;
        }
        pile
    }
}

impl<'s, const W: usize> Piles<'s, W> {
    /// Returns the piles of a position in these sets, which the registers index.
    pub fn new(sets: &'s mut [Bits<W>], registers: &'s PileRegisters) -> Self {
        Piles { sets, registers }
    }

    fn read(&self, site: usize) -> Pile {
        let mut pile = Pile::EMPTY;
        let registers = self.registers;
        let top = (0..registers.tops).find(|&top| self.sets[usize::from(top)].has(site));
        let mut found = top;
        while let Some(piece) = found {
            pile.pieces[pile.height] = piece;
            pile.height += 1;
            if pile.height >= usize::from(registers.most).min(HIGHEST) {
                break;
            }
            let mut below = registers.below(pile.height).zip(&registers.covered);
            found = below
                .find(|&(set, _)| self.sets[usize::from(set)].has(site))
                .map(|(_, &piece)| piece);
        }
        pile
    }

    /// Gives a site other pieces. Below the top, pieces that cannot be covered are left out.
    fn write(&mut self, site: usize, old: &Pile, new: &Pile) {
        let one = Bits::single(site);
        let highest = old.height.max(new.height).min(usize::from(self.registers.most));
        for depth in 0..highest {
            let [was, is] = [old, new].map(|pile| pile.pieces().get(depth).copied());
            if was == is {
                continue;
            }
            for (piece, holds) in [(was, false), (is, true)] {
                let Some(set) = piece.and_then(|piece| self.register(depth, piece)) else {
                    continue;
                };
                let set = &mut self.sets[usize::from(set)];
                *set = if holds { *set | one } else { *set & !one };
            }
        }
    }

    fn register(&self, depth: usize, piece: u16) -> Option<u16> {
        if depth == 0 {
            return Some(piece);
        }
        let place = self.registers.covered.iter().position(|&covered| covered == piece)?;
        Some(self.registers.below(depth).start + place as u16)
    }

    /// Returns the number of pieces on a site.
    pub fn height(&self, site: i32) -> i32 {
        usize::try_from(site).map_or(0, |site| self.read(site).height as i32)
    }

    /// Sinks every piece on these sites by one, which leaves no piece on top.
    pub fn sink(&mut self, at: Bits<W>) {
        for site in at.iter() {
            let old = self.read(site);
            self.write(site, &old, &Pile::EMPTY);
            for (depth, &piece) in (1..usize::from(self.registers.most)).zip(old.pieces()) {
                if let Some(set) = self.register(depth, piece) {
                    self.sets[usize::from(set)] |= Bits::single(site);
                }
            }
        }
    }

    /// Removes this many pieces from the top of each of these sites.
    pub fn rise(&mut self, at: Bits<W>, number: i32) {
        for site in at.iter() {
            let old = self.read(site);
            let taken = usize::try_from(number).unwrap_or(0).min(old.height);
            self.write(site, &old, &Pile::of(&[], &old.pieces()[taken..]));
        }
    }

    /// Moves this many pieces from the top of one site to another.
    pub fn carry(&mut self, from: i32, to: i32, number: i32, beneath: bool) {
        let Some((from, to)) = usize::try_from(from).ok().zip(usize::try_from(to).ok()) else {
            return;
        };
        let (old, there) = (self.read(from), self.read(to));
        let taken = usize::try_from(number).unwrap_or(0).min(old.height);
        let (carried, left) = old.pieces().split_at(taken);
        let grown = match beneath {
            false => Pile::of(carried, there.pieces()),
            true => Pile::of(there.pieces(), carried),
        };
        let lying = grown.pieces().iter().skip(1);
        let fits = there.height + taken <= usize::from(self.registers.most)
            && lying.copied().all(|piece| self.registers.covered.contains(&piece));
        if from != to && taken > 0 && fits {
            self.write(from, &old, &Pile::of(&[], left));
            self.write(to, &there, &grown);
        }
    }
}
