//! The arguments of the commands that evaluate and explain.

use super::{Beginning, GameFile};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Eval {
    #[command(flatten)]
    pub game: GameFile,
    /// The expression, such as "(count (empty))"
    #[arg(value_name = "EXPRESSION", required = true, num_args = 1..)]
    pub expression: Vec<String>,
    #[command(flatten)]
    pub start: Beginning,
}

#[derive(Debug, Args)]
pub struct Why {
    #[command(flatten)]
    pub game: GameFile,
    /// A move, such as "place c3", an expression, such as "(any (mine))", or `result`; without it,
    /// explain the last ply
    #[arg(value_name = "MOVE", num_args = 0..)]
    pub question: Vec<String>,
    #[command(flatten)]
    pub start: Beginning,
}

#[derive(Debug, Args)]
pub struct Trace {
    #[command(flatten)]
    pub game: GameFile,
    /// The record of a game
    pub record: PathBuf,
    /// Also show the value of this expression after each ply; may be repeated
    #[arg(long, value_name = "EXPRESSION")]
    pub watch: Vec<String>,
}

#[derive(Debug, Args)]
pub struct Explain {
    /// A ludeme, a type or the code of a finding; without it, print the index by topic
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
}
