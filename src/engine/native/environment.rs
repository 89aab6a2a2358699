//! The inputs of machine code besides the program: the board, and the memory layout of sets.

use super::super::fuel::FuelCosts;
use super::super::tables::{BoardTables, Stepping, Tables};
use super::super::task::CodeQuality;
use super::helpers::{Addresses, Helpers};
use super::layout::Layout;
use super::steps::{Steps, WordSet};
use crate::board::Direction;
use crate::compile::op::Op;
use crate::compile::program::MAX_MASKS;
use std::sync::Arc;

/// The inputs of code generation as values: only [`Environment::of`] has the width of sets as a
/// type.
pub struct Environment {
    pub layout: Layout,
    /// The code points into it.
    pub tables: Arc<BoardTables>,
    pub fuel: Arc<FuelCosts>,
    /// The address of the tables that helpers receive. The caller of the code keeps them alive.
    pub tables_address: usize,
    pub helpers: Addresses,
    /// By direction index.
    pub steps: [Steps; Direction::COUNT],
    /// The masks of directions, by the numbers that instructions give them.
    pub masks: [u16; MAX_MASKS],
    /// The constant sets, in the registers after the position's.
    pub constants: Vec<WordSet>,
    pub quality: CodeQuality,
}

impl Environment {
    /// Returns the directions of an instruction that goes in several.
    pub fn mask(&self, op: Op) -> u16 {
        self.masks[usize::from(op.x)]
    }

    /// Returns the environment for these tables.
    pub fn of<const W: usize>(tables: &Tables<W>, quality: CodeQuality) -> Environment {
        let set = |set: [u64; W]| WordSet::from_slice(&set);
        let parts = |stepping: &Stepping<W>| {
            stepping.parts().map(|(from, delta)| (set(from.0), delta)).collect()
        };
        Environment {
            layout: Layout::of::<W>(),
            tables: Arc::clone(&tables.board),
            fuel: Arc::clone(&tables.fuel),
            tables_address: std::ptr::from_ref(tables) as usize,
            helpers: Helpers::of::<W>(),
            steps: std::array::from_fn(|way| {
                Steps::new(
                    parts(&tables.steps[way]),
                    set(tables.places.0),
                    tables.board.next[way].len(),
                )
            }),
            masks: tables.masks,
            constants: tables.constants.iter().map(|constant| set(constant.0)).collect(),
            quality,
        }
    }
}
