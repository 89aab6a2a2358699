//! Chooses sample sizes so that a playtest takes at most a minute of processor time.
//!
//! The estimate uses the length of random games and what their plies execute, not a clock, so that
//! the same game has the same plan everywhere. Games between searchers can be much longer than
//! random ones. So a default plan only has an upper limit of games, and `allowance` decides as the
//! games are played how many of them fit.

use super::allowance::work;
use super::game_rows::Effort;
use super::plan::{Allowance, Batch, Plan, STRENGTHS};
use super::play::{CAP, COUNTED_PLIES, JUDGED_POSITIONS, MEMORY};
use crate::budget::Deadline;
use crate::engine::game::{Game, JitPolicy, State};
use crate::learn::{Costs, Features, Learned, Method};
use crate::random::{Random, mix};
use crate::search::{Mcts, PlayerKind, SearchLimits, Thinking};
use std::time::Duration;

/// Core-seconds for games between searchers, random games, recorded random games, winning chances,
/// and clause coverage.
const SEARCH_SECONDS: f64 = 18.0;
const RANDOM_SECONDS: f64 = 2.0;
const RECORDED_SECONDS: f64 = 1.5;
const JUDGED_SECONDS: f64 = 5.0;
const TRACED_SECONDS: f64 = 2.0;
/// Core-seconds for the estimates after each first ply, for mirror play, and for solving the game
/// or smaller boards, with the games on a smaller board.
const OPENING_SECONDS: f64 = 2.0;
const MIRROR_SECONDS: f64 = 2.0;
const EXACT_SECONDS: f64 = 5.0;
/// Core-seconds for the ladder of levels; fewer where fewer games of each pairing were asked for.
const LEVELS_SECONDS: f64 = 5.0;
const LEVELS_GAMES: u64 = 100;
/// Core-seconds that are not counted: samples, machine code, the report.
const OTHER_SECONDS: f64 = 5.0;

/// Seconds per ply of random play, per instruction of the interpreter, and per unit of fuel beyond
/// what any ply takes; what each further word of a site set adds; and the most words that stay in
/// machine registers, beyond which everything takes twice as long. As machine code, most of some
/// forty games take half of this, within a factor of 2.
const PLY_SECONDS: f64 = 15e-9;
const EXECUTED_SECONDS: f64 = 0.6e-9;
const FUEL_SECONDS: f64 = 6e-9;
const FUEL_OF_ANY_PLY: f64 = 8.0;
const WIDER: f64 = 0.25;
const REGISTER_WORDS: usize = 2;
/// The sample that measures a ply: its plies, the most plies of a game, the most instructions.
const EXECUTED_SAMPLE_PLIES: u64 = 400;
const EXECUTED_SAMPLE_CAP: u32 = 200;
const EXECUTED_SAMPLE_LIMIT: u64 = 1 << 23;
/// The estimated seconds for random games that measure the length of games. A game that does not
/// end within them counts with the length so far.
const SAMPLING_SECONDS: f64 = 0.5;
/// Seconds per iteration of a search besides its plies.
const ITERATION_SECONDS: f64 = 1e-6;
/// Seconds per legal ply that an iteration lists, and the number of plies up to which that is part
/// of `ITERATION_SECONDS`. The sample that counts them: its positions, and the most plies.
const LISTED_SECONDS: f64 = 4e-8;
const LISTED_ANYWAY: f64 = 1_024.0;
const LISTED_SAMPLE: usize = 256;
const LISTED_SAMPLE_LIMIT: usize = 1 << 20;
/// Seconds for the plies that lead to the positions of the sample.
const LISTED_SAMPLE_SECONDS: f64 = 0.2;
/// Listing the legal plies takes at most this many seconds in most games. Only time beyond that is
/// counted, such as for looking ahead in turns of very many plies.
const LISTING_SECONDS: f64 = 1e-3;
/// Seconds for counting the reachable positions, where a ply takes very long.
const CENSUS_SECONDS: f64 = 2.0;
/// The time that listing adds to a recorded ply, relative to what it adds to an iteration.
pub const RECORDED_LISTS: f64 = 3.0;
/// Seconds per position of the solver, and per ply that it tries, besides the ply.
const SOLVED_POSITION_SECONDS: f64 = 5e-7;
pub const SOLVED_PLY_SECONDS: f64 = 1e-7;
/// Seconds per ply that is recorded or run in the reference interpreter.
const RECORDED_PLY_SECONDS: f64 = 1e-4;

/// The target length of a batch of random games, and the number of batches that many threads can
/// share.
const BATCH_SECONDS: f64 = 0.01;
const MIN_BATCHES: u64 = 256;
/// The smallest batch that is worth its overhead.
const MIN_BATCH: u64 = 16;

/// How often and how long the speed of a computer is measured, and the greatest slowness, as an
/// exponent of 2.
const SLOWNESS_SAMPLES: u64 = 8;
const SLOWNESS_SAMPLE: Duration = Duration::from_millis(100);
const MOST_SLOWNESS: f64 = 6.0;

/// Random games that measure the length of games.
const SAMPLE: u64 = 64;
/// The wanted games per pairing; time beyond them goes to stronger players.
const WANTED_GAMES: f64 = 25.0;
/// The minimum for useful intervals, even if it takes longer.
const MIN_GAMES: u64 = 20;
/// More games of a default pairing make intervals little narrower.
const MOST_GAMES: u64 = 200;
/// The pairings of searchers.
const PAIRINGS: f64 = 8.0;
/// The iterations of the weakest searchers, down to those where playouts are long.
const WEAKEST: [u64; 7] = [64, 32, 16, 8, 4, 2, 1];
/// The ratios of consecutive strengths that are tried. The first makes more than a hundredfold in
/// all; the others are for games of which fewer than `FEW_GAMES` fit even from one iteration on.
const STEPS: [u64; 4] = [5, 4, 3, 2];
const FEW_GAMES: f64 = 1.2;
/// The fraction of the time of random games for analysing some of them, and the least number.
const INSPECTED_FRACTION: f64 = 0.05;
const MIN_INSPECTED: u64 = 20;
/// The pairings whose winning chances are estimated.
const JUDGED_PAIRINGS: f64 = 6.0;

/// Starts the game without machine code, since that does not count what it executes.
fn interpreted(game: &Game) -> Option<State> {
    let game = Game::compile(game.rules().clone()).ok()?;
    game.set_jit_policy(JitPolicy::Never);
    game.begin().ok()
}

/// Returns the seconds that instructions and fuel take on the board of the game.
fn seconds_for(game: &Game, instructions: f64, fuel: f64) -> f64 {
    let words = game.rules().board.slots().div_ceil(64).max(1);
    let in_registers = if words > REGISTER_WORDS { 2.0 } else { 1.0 };
    let width = in_registers * (1.0 + WIDER * (words - 1) as f64);
    (EXECUTED_SECONDS * instructions + FUEL_SECONDS * fuel) * width
}

/// Measures the seconds of a ply of random play, by the instructions and fuel that it takes.
fn seconds_per_ply(start: &State) -> f64 {
    let (mut plies, mut instructions, mut fuel) = (0, 0, 0);
    for number in 0.. {
        let mut state = start.clone();
        let before = (state.interpreted(), state.fuel_used());
        let playout = state.play_out(&mut Random::new(mix(2, number)), EXECUTED_SAMPLE_CAP);
        plies += u64::from(playout.plies);
        instructions += state.interpreted() - before.0;
        fuel += state.fuel_used() - before.1;
        if playout.plies == 0
            || plies >= EXECUTED_SAMPLE_PLIES
            || instructions >= EXECUTED_SAMPLE_LIMIT
        {
            break;
        }
    }
    let each = |count: u64| count as f64 / plies.max(1) as f64;
    let fuel = (each(fuel) - FUEL_OF_ANY_PLY).max(0.0);
    PLY_SECONDS + seconds_for(start.game(), each(instructions), fuel)
}

/// The cost of listing the legal plies of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Listing {
    /// The mean number of legal plies.
    plies: f64,
    /// Seconds for the whole list.
    seconds: f64,
    /// Seconds that listing adds to an iteration, where there are very many plies or each takes
    /// very long.
    added: f64,
}

/// Measures listing in positions after random numbers of plies, up to `plies`, the length of a
/// game, or as many as fit into `LISTED_SAMPLE_SECONDS` at `ply` seconds each.
fn listing(start: &State, plies: f64, ply: f64) -> Listing {
    let mut random = Random::new(3);
    let (mut positions, mut listed, mut list) = (0, 0, Vec::new());
    let (mut instructions, mut fuel) = (0, 0);
    let mut left = (LISTED_SAMPLE_SECONDS / ply) as u32;
    while positions < LISTED_SAMPLE
        && listed < LISTED_SAMPLE_LIMIT
        && instructions < EXECUTED_SAMPLE_LIMIT
        && (positions == 0 || left > 0)
    {
        let mut state = start.clone();
        let made = random.below((plies as u32).min(left) + 1);
        state.play_out(&mut random, made);
        left -= made;
        let before = (state.interpreted(), state.fuel_used());
        state.candidates_into(&mut list);
        instructions += state.interpreted() - before.0;
        fuel += state.fuel_used() - before.1;
        (positions, listed) = (positions + 1, listed + list.len());
    }
    let each = |count: u64| count as f64 / positions as f64;
    let executed = seconds_for(start.game(), each(instructions), each(fuel));
    let listed = each(listed as u64);
    Listing {
        plies: listed,
        seconds: executed + LISTED_SECONDS * listed,
        added: LISTED_SECONDS * (listed - LISTED_ANYWAY).max(0.0)
            + (executed - LISTING_SECONDS).max(0.0),
    }
}

/// The estimated cost of playing a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostModel {
    /// The mean length of a random game in plies.
    plies: f64,
    /// Seconds per ply of random play.
    ply: f64,
    listing: Listing,
    /// Whether the number of games is limited as they are played.
    limited: bool,
    /// The part of the processor time that is used: less where the computer is slower than the
    /// model assumes.
    part: f64,
}

impl CostModel {
    /// Returns the model for a plan whose number of games is limited as they are played: it then
    /// gives the most games that are of use.
    pub fn limited(&self) -> CostModel {
        CostModel { limited: true, ..*self }
    }

    /// Returns the model for a computer that takes `slowness` times as long as it assumes, so that
    /// a playtest takes a minute there, too.
    pub fn slowed(&self, slowness: f64) -> CostModel {
        CostModel { part: 1.0 / slowness.max(1.0), ..*self }
    }

    /// Measures how much longer this computer takes than the model assumes, by searches from a
    /// position: a power of two, so that the plans on like computers are alike. The fastest counts,
    /// since browsers improve code as it runs, and other programs may be running.
    pub fn slowness(&self, start: &State) -> f64 {
        let sample = |number: u64| {
            let deadline = Deadline::after(Some(SLOWNESS_SAMPLE));
            let limits = SearchLimits { deadline, ..SearchLimits::default() };
            let thinking = Mcts::new(1, MEMORY).think(start, number, &limits, &mut |_| true);
            let Thinking { iterations, plies_made: plies, seconds, .. } = thinking.ok()?;
            let expected =
                work(Effort { iterations, plies, ..Effort::default() }, self.allowance());
            (expected > 0.0).then(|| seconds / expected)
        };
        let fastest = (0..SLOWNESS_SAMPLES).filter_map(sample).min_by(f64::total_cmp);
        let power = fastest.unwrap_or(1.0).log2().round().clamp(0.0, MOST_SLOWNESS);
        2.0_f64.powi(power as i32)
    }

    /// Returns the processor time for everything that is counted as it is done. Games between
    /// searchers have what the rest leaves.
    pub fn allowance(&self) -> Allowance {
        let games = SEARCH_SECONDS + JUDGED_SECONDS + TRACED_SECONDS;
        let random = RANDOM_SECONDS + RECORDED_SECONDS;
        let others = OPENING_SECONDS + MIRROR_SECONDS + EXACT_SECONDS + LEVELS_SECONDS;
        self.allow(games + random + others)
    }

    /// Returns the processor time for the ladder of levels, for this many games of each pairing.
    pub fn levels(&self, games: Option<u64>) -> Allowance {
        let share = games.map_or(1.0, |games| games as f64 / LEVELS_GAMES as f64);
        self.allow(LEVELS_SECONDS * share.min(1.0))
    }

    fn allow(&self, seconds: f64) -> Allowance {
        Allowance {
            milliseconds: (self.part * seconds * 1e3) as u64,
            ply: (self.ply * 1e12) as u64,
            listing: (self.listing.added * 1e12) as u64,
        }
    }

    /// Estimates the processor time of a plan, in seconds, from the length of random games.
    pub fn seconds(&self, plan: &Plan) -> f64 {
        let mut seconds = OTHER_SECONDS;
        let mut searched = 0.0;
        for pairing in &plan.pairings {
            let kinds = || pairing.seats.iter().flatten();
            let mean = kinds().map(|kind| self.each(kind)).sum::<f64>() / kinds().count() as f64;
            if pairing.is_random() {
                seconds += pairing.written as f64 * self.plies * self.recorded_ply()
                    + pairing.games as f64 * self.plies * self.ply;
            } else {
                searched += pairing.games as f64 * mean;
            }
            searched += pairing.judged as f64
                * JUDGED_POSITIONS as f64
                * plan.judge as f64
                * self.iteration();
        }
        seconds += if plan.openings > 0 { self.part * OPENING_SECONDS } else { 0.0 };
        seconds += if plan.mirrored > 0 { self.part * MIRROR_SECONDS } else { 0.0 };
        seconds += match plan.exact {
            0 => 0.0,
            _ if plan.ladder().len() < 2 => self.part * EXACT_SECONDS / 2.0,
            _ => self.part * EXACT_SECONDS,
        };
        seconds += plan.levels.map_or(0.0, |levels| levels.milliseconds as f64 / 1e3);
        let most = plan.allowance.map(|allowance| allowance.milliseconds as f64 / 1e3);
        (seconds + searched).min(most.map_or(f64::INFINITY, |most| OTHER_SECONDS + most))
    }

    /// Returns the seconds per game of a player who plays itself.
    fn each(&self, kind: &PlayerKind) -> f64 {
        match kind {
            PlayerKind::Human | PlayerKind::Random => self.plies * self.recorded_ply(),
            // Greedy players try every legal ply and list the replies.
            PlayerKind::Greedy | PlayerKind::Learned => self.plies * self.recorded_ply() * 20.0,
            PlayerKind::Iterations(iterations) | PlayerKind::StrongIterations(iterations) => {
                self.game(*iterations as f64)
            }
            PlayerKind::Time(time) | PlayerKind::StrongTime(time) => {
                self.plies * time.as_secs_f64()
            }
        }
    }

    /// Returns the iterations per estimate after each of `plies` first plies; 0 if fewer than 16
    /// fit. The strongest searchers' iterations, or 1,000 if those are fewer, are enough.
    pub fn openings(&self, plies: u64) -> u64 {
        let each = self.part * OPENING_SECONDS / (plies.max(1) as f64 * self.iteration());
        let [.., strongest] = self.strengths(false);
        if each < 16.0 { 0 } else { (each as u64).min(strongest.max(1_000)) }
    }

    /// Returns the number of games in which the second player mirrors.
    pub fn mirrored(&self) -> u64 {
        let each = self.game(self.strengths(false)[1] as f64);
        (self.part * MIRROR_SECONDS / each).clamp(4.0, 40.0) as u64
    }

    /// Returns a model that knows only the seconds per ply.
    fn unknown(ply: f64) -> CostModel {
        let listing = Listing { plies: 1.0, seconds: 0.0, added: 0.0 };
        CostModel { plies: 1.0, ply, listing, limited: false, part: 1.0 }
    }

    /// Measures a game.
    pub fn of(game: &Game) -> CostModel {
        let interpreted = interpreted(game);
        let ply = interpreted.as_ref().map_or(PLY_SECONDS, seconds_per_ply);
        let unknown = CostModel::unknown(ply);
        let Ok(start) = game.begin() else { return unknown };
        let mut playouts = game.playouts(&start);
        let mut left = (SAMPLING_SECONDS / ply) as u64;
        let (mut plies, mut games) = (0, 0);
        while games < SAMPLE && (left > 0 || games == 0) {
            let cap = CAP.min(left.max(1) as u32);
            let made =
                playouts.play(mix(0, games), cap).map_or(1, |playout| u64::from(playout.plies));
            (plies, games, left) = (plies + made, games + 1, left.saturating_sub(made));
        }
        let plies = (plies as f64 / games as f64).max(1.0);
        let listing =
            interpreted.map_or(unknown.listing, |start| self::listing(&start, plies, ply));
        CostModel { plies, listing, ..unknown }
    }

    /// Measures several games and returns the cost of the slowest.
    pub fn of_all<'g>(games: impl Iterator<Item = &'g Game>) -> CostModel {
        let slower = |one: CostModel, other: CostModel| {
            if one.iteration() * one.plies < other.iteration() * other.plies { other } else { one }
        };
        games.map(CostModel::of).reduce(slower).unwrap_or(CostModel::unknown(PLY_SECONDS))
    }

    /// Returns the seconds per iteration in the middle of a game.
    fn iteration(&self) -> f64 {
        ITERATION_SECONDS + self.listing.added + self.plies / 2.0 * self.ply
    }

    /// Returns the seconds per ply that is recorded.
    fn recorded_ply(&self) -> f64 {
        RECORDED_PLY_SECONDS + RECORDED_LISTS * self.listing.added
    }

    /// Returns the seconds per game between searchers with this many iterations.
    fn game(&self, iterations: f64) -> f64 {
        self.plies * (iterations * self.iteration() + self.recorded_ply())
    }

    /// Returns the iterations of the searchers, weakest first, and the games per pairing.
    fn scale(&self, trained: bool) -> ([u64; STRENGTHS], u64) {
        let ladder =
            |weakest: u64, step: u64| std::array::from_fn(|index| weakest * step.pow(index as u32));
        let recorded = PAIRINGS * self.plies * self.recorded_ply();
        let games = |strengths: [u64; STRENGTHS]| {
            let [weakest, second, third, strongest] = strengths.map(|strength| strength as f64);
            // Each against itself, the middle two against the one below, and the last doubling.
            let ladder = weakest
                + second
                + third
                + strongest
                + (second + weakest) / 2.0
                + (third + second) / 2.0
                + 0.75 * strongest;
            let searches = ladder + if trained { strongest } else { 0.0 };
            self.part * SEARCH_SECONDS / (searches * self.plies * self.iteration() + recorded)
        };
        let [widest, .., narrowest] = STEPS;
        let mut wide = WEAKEST.into_iter().map(|weakest| ladder(weakest, widest));
        let mut narrow = STEPS.into_iter().map(|step| ladder(1, step));
        let strengths = wide
            .find(|&strengths| games(strengths) >= WANTED_GAMES)
            .or_else(|| narrow.find(|&strengths| games(strengths) >= FEW_GAMES))
            .unwrap_or_else(|| ladder(1, narrowest));
        let fitting = (games(strengths) / 10.0) as u64 * 10;
        (strengths, fitting.clamp(MIN_GAMES, MOST_GAMES))
    }

    /// Returns the iterations of the searchers, weakest first.
    pub fn strengths(&self, trained: bool) -> [u64; STRENGTHS] {
        self.scale(trained).0
    }

    /// Returns the games of each default pairing.
    pub fn games_of_each(&self, trained: bool) -> u64 {
        if self.limited { MOST_GAMES } else { self.scale(trained).1 }
    }

    /// Returns the costs of learning, and of searching with the learned evaluation.
    pub fn costs(&self, features: &Features) -> Costs {
        Costs {
            plies: self.plies,
            ply: self.ply,
            iteration: self.iteration(),
            branching: self.listing.plies,
            listing: self.listing.seconds,
            weights: features.summed() as f64,
            fuel: features.fuel,
        }
    }

    /// Returns how many iterations of a search with a learned evaluation take as long as
    /// `iterations` with plain playouts, rounded to two digits.
    pub fn equivalent(&self, iterations: u64, learned: &Learned) -> u64 {
        let costs = self.costs(&learned.evaluation.features);
        let seconds = iterations as f64 * costs.each(Method::Mcts);
        let most = costs.iterations(learned.style.method, seconds) as f64;
        let digit = 10_f64.powf(most.log10().floor() - 1.0).max(1.0);
        ((most / digit).round() * digit) as u64
    }

    /// Returns the most positions for solving a game that begins with `plies` legal plies.
    pub fn exact(&self, plies: u64) -> u64 {
        let each = SOLVED_POSITION_SECONDS + plies as f64 * (self.ply + SOLVED_PLY_SECONDS);
        // The other half of the time is for the games on a smaller board.
        (self.part * EXACT_SECONDS / 2.0 / each).max(1.0) as u64
    }

    /// Returns the number of games between the given players.
    pub fn games(&self, kinds: &[PlayerKind]) -> u64 {
        let each =
            kinds.iter().map(|kind| self.each(kind)).sum::<f64>() / kinds.len().max(1) as f64;
        let most = if self.limited {
            1_000
        } else {
            (self.part * SEARCH_SECONDS / each / 10.0) as u64 * 10
        };
        most.clamp(20, 1_000)
    }

    /// Returns the number of random games.
    pub fn light_games(&self) -> u64 {
        let fitting = self.part * RANDOM_SECONDS / (self.plies * self.ply);
        // At least 1000, at up to four times the cost; at least 20 in any case.
        fitting.clamp((4.0 * fitting).clamp(MIN_INSPECTED as f64, 1_000.0), 20_000.0) as u64
    }

    /// Returns the batch size for this many random games.
    pub fn lot(&self, games: u64) -> u64 {
        ((BATCH_SECONDS / (self.plies * self.ply)) as u64).min(games / MIN_BATCHES).max(MIN_BATCH)
    }

    /// Returns how many of `sample` games to analyse among `games` random ones, so that the total
    /// time does not grow much.
    pub fn part(&self, sample: u64, games: u64) -> u64 {
        let light = games as f64 * self.plies * self.ply;
        let part = (INSPECTED_FRACTION * light
            / (RECORDED_SECONDS + (JUDGED_SECONDS + TRACED_SECONDS) / JUDGED_PAIRINGS))
            .min(1.0);
        ((sample as f64 * part) as u64).max(sample.min(MIN_INSPECTED))
    }

    /// Returns the plies for counting the reachable positions; 0 for the usual number.
    pub fn counted(&self) -> u64 {
        match (self.part * CENSUS_SECONDS / (self.ply + self.listing.added)) as u64 {
            fitting if fitting < COUNTED_PLIES => fitting.max(1),
            _ => 0,
        }
    }

    /// Returns the number of recorded random games.
    pub fn written(&self) -> u64 {
        (self.part * RECORDED_SECONDS / (self.plies * self.recorded_ply())).clamp(20.0, 200.0)
            as u64
    }

    /// Returns the iterations per estimate of winning chances.
    pub fn judge(&self) -> u64 {
        (25 * self.strengths(false)[0]).min(200)
    }

    /// Returns the games per pairing whose winning chances are estimated.
    pub fn judged(&self) -> u64 {
        (self.part * JUDGED_SECONDS
            / JUDGED_PAIRINGS
            / (JUDGED_POSITIONS as f64 * self.judge() as f64 * self.iteration()))
        .clamp(8.0, 40.0) as u64
    }

    /// Returns the games per pairing whose clause coverage is counted.
    pub fn listened(&self) -> u64 {
        (self.part * TRACED_SECONDS / JUDGED_PAIRINGS / (self.plies * self.recorded_ply()))
            .clamp(8.0, 100.0) as u64
    }
}

impl Plan {
    /// Estimates the relative work of a batch, in iterations of searches, to show the progress of a
    /// playtest.
    pub fn weight(&self, batch: Batch) -> u64 {
        let iterations = |pairing: usize| {
            let kinds = self.pairings[pairing].seats.iter().flatten();
            kinds
                .map(|kind| match kind {
                    PlayerKind::Iterations(iterations) => *iterations,
                    PlayerKind::StrongIterations(iterations) => *iterations / 4,
                    _ => 4,
                })
                .max()
                .unwrap_or(1)
        };
        match batch {
            Batch::Census => 1,
            Batch::Openings => self.openings * self.sites as u64 / 16,
            Batch::Mirrored => self.mirrored * self.judge,
            Batch::Exact => self.exact / self.sites.max(1) as u64,
            // Milliseconds as iterations that take a microsecond, in games of some forty plies.
            Batch::Levels => self.levels.map_or(0, |levels| levels.milliseconds * 1_000 / 40),
            Batch::Written { pairing, games, .. } => games * iterations(pairing),
            Batch::Light { games, .. } => games.div_ceil(16),
        }
    }
}
