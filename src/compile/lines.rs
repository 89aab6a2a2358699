//! Compiles straight lines of sites.

use super::assembler::Set;
use super::values::Scope;
use super::{Compiled, Compiler};
use crate::board::{Direction, Site};
use crate::language::rules::{Directions, Sites, Spanned};

/// Which sites of lines are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    Whole,
    /// Only the sites at which they begin.
    Starts,
}

impl<'r> Compiler<'r> {
    /// Returns the sites of a region in lines of at least `number` of its sites.
    pub(super) fn lines(
        &mut self,
        number: usize,
        region: &'r Spanned<Sites>,
        directions: &'r Spanned<Directions>,
        scope: &Scope<'r>,
        extent: Extent,
    ) -> Compiled<Set> {
        let region = self.region(region, scope)?;
        let cases = self.direction_cases(directions, scope)?;
        let axes = self.board.axes();
        self.join_directions(&cases, |c, directions| {
            let along = |axis: &&Direction| {
                directions.contains(axis) || directions.contains(&axis.opposite())
            };
            let mut all = c.asm.none();
            for &axis in axes.iter().filter(along) {
                let lines = c.lines_along(axis, number, region, extent);
                all = c.asm.or(all, lines);
            }
            all
        })
    }

    /// Returns the lines along one axis. A site begins a line of k sites if it is in the region and
    /// the next site begins one of k - 1; the lines are what k - 1 steps lead to from there.
    fn lines_along(&mut self, axis: Direction, number: usize, region: Set, extent: Extent) -> Set {
        let board = self.board;
        let follow = |site: Site| {
            std::iter::successors(board.step(site, axis), |&site| board.step(site, axis))
                .take(number - 1)
        };
        // Where the board wraps, a line can be a ring, and a ring of fewer sites is no line.
        let is_short_ring = |&site: &Site| follow(site).any(|other| other == site);
        let rings: Vec<Site> = board.sites().filter(is_short_ring).collect();
        let begins = |site: Site| !is_short_ring(&site) && follow(site).count() == number - 1;
        if !board.sites().any(begins) {
            return self.asm.none();
        }
        let region = match rings.is_empty() {
            true => region,
            false => {
                let rings = self.constant(rings);
                self.asm.without(region, rings)
            }
        };
        let mut starts = region;
        for _ in 1..number {
            let before = self.beside(starts, &[axis.opposite()]);
            starts = self.asm.and(region, before);
        }
        match extent {
            Extent::Starts => starts,
            Extent::Whole => {
                let mut whole = starts;
                for _ in 1..number {
                    let next = self.beside(whole, &[axis]);
                    whole = self.asm.or(starts, next);
                }
                whole
            }
        }
    }
}
