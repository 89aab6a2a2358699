//! Games as they are played, kept in files: a record in, the same record out after a crash. Nobody
//! but the prompt reads or writes them.
//!
//! A journal is a record. A ply is added as one line, so that a crash costs the unfinished line at
//! most; all else is written to a new file that takes the place of the old one. Whoever plays a
//! game holds a lock on its file. A journal of no plies is never made, and none is left empty where
//! the disk is full.

use super::save::Staged;
use ludwright::record::LIMIT;
use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many journals of one rules file are kept; of more, the oldest go.
const MOST: usize = 8;

/// A temporary file that is older was left behind by a process that was killed.
const LEFT_BEHIND: Duration = Duration::from_secs(60);

/// The variable of the environment that names the folder for what is kept between runs.
const STATE: &str = "LUDWRIGHT_STATE";

/// The folder for what is kept between runs: unless the environment names one, that which the
/// system has for such things. None where it names one without a name: nothing is to be kept.
pub fn state() -> Option<PathBuf> {
    match std::env::var_os(STATE) {
        Some(folder) => (!folder.is_empty()).then(|| folder.into()),
        None => Some(dirs::state_dir().or_else(dirs::data_local_dir)?.join("ludwright")),
    }
}

/// The journal of one game.
pub struct Journal {
    folder: PathBuf,
    /// What the names of this rules file's journals begin with.
    stem: String,
    kept: Option<Kept>,
}

/// A journal that has its file.
struct Kept {
    path: PathBuf,
    file: File,
    text: String,
}

impl Journal {
    /// Prepares a journal of a game of this rules file; `None` where there is no place for it.
    pub fn new(rules: &Path) -> Option<Journal> {
        let path = rules.canonicalize().unwrap_or_else(|_| rules.to_owned());
        let digest = Sha256::digest(path.as_os_str().as_encoded_bytes());
        let hash: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        let name =
            path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Some(Journal { folder: state()?, stem: format!("{name}-{hash}-"), kept: None })
    }

    /// Takes over the last journal of this rules file that nobody writes, and reads it as far as it
    /// is whole.
    ///
    /// # Errors
    /// Tells if there are some and they cannot be read.
    pub fn resume(&mut self) -> Result<Option<(PathBuf, String)>, Error> {
        for path in self.newest_first()? {
            let mut file = OpenOptions::new().read(true).append(true).open(&path)?;
            if file.try_lock().is_err() {
                continue;
            }
            let mut bytes = Vec::new();
            Read::by_ref(&mut file).take(LIMIT as u64).read_to_end(&mut bytes)?;
            // Whoever wrote it may have put another in its place just before it was locked here.
            if fs::read(&path).is_ok_and(|now| now != bytes) {
                continue;
            }
            let Some(text) = whole(&bytes) else { continue };
            // An unfinished line at its end must not begin the next one.
            file.set_len(text.len() as u64)?;
            self.kept = Some(Kept { path: path.clone(), file, text: text.clone() });
            return Ok(Some((path, text)));
        }
        Ok(None)
    }

    /// Keeps the game as this text has it.
    ///
    /// # Errors
    /// Tells if it cannot be written.
    pub fn keep(&mut self, text: String) -> Result<(), Error> {
        match &mut self.kept {
            Some(kept) if kept.text == text => {}
            Some(kept) => match text.strip_prefix(&kept.text) {
                Some(added) => {
                    if let Err(error) = kept.file.write_all(added.as_bytes()) {
                        // What was kept before stays whole.
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

    /// The file that the game is kept in, or the folder that it would be kept in.
    pub fn place(&self) -> &Path {
        self.kept.as_ref().map_or(&self.folder, |kept| &kept.path)
    }

    /// Makes sure that what was kept is on the disk.
    ///
    /// # Errors
    /// Tells if it cannot be written.
    pub fn settle(&self) -> Result<(), Error> {
        self.kept.as_ref().map_or(Ok(()), |kept| kept.file.sync_data())
    }

    /// Forgets the game: it is over, or kept elsewhere.
    pub fn forget(&mut self) {
        if let Some(kept) = self.kept.take() {
            // One too many is no harm.
            let _ = fs::remove_file(&kept.path);
        }
    }

    /// Leaves the game as it is kept: another one begins.
    pub fn leave(&mut self) {
        self.kept = None;
    }

    /// Whether something is kept.
    pub fn is_kept(&self) -> bool {
        self.kept.is_some()
    }

    /// Writes a file that no other journal has.
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

    /// Removes the oldest journals of this rules file that nobody writes, so that one more is not
    /// too many.
    fn clear(&self) -> Result<(), Error> {
        for path in self.newest_first()?.into_iter().skip(MOST - 1) {
            if File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
                let _ = fs::remove_file(&path);
            }
        }
        let begun = format!(".{}", self.stem);
        for entry in fs::read_dir(&self.folder)?.flatten() {
            let old = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
            if entry.file_name().to_string_lossy().starts_with(&begun)
                && old().is_some_and(|old| old > LEFT_BEHIND)
            {
                let _ = fs::remove_file(entry.path());
            }
        }
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

/// The lines of a journal that are whole; `None` where not even its header is.
fn whole(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().rposition(|&byte| byte == b'\n')? + 1;
    let text = std::str::from_utf8(&bytes[..end]).ok()?;
    text.contains("\n\n").then(|| text.to_owned())
}

/// Writes a journal beside its place. Nobody else can hold the lock of a new file, and whoever
/// lists the journals must not take it for one that is left over.
fn staged(path: &Path, text: &str) -> Result<Staged, Error> {
    let staged = Staged::with(path, None, text.as_bytes())?;
    staged.file().lock()?;
    Ok(staged)
}
