//! Intermediate directions, halfway between two neighbouring compass directions, for boards whose
//! game declares them: across the corners of hexagons, and the leaps of a chess knight on squares.
//!
//! A step in such a direction leads as far as one step in each of the two neighbouring directions,
//! whatever is on the sites around.

use super::{Board, BoardError, Direction, Site, Track};

/// The directions across the corners of a hexagon, clockwise. Each lies between the compass
/// directions with the previous and the same index.
const DIAGONALS: [Direction; 6] = [
    Direction::N,
    Direction::Along(0),
    Direction::Along(1),
    Direction::S,
    Direction::Against(0),
    Direction::Against(1),
];

/// The names of the tracks that lead across the corners of a hexagon.
const ACROSS_CORNERS: &[&str] = &["ENE", "ESE"];

/// The leaps of a knight, in the same order: the first lies between north-west and north.
const LEAPS: [Direction; 8] = [
    Direction::Against(3),
    Direction::Along(0),
    Direction::Along(1),
    Direction::Along(2),
    Direction::Along(3),
    Direction::Against(0),
    Direction::Against(1),
    Direction::Against(2),
];

/// The names of the tracks that are leaps of a knight.
const LEAPING: &[&str] = &["NNE", "ENE", "ESE", "SSE"];

impl Board {
    /// The minimum number of columns or rows to wrap around if hexagons have diagonals. With fewer,
    /// steps in two directions would lead to the same site.
    const LEAST_WRAPPED_ACROSS: usize = 4;

    /// The minimum number of columns or rows to wrap around if squares have leaps.
    const LEAST_WRAPPED_LEAPING: usize = 5;

    /// Adds to hexagons the directions across their corners: `N`, `ENE`, `ESE`, `S`, `WSW` and
    /// `WNW`. The board must have all its sites and no track. Boards of squares have diagonals
    /// already and stay as they are.
    ///
    /// ```
    /// use ludwright::board::{Board, Direction, Labels, Shape};
    ///
    /// let board = Board::new(Shape::Hexagon { first: 3, second: 3 }, Labels::default())?;
    /// let board = board.with_diagonals()?;
    /// let centre = board.find("c3").expect("the centre");
    /// assert_eq!(board.step(centre, Direction::N), board.find("d5"));
    /// let ways = board.diagonal().iter().map(|&way| board.direction_name(way));
    /// assert_eq!(ways.collect::<Vec<_>>(), ["N", "ENE", "ESE", "S", "WSW", "WNW"]);
    /// # Ok::<(), ludwright::board::BoardError>(())
    /// ```
    ///
    /// # Errors
    /// If hexagons wrap around fewer than four columns or rows.
    pub fn with_diagonals(self) -> Result<Board, BoardError> {
        match self.shape.is_square() {
            true => Ok(self),
            false => self.with_winds(&DIAGONALS, ACROSS_CORNERS, Self::LEAST_WRAPPED_ACROSS),
        }
    }

    /// Adds to the squares of a rectangle the directions of a knight's leap: `NNE`, `ENE`, `ESE`,
    /// `SSE`, `SSW`, `WSW`, `WNW` and `NNW`. The board must have all its sites and no track. Other
    /// boards stay as they are.
    ///
    /// ```
    /// use ludwright::board::{Board, Labels, Shape};
    ///
    /// let board = Board::new(Shape::Rectangle { columns: 5, rows: 5 }, Labels::default())?;
    /// let board = board.with_leaps()?;
    /// let knight = board.find("c3").expect("the centre");
    /// let ends = board.leaping().iter().filter_map(|&way| board.step(knight, way));
    /// let labels: Vec<&str> = ends.map(|site| board.label(site)).collect();
    /// assert_eq!(labels, ["b5", "d5", "e4", "e2", "d1", "b1", "a2", "a4"]);
    /// # Ok::<(), ludwright::board::BoardError>(())
    /// ```
    ///
    /// # Errors
    /// If edges of fewer than five columns or rows are joined.
    pub fn with_leaps(self) -> Result<Board, BoardError> {
        match self.can_leap() {
            true => self.with_winds(&LEAPS, LEAPING, Self::LEAST_WRAPPED_LEAPING),
            false => Ok(self),
        }
    }

    /// Tests if the board can have leaps: if it is a rectangle of squares in one layer, with the
    /// steps of the grid.
    pub fn can_leap(&self) -> bool {
        self.shape.is_square() && !self.has_lines && !self.has_borders() && self.layers.is_empty()
    }

    /// Adds the directions of a ring, each between two compass directions, as tracks with these
    /// names.
    fn with_winds(
        mut self,
        ring: &'static [Direction],
        names: &[&str],
        least: usize,
    ) -> Result<Board, BoardError> {
        let (shape, wraps) = (self.shape, self.wraps);
        self.ring = ring;
        for (wraps, found) in [(wraps.columns, shape.columns()), (wraps.rows, shape.rows())] {
            if wraps && found < least {
                return Err(BoardError::NarrowWrap { found, least });
            }
        }
        for &wind in ring {
            let (columns, rows) = self.offset(wind).unwrap_or_default();
            for site in self.sites.clone() {
                let to = self.beyond(self.place(site), columns, rows).map(|to| self.number(to));
                if let Some(Some(node)) = self.nodes.get_mut(site.index()) {
                    node.steps[wind.index()] = to;
                }
            }
        }
        let track = |name: &&str| Track { name: (*name).to_owned(), runs: Vec::new() };
        self.tracks = names.iter().map(track).collect();
        self.winds = self.tracks.len();
        self.list_ways();
        Ok(self)
    }

    /// Returns the step in a direction that turns with the board, in columns and rows of the
    /// drawing; `None` if the grid does not have the direction, or if it is a track.
    pub fn offset(&self, direction: Direction) -> Option<(isize, isize)> {
        self.shape.offset(direction).or_else(|| {
            let (compass, count) = (self.compass(), self.ring.len());
            let place = self.ring.iter().position(|&wind| wind == direction)?;
            let (before, after) = (compass[(place + count - 1) % count], compass[place]);
            let (one, other) = (self.shape.offset(before)?, self.shape.offset(after)?);
            Some((one.0 + other.0, one.1 + other.1))
        })
    }

    /// Tests if there is a step from a site that leads over a joined edge.
    pub fn crosses_edge(&self, site: Site, direction: Direction) -> bool {
        let has_step = self.is_wrapped() && self.step(site, direction).is_some();
        let Some((columns, rows)) = self.offset(direction).filter(|_| has_step) else {
            return false;
        };
        let (column, row) = self.place(site);
        let leaves = |from: usize, by: isize, count: usize| {
            from.checked_add_signed(by).is_none_or(|to| to >= count)
        };
        leaves(column, columns, self.shape.columns()) || leaves(row, rows, self.shape.rows())
    }

    /// Returns the directions across the corners of a cell: four on a rectangle, on hexagons six if
    /// [they have them](Self::with_diagonals), else none.
    pub fn diagonal(&self) -> &'static [Direction] {
        if self.shape.is_square() { self.shape.diagonal() } else { self.ring }
    }

    /// Returns the eight directions of a knight's leap, clockwise, if squares
    /// [have them](Self::with_leaps), else none.
    pub fn leaping(&self) -> &'static [Direction] {
        if self.shape.is_square() { self.ring } else { &[] }
    }

    /// Lists the directions in which sites lie straight from each other: [`all`](Self::all),
    /// followed by the directions of a second [ring](Self::rings).
    pub fn straight(&self) -> impl Iterator<Item = Direction> + Clone + '_ {
        self.all.iter().chain(self.ring).copied()
    }

    /// Lists the directions that turn with the board as rings: the [`compass`](Self::compass), then
    /// the intermediate directions, across the corners of hexagons or as a knight leaps. Each ring
    /// is clockwise, from the north on, or just before it.
    pub fn rings(&self) -> impl Iterator<Item = &'static [Direction]> {
        std::iter::once(self.compass()).chain((!self.ring.is_empty()).then_some(self.ring))
    }
}
