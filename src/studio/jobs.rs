//! What takes long: playtests, sweeps, solving, deep checks, claims, comparisons, rule cases. Each
//! is a job on a thread of its own, on the rules as they were when it was started. It reports by
//! events, and goes on while its desk is written at and played at.

mod analyses;
mod playtests;

use super::api::{Arguments, Refused};
use super::{DeskCell, Studio, lock};
use ludwright::desk::identity;
use ludwright::engine::game::{Game, State};
use ludwright::language::sources::Sources;
use ludwright::notation::spell;
use serde_json::{Map, Value, json};
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
/// The time after which the time that is left is estimated.
const KNOWN: Duration = Duration::from_secs(2);

/// All jobs.
#[derive(Default)]
pub struct Jobs(Mutex<Vec<Arc<Job>>>);

/// A job.
struct Job {
    id: String,
    kind: String,
    /// What was asked, which a page can ask again.
    asked: Value,
    /// The rules and the position that it is about.
    about: Value,
    began: Instant,
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
    found: Option<Value>,
    /// Whether it was reported since it was found.
    is_told: bool,
    view: Option<String>,
    /// When it was reported last.
    sent: Option<Instant>,
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

    /// Says which rules and which position it is.
    fn describe(&self) -> Value {
        let rules = self.game().rules();
        let options = rules.options.iter();
        let options = options
            .map(|option| (option.name.clone(), json!(option.values[option.chosen])))
            .collect::<Map<String, Value>>();
        let plies = self.position.plies().iter().map(|ply| spell(rules, ply));
        json!({
            "identity": identity(&self.sources, Some(rules)), "title": rules.title,
            "options": options, "plies": plies.collect::<Vec<String>>(),
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

/// What a job is to do.
enum Task {
    Playtest(playtests::Playtest),
    Sweep(playtests::Sweep),
    Solve(analyses::Solve),
    Deep,
    Claims,
    /// With the saved text.
    Diff(String),
    /// With the file, if there is one.
    Cases(Option<PathBuf>),
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
                    .ok_or("The file is not saved yet, so there is nothing to compare with.")?,
            ),
            "cases" => Task::Cases(subject.file.clone()),
            _ => return Err("there is no such job".into()),
        })
    }

    fn run(self, subject: &Subject, reporter: &Reporter) -> Result<Outcome, String> {
        match self {
            Task::Playtest(task) => task.run(subject, reporter),
            Task::Sweep(task) => task.run(subject, reporter),
            Task::Solve(task) => task.run(subject, reporter),
            Task::Deep => analyses::deep(subject),
            Task::Claims => analyses::claims(subject, reporter),
            Task::Diff(saved) => analyses::diff(subject, saved, reporter),
            Task::Cases(file) => analyses::cases(subject, file.as_deref(), reporter),
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
    let asked = arguments.value("arguments").cloned().unwrap_or_else(|| json!({}));
    let job = Arc::new(Job {
        id: super::access::random_name().map_err(|_| "the system gives no random numbers")?,
        kind: kind.to_owned(),
        asked,
        about: subject.describe(),
        began: Instant::now(),
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
    json!({ "jobs": own.map(|job| job.describe(true)).collect::<Vec<Value>>() })
}

/// Stops a job. What it has found so far is reported; with `forget`, one that has ended is no
/// longer listed.
pub fn stop(studio: &Studio, cell: &DeskCell, arguments: &Arguments) -> Result<Value, Refused> {
    let id = arguments.text("job")?;
    let mut jobs = lock(&studio.jobs.0);
    let at = jobs.iter().position(|job| job.id == id && job.desk.id == cell.id);
    let at = at.ok_or("there is no such job")?;
    let job = Arc::clone(&jobs[at]);
    if arguments.flag("forget") && !job.is_alive.load(Ordering::Acquire) {
        jobs.remove(at);
    }
    drop(jobs);
    job.stop.store(true, Ordering::Relaxed);
    let mut status = lock(&job.status);
    let has_nothing = status.found.is_none() && status.view.is_none();
    // Of which nothing can be shown before its end is left to itself; its limits end it soon.
    let is_whole = match job.kind.as_str() {
        "deep" | "diff" => true,
        // No game was finished yet.
        "playtest" | "sweep" => has_nothing,
        _ => false,
    };
    let is_running = status.state == "running";
    if is_running {
        status.line = "Stopping …".to_owned();
        if is_whole {
            status.state = "stopped";
            status.line = "It was stopped before anything was found.".to_owned();
        }
    }
    drop(status);
    if is_running {
        job.send();
    }
    Ok(job.describe(true))
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
    /// Describes it, with what it has found unless that is known.
    fn describe(&self, is_whole: bool) -> Value {
        let status = lock(&self.status);
        let mut described = json!({
            "job": self.id, "kind": self.kind, "asked": self.asked, "about": self.about,
            "state": status.state, "progress": status.progress, "line": status.line,
            "left": self.left(&status), "view": status.view,
        });
        if is_whole && let Some(found) = &status.found {
            described["found"] = found.clone();
        }
        described
    }

    /// Estimates the seconds that are left, once something is known of the pace.
    fn left(&self, status: &Status) -> Option<f64> {
        let part = status.progress;
        // Elsewhere, steps take very different times.
        let is_even = ["playtest", "sweep", "solve"].contains(&self.kind.as_str());
        let spent = self.began.elapsed();
        let is_known = is_even && status.state == "running" && part > 0.0 && spent >= KNOWN;
        is_known.then(|| spent.as_secs_f64() * (1.0 - part) / part)
    }

    fn send(&self) {
        let is_new = {
            let mut status = lock(&self.status);
            !std::mem::replace(&mut status.is_told, true)
        };
        self.desk.listeners.send("job", &self.describe(is_new));
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
    pub fn show(&self, found: Value) {
        self.update(|status| (status.found, status.is_told) = (Some(found), false));
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
        if outcome.found.is_some() {
            (status.found, status.is_told) = (outcome.found, false);
        }
        drop(status);
        self.job.send();
    }
}
