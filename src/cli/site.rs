//! `ludwright site`: writes a gallery, a folder of pages that play.

use crate::program::arguments::{GameFile, Options, Site};
use crate::program::case_files::examples_of;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use crate::program::module::{SCRIPT, module};
use crate::program::output::Out;
use crate::program::schema::{Answer, print};
use crate::program::target::{Content, Target, make_folder};
use ludwright::catalog::{self, Entry, summary};
use ludwright::desk::{MODULE_NAME, ModulePlace, PlayPage, module_script};
use ludwright::engine::game::Game;
use ludwright::load;
use ludwright::pages::{Card, Example, PageKind, gallery};
use ludwright::render::{Scene, svg_among};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

const INDEX: &str = "index";

/// A gallery that was written.
#[derive(Serialize, JsonSchema)]
pub struct SiteAnswer {
    /// The path of its first page.
    saved: String,
    /// The number of its games.
    games: usize,
}

impl Answer for SiteAnswer {
    const NAME: &'static str = "site";
}

/// A game of the gallery.
struct Shown {
    name: String,
    game: Game,
    examples: Vec<Example>,
}

/// Writes the pages; the gallery last.
pub fn run(task: &Site, console: &Console, out: &mut Out) -> Result<u8, Failure> {
    let module = module(task.module.as_deref())?;
    let groups = match task.files.as_slice() {
        [] => built_in()?,
        files => vec![("Games", named(files, console)?)],
    };
    make_folder(&task.folder)?;
    let target = |name: &str, content| Target::new(&task.folder.join(name), content);
    let index = target(&format!("{INDEX}.html"), Content::Page(PageKind::Gallery))?;
    target(SCRIPT, Content::Module)?.write(module_script(MODULE_NAME, &module).as_bytes())?;
    let (mut cards, mut number) = (Vec::new(), 0);
    for (title, games) in &groups {
        let mut group = Vec::new();
        for Shown { name, game, examples } in games {
            let file = format!("{name}.html");
            let page = PlayPage {
                game,
                examples,
                record: None,
                seats: &[],
                license: None,
                module: ModulePlace::Beside(SCRIPT),
            };
            target(&file, Content::Page(PageKind::Play))?.write(page.html().as_bytes())?;
            number += 1;
            let start = game.begin().map_err(|fault| Failure::input(fault.message))?;
            group.push(Card {
                title: game.rules().title.clone(),
                about: summary(game.rules()),
                address: address(&file),
                picture: svg_among(&Scene::of(&start), &format!("game{number}-")),
            });
        }
        cards.push((*title, group));
    }
    index.write(gallery("Games to play", &cards).as_bytes())?;
    let path = index.path().display();
    match console.json() {
        true => print(&SiteAnswer { saved: path.to_string(), games: number }, out)?,
        false => writeln!(out, "saved {path}, with {number} games")?,
    }
    Ok(0)
}

/// Encodes the name of a file for an address.
fn address(file: &str) -> String {
    file.replace('%', "%25").replace('#', "%23").replace('?', "%3F")
}

/// Loads the games that come with the program, by group.
fn built_in() -> Result<Vec<(&'static str, Vec<Shown>)>, Failure> {
    let mut groups =
        vec![("Games that come with Ludwright", Vec::new()), ("Classic games", Vec::new())];
    for entry in catalog::entries() {
        let Entry { name, group, .. } = entry;
        let game = load(entry.sources(), &[]).map_err(|error| Failure::input(error.summary()))?;
        let shown = Shown { name: name.to_owned(), game, examples: Vec::new() };
        groups[usize::from(group != "shipped")].1.push(shown);
    }
    Ok(groups)
}

/// Loads games of files.
fn named(files: &[PathBuf], console: &Console) -> Result<Vec<Shown>, Failure> {
    let mut games: Vec<Shown> = Vec::new();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name == INDEX || games.iter().any(|known| known.name.eq_ignore_ascii_case(&name)) {
            let message = format!("{name}.html would be written for two files");
            let help = "give the rules files different names, other than `index`";
            return Err(Failure::usage(message).with_help(Some(help.to_owned())));
        }
        let file = GameFile { file: file.clone(), options: Options { choices: Vec::new() } };
        let loaded = Loaded::new(&file, None, console)?;
        let examples = examples_of(&file, &loaded);
        games.push(Shown { name, game: loaded.game, examples });
    }
    Ok(games)
}
