//! What takes long: playtests, sweeps, solving, deep checks, claims, comparisons, rule cases. Each
//! is asked about the rules and the position as they are when it begins, and tells its [`Host`] how
//! far it is: a thread of the server of the studio, or a worker of a page.

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
/// The time and the part of the work after which the time that is left is estimated.
const KNOWN: Duration = Duration::from_secs(2);
const KNOWN_PART: f64 = 0.02;
/// The time after which it is estimated from any part: of work for hours, a hundredth takes minutes.
const KNOWN_ANYWAY: Duration = Duration::from_secs(10);

/// What a job works on.
pub struct Subject {
    pub sources: Sources,
    pub options: Vec<(String, String)>,
    pub position: State,
    /// The text of the file as it was saved, or with which the game ships.
    before: Option<Before>,
}

/// What rules were before they were changed.
#[derive(Clone)]
pub struct Before {
    text: String,
    /// What it is called.
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

    /// Says which rules and which position it is.
    pub fn describe(&self) -> Value {
        let rules = self.game().rules();
        let plies = self.position.plies().iter().map(|ply| spell(rules, ply));
        json!({
            "identity": identity(&self.sources, Some(rules)), "title": rules.title,
            "options": ByName(rules.chosen_options()), "plies": plies.collect::<Vec<String>>(),
        })
    }
}

/// What a job has found.
#[derive(Default)]
pub struct Outcome {
    pub found: Option<Value>,
    /// A page with the whole report.
    pub page: Option<String>,
}

/// Whatever runs a job: it is told what the job is doing, says when it is to stop, and what it may
/// use.
pub trait Host: Sync {
    /// Returns the flag that is set when the job is to end.
    fn stop(&self) -> &AtomicBool;

    /// Takes progress, from 0 to 1, and what is being done.
    fn say(&self, progress: f64, line: String);

    /// Takes what was found so far.
    fn show(&self, found: Value);

    /// Takes a page with what was found so far, in place of the one before.
    fn keep(&self, page: String);

    /// Returns how many threads solving may use, the most that there are.
    fn threads(&self) -> usize;

    /// Returns the most memory that one search may take, in bytes.
    fn memory(&self) -> u64;

    /// Tests if this computer may be much slower than playtests take for granted.
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
    /// Reads what is asked. `cases` lists the rule cases of the file.
    ///
    /// # Errors
    /// Says what cannot be done.
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

    /// Finds the answer.
    ///
    /// # Errors
    /// Says why there is none.
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

/// How far a job is, as it is reported now and then.
pub struct Progress {
    /// Whether the work is even, so that the time that is left can be estimated.
    is_even: bool,
    /// When the work began whose parts are told.
    began: Instant,
    /// The least time that was said to be left: it never grows.
    least: Option<f64>,
    sent: Option<Instant>,
    pub part: f64,
    pub line: String,
}

impl Progress {
    /// Begins a job of a kind.
    pub fn new(kind: &str) -> Progress {
        // Elsewhere, steps take very different times.
        let is_even = ["playtest", "sweep", "solve"].contains(&kind);
        let began = Instant::now();
        Progress { is_even, began, least: None, sent: None, part: 0.0, line: String::new() }
    }

    /// Takes what is being done. What comes before the first part is not among the parts.
    pub fn say(&mut self, part: f64, line: String) {
        if part <= 0.0 && self.part <= 0.0 {
            self.began = Instant::now();
        }
        (self.part, self.line) = (part.clamp(self.part, 1.0), line);
    }

    /// Tests if it is time for a report, which is then made.
    pub fn is_due(&mut self) -> bool {
        let is_due = self.sent.is_none_or(|sent| sent.elapsed() >= PACE);
        if is_due {
            self.sent = Some(Instant::now());
        }
        is_due
    }

    /// Estimates the seconds that are left, once something is known of the pace.
    pub fn left(&mut self) -> Option<f64> {
        self.left_after(self.began.elapsed())
    }

    /// Estimates the seconds that are left after this time.
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
