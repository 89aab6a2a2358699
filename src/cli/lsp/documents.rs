//! The files open in the editor, and the games that they belong to.
//!
//! Files are identified by canonical path wherever a game names them, so that unsaved text counts
//! in every game that depends on it.

use lsp_types::{Position, TextDocumentContentChangeEvent, Uri};
use ludwright::editor::CheckedSources;
use ludwright::files::{gather_with, legible};
use ludwright::language::finding::Code;
use ludwright::language::sources::Sources;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::str::FromStr;

use super::positions::Lines;

/// At most this many files of a folder are searched for games that depend on a file.
const MOST_NEIGHBOURS: usize = 200;
/// At most this many games that depend on a file are checked.
const MAX_GAMES: usize = 32;
/// At most this many checked games are kept.
const MAX_KEPT: usize = 16;

/// The files open in the editor.
#[derive(Default)]
pub struct Documents {
    open: BTreeMap<Uri, Document>,
    /// The games checked last, the latest first: between two edits, an editor asks several
    /// questions about the same text.
    checked: RefCell<VecDeque<Rc<CheckedSources>>>,
}

/// An open file.
struct Document {
    /// Canonical path; `None` if it was never saved.
    path: Option<PathBuf>,
    text: String,
    version: i32,
}

/// A game, and an open file in it.
pub struct OpenGame {
    pub study: Rc<CheckedSources>,
    /// Index of the file among the game's files.
    pub file: usize,
}

impl Documents {
    pub fn open(&mut self, uri: Uri, version: i32, text: String) {
        let path = path_of(&uri).map(|path| path.canonicalize().unwrap_or(path));
        self.open.insert(uri, Document { path, text, version });
    }

    pub fn close(&mut self, uri: &Uri) {
        self.open.remove(uri);
    }

    /// Applies changes in order, each to a range or to the whole text.
    pub fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) {
        let Some(document) = self.open.get_mut(uri) else { return };
        document.version = version;
        for change in changes {
            match change.range {
                None => document.text = change.text,
                Some(range) => {
                    let span = Lines::of(&document.text).span(range);
                    document.text.replace_range(span.start..span.end, &change.text);
                }
            }
        }
    }

    pub fn uris(&self) -> impl Iterator<Item = &Uri> {
        self.open.keys()
    }

    pub fn text(&self, uri: &Uri) -> Option<&str> {
        self.open.get(uri).map(|document| document.text.as_str())
    }

    pub fn version(&self, uri: &Uri) -> Option<i32> {
        self.open.get(uri).map(|document| document.version)
    }

    /// Converts a position in an open file to a byte offset.
    pub fn byte(&self, uri: &Uri, position: Position) -> Option<usize> {
        Some(Lines::of(self.text(uri)?).byte(position))
    }

    /// Gathers the sources of a game whose main file is open.
    pub fn sources(&self, uri: &Uri) -> Option<Sources> {
        let document = self.open.get(uri)?;
        Some(match &document.path {
            Some(path) => self.gather(path)?,
            None => match legible(uri.as_str(), document.text.clone().into_bytes()) {
                Ok(text) => Sources::named(uri.as_str(), &text),
                Err(faulty) => faulty,
            },
        })
    }

    /// Tests if an open file is a rule case.
    pub fn is_case(&self, uri: &Uri) -> bool {
        self.open.contains_key(uri)
            && Path::new(uri.path().as_str()).extension() == Some("case".as_ref())
    }

    /// Returns the canonical path of an open file that was saved.
    pub fn path(&self, uri: &Uri) -> Option<&Path> {
        self.open.get(uri)?.path.as_deref()
    }

    /// Tests if the file with this canonical path is open.
    pub fn has_path(&self, path: &Path) -> bool {
        self.open.values().any(|document| document.path.as_deref() == Some(path))
    }

    /// Finds a game that an open rules file belongs to: the file's own game, or for a file of
    /// definitions a game that depends on the file.
    pub fn place(&self, uri: &Uri) -> Option<OpenGame> {
        if self.is_case(uri) {
            return None;
        }
        let own = self.check(self.sources(uri)?);
        let is_game = !own.checked.findings.iter().any(|finding| finding.code == Code::NotAGame);
        let name = own.sources.name().to_owned();
        let taker = if is_game { None } else { self.takers(uri).into_iter().next() };
        let study = taker.unwrap_or(own);
        let file = study.file_named(&name)?;
        Some(OpenGame { study, file })
    }

    /// Finds all games that an open file belongs to, its own first: open games, and games in its
    /// folder.
    pub fn games(&self, uri: &Uri) -> Vec<OpenGame> {
        let Some(first) = self.place(uri) else { return Vec::new() };
        let Some(name) = first.study.sources.names().nth(first.file).map(str::to_owned) else {
            return Vec::new();
        };
        let known = first.study.sources.name().to_owned();
        let others = self.takers(uri).into_iter().filter(|study| study.sources.name() != known);
        let others: Vec<OpenGame> = others
            .filter_map(|study| Some(OpenGame { file: study.file_named(&name)?, study }))
            .collect();
        std::iter::once(first).chain(others).collect()
    }

    /// Finds the games that depend on an open file.
    fn takers(&self, uri: &Uri) -> Vec<Rc<CheckedSources>> {
        let Some(path) = self.open.get(uri).and_then(|document| document.path.as_ref()) else {
            return Vec::new();
        };
        let name = path.display().to_string();
        let open = self.open.values().filter_map(|document| document.path.clone());
        let entries = path
            .parent()
            .and_then(|folder| folder.read_dir().ok())
            .into_iter()
            .flatten()
            .take(MOST_NEIGHBOURS);
        let saved = entries.filter_map(|entry| entry.ok()?.path().canonicalize().ok());
        let mut games: Vec<PathBuf> = open
            .chain(saved)
            .filter(|other| other != path && other.extension().is_some_and(|end| end == "game"))
            .collect();
        games.sort();
        games.dedup();
        let gathered = games.iter().filter_map(|game| self.gather(game));
        gathered
            .filter(|sources| sources.names().any(|known| known == name))
            .take(MAX_GAMES)
            .map(|sources| self.check(sources))
            .collect()
    }

    /// Checks a game, unless it was checked with the same texts before.
    fn check(&self, sources: Sources) -> Rc<CheckedSources> {
        let mut checked = self.checked.borrow_mut();
        let known = checked.iter().position(|known| is_same(&known.sources, &sources));
        let study = known
            .and_then(|index| checked.remove(index))
            .unwrap_or_else(|| Rc::new(CheckedSources::of(sources)));
        checked.push_front(Rc::clone(&study));
        checked.truncate(MAX_KEPT);
        study
    }

    /// Gathers the sources of a game, with the unsaved texts of open files.
    pub fn gather(&self, path: &Path) -> Option<Sources> {
        let open = |path: &Path| {
            let document =
                self.open.values().find(|document| document.path.as_deref() == Some(path))?;
            Some(document.text.clone())
        };
        gather_with(path, &open).ok()
    }

    /// Returns the editor's name of a file.
    pub fn uri_of(&self, name: &str) -> Option<Uri> {
        let open = self.open.iter().find(|(uri, document)| match &document.path {
            Some(path) => path.display().to_string() == name,
            None => uri.as_str() == name,
        });
        match open {
            Some((uri, _)) => Some(uri.clone()),
            None => uri_of_path(Path::new(name)),
        }
    }
}

/// Tests if two games have the same files with the same texts, and the same faults in reading them.
pub fn is_same(one: &Sources, other: &Sources) -> bool {
    let faults = |sources: &Sources| {
        let faults = sources.findings().iter();
        faults.map(|fault| (fault.span, fault.message.clone())).collect::<Vec<_>>()
    };
    one.text() == other.text() && one.names().eq(other.names()) && faults(one) == faults(other)
}

/// Converts an editor's `file:` name to a path.
fn path_of(uri: &Uri) -> Option<PathBuf> {
    if !uri.scheme()?.as_str().eq_ignore_ascii_case("file") {
        return None;
    }
    let path = uri.path().as_estr().decode().into_string().ok()?.into_owned();
    // On Windows, `/c:/games` is the path `c:/games`.
    let drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    Some(PathBuf::from(if drive { &path[1..] } else { &path }))
}

/// Converts a path to a `file:` name.
fn uri_of_path(path: &Path) -> Option<Uri> {
    let path = path.to_str()?;
    let plain = path.strip_prefix(r"\\?\").unwrap_or(path);
    let mut uri = String::from(if plain.starts_with('/') { "file://" } else { "file:///" });
    for byte in plain.bytes() {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri::from_str(&uri).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn paths_are_what_editors_call_them() {
        for path in ["/games/a.game", "/my games/é 100%.game", "/a:b#c?d"] {
            let uri = uri_of_path(Path::new(path)).expect("a name");
            assert_eq!(path_of(&uri).as_deref(), Some(Path::new(path)), "{}", uri.as_str());
        }
        for uri in ["untitled:Untitled-1", "http://example.org/a.game", "file:///%ff"] {
            assert_eq!(path_of(&Uri::from_str(uri).expect("a name")), None, "{uri}");
        }
    }
}
