//! The matches that choose the style of the player `strong`: alpha-beta, and tree search with a
//! learned evaluation beside or in place of playouts, each against tree search with plain playouts;
//! the best of these against each other, with more time for each ply if the limits allow it; and
//! the best tree against itself with another constant. In each match both sides have one thread
//! each, and as many iterations for each ply as are estimated to take the same time ([`Costs`]), so
//! that a match has the same result on every computer, however busy it is.

use super::alpha_beta::can_settle;
use super::mcts::{Mcts, SearchLimits};
use super::openings::undecided;
use super::player::roll_with;
use super::strong::Strong;
use crate::engine::game::{Fault, Game, PlayError, Turn};
use crate::learn::network::payoffs;
use crate::learn::{Costs, Evaluation, MatchResult, Method, Style};
use crate::random::mix;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// The usual number of games of a match.
pub const USUAL_GAMES: u32 = 40;
/// The usual estimated time of a ply.
pub const USUAL_TIME: Duration = Duration::from_millis(20);
/// The memory of each side's tables, in bytes.
const MEMORY: usize = 16 << 20;
/// Games that reach this number of plies count as draws.
const MAX_PLIES: usize = 400;
/// The number of random plies that begin a game, so that games differ. More would leave less of a
/// short game.
const RANDOM_PLIES: usize = 2;
/// The expected number of matches among the best, and the largest number of matches that tune a
/// constant.
const PLAY_OFFS: usize = 2;
const TUNING: usize = FACTORS.len() + 1;
/// The greatest factor of the time of a ply in a match among the best: searches gain differently
/// from more time, and players think for longer than in these matches.
const MAX_TIME_FACTOR: f64 = 5.0;
/// The least factor of that time, for games so long that fewer than [`FIRST_GAMES`] would fit
/// otherwise.
const MIN_TIME_FACTOR: f64 = 0.1;
/// The time of a match among the best, as a multiple of the time of a tuning match.
const PLAY_OFF_SHARE: usize = 2;
/// A match ends early when one side has won this many first games. A constant changes only after at
/// least as many games.
const FIRST_GAMES: u32 = 10;
/// The constant of a tree is multiplied by one factor after the other, until one wins.
const FACTORS: [f32; 2] = [0.5, 2.0];

/// The limits of each match. Times are estimated by the costs.
#[derive(Clone, Debug)]
pub struct MatchLimits {
    pub games: u32,
    pub costs: Costs,
    /// The time of each ply. Matches among the best have up to five times as much: as much as
    /// `most` allows for ten games, or five times if `most` is `None`.
    pub time: Duration,
    /// The time of all matches, in seconds of one core. Each match has as many games as fit into
    /// its part.
    pub most: Option<f64>,
    pub seed: u64,
    pub threads: usize,
    /// Once this is set, no further game is played, and unfinished games are not counted.
    pub stop: Option<&'static AtomicBool>,
}

/// Plays a match of each search with the evaluation against plain playouts, then the best search
/// against each that may be as good, and a tree with other constants against the usual constant; no
/// match if no games are wanted.
///
/// # Errors
/// Returns the [`Fault`] if the rules do not terminate.
pub fn play_matches(
    game: &Game,
    evaluation: &Arc<Evaluation>,
    limits: &MatchLimits,
) -> Result<Vec<MatchResult>, Fault> {
    if limits.games == 0 {
        return Ok(Vec::new());
    }
    let mut selection =
        Selection { game, evaluation, limits, left: limits.most, plies: 0, results: Vec::new() };
    selection.against_plain()?;
    selection.among_best()?;
    selection.constants()?;
    Ok(selection.results)
}

/// The matches in progress.
struct Selection<'s> {
    game: &'s Game,
    evaluation: &'s Arc<Evaluation>,
    limits: &'s MatchLimits,
    /// The estimated time that is left for all matches, if it is limited.
    left: Option<f64>,
    /// The plies of all games so far.
    plies: u64,
    results: Vec<MatchResult>,
}

impl Selection<'_> {
    /// Plays each search with the evaluation against plain playouts.
    fn against_plain(&mut self) -> Result<(), Fault> {
        let can_settle = can_settle(self.game);
        let methods = Method::LEARNED.into_iter();
        let tried: Vec<Method> =
            methods.filter(|&method| method != Method::Quiescence || can_settle).collect();
        for (index, &method) in tried.iter().enumerate() {
            let slot = self.slot(1, tried.len() - index + TUNING + PLAY_OFFS);
            self.play(method.into(), Style::PLAIN, slot, 1.0)?;
        }
        Ok(())
    }

    /// Plays the best search against each that may be as good.
    fn among_best(&mut self) -> Result<(), Fault> {
        let challengers = challengers(&self.results, self.players());
        for (index, &challenger) in challengers.iter().enumerate() {
            let champion = best(&self.results, self.players());
            let play_offs = PLAY_OFF_SHARE * (challengers.len() - index);
            let slot = self.slot(PLAY_OFF_SHARE, play_offs + TUNING);
            self.play(challenger.into(), champion, slot, MAX_TIME_FACTOR)?;
        }
        Ok(())
    }

    /// Plays the best tree with other constants against its usual constant, and a better constant
    /// against the best search if that is not a tree.
    fn constants(&mut self) -> Result<(), Fault> {
        let champion = best(&self.results, self.players());
        let Some(method) = tree(&self.results, champion.method) else { return Ok(()) };
        let usual = Style::from(method);
        let challenges = PLAY_OFF_SHARE * usize::from(method != champion.method);
        for (index, factor) in FACTORS.into_iter().enumerate() {
            let Some(other) = usual.times(factor) else { break };
            let slot = self.slot(1, FACTORS.len() - index + challenges);
            self.play(other, usual, slot, 1.0)?;
            if winner(usual, &self.results, self.players()) != usual {
                break;
            }
        }
        let tuned = winner(usual, &self.results, self.players());
        if challenges > 0 && tuned != usual {
            self.play(tuned, champion, self.left, MAX_TIME_FACTOR)?;
        }
        Ok(())
    }

    /// Returns the time of a match: a share of the time left.
    fn slot(&self, parts: usize, all: usize) -> Option<f64> {
        self.left.map(|left| left * parts as f64 / all as f64)
    }

    /// Returns the mean length of a game: in the matches so far, or else in random games.
    fn mean_plies(&self) -> f64 {
        let games: u32 = self.results.iter().map(|result| result.games).sum();
        match games {
            0 => self.limits.costs.plies.min(MAX_PLIES as f64),
            games => self.plies as f64 / f64::from(games),
        }
    }

    /// Plays a match. Each ply has the usual time, or more, up to a factor, or less, such that the
    /// time of the match suffices for the first games.
    fn play(
        &mut self,
        style: Style,
        against: Style,
        slot: Option<f64>,
        most: f64,
    ) -> Result<(), Fault> {
        let MatchLimits { games, time, .. } = *self.limits;
        let game = self.mean_plies() * time.as_secs_f64();
        let wanted = game * f64::from(games.min(FIRST_GAMES));
        let factor = slot.map_or(most, |slot| (slot / wanted).clamp(MIN_TIME_FACTOR, most));
        let fitting = slot.map_or(games, |slot| (slot / (game * factor)) as u32);
        let played = Match {
            game: self.game,
            evaluation: self.evaluation,
            style,
            against,
            limits: self.limits,
            games: games.min(fitting),
            seconds: time.as_secs_f64() * factor,
        };
        let (result, plies) = played.play()?;
        self.left = self.left.map(|left| (left - plies as f64 * played.seconds).max(0.0));
        self.plies += plies;
        self.results.push(result);
        Ok(())
    }

    fn players(&self) -> usize {
        self.game.rules().teams.count()
    }
}

/// A match of a search with the evaluation against another one, or against plain playouts.
struct Match<'m> {
    game: &'m Game,
    evaluation: &'m Arc<Evaluation>,
    style: Style,
    against: Style,
    limits: &'m MatchLimits,
    games: u32,
    /// The estimated time of each ply.
    seconds: f64,
}

/// Returns the champion: the winner of the ladder that starts with the style that is most surely
/// better than plain playouts, by the lower bound of its share of points. This bound must exceed
/// the share of an equal player: 1/n with n players, ½ in a game for one player.
pub fn best(results: &[MatchResult], players: usize) -> Style {
    let (first, _) = first(results, players);
    winner(first.into(), results, players)
}

/// Returns the method whose constant is to be tuned: the champion if it searches a tree, or else
/// the tree that has done best against it.
fn tree(results: &[MatchResult], champion: Method) -> Option<Method> {
    if champion.exploration().is_some() {
        return Some(champion);
    }
    let rivals = results
        .iter()
        .filter(|result| result.against.method == champion && result.style.exploration.is_some());
    let nearest = rivals.max_by(|one, other| share(one).total_cmp(&share(other)));
    nearest.map(|result| result.style.method)
}

/// Tests if two constants of the same method were compared.
fn is_tuning(result: &MatchResult) -> bool {
    result.style.method == result.against.method
}

/// Returns the winner of a ladder: each challenger plays the current best style and replaces it on
/// a win. From the usual style of the tree that is tuned, this leads to its best constant: no other
/// method has challenged and beaten it.
fn winner(first: Style, results: &[MatchResult], players: usize) -> Style {
    let against_plain = |style: Style| {
        let plain = against_plain(results).find(|result| result.style.method == style.method);
        plain.map_or(0.0, share)
    };
    let is_better = |result: &MatchResult| {
        if is_tuning(result) {
            return is_clear(result, players);
        }
        // Points against plain playouts count, too, since a short match says little. They count
        // twice, because styles that win most of these games differ by few points.
        let rivals = players.max(2) as f64 - 1.0;
        let own = share(result) + 2.0 * against_plain(result.style);
        own > (1.0 - share(result)) / rivals + 2.0 * against_plain(result.against)
    };
    // The other matches against plain playouts decide which style is the first.
    let challenges =
        results.iter().filter(|result| result.against != Style::PLAIN || is_tuning(result));
    challenges.fold(first, |best, result| {
        if result.against == best && is_better(result) { result.style } else { best }
    })
}

/// Tests if a constant is better than the usual one, in enough games and by more than the standard
/// error of its share: otherwise the usual constant stays.
fn is_clear(result: &MatchResult, players: usize) -> bool {
    let even = even(players);
    let error = (even * (1.0 - even) / f64::from(result.games.max(1))).sqrt();
    result.games >= FIRST_GAMES && share(result) > even + error
}

/// Returns the share of the points of a match that the style scored, or 0 without games.
fn share(result: &MatchResult) -> f64 {
    result.score / f64::from(result.games.max(1))
}

/// The share of points of a player who is equal to the others.
fn even(players: usize) -> f64 {
    1.0 / players.max(2) as f64
}

/// Returns the method with the greatest lower bound of its share of points against plain playouts,
/// with this bound.
fn first(results: &[MatchResult], players: usize) -> (Method, f64) {
    let winners = against_plain(results).map(|result| (result.style.method, bounds(result)[0]));
    let surely = winners.filter(|(_, low)| *low > even(players));
    surely.max_by(|one, other| one.1.total_cmp(&other.1)).unwrap_or((Method::Mcts, 0.0))
}

/// Returns the results of other methods against plain playouts, without plain playouts against
/// another of their constants.
pub fn against_plain(results: &[MatchResult]) -> impl Iterator<Item = &MatchResult> {
    results
        .iter()
        .filter(|result| result.against == Style::PLAIN && result.style.method != Method::Mcts)
}

/// Returns the methods that may be as good as the first, if the first is better than plain
/// playouts: they have also scored more than an equal player would, and their upper bound reaches
/// its lower bound.
fn challengers(results: &[MatchResult], players: usize) -> Vec<Method> {
    let (first, lowest) = first(results, players);
    if first == Method::Mcts {
        return Vec::new();
    }
    let rivals = against_plain(results).filter(|result| result.style.method != first);
    let equal = rivals.filter(|result| {
        let [_, high] = bounds(result);
        share(result) > even(players) && high >= lowest
    });
    equal.map(|result| result.style.method).collect()
}

/// The ends of the Wilson score interval (Edwin B. Wilson, *Probable Inference, the Law of
/// Succession, and Statistical Inference*, 1927), each of which is passed in one match of twenty.
fn bounds(result: &MatchResult) -> [f64; 2] {
    const Z: f64 = 1.645;
    let size = f64::from(result.games) + Z * Z;
    let centre = (result.score + Z * Z / 2.0) / size;
    let half = Z * (centre * (1.0 - centre) / size).sqrt();
    [centre - half, centre + half]
}

impl Match<'_> {
    /// Plays the match, or only its first games if one side wins all of them; also returns the
    /// number of plies of its games. Sides change after each game, and two games each begin with
    /// the same random plies.
    fn play(&self) -> Result<(MatchResult, u64), Fault> {
        let (games, threads) = (self.games, self.limits.threads.max(1));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok();
        let play = |numbers: Range<u32>| -> Result<Vec<Played>, Fault> {
            let play = || {
                let numbers = numbers.into_par_iter().with_max_len(1);
                numbers.filter_map(|number| self.score(number).transpose()).collect()
            };
            match &pool {
                Some(pool) => pool.install(play),
                None => play(),
            }
        };
        let mut played = play(0..games.min(FIRST_GAMES))?;
        let are_all = |wanted: f64| played.iter().all(|game| game.score == wanted);
        if !are_all(0.0) && !are_all(1.0) {
            played.extend(play(games.min(FIRST_GAMES)..games)?);
        }
        let result = MatchResult {
            style: self.style,
            against: self.against,
            // The sum of nothing would be -0.
            score: played.iter().fold(0.0, |sum, game| sum + game.score),
            games: played.len() as u32,
            milliseconds: ((self.seconds * 1e3).round() as u64).max(1),
        };
        Ok((result, played.iter().map(|game| game.plies).sum()))
    }

    /// Plays a game; `None` if it was stopped. A player who is alone has no opponent: both searches
    /// play, and the one that scores more wins.
    fn score(&self, number: u32) -> Result<Option<Played>, Fault> {
        let players = self.game.rules().teams.count();
        let seat = number as usize % players;
        let Some((own, plies)) = self.scores(number, seat)? else { return Ok(None) };
        if players > 1 {
            return Ok(Some(Played { score: f64::from(own[seat]), plies }));
        }
        let plain = self.scores(number, players)?;
        Ok(plain.map(|(plain, more)| {
            let score = f64::from(1.0 + own[seat] - plain[seat]) / 2.0;
            Played { score, plies: plies + more }
        }))
    }

    /// Returns the limits of a ply by a search.
    fn limits(&self, method: Method) -> SearchLimits<'static> {
        let iterations = Some(self.limits.costs.iterations(method, self.seconds));
        SearchLimits { iterations, stop: self.limits.stop, ..SearchLimits::default() }
    }

    /// Plays a game in which the player with the index `seat`, if there is one, searches with the
    /// evaluation; returns the scores of all and the number of plies, or `None` if it was stopped.
    fn scores(&self, number: u32, seat: usize) -> Result<Option<(Vec<f32>, u64)>, Fault> {
        let Match { game, evaluation, style, against, limits, .. } = *self;
        let players = game.rules().teams.count();
        let is_stopped = || limits.stop.is_some_and(|stop| stop.load(Relaxed));
        if is_stopped() {
            return Ok(None);
        }
        let seed = mix(limits.seed, u64::from(number));
        let new = |style: Style| Strong::new(Arc::clone(evaluation), style, MEMORY);
        let mut strong = new(style);
        // Plain playouts as the opponent have no prover, unless two of their constants are
        // compared.
        let is_plain = against == Style::PLAIN && style.method != Method::Mcts;
        let mut rival = (!is_plain).then(|| new(against));
        let (mut tree, mut mcts) = (Mcts::new(1, MEMORY), Mcts::new(1, MEMORY));
        let opening = mix(limits.seed, u64::from(number / players as u32));
        let mut state = undecided(game, RANDOM_PLIES, opening)?;
        for made in RANDOM_PLIES..MAX_PLIES {
            if is_stopped() {
                return Ok(None);
            }
            let seed = mix(seed, made as u64);
            let ply = match state.team_turn() {
                Turn::Nobody => break,
                Turn::Chance => roll_with(&state, seed),
                Turn::Player(player) => {
                    let own = self.limits(style.method);
                    let other = self.limits(against.method);
                    let thinking = match &mut rival {
                        _ if player.index() == seat => {
                            strong.think(&mut tree, &state, seed, &own)?
                        }
                        Some(rival) => rival.think(&mut mcts, &state, seed, &other)?,
                        None => mcts.think(&state, seed, &other, &mut |_| true)?,
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
        payoffs(state.team_outcome(), &mut scores);
        Ok(Some((scores, state.ply_count() as u64)))
    }
}

/// A game of a match.
struct Played {
    score: f64,
    plies: u64,
}
