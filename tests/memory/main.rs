//! Tests of memory use. They replace the allocator of the whole process by one that counts.
//!
//! Counts are per thread, so that the tests do not disturb each other.

mod allocations;
#[path = "../support/counting.rs"]
mod counting;
mod hostile;
mod solve;
#[allow(dead_code, reason = "the other tests need the rest")]
#[path = "../support/mod.rs"]
mod support;
