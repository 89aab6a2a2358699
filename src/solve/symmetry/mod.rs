//! Ways of turning the board that change nothing but where things are.
//!
//! In: a game. Out: its symmetries, each proven. A candidate permutes sites and directions such
//! that every step leads to the image of where it led; it is a symmetry if the rules say the same
//! of every position and of its image, which `equivalence` and `statements` prove over the typed
//! rules, with what `lemmas` knows besides. It refuses to look at the setup: a symmetry need not
//! leave the first position as it is.
//!
//! - `scope`: what variables and definitions stand for. `constant`: regions that the board alone
//!   decides.

mod constant;
mod equivalence;
mod lemmas;
mod scope;
mod statements;

use crate::board::{Board, Direction, Site};
use crate::engine::game::Game;
use crate::language::rules::{MemoryType, Rules};
use constant::Constants;
use equivalence::{Turning, is_symmetry};

/// On boards of more sites, nobody looks for symmetries: nobody will look at all of their positions
/// either.
const LARGEST: usize = 400;

/// A way of turning the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// By site number; of a number without a site, the number itself.
    sites: Vec<Site>,
    /// By the direction's index.
    directions: [Direction; 8],
}

impl Turning for Symmetry {
    fn site(&self, site: Site) -> Site {
        self.sites.get(site.index()).copied().unwrap_or(site)
    }

    fn direction(&self, direction: Direction) -> Direction {
        self.directions[direction.index()]
    }
}

impl Symmetry {
    /// Where a site goes.
    pub fn site(&self, site: Site) -> Site {
        Turning::site(self, site)
    }

    /// Where a direction goes.
    pub fn direction(&self, direction: Direction) -> Direction {
        Turning::direction(self, direction)
    }

    fn is_identity(&self) -> bool {
        self.sites.iter().enumerate().all(|(number, site)| site.index() == number)
            && self.directions == Direction::ALL
    }
}

/// Finds the symmetries of a game, the one that leaves everything where it is not among them.
pub fn symmetries(game: &Game) -> Vec<Symmetry> {
    let rules = game.rules();
    let constants = Constants { rules, cuts: game.program().layout.cut.is_some() };
    let mut found = candidates(&rules.board);
    found.retain(|candidate| {
        !candidate.is_identity() && remembers(rules, candidate) && is_symmetry(constants, candidate)
    });
    found
}

/// Whether what is remembered has an image: for every direction its own, and no sites by site.
fn remembers(rules: &Rules, symmetry: &Symmetry) -> bool {
    rules.memories.iter().all(|memory| {
        let directions = memory
            .per_direction
            .iter()
            .all(|&direction| memory.per_direction.contains(&symmetry.direction(direction)));
        directions && !(memory.per_site && memory.holds == MemoryType::Site)
    })
}

/// Every way of turning the board such that each step leads to the image of where it led.
fn candidates(board: &Board) -> Vec<Symmetry> {
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

/// The rotations and reflections of the directions that a board has.
fn turnings(board: &Board) -> Vec<[Direction; 8]> {
    let ring = board.all();
    // The ring of eight has sides and corners by turns, which stay apart.
    let pace = ring.len() / 4;
    let mut all = Vec::new();
    for mirrored in [false, true] {
        for by in (0..ring.len()).step_by(pace) {
            let mut directions = Direction::ALL;
            for (index, direction) in ring.iter().enumerate() {
                let turned = if mirrored { ring.len() - index } else { index };
                directions[direction.index()] = ring[(turned + by) % ring.len()];
            }
            all.push(directions);
        }
    }
    all
}

/// Follows the steps from one site and from its image; none where they do not lead to images.
fn turn(board: &Board, directions: [Direction; 8], from: Site, to: Site) -> Option<Symmetry> {
    let mut images: Vec<Option<Site>> = vec![None; board.slots()];
    let mut taken = vec![false; board.slots()];
    let mut waiting = vec![(from, to)];
    while let Some((site, image)) = waiting.pop() {
        match images[site.index()] {
            Some(known) if known == image => continue,
            Some(_) => return None,
            None if std::mem::replace(&mut taken[image.index()], true) => return None,
            None => images[site.index()] = Some(image),
        }
        for &direction in board.all() {
            match (board.step(site, direction), board.step(image, directions[direction.index()])) {
                (None, None) => {}
                (Some(next), Some(image)) => waiting.push((next, image)),
                _ => return None,
            }
        }
    }
    // On a board in several parts, only the first part is known.
    if board.sites().any(|site| images[site.index()].is_none()) {
        return None;
    }
    let sites = images
        .iter()
        .enumerate()
        .map(|(number, image)| image.unwrap_or(Site(number as u16)))
        .collect();
    Some(Symmetry { sites, directions })
}
