//! Learned evaluations: both sides see the same.

use crate::support::rules_file;
use ludwright::learn::network::{Features, SAMPLE_SEED, Scratch};
use ludwright::learn::sides::Exchange;
use ludwright::load_file;
use ludwright::random::Random;

/// Where sides can be exchanged, a position and the exchanged one have the same weights, also
/// those of what is observed.
#[test]
fn both_sides_see_the_same() {
    let mut compared = 0;
    for name in ["lichen-chess", "kitaran", "breakthrough"] {
        let game = load_file(&rules_file(name), &[]).expect("a game");
        let exchange =
            Exchange::find(&game, SAMPLE_SEED).unwrap_or_else(|| panic!("{name}: sides"));
        let features = Features::new(&game);
        let mut state = game.begin().expect("a first position");
        let mut scratch = Scratch::new(&features, &state.position());
        let mut random = Random::new(8);
        for _ in 0..40 {
            let Some(decision) = state.decision() else { break };
            let image = exchange.image(game.rules(), &state.snapshot());
            let partner = exchange.decision(decision);
            let image = game.begin_at(&image, partner, &state.counters()).expect("a position");
            let mut seen = [&state, &image].map(|state| {
                let mut active = Vec::new();
                let moves = state.move_count_bound();
                features.active(&state.position(), moves, &mut scratch, &mut active);
                active
            });
            seen.iter_mut().for_each(|active| active.sort_unstable());
            assert_eq!(seen[0], seen[1], "{name}");
            compared += 1;
            let legal = state.candidates();
            state.advance(legal[random.below(legal.len() as u32) as usize]);
        }
    }
    assert!(compared > 60, "{compared}");
}
