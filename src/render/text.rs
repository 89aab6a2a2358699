//! Renders a scene as styled text for a terminal.
//!
//! Everything shown by colour is also shown by a sign: pieces by their symbols, the last move by `[
//! ]`, targets by `+` and `> <`.

pub mod canvas;
mod diagram;
mod ground;
mod legend;
mod pieces;
mod plan;
pub mod styles;

use super::scene::Scene;
use canvas::Canvas;
pub use canvas::{ESCAPE, StyledLine};
pub use diagram::diagram;
use plan::{Plan, Size};

/// The space available to a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The width in columns.
    pub width: usize,
    /// The height in lines.
    pub height: usize,
}

impl Default for Room {
    /// The usual width of a terminal, and unlimited height.
    fn default() -> Room {
        Room { width: 80, height: usize::MAX }
    }
}

/// Draws the board and everything below it. If cells with borders do not fit, the board shows only
/// the pieces, and memories are listed below it.
pub fn drawing(scene: &Scene, room: Room) -> Vec<StyledLine> {
    let full = composed(scene, Size::Full, room.width);
    let fits = full.len() <= room.height && full.iter().all(|line| line.width() <= room.width);
    if fits { full } else { composed(scene, Size::Compact, room.width) }
}

fn composed(scene: &Scene, size: Size, most: usize) -> Vec<StyledLine> {
    let plan = Plan::new(scene, size);
    let mut canvas = Canvas::default();
    ground::ground(&mut canvas, &plan, scene);
    pieces::draw_pieces(&mut canvas, &plan, scene);
    let mut lines = canvas.lines();
    let words = legend::caption_lines(scene, size, most);
    if !words.is_empty() {
        lines.push(StyledLine::default());
        lines.extend(words);
    }
    lines.push(StyledLine::default());
    lines.extend(legend::broken(legend::situation(scene), most));
    lines
}

/// Explains the symbols of pieces and the highlights, in lines of about `width` columns.
pub fn key(scene: &Scene, width: usize) -> Vec<StyledLine> {
    legend::legend(scene, width)
}

/// Joins lines, optionally with ANSI escape sequences.
pub fn spell(lines: &[StyledLine], color: bool) -> String {
    spell_with(lines, color.then_some(ESCAPE))
}

/// Joins lines with escape sequences that start with `escape`. A private prefix lets the caller
/// distinguish these sequences from sequences in the text of a file.
pub fn spell_with(lines: &[StyledLine], escape: Option<&str>) -> String {
    lines.iter().map(|line| format!("{}\n", line.spell_with(escape))).collect()
}
