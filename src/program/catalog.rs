//! The built-in games: those that ship with the program, and classics. Every command that takes a
//! rules file also takes the bare name of one of them; an existing file of that name has
//! precedence.

use include_dir::{Dir, include_dir};
use ludwright::language::rules::Rules;
use ludwright::language::sources::{FetchError, Fetched, Sources};
use std::ffi::OsStr;
use std::path::{Component, Path};

/// Extension of rules files.
const ENDING: &str = "game";

/// Embedded folders with their group names. Game names are unique across both.
static FOLDERS: [(&str, Dir); 2] = [
    ("shipped", include_dir!("$CARGO_MANIFEST_DIR/games")),
    ("classic", include_dir!("$CARGO_MANIFEST_DIR/tests/games")),
];

/// A built-in game.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Name of the rules file without the extension.
    pub name: &'static str,
    /// `shipped` or `classic`.
    pub group: &'static str,
    folder: &'static Dir<'static>,
    pub text: &'static str,
}

impl Entry {
    /// Returns the name of the rules file.
    pub fn file(&self) -> String {
        format!("{}.{ENDING}", self.name)
    }

    /// Returns the text of the rules file and of the files that it depends on.
    pub fn sources(&self) -> Sources {
        self.sources_with(self.text)
    }

    /// As [`Entry::sources`], with another text for the rules file.
    pub fn sources_with(&self, text: &str) -> Sources {
        let folder = self.folder;
        Sources::gather(Fetched::new(self.file(), text), &mut |_, wanted| {
            let name = Path::new(wanted).file_name().and_then(OsStr::to_str).unwrap_or_default();
            let text = folder.get_file(name).and_then(|file| file.contents_utf8());
            text.map(|text| Fetched::new(name, text))
                .ok_or_else(|| FetchError::Unreadable("there is no such file".into()))
        })
    }
}

/// Lists all built-in games by group, then name.
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

/// Finds a game by name, with or without the extension.
pub fn find(name: &str) -> Option<Entry> {
    let name = name.strip_suffix(&format!(".{ENDING}")).unwrap_or(name);
    entries().into_iter().find(|entry| entry.name == name)
}

/// Finds the game that a path names: a bare name without extension, where no such file exists.
pub fn named(path: &Path) -> Option<Entry> {
    let mut components = path.components();
    match (components.next(), components.next()) {
        (Some(Component::Normal(name)), None) if path.extension().is_none() && !path.exists() => {
            find(name.to_str()?)
        }
        _ => None,
    }
}

/// First sentence of the game's description, empty without one.
pub fn summary(rules: &Rules) -> String {
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
