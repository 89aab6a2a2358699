//! A test that stops as soon as it can tell.

/// What a test has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestVerdict {
    /// The probability is the lower of the two, or less.
    Low,
    /// It is the higher of the two, or more.
    High,
    /// More has to be seen.
    Open,
}

/// Wald's sequential probability ratio test of a probability (Abraham Wald, *Sequential Tests of
/// Statistical Hypotheses*, Annals of Mathematical Statistics 16, 1945): is it at most `low`, or at
/// least `high`? Between the two either answer is right.
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
    /// At or above this the answer is `High`.
    accept: f64,
    /// At or below this it is `Low`.
    reject: f64,
    so: u64,
    seen: u64,
}

impl Sequential {
    /// Begins a test that says `High` of what is `low` at most with the first of the two error
    /// rates, and `Low` of what is `high` at least with the second.
    ///
    /// # Panics
    /// If the probabilities are not in order between 0 and 1, or the rates not between 0 and a
    /// half.
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

    /// Takes note of one more case.
    pub fn see(&mut self, so: bool) {
        self.so += u64::from(so);
        self.seen += 1;
    }

    /// How many cases there were.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// What can be said by now. It depends on how many cases there were of each kind, and not on
    /// their order; but a verdict counts the first time that there is one.
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
