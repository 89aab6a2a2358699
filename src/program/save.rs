//! Atomic file writes; the only module that writes files.
//!
//! A text is written to a temporary file in the same folder, synced, and renamed to its place. A
//! failure before the rename leaves the old file unchanged and removes the temporary one. A killed
//! process leaves the old text or the new one, and perhaps its temporary file, which the next write
//! of the same file removes. A path that is no regular file (a pipe, a terminal, `/dev/full`) is
//! written to directly.

use super::output::{Form, cleaned};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::{Builder, NamedTempFile};

/// Maximum length of a chain of symbolic links.
const MOST_LINKS: usize = 40;
/// How many bytes of a file's name its temporary file repeats: the full name may already have the
/// maximum length.
const NAME: usize = 60;
/// End of the names of temporary files, after [`RANDOM`] letters. No other program uses it, so the
/// clean-up never removes a user's file.
pub const PART: &str = ".ludwright-part";
const RANDOM: usize = 6;
/// Age at which a temporary file that no process has locked counts as left behind.
const LEFT_BEHIND: Duration = Duration::from_secs(60);

/// Target of a path after symbolic links.
pub enum SavePath {
    /// A regular file, which may not exist yet. The path itself is no symbolic link.
    File { path: PathBuf, old: Option<Metadata> },
    /// Something that cannot be replaced, only written to.
    Stream(PathBuf),
}

impl SavePath {
    /// Follows symbolic links, also one whose target does not exist yet.
    ///
    /// # Errors
    /// If the path leads to a folder, or its links form a loop.
    pub fn of(path: &Path) -> Result<SavePath, Error> {
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            // `/dev/stdout` links here. The file behind it is already open; replacing it would lose
            // the output for the process that opened it.
            if path.starts_with("/proc") || path.starts_with("/dev/fd") {
                return Ok(SavePath::Stream(path));
            }
            match fs::symlink_metadata(&path) {
                Ok(about) if about.is_symlink() => {
                    path = folder_of(&path).join(fs::read_link(&path)?)
                }
                Ok(about) if about.is_file() => {
                    return Ok(SavePath::File { path, old: Some(about) });
                }
                Ok(about) if about.is_dir() => return Err(ErrorKind::IsADirectory.into()),
                Ok(_) => return Ok(SavePath::Stream(path)),
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    return Ok(SavePath::File { path, old: None });
                }
                Err(error) => return Err(error),
            }
        }
        Err(Error::other("its symbolic links form a loop"))
    }

    /// Tests if the file can be written, as far as this is known beforehand, without changing it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn try_out(&self) -> Result<(), Error> {
        match self {
            SavePath::File { path, old } => Staged::begin(path, old.as_ref()).map(drop),
            SavePath::Stream(_) => Ok(()),
        }
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written; a regular file is then unchanged.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        match self {
            SavePath::File { path, old } => {
                Staged::with(path, old.as_ref(), bytes)?.replace().map(drop)
            }
            // Appends, so that a regular file behind `/dev/stdout` keeps its content.
            SavePath::Stream(path) => {
                let mut stream = OpenOptions::new().append(true).open(path)?;
                match stream.is_terminal() {
                    true => stream
                        .write_all(cleaned(&String::from_utf8_lossy(bytes), Form::Data).as_bytes()),
                    false => stream.write_all(bytes),
                }
            }
        }
    }
}

/// Writes a file, replacing any earlier content.
///
/// # Errors
/// If it cannot be written; the file is then unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    SavePath::of(path)?.write(bytes)
}

/// Writes a file that does not exist yet.
///
/// # Errors
/// If something of that name exists, or the file cannot be written.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    Staged::with(path, None, bytes)?.create().map(drop).map_err(|(error, _)| error)
}

/// A temporary file beside its target, removed when dropped.
pub struct Staged {
    file: NamedTempFile,
    path: PathBuf,
}

impl Staged {
    /// Writes and syncs a temporary file, with the permissions of the file that it will replace.
    ///
    /// # Errors
    /// If it cannot be written; no file remains.
    pub fn with(path: &Path, old: Option<&Metadata>, bytes: &[u8]) -> Result<Staged, Error> {
        let mut staged = Staged::begin(path, old)?;
        remove_left_behind(folder_of(path), &prefix_of(path)?);
        staged.file.as_file_mut().write_all(bytes)?;
        staged.file.as_file().sync_all()?;
        Ok(staged)
    }

    fn begin(path: &Path, old: Option<&Metadata>) -> Result<Staged, Error> {
        let prefix = prefix_of(path)?;
        if old.is_some() {
            // Renaming only needs write permission for the folder; a read-only file must not be
            // replaced either.
            OpenOptions::new().append(true).open(path)?;
        }
        let mut number = None;
        let open = |path: &Path| {
            let opened = OpenOptions::new().read(true).write(true).create_new(true).open(path);
            opened.inspect_err(|error| number = error.raw_os_error())
        };
        let mut builder = Builder::new();
        builder.prefix(&prefix).rand_bytes(RANDOM).suffix(PART);
        let made = builder.make_in(folder_of(path), open);
        // The builder's error names the temporary file; the raw error is clearer for users.
        let file = made.map_err(|error| number.map_or(error, Error::from_raw_os_error))?;
        // The lock shows other processes that this one lives. Not every file system supports locks.
        let _ = file.as_file().try_lock();
        if let Some(old) = old {
            #[cfg(unix)]
            {
                use std::os::unix::fs::MetadataExt;
                // Without the right to change owners, the new file belongs to the current user.
                let _ = std::os::unix::fs::fchown(file.as_file(), Some(old.uid()), Some(old.gid()));
            }
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(Staged { file, path: path.to_owned() })
    }

    /// Returns the open file.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Renames the file to its target, replacing an existing file. Returns the renamed file, still
    /// open.
    ///
    /// # Errors
    /// If it cannot be renamed; no temporary file remains.
    pub fn replace(self) -> Result<File, Error> {
        let file = self.file.persist(&self.path).map_err(|failed| failed.error)?;
        settle(folder_of(&self.path));
        Ok(file)
    }

    /// Renames the file to its target if nothing exists there. Returns the renamed file, still
    /// open.
    ///
    /// # Errors
    /// Returns the staged file with the reason, so that another target can be tried.
    pub fn create(self) -> Result<File, (Error, Staged)> {
        let Staged { file, path } = self;
        match file.persist_noclobber(&path) {
            Ok(file) => {
                settle(folder_of(&path));
                Ok(file)
            }
            Err(failed) => Err((failed.error, Staged { file: failed.file, path })),
        }
    }

    /// Sets another target in the same folder.
    pub fn at(self, path: PathBuf) -> Staged {
        Staged { path, ..self }
    }
}

/// Returns the prefix of the names of a file's temporary files.
fn prefix_of(path: &Path) -> Result<String, Error> {
    let name = path.file_name().ok_or(ErrorKind::InvalidInput)?.to_string_lossy();
    Ok(format!(".{}.", &name[..name.floor_char_boundary(NAME)]))
}

/// Removes the temporary files with this prefix that killed processes have left in a folder.
pub fn remove_left_behind(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_temporary = name.to_str().is_some_and(|name| {
            let letters = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(PART));
            letters.is_some_and(|letters| {
                letters.len() >= RANDOM
                    && letters.as_bytes()[letters.len() - RANDOM..]
                        .iter()
                        .all(u8::is_ascii_alphanumeric)
            })
        });
        // A pipe of this name would block whoever opens it.
        if !is_temporary || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let age = entry.metadata().ok().and_then(|about| about.modified().ok()?.elapsed().ok());
        let is_old = age.is_some_and(|age| age > LEFT_BEHIND);
        let is_locked = || !File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if is_old && !is_locked() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Syncs a folder, to make a rename durable. Not every system can; the file itself is already
/// synced.
fn settle(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// Returns the folder of a file's path, `.` for a bare name.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
