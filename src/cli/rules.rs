//! `ludwright rules`: writes a rule sheet for printing, made from the rules file and its cases.

use super::arguments::GameFile;
use super::console::Console;
use super::failure::Failure;
use super::files::read_text;
use super::game::Loaded;
use super::output::Out;
use super::show::keep;
use super::target::{Content, Target};
use super::test::cases_of;
use clap::Args;
use ludwright::cases::Runner;
use ludwright::pages::{Example, PageKind, sheet};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Maximum size of a case, in bytes.
const LIMIT: usize = 1 << 20;

/// The arguments; the documentation is the `--help` text.
#[derive(Debug, Args)]
pub struct RuleSheet {
    #[command(flatten)]
    pub game: GameFile,
    /// Write the sheet to this file, a page of HTML
    #[arg(short = 'O', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Writes the sheet to a file, or to standard output.
pub fn run(task: &RuleSheet, console: &Console, out: &mut Out) -> Result<u8, Failure> {
    let content = Content::Page(PageKind::Rules);
    let target = task.output.as_deref().map(|path| Target::new(path, content)).transpose()?;
    let loaded = Loaded::new(&task.game, None, console)?;
    let page = sheet(&loaded.game, &examples_of(&task.game, &loaded));
    match target {
        Some(target) => keep(&target, page.as_bytes(), console, out)?,
        None if console.json() => writeln!(out, "{}", json!({ "html": page }))?,
        None => out.data(page.as_bytes())?,
    }
    Ok(0)
}

/// Finds plies to show in the rule cases of a game.
pub fn examples_of(game: &GameFile, loaded: &Loaded) -> Vec<Example> {
    let mut runner = Runner::new(loaded.source.clone());
    let mut examples = Vec::new();
    for path in cases_of(&game.file) {
        // A case that cannot be read has no examples; `test` says why.
        if let Ok(text) = read_text(&path, LIMIT) {
            examples.extend(runner.examples(&text, &game.options.choices));
        }
    }
    examples
}
