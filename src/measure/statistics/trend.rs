//! Trends: whether a figure rises or falls along a scale.

use super::{Distribution, Estimate, Z, p_value};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The slope of a figure along a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trend {
    /// The change for each unit of the scale; its sample is all points together.
    pub slope: Estimate,
    /// The two-sided p-value of no change.
    pub p: f64,
}

/// Tests if estimates are equal, whatever their order: the p-value of Cochran's Q, the weighted sum
/// of the squared distances from the weighted mean, with the inverse of each variance as weight
/// (William Cochran, *The Combination of Estimates from Different Experiments*, Biometrics 10,
/// 1954).
///
/// An estimate without error is taken to have the smallest error of the others. `None` for fewer
/// than two estimates with a finite error, or if none has an error.
///
/// ```
/// use ludwright::measure::statistics::{homogeneity, proportion_ci};
///
/// let won = |games: u64| proportion_ci(games, 100).expect("a sample");
/// assert!(homogeneity(&[won(50), won(30), won(60)]).is_some_and(|p| p < 1e-3));
/// assert!(homogeneity(&[won(50), won(48), won(53)]).is_some_and(|p| p > 0.5));
/// ```
pub fn homogeneity(estimates: &[Estimate]) -> Option<f64> {
    let known: Vec<Estimate> =
        estimates.iter().filter(|estimate| estimate.error.is_finite()).copied().collect();
    let weights = inverse_variances(&known)?;
    let all: f64 = weights.iter().sum();
    let values = known.iter().map(|estimate| estimate.value).zip(&weights);
    let sum: f64 = values.clone().map(|(value, weight)| weight * value).sum();
    let q = values.map(|(value, weight)| weight * (value - sum / all).powi(2));
    let freedom = known.len().checked_sub(1).filter(|&freedom| freedom > 0)?;
    ChiSquared::new(freedom as f64).ok().map(|distribution| distribution.sf(q.sum()))
}

/// Tests if estimates at several points of a scale rise or fall along it: the weighted
/// least-squares slope, with the inverse of each variance as weight, and its z test (Peter
/// Armitage, *Tests for Linear Trends in Proportions and Frequencies*, Biometrics 11, 1955; with
/// estimates in place of counts). A figure that rises and falls again can have no trend.
///
/// An estimate without error is taken to have the smallest error of the others; if none has an
/// error, any change is significant. `None` for fewer than three points with a finite error, or if
/// they are all at one place.
///
/// ```
/// use ludwright::measure::statistics::{proportion_ci, weighted_trend};
///
/// let won = |games: u64| proportion_ci(games, 100).expect("a sample");
/// let points = [(1.0, won(30)), (2.0, won(50)), (3.0, won(70))];
/// let rising = weighted_trend(&points).expect("a trend");
/// assert!((rising.slope.value - 0.2).abs() < 1e-3 && rising.p < 1e-6);
/// ```
pub fn weighted_trend(points: &[(f64, Estimate)]) -> Option<Trend> {
    let points = points.iter().filter(|(_, estimate)| estimate.error.is_finite());
    let (places, estimates): (Vec<f64>, Vec<Estimate>) = points.copied().unzip();
    if estimates.len() < 3 {
        return None;
    }
    let known = inverse_variances(&estimates);
    let is_exact = known.is_none();
    let weights = known.unwrap_or_else(|| vec![1.0; estimates.len()]);
    let all: f64 = weights.iter().sum();
    let middle = weights.iter().zip(&places).map(|(weight, at)| weight * at).sum::<f64>() / all;
    let moments = weights.iter().zip(&places).zip(&estimates).map(|((weight, at), estimate)| {
        let arm = weight * (at - middle);
        (arm * (at - middle), arm * estimate.value)
    });
    let (spread, lean) = moments.fold((0.0, 0.0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
    if spread <= 0.0 {
        return None;
    }
    let value = lean / spread;
    let sample = estimates.iter().map(|estimate| estimate.sample).sum();
    let error = spread.sqrt().recip();
    let (low, high) = (value - Z * error, value + Z * error);
    let slope = Estimate { value, low, high, error, sample, distribution: Distribution::Normal };
    if is_exact {
        let is_flat = estimates.iter().all(|estimate| estimate.value == estimates[0].value);
        let slope = Estimate { low: value, high: value, error: 0.0, ..slope };
        return Some(Trend { slope, p: if is_flat { 1.0 } else { 0.0 } });
    }
    Some(Trend { slope, p: p_value(value / error) })
}

/// Returns the weight of each estimate, the inverse of its variance. An estimate without error gets
/// the weight of the smallest error. `None` if none has an error.
fn inverse_variances(estimates: &[Estimate]) -> Option<Vec<f64>> {
    let errors = estimates.iter().map(|estimate| estimate.error);
    let least = errors.clone().filter(|error| *error > 0.0).reduce(f64::min)?;
    let weight = |error: f64| if error > 0.0 { error } else { least }.powi(-2);
    Some(errors.map(weight).collect())
}
