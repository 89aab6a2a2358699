//! Journals: games in progress at the prompt, saved after every ply so that they survive a crash.
//!
//! A journal is a record. A ply is appended as one line, so a crash loses at most an unfinished
//! line; any other change replaces the file atomically. The process that plays a game holds a lock
//! on its journal. A journal without plies is not created, and a full disk leaves no empty one
//! behind.

use super::save::{Staged, remove_left_behind};
use ludwright::record::LIMIT;
use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// Maximum number of journals per rules file; the oldest are removed.
const MOST: usize = 8;

/// Environment variable for the folder of persistent state.
const STATE: &str = "LUDWRIGHT_STATE";

/// Folder of persistent state: from the environment, or else the system's. `None` if the variable
/// is empty, which turns persistence off.
pub fn state() -> Option<PathBuf> {
    match std::env::var_os(STATE) {
        Some(folder) => (!folder.is_empty()).then(|| folder.into()),
        None => Some(dirs::state_dir().or_else(dirs::data_local_dir)?.join("ludwright")),
    }
}

/// Tests if persistence is turned off on purpose.
pub fn is_off() -> bool {
    std::env::var_os(STATE).is_some_and(|folder| folder.is_empty())
}

/// The journal of one game.
pub struct Journal {
    folder: PathBuf,
    /// Prefix of the names of this rules file's journals.
    stem: String,
    kept: Option<Kept>,
}

/// A journal with its open, locked file.
struct Kept {
    path: PathBuf,
    file: File,
    text: String,
}

impl Journal {
    /// Prepares a journal for a rules file. `None` if there is no state folder.
    pub fn new(rules: &Path) -> Option<Journal> {
        let path = rules.canonicalize().unwrap_or_else(|_| rules.to_owned());
        let digest = Sha256::digest(path.as_os_str().as_encoded_bytes());
        let hash: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        let name =
            path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Some(Journal { folder: state()?, stem: format!("{name}-{hash}-"), kept: None })
    }

    /// Path of the file with the lines typed in games of this rules file.
    pub fn history(&self) -> PathBuf {
        self.folder.join(format!("{}history", self.stem))
    }

    /// Takes over the newest journal of this rules file that no process has locked, and returns its
    /// complete lines.
    ///
    /// # Errors
    /// If a journal cannot be read.
    pub fn resume(&mut self) -> Result<Option<(PathBuf, String)>, Error> {
        for path in self.newest_first()? {
            let mut file = OpenOptions::new().read(true).append(true).open(&path)?;
            if file.try_lock().is_err() {
                continue;
            }
            let mut bytes = Vec::new();
            Read::by_ref(&mut file).take(LIMIT as u64).read_to_end(&mut bytes)?;
            // Its owner may have replaced the file between opening and locking it here.
            if fs::read(&path).is_ok_and(|now| now != bytes) {
                continue;
            }
            let Some(text) = whole(&bytes) else { continue };
            // Removes an unfinished last line, so that the next one starts on a new line.
            file.set_len(text.len() as u64)?;
            self.kept = Some(Kept { path: path.clone(), file, text: text.clone() });
            return Ok(Some((path, text)));
        }
        Ok(None)
    }

    /// Saves the game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&mut self, text: String) -> Result<(), Error> {
        match &mut self.kept {
            Some(kept) if kept.text == text => {}
            Some(kept) => match text.strip_prefix(&kept.text) {
                Some(added) => {
                    if let Err(error) = kept.file.write_all(added.as_bytes()) {
                        // Removes a partly written line.
                        let _ = kept.file.set_len(kept.text.len() as u64);
                        return Err(error);
                    }
                    kept.text = text;
                }
                None => {
                    let path = kept.path.clone();
                    let file = staged(&path, &text)?.replace()?;
                    self.kept = Some(Kept { path, file, text });
                }
            },
            None => {
                fs::create_dir_all(&self.folder)?;
                self.clear()?;
                self.kept = Some(self.begin(text)?);
            }
        }
        Ok(())
    }

    /// Returns the file of the journal, or the folder where it would be created.
    pub fn place(&self) -> &Path {
        self.kept.as_ref().map_or(&self.folder, |kept| &kept.path)
    }

    /// Syncs the journal to disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn settle(&self) -> Result<(), Error> {
        self.kept.as_ref().map_or(Ok(()), |kept| kept.file.sync_data())
    }

    /// Deletes the journal: the game is over, or saved elsewhere.
    pub fn forget(&mut self) {
        if let Some(kept) = self.kept.take() {
            // A superfluous journal does no harm.
            let _ = fs::remove_file(&kept.path);
        }
    }

    /// Leaves the journal as it is, because another game begins.
    pub fn leave(&mut self) {
        self.kept = None;
    }

    /// Tests if the journal has a file.
    pub fn is_kept(&self) -> bool {
        self.kept.is_some()
    }

    /// Creates a journal under the first free number.
    fn begin(&self, text: String) -> Result<Kept, Error> {
        let path = |number: u32| self.folder.join(format!("{}{number}.record", self.stem));
        let mut new = staged(&path(1), &text)?;
        for number in 1.. {
            let path = path(number);
            match new.at(path.clone()).create() {
                Ok(file) => return Ok(Kept { path, file, text }),
                Err((error, tried))
                    if error.kind() == ErrorKind::AlreadyExists && number < 10_000 =>
                {
                    new = tried
                }
                Err((error, _)) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// Removes the oldest unlocked journals of this rules file, to make room for one more, and old
    /// temporary files.
    fn clear(&self) -> Result<(), Error> {
        for path in self.newest_first()?.into_iter().skip(MOST - 1) {
            if File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
                let _ = fs::remove_file(&path);
            }
        }
        remove_left_behind(&self.folder, &format!(".{}", self.stem));
        Ok(())
    }

    fn newest_first(&self) -> Result<Vec<PathBuf>, Error> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry?;
            // A pipe would block whoever opens it.
            if !entry.file_type()?.is_file() {
                continue;
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            let numbered =
                name.strip_prefix(&self.stem).and_then(|rest| rest.strip_suffix(".record"));
            if numbered.is_some_and(|number| number.chars().all(|digit| digit.is_ascii_digit())) {
                found.push((entry.metadata().and_then(|about| about.modified())?, entry.path()));
            }
        }
        found.sort();
        Ok(found.into_iter().rev().map(|(_, path)| path).collect())
    }
}

/// Complete lines of a journal; `None` if its header is incomplete.
fn whole(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().rposition(|&byte| byte == b'\n')? + 1;
    let text = std::str::from_utf8(&bytes[..end]).ok()?;
    text.contains("\n\n").then(|| text.to_owned())
}

/// Writes a journal to a temporary file and locks it before it gets its name, so that another
/// process does not take it for an abandoned one.
fn staged(path: &Path, text: &str) -> Result<Staged, Error> {
    let staged = Staged::with(path, None, text.as_bytes())?;
    staged.file().lock()?;
    Ok(staged)
}
