//! Renders positions and plots as terminal text, SVG or PNG.
//!
//! A [`Scene`] collects the visible parts of a position; the backends share it.

pub(crate) mod palette;
pub mod plot;
#[cfg(feature = "png")]
mod png;
mod scene;
pub mod svg;
pub mod text;

#[cfg(feature = "png")]
pub use png::png;
pub use scene::{Scene, Targets, situation, targets};
pub use svg::{
    LegendEntry, LegendPart, TouchPicture, TouchSite, figure, figures, heat, svg, svg_among,
    touch_svg,
};
pub use text::{ESCAPE, Room, StyledLine, diagram, drawing, key, spell, spell_with};
