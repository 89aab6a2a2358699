//! The arguments of commands that write or serve pages. Doc comments here are the `--help` text.

use super::GameFile;
use crate::program::readers::seat;
use clap::Args;
use ludwright::search::PlayerKind;
use std::path::PathBuf;

/// The arguments; the documentation is the `--help` text.
#[derive(Debug, Args)]
pub struct RuleSheet {
    #[command(flatten)]
    pub game: GameFile,
    /// Write the sheet to this file, a page of HTML
    #[arg(short = 'O', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The arguments; the documentation is the `--help` text.
#[derive(Debug, Args)]
pub struct Page {
    #[command(flatten)]
    pub game: GameFile,
    /// Show this recorded game first
    #[arg(long, value_name = "RECORD")]
    pub from: Option<PathBuf>,
    /// With `--from`: play an illegal record as far as it is legal
    #[arg(long, requires = "from")]
    pub force: bool,
    /// Let a program play, such as White=mcts:500ms; the page can change it
    #[arg(long = "seat", value_name = "NAME=PLAYER", value_parser = seat)]
    pub seats: Vec<(String, PlayerKind)>,
    /// Name this licence on the page, instead of the one in the rules
    #[arg(long, value_name = "TEXT")]
    pub license: Option<String>,
    /// Write the page to this file
    #[arg(short = 'O', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Use this module for browsers, which `src/web/build.sh` makes
    #[arg(long, value_name = "FILE")]
    pub module: Option<PathBuf>,
}

/// The arguments; the documentation is the `--help` text.
#[derive(Debug, Args)]
pub struct Site {
    /// The folder for the pages, which is made if there is none
    pub folder: PathBuf,
    /// The rules files; without one, all games that come with the program
    pub files: Vec<PathBuf>,
    /// Use this module for browsers, which `src/web/build.sh` makes
    #[arg(long, value_name = "FILE")]
    pub module: Option<PathBuf>,
}

#[cfg(feature = "studio")]
/// The arguments; the documentation is the `--help` text.
#[derive(Debug, Args)]
pub struct Studio {
    /// The folder to work in, or a rules file to open first; without it, the current folder
    #[arg(value_name = "FILE|FOLDER")]
    pub path: Option<PathBuf>,
    #[command(flatten)]
    pub options: super::Options,
    /// Serve at this port; without it, at any free one
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Do not open the page
    #[arg(long)]
    pub no_open: bool,
    /// Write no file of the folder
    #[arg(long)]
    pub read_only: bool,
    /// Write the studio as a page into this folder, for any web server; files and drafts then stay in
    /// the browser
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["path", "choices", "port", "no_open", "read_only"])]
    pub site: Option<PathBuf>,
    /// With `--site`: use this module for browsers, which `src/web/build.sh` makes
    #[arg(long, value_name = "FILE", requires = "site")]
    pub module: Option<PathBuf>,
}
