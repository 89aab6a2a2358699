//! What asks for memory, and how much: tests that count allocations, for which the allocator of the
//! whole process is replaced by one that counts.
//!
//! Each thread counts its own, so that the tests do not disturb each other.

mod allocations;
#[path = "../support/counting.rs"]
mod counting;
mod hostile;
mod solve;
#[allow(dead_code, reason = "the other tests need the rest")]
#[path = "../support/mod.rs"]
mod support;
