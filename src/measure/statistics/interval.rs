//! Shares, scores, means and quantiles with their intervals.

use super::{Z, t_quantile};
use serde::{Deserialize, Serialize};

/// A figure, the interval that holds the true value in 95 of 100 samples, and what it was worked
/// out from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
    /// The standard error, for comparisons. It is never zero for a share, however one-sided the
    /// sample.
    pub error: f64,
    /// How many were looked at.
    pub sample: u64,
}

impl Estimate {
    /// The same in other units.
    pub fn scaled(self, by: f64) -> Estimate {
        Estimate {
            value: self.value * by,
            low: self.low * by,
            high: self.high * by,
            error: self.error * by,
            sample: self.sample,
        }
    }
}

/// Estimates a probability from how often something was so (Edwin B. Wilson, *Probable Inference,
/// the Law of Succession, and Statistical Inference*, Journal of the American Statistical
/// Association 22, 1927). None of an empty sample.
///
/// ```
/// let share = ludwright::measure::statistics::proportion_ci(81, 263).expect("a sample");
/// assert_eq!(format!("{:.3} {:.3}", share.low, share.high), "0.255 0.366");
/// ```
pub fn proportion_ci(so: u64, sample: u64) -> Option<Estimate> {
    Scores { wins: so, draws: 0, losses: sample.saturating_sub(so) }.estimate(2)
}

/// The results of somebody's games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scores {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Scores {
    /// How many games there were.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Estimates the mean score, in a game of so many players: 1 for a win, an equal part of it for
    /// a draw. None where there was no game.
    ///
    /// The interval is Wilson's, with the variance that the score has if draws are as frequent as
    /// they were: every m is in it for which |m − mean| is at most z times the square root of (m(1
    /// − m) − d(k − 1)/k²)/n, where d is the share of the draws and k the number of players. As
    /// Wilson's, it does not trust small samples: z² games without a draw are added to find d.
    /// Without draws it is Wilson's own.
    pub fn estimate(self, players: usize) -> Option<Estimate> {
        let games = self.games();
        if games == 0 {
            return None;
        }
        let (n, parts) = (games as f64, players.max(1) as f64);
        let draws = self.draws as f64;
        let value = (self.wins as f64 + draws / parts) / n;
        let spared = draws / (n + Z * Z) * (parts - 1.0) / (parts * parts);
        // (1 + z²/n) m² − (2 mean + z²/n) m + mean² + z² spared/n = 0
        let square = Z * Z / n;
        let half = (value + square / 2.0) / (1.0 + square);
        let product = (value * value + square * spared) / (1.0 + square);
        let reach = (half * half - product).max(0.0).sqrt();
        Some(Estimate {
            value,
            low: (half - reach).clamp(0.0, value),
            high: (half + reach).clamp(value, 1.0),
            error: self.error(parts),
            sample: games,
        })
    }

    /// The standard error with a win and a loss added, so that it is not zero (Alan Agresti and
    /// Brian Caffo, *Simple and Effective Confidence Intervals for Proportions and Differences of
    /// Proportions*, The American Statistician 54, 2000).
    fn error(self, parts: f64) -> f64 {
        let n = self.games() as f64 + 2.0;
        let (wins, draws) = (self.wins as f64 + 1.0, self.draws as f64);
        let mean = (wins + draws / parts) / n;
        let square = (wins + draws / (parts * parts)) / n;
        ((square - mean * mean) / n).max(0.0).sqrt()
    }
}

/// The two-sided p-value of two shares being the same: z of their difference, with a success and a
/// failure added to each sample.
pub fn two_proportion_test(one: (u64, u64), other: (u64, u64)) -> f64 {
    let adjusted = |(so, sample): (u64, u64)| {
        let n = sample as f64 + 2.0;
        let share = (so as f64 + 1.0) / n;
        (share, share * (1.0 - share) / n)
    };
    let ((one, first), (other, second)) = (adjusted(one), adjusted(other));
    super::p_value((one - other) / (first + second).sqrt())
}

/// Estimates a mean by Student's distribution. None of an empty sample; of a single value nothing
/// is known but itself.
pub fn mean_ci(values: &[f64]) -> Option<Estimate> {
    weighted_mean_ci(&values.iter().map(|&value| (value, 1)).collect::<Vec<(f64, u64)>>())
}

/// The same of values each with how often it was found.
pub fn weighted_mean_ci(values: &[(f64, u64)]) -> Option<Estimate> {
    let sample: u64 = values.iter().map(|(_, times)| times).sum();
    let sum = |of: &dyn Fn(f64) -> f64| {
        values.iter().map(|&(value, times)| of(value) * times as f64).sum::<f64>()
    };
    if sample == 0 {
        return None;
    }
    let n = sample as f64;
    let value = sum(&|value| value) / n;
    if sample == 1 {
        return Some(Estimate {
            value,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            error: f64::INFINITY,
            sample,
        });
    }
    let squares = sum(&|other| (other - value) * (other - value));
    let error = (squares / (n - 1.0) / n).sqrt();
    let reach = t_quantile(n - 1.0) * error;
    Some(Estimate { value, low: value - reach, high: value + reach, error, sample })
}

/// Estimates a quantile, such as 0.5 for the median, of values in ascending order, each with how
/// often it was found: the least value that at least that part of them does not exceed. The
/// interval is between two of the values, whose ranks lie about as far away as a binomial variable
/// strays (W. J. Conover, *Practical Nonparametric Statistics*, 1971, section 3.2). None of an
/// empty sample.
pub fn quantile_ci(ascending: &[(f64, u64)], part: f64) -> Option<Estimate> {
    let sample: u64 = ascending.iter().map(|(_, times)| times).sum();
    let n = sample as f64;
    let at = |rank: f64| {
        let rank = (rank.max(1.0) as u64).min(sample);
        let up_to = ascending.iter().scan(0, |sum, &(value, times)| {
            *sum += times;
            Some((value, *sum))
        });
        up_to.into_iter().find(|(_, sum)| *sum >= rank).map(|(value, _)| value)
    };
    let reach = Z * (n * part * (1.0 - part)).sqrt();
    let value = at((n * part).ceil())?;
    let (low, high) = (at((n * part - reach).ceil())?, at((n * part + reach).ceil())?);
    Some(Estimate {
        value,
        low: low.min(value),
        high: high.max(value),
        error: (high - low) / (2.0 * Z),
        sample,
    })
}
