//! The files of the folder as the page lists them: their pictures, copies, names and ends.

use super::{Arguments, Refused};
use crate::studio::folder::{Saved, written};
use crate::studio::{Origin, Studio, lock};
use ludwright::desk::Files;
use ludwright::desk::requests::pictures::first_position;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The longest file that is drawn in the list, in bytes.
const MAX_DRAWN: usize = 1 << 17;

/// Draws the first position of a rules file.
pub fn picture(studio: &Studio, arguments: &Arguments) -> Result<Value, Refused> {
    let path = studio.folder.inside(arguments.text("path")?)?;
    let text = studio.folder.read(&path)?;
    if text.len() > MAX_DRAWN {
        return Ok(json!({ "picture": null }));
    }
    let name = format!("own{}-", arguments.number("number")?);
    let sources = studio.folder.gather(&Origin::File(path), &text);
    Ok(json!({ "picture": first_position(&sources, &name) }))
}

/// Copies, renames or deletes a file; a deleted one is given back, so that it can be made again.
pub fn change(studio: &Studio, arguments: &Arguments) -> Result<Value, Refused> {
    if studio.is_read_only {
        return Err("this studio was started for reading only; nothing is changed".into());
    }
    let path = studio.folder.inside(arguments.text("path")?)?;
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default().to_owned();
    if !matches!(&*end, "game" | "record") {
        return Err("only rules files and records can be changed here".into());
    }
    let text = studio.folder.read_raw(&path)?;
    match arguments.text("action")? {
        "duplicate" => {
            let stem = path.with_extension("");
            let named = |number| PathBuf::from(format!("{}-{number}.{end}", stem.display()));
            for path in (2..1_000).map(named) {
                if made(studio, &path, &text)? {
                    return Ok(json!({ "path": written(&path) }));
                }
            }
            Err("there are too many copies of this file".into())
        }
        "rename" => {
            let wanted = arguments.text("to")?.trim();
            let wanted = wanted.strip_suffix(&format!(".{end}")).unwrap_or(wanted);
            let to = studio.folder.inside(&format!("{wanted}.{end}"))?;
            free(studio, &path)?;
            // Rule cases stand beside the rules, and go with them.
            let [from_cases, to_cases] =
                [&path, &to].map(|path| studio.root().join(path.with_extension("cases")));
            let has_cases = end == "game" && from_cases.is_dir();
            if has_cases && to_cases.exists() {
                return Err(format!("there are rule cases of {} already", written(&to)).into());
            }
            if !made(studio, &to, &text)? {
                return Err(format!("there is a file {} already", written(&to)).into());
            }
            if has_cases && std::fs::rename(from_cases, to_cases).is_err() {
                remove(studio, &to)?;
                return Err("the rule cases cannot be renamed; nothing is changed".into());
            }
            remove(studio, &path)?;
            Ok(json!({ "path": written(&to) }))
        }
        "delete" => {
            free(studio, &path)?;
            remove(studio, &path)?;
            Ok(json!({ "path": written(&path), "text": text }))
        }
        _ => Err("expected `duplicate`, `rename` or `delete`".into()),
    }
}

/// Makes a file again that was deleted.
pub fn restore(studio: &Studio, arguments: &Arguments) -> Result<Value, Refused> {
    let path = studio.folder.inside(arguments.text("path")?)?;
    let is_known = |end: &str| matches!(end, "game" | "record");
    if !path.extension().and_then(|end| end.to_str()).is_some_and(is_known) {
        return Err("only rules files and records can be made again".into());
    }
    match !studio.is_read_only && made(studio, &path, arguments.text("text")?)? {
        true => Ok(json!({ "path": written(&path) })),
        false => Err("there is a file of this name already".into()),
    }
}

/// Makes a file, if there is none of its name.
fn made(studio: &Studio, path: &Path, text: &str) -> Result<bool, Refused> {
    let decide = |there: Option<&str>| there.is_none().then(|| text.to_owned());
    Ok(matches!(studio.folder.save(path, &decide)?, Saved::Written))
}

fn remove(studio: &Studio, path: &Path) -> Result<(), Refused> {
    std::fs::remove_file(studio.root().join(path))
        .map_err(|_| Refused::from(format!("{} cannot be removed", written(path))))
}

/// Demands that no tab has a file open.
fn free(studio: &Studio, path: &Path) -> Result<(), Refused> {
    let desks = lock(&studio.desks).clone();
    let is_open = desks.iter().any(|cell| {
        cell.listeners.has_listener() && lock(&cell.desk).draft.origin.file() == Some(path)
    });
    match is_open {
        true => Err("this file is open in a tab; close it first".into()),
        false => Ok(()),
    }
}
