//! Values that take long to make, made on a thread of their own while others go on without them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

/// The stack of a thread that makes a value: as much as the first thread of a program has.
const STACK: usize = 8 << 20;

/// A value that is made once, however many ask for it. Clones are the same value.
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
    /// The value, if it has been made by now.
    #[inline(always)]
    pub fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// Makes the value here, or waits for the thread that is making it.
    pub fn wait(&self, make: impl FnOnce() -> T) -> &T {
        self.value.get_or_init(make)
    }
}

impl<T: Send + Sync + 'static> Background<T> {
    /// Has the value made on a thread of its own, unless somebody has asked for that before. Where
    /// there can be no further thread, it is made here.
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
