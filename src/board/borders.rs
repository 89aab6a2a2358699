//! Sides and posts: sites between and around cells.
//!
//! The sides of square cells, and the posts where sides meet, lie between the cells in separate
//! columns and rows of nodes, see [`Shape::Bordered`]. Only half steps lead to them: from a cell to
//! its sides and posts, from a post to the sides that leave it, from a side to its cells and to the
//! posts at its ends. Half steps are steps along the first four tracks, which such a board does not
//! have otherwise: see [`Direction::half`].

use super::{Board, BoardError, Direction, Labels, Shape, Site, Wraps};

/// The sort of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// A cell or a point: any site of a board without borders.
    Cell,
    /// A side of one or two cells.
    Side,
    /// A point where sides meet, at a corner of up to four cells.
    Post,
}

impl Sort {
    /// All sorts.
    pub const ALL: [Sort; 3] = [Sort::Cell, Sort::Side, Sort::Post];
}

impl Shape {
    /// Returns the sort of a node.
    pub(super) fn sort(self, column: usize, row: usize) -> Sort {
        match (self.cell_line(column), self.cell_line(row)) {
            (Some(_), Some(_)) => Sort::Cell,
            (None, None) => Sort::Post,
            _ => Sort::Side,
        }
    }
}

impl Board {
    /// Builds a board of square cells with their sides, with the posts where sides meet, or both.
    ///
    /// A side or post is labelled by a cell with a direction, such as `b2N` or `b2NE`. If there are
    /// several such labels, the cell in the south and west comes first; [`find`](Self::find)
    /// accepts all of them.
    ///
    /// ```
    /// use ludwright::board::{Board, Direction, Labels, Sort};
    ///
    /// let board = Board::bordered(2, 2, Labels::default(), &[Sort::Side])?;
    /// let (cell, side) = (board.find("a1").expect("a cell"), board.find("a2S").expect("a side"));
    /// assert_eq!(board.label(side), "a1N");
    /// assert_eq!(board.step(cell, Direction::N.half()), Some(side));
    /// assert_eq!(board.step(side, Direction::N.half()), board.find("a2"));
    /// # Ok::<(), ludwright::board::BoardError>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new), counting all nodes of the shape.
    pub fn bordered(
        columns: usize,
        rows: usize,
        labels: Labels,
        borders: &[Sort],
    ) -> Result<Board, BoardError> {
        let shape = Shape::Bordered { columns, rows };
        let sorts = [&[Sort::Cell], borders].concat();
        let mut board = Board::of_sorts(shape, labels, Wraps::default(), &sorts)?;
        for site in board.sites.clone() {
            for direction in Direction::ALL {
                if let Some(to) = board.half_step(site, direction)
                    && let Some(Some(node)) = board.nodes.get_mut(site.index())
                {
                    node.steps[direction.half().index()] = Some(to);
                }
            }
        }
        board.longest_line = board.measure_lines();
        Ok(board)
    }

    /// Returns the next node in a direction, if it is a site of another sort.
    fn half_step(&self, site: Site, direction: Direction) -> Option<Site> {
        let (columns, rows) = self.shape.offset(direction)?;
        let to = self.number(self.node_at(self.place(site), columns, rows)?);
        (self.contains(to) && self.sort(to) != self.sort(site)).then_some(to)
    }

    /// Tests if sides or posts are sites.
    pub fn has_borders(&self) -> bool {
        matches!(self.shape, Shape::Bordered { .. })
    }

    /// Returns the sort of a site. A site that is not on the board counts as a cell.
    pub fn sort(&self, site: Site) -> Sort {
        self.node(site).map_or(Sort::Cell, |node| self.shape.sort(node.column, node.row))
    }

    /// Lists the sites of a sort in ascending order.
    pub fn of_sort(&self, sort: Sort) -> impl Iterator<Item = Site> + '_ {
        self.sites().filter(move |&site| self.sort(site) == sort)
    }

    /// Lists the cells in ascending order: all sites of a board without borders.
    pub fn cells(&self) -> impl Iterator<Item = Site> + '_ {
        self.of_sort(Sort::Cell)
    }

    /// Removes the sides and posts that belong to no cell.
    pub(super) fn remove_loose_borders(&mut self) {
        let is_loose = |&site: &Site| {
            self.contains(site) && self.sort(site) != Sort::Cell && self.cells_at(site).is_empty()
        };
        let loose: Vec<Site> = self.sites().filter(is_loose).collect();
        for site in loose {
            self.nodes[site.index()] = None;
        }
    }

    /// Lists the cells that a side or a post belongs to, each with the direction from the cell. The
    /// first cell names the site.
    fn cells_at(&self, site: Site) -> Vec<(Site, Direction)> {
        let order = [
            Direction::N,
            Direction::E,
            Direction::S,
            Direction::W,
            Direction::NE,
            Direction::NW,
            Direction::SE,
            Direction::SW,
        ];
        let cell = |direction: Direction| {
            let (columns, rows) = self.shape.offset(direction)?;
            let cell = self.number(self.node_at(self.place(site), -columns, -rows)?);
            (self.contains(cell) && self.sort(cell) == Sort::Cell).then_some((cell, direction))
        };
        order.into_iter().filter_map(cell).collect()
    }

    /// Gives all sites their labels.
    pub(super) fn name_sites(&mut self) {
        let (shape, labels) = (self.shape, self.labels);
        let mut named: Vec<(Site, Vec<String>)> = Vec::with_capacity(self.sites.len());
        let of_cell = |(x, y): (usize, usize)| {
            let column = self.cell_column(x).map(|index| labels.column(index)).unwrap_or_default();
            let row = shape.cell_line(y).map_or(0, |index| labels.row(index, shape.cell_rows()));
            format!("{column}{row}")
        };
        for site in self.sites() {
            let names = match self.sort(site) {
                Sort::Cell => vec![of_cell(self.place(site))],
                _ => self
                    .cells_at(site)
                    .into_iter()
                    .map(|(cell, way)| format!("{}{}", of_cell(self.place(cell)), way.name()))
                    .collect(),
            };
            named.push((site, names));
        }
        self.by_label.clear();
        for (site, names) in named {
            if let Some(Some(node)) = self.nodes.get_mut(site.index()) {
                node.label = names.first().cloned().unwrap_or_default();
            }
            self.by_label.extend(names.into_iter().map(|name| (name, site)));
        }
    }
}
