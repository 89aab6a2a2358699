//! The matches that decide how the player `strong` searches: alpha-beta, and tree search with a
//! learned evaluation beside or in place of playouts, each against tree search with plain playouts;
//! the best of these against each other, with more time for each ply where there is time for it; and
//! the best tree against itself with another constant. In each match both sides have equal time for
//! each ply, and one thread each.

use super::alpha_beta::can_settle;
use super::mcts::{Mcts, SearchLimits};
use super::openings::undecided;
use super::player::roll_with;
use super::strong::Strong;
use crate::budget::{Deadline, Instant};
use crate::engine::game::{Fault, Game, PlayError, Turn};
use crate::learn::network::payoffs;
use crate::learn::{Evaluation, MatchResult, Method, Style};
use crate::random::mix;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The usual number of games of a match.
pub const USUAL_GAMES: u32 = 40;
/// The usual time of a ply.
pub const USUAL_TIME: Duration = Duration::from_millis(20);
/// The memory of each side's tables, in bytes.
const MEMORY: usize = 16 << 20;
/// Games that reach this number of plies count as draws.
const MAX_PLIES: usize = 400;
/// The random plies that begin a game, so that games differ. More of them leave less of a short one.
const RANDOM_PLIES: usize = 2;
/// The expected number of matches among the best, and the largest number of those that find a
/// constant.
const PLAY_OFFS: usize = 2;
const TUNING: usize = FACTORS.len() + 1;
/// The most that the time of a ply is multiplied by in a match among the best: searches gain by time
/// more or less, and players think for longer than in these matches.
const MAX_TIME_FACTOR: f64 = 5.0;
/// The time of a match among the best, as a multiple of that of one that finds a constant.
const PLAY_OFF_SHARE: usize = 2;
/// A match ends when one side has won its first games, this number of them. Fewer games do not
/// change a constant.
const FIRST_GAMES: u32 = 10;
/// The constant of a tree is multiplied by these, until one of them wins.
const FACTORS: [f32; 2] = [0.5, 2.0];

/// The limits of each match.
#[derive(Clone, Debug)]
pub struct MatchLimits {
    pub games: u32,
    /// The time of each ply. Matches among the best have up to five times as long: as much as `most`
    /// allows for ten games, and five times without it.
    pub time: Duration,
    /// The time of all matches. Games that are not finished then are not counted.
    pub most: Option<Duration>,
    pub seed: u64,
    pub threads: usize,
    /// Once this is set, no further game is played.
    pub stop: Option<&'static AtomicBool>,
}

/// Plays a match of each search with the evaluation against plain playouts, then the best one against
/// each that may be as good, and a tree with other constants against the same with the usual one;
/// none if no games are wanted.
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
    let mut selection = Selection {
        game,
        evaluation,
        limits,
        deadline: Deadline::after(limits.most),
        results: Vec::new(),
    };
    let game_seconds = selection.against_plain()?;
    selection.among_best(game_seconds)?;
    selection.constants(game_seconds)?;
    Ok(selection.results)
}

/// The matches in progress.
struct Selection<'s> {
    game: &'s Game,
    evaluation: &'s Arc<Evaluation>,
    limits: &'s MatchLimits,
    deadline: Deadline,
    results: Vec<MatchResult>,
}

impl Selection<'_> {
    /// Plays each search with the evaluation against plain playouts; returns the mean time of a game
    /// in seconds.
    fn against_plain(&mut self) -> Result<f64, Fault> {
        let can_settle = can_settle(self.game);
        let methods = Method::LEARNED.into_iter();
        let tried: Vec<Method> =
            methods.filter(|&method| method != Method::Quiescence || can_settle).collect();
        let began = Instant::now();
        for (index, &method) in tried.iter().enumerate() {
            let slot = self.slot(1, tried.len() - index + TUNING + PLAY_OFFS);
            self.play(method.into(), Style::PLAIN, self.limits.time, slot)?;
        }
        let games: u32 = self.results.iter().map(|result| result.games).sum();
        Ok(began.elapsed().as_secs_f64() / f64::from(games))
    }

    /// Plays the best one against each that may be as good.
    fn among_best(&mut self, game_seconds: f64) -> Result<(), Fault> {
        let challengers = challengers(&self.results, self.players());
        for (index, &challenger) in challengers.iter().enumerate() {
            let champion = best(&self.results, self.players());
            let play_offs = PLAY_OFF_SHARE * (challengers.len() - index);
            let slot = self.slot(PLAY_OFF_SHARE, play_offs + TUNING);
            self.play_off(challenger.into(), champion, slot, game_seconds)?;
        }
        Ok(())
    }

    /// Plays the best tree with other constants against the same with the usual one, and against the
    /// best search if that is another one.
    fn constants(&mut self, game_seconds: f64) -> Result<(), Fault> {
        let champion = best(&self.results, self.players());
        let Some(method) = tree(&self.results, champion.method) else { return Ok(()) };
        let usual = Style::from(method);
        let challenges = PLAY_OFF_SHARE * usize::from(method != champion.method);
        for (index, factor) in FACTORS.into_iter().enumerate() {
            let Some(other) = usual.times(factor) else { break };
            let slot = self.slot(1, FACTORS.len() - index + challenges);
            self.play(other, usual, self.limits.time, slot)?;
            if winner(usual, &self.results, self.players()) != usual {
                break;
            }
        }
        let tuned = winner(usual, &self.results, self.players());
        if challenges > 0 && tuned != usual {
            self.play_off(tuned, champion, self.deadline.left(), game_seconds)?;
        }
        Ok(())
    }

    /// Returns the time of a match which has some parts of what is left, out of all.
    fn slot(&self, parts: usize, all: usize) -> Option<Duration> {
        self.deadline.left().map(|left| left.mul_f64(parts as f64 / all as f64))
    }

    /// Plays a match with more time for each ply, as far as the slot has it.
    fn play_off(
        &mut self,
        style: Style,
        against: Style,
        slot: Option<Duration>,
        game_seconds: f64,
    ) -> Result<(), Fault> {
        let wanted = game_seconds * f64::from(self.limits.games.min(FIRST_GAMES));
        let factor = slot.map_or(MAX_TIME_FACTOR, |slot| slot.as_secs_f64() / wanted);
        let seconds = self.limits.time.as_secs_f64() * factor.clamp(1.0, MAX_TIME_FACTOR);
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        self.play(style, against, time, slot)
    }

    /// Plays a match.
    fn play(
        &mut self,
        style: Style,
        against: Style,
        time: Duration,
        slot: Option<Duration>,
    ) -> Result<(), Fault> {
        let Selection { game, evaluation, limits, .. } = *self;
        let deadline = Deadline::after(slot).or_when(limits.stop);
        let played = Match { game, evaluation, style, against, limits, time, deadline };
        let result = played.play()?;
        self.results.push(result);
        Ok(())
    }

    fn players(&self) -> usize {
        self.game.rules().players.len()
    }
}

/// A match of a search with the evaluation against another one, or against plain playouts.
struct Match<'m> {
    game: &'m Game,
    evaluation: &'m Arc<Evaluation>,
    style: Style,
    against: Style,
    limits: &'m MatchLimits,
    /// The time of each ply.
    time: Duration,
    deadline: Deadline,
}

/// Returns the style that is most surely better than plain playouts, or is better than that one: at
/// first that with the greatest lower bound of its share of points, if an equal player would score
/// less. With n players, that is 1/n; in a game for one player, ½.
pub fn best(results: &[MatchResult], players: usize) -> Style {
    let (first, _) = first(results, players);
    winner(first.into(), results, players)
}

/// Returns the method whose constant is to be tuned: the champion if it searches a tree, or else the
/// tree that has done best against it.
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

/// Returns the winner of a ladder: each challenger plays the current best style and replaces it on a
/// win. From the usual style of the tree that is tuned, this leads to its best constant: no other
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
        // Points against plain playouts count, too, since a short match says little, and twice: of
        // those who win most of them, each point less tells more.
        let rivals = players.max(2) as f64 - 1.0;
        let own = share(result) + 2.0 * against_plain(result.style);
        own > (1.0 - share(result)) / rivals + 2.0 * against_plain(result.against)
    };
    // The other matches against plain playouts decide who is the first.
    let challenges =
        results.iter().filter(|result| result.against != Style::PLAIN || is_tuning(result));
    challenges.fold(first, |best, result| {
        if result.against == best && is_better(result) { result.style } else { best }
    })
}

/// Tests if a constant is better than the usual one, in enough games and by more than the standard
/// error of its share: what makes no difference stays as it is.
fn is_clear(result: &MatchResult, players: usize) -> bool {
    let even = even(players);
    let error = (even * (1.0 - even) / f64::from(result.games.max(1))).sqrt();
    result.games >= FIRST_GAMES && share(result) > even + error
}

/// Returns the share of the points of a match that the style scored, or 0 without games.
fn share(result: &MatchResult) -> f64 {
    result.score / f64::from(result.games.max(1))
}

/// The share of points of a player who is as good as the others.
fn even(players: usize) -> f64 {
    1.0 / players.max(2) as f64
}

/// Returns the best method in its match against plain playouts, with the lower bound of its share of
/// points.
fn first(results: &[MatchResult], players: usize) -> (Method, f64) {
    let winners = against_plain(results).map(|result| (result.style.method, bounds(result)[0]));
    let surely = winners.filter(|(_, low)| *low > even(players));
    surely.max_by(|one, other| one.1.total_cmp(&other.1)).unwrap_or((Method::Mcts, 0.0))
}

/// Returns the results of other methods against plain playouts, not those of plain playouts with
/// another constant.
pub fn against_plain(results: &[MatchResult]) -> impl Iterator<Item = &MatchResult> {
    results
        .iter()
        .filter(|result| result.against == Style::PLAIN && result.style.method != Method::Mcts)
}

/// Returns the methods that may be as good as the first, if that is better than plain playouts: they
/// have scored more than an equal player would, too, and their share of points may be as great.
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
    /// Plays the match, or a part of it if one side wins all of that. Sides change after each game,
    /// and two games each begin with the same random plies.
    fn play(&self) -> Result<MatchResult, Fault> {
        let MatchLimits { games, threads, .. } = *self.limits;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build().ok();
        let play = |numbers: Range<u32>| -> Result<Vec<f64>, Fault> {
            let play = || {
                let numbers = numbers.into_par_iter().with_max_len(1);
                numbers.filter_map(|number| self.score(number).transpose()).collect()
            };
            match &pool {
                Some(pool) => pool.install(play),
                None => play(),
            }
        };
        let mut scores = play(0..games.min(FIRST_GAMES))?;
        let are_all = |wanted: f64| scores.iter().all(|&score| score == wanted);
        if !are_all(0.0) && !are_all(1.0) {
            scores.extend(play(games.min(FIRST_GAMES)..games)?);
        }
        Ok(MatchResult {
            style: self.style,
            against: self.against,
            // The sum of nothing would be -0.
            score: scores.iter().fold(0.0, |sum, score| sum + score),
            games: scores.len() as u32,
            milliseconds: u64::try_from(self.time.as_millis()).unwrap_or(u64::MAX),
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
        let Match { game, evaluation, style, against, limits, .. } = *self;
        let players = game.rules().players.len();
        if self.deadline.has_passed() {
            return Ok(None);
        }
        let seed = mix(limits.seed, u64::from(number));
        let new = |style: Style| Strong::new(Arc::clone(evaluation), style, MEMORY);
        let mut strong = new(style);
        // A constant is compared as it is used, beside proofs; the others with playouts alone.
        let is_plain = against == Style::PLAIN && style.method != Method::Mcts;
        let mut rival = (!is_plain).then(|| new(against));
        let (mut tree, mut mcts) = (Mcts::new(1, MEMORY), Mcts::new(1, MEMORY));
        let opening = mix(limits.seed, u64::from(number / players as u32));
        let mut state = undecided(game, RANDOM_PLIES, opening)?;
        for made in RANDOM_PLIES..MAX_PLIES {
            if self.deadline.has_passed() {
                return Ok(None);
            }
            let seed = mix(seed, made as u64);
            let ply = match state.personal_turn() {
                Turn::Nobody => break,
                Turn::Chance => roll_with(&state, seed),
                Turn::Player(player) => {
                    let within = SearchLimits {
                        deadline: Deadline::after(Some(self.time)),
                        ..SearchLimits::default()
                    };
                    let thinking = match &mut rival {
                        _ if player.index() == seat => {
                            strong.think(&mut tree, &state, seed, &within)?
                        }
                        Some(rival) => rival.think(&mut mcts, &state, seed, &within)?,
                        None => mcts.think(&state, seed, &within, &mut |_| true)?,
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
