//! The arguments of playtests and training. Doc comments here are the `--help` text.

use super::GameFile;
use crate::program::readers::{axis, choice, pace, seat, shard, time};
use clap::Args;
use ludwright::measure::MAX_GAMES;
use ludwright::search::PlayerKind;
use ludwright::search::selection::USUAL_GAMES;
use std::path::PathBuf;
use std::time::Duration;

/// What is to be played in a playtest, and where its report goes.
#[derive(Debug, Args)]
pub struct Testing {
    /// Games per pairing [default: as many as fit into a minute of processor time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_GAMES))]
    pub games: Option<u64>,
    /// Who plays as NAME: random, greedy, learned, mcts:1s or strong:2000it; may be repeated
    #[arg(long = "seat", value_name = "NAME=PLAYER", value_parser = seat)]
    pub seats: Vec<(String, PlayerKind)>,
    /// The seed of all games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The time that a player takes for a ply, by which the report gives the length of games in minutes
    #[arg(long, value_name = "TIME", value_parser = pace, default_value = "30s")]
    pub pace: Duration,
    /// Games played in parallel [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Start afresh instead of resuming the same command where it was stopped
    #[arg(long)]
    pub anew: bool,
    #[command(flatten)]
    pub output: Output,
}

/// Where a report goes.
#[derive(Debug, Args)]
pub struct Output {
    /// Write the report to this file, as `.html`, `.json` or `.md`; may be repeated
    #[arg(short = 'O', long = "output", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print everything: definitions, samples, all plots, how often each clause of the rules
    /// applied, the records
    #[arg(long)]
    pub full: bool,
}

#[derive(Debug, Args)]
pub struct Merge {
    /// The reports of the parts
    #[arg(required = true, value_name = "PART.json")]
    pub parts: Vec<PathBuf>,
    /// Compare the game with another one by its report in JSON; may be repeated
    #[arg(long, value_name = "REPORT.json")]
    pub compare_with: Vec<PathBuf>,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Sweep {
    /// The rules file
    pub file: PathBuf,
    /// Values of an option to compare, such as `Surplus=1..4` or `Grid=hex,square`; repeat it for
    /// all combinations
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUES", value_parser = axis)]
    pub axes: Vec<(String, Vec<String>)>,
    #[command(flatten)]
    pub testing: Testing,
}

/// The arguments; the documentation is the `--help` text.
#[derive(Debug, Args)]
pub struct Playtest {
    #[command(flatten)]
    pub game: GameFile,
    #[command(flatten)]
    pub testing: Testing,
    /// Start every game from the end of this record
    #[arg(long, value_name = "RECORD")]
    pub from: Option<PathBuf>,
    /// If no training of this game is kept, make one first; it takes at most about a minute of
    /// processor time more, once
    #[arg(long, conflicts_with = "shard")]
    pub train: bool,
    /// Write the positions of the games in which exactly one ply wins into this folder, each as a
    /// position and as a rule case with its solution
    #[arg(long, value_name = "FOLDER", conflicts_with = "shard")]
    pub puzzles: Option<PathBuf>,
    /// Compare the game with another one: its report in JSON, or its rules file or the name of a
    /// built-in game, which the same players then play, too; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    pub compare_with: Vec<PathBuf>,
    /// Set an option in the other games that the game is compared with, or in those that have it;
    /// may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = choice, requires = "compare_with")]
    pub other: Vec<(String, String)>,
    /// Play the game without each of its rules, too, by the same players and as often, and say which
    /// rules can be left out; the time that this takes is said first
    #[arg(long, conflicts_with_all = ["shard", "from"])]
    pub leave_out: bool,
    /// Play only part K of N; write it with `-O PART.json`, and merge all parts with `ludwright
    /// merge`
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub shard: Option<(usize, usize)>,
}

/// The arguments; the documentation is the `--help` text.
#[derive(Debug, Args)]
pub struct Train {
    #[command(flatten)]
    pub game: GameFile,
    /// How long to play and learn, such as 60s or 5m, as estimated for one core: several threads take
    /// a part of it, and the same time teaches the same on every computer [default: 60s, or more
    /// where games are long, unless --games is given]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// How many games to learn from; their number decides what is learned
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// The seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Games played in parallel [default: the number of cores]; nothing that is learned depends on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Games of each match: of alpha-beta, and of tree search with what was learned beside or in
    /// place of playouts, against plain playouts; of trees with other constants; and among the best
    /// of these. At an estimated 20 ms a ply, up to 100 ms among the best, less where games are long,
    /// and four minutes of one core in all at most
    #[arg(long = "match", value_name = "N", default_value_t = USUAL_GAMES)]
    pub match_games: u32,
    /// Write what was learned to this file, instead of where players find it: in `trainings` in the
    /// folder of LUDWRIGHT_STATE, by default the state folder of the system
    #[arg(short = 'O', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
