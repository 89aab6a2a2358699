//! `ludwright check`: reports the findings of rules files.
//!
//! In JSON, `files` has the `findings` of each file. The `edits` of a finding are alternatives, each
//! with a `title` and the `changes` that it makes: `text` replaces what is in `file` from `start` up
//! to, but not including, `end`. Lines count from 1, columns from 1 in characters, and `byte` from 0
//! in bytes of the file. The changes of an edit do not overlap, and refer to the file as it was
//! checked. With `--deep`, `looked` has for each game its `boards`, with the `options` that differ
//! from those chosen, the number of `positions`, `games` and `plies`, and whether that was
//! `exhaustive`; and `unreached`, the end conditions that an inexhaustive search did not reach.

use crate::program::answers::coverage;
use crate::program::arguments::Check;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::files::{read_rules, read_source, rules_files_below};
use crate::program::game::{agree, examined};
use ludwright::analysis::{BoardCoverage, Effort, Examined};
use ludwright::diagnostics::{Places, SourcePosition};
use ludwright::files::legible;
use ludwright::language::check;
use ludwright::language::finding::{Code, Edit, Finding, Severity};
use ludwright::language::ludemes::Ludeme;
use ludwright::language::sources::Sources;
use ludwright::notation::counted;
use ludwright::syntax::parse;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Serialize)]
struct Report {
    files: Vec<FileReport>,
    /// Coverage of `--deep`, one entry per game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    looked: Vec<LookedReport>,
}

/// Coverage of `--deep` for one game.
#[derive(Serialize)]
struct LookedReport {
    file: String,
    boards: Vec<BoardReport>,
    /// End conditions that an inexhaustive search did not reach.
    unreached: Vec<Unreached>,
}

/// Coverage of one choice of options.
#[derive(Serialize)]
struct BoardReport {
    /// Options that differ from those chosen.
    options: serde_json::Map<String, serde_json::Value>,
    positions: usize,
    games: usize,
    plies: usize,
    exhaustive: bool,
}

#[derive(Serialize)]
struct Unreached {
    line: usize,
    text: String,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    findings: Vec<FindingReport>,
}

#[derive(Serialize)]
struct FindingReport {
    code: &'static str,
    severity: &'static str,
    message: String,
    help: Option<String>,
    start: SourcePosition,
    end: SourcePosition,
    edits: Vec<EditReport>,
}

/// A way to correct a finding.
#[derive(Serialize)]
struct EditReport {
    title: String,
    changes: Vec<ChangeReport>,
}

#[derive(Serialize)]
struct ChangeReport {
    file: String,
    start: BytePosition,
    end: BytePosition,
    text: String,
}

#[derive(Serialize)]
struct BytePosition {
    #[serde(flatten)]
    place: SourcePosition,
    /// From 0.
    byte: usize,
}

/// What is checked.
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

/// Lists what a path stands for: standard input for `-`, and for a folder all rules files below it.
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
    let mut report = Report { files: Vec::new(), looked: Vec::new() };
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
            report.files.extend(describe(&source, &findings));
            if task.deep && !is_part {
                report.looked.push(describe_looked(&source, looked, unreached));
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
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)?;
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

fn describe_looked(
    source: &Sources,
    looked: Vec<BoardCoverage>,
    unreached: Vec<(String, String, usize)>,
) -> LookedReport {
    let boards = looked.into_iter().map(|board| BoardReport {
        options: board.options.into_iter().map(|(name, value)| (name, value.into())).collect(),
        positions: board.positions,
        games: board.games,
        plies: board.plies,
        exhaustive: board.exhaustive,
    });
    let unreached = unreached
        .into_iter()
        .map(|(_, text, line)| Unreached { line, text: text.trim_matches('`').to_owned() });
    LookedReport {
        file: source.name().to_owned(),
        boards: boards.collect(),
        unreached: unreached.collect(),
    }
}

/// Describes the findings of the game's own file, and of each other file that has any.
fn describe(source: &Sources, findings: &[Finding]) -> Vec<FileReport> {
    let names: Vec<&str> = source.names().collect();
    let files = source.by_file(findings).into_iter();
    let report = files.map(|(file, findings)| {
        let places = Places::new(source.text_of(file));
        let change = |edit: Edit| ChangeReport {
            file: names[file].to_owned(),
            start: BytePosition { place: places.of(edit.span.start), byte: edit.span.start },
            end: BytePosition { place: places.of(edit.span.end), byte: edit.span.end },
            text: edit.text,
        };
        let describe = |finding: Finding| FindingReport {
            code: finding.code.name(),
            severity: finding.code.severity().name(),
            message: finding.message,
            help: finding.help,
            start: places.of(finding.span.start),
            end: places.of(finding.span.end),
            edits: finding
                .fix
                .into_iter()
                .map(|fix| EditReport {
                    title: fix.title,
                    changes: fix.edits.into_iter().map(change).collect(),
                })
                .collect(),
        };
        FileReport {
            file: names[file].to_owned(),
            findings: findings.into_iter().map(describe).collect(),
        }
    });
    report.collect()
}

fn summary(errors: usize, warnings: usize) -> String {
    let count = |count: usize, noun: &str| (count > 0).then(|| counted(count as u64, noun));
    let counts: Vec<String> =
        [count(errors, "error"), count(warnings, "warning")].into_iter().flatten().collect();
    if counts.is_empty() { "no findings".to_owned() } else { counts.join(", ") }
}
