//! Tracks: paths over the board that a game declares, from site to site.
//!
//! A step along a track is a step in a direction of its own, and every operation on directions
//! works on tracks, too. If no site is twice on a track, each site has one step on and one back; a
//! track that passes a site more than once leads between [`passages`](super::passages).

use super::{Board, Direction, Site};

/// Runs of sites that make up one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    /// The name, without spaces.
    pub name: String,
    /// The runs: at least one, except for the steps of a board's own lines.
    pub runs: Vec<Run>,
}

/// Sites one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The sites: at least one.
    pub sites: Vec<Site>,
    /// Whether the first site follows the last.
    pub is_closed: bool,
}

impl Board {
    /// Adds tracks to a board that has none yet. Tracks are left out if there are more than
    /// [`Direction::MAX_TRACKS`], less the number that the board uses for steps of its own, and so
    /// are steps from or to sites that are not on the board.
    ///
    /// ```
    /// use ludwright::board::{Board, Direction, Labels, Run, Shape, Track};
    ///
    /// let board = Board::new(Shape::Rectangle { columns: 2, rows: 2 }, Labels::default())?;
    /// let sites = ["a1", "b1", "b2", "a2"].iter().filter_map(|label| board.find(label)).collect();
    /// let round = Track { name: String::from("Round"), runs: vec![Run { sites, is_closed: true }] };
    /// let board = board.with_tracks(vec![round]);
    /// let corner = board.find("a1").expect("a corner");
    /// assert_eq!(board.step(corner, Direction::Along(0)), board.find("b1"));
    /// assert_eq!(board.step(corner, Direction::Against(0)), board.find("a2"));
    /// # Ok::<(), ludwright::board::BoardError>(())
    /// ```
    pub fn with_tracks(mut self, mut tracks: Vec<Track>) -> Board {
        tracks.truncate(Direction::MAX_TRACKS - self.winds - self.lifts);
        let slots = self.slots();
        let room = Direction::MAX_TRACKS - self.winds - self.lifts - tracks.len();
        self.copies = Self::ways_of_passages(&tracks).min(room);
        for (number, track) in (self.winds as u8..).zip(&tracks) {
            if track.returns() {
                self.returning |= 1 << number;
                self.lay_passages(number, track, slots);
                continue;
            }
            for run in &track.runs {
                let closing = run.sites.last().zip(run.sites.first()).filter(|_| run.is_closed);
                let steps = run.sites.iter().zip(run.sites.iter().skip(1)).chain(closing);
                for (&from, &to) in steps {
                    if self.contains(from) && self.contains(to) {
                        self.add_step(from, Direction::Along(number), to);
                        self.add_step(to, Direction::Against(number), from);
                    }
                }
            }
        }
        self.tracks.truncate(self.winds);
        self.tracks.extend(tracks);
        self.list_ways();
        self
    }

    /// Updates the lists of track directions and of the directions of the language's `all`.
    pub(super) fn list_ways(&mut self) {
        let numbers = 0..self.tracks.len() as u8;
        self.track_ways = numbers.clone().map(Direction::Along).collect();
        self.track_ways.extend(numbers.map(Direction::Against));
        let is_wind = |way: &&Direction| self.is_wind(**way) && self.ring.is_empty();
        let winds = self.track_ways.iter().filter(is_wind);
        self.all = self.compass().iter().chain(winds).copied().collect();
        self.longest_line = self.measure_lines();
    }

    /// Tests if a direction is an intermediate direction, between compass directions, of the lines
    /// or cells of the board.
    pub fn is_wind(&self, direction: Direction) -> bool {
        direction.track().is_some_and(|track| usize::from(track) < self.winds)
    }

    pub(super) fn add_step(&mut self, from: Site, direction: Direction, to: Site) {
        if let Some(Some(node)) = self.nodes.get_mut(from.index()) {
            node.steps[direction.index()] = Some(to);
        }
    }

    /// Tests if a direction leads along a path that the game declares, onwards or back.
    pub fn is_path(&self, direction: Direction) -> bool {
        direction.is_track() && !self.is_wind(direction) && !self.is_lift(direction)
    }

    /// Lists the names of the intermediate directions of the lines or cells of the board.
    pub fn wind_names(&self) -> impl Iterator<Item = &'static str> + '_ {
        let own = |name: &str| self.tracks[..self.winds].iter().any(|track| track.name == name);
        let axes = Direction::WINDS.into_iter().filter(move |(one, _)| own(one));
        axes.flat_map(|(one, back)| [one, back])
    }

    /// Returns the tracks, by the numbers of their directions: first the board's own intermediate
    /// directions, then the tracks that the game declares.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// Returns all values of a direction known only in play: the compass directions, and the
    /// directions along the tracks, onwards and back.
    pub fn ways(&self) -> impl Iterator<Item = Direction> + Clone + '_ {
        Direction::ALL.into_iter().chain(self.track_ways.iter().copied())
    }

    /// Returns the compass directions of the grid, and the directions along the tracks, onwards and
    /// back.
    pub fn ways_of_grid(&self) -> impl Iterator<Item = Direction> + Clone + '_ {
        let north = self.ring.iter().filter(|way| !way.is_track());
        self.compass().iter().chain(north).chain(&self.track_ways).copied()
    }

    /// Returns the site `number` steps from another, in the opposite direction if the number is
    /// negative; `None` beyond an end. On a line without an end, the number may exceed a lap.
    pub fn steps(&self, from: Site, direction: Direction, number: i64) -> Option<Site> {
        let direction = if number < 0 { direction.opposite() } else { direction };
        let (mut left, mut site, mut passed) = (number.unsigned_abs(), from, 0);
        while left > 0 {
            site = self.step(site, direction)?;
            left -= 1;
            passed += 1;
            if site == from {
                left %= passed;
            }
        }
        Some(site).filter(|&site| self.contains(site))
    }

    /// Returns one more than the greatest index of a direction that leads somewhere.
    pub fn way_limit(&self) -> usize {
        if self.track_ways.is_empty() { Direction::ALL.len() } else { Direction::COUNT }
    }

    /// Returns the directions onwards along the tracks, followed by the directions back.
    pub fn track_ways(&self) -> &[Direction] {
        &self.track_ways
    }

    /// Tests if some line is endless: edges are joined, or a track is closed.
    pub fn has_rings(&self) -> bool {
        self.is_wrapped()
            || self.tracks.iter().flat_map(|track| &track.runs).any(|run| run.is_closed)
    }

    /// Returns the name of a direction: `NE`, the name of a track, or this with `.back` for the way
    /// back. It has no space.
    ///
    /// ```
    /// use ludwright::board::{Board, Direction, Labels, Shape};
    ///
    /// let board = Board::new(Shape::Rectangle { columns: 2, rows: 2 }, Labels::default())?;
    /// assert_eq!(board.direction_name(Direction::NE), "NE");
    /// # Ok::<(), ludwright::board::BoardError>(())
    /// ```
    pub fn direction_name(&self, direction: Direction) -> String {
        let name = |track: u8| match self.tracks.get(usize::from(track)) {
            Some(track) => track.name.as_str(),
            None => direction.name(),
        };
        if self.has_borders() && direction.is_track() {
            return format!("half-{}", direction.whole().name());
        }
        match direction {
            Direction::Along(_) if self.is_lift(direction) => String::from("above"),
            Direction::Against(_) if self.is_lift(direction) => String::from("below"),
            Direction::Along(track) => name(track).to_owned(),
            Direction::Against(track) if self.is_wind(direction) => {
                let names = Direction::WINDS.into_iter().find(|(wind, _)| *wind == name(track));
                names.map_or_else(String::new, |(_, back)| back.to_owned())
            }
            Direction::Against(track) => format!("{}.back", name(track)),
            compass => compass.name().to_owned(),
        }
    }

    /// Lists the names of the directions: the board's compass directions, and the directions along
    /// its tracks, onwards and back.
    pub fn direction_names(&self) -> Vec<String> {
        self.ways_of_grid().map(|way| self.direction_name(way)).collect()
    }

    /// Finds the direction with this name.
    pub fn direction_named(&self, name: &str) -> Option<Direction> {
        Direction::from_name(name).or_else(|| {
            self.track_ways.iter().copied().find(|&way| self.direction_name(way) == name)
        })
    }
}
