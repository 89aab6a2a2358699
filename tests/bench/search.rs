//! Measures the overhead of tree search over the random games that it plays.

use super::Settings;
use super::games::{load, playouts};
use super::measure::{Pair, pair, rate};
use super::report::Column;
use super::support::files;
use ludwright::random::mix;
use ludwright::search::mcts::MEMORY;
use ludwright::search::{Mcts, SearchLimits};

/// Iterations per search; each search begins with an empty tree.
const ITERATIONS: u64 = 1_000;

const COLUMNS: &[Column] = &[
    Column { key: "iterations/s", digits: 0 },
    Column { key: "games/s", digits: 0 },
    Column { key: "ratio", digits: 3 },
    Column { key: "from", digits: 3 },
    Column { key: "to", digits: 3 },
];

/// Compares searches of each shipped game with random games from the same position, on one thread.
pub fn measure(settings: &Settings) {
    let about = "iterations of tree search, 1,000 from the first position, and random games; medians, and quartiles of the ratio";
    let table = settings.table("search", about, COLUMNS);
    for name in files("games").iter().filter(|name| settings.wants(name)) {
        let game = load(name, &[]);
        let first = game.begin().expect("a first position");
        let mut mcts = Mcts::new(1, MEMORY);
        let limits = SearchLimits { iterations: Some(ITERATIONS), ..SearchLimits::default() };
        let mut number = 0;
        let mut search = || {
            number += 1;
            mcts.clear();
            mcts.think(&first, mix(0, number), &limits, &mut |_| true).expect("an end").iterations
        };
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
    }
}
