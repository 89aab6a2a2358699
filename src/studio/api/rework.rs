//! Refactorings that reach other files of the folder: variants, rule cases and records.

use super::files::{make_case_folder, rules_of};
use super::{Arguments, Refused};
use crate::program::case_files::cases_of;
use crate::studio::folder::{MAX_CASE, Saved, plain, read_case, written};
use crate::studio::{DeskCell, Studio, lock};
use ludwright::desk::requests::assist::with_own_text;
use ludwright::desk::requests::rework::{self, Relative, TextAbout};
use ludwright::editor::outline;
use ludwright::language::sources::Sources;
use ludwright::record::Record;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most rule cases of a game.
const MAX_CASES: usize = 200;

/// Renames in the text of the page, and returns the renamed versions of the folder's other files.
pub fn rename(studio: &Studio, cell: &DeskCell, arguments: &Arguments) -> Result<Value, Refused> {
    let (study, own) = {
        let desk = lock(&cell.desk);
        (Arc::clone(&desk.study), desk.draft.origin.file().map(Path::to_owned))
    };
    let Some(own) = own.filter(|_| !studio.is_read_only) else {
        return rework::rename(&study, Vec::new(), Vec::new(), arguments);
    };
    let listing = studio.folder.list();
    let text = arguments.rules()?;
    let sources = with_own_text(&study.sources, text);
    let names: Vec<String> = sources.names().map(str::to_owned).collect();
    let mut records: Vec<(PathBuf, String, Option<String>)> = Vec::new();
    for listed in listing.files.iter().filter(|listed| listed.kind == "record") {
        let Ok(text) = studio.folder.read(&listed.path) else { continue };
        let title = Record::parse(&text).ok().and_then(|record| record.game);
        records.push((listed.path.clone(), text, title));
    }
    let about = |path: &Path, sources: &Sources| {
        let root = studio.root();
        let cases = cases_of(&root.join(path)).into_iter().take(MAX_CASES).filter_map(|case| {
            let text = plain(&read_case(&case, MAX_CASE)?);
            // Cases outside the folder belong to another project.
            let path = written(case.strip_prefix(root).ok()?);
            Some(TextAbout { path, text, is_case: true })
        });
        let title = outline::title(sources.text_of(0)).map(|(title, _)| title);
        let records = records.iter().filter(|(_, _, game)| title.is_some() && *game == title);
        let records = records.map(|(path, text, _)| TextAbout {
            path: written(path),
            text: text.clone(),
            is_case: false,
        });
        cases.chain(records).collect::<Vec<TextAbout>>()
    };
    let mut relatives = Vec::new();
    for listed in listing.files.iter().filter(|listed| listed.kind == "game" && listed.path != own)
    {
        let Ok(text) = studio.folder.read(&listed.path) else { continue };
        let Ok(found) = studio.folder.gather_beside(&listed.path, &text, &own, sources.text_of(0))
        else {
            continue;
        };
        if found.names().any(|name| names.iter().any(|known| known == name)) {
            let texts = about(&listed.path, &found);
            relatives.push(Relative { sources: found, texts });
        }
    }
    let texts = about(&own, &sources);
    let mut answer = rework::rename(&study, relatives, texts, arguments)?;
    // Rules files are named by paths of the system.
    for other in answer["others"].as_array_mut().into_iter().flatten() {
        let path = PathBuf::from(other["path"].as_str().unwrap_or_default());
        if let Ok(inside) = path.strip_prefix(studio.root()) {
            other["path"] = json!(written(inside));
        }
    }
    Ok(answer)
}

/// Writes files of the folder, as long as each still has the content that the page knows. Stops at
/// the first file that differs; the files before it are written.
pub fn write(studio: &Studio, arguments: &Arguments) -> Result<Value, Refused> {
    if studio.is_read_only {
        return Err("this studio was started for reading only; nothing is saved".into());
    }
    let files = arguments.value("files").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut done = Vec::new();
    for file in &files {
        let text = |name: &str| file[name].as_str().map(plain).ok_or("a file lacks its text");
        let (path, before, after) = (text("path")?, text("before")?, text("text")?);
        let relative = studio.folder.inside(&path)?;
        let is_known = |end: &str| matches!(end, "game" | "case" | "record");
        if !relative.extension().and_then(|end| end.to_str()).is_some_and(is_known) {
            return Err("only rules files, rule cases and records are written".into());
        }
        let decide = |there: Option<&str>| {
            let there = there?;
            let is_windows = there.contains("\r\n");
            let after = if is_windows { after.replace('\n', "\r\n") } else { after.clone() };
            (plain(there) == before).then_some(after)
        };
        match studio.folder.save(&relative, &decide)? {
            Saved::Refused(_) => {
                return Err(format!("{path} was changed meanwhile; it stays as it is").into());
            }
            _ => done.push(path),
        }
    }
    Ok(json!({ "written": done }))
}

/// Makes a file of the folder: under its name, or with a number if the name is taken.
pub fn create(studio: &Studio, arguments: &Arguments) -> Result<Value, Refused> {
    if studio.is_read_only {
        return Err("this studio was started for reading only; nothing is saved".into());
    }
    let (path, text) = (arguments.text("path")?, arguments.rules()?);
    if let Some((folder, _)) = path.rsplit_once('/').filter(|_| path.ends_with(".case")) {
        make_case_folder(studio, &rules_of(studio, folder)?)?;
    }
    let wanted = studio.folder.inside(path)?;
    let end = wanted.extension().and_then(|end| end.to_str()).unwrap_or_default().to_owned();
    if !matches!(&*end, "game" | "case") {
        return Err("expected the name of a rules file".into());
    }
    let stem = wanted.with_extension("");
    let numbered =
        (2..100).map(|number| PathBuf::from(format!("{}-{number}.{end}", stem.display())));
    for path in std::iter::once(wanted).chain(numbered) {
        let decide = |there: Option<&str>| there.is_none().then(|| text.clone());
        if let Saved::Written = studio.folder.save(&path, &decide)? {
            return Ok(json!({ "path": written(&path) }));
        }
    }
    Err("there are too many files of this name".into())
}
