//! `ludwright play`: the prompt, on a terminal or from a pipe.

use super::arguments::Play;
use super::failure::Failure;
use super::files::read_text;
use super::game::Loaded;
use super::moves::describe;
use super::prompt::Prompt;
use super::screen::Screen;
use super::watch::{Saves, go_on};
use super::why;
use ludwright::engine::game::Turn;
use ludwright::language::rules::Rules;
use ludwright::language::sources::Sources;
use ludwright::notation::turn;
use ludwright::play::{Reply, Screen as Sheet, Session};
use ludwright::record;
use ludwright::render::{Room, Scene, key, spell};
use rustyline::ExternalPrinter;
use rustyline::error::ReadlineError;
use serde_json::json;
use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::Path;

/// The longest line from a pipe, in bytes.
const LINE: u64 = 1 << 12;

/// Plays until the end of the input.
pub fn run(task: &Play, screen: &Screen, out: &mut dyn Write) -> Result<u8, Failure> {
    let (loaded, start, record) = Loaded::at_start_of(&task.game, &task.start, screen)?;
    let seed = task.seed.or(record.and_then(|record| record.seed)).unwrap_or_else(fresh_seed);
    let choices = &task.game.options.choices;
    let session = Session::begin(&loaded.source, choices, start, seed).map_err(|refused| Failure::refused(refused, &loaded.source))?;
    let session = if task.start.position.is_some() { session.elsewhere() } else { session };
    let saves = task.watch.then(|| Saves::new(task)).transpose()?;
    let mut table = Table { session, source: loaded.source, screen, json: screen.json(), saves, out };
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && !screen.json() {
        let key = spell(&key(&Scene::of(table.session.position()), Room::default().width), screen.paints);
        writeln!(table.out, "{}\n{key}A move, or `moves`, `help`, `quit`.\n", banner(loaded.game.rules()))?;
        return table.converse(screen);
    }
    table.session.draw_for(Sheet { room: Room::default(), color: screen.paints });
    table.start()?;
    table.obey_all()
}

/// Takes a seed from the clock: every game is another, and a saved one tells its seed.
fn fresh_seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    ludwright::random::mix(since.as_secs(), u64::from(since.subsec_nanos())) % 1_000_000_000
}

fn banner(rules: &Rules) -> String {
    let author = rules.about.author.as_ref().map(|author| format!(", by {author}")).unwrap_or_default();
    let year = rules.about.year.as_ref().map(|year| format!(" ({year})")).unwrap_or_default();
    format!("{}{author}{year}", rules.title)
}

/// A session and whoever looks on.
struct Table<'o> {
    session: Session,
    source: Sources,
    screen: &'o Screen,
    json: bool,
    saves: Option<Saves<'o>>,
    out: &'o mut dyn Write,
}

impl Table<'_> {
    fn start(&mut self) -> Result<(), Failure> {
        let shown = self.session.shown();
        self.show(&Reply::Moved(shown))
    }

    /// Talks with somebody at a terminal. Errors are said, and the game goes on.
    fn converse(mut self, screen: &Screen) -> Result<u8, Failure> {
        let unusable = |error: ReadlineError| Failure::usage(format!("the terminal cannot be read: {error}"));
        let mut typist = Prompt::new().map_err(unusable)?;
        let sheet = |typist: &mut Prompt| Sheet { room: typist.room().unwrap_or_default(), color: screen.paints };
        self.session.draw_for(sheet(&mut typist));
        self.start()?;
        loop {
            self.out.flush()?;
            let position = self.session.position();
            let prompt = match position.turn() {
                Turn::Nobody => "> ".to_owned(),
                who => format!("{}> ", turn(position.game().rules(), who)),
            };
            let words = self.session.words();
            let mut printer = self.saves.as_ref().and_then(|_| typist.printer());
            let again = || drop(printer.as_mut().map(|printer| printer.print(String::from("\n"))));
            let line = match self.listen(|| typist.read(&prompt, words), again)? {
                Ok(line) => line,
                Err(ReadlineError::Interrupted) => continue,
                Err(ReadlineError::Eof) => return Ok(0),
                Err(error) => return Err(unusable(error)),
            };
            // The window may have another size by now.
            self.session.draw_for(sheet(&mut typist));
            match self.obey(&line) {
                Ok(true) => {}
                Ok(false) => return Ok(0),
                Err(Failure::Output(error)) => return Err(Failure::Output(error)),
                Err(failure) => {
                    self.out.flush()?;
                    screen.fail(&failure);
                }
            }
        }
    }

    /// Obeys the lines of a pipe; the first error ends it. A `#` starts a comment.
    fn obey_all(mut self) -> Result<u8, Failure> {
        for number in 1.. {
            let mut bytes = Vec::new();
            let read = || std::io::stdin().lock().take(LINE).read_until(b'\n', &mut bytes);
            let read = self.listen(read, || {})?;
            let unreadable = |error: std::io::Error| Failure::usage(format!("the input cannot be read: {error}"));
            if read.map_err(unreadable)? == 0 {
                break;
            }
            if bytes.len() as u64 == LINE && bytes.last() != Some(&b'\n') {
                return Err(Failure::input(format!("line {number} is longer than {LINE} bytes")));
            }
            let text = String::from_utf8_lossy(&bytes);
            let line = text.split('#').next().unwrap_or("").trim();
            match self.obey(line) {
                Ok(true) => {}
                Ok(false) => break,
                // Nobody is there to try again: also a file that cannot be read is the input's fault.
                Err(Failure::Usage(complaint)) => return Err(Failure::Input(complaint).after(&format!("line {number}"))),
                Err(failure) => return Err(failure.after(&format!("line {number}"))),
            }
        }
        Ok(0)
    }

    /// Reads, and goes on under other rules meanwhile whenever they are saved; after that the prompt is to be shown again.
    fn listen<T: Send>(&mut self, read: impl FnOnce() -> T + Send, mut again: impl FnMut()) -> Result<T, Failure> {
        let Some(mut saves) = self.saves.take() else { return Ok(read()) };
        let mut told = Ok(());
        let done = saves.meanwhile(read, |task| {
            if told.is_ok() {
                told = self.take_up(task);
                again();
            }
        });
        self.saves = Some(saves);
        told.map(|()| done)
    }

    /// Goes on under the rules that were saved, or says why not.
    fn take_up(&mut self, task: &Play) -> Result<(), Failure> {
        match go_on(task, &self.session, self.screen) {
            Ok((session, source, news)) => {
                (self.session, self.source) = (session, source);
                self.show(&Reply::Said(news))?;
                self.start()
            }
            Err(failure) => {
                self.screen.fail(&failure);
                self.show(&Reply::Said(String::from("the game goes on under the rules as they were")))
            }
        }
    }

    /// Does what a line says; false when it is to quit.
    fn obey(&mut self, line: &str) -> Result<bool, Failure> {
        let mut reply = self.session.obey(line).map_err(|refused| Failure::refused(refused, &self.source))?;
        if let Reply::Load { file } = &reply {
            let text = read_text(Path::new(file), record::LIMIT)?;
            reply = self.session.load(&text).map_err(|refused| Failure::refused(refused, &self.source).after(file))?;
        }
        self.show(&reply)?;
        Ok(!matches!(reply, Reply::Quit))
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
            Reply::Save { file, text } => {
                std::fs::write(file, text).map_err(|error| Failure::file("write", Path::new(file), &error))?;
                match self.json {
                    true => writeln!(self.out, "{}", json!({ "saved": file }))?,
                    false => writeln!(self.out, "saved {file}")?,
                }
            }
            Reply::Explained(answer) => {
                let rules = self.session.position().game().rules();
                why::show(answer, rules, &self.source, self.screen, self.out)?;
            }
            Reply::Load { .. } | Reply::Quit => {}
        }
        self.out.flush()?;
        Ok(())
    }
}
