//! The matches that decide how the player `strong` searches: alpha-beta, and tree search with a
//! learned evaluation beside or in place of playouts, each against tree search with plain playouts,
//! at equal time for each ply and on one thread each.

use super::mcts::{Mcts, SearchLimits};
use super::player::roll_with;
use super::strong::Strong;
use crate::budget::Deadline;
use crate::engine::game::{Fault, Game, PlayError, State, Turn};
use crate::learn::network::payoffs;
use crate::learn::{Evaluation, MatchResult, Method};
use crate::random::{Random, mix};
use rayon::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// The memory of each side's tables, in bytes.
const MEMORY: usize = 16 << 20;
/// Games that reach this number of plies count as draws.
const MAX_PLIES: usize = 400;
/// The random plies that begin a game, so that games differ.
const RANDOM_PLIES: usize = 4;

/// The limits of each match.
#[derive(Clone, Debug)]
pub struct MatchLimits {
    pub games: u32,
    /// The time of each ply.
    pub time: Duration,
    /// The time of a match. Games that are not finished then are not counted.
    pub most: Option<Duration>,
    pub seed: u64,
    pub threads: usize,
}

/// Plays a match of each search with the evaluation; none if no games are wanted.
///
/// # Errors
/// Returns the [`Fault`] if the rules do not terminate.
pub fn play_matches(
    game: &Game,
    evaluation: &Arc<Evaluation>,
    limits: &MatchLimits,
) -> Result<Vec<MatchResult>, Fault> {
    let methods = Method::LEARNED.into_iter().filter(|_| limits.games > 0);
    let start = |method| {
        let deadline = Deadline::after(limits.most);
        Match { game, evaluation, method, limits, deadline }
    };
    methods.map(|method| start(method).play()).collect()
}

/// A match of a search with the evaluation against plain playouts.
struct Match<'m> {
    game: &'m Game,
    evaluation: &'m Arc<Evaluation>,
    method: Method,
    limits: &'m MatchLimits,
    deadline: Deadline,
}

/// Returns the method that is most surely better than plain playouts: that with the greatest lower
/// bound of its share of points, if an equal player would score less. With n players, that is 1/n;
/// in a game for one player, ½.
pub fn best(results: &[MatchResult], players: usize) -> Method {
    let even = 1.0 / players.max(2) as f64;
    let winners = results.iter().map(|result| (lower_bound(result), result.method));
    let most =
        winners.filter(|(low, _)| *low > even).max_by(|one, other| one.0.total_cmp(&other.0));
    most.map_or(Method::Mcts, |(_, method)| method)
}

/// The lower end of the Wilson score interval (Edwin B. Wilson, *Probable Inference, the Law of
/// Succession, and Statistical Inference*, 1927), which is too high in one match of twenty.
fn lower_bound(result: &MatchResult) -> f64 {
    const Z: f64 = 1.645;
    let size = f64::from(result.games) + Z * Z;
    let centre = (result.score + Z * Z / 2.0) / size;
    centre - Z * (centre * (1.0 - centre) / size).sqrt()
}

impl Match<'_> {
    /// Plays the match. Sides change after each game, and two games each begin with the same random
    /// plies.
    fn play(&self) -> Result<MatchResult, Fault> {
        let MatchLimits { games, time, threads, .. } = *self.limits;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build().ok();
        let play = || -> Result<Vec<Option<f64>>, Fault> {
            let numbers = (0..games).into_par_iter().with_max_len(1);
            numbers.map(|number| self.score(number)).collect()
        };
        let scores = match &pool {
            Some(pool) => pool.install(play),
            None => play(),
        }?;
        let scores: Vec<f64> = scores.into_iter().flatten().collect();
        Ok(MatchResult {
            method: self.method,
            score: scores.iter().sum(),
            games: scores.len() as u32,
            milliseconds: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        })
    }

    /// Plays a game; returns the score of the search with the evaluation, or `None` if time ran
    /// out. A player who is alone has no opponent: both searches play, and the one that scores more
    /// wins.
    fn score(&self, number: u32) -> Result<Option<f64>, Fault> {
        let players = self.game.rules().players.len();
        let seat = number as usize % players;
        let Some(own) = self.scores(number, seat)? else { return Ok(None) };
        if players > 1 {
            return Ok(Some(f64::from(own[seat])));
        }
        let plain = self.scores(number, players)?;
        Ok(plain.map(|plain| f64::from(1.0 + own[seat] - plain[seat]) / 2.0))
    }

    /// Plays a game in which the player with the index `seat`, if there is one, searches with the
    /// evaluation; returns the scores of all, or `None` if time ran out.
    fn scores(&self, number: u32, seat: usize) -> Result<Option<Vec<f32>>, Fault> {
        let Match { game, evaluation, method, limits, .. } = *self;
        let players = game.rules().players.len();
        let seed = mix(limits.seed, u64::from(number));
        let mut opening = Random::new(mix(limits.seed, u64::from(number / players as u32)));
        let mut strong = Strong::new(Arc::clone(evaluation), method, MEMORY);
        let (mut tree, mut mcts) = (Mcts::new(1, MEMORY), Mcts::new(1, MEMORY));
        let mut state: State = game.begin()?;
        for made in 0..MAX_PLIES {
            if self.deadline.has_passed() {
                return Ok(None);
            }
            let seed = mix(seed, made as u64);
            let ply = match state.personal_turn() {
                Turn::Nobody => break,
                Turn::Chance => roll_with(&state, seed),
                Turn::Player(_) if made < RANDOM_PLIES => {
                    let legal = state.legal();
                    legal.get(opening.below(legal.len() as u32) as usize).cloned()
                }
                Turn::Player(player) => {
                    let within = SearchLimits {
                        deadline: Deadline::after(Some(limits.time)),
                        ..SearchLimits::default()
                    };
                    let thinking = match player.index() == seat {
                        true => strong.think(&mut tree, &state, seed, &within)?,
                        false => mcts.think(&state, seed, &within, &mut |_| true)?,
                    };
                    thinking.plies.first().map(|first| first.ply.clone())
                }
            };
            let Some(ply) = ply else { break };
            if let Err(PlayError::Fault(fault)) = state.play(&ply) {
                return Err(fault);
            }
        }
        let mut scores = vec![0.0; players];
        payoffs(state.personal_outcome(), &mut scores);
        Ok(Some(scores))
    }
}
