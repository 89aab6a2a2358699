//! Checks `line`.

use super::Checker;
use super::typed::{Typed, at};
use crate::language::rules::*;
use crate::syntax::Span;

/// The maximal number of sites that a line can be asked for.
const LONGEST: i64 = 32;

impl Checker<'_> {
    /// Builds the sites of a region in straight lines of at least `number` of its sites.
    pub(super) fn lines(
        &mut self,
        number: Spanned<Number>,
        region: Spanned<Sites>,
        directions: Option<Box<Spanned<Directions>>>,
        span: Span,
    ) -> Option<Typed> {
        let number = self.constant_within(&number, 1, LONGEST)? as usize;
        let directions = match directions {
            Some(directions) => directions,
            None => Box::new(at(Directions::Fixed(self.require_board(span)?.axes()), span)),
        };
        Some(Typed::Sites(at(Sites::Lines { number, region: region.into(), directions }, span)))
    }
}
