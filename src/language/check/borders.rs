//! Borders of cells: `(borders sides posts)`, and the regions that tell sites of a sort.
//!
//! What touches a site lies half a step from it, so that `(sides s N)` is what `beside` finds in
//! the direction of half a step ([`Direction::half`]), as far as it is a side.

use super::typed::{Typed, at};
use super::{Checker, scope};
use crate::board::{Direction, Sort};
use crate::language::finding::{Code, Finding};
use crate::language::rules::*;
use crate::syntax::Span;

impl Checker<'_> {
    /// Reports `borders` on a board that cannot have them.
    pub(super) fn report_borders(&mut self, span: Span, wrap: Option<Span>) {
        let message =
            "only the cells of `square` and `rectangle` have sides and posts that are sites";
        let finding = Finding::new(Code::Misplaced, span, message);
        self.report(match wrap {
            Some(wrap) => finding.with_other(wrap, "a board that wraps has none"),
            None => finding.with_help("leave `borders` out"),
        });
    }

    /// Tests if a word is spelled like a site: with borders, a cell with a direction is one, too.
    pub(super) fn names_site(&self, word: &str) -> bool {
        let of_cell = |way: &Direction| word.strip_suffix(way.name()).is_some_and(scope::is_site);
        let has_borders = || self.declared.board.as_ref().is_some_and(|board| board.has_borders());
        scope::is_site(word) || has_borders() && Direction::ALL.iter().any(of_cell)
    }

    /// Builds the sites of a sort: all of them, or those that touch a region.
    pub(super) fn of_sort(
        &mut self,
        sort: Sort,
        of: Option<Spanned<Sites>>,
        directions: Option<Spanned<Directions>>,
        span: Span,
    ) -> Option<Typed> {
        let board = self.require_board(span)?;
        let all: Vec<_> = board.of_sort(sort).collect();
        if !board.has_borders() || all.is_empty() {
            let (message, help) = match sort {
                Sort::Cell => ("all sites of this board are cells", "`everywhere` has them all"),
                Sort::Side => (
                    "the sides of this board are no sites",
                    "let the board have them: `(board … (borders sides))`",
                ),
                Sort::Post => (
                    "the posts of this board are no sites",
                    "let the board have them: `(board … (borders posts))`",
                ),
            };
            return self.refuse(Finding::new(Code::Misplaced, span, message).with_help(help));
        }
        let all = Sites::Literal(all);
        let Some(of) = of else { return Some(Typed::Sites(at(all, span))) };
        let half = match directions {
            Some(Spanned { node: Directions::Fixed(ways), span }) => {
                at(Directions::Fixed(ways.into_iter().map(Direction::half).collect()), span)
            }
            Some(others) => {
                let span = others.span;
                at(Directions::Half(Box::new(others)), span)
            }
            // Only orthogonal half steps lead to a side.
            None => {
                let ways = if sort == Sort::Side { board.orthogonal() } else { board.all() };
                at(Directions::Fixed(ways.iter().map(|way| way.half()).collect()), span)
            }
        };
        let touching = Sites::Beside(Box::new(of), Box::new(half));
        Some(Typed::Sites(at(Sites::And(vec![at(touching, span), at(all, span)]), span)))
    }
}
