//! Rewrites `slide` and `line` to walks, steps and groups, which the typed rules have.

use super::Checker;
use super::cases::MAX_COPIED;
use super::typed::{Typed, at};
use crate::board::{Board, Direction, Site};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
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
        region: Spanned<Sites>,
        directions: Option<Box<Spanned<Directions>>>,
        span: Span,
    ) -> Option<Typed> {
        let number = self.constant_within(&number, 1, LONGEST)? as usize;
        let board = self.require_board(span)?;
        let axes = board.axes();
        let lines = |axis| Some(at(lines_along(&board, axis, number, &region, span)?, span));
        let parts: Vec<Spanned<Sites>> = match directions.map(|directions| *directions) {
            None => axes.into_iter().filter_map(lines).collect(),
            Some(Spanned { node: Directions::Fixed(fixed), .. }) => {
                let along =
                    |axis: &Direction| fixed.contains(axis) || fixed.contains(&axis.opposite());
                axes.into_iter().filter(along).filter_map(lines).collect()
            }
            // Not known yet: each axis counts if it is among the directions.
            Some(directions) => {
                let variable = self.hidden_direction(span)?;
                let listed = |axis: Direction| {
                    let is = |fixed| {
                        let here = Box::new(at(DirectionOf::Local(variable), span));
                        let there = Box::new(at(DirectionOf::Fixed(fixed), span));
                        at(Condition::SameDirection(here, there), span)
                    };
                    let either = Condition::Or(vec![is(axis), is(axis.opposite())]);
                    let domain = Domain::Directions(directions.clone());
                    let binder = Box::new(Binder { variable, domain });
                    Box::new(at(Condition::Exists(binder, Box::new(at(either, span))), span))
                };
                let part = |axis| {
                    let lines = Box::new(lines(axis)?);
                    Some(at(Sites::When(listed(axis), lines), span))
                };
                axes.into_iter().filter_map(part).collect()
            }
        };
        let lines = if parts.is_empty() { Sites::Nowhere } else { Sites::Or(parts) };
        Some(Typed::Sites(at(lines, span)))
    }

    /// Tests if the arguments of a form may be copied as often as its rewriting does; nested forms
    /// multiply the copies. `before` is what was copied before the arguments were checked.
    pub(super) fn can_copy(&mut self, ludeme: Ludeme, node: &Node, before: usize) -> bool {
        let copies = match ludeme {
            Ludeme::Slide => 2,
            Ludeme::Line => 16,
            _ => return true,
        };
        let size = node.span.len().saturating_add(self.copied - before);
        self.copied = self.copied.saturating_add(size.saturating_mul(copies));
        if self.copied <= MAX_COPIED {
            return true;
        }
        let message = format!(
            "these nested forms have more parts than the engine can hold: `{}` repeats its arguments",
            ludeme.row().spelling
        );
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

/// Builds the sites of a region in lines of at least `number` of its sites along an axis; `None` if
/// the board has no such lines.
///
/// A site begins a line of k sites if it is in the region and the next site begins one of k - 1.
/// The lines are then what a group of one direction reaches from there.
fn lines_along(
    board: &Board,
    axis: Direction,
    number: usize,
    region: &Spanned<Sites>,
    span: Span,
) -> Option<Sites> {
    let along =
        |site: Site| std::iter::successors(board.step(site, axis), |&site| board.step(site, axis));
    // Where the board wraps, a line can be a ring, and a short ring is no line.
    let short_ring = |&site: &Site| along(site).take(number - 1).any(|other| other == site);
    let rings: Vec<Site> = board.sites().filter(short_ring).collect();
    let begins =
        |site: Site| !short_ring(&site) && along(site).take(number - 1).count() == number - 1;
    if !board.sites().any(begins) {
        return None;
    }
    let sites = |node| at(node, span);
    let directed = |direction: Direction| Box::new(at(Directions::Fixed(vec![direction]), span));
    let region = match rings.is_empty() {
        true => region.clone(),
        false => {
            let others = sites(Sites::Not(Box::new(sites(Sites::Literal(rings)))));
            sites(Sites::And(vec![region.clone(), others]))
        }
    };
    if number == 1 {
        return Some(region.node);
    }
    let mut starts = region.clone();
    for _ in 1..number {
        let next = sites(Sites::Beside(Box::new(starts), directed(axis.opposite())));
        starts = sites(Sites::And(vec![region.clone(), next]));
    }
    Some(Sites::Group {
        of: Box::new(starts),
        within: Box::new(region),
        directions: directed(axis),
    })
}

/// Replaces lines by the sites where they begin, for a test if there are any.
pub(super) fn starts_of_lines(region: Box<Spanned<Sites>>) -> Box<Spanned<Sites>> {
    let span = region.span;
    // A group with the span of the whole region comes from `line`, and begins inside the region.
    let is_line = |part: &Spanned<Sites>| {
        part.span == span && matches!(&part.node, Sites::Group { of, .. } if of.span == span)
    };
    match region.node {
        Sites::Or(parts) if !parts.is_empty() && parts.iter().all(is_line) => {
            let start = |part: Spanned<Sites>| match part.node {
                Sites::Group { of, .. } => *of,
                node => at(node, span),
            };
            Box::new(at(Sites::Or(parts.into_iter().map(start).collect()), span))
        }
        _ => region,
    }
}
