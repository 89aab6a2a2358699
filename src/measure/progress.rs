//! How much of a playtest is done, while it is played.
//!
//! A plan with a limit of time is played in rounds, and a round is known only when the round before
//! is done. So progress is counted in estimated seconds, whose total is known from the start: they
//! do not depend on the computer, and the games end when they are used up.

use super::allowance::{cost, rest};
use super::game_rows::Played;
use super::plan::Batch;
use super::results::Results;

/// The progress of a playtest.
#[derive(Debug, Default)]
pub struct Progress {
    /// The work done, and the work expected in all: in estimated seconds, or else in weights of
    /// batches.
    done: f64,
    whole: f64,
    part: f64,
}

impl Progress {
    /// Takes the batches that are played next, after the known results.
    pub fn begin_round(&mut self, results: &Results, next: &[(usize, Batch)]) {
        let plan = &results.plan;
        let batches = plan.batches();
        let known = results.lots.iter();
        self.done = known.map(|played| cost(plan, batches[played.lot], played)).sum();
        self.whole = self.done + rest(results, next);
        self.look();
    }

    /// Takes a batch that was played.
    pub fn add(&mut self, results: &Results, batch: Batch, played: &Played) {
        self.done += cost(&results.plan, batch, played);
        self.look();
    }

    /// Returns the share of the work that is done, from 0 to 1. It never falls.
    pub fn part(&self) -> f64 {
        self.part
    }

    fn look(&mut self) {
        let part = if self.whole > 0.0 { self.done / self.whole } else { 0.0 };
        self.part = self.part.max(part.min(1.0));
    }
}
