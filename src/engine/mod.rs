//! A program made to play.
//!
//! In: compiled rules. Out: matches, legal moves, results, counts, playouts. It refuses to know
//! ludemes, spellings and files.
//!
//! - `background`: values made on threads of their own. `bits`, `tables`: sets of sites, and the
//!   board for them.
//! - `frame`: what a routine works on; `guarded`: memory that machine code may write. `machine`:
//!   runs the instructions, itself or by the machine code of `native`; `task`, `spread`: what it is
//!   asked to do, and how sets spread.
//! - `driver`: plies, looking ahead, counting; `history`: the positions that they have led through.
//!   `runner`: the same for any width of board, and random playouts.
//! - [`game`], [`state`]: what callers use; `fault`: rules that never reach the next ply.
//!   [`snapshot`]: positions spelled out. [`position`]: positions as plain data.

mod background;
mod bits;
mod driver;
mod fault;
mod frame;
pub mod game;
mod guarded;
mod hash;
mod history;
mod machine;
#[cfg_attr(not(feature = "native"), path = "no_native.rs")]
mod native;
pub mod position;
mod runner;
pub mod snapshot;
mod spread;
pub mod state;
mod tables;
mod task;

pub use driver::PackedMove;
pub use runner::Playout;
