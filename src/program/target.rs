//! Output files. They never overwrite content of another kind: only a record replaces a record, a
//! picture a picture. Kinds are recognized by content.

use super::console::Console;
use super::failure::Failure;
use super::save::{SavePath, folder_of};
use super::schema::{Answer, print};
use ludwright::desk::MODULE_MARK;
use ludwright::measure::write::{SCHEMA, SWEEP_SCHEMA};
use ludwright::pages::PageKind;
use ludwright::record::{self, Record};
use schemars::JsonSchema;
use serde::Serialize;
use std::fs::{File, create_dir};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// Kind of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Record,
    Svg,
    Png,
    /// A page of HTML.
    Page(PageKind),
    Json,
    Markdown,
    /// What `train` has learned.
    Evaluation,
    /// What shows a value that `solve` has found.
    Certificate,
    /// The module for browsers, as a script.
    Module,
}

impl Content {
    fn name(self) -> &'static str {
        match self {
            Content::Record => "a record of a game",
            Content::Svg => "an SVG picture",
            Content::Png => "a PNG picture",
            Content::Page(PageKind::Report) => "an HTML report of this program",
            Content::Page(PageKind::Game) => "a page of a game of this program",
            Content::Page(PageKind::Rules) => "a rule sheet of this program",
            Content::Page(PageKind::Play) => "a page that plays of this program",
            Content::Page(PageKind::Gallery) => "a gallery of this program",
            Content::Page(PageKind::Studio) => "a studio of this program",
            Content::Json => "a JSON report of this program",
            Content::Markdown => "a Markdown report of this program",
            Content::Evaluation => "a training of this program",
            Content::Certificate => "a certificate of this program",
            Content::Module => "the module for browsers of this program",
        }
    }

    /// Tests if a file that begins with these bytes has this kind of content. Reports and records
    /// must carry their own marks, since a person may have written a similar file by hand.
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
            // Reports of the first versions lack the mark.
            Content::Page(kind) => {
                let is_marked = begin.contains(kind.mark())
                    || kind == PageKind::Report && begin.contains("<p class=\"summary\">");
                begin.starts_with("<!DOCTYPE html>") && is_marked
            }
            Content::Json => {
                let dense: String =
                    begin.chars().filter(|letter| !letter.is_whitespace()).take(60).collect();
                let named = |schema: &str| dense.starts_with(&format!("{{\"schema\":\"{schema}\""));
                named(SCHEMA) || named(SWEEP_SCHEMA)
            }
            Content::Module => begin.starts_with(MODULE_MARK),
            Content::Certificate => begin.starts_with("ludwright certificate "),
            Content::Evaluation => begin.starts_with("ludwright evaluation "),
            Content::Markdown => {
                let has = |heading: &str| begin.contains(&format!("\n## {heading}\n"));
                begin.starts_with("# ") && (has("At a glance") || has("Differences"))
            }
        }
    }
}

/// An output file.
pub struct Target {
    path: PathBuf,
    content: Content,
    place: SavePath,
}

impl Target {
    /// Checks that a file can be written, and that no content of another kind is lost.
    ///
    /// # Errors
    /// If it cannot be written, or holds another kind of content.
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

    /// Writes the file. Checks it again first: a playtest may have taken hours since
    /// [`Target::new`].
    ///
    /// # Errors
    /// If it cannot be written; the old content is then unchanged.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        let now = Target::new(&self.path, self.content)?;
        now.place.write(bytes).map_err(|error| Failure::file("write", &self.path, &error))
    }

    /// Returns the path as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the canonical path of the file that would be overwritten, `None` if it is missing or
    /// empty.
    pub fn replaces(&self) -> Option<PathBuf> {
        match &self.place {
            SavePath::File { path, old: Some(about) } if about.len() > 0 => {
                path.canonicalize().ok()
            }
            _ => None,
        }
    }
}

/// Tests if a file is empty or holds this kind of content.
fn is_fit(path: &Path, content: Content) -> Result<bool, std::io::Error> {
    let mut bytes = Vec::new();
    // The marks of reports and pictures are at the beginning; a longer file is no record.
    File::open(path)?.take(record::LIMIT as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes.is_empty() || content.is_in(&bytes))
}

/// A file that a command has written, or what it prints in place of one.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum FileAnswer {
    /// A file was written.
    Saved {
        /// Its path.
        saved: String,
    },
    /// A page.
    Html { html: String },
    /// A picture.
    Svg { svg: String },
}

impl Answer for FileAnswer {
    const NAME: &'static str = "file";
}

/// Writes an output file, and reports its path.
pub fn keep(
    target: &Target,
    bytes: &[u8],
    console: &Console,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    target.write(bytes)?;
    let name = target.path().display().to_string();
    match console.json() {
        true => print(&FileAnswer::Saved { saved: name }, out)?,
        false => writeln!(out, "saved {name}")?,
    }
    Ok(())
}

/// Makes the folder, unless it exists.
pub fn make_folder(folder: &Path) -> Result<(), Failure> {
    match create_dir(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists || !folder.is_dir() => {
            Err(Failure::file("write", folder, &error))
        }
        _ => Ok(()),
    }
}
