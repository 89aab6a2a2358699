//! Writes and reads moves and positions as text.
//!
//! Every move has exactly one canonical spelling, which is written; people may type it in other
//! ways ([`understand`]). An unreadable text is refused with a reason. The engine decides which
//! moves are legal.

pub mod clause;
mod diagram;
pub mod forms;
mod memory;
mod piles;
mod position;
mod reading;
mod spelling;

pub use crate::language::quantities::{counted, grouped, inflected};
pub use diagram::{Diagram, read_board, symbols, write_board, write_sites};
pub use forms::understand;
pub use memory::{MemoryLine, read_memory, write_memories};
pub use piles::{PILES, spelled};
pub use position::{Beginning, Line, Misread, PositionText};
pub use reading::{Reason, Refusal, completions, read, readings, refuse_bare};
pub use spelling::{
    agreeing, capital, clip, equal_share, form, legal, list, outcome, partners, person, player,
    shown_outcome, spell, team, team_does, turn,
};
