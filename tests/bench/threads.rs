//! Measures the speedup by a second thread.

use super::Settings;
use super::baselines::{Baseline, Kitaran};
use super::games::{load, playouts};
use super::measure::{Pair, geometric_mean, pair, rate};
use super::report::Column;
use super::support::files;
use ludwright::budget::Deadline;
use ludwright::engine::game::State;
use ludwright::learn::{Evaluation, Features};
use ludwright::random::{Random, mix};
use ludwright::search::mcts::MEMORY;
use ludwright::search::{AlphaBeta, Mcts, SearchLimits};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const COLUMNS: &[Column] = &[
    Column { key: "two threads", digits: 0 },
    Column { key: "one thread", digits: 0 },
    Column { key: "ratio", digits: 2 },
    Column { key: "from", digits: 2 },
    Column { key: "to", digits: 2 },
];

const SEARCH_COLUMNS: &[Column] = &[
    Column { key: "two threads", digits: 0 },
    Column { key: "one thread", digits: 0 },
    Column { key: "ratio", digits: 2 },
    Column { key: "from", digits: 2 },
    Column { key: "to", digits: 2 },
    Column { key: "of two apart", digits: 2 },
];

/// The time of each search: as good as a player's, who thinks for a second. The first descents are
/// made one by one, which are an eighth of a search of 50 ms where playouts are long.
const SEARCH: Duration = Duration::from_millis(200);

/// The memory of a search that makes its tables anew, which takes a part of its time.
const SMALL_MEMORY: usize = 8 << 20;

/// A value that shares no cache line with others.
#[repr(align(128))]
struct Apart<T>(T);

/// Returns a function that does work on two threads, which share nothing that is written, for some
/// seconds, and returns the rate of both together.
fn apart<F: FnMut() -> u64 + Send>(work: impl Fn() -> F) -> impl FnMut(f64) -> f64 {
    let mut works = [Apart(work()), Apart(work())];
    move |slice| {
        std::thread::scope(|scope| {
            let threads =
                works.each_mut().map(|work| scope.spawn(move || rate(slice, &mut work.0)));
            threads.map(|thread| thread.join().expect("a thread")).iter().sum()
        })
    }
}

/// Compares work on two threads with the same work on one.
fn on_two<F: FnMut() -> u64 + Send>(seconds: f64, work: impl Fn() -> F) -> Pair {
    let mut single = Apart(work());
    pair(seconds, apart(work), |slice| rate(slice, &mut single.0))
}

/// Random games of a program that shares no memory: the speedup that the machine allows.
fn by_hand() -> impl FnMut() -> u64 + Send {
    let mut past = Default::default();
    let mut number = 0;
    move || {
        number += 1;
        u64::from(Kitaran::<5>::playout(&mut Random::new(mix(0, number)), &mut past).plies)
    }
}

/// Compares random games of each shipped game on two threads and on one.
pub fn measure(settings: &Settings) {
    let about = "plies a second in random games; medians, and quartiles of the ratio";
    let table = settings.table("threads", about, COLUMNS);
    let mut ratios = Vec::new();
    let row = |name: &str, Pair { rates, ratio }: &Pair| {
        table.row(name, &[rates[0], rates[1], ratio.median, ratio.low, ratio.high].map(Some));
    };
    for name in files("games").iter().filter(|name| settings.wants(name)) {
        let game = load(name, &[]);
        let pair = on_two(settings.seconds, || playouts(&game));
        row(name, &pair);
        ratios.push(pair.ratio.median);
    }
    if !ratios.is_empty() {
        row("kitaran, written by hand", &on_two(settings.seconds, by_hand));
        table.verdict("geometric mean, interpreter", geometric_mean(&ratios), 1.8, 1.95);
    }
}

/// Returns a function that searches from a position for some time and returns the iterations made.
/// Each search begins with an empty tree.
pub fn searches_on(threads: usize, first: &State, time: Duration) -> impl FnMut() -> u64 + '_ {
    let mut mcts = Mcts::new(threads, MEMORY);
    let mut number = 0;
    move || {
        number += 1;
        mcts.clear();
        let deadline = Deadline::after(Some(time));
        let limits = SearchLimits { deadline, ..SearchLimits::default() };
        let thinking = mcts.think(first, mix(0, number), &limits, &mut |_| true);
        thinking.expect("rules that end").iterations
    }
}

/// As [`searches_on`], by alpha-beta with random weights: returns the positions.
fn depths_on(threads: usize, first: &State, time: Duration) -> impl FnMut() -> u64 + '_ {
    let features = Arc::new(Features::new(first.game()));
    let weight = |index: usize| (mix(7, index as u64) as u32 as f32 / u32::MAX as f32 - 0.5) / 10.0;
    let weights = (0..features.all_weights()).map(weight).collect();
    let evaluation = Arc::new(Evaluation::new(features, weights));
    let mut number = 0;
    move || {
        number += 1;
        let mut search = AlphaBeta::new(Arc::clone(&evaluation), SMALL_MEMORY);
        let deadline = Deadline::after(Some(time));
        let limits = SearchLimits { deadline, ..SearchLimits::default() };
        let ended = AtomicBool::new(false);
        let thinking = search.think_on(threads, first, mix(0, number), &limits, &ended);
        thinking.expect("rules that end").iterations
    }
}

/// Compares searches by alpha-beta of each shipped game with a helper and without.
pub fn depths(settings: &Settings) {
    let about = "positions a second of alpha-beta from the first position, 200 ms each; medians, and quartiles of the ratio";
    let table = settings.table("alpha-beta-threads", about, COLUMNS);
    let mut ratios = Vec::new();
    for name in files("games").iter().filter(|name| settings.wants(name)) {
        let first = load(name, &[]).begin().expect("a first position");
        let [mut two, mut one] = [2, 1].map(|threads| depths_on(threads, &first, SEARCH));
        let Pair { rates, ratio } =
            pair(settings.seconds, |slice| rate(slice, &mut two), |slice| rate(slice, &mut one));
        table.row(name, &[rates[0], rates[1], ratio.median, ratio.low, ratio.high].map(Some));
        ratios.push(ratio.median);
    }
    if !ratios.is_empty() {
        table.verdict("geometric mean", geometric_mean(&ratios), 1.6, 1.8);
    }
}

/// Compares tree searches of each shipped game on two threads and on one, and with two searches
/// that know nothing of each other: what the machine allows, which may be far from twice as much
/// where a second thread takes power or memory away from the first.
pub fn searches(settings: &Settings) {
    let about = "iterations a second of tree search from the first position, 200 ms each; medians, quartiles of the ratio, and the share of what two searches apart make";
    let table = settings.table("search-threads", about, SEARCH_COLUMNS);
    let (mut ratios, mut shares) = (Vec::new(), Vec::new());
    for name in files("games").iter().filter(|name| settings.wants(name)) {
        let first = load(name, &[]).begin().expect("a first position");
        let [mut two, mut one] = [2, 1].map(|threads| searches_on(threads, &first, SEARCH));
        let mut together = |slice| rate(slice, &mut two);
        let Pair { rates, ratio } =
            pair(settings.seconds, &mut together, |slice| rate(slice, &mut one));
        let share =
            pair(settings.seconds, together, apart(|| searches_on(1, &first, SEARCH))).ratio.median;
        let values = [rates[0], rates[1], ratio.median, ratio.low, ratio.high, share];
        table.row(name, &values.map(Some));
        ratios.push(ratio.median);
        shares.push(share);
    }
    if !ratios.is_empty() {
        table.verdict("geometric mean", geometric_mean(&ratios), 1.6, 1.8);
        table.verdict("geometric mean, of two apart", geometric_mean(&shares), 0.8, 0.9);
    }
}
