//! Rewrites `leap` and `offsets` to steps, which the typed rules have.
//!
//! A leap is the union of step paths with its offset. One straight path suffices if no hole of the
//! board interrupts it; otherwise, paths around the hole are added, and pairs of sites without such
//! a path are listed.

use super::Checker;
use super::typed::{Typed, at};
use crate::board::{Board, Direction, Site};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::rules::*;
use crate::syntax::{Node, Span};

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

    /// Checks `(offsets site player? (x y)…)`.
    pub(super) fn offsets(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        let ([from], rest) = self.leading(Ludeme::Offsets.row(), node, args)?;
        let from = self.value::<Spanned<SiteOf>>(from);
        let (player, listed) = match rest.split_first() {
            Some((first, listed)) if self.kind_of_node(first) == Some(Kind::Player) => {
                (self.value(first)?, listed)
            }
            _ => (at(PlayerOf::Mover, node.span), rest),
        };
        if listed.is_empty() {
            let message = "expected an offset such as `(1 2)` in `offsets`, found nothing";
            let span = node.head_span();
            return self.refuse_missing(Finding::new(Code::MissingArgument, span, message));
        }
        let offsets: Vec<Option<(i64, i64)>> =
            listed.iter().map(|offset| self.offset(offset)).collect();
        let offsets: Vec<(i64, i64)> = offsets.into_iter().collect::<Option<_>>()?;
        let from = from?;
        let board = self.require_board(node.span)?;
        if board.has_lines() || board.compass().len() != 8 {
            let message = "`offsets` counts columns and rows of squares, and this board has none";
            let help = "write each way as steps, such as `(step s NE 2)`";
            return self.refuse(Finding::new(Code::Misplaced, node.span, message).with_help(help));
        }
        let players = match player.node {
            PlayerOf::Fixed(player) => vec![player],
            _ => self.each_player(|_, player| Some(player))?,
        };
        let looks = players.iter().map(|&player| {
            let forward = self.forward_of(player, node.span)?;
            match board.offset(forward)? {
                (0, _) | (_, 0) => board.offset(forward),
                _ => self.looks_aslant(player, node.span),
            }
        });
        let looks: Vec<(isize, isize)> = looks.collect::<Option<_>>()?;
        let by_player = ByPlayer { board: &board, player: &player, looks };
        let ends = offsets.iter().flat_map(|&offset| by_player.ends(&from, offset, node.span));
        Some(Typed::Sites(at(Sites::Or(ends.collect()), node.span)))
    }

    /// Checks an offset: how many columns to the right and how many rows forward.
    fn offset(&mut self, node: &Node) -> Option<(i64, i64)> {
        let Some([columns, rows]) = node.as_form() else {
            let help = "write two numbers in brackets, such as `(-1 2)`";
            return self.refuse(
                self.mismatch(
                    Code::WrongType,
                    node,
                    "an offset, columns to the right and rows forward",
                )
                .with_help(help),
            );
        };
        let columns = self.constant_node(columns, -LONGEST, LONGEST);
        let rows = self.constant_node(rows, -LONGEST, LONGEST);
        Some((columns?, rows?))
    }

    /// Reports that a player looks aslant, so that columns and rows are none for him.
    fn looks_aslant<T>(&mut self, player: PlayerId, span: Span) -> Option<T> {
        let name = self.declared.players.get(player.index())?.name.clone();
        let message = format!("`offsets` counts columns and rows, and {name} plays aslant to them");
        let help = "write each way as steps, such as `(step s forward 2)`";
        self.report_again(
            format!("the slant of {name}"),
            Finding::new(Code::Misplaced, span, message).with_help(help),
        );
        None
    }
}

/// How the players of `offsets` look at the board.
struct ByPlayer<'c> {
    board: &'c Board,
    player: &'c Spanned<PlayerOf>,
    /// How many columns and rows forward is for each player that it can be.
    looks: Vec<(isize, isize)>,
}

impl ByPlayer<'_> {
    /// Builds the site at an offset, as regions that contain at most that site.
    fn ends(&self, from: &Spanned<SiteOf>, (x, y): (i64, i64), span: Span) -> Vec<Spanned<Sites>> {
        let (x, y) = (x as isize, y as isize);
        let turned = |&(east, north): &(isize, isize)| {
            straight(self.board, (x * north + y * east, y * north - x * east))
        };
        let paths: Vec<Vec<Direction>> = self.looks.iter().map(turned).collect();
        let is_whole = |path: &Vec<Direction>| unreached(self.board, path).is_empty();
        if paths.iter().all(is_whole) {
            let way = |step: usize| self.way(paths.iter().map(|path| path[step]), span);
            let ways: Vec<DirectionOf> = (0..paths[0].len()).map(way).collect();
            return vec![one(steps(from, &paths[0], ways, span), span)];
        }
        let mut branches = paths.iter().map(|path| leap(self.board, from, path, span));
        if let [_] = self.looks[..] {
            return branches.next().unwrap_or_default();
        }
        let branches = branches.map(|ends| at(Sites::Or(ends), span)).collect();
        vec![at(Sites::ByPlayer(Box::new(self.player.clone()), branches), span)]
    }

    /// Builds the direction that is given for each player.
    fn way(&self, each: impl Iterator<Item = Direction> + Clone, span: Span) -> DirectionOf {
        let fixed = |direction| at(DirectionOf::Fixed(direction), span);
        match self.looks.len() {
            1 => each.map(DirectionOf::Fixed).next().unwrap_or(DirectionOf::Fixed(Direction::N)),
            _ => DirectionOf::ByPlayer(Box::new(self.player.clone()), each.map(fixed).collect()),
        }
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

/// Builds the site at the end of a path, whatever is on the way, as regions that contain at most
/// that site.
fn leap(
    board: &Board,
    from: &Spanned<SiteOf>,
    straight: &[Direction],
    span: Span,
) -> Vec<Spanned<Sites>> {
    let along = |path: &[Direction]| {
        let ways = path.iter().map(|&direction| DirectionOf::Fixed(direction)).collect();
        one(steps(from, path, ways, span), span)
    };
    let mut ends = vec![along(straight)];
    let offset = offset_of(board, straight);
    let mut unreached = unreached(board, straight);
    if unreached.is_empty() {
        return ends;
    }
    for path in paths_to(board, offset) {
        let many = unreached.len();
        unreached.retain(|&(start, end)| walk(board, &path, start) != Some(end));
        if unreached.len() < many {
            ends.push(along(&path));
        }
    }
    for (start, end) in unreached {
        let here =
            Condition::SameSite(Box::new(from.clone()), Box::new(at(SiteOf::Literal(start), span)));
        ends.push(at(
            Sites::When(Box::new(at(here, span)), Box::new(one(SiteOf::Literal(end), span))),
            span,
        ));
    }
    ends
}

fn one(site: SiteOf, span: Span) -> Spanned<Sites> {
    at(Sites::One(Box::new(at(site, span))), span)
}

/// Builds the site at the end of a path, with the direction of each step; steps in the same
/// direction are one.
fn steps(from: &Spanned<SiteOf>, path: &[Direction], ways: Vec<DirectionOf>, span: Span) -> SiteOf {
    let mut ways = ways.into_iter();
    path.chunk_by(|one, other| one == other).fold(from.node.clone(), |end, run| {
        let way = ways.by_ref().take(run.len()).last().unwrap_or(DirectionOf::Fixed(run[0]));
        SiteOf::Step(Box::new(at(end, span)), Box::new(at(way, span)), run.len() as u8)
    })
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
