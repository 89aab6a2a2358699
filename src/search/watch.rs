//! Tells all threads of a search when its time is up.

use super::mcts::SearchLimits;
use std::sync::atomic::{AtomicBool, Ordering};

/// The limits of a search, and whether its time is up.
pub struct Watch<'s> {
    pub limits: &'s SearchLimits<'s>,
    late: AtomicBool,
}

impl<'s> Watch<'s> {
    pub fn new(limits: &'s SearchLimits<'s>) -> Watch<'s> {
        Watch { limits, late: AtomicBool::new(false) }
    }

    /// Tests if time may be up at some moment. Searches limited by iterations alone never read a
    /// clock.
    pub fn is_timed(&self) -> bool {
        self.limits.deadline.is_set() || self.limits.stop.is_some()
    }

    /// Tests if the search was stopped from outside.
    pub fn is_stopped(&self) -> bool {
        self.limits.is_stopped()
    }

    /// Tests if time is up, as far as any thread knows.
    pub fn is_late(&self) -> bool {
        self.late.load(Ordering::Relaxed)
    }

    /// Lets all threads know that time is up.
    pub fn ring(&self) {
        self.late.store(true, Ordering::Relaxed);
    }

    /// Tests if time is up, by reading the clock.
    pub fn look(&self) -> bool {
        if self.is_stopped() || self.limits.deadline.has_passed() {
            self.ring();
        }
        self.is_late()
    }
}
