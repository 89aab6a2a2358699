//! What an evaluation believes, in words, against weights whose meaning is known.

use crate::learning::game;
use ludwright::learn::counters::Counted;
use ludwright::learn::{Beliefs, Evaluation, Features};
use std::sync::Arc;

/// An evaluation that was made to value pieces as books on chess do, and moves a little, believes just
/// that; without weights it believes nothing.
#[test]
fn beliefs_are_what_the_weights_say() {
    let game = game("chess", &[]);
    let features = Arc::new(Features::new(&game));
    let nothing = Evaluation::new(Arc::clone(&features), Vec::new());
    assert_eq!(Beliefs::of(&game, &nothing), Beliefs::default());
    let worth = |name: &str| match name {
        "Pawn" => 1.0,
        "Knight" | "Bishop" => 3.0,
        "Rook" => 5.0,
        "Queen" => 9.0,
        _ => 0.0,
    };
    let mut weights = vec![0.0; features.all_weights()];
    for counter in &features.counters.counters {
        let each = match counter.counted {
            Counted::Surplus(of) => 0.1 * worth(&game.rules().pieces[of.piece.index()].name),
            Counted::Moves => 0.01,
            _ => continue,
        };
        for range in 0..counter.ranges {
            let number = counter.least + i64::from(range) * counter.stride;
            let weight = features.patterns.weights + counter.first + range;
            weights[weight as usize] = each * number as f32;
        }
    }
    let beliefs = Beliefs::of(&game, &Evaluation::new(features, weights));
    insta::assert_snapshot!(beliefs.sentences.join("\n"), @"
    each own Pawn more: 52 %; worth in these: Bishop 3.0, Knight 3.0, Rook 5.0, Queen 9.0
    number of moves, 11 more: 53 %
    ");
    assert!(beliefs.explained > 0.95, "{beliefs:?}");
}
