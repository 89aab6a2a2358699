//! Boards: numbered sites, their labels, and the steps between them.
//!
//! A board is built from a [`Shape`] and [`Labels`]. Its numbering makes a step of a whole bit set
//! a single shift under a mask, unless the board wraps. It is independent of rules and of source
//! text.

mod borders;
mod direction;
mod drawing;
mod labels;
mod layers;
mod outline;
mod passages;
mod shape;
mod track;
mod winds;

pub use borders::Sort;
pub use direction::Direction;
pub use drawing::{Drawing, DrawingError, SameWay};
pub use labels::Labels;
pub use shape::{Shape, Wraps};
pub use track::{Run, Track};

use layers::Layer;

use std::collections::HashMap;
use std::fmt;

/// A site of a board, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(pub u16);

impl Site {
    /// Returns the number as an index into tables of [`Board::slots`] entries.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Numbered and labelled sites with the steps between them.
///
/// Sites are numbered row by row from the bottom left of the drawing, so that a step in one
/// direction adds the same difference to every number. On a hexagon this leaves gaps in the
/// numbering.
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
    has_lines: bool,
    /// The directions between the compass directions that turn with the board; none if it has none.
    ring: &'static [Direction],
    sites: Vec<Site>,
    nodes: Vec<Option<SiteNode>>,
    by_label: HashMap<String, Site>,
    tracks: Vec<Track>,
    /// The directions along the tracks, onwards and back.
    track_ways: Vec<Direction>,
    /// The number of tracks, the first ones, that are intermediate directions of the board itself.
    winds: usize,
    /// The layers, the lowest first; none if the board is flat.
    layers: Vec<Layer>,
    /// The number of tracks, the last ones, that lead from layer to layer.
    lifts: usize,
    /// The mask of the tracks that pass a site more than once.
    returning: u8,
    /// The most passages of a site that such a track has.
    copies: usize,
    all: Vec<Direction>,
    longest_line: usize,
}

/// The data of one site.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SiteNode {
    column: usize,
    row: usize,
    label: String,
    steps: [Option<Site>; Direction::COUNT],
}

/// The sites whose step in a direction adds the same difference to their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The difference.
    pub delta: i32,
    /// The sites, in ascending order.
    pub from: Vec<Site>,
}

/// The reason why a board cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// The board would have more than [`Board::LIMIT`] sites. Counts are saturated at `u128::MAX`.
    TooLarge { sites: u128 },
    /// The board would have no sites.
    Empty,
    /// The first column is not an ASCII letter.
    ColumnName { found: char },
    /// The columns and rows of the shape differ in length, so that its edges cannot be joined.
    ShapeWraps,
    /// The board would wrap around fewer than `least` columns or rows, so that steps in two
    /// directions would lead to the same site.
    NarrowWrap { found: usize, least: usize },
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
            BoardError::ShapeWraps => write!(f, "this shape cannot wrap"),
            BoardError::NarrowWrap { found, least } => {
                write!(
                    f,
                    "expected at least {least} columns or rows where the board wraps, found {found}"
                )
            }
        }
    }
}

impl std::error::Error for BoardError {}

impl Board {
    /// The maximum number of sites.
    pub const LIMIT: usize = 1024;

    /// The distance between sites that no steps join: greater than any other distance.
    pub const FAR: usize = Self::LIMIT;

    /// The minimum number of columns or rows to wrap around. With two, steps in two directions
    /// would lead to the same site; with one, a step would lead back to its own site.
    pub const LEAST_WRAPPED: usize = 3;

    /// Builds a board of all nodes of a shape.
    ///
    /// # Errors
    /// If the shape has no node or more than [`LIMIT`](Self::LIMIT), or the columns cannot be
    /// named. Takes constant time for shapes of any size.
    pub fn new(shape: Shape, labels: Labels) -> Result<Board, BoardError> {
        Self::wrapped(shape, labels, Wraps::default())
    }

    /// Builds a board of all nodes of a shape, with opposite edges joined: a cylinder or a torus.
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
    /// As [`new`](Self::new), and if the shape cannot wrap.
    pub fn wrapped(shape: Shape, labels: Labels, wraps: Wraps) -> Result<Board, BoardError> {
        Self::of_sorts(shape, labels, wraps, &Sort::ALL)
    }

    /// Builds a board of the nodes of a shape that have one of the given sorts.
    fn of_sorts(
        shape: Shape,
        labels: Labels,
        wraps: Wraps,
        sorts: &[Sort],
    ) -> Result<Board, BoardError> {
        let sites = shape.size();
        if sites > Self::LIMIT as u128 {
            return Err(BoardError::TooLarge { sites });
        }
        if (wraps.columns || wraps.rows)
            && !matches!(shape, Shape::Rectangle { .. } | Shape::Rhombus { .. })
        {
            return Err(BoardError::ShapeWraps);
        }
        Self::laid(shape, labels, wraps, sorts, Vec::new())
    }

    /// Builds a board of the nodes of a shape that have one of the given sorts and lie in a layer,
    /// if there are layers.
    fn laid(
        shape: Shape,
        labels: Labels,
        wraps: Wraps,
        sorts: &[Sort],
        layers: Vec<Layer>,
    ) -> Result<Board, BoardError> {
        if !labels.are_valid() {
            let found = labels.first_column;
            return Err(BoardError::ColumnName { found });
        }
        if shape.size() == 0 {
            return Err(BoardError::Empty);
        }
        for (wraps, count) in [(wraps.columns, shape.columns()), (wraps.rows, shape.rows())] {
            if wraps && count < Self::LEAST_WRAPPED {
                let least = Self::LEAST_WRAPPED;
                return Err(BoardError::NarrowWrap { found: count, least });
            }
        }

        let mut board = Board {
            shape,
            labels,
            wraps,
            has_lines: false,
            ring: &[],
            sites: Vec::new(),
            nodes: Vec::new(),
            by_label: HashMap::new(),
            tracks: Vec::new(),
            track_ways: Vec::new(),
            winds: 0,
            layers,
            lifts: 0,
            returning: 0,
            copies: 0,
            all: shape.all().to_vec(),
            longest_line: 0,
        };
        for row in 0..shape.rows() {
            for column in shape.row(row) {
                let sort = shape.sort(column, row);
                let is_between =
                    !board.layers.is_empty() && board.layer_at((column, row)).is_none();
                if is_between || !sorts.contains(&sort) {
                    continue;
                }
                let site = board.number((column, row));
                let mut steps = [None; Direction::COUNT];
                if sort == Sort::Cell {
                    for direction in Direction::ALL {
                        let to = shape
                            .offset(direction)
                            .and_then(|(columns, rows)| board.beyond((column, row), columns, rows));
                        steps[direction.index()] = to.map(|to| board.number(to));
                    }
                }
                board.sites.push(site);
                board.nodes.resize(site.index(), None);
                board.nodes.push(Some(SiteNode { column, row, label: String::new(), steps }));
            }
        }
        board.name_sites();
        board.longest_line = board.measure_lines();
        Ok(board)
    }

    /// Removes sites: they are no longer listed, labelled or reachable by steps.
    ///
    /// The other sites keep their numbers and places, and cells their labels. Sides and posts are
    /// removed with the last cell that they belong to. Sites that are not on the board are ignored.
    pub fn without(mut self, holes: &[Site]) -> Board {
        for hole in holes {
            if let Some(node) = self.nodes.get_mut(hole.index()) {
                *node = None;
            }
        }
        self.remove_loose_borders();
        let nodes = &self.nodes;
        let remains = |site: &Site| nodes.get(site.index()).is_some_and(Option::is_some);
        self.sites.retain(remains);
        let slots = self.sites.last().map_or(0, |site| site.index() + 1);
        let present: Vec<bool> = nodes.iter().map(Option::is_some).collect();
        self.nodes.truncate(slots);
        for node in self.nodes.iter_mut().flatten() {
            node.steps = node.steps.map(|step| step.filter(|to| present[to.index()]));
        }
        self.name_sites();
        self.longest_line = self.measure_lines();
        self
    }

    /// Returns the number of sites.
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// Tests if the board has no site.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// Lists the sites in ascending order: row by row from the bottom, each from the left.
    pub fn sites(&self) -> impl ExactSizeIterator<Item = Site> + DoubleEndedIterator + '_ {
        self.sites.iter().copied()
    }

    /// Tests if the board has this site.
    pub fn contains(&self, site: Site) -> bool {
        self.node(site).is_some() && self.sites.last().is_some_and(|last| site <= *last)
    }

    /// Tests if a list of distinct sites in ascending order contains all sites.
    pub fn is_all(&self, sites: &[Site]) -> bool {
        sites.len() == self.len() && sites.last() == self.sites.last()
    }

    /// Returns one more than the largest number of a site or a passage, which is less than twice
    /// [`LIMIT`](Self::LIMIT). The numbering may have gaps.
    pub fn slots(&self) -> usize {
        self.nodes.len()
    }

    /// Returns a site's column letters and row number, such as `"a1"`; empty if it is not on the
    /// board.
    pub fn label(&self, site: Site) -> &str {
        self.node(site).map_or("", |node| &node.label)
    }

    /// Finds the site with exactly this label, including its case.
    pub fn find(&self, label: &str) -> Option<Site> {
        self.by_label.get(label).copied()
    }

    /// Returns the neighbour in a direction; `None` at an edge or a hole, or if the grid does not
    /// have the direction.
    pub fn step(&self, site: Site, direction: Direction) -> Option<Site> {
        self.node(site)?.steps[direction.index()]
    }

    /// Returns the site at a distance in columns and rows of the drawing, whether or not steps lead
    /// there; `None` beyond an edge or at a hole.
    pub fn away(&self, site: Site, columns: isize, rows: isize) -> Option<Site> {
        let node = self.node(site)?;
        let to = self.beyond((node.column, node.row), columns, rows)?;
        Some(self.number(to)).filter(|&to| self.contains(to))
    }

    /// Returns the node at a distance in columns and rows of cells; `None` beyond an edge.
    fn beyond(&self, place: (usize, usize), columns: isize, rows: isize) -> Option<(usize, usize)> {
        let pace = self.shape.pace() as isize;
        self.node_at(place, pace * columns, pace * rows)
    }

    /// Returns the node at a distance in columns and rows of nodes; `None` beyond an edge.
    fn node_at(&self, from: (usize, usize), columns: isize, rows: isize) -> Option<(usize, usize)> {
        let (shape, wraps) = (self.shape, self.wraps);
        let x = shift_coordinate(from.0, columns, wraps.columns.then(|| shape.columns()))?;
        let y = shift_coordinate(from.1, rows, wraps.rows.then(|| shape.rows()))?;
        let is_inside = y < shape.rows() && shape.row(y).contains(&x);
        let is_near = || self.layer_at(from) == self.layer_at((x, y));
        (is_inside && is_near()).then_some((x, y))
    }

    /// Returns the site number of a node.
    fn number(&self, (x, y): (usize, usize)) -> Site {
        Site((x + self.shape.stride() * y) as u16)
    }

    /// Returns the shifts that make up a step in a direction, for stepping a whole set of sites at
    /// once.
    ///
    /// Each site with a neighbour is in exactly one shift. Without wrapping there is at most one
    /// shift; the steps across a joined edge have shifts of their own.
    pub fn shifts(&self, direction: Direction) -> Vec<Shift> {
        let mut shifts: Vec<Shift> = Vec::new();
        for from in self.places() {
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

    /// Returns every compass direction of the grid, clockwise from the north.
    pub fn compass(&self) -> &'static [Direction] {
        self.shape.all()
    }

    /// Returns the directions of the language's `all`: the [`compass`](Self::compass) directions of
    /// the grid, and the intermediate directions of the board's lines. Tracks that the game
    /// declares are not included, nor are the diagonals of hexagons and the leaps of squares.
    pub fn all(&self) -> &[Direction] {
        &self.all
    }

    /// Returns, by site number, the least number of steps in these directions from one site to
    /// every other: a breadth-first search. [`FAR`](Self::FAR) for sites that no steps reach.
    ///
    /// ```
    /// use ludwright::board::{Board, Labels, Shape};
    ///
    /// // 2  1 1 2
    /// // 1  0 1 2
    /// //    a b c
    /// let board = Board::new(Shape::Rectangle { columns: 3, rows: 2 }, Labels::default())?;
    /// let corner = board.find("a1").expect("a corner");
    /// assert_eq!(board.distances(corner, board.all()), [0, 1, 2, 1, 1, 2]);
    /// assert_eq!(board.distances(corner, board.orthogonal()), [0, 1, 2, 1, 2, 3]);
    /// # Ok::<(), ludwright::board::BoardError>(())
    /// ```
    pub fn distances(&self, from: Site, directions: &[Direction]) -> Vec<u16> {
        let mut distances = vec![Self::FAR as u16; self.slots()];
        if !self.contains(from) {
            return distances;
        }
        distances[from.index()] = 0;
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(&site) = reached.get(next) {
            next += 1;
            let further = distances[site.index()] + 1;
            for to in directions.iter().filter_map(|&direction| self.step(site, direction)) {
                if distances[to.index()] == Self::FAR as u16 {
                    distances[to.index()] = further;
                    reached.push(to);
                }
            }
        }
        distances
    }

    /// Returns the row number of a cell, as in its label; 0 for a side, a post, or a site that is
    /// not on the board.
    pub fn row_of(&self, site: Site) -> usize {
        self.cell_node(site).and_then(|node| self.row_number(node.row)).unwrap_or(0)
    }

    /// Returns the column number of a cell, counted from 1 at the first letter; 0 for a side, a
    /// post, or a site that is not on the board.
    pub fn column_of(&self, site: Site) -> usize {
        let index = self.cell_node(site).and_then(|node| self.cell_column(node.column));
        index.map_or(0, |index| index + 1)
    }

    /// Returns the letters of a site's column; empty for a column of sides and posts, or a site
    /// that is not on the board.
    pub fn column_letters(&self, site: Site) -> String {
        let index = self.node(site).and_then(|node| self.cell_column(node.column));
        index.map_or(String::new(), |index| self.labels.column(index))
    }

    /// Returns the length in steps of the longest straight line. Lines that wrap around to their
    /// start are infinite and not counted.
    pub fn longest_line(&self) -> usize {
        self.longest_line
    }

    fn measure_lines(&self) -> usize {
        let walk = |site, direction| {
            std::iter::successors(self.step(site, direction), move |&at| self.step(at, direction))
        };
        // Walks from the start of each line only: walking from every site would take quadratic
        // time.
        self.ways_of_grid()
            .flat_map(|direction| self.places().map(move |place| (place, direction)))
            .filter(|&(site, direction)| self.step(site, direction.opposite()).is_none())
            .map(|(site, direction)| walk(site, direction).count())
            .max()
            .unwrap_or(0)
    }

    /// Lists the row labelled with this number, from the left; empty if there is none.
    pub fn row(&self, number: usize) -> Vec<Site> {
        self.select(|node| self.row_number(node.row) == Some(number))
    }

    /// Lists the column labelled with these letters, from the bottom; empty if there is none.
    pub fn column(&self, letters: &str) -> Vec<Site> {
        let is_named = |index: usize| self.labels.column(index) == letters;
        self.select(|node| self.cell_column(node.column).is_some_and(is_named))
    }

    /// Lists the rows from the top of the drawing, each with its label and its sites from the left.
    /// A row without sites is listed as empty. Rows of sides and posts, between rows of cells, have
    /// no label.
    pub fn rows_top_down(&self) -> Vec<(String, Vec<Site>)> {
        (0..self.shape.rows())
            .rev()
            .map(|y| {
                let is_in = |site: &Site| self.node(*site).is_some_and(|node| node.row == y);
                let number = self.row_number(y).map_or(String::new(), |number| number.to_string());
                (number, self.sites().filter(is_in).collect())
            })
            .collect()
    }

    /// Lists the rows of cells from the top of the drawing, each with its label and its cells from
    /// the left. A row without cells is listed as empty.
    pub fn rows_of_cells(&self) -> Vec<(String, Vec<Site>)> {
        let rows = self.rows_top_down().into_iter().filter(|(label, _)| !label.is_empty());
        let cells = |sites: Vec<Site>| {
            sites.into_iter().filter(|&site| self.sort(site) == Sort::Cell).collect()
        };
        rows.map(|(label, sites)| (label, cells(sites))).collect()
    }

    /// Returns a site's column and row, counted from 0 at the bottom left of the drawing. On
    /// six-neighbour grids each row is drawn half a node to the left of the one below. On a board
    /// [with borders](Self::has_borders), sides and posts have columns and rows of their own: cells
    /// are at the odd ones.
    ///
    /// # Panics
    /// If the site is not on the board.
    pub fn place(&self, site: Site) -> (usize, usize) {
        let Some(node) = self.node(site) else {
            panic!("site {} is not on the board", site.0);
        };
        (node.column, node.row)
    }

    /// Returns the shape before sites were removed.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns which edges are joined.
    pub fn wraps(&self) -> Wraps {
        self.wraps
    }

    /// Tests if any edges are joined.
    pub fn is_wrapped(&self) -> bool {
        self.wraps.columns || self.wraps.rows
    }

    /// Tests if the outline is a hexagon. A rhombus also has six neighbours, but is not one.
    pub fn is_hexagonal(&self) -> bool {
        matches!(self.shape, Shape::Hexagon { .. })
    }

    fn node(&self, site: Site) -> Option<&SiteNode> {
        self.nodes.get(site.index())?.as_ref()
    }

    /// Returns the node of a cell.
    fn cell_node(&self, site: Site) -> Option<&SiteNode> {
        self.node(site).filter(|_| self.sort(site) == Sort::Cell)
    }

    /// Returns the index of a column of nodes among the columns of cells, counted through all
    /// layers; `None` if it has no cells.
    fn cell_column(&self, x: usize) -> Option<usize> {
        self.column_in_layers(self.shape.cell_line(x)?)
    }

    fn row_number(&self, y: usize) -> Option<usize> {
        Some(self.labels.row(self.shape.cell_line(y)?, self.shape.cell_rows()))
    }

    /// Lists the cells that the test accepts.
    fn select(&self, wanted: impl Fn(&SiteNode) -> bool) -> Vec<Site> {
        self.cells().filter(|&site| self.node(site).is_some_and(&wanted)).collect()
    }
}

/// Moves a coordinate, modulo `wraps_at` if it wraps.
fn shift_coordinate(from: usize, by: isize, wraps_at: Option<usize>) -> Option<usize> {
    match wraps_at {
        Some(count) => from.checked_add_signed(by.rem_euclid(count as isize)).map(|to| to % count),
        None => from.checked_add_signed(by),
    }
}
