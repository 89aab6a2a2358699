//! The tests of the library and of the program from outside, a module for each subject.
//!
//! They are one program, because every program that is linked to the library costs seconds of each
//! build. So they share a process, and run side by side in it: each test writes to files and folders
//! of names of its own, and none changes the environment or the current folder. What counts
//! allocations replaces the allocator of the process, and is a program of its own (`tests/memory`).

mod analysis;
mod bad_input;
mod baselines;
mod byhand;
mod cases;
mod checker;
mod claims;
mod cli;
mod completion;
mod diff;
mod drawings;
mod editors;
mod engine;
mod escapes;
mod examples;
mod fault;
mod findings;
mod floors;
mod fmt;
mod generated;
mod generator;
mod library;
mod limits;
mod lsp;
mod measure;
mod midgames;
mod mutations;
mod native;
mod new;
mod perft;
mod pictures;
mod plan;
mod positions;
mod random_games;
mod readme;
mod reference;
mod search;
mod solve;
mod strength;
#[path = "../support/mod.rs"]
mod support;
mod terminal;
mod trace;
mod two_ways;
mod uniform;
mod watch;
mod why;
mod writing;

use std::path::Path;

/// Settings for snapshots that lie in a folder of `tests/snapshots` and are named by what is
/// asserted alone.
fn snapshots_in(folder: &str) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(folder),
    );
    settings
}
