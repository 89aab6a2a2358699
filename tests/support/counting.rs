//! How often the heap is asked, counted on the thread at hand.

use allocation_counter::measure;
use ludwright::engine::game::Game;
use ludwright::random::mix;

/// Counts the allocations for each ply of random games, after some that warm up.
pub fn playouts_by_ply(game: &Game, cap: u32) -> f64 {
    const WARM_UP: u64 = 20;
    let mut source = game.playouts(&game.begin().expect("a first position"));
    let mut plies = 0;
    let mut play = |numbers: std::ops::Range<u64>| {
        numbers.for_each(|number| plies += u64::from(source.play(mix(0, number), cap).expect("an end").plies));
    };
    play(0..WARM_UP);
    let allocations = measure(|| play(0..2 * WARM_UP)).count_total;
    allocations as f64 / plies as f64
}

/// Counts the allocations for each ply that a deeper count makes more than a less deep one, which warms up as much.
pub fn perft_by_ply(game: &Game) -> f64 {
    let start = game.begin().expect("a first position");
    let mut counted = [(0, 0); 2];
    for (depth, counted) in (2..).zip(&mut counted) {
        counted.1 = measure(|| counted.0 = game.perft(&start, depth).expect("an end")).count_total;
    }
    let [(fewer, before), (more, after)] = counted;
    after.saturating_sub(before) as f64 / more.saturating_sub(fewer).max(1) as f64
}
