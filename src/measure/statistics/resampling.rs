//! Bootstrap intervals and intraclass correlation.

use super::Estimate;
use crate::random::Random;

/// Bootstrap replicates.
const DRAWN: usize = 1_000;
/// The seed of the resampling.
const SEED: u64 = 0x6265_726e_6f75_6c6c;

/// Estimates a statistic of a sample with the percentile bootstrap, 1000 replicates (Bradley Efron,
/// *Bootstrap Methods: Another Look at the Jackknife*, Annals of Statistics 7, 1979). `measure`
/// gets indices into the sample and may return `None`. Deterministic.
pub fn bootstrap_ci(sample: usize, measure: &dyn Fn(&[usize]) -> Option<f64>) -> Option<Estimate> {
    let mut indices: Vec<usize> = (0..sample).collect();
    let value = measure(&indices)?;
    let mut random = Random::new(SEED);
    let mut found: Vec<f64> = Vec::with_capacity(DRAWN);
    for _ in 0..DRAWN {
        indices.iter_mut().for_each(|index| *index = random.below(sample as u32) as usize);
        found.extend(measure(&indices));
    }
    found.sort_by(f64::total_cmp);
    let at = |part: f64| {
        found.get(((found.len() as f64 - 1.0) * part).round() as usize).copied().unwrap_or(value)
    };
    let middle = found.iter().sum::<f64>() / found.len().max(1) as f64;
    let squares: f64 = found.iter().map(|other| (other - middle) * (other - middle)).sum();
    let error = (squares / (found.len().max(2) - 1) as f64).sqrt();
    Some(Estimate {
        value,
        low: at(0.025).min(value),
        high: at(0.975).max(value),
        error,
        sample: sample as u64,
    })
}

/// Returns the intraclass correlation of groups of equal size by analysis of variance: the
/// proportion of the variance that lies between groups (Ronald Fisher, *Statistical Methods for
/// Research Workers*, 1925, section 40). It can be negative. `None` without variance or with fewer
/// than two groups of two.
pub fn intraclass_correlation(groups: &[&[f64]]) -> Option<f64> {
    let size = groups.first().map_or(0, |group| group.len());
    if size < 2 || groups.len() < 2 {
        return None;
    }
    let (count, k) = (groups.len() as f64, size as f64);
    let means: Vec<f64> = groups.iter().map(|group| group.iter().sum::<f64>() / k).collect();
    let middle = means.iter().sum::<f64>() / count;
    let between =
        means.iter().map(|mean| (mean - middle) * (mean - middle)).sum::<f64>() * k / (count - 1.0);
    let strayed = groups
        .iter()
        .zip(&means)
        .flat_map(|(group, mean)| group.iter().map(move |value| (value - mean) * (value - mean)));
    let within = strayed.sum::<f64>() / (count * (k - 1.0));
    let whole = between + (k - 1.0) * within;
    (whole > 0.0).then(|| (between - within) / whole)
}
