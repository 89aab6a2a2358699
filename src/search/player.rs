//! Players by specification, such as `mcts:1s`, and how they choose plies.

use super::mcts::{MEMORY, Mcts, SearchLimits, Tell, Thinking};
use super::strong::Strong;
use super::{greedy, learned};
use crate::budget::Deadline;
use crate::engine::game::{Fault, Game, GameId, Move, State, Turn};
use crate::language::edit_distance::nearest;
use crate::language::rules::Rules;
use crate::learn::{Learned, store};
use crate::notation::{clip, spell};
use crate::random::{Random, mix};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The range of thinking times.
const MIN_TIME: Duration = Duration::from_millis(1);
const MAX_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// The kind of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PlayerKind {
    Human,
    Random,
    Greedy,
    /// One ply ahead with a learned evaluation.
    Learned,
    /// Tree search with a time limit per ply.
    Time(Duration),
    /// Tree search with a number of iterations per ply.
    Iterations(u64),
    /// The search that the training found best, with a time limit per ply; tree search without a
    /// training.
    StrongTime(Duration),
    /// As [`PlayerKind::StrongTime`], with a number of iterations: positions of alpha-beta,
    /// playouts of tree search.
    StrongIterations(u64),
}

impl PlayerKind {
    /// Tests if this kind uses a training of the game, if there is one.
    pub fn uses_training(self) -> bool {
        matches!(
            self,
            PlayerKind::Learned | PlayerKind::StrongTime(_) | PlayerKind::StrongIterations(_)
        )
    }
}

/// An example of every kind.
pub const KINDS: [&str; 8] = [
    "human",
    "random",
    "greedy",
    "learned",
    "mcts:1s",
    "mcts:2000it",
    "strong:1s",
    "strong:2000it",
];

impl FromStr for PlayerKind {
    type Err = String;

    /// Parses `human`, `random`, `greedy`, `learned`, or `mcts:` or `strong:` with a time (`1s`,
    /// `0.5s`, `200ms`) or a number of iterations (`2000it`).
    fn from_str(text: &str) -> Result<PlayerKind, String> {
        match text {
            "human" => return Ok(PlayerKind::Human),
            "random" => return Ok(PlayerKind::Random),
            "greedy" => return Ok(PlayerKind::Greedy),
            "learned" => return Ok(PlayerKind::Learned),
            _ => {}
        }
        let (name, limit) = text.split_once(':').unwrap_or((text, ""));
        if name != "mcts" && name != "strong" {
            let near = nearest(name, ["human", "random", "greedy", "learned", "mcts", "strong"]);
            let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            return Err(format!(
                "expected `human`, `random`, `greedy`, `learned`, `mcts:1s`, `mcts:2000it` or \
                 `strong:1s`, found `{}`{near}",
                clip(text)
            ));
        }
        let kind = read_limit(limit, name).map_err(|expected| {
            format!("expected `{name}:` and {expected}, found `{}`", clip(text))
        })?;
        Ok(match (name, kind) {
            ("strong", PlayerKind::Time(time)) => PlayerKind::StrongTime(time),
            ("strong", PlayerKind::Iterations(iterations)) => {
                PlayerKind::StrongIterations(iterations)
            }
            (_, kind) => kind,
        })
    }
}

impl TryFrom<String> for PlayerKind {
    type Error = String;

    fn try_from(text: String) -> Result<PlayerKind, String> {
        text.parse()
    }
}

impl From<PlayerKind> for String {
    fn from(kind: PlayerKind) -> String {
        kind.to_string()
    }
}

/// Parses a search limit; the error says what is expected.
fn read_limit(text: &str, name: &str) -> Result<PlayerKind, String> {
    let neither = || {
        format!(
            "a time or a number of iterations, such as `{name}:1s`, `{name}:500ms` or \
             `{name}:2000it`"
        )
    };
    let is_number = |number: &str| {
        number.starts_with(|first: char| first.is_ascii_digit()) && number.parse::<f64>().is_ok()
    };
    if let Some(number) = text.strip_suffix("it").filter(|number| is_number(number)) {
        let iterations =
            number.parse().ok().filter(|&iterations| iterations > 0).map(PlayerKind::Iterations);
        return iterations
            .ok_or_else(|| format!("a whole number of iterations from 1 to {}", u64::MAX));
    }
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s').ok_or_else(neither)?, 1.0),
    };
    let seconds =
        number.parse::<f64>().ok().filter(|_| is_number(number)).ok_or_else(neither)? * unit;
    let time = Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|time| (MIN_TIME..=MAX_TIME).contains(time));
    time.map(PlayerKind::Time)
        .ok_or_else(|| format!("a time from {}ms to {}s", MIN_TIME.as_millis(), MAX_TIME.as_secs()))
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let time = |time: &Duration| match time.subsec_millis() {
            0 => format!("{}s", time.as_secs()),
            _ => format!("{}ms", time.as_millis()),
        };
        match self {
            PlayerKind::Human => f.write_str("human"),
            PlayerKind::Random => f.write_str("random"),
            PlayerKind::Greedy => f.write_str("greedy"),
            PlayerKind::Learned => f.write_str("learned"),
            PlayerKind::Time(limit) => write!(f, "mcts:{}", time(limit)),
            PlayerKind::Iterations(iterations) => write!(f, "mcts:{iterations}it"),
            PlayerKind::StrongTime(limit) => write!(f, "strong:{}", time(limit)),
            PlayerKind::StrongIterations(iterations) => write!(f, "strong:{iterations}it"),
        }
    }
}

/// A computer player with its state between plies of a game. It begins anew with another game.
pub struct Player {
    kind: PlayerKind,
    seed: u64,
    mcts: Option<Mcts>,
    /// The training of the last game, once it has been looked up.
    training: Option<(GameId, Option<Arc<Learned>>)>,
    strong: Option<Strong>,
}

/// A ply, with the result of the search if there was one.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub ply: Move,
    pub thinking: Option<Thinking>,
    /// The reason for the ply, in words, if the player can give one.
    pub reason: Option<String>,
}

impl Choice {
    /// Returns the ply in the notation of records.
    pub fn spelled(&self, rules: &Rules) -> String {
        spell(rules, &self.ply)
    }
}

impl Player {
    /// Tests if the player searches, and may take long.
    pub fn searches(&self) -> bool {
        self.mcts.is_some()
    }

    /// Creates a player; `None` for a human. Its random choices depend on the seed and the number
    /// of the ply only.
    pub fn new(kind: PlayerKind, seed: u64) -> Option<Player> {
        Player::searching(kind, seed, Mcts::default)
    }

    /// Creates a player that uses a given searcher if its kind searches.
    pub fn searching(
        kind: PlayerKind,
        seed: u64,
        searcher: impl FnOnce() -> Mcts,
    ) -> Option<Player> {
        let mcts = match kind {
            PlayerKind::Human => return None,
            PlayerKind::Random | PlayerKind::Greedy | PlayerKind::Learned => None,
            PlayerKind::Time(_)
            | PlayerKind::Iterations(_)
            | PlayerKind::StrongTime(_)
            | PlayerKind::StrongIterations(_) => Some(searcher()),
        };
        Some(Player { kind, seed, mcts, training: None, strong: None })
    }

    /// Replaces the searcher of a player that has one.
    pub fn with(self, mcts: Mcts) -> Player {
        Player { mcts: self.mcts.map(|_| mcts), ..self }
    }

    /// Chooses a legal ply; `None` if no player is to act.
    ///
    /// # Errors
    /// Returns the [`Fault`] if the rules do not terminate in a position of the search.
    pub fn choose(&mut self, position: &State) -> Result<Option<Choice>, Fault> {
        self.choose_until(position, None)
    }

    /// Chooses a legal ply. Setting `stop` ends a search, or the comparison of all plies, early;
    /// the best ply so far is chosen.
    ///
    /// # Errors
    /// As [`Player::choose`].
    pub fn choose_until(
        &mut self,
        position: &State,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Choice>, Fault> {
        let limits = SearchLimits { stop, ..SearchLimits::default() };
        self.choose_within(position, limits, &mut |_| true)
    }

    /// Chooses a legal ply. A search by a tree calls `tell` as [`Mcts::think`] does.
    ///
    /// # Errors
    /// As [`Player::choose`].
    pub fn choose_aloud(&mut self, position: &State, tell: Tell) -> Result<Option<Choice>, Fault> {
        self.choose_within(position, SearchLimits::default(), tell)
    }

    /// Chooses a legal ply; a search, or the comparison of all plies, ends at the deadline at the
    /// latest.
    ///
    /// # Errors
    /// As [`Player::choose`].
    pub fn choose_by(
        &mut self,
        position: &State,
        deadline: &Deadline,
    ) -> Result<Option<Choice>, Fault> {
        let limits = SearchLimits { deadline: deadline.clone(), ..SearchLimits::default() };
        self.choose_within(position, limits, &mut |_| true)
    }

    fn choose_within(
        &mut self,
        position: &State,
        limits: SearchLimits,
        tell: Tell,
    ) -> Result<Option<Choice>, Fault> {
        let (Turn::Player(_), legal) = (position.turn(), position.legal()) else { return Ok(None) };
        let seed = mix(self.seed, position.ply_count() as u64);
        let unthinking =
            |ply: Option<Move>| ply.map(|ply| Choice { ply, thinking: None, reason: None });
        if let [only] = legal {
            return Ok(unthinking(Some(only.clone())));
        }
        match self.kind {
            PlayerKind::Human => Ok(None),
            PlayerKind::Random => {
                let drawn = Random::new(seed).below(legal.len() as u32);
                Ok(unthinking(legal.get(drawn as usize).cloned()))
            }
            PlayerKind::Greedy => Ok(unthinking(greedy::choose(position, seed, &limits)?)),
            PlayerKind::Learned => {
                let Some(training) = self.training(position.game()) else {
                    return Ok(unthinking(greedy::choose(position, seed, &limits)?));
                };
                let found = learned::choose(position, &training.evaluation, seed, &limits)?;
                let choice = |(ply, reason)| Choice { ply, thinking: None, reason: Some(reason) };
                Ok(found.map(choice))
            }
            PlayerKind::Time(_)
            | PlayerKind::StrongTime(_)
            | PlayerKind::Iterations(_)
            | PlayerKind::StrongIterations(_) => {
                let thinking = self.search(position, seed, limits, tell)?;
                Ok(thinking.and_then(|thinking| {
                    let ply = thinking.plies.first()?.ply.clone();
                    Some(Choice { ply, thinking: Some(thinking), reason: None })
                }))
            }
        }
    }

    /// Searches a position in which a player is to act, with the seed of this player; `None` if it
    /// does not [search](Player::searches). Setting `stop` ends the search early.
    ///
    /// # Errors
    /// As [`Player::choose`].
    pub fn think(
        &mut self,
        position: &State,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Thinking>, Fault> {
        let limits = SearchLimits { stop, ..SearchLimits::default() };
        self.search(position, self.seed, limits, &mut |_| true)
    }

    fn search(
        &mut self,
        position: &State,
        seed: u64,
        limits: SearchLimits,
        tell: Tell,
    ) -> Result<Option<Thinking>, Fault> {
        // Reading the training, once, is not part of the time of a ply.
        self.training(position.game());
        let limits = match self.kind {
            PlayerKind::Time(time) | PlayerKind::StrongTime(time) => {
                SearchLimits { deadline: limits.deadline.within(time), ..limits }
            }
            PlayerKind::Iterations(iterations) | PlayerKind::StrongIterations(iterations) => {
                SearchLimits { iterations: Some(iterations), ..limits }
            }
            _ => return Ok(None),
        };
        self.think_within(position, seed, &limits, tell)
    }

    /// Searches a position in which a player is to act with other limits than its kind has;
    /// `None` if it does not [search](Player::searches). A search by a tree calls `tell` as
    /// [`Mcts::think`] does.
    ///
    /// # Errors
    /// As [`Player::choose`].
    pub fn think_within(
        &mut self,
        position: &State,
        seed: u64,
        limits: &SearchLimits,
        tell: Tell,
    ) -> Result<Option<Thinking>, Fault> {
        let training = self.training(position.game());
        let Some(mcts) = &mut self.mcts else { return Ok(None) };
        let Some(training) = training else {
            // The previous game may have had a training.
            mcts.search_plainly();
            return mcts.think(position, seed, limits, tell).map(Some);
        };
        if limits.iterations.is_none() {
            // Only playouts start the compilation by themselves.
            position.game().jit_compile_in_background();
        }
        let Learned { evaluation, style, .. } = &*training;
        let kept = self.strong.take().filter(|kept| kept.is(evaluation, *style));
        let mut strong =
            kept.unwrap_or_else(|| Strong::new(Arc::clone(evaluation), *style, MEMORY / 8));
        let thinking = strong.think_aloud(mcts, position, seed, limits, tell)?;
        self.strong = Some(strong);
        Ok(Some(thinking))
    }

    /// Forgets the results of earlier searches.
    pub fn clear(&mut self) {
        self.mcts.iter_mut().for_each(Mcts::clear);
        self.strong = None;
    }

    /// Returns the training that the player uses in a game; `None` if its kind uses none or the
    /// game has none.
    fn training(&mut self, game: &Game) -> Option<Arc<Learned>> {
        if !self.kind.uses_training() {
            return None;
        }
        match &self.training {
            Some((known, training)) if *known == game.id() => training.clone(),
            _ => {
                let found = store::find(game);
                self.training = Some((game.id(), found.clone()));
                found
            }
        }
    }
}

/// Says why a player that would use a training has none to use, and what it does instead; `None` if
/// it needs none or has one.
pub fn untrained(game: &Game, kind: PlayerKind) -> Option<String> {
    untrained_by_name(game, kind, &kind.to_string())
}

/// As [`untrained`], with another spelling of the kind.
pub fn untrained_by_name(game: &Game, kind: PlayerKind, name: &str) -> Option<String> {
    if !kind.uses_training() || store::find(game).is_some() {
        return None;
    }
    let instead = if kind == PlayerKind::Learned { "greedy" } else { "mcts" };
    let why = match store::trouble(game) {
        Some(trouble) => format!("the training of this game cannot be used ({trouble})"),
        None => "there is no training of this game with these options".to_owned(),
    };
    Some(format!("{why}, so that `{name}` plays as `{instead}`"))
}

/// Rolls the dice; `None` if chance is not to act. The result depends on the seed and the number of
/// the ply only.
pub fn roll(position: &State, seed: u64) -> Option<Move> {
    roll_with(position, mix(seed, position.ply_count() as u64))
}

/// Rolls the dice with a seed for this roll alone; `None` if chance is not to act.
pub fn roll_with(position: &State, seed: u64) -> Option<Move> {
    if position.turn() != Turn::Chance {
        return None;
    }
    // Sorted, so that a seed gives the same roll in whatever order moves are generated.
    let mut rolls = position.legal().to_vec();
    rolls.sort_by_cached_key(|ply| spell(position.game().rules(), ply));
    let drawn = Random::new(seed).below(rolls.len() as u32);
    rolls.into_iter().nth(drawn as usize)
}
