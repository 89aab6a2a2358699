//! Long-running jobs ([`ludwright::desk::jobs`]), each on a thread of its own, with the rules as of
//! its start. A job reports by events, and continues while its desk is edited and played at.

use super::api::{Arguments, Refused};
use super::folder::read_case;
use super::{DeskCell, Studio, lock};
use crate::program::case_files::{LIMIT, cases_of};
use crate::program::workload::cores;
use ludwright::desk::jobs::{Cases, Host, Outcome, Progress, Subject, Task};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// The most jobs that run at a time, and the most that are remembered for a desk.
const MAX_RUNNING: usize = 4;
const MAX_KEPT: usize = 24;
/// The most jobs that are remembered for all desks.
const MAX_REMEMBERED: usize = 200;
/// The most memory that a search may take, in bytes.
const MAX_MEMORY: u64 = 1 << 30;
/// The most rule cases of a job.
const MAX_CASES: usize = 1_000;

/// All jobs.
#[derive(Default)]
pub struct Jobs(Mutex<Vec<Arc<Job>>>);

/// A job.
struct Job {
    id: String,
    kind: String,
    /// The request, which a page can repeat.
    asked: Value,
    /// The rules and the position of the job.
    about: Value,
    desk: Arc<DeskCell>,
    stop: AtomicBool,
    /// Whether the job's thread still runs.
    is_alive: AtomicBool,
    status: Mutex<Status>,
}

/// The state and the results of a job.
struct Status {
    state: &'static str,
    progress: Progress,
    found: Option<Value>,
    /// Whether the latest result has been reported.
    is_told: bool,
    view: Option<String>,
}

/// Reports the progress of a job, and stops it on request.
struct Reporter<'j> {
    studio: &'j Studio,
    job: &'j Job,
}

/// Starts a job.
pub fn start(
    studio: &Arc<Studio>,
    cell: &Arc<DeskCell>,
    arguments: &Arguments,
) -> Result<Value, Refused> {
    let (subject, file) = {
        let mut desk = lock(&cell.desk);
        let file = desk.draft.origin.file().map(|path| studio.root().join(path));
        (Subject::of(&mut desk)?, file)
    };
    let kind = arguments.text("kind")?;
    let cases = || cases(file.as_deref());
    let task = Task::new(kind, &arguments.inner("arguments"), &subject, cases)?;
    let asked = arguments.value("arguments").cloned().unwrap_or_else(|| json!({}));
    let job = Arc::new(Job {
        id: super::access::random_name().map_err(|_| "the system gives no random numbers")?,
        kind: kind.to_owned(),
        asked,
        about: subject.describe(),
        desk: Arc::clone(cell),
        stop: AtomicBool::new(false),
        is_alive: AtomicBool::new(true),
        status: Mutex::new(Status {
            state: "running",
            progress: Progress::new(kind),
            found: None,
            is_told: false,
            view: None,
        }),
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
        // Jobs of closed tabs are removed, too.
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

/// Stops a job; its results so far are reported. With `forget`, an ended job is removed from the
/// list.
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
    // A job without partial results is abandoned; its limits end it soon.
    let is_whole = match job.kind.as_str() {
        "deep" | "diff" => true,
        // No game is finished yet.
        "playtest" | "sweep" => has_nothing,
        _ => false,
    };
    let is_running = status.state == "running";
    if is_running {
        status.progress.line = "Stopping …".to_owned();
        if is_whole {
            status.state = "stopped";
            status.progress.line = "It was stopped before anything was found.".to_owned();
        }
    }
    drop(status);
    if is_running {
        job.send();
    }
    Ok(job.describe(true))
}

/// Lists the rule cases of a file.
fn cases(file: Option<&Path>) -> Cases {
    let mut paths = file.map(cases_of).unwrap_or_default();
    paths.truncate(MAX_CASES);
    let folder = file.map(|file| file.with_extension("cases"));
    let folder = folder.as_deref().and_then(Path::file_name);
    let text = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        (name, read_case(&path, LIMIT))
    };
    Cases {
        of: paths.len(),
        folder: folder.map(|folder| folder.to_string_lossy().into_owned()),
        texts: Box::new(paths.into_iter().map(text)),
    }
}

impl Job {
    /// Describes the job, with its results unless they were already sent.
    fn describe(&self, is_whole: bool) -> Value {
        let mut status = lock(&self.status);
        let left = if status.state == "running" { status.progress.left() } else { None };
        let mut described = json!({
            "job": self.id, "kind": self.kind, "asked": self.asked, "about": self.about,
            "state": status.state, "progress": status.progress.part, "line": status.progress.line,
            "left": left, "view": status.view,
        });
        if is_whole && let Some(found) = &status.found {
            described["found"] = found.clone();
        }
        described
    }

    fn send(&self) {
        let is_new = {
            let mut status = lock(&self.status);
            !std::mem::replace(&mut status.is_told, true)
        };
        self.desk.listeners.send("job", &self.describe(is_new));
    }
}

impl Host for Reporter<'_> {
    fn stop(&self) -> &AtomicBool {
        &self.job.stop
    }

    fn say(&self, progress: f64, line: String) {
        self.update(|status| status.progress.say(progress, line));
    }

    fn show(&self, found: Value) {
        self.update(|status| (status.found, status.is_told) = (Some(found), false));
    }

    fn keep(&self, page: String) {
        let known = lock(&self.job.status).view.clone();
        match known {
            Some(id) => self.studio.put_view(&id, page),
            None => lock(&self.job.status).view = self.studio.add_view(page),
        }
    }

    fn threads(&self) -> usize {
        cores()
    }

    fn memory(&self) -> u64 {
        MAX_MEMORY
    }

    fn is_slow(&self) -> bool {
        false
    }
}

impl Reporter<'_> {
    /// Changes the status, unless [`stop`] ended the job, and reports it from time to time.
    fn update(&self, change: impl FnOnce(&mut Status)) {
        let mut status = lock(&self.job.status);
        if status.state != "running" {
            return;
        }
        change(&mut status);
        if status.progress.is_due() {
            drop(status);
            self.job.send();
        }
    }

    fn end(&self, state: &'static str, outcome: Outcome) {
        if let Some(page) = outcome.page {
            self.keep(page);
        }
        let mut status = lock(&self.job.status);
        status.state = state;
        if state != "failed" {
            // Progress is cleared, but the message of a failure stays.
            status.progress.line.clear();
        }
        if state == "done" {
            status.progress.part = 1.0;
        }
        if outcome.found.is_some() {
            (status.found, status.is_told) = (outcome.found, false);
        }
        drop(status);
        self.job.send();
    }
}
