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
    /// Nodes with up to six neighbours, inside six sides of alternately `first` and `second` nodes.
    /// The lowest row has `first` nodes and the highest `second`.
    Hexagon { first: usize, second: usize },
    /// Nodes with up to six neighbours; each row is drawn half a node to the left of the one below.
    Rhombus { columns: usize, rows: usize },
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
    /// Returns the number of nodes, saturated at `u128::MAX`, in constant time.
    pub fn size(self) -> u128 {
        match self {
            Shape::Rectangle { columns, rows } | Shape::Rhombus { columns, rows } => {
                columns as u128 * rows as u128
            }
            Shape::Hexagon { first: 0, .. } | Shape::Hexagon { second: 0, .. } => 0,
            Shape::Hexagon { first, second } => {
                hexagon_size(first as u128, second as u128).unwrap_or(u128::MAX)
            }
        }
    }

    /// Returns the number of columns. The shape must have a node and be within the board's limit.
    pub fn columns(self) -> usize {
        match self {
            Shape::Rectangle { columns, .. } | Shape::Rhombus { columns, .. } => columns,
            Shape::Hexagon { first, second } => first + second - 1,
        }
    }

    /// Returns the number of rows. The shape must have a node and be within the board's limit.
    pub fn rows(self) -> usize {
        match self {
            Shape::Rectangle { rows, .. } | Shape::Rhombus { rows, .. } => rows,
            Shape::Hexagon { first, second } => first + second - 1,
        }
    }

    /// Returns the columns in which row `y` has nodes.
    pub fn row(self, y: usize) -> Range<usize> {
        match self {
            Shape::Rectangle { columns, .. } | Shape::Rhombus { columns, .. } => 0..columns,
            Shape::Hexagon { first, second } => {
                (y + 1).saturating_sub(second)..(first + second - 1).min(first + y)
            }
        }
    }

    /// Returns the difference between the site numbers of vertically adjacent nodes of a column:
    /// the least such that every row is numbered before the next.
    pub fn stride(self) -> usize {
        (1..self.rows())
            .map(|y| self.row(y - 1).end - self.row(y).start)
            .max()
            .unwrap_or(self.columns())
    }

    /// Returns the difference in columns and rows of a step in a direction, if the grid has it.
    pub(super) fn offset(self, direction: Direction) -> Option<(isize, isize)> {
        use Direction::*;
        let square = matches!(self, Shape::Rectangle { .. });
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
        }
    }

    pub(super) fn orthogonal(self) -> &'static [Direction] {
        match self {
            Shape::Rectangle { .. } => &ORTHOGONAL,
            Shape::Hexagon { .. } | Shape::Rhombus { .. } => &SIX,
        }
    }

    pub(super) fn diagonal(self) -> &'static [Direction] {
        match self {
            Shape::Rectangle { .. } => &DIAGONAL,
            Shape::Hexagon { .. } | Shape::Rhombus { .. } => &[],
        }
    }

    pub(super) fn all(self) -> &'static [Direction] {
        match self {
            Shape::Rectangle { .. } => &Direction::ALL,
            Shape::Hexagon { .. } | Shape::Rhombus { .. } => &SIX,
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
