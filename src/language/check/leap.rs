//! Rewrites `leap` to steps, which the typed rules have.
//!
//! A leap is the union of step paths with its offset. One straight path suffices if no hole of the
//! board interrupts it; otherwise, paths around the hole are added, and pairs of sites without such
//! a path are listed.

use super::Checker;
use super::typed::{Typed, at};
use crate::board::{Board, Direction, Site};
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
        let (along, across) = (along? as usize, across? as usize);
        let board = self.require_board(span)?;
        let ends = paths_of(&board, along, across)
            .iter()
            .flat_map(|path| leap(&board, &from, path, span))
            .collect();
        Some(Typed::Sites(at(Sites::Or(ends), span)))
    }
}

/// Lists a path of each leap. On hexagons the two parts of a leap are a sixth of a turn apart, and
/// leaps with equal parts have a path for either order, so that reflections keep all paths.
fn paths_of(board: &Board, along: usize, across: usize) -> Vec<Vec<Direction>> {
    let ring = board.orthogonal();
    let mut paths = Vec::new();
    for place in 0..ring.len() {
        for side in [1, ring.len() - 1] {
            let parts = [(place, along), (place + side, across)];
            let parts = parts.map(|(place, steps)| vec![ring[place % ring.len()]; steps]);
            let path = match ring.len() {
                4 => straight(board, offset_of(board, &parts.concat())),
                _ => parts.concat(),
            };
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    paths
}

/// Returns how many columns and rows a path of steps leads on.
fn offset_of(board: &Board, path: &[Direction]) -> (isize, isize) {
    let offsets = path.iter().map(|&direction| board.offset(direction).unwrap_or_default());
    offsets.fold((0, 0), |sum, offset| (sum.0 + offset.0, sum.1 + offset.1))
}

/// Builds the site at the end of a path, whatever is on the way, as regions that contain at most that
/// site.
fn leap(
    board: &Board,
    from: &Spanned<SiteOf>,
    straight: &[Direction],
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
    let offset = offset_of(board, straight);
    let mut ends = vec![one(along(straight))];
    let mut unreached: Vec<(Site, Site)> = board
        .sites()
        .filter_map(|start| Some((start, board.away(start, offset.0, offset.1)?)))
        .collect();
    unreached.retain(|&(start, end)| leads(straight, start) != Some(end));
    if unreached.is_empty() {
        return ends;
    }
    for path in paths_to(board, offset) {
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

/// Returns a path to an offset on squares: diagonal steps first, then straight ones.
fn straight(board: &Board, (mut columns, mut rows): (isize, isize)) -> Vec<Direction> {
    let mut path = Vec::new();
    while let Some(direction) = board
        .compass()
        .iter()
        .copied()
        .find(|&direction| board.offset(direction) == Some((columns.signum(), rows.signum())))
    {
        path.push(direction);
        (columns, rows) = (columns - columns.signum(), rows - rows.signum());
    }
    path
}

/// Returns all paths of at most [`LONGEST`] steps to an offset, shorter ones first.
fn paths_to(board: &Board, goal: (isize, isize)) -> Vec<Vec<Direction>> {
    let mut found = Vec::new();
    let mut open = vec![(Vec::new(), goal)];
    for steps in 0..=LONGEST as isize {
        found.extend(open.iter().filter(|(_, left)| *left == (0, 0)).map(|(path, _)| path.clone()));
        let longer = |(path, left): &(Vec<Direction>, (isize, isize))| {
            let (path, left) = (path.clone(), *left);
            board.compass().iter().map(move |&direction| {
                let (columns, rows) = board.offset(direction).unwrap_or_default();
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
