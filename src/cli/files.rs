//! Paths in, texts out, within bounds.

use super::catalog;
use super::failure::Failure;
use ludwright::language::sources::Sources;
use ludwright::record::{self, Record};
use ludwright::syntax::SOURCE_LIMIT;
use std::io::Read;
use std::path::Path;

/// Reads a rules file and the files that it takes from. Where there is no such file, the bare name
/// of a game that the program carries means that game.
///
/// # Errors
/// Tells if it cannot be read. What else is wrong with it is one for a finding.
pub fn read_source(path: &Path) -> Result<Sources, Failure> {
    if let Some(entry) = catalog::named(path) {
        return Ok(entry.sources());
    }
    ludwright::files::gather(path).map_err(|error| Failure::file("read", path, &error))
}

/// Reads the bytes of one rules file, or of standard input; of one that is too large, a byte too
/// many.
///
/// # Errors
/// Tells if it cannot be read.
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

/// Reads a record.
///
/// # Errors
/// Tells if it cannot be read, or where it is no record.
pub fn read_record(path: &Path) -> Result<Record, Failure> {
    let text = read_text(path, record::LIMIT)?;
    Record::parse(&text)
        .map_err(|misread| Failure::input(format!("in {}, {misread}", path.display())))
}

/// Reads a text of at most so many bytes.
///
/// # Errors
/// Tells if it cannot be read, is larger, or is no text.
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

/// Reads a file, and no more of it than so many bytes.
fn read(path: &Path, most: usize) -> Result<Vec<u8>, Failure> {
    ludwright::files::read(path, most).map_err(|error| Failure::file("read", path, &error))
}
