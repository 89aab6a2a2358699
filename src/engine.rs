//! Executes compiled programs: positions, legal moves, plies, results, playouts and perft.
//!
//! Everything that works on sets of sites is generic over their width in words (`W`); `runner`
//! hides the width behind a trait object. Execution depends on the program alone; of the source
//! text it uses only the spans that a `fault` points to.
//!
//! - Sets and tables: `bits`, `tables` (the board as shift masks, neighbours and rays), `lines`
//!   (many steps at once), `spread` (fills, floods, lines of sight), `hash`.
//! - Execution: `frame` (registers), `machine` (the interpreter, which calls the machine code of
//!   `native` if there is any), `task` (routines and stop reasons), `guarded` (buffers that machine
//!   code writes to), `background` (compilation on another thread).
//! - Play: `driver` (plies, look-ahead, perft), `history` (repetition), `runner` (width erasure,
//!   playouts).
//! - For callers: [`game`], [`state`], [`position`] (flat data), [`snapshot`] (data by site),
//!   [`actions`] (plies as numbers), [`planes`] (positions as arrays of numbers), [`observer`]
//!   (regions and numbers that rules define), `fault` (rules that never reach the next ply),
//!   `identity` (which game a position, move or search tree belongs to).

pub mod actions;
mod background;
pub mod bits;
pub mod driver;
mod fault;
mod frame;
mod fuel;
pub mod game;
pub mod guarded;
mod hash;
pub mod history;
mod identity;
mod lines;
mod machine;
#[cfg_attr(not(feature = "native"), path = "engine/no_native.rs")]
pub mod native;
pub mod observer;
mod piles;
pub mod planes;
mod ply_budget;
pub mod position;
mod runner;
pub mod snapshot;
mod spread;
pub mod state;
pub mod tables;
mod task;

pub use driver::{Finished, PackedMove, Unit};
pub use ply_budget::PlyBudget;
pub use runner::Playout;
