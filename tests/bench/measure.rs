//! Rates of work, and ratios of them on a machine that others use too.
//!
//! Two programs are measured in turns, a short while each, and every round gives a ratio: what
//! disturbs the machine for longer than a round disturbs both alike. The median of the rounds is
//! given, and the quartiles, which say how far it can be trusted.

use std::time::{Duration, Instant};

/// So many rounds are measured, after one that only warms up.
const ROUNDS: usize = 10;

/// The median of some measurements, and the quartiles.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    pub low: f64,
    pub median: f64,
    pub high: f64,
}

impl Spread {
    /// Sorts measurements, one at least.
    pub fn of(mut values: Vec<f64>) -> Spread {
        values.sort_by(f64::total_cmp);
        let at = |quarter: usize| values[(values.len() - 1) * quarter / 4];
        Spread { low: at(1), median: at(2), high: at(3) }
    }
}

/// What two programs do in a second, and how much the first does of what the second does.
pub struct Pair {
    pub rates: [f64; 2],
    pub ratio: Spread,
}

/// Does work for so many seconds, at least once, and gives how much was done in a second. The work
/// says how much it was.
pub fn rate(seconds: f64, work: &mut impl FnMut() -> u64) -> f64 {
    let began = Instant::now();
    let mut done = 0;
    // The clock is read seldom, so that short work is not measured with it.
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

/// Gives the median rate of work that is measured for so many seconds.
pub fn median_rate(seconds: f64, mut work: impl FnMut() -> u64) -> f64 {
    let slice = seconds / ROUNDS as f64;
    rate(slice, &mut work);
    Spread::of((0..ROUNDS).map(|_| rate(slice, &mut work)).collect()).median
}

/// Measures two programs in turns, each for so many seconds in all. Each is given how long it shall
/// work, and gives its rate.
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
        // Neither is always the first.
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

/// Times something again and again for about so many seconds, three times at least.
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
