//! Budgets of work: time, memory, or a number of steps.
//!
//! A time limit must hold however expensive a unit of work is (a ply, a position, a game), and
//! reading the clock must stay cheap. [`Pace`] therefore reads it about once per millisecond, but
//! at least every few units, since the next ones may be more expensive, and at once after work that
//! was ([`hasten`]). [`Fuel`] does not depend on the clock: it runs out at the same step on every
//! computer.
//!
//! Callers set limits in the `…Limits` type of each module, which become these types when work
//! begins.

mod clock;

pub use clock::Instant;

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The intended time between two readings of the clock.
const READING_INTERVAL: Duration = Duration::from_millis(1);

thread_local! {
    /// Whether this thread has done dear work since it last read the clock.
    static IS_HASTENED: Cell<bool> = const { Cell::new(false) };
}

/// Makes the next poll of a limit on this thread read the clock. Called after dear work inside a
/// unit: the strides between readings come from units that may have been much cheaper.
#[cold]
pub fn hasten() {
    IS_HASTENED.set(true);
}

/// Decides after how many units of work the clock is read.
#[derive(Clone, Debug)]
pub struct Pace {
    /// The maximum stride: this many units can pass unchecked if they suddenly become expensive.
    most: u32,
    stride: u32,
    units_since_reading: u32,
    read: Option<Instant>,
}

impl Pace {
    /// Starts with a reading after every unit; later at most `most` units pass without one.
    pub fn new(most: u32) -> Pace {
        Pace { most: most.max(1), stride: 1, units_since_reading: 0, read: None }
    }

    /// Counts units of work; returns the time if the clock was due for a reading.
    #[inline(always)]
    pub fn count(&mut self, units: u32) -> Option<Instant> {
        self.units_since_reading = self.units_since_reading.saturating_add(units);
        let is_due = self.units_since_reading >= self.stride || IS_HASTENED.get();
        if is_due { Some(self.reading()) } else { None }
    }

    /// Reads the clock and adapts the stride.
    #[cold]
    fn reading(&mut self) -> Instant {
        let now = Instant::now();
        IS_HASTENED.set(false);
        let passed = self.read.map(|read| now.saturating_duration_since(read));
        self.stride = match passed {
            Some(passed) if passed > READING_INTERVAL => {
                let fitting = f64::from(self.units_since_reading) * READING_INTERVAL.as_secs_f64()
                    / passed.as_secs_f64();
                (fitting as u32).clamp(1, self.most)
            }
            Some(_) => self.stride.saturating_mul(2).min(self.most),
            None => 1,
        };
        (self.units_since_reading, self.read) = (0, Some(now));
        now
    }

    /// Returns how many units should pass until the next reading.
    pub fn stride(&self) -> u32 {
        self.stride
    }
}

/// A moment at which work is to stop, if there is one. The default never passes.
#[derive(Clone, Debug)]
pub struct Deadline {
    until: Option<Instant>,
    /// Passes as soon as this is set.
    stop: Option<&'static AtomicBool>,
    pace: Pace,
}

impl Default for Deadline {
    fn default() -> Deadline {
        Deadline::at(None)
    }
}

impl Deadline {
    /// The maximum number of units, which may be expensive, between two readings of the clock.
    const MAX_STRIDE: u32 = 16;

    /// Makes a deadline at that moment; with `None`, one that never passes.
    pub fn at(until: Option<Instant>) -> Deadline {
        Deadline::paced(until, Deadline::MAX_STRIDE)
    }

    /// As [`Deadline::at`], with at most this number of units between two readings of the clock.
    pub fn paced(until: Option<Instant>, most: u32) -> Deadline {
        Deadline { until, stop: None, pace: Pace::new(most) }
    }

    /// Makes a deadline that long from now; with `None`, one that never passes.
    pub fn after(time: Option<Duration>) -> Deadline {
        Deadline::at(time.and_then(|time| Instant::now().checked_add(time)))
    }

    /// Counts a unit of work and tests if the deadline has passed. Most calls read no clock and
    /// return false.
    ///
    /// ```
    /// use ludwright::budget::Deadline;
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
        self.is_set() && self.poll() == Some(true)
    }

    /// As [`Deadline::is_over`]; `None` if the clock was not read.
    #[inline(always)]
    pub fn poll(&mut self) -> Option<bool> {
        let now = self.pace.count(1)?;
        Some(self.is_stopped() || self.until.is_some_and(|until| now >= until))
    }

    /// Tests if the deadline can pass.
    pub fn is_set(&self) -> bool {
        self.until.is_some() || self.stop.is_some()
    }

    /// Returns a deadline that also passes once `stop` is set.
    pub fn or_when(self, stop: Option<&'static AtomicBool>) -> Deadline {
        Deadline { stop, ..self }
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Returns a deadline that also passes after this time from now.
    pub fn within(self, time: Duration) -> Deadline {
        let until = Instant::now().checked_add(time).into_iter().chain(self.until).min();
        Deadline { until, ..self }
    }

    /// Tests if the deadline has passed, by reading the clock.
    pub fn has_passed(&self) -> bool {
        self.is_stopped() || self.until.is_some_and(|until| Instant::now() >= until)
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

/// A limited number of steps.
#[derive(Clone, Debug)]
pub struct Fuel {
    capacity: u64,
    left: Cell<u64>,
    /// The steps spent before the last refill.
    spent: Cell<u64>,
}

impl Fuel {
    pub fn new(capacity: u64) -> Fuel {
        Fuel { capacity, left: Cell::new(capacity), spent: Cell::new(0) }
    }

    /// Uses up this number of steps and tests if any are left.
    pub fn spend(&self, steps: u64) -> bool {
        self.left.set(self.left.get().saturating_sub(steps));
        !self.is_empty()
    }

    /// Uses up all steps.
    pub fn drain(&self) {
        self.left.set(0);
    }

    pub fn refill(&self) {
        self.spent.set(self.spent());
        self.left.set(self.capacity);
    }

    pub fn is_empty(&self) -> bool {
        self.left.get() == 0
    }

    /// Returns the number of steps spent so far, refills included.
    pub fn spent(&self) -> u64 {
        self.spent.get() + self.capacity - self.left.get()
    }
}

/// Which budget ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RanOut {
    Memory,
    Time,
    /// The number of positions or plies.
    Steps,
    /// The caller asked to stop.
    Cancelled,
}

/// A limit of allocated bytes, and the number in use.
#[derive(Clone, Debug)]
pub struct MemoryBudget {
    limit: u64,
    used: u64,
}

impl MemoryBudget {
    /// Creates a budget of `limit` bytes with nothing in use.
    pub fn new(limit: u64) -> MemoryBudget {
        MemoryBudget { limit, used: 0 }
    }

    /// Charges `bytes` to the budget.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if less is left.
    pub fn take(&mut self, bytes: u64) -> Result<(), RanOut> {
        self.has(bytes)?;
        self.used += bytes;
        Ok(())
    }

    /// Returns how many bytes are left.
    pub fn left(&self) -> u64 {
        self.limit - self.used
    }

    /// Raises the limit to `limit` bytes, and returns by how many.
    pub fn raise(&mut self, limit: u64) -> u64 {
        let more = limit.saturating_sub(self.limit);
        self.limit += more;
        more
    }

    /// Returns bytes to the budget.
    pub fn give_back(&mut self, bytes: u64) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// Allocates an array filled with one value.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if the budget or the system has too little.
    pub fn array<T: Copy>(&mut self, value: T, length: usize) -> Result<Vec<T>, RanOut> {
        let mut array = self.list(length)?;
        array.resize(length, value);
        Ok(array)
    }

    /// Allocates an empty list with the capacity `most`.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if the budget or the system has too little.
    pub fn list<T>(&mut self, most: usize) -> Result<Vec<T>, RanOut> {
        self.take((most * size_of::<T>()) as u64)?;
        let mut list = Vec::new();
        // The machine may have less memory than the budget says.
        list.try_reserve_exact(most).map_err(|_| RanOut::Memory)?;
        Ok(list)
    }

    /// Tests if `bytes` are left, without charging them.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if not.
    pub fn has(&self, bytes: u64) -> Result<(), RanOut> {
        if bytes > self.left() { Err(RanOut::Memory) } else { Ok(()) }
    }

    /// Drops an array or a list that this budget allocated.
    pub fn drop<T>(&mut self, array: Vec<T>) {
        self.give_back((array.capacity() * size_of::<T>()) as u64);
    }
}
