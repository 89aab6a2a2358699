//! Random games of every variant: they end or reach the cap, every ply can be undone, and their
//! records lead to the same end.

use crate::support::{Variant, load, published, rules_file, variants};
use ludwright::engine::PackedMove;
use ludwright::engine::game::{Game, PlayError, State};
use ludwright::notation;
use ludwright::random::{Random, mix};
use ludwright::record::{self, Record};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Ply limit of a game.
const CAP: usize = 2_000;
/// Games per variant.
const GAMES: u64 = 3;

/// Calls `work` for every variant, on two threads. A panic in one fails the test.
fn for_each_variant(work: impl Fn(usize, &Variant) + Sync) {
    let variants: Vec<Variant> = variants().into_iter().chain(published()).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let workers = (0..2).map(|_| {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(variant) = variants.get(index) else { break };
                    work(index, variant);
                }
            })
        });
        workers.collect::<Vec<_>>().into_iter().for_each(|worker| worker.join().expect("a worker"));
    });
}

/// All observable state of a position.
fn seen(
    position: &State,
) -> (u64, ludwright::engine::snapshot::Snapshot, Vec<String>, String, Option<usize>, Vec<i32>) {
    let result = notation::outcome(position.game().rules(), position.outcome());
    (
        position.hash(),
        position.snapshot(),
        notation::legal(position),
        result,
        position.decision(),
        position.counters(),
    )
}

/// Plays a random game until it ends or reaches the cap. Each ply depends only on the seed and its
/// number.
fn play(game: &Game, seed: u64, mut look: impl FnMut(&mut State)) -> State {
    let mut position = game.begin().expect("a first position");
    for number in 0..CAP {
        look(&mut position);
        let legal = position.legal();
        if legal.is_empty() {
            break;
        }
        let ply =
            legal[Random::new(mix(seed, number as u64)).below(legal.len() as u32) as usize].clone();
        position.play(&ply).expect("a legal move");
    }
    position
}

#[test]
fn games_end_and_plies_can_be_taken_back() {
    for_each_variant(|index, variant| {
        let game = load(variant);
        for number in 0..GAMES {
            let seed = mix(index as u64, number);
            let end = play(&game, seed, |position| {
                let before = seen(position);
                let legal = position.legal();
                if legal.is_empty() {
                    return;
                }
                // Usually another ply than the one played next.
                let ply = legal[position.plies().len() % legal.len()].clone();
                position.play(&ply).expect("a legal move");
                assert!(position.undo(), "{variant}");
                assert_eq!(
                    seen(position),
                    before,
                    "{variant} after {} plies",
                    position.plies().len()
                );
            });
            assert!(
                end.outcome().is_some() || end.plies().len() == CAP,
                "{variant} stops without an end"
            );
            assert_eq!(
                play(&game, seed, |_| {}).plies(),
                end.plies(),
                "{variant}: another game from the same seed"
            );
        }
    });
}

#[test]
fn records_lead_to_the_same_end() {
    for_each_variant(|index, variant| {
        let game = load(variant);
        let end = play(&game, mix(index as u64, 0), |_| {});
        let written = Record::of(&end, 7).write();
        let read = Record::parse(&written)
            .unwrap_or_else(|misread| panic!("{variant}: {misread}\n{written}"));
        assert_eq!(read.write(), written, "{variant}");
        // The record alone determines the options.
        let source = ludwright::files::gather(&rules_file(&variant.name)).expect("a rules file");
        let again = record::load(&source, &[], Some(&read))
            .unwrap_or_else(|unloadable| panic!("{variant}: {unloadable}"));
        let mut position = again.begin().expect("a first position");
        read.replay(&mut position).unwrap_or_else(|stopped| panic!("{variant}: {stopped}"));
        assert_eq!(position.plies(), end.plies(), "{variant}");
        assert_eq!(seen(&position), seen(&end), "{variant}");
    });
}

#[test]
fn playouts_depend_on_the_seed_alone() {
    const PLAYOUTS: u64 = 20;
    for_each_variant(|index, variant| {
        let game = load(variant);
        let start = game.begin().expect("a first position");
        let playouts = |seeds: &mut dyn Iterator<Item = u64>| {
            let mut source = game.playouts(&start);
            seeds
                .map(|seed| {
                    (seed, source.play(mix(index as u64, seed), CAP as u32).expect("an end"))
                })
                .collect::<Vec<_>>()
        };
        let forwards = playouts(&mut (0..PLAYOUTS));
        let mut backwards = playouts(&mut (0..PLAYOUTS).rev());
        backwards.reverse();
        assert_eq!(forwards, backwards, "{variant}: a playout depends on those before it");
        for (seed, playout) in forwards {
            assert!(
                playout.outcome.is_some() || playout.plies == CAP as u32,
                "{variant}, seed {seed}: {playout:?}"
            );
            assert!(playout.plies > 0, "{variant}, seed {seed}: {playout:?}");
        }
    });
}

/// Plays a random game twice, listing the legal moves of every position or only of a few. Moves are
/// the same whichever way a position was reached.
#[test]
fn moves_are_listed_when_they_are_asked_for() {
    for variant in variants() {
        let game = load(&variant);
        let (mut listing, mut lazy) =
            (game.begin().expect("a position"), game.begin().expect("a position"));
        let mut random = Random::new(5);
        let mut hashes = Vec::new();
        while let legal = listing.packed().to_vec()
            && !legal.is_empty()
            && hashes.len() < 40
        {
            let ply = legal[random.below(legal.len() as u32) as usize];
            if random.below(4) == 0 {
                assert_eq!(lazy.packed(), legal, "{variant}");
            }
            let stranger = PackedMove { member: ply.member ^ 1, ..ply };
            if !legal.contains(&stranger) {
                assert_eq!(lazy.play_packed(stranger), Err(PlayError::Illegal), "{variant}");
            }
            hashes.push(lazy.hash());
            let spelled = game.spell_out(ply);
            listing.play(&spelled).expect("a legal move");
            lazy.clone().play_packed(ply).expect("a clone has its own past");
            lazy.play_packed(ply).expect("a legal move");
            assert_eq!((lazy.plies(), lazy.hash()), (listing.plies(), listing.hash()), "{variant}");
            assert_eq!(lazy.outcome(), listing.outcome(), "{variant}");
        }
        assert_eq!(lazy.ply_count(), hashes.len(), "{variant}");
        while let Some(hash) = hashes.pop() {
            let last = lazy.last_packed().expect("a move was played");
            assert!(lazy.undo() && lazy.packed().contains(&last), "{variant}");
            assert_eq!(lazy.hash(), hash, "{variant}");
        }
        assert!(!lazy.undo(), "{variant}");
    }
}

/// A game of very many plies is forgotten one after the other.
#[test]
fn a_long_past_takes_no_stack() {
    let rules = "(game \"Walk\" (players One Two) (board (rectangle 2 1)) (piece Stone \"A\" \"B\") (setup (diagram \"A.\"))
      (move go (from s (pieces Stone)) (to t (beside s)) (relocate s t)))";
    let game = ludwright::load(rules, &[]).expect("a game");
    let mut state = game.begin().expect("a position");
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(move || {
            for _ in 0..20_000 {
                state.play_packed(state.packed()[0]).expect("a legal move");
            }
        })
        .expect("a thread")
        .join()
        .expect("no overflow");
}
