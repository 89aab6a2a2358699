//! Figures from samples, each with its interval.
//!
//! In: counts and numbers. Out: estimates with intervals that hold the true value in 95 of 100
//! samples, tests, and corrections for many tests. It refuses to know games, and it draws nothing
//! at random but with a seed.
//!
//! - `interval`: shares, scores, means, medians. `richness`: how many kinds there are, seen and
//!   unseen. `multiple_testing`: many tests at once. `sequential`: tests that stop as soon as they
//!   can. `resampling`: intervals of whatever can be worked out from a sample.

mod interval;
mod multiple_testing;
mod resampling;
mod richness;
mod sequential;

pub use interval::{
    Estimate, Scores, mean_ci, proportion_ci, quantile_ci, two_proportion_test, weighted_mean_ci,
};
pub use multiple_testing::{holm, p_value, welch_test};
pub use resampling::{bootstrap_ci, intraclass_correlation};
pub use richness::{Richness, chao1};
pub use sequential::{Sequential, TestVerdict};

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// What leaves two and a half in a hundred of a normal distribution above it.
pub const Z: f64 = 1.959_963_984_540_054;

/// The probability that a normal variable is no greater.
pub fn normal_cdf(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// What leaves two and a half in a hundred of Student's distribution with so many degrees of
/// freedom above it.
pub fn t_quantile(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, |student| student.inverse_cdf(0.975))
}
