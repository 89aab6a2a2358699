//! Reads rules files, records and other texts, with size limits.

use super::failure::Failure;
use ludwright::catalog::{self, Entry};
use ludwright::language::sources::Sources;
use ludwright::record::{self, Record};
use ludwright::syntax::SOURCE_LIMIT;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// The most files and folders that are visited below a folder.
const MAX_ENTRIES: usize = 100_000;

/// Reads a rules file and the files that it depends on. If there is no such file, a bare name
/// stands for a built-in game.
///
/// # Errors
/// If the file cannot be read. Other faults become findings.
pub fn read_source(path: &Path) -> Result<Sources, Failure> {
    if let Some(entry) = built_in(path) {
        return Ok(entry.sources());
    }
    ludwright::files::gather(path).map_err(|error| Failure::file("read", path, &error))
}

/// Reads the bytes of one rules file or of standard input, at most one byte over the limit, so that
/// the caller can detect a text that is too large.
///
/// # Errors
/// If the file or standard input cannot be read.
pub fn read_rules(path: Option<&Path>) -> Result<Vec<u8>, Failure> {
    let Some(path) = path else {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(SOURCE_LIMIT as u64 + 1).read_to_end(&mut bytes);
        return read
            .map(|_| bytes)
            .map_err(|error| Failure::file("read", Path::new("standard input"), &error));
    };
    read(path, SOURCE_LIMIT + 1)
}

/// Lists the rules files in a folder and below it, in the order of their paths. Hidden files and
/// folders are left out, and links to folders are not followed.
///
/// # Errors
/// If a folder cannot be read, or there are no rules files, or too many files.
pub fn rules_files_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let (mut files, mut folders, mut entries) = (Vec::new(), vec![folder.to_owned()], 0);
    while let Some(current) = folders.pop() {
        let fail = |error: std::io::Error| Failure::file("read", &current, &error);
        for entry in current.read_dir().map_err(fail)? {
            let entry = entry.map_err(fail)?;
            entries += 1;
            if entries > MAX_ENTRIES {
                let message =
                    format!("there are more than {MAX_ENTRIES} files below {}", folder.display());
                return Err(Failure::usage(message));
            }
            let (path, kind) = (entry.path(), entry.file_type().map_err(fail)?);
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if kind.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "game") && path.is_file() {
                files.push(path);
            }
        }
    }
    if files.is_empty() {
        let message = format!("there is no rules file in {} or below", folder.display());
        let help = "the names of rules files end in `.game`";
        return Err(Failure::usage(message).with_help(Some(help.to_owned())));
    }
    files.sort_unstable();
    Ok(files)
}

/// Reads a record.
///
/// # Errors
/// If the file cannot be read or is not a record.
pub fn read_record(path: &Path) -> Result<Record, Failure> {
    let text = read_text(path, record::LIMIT)?;
    Record::parse(&text)
        .map_err(|misread| Failure::input(format!("in {}, {misread}", path.display())))
}

/// Reads a text of at most `limit` bytes.
///
/// # Errors
/// If the file cannot be read, is larger, or is not UTF-8.
pub fn read_text(path: &Path, limit: usize) -> Result<String, Failure> {
    let bytes = read(path, limit + 1)?;
    if bytes.len() > limit {
        return Err(Failure::input(format!("{} is larger than {limit} bytes", path.display())));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        Failure::input(format!("{} is not text in UTF-8 (line {line})", path.display()))
    })
}

/// Reads at most `most` bytes of a file.
fn read(path: &Path, most: usize) -> Result<Vec<u8>, Failure> {
    ludwright::files::read(path, most).map_err(|error| Failure::file("read", path, &error))
}

/// Finds the built-in game that a path names: a bare name without extension, where no such file
/// exists.
pub fn built_in(path: &Path) -> Option<Entry> {
    let mut components = path.components();
    match (components.next(), components.next()) {
        (Some(Component::Normal(name)), None) if path.extension().is_none() && !path.exists() => {
            catalog::find(name.to_str()?)
        }
        _ => None,
    }
}
