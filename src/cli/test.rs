//! `ludwright test`: runs the rule cases of a game and decides its claims.

use super::watch::{Watch, rules_files, texts};
use crate::program::answers::claims::{self, ClaimAnswer};
use crate::program::arguments::Test;
use crate::program::case_files::{LIMIT, find, folders, named_case};
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::files::{read_source, read_text};
use crate::program::game::{Loaded, findings};
use crate::program::schema::{Answer, print};
use indicatif::{ProgressBar, ProgressStyle};
use ludwright::analysis::Effort;
use ludwright::cases::{CaseAnswer, CaseReport, Runner};
use ludwright::claims::Decided;
use ludwright::language::finding::Severity;
use ludwright::syntax::visible::shown;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The results of the rule cases and claims of a game.
#[derive(Serialize, JsonSchema)]
pub struct TestAnswer {
    cases: Vec<CaseAnswer>,
    /// The number of cases that pass.
    passed: usize,
    /// The number of cases that fail.
    failed: usize,
    claims: Vec<ClaimAnswer>,
}

impl Answer for TestAnswer {
    const NAME: &'static str = "test";
}

/// Runs the named cases, or all cases of the rules file; with `--watch`, again after every save.
pub fn run(task: &Test, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    if !task.watch {
        return run_once(task, console, out);
    }
    let mut watch = Watch::new()?;
    loop {
        // Watching starts before reading, so that no save is missed.
        watch.follow(&watched(task));
        let input = Input::read(task);
        match round(task, console, out) {
            Err(Failure::Output(error)) => return Err(Failure::Output(error)),
            Err(failure) => {
                console.fail(&failure);
            }
            Ok(()) => {}
        }
        out.flush()?;
        console.say(&format!(
            "waiting for {} or a case to be saved; stop with Ctrl-C\n\n",
            task.game.file.display()
        ));
        while Input::read(task) == input {
            watch.wait();
        }
    }
}

/// Checks the rules and runs the cases.
fn round(task: &Test, console: &Console, out: &mut dyn Write) -> Result<(), Failure> {
    let source = read_source(&task.game.file)?;
    let findings = findings(&source, &task.game.options.choices, Effort::Deep)?;
    console.findings(&source, &findings);
    if !findings.iter().any(|finding| finding.severity() == Severity::Error) {
        run_once(task, console, out)?;
    }
    Ok(())
}

/// All inputs of a run.
#[derive(PartialEq)]
struct Input {
    rules: Option<(String, Vec<String>)>,
    cases: Vec<(PathBuf, Option<String>)>,
}

impl Input {
    fn read(task: &Test) -> Input {
        let cases = if task.cases.is_empty() {
            find(&folders(&task.game.file)).unwrap_or_default()
        } else {
            named_cases(task)
        };
        Input {
            rules: texts(&task.game.file),
            cases: cases
                .into_iter()
                .map(|case| {
                    let text = read_text(&case, LIMIT).ok();
                    (case, text)
                })
                .collect(),
        }
    }
}

/// Files and folders that a run depends on.
fn watched(task: &Test) -> Vec<PathBuf> {
    let mut paths = rules_files(&task.game.file);
    paths.extend(folders(&task.game.file).map(|folder| folder.join("*.case")));
    paths.extend(named_cases(task));
    paths
}

/// Paths of the named cases that exist.
fn named_cases(task: &Test) -> Vec<PathBuf> {
    let folders = folders(&task.game.file);
    task.cases.iter().filter_map(|case| named_case(case, &folders).ok()).collect()
}

/// Runs the cases and decides the claims.
fn run_once(task: &Test, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let loaded = Loaded::new(&task.game, None, console)?;
    let folders = folders(&task.game.file);
    let cases = match task.cases.as_slice() {
        [] => find(&folders)?,
        named => named
            .iter()
            .map(|case| named_case(case, &folders))
            .collect::<Result<Vec<PathBuf>, Failure>>()?,
    };
    if cases.is_empty() {
        let [first, second] = folders.map(|folder| folder.display().to_string());
        console.say(&format!("no cases found in {first} or in {second}\n"));
    }
    let mut runner = Runner::new(&loaded.source);
    let mut described = Vec::new();
    let (mut passed, mut failed) = (0, 0);
    for case in &cases {
        let text = read_text(case, LIMIT)?;
        let report = runner.run(&text, &task.game.options.choices);
        match report.passed() {
            true => passed += 1,
            false => failed += 1,
        }
        if console.json() {
            described.push(CaseAnswer::of(case, &report));
        } else {
            write!(out, "{}", show(case, &report, task.show))?;
        }
    }
    if !console.json() {
        writeln!(out, "{passed} passed, {failed} failed")?;
    }
    let decided = match task.cases.is_empty() && !task.no_claims {
        true => decide(task, &loaded, console, out)?,
        false => Vec::new(),
    };
    if console.json() {
        let claims = decided.iter().map(claims::describe).collect();
        print(&TestAnswer { cases: described, passed, failed, claims }, out)?;
    }
    let refuted = decided.iter().any(|decided| decided.verdict.is_bad());
    Ok(u8::from(failed > 0 || refuted))
}

/// Decides the claims, and prints each verdict as soon as it is known.
fn decide(
    task: &Test,
    loaded: &Loaded,
    console: &Console,
    out: &mut dyn Write,
) -> Result<Vec<Decided>, Failure> {
    let mut all: Vec<Decided> = Vec::new();
    let mut written = Ok(());
    let claims = &loaded.game.rules().claims;
    let spinner = spinner(console);
    let announce = |index: usize| {
        if let Some(claim) = claims.get(index) {
            spinner.reset_elapsed();
            spinner.set_message(format!(
                "claim {} of {}: {}",
                index + 1,
                claims.len(),
                shown(&claim.text)
            ));
        }
    };
    announce(0);
    ludwright::claims::decide(
        &loaded.source,
        &task.game.options.choices,
        &task.spending.limits(),
        &mut |decided| {
            if !console.json() && written.is_ok() {
                let shown = claims::show(&decided, task.show);
                written = spinner.suspend(|| write!(out, "{shown}").and_then(|()| out.flush()));
            }
            all.push(decided);
            announce(all.len());
        },
    );
    spinner.finish_and_clear();
    written?;
    if !console.json() && !all.is_empty() {
        writeln!(out, "{}", claims::summary(&all))?;
    }
    Ok(all)
}

/// Shows the claim in progress and the elapsed time on a terminal.
fn spinner(console: &Console) -> ProgressBar {
    if !console.terminal {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {elapsed}  {wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_spinner());
    let spinner = ProgressBar::new_spinner().with_style(style);
    spinner.enable_steady_tick(Duration::from_millis(200));
    spinner
}

fn show(case: &Path, report: &CaseReport, whole: bool) -> String {
    let title = if report.title.is_empty() { "(no title)" } else { &report.title };
    let stem = case.file_stem().unwrap_or_default().display();
    let mut text = match report.passed() {
        true => format!("ok      {stem}: {title}\n"),
        false => format!("FAILED  {}: {title}\n", case.display()),
    };
    let inner = if whole { report.transcript.clone() } else { report.explain() };
    for line in inner.lines() {
        text.push_str(format!("  {line}").trim_end());
        text.push('\n');
    }
    text
}
