//! What a second thread adds.

use super::Settings;
use super::games::{load, playouts};
use super::measure::{Pair, geometric_mean, pair, rate};
use super::report::Column;
use super::support::files;

const COLUMNS: &[Column] = &[
    Column { key: "two threads", digits: 0 },
    Column { key: "one thread", digits: 0 },
    Column { key: "ratio", digits: 2 },
    Column { key: "from", digits: 2 },
    Column { key: "to", digits: 2 },
];

/// Measures random games of each shipped game on two threads and on one.
pub fn measure(settings: &Settings) {
    let about = "plies a second in random games; medians, and quartiles of the ratio";
    let table = settings.table("threads", about, COLUMNS);
    let mut ratios = Vec::new();
    for name in files("games").iter().filter(|name| settings.wants(name)) {
        let game = load(name, &[]);
        let mut sources = [playouts(&game), playouts(&game)];
        let mut single = playouts(&game);
        let two = |slice: f64| {
            std::thread::scope(|scope| {
                let threads: Vec<_> = sources.iter_mut().map(|source| scope.spawn(move || rate(slice, source))).collect();
                threads.into_iter().map(|thread| thread.join().expect("a thread")).sum()
            })
        };
        let Pair { rates, ratio } = pair(settings.seconds, two, |slice| rate(slice, &mut single));
        table.row(name, &[rates[0], rates[1], ratio.median, ratio.low, ratio.high].map(Some));
        ratios.push(ratio.median);
    }
    if !ratios.is_empty() {
        table.verdict("geometric mean", geometric_mean(&ratios), 1.8, 1.95);
    }
}
