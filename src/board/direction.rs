//! Directions: the eight compass directions, and the directions along the tracks that a game
//! declares. The board decides which neighbour a direction leads to, if any.

/// A compass direction, north being up on the drawing, or a direction along a
/// [`Track`](super::Track).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    N,
    NE,
    E,
    SE,
    S,
    SW,
    W,
    NW,
    /// From each site of the track with this number to the next.
    Along(u8),
    /// From each site of the track with this number to the one before.
    Against(u8),
}

impl Direction {
    /// The greatest number of tracks of a board.
    pub const MAX_TRACKS: usize = 4;

    /// The number of directions: one more than the greatest [`index`](Self::index).
    pub const COUNT: usize = Self::ALL.len() + 2 * Self::MAX_TRACKS;

    /// The eight compass directions, clockwise from north, in the order of [`index`](Self::index).
    pub const ALL: [Direction; 8] = [
        Direction::N,
        Direction::NE,
        Direction::E,
        Direction::SE,
        Direction::S,
        Direction::SW,
        Direction::W,
        Direction::NW,
    ];

    /// The names of the intermediate directions, halfway between compass directions, each with its
    /// opposite. A board whose lines need them has them as [`Along`](Self::Along) and
    /// [`Against`](Self::Against).
    pub(super) const WINDS: [(&str, &str); 4] =
        [("NNE", "SSW"), ("ENE", "WSW"), ("ESE", "WNW"), ("SSE", "NNW")];

    /// Returns the name in capitals, such as `"NE"`. Directions along tracks are named by their
    /// board: see [`Board::direction_name`](super::Board::direction_name).
    pub fn name(self) -> &'static str {
        match self {
            Direction::N => "N",
            Direction::NE => "NE",
            Direction::E => "E",
            Direction::SE => "SE",
            Direction::S => "S",
            Direction::SW => "SW",
            Direction::W => "W",
            Direction::NW => "NW",
            Direction::Along(_) => "along a path",
            Direction::Against(_) => "back along a path",
        }
    }

    /// Tests if a word is the name of one of sixteen directions: a compass direction, or halfway
    /// between two of these.
    pub fn is_name(word: &str) -> bool {
        Self::from_name(word).is_some()
            || Self::WINDS.iter().any(|&(one, back)| word == one || word == back)
    }

    /// Finds the compass direction with exactly this name; `"ne"` is not one.
    pub fn from_name(name: &str) -> Option<Direction> {
        Self::ALL.into_iter().find(|direction| direction.name() == name)
    }

    /// Returns the opposite direction.
    pub fn opposite(self) -> Direction {
        match self {
            Direction::Along(track) => Direction::Against(track),
            Direction::Against(track) => Direction::Along(track),
            compass => Self::ALL[(compass.index() + 4) % 8],
        }
    }

    /// Returns the direction of half a step: from a cell to its side or post, or from a side or
    /// post to the cell or border beyond. Only a [`Board::bordered`](super::Board::bordered) has
    /// such steps. A direction that is not on the compass is returned unchanged.
    pub fn half(self) -> Direction {
        match self.index() {
            index @ 0..4 => Direction::Along(index as u8),
            index @ 4..8 => Direction::Against(index as u8 - 4),
            _ => self,
        }
    }

    /// Returns the compass direction whose [`half`](Self::half) this is. A direction that is no
    /// half step is returned unchanged.
    pub fn whole(self) -> Direction {
        Self::ALL.into_iter().find(|whole| whole.half() == self).unwrap_or(self)
    }

    /// Tests if the direction leads along a track.
    pub fn is_track(self) -> bool {
        self.track().is_some()
    }

    /// Returns the number of the track that the direction leads along, onwards or back.
    pub fn track(self) -> Option<u8> {
        match self {
            Direction::Along(track) | Direction::Against(track) => Some(track),
            _ => None,
        }
    }

    /// Tests if this direction lies between two others, as `NE` lies between `N` and `E`.
    pub fn is_between(self, one: Direction, other: Direction) -> bool {
        if [self, one, other].iter().any(|direction| direction.is_track()) {
            return false;
        }
        let next_to = |side: Direction| matches!((self.index() + 8 - side.index()) % 8, 1 | 7);
        one != other && next_to(one) && next_to(other)
    }

    /// Returns the index: from 0 to 7 in [`ALL`](Self::ALL), from 8 on for the directions along
    /// tracks, and from 12 on for the same tracks back.
    pub fn index(self) -> usize {
        match self {
            Direction::N => 0,
            Direction::NE => 1,
            Direction::E => 2,
            Direction::SE => 3,
            Direction::S => 4,
            Direction::SW => 5,
            Direction::W => 6,
            Direction::NW => 7,
            Direction::Along(track) => 8 + usize::from(track) % Self::MAX_TRACKS,
            Direction::Against(track) => {
                8 + Self::MAX_TRACKS + usize::from(track) % Self::MAX_TRACKS
            }
        }
    }

    /// Returns the direction with this index.
    pub fn from_index(index: usize) -> Option<Direction> {
        let track = |first: usize| (index - first) as u8;
        match index {
            0..8 => Some(Self::ALL[index]),
            8..12 => Some(Direction::Along(track(8))),
            12..Self::COUNT => Some(Direction::Against(track(12))),
            _ => None,
        }
    }
}
