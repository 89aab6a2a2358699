//! Directions across the corners of cells: on squares four of the compass, on hexagons six more than
//! the neighbours, which a board has if its game says so.

use super::{Board, BoardError, Direction, Track};

/// The directions across the corners of a hexagon, clockwise from the north. Each is half way between
/// two neighbouring directions across sides: the one before it and the one with the same place among
/// the six.
const SIX: [Direction; 6] = [
    Direction::N,
    Direction::Along(0),
    Direction::Along(1),
    Direction::S,
    Direction::Against(0),
    Direction::Against(1),
];

/// The names of the tracks that are directions across corners.
const WINDS: [&str; 2] = ["ENE", "ESE"];

impl Board {
    /// The minimum number of columns or rows to wrap around if hexagons have diagonals. With fewer,
    /// steps in two directions would lead to the same site.
    const LEAST_WRAPPED_ACROSS: usize = 4;

    /// Gives the hexagons of a board, of which no site was removed and which has no track, the
    /// directions across their corners: `N`, `ENE`, `ESE`, `S`, `WSW` and `WNW`. Boards of squares
    /// have theirs and stay as they are.
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
    pub fn with_diagonals(mut self) -> Result<Board, BoardError> {
        if !self.shape.diagonal().is_empty() {
            return Ok(self);
        }
        let least = Self::LEAST_WRAPPED_ACROSS;
        let (shape, wraps) = (self.shape, self.wraps);
        for (wraps, found) in [(wraps.columns, shape.columns()), (wraps.rows, shape.rows())] {
            if wraps && found < least {
                return Err(BoardError::NarrowWrap { found, least });
            }
        }
        let sides = self.compass();
        for (place, diagonal) in SIX.into_iter().enumerate() {
            let neighbours = [sides[(place + SIX.len() - 1) % SIX.len()], sides[place]];
            let offsets = neighbours.map(|side| shape.offset(side).unwrap_or_default());
            let (columns, rows) = (offsets[0].0 + offsets[1].0, offsets[0].1 + offsets[1].1);
            for site in self.sites.clone() {
                let to = self.beyond(self.place(site), columns, rows).map(|to| self.number(to));
                if let Some(Some(node)) = self.nodes.get_mut(site.index()) {
                    node.steps[diagonal.index()] = to;
                }
            }
        }
        let track = |name: &str| Track { name: name.to_owned(), runs: Vec::new() };
        self.tracks = WINDS.map(track).to_vec();
        self.winds = self.tracks.len();
        self.has_diagonals = true;
        self.list_ways();
        Ok(self)
    }

    /// Tests if hexagons have directions across their corners.
    pub fn has_diagonals(&self) -> bool {
        self.has_diagonals
    }

    /// Returns the directions across the corners of a cell: four on a rectangle, on hexagons six if
    /// [they have them](Self::with_diagonals), else none.
    pub fn diagonal(&self) -> &'static [Direction] {
        if self.has_diagonals { &SIX } else { self.shape.diagonal() }
    }

    /// Lists the directions in which sites lie straight from each other: those of
    /// [`all`](Self::all), and after them those across the corners of hexagons.
    pub fn straight(&self) -> impl Iterator<Item = Direction> + Clone + '_ {
        self.all.iter().chain(self.across()).copied()
    }

    /// Lists the directions that turn with the board, those of the [`compass`](Self::compass) first,
    /// then those across the corners of hexagons: each ring clockwise, from the north on.
    pub fn rings(&self) -> impl Iterator<Item = &'static [Direction]> {
        std::iter::once(self.compass()).chain(self.has_diagonals.then_some(&SIX[..]))
    }

    /// Returns the directions across the corners of hexagons.
    fn across(&self) -> &'static [Direction] {
        if self.has_diagonals { &SIX } else { &[] }
    }
}
