//! Proof search on several threads.

use super::*;

/// A file, its options, and how many plies are played before.
type Small = (&'static str, &'static [(&'static str, &'static str)], usize);

/// Nothing of an answer but its time depends on the number of threads: not the value, the first
/// moves and the line, and not the number of positions. Some of the games go round, one is misère.
#[test]
fn nothing_depends_on_the_number_of_threads() {
    let small: [Small; 7] = [
        ("games/kitaran.game", &[("Size", "3")], 0),
        ("tests/games/connect-four.game", &[("Columns", "4"), ("Rows", "4")], 0),
        ("tests/games/dodgem.game", &[], 0),
        ("tests/games/misere-tic-tac-toe.game", &[], 0),
        ("tests/games/hex.game", &[("Size", "4")], 2),
        ("tests/games/hex.game", &[("Size", "4")], 3),
        ("tests/games/tic-tac-toe.game", &[], 0),
    ];
    let mut searched_by_many = 0;
    for (file, choices, plies) in small {
        let game = game(file, choices);
        let mut start = game.begin().expect("it begins");
        for _ in 0..plies {
            let ply = start.candidates().into_iter().next().expect("a ply");
            start.play_packed(ply).expect("a legal ply");
        }
        let of = |threads: usize| {
            let limits = SolveLimits { threads, time: None, ..SolveLimits::default() };
            let solution = prove(&start, &limits, &mut |_| true);
            Solution { seconds: 0.0, ..solution.expect("rules that come to an end") }
        };
        let alone = of(1);
        assert!(!matches!(alone.value, Value::Unknown(_)), "{file}");
        searched_by_many += u32::from(alone.nodes > 1 << 12);
        for threads in [2, 3] {
            assert_eq!(of(threads), alone, "{file}, {threads} threads");
        }
        let explored = solve(&start, &SolveLimits::default(), &mut |_| true);
        assert_eq!(explored.expect("rules that come to an end").value, alone.value, "{file}");
    }
    assert!(searched_by_many > 1, "most were too small for helpers");
}

/// With a limit of positions, the whole answer is the same on any number of threads.
#[test]
fn with_a_limit_of_positions_nothing_depends_on_threads() {
    let game = game("tests/games/hex.game", &[("Size", "4")]);
    let start = game.begin().expect("it begins");
    let of = |threads: usize| {
        let limits =
            SolveLimits { threads, positions: Some(4_000), time: None, ..SolveLimits::default() };
        let solution = prove(&start, &limits, &mut |_| true).expect("rules that come to an end");
        Solution { seconds: 0.0, ..solution }
    };
    assert_eq!(of(4), of(1));
}
