//! Sites by their places on the lines of one direction, for going many steps at once.

use crate::board::{Board, Direction};

/// The lines of a direction: each site is on exactly one, and the next one in the direction follows
/// it there. A line without an end is a ring, from any of its sites on.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The sites, line after line.
    sites: Vec<i32>,
    /// By site number.
    places: Vec<Place>,
}

/// Where a site is.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// The index of the first site of its line in [`Lines::sites`].
    first: u32,
    /// Its index on the line.
    index: u32,
    /// The number of sites of the line; 0 if the site is not on the board.
    length: u32,
    is_ring: bool,
}

impl Lines {
    /// Lists the lines of a direction.
    pub fn new(board: &Board, direction: Direction) -> Lines {
        let mut lines = Lines { sites: Vec::new(), places: vec![Place::default(); board.slots()] };
        let mut is_listed = vec![false; board.slots()];
        let has_start = |site| board.step(site, direction.opposite()).is_none();
        let (starts, others): (Vec<_>, Vec<_>) = board.sites().partition(|&site| has_start(site));
        // Sites not yet listed after all lines with a start are on rings.
        for site in starts.into_iter().chain(others) {
            let first = lines.sites.len();
            let mut next = Some(site);
            while let Some(site) = next.filter(|site| !is_listed[site.index()]) {
                is_listed[site.index()] = true;
                lines.sites.push(i32::from(site.0));
                next = board.step(site, direction);
            }
            let (length, is_ring) = ((lines.sites.len() - first) as u32, next.is_some());
            for (index, &site) in (0..).zip(&lines.sites[first..]) {
                if let Some(place) =
                    usize::try_from(site).ok().and_then(|at| lines.places.get_mut(at))
                {
                    *place = Place { first: first as u32, index, length, is_ring };
                }
            }
        }
        lines
    }

    /// Returns the site that many steps from another, backwards if the number is negative; -1
    /// beyond an end. A negative site is nowhere.
    #[inline]
    pub fn step(&self, site: i32, number: i32) -> i32 {
        let place = usize::try_from(site).ok().and_then(|site| self.places.get(site));
        let Some(&Place { first, index, length, is_ring }) = place else { return -1 };
        if length == 0 {
            return -1;
        }
        let mut index = i64::from(index) + i64::from(number);
        if is_ring {
            index = index.rem_euclid(i64::from(length));
        }
        match (0..i64::from(length)).contains(&index) {
            true => self.sites.get(first as usize + index as usize).copied().unwrap_or(-1),
            false => -1,
        }
    }
}
