//! The evaluation: a sum of weights, one for each pattern and counter, through a logistic function.
//!
//! With one or two players the sum is the log-odds that the player to act wins; a position before a
//! roll belongs to the player whose turn it is. Where the sides can be [exchanged](super::sides),
//! the position is seen by the player to act and both players share their weights. With three or
//! more players there is a sum for each, and the expected scores are the softmax of the sums.
//! [`heads`](super::heads) says which weights a sum adds up at which point in the order of play.

use super::counters::Counters;
use super::heads::Heads;
use super::marks::Marks;
use super::observations::Observations;
use super::patterns::Patterns;
use super::sides::Exchange;
use super::sites::SiteStates;
use crate::engine::game::{Fault, Game, GameId, State};
use crate::engine::observer::Observer;
use crate::engine::position::{Outcome, Position};
use crate::language::rules::{PlayerId, Teams};
use crate::random::{Random, mix};
use crate::syntax::Span;
use std::sync::Arc;

/// The seed of the random games from which the features are made, the same every time.
pub const SAMPLE_SEED: u64 = 0x5eed;
/// The limits of these games: games, plies of a game, plies in all, and moves listed in all.
const SAMPLE_GAMES: u64 = 100;
const MAX_GAME_PLIES: u32 = 400;
const MAX_SAMPLES: usize = 4_000;
const MAX_LISTED: usize = 300_000;

/// The greatest log-odds, either way, of a position that is not over.
pub const MAX_LOGIT: f32 = 12.0;

/// The features of one game's positions.
#[derive(Debug)]
pub struct Features {
    game: GameId,
    pub observations: Observations,
    /// The mean fuel that observing a position takes.
    pub fuel: f64,
    pub sites: SiteStates,
    pub patterns: Patterns,
    pub counters: Counters,
    pub marks: Marks,
    /// The number of teams, each of one person or more.
    pub players: usize,
    /// Whether positions are seen by the player to act.
    pub is_relative: bool,
    pub heads: Heads,
    /// The number of weights of a set.
    weights: usize,
    /// The player of each decision.
    movers: Vec<PlayerId>,
    /// The register that is not 0 after a swap by the pie rule.
    swapped: Option<u16>,
    teams: Teams,
    /// By window: where its entries begin, and where its code is.
    lookups: Vec<(u32, u32)>,
    /// The number of 64-bit words of a set.
    pub width: usize,
}

/// An evaluation of one game's positions.
#[derive(Clone, Debug)]
pub struct Evaluation {
    pub features: Arc<Features>,
    /// The weights of all sets, one after the other.
    pub weights: Vec<f32>,
    /// By head, the sums of the weights of its sets.
    summed: Vec<f32>,
    /// By head and entry of the patterns: the sum of the entry's weights.
    tables: Vec<f32>,
}

/// Working memory of an evaluation, with the current position and its observations.
#[derive(Clone, Debug)]
pub struct Scratch {
    keys: Vec<u16>,
    codes: Vec<u32>,
    overlaps: Vec<i64>,
    owners: Vec<u8>,
    position: Position,
    observer: Option<Observer>,
}

impl Scratch {
    /// Makes working memory for positions of the same game as this one.
    pub fn new(features: &Features, position: &Position) -> Scratch {
        let observer = features.observations.observer();
        let room = observer.as_ref().map(|observer| observer.with_room(position));
        Scratch {
            keys: Vec::new(),
            codes: Vec::new(),
            overlaps: Vec::new(),
            owners: Vec::new(),
            position: room.unwrap_or_else(|| position.clone()),
            observer,
        }
    }

    /// Copies a position and observes it.
    pub fn look(&mut self, position: &Position) {
        self.position.copy_from(position);
        self.observe();
    }

    /// Copies the position of a state and observes it.
    fn look_at(&mut self, state: &State) {
        state.read(&mut self.position);
        self.observe();
    }

    fn observe(&mut self) {
        if let Some(observer) = &mut self.observer {
            observer.observe(&mut self.position);
        }
    }

    /// Returns the current position, with its observations.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

impl Features {
    /// Determines the features of a game from its rules and some random games.
    pub fn new(game: &Game) -> Features {
        let (rules, program) = (game.rules(), game.program());
        let exchange = Exchange::find(game, SAMPLE_SEED);
        let mut samples = samples(game);
        let positions: Vec<Position> = samples.iter().map(|(sample, _)| sample.clone()).collect();
        let observations = Observations::new(game, &positions);
        let mut fuel = 0.0;
        if let Some(mut observer) = observations.observer() {
            for (sample, _) in &mut samples {
                *sample = observer.with_room(sample);
                observer.observe(sample);
            }
            fuel = observer.fuel_used() as f64 / samples.len().max(1) as f64;
        }
        let positions: Vec<Position> = samples.iter().map(|(sample, _)| sample.clone()).collect();
        let (width, exchange) = (game.width(), exchange.as_ref());
        let sites = SiteStates::new(rules, program, &observations, exchange, width, &positions);
        let patterns = Patterns::new(game, &sites);
        let counters = Counters::new(rules, program, &observations, exchange, width, &samples);
        let marks = Marks::new(rules, program, exchange, &sites);
        let players = rules.teams.count();
        let weights = (patterns.weights + counters.weights + marks.weights) as usize + 1;
        Features {
            game: game.id(),
            heads: Heads::new(program, players, exchange, weights, &samples),
            weights,
            movers: program.decisions.iter().map(|code| code.mover).collect(),
            swapped: program.swapped,
            teams: program.teams,
            lookups: patterns.lookups(),
            observations,
            fuel,
            sites,
            patterns,
            counters,
            marks,
            players,
            is_relative: exchange.is_some(),
            width,
        }
    }

    /// Checks that the features are of a game. Callers that take a position from outside call this
    /// first: other features read registers that the position does not have.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the features are of other rules or other options.
    pub fn fit(&self, game: &Game) -> Result<(), Fault> {
        match self.game.has_same_rules(game.id()) {
            true => Ok(()),
            false => Err(Fault {
                message: "the training is of another game, or of this one with other options"
                    .into(),
                span: Span::default(),
            }),
        }
    }

    /// Returns the number of weights of a set. The last is the constant term.
    pub fn weights(&self) -> usize {
        self.weights
    }

    /// Returns how many weights are added up for a position.
    pub fn summed(&self) -> usize {
        self.lookups.len() + self.counters.counters.len() + self.marks.sites().count() + 1
    }

    /// Returns the number of weights of all sets.
    pub fn all_weights(&self) -> usize {
        self.weights * self.heads.sets
    }

    /// Returns the player to act, or whose turn it is before a roll.
    pub fn mover(&self, position: &Position) -> PlayerId {
        self.movers.get(position.decision()).copied().unwrap_or(PlayerId(0))
    }

    /// Returns the team of the person to act: after a swap by the pie rule, the person who began as
    /// the other player.
    pub fn person(&self, position: &Position) -> PlayerId {
        let swapped = self.swapped.is_some_and(|register| position.number(register) != 0);
        self.teams.of(self.mover(position).exchanged(swapped))
    }

    /// Returns the heads that count for a position, and 1 if it is seen with the sides exchanged,
    /// or else 0.
    #[inline]
    pub fn view(&self, position: &Position) -> (std::ops::Range<usize>, usize) {
        let side = if self.is_relative { self.mover(position).index() } else { 0 };
        (self.heads.at(position.decision()), side)
    }

    /// Reads the codes of all sites and windows.
    #[inline]
    fn read(&self, position: &Position, side: usize, keys: &mut Vec<u16>, codes: &mut Vec<u32>) {
        codes.resize(self.patterns.codes(), 0);
        self.sites.read(position, side, keys, codes);
        self.patterns.complete(codes);
    }

    /// Returns the codes of all sites and windows of the current position.
    pub fn codes(&self, scratch: &mut Scratch) -> Vec<u32> {
        let Scratch { keys, codes, position, .. } = scratch;
        let (_, side) = self.view(position);
        self.read(position, side, keys, codes);
        codes.clone()
    }

    /// Lists the weights that apply to a position, as indices within a set.
    pub fn active(
        &self,
        position: &Position,
        moves: u32,
        scratch: &mut Scratch,
        active: &mut Vec<u32>,
    ) {
        scratch.look(position);
        let Scratch { keys, codes, overlaps, owners, position, .. } = scratch;
        let (_, side) = self.view(position);
        self.read(position, side, keys, codes);
        active.clear();
        for window in &self.patterns.windows {
            let (own, shared) = self.patterns.weights_of(window, codes);
            active.extend(own);
            active.push(shared);
        }
        let first = self.patterns.weights;
        let add = |weight| active.push(first + weight);
        self.counters.ranges(position, side, moves, overlaps, add);
        let first = first + self.counters.weights;
        let add = |weight| active.push(first + weight);
        self.marks.look(position, self.width, side, codes, owners, add);
        active.push(self.weights() as u32 - 1);
    }
}

impl Evaluation {
    /// Makes an evaluation. Of the [`Features::all_weights`] weights, missing ones are zero.
    pub fn new(features: Arc<Features>, mut weights: Vec<f32>) -> Evaluation {
        weights.resize(features.all_weights(), 0.0);
        let mut made = Evaluation { features, weights, summed: Vec::new(), tables: Vec::new() };
        made.sum_up();
        made
    }

    /// Recomputes the sums of each head and entry, after the weights have changed.
    pub(super) fn sum_up(&mut self) {
        let Features { patterns, heads, .. } = &*self.features;
        let size = self.features.weights;
        self.summed.clear();
        self.summed.resize(heads.all.len() * size, 0.0);
        self.tables.resize(heads.all.len() * patterns.entries, 0.0);
        for (index, head) in heads.all.iter().enumerate() {
            let weights = &mut self.summed[index * size..][..size];
            for set in &head.sets {
                for (sum, weight) in weights.iter_mut().zip(&self.weights[set * size..]) {
                    *sum += weight;
                }
            }
            let tables = &mut self.tables[index * patterns.entries..];
            for block in &patterns.blocks {
                let shared = &patterns.families[block.family as usize].shared;
                let table = &mut tables[block.table as usize..][..shared.len()];
                for (sum, &weight) in table.iter_mut().zip(shared) {
                    *sum = weights[weight as usize];
                }
                for (sum, &weight) in table.iter_mut().zip(&block.own) {
                    *sum += weights[weight as usize];
                }
            }
        }
    }

    /// Returns the weights of a head, summed over its sets.
    pub fn head(&self, head: usize) -> &[f32] {
        &self.summed[head * self.features.weights..][..self.features.weights]
    }

    /// Calls `told` with the sum of each head that counts in the current position, in order.
    #[inline]
    fn sums(&self, moves: u32, scratch: &mut Scratch, mut told: impl FnMut(f32)) {
        let features = &*self.features;
        let Scratch { keys, codes, overlaps, owners, position, .. } = scratch;
        let (heads, side) = features.view(position);
        features.read(position, side, keys, codes);
        for head in heads {
            let tables = &self.tables[head * features.patterns.entries..];
            // Two sums, so that one addition need not wait for the other.
            let (mut sum, mut rest) = (0.0, 0.0);
            for pair in features.lookups.chunks(2) {
                let entry =
                    |&(table, code): &(u32, u32)| tables[(table + codes[code as usize]) as usize];
                sum += entry(&pair[0]);
                rest += pair.get(1).map_or(0.0, entry);
            }
            sum += rest;
            let weights = self.head(head);
            let first = features.patterns.weights;
            features.counters.ranges(position, side, moves, overlaps, |weight| {
                sum += weights[(first + weight) as usize]
            });
            let first = first + features.counters.weights;
            features.marks.look(position, features.width, side, codes, owners, |weight| {
                sum += weights[(first + weight) as usize]
            });
            told(sum + weights[weights.len() - 1]);
        }
    }

    /// Returns the log-odds that the player to act wins, at most [`MAX_LOGIT`] either way, in a
    /// position that is not over of a game for one or two players.
    #[inline]
    pub fn logit(&self, state: &State, scratch: &mut Scratch) -> f32 {
        scratch.look_at(state);
        let mut logit = 0.0;
        self.sums(state.move_count_bound(), scratch, |sum| logit = sum);
        logit.clamp(-MAX_LOGIT, MAX_LOGIT)
    }

    /// Writes the expected score of each team: 1 for a win, ½ for a draw (1/n with n > 2
    /// players). A position that is over gets its result.
    pub fn scores(&self, state: &State, scratch: &mut Scratch, scores: &mut [f32]) {
        if state.decision().is_none() {
            return payoffs(state.team_outcome(), scores);
        }
        scratch.look_at(state);
        let mut head = 0;
        self.sums(state.move_count_bound(), scratch, |sum| {
            scores[head] = sum.clamp(-MAX_LOGIT, MAX_LOGIT);
            head += 1;
        });
        match scores.len() {
            1 => scores[0] = logistic(scores[0]),
            2 => {
                let mover = self.features.person(&scratch.position).index();
                let chance = logistic(scores[0]);
                scores[mover] = chance;
                scores[1 - mover] = 1.0 - chance;
            }
            _ => softmax(scores),
        }
    }
}

/// Returns the logistic function of log-odds: a chance from 0 to 1.
pub fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// Returns the log-odds of a chance, at most [`MAX_LOGIT`] either way.
pub fn logit(chance: f32) -> f32 {
    (chance / (1.0 - chance)).ln().clamp(-MAX_LOGIT, MAX_LOGIT)
}

/// Replaces sums by their softmax, which sums to 1.
pub fn softmax(sums: &mut [f32]) {
    let most = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut total = 0.0;
    for sum in sums.iter_mut() {
        *sum = (*sum - most).exp();
        total += *sum;
    }
    sums.iter_mut().for_each(|sum| *sum /= total);
}

/// Writes the score of each player at the end of a game: as [`Outcome::score`], but a draw of n > 2
/// players is 1/n, so that the scores sum to 1. An unfinished game is a draw.
pub fn payoffs(outcome: Option<Outcome>, scores: &mut [f32]) {
    let (over, players) = (outcome.unwrap_or(Outcome::Draw), scores.len());
    for (player, score) in (0..).map(PlayerId).zip(scores) {
        *score = match over {
            Outcome::Draw if players > 2 => 1.0 / players as f32,
            over => over.score(player, players) as f32,
        };
    }
}

/// Returns positions of random games, with the number of moves of each.
fn samples(game: &Game) -> Vec<(Position, u32)> {
    let mut samples = Vec::new();
    let mut listed = 0;
    for number in 0..SAMPLE_GAMES {
        let mut random = Random::new(mix(SAMPLE_SEED, number));
        let Ok(mut state) = game.begin() else { return samples };
        for _ in 0..MAX_GAME_PLIES {
            if state.decision().is_none() {
                break;
            }
            let sample = (state.position(), state.move_count_bound());
            let legal = state.candidates();
            listed += legal.len();
            let is_enough = samples.len() >= MAX_SAMPLES || listed > MAX_LISTED;
            if legal.is_empty() || state.fault().is_some() || is_enough {
                return samples;
            }
            samples.push(sample);
            state.advance(legal[random.below(legal.len() as u32) as usize]);
        }
    }
    samples
}
