//! Time limits hold however expensive a ply is, and limits in games or iterations do not depend on
//! the clock.
//!
//! The bounds are generous: without the limit, this game takes minutes longer.

use crate::support::{Variant, files, load};
use ludwright::budget::Deadline;
use ludwright::claims;
use ludwright::compare::{self, Names, compare};
use ludwright::engine::game::{CodeQuality, Game};
use ludwright::language::sources::Sources;
use ludwright::measure::{CostModel, Plan, Request, play};
use ludwright::random::mix;
use ludwright::search::{Mcts, PlayerKind, SearchLimits};
use ludwright::solve::{RanOut, SolveLimits, Unknown, Value, solve};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// After every ply, a loop over all pairs of 961 sites: nearly a million iterations.
const EXPENSIVE: &str = r#"(game "Dear" (players White Black) (board (square 31)) (piece Stone)
  (move drop (to t (empty)) (put Stone t))
  (play (turns (choose drop)))
  (end (for a everywhere (for b everywhere
    (if (and (in a (mine)) (in b (theirs)) (in (step a N) (mine)) (in (step b N) (mine))) (win White)))))
  (claim "It never ends in a draw." (never-draws))
  (claim "White wins." (wins White))
  (claim "White is ahead." (scores-above White 10)))"#;

/// Time limit of the tested functions.
const TIME: Duration = Duration::from_millis(300);
/// Allowance for load and debug builds.
const GENEROUS: Duration = Duration::from_secs(15);

fn expensive() -> Game {
    ludwright::load(EXPENSIVE, &[]).expect("it is a game")
}

fn within<R>(what: &str, most: Duration, work: impl FnOnce() -> R) -> R {
    let began = Instant::now();
    let done = work();
    let took = began.elapsed();
    assert!(took < most, "{what} took {took:?}");
    done
}

#[test]
fn solving_stops_in_time() {
    let start = expensive().begin().expect("a first position");
    for symmetric in [false, true] {
        let limits = SolveLimits {
            memory: 100 << 20,
            time: Some(TIME),
            symmetric,
            ..SolveLimits::default()
        };
        let solution = within("solving", GENEROUS, || solve(&start, &limits, &mut |_| true))
            .expect("it has an end");
        assert_eq!(solution.value, Value::Unknown(Unknown::RanOut(RanOut::Time)));
    }
    let mut asked = 0;
    let mut impatient = |_: &_| {
        asked += 1;
        asked < 3
    };
    let limits = SolveLimits { time: None, ..SolveLimits::default() };
    let solution = within("asking", GENEROUS, || solve(&start, &limits, &mut impatient))
        .expect("it has an end");
    assert_eq!(solution.value, Value::Unknown(Unknown::RanOut(RanOut::Cancelled)));
}

#[test]
fn searching_stops_in_time() {
    let start = expensive().begin().expect("a first position");
    let limits = SearchLimits { deadline: Deadline::after(Some(TIME)), ..SearchLimits::default() };
    let thinking = within("thinking", GENEROUS, || {
        Mcts::new(2, 1 << 20).think(&start, 1, &limits, &mut |_| true)
    })
    .expect("it has an end");
    assert!(!thinking.plies.is_empty(), "the first ply is known however short the time");
    let stop = AtomicBool::new(false);
    let limits =
        SearchLimits { stop: Some(&stop), iterations: Some(1_000_000), ..SearchLimits::default() };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(TIME);
            stop.store(true, Ordering::Relaxed);
        });
        within("thinking until told", GENEROUS, || {
            Mcts::new(1, 1 << 20).think(&start, 1, &limits, &mut |_| true)
        })
        .expect("it has an end");
    });
}

#[test]
fn comparing_stops_in_time() {
    let (left, right) = (expensive(), expensive());
    let names = Names::new(left.rules(), right.rules(), &[]).expect("the same names");
    let limits = compare::CompareLimits { time: Some(TIME), ..compare::CompareLimits::default() };
    let compared =
        within("comparing", GENEROUS, || compare(&left, &right, &names, &limits, &mut |_| {}))
            .expect("they have an end");
    assert!(compared.difference.is_none() && compared.short.is_some());
}

#[test]
fn claims_are_decided_in_time() {
    let limits =
        claims::ClaimLimits { time: Some(TIME), threads: 2, ..claims::ClaimLimits::default() };
    let mut count = 0;
    within("claims", 3 * GENEROUS, || {
        claims::decide(&Sources::from(EXPENSIVE), &[], &limits, &mut |_| count += 1)
    });
    assert_eq!(count, 3);
}

#[test]
fn a_playtest_stops_within_a_game() {
    let game = expensive();
    let start = game.begin().expect("a first position");
    let seats = Some(vec![PlayerKind::Iterations(100), PlayerKind::Random]);
    let effort = within("looking at a game", 2 * GENEROUS, || CostModel::of(&game));
    for seats in [None, seats] {
        let plan = Plan::new(
            &start,
            &Sources::from(EXPENSIVE),
            &Request { games: Some(2), seats, seed: 1, limited: false },
            &effort,
        );
        let lots: Vec<_> = plan.batches().into_iter().enumerate().collect();
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(TIME);
                stop.store(true, Ordering::Relaxed);
            });
            within("a playtest", GENEROUS, || play(&plan, &start, &lots, 2, &stop, &mut |_| {}));
        });
    }
}

#[test]
fn commands_stop_in_time() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("limits");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("dear.game"), EXPENSIVE).expect("a file");
    for arguments in [
        &["bench", "dear.game", "--seconds", "0.3"][..],
        &["solve", "dear.game", "--time", "300ms", "--memory", "100MB"],
        &["diff", "dear.game", "dear.game", "--time", "300ms"],
        &["check", "dear.game"],
        &["check", "--deep", "dear.game"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
        let output = within(&arguments.join(" "), 4 * GENEROUS, || {
            command.current_dir(&folder).args(arguments).output().expect("the binary")
        });
        assert!(
            matches!(output.status.code(), Some(0 | 3)),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// A playout with a stop callback runs in slices, with the same result as one without.
#[test]
fn watched_playouts_are_the_same() {
    let both = ["games", "tests/games"]
        .map(|folder| files(folder).into_iter().map(move |name| (folder, name)));
    for (folder, name) in both.into_iter().flatten() {
        let game = load(&Variant { name: name.clone(), options: Vec::new(), plies: 0 });
        // Machine code of the shipped games only: making it takes most of the time.
        let jit: &[bool] = if folder == "games" { &[false, true] } else { &[false] };
        for &jit in jit {
            if jit {
                game.set_code_quality(CodeQuality::Quick);
                game.jit_compile();
            }
            let start = game.begin().expect("a first position");
            let (mut alone, mut watched) = (game.playouts(&start), game.playouts(&start));
            for number in 0..6 {
                let (seed, cap) = (mix(7, number), if number % 2 == 0 { 2_000 } else { 45 });
                let expected = alone.play(seed, cap).expect("it has an end");
                // A slow callback makes the slices as short as a ply (45 of them).
                let mut slow = || {
                    if number == 1 {
                        std::thread::sleep(Duration::from_micros(1100));
                    }
                    false
                };
                assert_eq!(
                    watched.play_until(seed, cap, &mut slow).expect("it has an end"),
                    expected,
                    "{name}"
                );
                assert_eq!(watched.position(), alone.position(), "{name}");
            }
        }
    }
}

/// Regions and conditions of thousands of parts, each a walk of its own, are compiled or refused;
/// the stack of a thread has room for both.
#[test]
fn thousands_of_parts_need_no_deeper_stack_than_a_few() {
    const WAYS: [&str; 8] = ["N", "E", "S", "W", "NE", "SE", "SW", "NW"];
    let walk = |mut number: usize| {
        let mut site = String::from("s");
        loop {
            site = format!("(step {site} {})", WAYS[number % 8]);
            number /= 8;
            if number == 0 {
                return site;
            }
        }
    };
    let parts = |of: fn(String) -> String| -> String {
        (0..3000).map(|number| format!(" {}", of(walk(number)))).collect()
    };
    let in_theirs = parts(|site| format!("(in {site} (theirs))"));
    let not_in_theirs = parts(|site| format!("(not (in {site} (theirs)))"));
    let choices = [
        format!("(to t (or{}))", parts(|site| site)),
        format!("(to t (and (empty){}))", parts(|site| format!("(not {site})"))),
        format!("(to t (empty)) (require (or{in_theirs}))"),
        format!("(to t (empty)) (require (and{not_in_theirs}))"),
    ];
    for choice in choices {
        let text = format!(
            "(game \"Many\" (players A B) (board (square 12)) (piece P)
              (setup (put P (row 1) A) (put P (row 12) B))
              (move m (from s (mine)) {choice} (relocate s t))
              (play (turns (choose m (otherwise (draw))))) (repetition 3 (draw)))"
        );
        if let Err(refused) = ludwright::load(text.as_str(), &[]) {
            assert!(refused.to_string().contains("too large"), "{refused}");
        }
    }
}
