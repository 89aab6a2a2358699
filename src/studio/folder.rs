//! The folder that the studio works in. Nothing outside it is read or written, whatever a page
//! requests: paths are plain names separated by slashes, and symbolic links must lead back inside.

use super::lock;
use crate::program::save::Staged;
use ludwright::catalog;
use ludwright::desk::{Files, Origin};
use ludwright::editor::outline;
use ludwright::files::{gather_with, read, reason};
use ludwright::language::finding::{Code, Finding};
use ludwright::language::sources::Sources;
use ludwright::notation::clip;
use ludwright::syntax::{SOURCE_LIMIT, Span};
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::fs;
use std::io::{Error, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

/// The most files of a kind that are listed, and the most entries that are visited in the search
/// for them.
const MAX_FILES: usize = 500;
const MAX_ENTRIES: usize = 20_000;
const MAX_DEPTH: usize = 4;
/// The most bytes that are read for titles: of all files together, and of each file.
const MAX_READ: usize = 8 << 20;
const MAX_HEAD: usize = 16 << 10;

/// The largest rule case that is rewritten, copied or returned to the page, in bytes.
pub const MAX_CASE: usize = 1 << 18;

/// How often a file that other programs write at the same time is compared again before saving is
/// given up.
const MAX_COMPARISONS: usize = 20;

/// A folder, by its path without symbolic links.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    /// Held while a file is compared with the content that the page knows, until it is replaced.
    saving: Mutex<()>,
}

/// The result of saving a file.
pub enum Saved {
    Written,
    /// The file was not replaced; this is its content on the disk.
    Refused(String),
}

/// A file of the folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listed {
    /// The path, relative to the folder.
    pub path: PathBuf,
    /// `game` or `record`.
    pub kind: &'static str,
}

/// A file with its title and its text, if it was read.
pub struct Titled<'l> {
    pub listed: &'l Listed,
    pub title: Option<String>,
    pub text: Option<String>,
}

/// The files found in the folder.
#[derive(Debug, Default)]
pub struct Listing {
    pub files: Vec<Listed>,
    /// Whether the folder has more files.
    pub is_cut: bool,
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// If there is no such folder.
    pub fn new(path: &Path) -> Result<Folder, Error> {
        Ok(Folder { root: path.canonicalize()?, saving: Mutex::default() })
    }

    /// Returns the path of the folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Finds the file that a page names.
    ///
    /// # Errors
    /// If the path leaves the folder, or its folder does not exist.
    pub fn inside(&self, path: &str) -> Result<PathBuf, String> {
        let plain = |part: Component| match part {
            Component::Normal(name) => name.to_str().is_some_and(|name| {
                !name.contains(['\\', ':'])
                    && !name.contains(char::is_control)
                    && !name.starts_with('.')
                    && !name.trim().is_empty()
            }),
            _ => false,
        };
        let outside = || format!("`{}` is not a file of this folder", clip(path));
        let relative = PathBuf::from(path);
        if path.is_empty()
            || path.len() > 1_000
            || path.ends_with('/')
            || !relative.components().all(plain)
        {
            return Err(outside());
        }
        self.check(&relative).map_err(|_| outside())?;
        Ok(relative)
    }

    /// Checks that a path still leads into the folder, and returns the full path.
    fn check(&self, relative: &Path) -> Result<PathBuf, Error> {
        let path = self.root.join(relative);
        let outside = || Error::other("it is outside the folder");
        let real = match path.symlink_metadata() {
            Ok(_) => path.canonicalize()?,
            // The file is to be created.
            Err(_) => {
                let parent = path.parent().ok_or_else(outside)?.canonicalize()?;
                parent.join(path.file_name().ok_or_else(outside)?)
            }
        };
        if real.starts_with(&self.root) { Ok(real) } else { Err(outside()) }
    }

    /// Lists rules files and records, by path.
    pub fn list(&self) -> Listing {
        let mut listing = Listing::default();
        // The files of a folder come before the files of its subfolders.
        let mut left = VecDeque::from([(PathBuf::new(), 0)]);
        let mut entries = 0;
        let mut counts = [0; 2];
        while let Some((folder, depth)) = left.pop_front() {
            let Ok(found) = fs::read_dir(self.root.join(&folder)) else { continue };
            for entry in found.flatten() {
                entries += 1;
                if entries > MAX_ENTRIES {
                    listing.is_cut = true;
                    break;
                }
                let name = entry.file_name();
                let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else {
                    continue;
                };
                let path = folder.join(name);
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() && depth < MAX_DEPTH && name != "target" && name != "node_modules"
                {
                    left.push_back((path, depth + 1));
                    continue;
                }
                let (what, count) = match path.extension().and_then(|end| end.to_str()) {
                    Some("game") => ("game", &mut counts[0]),
                    Some("record") => ("record", &mut counts[1]),
                    _ => continue,
                };
                if *count == MAX_FILES {
                    listing.is_cut = true;
                } else if kind.is_file()
                    || kind.is_symlink() && self.check(&path).is_ok_and(|path| path.is_file())
                {
                    *count += 1;
                    listing.files.push(Listed { path, kind: what });
                }
            }
        }
        listing.files.sort();
        listing
    }

    /// Reads the titles of rules files, within `MAX_READ`.
    pub fn titles<'l>(&self, files: impl Iterator<Item = &'l Listed>) -> Vec<Titled<'l>> {
        let mut left = MAX_READ;
        let title = |listed: &'l Listed| {
            let text = match listed.kind {
                "game" if left > 0 => self.read(&listed.path).ok(),
                _ => None,
            };
            left = left.saturating_sub(text.as_ref().map_or(0, String::len));
            let title = text.as_ref().and_then(|text| outline::title(head(text)));
            Titled { listed, title: title.map(|(title, _)| title), text }
        };
        files.map(title).collect()
    }

    /// Reads a file as text, with line ends converted for the page.
    ///
    /// # Errors
    /// Says why it cannot be read, in a sentence without its period.
    pub fn read(&self, relative: &Path) -> Result<String, String> {
        self.read_raw(relative).map(|text| plain(&text))
    }

    /// Reads a file as text, with its own line ends.
    ///
    /// # Errors
    /// As [`Folder::read`].
    pub fn read_raw(&self, relative: &Path) -> Result<String, String> {
        let name = relative.display();
        let bytes = self
            .check(relative)
            .and_then(|path| read(&path, SOURCE_LIMIT + 1))
            .map_err(|error| format!("cannot read {name}: {}", reason(&error)))?;
        if bytes.len() > SOURCE_LIMIT {
            return Err(format!("{name} is larger than {SOURCE_LIMIT} bytes"));
        }
        String::from_utf8(bytes).map_err(|_| format!("{name} is not text in UTF-8"))
    }

    /// Saves a file, whole or not at all. `decide` receives the content of the file (`None` if
    /// there is no file) and returns the new content, or `None` if the file may not be replaced.
    /// Tabs and other studios in this folder wait meanwhile. Changes by other programs are
    /// detected, too, until the new text, complete on the disk, only has to be renamed.
    ///
    /// # Errors
    /// Says why it cannot be written, in a sentence without its period.
    pub fn save(
        &self,
        relative: &Path,
        decide: &dyn Fn(Option<&str>) -> Option<String>,
    ) -> Result<Saved, String> {
        let failed =
            |error: Error| format!("cannot write {}: {}", relative.display(), reason(&error));
        let _saving = lock(&self.saving);
        // Excludes studios of other processes. Not every system can lock a folder.
        let folder = fs::File::open(&self.root).ok();
        let _ = folder.as_ref().map(fs::File::lock);
        for _ in 0..MAX_COMPARISONS {
            let there = self.read_if_there(relative)?;
            let Some(text) = decide(there.as_deref()) else {
                return Ok(Saved::Refused(there.unwrap_or_default()));
            };
            let path = self.check(relative).map_err(failed)?;
            let old = path.metadata().ok();
            let staged = Staged::with(&path, old.as_ref(), text.as_bytes()).map_err(failed)?;
            if self.read_if_there(relative)? != there {
                continue;
            }
            match there {
                Some(_) => staged.replace().map_err(failed)?,
                None => match staged.create() {
                    Err((error, _)) if error.kind() == ErrorKind::AlreadyExists => continue,
                    created => created.map_err(|(error, _)| failed(error))?,
                },
            };
            return Ok(Saved::Written);
        }
        Err(format!("cannot write {}: another program keeps writing it", relative.display()))
    }

    fn read_if_there(&self, relative: &Path) -> Result<Option<String>, String> {
        match self.root.join(relative).symlink_metadata() {
            Ok(_) => self.read_raw(relative).map(Some),
            Err(_) => Ok(None),
        }
    }

    /// Gathers a game whose own file has this text, with the files that it names.
    fn gather_file(&self, relative: &Path, text: &str) -> Sources {
        let path = match self.check(relative) {
            Ok(path) => path,
            Err(_) => return Sources::named(&relative.display().to_string(), text),
        };
        let own = |asked: &Path| (asked == path).then(|| text.to_owned());
        gather_with(&path, &own).unwrap_or_else(|error| {
            let message = format!("cannot read {}: {}", relative.display(), reason(&error));
            let finding =
                Finding::new(Code::UnreadableFile, Span::new(0, text.len().min(1)), message);
            Sources::faulty(relative.display().to_string(), text, finding)
        })
    }

    /// Gathers a game with this text, where another file also has a new text.
    ///
    /// # Errors
    /// If a path is not in the folder, or the game cannot be read.
    pub fn gather_beside(
        &self,
        relative: &Path,
        text: &str,
        other: &Path,
        other_text: &str,
    ) -> Result<Sources, Error> {
        let (path, other) = (self.check(relative)?, self.check(other)?);
        let known = |asked: &Path| match asked {
            asked if asked == path => Some(text.to_owned()),
            asked if asked == other => Some(other_text.to_owned()),
            _ => None,
        };
        gather_with(&path, &known)
    }

    /// Returns a name for a rules file that does not exist.
    fn free_name(&self) -> String {
        let is_free = |name: &String| self.root.join(name).symlink_metadata().is_err();
        let mut names = std::iter::once("untitled.game".to_owned())
            .chain((2..1_000).map(|number| format!("untitled-{number}.game")));
        names.find(is_free).unwrap_or_else(|| "untitled.game".to_owned())
    }
}

impl Files for Folder {
    fn gather(&self, origin: &Origin, text: &str) -> Sources {
        match origin {
            Origin::File(path) => return self.gather_file(path, text),
            Origin::Shipped(name) => {
                if let Some(entry) = catalog::find(name) {
                    return entry.sources_with(text);
                }
            }
            Origin::New => {}
        }
        self.gather_file(Path::new(&self.free_name()), text)
    }
}

/// Returns the beginning of a rules file, which contains its title and its base.
pub fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_HEAD)]
}

/// Writes a path of the folder in the page's form: with slashes on every system.
pub fn written(path: &Path) -> String {
    let names: Vec<String> = path.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    names.join("/")
}

/// Returns a hash that identifies the content of a file.
pub fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a rule case; `None` if it cannot be read or is longer than `most` bytes.
pub fn read_case(path: &Path, most: usize) -> Option<String> {
    let bytes = read(path, most + 1).ok()?;
    String::from_utf8(bytes).ok().filter(|text| text.len() <= most)
}

/// Converts Windows line ends to the page's.
pub fn plain(text: &str) -> String {
    text.replace("\r\n", "\n")
}
