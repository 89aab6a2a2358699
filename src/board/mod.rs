//! A shape and a way of labelling in, a numbered board out: sites, their labels, and the steps
//! between them. A board knows nothing of rules, of what stands on it, or of the text that
//! described it.

mod direction;
mod labels;
mod shape;

pub use direction::Direction;
pub use labels::Labels;
pub use shape::{Shape, Wraps};

use std::collections::HashMap;
use std::fmt;

/// A place on a board, by its number in the board's own order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(pub u16);

impl Site {
    /// Returns the number, for looking things up in tables of [`Board::slots`] entries.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of numbered and labelled sites with the steps between them.
///
/// Sites are numbered by rows from the bottom left of the drawing, such that a step in one
/// direction adds the same difference to the number everywhere. On a hexagon this leaves gaps in
/// the numbering.
///
/// ```
/// use ludwright::board::{Board, Direction, Labels, Shape};
///
/// // 3  . . .
/// // 2  . x y
/// // 1  . . .
/// //    a b c
/// let board = Board::new(Shape::Rectangle { columns: 3, rows: 3 }, Labels::default())?;
/// let x = board.find("b2").expect("b2 is the centre");
/// let y = board.step(x, Direction::E).expect("the centre has all neighbours");
/// assert_eq!(board.label(y), "c2");
/// assert_eq!(board.step(y, Direction::E), None);
/// # Ok::<(), ludwright::board::BoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    shape: Shape,
    labels: Labels,
    wraps: Wraps,
    sites: Vec<Site>,
    nodes: Vec<Option<SiteNode>>,
    by_label: HashMap<String, Site>,
    longest_line: usize,
}

/// What the board knows of one site.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SiteNode {
    column: usize,
    row: usize,
    label: String,
    steps: [Option<Site>; 8],
}

/// The sites that have a neighbour in some direction, and the difference to its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// What to add to a site's number.
    pub delta: i32,
    /// The sites that may step, in ascending order.
    pub from: Vec<Site>,
}

/// Why there is no such board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// It would have more than [`Board::LIMIT`] sites; a count past `u128::MAX` is given as that.
    TooLarge { sites: u128 },
    /// It would have no sites.
    Empty,
    /// The first column is not named by an ASCII letter.
    ColumnName { found: char },
    /// A hexagon has no columns or rows that would meet.
    HexagonWraps,
    /// It would wrap where it has fewer than [`Board::LEAST_WRAPPED`] columns or rows, such that
    /// steps in two directions would lead to one site.
    NarrowWrap { found: usize },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardError::TooLarge { sites } => {
                write!(f, "expected at most {} sites, found {sites}", Board::LIMIT)
            }
            BoardError::Empty => write!(f, "expected at least one site, found none"),
            BoardError::ColumnName { found } => {
                write!(f, "expected a letter from a to z or A to Z, found {found:?}")
            }
            BoardError::HexagonWraps => write!(f, "a hexagon cannot wrap"),
            BoardError::NarrowWrap { found } => {
                write!(
                    f,
                    "expected at least {} columns or rows where the board wraps, found {found}",
                    Board::LEAST_WRAPPED
                )
            }
        }
    }
}

impl std::error::Error for BoardError {}

impl Board {
    /// The most sites a board may have.
    pub const LIMIT: usize = 1024;

    /// The fewest columns that can wrap, and the fewest rows: with fewer, steps in two directions
    /// would lead to one site, or one step nowhere else.
    pub const LEAST_WRAPPED: usize = 3;

    /// Lays out a board of every node in the shape, which ends at its edges.
    ///
    /// # Errors
    /// Tells if the shape has no node or more than [`LIMIT`](Self::LIMIT), whatever its size, in
    /// constant time, or if the columns cannot be named.
    pub fn new(shape: Shape, labels: Labels) -> Result<Board, BoardError> {
        Self::wrapped(shape, labels, Wraps::default())
    }

    /// Lays out a board of every node in the shape, of which some edges meet: a cylinder, or a
    /// ring.
    ///
    /// ```
    /// use ludwright::board::{Board, Direction, Labels, Shape, Wraps};
    ///
    /// let board = Board::wrapped(Shape::Rectangle { columns: 7, rows: 6 }, Labels::default(), Wraps { columns: true, rows: false })?;
    /// let edge = board.find("g1").expect("the last column");
    /// assert_eq!(board.step(edge, Direction::NE), board.find("a2"));
    /// # Ok::<(), ludwright::board::BoardError>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new), or tells why the shape cannot wrap.
    pub fn wrapped(shape: Shape, labels: Labels, wraps: Wraps) -> Result<Board, BoardError> {
        if !labels.are_valid() {
            let found = labels.first_column;
            return Err(BoardError::ColumnName { found });
        }
        let sites = shape.size();
        if sites == 0 {
            return Err(BoardError::Empty);
        }
        if sites > Self::LIMIT as u128 {
            return Err(BoardError::TooLarge { sites });
        }
        if (wraps.columns || wraps.rows) && matches!(shape, Shape::Hexagon { .. }) {
            return Err(BoardError::HexagonWraps);
        }
        for (wraps, count) in [(wraps.columns, shape.columns()), (wraps.rows, shape.rows())] {
            if wraps && count < Self::LEAST_WRAPPED {
                return Err(BoardError::NarrowWrap { found: count });
            }
        }

        let stride = shape.stride();
        let number = |x: usize, y: usize| Site((x + stride * y) as u16);
        let reach = |x: usize, y: usize, direction| {
            let (dx, dy) = shape.offset(direction)?;
            let x = moved(x, dx, wraps.columns.then(|| shape.columns()))?;
            let y = moved(y, dy, wraps.rows.then(|| shape.rows()))?;
            (y < shape.rows() && shape.row(y).contains(&x)).then(|| number(x, y))
        };
        let mut board = Board {
            shape,
            labels,
            wraps,
            sites: Vec::new(),
            nodes: Vec::new(),
            by_label: HashMap::new(),
            longest_line: 0,
        };
        for row in 0..shape.rows() {
            for column in shape.row(row) {
                let site = number(column, row);
                let label = format!("{}{}", labels.column(column), labels.row(row, shape.rows()));
                board.sites.push(site);
                board.by_label.insert(label.clone(), site);
                board.nodes.resize(site.index(), None);
                board.nodes.push(Some(SiteNode {
                    column,
                    row,
                    label,
                    steps: Direction::ALL.map(|direction| reach(column, row, direction)),
                }));
            }
        }
        board.longest_line = board.measure_lines();
        Ok(board)
    }

    /// Cuts sites out for good: none of them is listed, labelled or stepped on any more.
    ///
    /// The others keep their numbers, labels and places. Sites that are not on the board are
    /// passed over.
    pub fn without(mut self, holes: &[Site]) -> Board {
        for hole in holes {
            if let Some(node) = self.nodes.get_mut(hole.index()).and_then(Option::take) {
                self.by_label.remove(&node.label);
            }
        }
        let nodes = &self.nodes;
        let remains = |site: &Site| nodes.get(site.index()).is_some_and(Option::is_some);
        self.sites.retain(remains);
        let slots = self.sites.last().map_or(0, |site| site.index() + 1);
        let present: Vec<bool> = nodes.iter().map(Option::is_some).collect();
        self.nodes.truncate(slots);
        for node in self.nodes.iter_mut().flatten() {
            node.steps = node.steps.map(|step| step.filter(|to| present[to.index()]));
        }
        self.longest_line = self.measure_lines();
        self
    }

    /// Counts the sites.
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// Tests if every site has been cut out.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// Lists the sites in ascending order: by rows from the bottom, each from the left.
    pub fn sites(&self) -> impl ExactSizeIterator<Item = Site> + DoubleEndedIterator + '_ {
        self.sites.iter().copied()
    }

    /// Tests if the board has this site.
    pub fn contains(&self, site: Site) -> bool {
        self.node(site).is_some()
    }

    /// Returns one more than the largest site number: the numbering may have gaps.
    ///
    /// This is less than twice [`LIMIT`](Self::LIMIT).
    pub fn slots(&self) -> usize {
        self.nodes.len()
    }

    /// Returns a site's column letters and row number, as `"a1"`; empty if it is not on the board.
    pub fn label(&self, site: Site) -> &str {
        self.node(site).map_or("", |node| &node.label)
    }

    /// Finds the site with exactly this label, in the board's own case.
    pub fn find(&self, label: &str) -> Option<Site> {
        self.by_label.get(label).copied()
    }

    /// Returns the neighbour in a direction; none at an edge, a hole, or where the grid has no
    /// such direction.
    pub fn step(&self, site: Site, direction: Direction) -> Option<Site> {
        self.node(site)?.steps[direction.index()]
    }

    /// Returns the site so many columns and rows of the drawing away, whatever lies between; none
    /// beyond the edge or at a hole.
    pub fn away(&self, site: Site, columns: isize, rows: isize) -> Option<Site> {
        let node = self.node(site)?;
        let x = moved(node.column, columns, self.wraps.columns.then(|| self.shape.columns()))?;
        let y = moved(node.row, rows, self.wraps.rows.then(|| self.shape.rows()))?;
        let inside = y < self.shape.rows() && self.shape.row(y).contains(&x);
        inside.then(|| Site((x + self.shape.stride() * y) as u16)).filter(|&to| self.contains(to))
    }

    /// Returns the part of every step in a direction, for stepping a whole set of sites at once.
    ///
    /// Each site that has a neighbour is in one part; there is one, or none if the direction leads
    /// nowhere, save on a board that wraps: there the steps over an edge are parts of their own.
    pub fn shifts(&self, direction: Direction) -> Vec<Shift> {
        let mut shifts: Vec<Shift> = Vec::new();
        for from in self.sites() {
            let Some(to) = self.step(from, direction) else {
                continue;
            };
            let delta = i32::from(to.0) - i32::from(from.0);
            match shifts.iter_mut().find(|shift| shift.delta == delta) {
                Some(shift) => shift.from.push(from),
                None => shifts.push(Shift { delta, from: vec![from] }),
            }
        }
        shifts
    }

    /// Returns the directions across the sides of a cell: four on a rectangle, else all six.
    pub fn orthogonal(&self) -> &[Direction] {
        self.shape.orthogonal()
    }

    /// Returns the directions across the corners of a cell: four on a rectangle, else none.
    pub fn diagonal(&self) -> &[Direction] {
        self.shape.diagonal()
    }

    /// Returns every direction the grid has, clockwise from the north.
    pub fn all(&self) -> &[Direction] {
        self.shape.all()
    }

    /// Returns the most steps that can be taken in one direction, from any site of a board that
    /// does not wrap. A line that comes round to its start has no end, and is left out.
    pub fn longest_line(&self) -> usize {
        self.longest_line
    }

    fn measure_lines(&self) -> usize {
        let walk = |site, direction| {
            std::iter::successors(self.step(site, direction), move |&at| self.step(at, direction))
        };
        // Only from the start of each line: walking from every site would be quadratic.
        self.all()
            .iter()
            .flat_map(|&direction| self.sites().map(move |site| (site, direction)))
            .filter(|&(site, direction)| self.step(site, direction.opposite()).is_none())
            .map(|(site, direction)| walk(site, direction).count())
            .max()
            .unwrap_or(0)
    }

    /// Lists the row with this number, as labelled, from the left; empty if there is none.
    pub fn row(&self, number: usize) -> Vec<Site> {
        self.select(|node| self.row_number(node.row) == number)
    }

    /// Lists the column with these letters from the bottom; empty if there is none.
    pub fn column(&self, letters: &str) -> Vec<Site> {
        self.select(|node| self.labels.column(node.column) == letters)
    }

    /// Lists the rows as drawn, the highest first, each with its label and its sites from the
    /// left. A row whose sites are all cut out stays in the list, empty.
    pub fn rows_top_down(&self) -> Vec<(String, Vec<Site>)> {
        (0..self.shape.rows())
            .rev()
            .map(|y| {
                let sites = self.select(|node| node.row == y);
                (self.row_number(y).to_string(), sites)
            })
            .collect()
    }

    /// Returns a site's column and row, counted from 0 at the left and at the bottom of the
    /// drawing. On six-neighbour grids the row above stands half a node further to the left.
    ///
    /// # Panics
    /// If the site is not on the board.
    pub fn place(&self, site: Site) -> (usize, usize) {
        let Some(node) = self.node(site) else {
            panic!("site {} is not on the board", site.0);
        };
        (node.column, node.row)
    }

    /// Returns the shape the board was made in, before any holes.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Tells which of the board's edges meet.
    pub fn wraps(&self) -> Wraps {
        self.wraps
    }

    /// Tests if a line may come round to its start.
    pub fn is_wrapped(&self) -> bool {
        self.wraps.columns || self.wraps.rows
    }

    /// Tests if the outline is a hexagon; a rhombus also has six neighbours, but is not.
    pub fn is_hexagonal(&self) -> bool {
        matches!(self.shape, Shape::Hexagon { .. })
    }

    fn node(&self, site: Site) -> Option<&SiteNode> {
        self.nodes.get(site.index())?.as_ref()
    }

    fn row_number(&self, y: usize) -> usize {
        self.labels.row(y, self.shape.rows())
    }

    fn select(&self, wanted: impl Fn(&SiteNode) -> bool) -> Vec<Site> {
        self.sites().filter(|&site| self.node(site).is_some_and(&wanted)).collect()
    }
}

/// Goes on by so many, and round where it wraps after a count.
fn moved(from: usize, by: isize, wraps_at: Option<usize>) -> Option<usize> {
    match wraps_at {
        Some(count) => from.checked_add_signed(by.rem_euclid(count as isize)).map(|to| to % count),
        None => from.checked_add_signed(by),
    }
}

#[cfg(test)]
mod tests;
