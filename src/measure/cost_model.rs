//! How much can be played in about a minute on two cores.
//!
//! In: games. Out: numbers of games and iterations. It refuses to look at the clock: the length of
//! random games and of the program say how long everything takes, about, so that everybody has the
//! same numbers.

use super::play::CAP;
use crate::engine::game::Game;
use crate::random::{Random, mix};
use crate::search::PlayerKind;

/// Seconds of one core for games between searchers, for random games, for random games that are
/// written down, for winning chances, and for what becomes of clauses.
const SEARCH_SECONDS: f64 = 70.0;
const RANDOM_SECONDS: f64 = 5.0;
const RECORDED_SECONDS: f64 = 4.0;
const JUDGED_SECONDS: f64 = 15.0;
const TRACED_SECONDS: f64 = 5.0;

/// What a ply of random play takes, and what each instruction of the program adds to it, for each
/// word that a set of sites has.
const PLY_SECONDS: f64 = 15e-9;
const INSTRUCTION_SECONDS: f64 = 0.1e-9;
/// What a round of a loop takes. A ply has so many that count as its instructions; what is beyond
/// that is what makes a ply dear.
const FUEL_SECONDS: f64 = 1e-8;
const FREE_FUEL: f64 = 4096.0;
/// How many plies, and how many rounds at most, are looked at to know how many rounds a ply has.
const FUEL_SAMPLE_PLIES: u32 = 200;
const FUEL_SAMPLE_LIMIT: u64 = 1 << 24;
/// How many seconds may be spent on random games to know how long they are; where that is too
/// little for any, they are taken for as long as they were by then.
const SAMPLING_SECONDS: f64 = 0.5;
/// What an iteration of a search takes besides its plies.
const ITERATION_SECONDS: f64 = 1e-6;
/// What a ply takes that is written down, or obeyed word by word.
const RECORDED_PLY_SECONDS: f64 = 1e-4;

/// A lot of random games should take so many seconds, and there should be so many lots, for many
/// threads to share.
const BATCH_SECONDS: f64 = 0.01;
const MIN_BATCHES: u64 = 256;
/// A lot of fewer games is more trouble than it is worth.
const MIN_BATCH: u64 = 16;

/// How many random games are looked at.
const SAMPLE: u64 = 64;
/// So many games tell something of each pairing; with more of them, stronger players are better.
const WANTED_GAMES: f64 = 80.0;
/// With fewer than so many, no interval would say anything; it takes longer then.
const MIN_GAMES: u64 = 40;
/// What part of the time of random games may be spent on looking at some of them closely, and how
/// many are looked at whatever that takes.
const INSPECTED_FRACTION: f64 = 0.05;
const MIN_INSPECTED: u64 = 20;
/// What the default pairings without the ladder take, in games of the weakest searchers: themselves
/// at 1, 2 and 4 times the iterations, and 4 against 1.
const PAIRINGS: f64 = 9.5;
/// The pairings of which winning chances are worked out.
const JUDGED_PAIRINGS: f64 = 5.0;

/// How many rounds of loops a ply of random play has, moves that are tried among them.
fn fuel_per_ply(game: &Game) -> f64 {
    // Made anew, so that it is interpreted: machine code does not count every round.
    let Some(start) = Game::compile(game.rules().clone()).ok().and_then(|game| game.begin().ok())
    else {
        return 0.0;
    };
    let (mut state, start) = (start.clone(), start.mark());
    let mut random = Random::new(1);
    let mut plies = 0;
    while plies < FUEL_SAMPLE_PLIES && state.fuel_used() < FUEL_SAMPLE_LIMIT {
        let legal = state.candidates();
        let Some(&ply) = legal.get(random.below(legal.len().max(1) as u32) as usize) else {
            state.return_to(&start);
            if state.candidates().is_empty() {
                break;
            }
            continue;
        };
        state.advance(ply);
        plies += 1;
    }
    state.fuel_used() as f64 / f64::from(plies.max(1))
}

/// What is played of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostModel {
    /// How many plies a random game has.
    plies: f64,
    /// How many seconds a ply of one takes.
    ply: f64,
}

impl CostModel {
    /// Looks at a game.
    pub fn of(game: &Game) -> CostModel {
        let words = game.rules().board.slots().div_ceil(64) as f64;
        let ply = PLY_SECONDS
            + INSTRUCTION_SECONDS * game.program().code.len() as f64 * words
            + FUEL_SECONDS * (fuel_per_ply(game) - FREE_FUEL).max(0.0);
        let Ok(start) = game.begin() else { return CostModel { plies: 1.0, ply } };
        let mut playouts = game.playouts(&start);
        let mut left = (SAMPLING_SECONDS / ply) as u64;
        let (mut plies, mut games) = (0, 0);
        while games < SAMPLE && (left > 0 || games == 0) {
            let cap = CAP.min(left.max(1) as u32);
            let made =
                playouts.play(mix(0, games), cap).map_or(1, |playout| u64::from(playout.plies));
            (plies, games, left) = (plies + made, games + 1, left.saturating_sub(made));
        }
        CostModel { plies: (plies as f64 / games as f64).max(1.0), ply }
    }

    /// Looks at several games, and allows what is possible for the slowest.
    pub fn of_all<'g>(games: impl Iterator<Item = &'g Game>) -> CostModel {
        let slower = |one: CostModel, other: CostModel| {
            if one.iteration() * one.plies < other.iteration() * other.plies { other } else { one }
        };
        games
            .map(CostModel::of)
            .reduce(slower)
            .unwrap_or(CostModel { plies: 1.0, ply: PLY_SECONDS })
    }

    /// How many seconds an iteration takes in the middle of a game.
    fn iteration(&self) -> f64 {
        ITERATION_SECONDS + self.plies / 2.0 * self.ply
    }

    /// How many seconds a game takes whose players search with so many iterations.
    fn game(&self, iterations: f64) -> f64 {
        self.plies * (iterations * self.iteration() + RECORDED_PLY_SECONDS)
    }

    /// The iterations of the weakest searcher, how many rungs the skill ladder has at most, and how
    /// many games each pairing.
    fn scale(&self) -> (u64, u32, u64) {
        let games = |weakest: u64, rungs: u32| {
            let ladder = 1.5 * ((1_u64 << rungs) as f64 - 1.0);
            SEARCH_SECONDS / ((PAIRINGS + ladder) * self.game(weakest as f64))
        };
        let steps = [(128, 5), (64, 5), (32, 5), (16, 5), (16, 4), (8, 4), (8, 3)];
        let fitting =
            steps.into_iter().find(|&(weakest, rungs)| games(weakest, rungs) >= WANTED_GAMES);
        let (weakest, rungs) = fitting.unwrap_or((4, 1));
        (weakest, rungs, ((games(weakest, rungs) / 10.0) as u64 * 10).clamp(MIN_GAMES, 200))
    }

    /// The iterations of the weakest searcher.
    pub fn weakest(&self) -> u64 {
        self.scale().0
    }

    /// How many rungs the skill ladder has at most.
    pub fn rungs(&self) -> u32 {
        self.scale().1
    }

    /// How many games each of the default pairings has.
    pub fn games_of_each(&self) -> u64 {
        self.scale().2
    }

    /// How many games somebody plays who is named.
    pub fn games(&self, kinds: &[PlayerKind]) -> u64 {
        let seconds = |kind: &PlayerKind| match kind {
            PlayerKind::Human | PlayerKind::Random => self.plies * RECORDED_PLY_SECONDS,
            // One ply after each of the legal ones, with all that is legal then.
            PlayerKind::Greedy => self.plies * RECORDED_PLY_SECONDS * 20.0,
            PlayerKind::Iterations(iterations) => self.game(*iterations as f64),
            PlayerKind::Time(time) => self.plies * time.as_secs_f64(),
        };
        let each = kinds.iter().map(seconds).sum::<f64>() / kinds.len().max(1) as f64;
        ((SEARCH_SECONDS / each / 10.0) as u64 * 10).clamp(20, 1_000)
    }

    /// How many games random players play.
    pub fn light_games(&self) -> u64 {
        let fitting = RANDOM_SECONDS / (self.plies * self.ply);
        // A thousand, though they take four times as long; but not where a game takes seconds.
        fitting.clamp((4.0 * fitting).clamp(MIN_INSPECTED as f64, 1_000.0), 20_000.0) as u64
    }

    /// How many of so many random games make a lot.
    pub fn lot(&self, games: u64) -> u64 {
        ((BATCH_SECONDS / (self.plies * self.ply)) as u64).min(games / MIN_BATCHES).max(MIN_BATCH)
    }

    /// How many of a sample are looked at closely where so many random games are played, so that it
    /// does not take much longer for that.
    pub fn part(&self, sample: u64, games: u64) -> u64 {
        let light = games as f64 * self.plies * self.ply;
        let part = (INSPECTED_FRACTION * light
            / (RECORDED_SECONDS + (JUDGED_SECONDS + TRACED_SECONDS) / JUDGED_PAIRINGS))
            .min(1.0);
        ((sample as f64 * part) as u64).max(sample.min(MIN_INSPECTED))
    }

    /// How many of those are written down.
    pub fn written(&self) -> u64 {
        (RECORDED_SECONDS / (self.plies * RECORDED_PLY_SECONDS)).clamp(20.0, 200.0) as u64
    }

    /// With how many iterations winning chances are worked out.
    pub fn judge(&self) -> u64 {
        (4 * self.weakest()).min(200)
    }

    /// Of how many games of a pairing.
    pub fn judged(&self) -> u64 {
        (JUDGED_SECONDS / JUDGED_PAIRINGS / (40.0 * self.judge() as f64 * self.iteration()))
            .clamp(8.0, 40.0) as u64
    }

    /// Of how many games of a pairing it is counted what becomes of the clauses.
    pub fn listened(&self) -> u64 {
        (TRACED_SECONDS / JUDGED_PAIRINGS / (self.plies * RECORDED_PLY_SECONDS)).clamp(8.0, 100.0)
            as u64
    }
}
