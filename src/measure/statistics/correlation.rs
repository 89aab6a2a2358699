//! Intraclass correlation: how much of a result is decided by what a group of games shares.

use super::{Distribution, Estimate, Z, proportion_of};

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
    let within = groups.iter().map(|group| variance(group)).sum::<f64>() / count;
    let whole = between + (k - 1.0) * within;
    (whole > 0.0).then(|| (between - within) / whole)
}

fn variance(group: &[f64]) -> f64 {
    let k = group.len() as f64;
    let mean = group.iter().sum::<f64>() / k;
    group.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (k - 1.0)
}

/// Estimates the intraclass correlation of scores from 0 to 1, from which the mean of similar
/// scores may have been subtracted. `mean` is the mean score. The sample is the number of scores.
///
/// The correlation is 1 − w/a, with the variance w within groups and the variance a of all scores.
/// w is a mean of independent numbers from 0 to a maximum, reached where half of a group is won.
/// Its interval is Wilson's, as if w were a proportion of the maximum, whose interval is wider.
/// a varies little beside w, but is too small in small samples: as in the interval of Agresti and
/// Coull, two wins and two losses are added. (Resampling the groups fails where few groups happen
/// to be alike: with ten groups, one interval in ten did not hold the truth.)
pub fn intraclass_ci(groups: &[Vec<f64>], mean: f64) -> Option<Estimate> {
    let slices: Vec<&[f64]> = groups.iter().map(Vec::as_slice).collect();
    let value = intraclass_correlation(&slices)?;
    let (count, size) = (groups.len() as f64, groups[0].len() as f64);
    let most = size / (4.0 * (size - 1.0));
    let within = slices.iter().map(|group| variance(group).min(most)).sum::<f64>() / count;
    let n = count * size;
    let middle = groups.iter().flatten().sum::<f64>() / n;
    let squares: f64 = groups.iter().flatten().map(|own| (own - middle) * (own - middle)).sum();
    let shift = 4.0 * n / (n + 4.0) * (mean - 0.5) * (mean - 0.5);
    let all = (squares + 1.0 + shift) / (n + 4.0);
    let (least, greatest) = proportion_of(within / most, count);
    let low = (1.0 - greatest * most / all).min(value);
    let high = (1.0 - least * most / all).clamp(value, 1.0_f64.max(value));
    let error = (high - low) / (2.0 * Z);
    let (sample, distribution) = (n as u64, Distribution::Normal);
    Some(Estimate { value, low, high, error, sample, distribution })
}
