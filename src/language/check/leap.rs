//! Rewrites `leap` to steps, which the typed rules have.
//!
//! A leap is the union of step paths with its offset. One straight path suffices if no hole of the
//! board interrupts it; otherwise, paths around the hole are added, and pairs of sites without such
//! a path are listed.

use super::Checker;
use super::typed::{Typed, at};
use crate::board::{Board, Direction, Site};
use crate::language::finding::{Code, Finding};
use crate::language::rules::*;
use crate::syntax::Span;

/// The maximal offset of a leap along each axis, and the maximal length of a path around holes.
const LONGEST: i64 = 4;

impl Checker<'_> {
    /// Builds the sites that a leaper reaches.
    pub(super) fn leaps(
        &mut self,
        from: Spanned<SiteOf>,
        along: Spanned<Number>,
        across: Spanned<Number>,
        span: Span,
    ) -> Option<Typed> {
        let (along, across) =
            (self.constant_within(&along, 0, LONGEST), self.constant_within(&across, 0, LONGEST));
        let (along, across) = (along? as isize, across? as isize);
        let board = self.require_board(span)?;
        if board.diagonal().is_empty() {
            let message = "`leap` needs a board of squares";
            self.report_live(Finding::new(Code::Misplaced, span, message));
            return None;
        }
        let mut offsets: Vec<(isize, isize)> = Vec::new();
        for (columns, rows) in [(along, across), (across, along)] {
            for offset in [(columns, rows), (columns, -rows), (-columns, rows), (-columns, -rows)] {
                if !offsets.contains(&offset) {
                    offsets.push(offset);
                }
            }
        }
        let ends =
            offsets.into_iter().flat_map(|offset| leap(&board, &from, offset, span)).collect();
        Some(Typed::Sites(at(Sites::Or(ends), span)))
    }
}

/// Builds the site at an offset in columns and rows, as regions that contain at most that site.
fn leap(
    board: &Board,
    from: &Spanned<SiteOf>,
    offset: (isize, isize),
    span: Span,
) -> Vec<Spanned<Sites>> {
    let one = |site| at(Sites::One(Box::new(at(site, span))), span);
    let along = |path: &[Direction]| {
        path.iter().fold(from.node.clone(), |end, &direction| {
            let direction = at(DirectionOf::Fixed(direction), span);
            SiteOf::Step(Box::new(at(end, span)), Box::new(direction), 1)
        })
    };
    let leads = |path: &[Direction], start: Site| {
        path.iter().try_fold(start, |site, &direction| board.step(site, direction))
    };
    let straight = straight(offset);
    let mut ends = vec![one(along(&straight))];
    let mut unreached: Vec<(Site, Site)> = board
        .sites()
        .filter_map(|start| Some((start, board.away(start, offset.0, offset.1)?)))
        .collect();
    unreached.retain(|&(start, end)| leads(&straight, start) != Some(end));
    if unreached.is_empty() {
        return ends;
    }
    for path in paths_to(offset) {
        let many = unreached.len();
        unreached.retain(|&(start, end)| leads(&path, start) != Some(end));
        if unreached.len() < many {
            ends.push(one(along(&path)));
        }
    }
    for (start, end) in unreached {
        let here =
            Condition::SameSite(Box::new(from.clone()), Box::new(at(SiteOf::Literal(start), span)));
        ends.push(at(
            Sites::When(Box::new(at(here, span)), Box::new(one(SiteOf::Literal(end)))),
            span,
        ));
    }
    ends
}

/// Returns a path to an offset: diagonal steps first, then straight ones.
fn straight((columns, rows): (isize, isize)) -> Vec<Direction> {
    let (mut columns, mut rows) = (columns, rows);
    let mut path = Vec::new();
    while let Some(direction) =
        Direction::ALL.into_iter().find(|&one| offset(one) == (columns.signum(), rows.signum()))
    {
        path.push(direction);
        (columns, rows) = (columns - columns.signum(), rows - rows.signum());
    }
    path
}

/// Returns all paths of at most [`LONGEST`] steps to an offset, shorter ones first.
fn paths_to(goal: (isize, isize)) -> Vec<Vec<Direction>> {
    let mut found = Vec::new();
    let mut open = vec![(Vec::new(), goal)];
    for steps in 0..=LONGEST as isize {
        found.extend(open.iter().filter(|(_, left)| *left == (0, 0)).map(|(path, _)| path.clone()));
        let longer = |(path, left): &(Vec<Direction>, (isize, isize))| {
            let (path, left) = (path.clone(), *left);
            Direction::ALL.into_iter().map(move |direction| {
                let (columns, rows) = offset(direction);
                ([&path[..], &[direction]].concat(), (left.0 - columns, left.1 - rows))
            })
        };
        open = open
            .iter()
            .flat_map(longer)
            .filter(|(_, left)| left.0.abs().max(left.1.abs()) < LONGEST as isize - steps)
            .collect();
    }
    found
}

/// Returns the offset of one step on a board of squares.
fn offset(direction: Direction) -> (isize, isize) {
    match direction {
        Direction::N => (0, 1),
        Direction::NE => (1, 1),
        Direction::E => (1, 0),
        Direction::SE => (1, -1),
        Direction::S => (0, -1),
        Direction::SW => (-1, -1),
        Direction::W => (-1, 0),
        Direction::NW => (-1, 1),
        Direction::Along(_) | Direction::Against(_) => (0, 0),
    }
}
