//! Parts of computer players and of the solver: their names, tables and threads.

use crate::support::rules_file;
use ludwright::language::rules::PlayerId;
use ludwright::load_file;
use ludwright::search::history::PlyHistory;
use ludwright::search::player::{KINDS, PlayerKind};
use ludwright::search::table::{Bound, EvaluationCache, TranspositionTable};
use ludwright::search::window::Window;
use ludwright::solve::proof_table::{FIRST, Proven, Table};
use ludwright::solve::tags::Tag;
use std::time::Duration;

#[test]
fn reads_what_it_writes() {
    for text in KINDS.into_iter().chain(["mcts:1500ms", "strong:1500ms"]) {
        assert_eq!(text.parse::<PlayerKind>().map(|kind| kind.to_string()), Ok(text.to_owned()));
    }
    assert_eq!("mcts:0.5s".parse(), Ok(PlayerKind::Time(Duration::from_millis(500))));
}

#[test]
fn says_what_was_expected() {
    for (expected, texts) in [
        (
            "a time or a number of iterations, such as",
            &[
                "mcts",
                "mcts:",
                "mcts:-1s",
                "mcts:infs",
                "mcts:nans",
                "mcts:s",
                "mcts:it",
                "mcts:2000",
            ][..],
        ),
        (
            "a time from 1ms to 86400s",
            &["mcts:0s", "mcts:0ms", "mcts:0.1ms", "mcts:1e9s", "mcts:99999999999s"],
        ),
        (
            "a whole number of iterations from 1 to 18446744073709551615",
            &["mcts:0it", "mcts:1.5it", "mcts:18446744073709551616it"],
        ),
    ] {
        for text in texts {
            let message = text.parse::<PlayerKind>().expect_err(text);
            assert!(message.starts_with(&format!("expected `mcts:` and {expected}")), "{message}");
        }
    }
    assert_eq!(
        "gredy".parse::<PlayerKind>(),
        Err("expected `human`, `random`, `greedy`, `learned`, `mcts:1s`, `mcts:2000it` or `strong:1s`, found `gredy`; did you mean `greedy`?".to_owned())
    );
}

#[test]
fn keep_what_was_stored_last() {
    let table = TranspositionTable::new(0);
    table.insert(1, 5, 3, Bound::Lower, 70_000);
    let known = table.get(1).expect("it was stored");
    assert_eq!((known.value, known.depth, known.bound), (5, 3, Bound::Lower));
    assert_eq!(known.place, u16::MAX);
    table.insert(1 + 1_024, 6, 1, Bound::Exact, 2);
    assert!(table.get(1).is_none());
    let cache = EvaluationCache::new(0);
    assert_eq!((cache.get(0), cache.get(9)), (None, None));
    cache.insert(9, -4);
    assert_eq!(cache.get(9), Some(-4));
}

/// An entry that two threads write at once is lost, or is one of the two.
#[test]
fn tables_do_not_mix_up_what_threads_write() {
    let (table, cache) = (TranspositionTable::new(0), EvaluationCache::new(0));
    let hashes = || (1..=64).flat_map(|high| [3, 5].map(|low| high << 40 | low));
    let value = |hash: u64| (hash >> 40) as i32 * 100_003;
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for hash in (0..2_000).flat_map(|_| hashes()) {
                    table.insert(hash, value(hash), hash as i32, Bound::Upper, hash as usize & 7);
                    cache.insert(hash, -value(hash));
                    if let Some(known) = table.get(hash) {
                        let place = (hash & 7) as u16;
                        assert_eq!((known.value, known.place), (value(hash), place));
                    }
                    assert!(cache.get(hash).is_none_or(|known| known == -value(hash)));
                }
            });
        }
    });
    let kept = hashes().filter(|&hash| table.get(hash).is_some() && cache.get(hash).is_some());
    assert!((1..=2).contains(&kept.count()));
}

#[test]
fn tasks_run_once_each_and_are_finished_in_order() {
    for workers in 0..3 {
        let window = Window::new((0..4).map(|_| 0u64));
        let mut results = Vec::new();
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| window.work(|task| *task += 1_000_000));
            }
            let mut published = 0;
            for number in 0..1000 {
                while published < 1000 && published - number < 4 {
                    window.publish(|task| *task = published);
                    published += 1;
                }
                window.finish(number, |task| *task += 1_000_000);
                results.push(window.end(number, |task| *task));
            }
            window.close();
        });
        assert_eq!(results, (1_000_000..1_001_000).collect::<Vec<_>>(), "{workers} workers");
    }
}

/// Returns what a table knows of a player's win.
fn wins(table: &Table, tag: Tag, player: PlayerId) -> Option<bool> {
    Some(table.look(tag, player)?.is_win_of(player))
}

#[test]
fn what_took_more_work_stays() {
    let table = Table::new(1 << 6).expect("memory");
    let (first, second) = (PlayerId(0), PlayerId(1));
    for number in 1..=4 {
        table.keep(Tag::new(number, 0), Proven::Wins(first), 1 << (2 * number));
    }
    table.keep(Tag::new(5, 0), Proven::Not(second), 1 << 6);
    let known =
        |number: u64| [first, second].map(|player| wins(&table, Tag::new(number, 0), player));
    assert_eq!(known(1), [None, None]);
    assert_eq!(known(2), [Some(true), Some(false)]);
    assert_eq!(known(5), [None, Some(false)]);
    assert_eq!(table.work(Tag::new(4, 0)), Some(9));
}

#[test]
fn little_is_forgotten_while_it_grows() {
    let mut table = Table::new(1 << 20).expect("memory");
    let (first, second) = (PlayerId(0), PlayerId(1));
    let tag = |number: u64| Tag::new(number, 7 << 10);
    for number in 0..20_000 {
        if table.keep(tag(number), Proven::Wins(PlayerId(number as u16 % 2)), number) {
            table.grow();
        }
    }
    assert!(table.buckets > FIRST && table.buckets <= table.most);
    let kept = (0..20_000)
        .filter(|&number| wins(&table, tag(number), first) == Some(number % 2 == 0))
        .count();
    let wrong = (0..20_000)
        .filter(|&number| wins(&table, tag(number), second) == Some(number % 2 == 0))
        .count();
    // Full buckets lose an entry now and then.
    assert!(kept > 18_000 && wrong == 0, "{kept}");
    assert_eq!(table.entries(), kept);
}

#[test]
fn what_is_proven_of_both_adds_up() {
    let table = Table::new(1 << 10).expect("memory");
    let tag = Tag::new(1, 2 << 10);
    table.keep(tag, Proven::Not(PlayerId(0)), 1);
    table.keep(tag, Proven::Not(PlayerId(1)), 1);
    assert_eq!(
        [0, 1].map(|player| wins(&table, tag, PlayerId(player))),
        [Some(false), Some(false)]
    );
    assert_eq!(table.look(Tag::new(1, 3 << 10), PlayerId(0)), None);
}

/// An entry that two threads write at once is lost, or is one of the two: keys of one word and of
/// several, in a single bucket.
#[test]
fn proofs_are_not_mixed_up_by_threads() {
    let table = Table::new(1 << 6).expect("memory");
    let tags = || (1..=64).flat_map(|number| [Tag::new(number, 0), Tag::new(number, number << 32)]);
    let winner = |at: usize| PlayerId(at as u16 / 2 % 2);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for (at, tag) in (0..4_000).flat_map(|_| tags().enumerate()) {
                    table.keep(tag, Proven::Wins(winner(at)), at as u64);
                    let known = table.look(tag, PlayerId(0));
                    assert!(known.is_none_or(|known| known == Proven::Wins(winner(at))));
                }
            });
        }
    });
    assert!((1..=4).contains(&tags().filter(|&tag| table.work(tag).is_some()).count()));
}

/// Plies that have done well come first, those of which nothing is known in between, in their order;
/// and what one player does says nothing of the other.
#[test]
fn plies_that_have_done_well_are_tried_first() {
    let game = load_file(&rules_file("tic-tac-toe"), &[]).expect("a game");
    let plies = game.begin().expect("a first position").candidates();
    let mut history = PlyHistory::new(2);
    for _ in 0..20 {
        history.record(plies[3], 0, 1.0);
        history.record(plies[5], 0, 0.0);
    }
    let (mut ordered, mut ratings) = (Vec::new(), Vec::new());
    history.rate(&plies, 0, &mut ordered, &mut ratings);
    let order = [3, 0, 1, 2, 4, 6, 7, 8, 5].map(|place| plies[place]);
    assert_eq!(ordered, order);
    let priors: Vec<f32> = ratings.iter().map(|rating| rating.prior).collect();
    assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{priors:?}");
    assert!(priors[0] > 2.0 * priors[1] && priors[1] > 2.0 * priors[8], "{priors:?}");
    assert!(priors[1..8].iter().all(|&prior| prior == priors[1]), "{priors:?}");
    history.rate(&plies, 1, &mut ordered, &mut ratings);
    assert_eq!(ordered, plies);
}
