//! Work on so many threads.

use rayon::ThreadPoolBuilder;

/// Does something whose parallel parts run on so many threads, one at least; on those that there
/// are where no others can be had.
pub fn on<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    match ThreadPoolBuilder::new().num_threads(threads.max(1)).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}
