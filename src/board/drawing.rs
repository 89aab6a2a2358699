//! Boards of points and lines, drawn in text.

use super::{Board, BoardError, Direction, Labels, Shape, Site};
use std::collections::BTreeSet;
use std::fmt;

/// The character of a point.
const POINT: char = 'o';

/// The directions in which lines are read, each with its difference in characters and rows of text.
const WAYS: [(Direction, (isize, isize)); 4] = [
    (Direction::E, (1, 0)),
    (Direction::SE, (1, 1)),
    (Direction::S, (0, 1)),
    (Direction::SW, (-1, 1)),
];

/// A column and a row, from the bottom left.
type Place = (usize, usize);

/// Points, in columns and rows, and the lines that join them.
///
/// In the text, `o` is a point. `-`, `|`, `/` and `\` lead on to the next point straight ahead;
/// where lines cross without a point, `+` is both straight ones and `X` both slanting ones. Points
/// that touch, side by side or one above the other, are joined. Text columns with points are the
/// columns, and rows of text with points the rows.
///
/// ```
/// use ludwright::board::{Board, Direction, Drawing, Labels};
///
/// let drawing = Drawing::read(&["o---o", "|\\ /|", "| o |", "|/ \\|", "o---o"]).expect("a drawing");
/// let board = Board::drawn(&drawing, Labels::default())?;
/// let corner = board.find("a1").expect("a point");
/// assert_eq!(board.step(corner, Direction::E), board.find("c1"));
/// assert_eq!(board.step(corner, Direction::NE), board.find("b2"));
/// # Ok::<(), ludwright::board::BoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    columns: usize,
    rows: usize,
    points: BTreeSet<Place>,
    /// Pairs of joined points, each with the direction from the first one.
    lines: Vec<(Place, Direction, Place)>,
}

/// The character of a drawing that does not belong there, by its row of text and its place in it,
/// both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawingError {
    /// The row of text, from 0.
    pub row: usize,
    /// The character in this row, from 0.
    pub place: usize,
    /// The character.
    pub found: char,
}

impl fmt::Display for DrawingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match is_line(self.found) {
            true => write!(f, "this `{}` does not join two points", self.found),
            false => write!(
                f,
                "expected `o`, `-`, `|`, `/`, `\\`, `X`, `+` or a space, found {:?}",
                self.found
            ),
        }
    }
}

/// Tests if a character is part of a line.
fn is_line(character: char) -> bool {
    matches!(character, '-' | '|' | '/' | '\\' | 'X' | '+')
}

/// Tests if a character is part of a line in a direction.
fn leads(character: char, direction: Direction) -> bool {
    match direction {
        Direction::E => matches!(character, '-' | '+'),
        Direction::S => matches!(character, '|' | '+'),
        Direction::SE => matches!(character, '\\' | 'X'),
        Direction::SW => matches!(character, '/' | 'X'),
        _ => false,
    }
}

impl Drawing {
    /// Reads a drawing: rows of text from the top.
    ///
    /// # Errors
    /// If there is an unknown character, or a line that does not join two points.
    pub fn read(text: &[impl AsRef<str>]) -> Result<Drawing, DrawingError> {
        let text: Vec<Vec<char>> = text.iter().map(|row| row.as_ref().chars().collect()).collect();
        let all = || {
            let row = |(row, line): (usize, &Vec<char>)| {
                line.iter()
                    .copied()
                    .enumerate()
                    .map(move |(place, found)| (row, place, found))
                    .collect::<Vec<_>>()
            };
            text.iter().enumerate().flat_map(row)
        };
        let unknown =
            |&(.., found): &(usize, usize, char)| found != ' ' && found != POINT && !is_line(found);
        if let Some((row, place, found)) = all().find(unknown) {
            return Err(DrawingError { row, place, found });
        }
        let points = || all().filter(|&(.., found)| found == POINT);
        let columns: Vec<usize> =
            points().map(|(_, place, _)| place).collect::<BTreeSet<_>>().into_iter().collect();
        let rows: Vec<usize> =
            points().map(|(row, ..)| row).collect::<BTreeSet<_>>().into_iter().collect();
        let place = |row, at| {
            let from_top = rows.binary_search(&row).ok()?;
            Some((columns.binary_search(&at).ok()?, rows.len() - 1 - from_top))
        };
        let mut lines = Vec::new();
        let mut read: BTreeSet<(usize, usize, Direction)> = BTreeSet::new();
        for (row, at, _) in points() {
            for (direction, by) in WAYS {
                let next = |row: usize, at: usize| {
                    let (row, at) = (row.checked_add_signed(by.1)?, at.checked_add_signed(by.0)?);
                    Some((row, at, *text.get(row)?.get(at)?))
                };
                let mut passed = Vec::new();
                let mut ahead = next(row, at);
                while let Some((row, at, _)) = ahead.filter(|&(.., found)| leads(found, direction))
                {
                    passed.push((row, at, direction));
                    ahead = next(row, at);
                }
                let Some((end, to, POINT)) = ahead else { continue };
                let touches = passed.is_empty();
                if touches && matches!(direction, Direction::SE | Direction::SW) {
                    continue;
                }
                read.extend(passed);
                if let Some((from, to)) = place(row, at).zip(place(end, to)) {
                    lines.push((from, direction, to));
                }
            }
        }
        let is_read = |row, place, found| {
            WAYS.iter().all(|&(direction, _)| {
                !leads(found, direction) || read.contains(&(row, place, direction))
            })
        };
        if let Some((row, place, found)) =
            all().find(|&(row, place, found)| is_line(found) && !is_read(row, place, found))
        {
            return Err(DrawingError { row, place, found });
        }
        let points = points().filter_map(|(row, at, _)| place(row, at)).collect();
        Ok(Drawing { columns: columns.len(), rows: rows.len(), points, lines })
    }
}

impl Board {
    /// Builds a board of the points of a drawing, with steps along its lines only.
    ///
    /// # Errors
    /// As [`new`](Self::new), for a rectangle of all columns and rows of the drawing.
    pub fn drawn(drawing: &Drawing, labels: Labels) -> Result<Board, BoardError> {
        let &Drawing { columns, rows, .. } = drawing;
        let mut board = Board::new(Shape::Rectangle { columns, rows }, labels)?;
        let is_hole = |site: &Site| !drawing.points.contains(&board.place(*site));
        let holes: Vec<_> = board.sites().filter(is_hole).collect();
        board = board.without(&holes);
        for node in board.nodes.iter_mut().flatten() {
            node.steps = [None; Direction::COUNT];
        }
        let number = |(column, row): Place| Site((column + columns * row) as u16);
        for &(from, direction, to) in &drawing.lines {
            for (from, direction, to) in [(from, direction, to), (to, direction.opposite(), from)] {
                if let Some(Some(node)) = board.nodes.get_mut(number(from).index()) {
                    node.steps[direction.index()] = Some(number(to));
                }
            }
        }
        board.has_lines = true;
        board.longest_line = board.measure_lines();
        Ok(board)
    }

    /// Keeps the steps for which the test holds, in both directions if it holds in one.
    pub fn joined(mut self, is_joined: impl Fn(Site, Direction) -> bool) -> Board {
        let keeps = |site, direction: Direction, to: Option<Site>| {
            to.filter(|&to| is_joined(site, direction) || is_joined(to, direction.opposite()))
        };
        let steps = self.sites.iter().map(|&site| {
            let mut steps = [None; Direction::COUNT];
            for direction in Direction::ALL {
                steps[direction.index()] = keeps(site, direction, self.step(site, direction));
            }
            steps
        });
        let steps: Vec<_> = steps.collect();
        for (&site, steps) in self.sites.iter().zip(steps) {
            if let Some(node) = &mut self.nodes[site.index()] {
                node.steps = steps;
            }
        }
        self.has_lines = true;
        self.longest_line = self.measure_lines();
        self
    }

    /// Tests if the steps are those of declared lines, not all steps of a grid.
    pub fn has_lines(&self) -> bool {
        self.has_lines
    }
}
