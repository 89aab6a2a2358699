//! `ludwright play`: the prompt, at a terminal or from a pipe.

mod programs;

use super::fault;
use super::prompt::Prompt;
use super::quiet;
use super::watch::{Saves, go_on};
use crate::program::answers::evaluation::{self, EvalAnswer, EvaluationAnswer, ValueAnswer};
use crate::program::answers::explanation;
use crate::program::answers::play::PlayAnswer;
use crate::program::answers::position::describe;
use crate::program::arguments::Play;
use crate::program::console::{Console, broken};
use crate::program::failure::{self, Failure, FailureMessage, refusal_failure};
use crate::program::files::read_text;
use crate::program::game::Loaded;
use crate::program::journal::{self, Journal};
use crate::program::output::own;
use crate::program::schema::print;
use crate::program::target::{Content, FileAnswer, Target};
use ludwright::engine::game::{State, Turn};
use ludwright::files::reason;
use ludwright::language::rules::Rules;
use ludwright::language::sources::Sources;
use ludwright::notation::turn;
use ludwright::play::{Reply, Screen as Sheet, Session};
use ludwright::record::{self, Record};
use ludwright::render::{Room, Scene, key, spell_with as spelled};
use ludwright::search::PlayerKind;
use ludwright::syntax::visible::shown;
use rustyline::error::ReadlineError;
use std::collections::HashSet;
use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Longest line from a pipe, in bytes.
const LINE: u64 = 1 << 12;
/// A pipe ends after this many lines that failed.
const MOST_FAILED_LINES: usize = 10;
/// Computer players stop after this many consecutive plies without a human one.
const MOST_IN_A_ROW: usize = 10_000;

/// Help for a game that cannot be saved automatically while it is played.
const NOT_SAVED_HELP: &str =
    "use `save FILE` to keep it, or set LUDWRIGHT_STATE to another folder for games in progress";

/// Set by Ctrl-C while computer players think.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Plays until the end of the input.
pub fn run(task: &Play, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let mut journal = Journal::new(&task.game.file);
    let (loaded, start, record) = match task.resume {
        true => resumed(task, journal.as_mut(), console)?,
        false => Loaded::at_start_of(&task.game, &task.start, console)?,
    };
    let seed =
        task.seed.or(record.as_ref().and_then(|record| record.seed)).unwrap_or_else(fresh_seed);
    let choices = &task.game.options.choices;
    let mut seats = task.seats.clone();
    if let Some(record) = &record {
        let kept = seats_of(record)
            .into_iter()
            .filter(|(name, _)| !task.seats.iter().any(|(asked, _)| asked == name));
        seats.extend(kept.collect::<Vec<_>>());
    }
    super::train::note_untrained(&loaded, &seats, console);
    let begun = Session::begin(&loaded.source, choices, start, &seats, seed);
    let mut session = begun.map_err(|refused| match refused.fault {
        Some(_) => refusal_failure(refused, &loaded.source),
        None => Failure::usage(refused.message).with_help(refused.help),
    })?;
    if let Some(record) = &record {
        session.adopt(record).map_err(|refused| refusal_failure(refused, &loaded.source))?;
    }
    if journal.is_none() && !journal::is_off() {
        let message =
            "the game is not saved as it is played: there is no folder for games in progress"
                .to_owned();
        console.advise(&FailureMessage { message, help: Some(NOT_SAVED_HELP.to_owned()) });
    }
    let saves = task.watch.then(|| Saves::new(task)).transpose()?;
    let prompt_loop = PromptLoop::new(session, journal, &loaded, console, out);
    PromptLoop { saves, plans: task.plan, ..prompt_loop }.run()
}

/// Loads the unfinished game and plays the plies of its journal.
fn resumed(
    task: &Play,
    journal: Option<&mut Journal>,
    console: &Console,
) -> Result<(Loaded, State, Option<Record>), Failure> {
    let none =
        || Failure::input(format!("there is no unfinished game of {}", task.game.file.display()));
    let journal = journal.ok_or_else(none)?;
    let folder = journal.place().to_owned();
    let unreadable =
        |error: std::io::Error| Failure::file("read the unfinished games from", &folder, &error);
    let (path, text) = journal.resume().map_err(unreadable)?.ok_or_else(none)?;
    let mut record = Record::parse(&text)
        .map_err(|misread| Failure::input(format!("in {}, {misread}", path.display())))?;
    // The result may belong to plies that were lost.
    record.result = None;
    let loaded = Loaded::new(&task.game, Some((&path, &record)), console)?;
    let position = loaded.play_over(&path, &record, task.start.force, console)?;
    Ok((loaded, position, Some(record)))
}

/// Seats of a record. A name that is no computer player's is a human.
fn seats_of(record: &Record) -> Vec<(String, PlayerKind)> {
    record
        .seats
        .iter()
        .map(|(name, kind)| (name.clone(), kind.parse().unwrap_or(PlayerKind::Human)))
        .collect()
}

/// Takes a seed from the clock; saved records contain it.
fn fresh_seed() -> u64 {
    let since =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    ludwright::random::mix(since.as_secs(), u64::from(since.subsec_nanos())) % 1_000_000_000
}

fn banner(rules: &Rules) -> String {
    let author =
        rules.about.author.as_ref().map(|author| format!(", by {author}")).unwrap_or_default();
    let year = rules.about.year.as_ref().map(|year| format!(" ({year})")).unwrap_or_default();
    format!("{}{author}{year}", rules.title)
}

/// A session with its input, output and files.
pub struct PromptLoop<'o> {
    session: Session,
    journal: Option<Journal>,
    source: Sources,
    console: &'o Console,
    json: bool,
    /// Whether programs say what they expect.
    plans: bool,
    /// Whether an empty line plays the next ply of the record.
    stepping: bool,
    /// Whether the game has been saved in a file in its current state.
    saved: bool,
    over: bool,
    /// Number of the game in the journal, as counted by [`Session::games`].
    game: usize,
    /// Reports changes of the rules, with `--watch`.
    saves: Option<Saves<'o>>,
    /// Records saved in this session, which may be overwritten.
    written: HashSet<PathBuf>,
    /// Record to save if the user confirms that another one is overwritten.
    replacing: Option<(Target, String)>,
    out: &'o mut dyn Write,
}

impl<'o> PromptLoop<'o> {
    /// Prepares a session.
    pub fn new(
        session: Session,
        journal: Option<Journal>,
        loaded: &Loaded,
        console: &'o Console,
        out: &'o mut dyn Write,
    ) -> PromptLoop<'o> {
        let game = session.games();
        PromptLoop {
            session,
            journal,
            source: loaded.source.clone(),
            console,
            json: console.json(),
            plans: false,
            stepping: false,
            saved: false,
            over: false,
            game,
            saves: None,
            written: HashSet::new(),
            replacing: None,
            out,
        }
    }

    /// Makes an empty line play the next ply of the record.
    pub fn stepping(self) -> PromptLoop<'o> {
        PromptLoop { stepping: true, ..self }
    }

    /// Plays until the end of the input.
    pub fn run(mut self) -> Result<u8, Failure> {
        if self.converses() {
            return self.converse();
        }
        let escape = self.console.color_prefix().filter(|_| !self.json);
        self.session.draw_for(Sheet { room: Room::default(), escape });
        self.start()?;
        self.obey_all()
    }

    /// Maximum length of lines, in columns.
    fn width(&self) -> usize {
        if self.converses() { self.session.room().width } else { usize::MAX }
    }

    /// Tests if input and output are a terminal.
    fn converses(&self) -> bool {
        std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && !self.json
    }

    fn start(&mut self) -> Result<(), Failure> {
        let shown = self.session.shown();
        self.keep();
        self.show(&Reply::Moved(shown))?;
        self.let_programs_play()
    }

    /// Saves the game to the journal, once it has a ply.
    fn keep(&mut self) {
        let Some(journal) = &mut self.journal else { return };
        let record = self.session.record(true);
        if self.game != self.session.games() {
            self.game = self.session.games();
            match self.saved || self.over {
                true => journal.forget(),
                false => journal.leave(),
            }
        }
        self.over = self.session.position().turn() == Turn::Nobody;
        if record.plies.is_empty() && !journal.is_kept() {
            return;
        }
        match journal.keep(record.write()) {
            Ok(()) => fault::concerns(journal.place()),
            Err(error) => self.stop_keeping(&error),
        }
    }

    /// Drops the journal with a warning.
    fn stop_keeping(&mut self, error: &std::io::Error) {
        let Some(journal) = self.journal.take() else { return };
        let message = format!(
            "the game cannot be saved in {} as it is played: {}",
            journal.place().display(),
            reason(error)
        );
        self.console.advise(&FailureMessage { message, help: Some(NOT_SAVED_HELP.to_owned()) });
    }

    /// Runs the prompt at a terminal. Errors are printed, and the game continues.
    fn converse(mut self) -> Result<u8, Failure> {
        let unusable =
            |error: ReadlineError| Failure::usage(format!("the terminal cannot be read: {error}"));
        // Ctrl-C stops the computer players; a second one before they have stopped exits.
        let stop = || {
            if INTERRUPTED.swap(true, Ordering::SeqCst) {
                quiet::restore();
                std::process::exit(failure::INTERRUPTED.into());
            }
        };
        let mut typist =
            Prompt::new(self.console.paints, self.journal.as_ref().map(Journal::history))
                .map_err(unusable)?;
        // This replaces the editor's handler; while the editor reads, Ctrl-C is a key. If it cannot
        // be installed, Ctrl-C ends the process, and the journal keeps the game.
        let _ = ctrlc::set_handler(stop);
        self.session.think_until(&INTERRUPTED);
        let escape = self.console.color_prefix();
        let sheet = |typist: &mut Prompt| Sheet { room: typist.room().unwrap_or_default(), escape };
        let sheet_now = sheet(&mut typist);
        let position = self.session.position();
        let key = spelled(&key(&Scene::of(position), sheet_now.room.width), escape);
        let next = if self.stepping {
            "Press Enter for the next ply, or enter `undo`, `goto N`, `help` or `quit`."
        } else {
            "Enter a move, or `moves`, `help` or `quit`."
        };
        writeln!(self.out, "{}\n\n{key}{next}\n", banner(position.game().rules()))?;
        self.session.draw_for(sheet_now);
        self.start()?;
        let mut since = (self.session.position().ply_count(), Instant::now());
        loop {
            self.out.flush()?;
            if let Some(Err(error)) = self.journal.as_ref().map(Journal::settle) {
                self.stop_keeping(&error);
            }
            let position = self.session.position();
            if since.0 != position.ply_count() {
                since = (position.ply_count(), Instant::now());
            }
            // The editor writes the prompt itself, so `Out` does not escape it.
            let prompt = shown(&self.prompt()).into_owned();
            let words = typist.words();
            let tell = |session: &Session| {
                *words.lock().unwrap_or_else(PoisonError::into_inner) = session.words()
            };
            tell(&self.session);
            // The lines of a diagram are not worth repeating.
            let remembered = !self.session.is_drawing();
            let again = |table: &mut PromptLoop| {
                tell(&table.session);
                // The editor redraws the typed line with the next key.
                write!(table.out, "{}", table.prompt())?;
                Ok(table.out.flush()?)
            };
            let line = match self.listen(|| typist.read(&prompt, remembered), again)? {
                Ok(line) => line,
                Err(ReadlineError::Interrupted) => {
                    if self.replacing.take().is_some() {
                        writeln!(self.out, "not saved")?;
                    } else if self.session.stop_drawing() {
                        writeln!(self.out, "the position is unchanged")?;
                    }
                    continue;
                }
                Err(ReadlineError::Eof) => return self.leave(true),
                Err(error) => return Err(unusable(error)),
            };
            INTERRUPTED.store(false, Ordering::SeqCst);
            // The window may have been resized.
            self.session.draw_for(sheet(&mut typist));
            self.session.clock(since.1.elapsed().max(Duration::from_millis(1)));
            let obeyed = self.obey(&line);
            if self.session.has_moved() {
                typist.remember(&line);
            }
            match obeyed {
                Ok(true) => {}
                Ok(false) => return self.leave(true),
                Err(Failure::Output(error)) => return Err(Failure::Output(error)),
                Err(failure) => {
                    self.out.flush()?;
                    self.console.fail_within(&failure, self.width());
                }
            }
        }
    }

    /// Ends the session. The journal of an unfinished game that is not saved elsewhere is kept.
    fn leave(mut self, says: bool) -> Result<u8, Failure> {
        if let Some(journal) = &mut self.journal {
            if self.over || self.saved || self.session.position().ply_count() == 0 {
                journal.forget();
            } else if says && journal.is_kept() {
                writeln!(self.out, "The game is saved; `--resume` continues it.")?;
            }
        }
        Ok(0)
    }

    /// Executes the lines of a pipe. A `#` starts a comment. A failed line is reported with its
    /// number and leaves the position unchanged, as at a terminal; the exit code shows that a line
    /// failed. After [`MOST_FAILED_LINES`] failed lines the rest is not read.
    fn obey_all(mut self) -> Result<u8, Failure> {
        let (mut code, mut failed) = (0, 0);
        for number in 1.. {
            let mut bytes = Vec::new();
            let read = || std::io::stdin().lock().take(LINE).read_until(b'\n', &mut bytes);
            let read = self.listen(read, |_| Ok(()))?;
            let unreadable = |error: std::io::Error| {
                Failure::usage(format!("the input cannot be read: {error}"))
            };
            if read.map_err(unreadable)? == 0 {
                break;
            }
            if bytes.len() as u64 == LINE && bytes.last() != Some(&b'\n') {
                return Err(Failure::input(format!("line {number} is longer than {LINE} bytes")));
            }
            let text = String::from_utf8_lossy(&bytes);
            let line = text.split('#').next().unwrap_or("").trim_end();
            match self.obey(line) {
                Ok(true) => {}
                Ok(false) => break,
                Err(failure @ (Failure::Output(_) | Failure::AlreadyReported(_))) => {
                    return Err(failure);
                }
                Err(failure) => {
                    self.out.flush()?;
                    let failure = match failure {
                        // Every error is a fault of the input, also an unreadable file.
                        Failure::Usage(complaint) => Failure::Input(complaint),
                        failure => failure,
                    };
                    let failure = failure.after(&format!("line {number}"));
                    code = code.max(self.console.fail(&failure));
                    failed += 1;
                    if failed == MOST_FAILED_LINES {
                        let text = format!("{failed} lines failed; the rest is not read");
                        return Err(Failure::input(text));
                    }
                }
            }
        }
        self.leave(false)?;
        Ok(code)
    }

    /// The prompt before the typed line.
    fn prompt(&self) -> String {
        let position = self.session.position();
        match position.turn() {
            _ if self.replacing.is_some() => "replace it? (yes or no) ".to_owned(),
            _ if self.session.is_drawing() => "| ".to_owned(),
            Turn::Nobody => "> ".to_owned(),
            who => format!("{}> ", turn(position.game().rules(), who)),
        }
    }

    /// Calls `read`; meanwhile, reloads the rules whenever they are saved, and calls `again` to
    /// print the prompt again.
    fn listen<T: Send>(
        &mut self,
        read: impl FnOnce() -> T + Send,
        mut again: impl FnMut(&mut Self) -> Result<(), Failure>,
    ) -> Result<T, Failure> {
        let Some(mut saves) = self.saves.take() else { return Ok(read()) };
        let mut told = Ok(());
        let done = saves.meanwhile(read, |task| {
            if told.is_ok() {
                told = self.take_up(task).and_then(|()| again(self));
            }
        });
        self.saves = Some(saves);
        told.map(|()| done)
    }

    /// Continues under the saved rules, or prints why this is not possible.
    fn take_up(&mut self, task: &Play) -> Result<(), Failure> {
        if self.converses() {
            // Overwrites the prompt.
            write!(self.out, "{0}G{0}J", own())?;
            self.out.flush()?;
        }
        match go_on(task, &mut self.session, self.console) {
            Ok((source, news)) => {
                self.source = source;
                self.saved = false;
                self.show(&Reply::Said(broken(&news, self.width())))?;
                self.start()
            }
            Err(failure) => {
                self.console.fail_within(&failure, self.width());
                self.show(&Reply::Said(String::from(
                    "the game continues under the rules as they were\n",
                )))
            }
        }
    }

    /// Executes a line; returns false if it quits.
    fn obey(&mut self, line: &str) -> Result<bool, Failure> {
        fault::provoke("play");
        if let Some((target, text)) = self.replacing.take() {
            match line.trim().to_ascii_lowercase().as_str() {
                "y" | "yes" => self.write(&target, &text)?,
                _ => writeln!(self.out, "not saved; {} is unchanged", target.path().display())?,
            }
            return Ok(true);
        }
        let steps = self.stepping && line.trim().is_empty() && !self.session.is_drawing();
        if steps && self.session.is_at_end() {
            self.show(&Reply::Said("The record ends here.\n".to_owned()))?;
            return Ok(true);
        }
        let said = self.session.asks_for_search(line).then(|| "thinking …".to_owned());
        let mut reply = self
            .meanwhile(said, |session| session.obey(if steps { "redo" } else { line }))?
            .map_err(|refused| refusal_failure(refused, &self.source))?;
        if let Reply::Load { file, wanted } = &reply {
            let text = read_text(Path::new(file), record::LIMIT)?;
            reply = self
                .session
                .take(*wanted, &text)
                .map_err(|refused| refusal_failure(refused, &self.source).after(file))?;
        }
        self.keep();
        if matches!(reply, Reply::Moved(_)) {
            self.saved = false;
        }
        if self.stepping && matches!(reply, Reply::Moved(_)) && !self.json {
            self.out.write_all(self.session.told().as_bytes())?;
        }
        self.show(&reply)?;
        if matches!(reply, Reply::Quit) {
            return Ok(false);
        }
        self.let_programs_play()?;
        Ok(true)
    }

    /// Saves the record. Before it overwrites a record that this session has not written, a
    /// terminal asks for confirmation; a pipe fails.
    fn save(&mut self, file: &str, text: &str) -> Result<(), Failure> {
        let target = Target::new(Path::new(file), Content::Record)?;
        match target.replaces() {
            Some(there) if !self.written.contains(&there) && self.converses() => {
                writeln!(self.out, "{file} exists and holds another record.")?;
                self.replacing = Some((target, text.to_owned()));
                Ok(())
            }
            Some(there) if !self.written.contains(&there) => {
                let help = "save under another name, or delete the file first".to_owned();
                let message = format!(
                    "{file} exists and holds a record that was not saved in this session; it was not changed"
                );
                Err(Failure::input(message).with_help(Some(help)))
            }
            _ => self.write(&target, text),
        }
    }

    fn write(&mut self, target: &Target, text: &str) -> Result<(), Failure> {
        target.write(text.as_bytes())?;
        self.written.extend(target.path().canonicalize());
        self.saved = true;
        let file = target.path().display();
        match self.json {
            true => print(&FileAnswer::Saved { saved: file.to_string() }, self.out)?,
            false => writeln!(self.out, "saved {file}")?,
        }
        Ok(())
    }

    fn show(&mut self, reply: &Reply) -> Result<(), Failure> {
        match reply {
            Reply::Moved(_) if self.json => {
                let watched = self.session.watched();
                let watched = watched.iter().map(|(text, found)| match found {
                    Some((expression, evaluation)) => evaluation::describe(expression, evaluation),
                    None => EvaluationAnswer {
                        expression: text.to_string(),
                        value: ValueAnswer::One { kind: None, value: serde_json::Value::Null },
                    },
                });
                let moved = PlayAnswer::Position {
                    position: describe(self.session.position()),
                    rolled: self.session.rolled().to_vec(),
                    watched: watched.collect(),
                };
                print(&moved, self.out)?;
            }
            Reply::Moved(text) => writeln!(self.out, "{text}")?,
            Reply::Said(text) if text.is_empty() => {}
            Reply::Said(text) if self.json => {
                print(&PlayAnswer::Said { said: text.clone() }, self.out)?;
            }
            Reply::Said(text) => writeln!(self.out, "{text}")?,
            Reply::Save { file, text } => self.save(file, text)?,
            Reply::Explained(answer) => {
                let rules = self.session.position().game().rules();
                explanation::show(
                    answer,
                    rules,
                    &self.source,
                    None,
                    self.console,
                    self.width(),
                    self.out,
                )?;
            }
            Reply::Evaluated { expression, evaluation, .. } if self.json => {
                let evaluation = evaluation::describe(expression, evaluation);
                print(&EvalAnswer { subject: None, evaluation }, self.out)?;
            }
            Reply::Evaluated { shown, .. } => writeln!(self.out, "{shown}")?,
            Reply::ExplainedValue { expression, answer } => {
                explanation::show_value(expression, answer, None, self.console, self.out)?;
            }
            Reply::Load { .. } | Reply::Quit => {}
        }
        self.out.flush()?;
        Ok(())
    }
}
