//! The recorded data of games: exact integers whose meaning does not depend on the order in which
//! they are merged.

use super::levels::LevelTrial;
use crate::engine::position::{Outcome, PlayerSet};
use crate::language::rules::PlayerId;
use crate::search::{PlayerKind, Thinking};
use crate::solve::Solution;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The player or team with this index won.
    Win(u16),
    Draw,
    /// The players with these bits shared the result.
    Shared(u8),
    /// The game reached the ply limit.
    TooLong,
    /// The game reached the ply limit, and more than half of its plies led to repeated positions.
    Circling,
    /// The rules did not terminate after a ply.
    Endless,
}

impl Ending {
    /// Tests if the game has a result.
    pub fn is_finished(self) -> bool {
        matches!(self, Ending::Win(_) | Ending::Draw | Ending::Shared(_))
    }

    /// Returns the outcome of a finished game.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Ending::Win(winner) => Some(Outcome::Win(PlayerId(winner))),
            Ending::Draw => Some(Outcome::Draw),
            Ending::Shared(among) => Some(Outcome::Shared(PlayerSet(among))),
            Ending::TooLong | Ending::Circling | Ending::Endless => None,
        }
    }

    /// Returns the score of a player of `players`, from 0 to 1; `None` for unfinished games. A
    /// single player who does not win scores nothing.
    pub fn score(self, player: usize, players: usize) -> Option<f64> {
        match self.outcome()? {
            Outcome::Draw if players == 1 => Some(0.0),
            Outcome::Draw => Some(1.0 / players as f64),
            over => Some(over.score(PlayerId(player as u16), players)),
        }
    }
}

impl From<Option<Outcome>> for Ending {
    fn from(outcome: Option<Outcome>) -> Ending {
        match outcome {
            Some(Outcome::Win(winner)) => Ending::Win(winner.0),
            Some(Outcome::Draw) => Ending::Draw,
            Some(Outcome::Shared(among)) => Ending::Shared(among.0),
            None => Ending::TooLong,
        }
    }
}

/// The counts of a clause over some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ClauseCounts {
    /// How often it was executed or evaluated.
    pub asked: u64,
    /// How often it was true; equal to `asked` for clauses without a truth value.
    pub held: u64,
    /// In how many games it decided the result.
    pub decided: u64,
}

/// A recorded game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRow {
    /// The index of its pairing.
    pub pairing: usize,
    /// Its index in the pairing.
    pub game: u64,
    pub ending: Ending,
    /// The plies, including rolls, in the notation of records.
    pub plies: Vec<String>,
    /// The actor of each ply: the index of a player or team, or -1 for a roll.
    pub movers: Vec<i32>,
    /// The number of legal plies at each ply.
    pub legal: Vec<u32>,
    /// The site numbers among the arguments of the players' plies, concatenated.
    pub sites: Vec<u16>,
    /// The hashes of all positions, from the one before the first ply on; sixteen hexadecimal
    /// digits each.
    pub states: String,
    /// Sixteen hexadecimal digits, the same for games that are the same up to a symmetry; empty in
    /// random games.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fingerprint: String,
    /// The expected score of each player at some plies, in thousandths: the number of plies made,
    /// then one number per player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chances: Vec<Vec<u32>>,
    /// The counts of the clauses by number; `None` if coverage was not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clauses: Option<BTreeMap<usize, ClauseCounts>>,
    /// The number of positions in which all moves were tried for coverage.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub listened: u64,
    /// The plies near the end that could have given away a proven result, and how many did.
    #[serde(default, skip_serializing_if = "LatePlies::is_none")]
    pub late: LatePlies,
    /// The positions in which exactly one of several plies wins, not at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub puzzles: Vec<PuzzlePly>,
    /// How often the memory of a player's search was full.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub recycled: u64,
    /// What it took to play and examine the game.
    #[serde(default, skip_serializing_if = "Effort::is_none")]
    pub effort: Effort,
}

/// The work for a game or a batch, in units that do not depend on the computer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Iterations of searches.
    pub iterations: u64,
    /// Plies in the playouts of searches and in random games that are not recorded.
    pub plies: u64,
    /// Expressions and statements evaluated by the reference interpreter.
    pub steps: u64,
    /// Positions evaluated by a training.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub evaluated: u64,
    /// Plies tried by the solver.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub solved: u64,
}

/// Plies in positions whose value is proven, where a legal ply would have given the value away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LatePlies {
    pub plies: u32,
    /// How many of these plies gave the value away.
    pub blunders: u32,
}

/// A position of a game in which exactly one of several plies wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzlePly {
    /// The number of plies made before it, without the plan's opening.
    pub made: u32,
    /// The plies to the win, the winning one included.
    pub plies: u32,
}

impl LatePlies {
    fn is_none(&self) -> bool {
        *self == LatePlies::default()
    }
}

impl Effort {
    fn is_none(&self) -> bool {
        *self == Effort::default()
    }

    /// Adds other work.
    pub fn add(&mut self, other: Effort) {
        self.iterations += other.iterations;
        self.plies += other.plies;
        self.steps += other.steps;
        self.evaluated += other.evaluated;
        self.solved += other.solved;
    }

    /// Adds the work of a search.
    pub fn add_search(&mut self, thinking: &Thinking) {
        self.iterations += thinking.iterations;
        self.plies += thinking.plies_made;
    }

    /// Adds the plies that the solver tried in a position with this many legal plies, or, if that
    /// is more, as many for each position that it found.
    pub fn add_solution(&mut self, solution: &Solution, legal: usize) {
        self.solved += solution.plies.max(solution.nodes * legal as u64);
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl GameRow {
    /// Returns the hashes of the positions.
    pub fn hashes(&self) -> impl Iterator<Item = u64> + '_ {
        self.states
            .as_bytes()
            .chunks_exact(16)
            .filter_map(|digits| u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok())
    }

    /// Returns the number of plies that led to a repeated position.
    pub fn repeated(&self) -> u64 {
        let mut seen = std::collections::HashSet::new();
        self.hashes().filter(|hash| !seen.insert(*hash)).count() as u64
    }

    /// Tests if dice were rolled.
    pub fn is_rolled(&self) -> bool {
        self.movers.contains(&-1)
    }

    /// Returns the number of turns: maximal runs of plies by the same player.
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

/// A number of games with the same ending and length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub ending: Ending,
    pub plies: u32,
    pub games: u64,
}

/// The number of reachable positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StateCount {
    /// Exact, including the initial and final positions.
    Exactly(u64),
    /// Above the limit of counting.
    Many,
}

/// The results of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// The index of the batch in its plan.
    pub lot: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<GameRow>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tallies: Vec<Tally>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub census: Option<StateCount>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<Opening>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mirrored: Vec<MirroredGame>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exact: Vec<SolvedBoard>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelTrial>,
    /// The span in the text of the clause at which the rules first hung, if they did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hang: Option<(usize, usize)>,
    /// The work of the batch, besides the recorded games.
    #[serde(default, skip_serializing_if = "Effort::is_none")]
    pub effort: Effort,
}

impl Played {
    /// Creates the result of a batch without content.
    pub fn empty(lot: usize) -> Played {
        Played {
            lot,
            rows: Vec::new(),
            tallies: Vec::new(),
            census: None,
            openings: Vec::new(),
            mirrored: Vec::new(),
            exact: Vec::new(),
            levels: Vec::new(),
            hang: None,
            effort: Effort::default(),
        }
    }
}

/// A first ply, judged by a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Opening {
    /// In the notation of records.
    pub ply: String,
    /// The site that it chooses last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<u16>,
    /// The expected score of each player after it, in thousandths.
    pub chances: Vec<u32>,
}

/// A game in which the second player mirrors what the first one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MirroredGame {
    pub ending: Ending,
    /// The plies of the second player, and how many of them were images.
    pub replies: u32,
    pub images: u32,
}

/// A board whose value with best play is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolvedBoard {
    /// The options in which it differs from the game; empty for the game itself.
    pub options: Vec<(String, String)>,
    pub value: ExactValue,
    /// The plies to the win, if they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// How many first plies keep the value, and how many there are.
    pub optimal: u32,
    pub first: u32,
    /// The positions that were searched.
    pub positions: u64,
    /// Whether the value of each position is known, and not only who wins.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tabulated: bool,
    /// For the game itself: the first plies and the values after them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_plies: Vec<SolvedPly>,
    /// Games on a smaller board between players of each strength.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<BoardGames>,
}

/// A first ply of a solved game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SolvedPly {
    /// In the notation of records.
    pub ply: String,
    /// The site that it chooses last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<u16>,
    /// What best play leads to after it, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<ExactValue>,
}

/// The value of a board with best play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ExactValue {
    /// The player with this index wins.
    Win(u16),
    /// No player can force a win.
    Draw,
    /// The same, since best play repeats positions: without end, or until the rule of repetition
    /// applies.
    NeverEnds,
    /// Of several players none can force a win, and not all can force a draw.
    Open,
    /// With dice: the expected score of the first player.
    Score(f64),
}

impl ExactValue {
    /// Returns the score of each of `players` players; `None` for [`ExactValue::Open`].
    pub fn scores(self, players: usize) -> Option<Vec<f64>> {
        let drawn = if players > 1 { 1.0 / players as f64 } else { 0.0 };
        Some(match self {
            ExactValue::Win(winner) => {
                (0..players).map(|id| f64::from(u8::from(id == usize::from(winner)))).collect()
            }
            ExactValue::Draw | ExactValue::NeverEnds => vec![drawn; players],
            ExactValue::Score(score) => vec![score, 1.0 - score],
            ExactValue::Open => return None,
        })
    }

    /// Returns the score of the first of `players` players; `None` for [`ExactValue::Open`].
    pub fn score(self, players: usize) -> Option<f64> {
        self.scores(players)?.first().copied()
    }
}

/// The results of games between two equal players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct BoardGames {
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub kind: PlayerKind,
    /// By player.
    pub wins: Vec<u64>,
    pub draws: u64,
    pub unfinished: u64,
}

impl BoardGames {
    /// Returns how many games ended as with best play, and of how many; `None` if best play has no
    /// single result.
    pub fn agreeing(&self, value: ExactValue) -> Option<(u64, u64)> {
        let all = self.wins.iter().sum::<u64>() + self.draws + self.unfinished;
        let agreeing = match value {
            ExactValue::Win(winner) => self.wins.get(usize::from(winner)).copied().unwrap_or(0),
            ExactValue::Draw => self.draws,
            ExactValue::NeverEnds => self.draws + self.unfinished,
            ExactValue::Open | ExactValue::Score(_) => return None,
        };
        Some((agreeing, all))
    }
}
