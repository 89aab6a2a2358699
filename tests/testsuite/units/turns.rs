//! Long turns, turns that cannot be completed, and orders of play that cycle without a ply.

use ludwright::engine::driver::pass_cycles::PassCycles;
use ludwright::engine::game::{JitPolicy, Turn};
use ludwright::language::rules::PlayerId;
use ludwright::load;
use ludwright::syntax::Span;

/// Ten steps of two pieces have more orders than the fuel allows, but lead to only a few
/// thousand positions.
#[test]
fn a_long_turn_is_looked_through() {
    let text = r#"(game "Stroll" (players White Black) (board (square 5)) (piece Man)
        (setup (put Man a1 White) (put Man e5 White) (put Man a5 Black))
        (move step (from s (mine Man)) (to t (and (beside s all) (empty))) (relocate s t))
        (play (turns (steps 10 (choose step) (so-that (none (mine Man))))  (choose step))))"#;
    let game = load(text, &[]).expect("rules");
    let position = game.begin().expect("an end of looking ahead");
    // It is Black's turn: White's ten steps can never be completed and are skipped.
    assert_eq!(position.turn(), Turn::Player(PlayerId(0)));
    assert!(position.legal().iter().all(|ply| position.clone().play(ply).is_ok()));
}

/// A turn as long as the look-ahead limit and a long perft sequence need no more stack than
/// short ones.
#[test]
fn long_turns_are_looked_through_on_a_small_stack() {
    let text = r#"(game "Long" (players White Black) (board (rectangle 2 1)) (piece Stone) (setup (put Stone a1 White))
        (move go (from s (pieces)) (to t (and (beside s) (empty))) (relocate s t))
        (play (turns (steps 1000 (choose go)))))"#;
    let look = move || {
        let game = load(text, &[]).expect("rules");
        let position = game.begin().expect("a first position");
        (position.legal().len(), game.perft(&position, 1200))
    };
    let thread = std::thread::Builder::new().stack_size(1 << 18).spawn(look).expect("a thread");
    assert_eq!(thread.join().expect("an end"), (1, Ok(1)));
}

/// More steps than any turn can have take no more work than as many as the longest turn has.
#[test]
fn steps_that_no_turn_has_cost_nothing() {
    let fuel = |steps: u32, policy: JitPolicy| {
        let text = format!(
            r#"(game "Hops" (players White Black) (board (rectangle 9 3)) (piece Man)
            (setup (put Man (column "a") White) (put Man (column "i") Black) (put Man (sites c1 e1 c2) Black))
            (remember Hopper sites)
            (define Hoppers (if (any Hopper) Hopper (else (mine))))
            (move hop (from s Hoppers)
              (to t (union d (list E W) (when (in (step s d) (theirs)) (and (empty) (step s d 2)))))
              (remove (between s t)) (relocate s t) (set Hopper t))
            (move go (from s (mine)) (to t (and (beside s (list N S E W)) (empty))) (relocate s t))
            (play (turns
              (set Hopper nowhere)
              (steps {steps} (choose hop))
              (set Hopper nowhere)
              (choose go (otherwise (draw))))))"#
        );
        let game = load(text.as_str(), &[]).expect("rules");
        game.set_jit_policy(policy);
        let mut state = game.begin().expect("a first position");
        let mut legal = Vec::new();
        for ply in 0..24 {
            let all = state.legal().to_vec();
            let Some(next) = all.get(ply % all.len().max(1)) else { break };
            let next = next.clone();
            legal.push(all);
            state.play(&next).expect("a legal move");
        }
        (legal, state.fuel_used())
    };
    let (few, many) = (fuel(8, JitPolicy::Never), fuel(900, JitPolicy::Never));
    assert_eq!(few.0, many.0);
    assert!(many.1 <= few.1 + few.1 / 8, "{} {}", few.1, many.1);
    let (few, many) = (fuel(8, JitPolicy::AfterPlies(1)), fuel(900, JitPolicy::AfterPlies(1)));
    assert_eq!(few.0, many.0);
}

/// A turn that neither player can complete makes the order of play cycle.
#[test]
fn turns_that_cannot_be_completed_are_reported() {
    let text = r#"(game "Never" (players White Black) (board (square 4)) (piece Stone)
        (setup (put Stone (row 1) White) (put Stone (row 4) Black))
        (move go (from s (mine)) (to t (and (beside s all) (empty))) (relocate s t))
        (play (turns (steps 1 (choose go) (so-that (none (mine)))))))"#;
    let error = load(text, &[]).err().expect("rules without a first position");
    let column =
        text.lines().nth(3).and_then(|line| line.find("(steps 1")).expect("it is there") + 1;
    assert_eq!((error.line(), error.column()), (Some(4), Some(column)), "{error}");
}

/// Returns after how many passes a cycle of `length` after `before` other positions is found.
fn found(before: i32, length: i32) -> i32 {
    let mut passes = PassCycles::<1>::default();
    let number = |pass: i32| if pass < before { pass } else { before + (pass - before) % length };
    (0..)
        .find(|&pass| passes.cycle((0, &[], &[number(pass)]), Span::default()).is_some())
        .expect("a cycle")
}

#[test]
fn a_cycle_is_found_soon() {
    assert_eq!(found(0, 1), 1);
    for (before, length) in [(0, 2), (3, 1), (5, 7), (100, 1), (0, 1000)] {
        let found = found(before, length);
        assert!(
            (before + length..=4 * (before + length)).contains(&found),
            "{before}, {length}: {found}"
        );
    }
}

#[test]
fn the_first_clause_of_the_cycle_is_blamed() {
    // Clause 0 leads to a cycle of clauses 3, 1 and 2. The passes begin at any of them.
    for begin in 0..4 {
        let mut passes = PassCycles::<1>::default();
        let order = [0, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2].into_iter().skip(begin);
        let clause = |start: usize| Span { start, end: start + 1 };
        let blamed =
            order.filter_map(|at| passes.cycle((at, &[], &[]), clause(usize::from(at)))).next();
        assert_eq!(blamed, Some(clause(1)), "{begin}");
    }
}

#[test]
fn what_differs_in_the_decision_is_no_cycle() {
    let mut passes = PassCycles::<1>::default();
    assert!((0..100).all(|at| passes.cycle((at, &[], &[]), Span::default()).is_none()));
}
