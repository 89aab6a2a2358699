//! Is a mean above a bound or below it? A test that may be looked at after every observation.
//!
//! In: observations from 0 to 1, and a bound. Out: on which side of it the mean lies, as soon as
//! that can be told, with error rates that hold whatever the distribution and whenever one stops.
//! It refuses to know what is observed.
//!
//! Somebody bets on each observation that the mean is above the bound, at odds that are fair if it
//! is at the bound; another bets that it is below. Who multiplies his stake by 1/α has shown it:
//! where the mean is not as he says, his capital is a supermartingale that starts at 1, and it ever
//! comes to 1/α with a probability of α at most (Jean Ville, *Étude critique de la notion de
//! collectif*, 1939). Each splits his stake among bettors of different courage, so that he need not
//! know how far the mean is from the bound (Ian Waudby-Smith and Aaditya Ramdas, *Estimating Means
//! of Bounded Random Variables by Betting*, Journal of the Royal Statistical Society B 86, 2024).

/// How much of what may be bet each bettor bets.
const BET_FRACTIONS: [f64; 7] = [0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125];

/// On which side of the bound the mean is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeanSide {
    Below,
    Above,
}

/// Those who bet on one side.
#[derive(Clone, Copy, Debug)]
struct BettingProcess {
    bound: f64,
    /// The logarithms of their capitals.
    capitals: [f64; BET_FRACTIONS.len()],
}

impl BettingProcess {
    fn new(bound: f64) -> BettingProcess {
        BettingProcess { bound, capitals: [0.0; BET_FRACTIONS.len()] }
    }

    /// Pays out for an observation.
    fn observe(&mut self, observed: f64) {
        for (capital, courage) in self.capitals.iter_mut().zip(BET_FRACTIONS) {
            // An observation of 0 costs that part of the capital; one at the bound neither costs
            // nor gains.
            *capital += (courage * (observed / self.bound - 1.0)).ln_1p();
        }
    }

    /// Their mean capital.
    fn capital(&self) -> f64 {
        self.capitals.iter().map(|capital| capital.exp()).sum::<f64>() / BET_FRACTIONS.len() as f64
    }
}

/// A test under way.
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
    /// Begins a test that answers with that error rate: `Above` of a mean that is at the bound or
    /// below it, and `Below` of one that is at the bound or above it.
    ///
    /// # Panics
    /// If the bound or the rate does not lie between 0 and 1.
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

    /// Takes note of an observation from 0 to 1. Once there is an answer it stays.
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

    /// What can be said by now.
    pub fn answer(&self) -> Option<MeanSide> {
        self.answer
    }

    /// How many observations there were.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Their mean; 0 of none.
    pub fn mean(&self) -> f64 {
        self.sum / self.seen.max(1) as f64
    }
}
