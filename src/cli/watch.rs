//! Files that are edited while the program runs: word of every save, and what a game at the prompt
//! makes of it.

use super::arguments::Play;
use super::check::findings;
use super::console::Console;
use super::failure::Failure;
use super::files::read_source;
use super::play::blame;
use super::test::tally;
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

/// An editor may save in several steps; they are over when nothing has happened for so long.
const QUIET: Duration = Duration::from_millis(60);
/// So many steps of one save are waited for.
const STEPS: usize = 20;

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// Something in the folders is not as it was.
    Saved,
    /// What was read on another thread is there.
    Read,
}

/// Looks at folders. Files are often replaced when they are saved, so a look at the file itself
/// would soon be at one that is gone.
pub struct Watch {
    watcher: RecommendedWatcher,
    folders: BTreeSet<PathBuf>,
    words: Receiver<Word>,
    sender: Sender<Word>,
}

impl Watch {
    /// Looks at no folder yet.
    ///
    /// # Errors
    /// Tells if this computer cannot say what is saved.
    pub fn new() -> Result<Watch, Failure> {
        let (sender, words) = channel();
        let teller = sender.clone();
        let tell = move |event: notify::Result<notify::Event>| {
            // That a file was read is no news.
            if !event.is_ok_and(|event| event.kind.is_access()) {
                // Nobody listens any more when the program ends.
                let _ = teller.send(Word::Saved);
            }
        };
        let watcher = notify::recommended_watcher(tell).map_err(unwatchable)?;
        Ok(Watch { watcher, folders: BTreeSet::new(), words, sender })
    }

    /// Looks at the folders of these files as well, or at the nearest that there is above them.
    pub fn follow(&mut self, files: &[PathBuf]) {
        for file in files {
            let above = file
                .ancestors()
                .skip(1)
                .map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
            let Some(folder) = above.into_iter().find(|folder| folder.is_dir()) else { continue };
            // A folder that cannot be looked at now may be so at the next time.
            if !self.folders.contains(folder)
                && self.watcher.watch(folder, RecursiveMode::NonRecursive).is_ok()
            {
                self.folders.insert(folder.to_owned());
            }
        }
    }

    /// Waits until something was saved.
    pub fn wait(&self) {
        // There is always a sender: one is kept here.
        let _ = self.words.recv();
        self.settle();
    }

    /// Waits until a save is over; whether something else came in between.
    fn settle(&self) -> bool {
        let mut words = (0..STEPS).map_while(|_| self.words.recv_timeout(QUIET).ok());
        words.any(|word| word == Word::Read)
    }

    /// Reads on another thread, and does something after every save until that is done.
    pub fn meanwhile<T: Send>(
        &self,
        read: impl FnOnce() -> T + Send,
        mut saved: impl FnMut(),
    ) -> T {
        let done = self.sender.clone();
        std::thread::scope(|scope| {
            let reading = scope.spawn(move || {
                let read = read();
                let _ = done.send(Word::Read);
                read
            });
            while let Ok(Word::Saved) = self.words.recv() {
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

/// A rules file and those that it takes from, as far as they are there.
pub fn rules_files(file: &Path) -> Vec<PathBuf> {
    let taken = ludwright::files::gather(file)
        .map(|source| source.names().map(PathBuf::from).collect::<Vec<PathBuf>>());
    std::iter::once(file.to_owned()).chain(taken.unwrap_or_default()).collect()
}

/// What a rules file and those that it takes from say, and what is wrong with having them; none
/// where it cannot be read.
pub fn texts(file: &Path) -> Option<(String, Vec<String>)> {
    let source = ludwright::files::gather(file).ok()?;
    Some((
        source.text().to_owned(),
        source.findings().iter().map(|finding| finding.message.clone()).collect(),
    ))
}

/// The rules of a game at the prompt, which may be saved at any time.
pub struct Saves<'t> {
    task: &'t Play,
    watch: Watch,
    /// What they say, as far as is known.
    texts: Option<(String, Vec<String>)>,
}

impl<'t> Saves<'t> {
    /// Looks out for saves from now on.
    ///
    /// # Errors
    /// Tells if this computer cannot say what is saved.
    pub fn new(task: &'t Play) -> Result<Saves<'t>, Failure> {
        let mut watch = Watch::new()?;
        watch.follow(&rules_files(&task.game.file));
        Ok(Saves { task, watch, texts: texts(&task.game.file) })
    }

    /// Reads on another thread, and does something whenever the rules say something else than
    /// before, until that is done.
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
        // Other files may belong to the rules now.
        watch.follow(&files);
        done
    }
}

/// Checks the rules that were saved and runs their cases, and goes on with a game under them. Gives
/// their texts, and what there is to say.
///
/// # Errors
/// Tells, or shows, why that cannot be; the game is as it was then.
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
    let lost = session.go_on_under(&source).map_err(|refused| blame(refused, &source))?;
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
