//! Which variants of a sweep may be the fairest.

use ludwright::measure::Fairness;
use ludwright::measure::statistics::{Estimate, Scores};
use ludwright::random::{Random, mix};

/// Plays `games` games in which the players win as often as `weights` say, and returns their
/// scores.
fn scores(random: &mut Random, weights: &[u32], games: u64) -> Vec<Estimate> {
    let all: u32 = weights.iter().sum();
    let mut wins = vec![0; weights.len()];
    for _ in 0..games {
        let mut drawn = random.below(all);
        let is_his = |&weight: &u32| {
            let is_his = drawn < weight;
            drawn = drawn.wrapping_sub(weight);
            is_his
        };
        wins[weights.iter().position(is_his).expect("a winner")] += 1;
    }
    let score = |won: u64| {
        let scores = Scores { wins: won, draws: 0, losses: games - won, shared: 0 };
        scores.estimate(weights.len()).expect("games")
    };
    wins.into_iter().map(score).collect()
}

/// Simulates a sweep.
fn sweep(seed: u64, variants: &[&[u32]], games: u64) -> Fairness {
    let mut random = Random::new(seed);
    let scores = variants.iter().map(|weights| scores(&mut random, weights, games)).enumerate();
    Fairness::of(scores.collect(), None).expect("variants with scores")
}

/// Counts the sweeps in which a variant is excluded.
fn excluded(variant: usize, variants: &[&[u32]], games: u64, sweeps: u64) -> u64 {
    let is_excluded = |&seed: &u64| {
        let fairness = sweep(mix(31, seed), variants, games);
        fairness.variants[variant].is_excluded()
    };
    (0..sweeps).filter(is_excluded).count() as u64
}

#[test]
fn the_fairest_variant_is_excluded_in_at_most_5_of_100_sweeps() {
    let cases: [&[&[u32]]; 6] = [
        &[&[1, 1], &[1, 1], &[1, 1], &[1, 1], &[1, 1]],
        &[&[1, 1], &[9, 11], &[11, 9]],
        &[&[11, 9], &[9, 11]],
        &[&[4, 6], &[7, 3], &[6, 4], &[3, 7]],
        &[&[1, 1, 1], &[1, 1, 1], &[2, 3, 2]],
        &[&[1, 1, 1, 1], &[1, 1, 1, 1]],
    ];
    for variants in cases {
        let out = excluded(0, variants, 60, 600);
        assert!(out <= 40, "{variants:?}: excluded in {out} of 600");
    }
}

#[test]
fn unfair_variants_are_excluded_by_enough_games() {
    let two: [&[u32]; 3] = [&[1, 1], &[3, 1], &[1, 3]];
    let three: [&[u32]; 2] = [&[1, 1, 1], &[1, 4, 1]];
    for (variant, variants) in [(1, &two[..]), (2, &two[..]), (1, &three[..])] {
        let out = excluded(variant, variants, 200, 100);
        assert!(out >= 90, "{variants:?}: excluded in {out} of 100");
    }
    let fairness = sweep(1, &two, 200);
    assert_eq!(fairness.nearest, 0);
    assert_eq!(fairness.possible().map(|own| own.variant).collect::<Vec<usize>>(), [0]);
}

/// Sixty and forty per cent are as unfair as each other: neither is excluded.
#[test]
fn a_bias_either_way_counts_the_same() {
    let fairness = sweep(3, &[&[3, 2], &[2, 3]], 4_000);
    assert!(fairness.variants.iter().all(|own| !own.is_excluded()), "{fairness:?}");
}

/// A sweep of 100 games each in which the first player wins so many.
fn fitted(option: &[f64], wins: &[u64]) -> (Option<Vec<f64>>, usize) {
    let score = |won: u64, lost: u64| {
        Scores { wins: won, draws: 0, losses: lost, shared: 0 }.estimate(2).expect("games")
    };
    let both = |&won: &u64| vec![score(won, 100 - won), score(100 - won, won)];
    let fairness = Fairness::of(wins.iter().map(both).enumerate().collect(), Some(option));
    let fairness = fairness.expect("variants with scores");
    (fairness.variants.iter().map(|own| own.fitted).collect(), fairness.nearest)
}

#[test]
fn scores_are_fitted_by_a_monotone_function_of_the_option() {
    let close = |found: (Option<Vec<f64>>, usize), fit: &[f64], nearest: usize| {
        let own = found.0.expect("a fit");
        assert!(own.iter().zip(fit).all(|(own, fit)| (own - fit).abs() < 0.002), "{own:?}");
        assert_eq!(found.1, nearest);
    };
    // Falls as it is.
    close(fitted(&[0.0, 1.0, 2.0], &[70, 52, 40]), &[0.70, 0.52, 0.40], 1);
    // The two in the middle are pooled; the order of the variants does not matter.
    close(fitted(&[0.0, 1.0, 2.0, 3.0], &[70, 50, 56, 40]), &[0.70, 0.53, 0.53, 0.40], 1);
    close(fitted(&[3.0, 1.0, 0.0, 2.0], &[40, 50, 70, 56]), &[0.40, 0.53, 0.70, 0.53], 1);
    // The score falls and rises significantly; two values are no function.
    assert_eq!(fitted(&[0.0, 1.0, 2.0], &[80, 40, 80]), (None, 1));
    assert_eq!(fitted(&[0.0, 1.0], &[60, 40]).0, None);
}

#[test]
fn a_single_player_or_a_single_variant_has_no_fairest() {
    let own = |wins| Scores { wins, draws: 0, losses: 9, shared: 0 }.estimate(2).expect("games");
    assert!(Fairness::of(vec![(0, vec![own(3)]), (1, vec![own(4)])], None).is_none());
    assert!(Fairness::of(vec![(0, vec![own(3), own(4)])], None).is_none());
    assert!(Fairness::of(Vec::new(), None).is_none());
}
