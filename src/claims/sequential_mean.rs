//! A sequential test of whether a mean is above or below a bound, valid at any stopping time and
//! for any distribution on `[0, 1]`.
//!
//! Each side is an e-process, built by betting: a gambler bets on every observation that the mean
//! is above the bound, at odds that are fair if it equals the bound; another bets that it is below.
//! If a side is wrong, its capital is a nonnegative supermartingale starting at 1, so that it ever
//! reaches 1/α with a probability of at most α (Jean Ville, *Étude critique de la notion de
//! collectif*, 1939). Each side averages over several fixed betting fractions, because the best one
//! depends on the unknown distance to the bound (Ian Waudby-Smith and Aaditya Ramdas, *Estimating
//! Means of Bounded Random Variables by Betting*, Journal of the Royal Statistical Society B 86,
//! 2024).

/// The fractions of the capital at stake.
const BET_FRACTIONS: [f64; 7] = [0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125];

/// The side of the bound on which the mean lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeanSide {
    Below,
    Above,
}

/// The e-process of one side.
#[derive(Clone, Copy, Debug)]
struct BettingProcess {
    bound: f64,
    /// The log capital of each betting fraction.
    capitals: [f64; BET_FRACTIONS.len()],
}

impl BettingProcess {
    fn new(bound: f64) -> BettingProcess {
        BettingProcess { bound, capitals: [0.0; BET_FRACTIONS.len()] }
    }

    /// Updates the capitals with an observation.
    fn observe(&mut self, observed: f64) {
        for (capital, courage) in self.capitals.iter_mut().zip(BET_FRACTIONS) {
            // An observation of 0 loses the fraction at stake; an observation at the bound leaves
            // the capital unchanged.
            *capital += (courage * (observed / self.bound - 1.0)).ln_1p();
        }
    }

    /// Returns the mean capital, which is itself an e-value.
    fn capital(&self) -> f64 {
        self.capitals.iter().map(|capital| capital.exp()).sum::<f64>() / BET_FRACTIONS.len() as f64
    }
}

/// A test in progress.
///
/// ```
/// use ludwright::claims::sequential_mean::{MeanSide, SequentialMeanTest};
///
/// let mut test = SequentialMeanTest::new(0.5, 0.05);
/// while test.answer().is_none() {
///     test.observe(1.0);
/// }
/// assert_eq!((test.answer(), test.seen()), (Some(MeanSide::Above), 12));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SequentialMeanTest {
    error: f64,
    above: BettingProcess,
    below: BettingProcess,
    seen: u64,
    sum: f64,
    answer: Option<MeanSide>,
}

impl SequentialMeanTest {
    /// Creates a test with error rate `error`: the probability of ever answering `Above` if the
    /// mean is at most `bound`, and of `Below` if it is at least `bound`.
    ///
    /// # Panics
    /// If `bound` or `error` is not strictly between 0 and 1.
    pub fn new(bound: f64, error: f64) -> SequentialMeanTest {
        let within = |number: f64| 0.0 < number && number < 1.0;
        assert!(
            within(bound) && within(error),
            "expected a bound and a rate between 0 and 1, found {bound} and {error}"
        );
        SequentialMeanTest {
            error,
            above: BettingProcess::new(bound),
            below: BettingProcess::new(1.0 - bound),
            seen: 0,
            sum: 0.0,
            answer: None,
        }
    }

    /// Adds an observation from 0 to 1. An answer is final.
    pub fn observe(&mut self, observed: f64) {
        self.above.observe(observed);
        self.below.observe(1.0 - observed);
        self.seen += 1;
        self.sum += observed;
        if self.answer.is_none() {
            let shown = |bettors: &BettingProcess| bettors.capital() >= 1.0 / self.error;
            self.answer = match (shown(&self.above), shown(&self.below)) {
                (true, _) => Some(MeanSide::Above),
                (false, true) => Some(MeanSide::Below),
                (false, false) => None,
            };
        }
    }

    /// Returns the answer, if there is one yet.
    pub fn answer(&self) -> Option<MeanSide> {
        self.answer
    }

    /// Returns the number of observations.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Returns the mean of the observations; 0 if there are none.
    pub fn mean(&self) -> f64 {
        self.sum / self.seen.max(1) as f64
    }
}
