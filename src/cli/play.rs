//! `ludwright play`: the prompt, on a terminal or from a pipe.

use super::arguments::Play;
use super::console::{Console, broken};
use super::failure::{Failure, FailureMessage};
use super::fault;
use super::files::read_text;
use super::game::Loaded;
use super::journal::Journal;
use super::moves::describe;
use super::output::own;
use super::prompt::Prompt;
use super::target::{Content, Target};
use super::watch::{Saves, go_on};
use super::why;
use ludwright::engine::game::{Fault, State, Turn};
use ludwright::files::reason;
use ludwright::language::rules::Rules;
use ludwright::language::sources::Sources;
use ludwright::notation::{spell, turn};
use ludwright::play::{Played, Refused, Reply, Screen as Sheet, Session};
use ludwright::record::{self, Record};
use ludwright::render::{Room, Scene, key, spell_with as spelled};
use ludwright::search::{PlayerKind, Thinking};
use ludwright::syntax::visible::shown;
use rustyline::error::ReadlineError;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The longest line from a pipe, in bytes.
const LINE: u64 = 1 << 12;
/// Programs that have made so many plies with no person among them are stopped.
const MOST_IN_A_ROW: usize = 10_000;

/// What to do about a game that is not kept.
const UNKEPT: &str =
    "use `save FILE` to keep it, or set LUDWRIGHT_STATE to another folder for games in progress";

/// Whether somebody has pressed Ctrl-C while programs think.
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
    let begun = Session::begin(&loaded.source, choices, start, &seats, seed);
    let mut session = begun.map_err(|refused| match refused.fault {
        Some(_) => blame(refused, &loaded.source),
        None => Failure::usage(refused.message).with_help(refused.help),
    })?;
    if let Some(record) = &record {
        session.adopt(record).map_err(|refused| blame(refused, &loaded.source))?;
    }
    if journal.is_none() {
        let message =
            "the game is not saved as it is played: there is no folder for games in progress"
                .to_owned();
        console.advise(&FailureMessage { message, help: Some(UNKEPT.to_owned()) });
    }
    let saves = task.watch.then(|| Saves::new(task)).transpose()?;
    Table { saves, ..Table::new(session, journal, &loaded, console, out) }.run()
}

/// Loads the game that was not finished, and plays it as far as it was kept.
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
    // What the last lines led to may be lost with them.
    record.result = None;
    let loaded = Loaded::new(&task.game, Some((&path, &record)), console)?;
    let position = loaded.play_over(&path, &record, task.start.force, console)?;
    Ok((loaded, position, Some(record)))
}

/// Who played in a record: somebody whom it names and who is no program is a person.
fn seats_of(record: &Record) -> Vec<(String, PlayerKind)> {
    record
        .seats
        .iter()
        .map(|(name, kind)| (name.clone(), kind.parse().unwrap_or(PlayerKind::Human)))
        .collect()
}

/// Takes a seed from the clock: every game is another, and a saved one tells its seed.
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

/// Puts the blame for a line that was not obeyed on itself, or on the rules.
pub fn blame(refused: Refused, source: &Sources) -> Failure {
    match refused.fault {
        Some(fault) => Failure::endless(Fault { message: refused.message, ..fault }, source),
        None => Failure::input(refused.message).with_help(refused.help),
    }
}

/// Tells what a program played and thought.
fn told(rules: &Rules, mover: Turn, ply: &str, thinking: Option<&Thinking>) -> Value {
    let mut line = json!({ "played": ply, "by": turn(rules, mover) });
    if let Some(thinking) = thinking {
        let chances = rules
            .players
            .iter()
            .map(|player| player.name.clone())
            .zip(thinking.win_probabilities.iter().map(|&chance| json!(chance)));
        line["thinking"] = json!({
            "winning_chances": chances.collect::<Map<String, Value>>(),
            "solved": thinking.solved,
            "line": thinking.line.iter().map(|ply| spell(rules, ply)).collect::<Vec<String>>(),
            "iterations": thinking.iterations,
            "seconds": thinking.seconds,
        });
    }
    line
}

/// A session and whoever looks on.
pub struct Table<'o> {
    session: Session,
    journal: Option<Journal>,
    source: Sources,
    console: &'o Console,
    json: bool,
    /// Whether an empty line goes one ply on.
    stepping: bool,
    /// Whether the game is as a file has it.
    saved: bool,
    over: bool,
    /// The game that the journal keeps, of those that were begun.
    game: usize,
    /// Word of rules that are saved meanwhile, if it is wanted.
    saves: Option<Saves<'o>>,
    /// The records that were saved here, which may be saved again.
    written: HashSet<PathBuf>,
    /// The record of another game that is replaced if whoever plays says so.
    replacing: Option<(Target, String)>,
    out: &'o mut dyn Write,
}

impl<'o> Table<'o> {
    /// Sits down to a session.
    pub fn new(
        session: Session,
        journal: Option<Journal>,
        loaded: &Loaded,
        console: &'o Console,
        out: &'o mut dyn Write,
    ) -> Table<'o> {
        let game = session.games();
        Table {
            session,
            journal,
            source: loaded.source.clone(),
            console,
            json: console.json(),
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

    /// The same, where an empty line goes one ply on.
    pub fn stepping(self) -> Table<'o> {
        Table { stepping: true, ..self }
    }

    /// Plays until the end of the input.
    pub fn run(mut self) -> Result<u8, Failure> {
        if self.converses() {
            return self.converse();
        }
        let escape = self.console.ink().filter(|_| !self.json);
        self.session.draw_for(Sheet { room: Room::default(), escape });
        self.start()?;
        self.obey_all()
    }

    /// How long lines may be.
    fn width(&self) -> usize {
        if self.converses() { self.session.room().width } else { usize::MAX }
    }

    /// Whether somebody sits at a terminal.
    fn converses(&self) -> bool {
        std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && !self.json
    }

    fn start(&mut self) -> Result<(), Failure> {
        let shown = self.session.shown();
        self.keep();
        self.show(&Reply::Moved(shown))?;
        self.let_programs_play()
    }

    /// Keeps the game as it stands, once there is something to keep.
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

    /// Goes on without a journal, and says why.
    fn stop_keeping(&mut self, error: &std::io::Error) {
        let Some(journal) = self.journal.take() else { return };
        let message = format!(
            "the game cannot be saved in {} as it is played: {}",
            journal.place().display(),
            reason(error)
        );
        self.console.advise(&FailureMessage { message, help: Some(UNKEPT.to_owned()) });
    }

    /// Lets the programs make their plies for as long as it is their turn.
    fn let_programs_play(&mut self) -> Result<(), Failure> {
        let mut made = 0;
        while self.session.is_due() {
            if made == MOST_IN_A_ROW {
                return Err(Failure::input(format!(
                    "the programs have played {made} plies without an end; stopped"
                )));
            }
            made += 1;
            let played =
                self.session.let_program_play().map_err(|refused| blame(refused, &self.source))?;
            let Some(Played { mover, ply, thinking, thought, reply }) = played else { break };
            self.keep();
            self.saved = false;
            let rules = self.session.position().game().rules();
            match self.json {
                true => writeln!(self.out, "{}", told(rules, mover, &ply, thinking.as_ref()))?,
                false => writeln!(self.out, "{}: {ply}\n{thought}", turn(rules, mover))?,
            }
            self.show(&reply)?;
            if INTERRUPTED.swap(false, Ordering::SeqCst) {
                self.session.pause();
                writeln!(self.out, "stopped; enter `auto` to continue")?;
                return Ok(());
            }
        }
        if made > 0 && self.session.is_paused() && !self.json {
            let who = turn(self.session.position().game().rules(), self.session.position().turn());
            writeln!(self.out, "{who} is paused; enter `auto` to continue")?;
        }
        Ok(())
    }

    /// Talks with somebody at a terminal. Errors are said, and the game goes on.
    fn converse(mut self) -> Result<u8, Failure> {
        let unusable =
            |error: ReadlineError| Failure::usage(format!("the terminal cannot be read: {error}"));
        // Ctrl-C stops the programs; pressed again, before they have stopped, it ends all.
        let stop = || {
            if INTERRUPTED.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        };
        let mut typist = Prompt::new(self.console.paints).map_err(unusable)?;
        // The editor has a handler of its own, which this one replaces: while the editor reads,
        // Ctrl-C is a key. Where there is none, it ends all at once, and the game is kept.
        let _ = ctrlc::set_handler(stop);
        self.session.think_until(&INTERRUPTED);
        let escape = self.console.ink();
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
        let mut since = (self.session.position().plies().len(), Instant::now());
        loop {
            self.out.flush()?;
            if let Some(Err(error)) = self.journal.as_ref().map(Journal::settle) {
                self.stop_keeping(&error);
            }
            let position = self.session.position();
            if since.0 != position.plies().len() {
                since = (position.plies().len(), Instant::now());
            }
            // It goes to the terminal by way of the editor.
            let prompt = shown(&self.prompt()).into_owned();
            let words = typist.words();
            let tell = |session: &Session| {
                *words.lock().unwrap_or_else(PoisonError::into_inner) = session.words()
            };
            tell(&self.session);
            let again = |table: &mut Table| {
                tell(&table.session);
                // What has been typed so far comes back with the next key.
                write!(table.out, "{}", table.prompt())?;
                Ok(table.out.flush()?)
            };
            let line = match self.listen(|| typist.read(&prompt), again)? {
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
            // The window may have another size by now.
            self.session.draw_for(sheet(&mut typist));
            self.session.clock(since.1.elapsed().max(Duration::from_millis(1)));
            match self.obey(&line) {
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

    /// Leaves the table. A game that is neither over nor saved is kept.
    fn leave(mut self, says: bool) -> Result<u8, Failure> {
        if let Some(journal) = &mut self.journal {
            if self.over || self.saved || self.session.position().plies().is_empty() {
                journal.forget();
            } else if says && journal.is_kept() {
                writeln!(self.out, "The game is saved; `--resume` continues it.")?;
            }
        }
        Ok(0)
    }

    /// Obeys the lines of a pipe; the first error ends it. A `#` starts a comment.
    fn obey_all(mut self) -> Result<u8, Failure> {
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
                // Nobody is there to try again: also a file that cannot be read is the input's
                // fault.
                Err(Failure::Usage(complaint)) => {
                    return Err(Failure::Input(complaint).after(&format!("line {number}")));
                }
                Err(failure) => return Err(failure.after(&format!("line {number}"))),
            }
        }
        self.leave(false)
    }

    /// What stands before the line that is typed.
    fn prompt(&self) -> String {
        let position = self.session.position();
        match position.turn() {
            _ if self.replacing.is_some() => "replace it? (yes or no) ".to_owned(),
            _ if self.session.is_drawing() => "| ".to_owned(),
            Turn::Nobody => "> ".to_owned(),
            who => format!("{}> ", turn(position.game().rules(), who)),
        }
    }

    /// Reads, and goes on under other rules meanwhile whenever they are saved; after that the
    /// prompt is to be shown again.
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

    /// Goes on under the rules that were saved, or says why not.
    fn take_up(&mut self, task: &Play) -> Result<(), Failure> {
        if self.converses() {
            // In place of the prompt.
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

    /// Does what a line says; false when it is to quit.
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
        let mut reply = self
            .session
            .obey(if steps { "redo" } else { line })
            .map_err(|refused| blame(refused, &self.source))?;
        if let Reply::Load { file, wanted } = &reply {
            let text = read_text(Path::new(file), record::LIMIT)?;
            reply = self
                .session
                .take(*wanted, &text)
                .map_err(|refused| blame(refused, &self.source).after(file))?;
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

    /// Writes the record. Whoever sits at a terminal is asked before one is replaced that was not
    /// written here.
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
            true => writeln!(self.out, "{}", json!({ "saved": file.to_string() }))?,
            false => writeln!(self.out, "saved {file}")?,
        }
        Ok(())
    }

    fn show(&mut self, reply: &Reply) -> Result<(), Failure> {
        match reply {
            Reply::Moved(_) if self.json => {
                let mut line = describe(self.session.position());
                line["rolled"] = json!(self.session.rolled());
                writeln!(self.out, "{line}")?;
            }
            Reply::Moved(text) => writeln!(self.out, "{text}")?,
            Reply::Said(text) if text.is_empty() => {}
            Reply::Said(text) if self.json => writeln!(self.out, "{}", json!({ "said": text }))?,
            Reply::Said(text) => writeln!(self.out, "{text}")?,
            Reply::Save { file, text } => self.save(file, text)?,
            Reply::Explained(answer) => {
                let rules = self.session.position().game().rules();
                why::show(answer, rules, &self.source, self.console, self.width(), self.out)?;
            }
            Reply::Load { .. } | Reply::Quit => {}
        }
        self.out.flush()?;
        Ok(())
    }
}
