//! Paths in, texts out, within bounds.

use super::failure::Failure;
use ludwright::language::finding::{Code, Finding};
use ludwright::record::{self, Record};
use ludwright::syntax::Span;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The largest rules file, in bytes.
const LIMIT: usize = 1 << 20;

/// The text of a rules file, or what there is of it.
pub struct Source {
    /// How the file was named.
    pub name: String,
    /// What is not UTF-8 in it is replaced.
    pub text: String,
    /// Why it cannot even be checked.
    pub finding: Option<Finding>,
}

/// Reads a rules file.
///
/// # Errors
/// Tells if it cannot be read. A file that is too large or no text is one for a finding.
pub fn read_source(path: &Path) -> Result<Source, Failure> {
    let bytes = read(path, LIMIT + 1)?;
    let name = path.display().to_string();
    if bytes.len() > LIMIT {
        // Its beginning is enough to point at.
        let text = String::from_utf8_lossy(&bytes[..200]).into_owned();
        let message = format!("the file is larger than {LIMIT} bytes, the most a rules file may have");
        let finding = Finding::new(Code::FileTooLarge, first_character(&text, 0), message);
        return Ok(Source { name, text, finding: Some(finding) });
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source { name, text, finding: None }),
        Err(error) => {
            let place = error.utf8_error().valid_up_to();
            let byte = error.as_bytes().get(place).copied().unwrap_or_default();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let finding = Finding::new(Code::NotText, first_character(&text, place), "the file is not text in UTF-8")
                .with_label(format!("the byte {byte:#04x} is part of no character"))
                .with_help("save the file as UTF-8");
            Ok(Source { name, text, finding: Some(finding) })
        }
    }
}

fn first_character(text: &str, start: usize) -> Span {
    let length = text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    Span::new(start, start + length)
}

/// Reads a record.
///
/// # Errors
/// Tells if it cannot be read, or where it is no record.
pub fn read_record(path: &Path) -> Result<Record, Failure> {
    let text = read_text(path, record::LIMIT)?;
    Record::parse(&text).map_err(|misread| Failure::input(format!("in {}, {misread}", path.display())))
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
    let fail = |error: std::io::Error| Failure::file("read", path, &error);
    let mut bytes = Vec::new();
    File::open(path).map_err(fail)?.take(most as u64).read_to_end(&mut bytes).map_err(fail)?;
    Ok(bytes)
}
