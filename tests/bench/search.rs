//! Measures the overhead of tree search over the random games that it plays.

use super::Settings;
use super::games::{load, playouts};
use super::measure::{Pair, pair, rate};
use super::report::Column;
use super::support::files;
use super::threads::searches_on;
use std::time::Duration;

/// The time of each search.
const SEARCH: Duration = Duration::from_millis(50);

const COLUMNS: &[Column] = &[
    Column { key: "iterations/s", digits: 0 },
    Column { key: "games/s", digits: 0 },
    Column { key: "ratio", digits: 3 },
    Column { key: "from", digits: 3 },
    Column { key: "to", digits: 3 },
];

/// Compares searches of each shipped game with random games from the same position, on one thread.
pub fn measure(settings: &Settings) {
    let about = "iterations of tree search, 50 ms each from the first position, and random games; medians, and quartiles of the ratio";
    let table = settings.table("search", about, COLUMNS);
    let mut least = f64::INFINITY;
    for name in files("games").iter().filter(|name| settings.wants(name)) {
        let game = load(name, &[]);
        let first = game.begin().expect("a first position");
        let mut search = searches_on(1, &first, SEARCH);
        let mut playout = playouts(&game);
        let mut game_by_game = || {
            playout();
            1
        };
        let Pair { rates, ratio } = pair(
            settings.seconds,
            |slice| rate(slice, &mut search),
            |slice| rate(slice, &mut game_by_game),
        );
        table.row(name, &[rates[0], rates[1], ratio.median, ratio.low, ratio.high].map(Some));
        least = least.min(ratio.median);
    }
    if least.is_finite() {
        table.verdict("least", least, 0.6, 0.7);
    }
}
