//! `ludwright show`: prints a position as text that `--position` and rule cases read, or draws a
//! picture of it.

use super::arguments::Show;
use super::console::Console;
use super::failure::Failure;
use super::game::Loaded;
use super::moves::to_move;
use super::output::Out;
use super::target::{Content, Target};
use ludwright::engine::game::State;
use ludwright::notation::{clip, outcome};
use ludwright::record::Start;
use ludwright::render::{Scene, Targets, svg};
use serde_json::json;
use std::io::{IsTerminal, Write};

/// Picture formats.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ImageKind {
    Svg,
    Png,
}

/// Shows the position.
pub fn run(task: &Show, console: &Console, out: &mut Out) -> Result<u8, Failure> {
    let kind = kind(task)?;
    let (loaded, position, _) = Loaded::at_start_of(&task.game, &task.start, console)?;
    match kind {
        Some(kind) => draw(task, kind, &position, console, out)?,
        None if console.json() => {
            let result =
                position.outcome().map(|over| outcome(position.game().rules(), Some(over)));
            let shown = json!({ "position": Start::write(&position), "to_move": to_move(&position), "result": result });
            writeln!(out, "{}", loaded.add_assumed(shown))?;
        }
        None => write!(out, "{}", Start::write(&position))?,
    }
    Ok(0)
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
            Ok(writeln!(out, "{}", json!({ "svg": String::from_utf8_lossy(&bytes) }))?)
        }
        (None, _) => Ok(out.data(&bytes)?),
    }
}

fn keep(
    target: &Target,
    bytes: &[u8],
    console: &Console,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    target.write(bytes)?;
    let name = target.path().display().to_string();
    match console.json() {
        true => writeln!(out, "{}", json!({ "saved": name }))?,
        false => writeln!(out, "saved {name}")?,
    }
    Ok(())
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
