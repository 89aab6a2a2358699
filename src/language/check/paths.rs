//! Checks `(path …)`: ways over the board with a name, which are directions.

use super::layout::fixed_sites;
use super::report::Within;
use super::scope;
use super::typed::{Typed, at};
use super::{Checker, spelling};
use crate::board::{Board, Direction, Run, Site, Track};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::names::Meaning;
use crate::language::rules::*;
use crate::syntax::{Node, Span};
use std::sync::Arc;

/// A declared path.
pub(super) struct PathEntry<'t> {
    pub name: Named,
    node: &'t Node,
    pieces: &'t [Node],
    /// The numbers of its tracks: one, or one for each player; none if it is faulty.
    tracks: Vec<u8>,
    is_by_player: bool,
}

/// What a piece of a path says.
enum Piece {
    Site(Site),
    Direction(Direction),
    Steps(i64),
}

/// A run under construction.
struct Laying<'b> {
    board: &'b Board,
    /// The sites of the runs before it.
    before: Vec<Site>,
    run: Run,
}

impl PathEntry<'_> {
    /// Tests if a track is the path's.
    pub(super) fn has_track(&self, track: u8) -> bool {
        self.tracks.contains(&track)
    }
}

impl Laying<'_> {
    fn has(&self, site: Site) -> bool {
        self.before.contains(&site) || self.run.sites.contains(&site)
    }

    /// Tests if the run is closed by going on to a site.
    fn is_closed_by(&self, site: Site) -> bool {
        self.run.sites.len() > 1 && self.run.sites.first() == Some(&site)
    }

    /// Goes on to a site, or begins there.
    fn go_to(&mut self, site: Site, span: Span) -> Result<(), Finding> {
        if self.is_closed_by(site) {
            self.run.is_closed = true;
        } else if self.run.sites.last() == Some(&site) {
            let message = format!("the path is at {} already", self.board.label(site));
            let help = "a path goes on to another site: leave this one out";
            return Err(Finding::new(Code::BadPath, span, message).with_help(help));
        } else {
            self.run.sites.push(site);
        }
        Ok(())
    }

    /// Goes on from a site in a direction: so many steps, or else up to a site that the path has
    /// passed or the last one.
    fn go_on(
        &mut self,
        begin: Site,
        direction: Direction,
        steps: Option<i64>,
        span: Span,
    ) -> Result<(), Finding> {
        let (mut last, mut made) = (begin, 0);
        while steps.is_none_or(|steps| made < steps) && !self.run.is_closed {
            match self.board.step(last, direction) {
                Some(site) if self.is_closed_by(site) => self.run.is_closed = true,
                Some(site) if steps.is_some() || !self.has(site) => {
                    self.run.sites.push(site);
                    last = site;
                }
                _ => break,
            }
            made += 1;
        }
        if steps.map_or(made > 0, |steps| made == steps) {
            return Ok(());
        }
        let (name, from) = (direction.name(), self.board.label(last));
        let message = match steps {
            Some(steps) if made > 0 => format!(
                "expected {steps} steps `{name}` from {}, found {made}: they end at {from}",
                self.board.label(begin)
            ),
            _ if self.board.step(last, direction).is_some() => {
                format!("the step `{name}` from {from} leads to a site that the path has passed")
            }
            _ => format!("no step `{name}` leads from {from}"),
        };
        let help = "`ludwright show` draws the board with the names of its sites";
        Err(Finding::new(Code::BadPath, span, message).with_help(help))
    }
}

impl<'t> Checker<'t> {
    /// Declares a path.
    pub(super) fn declare_path(&mut self, node: &'t Node, name: &'t Node, pieces: &'t [Node]) {
        let meaning = Meaning::Path(self.declared.paths.len());
        let Some(name) = self.declare(name, "a path", meaning) else { return };
        let tracks = Vec::new();
        self.declared.paths.push(PathEntry { name, node, pieces, tracks, is_by_player: false });
    }

    /// Lays all paths on the board.
    pub(super) fn lay_paths(&mut self) {
        let Some(board) = self.declared.board.clone().filter(|_| !self.declared.paths.is_empty())
        else {
            return;
        };
        let names_of_winds = spelling::list(&board.wind_names().collect::<Vec<_>>(), "and");
        let lacks_room = if board.has_borders() {
            Some(String::from("a board with `borders` has no paths"))
        } else if board.below().len() == Direction::MAX_TRACKS {
            Some(String::from("a board has no paths where a site of a layer rests on four"))
        } else if board.tracks().len() == Direction::MAX_TRACKS {
            Some(format!("a board has no paths beside the directions {names_of_winds}"))
        } else {
            None
        };
        if let Some(message) = lacks_room {
            let first = self.declared.paths[0].node.head_span();
            self.declared.has_laid_paths = true;
            let help = "where all layers are as large as each other, a board has up to three";
            let help = board.has_layers().then(|| help.to_owned());
            let finding = Finding::new(Code::Misplaced, first, message);
            return self.report(finding.with_optional_help(help));
        }
        let outer = std::mem::replace(&mut self.context.within, Within::Row(Ludeme::Path.row()));
        let mut tracks: Vec<Track> = Vec::new();
        let winds = board.tracks().len();
        let most = Direction::MAX_TRACKS - winds - board.below().len();
        for index in 0..self.declared.paths.len() {
            let name = &self.declared.paths[index].name;
            if let Some(wind) = board.wind_names().find(|wind| name.name == *wind) {
                let message = format!(
                    "`{wind}` is a direction of this board and cannot be the name of a path"
                );
                let finding = Finding::new(Code::NameTaken, name.span, message);
                self.report(finding.with_help("choose another name"));
                continue;
            }
            let laid = self.lay_path(index, &board);
            let (node, first) = (self.declared.paths[index].node, winds + tracks.len());
            let Some(laid) = laid else { continue };
            tracks.extend(laid);
            if let Some(finding) = crowded_passages(&board, &tracks, node.head_span()) {
                self.report(finding);
                break;
            }
            if tracks.len() > most {
                let message = format!(
                    "expected at most {} paths, those of each player counted{}, found more",
                    most,
                    match winds {
                        0 if board.has_layers() => String::from(", on a board in layers"),
                        0 => String::new(),
                        _ => format!(", beside the directions {names_of_winds} of the board"),
                    }
                );
                let finding = Finding::new(Code::RulesTooLarge, node.head_span(), message);
                self.report(finding.with_help(
                    "ways that share no site can be one path: write each in brackets of its own",
                ));
                break;
            }
            let numbers = (first..winds + tracks.len()).map(|track| track as u8);
            self.declared.paths[index].tracks = numbers.collect();
        }
        self.context.within = outer;
        self.declared.board = Some(Arc::new(board.as_ref().clone().with_tracks(tracks)));
        self.declared.has_laid_paths = true;
    }

    /// Lays one path: one track, or one for each player.
    fn lay_path(&mut self, index: usize, board: &Board) -> Option<Vec<Track>> {
        let PathEntry { ref name, node, pieces, .. } = self.declared.paths[index];
        let name = name.name.clone();
        if pieces.is_empty() {
            self.missing("path", node.head_span(), "ways", Kind::Site);
            return None;
        }
        let owners: Vec<Option<PlayerId>> =
            pieces.iter().map(|piece| self.owner_of_way(piece)).collect();
        if owners.iter().all(Option::is_none) {
            let runs = self.lay_ways(pieces, board, node.head_span())?;
            return Some(vec![Track { name, runs }]);
        }
        self.declared.paths[index].is_by_player = true;
        if let Some((piece, _)) = pieces.iter().zip(&owners).find(|(_, owner)| owner.is_none()) {
            let finding = self.mismatch(Code::BadPath, piece, "the way of a player in brackets");
            return self.refuse(finding.with_help(
                "a path is the same for all players, or each player has his own: `(path Course (White a1 E) (Black h1 W))`",
            ));
        }
        let mut tracks = Vec::new();
        for player in 0..self.declared.players.len() {
            let owner = Some(PlayerId(player as u16));
            let his = pieces.iter().zip(&owners).filter(|(_, of)| **of == owner);
            let his: Vec<&Node> = his.map(|(piece, _)| piece).collect();
            let who = self.declared.players[player].name.clone();
            match his[..] {
                [way] => {
                    let (head, ways) = way.as_form()?.split_first()?;
                    self.note_use(Meaning::Player(PlayerId(player as u16)), head.span);
                    let runs = self.lay_ways(ways, board, head.span)?;
                    tracks.push(Track { name: format!("{name}.{who}"), runs });
                }
                [] => {
                    let message = format!("expected a way of every player, found none of {who}");
                    let finding = Finding::new(Code::BadPath, node.head_span(), message);
                    return self.refuse(finding.with_help(format!("add `({who} …)` with his way")));
                }
                [first, second, ..] => {
                    let message = format!("{who} has two ways");
                    let finding = Finding::new(Code::BadPath, second.head_span(), message)
                        .with_other(first.head_span(), "the first one is here");
                    return self.refuse(finding.with_help(format!(
                        "write both in brackets of their own: `({who} (a1 E) (a2 E))`"
                    )));
                }
            }
        }
        Some(tracks)
    }

    /// Returns the player whose name begins a form.
    fn owner_of_way(&self, piece: &Node) -> Option<PlayerId> {
        match self.meaning(piece.head()?.0) {
            Some(Meaning::Player(player)) => Some(player),
            _ => None,
        }
    }

    /// Lays the runs of a track.
    fn lay_ways(&mut self, pieces: &[Node], board: &Board, head: Span) -> Option<Vec<Run>> {
        let is_way = |piece: &Node| match piece.as_form() {
            Some([first, ..]) => {
                first.as_form().is_some() || first.as_word().is_some_and(scope::is_site)
            }
            _ => false,
        };
        let mut laying = Laying { board, before: Vec::new(), run: Run::default() };
        if pieces.is_empty() {
            self.missing("path", head, "ways", Kind::Site);
            return None;
        }
        if !pieces.iter().any(is_way) {
            self.lay_run(pieces, &mut laying)?;
            return Some(vec![laying.run]);
        }
        let mut runs = Vec::new();
        for piece in pieces {
            let Some(inner) = piece.as_form().filter(|_| is_way(piece)) else {
                let wanted = "a way in brackets, as those beside it";
                let finding = self.mismatch(Code::BadPath, piece, wanted);
                let help = "several ways are each in brackets: `(a1 E) (a2 E)`";
                return self.refuse(finding.with_help(help));
            };
            self.lay_run(inner, &mut laying)?;
            let run = std::mem::take(&mut laying.run);
            laying.before.extend(&run.sites);
            runs.push(run);
        }
        Some(runs)
    }

    /// Lays a run.
    fn lay_run(&mut self, nodes: &[Node], laying: &mut Laying) -> Option<()> {
        let mut pieces = Vec::with_capacity(nodes.len());
        for node in nodes {
            pieces.push((self.path_piece(node, laying.board)?, node));
        }
        let mut left = pieces.into_iter().peekable();
        while let Some((piece, node)) = left.next() {
            if laying.run.is_closed {
                let first = laying.run.sites[0];
                let message = format!(
                    "the path has come back to its first site, {}, and ends there",
                    laying.board.label(first)
                );
                let finding = Finding::new(Code::BadPath, node.span, message);
                return self.refuse_live(finding.with_help(
                    "leave out what follows, or begin the path at a site that it passes once",
                ));
            }
            let laid = match piece {
                Piece::Site(site) => laying.go_to(site, node.span),
                Piece::Direction(direction) => {
                    let steps = match left.peek() {
                        Some((Piece::Steps(steps), _)) => Some(*steps),
                        _ => None,
                    };
                    let counted = steps.and_then(|_| left.next());
                    let span = counted.map_or(node.span, |(_, number)| node.span.join(number.span));
                    let Some(&begin) = laying.run.sites.last() else {
                        let name = direction.name();
                        let message =
                            format!("expected the site where the path begins, found `{name}`");
                        let help = "a path begins at a site: `(path Round a1 E N 1 W S)`";
                        return self
                            .refuse(Finding::new(Code::BadPath, span, message).with_help(help));
                    };
                    laying.go_on(begin, direction, steps, span)
                }
                Piece::Steps(_) => {
                    let message = format!(
                        "expected a site or a direction, found the number {}",
                        self.snippet(node)
                    );
                    let help = "a number of steps follows a direction: `E 3`";
                    return self
                        .refuse(Finding::new(Code::BadPath, node.span, message).with_help(help));
                }
            };
            if let Err(finding) = laid {
                return self.refuse_live(finding);
            }
        }
        Some(())
    }

    /// Checks a piece of a path.
    fn path_piece(&mut self, node: &Node, board: &Board) -> Option<Piece> {
        let typed = self.expression(node, Kind::Any)?;
        let span = node.span;
        let is_fixed = match typed {
            Typed::Number(number) => {
                return self.constant_within(&number, 0, Board::LIMIT as i64).map(Piece::Steps);
            }
            Typed::Direction(direction) => match direction.node {
                DirectionOf::Fixed(direction) if !board.is_path(direction) => {
                    return Some(Piece::Direction(direction));
                }
                _ => false,
            },
            Typed::Site(site) => {
                match fixed_sites(&Sites::One(Box::new(site)), board).map(|sites| sites.only()) {
                    Some(Some(site)) => return Some(Piece::Site(site)),
                    Some(None) => {
                        let message = format!("{} is nowhere", self.snippet(node));
                        return self.refuse_live(Finding::new(Code::BadPath, span, message));
                    }
                    None => false,
                }
            }
            _ => true,
        };
        let (what, code) = match is_fixed {
            true => ("", Code::BadPath),
            false => (" that is known before play", Code::NotConstant),
        };
        let message = format!(
            "expected a site, a direction or a number of steps{what}, found {}",
            self.snippet(node)
        );
        let finding = Finding::new(code, span, message);
        self.refuse(finding.with_help("a path is written like `(path Round a1 E N 1 W S)`"))
    }

    /// Builds the direction of a path; if each player has his own, a case by player.
    pub(super) fn path_direction(
        &mut self,
        index: usize,
        node: &Node,
        args: &[Node],
    ) -> Option<Typed> {
        let span = node.span;
        self.note_use(Meaning::Path(index), node.head_span());
        self.require_board(span)?;
        if !self.declared.has_laid_paths {
            let finding = self.mismatch(Code::NotConstant, span, "a direction of the board");
            return self.refuse(finding.with_help("paths are laid when the board is complete: neither its details nor the directions of players nor another path can use one"));
        }
        let entry = self.declared.paths.get(index)?;
        let (name, tracks) = (entry.name.clone(), entry.tracks.clone());
        let ways = tracks.iter().map(|&track| DirectionOf::Fixed(Direction::Along(track)));
        let direction = |it| Some(Typed::Direction(at(it, span)));
        match (args, entry.is_by_player) {
            _ if tracks.is_empty() => self.fail(),
            ([], false) => direction(DirectionOf::Fixed(Direction::Along(tracks[0]))),
            ([first, ..], false) => {
                let message = format!("`{}` is the same for all players", name.name);
                let finding = Finding::new(Code::ExtraArgument, first.span, message)
                    .with_other(name.span, "it is declared here");
                self.refuse(finding.with_help(format!("write `{}`", name.name)))
            }
            (args, true) => {
                let player = match args {
                    [] => at(PlayerOf::Mover, span),
                    [player] => self.value(player)?,
                    [_, extra @ ..] => {
                        self.extra(&name.name, 1, extra);
                        return None;
                    }
                };
                let ways: Vec<_> = ways.map(|way| at(way, span)).collect();
                match player.node {
                    PlayerOf::Fixed(player) => direction(ways.get(player.index())?.node.clone()),
                    _ => direction(DirectionOf::ByPlayer(Box::new(player), ways)),
                }
            }
        }
    }

    /// Lists the runs of a path; if each player has his own, the runs of all players.
    pub(super) fn runs_of_path(&self, index: usize, board: &Board) -> Vec<Run> {
        let tracks = self.declared.paths.get(index).map_or(&[][..], |path| &path.tracks);
        let tracks = tracks.iter().filter_map(|&track| board.tracks().get(usize::from(track)));
        tracks.flat_map(|track| track.runs.clone()).collect()
    }

    /// Builds the first site of a path.
    pub(super) fn path_start(&mut self, path: Spanned<DirectionOf>, span: Span) -> Option<Typed> {
        let board = self.require_board(span)?;
        match start_of(&board, &path, span) {
            Some(site) => Some(Typed::Site(site)),
            None => {
                let names: Vec<&str> =
                    self.declared.paths.iter().map(|path| path.name.name.as_str()).collect();
                let help = match &names[..] {
                    [] => String::from("declare one: `(path Course a1 E N 1 W)`"),
                    names => format!("the paths are {}", spelling::list(names, "and")),
                };
                let wanted = "a path that is known before play";
                self.refuse(self.mismatch(Code::BadPath, path.span, wanted).with_help(help))
            }
        }
    }
}

/// Returns the finding on tracks for which passages of sites leave no room.
fn crowded_passages(board: &Board, tracks: &[Track], head: Span) -> Option<Finding> {
    let passages = Board::ways_of_passages(tracks);
    let all = Direction::MAX_TRACKS - board.tracks().len() - board.below().len();
    let times = match passages {
        0 => return None,
        2 => String::from("twice"),
        _ => format!("{passages} times"),
    };
    let finding = |message| Some(Finding::new(Code::RulesTooLarge, head, message));
    let most = 2 * Board::LIMIT / (passages + 1);
    if board.slots() > most {
        return finding(format!(
            "a path passes a site {times}, which is possible on at most {most} sites, found {}",
            board.slots()
        ));
    }
    let room = all.saturating_sub(passages);
    if tracks.len() <= room {
        return None;
    }
    let finding = finding(match room {
        0 => format!("a path passes a site {times}, expected at most {}", all - 1),
        _ => format!(
            "a path passes a site {times}: expected at most {room} path{}, those of each player counted, found more",
            if room == 1 { "" } else { "s" }
        ),
    })?;
    Some(finding.with_help(
        "a site that is passed twice takes the room of two paths, and one that is passed three times that of three",
    ))
}

/// Returns the first site of a path, by player if it is.
fn start_of(board: &Board, path: &Spanned<DirectionOf>, span: Span) -> Option<Spanned<SiteOf>> {
    let node = match &path.node {
        DirectionOf::Fixed(direction) => {
            let (track, is_back) = match direction {
                Direction::Along(track) => (track, false),
                Direction::Against(track) => (track, true),
                _ => return None,
            };
            let run = board.tracks().get(usize::from(*track))?.runs.first()?;
            let end = if is_back && !run.is_closed { run.sites.last() } else { run.sites.first() };
            SiteOf::Literal(*end?)
        }
        DirectionOf::ByPlayer(player, branches) => {
            let starts: Option<Vec<_>> =
                branches.iter().map(|branch| start_of(board, branch, span)).collect();
            SiteOf::ByPlayer(player.clone(), starts?)
        }
        _ => return None,
    };
    Some(at(node, span))
}
