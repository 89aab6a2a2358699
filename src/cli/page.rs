//! `ludwright page`: writes a page that plays, as one file.

use super::arguments::GameFile;
use super::console::Console;
use super::failure::Failure;
use super::game::Loaded;
use super::output::Out;
use super::readers::seat;
use super::rules::examples_of;
use super::show::keep;
use super::target::{Content, Target};
use clap::Args;
use ludwright::desk::{ModulePlace, PlayPage};
use ludwright::files::read;
use ludwright::notation::clip;
use ludwright::pages::PageKind;
use ludwright::search::PlayerKind;
use serde_json::json;
use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The module for browsers, packed, which the program carries if it was built with it.
#[cfg(feature = "web")]
pub const MODULE: Option<&[u8]> =
    Some(include_bytes!(concat!(env!("OUT_DIR"), "/ludwright.wasm.gz")));
/// The module for browsers, which this program was built without.
#[cfg(not(feature = "web"))]
pub const MODULE: Option<&[u8]> = None;

/// What to do without a module.
pub const WITHOUT: &str = "this ludwright was built without the module for browsers; `cargo \
    install --path . --features web` builds both";

/// The largest packed module that is read, in bytes.
const LIMIT: usize = 16 << 20;

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
    /// Name the licence of the game on the page
    #[arg(long, value_name = "TEXT")]
    pub license: Option<String>,
    /// Write the page to this file
    #[arg(short = 'O', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Use this module for browsers, which `src/web/build.sh` makes
    #[arg(long, value_name = "FILE")]
    pub module: Option<PathBuf>,
}

/// Writes the page to a file, or to standard output.
pub fn run(task: &Page, console: &Console, out: &mut Out) -> Result<u8, Failure> {
    let content = Content::Page(PageKind::Play);
    let target = task.output.as_deref().map(|path| Target::new(path, content)).transpose()?;
    let from = task.from.as_deref().map(|path| (path, task.force));
    let (loaded, position, record) = Loaded::at_end_of(&task.game, from, console)?;
    let rules = loaded.game.rules();
    if let Some((name, _)) =
        task.seats.iter().find(|(name, _)| rules.players.iter().all(|known| known.name != *name))
    {
        let names: Vec<&str> = rules.players.iter().map(|player| player.name.as_str()).collect();
        return Err(Failure::usage(format!("the game has no player `{}`", clip(name)))
            .with_help(Some(format!("its players are {}", names.join(", ")))));
    }
    let module = module(task.module.as_deref())?;
    // As far as it was legal.
    let record = record.map(|mut record| {
        record.plies.truncate(position.plies().len());
        record
    });
    let page = PlayPage {
        game: &loaded.game,
        examples: &examples_of(&task.game, &loaded),
        record: record.as_ref(),
        seats: &task.seats,
        license: task.license.as_deref(),
        module: ModulePlace::Inside(&module),
    }
    .html();
    match target {
        Some(target) => keep(&target, page.as_bytes(), console, out)?,
        None if console.json() => writeln!(out, "{}", json!({ "html": page }))?,
        None => out.data(page.as_bytes())?,
    }
    Ok(0)
}

/// Returns the module for browsers: that of a file, or the one that the program carries.
///
/// # Errors
/// If the file cannot be read or is no packed module, or the program was built without one.
pub fn module(file: Option<&Path>) -> Result<Cow<'static, [u8]>, Failure> {
    let Some(path) = file else {
        return MODULE.map(Cow::Borrowed).ok_or_else(|| Failure::usage(WITHOUT));
    };
    let bytes = read(path, LIMIT).map_err(|error| Failure::file("read", path, &error))?;
    match bytes.starts_with(&[0x1f, 0x8b]) {
        true => Ok(Cow::Owned(bytes)),
        false => Err(Failure::input(format!("{} is no packed module", path.display()))),
    }
}
