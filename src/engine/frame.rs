//! The registers of a routine, its inputs and its outputs.
//!
//! The layout is fixed (`repr(C)`), so that machine code can address the fields.

use super::bits::Bits;
use super::guarded::{Canary, PATTERN};
use crate::compile::assembler::FIXED;
use crate::compile::program::{MAX_CACHED_FILLS, MAX_PARAMETERS};

/// The number of registers of each kind. A position takes at most half of them.
pub const REGISTERS: usize = FIXED as usize;
/// The maximum number of prefix arguments of a specialization.
pub const MAX_PREFIX: usize = MAX_PARAMETERS - 1;

/// The number of floods in a program that are cached.
pub const FLOOD_CACHE_SIZE: usize = 4;
/// The number of sets for cached lines of sight: the results of fills and a few of their inputs.
pub const SIGHTLINE_CACHE_SIZE: usize = MAX_CACHED_FILLS + 4;

/// A flood fill and its result. Fill is monotone: if the seeds and the region only grow, the new
/// result contains the old one, and can start from it.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct CachedFlood<const W: usize> {
    pub seeds: Bits<W>,
    pub region: Bits<W>,
    pub result: Bits<W>,
}

impl<const W: usize> CachedFlood<W> {
    /// The flood from no seeds, which is empty.
    const EMPTY: Self = CachedFlood { seeds: Bits::NONE, region: Bits::NONE, result: Bits::NONE };
}

/// The registers, inputs and outputs of routines. Aligned so that two threads' frames never share a
/// cache line.
#[derive(Clone)]
#[repr(C, align(128))]
pub struct Frame<const W: usize> {
    pub sets: [Bits<W>; REGISTERS],
    pub nums: [i32; REGISTERS],
    /// The arguments of the move that is applied.
    pub arguments: [i32; MAX_PREFIX + 1],
    /// The prefix arguments of the move sets generated next.
    pub prefix: [i16; MAX_PREFIX],
    /// The fuel left for the current move.
    pub move_fuel: u32,
    /// Whether the current ply ends the turn: 0 or 1.
    pub leaves: u32,
    /// The number of move sets in the buffer.
    pub move_set_count: u32,
    /// The total number of members of the current decision's move sets.
    pub member_count: u32,
    /// Positive if all members of the current decision's move sets are known to be legal.
    pub all_legal: i32,
    /// Look-ahead: how many move sets the buffer holds at most.
    pub capacity: u32,
    /// Playouts: the number of decisions passed over for want of a legal ply.
    pub passes: u32,
    /// Perft: the index of the first move set of the current decision.
    pub first: u32,
    /// Playouts: how many plies may still be made. Perft: how many plies a sequence still has.
    /// Look-ahead: the fewest plies that remained to be made at any point of the search below this
    /// frame.
    pub left: u32,
    /// Playouts: the state of the random number generator.
    pub random: u64,
    /// Playouts: the decision that the order of play has reached.
    pub at: u32,
    /// Playouts: the decision of the last ply; -1 if no ply was made since a position was last
    /// added to the history.
    pub last_ply_decision: i32,
    /// The cached floods. They are not part of the position: each holds for any position, since it
    /// contains its own inputs.
    pub flood_cache: [CachedFlood<W>; FLOOD_CACHE_SIZE],
    /// The cached lines of sight, which are not part of the position either.
    pub sightlines: [Bits<W>; SIGHTLINE_CACHE_SIZE],
}

impl<const W: usize> Default for Frame<W> {
    fn default() -> Self {
        Frame {
            sets: [Bits::NONE; REGISTERS],
            nums: [0; REGISTERS],
            arguments: [0; MAX_PREFIX + 1],
            prefix: [0; MAX_PREFIX],
            move_fuel: 0,
            leaves: 0,
            move_set_count: 0,
            member_count: 0,
            all_legal: 0,
            capacity: 0,
            passes: 0,
            first: 0,
            left: 0,
            random: 0,
            at: 0,
            last_ply_decision: -1,
            flood_cache: [CachedFlood::EMPTY; FLOOD_CACHE_SIZE],
            sightlines: [Bits::NONE; SIGHTLINE_CACHE_SIZE],
        }
    }
}

/// A set of moves of one specialization: one for each member of a set of sites or numbers.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MoveSet<const W: usize> {
    pub members: Bits<W>,
    /// The number of members in the earlier move sets of the decision.
    pub before: u32,
    pub specialization: u16,
    pub prefix: [i16; MAX_PREFIX],
}

impl<const W: usize> MoveSet<W> {
    /// The empty move set.
    pub const EMPTY: Self =
        MoveSet { members: Bits::NONE, before: 0, specialization: 0, prefix: [0; MAX_PREFIX] };

    /// Returns the move set with another prefix argument.
    pub fn with_prefix(mut self, place: usize, value: usize) -> Self {
        if let Some(argument) = self.prefix.get_mut(place) {
            *argument = value as i16;
        }
        self
    }
}

/// The work queue of a chain. Each site enters it at most once.
#[derive(Clone)]
#[repr(C)]
pub struct Queue<const W: usize> {
    joined: Bits<W>,
    sites: [[u16; 64]; W],
    length: u32,
    taken: u32,
}

impl<const W: usize> Default for Queue<W> {
    fn default() -> Self {
        Queue { joined: Bits::NONE, sites: [[0; 64]; W], length: 0, taken: 0 }
    }
}

impl<const W: usize> Queue<W> {
    /// Empties the queue and forgets which sites were in it.
    pub fn empty(&mut self) {
        self.joined = Bits::NONE;
        self.length = 0;
        self.taken = 0;
    }

    /// Appends the sites that have not been in the queue.
    pub fn join(&mut self, sites: Bits<W>) {
        for site in (sites & !self.joined).iter() {
            self.sites.as_flattened_mut()[self.length as usize] = site as u16;
            self.length += 1;
        }
        self.joined |= sites;
    }

    /// Removes the first site.
    pub fn take(&mut self) -> Option<u16> {
        let site =
            self.sites.as_flattened()[..self.length as usize].get(self.taken as usize).copied()?;
        self.taken += 1;
        Some(site)
    }
}

/// A set that no rules produce.
fn pattern<const W: usize>() -> Bits<W> {
    Bits([PATTERN; W])
}

/// How many registers of each kind are compared. Machine code that runs past its frame would reach
/// the first ones first.
const COMPARED: usize = 16;

impl<const W: usize> Canary for Frame<W> {
    fn canary() -> Self {
        Frame {
            sets: [pattern(); REGISTERS],
            nums: [PATTERN as i32; REGISTERS],
            sightlines: [pattern(); SIGHTLINE_CACHE_SIZE],
            ..Frame::default()
        }
    }

    fn is_intact(&self) -> bool {
        let Frame {
            sets,
            nums,
            arguments,
            prefix,
            move_fuel,
            leaves,
            move_set_count,
            member_count,
            all_legal,
            capacity,
            ..
        } = self;
        let Frame { passes, first, left, random, at, last_ply_decision, sightlines, .. } = self;
        sets[..COMPARED].iter().chain(sightlines).all(|set| *set == pattern())
            && nums[..COMPARED].iter().all(|&num| num == PATTERN as i32)
            && arguments.iter().chain([all_legal]).all(|&number| number == 0)
            && prefix.iter().all(|&number| number == 0)
            && [move_fuel, leaves, move_set_count, member_count, capacity, passes, first, left, at]
                .into_iter()
                .all(|&number| number == 0)
            && *random == 0
            && *last_ply_decision == -1
    }
}

impl<const W: usize> Canary for MoveSet<W> {
    fn canary() -> Self {
        MoveSet { members: pattern(), ..MoveSet::EMPTY }
    }

    fn is_intact(&self) -> bool {
        self.members == pattern()
            && self.before == 0
            && self.specialization == 0
            && self.prefix == [0; MAX_PREFIX]
    }
}

/// The content of a queue's canary. It is compared as a whole: comparing site by site took a sixth
/// of the time of all tests.
static QUEUE_PATTERN: [u16; 64] = [PATTERN as u16; 64];

impl<const W: usize> Canary for Queue<W> {
    fn canary() -> Self {
        Queue { joined: pattern(), sites: [QUEUE_PATTERN; W], length: 0, taken: 0 }
    }

    fn is_intact(&self) -> bool {
        self.joined == pattern()
            && self.sites.iter().all(|sites| *sites == QUEUE_PATTERN)
            && self.length == 0
            && self.taken == 0
    }
}
