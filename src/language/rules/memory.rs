//! Memories: what is kept from ply to ply.

use super::{Piece, PieceId};
use crate::board::Direction;
use crate::syntax::Span;
use std::ops::RangeInclusive;

/// A memory: a value kept from ply to ply. It is part of the position.
#[derive(Clone, Debug)]
pub struct Memory {
    pub name: String,
    pub span: Span,
    pub holds: MemoryType,
    /// Whether each player has a value.
    pub per_player: bool,
    /// For a set of sites: the directions that each have a value; empty for a single value.
    pub per_direction: Vec<Direction>,
    /// For a number: what each has a value for.
    pub keys: Keys,
    /// For a number, a site, a direction or a kind: whether each site of the board has a value.
    pub per_site: bool,
    /// Whether the value of a site moves with its piece on a relocation, and is cleared when the
    /// piece leaves the board.
    pub travels: bool,
    /// Whether it is a hand: shown with the board, never below zero.
    pub hand: bool,
    /// The initial value, for each player: a number, a player's index, a direction's index or -1, 1
    /// for a condition that holds; else 0.
    pub initial: i32,
}

impl Memory {
    /// Creates a memory with a single, empty value.
    pub fn new(name: String, span: Span, holds: MemoryType) -> Memory {
        let initial = if holds == MemoryType::Direction { -1 } else { 0 };
        Memory {
            name,
            span,
            holds,
            per_player: false,
            per_direction: Vec::new(),
            keys: Keys::One,
            per_site: false,
            travels: false,
            hand: false,
            initial,
        }
    }

    /// Returns how many values each player has: one for each direction, kind of piece or number.
    pub fn values_per_player(&self) -> usize {
        self.per_direction.len().max(self.keys.count())
    }
}

/// What a memory of numbers has a value for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keys {
    /// It has a single value.
    One,
    /// Each of these kinds of piece.
    Kinds(Vec<PieceId>),
    /// Each whole number from the first to the last.
    Numbers(RangeInclusive<i32>),
}

impl Keys {
    /// Returns how many values that are.
    pub fn count(&self) -> usize {
        match self {
            Keys::One => 1,
            Keys::Kinds(kinds) => kinds.len(),
            Keys::Numbers(numbers) => numbers.clone().count(),
        }
    }

    /// Tests if there is a single value, which nothing has to be said for.
    pub fn is_one(&self) -> bool {
        matches!(self, Keys::One)
    }

    /// Returns the place of a kind among the values; `None` if it has no value.
    pub fn place_of_kind(&self, kind: PieceId) -> Option<usize> {
        match self {
            Keys::Kinds(kinds) => kinds.iter().position(|&kept| kept == kind),
            _ => None,
        }
    }

    /// Returns the place of a number among the values; `None` if it has no value.
    pub fn place_of_number(&self, number: i64) -> Option<usize> {
        match self {
            Keys::Numbers(numbers)
                if (i64::from(*numbers.start())..=i64::from(*numbers.end())).contains(&number) =>
            {
                usize::try_from(number - i64::from(*numbers.start())).ok()
            }
            _ => None,
        }
    }

    /// Returns what a place is written as: the name of a kind, or a number.
    pub fn name(&self, pieces: &[Piece], place: usize) -> Option<String> {
        match self {
            Keys::One => None,
            Keys::Kinds(kinds) => kinds.get(place).map(|kind| pieces[kind.index()].name.clone()),
            Keys::Numbers(numbers) => numbers.clone().nth(place).map(|number| number.to_string()),
        }
    }
}

/// The type of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryType {
    /// An `i32` with saturating arithmetic; if `per_site`, clamped to 0 to `most`.
    Number { most: i32 },
    /// A set of sites, initially empty.
    Sites,
    /// A site or nowhere, initially nowhere.
    Site,
    /// A player.
    Player,
    /// A kind of piece or no kind, initially no kind.
    Kind,
    /// A direction or no direction.
    Direction,
    /// True or false.
    Condition,
}
