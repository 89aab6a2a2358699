//! The eight compass directions. Which neighbour a direction leads to, if any, depends on the
//! board.

/// A compass direction; north is up on the drawing.
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
}

impl Direction {
    /// All eight, clockwise from north, in the order of [`index`](Self::index).
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

    /// Returns the name in capitals, such as `"NE"`.
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
        }
    }

    /// Finds the direction with exactly this name; `"ne"` is not one.
    pub fn from_name(name: &str) -> Option<Direction> {
        Self::ALL.into_iter().find(|direction| direction.name() == name)
    }

    /// Returns the opposite direction.
    pub fn opposite(self) -> Direction {
        Self::ALL[(self.index() + 4) % 8]
    }

    /// Tests if the direction is the one between two others, as `NE` is between `N` and `E`.
    pub fn is_between(self, one: Direction, other: Direction) -> bool {
        let next_to = |side: Direction| matches!((self.index() + 8 - side.index()) % 8, 1 | 7);
        one != other && next_to(one) && next_to(other)
    }

    /// Returns the index in [`ALL`](Self::ALL), from 0 to 7.
    pub fn index(self) -> usize {
        self as usize
    }
}
