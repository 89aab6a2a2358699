//! The ladder of levels of games whose levels are known.

use ludwright::language::sources::Sources;
use ludwright::measure::{
    Allowance, Batch, Clauses, CostModel, LevelTrial, Plan, Played, Report, Request, Results,
    TrialResult, Worker,
};
use std::sync::atomic::AtomicBool;

/// The first player chooses one of four sites, and one of them wins: a search of four iterations
/// sees all that there is to see.
const ONE_CHOICE: &str = "(play (turns (choose place))) \
    (end (if (any (and (pieces Stone) a1)) (win A)) (if (any (pieces Stone)) (win B)))";
/// Stones are placed, and a roll decides.
const LUCK: &str = "(play (chance roll) (turns (choose place))) \
    (end (if (= (count (pieces Stone)) 2) (if (= Die 1) (win A) (else (win B)))))";

fn climb(play: &str, seed: u64, milliseconds: u64) -> (Vec<LevelTrial>, String) {
    let text = format!(
        "(game \"Known\" (players A B) (board (square 2)) (piece Stone) (remember Die number)
           (move roll (number n 1 2) (set Die n))
           (move place (to t (empty)) (put Stone t)) {play})"
    );
    let sources = Sources::named("known.game", &text);
    let game = ludwright::load(&sources, &[]).unwrap_or_else(|rejected| panic!("{rejected}"));
    let wishes = Request { games: Some(20), seats: None, seed, limited: false };
    let start = game.begin().expect("a first position");
    let mut plan = Plan::new(&start, &sources, &wishes, &CostModel::of(&game));
    plan.levels = Some(Allowance { milliseconds, ply: 15_000, listing: 0 });
    let (clauses, stop) = (Clauses::of(game.rules()), AtomicBool::new(false));
    let batches = plan.batches();
    let lot = batches.iter().position(|batch| *batch == Batch::Levels).expect("a ladder");
    let mut worker = Worker::new(&plan, &start, &clauses, &stop);
    let played = worker.play(lot, Batch::Levels).expect("not stopped");
    let mut results = Results::new(plan.clone());
    results.add(vec![played]).expect("of the plan");
    let report = Report::new(&game, &sources, &results);
    let note = report.measure("levels").map_or(String::new(), |own| own.notes.join(" "));
    (results.levels().to_vec(), note)
}

fn levels(trials: &[LevelTrial]) -> usize {
    1 + trials.iter().filter(|trial| trial.result == TrialResult::Level).count()
}

#[test]
fn one_choice_makes_one_level_above_random_play() {
    for seed in 1..4 {
        let (trials, note) = climb(ONE_CHOICE, seed, 10_000);
        assert_eq!(levels(&trials), 2, "{trials:?}");
        assert_eq!((trials[0].against, trials[0].iterations), (0, 4));
        // First, it wins; as the second player it wins three games of four.
        let score = trials[0].wins as f64 / trials[0].games as f64;
        assert!(score > 0.75, "{trials:?}");
        let last = trials.last().expect("a trial");
        assert_eq!((last.against, last.iterations, last.wins * 2), (4, 64, last.games));
        assert!(
            note.ends_with("Thinking up to 16 times as long makes no further level."),
            "{note}"
        );
    }
}

#[test]
fn luck_has_one_level() {
    let found: usize = (1..31).map(|seed| levels(&climb(LUCK, seed, 10_000).0) - 1).sum();
    // One of a hundred.
    assert!(found <= 2, "{found} levels in 30 games of luck");
}

#[test]
fn a_ladder_ends_with_its_time() {
    let (whole, _) = climb(ONE_CHOICE, 1, 10_000);
    let (none, note) = climb(ONE_CHOICE, 1, 0);
    assert_eq!((none.len(), none[0].games, none[0].result), (1, 0, TrialResult::Cut));
    assert!(note.contains("there may be more levels"), "{note}");
    let (cut, _) = climb(ONE_CHOICE, 1, 3);
    assert_eq!(cut.last().map(|trial| trial.result), Some(TrialResult::Cut), "{cut:?}");
    assert_eq!(cut[0], whole[0]);
}

#[test]
fn trials_that_are_impossible_are_refused() {
    let text = format!(
        "(game \"Known\" (players A B) (board (square 2)) (piece Stone) (remember Die number)
           (move roll (number n 1 2) (set Die n))
           (move place (to t (empty)) (put Stone t)) {LUCK})"
    );
    let sources = Sources::named("known.game", &text);
    let game = ludwright::load(&sources, &[]).unwrap_or_else(|rejected| panic!("{rejected}"));
    let start = game.begin().expect("a first position");
    let wishes = Request { games: Some(2), seats: None, seed: 1, limited: false };
    let plan = Plan::new(&start, &sources, &wishes, &CostModel::of(&game));
    let lot = plan.batches().iter().position(|batch| *batch == Batch::Levels).expect("a ladder");
    let trial = LevelTrial {
        iterations: 4,
        against: 0,
        wins: 3,
        draws: 1,
        games: 4,
        result: TrialResult::Cut,
        microseconds: 1,
    };
    let add = |trial| {
        let played = Played { levels: vec![trial], ..Played::empty(lot) };
        Results::new(plan.clone()).add(vec![played])
    };
    assert!(add(trial).is_ok());
    for wrong in [LevelTrial { games: 3, ..trial }, LevelTrial { against: 4, ..trial }] {
        assert!(add(wrong).is_err(), "{wrong:?}");
    }
}
