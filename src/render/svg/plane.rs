//! Maps a board to the plane: centres, cells, angles and label positions.

use crate::board::{Board, Direction, Site, Sort};
use crate::language::look::Curve;

/// A point; x points right and y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// Returns the point at a distance and an angle, clockwise from north.
    pub fn away(self, distance: f64, degrees: f64) -> Point {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        Point::new(self.x + distance * sine, self.y - distance * cosine)
    }
}

/// A part of a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    pub center: Point,
    pub radius: f64,
    /// Whether the arc is longer than half of the circle.
    pub is_large: bool,
    pub is_clockwise: bool,
}

/// A board laid out in the plane.
pub struct Plane<'b> {
    pub board: &'b Board,
    /// The distance of adjacent sites.
    pub unit: f64,
    /// Whether a page shows the board, in any size.
    pub is_of_page: bool,
    six: bool,
    /// The number of units that the board extends beyond its sites on each side, for curves.
    margin: usize,
    /// The number of columns and rows of nodes from cell to cell.
    pace: f64,
}

/// The thickness of a site on the border of cells, as part of the distance between cells: of its
/// area to touch, and of a piece on it.
const BORDER: f64 = 0.26;
const BAR: f64 = 0.15;

impl Plane<'_> {
    pub fn new(board: &Board, unit: f64) -> Plane<'_> {
        let pace = if board.has_borders() { 2.0 } else { 1.0 };
        Plane { board, unit, is_of_page: false, six: board.all().len() == 6, margin: 0, pace }
    }

    /// Makes room for curves beyond the outermost sites.
    pub fn with_curves(mut self, curves: &[Curve]) -> Self {
        let (least, most) = self.ends();
        let arcs = curves.iter().filter_map(|curve| self.arc(curve)).filter(|arc| arc.is_large);
        let beyond = arcs.map(|Arc { center, radius, .. }| {
            let (left, right) = (least.x - (center.x - radius), center.x + radius - most.x);
            let (above, below) = (least.y - (center.y - radius), center.y + radius - most.y);
            left.max(right).max(above).max(below)
        });
        let cells = beyond.fold(0.0, f64::max) / self.unit;
        self.margin = (cells - 0.01).ceil().max(0.0) as usize;
        self
    }

    /// Returns the circle of a curve; `None` if the curve is straight.
    pub fn arc(&self, curve: &Curve) -> Option<Arc> {
        let [before, from, to] = [curve.before, curve.from, curve.to].map(|site| self.center(site));
        let (ahead, chord) =
            ((from.x - before.x, from.y - before.y), (to.x - from.x, to.y - from.y));
        let length = ahead.0.hypot(ahead.1);
        // The centre lies at right angles to the way, at equal distances from both ends.
        let right = (-ahead.1 / length, ahead.0 / length);
        let across = right.0 * chord.0 + right.1 * chord.1;
        if across.abs() < self.unit * 1e-6 {
            return None;
        }
        let turn = chord.0.mul_add(chord.0, chord.1 * chord.1) / (2.0 * across);
        Some(Arc {
            center: Point::new(from.x + turn * right.0, from.y + turn * right.1),
            radius: turn.abs(),
            is_large: ahead.0 * chord.0 + ahead.1 * chord.1 < 0.0,
            is_clockwise: turn > 0.0,
        })
    }

    /// Returns the position of a column and row, with or without a site. On grids with six
    /// neighbours, each row is shifted left by half a unit against the one below.
    pub fn at(&self, column: f64, row: f64) -> Point {
        match self.six {
            true => {
                Point::new((column - row / 2.0) * self.unit, -row * self.unit * 3f64.sqrt() / 2.0)
            }
            false => {
                let unit = self.unit / self.pace;
                Point::new(column * unit, -row * unit)
            }
        }
    }

    pub fn center(&self, site: Site) -> Point {
        let (column, row) = self.board.place(site);
        self.at(column as f64, row as f64)
    }

    /// Lists the centres of the area that the board covers: its cells or, where lines are drawn on
    /// squares, all places between the outermost points; and around them as far as curves go.
    pub fn places(&self) -> Vec<Point> {
        let board = self.board;
        let places = board.cells().map(|site| board.place(site));
        let mut places: Vec<_> = places.map(|(x, y)| (x as isize, y as isize)).collect();
        if (board.has_lines() || self.margin > 0) && !self.six && !board.has_layers() {
            let (mut columns, mut rows): (Vec<_>, Vec<_>) = places.iter().copied().unzip();
            columns.sort_unstable();
            rows.sort_unstable();
            let margin = self.margin as isize;
            let ends = |sorted: &[isize]| sorted[0] - margin..=sorted[sorted.len() - 1] + margin;
            let rows = ends(&rows);
            let column = |column| rows.clone().map(move |row| (column, row));
            places = ends(&columns).flat_map(column).collect();
        }
        places.into_iter().map(|(column, row)| self.at(column as f64, row as f64)).collect()
    }

    /// Returns the extra distance of labels from the sites, for curves.
    pub fn margin(&self) -> f64 {
        self.margin as f64 * self.unit
    }

    /// Returns the distance from the centre of a cell to its sides.
    pub fn inner_radius(&self) -> f64 {
        self.unit / 2.0
    }

    /// Returns the larger of the width and the height between the centres of the outermost sites.
    pub fn extent(&self) -> f64 {
        let (least, most) = self.ends();
        (most.x - least.x).max(most.y - least.y)
    }

    /// Returns the top left and bottom right corners of the centres of all sites.
    fn ends(&self) -> (Point, Point) {
        let centers = self.board.cells().map(|site| self.center(site));
        let far = f64::INFINITY;
        centers.fold((Point::new(far, far), Point::new(-far, -far)), |(least, most), at| {
            let least = Point::new(least.x.min(at.x), least.y.min(at.y));
            (least, Point::new(most.x.max(at.x), most.y.max(at.y)))
        })
    }

    /// Returns the corners of a cell, shrunk by `inset` on every side.
    pub fn cell(&self, center: Point, inset: f64) -> Vec<Point> {
        let inner = self.inner_radius() - inset;
        let (count, turn) = if self.six { (6, 0.0) } else { (4, 45.0) };
        let outer = inner / (180.0 / f64::from(count)).to_radians().cos();
        (0..count)
            .map(|corner| center.away(outer, turn + f64::from(corner) * 360.0 / f64::from(count)))
            .collect()
    }

    /// Returns the corners of a site's part of the board, shrunk by `inset` on every side. If
    /// borders of cells are sites, cells leave room for them.
    pub fn area(&self, site: Site, inset: f64) -> Vec<Point> {
        let center = self.center(site);
        match self.board.sort(site) {
            _ if !self.board.has_borders() => self.cell(center, inset),
            Sort::Cell => self.cell(center, inset + self.unit * BORDER / 2.0),
            Sort::Side => self.border(site, 1.0 - BORDER, BORDER, inset),
            Sort::Post => self.border(site, BORDER, BORDER, inset),
        }
    }

    /// Returns the corners of the bar that shows a piece on a side or a post.
    pub fn bar(&self, site: Site) -> Vec<Point> {
        match self.board.sort(site) {
            Sort::Post => self.border(site, BAR, BAR, 0.0),
            _ => self.border(site, 1.0, BAR, 0.0),
        }
    }

    /// Returns the corners of a rectangle on a side or a post. Length and thickness are relative to
    /// the distance between cells.
    fn border(&self, site: Site, length: f64, thickness: f64, inset: f64) -> Vec<Point> {
        let center = self.center(site);
        let [along, across] = [length, thickness].map(|part| part * self.unit / 2.0 - inset);
        // A side between a cell and its eastern neighbour is upright.
        let is_upright = self.board.place(site).1 % 2 == 1;
        let (x, y) = if is_upright { (across, along) } else { (along, across) };
        [(-x, -y), (x, -y), (x, y), (-x, y)]
            .map(|(x, y)| Point::new(center.x + x, center.y + y))
            .to_vec()
    }

    /// Returns the angle of a direction, clockwise from north; multiples of 60 degrees from east on
    /// grids with six neighbours.
    pub fn angle(&self, direction: Direction) -> f64 {
        let (count, first) = if self.six { (6.0, 30.0) } else { (8.0, 0.0) };
        // Each direction of a second ring lies half way between two directions of the first.
        let firsts = [first, first - 180.0 / count].into_iter();
        let place = |ring: &[Direction]| ring.iter().position(|&one| one == direction);
        self.board
            .rings()
            .zip(firsts)
            .find_map(|(ring, first)| Some(first + place(ring)? as f64 * 360.0 / count))
            .unwrap_or(direction.index() as f64 * 45.0)
    }

    /// Returns the angle of the step from a site, or of the direction if the board ends there.
    pub fn way(&self, site: Site, direction: Direction) -> f64 {
        // A step over a joined edge goes to the other side of the picture.
        let next = self.board.step(site, direction).filter(|_| !self.board.is_wrapped());
        let Some(next) = next else { return self.angle(direction) };
        let (from, to) = (self.center(site), self.center(next));
        (to.x - from.x).atan2(from.y - to.y).to_degrees()
    }

    /// Returns the tone of a cell on a checkered board, 0 being the darkest.
    pub fn tone(&self, site: Site) -> usize {
        let (column, row) = self.board.place_in_layer(site);
        let pace = self.pace as usize;
        (column / pace + row / pace) % if self.six { 3 } else { 2 }
    }

    /// Returns the labels of rows and columns and their positions, at a distance from the centre of
    /// the cell at the end of the row or column.
    pub fn labels(&self, distance: f64) -> Vec<(String, Point)> {
        let board = self.board;
        let mut labels = Vec::new();
        let left = board.cells().map(|site| board.place(site).0).min().unwrap_or(0);
        for (number, sites) in board.rows_of_cells() {
            let Some(&first) = sites.first() else { continue };
            let (column, row) = board.place(first);
            // On rectangles the numbers are aligned, even where sites are missing.
            let end = self.at(if self.six { column } else { left } as f64, row as f64);
            labels.push((number, Point::new(end.x - distance, end.y)));
        }
        let mut seen: Vec<usize> = Vec::new();
        let lowest = board.cells().map(|site| board.place(site).1).min().unwrap_or(0);
        for site in board.cells() {
            let (column, _) = board.place(site);
            if seen.contains(&column) {
                continue;
            }
            seen.push(column);
            let letters = board.column_letters(site);
            let at = match self.six {
                true => self.center(site).away(distance, 150.0),
                false => self.at(column as f64, lowest as f64).away(distance, 180.0),
            };
            labels.push((letters, at));
        }
        labels
    }
}
