//! Arguments of the commands that compare and write texts: rules, the manual, schemas, completions.

use super::super::readers::{choice, memory, renaming, time};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub struct Diff {
    /// The left rules file
    #[arg(value_name = "LEFT")]
    pub one: PathBuf,
    /// The right rules file; without it, the left file with other options
    #[arg(value_name = "RIGHT")]
    pub other: Option<PathBuf>,
    /// Set an option in both games, or in the one that has it; may be repeated
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE", value_parser = choice)]
    pub choices: Vec<(String, String)>,
    /// Set an option in the left game only; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = choice)]
    pub left: Vec<(String, String)>,
    /// Set an option in the right game only; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = choice)]
    pub right: Vec<(String, String)>,
    /// Compare the game with what it is without each of its rules, one at a time: which make no
    /// difference? The limits are for each rule [default: --positions 20000 --games 100]
    #[arg(long, conflicts_with_all = ["other", "left", "right", "renamings", "match_names", "output"])]
    pub leave_out: bool,
    /// State a player, piece, move or memory of the left game with one of another name in the right
    /// game; may be repeated
    #[arg(long = "rename", value_name = "LEFT=RIGHT", value_parser = renaming)]
    pub renamings: Vec<(String, String)>,
    /// Find out which names match by trying, where the games use different names
    #[arg(long)]
    pub match_names: bool,
    /// Time limit, such as 90s or 5m [default: 1m, unless --positions is given]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// The most pairs of positions to search; with it instead of a time, the answer is the same on
    /// every computer
    #[arg(long, value_name = "N")]
    pub positions: Option<u64>,
    /// Memory limit of the search, such as 500MB or 8GB
    #[arg(long, value_name = "SIZE", default_value = "1GB", value_parser = memory)]
    pub memory: u64,
    /// Random games to play if not all positions can be searched
    /// [default: 1000]
    #[arg(long, value_name = "N")]
    pub games: Option<u32>,
    /// The seed of the random games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Write the sequence after which they differ to this file as a record of the left game
    #[arg(short = 'O', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Fmt {
    /// The rules files; with `-`, or without any, format standard input to standard output
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write nothing; list the files that are not formatted, and exit with 1 if there are any
    #[arg(long)]
    pub check: bool,
}

#[derive(Debug, Args)]
pub struct New {
    /// The name of the game, such as "Three Stones", or a path such as games/three-stones
    pub name: PathBuf,
    /// The kind of game to start from
    #[arg(long, value_enum, default_value_t = Like::Placement, value_name = "KIND")]
    pub like: Like,
    /// Start from the rules of this game, one of those that come with the program
    #[arg(long, value_name = "GAME", conflicts_with = "like")]
    pub from: Option<String>,
    /// Start from a draft of the rules in a .lud file of Ludii; what has no counterpart there is
    /// reported, and the exit code is then 1
    #[arg(long, value_name = "FILE", conflicts_with_all = ["like", "from"])]
    pub from_ludii: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Like {
    /// Stones are placed and stay
    Placement,
    /// Pieces move towards a goal
    Movement,
    /// Pieces capture each other
    Capture,
}

#[derive(Debug, Args)]
pub struct Manual {
    /// Print the TextMate grammar for editors instead
    #[arg(long)]
    pub textmate: bool,
    /// Print the syntax file for Vim and Neovim instead
    #[arg(long, conflicts_with = "textmate")]
    pub vim: bool,
}

#[derive(Debug, Args)]
pub struct SchemaOf {
    /// The command
    pub command: Option<String>,
}

#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub struct Man {
    /// The command; the program as a whole if omitted
    pub command: Option<String>,
}
