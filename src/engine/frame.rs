//! What a routine works on: the registers, and what it hands out.
//!
//! Its shape is fixed in memory, so that code made at run time finds everything at a known place.

use super::bits::Bits;
use super::guarded::{Canary, PATTERN};
use crate::compile::assembler::FIXED;
use crate::compile::program::{MAX_CACHED_FILLS, MAX_PARAMETERS};

/// How many registers there are of each kind; a position has half of them at most.
pub const REGISTERS: usize = FIXED as usize;
/// How many outer arguments a variation can have.
pub const MAX_PREFIX: usize = MAX_PARAMETERS - 1;

/// How many floods of a program are remembered.
pub const FLOOD_CACHE_SIZE: usize = 4;
/// How many sets there is room for to keep lines of sight: what fills come to, and a few that they
/// are worked out of.
pub const SIGHTLINE_CACHE_SIZE: usize = MAX_CACHED_FILLS + 4;

/// A flood, and what it came to. Where there is as much to start from and to go through, and more
/// perhaps, the next one comes to no less.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct CachedFlood<const W: usize> {
    pub seeds: Bits<W>,
    pub region: Bits<W>,
    pub result: Bits<W>,
}

impl<const W: usize> CachedFlood<W> {
    /// From nowhere one comes nowhere.
    const EMPTY: Self = CachedFlood { seeds: Bits::NONE, region: Bits::NONE, result: Bits::NONE };
}

/// The registers, and what goes into a routine and comes out of it besides them.
/// It begins a line of the cache: threads that write to the same one wait for each other.
#[derive(Clone)]
#[repr(C, align(128))]
pub struct Frame<const W: usize> {
    pub sets: [Bits<W>; REGISTERS],
    pub nums: [i32; REGISTERS],
    /// What the routine of a move is handed.
    pub arguments: [i32; MAX_PREFIX + 1],
    /// The outer arguments of the moves offered next.
    pub prefix: [i16; MAX_PREFIX],
    /// How many rounds of loops are left of the ply at hand.
    pub move_fuel: u32,
    /// Whether the ply at hand ends the turn: 0 or 1.
    pub leaves: u32,
    /// How many offers there are.
    pub move_set_count: u32,
    /// How many members the offers of the decision at hand have together.
    pub member_count: u32,
    /// Above zero where all of them are known to be legal.
    pub all_legal: i32,
    /// For a look ahead: how many offers there is room for.
    pub capacity: u32,
    /// For a playout: how many decisions it has passed over that had no legal ply.
    pub passes: u32,
    /// For counting: where the offers of the decision at hand begin.
    pub first: u32,
    /// For a playout: how many plies may still be made. For counting: how many a sequence has.
    pub left: u32,
    /// For a playout: the generator's state, the decision that was come to last, and that of the
    /// last ply, -1 where none was made since the position at hand was counted.
    pub random: u64,
    pub at: u32,
    pub last_ply_decision: i32,
    /// What the last floods came to. They are no part of the position: whatever they are of, they
    /// say what holds of the board.
    pub flood_cache: [CachedFlood<W>; FLOOD_CACHE_SIZE],
    /// What is kept of lines of sight. That is no part of the position, either.
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

/// Moves that are offered together: a variation, for every member of a set.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MoveSet<const W: usize> {
    pub members: Bits<W>,
    /// How many members the offers of the decision have before this one.
    pub before: u32,
    pub specialization: u16,
    pub prefix: [i16; MAX_PREFIX],
}

impl<const W: usize> MoveSet<W> {
    /// No move.
    pub const EMPTY: Self =
        MoveSet { members: Bits::NONE, before: 0, specialization: 0, prefix: [0; MAX_PREFIX] };
}

/// The queue of a chain: every site is in it once at most.
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
    /// Forgets every site.
    pub fn empty(&mut self) {
        self.joined = Bits::NONE;
        self.length = 0;
        self.taken = 0;
    }

    /// Adds the sites that never were in it.
    pub fn join(&mut self, sites: Bits<W>) {
        for site in (sites & !self.joined).iter() {
            self.sites.as_flattened_mut()[self.length as usize] = site as u16;
            self.length += 1;
        }
        self.joined |= sites;
    }

    /// Takes the first site that was not taken yet.
    pub fn take(&mut self) -> Option<u16> {
        let site =
            self.sites.as_flattened()[..self.length as usize].get(self.taken as usize).copied()?;
        self.taken += 1;
        Some(site)
    }
}

/// A set that no rules make.
fn pattern<const W: usize>() -> Bits<W> {
    Bits([PATTERN; W])
}

/// How many registers of each kind are compared: those that machine code writes first.
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

impl<const W: usize> Canary for Queue<W> {
    fn canary() -> Self {
        Queue { joined: pattern(), sites: [[PATTERN as u16; 64]; W], length: 0, taken: 0 }
    }

    fn is_intact(&self) -> bool {
        self.joined == pattern()
            && self.sites.iter().flatten().all(|&site| site == PATTERN as u16)
            && self.length == 0
            && self.taken == 0
    }
}
