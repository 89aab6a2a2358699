//! The ladder of levels: players of whom each beats the one below in at least 60 % of the games.
//! The number of levels is a usual measure of the depth of a game (Frank Lantz and others, *Depth
//! in Strategic Games*, 2017).
//!
//! The first level plays at random. Each further one is a tree search with twice the iterations of
//! the level below, or four, eight or sixteen times as many where fewer are not enough. A
//! sequential test ([`Sequential`]) says if it beats that level, with few games where the
//! difference is clear. The games are played one after the other, each with its own dice, until the
//! estimated processor time of the ladder is used up, so that the result depends on the seed alone.

use super::allowance::work;
use super::game_rows::Effort;
use super::plan::Allowance;
use super::play::{CAP, MEMORY};
use super::statistics::{Sequential, TestVerdict};
use crate::engine::game::{State, Turn};
use crate::engine::position::Outcome;
use crate::random::{Random, mix};
use crate::search::{Mcts, Player, PlayerKind, roll_with};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// The error rate of all levels together: how often a game without any difference between players
/// has a second level.
pub const ERROR: f64 = 0.01;
/// The most trials, which share the error rate.
const MAX_TRIALS: usize = 16;
/// A candidate counts as stronger from the second of these scores on, and not up to the first. The
/// test is indifferent at 60.3 %.
const SCORES: (f64, f64) = (0.5, 0.7);
/// How often a candidate with at least the second score is missed.
const MISSED: f64 = 0.05;
/// A trial without a verdict after this many games finds no level.
const MAX_GAMES: u64 = 400;
/// The iterations of the level above random play.
const FIRST: u64 = 4;
/// The candidates for each level, each with twice the iterations of the one before.
const CANDIDATES: u32 = 4;
/// Seconds per ply that is made, besides the search.
const PLY_SECONDS: f64 = 3e-5;

/// What a trial finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TrialResult {
    /// The candidate is a level.
    Level,
    /// It does not beat the level below at 60 %.
    NoLevel,
    /// The time ended first.
    Cut,
}

/// Games of a candidate for a level against the level below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LevelTrial {
    /// The iterations per ply of the candidate.
    pub iterations: u64,
    /// Those of the level below; 0 for random play.
    pub against: u64,
    /// The games that the candidate won, of how many. Unfinished ones count as drawn.
    pub wins: u64,
    pub draws: u64,
    pub games: u64,
    pub result: TrialResult,
    /// The estimated microseconds of processor time per ply of the candidate.
    pub microseconds: u64,
}

/// Climbs the ladder from a position, as far as the processor time of `budget` reaches. Also
/// returns the work. There are no trials if it is stopped.
pub fn climb(
    start: &State,
    budget: Allowance,
    seed: u64,
    stop: &AtomicBool,
) -> (Vec<LevelTrial>, Effort) {
    let mut climber = Climber { start, budget, stop, effort: Effort::default(), plies: 0 };
    let mut trials: Vec<LevelTrial> = Vec::new();
    let (mut level, mut tried) = (0, 0);
    while tried < CANDIDATES && trials.len() < MAX_TRIALS {
        let next = if level == 0 { FIRST } else { 2 * level };
        let seed = mix(seed, trials.len() as u64);
        let Some(trial) = climber.compare(next << tried, level, seed) else {
            return (Vec::new(), climber.effort);
        };
        trials.push(trial);
        match trial.result {
            TrialResult::Level => (level, tried) = (trial.iterations, 0),
            TrialResult::NoLevel => tried += 1,
            TrialResult::Cut => break,
        }
    }
    (trials, climber.effort)
}

struct Climber<'c> {
    start: &'c State,
    budget: Allowance,
    stop: &'c AtomicBool,
    effort: Effort,
    /// The plies made in all games.
    plies: u64,
}

impl Climber<'_> {
    fn is_over(&self) -> bool {
        let seconds = work(self.effort, self.budget) + self.plies as f64 * PLY_SECONDS;
        seconds * 1e3 >= self.budget.milliseconds as f64
    }

    /// Plays a candidate against the level below; `None` if it is stopped.
    fn compare(&mut self, iterations: u64, against: u64, seed: u64) -> Option<LevelTrial> {
        let (low, high) = SCORES;
        let mut test = Sequential::new(low, high, ERROR / MAX_TRIALS as f64, MISSED);
        let mut coin = Random::new(mix(seed, u64::MAX));
        let (mut wins, mut draws, mut games) = (0, 0, 0);
        // The work and the plies of the candidate.
        let mut own = (Effort::default(), 0);
        let result = loop {
            match test.verdict() {
                TestVerdict::High => break TrialResult::Level,
                TestVerdict::Low => break TrialResult::NoLevel,
                TestVerdict::Open if games >= MAX_GAMES => break TrialResult::NoLevel,
                TestVerdict::Open if self.is_over() => break TrialResult::Cut,
                TestVerdict::Open => {}
            }
            let seat = (games % 2) as usize;
            let outcome = self.game((iterations, against), seat, mix(seed, games), &mut own)?;
            games += 1;
            let is_won = match outcome {
                Some(Outcome::Win(winner)) => winner.index() == seat,
                Some(Outcome::Draw | Outcome::Shared(_)) | None => {
                    draws += 1;
                    // The test knows wins and losses only, so a coin decides draws.
                    test.see(coin.below(2) == 0);
                    continue;
                }
            };
            wins += u64::from(is_won);
            test.see(is_won);
        };
        let (effort, plies) = own;
        let microseconds = work(effort, self.budget) * 1e6 / f64::max(1.0, plies as f64);
        let microseconds = microseconds.ceil() as u64;
        Some(LevelTrial { iterations, against, wins, draws, games, result, microseconds })
    }

    /// Plays a game with the candidate in a seat. Returns the outcome by person: `Some(None)` if
    /// the game did not end, and `None` if it was stopped.
    fn game(
        &mut self,
        (iterations, against): (u64, u64),
        seat: usize,
        seed: u64,
        own: &mut (Effort, u64),
    ) -> Option<Option<Outcome>> {
        let player = |number: usize| {
            let kind = match if number == seat { iterations } else { against } {
                0 => PlayerKind::Random,
                iterations => PlayerKind::Iterations(iterations),
            };
            Player::searching(kind, mix(seed, number as u64), || Mcts::new(1, MEMORY))
        };
        let mut players = [player(0), player(1)];
        let mut position = self.start.clone();
        for ply in 0..u64::from(CAP) {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let chosen = match position.team_turn() {
                Turn::Nobody => break,
                Turn::Chance => roll_with(&position, mix(!seed, ply)),
                Turn::Player(mover) => {
                    let program = players.get_mut(mover.index()).and_then(Option::as_mut);
                    let choice = program.and_then(|program| {
                        program.choose_until(&position, Some(self.stop)).ok().flatten()
                    });
                    if let Some(thinking) = choice.iter().find_map(|own| own.thinking.as_ref()) {
                        self.effort.add_search(thinking);
                        if mover.index() == seat {
                            own.0.add_search(thinking);
                            own.1 += 1;
                        }
                    }
                    choice.map(|choice| choice.ply)
                }
            };
            self.plies += 1;
            if chosen.is_none_or(|ply| position.play(&ply).is_err()) {
                break;
            }
        }
        (!self.stop.load(Ordering::Relaxed)).then(|| position.team_outcome())
    }
}
