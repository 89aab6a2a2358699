//! The memory layout of the data that machine code accesses, for one width of sets.

use super::super::frame::{CachedFlood, Frame, MoveSet, Queue};
use std::mem::offset_of;

/// The width of sets, and the sizes and offsets that follow from it.
#[derive(Debug)]
pub struct Layout {
    /// How many words a set has.
    pub width: usize,
    pub frame_size: usize,
    pub sets: usize,
    pub nums: usize,
    pub arguments: usize,
    pub move_fuel: usize,
    pub leaves: usize,
    pub move_set_count: usize,
    pub member_count: usize,
    pub all_legal: usize,
    pub capacity: usize,
    pub passes: usize,
    pub first: usize,
    pub left: usize,
    pub random: usize,
    pub at: usize,
    pub last_ply_decision: usize,
    pub flood_cache: usize,
    pub sightlines: usize,
    pub cached_flood_size: usize,
    pub cached_flood_seeds: usize,
    pub cached_flood_region: usize,
    pub cached_flood_result: usize,
    pub move_set_size: usize,
    pub move_set_members: usize,
    pub move_set_before: usize,
    pub move_set_specialization: usize,
    pub move_set_prefix: usize,
    pub queue_size: usize,
}

impl Layout {
    /// Returns the layout for sets of `W` words.
    pub const fn of<const W: usize>() -> Layout {
        Layout {
            width: W,
            frame_size: size_of::<Frame<W>>(),
            sets: offset_of!(Frame<W>, sets),
            nums: offset_of!(Frame<W>, nums),
            arguments: offset_of!(Frame<W>, arguments),
            move_fuel: offset_of!(Frame<W>, move_fuel),
            leaves: offset_of!(Frame<W>, leaves),
            move_set_count: offset_of!(Frame<W>, move_set_count),
            member_count: offset_of!(Frame<W>, member_count),
            all_legal: offset_of!(Frame<W>, all_legal),
            capacity: offset_of!(Frame<W>, capacity),
            passes: offset_of!(Frame<W>, passes),
            first: offset_of!(Frame<W>, first),
            left: offset_of!(Frame<W>, left),
            random: offset_of!(Frame<W>, random),
            at: offset_of!(Frame<W>, at),
            last_ply_decision: offset_of!(Frame<W>, last_ply_decision),
            flood_cache: offset_of!(Frame<W>, flood_cache),
            sightlines: offset_of!(Frame<W>, sightlines),
            cached_flood_size: size_of::<CachedFlood<W>>(),
            cached_flood_seeds: offset_of!(CachedFlood<W>, seeds),
            cached_flood_region: offset_of!(CachedFlood<W>, region),
            cached_flood_result: offset_of!(CachedFlood<W>, result),
            move_set_size: size_of::<MoveSet<W>>(),
            move_set_members: offset_of!(MoveSet<W>, members),
            move_set_before: offset_of!(MoveSet<W>, before),
            move_set_specialization: offset_of!(MoveSet<W>, specialization),
            move_set_prefix: offset_of!(MoveSet<W>, prefix),
            queue_size: size_of::<Queue<W>>(),
        }
    }
}
