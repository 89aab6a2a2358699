//! Passages: where a track passes a site more than once.
//!
//! From such a site there is no one next site, so that the track has no step between sites. Each
//! passage is a place of its own, with a number after those of all sites, and the track is a map
//! between passages. As a site is entered, its passages are: the directions of
//! [`Board::entering`] lead from a site to its passages, and back from each to its site. So
//! whatever follows each passage of a site enters, follows the track, and leaves.
//!
//! A passage is no site: it has no label, and regions never hold it. The passages of a site on several
//! tracks are the same places.

use super::{Board, Direction, Site, Track};
use std::collections::HashMap;

impl Track {
    /// Tests if some site is passed more than once.
    pub fn returns(&self) -> bool {
        self.most_passages() > 1
    }

    /// Returns how often the track passes the site that it passes most often.
    pub fn most_passages(&self) -> usize {
        let mut counts: HashMap<Site, usize> = HashMap::new();
        for &site in self.runs.iter().flat_map(|run| &run.sites) {
            *counts.entry(site).or_default() += 1;
        }
        counts.into_values().max().unwrap_or(0)
    }

    /// Returns the runs, mapped by a function, in the one order in which equal ways are equal: those of
    /// a track that leads back if `is_back` is set. A ring begins where it is least.
    fn ways_by(&self, image: impl Fn(Site) -> Site, is_back: bool) -> Vec<(bool, Vec<Site>)> {
        let mut ways: Vec<(bool, Vec<Site>)> = Vec::with_capacity(self.runs.len());
        for run in &self.runs {
            let mut way: Vec<Site> = run.sites.iter().map(|&site| image(site)).collect();
            if is_back {
                way.reverse();
            }
            if run.is_closed {
                let turned = (0..way.len()).map(|first| [&way[first..], &way[..first]].concat());
                way = turned.min().unwrap_or_default();
            }
            ways.push((run.is_closed, way));
        }
        ways.sort_unstable();
        ways
    }
}

impl Board {
    /// Returns how many directions the passages of these tracks take, beside the tracks.
    pub fn ways_of_passages(tracks: &[Track]) -> usize {
        let returning = tracks.iter().filter(|track| track.returns());
        returning.map(Track::most_passages).max().unwrap_or(0)
    }

    /// Tests if a direction leads along a track that passes a site more than once, onwards or back.
    /// Then no step leads from a site.
    pub fn returns(&self, direction: Direction) -> bool {
        direction.track().is_some_and(|track| self.returning >> track & 1 == 1)
    }

    /// Tests if some track passes a site more than once.
    pub fn has_passages(&self) -> bool {
        self.returning != 0
    }

    /// Lists the directions that lead from a site to its passages, each to one.
    pub fn entering(&self) -> impl Iterator<Item = Direction> + Clone + '_ {
        (0..self.copies).map(|copy| self.to_passage(copy))
    }

    /// Lists what has a number: the sites, and after them the passages.
    pub fn places(&self) -> impl DoubleEndedIterator<Item = Site> + '_ {
        let is_place = |number: &u16| self.node(Site(*number)).is_some();
        (0..self.nodes.len() as u16).filter(is_place).map(Site)
    }

    /// Lists the passages of a site.
    pub fn passages(&self, site: Site) -> impl Iterator<Item = Site> + '_ {
        self.entering().filter_map(move |direction| self.step(site, direction))
    }

    /// Returns the site of a passage; a site itself is its own.
    pub fn site_of(&self, place: Site) -> Site {
        let leave = |direction: Direction| self.step(place, direction.opposite());
        if self.contains(place) { place } else { self.entering().find_map(leave).unwrap_or(place) }
    }

    /// Tests if a direction has the same ways as another one with all sites mapped.
    pub fn has_same_ways(
        &self,
        direction: Direction,
        image: impl Fn(Site) -> Site,
        other: Direction,
    ) -> bool {
        let track = |way: Direction| self.tracks.get(usize::from(way.track()?));
        let is_back = |way: Direction| matches!(way, Direction::Against(_));
        track(direction).zip(track(other)).is_some_and(|(one, two)| {
            one.ways_by(image, is_back(direction)) == two.ways_by(|site| site, is_back(other))
        })
    }

    /// Returns the direction to a site's passage of this number.
    fn to_passage(&self, copy: usize) -> Direction {
        // The tracks have the first directions, the steps between layers the last ones.
        Direction::Along((Direction::MAX_TRACKS - 1 - self.lifts - copy) as u8)
    }

    /// Lays a track that passes a site more than once, between passages. A site's passage of number n
    /// is n + 1 times the number of slots behind it.
    pub(super) fn lay_passages(&mut self, number: u8, track: &Track, slots: usize) {
        let mut free: HashMap<Site, Vec<usize>> = HashMap::new();
        for run in &track.runs {
            // Passages of one number follow each other where they can: their steps are the same shift.
            let (mut passages, mut last) = (Vec::with_capacity(run.sites.len()), 0);
            let sites: Vec<Site> =
                run.sites.iter().copied().filter(|&site| self.contains(site)).collect();
            for site in sites {
                let free = free.entry(site).or_insert_with(|| (0..self.copies).collect());
                let place = free.iter().position(|&copy| copy == last).unwrap_or(0);
                if place < free.len() {
                    last = free.remove(place);
                    passages.push(self.passage(site, last, slots));
                }
            }
            let closing = passages.last().zip(passages.first()).filter(|_| run.is_closed);
            let steps: Vec<_> =
                passages.iter().zip(passages.iter().skip(1)).chain(closing).collect();
            for (&from, &to) in steps {
                self.add_step(from, Direction::Along(number), to);
                self.add_step(to, Direction::Against(number), from);
            }
        }
    }

    /// Returns a site's passage of this number, which is made if there is none yet.
    fn passage(&mut self, site: Site, copy: usize, slots: usize) -> Site {
        let passage = Site((site.index() + (copy + 1) * slots) as u16);
        if self.node(passage).is_none() {
            let node = self.node(site).cloned().map(|mut node| {
                node.label.clear();
                node.steps = [None; Direction::COUNT];
                node
            });
            self.nodes.resize(self.nodes.len().max(passage.index() + 1), None);
            self.nodes[passage.index()] = node;
            let enter = self.to_passage(copy);
            self.add_step(site, enter, passage);
            self.add_step(passage, enter.opposite(), site);
        }
        passage
    }
}
