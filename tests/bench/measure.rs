//! Rates of work, and ratios of rates on a machine under other load.
//!
//! Two programs are measured alternately in short slices, and every round gives a ratio: a
//! disturbance that lasts longer than a round affects both alike. Reported are the median of the
//! rounds and, as a measure of its precision, the quartiles.

use std::time::{Duration, Instant};

/// Number of measured rounds, after one for warm-up.
const ROUNDS: usize = 10;

/// Median and quartiles of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    pub low: f64,
    pub median: f64,
    pub high: f64,
}

impl Spread {
    /// Computes them for at least one value.
    pub fn of(mut values: Vec<f64>) -> Spread {
        values.sort_by(f64::total_cmp);
        let at = |quarter: usize| values[(values.len() - 1) * quarter / 4];
        Spread { low: at(1), median: at(2), high: at(3) }
    }
}

/// Median rates of two programs per second, and the ratio of the first to the second.
pub struct Pair {
    pub rates: [f64; 2],
    pub ratio: Spread,
}

/// Repeats work for at least `seconds`, and returns its rate per second. A call of `work` returns
/// the amount done.
pub fn rate(seconds: f64, work: &mut impl FnMut() -> u64) -> f64 {
    let began = Instant::now();
    let mut done = 0;
    // Calls between two reads of the clock; doubled until reading it no longer distorts short work.
    let mut batch = 1;
    loop {
        for _ in 0..batch {
            done += work();
        }
        let so_far = began.elapsed().as_secs_f64();
        if so_far >= seconds {
            return done as f64 / so_far;
        }
        if so_far < seconds / 64.0 {
            batch *= 2;
        }
    }
}

/// Returns the median rate of work measured for `seconds` in all.
pub fn median_rate(seconds: f64, mut work: impl FnMut() -> u64) -> f64 {
    let slice = seconds / ROUNDS as f64;
    rate(slice, &mut work);
    Spread::of((0..ROUNDS).map(|_| rate(slice, &mut work)).collect()).median
}

/// Measures two programs alternately, each for `seconds` in all. Each takes the length of a slice
/// and returns its rate.
pub fn pair(
    seconds: f64,
    mut one: impl FnMut(f64) -> f64,
    mut other: impl FnMut(f64) -> f64,
) -> Pair {
    let slice = seconds / ROUNDS as f64;
    one(slice);
    other(slice);
    let mut rates = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        // Alternates the order, so that neither benefits from going first.
        let (first, second) = if round % 2 == 0 {
            let first = one(slice);
            (first, other(slice))
        } else {
            let second = other(slice);
            (one(slice), second)
        };
        rates[0].push(first);
        rates[1].push(second);
    }
    let ratios = rates[0].iter().zip(&rates[1]).map(|(one, other)| one / other).collect();
    Pair { ratio: Spread::of(ratios), rates: rates.map(|rates| Spread::of(rates).median) }
}

/// Times work repeatedly for about `seconds`, at least three times.
pub fn times(seconds: f64, mut work: impl FnMut() -> Duration) -> Spread {
    let began = Instant::now();
    let mut times = Vec::new();
    while times.len() < 3 || began.elapsed().as_secs_f64() < seconds {
        times.push(work().as_secs_f64());
    }
    Spread::of(times)
}

pub fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}
