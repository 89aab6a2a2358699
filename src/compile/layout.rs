//! Assigns the registers of a position.
//!
//! Pieces come first and then the memories that travel with a piece, so that a relocation changes
//! one contiguous range of registers.

use super::assembler::{FIXED, Set, TooLarge};
use crate::language::rules::{MemoryId, MemoryType, PieceId, PlayerId, Rules};
use std::ops::Range;

/// The registers of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Home {
    /// Sets: one for each player and direction, in that order.
    Sets { first: u16 },
    /// Numbers: one for each player and kind of piece, in that order. A site is its number, or -1;
    /// a player his index; a kind or a direction its index, or -1; a condition 1 or 0.
    Nums { first: u16 },
    /// Bit planes: sets that hold a number at each site, the lowest bit first. A remembered site,
    /// kind or direction is its number plus one; nowhere, no kind and no direction are 0.
    Field { first: u16, bits: u16 },
}

/// The registers of piles: the sites with a piece at each depth.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PileRegisters {
    /// Registers below this hold the tops.
    pub tops: u16,
    /// The registers of the tops on which other pieces may lie.
    pub covered: Vec<u16>,
    /// The first register below the tops. The registers of a depth are in the order of `covered`,
    /// and come after those of the depth above.
    pub first: u16,
    /// How many pieces a pile has at most.
    pub most: u16,
}

impl PileRegisters {
    /// Returns the registers of a depth, 1 or more.
    pub fn below(&self, depth: usize) -> Range<u16> {
        let kinds = self.covered.len() as u16;
        let first = self.first + (depth as u16 - 1) * kinds;
        first..first + kinds
    }

    /// Returns all registers, the tops first.
    pub fn registers(&self) -> impl Iterator<Item = u16> + use<> {
        (0..self.tops).chain(self.all_below())
    }

    /// Returns the number of registers.
    pub fn count(&self) -> usize {
        usize::from(self.tops) + self.all_below().len()
    }

    /// Returns the registers as they are if those below the tops follow them.
    pub fn compact(&self) -> PileRegisters {
        PileRegisters { first: self.tops, ..self.clone() }
    }

    /// Returns all registers below the tops.
    pub fn all_below(&self) -> Range<u16> {
        self.first..self.first + (self.most - 1) * self.covered.len() as u16
    }
}

/// The registers of a position.
#[derive(Clone, Debug, Hash)]
pub struct Layout {
    /// By piece, its first register: one for each player if it is owned, else one.
    pieces: Vec<u16>,
    homes: Vec<Home>,
    /// The register of the sites that were cut out in play, if the rules cut.
    pub cut: Option<Set>,
    /// Registers below hold pieces.
    pub pieces_end: u16,
    pub piles: Option<PileRegisters>,
    /// Registers from `pieces_end` to below this hold the memories that travel with a piece.
    pub travelling_end: u16,
    /// The number of sets in a position.
    pub sets: u16,
    /// The number of numbers of a position that the rules name. The counters of the order of play
    /// follow.
    pub nums: u16,
}

impl Layout {
    /// Assigns the registers of every part of a position. The last `observed` memories come last,
    /// so that all other registers are the same as for rules without these memories.
    pub fn new(rules: &Rules, cuts: bool, observed: usize) -> Result<Layout, TooLarge> {
        #[derive(Clone, Copy, PartialEq)]
        enum Part {
            Travelling,
            Fixed,
            Observed,
        }
        let first_observed = rules.memories.len().saturating_sub(observed);
        let part_of = |index: usize| match &rules.memories[index] {
            _ if index >= first_observed => Part::Observed,
            memory if memory.travels => Part::Travelling,
            _ => Part::Fixed,
        };
        let players = rules.players.len() as u32;
        let mut sets = 0u32;
        let mut nums = 0u32;
        let mut take = |count: u32| {
            let first = sets;
            sets += count;
            first.min(u32::from(FIXED)) as u16
        };
        let pieces: Vec<u16> =
            rules.pieces.iter().map(|piece| take(if piece.owned { players } else { 1 })).collect();
        let pieces_end = take(0);
        let mut homes = vec![Home::Nums { first: 0 }; rules.memories.len()];
        let mut travelling_end = pieces_end;
        let mut cut = None;
        for part in [Part::Travelling, Part::Fixed, Part::Observed] {
            for (_, (home, memory)) in (0..)
                .zip(homes.iter_mut().zip(&rules.memories))
                .filter(|&(index, _)| part_of(index) == part)
            {
                let copies = if memory.per_player { players } else { 1 };
                let bits = |most: u32| (u32::BITS - most.leading_zeros()).max(1);
                *home = match (memory.holds, memory.per_site) {
                    (MemoryType::Sites, _) => Home::Sets {
                        first: take(copies * memory.per_direction.len().max(1) as u32),
                    },
                    (MemoryType::Site, true) => {
                        let bits = bits(rules.board.slots() as u32);
                        Home::Field { first: take(bits), bits: bits as u16 }
                    }
                    (MemoryType::Kind, true) => {
                        let bits = bits(rules.pieces.len() as u32);
                        Home::Field { first: take(bits), bits: bits as u16 }
                    }
                    (MemoryType::Direction, true) => {
                        let bits = bits(rules.board.way_limit() as u32);
                        Home::Field { first: take(bits), bits: bits as u16 }
                    }
                    (MemoryType::Number { most }, true) => {
                        let bits = bits(most.max(1) as u32);
                        Home::Field { first: take(bits), bits: bits as u16 }
                    }
                    _ => {
                        let first = nums;
                        nums += copies * memory.keys.count() as u32;
                        Home::Nums { first: first.min(u32::from(FIXED)) as u16 }
                    }
                };
            }
            match part {
                Part::Travelling => travelling_end = take(0),
                Part::Fixed => cut = cuts.then(|| Set(take(1))),
                Part::Observed => {}
            }
        }
        if sets > u32::from(FIXED) / 2 || nums > u32::from(FIXED) / 2 {
            return Err(TooLarge);
        }
        let owners =
            |kind: PieceId| if rules.pieces[kind.index()].owned { players as u16 } else { 1 };
        let of_kind = |kind: PieceId| {
            let first = pieces[kind.index()];
            first..first + owners(kind)
        };
        let piles = rules.piles.as_ref().map(|piles| PileRegisters {
            tops: pieces_end,
            covered: piles.kinds().flat_map(of_kind).collect(),
            first: match homes[piles.first_set().index()] {
                Home::Sets { first } | Home::Nums { first } | Home::Field { first, .. } => first,
            },
            most: piles.most as u16,
        });
        Ok(Layout {
            piles,
            pieces,
            homes,
            cut,
            pieces_end,
            travelling_end,
            sets: sets as u16,
            nums: nums as u16,
        })
    }

    /// Returns the register of a kind of piece, of this player if it is owned.
    pub fn piece(&self, piece: PieceId, owner: Option<PlayerId>) -> Set {
        Set(self.pieces[piece.index()] + owner.map_or(0, |player| player.0))
    }

    /// Returns the number of memories.
    pub fn memories(&self) -> usize {
        self.homes.len()
    }

    /// Returns the registers of a memory.
    pub fn home(&self, memory: MemoryId) -> Home {
        self.homes[memory.index()]
    }
}
