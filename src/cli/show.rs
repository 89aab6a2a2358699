//! `ludwright show`: prints a position as text that `--position` and rule cases read, draws a
//! picture of it, or writes a page on which a game can be stepped through.

use crate::program::answers::position::{ResultAnswer, to_move};
use crate::program::answers::subject::Subject;
use crate::program::arguments::{GameFile, Show};
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::files::{read_record, read_source};
use crate::program::game::Loaded;
use crate::program::output::Out;
use crate::program::schema::{Answer, print};
use crate::program::target::{Content, FileAnswer, Target, keep};
use ludwright::catalog;
use ludwright::engine::game::State;
use ludwright::notation::clip;
use ludwright::pages::{PageKind, game_page, of_record};
use ludwright::record::{Record, Start, fingerprint, load};
use ludwright::render::{Scene, Targets, svg};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// A position as text.
#[derive(Serialize, JsonSchema)]
pub struct ShowAnswer {
    #[serde(flatten)]
    subject: Subject,
    /// The position, as `--position` reads it.
    position: String,
    /// The player to move, or `chance`; null when the game is over.
    to_move: Option<String>,
    #[serde(flatten)]
    result: ResultAnswer,
}

impl Answer for ShowAnswer {
    const NAME: &'static str = "show";
}

/// Picture formats.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ImageKind {
    Svg,
    Png,
}

/// Shows the position.
pub fn run(task: &Show, console: &Console, out: &mut Out) -> Result<u8, Failure> {
    if let Some(path) = &task.html {
        return page_of_record(task, path, console, out);
    }
    let kind = kind(task)?;
    // Without `--html`, the file is required.
    let file = task.file.clone().unwrap_or_default();
    let game = GameFile { file, options: task.options.clone() };
    let (loaded, position, _) = Loaded::at_start_of(&game, &task.start, console)?;
    match kind {
        Some(kind) => draw(task, kind, &position, console, out)?,
        None if console.json() => {
            let shown = ShowAnswer {
                subject: loaded.subject(),
                position: Start::write(&position),
                to_move: to_move(&position).map(str::to_owned),
                result: ResultAnswer::of(&position),
            };
            print(&shown, out)?;
        }
        None => write!(out, "{}", Start::write(&position))?,
    }
    Ok(0)
}

/// Writes a page on which the game in a record can be stepped through.
fn page_of_record(
    task: &Show,
    path: &Path,
    console: &Console,
    out: &mut Out,
) -> Result<u8, Failure> {
    let content = Content::Page(PageKind::Game);
    let target = task.output.as_deref().map(|path| Target::new(path, content)).transpose()?;
    let record = read_record(path)?;
    let file = match &task.file {
        Some(file) => file.clone(),
        None => rules_of(&record, path)?,
    };
    let game = GameFile { file, options: task.options.clone() };
    let loaded = Loaded::new(&game, Some((path, &record)), console)?;
    // Also checks the result, and warns if the rules have changed.
    let position = loaded.play_over(path, &record, task.start.force, console)?;
    let played = Record { plies: record.plies[..position.ply_count()].to_vec(), ..record };
    let shown =
        of_record(&loaded.game, &played).map_err(|stopped| loaded.stopped(path, stopped))?;
    let page = game_page(&loaded.game, &loaded.source, shown);
    match target {
        Some(target) => keep(&target, page.as_bytes(), console, out)?,
        None if console.json() => print(&FileAnswer::Html { html: page }, out)?,
        None => out.data(page.as_bytes())?,
    }
    Ok(0)
}

/// The most rules files of a folder that are compared with a record.
const MOST_FILES: usize = 200;

/// Finds the rules that a record was made under, or else rules of a game with the record's title.
///
/// # Errors
/// If there are no such rules, or the record does not name its game.
fn rules_of(record: &Record, path: &Path) -> Result<PathBuf, Failure> {
    let refuse = |message: String| {
        let help = "name the rules file before `--html`".to_owned();
        Err(Failure::usage(message).with_help(Some(help)))
    };
    if record.rules.is_none() && record.game.is_none() {
        return refuse(format!("{} does not say of which game it is", path.display()));
    }
    let mut candidates = Vec::new();
    for folder in [path.parent().unwrap_or(Path::new("")), Path::new("")] {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let rules = entries.map(|entry| {
            entry.path().strip_prefix("./").map_or_else(|_| entry.path(), Path::to_owned)
        });
        let rules = rules.filter(|path| path.extension().is_some_and(|end| end == "game"));
        let mut rules: Vec<PathBuf> = rules.take(MOST_FILES).collect();
        rules.sort();
        candidates.extend(rules);
    }
    candidates.extend(catalog::entries().into_iter().map(|entry| PathBuf::from(entry.name)));
    let is_it = |candidate: &PathBuf| {
        let sources = read_source(candidate).ok();
        let game = sources.and_then(|sources| load(&sources, &[], None).ok());
        game.is_some_and(|game| match &record.rules {
            Some(wanted) => fingerprint(game.rules()) == *wanted,
            None => record.game.as_ref() == Some(&game.rules().title),
        })
    };
    match candidates.into_iter().find(is_it) {
        Some(found) => Ok(found),
        None => {
            let game = record.game.as_deref().map(|game| format!(" of {}", clip(game)));
            refuse(format!(
                "{}: the rules{} that it was made under were not found",
                path.display(),
                game.unwrap_or_default()
            ))
        }
    }
}

/// Determines the picture format; `None` for text.
fn kind(task: &Show) -> Result<Option<ImageKind>, Failure> {
    if task.svg || task.png {
        return Ok(Some(if task.svg { ImageKind::Svg } else { ImageKind::Png }));
    }
    let Some(path) = &task.output else {
        return match &task.targets {
            Some(_) => Err(Failure::usage("`--targets` needs a picture")
                .with_help(Some("add `--svg` or `--png`".to_owned()))),
            None => Ok(None),
        };
    };
    match path.extension().map(|end| end.to_ascii_lowercase()) {
        Some(end) if end == "svg" => Ok(Some(ImageKind::Svg)),
        Some(end) if end == "png" => Ok(Some(ImageKind::Png)),
        _ => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let message =
                format!("cannot tell the format of the picture from the name `{}`", clip(&name));
            Err(Failure::usage(message).with_help(Some(
                "use a name that ends with `.svg` or `.png`, or add `--svg` or `--png`".to_owned(),
            )))
        }
    }
}

fn draw(
    task: &Show,
    kind: ImageKind,
    position: &State,
    console: &Console,
    out: &mut Out,
) -> Result<(), Failure> {
    let content = if kind == ImageKind::Svg { Content::Svg } else { Content::Png };
    let target = task.output.as_deref().map(|path| Target::new(path, content)).transpose()?;
    let mut scene = Scene::of(position);
    if let Some(wanted) = &task.targets {
        scene = scene.with_targets(position, read_targets(wanted, position)?);
    }
    let svg = svg(&scene);
    let bytes = match kind {
        ImageKind::Svg => svg.into_bytes(),
        ImageKind::Png => pixels(&svg)?,
    };
    match (target, kind) {
        (Some(target), _) => keep(&target, &bytes, console, out),
        (None, ImageKind::Png) if console.json() || std::io::stdout().is_terminal() => {
            Err(Failure::usage("a PNG cannot be printed at a terminal")
                .with_help(Some("write it to a file with `-O FILE`".to_owned())))
        }
        (None, _) if console.json() => {
            let svg = String::from_utf8_lossy(&bytes).into_owned();
            print(&FileAnswer::Svg { svg }, out)
        }
        (None, _) => Ok(out.data(&bytes)?),
    }
}

fn read_targets(wanted: &str, position: &State) -> Result<Targets, Failure> {
    if wanted == "all" {
        return Ok(Targets::All);
    }
    let board = &position.game().rules().board;
    let unknown = || {
        let ends = board.sites().next().zip(board.sites().next_back());
        let help = ends.map(|(first, last)| {
            format!(
                "its sites are {} to {}; `all` shows all targets",
                board.label(first),
                board.label(last)
            )
        });
        Failure::usage(format!("the board has no site `{}`", clip(wanted))).with_help(help)
    };
    board.find(wanted).map(Targets::Of).ok_or_else(unknown)
}

#[cfg(feature = "png")]
fn pixels(svg: &str) -> Result<Vec<u8>, Failure> {
    ludwright::render::png(svg).map_err(|why| Failure::usage(format!("cannot draw a PNG: {why}")))
}

#[cfg(not(feature = "png"))]
fn pixels(_: &str) -> Result<Vec<u8>, Failure> {
    Err(Failure::usage("this ludwright was built without the feature `png`")
        .with_help(Some("`--svg` draws the same".to_owned())))
}
