//! The solver stays within its memory budget.

use ludwright::solve::{RanOut, SolveLimits, Unknown, Value, solve};
use std::path::Path;

#[test]
fn memory_is_bounded() {
    let game = ludwright::load_file(Path::new("games/swarm.game"), &[])
        .unwrap_or_else(|error| panic!("{error}"));
    let begun = game.begin().expect("it begins");
    let info = allocation_counter::measure(|| {
        let limits = SolveLimits { memory: 8 << 20, time: None, ..SolveLimits::default() };
        let solution = solve(&begun, &limits, &mut |_| true).expect("rules that come to an end");
        assert_eq!(solution.value, Value::Unknown(Unknown::RanOut(RanOut::Memory)));
        assert!(solution.nodes > 1_000, "{}", solution.nodes);
    });
    assert!(info.bytes_max < 16 << 20, "{} bytes", info.bytes_max);
}
