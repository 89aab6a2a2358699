//! The games that the program carries inside itself: those that ship with it, and classics. Where a
//! command takes a rules file, the bare name of one of them serves too, unless a file has that
//! name.

use super::console::Console;
use super::failure::Failure;
use super::output::Out;
use include_dir::{Dir, include_dir};
use ludwright::language::check;
use ludwright::language::rules::Rules;
use ludwright::language::sources::{Fetched, Sources, Unfetched};
use serde_json::json;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Component, Path};

/// The ending of a rules file.
const ENDING: &str = "game";

/// The folders that are carried, each with what it is called. No name is in two of them.
static FOLDERS: [(&str, Dir); 2] = [
    ("shipped", include_dir!("$CARGO_MANIFEST_DIR/games")),
    ("classic", include_dir!("$CARGO_MANIFEST_DIR/tests/games")),
];

/// A game that is carried.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its rules file's name without the ending.
    pub name: &'static str,
    /// `shipped` or `classic`.
    pub group: &'static str,
    folder: &'static Dir<'static>,
    pub text: &'static str,
}

impl Entry {
    /// Its rules file's name.
    pub fn file(&self) -> String {
        format!("{}.{ENDING}", self.name)
    }

    /// The text of its rules file, and those of the files that it takes from.
    pub fn sources(&self) -> Sources {
        let folder = self.folder;
        Sources::gather(Fetched::new(self.file(), self.text), &mut |_, wanted| {
            let name = Path::new(wanted).file_name().and_then(OsStr::to_str).unwrap_or_default();
            let text = folder.get_file(name).and_then(|file| file.contents_utf8());
            text.map(|text| Fetched::new(name, text))
                .ok_or_else(|| Unfetched::Unreadable("there is no such file".into()))
        })
    }
}

/// All of them, by group and name.
pub fn entries() -> Vec<Entry> {
    let mut entries: Vec<Entry> = FOLDERS
        .iter()
        .flat_map(|(group, folder)| {
            let rules =
                folder.files().filter(|file| file.path().extension() == Some(OsStr::new(ENDING)));
            rules.filter_map(|file| {
                let name = file.path().file_stem()?.to_str()?;
                Some(Entry { name, group, folder, text: file.contents_utf8()? })
            })
        })
        .collect();
    entries.sort_by_key(|entry| {
        (FOLDERS.iter().position(|(group, _)| *group == entry.group), entry.name)
    });
    entries
}

/// Finds one by its name, with or without the ending.
pub fn find(name: &str) -> Option<Entry> {
    let name = name.strip_suffix(&format!(".{ENDING}")).unwrap_or(name);
    entries().into_iter().find(|entry| entry.name == name)
}

/// The one that a path names where there is no such file: a bare name without an ending.
pub fn named(path: &Path) -> Option<Entry> {
    let mut components = path.components();
    match (components.next(), components.next()) {
        (Some(Component::Normal(name)), None) if path.extension().is_none() && !path.exists() => {
            find(name.to_str()?)
        }
        _ => None,
    }
}

/// Says what there is, a line each.
pub fn run(console: &Console, out: &mut Out) -> Result<u8, Failure> {
    let entries = entries();
    let rules: Vec<(&Entry, Option<Rules>)> =
        entries.iter().map(|entry| (entry, check(entry.sources(), &[]).rules)).collect();
    if console.json() {
        let games = rules.iter().filter_map(|(entry, rules)| {
            let rules = rules.as_ref()?;
            Some(json!({ "name": entry.name, "group": entry.group, "title": rules.title, "about": summary(rules) }))
        });
        writeln!(out, "{}", json!({ "games": games.collect::<Vec<_>>() }))?;
        return Ok(0);
    }
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    for (entry, rules) in rules {
        let about = rules.as_ref().map(summary).unwrap_or_default();
        writeln!(out, "{:width$}  {about}", entry.name)?;
    }
    Ok(0)
}

/// The first sentence of what a game says about itself, or who made it.
fn summary(rules: &Rules) -> String {
    let about = &rules.about;
    let text = about
        .description
        .as_deref()
        .unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<&str>>()
        .join(" ");
    match text.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => text,
    }
}
