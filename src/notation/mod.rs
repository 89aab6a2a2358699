//! How moves and positions are written.
//!
//! In: moves, settings and memories of the engine, or text. Out: text in the canonical spelling, or
//! what it stands for with every reason why not. It refuses to know files, records and screens, and
//! it decides no rule: it asks the engine what is legal.

pub mod clause;
mod diagram;
mod memory;
mod position;
mod reading;
mod spelling;

pub use diagram::{Diagram, read_board, symbols, write_board, write_sites};
pub use memory::{MemoryLine, read_memory, write_memories};
pub use position::{Beginning, Line, Misread, PositionText};
pub use reading::{Reason, Refusal, completions, read, readings, refuse_bare};
pub use spelling::{clip, form, grouped, legal, list, outcome, player, spell, turn};

#[cfg(test)]
mod tests;
