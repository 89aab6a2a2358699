//! How a rules file wants its game drawn: colours, shapes, the grid, and hidden memories.
//!
//! Plain data, filled in by the checker and read by [`crate::render`]. What the file leaves out is
//! `None` here; the renderer chooses a default.

use super::rules::{MemoryId, PieceId, PlayerId};
use crate::board::{Board, Run, Site};
use std::fmt;

/// A colour, in sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Color {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
}

/// The named colours, chosen to suit a board.
pub const COLORS: [(&str, Color); 18] = [
    ("white", Color::rgb(0xf7f3ea)),
    ("ivory", Color::rgb(0xefe6d0)),
    ("yellow", Color::rgb(0xe9bd3c)),
    ("gold", Color::rgb(0xc4932b)),
    ("orange", Color::rgb(0xe0803a)),
    ("red", Color::rgb(0xc63d3a)),
    ("maroon", Color::rgb(0x8a2f3c)),
    ("pink", Color::rgb(0xdd8fa4)),
    ("purple", Color::rgb(0x79539b)),
    ("blue", Color::rgb(0x3a69b0)),
    ("sky", Color::rgb(0x7fb2d9)),
    ("teal", Color::rgb(0x2f8a88)),
    ("green", Color::rgb(0x4a8a4e)),
    ("olive", Color::rgb(0x8b8f45)),
    ("tan", Color::rgb(0xe3cfa4)),
    ("brown", Color::rgb(0x7d5a3c)),
    ("grey", Color::rgb(0x8d8a84)),
    ("black", Color::rgb(0x2d2c2b)),
];

impl Color {
    /// Creates a colour from the digits of `#rrggbb` as one number.
    pub const fn rgb(digits: u32) -> Color {
        Color { red: (digits >> 16) as u8, green: (digits >> 8) as u8, blue: digits as u8 }
    }

    /// Finds the colour with exactly this name.
    pub fn named(name: &str) -> Option<Color> {
        COLORS.iter().find(|(known, _)| *known == name).map(|&(_, color)| color)
    }

    /// Parses `#rrggbb`.
    pub fn parse(text: &str) -> Option<Color> {
        let digits = text.strip_prefix('#').filter(|digits| {
            digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        })?;
        u32::from_str_radix(digits, 16).ok().map(Color::rgb)
    }

    /// Mixes this colour with `hundredths` percent of another.
    pub fn towards(self, other: Color, hundredths: u8) -> Color {
        let mix = |from: u8, to: u8| {
            ((u32::from(from) * (100 - u32::from(hundredths))
                + u32::from(to) * u32::from(hundredths))
                / 100) as u8
        };
        Color {
            red: mix(self.red, other.red),
            green: mix(self.green, other.green),
            blue: mix(self.blue, other.blue),
        }
    }

    /// Returns the perceived lightness, from 0 to 255 (the luma of ITU-R BT.601).
    pub fn lightness(self) -> u8 {
        ((u32::from(self.red) * 299 + u32::from(self.green) * 587 + u32::from(self.blue) * 114)
            / 1000) as u8
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

macro_rules! words {
    ($(#[doc = $doc:literal])* $name:ident { $($variant:ident = $word:literal,)* }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($variant,)* }
        impl $name {
            /// All words, in order.
            pub const WORDS: &[&str] = &[$($word),*];
            /// Finds the variant with exactly this word.
            pub fn from_word(word: &str) -> Option<$name> {
                match word { $($word => Some($name::$variant),)* _ => None }
            }
        }
    };
}

words! {
    /// How the sites of the board are drawn.
    Grid { Cells = "cells", Checkered = "checkered", Points = "points", }
}

words! {
    /// The shape of a piece or a mark.
    Shape {
        Disc = "disc", Ring = "ring", Square = "square", Triangle = "triangle", Diamond = "diamond", Hexagon = "hexagon", Star = "star",
        Cross = "cross", Die = "die", Seeds = "seeds", Arrow = "arrow",
        Line = "line",
    }
}

impl Shape {
    /// Tests if a piece can have the shape. The others show what memories hold.
    pub fn is_of_pieces(self) -> bool {
        !matches!(self, Shape::Die | Shape::Seeds | Shape::Arrow | Shape::Line)
    }
}

/// How a piece or a mark is drawn: a shape, letters, or letters on a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    pub shape: Option<Shape>,
    pub letters: Option<String>,
}

/// Where a path jumps: an arc of a circle from a site to another one, which leaves in the direction
/// that leads from `before` to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Curve {
    pub before: Site,
    pub from: Site,
    pub to: Site,
}

/// The drawing preferences of a file. The lists are indexed by player, piece or memory, and may be
/// shorter than the game has of them.
#[derive(Clone, Debug, Default)]
pub struct Look {
    pub grid: Option<Grid>,
    /// The colour of the cells.
    pub board: Option<Color>,
    /// The lines that are drawn in place of those along steps, by their ends; empty if none are
    /// listed.
    pub lines: Vec<(Site, Site)>,
    /// The curves that are drawn with these lines.
    pub curves: Vec<Curve>,
    pub(super) players: Vec<Option<Color>>,
    pub(super) pieces: Vec<PieceLook>,
    pub(super) memories: Vec<MemoryLook>,
}

/// The look of a kind of piece.
#[derive(Clone, Debug, Default)]
pub(super) struct PieceLook {
    pub color: Option<Color>,
    pub figure: Option<Figure>,
    /// Overrides for single players.
    pub figures: Vec<(PlayerId, Figure)>,
}

/// The look of a memory.
#[derive(Clone, Debug, Default)]
pub(super) struct MemoryLook {
    pub color: Option<Color>,
    pub shape: Option<Shape>,
    pub hidden: bool,
}

impl Look {
    /// Tests if lines are listed that are drawn in place of those along steps.
    pub fn draws_lines(&self) -> bool {
        !self.lines.is_empty() || !self.curves.is_empty()
    }

    /// Returns the colour of a player's pieces.
    pub fn of_player(&self, player: PlayerId) -> Option<Color> {
        self.players.get(player.index()).copied().flatten()
    }

    /// Returns the colour of an unowned kind of piece.
    pub fn of_piece(&self, piece: PieceId) -> Option<Color> {
        self.pieces.get(piece.index())?.color
    }

    /// Returns how a player's piece is drawn.
    pub fn figure(&self, piece: PieceId, owner: Option<PlayerId>) -> Option<&Figure> {
        let look = self.pieces.get(piece.index())?;
        let own = look.figures.iter().find(|(player, _)| Some(*player) == owner);
        own.map(|(_, figure)| figure).or(look.figure.as_ref())
    }

    /// Returns the colour of a memory's marks.
    pub fn of_memory(&self, memory: MemoryId) -> Option<Color> {
        self.memories.get(memory.index())?.color
    }

    /// Returns the shape of a memory's marks.
    pub fn mark(&self, memory: MemoryId) -> Option<Shape> {
        self.memories.get(memory.index())?.shape
    }

    /// Tests if a memory is not shown.
    pub fn hides(&self, memory: MemoryId) -> bool {
        self.memories.get(memory.index()).is_some_and(|look| look.hidden)
    }
}

/// Draws the steps of a run: jumps as curves that continue the step before, or else lead to the
/// step behind, as does what turns back sharply at both ends; other steps of the board as lines.
pub(super) fn draw_run(
    run: &Run,
    board: &Board,
    lines: &mut Vec<(Site, Site)>,
    curves: &mut Vec<Curve>,
) {
    let length = run.sites.len();
    let at = |place: usize| match run.is_closed {
        true => run.sites.get(place % length).copied(),
        false => run.sites.get(place).copied(),
    };
    let steps = if run.is_closed { length } else { length.saturating_sub(1) };
    for place in 0..steps {
        let (Some(from), Some(to)) = (at(place), at(place + 1)) else { continue };
        let before = match place.checked_sub(1) {
            Some(before) => at(before),
            None => at(length - 1).filter(|_| run.is_closed),
        };
        let after = at(place + 2);
        let is_step = board.straight().any(|way| board.step(from, way) == Some(to));
        let is_loop = before.zip(after).is_some_and(|(before, after)| {
            let turns = [turn(board, [before, from, to]), turn(board, [from, to, after])];
            board.compass().len() == 8 && matches!(turns, [(-1, 1), (-1, 1)] | [(-1, -1), (-1, -1)])
        });
        let around = [before.map(|before| (before, from, to)), after.map(|next| (next, to, from))];
        match around.into_iter().flatten().find(|&(before, _, to)| before != to) {
            Some((before, from, to)) if !is_step || is_loop => {
                curves.push(Curve { before, from, to });
            }
            _ => lines.push((from, to)),
        }
    }
}

/// Returns whether a way over three sites goes on, 1, or back, -1, at the one in the middle, and to
/// which side it turns.
fn turn(board: &Board, sites: [Site; 3]) -> (i64, i64) {
    let [one, two, three] = sites.map(|site| {
        let (column, row) = board.place(site);
        (column as i64, row as i64)
    });
    let (ahead, next) = ((two.0 - one.0, two.1 - one.1), (three.0 - two.0, three.1 - two.1));
    let along = ahead.0 * next.0 + ahead.1 * next.1;
    let across = ahead.0 * next.1 - ahead.1 * next.0;
    (along.signum(), across.signum())
}
