//! Values computed once, on a background thread or on demand.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

/// The stack size of the thread: as large as a main thread's.
const STACK: usize = 8 << 20;

/// A value that is computed once, however many callers ask for it. Clones share it.
pub struct Background<T> {
    value: Arc<OnceLock<T>>,
    begun: Arc<AtomicBool>,
}

impl<T> Clone for Background<T> {
    fn clone(&self) -> Self {
        Background { value: Arc::clone(&self.value), begun: Arc::clone(&self.begun) }
    }
}

impl<T> Default for Background<T> {
    fn default() -> Self {
        Background { value: Arc::default(), begun: Arc::default() }
    }
}

impl<T> Background<T> {
    /// Returns the value if it is ready.
    #[inline(always)]
    pub fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// Computes the value here, or waits for the thread that is computing it.
    pub fn wait(&self, make: impl FnOnce() -> T) -> &T {
        self.value.get_or_init(make)
    }
}

impl<T: Send + Sync + 'static> Background<T> {
    /// Starts computing the value on a thread of its own, unless that was requested before.
    /// Computes it here if no thread can be spawned.
    #[cold]
    pub fn begin<M: FnOnce() -> T + Send + 'static>(&self, make: impl Fn() -> M) {
        if self.begun.swap(true, Ordering::Relaxed) {
            return;
        }
        let (value, task) = (Arc::clone(&self.value), make());
        let begun =
            thread::Builder::new().name("machine code".into()).stack_size(STACK).spawn(move || {
                value.get_or_init(task);
            });
        if begun.is_err() {
            self.value.get_or_init(make());
        }
    }
}
