//! The files of the folder as the page lists them: pictures, copying, renaming and deleting. The
//! rule cases of a rules file are in a folder beside it, and are copied, renamed and deleted with
//! it.

use super::{Arguments, Refused};
use crate::studio::folder::{MAX_CASE, Saved, written};
use crate::studio::{Origin, Studio, lock};
use ludwright::desk::Files;
use ludwright::desk::requests::pictures;
use serde_json::{Value, json};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The longest file that is drawn in the list, in bytes.
const MAX_DRAWN: usize = 1 << 17;
/// The most rule cases that are copied, or deleted and returned to the page.
const MAX_CASES: usize = 1_000;

/// Draws a rules file.
pub fn picture(studio: &Studio, arguments: &Arguments) -> Result<Value, Refused> {
    let path = studio.folder.inside(arguments.text("path")?)?;
    let text = studio.folder.read(&path)?;
    if text.len() > MAX_DRAWN {
        return Ok(json!({ "picture": null }));
    }
    let name = format!("own{}-", arguments.number("number")?);
    let sources = studio.folder.gather(&Origin::File(path), &text);
    Ok(json!({ "picture": pictures::picture(&sources, &name) }))
}

/// Copies, renames or deletes a file. A deleted file is returned, so that the page can restore it.
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
        "duplicate" => duplicate(studio, &path, &end, &text),
        "rename" => {
            let wanted = arguments.text("to")?.trim();
            let wanted = wanted.strip_suffix(&format!(".{end}")).unwrap_or(wanted);
            let to = studio.folder.inside(&format!("{wanted}.{end}"))?;
            free(studio, &path, arguments)?;
            // Rule cases lie beside the rules, and are moved with them.
            let [from_cases, to_cases] =
                [&path, &to].map(|path| studio.root().join(path.with_extension("cases")));
            let has_cases = end == "game" && from_cases.is_dir();
            if end == "game" && to_cases.exists() {
                return Err(format!("there are rule cases of {} already", written(&to)).into());
            }
            if !made(studio, &to, &text)? {
                return Err(format!("there is a file {} already", written(&to)).into());
            }
            if has_cases && fs::rename(from_cases, to_cases).is_err() {
                remove(studio, &to)?;
                return Err("the rule cases cannot be renamed; nothing is changed".into());
            }
            remove(studio, &path)?;
            follow(studio, &path, Some(&to), arguments);
            Ok(json!({ "path": written(&to) }))
        }
        "delete" => {
            free(studio, &path, arguments)?;
            let cases = cases_of(studio, &path);
            remove(studio, &path)?;
            follow(studio, &path, None, arguments);
            let mut removed = Vec::new();
            for (case, text) in cases {
                if remove(studio, &case).is_ok() {
                    removed.push(json!({ "path": written(&case), "text": text }));
                }
            }
            // If the folder has other files, it cannot be removed, and they stay.
            let _ = fs::remove_dir(studio.root().join(path.with_extension("cases")));
            Ok(json!({ "path": written(&path), "text": text, "cases": removed }))
        }
        _ => Err("expected `duplicate`, `rename` or `delete`".into()),
    }
}

/// Copies a file with its rule cases, under its name with the first free number.
fn duplicate(studio: &Studio, path: &Path, end: &str, text: &str) -> Result<Value, Refused> {
    let stem = path.with_extension("");
    let cases = cases_of(studio, path);
    for copy in (2..1_000).map(|number| PathBuf::from(format!("{}-{number}.{end}", stem.display())))
    {
        let folder = copy.with_extension("cases");
        // Rule cases already in that folder would be taken for the copy's.
        let is_taken = end == "game" && studio.root().join(&folder).symlink_metadata().is_ok();
        if is_taken || !made(studio, &copy, text)? {
            continue;
        }
        if !cases.is_empty() {
            make_case_folder(studio, &copy)?;
        }
        for (case, text) in &cases {
            made(studio, &folder.join(case.file_name().unwrap_or_default()), text)?;
        }
        return Ok(json!({ "path": written(&copy) }));
    }
    Err("there are too many copies of this file".into())
}

/// Reads the rule cases of a rules file. Links and files that are no text are left out.
fn cases_of(studio: &Studio, path: &Path) -> Vec<(PathBuf, String)> {
    let folder = path.with_extension("cases");
    let whole = studio.root().join(&folder);
    let is_own = whole.symlink_metadata().is_ok_and(|about| about.is_dir());
    if !is_own || path.extension().is_none_or(|end| end != "game") {
        return Vec::new();
    }
    let entries = fs::read_dir(whole).into_iter().flatten().flatten();
    let read = entries.filter_map(|entry| {
        let case = folder.join(entry.file_name());
        let is_case = entry.file_type().is_ok_and(|kind| kind.is_file())
            && case.extension().is_some_and(|end| end == "case");
        let text = studio.folder.read_raw(&case).ok().filter(|text| text.len() <= MAX_CASE)?;
        is_case.then_some((case, text))
    });
    let mut cases: Vec<(PathBuf, String)> = read.take(MAX_CASES).collect();
    cases.sort();
    cases
}

/// Makes the folder of the rule cases of a rules file, if there is none.
pub fn make_case_folder(studio: &Studio, rules: &Path) -> Result<(), Refused> {
    match fs::create_dir(studio.root().join(rules.with_extension("cases"))) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err("the folder of the rule cases cannot be made".into())
        }
        _ => Ok(()),
    }
}

/// Restores a deleted file.
pub fn restore(studio: &Studio, arguments: &Arguments) -> Result<Value, Refused> {
    if studio.is_read_only {
        return Err("this studio was started for reading only; nothing is saved".into());
    }
    let path = arguments.text("path")?;
    if let Some((folder, _)) = path.rsplit_once('/').filter(|_| path.ends_with(".case")) {
        make_case_folder(studio, &rules_of(studio, folder)?)?;
    }
    let path = studio.folder.inside(path)?;
    let is_known = |end: &str| matches!(end, "game" | "record" | "case");
    if !path.extension().and_then(|end| end.to_str()).is_some_and(is_known) {
        return Err("only rules files, rule cases and records can be made again".into());
    }
    match made(studio, &path, arguments.text("text")?)? {
        true => Ok(json!({ "path": written(&path) })),
        false => Err("there is a file of this name already".into()),
    }
}

/// Returns the existing rules file that a folder of rule cases belongs to.
pub fn rules_of(studio: &Studio, folder: &str) -> Result<PathBuf, Refused> {
    let file = folder.strip_suffix(".cases").map(|stem| format!("{stem}.game"));
    let file = studio.folder.inside(&file.ok_or("expected the folder of rule cases")?)?;
    studio.folder.read(&file)?;
    Ok(file)
}

/// Makes a file, unless one of its name exists. Returns whether it was made.
fn made(studio: &Studio, path: &Path, text: &str) -> Result<bool, Refused> {
    let decide = |there: Option<&str>| there.is_none().then(|| text.to_owned());
    Ok(matches!(studio.folder.save(path, &decide)?, Saved::Written))
}

fn remove(studio: &Studio, path: &Path) -> Result<(), Refused> {
    fs::remove_file(studio.root().join(path))
        .map_err(|_| Refused::from(format!("{} cannot be removed", written(path))))
}

/// Checks that no other tab has a file open.
fn free(studio: &Studio, path: &Path, arguments: &Arguments) -> Result<(), Refused> {
    let own = arguments.maybe_text("desk");
    let desks = lock(&studio.desks).clone();
    let is_open = desks.iter().any(|cell| {
        let is_other = Some(cell.id.as_str()) != own && cell.listeners.has_listener();
        is_other && lock(&cell.desk).draft.origin.file() == Some(path)
    });
    match is_open {
        true => Err("this file is open in another tab; close it there first".into()),
        false => Ok(()),
    }
}

/// If the requesting desk has the file open, updates its path.
fn follow(studio: &Studio, path: &Path, to: Option<&Path>, arguments: &Arguments) {
    let cell = arguments.maybe_text("desk").and_then(|id| studio.find_desk(id));
    let Some(cell) = cell else { return };
    let draft = &mut lock(&cell.desk).draft;
    if draft.origin.file() == Some(path) {
        draft.follow(to.map(Path::to_owned));
    }
}
