//! The edges, the corners and the middle of a board's outline, rows counted from an edge, its axes
//! and the turns of its directions.
//!
//! They follow the shape: removing sites from the board (`without`) makes no new edge. Each layer
//! has its own outline.

use super::{Board, Direction, Shape, Site};
use std::collections::HashMap;

impl Board {
    /// Returns one of each two opposite directions, clockwise from the north.
    pub fn axes(&self) -> Vec<Direction> {
        let all = self.all();
        let is_first = |&(index, direction): &(usize, &Direction)| {
            !all[..index].contains(&direction.opposite())
        };
        all.iter().enumerate().filter(is_first).map(|(_, &direction)| direction).collect()
    }

    /// Returns the direction `steps` clockwise from another: eighths of a turn on a rectangle, else
    /// sixths.
    ///
    /// A direction that the grid does not have, such as `N` on hexagons, only has an opposite:
    /// other turns of it are `None`.
    ///
    /// ```
    /// use ludwright::board::{Board, Direction, Labels, Shape};
    ///
    /// let squares = Board::new(Shape::Rectangle { columns: 3, rows: 3 }, Labels::default())?;
    /// assert_eq!(squares.turned(Direction::N, 2), Some(Direction::E));
    /// let hexagons = Board::new(Shape::Hexagon { first: 3, second: 3 }, Labels::default())?;
    /// assert_eq!(hexagons.turned(Direction::NE, -1), Some(Direction::NW));
    /// assert_eq!(hexagons.turned(Direction::N, 1), None);
    /// # Ok::<(), ludwright::board::BoardError>(())
    /// ```
    pub fn turned(&self, direction: Direction, steps: i32) -> Option<Direction> {
        let count = self.compass().len();
        let steps = steps.rem_euclid(count as i32) as usize;
        let in_ring = |ring: &[Direction]| {
            let place = ring.iter().position(|&one| one == direction)?;
            Some(ring[(place + steps) % count])
        };
        // Likewise, a direction along a track only has an opposite.
        match self.rings().find_map(in_ring) {
            Some(turned) => Some(turned),
            None if steps == 0 => Some(direction),
            None if 2 * steps == count => Some(direction.opposite()),
            None => None,
        }
    }

    /// Returns the number of steps from a direction to its opposite.
    pub fn half_turn(&self) -> u8 {
        (self.compass().len() / 2) as u8
    }

    /// Lists the sites from which a step in a direction leaves the board, in ascending order; none
    /// if the grid does not have the direction.
    pub fn edge(&self, direction: Direction) -> Vec<Site> {
        let Some((columns, rows)) = self.shape.offset(direction) else { return Vec::new() };
        let leaves = |&site: &Site| {
            let (column, row) = self.place(site);
            self.beyond((column, row), columns, rows).is_none()
        };
        self.cells().filter(leaves).collect()
    }

    /// Lists the `number`-th row from the edge that the direction leads away from, counted from 1;
    /// empty if there are fewer rows.
    ///
    /// Rows are counted from the bottom for `N`, from the top for `S`; columns from the left for
    /// `E`, from the right for `W`. On hexagons a step to `NE` or `NW` leads to the next higher
    /// row, so these count like `N`, and `SE` and `SW` like `S`. For the diagonals of squares the
    /// result is `None`. In layers, rows are counted from the edge of each layer.
    pub fn row_from(&self, direction: Direction, number: usize) -> Option<Vec<Site>> {
        let (columns, rows) = self.shape.offset(direction)?;
        let (backwards, is_row) = match (columns, rows) {
            (_, 0) => (columns < 0, false),
            _ if columns != 0 && self.shape.is_square() => return None,
            _ => (rows < 0, true),
        };
        let Some(index) = number.checked_sub(1) else { return Some(Vec::new()) };
        let is_counted = |&site: &Site| {
            let (shape, (column, row)) = self.within_outline(site);
            let (line, count) = match is_row {
                true => (row, shape.cell_rows()),
                false => (column, shape.cell_columns()),
            };
            let from_start = if backwards { count.checked_sub(index + 1) } else { Some(index) };
            from_start.is_some_and(|index| shape.node_line(index) == line)
        };
        Some(self.cells().filter(is_counted).collect())
    }

    /// Returns how many rows [`row_from`](Self::row_from) counts in a direction.
    pub fn rows_from(&self, direction: Direction) -> usize {
        match self.shape.offset(direction) {
            Some((_, 0)) => self.most_columns(),
            _ => self.shape.cell_rows(),
        }
    }

    /// Lists the sites at the corners of the shape or of each layer, in ascending order; none if
    /// edges are joined.
    pub fn corners(&self) -> Vec<Site> {
        if self.is_wrapped() {
            return Vec::new();
        }
        let is_corner = |&site: &Site| {
            let (shape, place) = self.within_outline(site);
            outline(shape).contains(&place)
        };
        self.cells().filter(is_corner).collect()
    }

    /// Lists the sites nearest to the middle of the shape or of their layer, in ascending order.
    pub fn centre(&self) -> Vec<Site> {
        let mut least: HashMap<Shape, i64> = HashMap::new();
        let is_nearest = |&site: &Site| {
            let (shape, place) = self.within_outline(site);
            let nearest = *least.entry(shape).or_insert_with(|| least_distance(shape));
            distance_from_middle(shape)(place) == nearest
        };
        self.cells().filter(is_nearest).collect()
    }

    /// Returns a measure of a site's distance from the middle of the shape or of its layer, which
    /// grows with the distance. It is 0 for all sites of a board with joined edges.
    pub fn off_centre(&self, site: Site) -> i64 {
        let (shape, place) = self.within_outline(site);
        if self.is_wrapped() { 0 } else { distance_from_middle(shape)(place) }
    }
}

/// Returns the distance from the middle of a shape to the nearest cell.
fn least_distance(shape: Shape) -> i64 {
    let is_cell =
        |&(x, y): &(usize, usize)| shape.cell_line(x).is_some() && shape.cell_line(y).is_some();
    let places = (0..shape.rows()).flat_map(|y| shape.row(y).map(move |x| (x, y)));
    places.filter(is_cell).map(distance_from_middle(shape)).min().unwrap_or(0)
}

/// Returns a function from a column and row to the squared distance from the mean of the corners of
/// a shape, in units of a fraction of a step.
fn distance_from_middle(shape: Shape) -> impl Fn((usize, usize)) -> i64 {
    let corners = outline(shape);
    let sum = |of: fn((usize, usize)) -> usize| corners.iter().copied().map(of).sum::<usize>();
    let (columns, rows) = (sum(|corner| corner.0) as i64, sum(|corner| corner.1) as i64);
    let count = corners.len() as i64;
    move |(x, y)| {
        let (x, y) = (count * x as i64 - columns, count * y as i64 - rows);
        // The columns and rows of a six-neighbour grid meet at 120 degrees.
        match shape {
            Shape::Rectangle { .. } | Shape::Bordered { .. } => x * x + y * y,
            _ => x * x + y * y - x * y,
        }
    }
}

/// Returns the columns and rows of the corners of a shape: the ends of its first and last row; on a
/// hexagon also of its longest row, on a star also of the rows where two tips begin. A corner of a
/// shape without width is listed several times.
fn outline(shape: Shape) -> Vec<(usize, usize)> {
    if let Shape::Bordered { columns, rows } = shape {
        let of_cells = |(x, y)| (shape.node_line(x), shape.node_line(y));
        return outline(Shape::Rectangle { columns, rows }).into_iter().map(of_cells).collect();
    }
    let rows = match shape {
        Shape::Bordered { .. } => Vec::new(),
        Shape::Rectangle { rows, .. } | Shape::Rhombus { rows, .. } => vec![0, rows - 1],
        Shape::Hexagon { second, .. } => vec![0, second - 1, shape.rows() - 1],
        Shape::Triangle { side } => vec![0, side - 1],
        Shape::Star { points } => vec![0, points, 3 * points, 4 * points],
    };
    let ends = |y: usize| [(shape.row(y).start, y), (shape.row(y).end - 1, y)];
    rows.into_iter().flat_map(ends).collect()
}
