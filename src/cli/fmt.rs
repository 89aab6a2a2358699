//! `ludwright fmt`: rewrites rules files in the standard layout.

use crate::program::arguments::Fmt;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::files::read_rules;
use crate::program::output::Out;
use crate::program::save;
use crate::program::schema::{Answer, print};
use ludwright::files::legible;
use ludwright::language::format::{begins_as_rules, format};
use ludwright::language::quantities::counted;
use ludwright::language::sources::Sources;
use ludwright::syntax::parse;
use schemars::JsonSchema;
use serde::Serialize;
use similar::{ChangeTag, TextDiff};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Maximum number of lines of the first difference in the output of `--check`.
const SHOWN: usize = 8;
/// Time limit of the diff; past it the diff becomes less exact.
const DIFF_TIMEOUT: Duration = Duration::from_millis(500);

/// The files that were formatted.
#[derive(Serialize, JsonSchema)]
pub struct FmtAnswer {
    files: Vec<FormattedFile>,
}

impl Answer for FmtAnswer {
    const NAME: &'static str = "fmt";
}

/// A file that was formatted, or only compared with the standard layout.
#[derive(Serialize, JsonSchema)]
struct FormattedFile {
    file: String,
    /// Whether its layout is another one.
    changed: bool,
    /// The formatted text of standard input.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// Formats every file; a failure does not stop the others.
pub fn run(task: &Fmt, console: &Console, out: &mut Out) -> Result<u8, Failure> {
    let standard_input = [Path::new("-").to_owned()];
    let files = if task.files.is_empty() { &standard_input[..] } else { &task.files };
    let mut described = Vec::new();
    let mut code = 0;
    for file in files {
        let path = (file != Path::new("-")).then_some(file.as_path());
        match lay_out(path, task.check, console, out) {
            Ok((description, changed)) => {
                described.push(description);
                code = code.max(u8::from(changed && task.check));
            }
            Err(Failure::Output(error)) => return Err(Failure::Output(error)),
            Err(failure) => code = code.max(console.fail(&failure)),
        }
    }
    if console.json() {
        print(&FmtAnswer { files: described }, out)?;
    }
    Ok(code)
}

/// Formats a file or standard input. Returns its JSON description, and whether the layout has
/// changed.
fn lay_out(
    path: Option<&Path>,
    check: bool,
    console: &Console,
    out: &mut Out,
) -> Result<(FormattedFile, bool), Failure> {
    let name = path.map_or("standard input".to_owned(), |path| path.display().to_string());
    let text = legible(&name, read_rules(path)?).map_err(|faulty| {
        console.findings(&faulty, faulty.findings());
        Failure::AlreadyReported(1)
    })?;
    let formatted = format(&text);
    // In a `.game` file, a misspelt first word is reported as a syntax error.
    let told =
        formatted.is_err() && path.and_then(Path::extension).is_some_and(|end| end == "game");
    if !told && !is_rules(path, &text) {
        return Err(not_rules_failure(&name));
    }
    let laid_out = formatted.map_err(|findings| {
        console.findings(&Sources::named(&name, &text), &findings);
        Failure::AlreadyReported(1)
    })?;
    let changed = laid_out != text;
    let mut description = FormattedFile { file: name.clone(), changed, text: None };
    match path {
        Some(path) if changed && !check => save::write(path, laid_out.as_bytes())
            .map_err(|error| Failure::file("write", path, &error))?,
        Some(_) => {}
        None if check => {}
        None if console.json() => description.text = Some(laid_out.clone()),
        None => out.data(laid_out.as_bytes())?,
    }
    if !console.json() && (check || path.is_some()) {
        match (changed, check) {
            (false, _) => writeln!(out, "{name}: already formatted")?,
            (true, false) => writeln!(out, "{name}: formatted")?,
            (true, true) => write!(out, "{name}: not formatted\n{}", hint(&text, &laid_out))?,
        }
        // Standard error is unbuffered: flushing keeps the order of both streams on a terminal.
        out.flush()?;
    }
    Ok((description, changed))
}

/// Tests if a text may be formatted. A file is overwritten, so it must begin as a rules file does;
/// standard input may also be a fragment of a rules file.
fn is_rules(path: Option<&Path>, text: &str) -> bool {
    let is_part = || parse(text).forms.iter().all(|node| node.as_form().is_some());
    begins_as_rules(text) || path.is_none() && is_part()
}

fn not_rules_failure(name: &str) -> Failure {
    let message = format!("{name} is not a rules file; it was not changed");
    let help = "a rules file begins with `(game`, `(variant-of` or `(definitions`";
    Failure::input(message).with_help(Some(help.to_owned()))
}

/// Formats the first difference, and counts the others.
fn hint(text: &str, laid_out: &str) -> String {
    let diff = TextDiff::configure().timeout(DIFF_TIMEOUT).diff_lines(text, laid_out);
    let groups = diff.grouped_ops(0);
    let changes = groups.first().into_iter().flatten().flat_map(|op| diff.iter_changes(op));
    let mut lines: Vec<String> = Vec::new();
    for change in changes {
        let (sign, number) = match change.tag() {
            ChangeTag::Delete => ("-", change.old_index().map(|index| (index + 1).to_string())),
            ChangeTag::Insert => ("+", None),
            ChangeTag::Equal => continue,
        };
        let number = number.unwrap_or_default();
        // Control characters would act on the terminal.
        let line: String = change
            .value()
            .trim_end()
            .chars()
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .collect();
        lines.push(format!("{number:>5} {sign} {line}"));
    }
    if lines.len() > SHOWN {
        lines.truncate(SHOWN - 1);
        lines.push(format!("{:>5} …", ""));
    }
    let more = groups.len().saturating_sub(1);
    if more > 0 {
        lines.push(format!("{:>5} and {}", "", counted(more as u64, "more place")));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}
