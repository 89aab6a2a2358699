//! Measures heap allocations per ply of random play and counting after warm-up.

use super::Settings;
use super::baselines::CAP;
use super::counting::{in_perft, in_playouts};
use super::games::{all, load};
use super::report::Column;

const COLUMNS: &[Column] =
    &[Column { key: "playouts", digits: 3 }, Column { key: "perft", digits: 3 }];

/// Counts allocations in every game.
pub fn measure(settings: &Settings) {
    let table =
        settings.table("allocations", "heap allocations for each ply, after warming up", COLUMNS);
    let mut most: f64 = 0.0;
    for name in all().iter().filter(|name| settings.wants(name)) {
        let game = load(name, &[]);
        let counts = [in_playouts(&game, CAP), in_perft(&game)].map(|counted| counted.by_ply());
        table.row(name, &counts.map(Some));
        most = counts.into_iter().fold(most, f64::max);
    }
    table.verdict("most", most, 0.0, 0.0);
}
