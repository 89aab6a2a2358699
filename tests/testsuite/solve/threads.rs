//! Proof search on several threads.

use super::*;

/// A file, its options, and how many plies are played before.
type Small = (&'static str, &'static [(&'static str, &'static str)], usize);

/// Values do not depend on the number of threads, nor do those of the first moves as far as they are
/// known.
#[test]
fn values_do_not_depend_on_the_number_of_threads() {
    let small: [Small; 5] = [
        ("games/kitaran.game", &[("Size", "3")], 0),
        ("games/cicada.game", &[("Size", "4")], 5),
        ("tests/games/dodgem.game", &[], 0),
        ("tests/games/hex.game", &[("Size", "4")], 2),
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
            prove(&start, &limits, &mut |_| true).expect("rules that come to an end")
        };
        let alone = of(1);
        assert!(!matches!(alone.value, Value::Unknown(_)), "{file}");
        searched_by_many += u32::from(alone.nodes > 2_000);
        for threads in [2, 3, 8] {
            let solution = of(threads);
            assert_eq!(solution.value, alone.value, "{file}, {threads} threads");
            assert!(solution.optimal().next().is_some(), "{file}, {threads} threads");
            for (one, other) in solution.first.iter().zip(&alone.first) {
                let is_known = |first: &FirstMove| !matches!(first.value, Value::Unknown(_));
                let differ = is_known(one) && is_known(other) && one.value != other.value;
                let ply = spell(game.rules(), &one.ply);
                assert!(!differ, "{file}, {threads} threads, {ply}: {:?}", [one, other]);
            }
        }
    }
    assert!(searched_by_many > 1, "most were too small for several threads");
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
