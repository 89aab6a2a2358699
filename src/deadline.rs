//! When to stop, asked as often as one likes.
//!
//! A limit of time must hold however dear a unit of work is (a ply, a position, a game), so the
//! clock is read by what units take and not by their number: [`Pace`] lets so many of them pass
//! between two readings as take about a millisecond, and a few at most, for the next ones may be
//! dearer. Limits of work (iterations, games, positions) never look at a clock.

use std::time::{Duration, Instant};

/// What should pass between two readings of the clock.
const BETWEEN: Duration = Duration::from_millis(1);

/// How many units of work pass until the clock is worth a reading.
#[derive(Clone, Debug)]
pub struct Pace {
    /// The longest stride: so many dear units pass unnoticed at most where cheap ones came before.
    most: u32,
    stride: u32,
    since: u32,
    read: Option<Instant>,
}

impl Pace {
    /// Begins with a reading after every unit. So many units at most pass without one.
    pub fn new(most: u32) -> Pace {
        Pace { most: most.max(1), stride: 1, since: 0, read: None }
    }

    /// Counts units of work; gives the time whenever it is worth knowing.
    #[inline(always)]
    pub fn count(&mut self, units: u32) -> Option<Instant> {
        self.since = self.since.saturating_add(units);
        if self.since < self.stride { None } else { Some(self.reading()) }
    }

    /// Reads the clock, and sees how many units should pass until it is read again.
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

    /// How many units should pass until the next reading.
    pub fn stride(&self) -> u32 {
        self.stride
    }
}

/// A moment at which work is to stop, if there is one.
#[derive(Clone, Debug)]
pub struct Deadline {
    until: Option<Instant>,
    pace: Pace,
}

impl Deadline {
    /// So many units, which may be dear, pass at most between two readings of the clock.
    const MOST: u32 = 16;

    /// A deadline at that moment; with none, one that never comes.
    pub fn at(until: Option<Instant>) -> Deadline {
        Deadline { until, pace: Pace::new(Deadline::MOST) }
    }

    /// A deadline after so much time from now on; with none, one that never comes.
    pub fn after(time: Option<Duration>) -> Deadline {
        Deadline::at(time.and_then(|time| Instant::now().checked_add(time)))
    }

    /// Tests if it is over, after one more unit of work. Mostly this reads no clock.
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

    /// Tests if it is over by reading the clock.
    pub fn has_passed(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// A deadline after the first half of what is left.
    pub fn half(&self) -> Deadline {
        Deadline::after(self.left().map(|left| left / 2))
    }

    /// How long it is until then; none where it never comes.
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
        // Those that pass unnoticed at first, and no more.
        assert!(readings.count() >= 200 - 64);
    }

    #[test]
    fn a_deadline_that_never_comes_is_never_over() {
        let mut never = Deadline::at(None);
        assert!((0..1000).all(|_| !never.is_over()) && !never.has_passed());
        assert_eq!(never.half().left(), None);
    }
}
