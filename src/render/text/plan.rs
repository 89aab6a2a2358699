//! A board and the room that there is in, where every site goes on a sheet of characters out. It
//! refuses to know what stands there.

use super::canvas::width;
use crate::board::{Board, Site};
use crate::language::look::Grid;
use crate::language::rules::MemoryType;
use crate::notation::symbols;
use crate::render::scene::{Scene, is_marked};

/// How much room a board takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Cells with borders, or points with lines; what is remembered of a site is shown there.
    Full,
    /// A symbol for each site and no more.
    Compact,
}

/// Where things go.
pub struct Plan<'b> {
    pub board: &'b Board,
    pub size: Size,
    pub points: bool,
    pub six: bool,
    /// Whether sites show what points from them.
    pub tokens: bool,
    /// The columns of a symbol.
    pub symbol: usize,
    /// How many columns and rows are inside a cell.
    pub inner: (usize, usize),
    /// From one site to the next in its row, and from row to row. On six-neighbour boards a row
    /// stands half a step further to the left than the one below.
    pub step: (usize, usize),
    gutter: usize,
    /// What is subtracted from the columns of six-neighbour boards, in half steps, and from those
    /// of others, in steps.
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
        let symbol =
            symbols(rules).iter().map(|(_, symbol, _)| width(symbol)).max().unwrap_or(1).max(1);
        let tokens = full && scene.has_tokens();
        let shown =
            |index: &usize| !rules.look.hides(crate::language::rules::MemoryId(*index as u16));
        let memories =
            || (0..rules.memories.len()).filter(shown).map(|index| &rules.memories[index]);
        let marks = memories().filter(|memory| is_marked(memory)).count().min(2);
        let digits =
            memories().filter(|memory| memory.per_site).filter_map(|memory| match memory.holds {
                MemoryType::Number { most } => Some(most.to_string().len()),
                _ => None,
            });
        // The columns for marks behind a symbol, and as many before it.
        let slot = if full { marks + digits.max().unwrap_or(0) } else { 0 };
        // On six-neighbour boards a step has two halves, so that the inside of a cell is odd.
        let even = |columns: usize| columns + usize::from(six && columns % 2 == 1);
        let (inner, step) = match (full, six, tokens) {
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
        plan
    }

    fn along(&self, site: Site) -> isize {
        let (column, row) = self.board.place(site);
        if self.six { 2 * column as isize - row as isize } else { column as isize }
    }

    /// The row and the column of the middle of a site. A symbol begins so that its middle, or what
    /// is left of it, is there.
    pub fn center(&self, site: Site) -> (usize, usize) {
        let along = (self.along(site) - self.left).unsigned_abs();
        let across = if self.six { along * (self.step.0 / 2) } else { along * self.step.0 };
        let (row, bordered) = (self.board.place(site).1, usize::from(self.is_bordered()));
        let above = if self.six && bordered == 1 { self.step.1 - self.inner.1 } else { bordered };
        let line = (self.top - row) * self.step.1 + self.inner.1 / 2 + above;
        (line, self.gutter + 1 + bordered + across + self.inner.0 / 2)
    }

    /// Whether cells have borders around them.
    pub fn is_bordered(&self) -> bool {
        self.size == Size::Full && !self.points
    }

    /// Where the name of the row goes that begins with a site.
    pub fn row_label(&self, first: Site, label: &str) -> (usize, usize) {
        let (line, middle) = self.center(first);
        let edge = if self.six {
            middle - self.inner.0 / 2 - usize::from(self.is_bordered())
        } else {
            self.gutter + 1
        };
        (line, (edge - 1).saturating_sub(label.len()))
    }

    /// Where the name of the column goes whose lowest site this is.
    pub fn column_label(&self, lowest: Site) -> (usize, usize) {
        let (line, middle) = self.center(lowest);
        match self.six {
            true => {
                // Below the slopes of the cell, or halfway to where the next row would be.
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
