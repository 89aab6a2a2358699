//! Reads the files of a game: its own, the files that it includes, and the game it is a variant of.
//!
//! No other module of the library reads files. A file may only name files inside its own folder;
//! symbolic links are resolved before this is checked.

use crate::language::finding::{Code, Finding};
use crate::language::sources::{FetchError, Fetched, Sources};
use crate::syntax::{SOURCE_LIMIT, Span};
use std::fs::{File, FileType};
use std::io::{Error, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Reads a game's file and all files that it takes from.
///
/// # Errors
/// If the game's own file cannot be read. Any other fault (a file that is too large, is not text,
/// or takes from a file that cannot be read) becomes a finding.
pub fn gather(path: &Path) -> Result<Sources, Error> {
    gather_with(path, &|_| None)
}

/// As [`gather`], for an editor: `open` returns the unsaved text of files that are open, which
/// replaces what is on the disk.
///
/// # Errors
/// As [`gather`], unless the game's own file is open.
pub fn gather_with(path: &Path, open: &dyn Fn(&Path) -> Option<String>) -> Result<Sources, Error> {
    let name = path.display().to_string();
    let bytes = match open(path) {
        Some(text) => text.into_bytes(),
        None => read(path, SOURCE_LIMIT + 1)?,
    };
    let text = match legible(&name, bytes) {
        Ok(text) => text,
        Err(faulty) => return Ok(faulty),
    };
    // Keys are canonical paths without symbolic links. Names are shown relative to how the game's
    // own file was named.
    let key = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = folder_of(&key).canonicalize();
    let shown = path.parent().unwrap_or(Path::new(""));
    let main = Fetched { name, key: key.display().to_string(), text };
    let mut keys = vec![(main.key.clone(), key)];
    Ok(Sources::gather(main, &mut |from, wanted| {
        let from =
            keys.iter().find(|(known, _)| known == from).map_or(Path::new(""), |(_, path)| path);
        let within = folder_of(from).canonicalize().map_err(|error| unreadable(&error))?;
        let path = within.join(wanted).canonicalize().map_err(|error| unreadable(&error))?;
        if !path.starts_with(&within) {
            return Err(FetchError::Outside);
        }
        let name = match folder.as_ref().ok().and_then(|folder| path.strip_prefix(folder).ok()) {
            Some(below) => shown.join(below).display().to_string(),
            None => wanted.to_owned(),
        };
        let text = match open(&path) {
            Some(text) => text,
            None => fetch(&path)?,
        };
        let key = path.display().to_string();
        keys.push((key.clone(), path));
        Ok(Fetched { name, key, text })
    }))
}

/// Decodes the bytes of a rules file. Of a file that is too large, one byte beyond the limit is
/// enough to see it.
///
/// # Errors
/// If the file is too large or not UTF-8: what can be shown of it, with the finding.
pub fn legible(name: &str, bytes: Vec<u8>) -> Result<String, Sources> {
    if bytes.len() > SOURCE_LIMIT {
        // Its beginning is enough to point at.
        let text = String::from_utf8_lossy(&bytes[..200]).into_owned();
        let message =
            format!("the file is larger than {SOURCE_LIMIT} bytes, the limit for a rules file");
        return Err(Sources::faulty(
            name,
            &text,
            Finding::new(Code::FileTooLarge, first_character(&text, 0), message),
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(place).copied().unwrap_or_default();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let finding = Finding::new(
            Code::NotText,
            first_character(&text, place),
            "the file is not text in UTF-8",
        )
        .with_label(format!("the byte {byte:#04x} is part of no character"))
        .with_help("save the file as UTF-8");
        Sources::faulty(name, &text, finding)
    })
}

/// Reads a file that another one names.
fn fetch(path: &Path) -> Result<String, FetchError> {
    let about = path.metadata().map_err(|error| unreadable(&error))?;
    if !about.is_file() {
        return Err(FetchError::Unreadable(String::from("it is not a file")));
    }
    let bytes = read(path, SOURCE_LIMIT + 1).map_err(|error| unreadable(&error))?;
    if bytes.len() > SOURCE_LIMIT {
        return Err(FetchError::TooLarge);
    }
    String::from_utf8(bytes).map_err(|_| FetchError::NotText)
}

/// Describes an error in a few words, without the operating system's error number.
fn unreadable(error: &Error) -> FetchError {
    FetchError::Unreadable(match error.kind() {
        std::io::ErrorKind::NotFound => String::from("there is no such file"),
        kind => kind.to_string(),
    })
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn first_character(text: &str, start: usize) -> Span {
    let length = text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    Span::new(start, start + length)
}

/// Reads at most `most` bytes of a regular file.
///
/// # Errors
/// If it cannot be read or is not a regular file: a pipe may never be written to, and a device may
/// never end.
pub fn read(path: &Path, most: usize) -> Result<Vec<u8>, Error> {
    let kind = path.metadata()?.file_type();
    if kind.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !kind.is_file() {
        return Err(Error::other(format!("it is {}, and no file", file_kind_name(kind))));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Describes in a few words why a file cannot be read or written.
pub fn reason(error: &Error) -> String {
    let known = match error.kind() {
        ErrorKind::NotFound => "there is no such file",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::NotADirectory => "a part of the path is a file, not a folder",
        ErrorKind::AlreadyExists => "a file of that name exists",
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::StorageFull => "no space is left on the disk",
        _ => return error.to_string(),
    };
    known.to_owned()
}

#[cfg(unix)]
fn file_kind_name(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        _ if kind.is_fifo() => "a pipe",
        _ if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn file_kind_name(_: FileType) -> &'static str {
    "something else"
}
