//! Reports in, files and text out.

use super::arguments::Output;
use super::failure::Failure;
use super::screen::Screen;
use ludwright::measure::{Report, write};
use ludwright::notation::clip;
use serde_json::Value;
use std::io::Write;
use std::path::Path;

/// How wide text is.
pub const WIDTH: usize = 100;

/// What a report is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Html,
    Json,
    Markdown,
}

/// Something that can be written in every way.
pub trait Written {
    /// In full, or in brief.
    fn text(&self, full: bool) -> String;
    fn html(&self) -> String;
    fn markdown(&self) -> String;
    fn json(&self) -> Result<Value, serde_json::Error>;
}

impl Written for Report<'_> {
    fn text(&self, full: bool) -> String {
        if full { write::full(self, WIDTH) } else { write::brief(self, WIDTH) }
    }

    fn html(&self) -> String {
        write::html(self)
    }

    fn markdown(&self) -> String {
        write::markdown(self)
    }

    fn json(&self) -> Result<Value, serde_json::Error> {
        write::json(self)
    }
}

impl Written for write::Comparison<'_> {
    fn text(&self, full: bool) -> String {
        self.text(full, WIDTH)
    }

    fn html(&self) -> String {
        self.html()
    }

    fn markdown(&self) -> String {
        self.markdown()
    }

    fn json(&self) -> Result<Value, serde_json::Error> {
        self.json()
    }
}

/// Finds out how the files are to be written, before anything is played.
///
/// # Errors
/// Tells which name does not say.
pub fn kinds(output: &Output) -> Result<Vec<Kind>, Failure> {
    let kind = |path: &std::path::PathBuf| match path.extension().map(|end| end.to_ascii_lowercase()) {
        Some(end) if end == "html" => Ok(Kind::Html),
        Some(end) if end == "json" => Ok(Kind::Json),
        Some(end) if end == "md" => Ok(Kind::Markdown),
        _ => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let message = format!("the name `{}` does not say how to write the report", clip(&name));
            Err(Failure::usage(message).with_help(Some("end it with `.html`, `.json` or `.md`".to_owned())))
        }
    };
    output.files.iter().map(kind).collect()
}

/// Writes what was found out to the screen, and to the files that were asked for.
///
/// # Errors
/// Tells if a file cannot be written.
pub fn show(report: &dyn Written, output: &Output, kinds: &[Kind], screen: &Screen, out: &mut dyn Write) -> Result<(), Failure> {
    match screen.json() {
        true => writeln!(out, "{}", report.json()?)?,
        false => {
            out.write_all(report.text(output.full).as_bytes())?;
            if screen.terminal && !output.full && kinds.is_empty() {
                screen.say("`--full` shows all of it, and `-O report.html` makes a page of it\n");
            }
        }
    }
    for (path, kind) in output.files.iter().zip(kinds) {
        let text = match kind {
            Kind::Html => report.html(),
            Kind::Json => format!("{}\n", report.json()?),
            Kind::Markdown => report.markdown(),
        };
        save(path, &text)?;
        screen.say(&format!("saved {}\n", path.display()));
    }
    Ok(())
}

/// Writes a file whole or not at all: what takes its place is complete.
fn save(path: &Path, text: &str) -> Result<(), Failure> {
    let fail = |error: std::io::Error| Failure::file("write", path, &error);
    let Some(name) = path.file_name() else { return std::fs::write(path, text).map_err(fail) };
    let new = path.with_file_name(format!(".{}.{}", name.to_string_lossy(), std::process::id()));
    std::fs::write(&new, text).map_err(fail)?;
    std::fs::rename(&new, path).map_err(|error| {
        let _ = std::fs::remove_file(&new);
        fail(error)
    })
}
