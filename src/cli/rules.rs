//! `ludwright rules`: writes a rule sheet for printing, made from the rules file and its cases.

use crate::program::arguments::RuleSheet;
use crate::program::case_files::examples_of;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use crate::program::output::Out;
use crate::program::schema::print;
use crate::program::target::{Content, FileAnswer, Target, keep};
use ludwright::pages::{PageKind, sheet};

/// Writes the sheet to a file, or to standard output.
pub fn run(task: &RuleSheet, console: &Console, out: &mut Out) -> Result<u8, Failure> {
    let content = Content::Page(PageKind::Rules);
    let target = task.output.as_deref().map(|path| Target::new(path, content)).transpose()?;
    let loaded = Loaded::new(&task.game, None, console)?;
    let page = sheet(&loaded.game, &examples_of(&task.game, &loaded));
    match target {
        Some(target) => keep(&target, page.as_bytes(), console, out)?,
        None if console.json() => print(&FileAnswer::Html { html: page }, out)?,
        None => out.data(page.as_bytes())?,
    }
    Ok(0)
}
