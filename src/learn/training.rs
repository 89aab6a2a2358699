//! Training by self-play with temporal differences.
//!
//! Each game begins with a few random plies; then the player to act makes the ply that the
//! evaluation prefers, or now and then a random one. Going back from the end of a game, each
//! position learns a mean of the value of the best next position and of what followed: the λ-return
//! (Richard Sutton, *Learning to Predict by the Methods of Temporal Differences*, Machine
//! Learning 3, 1988). A position before a random ply learns the best next value alone, since it is
//! not to blame for what followed. Step sizes follow temporal coherence (Donald Beal and Martin
//! Smith, *Temporal Coherence and Prediction Decay in TD Learning*, IJCAI 1999): a weight that is
//! pushed back and forth learns slowly.
//!
//! Learning from a game takes far less time than playing it, so that after each new game some
//! earlier ones are learned from again (Long-Ji Lin, *Self-Improving Reactive Agents Based on
//! Reinforcement Learning, Planning and Teaching*, Machine Learning 8, 1992).
//!
//! The games of a batch are played with the same weights, on all threads, each with its own seed,
//! and are then learned from in their order. So the number of games decides the weights, and the
//! number of threads does not. A limit of time is in estimated time ([`Costs`]), so that it, too,
//! allows the same games everywhere.

use super::costs::Costs;
use super::file::rounded;
use super::heads::Head;
use super::network::{Evaluation, Features, Scratch, logistic, payoffs, softmax};
use crate::budget::Deadline;
use crate::engine::game::{Fault, Game, State};
use crate::engine::position::Position;
use crate::random::{Random, mix};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::sync::Arc;

/// The λ of the λ-return: the share of what followed, against the best next value.
const LAMBDA: f32 = 0.95;
/// A ply is random with a probability of 1 in this.
const RANDOM_PLY: u32 = 12;
/// At most this many plies at the beginning of a game are random.
const MAX_RANDOM_OPENING: u32 = 8;
/// Games end undecided after this many plies.
const MAX_PLIES: usize = 600;
/// At most this many plies of a position are evaluated; of more, a random sample.
const MAX_EVALUATED: usize = 120;
/// The step of the sum of a position's weights for an error of 1.
const STEP: f32 = 2.0;
/// A batch has as many games as were played before, divided by this.
const BATCH_SHARE: u64 = 16;
/// The largest batch.
const MAX_BATCH: u64 = 64;
/// The earlier games that are learned from again for each new one.
const REPLAYS: u64 = 4;
/// The most bytes of earlier games that are kept. Replays are of the newer half of all games, as
/// far as it is kept.
const MAX_KEPT: usize = 64 << 20;

/// The limits of a training.
#[derive(Clone, Debug)]
pub struct TrainingLimits {
    /// The number of games; without it, as many as fit into the time.
    pub games: Option<u64>,
    /// The time in seconds of one core, as estimated by `costs`; the first game always fits.
    pub seconds: Option<f64>,
    pub costs: Costs,
    /// Ends the training at once; what it has learned then depends on the computer.
    pub deadline: Deadline,
    pub seed: u64,
    /// The number of threads; it does not change what is learned from a number of games.
    pub threads: usize,
}

/// A training in progress.
pub struct Training {
    game: Game,
    evaluation: Evaluation,
    /// By weight: the sum of its errors, and the sum of their absolute values.
    sums: Vec<(f32, f32)>,
    /// The latest games.
    kept: VecDeque<Course>,
    /// The number of positions in `kept`.
    kept_lessons: usize,
    games: u64,
    plies: u64,
    /// The time taken so far, in estimated seconds of one core.
    seconds: f64,
    seed: u64,
}

/// A position of a game, as it is learned from.
struct Lesson {
    position: Position,
    moves: u32,
    /// The scores after the best ply; empty before a roll.
    best: Vec<f32>,
    /// Whether the best ply was made; `true` before a roll.
    follows: bool,
}

/// A game that was played to learn from.
#[derive(Default)]
struct Course {
    lessons: Vec<Lesson>,
    result: Vec<f32>,
    plies: u64,
    /// The positions that were evaluated to choose plies.
    evaluated: u64,
}

impl Course {
    /// Estimates the seconds of one core for playing the game, learning from it, and the replays
    /// that follow it.
    fn seconds(&self, costs: &Costs) -> f64 {
        let lessons = self.lessons.len() as u64 * (1 + REPLAYS);
        self.evaluated as f64 * costs.evaluation()
            + self.plies as f64 * (costs.ply + costs.listing)
            + lessons as f64 * costs.lesson()
    }
}

impl Training {
    /// Begins a training without any knowledge.
    pub fn new(game: &Game, features: Arc<Features>, seed: u64) -> Training {
        let weights = features.all_weights();
        let evaluation = Evaluation::new(features, Vec::new());
        Training {
            game: game.clone(),
            evaluation,
            sums: vec![(0.0, 0.0); weights],
            kept: VecDeque::new(),
            kept_lessons: 0,
            games: 0,
            plies: 0,
            seconds: 0.0,
            seed,
        }
    }

    /// Plays and learns until the limits are reached. `tell` is called after each batch; `false`
    /// ends the training.
    ///
    /// # Errors
    /// Returns the [`Fault`] if the rules do not terminate, or the features are those of another
    /// game.
    pub fn run(
        &mut self,
        limits: &TrainingLimits,
        tell: &mut dyn FnMut(&Training) -> bool,
    ) -> Result<(), Fault> {
        self.evaluation.features.fit(&self.game)?;
        let threads = limits.threads.max(1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok();
        let start = self.game.begin()?;
        loop {
            let left = limits.games.map_or(u64::MAX, |most| most.saturating_sub(self.games));
            let fitting = limits.seconds.map_or(u64::MAX, |most| self.fitting(most));
            let batch = (self.games / BATCH_SHARE).clamp(1, MAX_BATCH).min(left).min(fitting);
            if batch == 0 || limits.deadline.has_passed() {
                return Ok(());
            }
            let numbers: Vec<u64> = (self.games..self.games + batch).collect();
            let play = |&number: &u64| {
                // After the deadline the rest of the batch is not played, and nothing is learned.
                let late = self.games > 0 && limits.deadline.has_passed();
                (!late).then(|| self.play(&start, mix(self.seed, number)))
            };
            let all = || numbers.par_iter().with_max_len(1).map(play).collect::<Vec<_>>();
            let played = match (&pool, threads) {
                (Some(pool), 2..) => pool.install(all),
                _ => numbers.iter().map(play).collect(),
            };
            let Some(played) = played.into_iter().collect::<Option<Vec<_>>>() else {
                return Ok(());
            };
            let mut random = Random::new(mix(self.seed, !self.games));
            for course in played {
                let course = course?;
                self.games += 1;
                self.plies += course.plies;
                self.seconds += course.seconds(&limits.costs);
                self.learn(&course, &start);
                self.keep(course);
                for _ in 0..REPLAYS {
                    self.replay(&start, &mut random);
                }
            }
            self.evaluation.sum_up();
            if !tell(self) {
                return Ok(());
            }
        }
    }

    /// Returns the evaluation learned so far.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Returns the evaluation learned so far, with the weights rounded as in its text.
    pub fn rounded(&self) -> Arc<Evaluation> {
        let Evaluation { features, weights, .. } = &self.evaluation;
        Arc::new(Evaluation::new(Arc::clone(features), rounded(weights)))
    }

    /// Returns the number of games played.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the number of plies played.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// Returns the time taken so far, in estimated seconds of one core.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Returns how many more games as long as the mean so far fit into these seconds in all.
    fn fitting(&self, seconds: f64) -> u64 {
        match self.games {
            0 => 1,
            games => ((seconds - self.seconds) / self.seconds * games as f64).max(0.0) as u64,
        }
    }

    /// Plays a game.
    fn play(&self, start: &State, seed: u64) -> Result<Course, Fault> {
        let players = self.evaluation.features.players;
        let mut random = Random::new(seed);
        let mut state = start.clone();
        let mut scratch = Scratch::new(&self.evaluation.features, &state.position());
        let opening = random.below(MAX_RANDOM_OPENING + 1) as usize;
        let mut lessons = Vec::new();
        let mut result = vec![0.0; players];
        let mut made = 0;
        let mut evaluated = 0;
        while made < MAX_PLIES {
            let Some(decision) = state.decision() else { break };
            let (position, moves) = (state.position(), state.move_count_bound());
            let mut legal = state.candidates();
            if let Some(fault) = state.fault() {
                return Err(fault);
            }
            let Some(last) = legal.len().checked_sub(1) else { break };
            let drawn = legal[random.below(last as u32 + 1) as usize];
            if self.game.decisions()[decision].mover.is_none() {
                // A position before a roll learns from what followed.
                lessons.push(Lesson { position, moves, best: Vec::new(), follows: true });
                state.advance(drawn);
                made += 1;
                continue;
            }
            let mover = self.evaluation.features.person(&position).index();
            sample(&mut legal, MAX_EVALUATED, &mut random);
            evaluated += legal.len() as u64;
            let mut best = vec![f32::NEG_INFINITY; players];
            let mut scores = vec![0.0; players];
            let mut chosen = drawn;
            for &ply in &legal {
                state.ahead(ply, |after| self.evaluation.scores(after, &mut scratch, &mut scores));
                if scores[mover] > best[mover] {
                    best.copy_from_slice(&scores);
                    chosen = ply;
                }
            }
            let follows = made >= opening && random.below(RANDOM_PLY) > 0;
            let ply = if follows { chosen } else { drawn };
            lessons.push(Lesson { position, moves, best, follows: ply == chosen });
            state.advance(ply);
            made += 1;
        }
        if let Some(fault) = state.fault() {
            return Err(fault);
        }
        payoffs(state.team_outcome(), &mut result);
        Ok(Course { lessons, result, plies: made as u64, evaluated })
    }

    /// Keeps a game to be learned from again, and drops the oldest ones beyond the limit.
    fn keep(&mut self, course: Course) {
        let Some(Lesson { position, .. }) = course.lessons.first() else { return };
        // All positions of a game have the same size.
        let (words, numbers) = (position.words(), position.numbers());
        let size = size_of::<Lesson>() + size_of_val(words) + size_of_val(numbers);
        self.kept_lessons += course.lessons.len();
        self.kept.push_back(course);
        while self.kept_lessons * size > MAX_KEPT {
            let Some(oldest) = self.kept.pop_front() else { break };
            self.kept_lessons -= oldest.lessons.len();
        }
    }

    /// Learns again from a game of the newer half of all games, as far as it is kept.
    fn replay(&mut self, start: &State, random: &mut Random) {
        let newer = (self.games / 2 + 1).min(self.kept.len() as u64) as u32;
        if newer == 0 {
            return;
        }
        let place = self.kept.len() - 1 - random.below(newer) as usize;
        let course = std::mem::take(&mut self.kept[place]);
        self.learn(&course, start);
        self.kept[place] = course;
    }

    /// Learns from a game, from its end to its beginning.
    fn learn(&mut self, course: &Course, start: &State) {
        let mut scratch = Scratch::new(&self.evaluation.features, &start.position());
        let mut active = Vec::new();
        let mut target = course.result.clone();
        for lesson in course.lessons.iter().rev() {
            for (target, &best) in target.iter_mut().zip(&lesson.best) {
                *target =
                    if lesson.follows { LAMBDA * *target + (1.0 - LAMBDA) * best } else { best };
            }
            let features = Arc::clone(&self.evaluation.features);
            features.active(&lesson.position, lesson.moves, &mut scratch, &mut active);
            let (heads, _) = features.view(&lesson.position);
            // The sums of the evaluation are updated only after each batch.
            let sum = |head: usize| -> f32 {
                let sets = features.heads.all[head].sets.iter();
                let sums = sets.map(|set| -> f32 {
                    let weights = &self.evaluation.weights[set * features.weights()..];
                    active.iter().map(|&weight| weights[weight as usize]).sum()
                });
                sums.sum()
            };
            let mut believed: Vec<f32> = heads.clone().map(sum).collect();
            let mover = features.person(&lesson.position).index();
            match believed.len() {
                1 => believed[0] = logistic(believed[0]),
                _ => softmax(&mut believed),
            }
            for (index, head) in heads.enumerate() {
                let player = match features.players {
                    1 => 0,
                    2 => mover,
                    _ => index,
                };
                let error = target[player] - believed[index];
                self.correct(&features.heads.all[head], &active, error);
            }
        }
    }

    /// Moves the weights of a position by an error of its value.
    fn correct(&mut self, head: &Head, active: &[u32], error: f32) {
        let step = STEP * error / (active.len() * head.sets.len()) as f32;
        for set in &head.sets {
            let first = set * self.evaluation.features.weights();
            for &weight in active {
                let weight = first + weight as usize;
                let (sum, size) = &mut self.sums[weight];
                let coherence = if *size > 0.0 { sum.abs() / *size } else { 1.0 };
                self.evaluation.weights[weight] += step * coherence;
                *sum += error;
                *size += error.abs();
            }
        }
    }
}

/// Reduces a list to a random sample of `most` items, if it has more.
fn sample<T>(all: &mut Vec<T>, most: usize, random: &mut Random) {
    if all.len() > most {
        for place in 0..most {
            let other = place + random.below((all.len() - place) as u32) as usize;
            all.swap(place, other);
        }
        all.truncate(most);
    }
}
