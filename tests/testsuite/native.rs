//! Machine code against the interpreter, in random games and perft, for every game and every value
//! of every option.

use crate::support::{Variant, files, load, published, rules_file, variants};
use ludwright::engine::game::{CodeQuality, JitPolicy, State};
use ludwright::notation;
use ludwright::random::Random;
use std::path::Path;
use std::thread;

/// Returns what must be equal in two matches.
fn told(
    position: &State,
) -> (
    Vec<String>,
    Option<ludwright::engine::position::Outcome>,
    ludwright::engine::snapshot::Snapshot,
    u64,
) {
    (notation::legal(position), position.outcome(), position.snapshot(), position.hash())
}

/// Compares perft from depth 2 up to the first count above `many`.
fn counts_agree([slow, fast]: [&State; 2], many: u64, name: &str) {
    for depth in 2..=16 {
        let counts = [slow, fast].map(|position| position.game().perft(position, depth));
        assert_eq!(counts[0], counts[1], "{name}, perft {depth} after {:?}", notation_of(slow));
        if counts[0].as_ref().is_ok_and(|&count| count == 0 || count > many) {
            break;
        }
    }
}

/// Compares a game with itself. Machine code is optimized for the shipped games as they are.
fn agree(variant: &Variant, seed: u64) {
    let (slow, fast) = (load(variant), load(variant));
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let is_shipped = variant.options.is_empty() && rules_file(&variant.name).starts_with(shipped);
    fast.set_code_quality(if is_shipped { CodeQuality::Full } else { CodeQuality::Quick });
    fast.jit_compile();
    let (mut one, mut other) =
        (slow.begin().expect("a first position"), fast.begin().expect("a first position"));
    for depth in 0..=2 {
        assert_eq!(slow.perft(&one, depth), fast.perft(&other, depth), "{variant}, perft {depth}");
    }
    let mut random = Random::new(seed);
    for _ in 0..variant.plies {
        let legal = one.legal().len();
        assert_eq!(told(&one), told(&other), "{variant} after {:?}", notation_of(&one));
        if legal == 0 {
            break;
        }
        let ply = one.legal()[random.below(legal as u32) as usize].clone();
        one.play(&ply).expect("a legal move");
        other
            .play(&ply)
            .unwrap_or_else(|error| panic!("{variant} after {:?}: {error:?}", notation_of(&one)));
        if one.plies().len() % 16 == 5 {
            counts_agree([&one, &other], 400, &variant.to_string());
        }
    }
    let start = (slow.begin().expect("a first position"), fast.begin().expect("a first position"));
    // Later starting positions may be in the middle of a turn.
    let begun = |plies: &[_]| {
        let mut starts =
            (slow.begin().expect("a first position"), fast.begin().expect("a first position"));
        for ply in plies {
            starts.0.play(ply).expect("a legal move");
            starts.1.play(ply).expect("a legal move");
        }
        starts
    };
    let halfway = [1, 2, 3].map(|quarter| begun(&one.plies()[..one.plies().len() * quarter / 4]));
    for start in [start].iter().chain(&halfway) {
        let (mut slow, mut fast) = (slow.playouts(&start.0), fast.playouts(&start.1));
        let plies = start.0.plies().len();
        for seed in 0..3 {
            assert_eq!(
                slow.play(seed, 300),
                fast.play(seed, 300),
                "{variant}, playout {seed} after {plies} plies"
            );
            assert_eq!(
                slow.position(),
                fast.position(),
                "{variant}, the end of playout {seed} after {plies} plies"
            );
            assert_eq!(
                slow.play(seed, 7),
                fast.play(seed, 7),
                "{variant}, seven plies of playout {seed} after {plies} plies"
            );
            assert_eq!(
                slow.position(),
                fast.position(),
                "{variant}, where seven plies of playout {seed} after {plies} plies lead"
            );
        }
    }
}

fn notation_of(position: &State) -> Vec<String> {
    position.plies().iter().map(|ply| notation::spell(position.game().rules(), ply)).collect()
}

/// Compares all variants on two threads.
fn all_agree(all: &[Variant]) {
    thread::scope(|scope| {
        for half in 0..2 {
            scope.spawn(move || {
                all.iter().skip(half).step_by(2).for_each(|variant| agree(variant, 7));
            });
        }
    });
}

#[test]
fn machine_code_and_interpreter_agree() {
    let scripts = files("tests/plain/games").into_iter().map(|name| Variant {
        name,
        options: Vec::new(),
        plies: 40,
    });
    // Every twentieth value of an option; the ignored test below compares all of them.
    let shipped = variants().into_iter().enumerate();
    let shipped = shipped.filter(|(index, variant)| variant.options.len() != 1 || index % 20 == 0);
    let shipped = shipped.map(|(_, variant)| variant);
    all_agree(&shipped.chain(published()).chain(scripts).collect::<Vec<_>>());
}

#[test]
#[ignore = "takes long; `cargo test --release --test testsuite every_value -- --ignored`"]
fn machine_code_and_interpreter_agree_for_every_value_of_every_option() {
    all_agree(&variants());
}

/// Fast counting skips repetition only if no game can end by it within the counted plies.
#[test]
fn repetition_ends_what_is_counted() {
    let text = |times: u32| {
        format!(
            "(game \"Round and round\" (players A B) (board (rectangle 2 1)) (piece Stone unowned) (setup (put Stone a1))
            (move go (from s (pieces)) (to t (beside s)) (relocate s t)) (move stay)
            (play (turns (choose go stay) (choose go))) (repetition {times} (draw)))"
        )
    };
    for times in 2..=4 {
        let [slow, fast] = [text(times), text(times)]
            .map(|text| ludwright::load(text.as_str(), &[]).expect("a game"));
        fast.jit_compile();
        let starts = [&slow, &fast].map(|game| game.begin().expect("a first position"));
        let [mut one, mut other] = starts;
        let mut random = Random::new(u64::from(times));
        while let Some(ply) =
            one.legal().get(random.below(2) as usize % one.legal().len().max(1)).cloned()
        {
            counts_agree([&one, &other], 2_000, &format!("{times} times"));
            one.play(&ply).expect("a legal move");
            other.play(&ply).expect("a legal move");
        }
        assert!(one.outcome().is_some());
    }
}

/// Play that cycles between decisions without a legal ply ends with an error in every execution
/// mode, whether or not its position repeats.
#[test]
fn cycles_without_a_ply_end() {
    for otherwise in ["", "(raise Rounds 1)"] {
        let text = format!(
            "(game \"Round and round\" (players A B) (board (square 3)) (piece Stone) (remember Rounds number)
            (move good (to t (empty)) (put Stone t)) (move bad (to t (empty)) (put Stone t) (require (none (pieces))))
            (play (choose good) (turns (choose bad (otherwise {otherwise})))))"
        );
        for policy in [JitPolicy::Never, JitPolicy::AfterPlies(1), JitPolicy::Auto] {
            let game = ludwright::load(text.as_str(), &[]).expect("a game");
            game.set_jit_policy(policy);
            let start = game.begin().expect("a first position");
            let mut playouts = game.playouts(&start);
            assert!((0..3).all(|seed| playouts.play(seed, 100).is_err()), "{otherwise} {policy:?}");
            if policy == JitPolicy::Auto {
                game.jit_compile();
                assert!(
                    game.playouts(&game.begin().expect("a first position")).play(0, 100).is_err(),
                    "{otherwise}"
                );
            }
        }
    }
}

/// Code for the chosen site must not be used for remembered sites or sites derived from it.
#[test]
fn other_sites_than_the_chosen_one_are_told_apart() {
    let text = "(game \"Followers\" (players A B) (board (square 4)) (piece Stone) (remember Last site)
        (move aim (to t (empty)) (set Last t))
        (move put (to t (empty)) (put Stone Last) (put Stone (step t N)) (put Stone (step Last E)) (put Stone t))
        (play (turns (choose aim (otherwise (draw))) (choose put (otherwise (draw))))) (end (if (>= (count (pieces)) 12) (win mover))))";
    let (slow, fast) =
        (ludwright::load(text, &[]).expect("a game"), ludwright::load(text, &[]).expect("a game"));
    fast.jit_compile();
    let start = (slow.begin().expect("a first position"), fast.begin().expect("a first position"));
    let (mut one, mut other) = (slow.playouts(&start.0), fast.playouts(&start.1));
    for seed in 0..100 {
        let plies = 1 + seed as u32 % 20;
        assert_eq!(one.play(seed, plies), other.play(seed, plies));
        assert_eq!(one.position(), other.position(), "after {plies} plies of playout {seed}");
    }
}

/// If rejection sampling finds no legal ply, its side effects are undone: consumed random numbers
/// and the counted position.
#[test]
fn rejected_proposals_are_undone() {
    let text = "(game \"Relays\" (players A B) (board (square 15) (wrap columns)) (piece Stone) (define Posts (sites a1 c1 e1 g4 h9))
        (move post (to t (and (empty) Posts)) (require (< (count d all (in (first t d (pieces)) (theirs Stone))) 1)) (put Stone t))
        (move lift (at s (and (theirs Stone) Posts)) (require (> (count d all (in (first s d (pieces)) (mine Stone))) 0)) (remove s))
        (play (turns (choose post lift (otherwise (remove Posts))))) (repetition 3 (draw)))";
    let (slow, fast) =
        (ludwright::load(text, &[]).expect("a game"), ludwright::load(text, &[]).expect("a game"));
    assert!(slow.program().decisions.iter().all(|decision| decision.proposals.is_some()));
    fast.jit_compile();
    let start = (slow.begin().expect("a first position"), fast.begin().expect("a first position"));
    let (mut one, mut other) = (slow.playouts(&start.0), fast.playouts(&start.1));
    let mut ended = 0;
    for seed in 0..400 {
        let plies = 1 + seed as u32 % 20;
        let played = one.play(seed, plies).expect("an end");
        assert_eq!(Ok(played), other.play(seed, plies), "playout {seed}");
        assert_eq!(one.position(), other.position(), "after {plies} plies of playout {seed}");
        ended += u32::from(played.outcome.is_some());
    }
    assert!(ended > 100, "{ended}");
}

/// Incrementally updated lines of sight are correct, whether a ply changes one site or many.
#[test]
fn lines_of_sight_are_kept_up_to_date() {
    let text = |size: u32| {
        format!(
            "(game \"Watchers\" (players A B) (board (square {size})) (piece Stone) (piece Wall)
            (define (Seen (player p) (site s)) (count d all (in (first s d (pieces)) (of p Stone))))
            (move post (to t (empty)) (require (< (Seen (next mover) t) 3)) (put Stone t) (put Stone (step t N)))
            (move wall (to t (empty)) (require (= (Seen mover t) (Seen (next mover) t))) (put Wall t))
            (move clear (at s (theirs Stone)) (require (> (Seen mover s) 2)) (remove (beside s all)))
            (move burn (at s (theirs Stone)) (require (> (Seen mover s) (Seen (next mover) s))) (remove (sites a1 b2 c3)) (remove s))
            (play (turns (choose post wall clear burn (otherwise (remove (pieces)))))))"
        )
    };
    for size in [10, 13, 15] {
        let text = text(size);
        let (slow, fast) = (
            ludwright::load(text.as_str(), &[]).expect("a game"),
            ludwright::load(text.as_str(), &[]).expect("a game"),
        );
        assert!(slow.program().decisions.iter().all(|decision| decision.proposals.is_none()));
        fast.jit_compile();
        let start =
            (slow.begin().expect("a first position"), fast.begin().expect("a first position"));
        let (mut one, mut other) = (slow.playouts(&start.0), fast.playouts(&start.1));
        for seed in 0..300 {
            let plies = 1 + seed as u32 % 150;
            assert_eq!(one.play(seed, plies), other.play(seed, plies), "playout {seed}");
            assert_eq!(one.position(), other.position(), "after {plies} plies of playout {seed}");
        }
    }
}
