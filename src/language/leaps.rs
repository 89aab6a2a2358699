//! Leaps as steps, which the typed rules have.
//!
//! A leap is the union of step paths with its offset. One straight path suffices if no hole of the
//! board interrupts it; otherwise, paths around the hole are added, and pairs of sites without such
//! a path are listed. Regions that make up a leap contain at most the site at its end.

use super::builder::Builder;
use super::rules::*;
use crate::board::{Board, Direction, Site};

/// The maximal offset of a leap along each axis, and the maximal length of a path around holes.
pub(super) const LONGEST: i64 = 4;

/// Leaps from a site of a board.
#[derive(Clone, Copy)]
pub(super) struct Leaps<'l> {
    pub board: &'l Board,
    pub from: &'l Spanned<SiteOf>,
    pub new: Builder,
}

impl Leaps<'_> {
    /// Returns the sites that a leaper reaches, all its directions included.
    pub fn all(self, along: usize, across: usize) -> Sites {
        let paths = paths_of(self.board, along, across);
        Sites::Or(paths.iter().flat_map(|path| self.along(path)).collect())
    }

    /// Returns the sites at offsets, columns to the right and rows forward, as a player sees the
    /// board. `looks` has how many columns and rows forward is for each player that it can be.
    pub fn at_offsets(
        self,
        offsets: &[(i64, i64)],
        player: &Spanned<PlayerOf>,
        looks: &[(isize, isize)],
    ) -> Sites {
        Sites::Or(offsets.iter().flat_map(|&to| self.at_offset(to, player, looks)).collect())
    }

    fn at_offset(
        self,
        (x, y): (i64, i64),
        player: &Spanned<PlayerOf>,
        looks: &[(isize, isize)],
    ) -> Vec<Spanned<Sites>> {
        let (x, y) = (x as isize, y as isize);
        let turned = |&(east, north): &(isize, isize)| {
            straight(self.board, (x * north + y * east, y * north - x * east))
        };
        let paths: Vec<Vec<Direction>> = looks.iter().map(turned).collect();
        if let [path] = &paths[..] {
            return self.along(path);
        }
        let by_player = || Box::new(player.clone());
        if paths.iter().all(|path| unreached(self.board, path).is_empty()) {
            let fixed = |path: &Vec<Direction>, step| self.new.at(DirectionOf::Fixed(path[step]));
            let way = |step| paths.iter().map(|path| fixed(path, step)).collect();
            let ways =
                (0..paths[0].len()).map(|step| DirectionOf::ByPlayer(by_player(), way(step)));
            return vec![self.one(self.steps(&paths[0], ways))];
        }
        let branches = paths.iter().map(|path| self.new.at(Sites::Or(self.along(path))));
        vec![self.new.at(Sites::ByPlayer(by_player(), branches.collect()))]
    }

    /// Returns the site at the end of a path, whatever is on the way.
    fn along(self, path: &[Direction]) -> Vec<Spanned<Sites>> {
        let end = |path: &[Direction]| {
            self.one(self.steps(path, path.iter().map(|&direction| DirectionOf::Fixed(direction))))
        };
        let mut ends = vec![end(path)];
        let mut unreached = unreached(self.board, path);
        if unreached.is_empty() {
            return ends;
        }
        for path in paths_to(self.board, offset_of(self.board, path)) {
            let many = unreached.len();
            unreached.retain(|&(start, end)| walk(self.board, &path, start) != Some(end));
            if unreached.len() < many {
                ends.push(end(&path));
            }
        }
        ends.extend(unreached.into_iter().map(|(start, end)| {
            let start = self.new.at(SiteOf::Literal(start));
            let is_here = Condition::SameSite(self.from.clone().into(), start.into());
            let end = self.one(SiteOf::Literal(end));
            self.new.at(Sites::When(self.new.at(is_here).into(), end.into()))
        }));
        ends
    }

    fn one(self, site: SiteOf) -> Spanned<Sites> {
        self.new.at(Sites::One(self.new.at(site).into()))
    }

    /// Returns the site at the end of a path, with the direction of each step; steps in the same
    /// direction are one.
    fn steps(self, path: &[Direction], mut ways: impl Iterator<Item = DirectionOf>) -> SiteOf {
        path.chunk_by(|one, other| one == other).fold(self.from.node.clone(), |end, run| {
            let way = ways.by_ref().take(run.len()).last().unwrap_or(DirectionOf::Fixed(run[0]));
            SiteOf::Step(self.new.at(end).into(), self.new.at(way).into(), run.len() as u8)
        })
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

/// Returns where a path of steps leads.
fn walk(board: &Board, path: &[Direction], start: Site) -> Option<Site> {
    path.iter().try_fold(start, |site, &direction| board.step(site, direction))
}

/// Lists the sites from which a path does not lead to the site at its offset, with that site.
fn unreached(board: &Board, path: &[Direction]) -> Vec<(Site, Site)> {
    let (columns, rows) = offset_of(board, path);
    let far = board.sites().filter_map(|start| Some((start, board.away(start, columns, rows)?)));
    far.filter(|&(start, end)| walk(board, path, start) != Some(end)).collect()
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
