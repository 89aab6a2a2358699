//! Watches rules files and cases for changes, and reloads the rules of a game at the prompt.

use crate::program::arguments::Play;
use crate::program::case_files::tally;
use crate::program::console::Console;
use crate::program::failure::{Failure, refusal_failure};
use crate::program::files::read_source;
use crate::program::game::findings;
use ludwright::analysis::Effort;
use ludwright::files::reason;
use ludwright::language::finding::Severity;
use ludwright::language::sources::Sources;
use ludwright::play::Session;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// A save may consist of several events; it is complete after this long without one.
const QUIET: Duration = Duration::from_millis(60);
/// Maximum number of events per save.
const STEPS: usize = 20;

/// What ends a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WatchEvent {
    /// Something in the folders has changed.
    Saved,
    /// The other thread has finished reading.
    Read,
}

/// Watches folders rather than files: editors often replace a file when they save it, and a watch
/// on the replaced file ends.
pub struct Watch {
    watcher: RecommendedWatcher,
    folders: BTreeSet<PathBuf>,
    words: Receiver<WatchEvent>,
    sender: Sender<WatchEvent>,
}

impl Watch {
    /// Watches no folder yet.
    ///
    /// # Errors
    /// If the system cannot watch files.
    pub fn new() -> Result<Watch, Failure> {
        let (sender, words) = channel();
        let teller = sender.clone();
        let tell = move |event: notify::Result<notify::Event>| {
            // Read accesses are not changes.
            if !event.is_ok_and(|event| event.kind.is_access()) {
                // At the end of the program the receiver is gone.
                let _ = teller.send(WatchEvent::Saved);
            }
        };
        let watcher = notify::recommended_watcher(tell).map_err(unwatchable)?;
        Ok(Watch { watcher, folders: BTreeSet::new(), words, sender })
    }

    /// Also watches the folders of these files, or for a missing folder the nearest existing one
    /// above.
    pub fn follow(&mut self, files: &[PathBuf]) {
        for file in files {
            let above = file
                .ancestors()
                .skip(1)
                .map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
            let Some(folder) = above.into_iter().find(|folder| folder.is_dir()) else { continue };
            // A folder that cannot be watched is tried again at the next call.
            if !self.folders.contains(folder)
                && self.watcher.watch(folder, RecursiveMode::NonRecursive).is_ok()
            {
                self.folders.insert(folder.to_owned());
            }
        }
    }

    /// Waits until something was saved.
    pub fn wait(&self) {
        // Never fails: `self` holds a sender.
        let _ = self.words.recv();
        self.settle();
    }

    /// Waits until a save is complete; returns whether the other thread has finished meanwhile.
    fn settle(&self) -> bool {
        let mut words = (0..STEPS).map_while(|_| self.words.recv_timeout(QUIET).ok());
        words.any(|word| word == WatchEvent::Read)
    }

    /// Calls `read` on another thread, and `saved` after every save until `read` returns.
    pub fn meanwhile<T: Send>(
        &self,
        read: impl FnOnce() -> T + Send,
        mut saved: impl FnMut(),
    ) -> T {
        let done = self.sender.clone();
        std::thread::scope(|scope| {
            let reading = scope.spawn(move || {
                let read = read();
                let _ = done.send(WatchEvent::Read);
                read
            });
            while let Ok(WatchEvent::Saved) = self.words.recv() {
                let is_read = self.settle();
                saved();
                if is_read {
                    break;
                }
            }
            reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}

fn unwatchable(error: notify::Error) -> Failure {
    let why = match &error.kind {
        notify::ErrorKind::Io(error) => reason(error),
        _ => error.to_string(),
    };
    Failure::usage(format!("cannot watch files here: {why}"))
        .with_help(Some("run it without `--watch`".to_owned()))
}

/// Lists a rules file and the existing files that it depends on.
pub fn rules_files(file: &Path) -> Vec<PathBuf> {
    let taken = ludwright::files::gather(file)
        .map(|source| source.names().map(PathBuf::from).collect::<Vec<PathBuf>>());
    std::iter::once(file.to_owned()).chain(taken.unwrap_or_default()).collect()
}

/// Returns the text of a rules file with the files that it depends on, and the findings about the
/// files; `None` if the file cannot be read.
pub fn texts(file: &Path) -> Option<(String, Vec<String>)> {
    let source = ludwright::files::gather(file).ok()?;
    Some((
        source.text().to_owned(),
        source.findings().iter().map(|finding| finding.message.clone()).collect(),
    ))
}

/// Watches the rules of a game at the prompt.
pub struct Saves<'t> {
    task: &'t Play,
    watch: Watch,
    /// The texts at the last reload.
    texts: Option<(String, Vec<String>)>,
}

impl<'t> Saves<'t> {
    /// Starts watching.
    ///
    /// # Errors
    /// If the system cannot watch files.
    pub fn new(task: &'t Play) -> Result<Saves<'t>, Failure> {
        let mut watch = Watch::new()?;
        watch.follow(&rules_files(&task.game.file));
        Ok(Saves { task, watch, texts: texts(&task.game.file) })
    }

    /// Calls `read` on another thread, and `saved` whenever the rules' text has changed, until
    /// `read` returns.
    pub fn meanwhile<T: Send>(
        &mut self,
        read: impl FnOnce() -> T + Send,
        mut saved: impl FnMut(&Play),
    ) -> T {
        let Saves { task, watch, texts: known } = self;
        let mut files = Vec::new();
        let done = watch.meanwhile(read, || {
            let now = texts(&task.game.file);
            if now.is_some() && now != *known {
                *known = now;
                files = rules_files(&task.game.file);
                saved(task);
            }
        });
        // The rules may depend on other files now.
        watch.follow(&files);
        done
    }
}

/// Checks the saved rules, runs their cases, and continues the game under them. Returns the sources
/// and a message.
///
/// # Errors
/// If the rules are faulty or do not allow the plies played; the game is then unchanged.
pub fn go_on(
    task: &Play,
    session: &mut Session,
    console: &Console,
) -> Result<(Sources, String), Failure> {
    let (file, choices) = (&task.game.file, &task.game.options.choices);
    let source = read_source(file)?;
    let findings = findings(&source, choices, Effort::Glance)?;
    console.findings(&source, &findings);
    if findings.iter().any(|finding| finding.severity() == Severity::Error) {
        return Err(Failure::AlreadyReported(1));
    }
    let lost = session.go_on_under(&source).map_err(|refused| refusal_failure(refused, &source))?;
    let cases = match tally(file, &source, choices)? {
        (0, 0) => String::new(),
        (passed, failed) => format!(" (cases: {passed} passed, {failed} failed)"),
    };
    let lost = match lost {
        0 => String::new(),
        lost => format!("; {lost} of the undone plies cannot be redone under them"),
    };
    Ok((
        source,
        format!("the rules were reloaded{cases}, and the game continues under them{lost}\n"),
    ))
}
