//! Runs parallel work on a given number of threads.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::available_parallelism;

/// The most recent pool, for the next work on as many threads: starting a pool takes longer than
/// short work.
static IDLE: Mutex<Option<ThreadPool>> = Mutex::new(None);

/// Returns how many of `threads` threads are useful: at least one, and at most as many as run at
/// the same time.
pub fn useful(threads: usize) -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = CORES.get_or_init(|| available_parallelism().map_or(1, usize::from));
    threads.clamp(1, *cores)
}

/// Several threads.
pub struct Pool(ThreadPool);

impl Pool {
    /// Returns as many threads as are [useful](useful); `None` if this is only the calling thread,
    /// or no others can be started.
    pub fn of(threads: usize) -> Option<Pool> {
        let threads = useful(threads);
        if threads == 1 {
            return None;
        }
        let idle = idle().take().filter(|pool| pool.current_num_threads() == threads);
        idle.or_else(|| ThreadPoolBuilder::new().num_threads(threads).build().ok()).map(Pool)
    }

    /// Runs work whose parallel parts use these threads.
    pub fn run<R: Send>(self, work: impl FnOnce() -> R + Send) -> R {
        let done = self.0.install(work);
        *idle() = Some(self.0);
        done
    }
}

fn idle() -> MutexGuard<'static, Option<ThreadPool>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}
