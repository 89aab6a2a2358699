//! Lays out a board on a grid of characters.

use super::canvas::width;
use crate::board::{Board, Site, Sort};
use crate::language::look::Grid;
use crate::language::rules::{MemoryId, MemoryType};
use crate::notation::symbols;
use crate::render::scene::{Scene, is_marked};

/// The level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Cells with borders or points with lines; memories are shown on the sites.
    Full,
    /// One symbol per site.
    Compact,
}

/// The layout of a board.
pub struct Plan<'b> {
    pub board: &'b Board,
    pub size: Size,
    pub points: bool,
    pub six: bool,
    /// Whether tokens are shown.
    pub tokens: bool,
    /// Width of a symbol in columns.
    pub symbol: usize,
    /// Columns and rows inside a cell.
    pub inner: (usize, usize),
    /// Columns from site to site and lines from row to row. On boards with six neighbours, each row
    /// is shifted left by half a step against the one below.
    pub step: (usize, usize),
    gutter: usize,
    /// Offset of the leftmost site: in half steps on boards with six neighbours, otherwise in
    /// steps.
    left: isize,
    top: usize,
}

impl<'b> Plan<'b> {
    pub fn new(scene: &'b Scene, size: Size) -> Plan<'b> {
        let rules = scene.rules;
        let board: &Board = &rules.board;
        let full = size == Size::Full;
        let six = board.all().len() == 6;
        let points = scene.palette.grid() == Grid::Points;
        let tokens = full && scene.has_tokens();
        let shown = |index: &usize| !rules.hides(MemoryId(*index as u16));
        let memories =
            || (0..rules.memories.len()).filter(shown).map(|index| &rules.memories[index]);
        let marks = memories().filter(|memory| is_marked(memory)).count().min(2);
        // Seeds take the place of a piece, other numbers stand beside it.
        let digits = |seeds: bool| {
            let shown = (0..rules.memories.len()).filter(shown).filter(move |&index| {
                rules.memories[index].per_site && scene.is_seeds(MemoryId(index as u16)) == seeds
            });
            shown.filter_map(|index| match rules.memories[index].holds {
                MemoryType::Number { most } => Some(most.to_string().len()),
                _ => None,
            })
        };
        let symbol = symbols(rules).iter().map(|(_, symbol, _)| width(symbol)).max();
        let symbol = symbol.max(digits(true).max()).unwrap_or(1).max(1);
        // The columns for marks after a symbol; the same space before it keeps the symbol centred.
        let heights = rules.piles.as_ref().map(|piles| piles.most.to_string().len());
        let slot = if full { marks + digits(false).chain(heights).max().unwrap_or(0) } else { 0 };
        // With six neighbours a step must be even, because rows are shifted by half of it.
        let even = |columns: usize| columns + usize::from(six && columns % 2 == 1);
        let (inner, step) = match (full, six, tokens) {
            // From a cell to its side is one step, and from the side to the next cell another.
            (true, ..) if board.has_borders() => ((symbol + 2, 1), (symbol + 1 + slot, 1)),
            (false, ..) => ((symbol, 1), (even(symbol + 1), 1)),
            (true, false, true) => ((symbol + 4 + 2 * slot, 3), (symbol + 5 + 2 * slot, 4)),
            (true, false, false) => ((symbol + 2 + 2 * slot, 1), (symbol + 3 + 2 * slot, 2)),
            (true, true, _) => {
                let across = even(symbol + 3 + 2 * slot + if tokens { 2 } else { 0 });
                let down = if tokens { 3 } else { 1 };
                ((across - 1, down), (across, down + across / 2 - 1))
            }
        };
        let gutter =
            board.rows_top_down().iter().map(|(number, _)| number.len()).max().unwrap_or(1) + 1;
        let mut plan =
            Plan { board, size, points, six, tokens, symbol, inner, step, gutter, left: 0, top: 0 };
        plan.left = board.sites().map(|site| plan.along(site)).min().unwrap_or(0);
        plan.top = board.sites().map(|site| board.place(site).1).max().unwrap_or(0);
        if board.has_borders() {
            // The corners of cells are drawn even if they are no sites.
            plan.left = board.cells().map(|site| plan.along(site) - 1).min().unwrap_or(0);
            plan.top = board.cells().map(|site| board.place(site).1 + 1).max().unwrap_or(0);
        }
        plan
    }

    /// Returns how far a site extends to each side of its centre, in columns.
    pub fn half_width(&self, site: Site) -> usize {
        match self.board.sort(site) {
            Sort::Side if self.board.place(site).1.is_multiple_of(2) => self.step.0 - 1,
            Sort::Side | Sort::Post => 0,
            Sort::Cell => self.inner.0 / 2,
        }
    }

    fn along(&self, site: Site) -> isize {
        let (column, row) = self.board.place(site);
        if self.six { 2 * column as isize - row as isize } else { column as isize }
    }

    /// Returns the line and column of the centre of a site; for symbols of even width, the right
    /// one of the two middle columns.
    pub fn center(&self, site: Site) -> (usize, usize) {
        let along = (self.along(site) - self.left).unsigned_abs();
        let across = if self.six { along * (self.step.0 / 2) } else { along * self.step.0 };
        let (row, bordered) = (self.board.place(site).1, usize::from(self.is_bordered()));
        let above = if self.six && bordered == 1 { self.step.1 - self.inner.1 } else { bordered };
        let line = (self.top - row) * self.step.1 + self.inner.1 / 2 + above;
        (line, self.gutter + 1 + bordered + across + self.inner.0 / 2)
    }

    /// Tests if cells have borders.
    pub fn is_bordered(&self) -> bool {
        self.size == Size::Full && !self.points && !self.board.has_borders()
    }

    /// Returns the position of a row's label, given the row's first site.
    pub fn row_label(&self, first: Site, label: &str) -> (usize, usize) {
        let (line, middle) = self.center(first);
        let edge = if self.six {
            middle - self.inner.0 / 2 - usize::from(self.is_bordered())
        } else {
            self.gutter + 1
        };
        (line, (edge - 1).saturating_sub(label.len()))
    }

    /// Returns the position of a column's label, given the column's lowest site.
    pub fn column_label(&self, lowest: Site) -> (usize, usize) {
        let (line, middle) = self.center(lowest);
        match self.six {
            true => {
                // Below the slopes of the cell, or halfway to the next row.
                let below = if self.is_bordered() {
                    self.inner.1 / 2 + self.step.0 / 2
                } else {
                    self.step.1.min(2)
                };
                (line + below, middle + self.step.0 / 2)
            }
            false => {
                let rows = self.top
                    - self.board.sites().map(|site| self.board.place(site).1).min().unwrap_or(0);
                let below = self.inner.1 / 2 + 1 + usize::from(self.is_bordered());
                (
                    rows * self.step.1 + self.inner.1 / 2 + usize::from(self.is_bordered()) + below,
                    middle,
                )
            }
        }
    }
}
