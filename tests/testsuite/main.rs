//! Tests of the library and of the program from outside, one module per subject.
//!
//! They are one program, because linking each test program to the library costs seconds. They
//! therefore share a process and run in parallel: each test has its own files and folders, and none
//! changes the environment or the current folder. Tests that count allocations replace the
//! allocator, so they are a program of their own (`tests/memory`).

mod analysis;
mod architecture;
mod bad_input;
mod baselines;
mod beliefs;
mod browser;
mod byhand;
mod cases;
mod checker;
mod choices;
mod claims;
mod cli;
mod completion;
mod dear;
mod diff;
mod drawings;
mod editors;
mod engine;
mod escapes;
mod evaluate;
mod examples;
mod fault;
mod finder;
mod findings;
mod floors;
mod fmt;
mod formats;
mod generated;
mod generator;
mod learning;
mod library;
mod light;
mod limits;
mod lsp;
mod ludii;
mod measure;
mod midgames;
mod mutations;
mod native;
mod new;
mod numbers;
mod observations;
mod order_of_play;
mod ownership;
mod perft;
mod pictures;
mod pie;
mod plan;
#[cfg(feature = "studio")]
mod player;
mod positions;
mod products;
mod prover;
mod random_games;
mod readme;
mod recipes;
mod refactor;
mod reference;
mod schemas;
mod search;
mod selection;
mod sentences;
mod services;
mod solve;
mod spellings;
mod strength;
#[cfg(feature = "studio")]
mod studio;
#[cfg(feature = "studio")]
mod studio_server;
#[path = "../support/mod.rs"]
mod support;
mod terminal;
mod then;
mod together;
mod trace;
mod two_ways;
mod uniform;
mod units;
mod vim;
mod watch;
mod why;
mod writing;

use std::path::Path;

/// Settings for snapshots in a folder of `tests/snapshots`, named without the module.
fn snapshots_in(folder: &str) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(folder),
    );
    settings
}
