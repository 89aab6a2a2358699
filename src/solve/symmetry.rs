//! Finds the symmetries of a game and proves them.
//!
//! A candidate is an automorphism of the board: a permutation of sites and directions that maps
//! every step to a step. It is a symmetry if the typed rules are invariant under it, which
//! `equivalence` and `statements` prove, with the facts in `lemmas`. The setup does not matter: a
//! symmetry may move the starting position.
//!
//! - `scope`: the meaning of variables and definitions.

mod equivalence;
mod lemmas;
mod scope;
mod statements;

use crate::board::{Board, Direction, Site};
use crate::engine::game::{Argument, Game};
use crate::language::rules::{MemoryType, Rules};
use equivalence::{BoardMap, is_symmetry};

/// On larger boards no symmetries are searched; their positions cannot all be explored anyway.
const LARGEST: usize = 400;

/// A permutation of the board's sites and directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// By site number; numbers without a site map to themselves.
    sites: Vec<Site>,
    /// By direction index.
    directions: [Direction; Direction::COUNT],
}

impl BoardMap for Symmetry {
    fn site(&self, site: Site) -> Site {
        self.sites.get(site.index()).copied().unwrap_or(site)
    }

    fn direction(&self, direction: Direction) -> Direction {
        self.directions[direction.index()]
    }
}

impl Symmetry {
    /// Returns the image of a site.
    pub fn site(&self, site: Site) -> Site {
        BoardMap::site(self, site)
    }

    /// Returns the image of a direction.
    pub fn direction(&self, direction: Direction) -> Direction {
        BoardMap::direction(self, direction)
    }

    /// Returns the image of an argument of a ply.
    pub fn argument(&self, argument: Argument) -> Argument {
        match argument {
            Argument::Site(site) => Argument::Site(self.site(site)),
            Argument::Direction(direction) => Argument::Direction(self.direction(direction)),
            Argument::Number(_) | Argument::Piece(_) => argument,
        }
    }

    fn is_identity(&self) -> bool {
        self.sites.iter().enumerate().all(|(number, site)| site.index() == number)
            && self.directions == same_directions()
    }
}

/// Returns the symmetries of a game, without the identity.
pub fn symmetries(game: &Game) -> Vec<Symmetry> {
    let rules = game.rules();
    let cuts = game.program().layout.cut.is_some();
    let mut found = automorphisms(&rules.board);
    found.retain(|candidate| {
        !candidate.is_identity()
            && remembers(rules, candidate)
            && is_symmetry(rules, cuts, candidate)
    });
    found
}

/// Tests if every memory has an image: its directions are closed, and neither sites nor directions
/// are stored per site.
fn remembers(rules: &Rules, symmetry: &Symmetry) -> bool {
    rules.memories.iter().all(|memory| {
        let directions = memory
            .per_direction
            .iter()
            .all(|&direction| memory.per_direction.contains(&symmetry.direction(direction)));
        let turns = matches!(memory.holds, MemoryType::Site | MemoryType::Direction);
        directions && !(memory.per_site && turns)
    })
}

/// Returns the automorphisms of the board, the identity included; none on large boards.
pub fn automorphisms(board: &Board) -> Vec<Symmetry> {
    let sites: Vec<Site> = board.sites().collect();
    let Some(&first) = sites.first().filter(|_| sites.len() <= LARGEST) else { return Vec::new() };
    let mut found: Vec<Symmetry> = Vec::new();
    for directions in turnings(board) {
        for &to in &sites {
            if let Some(symmetry) = turn(board, directions, first, to)
                && !found.contains(&symmetry)
            {
                found.push(symmetry);
            }
        }
    }
    found
}

/// Returns the rotations and reflections of the board's rings of directions.
pub fn turnings(board: &Board) -> Vec<[Direction; Direction::COUNT]> {
    let ring = board.compass();
    // With eight directions, orthogonal and diagonal ones alternate and must not be mixed.
    let pace = ring.len() / 4;
    let mut all = Vec::new();
    for mirrored in [false, true] {
        for by in (0..ring.len()).step_by(pace) {
            let mut directions = same_directions();
            for (level, ring) in board.rings().enumerate() {
                for (index, direction) in ring.iter().enumerate() {
                    // The first direction of a second ring comes before the first of the compass.
                    let turned = if mirrored { ring.len() - index + level } else { index };
                    directions[direction.index()] = ring[(turned + by) % ring.len()];
                }
            }
            all.push(directions);
        }
    }
    all
}

/// Extends `from` → `to` along the steps; `None` if the result is no automorphism.
fn turn(
    board: &Board,
    mut directions: [Direction; Direction::COUNT],
    from: Site,
    to: Site,
) -> Option<Symmetry> {
    let mut images: Vec<Option<Site>> = vec![None; board.slots()];
    let mut taken = vec![false; board.slots()];
    let mut waiting = vec![(from, to)];
    let lifts: Vec<Direction> = board.below().into_iter().chain(board.above()).collect();
    while let Some((site, image)) = waiting.pop() {
        match images[site.index()] {
            Some(known) if known == image => continue,
            Some(_) => return None,
            None if std::mem::replace(&mut taken[image.index()], true) => return None,
            None => images[site.index()] = Some(image),
        }
        for &direction in board.rings().flatten() {
            let turned = directions[direction.index()];
            let mut ways = vec![(direction, turned)];
            if board.has_borders() {
                ways.push((direction.half(), turned.half()));
            }
            let turned_by = |way: Direction| directions[way.index()];
            let lifts = lifts.iter().map(|&way| (way, board.turned_lift(way, turned_by)));
            for (way, turned) in ways.into_iter().chain(lifts) {
                match (board.step(site, way), board.step(image, turned)) {
                    (None, None) => {}
                    (Some(next), Some(image)) => waiting.push((next, image)),
                    _ => return None,
                }
            }
        }
    }
    // A board of several components is not covered by one start.
    if board.sites().any(|site| images[site.index()].is_none()) {
        return None;
    }
    let sites: Vec<Site> = images
        .iter()
        .enumerate()
        .map(|(number, image)| image.unwrap_or(Site(number as u16)))
        .collect();
    map_tracks(board, &sites, &mut directions)?;
    if board.has_borders() {
        for whole in Direction::ALL {
            directions[whole.half().index()] = directions[whole.index()].half();
        }
    }
    let turned = directions;
    for way in lifts {
        directions[way.index()] = board.turned_lift(way, |way| turned[way.index()]);
    }
    Some(Symmetry { sites, directions })
}

/// Returns the directions by index, each mapped to itself.
fn same_directions() -> [Direction; Direction::COUNT] {
    std::array::from_fn(|index| Direction::from_index(index).unwrap_or(Direction::N))
}

/// Finds for each track the track that its steps are mapped to, in either direction; `None` if a
/// track has no image.
fn map_tracks(
    board: &Board,
    sites: &[Site],
    directions: &mut [Direction; Direction::COUNT],
) -> Option<()> {
    let is_image = |track: Direction, image: Direction| {
        if board.returns(track) || board.returns(image) {
            return board.has_same_ways(track, |site| sites[site.index()], image);
        }
        board.sites().all(|site| {
            let to = board.step(site, track).map(|to| sites[to.index()]);
            board.step(sites[site.index()], image) == to
        })
    };
    let mut taken: Vec<Direction> = Vec::new();
    let is_turned = |track: &Direction| board.rings().flatten().any(|way| way == track);
    let tracks = (0..board.tracks().len() as u8).map(Direction::Along);
    for track in tracks.filter(|track| !is_turned(track)) {
        // A track is mapped to itself if possible, even if another track has the same steps.
        let image = std::iter::once(track)
            .chain(board.track_ways().iter().copied().filter(|way| !is_turned(way)))
            .find(|&image| !taken.contains(&image) && is_image(track, image))?;
        taken.extend([image, image.opposite()]);
        directions[track.index()] = image;
        directions[track.opposite().index()] = image.opposite();
    }
    Some(())
}
