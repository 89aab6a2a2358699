//! Counts the heap allocations of the current thread.

use allocation_counter::measure;
use ludwright::engine::game::Game;
use ludwright::random::mix;

/// Number of allocations during a number of plies.
#[derive(Clone, Copy, Debug)]
pub struct Allocations {
    pub allocations: u64,
    pub plies: u64,
}

impl Allocations {
    #[allow(dead_code, reason = "the test looks at the numbers themselves")]
    pub fn by_ply(self) -> f64 {
        self.allocations as f64 / self.plies as f64
    }
}

/// Counts the allocations of random games that were already played once.
pub fn in_playouts(game: &Game, cap: u32) -> Allocations {
    const GAMES: u64 = 20;
    let mut source = game.playouts(&game.begin().expect("a first position"));
    let mut play = || {
        (0..GAMES)
            .map(|number| u64::from(source.play(mix(0, number), cap).expect("an end").plies))
            .sum()
    };
    let warm_up: u64 = play();
    let mut plies = 0;
    let allocations = measure(|| plies = play()).count_total;
    assert_eq!(plies, warm_up);
    Allocations { allocations, plies }
}

/// Counts the additional allocations of perft one ply deeper, at the first depth that adds many
/// sequences.
pub fn in_perft(game: &Game) -> Allocations {
    const MANY: u64 = 5_000;
    let start = game.begin().expect("a first position");
    // Triggers the compilation of the functions for counting.
    game.perft(&start, 2).expect("an end");
    let mut before = Allocations { allocations: 0, plies: 0 };
    for depth in 1.. {
        let mut plies = 0;
        let allocations =
            measure(|| plies = game.perft(&start, depth).expect("an end")).count_total;
        if plies > before.plies + MANY && depth > 1 {
            return Allocations {
                allocations: allocations.saturating_sub(before.allocations),
                plies: plies - before.plies,
            };
        }
        before = Allocations { allocations, plies };
    }
    before
}
