//! Measures: statistics against worked examples and simulation, playtests for reproducibility.

mod calibration;
mod compared;
mod copies;
mod fairest;
mod figures;
mod left_out;
mod levels;
mod openings;
mod playtest;
mod puzzles;
mod solved;
mod statistics;
mod trust;

use ludwright::engine::game::Game;
use ludwright::measure::{Batch, Plan, Results, play};
use std::sync::atomic::AtomicBool;

/// Plays all games of a plan.
fn played(plan: &Plan, game: &Game) -> Results {
    let mut results = Results::new(plan.clone());
    let lots: Vec<(usize, Batch)> = plan.batches().into_iter().enumerate().collect();
    let start = game.begin().expect("a first position");
    play(plan, &start, &lots, 1, &AtomicBool::new(false), &mut |played| {
        results.enter(played).expect("each once")
    });
    results
}
