//! Parts of the library by themselves, one module per area.
//!
//! They are here and not beside the code because a build of the library for its own tests would
//! take as long as the library itself. What they need is public in the hidden modules.

mod assembler;
mod board;
mod budget;
mod checker;
mod completion;
mod desk;
mod editor;
mod engine;
mod language;
mod learning;
#[cfg(feature = "native")]
mod native;
mod notation;
mod pages;
mod programs;
mod records;
mod relations;
mod render;
mod search;
mod sources;
mod syntax;
mod turns;
mod winds;

use std::time::{Duration, Instant};

/// Tests if one of five calls takes less time than that: other tests may keep the processor busy.
fn is_soon(limit: Duration, mut call: impl FnMut()) -> bool {
    (0..5).any(|_| {
        let start = Instant::now();
        call();
        start.elapsed() < limit
    })
}
