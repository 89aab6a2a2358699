//! Random play and counting do not allocate after warm-up.

use crate::counting::{in_perft, in_playouts};
use crate::support::{Variant, files, load};
use allocation_counter::measure;
use ludwright::engine::game::CodeQuality;

/// Allowance for perft: one ply deeper visits other positions and stores one more, so each of a few
/// buffers may double a few times.
const DOUBLINGS: u64 = 32;

#[test]
fn no_ply_of_the_shipped_games_asks_for_memory() {
    files("games").iter().for_each(|name| counts_nothing(name, CodeQuality::Full));
}

// Two tests, so that they run beside each other.

#[test]
fn no_ply_of_the_games_a_to_g_asks_for_memory() {
    games_of_tests(|name| name < "h");
}

#[test]
fn no_ply_of_the_games_h_to_z_asks_for_memory() {
    games_of_tests(|name| name >= "h");
}

#[track_caller]
fn games_of_tests(is_wanted: impl Fn(&str) -> bool) {
    let names: Vec<_> = files("tests/games").into_iter().filter(|name| is_wanted(name)).collect();
    assert!(names.len() > 10, "{names:?}");
    names.iter().for_each(|name| counts_nothing(name, CodeQuality::Quick));
}

/// Plays and counts with machine code of that quality; both ask for memory at the same places.
#[track_caller]
fn counts_nothing(name: &str, quality: CodeQuality) {
    let game = load(&Variant { name: name.to_owned(), options: Vec::new(), plies: 0 });
    game.set_code_quality(quality);
    // Compilation allocates once; it belongs to the warm-up.
    game.jit_compile();
    let playouts = in_playouts(&game, 300);
    assert_eq!(playouts.allocations, 0, "{name}: {playouts:?}");
    let perft = in_perft(&game);
    assert!(perft.allocations <= DOUBLINGS, "{name}: {perft:?}");
}

/// A game in progress keeps what undo needs: not the thousands of legal moves of every position.
#[test]
fn a_long_game_with_many_legal_moves_stays_small() {
    let variant = Variant { name: "connect-six".to_owned(), options: Vec::new(), plies: 0 };
    let mut state = load(&variant).begin().expect("a first position");
    let most = measure(|| {
        for number in 0..16 {
            let legal = state.packed();
            state.play_packed(legal[number * 977 % legal.len()]).expect("a legal move");
        }
    });
    // One list of 50,000 moves takes over a megabyte.
    assert!(most.bytes_current < 4 << 20, "{most:?}");
    let listed = state.packed().to_vec();
    state.play_packed(listed[listed.len() / 2]).expect("a legal move");
    assert!(state.undo());
    assert_eq!(state.packed(), listed);
}
