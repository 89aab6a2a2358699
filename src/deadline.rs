//! Time limits that can be tested after every unit of work.
//!
//! Reading the clock costs more than a cheap unit of work (a ply, a position, a game), so [`Pace`]
//! adapts the number of units between two readings to about a millisecond. It is also bounded,
//! because the next units may be much more expensive. Limits in units of work never read a clock.

use std::time::{Duration, Instant};

/// The intended time between two readings of the clock.
const BETWEEN: Duration = Duration::from_millis(1);

/// Decides after how many units of work the clock is read.
#[derive(Clone, Debug)]
pub struct Pace {
    /// The maximum stride: how many units may pass unnoticed if they suddenly become expensive.
    most: u32,
    stride: u32,
    since: u32,
    read: Option<Instant>,
}

impl Pace {
    /// Starts with a reading after every unit; later at most `most` units pass without one.
    pub fn new(most: u32) -> Pace {
        Pace { most: most.max(1), stride: 1, since: 0, read: None }
    }

    /// Counts units of work; returns the time if the clock was due for a reading.
    #[inline(always)]
    pub fn count(&mut self, units: u32) -> Option<Instant> {
        self.since = self.since.saturating_add(units);
        if self.since < self.stride { None } else { Some(self.reading()) }
    }

    /// Reads the clock and adapts the stride.
    #[cold]
    fn reading(&mut self) -> Instant {
        let now = Instant::now();
        let passed = self.read.map(|read| now.saturating_duration_since(read));
        self.stride = match passed {
            Some(passed) if passed > BETWEEN => {
                let fitting = f64::from(self.since) * BETWEEN.as_secs_f64() / passed.as_secs_f64();
                (fitting as u32).clamp(1, self.most)
            }
            Some(_) => self.stride.saturating_mul(2).min(self.most),
            None => 1,
        };
        (self.since, self.read) = (0, Some(now));
        now
    }

    /// Returns how many units should pass until the next reading.
    pub fn stride(&self) -> u32 {
        self.stride
    }
}

/// The time at which work must stop, if there is a limit.
#[derive(Clone, Debug)]
pub struct Deadline {
    until: Option<Instant>,
    pace: Pace,
}

impl Deadline {
    /// The maximum number of units, which may be expensive, between two readings of the clock.
    const MOST: u32 = 16;

    /// Makes a deadline at that moment; with `None`, one that never passes.
    pub fn at(until: Option<Instant>) -> Deadline {
        Deadline { until, pace: Pace::new(Deadline::MOST) }
    }

    /// Makes a deadline that long from now; with `None`, one that never passes.
    pub fn after(time: Option<Duration>) -> Deadline {
        Deadline::at(time.and_then(|time| Instant::now().checked_add(time)))
    }

    /// Tests if the deadline has passed, after one more unit of work. Most calls do not read the
    /// clock.
    ///
    /// ```
    /// use ludwright::deadline::Deadline;
    /// use std::time::Duration;
    ///
    /// let mut soon = Deadline::after(Some(Duration::from_millis(2)));
    /// let mut units = 0;
    /// while !soon.is_over() {
    ///     units += 1;
    /// }
    /// assert!(units > 16);
    /// assert!(!Deadline::after(None).is_over());
    /// ```
    #[inline]
    pub fn is_over(&mut self) -> bool {
        self.until.is_some_and(|until| self.pace.count(1).is_some_and(|now| now >= until))
    }

    /// Tests if the deadline has passed, by reading the clock.
    pub fn has_passed(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Returns a deadline at half of the remaining time.
    pub fn half(&self) -> Deadline {
        Deadline::after(self.left().map(|left| left / 2))
    }

    /// Returns the remaining time; `None` without a limit.
    pub fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Deadline, Pace};
    use std::thread::sleep;
    use std::time::Duration;

    #[test]
    fn dear_units_are_each_followed_by_a_reading() {
        let mut pace = Pace::new(64);
        (0..10_000).for_each(|_| {
            pace.count(1);
        });
        assert_eq!(pace.stride(), 64);
        let readings = (0..200).filter(|_| {
            sleep(Duration::from_millis(2));
            pace.count(1).is_some()
        });
        // The readings missed before the stride has adapted, and no more.
        assert!(readings.count() >= 200 - 64);
    }

    #[test]
    fn a_deadline_that_never_comes_is_never_over() {
        let mut never = Deadline::at(None);
        assert!((0..1000).all(|_| !never.is_over()) && !never.has_passed());
        assert_eq!(never.half().left(), None);
    }
}
