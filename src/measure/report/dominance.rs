//! Dominant and dominated first plies: after which the first player scores significantly more or
//! less than after the others.
//!
//! Players of different strength begin differently and score differently, so games are compared
//! with those of the same players only (the stratified test of Nathan Mantel and William Haenszel,
//! *Statistical Aspects of the Analysis of Data from Retrospective Studies of Disease*, Journal of
//! the National Cancer Institute 22, 1959, for scores). Holm's method corrects the p-values for the
//! number of first plies.

use crate::measure::statistics::{holm, p_value};
use std::collections::{BTreeMap, HashMap};

/// Fewer games with a first ply, or without it, say nothing.
const FEW: usize = 5;
/// The error rate over all first plies.
const LEVEL: f64 = 0.05;

/// A first ply that differs from the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference<'p> {
    pub ply: &'p str,
    pub is_better: bool,
    /// The p-value after the correction.
    pub p: f64,
}

/// Compares games by their first plies. A game has a number for its players, its first ply, the
/// score of the first player, and the share of the game that is independent of others.
pub fn differences<'p>(games: &[(usize, &'p str, f64, f64)]) -> Vec<Difference<'p>> {
    let mut often: HashMap<&str, usize> = HashMap::new();
    games.iter().for_each(|(_, ply, ..)| *often.entry(ply).or_default() += 1);
    let mut plies: Vec<&'p str> = games.iter().map(|(_, ply, ..)| *ply).collect();
    plies.sort_unstable();
    plies.dedup();
    plies.retain(|ply| often[ply] >= FEW && games.len() - often[ply] >= FEW);
    let found: Vec<f64> = plies.iter().map(|ply| statistic(games, ply)).collect();
    let corrected = holm(&found.iter().map(|z| p_value(*z)).collect::<Vec<f64>>());
    let all = plies.into_iter().zip(found).zip(corrected);
    let differs = all.filter(|(_, p)| *p <= LEVEL);
    differs.map(|((ply, z), p)| Difference { ply, is_better: z > 0.0, p }).collect()
}

/// Returns how much more the first player scores after a first ply than expected, in standard
/// errors; NaN if the scores are all the same.
fn statistic(games: &[(usize, &str, f64, f64)], ply: &str) -> f64 {
    let mut strata: BTreeMap<usize, Vec<(bool, f64, f64)>> = BTreeMap::new();
    for &(players, own, score, independent) in games {
        strata.entry(players).or_default().push((own == ply, score, independent));
    }
    let (mut excess, mut variance) = (0.0, 0.0);
    for games in strata.into_values().filter(|games| games.len() > 1) {
        let all = games.len() as f64;
        let own = games.iter().filter(|(is_own, ..)| *is_own).count() as f64;
        let mean = games.iter().map(|(_, score, _)| score).sum::<f64>() / all;
        let spread = games.iter().map(|(_, score, _)| (score - mean).powi(2)).sum::<f64>() / all;
        let independent = games.iter().map(|(.., share)| share).sum::<f64>() / all;
        let sum: f64 = games.iter().filter(|(is_own, ..)| *is_own).map(|(_, score, _)| score).sum();
        excess += sum - own * mean;
        // Games that repeat others or share their dice add as much as fewer ones.
        variance += own * (all - own) / (all - 1.0) * spread / independent.max(1e-9);
    }
    excess / variance.sqrt()
}
