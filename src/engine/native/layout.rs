//! The memory layout of the data that machine code accesses, for one width of sets.

use super::super::frame::{CachedFlood, Frame, MoveSet, Queue};
use cranelift_codegen::ir::{Type, types};
use std::mem::offset_of;

/// The place of a number of the frame that functions keep in a variable: they load it when they
/// begin and store it when they are done, and in between the frame is out of date. It is no plain
/// offset, so that no instruction can load or store it by mistake: see `routine/frame.rs`.
#[derive(Clone, Copy, Debug)]
pub struct KeptField {
    pub offset: usize,
    pub kind: Type,
}

impl KeptField {
    /// Returns the field at an offset, a number of 32 bits.
    const fn at(offset: usize) -> KeptField {
        KeptField { offset, kind: types::I32 }
    }
}

/// The width of sets, and the sizes and offsets that follow from it.
#[derive(Debug)]
pub struct Layout {
    /// How many words a set has.
    pub width: usize,
    pub frame_size: usize,
    pub sets: usize,
    pub nums: usize,
    pub arguments: usize,
    pub move_fuel: KeptField,
    pub leaves: KeptField,
    pub move_set_count: KeptField,
    pub member_count: KeptField,
    pub all_legal: KeptField,
    pub capacity: usize,
    pub passes: usize,
    pub first: usize,
    pub left: usize,
    pub random: KeptField,
    pub at: KeptField,
    pub last_ply_decision: KeptField,
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
            move_fuel: KeptField::at(offset_of!(Frame<W>, move_fuel)),
            leaves: KeptField::at(offset_of!(Frame<W>, leaves)),
            move_set_count: KeptField::at(offset_of!(Frame<W>, move_set_count)),
            member_count: KeptField::at(offset_of!(Frame<W>, member_count)),
            all_legal: KeptField::at(offset_of!(Frame<W>, all_legal)),
            capacity: offset_of!(Frame<W>, capacity),
            passes: offset_of!(Frame<W>, passes),
            first: offset_of!(Frame<W>, first),
            left: offset_of!(Frame<W>, left),
            random: KeptField { offset: offset_of!(Frame<W>, random), kind: types::I64 },
            at: KeptField::at(offset_of!(Frame<W>, at)),
            last_ply_decision: KeptField::at(offset_of!(Frame<W>, last_ply_decision)),
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
