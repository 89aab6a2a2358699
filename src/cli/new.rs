//! `ludwright new`: a name in, a small game and a case for it out, in files that were not there before.

use super::arguments::{Like, New};
use super::failure::Failure;
use super::screen::Screen;
use serde_json::json;
use std::ffi::{OsStr, OsString};
use std::fs::{File, create_dir};
use std::io::Write;
use std::path::Path;

/// What stands in the place of the game's name.
const NAME: &str = "NAME";

/// A game and its case.
fn template(like: Like) -> (&'static str, &'static str) {
    match like {
        Like::Placement => (include_str!("../templates/placement.game"), include_str!("../templates/placement.case")),
        Like::Movement => (include_str!("../templates/movement.game"), include_str!("../templates/movement.case")),
        Like::Capture => (include_str!("../templates/capture.game"), include_str!("../templates/capture.case")),
    }
}

/// Writes the game and its case.
pub fn run(task: &New, screen: &Screen, out: &mut dyn Write) -> Result<u8, Failure> {
    let stem = match task.name.extension() {
        Some(extension) if extension == "game" => task.name.file_stem(),
        _ => task.name.file_name(),
    };
    let title = stem.and_then(OsStr::to_str).and_then(title);
    let (Some(stem), Some(title)) = (stem, title) else {
        let help = "a name has letters or digits, such as `three-stones`".to_owned();
        return Err(Failure::usage(format!("{} is no name for a game", task.name.display())).with_help(Some(help)));
    };
    let beside = |ending: &str| {
        let mut name = OsString::from(stem);
        name.push(ending);
        task.name.with_file_name(name)
    };
    let (game, cases) = (beside(".game"), beside(".cases"));
    if let Some(there) = [&game, &cases].into_iter().find(|path| path.symlink_metadata().is_ok()) {
        return Err(Failure::usage(format!("{} is there already; nothing was written", there.display())));
    }
    if let Some(folder) = game.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        return Err(Failure::usage(format!("there is no folder {}", folder.display())));
    }
    let case = cases.join("first.case");
    let (rules, example) = template(task.like);
    write(&game, &rules.replacen(NAME, &title, 1))?;
    create_dir(&cases).map_err(|error| Failure::file("write", &cases, &error))?;
    write(&case, example)?;
    if screen.json() {
        writeln!(out, "{}", json!({ "game": game.display().to_string(), "cases": [case.display().to_string()] }))?;
        return Ok(0);
    }
    writeln!(out, "wrote {} and {}", game.display(), case.display())?;
    writeln!(out, "\nTry it, then make it yours:")?;
    for (command, what) in [("play", "play it"), ("check", "find mistakes"), ("test", "run its cases"), ("fmt", "lay it out")] {
        let line = format!("ludwright {command} {}", quoted(&game));
        writeln!(out, "  {line}  # {what}")?;
    }
    Ok(0)
}

/// Makes words with capitals of a file's name; none if it has no letter or digit, or what no line of text has.
fn title(stem: &str) -> Option<String> {
    if stem.chars().any(char::is_control) || !stem.chars().any(char::is_alphanumeric) {
        return None;
    }
    let words = stem.split(['-', '_', ' ']).filter(|word| !word.is_empty()).map(|word| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    });
    let title = words.collect::<Vec<String>>().join(" ");
    Some(title.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Writes a file that is not there yet.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let fail = |error: std::io::Error| Failure::file("write", path, &error);
    File::create_new(path).map_err(fail)?.write_all(text.as_bytes()).map_err(fail)
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |letter: char| letter.is_alphanumeric() || "-_./".contains(letter);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
