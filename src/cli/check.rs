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
use ludwright::syntax::Span;
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
    let Some(rules) = checked.rules else { return Ok(findings) };
    // What is wrong with the text may well be why; a glance is for texts with which nothing is.
    let looks = findings.is_empty() || effort == Effort::Deep;
    let (values, seen) = std::thread::scope(|scope| {
        // Whoever chooses asks about those values.
        let values = choices.is_empty().then(|| scope.spawn(|| check_values(source, &rules)));
        let seen = looks.then(|| survey(source, choices, rules.clone(), effort)).flatten();
        (values.map(|values| values.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).unwrap_or_default(), seen)
    });
    if seen.is_none() {
        findings.extend(Game::compile(rules).err());
    }
    findings.extend(values);
    if findings.is_empty() || effort == Effort::Deep {
        let new: Vec<Finding> = seen.into_iter().flatten().filter(|finding| !is_told(source, &findings, finding)).collect();
        findings.extend(new);
    }
    Ok(findings)
}

/// Tells if what was seen in play is said already: of the same place, or of what decides whether it comes to it.
fn is_told(source: &Sources, known: &[Finding], seen: &Finding) -> bool {
    let holds = |outer: Span, inner: Span| outer.start <= inner.start && inner.end <= outer.end;
    known.iter().any(|known| {
        holds(known.span, seen.span)
            || known.code == seen.code && source.form_around(known.span, &["if", "move"]).is_some_and(|form| holds(form, seen.span))
    })
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
