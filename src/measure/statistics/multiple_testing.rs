//! Many tests at once.

use super::{Estimate, normal_cdf};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The two-sided p-value of a normal variable; 1 of no number.
pub fn p_value(z: f64) -> f64 {
    if z.is_nan() { 1.0 } else { (2.0 * normal_cdf(-z.abs())).min(1.0) }
}

/// The two-sided p-value of two estimates being of the same (B. L. Welch, *The Generalization of
/// "Student's" Problem when Several Different Population Variances are Involved*, Biometrika 34,
/// 1947). 1 where it cannot be told.
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

/// Corrects p-values for there being several: what is then at most 0.05 is significant, and in 95
/// of 100 families of tests nothing is that should not be (Sture Holm, *A Simple Sequentially
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
