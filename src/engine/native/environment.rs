//! What code is made for besides the program: the board, and how sets of its width lie in memory.

use super::super::tables::{BoardTables, Stepping, Tables};
use super::helpers::{Addresses, Helpers};
use super::layout::Layout;
use super::steps::{Steps, WordSet};
use std::sync::Arc;

/// What the code of a game is made for, as values: only [`Environment::of`] knows the width of sets
/// as a type.
pub struct Environment {
    pub layout: Layout,
    /// The functions point into it.
    pub tables: Arc<BoardTables>,
    /// Where the tables lie that helpers are handed. Whoever calls the functions keeps them.
    pub tables_address: usize,
    pub helpers: Addresses,
    /// By the direction's index.
    pub steps: [Steps; 8],
    /// The constant sets, for the registers after the position's.
    pub constants: Vec<WordSet>,
}

impl Environment {
    /// The environment that tables describe.
    pub fn of<const W: usize>(tables: &Tables<W>) -> Environment {
        let set = |set: [u64; W]| WordSet::from_slice(&set);
        let parts = |stepping: &Stepping<W>| {
            stepping.parts().map(|(from, delta)| (set(from.0), delta)).collect()
        };
        Environment {
            layout: Layout::of::<W>(),
            tables: Arc::clone(&tables.board),
            tables_address: std::ptr::from_ref(tables) as usize,
            helpers: Helpers::of::<W>(),
            steps: std::array::from_fn(|way| {
                Steps::new(
                    parts(&tables.steps[way]),
                    set(tables.sites.0),
                    tables.board.next[way].len(),
                )
            }),
            constants: tables.constants.iter().map(|constant| set(constant.0)).collect(),
        }
    }
}
