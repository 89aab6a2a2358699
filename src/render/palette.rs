//! Chooses the colours and shapes of players, pieces and marks: from the rules file, or by default.

use crate::engine::snapshot::Occupant;
use crate::language::look::{COLORS, Color, Figure, Grid, Look, Shape};
use crate::language::rules::{MemoryId, PieceId, PlayerId, Rules};

/// The colours and shapes of a game.
#[derive(Clone, Debug)]
pub struct Palette {
    look: Look,
    players: Vec<Color>,
    /// A letter per kind of piece if there are more kinds than shapes; otherwise empty.
    letters: Vec<String>,
}

/// Default colours of players, in this order.
const FREE: [&str; 8] = ["blue", "orange", "teal", "purple", "pink", "olive", "brown", "sky"];
/// Default colours of unowned pieces.
const UNOWNED: [Color; 4] =
    [Color::rgb(0xb3aa9b), Color::rgb(0x6d675f), Color::rgb(0xcdb98d), Color::rgb(0x8c7a86)];
/// Default colours of marks.
const MARKS: [Color; 4] =
    [Color::rgb(0xe8563f), Color::rgb(0x2f8a88), Color::rgb(0x79539b), Color::rgb(0xc4932b)];
/// Default shapes, unless there are more kinds of pieces.
const SHAPES: [Shape; 6] =
    [Shape::Disc, Shape::Square, Shape::Triangle, Shape::Diamond, Shape::Hexagon, Shape::Star];

/// Indices of mark shapes, the most distinct at small size first.
const MARK_ORDER: [usize; 6] = [0, 3, 1, 2, 5, 4];

impl Palette {
    /// Adds defaults to the look of the rules file. A player named after a colour gets that colour.
    pub fn of(rules: &Rules) -> Palette {
        let mut look = rules.look.clone();
        if rules.board.has_lines() {
            look.grid.get_or_insert(Grid::Points);
        }
        let known = |index: usize| {
            let name = rules.players[index].name.to_lowercase();
            look.of_player(PlayerId(index as u16)).or_else(|| {
                COLORS.iter().find(|(known, _)| *known == name).map(|&(_, color)| color)
            })
        };
        let known: Vec<Option<Color>> = (0..rules.players.len()).map(known).collect();
        let mut free = FREE
            .iter()
            .filter_map(|name| Color::named(name))
            .filter(|color| !known.contains(&Some(*color)));
        let players =
            known.iter().map(|color| color.or_else(|| free.next()).unwrap_or(UNOWNED[0])).collect();
        let letters = match rules.pieces.len() > SHAPES.len() {
            true => rules
                .pieces
                .iter()
                .map(|piece| piece.symbols.first().cloned().unwrap_or_default())
                .collect(),
            false => Vec::new(),
        };
        Palette { look, players, letters }
    }

    /// Returns the style of the board's sites.
    pub fn grid(&self) -> Grid {
        self.look.grid.unwrap_or(Grid::Cells)
    }

    /// Returns the colour of the board.
    pub fn board(&self) -> Color {
        self.look.board.unwrap_or(Color::rgb(0xecdcb9))
    }

    /// Returns the colour of a player.
    pub fn player(&self, player: PlayerId) -> Color {
        self.players.get(player.index()).copied().unwrap_or(UNOWNED[0])
    }

    /// Returns the colour of a piece.
    pub fn piece(&self, occupant: Occupant) -> Color {
        match occupant.owner {
            Some(owner) => self.player(owner),
            None => self
                .look
                .of_piece(occupant.piece)
                .unwrap_or(UNOWNED[occupant.piece.index() % UNOWNED.len()]),
        }
    }

    /// Returns the shape of a piece.
    pub fn figure(&self, occupant: Occupant) -> Figure {
        let PieceId(index) = occupant.piece;
        let plain = || match self.letters.get(usize::from(index)) {
            Some(letters) => Figure { shape: Some(Shape::Disc), letters: Some(letters.clone()) },
            None => {
                Figure { shape: Some(SHAPES[usize::from(index) % SHAPES.len()]), letters: None }
            }
        };
        self.look.figure(occupant.piece, occupant.owner).cloned().unwrap_or_else(plain)
    }

    /// Returns the colour of a memory's marks if no player owns them.
    pub fn mark(&self, memory: MemoryId) -> Color {
        self.look.of_memory(memory).unwrap_or(MARKS[memory.index() % MARKS.len()])
    }

    /// Returns the shape of a memory's marks.
    pub fn mark_shape(&self, memory: MemoryId) -> Shape {
        self.look.mark(memory).unwrap_or(SHAPES[MARK_ORDER[memory.index() % MARK_ORDER.len()]])
    }
}
