//! The clock of all limits: the one of the system, or in a browser the one that the page passes in.

#[cfg(not(all(target_arch = "wasm32", feature = "web")))]
pub use std::time::Instant;

#[cfg(all(target_arch = "wasm32", feature = "web"))]
pub use page::Instant;

#[cfg(all(target_arch = "wasm32", feature = "web"))]
mod page {
    use std::ops::{Add, Sub};
    use std::time::Duration;

    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Returns the milliseconds since the page was opened.
        safe fn now() -> f64;
    }

    /// A moment, as the type of the same name of the standard library.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// Reads the clock.
        pub fn now() -> Instant {
            Instant(Duration::try_from_secs_f64(now() / 1_000.0).unwrap_or_default())
        }

        /// Returns the time since this moment.
        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        /// Returns the moment that much later, if there is one.
        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }

        /// Returns the time since an earlier moment, or none if it is a later one.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0.saturating_add(time))
        }
    }

    impl Sub<Instant> for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}
