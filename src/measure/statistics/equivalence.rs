//! Tests that two estimates have nearly the same value.
//!
//! A test that finds no difference does not show that there is none. Two one-sided tests do (TOST:
//! Donald Schuirmann, *A Comparison of the Two One-Sided Tests Procedure and the Power Approach for
//! Assessing the Equivalence of Average Bioavailability*, Journal of Pharmacokinetics and
//! Biopharmaceutics 15, 1987): one that the difference is less than a margin, one that it is more
//! than the negative margin. As both have to reject, neither needs a correction.

use super::{Distribution, Estimate};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The differences that count as none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins {
    /// Of proportions and scores, from 0 to 1.
    pub share: f64,
    /// Of means, as a part of the first mean.
    pub ratio: f64,
}

/// The power of a sample that is called large enough: the share of tests that find two equal values
/// within a margin.
const POWER: f64 = 0.8;

/// Returns the p-value of the tests that the second estimate differs from the first one by less
/// than the margin. `None` if they are not both proportions or both means, or have no standard
/// error.
pub fn equivalence_test(one: &Estimate, other: &Estimate, margins: &Margins) -> Option<f64> {
    let [over, under] = sides(one, other, margins)?;
    Some(over.p().max(under.p()))
}

/// Returns the factor by which the sample has to grow for most tests at this level to find equal
/// values within the margin. `None` as for [`equivalence_test`].
pub fn times_for_equivalence(
    one: &Estimate,
    other: &Estimate,
    margins: &Margins,
    level: f64,
) -> Option<f64> {
    let sides = sides(one, other, margins)?;
    let quantile = |part: f64| Normal::standard().inverse_cdf(part);
    // Either of the two tests may fail.
    let wanted = quantile(1.0 - level) + quantile(1.0 - (1.0 - POWER) / 2.0);
    let times = sides.iter().map(|side| (wanted * side.error / side.margin.abs()).powi(2));
    Some(times.fold(0.0, f64::max))
}

/// One of the two tests: of the hypothesis that a difference reaches the margin.
struct Side {
    /// By how much the difference is within the margin.
    within: f64,
    margin: f64,
    error: f64,
    freedom: f64,
}

impl Side {
    fn p(&self) -> f64 {
        if self.error == 0.0 {
            return if self.within > 0.0 { 0.0 } else { 1.0 };
        }
        let student = StudentsT::new(0.0, 1.0, self.freedom);
        student.map_or(1.0, |student| student.cdf(-self.within / self.error))
    }
}

fn sides(one: &Estimate, other: &Estimate, margins: &Margins) -> Option<[Side; 2]> {
    if !one.error.is_finite() || !other.error.is_finite() {
        return None;
    }
    match (one.distribution, other.distribution) {
        (Distribution::Binomial, Distribution::Binomial) => {
            Some([1.0, -1.0].map(|sign| of_proportions(one, other, sign, margins.share)))
        }
        (Distribution::Normal, Distribution::Normal) => {
            Some([1.0, -1.0].map(|sign| of_means(one, other, sign, margins.ratio)))
        }
        _ => None,
    }
}

/// Tests proportions with Yates's correction and the greater of two variances: of samples that
/// differ by the margin (after Conrad Farrington and Godfrey Manning, *Test Statistics and Sample
/// Size Formulae for Comparative Binomial Trials with Null Hypothesis of Non-zero Risk Difference*,
/// Statistics in Medicine 9, 1990), and of each sample by itself. One success and one failure are
/// added. Neither variance alone holds the level in small samples near 0 and 1.
fn of_proportions(one: &Estimate, other: &Estimate, sign: f64, margin: f64) -> Side {
    let (first, second) = (one.independent_sample(), other.independent_sample());
    let correction = 0.5 * (1.0 / first + 1.0 / second);
    let apart = sign * margin;
    let both = first * one.value + second * (other.value - apart);
    let share = (both + 1.0) / (first + second + 2.0);
    let share = share.clamp(f64::max(0.0, -apart), f64::min(1.0, 1.0 - apart));
    let error = |share: f64, n: f64| (share * (1.0 - share) / (n + 2.0)).max(0.0).sqrt();
    let (first_error, second_error) = (error(share, first), error(share + apart, second));
    let error = first_error.hypot(second_error).max(one.error.hypot(other.error));
    Side {
        within: margin - (other.value - one.value) * sign - correction,
        margin,
        error,
        freedom: freedom((first_error, first), (second_error, second)),
    }
}

/// Tests that a mean is less than (1 + margin) times another mean, or more than (1 − margin)
/// times, which needs no estimate of the margin itself (Dieter Hauschke and others, *Sample Size
/// Determination for Proving Equivalence Based on the Ratio of Two Means for Normally Distributed
/// Data*, Statistics in Medicine 18, 1999), with Welch's degrees of freedom.
fn of_means(one: &Estimate, other: &Estimate, sign: f64, margin: f64) -> Side {
    let bound = one.scaled(1.0 + sign * margin);
    Side {
        within: (bound.value - other.value) * sign,
        margin: one.value * margin,
        error: bound.error.hypot(other.error),
        freedom: freedom((bound.error, one.sample as f64), (other.error, other.sample as f64)),
    }
}

/// Returns Welch's degrees of freedom, of standard errors and the sizes of their samples.
fn freedom(one: (f64, f64), other: (f64, f64)) -> f64 {
    let part = |(error, sample): (f64, f64)| error.powi(4) / (sample - 1.0).max(1.0);
    one.0.hypot(other.0).powi(4) / (part(one) + part(other))
}
