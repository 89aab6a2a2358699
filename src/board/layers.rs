//! Layers: boards of squares, one above the other, with one numbering of sites.
//!
//! The layers lie side by side on one lattice, the lowest in the west, separated by one column
//! without sites, with their first rows in line. So neighbours, rows, texts and pictures work as on
//! a board with holes, except that every layer has edges, corners and a middle of its own. The
//! sites that a site rests on are one step away in directions without a name in the language: see
//! [`Board::below`]. These directions are the last tracks, so that paths can be the first ones.

use super::{Board, BoardError, Direction, Labels, Shape, Site, Sort, Wraps};

/// The place of a layer on the lattice, in columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layer {
    column: usize,
    row: usize,
    columns: usize,
    rows: usize,
}

impl Layer {
    /// Returns a column and row of the lattice as a column and row of the layer.
    fn within(self, (column, row): (usize, usize)) -> Option<(usize, usize)> {
        let (column, row) = (column.checked_sub(self.column)?, row.checked_sub(self.row)?);
        (column < self.columns && row < self.rows).then_some((column, row))
    }

    fn shape(self) -> Shape {
        Shape::Rectangle { columns: self.columns, rows: self.rows }
    }
}

/// How a site of a layer rests on the layer below.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// On the site below it: the layers have the same size.
    One,
    /// On four sites, over the corner that they share.
    Four,
}

impl Board {
    /// The maximum number of layers.
    pub const MAX_LAYERS: usize = 16;

    /// Tests if a layer of one size, in columns and rows, can lie on a layer of another size: if it
    /// is as large, or a column and a row smaller.
    pub fn can_rest(above: (usize, usize), below: (usize, usize)) -> bool {
        rest(above, below).is_some()
    }

    /// Builds a board of layers with these columns and rows, the lowest first. Column letters
    /// continue from layer to layer, rows are numbered from the first one in each.
    ///
    /// ```
    /// use ludwright::board::{Board, Labels};
    ///
    /// // 3  . . .
    /// // 2  . . .   . .
    /// // 1  . . .   . .   .
    /// //    a b c   d e   f
    /// let board = Board::layered(&[(3, 3), (2, 2), (1, 1)], Labels::default())?;
    /// let top = board.find("f1").expect("the top");
    /// let mut below: Vec<_> =
    ///     board.below().iter().filter_map(|&way| board.step(top, way)).collect();
    /// below.sort();
    /// let labels: Vec<&str> = below.iter().map(|&site| board.label(site)).collect();
    /// assert_eq!(labels, ["d1", "e1", "d2", "e2"]);
    /// # Ok::<(), ludwright::board::BoardError>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// # Panics
    /// If a layer [cannot rest](Self::can_rest) on the one before it, or there are more than
    /// [`MAX_LAYERS`](Self::MAX_LAYERS).
    pub fn layered(sizes: &[(usize, usize)], labels: Labels) -> Result<Board, BoardError> {
        let rests: Vec<Option<Rest>> =
            sizes.windows(2).map(|pair| rest(pair[1], pair[0])).collect();
        assert!(rests.iter().all(Option::is_some), "a layer that cannot rest on the one below");
        assert!(sizes.len() <= Self::MAX_LAYERS, "more than {} layers", Self::MAX_LAYERS);
        let size = |&(columns, rows): &(usize, usize)| Shape::Rectangle { columns, rows }.size();
        let sites = sizes.iter().map(size).fold(0, u128::saturating_add);
        if sites > Self::LIMIT as u128 {
            return Err(BoardError::TooLarge { sites });
        }
        if sites == 0 {
            return Err(BoardError::Empty);
        }
        let height = sizes.iter().map(|&(_, rows)| rows).max().unwrap_or(0);
        let mut layers = Vec::with_capacity(sizes.len());
        let mut column = 0;
        for &(columns, rows) in sizes {
            let row = if labels.rows_from_top { height - rows } else { 0 };
            layers.push(Layer { column, row, columns, rows });
            column += columns + 1;
        }
        let shape = Shape::Rectangle { columns: column.saturating_sub(1), rows: height };
        let mut board = Board::laid(shape, labels, Wraps::default(), &Sort::ALL, layers)?;
        board.lifts = match rests.contains(&Some(Rest::Four)) {
            true => Shape::SQUARE_DIAGONALS.len(),
            false => usize::from(!rests.is_empty()),
        };
        board.join_layers(&rests);
        Ok(board)
    }

    /// Adds the steps from layer to layer.
    fn join_layers(&mut self, rests: &[Option<Rest>]) {
        let down = self.below();
        for (pair, rest) in (0..rests.len()).map(|index| [index, index + 1]).zip(rests) {
            let [lower, upper] = pair.map(|index| self.layers[index]);
            for (column, row) in
                (0..upper.rows).flat_map(|row| (0..upper.columns).map(move |column| (column, row)))
            {
                let from = self.number((upper.column + column, upper.row + row));
                for &way in &down {
                    // A site that rests on one site is joined to it in all these directions, since
                    // no turn of the board distinguishes them.
                    let (east, north) = match rest {
                        Some(Rest::Four) => corner(way),
                        _ => (0, 0),
                    };
                    let to = self.number((lower.column + column + east, lower.row + row + north));
                    for (from, way, to) in [(from, way, to), (to, way.opposite(), from)] {
                        if let Some(Some(node)) = self.nodes.get_mut(from.index()) {
                            node.steps[way.index()] = Some(to);
                        }
                    }
                }
            }
        }
    }

    /// Tests if the board has several layers.
    pub fn has_layers(&self) -> bool {
        self.layers.len() > 1
    }

    /// Returns the directions that lead from a site to the sites on which it rests, at most one in
    /// each; none on a board of one layer.
    pub fn below(&self) -> Vec<Direction> {
        (Direction::MAX_TRACKS - self.lifts..Direction::MAX_TRACKS)
            .map(|track| Direction::Against(track as u8))
            .collect()
    }

    /// Returns the opposites of [`below`](Self::below), which lead up.
    pub fn above(&self) -> Vec<Direction> {
        self.below().into_iter().map(Direction::opposite).collect()
    }

    /// Tests if a direction leads from layer to layer.
    pub fn is_lift(&self, direction: Direction) -> bool {
        let first = Direction::MAX_TRACKS - self.lifts;
        direction.track().is_some_and(|track| usize::from(track) >= first)
    }

    /// Returns the image of a direction from layer to layer when `turned` maps the compass
    /// directions of the board.
    pub fn turned_lift(
        &self,
        direction: Direction,
        turned: impl Fn(Direction) -> Direction,
    ) -> Direction {
        let corners = Shape::SQUARE_DIAGONALS;
        let number = direction.track().map_or(0, usize::from);
        let to = corners.iter().position(|&corner| corner == turned(corners[number]));
        match (self.lifts == corners.len(), to) {
            (true, Some(to)) if matches!(direction, Direction::Along(_)) => {
                Direction::Along(to as u8)
            }
            (true, Some(to)) => Direction::Against(to as u8),
            _ => direction,
        }
    }

    /// Returns a site's column and row, counted from 0 at the bottom left of its layer.
    ///
    /// # Panics
    /// If the site is not on the board.
    pub fn place_in_layer(&self, site: Site) -> (usize, usize) {
        self.within_outline(site).1
    }

    /// Returns the layer at a column and row of the lattice; `None` between layers, and on a board
    /// without layers.
    pub(super) fn layer_at(&self, place: (usize, usize)) -> Option<usize> {
        self.layers.iter().position(|layer| layer.within(place).is_some())
    }

    /// Returns the index of a column of the lattice among the columns of all layers; `None` between
    /// layers.
    pub(super) fn column_in_layers(&self, column: usize) -> Option<usize> {
        if self.layers.is_empty() {
            return Some(column);
        }
        let is_in = |layer: &&Layer| (layer.column..layer.column + layer.columns).contains(&column);
        let between = self.layers.iter().position(|layer| is_in(&layer))?;
        Some(column - between)
    }

    /// Returns the shape whose edges surround a site, its layer's or the whole board's, and the
    /// site's place in this shape.
    pub(super) fn within_outline(&self, site: Site) -> (Shape, (usize, usize)) {
        let place = self.place(site);
        let layer = self.layers.iter().find_map(|layer| layer.within(place).zip(Some(layer)));
        layer.map_or((self.shape, place), |(place, layer)| (layer.shape(), place))
    }

    /// Returns the greatest number of columns of a layer, or the board's number of columns.
    pub(super) fn most_columns(&self) -> usize {
        let columns = self.layers.iter().map(|layer| layer.columns).max();
        columns.unwrap_or(self.shape.cell_columns())
    }
}

/// Returns how the sites of a layer of one size rest on a layer of another size.
fn rest(above: (usize, usize), below: (usize, usize)) -> Option<Rest> {
    match (below.0.checked_sub(above.0), below.1.checked_sub(above.1)) {
        (Some(0), Some(0)) => Some(Rest::One),
        (Some(1), Some(1)) => Some(Rest::Four),
        _ => None,
    }
}

/// Returns how many columns and rows the site in a direction down lies from the south-western one.
fn corner(down: Direction) -> (usize, usize) {
    match Shape::SQUARE_DIAGONALS[down.track().map_or(0, usize::from)] {
        Direction::NE => (1, 1),
        Direction::SE => (1, 0),
        Direction::NW => (0, 1),
        _ => (0, 0),
    }
}
