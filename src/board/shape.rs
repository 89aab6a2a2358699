//! Shapes: the size, the rows and the directions of a grid within an outline.
//!
//! Nodes are addressed by column and row, both counted from 0 at the bottom left. Labels, site
//! numbers and holes belong to the board.

use super::Direction;
use std::ops::Range;

/// The outline of a board and the grid inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Square cells with up to eight neighbours.
    Rectangle { columns: usize, rows: usize },
    /// As many square cells with up to eight neighbours, with their sides and, where sides meet,
    /// posts. There are twice as many columns and rows of nodes plus one: cells at the odd ones,
    /// posts at the even ones.
    Bordered { columns: usize, rows: usize },
    /// Nodes with up to six neighbours, inside six sides of alternately `first` and `second` nodes.
    /// The lowest row has `first` nodes and the highest `second`.
    Hexagon { first: usize, second: usize },
    /// Nodes with up to six neighbours; each row is drawn half a node to the left of the one below.
    Rhombus { columns: usize, rows: usize },
    /// Nodes with up to six neighbours, in a triangle with the tip at the top.
    Triangle { side: usize },
    /// Nodes with up to six neighbours: a hexagon with a triangle on each side, whose rows have
    /// `points` nodes and fewer, down to one.
    Star { points: usize },
}

/// Which opposite edges of a board are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wraps {
    /// Whether the last column is next to the first.
    pub columns: bool,
    /// Whether the last row is next to the first.
    pub rows: bool,
}

const ORTHOGONAL: [Direction; 4] = [Direction::N, Direction::E, Direction::S, Direction::W];
const DIAGONAL: [Direction; 4] = [Direction::NE, Direction::SE, Direction::SW, Direction::NW];
const SIX: [Direction; 6] =
    [Direction::NE, Direction::E, Direction::SE, Direction::SW, Direction::W, Direction::NW];

impl Shape {
    /// The directions across the corners of squares, clockwise.
    pub(super) const SQUARE_DIAGONALS: [Direction; 4] = DIAGONAL;

    /// Returns the number of nodes, saturated at `u128::MAX`, in constant time.
    pub fn size(self) -> u128 {
        match self {
            Shape::Rectangle { columns, rows } | Shape::Rhombus { columns, rows } => {
                columns as u128 * rows as u128
            }
            Shape::Bordered { columns: 0, .. } | Shape::Bordered { rows: 0, .. } => 0,
            Shape::Bordered { columns, rows } => {
                let lines = |cells: usize| (cells as u128).saturating_mul(2).saturating_add(1);
                lines(columns).saturating_mul(lines(rows))
            }
            Shape::Hexagon { first: 0, .. } | Shape::Hexagon { second: 0, .. } => 0,
            Shape::Triangle { side } => {
                let side = side as u128;
                side.checked_mul(side + 1).map_or(u128::MAX, |twice| twice / 2)
            }
            Shape::Star { points: 0 } => 0,
            // Two triangles, each with three tips beyond the other one.
            Shape::Star { points } => {
                let points = points as u128;
                let tips = points.checked_mul(points + 1).and_then(|tips| tips.checked_mul(3));
                let inside = hexagon_size(points.saturating_add(1), points.saturating_add(1));
                tips.zip(inside)
                    .and_then(|(tips, inside)| tips.checked_add(inside))
                    .unwrap_or(u128::MAX)
            }
            Shape::Hexagon { first, second } => {
                hexagon_size(first as u128, second as u128).unwrap_or(u128::MAX)
            }
        }
    }

    /// Returns the number of columns. The shape must have a node and be within the board's limit.
    pub fn columns(self) -> usize {
        match self {
            Shape::Rectangle { columns, .. } | Shape::Rhombus { columns, .. } => columns,
            Shape::Bordered { columns, .. } => 2 * columns + 1,
            Shape::Hexagon { first, second } => first + second - 1,
            Shape::Triangle { side } => side,
            Shape::Star { points } => 4 * points + 1,
        }
    }

    /// Returns the number of rows. The shape must have a node and be within the board's limit.
    pub fn rows(self) -> usize {
        match self {
            Shape::Rectangle { rows, .. } | Shape::Rhombus { rows, .. } => rows,
            Shape::Bordered { rows, .. } => 2 * rows + 1,
            Shape::Hexagon { first, second } => first + second - 1,
            Shape::Triangle { side } => side,
            Shape::Star { points } => 4 * points + 1,
        }
    }

    /// Returns the columns in which row `y` has nodes.
    pub fn row(self, y: usize) -> Range<usize> {
        match self {
            Shape::Rectangle { columns, .. } | Shape::Rhombus { columns, .. } => 0..columns,
            Shape::Bordered { .. } => 0..self.columns(),
            Shape::Hexagon { first, second } => {
                (y + 1).saturating_sub(second)..(first + second - 1).min(first + y)
            }
            Shape::Triangle { side } => y..side,
            // The rows of two triangles: one with its tip at the bottom, below its uppermost row,
            // and one with its tip at the top, above its lowest row.
            Shape::Star { points: n } => match (y < n, y > 3 * n) {
                (true, _) => n..n + y + 1,
                (_, true) => y - n..3 * n + 1,
                _ => n.min(y - n)..(n + y + 1).max(3 * n + 1),
            },
        }
    }

    /// Returns the difference between the site numbers of vertically adjacent nodes of a column:
    /// the least number that lets every row be numbered before the next.
    pub fn stride(self) -> usize {
        (1..self.rows())
            .map(|y| self.row(y - 1).end - self.row(y).start)
            .max()
            .unwrap_or(self.columns())
    }

    /// Tests if the cells are squares.
    pub(super) fn is_square(self) -> bool {
        matches!(self, Shape::Rectangle { .. } | Shape::Bordered { .. })
    }

    /// Returns the number of columns of nodes from one cell to the next.
    pub(super) fn pace(self) -> usize {
        if matches!(self, Shape::Bordered { .. }) { 2 } else { 1 }
    }

    /// Returns the index of a column or row of nodes among the columns or rows of cells; `None` if
    /// it has only sides and posts.
    pub(super) fn cell_line(self, nodes: usize) -> Option<usize> {
        match self {
            Shape::Bordered { .. } => (nodes % 2 == 1).then_some(nodes / 2),
            _ => Some(nodes),
        }
    }

    /// Returns the column or row of nodes of a column or row of cells.
    pub(super) fn node_line(self, cells: usize) -> usize {
        self.pace() * cells + self.pace() / 2
    }

    /// Returns the number of columns of cells.
    pub(super) fn cell_columns(self) -> usize {
        self.columns() / self.pace()
    }

    /// Returns the number of rows of cells.
    pub fn cell_rows(self) -> usize {
        self.rows() / self.pace()
    }

    /// Returns the difference in columns and rows of cells of a step in a direction, if the grid
    /// has it.
    pub(super) fn offset(self, direction: Direction) -> Option<(isize, isize)> {
        use Direction::*;
        let square = self.is_square();
        match direction {
            N if square => Some((0, 1)),
            S if square => Some((0, -1)),
            N | S => None,
            E => Some((1, 0)),
            W => Some((-1, 0)),
            NE => Some((1, 1)),
            SW => Some((-1, -1)),
            NW if square => Some((-1, 1)),
            SE if square => Some((1, -1)),
            // The rows of a six-neighbour grid lean to the left as they rise, so a column runs from
            // south-east to north-west.
            NW => Some((0, 1)),
            SE => Some((0, -1)),
            Along(_) | Against(_) => None,
        }
    }

    pub(super) fn orthogonal(self) -> &'static [Direction] {
        match self {
            _ if self.is_square() => &ORTHOGONAL,
            _ => &SIX,
        }
    }

    pub(super) fn diagonal(self) -> &'static [Direction] {
        match self {
            _ if self.is_square() => &DIAGONAL,
            _ => &[],
        }
    }

    pub(super) fn all(self) -> &'static [Direction] {
        match self {
            _ if self.is_square() => &Direction::ALL,
            _ => &SIX,
        }
    }
}

/// Counts the nodes of a hexagon: a triangle of side a + 2b - 2 without its three corners of side
/// b - 1, expanded into a sum so that nothing large is subtracted.
fn hexagon_size(a: u128, b: u128) -> Option<u128> {
    let corner = |side: u128| (side - 1).checked_mul(side.saturating_sub(2));
    let middle = a.checked_mul(b)?.checked_mul(4)? - 2;
    Some(corner(a)?.checked_add(corner(b)?)?.checked_add(middle)? / 2)
}
