//! What is kept of the games that were played: small exact summaries, whole numbers throughout.
//!
//! In: games. Out: rows and tallies that mean the same in whatever order they are put together. It
//! refuses to know what is made of them.

use crate::engine::position::Outcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The player with that index won.
    Win(u16),
    Draw,
    /// It was given up after so many plies that nobody would play on.
    TooLong,
    /// It was given up after as many plies, more than half of which led to positions that had been
    /// there before.
    Circling,
    /// The rules went round without end after a ply.
    Endless,
}

impl Ending {
    /// Whether the game came to an end.
    pub fn is_finished(self) -> bool {
        matches!(self, Ending::Win(_) | Ending::Draw)
    }
}

impl From<Option<Outcome>> for Ending {
    fn from(outcome: Option<Outcome>) -> Ending {
        match outcome {
            Some(Outcome::Win(winner)) => Ending::Win(winner.0),
            Some(Outcome::Draw) => Ending::Draw,
            None => Ending::TooLong,
        }
    }
}

/// What became of a clause, in all or some of the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClauseCounts {
    /// How often it was obeyed, or asked.
    pub asked: u64,
    /// How often it held; as often as it was obeyed where it is nothing that holds or not.
    pub held: u64,
    /// In how many games it decided the result.
    pub decided: u64,
}

/// A game that was written down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRow {
    /// Which pairing it belongs to, from 0.
    pub pairing: usize,
    /// Which of its games it is, from 0.
    pub game: u64,
    pub ending: Ending,
    /// The plies, rolls included, as records spell them.
    pub plies: Vec<String>,
    /// Who made each of them: the index of a player, or -1 for a roll.
    pub movers: Vec<i32>,
    /// How many plies were legal each time.
    pub legal: Vec<u32>,
    /// The sites that each ply of a player chose, one after the other, by their numbers.
    pub sites: Vec<u16>,
    /// The hashes of the positions, that before the first ply included, sixteen hexadecimal digits
    /// each.
    pub states: String,
    /// What each player could expect before some plies, in thousandths: the number of plies that
    /// had been made, then one number for each player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chances: Vec<Vec<u32>>,
    /// What became of the clauses, by their numbers; none where nobody listened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clauses: Option<BTreeMap<usize, ClauseCounts>>,
    /// In how many positions that was.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub listened: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl GameRow {
    /// The hashes of the positions.
    pub fn hashes(&self) -> impl Iterator<Item = u64> + '_ {
        self.states
            .as_bytes()
            .chunks_exact(16)
            .filter_map(|digits| u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok())
    }

    /// How many plies led to a position that had been there before in the game.
    pub fn repeated(&self) -> u64 {
        let mut seen = std::collections::HashSet::new();
        self.hashes().filter(|hash| !seen.insert(*hash)).count() as u64
    }

    /// How many turns there were: all that a player does up to the next ply of another player or
    /// roll.
    pub fn turns(&self) -> u64 {
        let mut last = -1;
        let mut turns = 0;
        for &mover in &self.movers {
            turns += u64::from(mover >= 0 && mover != last);
            last = mover;
        }
        turns
    }
}

/// Games with the same ending and the same number of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub ending: Ending,
    pub plies: u32,
    pub games: u64,
}

/// How many positions there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StateCount {
    /// So many, the first and the last ones included.
    Exactly(u64),
    /// More than were counted.
    Many,
}

/// What came of a lot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// The number of the lot in its plan.
    pub lot: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<GameRow>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tallies: Vec<Tally>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub census: Option<StateCount>,
}
