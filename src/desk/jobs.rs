//! Long-running work: playtests, sweeps, solving, deep checks, claims, comparisons, rule cases.
//! Each job takes the rules and the position when it begins, and reports its progress to a
//! [`Host`]: a thread of the studio's server, or a worker of a page.

mod analyses;
mod playtests;

pub use analyses::{CaseText, Cases, cases};

use super::requests::{Arguments, Refused};
use super::{Desk, Draft, identity};
use crate::answers::ByName;
use crate::budget::Instant;
use crate::engine::game::{Game, State};
use crate::language::sources::Sources;
use crate::notation::spell;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The least time between two reports of progress.
const PACE: Duration = Duration::from_millis(200);
/// The remaining time is estimated after this time, once [`KNOWN_PART`] of the work is done.
const KNOWN: Duration = Duration::from_secs(2);
const KNOWN_PART: f64 = 0.02;
/// The time after which it is estimated in any case: a hundredth of hours of work takes minutes.
const KNOWN_ANYWAY: Duration = Duration::from_secs(10);

/// The rules and the position that a job works on.
pub struct Subject {
    pub sources: Sources,
    pub options: Vec<(String, String)>,
    pub position: State,
    /// The text before the designer's changes: the saved file's or the shipped game's.
    before: Option<Before>,
}

/// The text of rules before they were changed.
#[derive(Clone)]
pub struct Before {
    text: String,
    /// How messages name this text.
    name: &'static str,
}

impl Before {
    fn of(draft: &Draft) -> Option<Before> {
        let saved = draft.disk.clone().map(|text| Before { text, name: "as saved" });
        saved.or_else(|| Some(Before { text: draft.shipped.clone()?, name: "as it ships" }))
    }
}

impl Subject {
    /// Takes the rules and the position of a desk.
    ///
    /// # Errors
    /// If the rules have errors, or the position has too many moves.
    pub fn of(desk: &mut Desk) -> Result<Subject, Refused> {
        desk.settle();
        let run = desk.run.as_ref().filter(|_| !desk.is_faulty());
        let run = run.ok_or("the rules have errors; mend them first")?;
        desk.listable()?;
        Ok(Subject {
            sources: desk.study.sources.clone(),
            options: desk.draft.options.clone(),
            position: run.state.clone(),
            before: Before::of(&desk.draft),
        })
    }

    /// Returns the game of the position.
    pub fn game(&self) -> &Game {
        self.position.game()
    }

    /// Describes which rules and which position the job works on.
    pub fn describe(&self) -> Value {
        let rules = self.game().rules();
        let plies = self.position.plies().iter().map(|ply| spell(rules, ply));
        json!({
            "identity": identity(&self.sources, Some(rules)), "title": rules.title,
            "options": ByName(rules.chosen_options()), "plies": plies.collect::<Vec<String>>(),
        })
    }
}

/// The result of a job.
#[derive(Default)]
pub struct Outcome {
    pub found: Option<Value>,
    /// A page with the whole report.
    pub page: Option<String>,
}

/// Runs a job: receives its progress and results, tells it when to stop, and limits its resources.
pub trait Host: Sync {
    /// Returns the flag that is set when the job is to end.
    fn stop(&self) -> &AtomicBool;

    /// Takes progress, from 0 to 1, and a line that says what the job does now.
    fn say(&self, progress: f64, line: String);

    /// Takes the results so far.
    fn show(&self, found: Value);

    /// Takes a page with the results so far, which replaces the previous page.
    fn keep(&self, page: String);

    /// Returns how many threads the solver may use at most.
    fn threads(&self) -> usize;

    /// Returns the most memory that one search may take, in bytes.
    fn memory(&self) -> u64;

    /// Tests if this computer may be much slower than the planning of playtests assumes.
    fn is_slow(&self) -> bool;

    /// Tests if the job is to end.
    fn is_stopped(&self) -> bool {
        self.stop().load(Ordering::Relaxed)
    }
}

/// What a job is to do.
pub enum Task {
    Playtest(playtests::Playtest),
    Sweep(playtests::Sweep),
    Solve(analyses::Solve),
    Deep,
    Claims,
    Diff(Before),
    Cases(Cases),
}

impl Task {
    /// Reads a request for a job. `cases` lists the rule cases of the file.
    ///
    /// # Errors
    /// If there is no such job, or its arguments are wrong.
    pub fn new(
        kind: &str,
        arguments: &Arguments,
        subject: &Subject,
        cases: impl FnOnce() -> Cases,
    ) -> Result<Task, Refused> {
        Ok(match kind {
            "playtest" => Task::Playtest(playtests::Playtest::new(arguments, subject)?),
            "sweep" => Task::Sweep(playtests::Sweep::new(arguments, subject)?),
            "solve" => Task::Solve(analyses::Solve::new(arguments)),
            "deep" => Task::Deep,
            "claims" => Task::Claims,
            "diff" => Task::Diff(
                (subject.before.clone())
                    .ok_or("The file is not saved yet, so there is nothing to compare with.")?,
            ),
            "cases" => Task::Cases(cases()),
            _ => return Err("there is no such job".into()),
        })
    }

    /// Runs the job.
    ///
    /// # Errors
    /// Says why it has no result.
    pub fn run(self, subject: &Subject, host: &dyn Host) -> Result<Outcome, String> {
        match self {
            Task::Playtest(task) => task.run(subject, host),
            Task::Sweep(task) => task.run(subject, host),
            Task::Solve(task) => task.run(subject, host),
            Task::Deep => analyses::deep(subject),
            Task::Claims => analyses::claims(subject, host),
            Task::Diff(before) => analyses::diff(subject, before, host),
            Task::Cases(list) => Ok(cases(subject, list, host)),
        }
    }
}

/// The progress of a job, which is reported from time to time.
pub struct Progress {
    /// Whether all parts of the work take equal time, so that the remaining time can be estimated.
    is_even: bool,
    /// When the measured part of the work began.
    began: Instant,
    /// The least estimate reported so far: the remaining time never grows.
    least: Option<f64>,
    sent: Option<Instant>,
    pub part: f64,
    pub line: String,
}

impl Progress {
    /// Begins a job of a kind.
    pub fn new(kind: &str) -> Progress {
        // In other jobs, the steps take very different times.
        let is_even = ["playtest", "sweep", "solve"].contains(&kind);
        let began = Instant::now();
        Progress { is_even, began, least: None, sent: None, part: 0.0, line: String::new() }
    }

    /// Takes the part of the work that is done, and what the job does now. Preparation (part 0)
    /// does not count as time worked.
    pub fn say(&mut self, part: f64, line: String) {
        if part <= 0.0 && self.part <= 0.0 {
            self.began = Instant::now();
        }
        (self.part, self.line) = (part.clamp(self.part, 1.0), line);
    }

    /// Tests if a report is due; if so, the next one is due `PACE` later.
    pub fn is_due(&mut self) -> bool {
        let is_due = self.sent.is_none_or(|sent| sent.elapsed() >= PACE);
        if is_due {
            self.sent = Some(Instant::now());
        }
        is_due
    }

    /// Estimates the remaining seconds, once enough of the work is done.
    pub fn left(&mut self) -> Option<f64> {
        self.left_after(self.began.elapsed())
    }

    /// Estimates the remaining seconds after this time.
    pub fn left_after(&mut self, spent: Duration) -> Option<f64> {
        let is_known = self.part >= KNOWN_PART && spent >= KNOWN || spent >= KNOWN_ANYWAY;
        if !self.is_even || !is_known || self.part <= 0.0 {
            return None;
        }
        let left = spent.as_secs_f64() * (1.0 - self.part) / self.part;
        let left = self.least.map_or(left, |least| left.min(least));
        self.least = Some(left);
        self.least
    }
}
