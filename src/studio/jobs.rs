//! What takes long: playtests, sweeps, solving, deep checks, claims, comparisons, rule cases. Each
//! is a job on a thread of its own, on the rules as they were when it was started. It reports by
//! events, and goes on while its desk is written at and played at.

mod analyses;
mod playtests;

use super::api::{Arguments, Refused};
use super::{DeskCell, Studio, lock};
use ludwright::engine::game::{Game, State};
use ludwright::language::sources::Sources;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The most jobs that run at a time, and the most that are remembered for a desk.
const MAX_RUNNING: usize = 4;
const MAX_KEPT: usize = 24;
/// The most jobs that are remembered for all desks.
const MAX_REMEMBERED: usize = 200;
/// The least time between two reports of progress.
const PACE: Duration = Duration::from_millis(200);

/// All jobs.
#[derive(Default)]
pub struct Jobs(Mutex<Vec<Arc<Job>>>);

/// A job.
struct Job {
    id: String,
    kind: String,
    desk: Arc<DeskCell>,
    stop: AtomicBool,
    /// Whether its thread has not ended.
    is_alive: AtomicBool,
    status: Mutex<Status>,
}

/// What is known of a job.
#[derive(Default)]
struct Status {
    state: &'static str,
    progress: f64,
    line: String,
    text: String,
    bars: Vec<Bar>,
    view: Option<String>,
    /// When it was reported last.
    sent: Option<Instant>,
}

/// A share that a job has found, with its interval, all from 0 to 1.
#[derive(Clone)]
pub struct Bar {
    pub label: String,
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// What a job works on.
pub struct Subject {
    pub sources: Sources,
    pub options: Vec<(String, String)>,
    pub position: State,
    /// The text of the file as it is on the disk.
    saved: Option<String>,
    /// The file as a whole path.
    file: Option<PathBuf>,
}

impl Subject {
    /// Returns the game of the position.
    pub fn game(&self) -> &Game {
        self.position.game()
    }
}

/// What a job has found.
#[derive(Default)]
pub struct Outcome {
    pub text: String,
    /// A page with the whole report.
    pub page: Option<String>,
}

/// What a job is to do.
enum Task {
    Playtest(playtests::Playtest),
    Sweep(playtests::Sweep),
    Solve(analyses::Solve),
    Deep,
    Claims,
    /// With the saved text.
    Diff(String),
    /// With the file.
    Cases(PathBuf),
}

/// Reports what a job is doing, and tells it when to stop.
pub struct Reporter<'j> {
    studio: &'j Studio,
    job: &'j Job,
}

impl Task {
    fn new(kind: &str, arguments: &Arguments, subject: &Subject) -> Result<Task, Refused> {
        Ok(match kind {
            "playtest" => Task::Playtest(playtests::Playtest::new(arguments, subject)?),
            "sweep" => Task::Sweep(playtests::Sweep::new(arguments, subject)?),
            "solve" => Task::Solve(analyses::Solve::new(arguments)),
            "deep" => Task::Deep,
            "claims" => Task::Claims,
            "diff" => Task::Diff(
                (subject.saved.clone())
                    .ok_or("the file is not saved yet, so there is nothing to compare with")?,
            ),
            "cases" => {
                Task::Cases(subject.file.clone().ok_or("cases belong to a file; save it first")?)
            }
            _ => return Err("there is no such job".into()),
        })
    }

    fn run(self, subject: &Subject, reporter: &Reporter) -> Result<Outcome, String> {
        match self {
            Task::Playtest(task) => task.run(subject, reporter),
            Task::Sweep(task) => task.run(subject, reporter),
            Task::Solve(task) => task.run(subject, reporter),
            Task::Deep => analyses::deep(subject),
            Task::Claims => Ok(analyses::claims(subject, reporter)),
            Task::Diff(saved) => analyses::diff(subject, saved, reporter),
            Task::Cases(file) => Ok(analyses::cases(subject, &file, reporter)),
        }
    }
}

/// Starts a job.
pub fn start(
    studio: &Arc<Studio>,
    cell: &Arc<DeskCell>,
    arguments: &Arguments,
) -> Result<Value, Refused> {
    let subject = subject(studio, cell)?;
    let kind = arguments.text("kind")?;
    let task = Task::new(kind, &arguments.inner("arguments"), &subject)?;
    let job = Arc::new(Job {
        id: super::access::random_name().map_err(|_| "the system gives no random numbers")?,
        kind: kind.to_owned(),
        desk: Arc::clone(cell),
        stop: AtomicBool::new(false),
        is_alive: AtomicBool::new(true),
        status: Mutex::new(Status { state: "running", ..Status::default() }),
    });
    {
        let mut jobs = lock(&studio.jobs.0);
        let running = jobs.iter().filter(|job| job.is_alive.load(Ordering::Acquire)).count();
        if running >= MAX_RUNNING {
            return Err(Refused {
                status: 503,
                message: format!(
                    "{MAX_RUNNING} jobs are running already, or about to end; stop one of them"
                ),
            });
        }
        let is_own = |job: &Arc<Job>| job.desk.id == cell.id;
        while jobs.iter().filter(|job| is_own(job)).count() >= MAX_KEPT {
            let over =
                jobs.iter().position(|job| is_own(job) && !job.is_alive.load(Ordering::Acquire));
            let Some(over) = over else { break };
            jobs.remove(over);
        }
        // Those of tabs that were closed go, too.
        while jobs.len() >= MAX_REMEMBERED {
            let over = jobs.iter().position(|job| !job.is_alive.load(Ordering::Acquire));
            let Some(over) = over else { break };
            jobs.remove(over);
        }
        jobs.push(Arc::clone(&job));
    }
    let (shared, own) = (Arc::clone(studio), Arc::clone(&job));
    let spawned = std::thread::Builder::new().name("job".to_owned()).spawn(move || {
        let reporter = Reporter { studio: &shared, job: &own };
        let done = task.run(&subject, &reporter);
        let is_stopped = own.stop.load(Ordering::Relaxed);
        let state = if is_stopped { "stopped" } else { "done" };
        let is_ended = lock(&own.status).state == "stopped";
        match done {
            _ if is_ended => {}
            Ok(outcome) => reporter.end(state, outcome),
            Err(message) => {
                reporter.say(1.0, message);
                reporter.end("failed", Outcome::default());
            }
        }
        own.is_alive.store(false, Ordering::Release);
    });
    if spawned.is_err() {
        job.is_alive.store(false, Ordering::Release);
        return Err("the system has no thread for this job".into());
    }
    Ok(json!({ "job": job.id }))
}

/// Lists the jobs of a desk, the newest last.
pub fn list(studio: &Studio, cell: &DeskCell) -> Value {
    let jobs = lock(&studio.jobs.0);
    let own = jobs.iter().filter(|job| job.desk.id == cell.id);
    json!({ "jobs": own.map(|job| job.describe()).collect::<Vec<Value>>() })
}

/// Stops a job. What it has found so far is reported.
pub fn stop(studio: &Studio, cell: &DeskCell, arguments: &Arguments) -> Result<Value, Refused> {
    let id = arguments.text("job")?;
    let jobs = lock(&studio.jobs.0);
    let job = jobs.iter().find(|job| job.id == id && job.desk.id == cell.id);
    let job = job.ok_or("there is no such job")?;
    job.stop.store(true, Ordering::Relaxed);
    let mut status = lock(&job.status);
    let has_nothing = status.text.is_empty() && status.view.is_none();
    // Of which nothing can be shown before its end is left to itself; its limits end it soon.
    let is_whole = match job.kind.as_str() {
        "deep" | "diff" => true,
        // No game was finished yet.
        "playtest" | "sweep" => has_nothing,
        _ => false,
    };
    let is_running = status.state == "running";
    if is_running {
        status.line = "stopping".to_owned();
        if is_whole {
            status.state = "stopped";
            status.line = "stopped before anything was found".to_owned();
        }
    }
    drop(status);
    if is_running {
        job.send();
    }
    Ok(job.describe())
}

fn subject(studio: &Studio, cell: &DeskCell) -> Result<Subject, Refused> {
    let mut desk = lock(&cell.desk);
    desk.settle();
    let run = desk.run.as_ref().filter(|_| !desk.is_faulty());
    let run = run.ok_or("the rules have errors; mend them first")?;
    desk.listable()?;
    Ok(Subject {
        sources: desk.study.sources.clone(),
        options: desk.draft.options.clone(),
        position: run.state.clone(),
        saved: desk.draft.disk.clone(),
        file: desk.draft.origin.file().map(|path| studio.root().join(path)),
    })
}

impl Job {
    fn describe(&self) -> Value {
        let status = lock(&self.status);
        let bar = |bar: &Bar| json!({ "label": bar.label, "value": bar.value, "low": bar.low, "high": bar.high });
        json!({
            "job": self.id, "kind": self.kind, "state": status.state,
            "progress": status.progress, "line": status.line,
            "lines": status.text.lines().collect::<Vec<&str>>(),
            "bars": status.bars.iter().map(bar).collect::<Vec<Value>>(), "view": status.view,
        })
    }

    fn send(&self) {
        self.desk.listeners.send("job", &self.describe());
    }
}

impl Reporter<'_> {
    /// Tests if the job is to end.
    pub fn is_stopped(&self) -> bool {
        self.job.stop.load(Ordering::Relaxed)
    }

    /// Returns the flag that is set when the job is to end.
    pub fn stop(&self) -> &AtomicBool {
        &self.job.stop
    }

    /// Reports progress, from 0 to 1, and what is being done.
    pub fn say(&self, progress: f64, line: impl Into<String>) {
        self.update(|status| {
            (status.progress, status.line) = (progress.clamp(0.0, 1.0), line.into());
        });
    }

    /// Reports what was found so far.
    pub fn show(&self, text: &str) {
        self.update(|status| text.clone_into(&mut status.text));
    }

    /// Reports shares that were found so far.
    pub fn draw(&self, bars: Vec<Bar>) {
        lock(&self.job.status).bars = bars;
    }

    /// Changes what is known, unless the job was ended by [`stop`], and reports it now and then.
    fn update(&self, change: impl FnOnce(&mut Status)) {
        let mut status = lock(&self.job.status);
        if status.state != "running" {
            return;
        }
        change(&mut status);
        if status.sent.is_some_and(|sent| sent.elapsed() < PACE) {
            return;
        }
        status.sent = Some(Instant::now());
        drop(status);
        self.job.send();
    }

    /// Keeps a page with what was found so far, in place of the one before.
    pub fn keep(&self, page: String) {
        let known = lock(&self.job.status).view.clone();
        match known {
            Some(id) => self.studio.put_view(&id, page),
            None => lock(&self.job.status).view = self.studio.add_view(page),
        }
    }

    fn end(&self, state: &'static str, outcome: Outcome) {
        if let Some(page) = outcome.page {
            self.keep(page);
        }
        let mut status = lock(&self.job.status);
        status.state = state;
        if state != "failed" {
            // What was being done; the message of a failure stays.
            status.line.clear();
        }
        if state == "done" {
            status.progress = 1.0;
        }
        if !outcome.text.is_empty() {
            status.text = outcome.text;
        }
        drop(status);
        self.job.send();
    }
}
