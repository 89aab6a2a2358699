//! A position as flat data, and the result of a game.

use crate::language::rules::{PlayerId, Teams};
use std::hash::{Hash, Hasher};

/// The result of a game. Of players who are in one team, only the first one is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    Win(PlayerId),
    Draw,
    /// A draw among these players, in a game in which players drop out.
    Shared(PlayerSet),
}

/// A set of players, at most eight: the bit of a player's index is set if he is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlayerSet(pub u8);

impl PlayerSet {
    /// Tests if the player is in the set.
    pub fn contains(self, player: PlayerId) -> bool {
        u32::from(self.0).checked_shr(player.0.into()).is_some_and(|rest| rest & 1 == 1)
    }

    /// Returns the number of players in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Tests if no player is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the players, in order.
    pub fn iter(self) -> impl Iterator<Item = PlayerId> {
        (0..8).map(PlayerId).filter(move |&player| self.contains(player))
    }
}

impl FromIterator<PlayerId> for PlayerSet {
    fn from_iter<T: IntoIterator<Item = PlayerId>>(players: T) -> PlayerSet {
        let bit = |player: PlayerId| 1u8.checked_shl(player.0.into()).unwrap_or(0);
        PlayerSet(players.into_iter().fold(0, |set, player| set | bit(player)))
    }
}

impl Outcome {
    /// Tests if nobody has won.
    pub fn is_draw(self) -> bool {
        !matches!(self, Outcome::Win(_))
    }

    /// Returns the outcome by person: players then stand for the persons who had these colours when
    /// the game began. The two outcomes differ if the pie rule has exchanged the colours.
    pub fn by_person(self, swapped: bool) -> Outcome {
        match self {
            Outcome::Win(winner) if swapped => Outcome::Win(winner.exchanged(true)),
            _ => self,
        }
    }

    /// Returns the outcome by team: player numbers then stand for [team](Teams) numbers.
    pub fn by_team(self, teams: Teams) -> Outcome {
        match self {
            Outcome::Win(winner) => Outcome::Win(teams.of(winner)),
            Outcome::Draw => Outcome::Draw,
            Outcome::Shared(among) => {
                Outcome::Shared(among.iter().map(|one| teams.of(one)).collect())
            }
        }
    }

    /// Returns the outcome by player, from an outcome [by team](Self::by_team).
    pub fn of_teams(self, teams: Teams) -> Outcome {
        match self {
            Outcome::Win(winner) => Outcome::Win(teams.first(winner)),
            Outcome::Draw => Outcome::Draw,
            Outcome::Shared(among) => {
                Outcome::Shared(among.iter().flat_map(|team| teams.members(team)).collect())
            }
        }
    }

    /// Returns the score of a player with his team.
    pub fn score_with(self, player: PlayerId, teams: Teams) -> f64 {
        self.by_team(teams).score(teams.of(player), teams.count())
    }

    /// Returns the score of a player in a game of `players` players: 1 for a win; a half for a
    /// draw, except for a single player, who gets nothing; an equal part of 1 for each player who
    /// shares a draw.
    pub fn score(self, player: PlayerId, players: usize) -> f64 {
        match self {
            Outcome::Win(winner) => f64::from(u8::from(winner == player)),
            Outcome::Draw if players == 1 => 0.0,
            Outcome::Draw => 0.5,
            Outcome::Shared(among) if among.contains(player) => 1.0 / among.len() as f64,
            Outcome::Shared(_) => 0.0,
        }
    }
}

/// A position of one compiled game, as flat data. It is meaningless to another game and to other
/// options of the same one, which reject it.
///
/// Equality ignores which game a position belongs to, so that games supposed to be equal can be
/// compared.
#[derive(Clone, Debug)]
pub struct Position {
    /// The [fingerprint](crate::compile::program::Program::fingerprint) of the position's program.
    pub(super) program: u64,
    /// The sets, each of the same number of words.
    pub(super) words: Box<[u64]>,
    pub(super) numbers: Box<[i32]>,
    /// The current decision.
    pub(super) at: u16,
    pub(super) outcome: Option<Outcome>,
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
            && self.numbers == other.numbers
            && (self.at, self.outcome) == (other.at, other.outcome)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.words, &self.numbers, self.at, self.outcome).hash(state);
    }
}

impl Position {
    /// Returns the words of the sets, in the order of the layout.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Copies a position of the same game into one that may have room for more.
    pub fn copy_from(&mut self, other: &Position) {
        self.words[..other.words.len()].copy_from_slice(&other.words);
        self.numbers[..other.numbers.len()].copy_from_slice(&other.numbers);
        (self.at, self.outcome) = (other.at, other.outcome);
    }

    /// Returns the words of a set; `width` is the number of words of each.
    pub fn set(&self, register: u16, width: usize) -> &[u64] {
        &self.words[usize::from(register) * width..][..width]
    }

    /// Returns the words of the sets, to be overwritten with the words of another position of the
    /// same game.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Returns the counters and the memories that are not sets.
    pub fn numbers(&self) -> &[i32] {
        &self.numbers
    }

    /// Sets the decision and the numbers, in the order of [`numbers`](Self::numbers). Numbers
    /// beyond the position's own are left out.
    #[inline]
    pub(crate) fn set_at(&mut self, at: u16, numbers: impl IntoIterator<Item = i32>) {
        self.at = at;
        self.outcome = None;
        self.numbers.iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
    }

    /// Sets one of the numbers.
    pub(crate) fn set_number(&mut self, register: usize, number: i32) {
        self.numbers[register] = number;
    }

    /// Appends the position to `bytes`. All positions of a compiled game have the same length, and
    /// equal bytes only if they are equal.
    pub fn write_bytes(&self, bytes: &mut Vec<u8>) {
        self.words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        self.numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        let over = match self.outcome {
            None => 0,
            Some(Outcome::Draw) => 1,
            Some(Outcome::Win(player)) => u32::from(player.0) + 2,
            Some(Outcome::Shared(among)) => (1 << 16) + u32::from(among.0),
        };
        bytes.extend(self.at.to_le_bytes());
        bytes.extend(over.to_le_bytes());
    }

    /// Returns the number in a register; 0 if there is none.
    pub fn number(&self, register: u16) -> i32 {
        self.numbers.get(usize::from(register)).copied().unwrap_or(0)
    }

    /// Returns the index of the current decision; meaningless once the game is over.
    pub fn decision(&self) -> usize {
        usize::from(self.at)
    }
}
