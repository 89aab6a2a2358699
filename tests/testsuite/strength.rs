//! Strength of tree search against random play. The full matches take long: `cargo test --release
//! --test testsuite strength -- --ignored --nocapture`.

use crate::support::{Variant, load};
use ludwright::engine::game::{Game, State, Turn};
use ludwright::engine::position::Outcome;
use ludwright::random::mix;
use ludwright::search::mcts::MEMORY;
use ludwright::search::{Mcts, Player, PlayerKind, roll};
use std::sync::atomic::{AtomicU64, Ordering};

/// Ply limit of a game; at the limit it counts as a draw.
const LONGEST: usize = 2_000;

/// Plays a numbered game between tree search and a random player, with alternating seats. Returns
/// the half points of tree search.
fn play(game: &Game, iterations: u64, number: u64) -> u64 {
    let seed = mix(11, number);
    let seat = (number % 2) as usize;
    let mut searcher = Player::new(PlayerKind::Iterations(iterations), seed)
        .expect("a program")
        .with(Mcts::new(1, MEMORY / 4));
    let mut random = Player::new(PlayerKind::Random, mix(seed, 1)).expect("a program");
    let mut position: State = game.begin().expect("a first position");
    while position.plies().len() < LONGEST {
        let ply = match position.turn() {
            Turn::Nobody => break,
            Turn::Chance => roll(&position, seed).expect("a roll"),
            Turn::Player(player) => {
                let program = if player.index() == seat { &mut searcher } else { &mut random };
                program.choose(&position).expect("rules that end").expect("a ply").ply
            }
        };
        position.play(&ply).expect("a legal ply");
    }
    match position.outcome() {
        Some(Outcome::Win(winner)) if winner.index() == seat => 2,
        Some(Outcome::Win(_)) => 0,
        Some(Outcome::Draw | Outcome::Shared(_)) | None => 1,
    }
}

/// Score of tree search in a match, on two threads.
fn score(variant: &Variant, iterations: u64, games: u64) -> f64 {
    let game = load(variant);
    let (next, halves) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games {
                        break;
                    }
                    halves.fetch_add(play(&game, iterations, number), Ordering::Relaxed);
                }
            });
        }
    });
    let score = halves.into_inner() as f64 / (2 * games) as f64;
    println!(
        "{variant}: {iterations} iterations take {:.1} % of {games} games from a random player",
        100.0 * score
    );
    score
}

fn shipped(name: &str, options: &[(&str, &str)]) -> Variant {
    let options =
        options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    Variant { name: name.to_owned(), options, plies: 0 }
}

/// Short matches with fixed seeds.
#[test]
fn a_little_search_beats_random_play() {
    for (variant, games) in [
        (shipped("kitaran", &[]), 20),
        (shipped("cicada", &[]), 20),
        (shipped("double-move-situ", &[("Order", "2")]), 20),
        (shipped("lichen-chess", &[]), 20),
        (shipped("swarm", &[("Size", "4"), ("Cubes", "5")]), 20),
    ] {
        let score = score(&variant, 100, games);
        assert!(score >= 0.65, "{variant}: {score}");
    }
}

/// A full match of a shipped game.
fn beats_random_play(name: &str) {
    const GAMES: u64 = 200;
    let variant = shipped(name, &[]);
    let some = score(&variant, 100, GAMES);
    assert!(some >= 0.65, "{variant}: {some}");
    let more = score(&variant, 1_000, GAMES);
    assert!(more >= 0.95, "{variant}: {more}");
}

#[test]
#[ignore = "meant for a release build"]
fn search_beats_random_play_at_kitaran() {
    beats_random_play("kitaran");
}

#[test]
#[ignore = "meant for a release build"]
fn search_beats_random_play_at_cicada() {
    beats_random_play("cicada");
}

#[test]
#[ignore = "meant for a release build"]
fn search_beats_random_play_at_double_move_situ() {
    beats_random_play("double-move-situ");
}

#[test]
#[ignore = "meant for a release build"]
fn search_beats_random_play_at_lichen_chess() {
    beats_random_play("lichen-chess");
}

#[test]
#[ignore = "meant for a release build, where it takes half an hour"]
fn search_beats_random_play_at_swarm() {
    beats_random_play("swarm");
}
