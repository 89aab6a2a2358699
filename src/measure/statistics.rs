//! Statistics: estimates with 95 % confidence intervals, tests, and corrections for multiple
//! testing. Random numbers have fixed seeds.
//!
//! - `interval`: proportions, scores, means, quantiles. `clusters`: dependent observations.
//!   `richness`: number of classes, observed and unobserved.
//! - `multiple_testing`: p-values and their correction. `sequential`: sequential tests.
//!   `equivalence`: tests that two estimates are nearly the same. `correlation`: intraclass
//!   correlation. `trend`: slopes along a scale.

mod clusters;
mod correlation;
mod equivalence;
mod interval;
mod multiple_testing;
mod richness;
mod sequential;
mod trend;

pub use clusters::{ClusterKey, Clusters};
pub use correlation::{intraclass_ci, intraclass_correlation};
pub use equivalence::{Margins, equivalence_test, times_for_equivalence};
pub use interval::{
    Distribution, Estimate, Scores, mean_ci, pooled_estimates, proportion_ci, quantile_ci,
    quantile_ci_of_independent, two_proportion_test, weighted_mean_ci,
};
pub use multiple_testing::{difference_test, holm, p_value, proportions_test, welch_test};
pub use richness::{Richness, chao1};
pub use sequential::{Sequential, TestVerdict};
pub use trend::{Trend, homogeneity, weighted_trend};

use interval::proportion_of;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The 97.5 % quantile of the standard normal distribution.
pub const Z: f64 = 1.959_963_984_540_054;

/// Returns the standard normal distribution function at `z`.
pub fn normal_cdf(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// Returns the 97.5 % quantile of Student's t distribution with `freedom` degrees of freedom.
pub fn t_quantile(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, |student| student.inverse_cdf(0.975))
}
