//! Observations that depend on each other: games with the same dice, or plies of the same game.
//!
//! A sample of clusters says as much as a smaller sample of independent observations, by the design
//! effect: the variance of the mean as estimated from the sums of the clusters (Kung-Yee Liang and
//! Scott Zeger, *Longitudinal Data Analysis Using Generalized Linear Models*, Biometrika 73, 1986;
//! A. Colin Cameron and Douglas Miller, *A Practitioner's Guide to Cluster-Robust Inference*,
//! Journal of Human Resources 50, 2015), relative to the variance of independent observations.
//! Intervals are computed for the smaller sample (J. N. K. Rao and Alastair Scott, *A Simple Method
//! for the Analysis of Clustered Binary Data*, Biometrics 48, 1992). Where every cluster is one
//! observation, the two samples are the same.

use super::t_quantile;
use std::collections::BTreeMap;

/// The number of a cluster, such as a pairing and the number of its dice.
pub type ClusterKey = (usize, u64);

/// Observations with their clusters.
///
/// ```
/// use ludwright::measure::statistics::Clusters;
///
/// let mut pairs = Clusters::default();
/// (0..20).for_each(|game| pairs.add((game / 4 % 2) as f64, 1, Some((0, game / 2))));
/// assert_eq!(pairs.independent_of_proportion(), 0.5);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    /// Values, how often each was observed, and in which cluster; independently if there is none.
    observed: Vec<(f64, u64, Option<ClusterKey>)>,
}

/// The statistics of a clustered sample.
struct Spread {
    sample: f64,
    /// The number of clusters.
    count: f64,
    /// The sum of the squares of the sizes of the clusters.
    sizes: f64,
    /// The variance of the mean relative to that of independent observations; `None` if nothing
    /// varies, or there is a single cluster.
    effect: Option<f64>,
}

impl Clusters {
    /// Adds a value that was observed this number of times in a cluster, or each time
    /// independently.
    pub fn add(&mut self, value: f64, times: u64, cluster: Option<ClusterKey>) {
        if times > 0 {
            self.observed.push((value, times, cluster));
        }
    }

    /// Returns the share of the observations that counts as independent for the interval of their
    /// mean by Student's t, with one degree of freedom less than there are clusters. 0 if there is
    /// a single cluster of several observations.
    pub fn independent_of_mean(&self) -> f64 {
        let Some(spread) = self.spread() else { return 1.0 };
        match spread.effect {
            Some(effect) => spread.freedom() / effect,
            None if spread.count < 2.0 => 0.0,
            None => spread.least(),
        }
    }

    /// Returns the share of the observations that counts as independent for the interval of a
    /// proportion or a mean score. The degrees of freedom count as for a mean (Edward Korn and
    /// Barry Graubard, *Confidence Intervals for Proportions with Small Expected Number of Positive
    /// Counts Estimated from Survey Data*, Survey Methodology 24, 1998). The share is never less
    /// than if all observations of a cluster were the same, which is assumed if nothing varies.
    pub fn independent_of_proportion(&self) -> f64 {
        let Some(spread) = self.spread() else { return 1.0 };
        let least = spread.least();
        spread.effect.map_or(least, |effect| (spread.freedom() / effect).max(least))
    }

    /// Summarizes the sample; `None` if every cluster is a single observation.
    fn spread(&self) -> Option<Spread> {
        let sample: u64 = self.observed.iter().map(|(_, times, _)| times).sum();
        let sum: f64 = self.observed.iter().map(|(value, times, _)| value * *times as f64).sum();
        let mean = sum / sample.max(1) as f64;
        let mut clusters: BTreeMap<ClusterKey, (u64, f64)> = BTreeMap::new();
        let (mut alone, mut squares, mut between) = (0, 0.0, 0.0);
        for &(value, times, cluster) in &self.observed {
            let strayed = value - mean;
            let own = strayed * strayed * times as f64;
            squares += own;
            match cluster {
                Some(key) => {
                    let cluster = clusters.entry(key).or_default();
                    *cluster = (cluster.0 + times, cluster.1 + strayed * times as f64);
                }
                None => {
                    alone += times;
                    between += own;
                }
            }
        }
        let count = alone + clusters.len() as u64;
        if count == sample {
            return None;
        }
        let sizes = alone + clusters.values().map(|(size, _)| size * size).sum::<u64>();
        between += clusters.values().map(|(_, strayed)| strayed * strayed).sum::<f64>();
        let (sample, count) = (sample as f64, count as f64);
        // Equal values have a variance from rounding alone.
        let varies = squares > f64::EPSILON * (1.0 + mean * mean) && count > 1.0;
        let effect = (between * count / (count - 1.0)) / (squares * sample / (sample - 1.0));
        // A small sample often gives less than 1, which is hardly ever true of the same dice.
        let effect = varies.then_some(effect.max(1.0));
        Some(Spread { sample, count, sizes: sizes as f64, effect })
    }
}

impl Spread {
    /// The share that is independent if all observations of a cluster are the same (Leslie Kish,
    /// *Survey Sampling*, 1965).
    fn least(&self) -> f64 {
        self.sample / self.sizes
    }

    /// The share of the sample that the fewer degrees of freedom leave.
    fn freedom(&self) -> f64 {
        (t_quantile(self.sample - 1.0) / t_quantile(self.count - 1.0)).powi(2)
    }
}
