//! Search with three and more players, each of whom maximizes his own score.

use super::{INFINITE, MAX_DEPTH, RootPly, SCALE, Search, mover};
use crate::engine::game::{State, Turn};
use crate::learn::network::{logit, payoffs};
use crate::random::{Random, mix};

impl Search<'_> {
    /// As [`Search::deepen`], for three and more players.
    pub(super) fn deepen_for_each(&mut self, state: &mut State) -> (Vec<RootPly>, i32) {
        let Some(mover) = mover(state) else { return (Vec::new(), 0) };
        let mut random = Random::new(mix(self.seed, 0));
        let mut plies: Vec<RootPly> = state
            .candidates()
            .into_iter()
            .map(|ply| {
                let extra = self.extra(&mut random);
                RootPly { ply, value: -INFINITE, extra, positions: 0 }
            })
            .collect();
        let mut reached = 0;
        for depth in 1..=MAX_DEPTH {
            let mut found = plies.clone();
            for index in 0..found.len() {
                let (tried, before) = (&mut found[index], self.positions);
                let scores = state.descend(tried.ply, |after| self.scores(after, depth - 1));
                if self.stopped && depth > 1 {
                    return (plies, reached);
                }
                // Plies that the limits leave no time for are missing.
                if self.stopped && index > 0 {
                    found.truncate(index);
                    break;
                }
                let score = scores.get(mover).copied().unwrap_or(0.0).clamp(1e-5, 1.0 - 1e-5);
                tried.value = (logit(score) * SCALE) as i32;
                tried.positions += self.positions - before;
            }
            plies = found;
            plies.sort_by_key(|ply| std::cmp::Reverse(ply.rank()));
            reached = depth;
            if self.stopped || plies.len() < 2 {
                break;
            }
        }
        (plies, reached)
    }

    /// Returns the score of each player if each maximizes his own.
    fn scores(&mut self, state: &mut State, depth: i32) -> Vec<f32> {
        let mut scores = vec![0.0; self.players];
        let Some(mover) = mover(state) else {
            payoffs(state.team_outcome(), &mut scores);
            return scores;
        };
        if self.is_stopped() || depth <= 0 {
            self.shared.evaluation.scores(state, &mut self.scratch, &mut scores);
            return scores;
        }
        let is_roll = state.turn() == Turn::Chance;
        let legal = state.candidates();
        let count = legal.len() as f32;
        let mut best = scores.clone();
        let mut most = f32::NEG_INFINITY;
        for ply in legal {
            let after = state.descend(ply, |after| self.scores(after, depth - 1));
            if is_roll {
                best.iter_mut().zip(&after).for_each(|(sum, score)| *sum += score / count);
            } else if after[mover] > most {
                most = after[mover];
                best = after;
            }
            if self.stopped {
                break;
            }
        }
        best
    }
}
