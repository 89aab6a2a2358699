//! The fairest variants of a sweep: those that the games do not exclude.
//!
//! The unfairness of a variant is how far a player's score is from an equal share. A variant is
//! excluded where another is significantly fairer: where tests of every difference and every sum of
//! their deviations say so (an intersection-union test: Roger Berger, *Multiparameter Hypothesis
//! Testing and Acceptance Sampling*, Technometrics 24, 1982). The p-values are multiplied by the
//! number of other variants, so that the fairest is excluded in at most 5 % of sweeps (Shanti
//! Gupta, *On Some Multiple Decision (Selection and Ranking) Rules*, Technometrics 7, 1965).
//!
//! Where a single option with numeric values varies, the score is fitted by a monotone function of
//! the option (Miriam Ayer and others, *An Empirical Distribution Function for Sampling with
//! Incomplete Information*, Annals of Mathematical Statistics 26, 1955), unless a significant
//! difference contradicts that.

use super::statistics::{Estimate, holm, welch_test};
use serde::Serialize;

/// Variants are excluded at this p-value.
const LEVEL: f64 = 0.05;
/// A monotone function of fewer values says nothing.
const LEAST_FITTED: usize = 3;

/// How fair the variants of a sweep are.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Fairness {
    /// Those with games between equal players, by index.
    pub variants: Vec<VariantFairness>,
    /// The index of the variant that is nearest to even, by the fitted scores where there are any.
    pub nearest: usize,
}

/// How fair a variant is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct VariantFairness {
    /// The index of the variant.
    pub variant: usize,
    /// The scores of the players between the strongest equals.
    pub scores: Vec<Estimate>,
    /// The score of the first player as a monotone function of the option.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fitted: Option<f64>,
    /// The corrected p-value that another variant is fairer; excluded if at most 0.05.
    pub p: f64,
}

impl VariantFairness {
    /// Tests if a fairer variant excludes this one.
    pub fn is_excluded(&self) -> bool {
        self.p <= LEVEL
    }
}

impl Fairness {
    /// Compares the scores of the players in each variant, given by its index. `option` has the
    /// value of each variant if a single option with numeric values varies. `None` for fewer than
    /// two variants with scores, and for games of a single player.
    pub fn of(scores: Vec<(usize, Vec<Estimate>)>, option: Option<&[f64]>) -> Option<Fairness> {
        let players = scores.first()?.1.len();
        let sound = |own: &Vec<Estimate>| own.len() == players && own[0].error.is_finite();
        if players < 2 || scores.len() < 2 || !scores.iter().all(|(_, own)| sound(own)) {
            return None;
        }
        let even = 1.0 / players as f64;
        let deviations: Vec<Vec<Estimate>> =
            scores.iter().map(|(_, own)| deviations(own, even)).collect();
        let fitted = option.and_then(|option| {
            let first: Vec<Estimate> = scores.iter().map(|(_, own)| own[0]).collect();
            monotone_fit(option, &first)
        });
        let others = (scores.len() - 1) as f64;
        let variants: Vec<VariantFairness> = scores
            .into_iter()
            .enumerate()
            .map(|(at, (variant, scores))| {
                let rivals = deviations.iter().enumerate().filter(|(other, _)| *other != at);
                let least =
                    rivals.map(|(_, other)| less_fair(&deviations[at], other)).fold(1.0, f64::min);
                let fitted = fitted.as_ref().map(|fitted| fitted[at]);
                VariantFairness { variant, scores, fitted, p: (least * others).min(1.0) }
            })
            .collect();
        let distance = |own: &VariantFairness| match own.fitted {
            Some(score) => (score - even).abs(),
            None => own.scores.iter().map(|score| (score.value - even).abs()).fold(0.0, f64::max),
        };
        // Of variants that are fitted alike, the one whose measured score is nearest.
        let own = |variant: &VariantFairness| (variant.scores[0].value - even).abs();
        let order = |one: &&VariantFairness, other: &&VariantFairness| {
            distance(one).total_cmp(&distance(other)).then(own(one).total_cmp(&own(other)))
        };
        let nearest = variants.iter().min_by(order)?.variant;
        Some(Fairness { variants, nearest })
    }

    /// Lists the variants that may be the fairest.
    pub fn possible(&self) -> impl Iterator<Item = &VariantFairness> {
        self.variants.iter().filter(|variant| !variant.is_excluded())
    }
}

/// Returns the deviations from an equal score. The second of two players mirrors the first.
fn deviations(scores: &[Estimate], even: f64) -> Vec<Estimate> {
    let seats = if scores.len() == 2 { 1 } else { scores.len() };
    let deviation = |score: &Estimate| Estimate { value: score.value - even, ..*score };
    scores[..seats].iter().map(deviation).collect()
}

/// Returns the p-value of the hypothesis that no deviation of a variant is greater, either way,
/// than all deviations of another.
fn less_fair(deviations: &[Estimate], others: &[Estimate]) -> f64 {
    let signed =
        |estimate: &Estimate, sign: f64| Estimate { value: estimate.value * sign, ..*estimate };
    let least = deviations
        .iter()
        .map(|own| {
            let own = signed(own, own.value.signum());
            let against = |other: &Estimate| {
                let either = [-1.0, 1.0].map(|sign| greater(&own, &signed(other, sign)));
                either[0].max(either[1])
            };
            others.iter().map(against).fold(0.0, f64::max)
        })
        .fold(1.0, f64::min);
    // Bonferroni's correction, since the same games say which player deviates most.
    (least * deviations.len() as f64).min(1.0)
}

/// Returns the one-sided p-value that the first estimate is not the greater one.
fn greater(one: &Estimate, other: &Estimate) -> f64 {
    let both = welch_test(one, other);
    if one.value > other.value { both / 2.0 } else { 1.0 - both / 2.0 }
}

/// Fits estimates by a function of `option` that only rises or only falls, whichever is nearer;
/// `None` for few values, and where a significant difference contradicts it.
fn monotone_fit(option: &[f64], estimates: &[Estimate]) -> Option<Vec<f64>> {
    if option.len() < LEAST_FITTED || option.len() != estimates.len() {
        return None;
    }
    let mut order: Vec<usize> = (0..option.len()).collect();
    order.sort_by(|&one, &other| option[one].total_cmp(&option[other]));
    let sorted: Vec<Estimate> = order.iter().map(|&index| estimates[index]).collect();
    let fit = |sign: f64| {
        let fitted = rising_fit(&sorted, sign);
        let strayed = fitted
            .iter()
            .zip(&sorted)
            .map(|(fitted, own)| ((fitted - own.value) / own.error.max(f64::MIN_POSITIVE)).powi(2));
        (strayed.sum::<f64>(), sign, fitted)
    };
    let (rising, falling) = (fit(1.0), fit(-1.0));
    let (_, sign, fitted) = if rising.0 <= falling.0 { rising } else { falling };
    let mut reversals = Vec::new();
    for (index, later) in sorted.iter().enumerate() {
        for earlier in &sorted[..index] {
            let is_reversed = (later.value - earlier.value) * sign < 0.0;
            reversals.push(if is_reversed { welch_test(earlier, later) } else { 1.0 });
        }
    }
    if holm(&reversals).into_iter().any(|p| p <= LEVEL) {
        return None;
    }
    let mut unsorted = vec![0.0; fitted.len()];
    order.into_iter().zip(fitted).for_each(|(index, value)| unsorted[index] = value);
    Some(unsorted)
}

/// Fits estimates, times `sign`, by values that never fall: adjacent violators are pooled into
/// their weighted mean.
fn rising_fit(estimates: &[Estimate], sign: f64) -> Vec<f64> {
    // The mean, weight and size of each pool.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for estimate in estimates {
        let weight = estimate.error.max(f64::MIN_POSITIVE.sqrt()).powi(-2);
        let mut pool = (estimate.value * sign, weight, 1);
        while let Some(&(mean, before, size)) = pools.last().filter(|last| last.0 > pool.0) {
            let sum = before + pool.1;
            pool = ((mean * before + pool.0 * pool.1) / sum, sum, size + pool.2);
            pools.pop();
        }
        pools.push(pool);
    }
    pools.iter().flat_map(|&(mean, _, size)| std::iter::repeat_n(mean * sign, size)).collect()
}
