//! Measures how the cost of a ply grows with the board.

use super::Settings;
use super::games::{load, playouts, variant};
use super::measure::median_rate;
use super::report::Column;

const COLUMNS: &[Column] = &[
    Column { key: "ns/ply", digits: 1 },
    Column { key: "sites", digits: 0 },
    Column { key: "words", digits: 0 },
    Column { key: "ns/ply/word", digits: 1 },
    Column { key: "ns/ply/site", digits: 2 },
];

/// Measures random games on boards of many sizes.
pub fn measure(settings: &Settings) {
    let table = settings.table(
        "growth",
        "what a ply of a random game costs, by the size of the board and the words of a set of its sites",
        COLUMNS,
    );
    let sized = |name: &'static str, key: &'static str, sizes: &mut dyn Iterator<Item = u32>| {
        sizes.map(|size| (name, vec![(key, size.to_string())])).collect::<Vec<_>>()
    };
    let mut variants = sized("kitaran", "Size", &mut (3..=9));
    for grid in ["hex", "square", "diagonal"] {
        let situ = sized("double-move-situ", "Order", &mut (2..=7)).into_iter();
        variants.extend(
            situ.map(|(name, order)| (name, [vec![("Grid", grid.to_owned())], order].concat())),
        );
    }
    variants.extend(sized("hex", "Size", &mut (5..=19).step_by(2)));
    for (name, options) in variants.into_iter().filter(|(name, _)| settings.wants(name)) {
        let game = load(name, &options);
        let board = &game.rules().board;
        let (sites, words) = (board.len() as f64, board.slots().div_ceil(64) as f64);
        let cost = 1e9 / median_rate(settings.seconds / 2.0, playouts(&game));
        table.row(
            &variant(name, &options).to_string(),
            &[cost, sites, words, cost / words, cost / sites].map(Some),
        );
    }
}
