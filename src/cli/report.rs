//! Writes playtest reports to standard output and to files, in every format.

use crate::program::arguments::Output;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::target::{Content, Target};
use ludwright::measure::{Report, write};
use ludwright::notation::clip;
use ludwright::pages::PageKind;
use serde_json::Value;
use std::io::Write;

/// Width of text reports, in columns.
pub const WIDTH: usize = 80;

/// A report in every output format.
pub trait Written {
    /// Text; a summary unless `full`.
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

/// Report of one shard, whose JSON names the shard.
pub struct ReportShard<'r> {
    pub report: &'r Report<'r>,
    /// Number of the shard, from 1, and of all shards.
    pub shard: (usize, usize),
}

impl Written for ReportShard<'_> {
    fn text(&self, full: bool) -> String {
        self.report.text(full)
    }

    fn html(&self) -> String {
        self.report.html()
    }

    fn markdown(&self) -> String {
        self.report.markdown()
    }

    fn json(&self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(write::ReportAnswer::new(self.report, Some(self.shard)))
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

/// Checks the output files before play begins, so that hours of play are not lost to a missing
/// folder.
///
/// # Errors
/// If the extension names no format, the folder is missing, or the file holds something
/// else.
pub fn targets(output: &Output) -> Result<Vec<(Content, Target)>, Failure> {
    let target = |path: &std::path::PathBuf| {
        let content = match path.extension().map(|end| end.to_ascii_lowercase()) {
            Some(end) if end == "html" => Content::Page(PageKind::Report),
            Some(end) if end == "json" => Content::Json,
            Some(end) if end == "md" => Content::Markdown,
            _ => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let message =
                    format!("cannot tell the format of the report from the name `{}`", clip(&name));
                return Err(Failure::usage(message).with_help(Some(
                    "use a name that ends with `.html`, `.json` or `.md`".to_owned(),
                )));
            }
        };
        Ok((content, Target::new(path, content)?))
    };
    output.files.iter().map(target).collect()
}

/// Prints the report and writes it to the output files.
///
/// # Errors
/// If a file cannot be written.
pub fn show(
    report: &dyn Written,
    output: &Output,
    targets: &[(Content, Target)],
    console: &Console,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    match console.json() {
        true => writeln!(out, "{}", report.json()?)?,
        false => {
            out.write_all(report.text(output.full).as_bytes())?;
            if console.terminal && !output.full && targets.is_empty() {
                console.say(
                    "`--full` prints the whole report, `-O report.html` writes it as a web page\n",
                );
            }
        }
    }
    for (content, target) in targets {
        let text = match content {
            Content::Page(_) => report.html(),
            Content::Markdown => report.markdown(),
            _ => format!("{}\n", report.json()?),
        };
        target.write(text.as_bytes())?;
        console.say(&format!("saved {}\n", target.path().display()));
    }
    Ok(())
}
