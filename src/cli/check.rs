//! `ludwright check`: reports the findings of rules files.

use crate::program::answers::coverage::{self, LookedAnswer};
use crate::program::answers::diagnostic::{DiagnosticAnswer, by_file};
use crate::program::arguments::Check;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::files::{read_rules, read_source, rules_files_below};
use crate::program::game::{agree, examined};
use crate::program::schema::{Answer, print};
use ludwright::analysis::{Effort, Examined};
use ludwright::files::legible;
use ludwright::language::check;
use ludwright::language::finding::{Code, Finding, MAX_FINDINGS, Severity};
use ludwright::language::ludemes::Ludeme;
use ludwright::language::sources::Sources;
use ludwright::notation::counted;
use ludwright::syntax::parse;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The findings of rules files.
#[derive(Serialize, JsonSchema)]
pub struct CheckAnswer {
    files: Vec<FileReport>,
    /// How far `--deep` has searched, by game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    looked: Vec<LookedAnswer>,
}

impl Answer for CheckAnswer {
    const NAME: &'static str = "check";
}

/// The findings of a file.
#[derive(Serialize, JsonSchema)]
struct FileReport {
    file: String,
    findings: Vec<DiagnosticAnswer>,
}

/// An input to check.
enum Subject {
    File(PathBuf),
    /// A file in a folder, which is checked as a game unless it has only definitions.
    Found(PathBuf),
    StandardInput,
}

impl Subject {
    /// Reads the sources.
    fn read(&self) -> Result<Sources, Failure> {
        match self {
            Subject::File(path) => read_source(path),
            Subject::Found(path) => {
                ludwright::files::gather(path).map_err(|error| Failure::file("read", path, &error))
            }
            Subject::StandardInput => {
                const NAME: &str = "standard input";
                Ok(match legible(NAME, read_rules(None)?) {
                    Ok(text) => Sources::named(NAME, &text),
                    Err(faulty) => faulty,
                })
            }
        }
    }
}

/// Lists the inputs that a path stands for: standard input for `-`, all rules files below a folder.
fn subjects(path: &Path) -> Result<Vec<Subject>, Failure> {
    if path == Path::new("-") {
        return Ok(vec![Subject::StandardInput]);
    }
    if path.is_dir() {
        return Ok(rules_files_below(path)?.into_iter().map(Subject::Found).collect());
    }
    Ok(vec![Subject::File(path.to_owned())])
}

/// Checks every file; an unreadable one does not stop the others.
pub fn run(task: &Check, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    agree(&task.options.choices)?;
    let mut report = CheckAnswer { files: Vec::new(), looked: Vec::new() };
    let mut code = 0;
    let mut all = Vec::new();
    for path in &task.files {
        match subjects(path) {
            Ok(found) => all.extend(found),
            Err(failure) => code = code.max(console.fail(&failure)),
        }
    }
    for subject in all {
        let checked = subject.read().and_then(|source| {
            if matches!(subject, Subject::Found(_)) && is_definitions(source.text_of(0)) {
                return Ok((definitions(&source), true, source));
            }
            let examined = examined(
                &source,
                &task.options.choices,
                if task.deep { Effort::Deep } else { Effort::Glance },
            )?;
            Ok((examined, false, source))
        });
        let (Examined { findings, looked, unreached }, is_part, source) = match checked {
            Ok(checked) => checked,
            Err(failure) => {
                code = code.max(console.fail(&failure));
                continue;
            }
        };
        let errors =
            findings.iter().filter(|finding| finding.severity() == Severity::Error).count();
        code = code.max(u8::from(errors > 0));
        if console.json() {
            let files = by_file(&source, &findings).into_iter();
            report.files.extend(files.map(|(file, findings)| FileReport { file, findings }));
            if task.deep && !is_part {
                report.looked.push(coverage::describe(&source, looked, unreached));
            }
        } else {
            console.findings(&source, &findings);
            let summary = match is_part && findings.is_empty() {
                true => {
                    "definitions, which are checked with the games that include them".to_owned()
                }
                false => summary(errors, findings.len() - errors),
            };
            writeln!(out, "{}: {summary}", source.name())?;
            if task.deep && !is_part {
                write!(out, "{}", coverage::tell(&looked, &unreached))?;
            }
            // Standard error is unbuffered: flushing keeps the order of both streams on a terminal.
            out.flush()?;
        }
    }
    if console.json() {
        print(&report, out)?;
    }
    Ok(code)
}

/// Tests if a file has only definitions for games to include.
fn is_definitions(text: &str) -> bool {
    let tree = parse(text);
    let first = tree.forms.iter().find_map(|form| form.head());
    first.is_some_and(|(head, _)| head == Ludeme::Definitions.row().spelling)
}

/// Reads a file of definitions by itself: its brackets, texts and numbers. All else depends on the
/// game that includes it.
fn definitions(source: &Sources) -> Examined {
    let is_syntax = |finding: &Finding| {
        matches!(
            finding.code,
            Code::FileTooLarge
                | Code::NotText
                | Code::NestedTooDeep
                | Code::UnclosedBracket
                | Code::StrayBracket
                | Code::MisplacedBracket
                | Code::UnclosedText
                | Code::StrayCharacter
                | Code::BadNumber
        )
    };
    let findings = check(source, &[]).findings.into_iter().filter(is_syntax).collect();
    Examined { findings, looked: Vec::new(), unreached: Vec::new() }
}

fn summary(errors: usize, warnings: usize) -> String {
    let count = |count: usize, noun: &str| (count > 0).then(|| counted(count as u64, noun));
    let counts: Vec<String> =
        [count(errors, "error"), count(warnings, "warning")].into_iter().flatten().collect();
    let more = if errors + warnings < MAX_FINDINGS { "" } else { ", and perhaps more" };
    if counts.is_empty() {
        "no findings".to_owned()
    } else {
        format!("{}{more}", counts.join(", "))
    }
}
