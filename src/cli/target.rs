//! What may be replaced: a file is written over only where it holds what is written there, a record
//! where a record goes, a picture where a picture goes. Files are told apart by their content.

use super::failure::Failure;
use super::save::{SavePath, folder_of};
use ludwright::measure::write::{HTML_MARK, SCHEMA, SWEEP_SCHEMA};
use ludwright::record::{self, Record};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Record,
    Svg,
    Png,
    Html,
    Json,
    Markdown,
}

impl Content {
    fn name(self) -> &'static str {
        match self {
            Content::Record => "a record of a game",
            Content::Svg => "an SVG picture",
            Content::Png => "a PNG picture",
            Content::Html => "an HTML report of this program",
            Content::Json => "a JSON report of this program",
            Content::Markdown => "a Markdown report of this program",
        }
    }

    /// Tells if a file that begins so holds this. What a person may have written by hand is taken
    /// for a report or a record only where it says so itself.
    fn is_in(self, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        let begin = text.trim_start_matches('\u{feff}').trim_start();
        match self {
            Content::Record => {
                bytes.len() <= record::LIMIT
                    && Record::parse(&text).is_ok_and(|record| record.game.is_some())
            }
            Content::Svg => {
                begin.starts_with("<svg") || begin.starts_with("<?xml") && begin.contains("<svg")
            }
            Content::Png => bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
            // The mark is younger than the first reports.
            Content::Html => {
                let is_report =
                    begin.contains(HTML_MARK) || begin.contains("<p class=\"summary\">");
                begin.starts_with("<!DOCTYPE html>") && is_report
            }
            Content::Json => {
                let dense: String =
                    begin.chars().filter(|letter| !letter.is_whitespace()).take(60).collect();
                let named = |schema: &str| dense.starts_with(&format!("{{\"schema\":\"{schema}\""));
                named(SCHEMA) || named(SWEEP_SCHEMA)
            }
            Content::Markdown => {
                let has = |heading: &str| begin.contains(&format!("\n## {heading}\n"));
                begin.starts_with("# ") && (has("At a glance") || has("Differences"))
            }
        }
    }
}

/// A file that is to be written.
pub struct Target {
    path: PathBuf,
    content: Content,
    place: SavePath,
}

impl Target {
    /// Makes sure that a file can be written, and that nothing of another kind would be lost.
    ///
    /// # Errors
    /// Tells what stands against it, and what to do.
    pub fn new(path: &Path, content: Content) -> Result<Target, Failure> {
        let place = SavePath::of(path).map_err(|error| Failure::file("write", path, &error))?;
        if let SavePath::File { path: at, old } = &place {
            let folder = folder_of(at);
            if !folder.is_dir() {
                let message = format!(
                    "cannot write {}: there is no folder {}",
                    path.display(),
                    folder.display()
                );
                let help = "create the folder first, or choose another";
                return Err(Failure::usage(message).with_help(Some(help.to_owned())));
            }
            if old.is_some()
                && !is_fit(at, content).map_err(|error| Failure::file("read", path, &error))?
            {
                let message = format!(
                    "{} exists and is not {}; it was not changed",
                    path.display(),
                    content.name()
                );
                let help = "choose another name, or delete the file first";
                return Err(Failure::usage(message).with_help(Some(help.to_owned())));
            }
        }
        place.try_out().map_err(|error| Failure::file("write", path, &error))?;
        Ok(Target { path: path.to_owned(), content, place })
    }

    /// Writes the file, or replaces what it holds. It may hold something else by now: what was
    /// played since may have taken hours.
    ///
    /// # Errors
    /// Tells why it could not be written; what was there is as it was.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        let now = Target::new(&self.path, self.content)?;
        now.place.write(bytes).map_err(|error| Failure::file("write", &self.path, &error))
    }

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that would be replaced, by a path that is the same however it was named; none where
    /// nothing is there.
    pub fn replaces(&self) -> Option<PathBuf> {
        match &self.place {
            SavePath::File { path, old: Some(about) } if about.len() > 0 => {
                path.canonicalize().ok()
            }
            _ => None,
        }
    }
}

/// Tells if a file may be replaced by this: of an empty one nothing is lost.
fn is_fit(path: &Path, content: Content) -> Result<bool, std::io::Error> {
    let mut bytes = Vec::new();
    // Whatever tells reports and pictures stands at their beginning.
    File::open(path)?.take(record::LIMIT as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes.is_empty() || content.is_in(&bytes))
}
