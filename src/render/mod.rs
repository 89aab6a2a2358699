//! Boards for people to look at.
//!
//! In: a position, and what of it is to be shown. Out: text, or a picture. It refuses to know what
//! the pieces do and whether anybody is looking.

mod palette;
pub mod plot;
#[cfg(feature = "png")]
mod png;
mod scene;
mod svg;
mod text;

#[cfg(feature = "png")]
pub use png::png;
pub use scene::{Scene, Targets, situation, targets};
pub use svg::{heat, svg, svg_among};
pub use text::{ESCAPE, Room, StyledLine, diagram, drawing, key, spell, spell_with};
