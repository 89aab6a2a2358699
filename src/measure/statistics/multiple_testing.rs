//! P-values, and their correction for multiple testing.

use super::{Distribution, Estimate, normal_cdf};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Returns the two-sided p-value of a standard normal statistic; 1 for NaN.
pub fn p_value(z: f64) -> f64 {
    if z.is_nan() { 1.0 } else { (2.0 * normal_cdf(-z.abs())).min(1.0) }
}

/// Returns the two-sided p-value of the test that two estimates have the same value: by
/// [`proportions_test`] for proportions and scores, by [`welch_test`] for means. `None` if they are
/// of different kinds, or have no standard error.
pub fn difference_test(one: &Estimate, other: &Estimate) -> Option<f64> {
    if !one.error.is_finite() || !other.error.is_finite() {
        return None;
    }
    match (one.distribution, other.distribution) {
        (Distribution::Binomial, Distribution::Binomial) => Some(proportions_test(one, other)),
        (Distribution::Normal, Distribution::Normal) => Some(welch_test(one, other)),
        _ => None,
    }
}

/// Returns the two-sided p-value of Welch's t test that two estimates have the same mean (B. L.
/// Welch, *The Generalization of "Student's" Problem when Several Different Population Variances
/// are Involved*, Biometrika 34, 1947). 1 if it is undefined.
pub fn welch_test(one: &Estimate, other: &Estimate) -> f64 {
    let (first, second) = (one.error * one.error, other.error * other.error);
    let difference = one.value - other.value;
    if first + second == 0.0 {
        return if difference == 0.0 { 1.0 } else { 0.0 };
    }
    let part = |square: f64, sample: u64| square * square / (sample as f64 - 1.0).max(1.0);
    let freedom = (first + second).powi(2) / (part(first, one.sample) + part(second, other.sample));
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) => (2.0 * student.cdf(-(difference / (first + second).sqrt()).abs())).min(1.0),
        Err(_) => 1.0,
    }
}

/// Returns the two-sided p-value of the test that two proportions are the same, from estimates
/// whose errors have one success and one failure added: with the variance of both samples together
/// and Yates's correction (Frank Yates, *Contingency Tables Involving Small Numbers and the χ²
/// Test*, Journal of the Royal Statistical Society, Supplement 1, 1934). Welch's test of
/// proportions is wrong up to three times too often in small samples at the levels that many tests
/// need.
pub fn proportions_test(one: &Estimate, other: &Estimate) -> f64 {
    let (first, second) = (one.independent_sample(), other.independent_sample());
    let both = first + second;
    let share = (one.value * first + other.value * second + 1.0) / (both + 2.0);
    let variance = share * (1.0 - share) * (1.0 / (first + 2.0) + 1.0 / (second + 2.0));
    let corrected = (one.value - other.value).abs() - 0.5 * (1.0 / first + 1.0 / second);
    match StudentsT::new(0.0, 1.0, (both - 2.0).max(1.0)) {
        Ok(student) if corrected > 0.0 => {
            (2.0 * student.cdf(-corrected / variance.sqrt())).min(1.0)
        }
        _ => 1.0,
    }
}

/// Adjusts p-values for multiple testing by Holm's step-down method: rejecting where the result is
/// at most 0.05 has a family-wise error rate of at most 5 % (Sture Holm, *A Simple Sequentially
/// Rejective Multiple Test Procedure*, Scandinavian Journal of Statistics 6, 1979).
///
/// ```
/// let corrected = ludwright::measure::statistics::holm(&[0.01, 0.04, 0.03]);
/// assert_eq!(corrected, [0.03, 0.06, 0.06]);
/// ```
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&one, &other| p_values[one].total_cmp(&p_values[other]));
    let mut corrected = vec![0.0; p_values.len()];
    let mut least: f64 = 0.0;
    for (rank, &index) in order.iter().enumerate() {
        least = least.max((p_values[index] * (p_values.len() - rank) as f64).min(1.0));
        corrected[index] = least;
    }
    corrected
}
