//! Richness: the number of classes in a population, from the frequencies in a sample.

use super::Z;

/// An estimated number of classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Richness {
    /// The number observed.
    pub seen: u64,
    /// A lower bound of the number, including the unobserved.
    pub least: f64,
    pub low: f64,
    pub high: f64,
}

/// Returns the bias-corrected Chao1 estimate, a lower bound of the number of classes (Anne Chao,
/// *Nonparametric Estimation of the Number of Classes in a Population*, Scandinavian Journal of
/// Statistics 11, 1984; *Species Richness*, 2005), from the numbers of classes observed, observed
/// once and observed twice. The log-normal interval is that of Chao, *Estimating the Population
/// Size for Capture-Recapture Data with Unequal Catchability*, Biometrics 43, 1987.
///
/// ```
/// let richness = ludwright::measure::statistics::chao1(10, 4, 2);
/// assert_eq!(richness.least, 12.0);
/// ```
pub fn chao1(seen: u64, once: u64, twice: u64) -> Richness {
    let (s, one, two) = (seen as f64, once as f64, twice as f64);
    let unseen = one * (one - 1.0) / (2.0 * (two + 1.0));
    let least = s + unseen;
    let variance = match (once, twice) {
        (0, _) => 0.0,
        (_, 0) => {
            one * (one - 1.0) / 2.0 + one * (2.0 * one - 1.0).powi(2) / 4.0
                - one.powi(4) / (4.0 * least)
        }
        _ => {
            let below = 2.0 * (two + 1.0);
            one * (one - 1.0) / below
                + one * (2.0 * one - 1.0).powi(2) / (below * below)
                + one * one * two * (one - 1.0).powi(2) / (4.0 * (two + 1.0).powi(4))
        }
    };
    if unseen <= 0.0 {
        return Richness { seen, least, low: least, high: least };
    }
    let spread = (Z * (1.0 + variance.max(0.0) / (unseen * unseen)).ln().sqrt()).exp();
    Richness { seen, least, low: s + unseen / spread, high: s + unseen * spread }
}
