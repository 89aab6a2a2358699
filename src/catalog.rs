//! The built-in games: those that ship with the program, and classics. Every command that takes a
//! rules file also takes the bare name of one of them.

use crate::language::rules::Rules;
use crate::language::sources::{FetchError, Fetched, Sources};
use std::ffi::OsStr;
use std::path::Path;

// `GAMES`: the group, the name and the text of each game, by group, then name.
include!(concat!(env!("OUT_DIR"), "/games.rs"));

/// A built-in game.
#[derive(Clone, Copy)]
pub struct Entry {
    /// `shipped` or `classic`.
    pub group: &'static str,
    /// Name of the rules file without the extension.
    pub name: &'static str,
    pub text: &'static str,
}

impl Entry {
    /// Returns the name of the rules file.
    pub fn file(&self) -> String {
        format!("{}.game", self.name)
    }

    /// Returns the text of the rules file and of the files that it depends on.
    pub fn sources(&self) -> Sources {
        self.sources_with(self.text)
    }

    /// As [`Entry::sources`], with another text for the rules file.
    pub fn sources_with(&self, text: &str) -> Sources {
        Sources::gather(Fetched::new(self.file(), text), &mut |_, wanted| {
            let name = Path::new(wanted).file_name().and_then(OsStr::to_str).unwrap_or_default();
            let beside = entries().into_iter().find(|entry| {
                entry.group == self.group && name.strip_suffix(".game") == Some(entry.name)
            });
            beside
                .map(|entry| Fetched::new(name, entry.text))
                .ok_or_else(|| FetchError::Unreadable("there is no such file".into()))
        })
    }
}

/// Lists all built-in games by group, then name.
pub fn entries() -> Vec<Entry> {
    GAMES.iter().map(|&(group, name, text)| Entry { group, name, text }).collect()
}

/// Finds a game by name, with or without the extension.
pub fn find(name: &str) -> Option<Entry> {
    let name = name.strip_suffix(".game").unwrap_or(name);
    entries().into_iter().find(|entry| entry.name == name)
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
