//! Drafts: the contents of desks, saved on the disk after every change, so that nothing is lost
//! when a tab is closed or the program ends in any way.
//!
//! A draft is a file of JSON, replaced as a whole. It is not synced: it need not outlive the
//! system, and it is written at every keystroke.

use super::folder::{Folder, written};
use crate::program::{journal, save};
use ludwright::catalog;
use ludwright::desk::{Draft, Origin};
use serde_json::{Value, json};
use std::fs;
use std::io::{Error, Write};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// The most drafts kept; the oldest are removed.
const MAX_DRAFTS: usize = 100;
/// The largest draft that is read, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// The prefix of the names of temporary files.
const PREFIX: &str = ".draft";

/// Tests if the text is saved nowhere else: it differs from its file, or from the game that comes
/// with the program.
pub fn is_changed(draft: &Draft) -> bool {
    match &draft.origin {
        Origin::Shipped(name) => catalog::find(name).is_none_or(|entry| entry.text != draft.text),
        Origin::New => !draft.text.trim().is_empty(),
        Origin::File(_) => draft.is_unsaved(),
    }
}

/// Tests if a draft holds the game played under the unchanged rules of a file, or of a game that
/// comes with the program.
pub fn is_game_of(draft: &Draft, folder: &Folder, origin: &Origin) -> bool {
    draft.folder == folder.root() && draft.origin == *origin && !is_changed(draft)
}

/// The folder of drafts.
pub struct Drafts {
    folder: PathBuf,
}

impl Drafts {
    /// Opens the folder; `None` if drafts are not kept.
    pub fn open() -> Option<Drafts> {
        let drafts = Drafts { folder: journal::state()?.join("studio") };
        fs::create_dir_all(&drafts.folder).ok()?;
        drafts.clear();
        Some(drafts)
    }

    /// Writes a draft.
    ///
    /// # Errors
    /// If the draft cannot be written; its previous version is then unchanged.
    pub fn keep(&self, id: &str, draft: &Draft) -> Result<(), Error> {
        let text = serde_json::to_vec(draft)?;
        let mut builder = tempfile::Builder::new();
        let mut file = builder.prefix(PREFIX).suffix(save::PART).tempfile_in(&self.folder)?;
        file.write_all(&text)?;
        file.persist(self.path(id)).map_err(|failed| failed.error)?;
        Ok(())
    }

    /// Reads a draft.
    pub fn read(&self, id: &str) -> Option<Draft> {
        let path = self.path(&checked(id)?);
        let about = path.symlink_metadata().ok()?;
        if !about.is_file() || about.len() > MAX_BYTES {
            return None;
        }
        let draft: Draft = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        draft.variations.is_valid().then_some(draft)
    }

    /// Removes a draft.
    pub fn forget(&self, id: &str) {
        if let Some(id) = checked(id) {
            let _ = fs::remove_file(self.path(&id));
        }
    }

    /// Lists the drafts with unsaved texts of a folder, the newest first.
    pub fn list(&self, folder: &Folder) -> Vec<Value> {
        let mut found: Vec<(u64, Value)> = Vec::new();
        for (_, id) in self.all() {
            let Some(draft) = self.read(&id).filter(|draft| draft.folder == folder.root()) else {
                continue;
            };
            if !is_changed(&draft) {
                continue;
            }
            let title = ludwright::editor::outline::title(&draft.text).map(|(title, _)| title);
            let path = draft.origin.file().map(written);
            let described =
                json!({ "draft": id, "path": path, "title": title, "when": draft.when });
            found.push((draft.when, described));
        }
        found.sort_by_key(|(when, _)| std::cmp::Reverse(*when));
        found.into_iter().map(|(_, described)| described).collect()
    }

    /// Finds the latest draft of the game that is played under these rules.
    pub fn game_of(&self, folder: &Folder, origin: &Origin) -> Option<Draft> {
        let mut drafts = self.all().into_iter().filter_map(|(_, id)| self.read(&id));
        drafts.find(|draft| is_game_of(draft, folder, origin))
    }

    /// Lists all drafts, the newest first.
    fn all(&self) -> Vec<(SystemTime, String)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut all: Vec<(SystemTime, String)> = entries
            .filter_map(|entry| {
                let name = entry.file_name();
                let id = checked(name.to_str()?.strip_suffix(".json")?)?;
                Some((entry.metadata().ok()?.modified().ok()?, id))
            })
            .collect();
        all.sort_by(|one, other| other.cmp(one));
        all
    }

    fn clear(&self) {
        for (_, id) in self.all().into_iter().skip(MAX_DRAFTS) {
            self.forget(&id);
        }
        save::remove_left_behind(&self.folder, PREFIX);
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }
}

/// Returns the name of a draft if it is well-formed.
fn checked(id: &str) -> Option<String> {
    let is_name = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_name.then(|| id.to_ascii_lowercase())
}

/// Returns the seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
