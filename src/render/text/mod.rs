//! A scene and the room on a screen in, lines of styled text out. Whatever colours say is said by
//! signs as well: pieces by their symbols, the last move by `[ ]`, targets by `+` and `> <`. It
//! refuses to know what a terminal is.

mod canvas;
mod diagram;
mod ground;
mod legend;
mod pieces;
mod plan;
mod styles;

use super::scene::Scene;
use canvas::Canvas;
pub use canvas::{ESCAPE, StyledLine};
pub use diagram::diagram;
use plan::{Plan, Size};

/// What a drawing has to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// In columns.
    pub width: usize,
    /// In lines.
    pub height: usize,
}

impl Default for Room {
    /// As wide as terminals used to be, and as high as may be.
    fn default() -> Room {
        Room { width: 80, height: usize::MAX }
    }
}

/// Draws the board and says what there is to know besides, and who is to act. Where there is no
/// room for borders around the cells, the board shows the pieces alone, and words say what else
/// there is.
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

/// Explains the symbols of the pieces and what is highlighted, in lines of about that width.
pub fn key(scene: &Scene, width: usize) -> Vec<StyledLine> {
    legend::legend(scene, width)
}

/// Spells lines one after the other, in colours if they are wanted.
pub fn spell(lines: &[StyledLine], color: bool) -> String {
    spell_with(lines, color.then_some(ESCAPE))
}

/// Spells lines one after the other; the sequences that colour a terminal begin so if they are
/// wanted. Whoever lets only his own sequences pass can tell them from those of a file by that.
pub fn spell_with(lines: &[StyledLine], escape: Option<&str>) -> String {
    lines.iter().map(|line| format!("{}\n", line.spell_with(escape))).collect()
}
