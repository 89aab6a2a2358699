//! `ludwright page`: writes a page that plays, as one file.

use crate::program::arguments::Page;
use crate::program::case_files::examples_of;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use crate::program::module::module;
use crate::program::output::Out;
use crate::program::schema::print;
use crate::program::target::{Content, FileAnswer, Target, keep};
use ludwright::desk::{ModulePlace, PlayPage};
use ludwright::notation::clip;
use ludwright::pages::PageKind;

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
    // With `--force`, the record ends at its first illegal ply.
    let record = record.map(|mut record| {
        record.plies.truncate(position.ply_count());
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
        None if console.json() => print(&FileAnswer::Html { html: page }, out)?,
        None => out.data(page.as_bytes())?,
    }
    Ok(0)
}
