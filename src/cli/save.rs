//! Writes files whole or not at all: no other module of the program writes one.
//!
//! A text goes to a temporary file in the same folder, is synced, and then renamed to its place.
//! Whatever fails before the rename leaves the old file as it was and removes the temporary one; a
//! process that is killed leaves either the old text or the new one. What is no regular file (a
//! pipe, a terminal, `/dev/full`) is written to directly.

use super::output::{Form, cleaned};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// So many symbolic links lead from one to the next at most.
const MOST_LINKS: usize = 40;
/// How much of a file's name its temporary file carries, in bytes: the whole name may be as long as
/// names can be.
const NAME: usize = 60;

/// Where a path leads.
pub enum SavePath {
    /// A regular file, which may not exist yet. The path has no symbolic link at its end.
    File { path: PathBuf, old: Option<Metadata> },
    /// Something that cannot be replaced, only written to.
    Stream(PathBuf),
}

impl SavePath {
    /// Follows symbolic links, also one whose target does not exist yet.
    ///
    /// # Errors
    /// Tells if the path leads to a folder, or round in a circle.
    pub fn of(path: &Path) -> Result<SavePath, Error> {
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            // `/dev/stdout` is a link that leads here. The file behind it is open already, and what
            // replaced it would be lost to whoever opened it.
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

    /// Finds out whether it can be written, as far as that can be known beforehand, and changes
    /// nothing.
    ///
    /// # Errors
    /// Tells why it cannot.
    pub fn try_out(&self) -> Result<(), Error> {
        match self {
            SavePath::File { path, old } => Staged::begin(path, old.as_ref()).map(drop),
            SavePath::Stream(_) => Ok(()),
        }
    }

    /// Writes it.
    ///
    /// # Errors
    /// Tells why it could not be written. A file is as it was then.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        match self {
            SavePath::File { path, old } => {
                Staged::with(path, old.as_ref(), bytes)?.replace().map(drop)
            }
            // What stands in a regular file behind `/dev/stdout` stays.
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

/// Writes a file, or replaces what it holds, whatever that is.
///
/// # Errors
/// Tells why it could not be written. The file is as it was then.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    SavePath::of(path)?.write(bytes)
}

/// Writes a file that does not exist yet.
///
/// # Errors
/// Tells if there is something of that name, or why it could not be written.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    Staged::with(path, None, bytes)?.create().map(drop).map_err(|(error, _)| error)
}

/// A file that is written beside its place. Dropped, it is removed.
pub struct Staged {
    file: NamedTempFile,
    path: PathBuf,
}

impl Staged {
    /// Writes and syncs a file beside its place, with the permissions of the one it is to replace.
    ///
    /// # Errors
    /// Tells why it could not be written. Nothing is left of it then.
    pub fn with(path: &Path, old: Option<&Metadata>, bytes: &[u8]) -> Result<Staged, Error> {
        let mut staged = Staged::begin(path, old)?;
        staged.file.as_file_mut().write_all(bytes)?;
        staged.file.as_file().sync_all()?;
        Ok(staged)
    }

    fn begin(path: &Path, old: Option<&Metadata>) -> Result<Staged, Error> {
        let name = path.file_name().ok_or(ErrorKind::InvalidInput)?.to_string_lossy();
        let prefix = format!(".{}.", &name[..name.floor_char_boundary(NAME)]);
        if old.is_some() {
            // Renaming asks for the folder's permission alone; what must not be written must not be
            // replaced either.
            OpenOptions::new().append(true).open(path)?;
        }
        let mut number = None;
        let open = |path: &Path| {
            let opened = OpenOptions::new().read(true).write(true).create_new(true).open(path);
            opened.inspect_err(|error| number = error.raw_os_error())
        };
        let made = Builder::new().prefix(&prefix).make_in(folder_of(path), open);
        // The error that comes back names the temporary file, which nobody has asked for.
        let file = made.map_err(|error| number.map_or(error, Error::from_raw_os_error))?;
        if let Some(old) = old {
            #[cfg(unix)]
            {
                use std::os::unix::fs::MetadataExt;
                // Whoever may write the file need not be allowed to give one away: then the new one
                // is his.
                let _ = std::os::unix::fs::fchown(file.as_file(), Some(old.uid()), Some(old.gid()));
            }
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(Staged { file, path: path.to_owned() })
    }

    /// The file as it is written.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Puts it in its place, over what was there. Returns it, still open.
    ///
    /// # Errors
    /// Tells why it could not be renamed. Nothing is left of it then.
    pub fn replace(self) -> Result<File, Error> {
        let file = self.file.persist(&self.path).map_err(|failed| failed.error)?;
        settle(folder_of(&self.path));
        Ok(file)
    }

    /// Puts it in its place if there is nothing. Returns it, still open.
    ///
    /// # Errors
    /// Gives it back with the reason, so that another place may be tried.
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

    /// Chooses another place in the same folder.
    pub fn at(self, path: PathBuf) -> Staged {
        Staged { path, ..self }
    }
}

/// Asks the system to keep what was renamed in a folder. Not every system can; the file itself is
/// safe without.
fn settle(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// The folder that a path names a file of.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
