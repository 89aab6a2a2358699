//! The files of a game as one text of JSON, which a page carries with it.

use super::{Files, Origin};
use crate::language::sources::{FetchError, Fetched, Sources};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The files of a game, its own first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Bundle {
    files: Vec<BundledFile>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct BundledFile {
    /// Its name without folders.
    name: String,
    text: String,
    /// The files that paths in the text refer to.
    links: BTreeMap<String, usize>,
}

impl Bundle {
    /// Takes the files of a game.
    pub fn of(sources: &Sources) -> Bundle {
        let file = |(index, name): (usize, &str)| BundledFile {
            name: name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned(),
            text: sources.text_of(index).to_owned(),
            links: sources.links_of(index).into_iter().collect(),
        };
        Bundle { files: sources.names().enumerate().map(file).collect() }
    }

    /// Returns the name of the game's own file.
    pub fn name(&self) -> &str {
        self.files.first().map_or("", |file| &file.name)
    }

    /// Returns the text of the game's own file.
    pub fn text(&self) -> &str {
        self.files.first().map_or("", |file| &file.text)
    }

    fn fetched(&self, index: usize) -> Option<Fetched> {
        let file = self.files.get(index)?;
        Some(Fetched { name: file.name.clone(), key: index.to_string(), text: file.text.clone() })
    }
}

impl Files for Bundle {
    fn gather(&self, _: &Origin, text: &str) -> Sources {
        let own = Fetched { name: self.name().to_owned(), key: "0".to_owned(), text: text.into() };
        Sources::gather(own, &mut |from, path| {
            let file = from.parse().ok().and_then(|index: usize| self.files.get(index));
            let linked = file.and_then(|file| self.fetched(*file.links.get(path)?));
            linked.ok_or_else(|| FetchError::Unreadable("the page has no such file".to_owned()))
        })
    }
}
