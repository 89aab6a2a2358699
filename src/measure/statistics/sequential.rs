//! Wald's sequential probability ratio test.

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestVerdict {
    /// Accept that the probability is at most `low`.
    Low,
    /// Accept that it is at least `high`.
    High,
    /// Continue sampling.
    Open,
}

/// The sequential probability ratio test for a probability (Abraham Wald, *Sequential Tests of
/// Statistical Hypotheses*, Annals of Mathematical Statistics 16, 1945): at most `low`, or at least
/// `high`? Between the two, either answer counts as correct.
///
/// ```
/// use ludwright::measure::statistics::{Sequential, TestVerdict};
///
/// let mut test = Sequential::new(0.5, 0.6, 0.05, 0.05);
/// while test.verdict() == TestVerdict::Open {
///     test.see(true);
/// }
/// assert_eq!((test.verdict(), test.seen()), (TestVerdict::High, 17));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sequential {
    low: f64,
    high: f64,
    /// Upper bound of the log likelihood ratio: `High` from here on.
    accept: f64,
    /// Lower bound: `Low` down from here.
    reject: f64,
    so: u64,
    seen: u64,
}

impl Sequential {
    /// Creates a test. `wrongly_high` is the error rate of `High` if the probability is at most
    /// `low`, `wrongly_low` that of `Low` if it is at least `high`.
    ///
    /// # Panics
    /// If not 0 < `low` < `high` < 1, or an error rate is not between 0 and ½.
    pub fn new(low: f64, high: f64, wrongly_high: f64, wrongly_low: f64) -> Sequential {
        assert!(0.0 < low && low < high && high < 1.0, "expected 0 < {low} < {high} < 1");
        let rates = 0.0..0.5;
        assert!(
            rates.contains(&wrongly_high) && rates.contains(&wrongly_low),
            "expected error rates below a half"
        );
        Sequential {
            low,
            high,
            accept: ((1.0 - wrongly_low) / wrongly_high).ln(),
            reject: (wrongly_low / (1.0 - wrongly_high)).ln(),
            so: 0,
            seen: 0,
        }
    }

    /// Adds an observation.
    pub fn see(&mut self, so: bool) {
        self.so += u64::from(so);
        self.seen += 1;
    }

    /// Returns the number of observations.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Returns the verdict. It depends only on the counts; the error rates hold for the first
    /// verdict that is not `Open`.
    pub fn verdict(&self) -> TestVerdict {
        let (so, not) = (self.so as f64, (self.seen - self.so) as f64);
        let ratio =
            so * (self.high / self.low).ln() + not * ((1.0 - self.high) / (1.0 - self.low)).ln();
        match ratio {
            _ if ratio >= self.accept => TestVerdict::High,
            _ if ratio <= self.reject => TestVerdict::Low,
            _ => TestVerdict::Open,
        }
    }
}
