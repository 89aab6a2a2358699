//! Proportions, mean scores, means and quantiles with confidence intervals.

use super::{Z, t_quantile};
use serde::Serialize;

/// The distribution of an estimate, which decides how it is tested against another estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// A proportion or a mean score: its standard error has one success and one failure added.
    Binomial,
    /// A mean, or another estimate with a standard error that is about normal.
    Normal,
    /// A quantile, with an interval between order statistics.
    Quantile,
    /// An exact count.
    Count,
}

/// An estimate with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Estimate {
    pub value: f64,
    /// The bounds of the 95 % interval; in JSON null where there is none.
    #[cfg_attr(feature = "cli", schemars(with = "Option<f64>"))]
    pub low: f64,
    #[cfg_attr(feature = "cli", schemars(with = "Option<f64>"))]
    pub high: f64,
    /// The standard error, for tests. For a proportion it is never zero.
    #[cfg_attr(feature = "cli", schemars(with = "Option<f64>"))]
    pub error: f64,
    /// The sample size.
    pub sample: u64,
    #[serde(skip)]
    pub distribution: Distribution,
}

impl Estimate {
    /// Returns a count without an error.
    pub fn count(value: f64, sample: u64) -> Estimate {
        let distribution = Distribution::Count;
        Estimate { value, low: value, high: value, error: 0.0, sample, distribution }
    }

    /// Returns the estimate in other units, `by` times as large.
    pub fn scaled(self, by: f64) -> Estimate {
        Estimate {
            value: self.value * by,
            low: self.low * by,
            high: self.high * by,
            error: self.error * by,
            ..self
        }
    }

    /// Returns the size of the independent sample of a proportion with this value and standard
    /// error, which has one success and one failure added.
    pub fn independent_sample(&self) -> f64 {
        let error = |n: f64| {
            let mean = (self.value * n + 1.0) / (n + 2.0);
            (mean * (1.0 - mean) / (n + 2.0)).sqrt()
        };
        // The error falls with the size.
        let (mut low, mut high) = (0.0, 1e12);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            if error(middle) > self.error { low = middle } else { high = middle }
        }
        low
    }

    /// Returns the estimate with the interval and the error of a sample of which only this share is
    /// independent; unbounded for 0.
    pub fn of_independent(self, share: f64) -> Estimate {
        if share == 0.0 {
            let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
            return Estimate { low, high, error: f64::INFINITY, ..self };
        }
        let by = 1.0 / share.sqrt();
        Estimate {
            low: self.value - (self.value - self.low) * by,
            high: self.value + (self.high - self.value) * by,
            error: self.error * by,
            ..self
        }
    }
}

/// Estimates a proportion with the Wilson score interval (Edwin B. Wilson, *Probable Inference, the
/// Law of Succession, and Statistical Inference*, Journal of the American Statistical Association
/// 22, 1927). `None` for an empty sample.
///
/// ```
/// let share = ludwright::measure::statistics::proportion_ci(81, 263).expect("a sample");
/// assert_eq!(format!("{:.3} {:.3}", share.low, share.high), "0.255 0.366");
/// ```
pub fn proportion_ci(so: u64, sample: u64) -> Option<Estimate> {
    Scores::of_proportion(so, sample).estimate(2)
}

/// Returns Wilson's interval for the mean of `n` numbers between 0 and 1, which need not be whole.
pub fn proportion_of(value: f64, n: f64) -> (f64, f64) {
    bounds(value, 0.0, n)
}

/// Returns the bounds of Wilson's interval, for a variance that is `spared` below a proportion's.
fn bounds(value: f64, spared: f64, n: f64) -> (f64, f64) {
    // The roots of the inequality as a quadratic equation in m:
    // (1 + z²/n) m² − (2 mean + z²/n) m + mean² + z² spared/n = 0
    let square = Z * Z / n;
    let half = (value + square / 2.0) / (1.0 + square);
    let product = (value * value + square * spared) / (1.0 + square);
    let reach = (half * half - product).max(0.0).sqrt();
    ((half - reach).clamp(0.0, value), (half + reach).clamp(value, 1.0))
}

/// The results of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scores {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// The score of results that only some players share, beyond a draw of all: in 840ths, of
    /// which an equal part of 1 is a whole number for up to eight players.
    pub shared: u64,
}

/// The least common multiple of the numbers up to eight.
const PARTS: u64 = 840;

impl Scores {
    /// Returns the scores whose mean is a proportion.
    pub fn of_proportion(so: u64, sample: u64) -> Scores {
        Scores { wins: so, draws: 0, losses: sample.saturating_sub(so), shared: 0 }
    }

    /// Returns the number of games.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Adds games whose result the players with these bits shared, for one of `players` players.
    pub fn add_shared(&mut self, among: u8, player: usize, players: usize, games: u64) {
        if u64::from(among) >> player & 1 == 0 {
            self.losses += games;
            return;
        }
        self.draws += games;
        let part = |of: u64| PARTS / of.max(1);
        let more = part(among.count_ones().into()).saturating_sub(part(players as u64));
        self.shared += games * more;
    }

    /// Estimates the mean score in games of `players` players: 1 for a win, 1/`players` for a draw.
    /// A single player's draws count as losses. `None` if there are no games.
    ///
    /// The interval is a Wilson score interval whose variance accounts for draws: it contains every
    /// m for which |m − mean| is at most z times the square root of (m(1 − m) − d(k − 1)/k²)/n,
    /// where d is the proportion of draws and k the number of players. To be conservative in small
    /// samples, d is estimated with z² additional games without a draw. Without draws it is
    /// Wilson's interval.
    pub fn estimate(self, players: usize) -> Option<Estimate> {
        self.estimate_of_independent(players, 1.0)
    }

    /// As [`estimate`](Self::estimate), with the interval of a sample of which only this share is
    /// independent. `sample` is still the number of all games.
    pub fn estimate_of_independent(self, players: usize, share: f64) -> Option<Estimate> {
        let games = self.games();
        if games == 0 {
            return None;
        }
        if players == 1 && self.draws > 0 {
            let losses = self.losses + self.draws;
            let scores = Scores { draws: 0, losses, ..self };
            return scores.estimate_of_independent(players, share);
        }
        let (n, parts) = (games as f64 * share, players.max(1) as f64);
        let (wins, draws) = (self.wins as f64 * share, self.draws as f64 * share);
        let (value, spared) = self.mean(players, share);
        let (low, high) = bounds(value, spared, n);
        // The standard error with one win and one loss added, so that it is not zero (Alan Agresti
        // and Brian Caffo, *Simple and Effective Confidence Intervals for Proportions and
        // Differences of Proportions*, The American Statistician 54, 2000).
        let added = n + 2.0;
        let mean = (wins + 1.0 + draws / parts) / added;
        let squares = (wins + 1.0 + draws / (parts * parts)) / added;
        Some(Estimate {
            value,
            low,
            high,
            error: ((squares - mean * mean) / added).max(0.0).sqrt(),
            sample: games,
            distribution: Distribution::Binomial,
        })
    }
}

impl Scores {
    /// Returns the mean score, and by how much draws lower the variance of a game, where a share of
    /// the games is independent.
    fn mean(self, players: usize, share: f64) -> (f64, f64) {
        let (n, parts) = (self.games() as f64 * share, players.max(1) as f64);
        let (wins, draws) = (self.wins as f64 * share, self.draws as f64 * share);
        let shared = self.shared as f64 / PARTS as f64 * share;
        let spared = draws / (n + Z * Z) * (parts - 1.0) / (parts * parts);
        ((wins + draws / parts + shared) / n, spared)
    }

    /// Returns the two-sided p-value of the score test that the mean score in games of several
    /// players, of which this share is independent, is an equal share. It is at most 0.05 where the
    /// interval does not hold an equal share. 1 if there are no games.
    pub fn equality_test(self, players: usize, share: f64) -> f64 {
        if self.games() == 0 || players < 2 {
            return 1.0;
        }
        let even = 1.0 / players as f64;
        let (value, spared) = self.mean(players, share);
        let variance = (even * (1.0 - even) - spared) / (self.games() as f64 * share);
        super::p_value((value - even) / variance.sqrt())
    }
}

/// Estimates the mean scores of several samples, each with its independent share. The standard
/// errors hold if the means are the same: they come from the variance of all games together. A test
/// with the error of each sample is wrong too often, since that error is the smaller the further
/// the mean happens to be from a half. `None` for an empty sample.
pub fn pooled_estimates(samples: &[(Scores, f64)], players: usize) -> Vec<Option<Estimate>> {
    let parts = players.max(1) as f64;
    // A single player's draws are losses.
    let drawn = if players > 1 { 1.0 / parts } else { 0.0 };
    // One win and one loss are added, so that there is a variance.
    let (mut all, mut sum, mut squares) = (2.0, 1.0, 1.0);
    for (scores, share) in samples {
        let (wins, draws) = (scores.wins as f64 * share, scores.draws as f64 * share);
        all += scores.games() as f64 * share;
        sum += wins + draws * drawn;
        squares += wins + draws * drawn * drawn;
    }
    let variance = squares / all - (sum / all) * (sum / all);
    let pooled = |(scores, share): &(Scores, f64)| {
        let own = scores.estimate_of_independent(players, *share)?;
        let error = (variance / (own.sample as f64 * share)).sqrt();
        // No win and loss are added to this error.
        Some(Estimate { error, distribution: Distribution::Normal, ..own })
    };
    samples.iter().map(pooled).collect()
}

/// Returns the two-sided p-value of the z test for two proportions, with one success and one
/// failure added to each sample (Agresti and Caffo).
pub fn two_proportion_test(one: (u64, u64), other: (u64, u64)) -> f64 {
    let adjusted = |(so, sample): (u64, u64)| {
        let n = sample as f64 + 2.0;
        let share = (so as f64 + 1.0) / n;
        (share, share * (1.0 - share) / n)
    };
    let ((one, first), (other, second)) = (adjusted(one), adjusted(other));
    super::p_value((one - other) / (first + second).sqrt())
}

/// Estimates a mean with Student's t interval. `None` for an empty sample; unbounded for one value.
pub fn mean_ci(values: &[f64]) -> Option<Estimate> {
    weighted_mean_ci(&values.iter().map(|&value| (value, 1)).collect::<Vec<(f64, u64)>>())
}

/// As [`mean_ci`], with the frequency of each value.
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
            distribution: Distribution::Normal,
        });
    }
    let squares = sum(&|other| (other - value) * (other - value));
    let error = (squares / (n - 1.0) / n).sqrt();
    let reach = t_quantile(n - 1.0) * error;
    let (low, high) = (value - reach, value + reach);
    Some(Estimate { value, low, high, error, sample, distribution: Distribution::Normal })
}

/// Estimates the quantile `part` (0.5 for the median) of ascending values with their frequencies:
/// the least value whose cumulative proportion is at least `part`. The interval lies between two
/// order statistics, whose ranks come from the normal approximation of the binomial distribution
/// (W. J. Conover, *Practical Nonparametric Statistics*, 1971, section 3.2). It is open where the
/// rank lies beyond the sample: fewer than 73 values do not bound the 95 % quantile from above.
/// `None` for an empty sample.
pub fn quantile_ci(ascending: &[(f64, u64)], part: f64) -> Option<Estimate> {
    quantile_ci_of_independent(ascending, part, |_| 1.0)
}

/// As [`quantile_ci`], for a sample of which only a share is independent, where the values up to
/// the quantile are a proportion (Ralph Woodruff, *Confidence Intervals for Medians and Other
/// Position Measures*, Journal of the American Statistical Association 47, 1952). `share` returns
/// the independent share for the quantile.
pub fn quantile_ci_of_independent(
    ascending: &[(f64, u64)],
    part: f64,
    share: impl Fn(f64) -> f64,
) -> Option<Estimate> {
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
    let value = at((n * part).ceil())?;
    let reach = Z * (n * part * (1.0 - part) / share(value)).sqrt();
    let (first, last) = ((n * part - reach).ceil(), (n * part + reach).ceil());
    let low = if first < 1.0 { f64::NEG_INFINITY } else { at(first)? };
    let high = if last > n { f64::INFINITY } else { at(last)? };
    Some(Estimate {
        value,
        low: low.min(value),
        high: high.max(value),
        error: (high - low) / (2.0 * Z),
        sample,
        distribution: Distribution::Quantile,
    })
}
