//! The files of a game as one text of JSON, which a page carries with it.

use super::{Files, Origin};
use crate::editor::outline;
use crate::language::sources::{FetchError, Fetched, Sources};
use crate::syntax::parse;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The files of a game, its own first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Bundle {
    files: Vec<BundledFile>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct BundledFile {
    /// The file's name without folders.
    name: String,
    text: String,
    /// Indices of the files that paths in the text refer to; other paths are resolved by file name.
    #[serde(default)]
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

    /// Lists the files with their texts, the game's own first.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|file| (file.name.as_str(), file.text.as_str()))
    }

    /// Returns the same files with another file as the game's own.
    pub fn beginning_with(&self, name: &str) -> Bundle {
        let (own, others): (Vec<BundledFile>, Vec<BundledFile>) =
            self.files.iter().cloned().partition(|file| file.name == name);
        // Links are indices in the old order, so they are dropped; file names find the files, too.
        let files = own.into_iter().chain(others);
        let unlinked = files.map(|file| BundledFile { links: BTreeMap::new(), ..file });
        Bundle { files: unlinked.collect() }
    }

    /// Gives the game's own file another name.
    pub fn rename(&mut self, name: &str) {
        if let Some(own) = self.files.first_mut() {
            own.name = name.to_owned();
        }
    }

    /// Returns the base that this text of the game's own file is a variant of, and the files that
    /// are variants of the own file, each with its title.
    pub fn relatives(&self, text: &str) -> (Option<String>, Vec<(&str, Option<String>)>) {
        let others = self.files.iter().skip(1);
        let base = base_of(text).filter(|base| others.clone().any(|file| file.name == *base));
        let variants = others
            .filter(|file| base_of(&file.text).as_deref() == Some(self.name()))
            .map(|file| (file.name.as_str(), outline::title(&file.text).map(|(title, _)| title)));
        (base, variants.collect())
    }

    fn fetched(&self, index: usize) -> Option<Fetched> {
        let file = self.files.get(index)?;
        Some(Fetched { name: file.name.clone(), key: index.to_string(), text: file.text.clone() })
    }
}

/// Returns the path of the base, if the text is a variant.
pub fn base_of(text: &str) -> Option<String> {
    let tree = parse(text);
    let form =
        tree.forms.iter().find(|form| form.head().is_some_and(|(head, _)| head == "variant-of"))?;
    Some(form.as_form()?.get(1)?.as_text()?.to_owned())
}

impl Files for Bundle {
    fn gather(&self, _: &Origin, text: &str) -> Sources {
        let own = Fetched { name: self.name().to_owned(), key: "0".to_owned(), text: text.into() };
        Sources::gather(own, &mut |from, path| {
            let file = from.parse().ok().and_then(|index: usize| self.files.get(index));
            let linked = file.and_then(|file| file.links.get(path).copied());
            let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
            let named = || self.files.iter().position(|file| file.name == name);
            let found = linked.or_else(named).and_then(|index| self.fetched(index));
            found.ok_or_else(|| FetchError::Unreadable("the page has no such file".to_owned()))
        })
    }
}
