//! Long-running questions of the studio, in an instance of their own. It answers one question,
//! reports its progress to the page, and ends with its worker when the question is withdrawn.

use super::studio::cases;
use super::{answered, files};
use crate::desk::jobs::{self, Host, Progress, Subject, Task};
use crate::desk::requests::{Arguments, Refused};
use crate::desk::{Desk, Draft};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

/// The most memory that a search may take, in bytes: a module has 4 GiB at most, and browsers and
/// telephones less.
const MEMORY: u64 = 512 << 20;

/// Answers the request `ask` only.
#[derive(Default)]
pub struct Asking;

impl Asking {
    /// Answers a request; `tell` takes texts for the page before the answer.
    pub fn call(&mut self, request: &[u8], tell: fn(&str)) -> String {
        answered(request, |name, arguments| match name {
            "ask" => ask(arguments, tell),
            _ => Err("there is no such question".into()),
        })
    }
}

/// Answers a question of a `kind` with its `arguments` about a `draft`, whose file is the first of
/// `files`.
fn ask(arguments: &Arguments, tell: fn(&str)) -> Result<Value, Refused> {
    let bundle = files(arguments)?;
    let draft = arguments.value("draft").and_then(|draft| Draft::deserialize(draft).ok());
    let mut desk = Desk::new(draft.ok_or("the request lacks `draft`")?, &bundle);
    let subject = Subject::of(&mut desk)?;
    let kind = arguments.text("kind")?;
    let task = Task::new(kind, &arguments.inner("arguments"), &subject, || cases(&bundle))?;
    let page = Page::new(kind, tell);
    tell(&json!({ "about": subject.describe() }).to_string());
    let outcome = task.run(&subject, &page).map_err(Refused::from)?;
    Ok(json!({ "found": outcome.found, "page": outcome.page }))
}

/// Runs the rule cases of a desk.
pub fn run_cases(desk: &mut Desk, list: jobs::Cases) -> Result<Value, Refused> {
    let subject = Subject::of(desk)?;
    let outcome = jobs::cases(&subject, list, &Page::new("cases", |_| {}));
    Ok(json!({ "found": outcome.found, "about": subject.describe() }))
}

/// The page that asked the question.
struct Page {
    tell: fn(&str),
    /// Never set: the page ends the worker instead.
    stop: AtomicBool,
    /// The progress, and results that were not reported yet.
    progress: Mutex<(Progress, Option<Value>)>,
}

impl Page {
    fn new(kind: &str, tell: fn(&str)) -> Page {
        let progress = Mutex::new((Progress::new(kind), None));
        Page { tell, stop: AtomicBool::new(false), progress }
    }

    fn update(&self, change: impl FnOnce(&mut Progress, &mut Option<Value>)) {
        let mut known = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        let (progress, found) = &mut *known;
        change(progress, found);
        if progress.is_due() {
            let mut news = json!({
                "progress": progress.part, "line": progress.line, "left": progress.left(),
            });
            if let Some(found) = found.take() {
                news["found"] = found;
            }
            (self.tell)(&news.to_string());
        }
    }
}

impl Host for Page {
    fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    fn say(&self, part: f64, line: String) {
        self.update(|progress, _| progress.say(part, line));
    }

    fn show(&self, news: Value) {
        self.update(|_, found| *found = Some(news));
    }

    fn keep(&self, page: String) {
        (self.tell)(&json!({ "page": page }).to_string());
    }

    fn threads(&self) -> usize {
        1
    }

    fn memory(&self) -> u64 {
        MEMORY
    }

    fn is_slow(&self) -> bool {
        true
    }
}
