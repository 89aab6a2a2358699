//! Passages: the visits of a track to sites that it passes more than once.
//!
//! Such a site has several next sites, so the track has no step between sites. Each passage is a
//! place of its own, numbered after all sites, and the track is a map between passages. The
//! directions of [`Board::entering`] lead from a site to its passages, and back from each passage
//! to its site. So an operation that follows such a track enters all passages of a site, follows
//! the track, and leaves.
//!
//! A passage is no site: it has no label, and regions never hold it. The passages of a site are
//! shared by several tracks.

use super::{Board, Direction, Site, Track};
use std::collections::HashMap;

impl Track {
    /// Tests if some site is passed more than once.
    pub fn returns(&self) -> bool {
        self.most_passages() > 1
    }

    /// Returns the greatest number of times that the track passes a site.
    pub fn most_passages(&self) -> usize {
        let mut counts: HashMap<Site, usize> = HashMap::new();
        for &site in self.runs.iter().flat_map(|run| &run.sites) {
            *counts.entry(site).or_default() += 1;
        }
        counts.into_values().max().unwrap_or(0)
    }

    /// Returns the runs, mapped by a function, in a canonical order, so that equal tracks compare
    /// equal. `is_back` reverses them. A ring begins at the point that makes it least.
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
    /// Returns the number of directions that the passages of these tracks need besides the tracks.
    pub fn ways_of_passages(tracks: &[Track]) -> usize {
        let returning = tracks.iter().filter(|track| track.returns());
        returning.map(Track::most_passages).max().unwrap_or(0)
    }

    /// Tests if a direction leads along a track that passes a site more than once, onwards or back.
    /// Its steps then lead between passages, not between sites.
    pub fn returns(&self, direction: Direction) -> bool {
        direction.track().is_some_and(|track| self.returning >> track & 1 == 1)
    }

    /// Tests if some track passes a site more than once.
    pub fn has_passages(&self) -> bool {
        self.returning != 0
    }

    /// Lists the directions that lead from a site to its passages, one for each passage.
    pub fn entering(&self) -> impl Iterator<Item = Direction> + Clone + '_ {
        (0..self.copies).map(|copy| self.to_passage(copy))
    }

    /// Lists all numbered places: the sites, and after them the passages.
    pub fn places(&self) -> impl DoubleEndedIterator<Item = Site> + '_ {
        let is_place = |number: &u16| self.node(Site(*number)).is_some();
        (0..self.nodes.len() as u16).filter(is_place).map(Site)
    }

    /// Lists the passages of a site.
    pub fn passages(&self, site: Site) -> impl Iterator<Item = Site> + '_ {
        self.entering().filter_map(move |direction| self.step(site, direction))
    }

    /// Returns the site of a passage; for a site, the site itself.
    pub fn site_of(&self, place: Site) -> Site {
        let leave = |direction: Direction| self.step(place, direction.opposite());
        if self.contains(place) { place } else { self.entering().find_map(leave).unwrap_or(place) }
    }

    /// Tests if the image of a direction's track, with all sites mapped, is the track of another
    /// direction.
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

    /// Returns the direction to the passage of a site with this number.
    fn to_passage(&self, copy: usize) -> Direction {
        // The tracks use the first directions, the steps between layers the last ones.
        Direction::Along((Direction::MAX_TRACKS - 1 - self.lifts - copy) as u8)
    }

    /// Lays the passages of a track that passes a site more than once. The number of a site's
    /// passage n is the site's number plus n + 1 times the number of slots.
    pub(super) fn lay_passages(&mut self, number: u8, track: &Track, slots: usize) {
        let mut free: HashMap<Site, Vec<usize>> = HashMap::new();
        for run in &track.runs {
            // Passages with the same n follow each other where possible, so that their steps are
            // the same shift.
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

    /// Returns the passage of a site with this number, creating it if there is none yet.
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
