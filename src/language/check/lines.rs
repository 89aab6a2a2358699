//! Checks `line`, and rewrites `slide` to walks and first sites, which the typed rules have.

use super::Checker;
use super::cases::MAX_COPIED;
use super::typed::{Typed, at};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::Kind;
use crate::language::rules::*;
use crate::syntax::{Node, Span};

/// The maximal number of sites that a line can be asked for.
const LONGEST: i64 = 32;

impl Checker<'_> {
    /// Builds the sites that a piece slides to: the empty ones on the way, and the first piece.
    pub(super) fn slide(
        &mut self,
        from: Box<Spanned<SiteOf>>,
        directions: Box<Spanned<Directions>>,
        span: Span,
    ) -> Option<Typed> {
        let sites = |node| at(node, span);
        let direction = self.hidden_direction(span)?;
        let binder = Box::new(Binder {
            variable: direction,
            domain: Domain::Directions(directions.as_ref().clone()),
        });
        let pieces = || sites(Sites::Pieces { kinds: Vec::new(), whose: Whose::Anyones });
        // Without cut-out sites, what is not empty is a piece.
        let cuts = self.cuts;
        let stops = match cuts {
            true => sites(Sites::Not(Box::new(sites(Sites::Empty)))),
            false => pieces(),
        };
        let first = SiteOf::First {
            from: from.clone(),
            direction: Box::new(at(DirectionOf::Local(direction), span)),
            stops: Box::new(stops),
        };
        let first = Sites::One(Box::new(at(first, span)));
        let mut first = sites(Sites::Union(binder, Box::new(sites(first))));
        if cuts {
            first = sites(Sites::And(vec![first, pieces()]));
        }
        let through = Box::new(sites(Sites::Empty));
        let passed = sites(Sites::Walk { from, directions, through });
        Some(Typed::Sites(sites(Sites::Or(vec![passed, first]))))
    }

    /// Builds the sites of a region in straight lines of at least `number` of its sites.
    pub(super) fn lines(
        &mut self,
        number: Spanned<Number>,
        region: Box<Spanned<Sites>>,
        directions: Option<Box<Spanned<Directions>>>,
        span: Span,
    ) -> Option<Typed> {
        let number = self.constant_within(&number, 1, LONGEST)? as usize;
        let directions = match directions {
            Some(directions) => directions,
            None => Box::new(at(Directions::Fixed(self.require_board(span)?.axes()), span)),
        };
        Some(Typed::Sites(at(Sites::Lines { number, region, directions }, span)))
    }

    /// Tests if the arguments of a `slide` may be copied, as its rewriting does; nested ones double
    /// the copies each. `before` is what was copied before the arguments were checked.
    pub(super) fn can_copy(&mut self, node: &Node, before: usize) -> bool {
        let size = node.span.len().saturating_add(self.copied - before);
        self.copied = self.copied.saturating_add(size.saturating_mul(2));
        if self.copied <= MAX_COPIED {
            return true;
        }
        let message = "these nested forms have more parts than the engine can hold: `slide` \
                       repeats its arguments";
        let span = node.head().map_or(node.span, |(_, span)| span);
        self.report(
            Finding::new(Code::RulesTooLarge, span, message)
                .with_help("use fewer of them inside one another"),
        );
        false
    }

    /// Creates a variable of a direction that no text refers to.
    fn hidden_direction(&mut self, span: Span) -> Option<Local> {
        self.add_variable("d", span, Kind::Direction)
    }
}
