//! Compares the engine with programs written by hand.

use super::Settings;
use super::baselines::{Baseline, Breakthrough, CAP, Cicada, ConnectFour, Kitaran, Lichen, List};
use super::games::{load, playouts as interpreted};
use super::measure::{Pair, geometric_mean, pair, rate};
use super::report::{Column, Table};
use ludwright::random::{Random, mix};

/// A game with its baseline.
struct BaselineGame {
    name: &'static str,
    playouts: fn(&'static str, f64) -> Pair,
    perft: fn(&'static str, u32, f64) -> Pair,
    /// Perft depth: some millions of sequences.
    depth: u32,
}

const RIVALS: &[BaselineGame] = &[
    BaselineGame {
        name: "kitaran",
        playouts: playouts_of::<Kitaran<5>>,
        perft: perft_of::<Kitaran<5>>,
        depth: 5,
    },
    BaselineGame {
        name: "cicada",
        playouts: playouts_of::<Cicada>,
        perft: perft_of::<Cicada>,
        depth: 5,
    },
    BaselineGame {
        name: "lichen-chess",
        playouts: playouts_of::<Lichen>,
        perft: perft_of::<Lichen>,
        depth: 5,
    },
    BaselineGame {
        name: "breakthrough",
        playouts: playouts_of::<Breakthrough>,
        perft: perft_of::<Breakthrough>,
        depth: 5,
    },
    BaselineGame {
        name: "connect-four",
        playouts: playouts_of::<ConnectFour>,
        perft: perft_of::<ConnectFour>,
        depth: 8,
    },
];

fn playouts_of<B: Baseline>(name: &'static str, seconds: f64) -> Pair {
    let game = load(name, &[]);
    let mut ours = interpreted(&game);
    let mut past = B::Past::default();
    let mut number = 0;
    let mut theirs = || {
        number += 1;
        u64::from(B::playout(&mut Random::new(mix(0, number)), &mut past).plies)
    };
    pair(seconds, |slice| rate(slice, &mut ours), |slice| rate(slice, &mut theirs))
}

fn perft_of<B: Baseline>(name: &'static str, depth: u32, seconds: f64) -> Pair {
    let game = load(name, &[]);
    let start = game.begin().expect("a first position");
    let mut lists: Vec<List> = (0..depth).map(|_| List::default()).collect();
    let mut past = B::Past::default();
    let mut ours = || game.perft(&start, depth).expect("an end");
    let mut theirs = || B::start().perft(depth, &mut lists, &mut past);
    pair(seconds, |slice| rate(slice, &mut ours), |slice| rate(slice, &mut theirs))
}

const COLUMNS: &[Column] = &[
    Column { key: "interpreter", digits: 0 },
    Column { key: "baseline", digits: 0 },
    Column { key: "ratio", digits: 2 },
    Column { key: "from", digits: 2 },
    Column { key: "to", digits: 2 },
];

/// Measures the selected games and returns their ratios.
fn compare(
    settings: &Settings,
    table: &Table,
    measure: impl Fn(&BaselineGame) -> Pair,
) -> Vec<f64> {
    let mut ratios = Vec::new();
    for rival in RIVALS.iter().filter(|rival| settings.wants(rival.name)) {
        let Pair { rates, ratio } = measure(rival);
        table.row(rival.name, &[rates[0], rates[1], ratio.median, ratio.low, ratio.high].map(Some));
        ratios.push(ratio.median);
    }
    if !ratios.is_empty() {
        table.verdict("geometric mean", geometric_mean(&ratios), 0.6, 1.5);
    }
    ratios
}

/// Compares random games.
pub fn playouts(settings: &Settings) {
    let about = format!(
        "plies a second in uniformly random games of at most {CAP} plies; medians, and quartiles of the ratio"
    );
    let table = settings.table("playouts", &about, COLUMNS);
    let ratios = compare(settings, &table, |rival| (rival.playouts)(rival.name, settings.seconds));
    if let Some(worst) = ratios.into_iter().reduce(f64::min) {
        table.verdict("worst", worst, 0.3, 1.0);
    }
}

/// Compares perft.
pub fn perft(settings: &Settings) {
    let about = "sequences of plies counted a second, the last ply not listed; medians, and quartiles of the ratio";
    let table = settings.table("perft", about, COLUMNS);
    compare(settings, &table, |rival| (rival.perft)(rival.name, rival.depth, settings.seconds));
}
