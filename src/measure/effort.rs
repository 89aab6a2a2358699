//! How much can be played in about a minute on two cores.
//!
//! In: games. Out: numbers of games and iterations. It refuses to look at the clock: the length of random games and of the program say how long everything takes, about, so that everybody has the
//! same numbers.

use super::play::CAP;
use crate::engine::game::Game;
use crate::random::{Random, mix};
use crate::search::Kind;

/// Seconds of one core for games between searchers, for random games, for random games that are written down, for winning chances, and for what becomes of clauses.
const SEARCHED: f64 = 70.0;
const LIGHT: f64 = 5.0;
const WRITTEN: f64 = 4.0;
const JUDGED: f64 = 15.0;
const LISTENED: f64 = 5.0;

/// What a ply of random play takes, and what each instruction of the program adds to it, for each word that a set of sites has.
const PLY: f64 = 15e-9;
const INSTRUCTION: f64 = 0.1e-9;
/// What a round of a loop takes. A ply has so many that count as its instructions; what is beyond that is what makes a ply dear.
const ROUND: f64 = 1e-8;
const FREE_ROUNDS: f64 = 4096.0;
/// How many plies, and how many rounds at most, are looked at to know how many rounds a ply has.
const ROUND_PLIES: u32 = 200;
const MOST_ROUNDS: u64 = 1 << 24;
/// How many seconds may be spent on random games to know how long they are; where that is too little for any, they are taken for as long as they were by then.
const SAMPLED: f64 = 0.5;
/// What an iteration of a search takes besides its plies.
const ITERATION: f64 = 1e-6;
/// What a ply takes that is written down, or obeyed word by word.
const SLOW_PLY: f64 = 1e-4;

/// A lot of random games should take so many seconds, and there should be so many lots, for many threads to share.
const LOT: f64 = 0.01;
const LOTS: u64 = 256;
/// A lot of fewer games is more trouble than it is worth.
const SMALLEST: u64 = 16;

/// How many random games are looked at.
const SAMPLE: u64 = 64;
/// So many games tell something of each pairing; with more of them, stronger players are better.
const ENOUGH: f64 = 80.0;
/// With fewer than so many, no interval would say anything; it takes longer then.
const FEWEST: u64 = 40;
/// What part of the time of random games may be spent on looking at some of them closely, and how many are looked at whatever that takes.
const CLOSELY: f64 = 0.05;
const LEAST: u64 = 20;
/// What the default pairings without the ladder take, in games of the weakest searchers: themselves at 1, 2 and 4 times the iterations, and 4 against 1.
const PAIRINGS: f64 = 9.5;
/// The pairings of which winning chances are worked out.
const TOLD: f64 = 5.0;

/// How many rounds of loops a ply of random play has, moves that are tried among them.
fn rounds(game: &Game) -> f64 {
    // Made anew, so that it is interpreted: machine code does not count every round.
    let Some(start) = Game::compile(game.rules().clone()).ok().and_then(|game| game.begin().ok()) else { return 0.0 };
    let (mut state, start) = (start.clone(), start.mark());
    let mut random = Random::new(1);
    let mut plies = 0;
    while plies < ROUND_PLIES && state.fuel_used() < MOST_ROUNDS {
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
pub struct Effort {
    /// How many plies a random game has.
    plies: f64,
    /// How many seconds a ply of one takes.
    ply: f64,
}

impl Effort {
    /// Looks at a game.
    pub fn of(game: &Game) -> Effort {
        let words = game.rules().board.slots().div_ceil(64) as f64;
        let ply = PLY + INSTRUCTION * game.program().code.len() as f64 * words + ROUND * (rounds(game) - FREE_ROUNDS).max(0.0);
        let Ok(start) = game.begin() else { return Effort { plies: 1.0, ply } };
        let mut playouts = game.playouts(&start);
        let mut left = (SAMPLED / ply) as u64;
        let (mut plies, mut games) = (0, 0);
        while games < SAMPLE && (left > 0 || games == 0) {
            let cap = CAP.min(left.max(1) as u32);
            let made = playouts.play(mix(0, games), cap).map_or(1, |playout| u64::from(playout.plies));
            (plies, games, left) = (plies + made, games + 1, left.saturating_sub(made));
        }
        Effort { plies: (plies as f64 / games as f64).max(1.0), ply }
    }

    /// Looks at several games, and allows what is possible for the slowest.
    pub fn of_all<'g>(games: impl Iterator<Item = &'g Game>) -> Effort {
        let slower = |one: Effort, other: Effort| if one.iteration() * one.plies < other.iteration() * other.plies { other } else { one };
        games.map(Effort::of).reduce(slower).unwrap_or(Effort { plies: 1.0, ply: PLY })
    }

    /// How many seconds an iteration takes in the middle of a game.
    fn iteration(&self) -> f64 {
        ITERATION + self.plies / 2.0 * self.ply
    }

    /// How many seconds a game takes whose players search with so many iterations.
    fn game(&self, iterations: f64) -> f64 {
        self.plies * (iterations * self.iteration() + SLOW_PLY)
    }

    /// The iterations of the weakest searcher, how many rungs the skill ladder has at most, and how many games each pairing.
    fn scale(&self) -> (u64, u32, u64) {
        let games = |weakest: u64, rungs: u32| {
            let ladder = 1.5 * ((1_u64 << rungs) as f64 - 1.0);
            SEARCHED / ((PAIRINGS + ladder) * self.game(weakest as f64))
        };
        let steps = [(128, 5), (64, 5), (32, 5), (16, 5), (16, 4), (8, 4), (8, 3)];
        let fitting = steps.into_iter().find(|&(weakest, rungs)| games(weakest, rungs) >= ENOUGH);
        let (weakest, rungs) = fitting.unwrap_or((4, 1));
        (weakest, rungs, ((games(weakest, rungs) / 10.0) as u64 * 10).clamp(FEWEST, 200))
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
    pub fn games(&self, kinds: &[Kind]) -> u64 {
        let seconds = |kind: &Kind| match kind {
            Kind::Human | Kind::Random => self.plies * SLOW_PLY,
            // One ply after each of the legal ones, with all that is legal then.
            Kind::Greedy => self.plies * SLOW_PLY * 20.0,
            Kind::Iterations(iterations) => self.game(*iterations as f64),
            Kind::Time(time) => self.plies * time.as_secs_f64(),
        };
        let each = kinds.iter().map(seconds).sum::<f64>() / kinds.len().max(1) as f64;
        ((SEARCHED / each / 10.0) as u64 * 10).clamp(20, 1_000)
    }

    /// How many games random players play.
    pub fn light_games(&self) -> u64 {
        let fitting = LIGHT / (self.plies * self.ply);
        // A thousand, though they take four times as long; but not where a game takes seconds.
        fitting.clamp((4.0 * fitting).clamp(LEAST as f64, 1_000.0), 20_000.0) as u64
    }

    /// How many of so many random games make a lot.
    pub fn lot(&self, games: u64) -> u64 {
        ((LOT / (self.plies * self.ply)) as u64).min(games / LOTS).max(SMALLEST)
    }

    /// How many of a sample are looked at closely where so many random games are played, so that it does not take much longer for that.
    pub fn part(&self, sample: u64, games: u64) -> u64 {
        let light = games as f64 * self.plies * self.ply;
        let part = (CLOSELY * light / (WRITTEN + (JUDGED + LISTENED) / TOLD)).min(1.0);
        ((sample as f64 * part) as u64).max(sample.min(LEAST))
    }

    /// How many of those are written down.
    pub fn written(&self) -> u64 {
        (WRITTEN / (self.plies * SLOW_PLY)).clamp(20.0, 200.0) as u64
    }

    /// With how many iterations winning chances are worked out.
    pub fn judge(&self) -> u64 {
        (4 * self.weakest()).min(200)
    }

    /// Of how many games of a pairing.
    pub fn judged(&self) -> u64 {
        (JUDGED / TOLD / (40.0 * self.judge() as f64 * self.iteration())).clamp(8.0, 40.0) as u64
    }

    /// Of how many games of a pairing it is counted what becomes of the clauses.
    pub fn listened(&self) -> u64 {
        (LISTENED / TOLD / (self.plies * SLOW_PLY)).clamp(8.0, 100.0) as u64
    }
}
