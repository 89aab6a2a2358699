//! Boards of points and lines, drawn in text.

use super::{Board, BoardError, Direction, Labels, Shape, Site, Track};
use std::collections::{BTreeMap, BTreeSet};
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

/// Points, in columns and rows, and the lines that join them, read from text or given as lists.
///
/// In the text, `o` is a point. `-`, `|`, `/` and `\` lead on to the next point straight ahead;
/// where lines cross without a point, `+` is a crossing of straight lines and `X` of slanting
/// lines. Points that touch, side by side or one above the other, are joined. Text columns with
/// points are the columns, and rows of text with points the rows.
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
    /// By track number, the index of its direction in [`Direction::WINDS`].
    winds: Vec<u8>,
}

/// Two lines lead from one point in the same direction, to different points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SameWay {
    /// The index, from 0, of the line with the second of the two steps.
    pub line: usize,
    /// The index, from 0, of the point in this line at which that step begins or ends.
    pub place: usize,
    /// The name of the direction of both steps.
    pub way: &'static str,
    /// The end of the first step: a column and a row, from 0.
    pub other: (usize, usize),
}

/// An unexpected character of a drawing, with its row of text and its index in the row.
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

/// Returns the nearest of `count` directions, evenly spaced clockwise from the north, to the
/// direction from one place to another.
fn nearest_way((column, row): Place, (to_column, to_row): Place, count: usize) -> usize {
    let across = to_column as f64 - column as f64;
    let up = to_row as f64 - row as f64;
    // No direction between two places lies halfway between two of 8 or 16: the tangents of those
    // angles are irrational.
    let turns = across.atan2(up) / std::f64::consts::TAU;
    ((turns * count as f64).round() as isize).rem_euclid(count as isize) as usize
}

/// Returns the direction, one of `count`, of all steps of a line; `None` if they have no common
/// one.
fn straight_way(points: &[Place], count: usize) -> Option<usize> {
    let (first, last) = (*points.first()?, *points.last()?);
    let way = (first != last).then(|| nearest_way(first, last, count))?;
    let is_near = |own: usize| {
        let apart = way.abs_diff(own);
        8 * apart.min(count - apart) <= count
    };
    points.windows(2).all(|pair| is_near(nearest_way(pair[0], pair[1], count))).then_some(way)
}

/// Returns the name of one of sixteen directions.
fn wind_name(way: Direction) -> &'static str {
    match way {
        Direction::Along(wind) => Direction::WINDS[usize::from(wind)].0,
        Direction::Against(wind) => Direction::WINDS[usize::from(wind)].1,
        compass => compass.name(),
    }
}

/// Returns the direction with this index among `count`, 8 or 16. Intermediate directions are
/// numbered as in [`Direction::WINDS`].
fn direction_of(way: usize, count: usize) -> Direction {
    match (8 * way / count, (8 * way).is_multiple_of(count)) {
        (compass, true) => Direction::ALL[compass],
        (wind @ 0..4, false) => Direction::Along(wind as u8),
        (wind, false) => Direction::Against(wind as u8 - 4),
    }
}

impl Drawing {
    /// Joins consecutive points of each line, given as columns and rows from the bottom left. Steps
    /// have the one of eight directions that is nearest to the direction from the first point of
    /// their line to its last; if some step differs from it by more than an eighth of a turn, as on
    /// a ring, each step has the direction nearest to its own. If two steps from a point would have
    /// the same direction, the steps of all lines have the nearest of sixteen directions.
    ///
    /// # Errors
    /// If two steps from a point have the same one of sixteen directions.
    ///
    /// # Panics
    /// If a line has the same point twice in a row.
    pub fn joining(lines: &[Vec<(usize, usize)>]) -> Result<Drawing, SameWay> {
        Self::in_ways(lines, 8).or_else(|_| Self::in_ways(lines, 16))
    }

    /// Joins the points of lines, with steps in `count` possible directions.
    fn in_ways(lines: &[Vec<(usize, usize)>], count: usize) -> Result<Drawing, SameWay> {
        let mut drawing = Drawing {
            columns: 0,
            rows: 0,
            points: BTreeSet::new(),
            lines: Vec::new(),
            winds: Vec::new(),
        };
        let mut leads: BTreeMap<(Place, Direction), Place> = BTreeMap::new();
        for (line, points) in lines.iter().enumerate() {
            for &(column, row) in points {
                drawing.columns = drawing.columns.max(column + 1);
                drawing.rows = drawing.rows.max(row + 1);
                drawing.points.insert((column, row));
            }
            let straight = straight_way(points, count);
            for (place, pair) in points.windows(2).enumerate() {
                let (from, to) = (pair[0], pair[1]);
                assert_ne!(from, to, "a line has a point twice in a row");
                let way = straight.unwrap_or_else(|| nearest_way(from, to, count));
                let way = direction_of(way, count);
                for (place, from, way, to) in
                    [(place, from, way, to), (place + 1, to, way.opposite(), from)]
                {
                    let other = *leads.entry((from, way)).or_insert(to);
                    if other != to {
                        return Err(SameWay { line, place, way: wind_name(way), other });
                    }
                }
                drawing.lines.push((from, way, to));
            }
        }
        drawing.number_winds();
        Ok(drawing)
    }

    /// Numbers the intermediate directions that some line uses.
    fn number_winds(&mut self) {
        let used = self.lines.iter().filter_map(|(_, way, _)| way.track());
        let winds: Vec<u8> = used.collect::<BTreeSet<u8>>().into_iter().collect();
        for (_, way, _) in &mut self.lines {
            let number = |wind: u8| winds.iter().position(|&one| one == wind).unwrap_or(0) as u8;
            *way = match *way {
                Direction::Along(wind) => Direction::Along(number(wind)),
                Direction::Against(wind) => Direction::Against(number(wind)),
                compass => compass,
            };
        }
        self.winds = winds;
    }

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
        Ok(Drawing { columns: columns.len(), rows: rows.len(), points, lines, winds: Vec::new() })
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
        let name = |&wind: &u8| String::from(Direction::WINDS[usize::from(wind)].0);
        let winds = drawing.winds.iter().map(name);
        board.tracks = winds.map(|name| Track { name, runs: Vec::new() }).collect();
        board.winds = board.tracks.len();
        board.list_ways();
        Ok(board)
    }

    /// Keeps the steps for which the test holds, in both directions if it holds in one.
    pub fn joined(mut self, is_joined: impl Fn(Site, Direction) -> bool) -> Board {
        let keeps = |site, direction: Direction, to: Option<Site>| {
            to.filter(|&to| is_joined(site, direction) || is_joined(to, direction.opposite()))
        };
        let steps = self.sites.iter().map(|&site| {
            let mut steps = self.node(site).map_or([None; Direction::COUNT], |node| node.steps);
            for direction in self.straight() {
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

    /// Tests if the steps follow declared lines instead of a grid.
    pub fn has_lines(&self) -> bool {
        self.has_lines
    }
}
