//! Runs parallel work on a given number of threads.

use rayon::ThreadPoolBuilder;

/// Runs work whose parallel parts use `threads` threads, at least one; on the global pool if no
/// other can be created.
pub fn on<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    match ThreadPoolBuilder::new().num_threads(threads.max(1)).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}
