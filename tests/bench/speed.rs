//! Benchmarks of random play and counting, alone and against programs written by hand for one game.
//!
//! ```sh
//! cargo bench                                  # everything, in three or four minutes
//! cargo bench -- playouts perft                # some of the sections
//! cargo bench -- playouts kitaran              # a section, of one game
//! cargo bench -- strength --games 100          # trains every game for a minute, and plays matches
//! cargo bench -- connect-four                  # positions of Connect Four with one right column
//! cargo bench -- late                          # late positions that are solved
//! cargo bench -- solvers hex                   # how long the solver takes, beside one by hand
//! cargo bench -- --seconds 0.1                 # time per measurement; shorter is less precise
//! cargo bench -- --format json                 # a line of JSON for each measurement
//! ```
//!
//! The figures of interest are ratios of two programs measured alternately under varying load.
//! Criterion and Divan measure one function after another and compare it with an earlier run, so a
//! ratio would combine two reports from minutes apart. The rounds, medians and tables are therefore
//! our own (`measure`, `report`), a hundred lines instead of dozens of crates.
//!
//! Every section begins with a table of its measurements. A verdict shows a figure with its minimum
//! and its target.

mod allocations;
mod baselines;
mod beside;
mod connect_four;
#[path = "../support/counting.rs"]
mod counting;
mod games;
mod growth;
mod loading;
mod measure;
mod opponents;
mod positions;
mod report;
mod search;
mod solvers;
mod strength;
#[allow(dead_code, reason = "the tests need more of it")]
#[path = "../support/mod.rs"]
mod support;
mod threads;
mod trainings;

use clap::{Parser, ValueEnum};
use ludwright::learn::Method;
use report::{Column, Table};
use std::path::PathBuf;

/// Measures random play, counting, loading and what they need.
#[derive(Parser)]
struct Settings {
    /// Sections to be measured, and games (or parts of their names); without any, all.
    only: Vec<String>,
    /// How long each measurement takes, in seconds.
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// The threads of the players that choose a ply in positions with known values.
    #[arg(long, default_value_t = 1)]
    threads: u16,
    /// The games of each match, or positions of each game.
    #[arg(long, default_value_t = 20)]
    games: u32,
    /// How long players train before a match, in seconds.
    #[arg(long, default_value_t = 60.0)]
    train: f64,
    /// How the trained players search: `alpha-beta`, `quiescence`, `tree`, `leaves` or `mcts`;
    /// without it, as matches decide.
    #[arg(long, value_parser = method)]
    method: Option<Method>,
    /// A folder in which trainings are kept for the next time.
    #[arg(long)]
    trainings: Option<PathBuf>,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// What cargo says to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// A section of the benchmark.
struct Section {
    name: &'static str,
    measure: fn(&Settings),
}

/// The sections that take long, and run only if they are asked for.
const LONG: [&str; 5] = ["strength", "connect-four", "connect-four-positions", "late", "solvers"];

const SECTIONS: &[Section] = &[
    Section { name: "playouts", measure: beside::playouts },
    Section { name: "perft", measure: beside::perft },
    Section { name: "games", measure: games::measure },
    Section { name: "growth", measure: growth::measure },
    Section { name: "search", measure: search::measure },
    Section { name: "strength", measure: strength::measure },
    Section { name: "connect-four", measure: positions::connect_four },
    Section { name: "connect-four-positions", measure: connect_four::make },
    Section { name: "late", measure: positions::late },
    Section { name: "solvers", measure: solvers::measure },
    Section { name: "loading", measure: loading::files },
    Section { name: "start", measure: loading::start },
    Section { name: "allocations", measure: allocations::measure },
    Section { name: "threads", measure: threads::measure },
    Section { name: "search-threads", measure: threads::searches },
    Section { name: "alpha-beta-threads", measure: threads::depths },
];

fn method(name: &str) -> Result<Method, String> {
    Method::named(name)
        .ok_or_else(|| "expected `alpha-beta`, `quiescence`, `tree`, `leaves` or `mcts`".into())
}

impl Settings {
    /// Tests if a game is selected.
    fn wants(&self, game: &str) -> bool {
        let mut names = self
            .only
            .iter()
            .filter(|name| SECTIONS.iter().all(|section| section.name != **name))
            .peekable();
        names.peek().is_none() || names.any(|name| game.contains(name.as_str()))
    }

    fn table<'s>(&self, section: &'static str, about: &str, columns: &'s [Column]) -> Table<'s> {
        Table::begin(section, about, columns, self.format == Format::Json)
    }
}

fn main() {
    let settings = Settings::parse();
    let named = |section: &Section| settings.only.iter().any(|name| name == section.name);
    let any = SECTIONS.iter().any(named);
    let runs =
        |section: &&Section| if any { named(section) } else { !LONG.contains(&section.name) };
    for section in SECTIONS.iter().filter(runs) {
        (section.measure)(&settings);
    }
}
