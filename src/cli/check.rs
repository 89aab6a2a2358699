//! `ludwright check`: rules files in, findings out.

use super::arguments::Check;
use super::failure::Failure;
use super::files::read_source;
use super::game::{agree, wrong_choices};
use super::places::{Place, Places};
use super::screen::Screen;
use ludwright::engine::game::Game;
use ludwright::language::finding::{Finding, Severity};
use ludwright::language::sources::Sources;
use ludwright::language::{check, check_values};
use ludwright::survey::{Effort, survey};
use serde::Serialize;
use std::io::Write;

#[derive(Serialize)]
struct Report {
    files: Vec<FileReport>,
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
    start: Place,
    end: Place,
}

/// Checks every file, also after one that cannot be read.
pub fn run(task: &Check, screen: &Screen, out: &mut dyn Write) -> Result<u8, Failure> {
    agree(&task.options.choices)?;
    let mut report = Report { files: Vec::new() };
    let mut code = 0;
    for path in &task.files {
        let checked = read_source(path).and_then(|source| {
            let findings = findings(&source, &task.options.choices, if task.deep { Effort::Deep } else { Effort::Glance })?;
            Ok((source, findings))
        });
        let (source, findings) = match checked {
            Ok(checked) => checked,
            Err(failure) => {
                code = code.max(screen.fail(&failure));
                continue;
            }
        };
        let errors = findings.iter().filter(|finding| finding.severity() == Severity::Error).count();
        code = code.max(u8::from(errors > 0));
        if screen.json() {
            report.files.extend(describe(&source, &findings));
        } else {
            screen.findings(&source, &findings);
            writeln!(out, "{}: {}", source.name(), summary(errors, findings.len() - errors))?;
            // Standard error is not buffered; keep the two in step for whoever sees both.
            out.flush()?;
        }
    }
    if screen.json() {
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)?;
    }
    Ok(code)
}

/// Finds all there is to say; what takes a look at positions with as much effort as is wanted.
pub fn findings(source: &Sources, choices: &[(String, String)], effort: Effort) -> Result<Vec<Finding>, Failure> {
    let checked = check(source, choices);
    let mut findings = checked.findings;
    if !checked.choice_faults.is_empty() {
        return Err(wrong_choices(checked.choice_faults));
    }
    let errors = findings.iter().any(|finding| finding.severity() == Severity::Error);
    if let Some(rules) = checked.rules.filter(|_| !errors) {
        findings.extend(Game::compile(rules).err());
        // Whoever chooses asks about those values.
        if choices.is_empty() {
            findings.extend(check_values(source));
        }
        // What is wrong with the text may well be why; a glance is for texts with which nothing is.
        if findings.is_empty() || effort == Effort::Deep {
            let known = findings.clone();
            let is_new =
                |finding: &Finding| !known.iter().any(|known| known.span.start <= finding.span.start && finding.span.end <= known.span.end);
            findings.extend(survey(source, choices, effort).into_iter().filter(is_new));
        }
    }
    Ok(findings)
}

/// Describes the findings of each file that has any, and of the game's own.
fn describe(source: &Sources, findings: &[Finding]) -> Vec<FileReport> {
    let names: Vec<&str> = source.names().collect();
    let files = source.by_file(findings).into_iter();
    let report = files.map(|(file, findings)| {
        let places = Places::new(source.text_of(file));
        let describe = |finding: Finding| FindingReport {
            code: finding.code.name(),
            severity: finding.severity().name(),
            start: places.of(finding.span.start),
            end: places.of(finding.span.end),
            message: finding.message,
            help: finding.help,
        };
        FileReport { file: names[file].to_owned(), findings: findings.into_iter().map(describe).collect() }
    });
    report.collect()
}

fn summary(errors: usize, warnings: usize) -> String {
    let count = |count: usize, noun: &str| match count {
        0 => None,
        1 => Some(format!("1 {noun}")),
        _ => Some(format!("{count} {noun}s")),
    };
    let counts: Vec<String> = [count(errors, "error"), count(warnings, "warning")].into_iter().flatten().collect();
    if counts.is_empty() { "no findings".to_owned() } else { counts.join(", ") }
}
