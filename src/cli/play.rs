//! `ludwright play`: the prompt, on a terminal or from a pipe.

use super::arguments::Play;
use super::failure::Failure;
use super::files::read_text;
use super::game::Loaded;
use super::moves::describe;
use super::prompt::Prompt;
use super::screen::Screen;
use super::seats::Seats;
use super::why;
use ludwright::engine::game::{Fault, Turn};
use ludwright::language::rules::Rules;
use ludwright::language::sources::Sources;
use ludwright::notation::{spell, turn};
use ludwright::play::{Refused, Reply, Screen as Sheet, Session};
use ludwright::record;
use ludwright::render::{Room, Scene, key, spell as spelled};
use ludwright::search::{Thinking, thought};
use rustyline::error::ReadlineError;
use serde_json::{Map, Value, json};
use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::Path;

/// The longest line from a pipe, in bytes.
const LINE: u64 = 1 << 12;
/// Programs that have made so many plies with no person among them are stopped.
const MOST_IN_A_ROW: usize = 10_000;

/// Plays until the end of the input.
pub fn run(task: &Play, screen: &Screen, out: &mut dyn Write) -> Result<u8, Failure> {
    let (loaded, start, record) = Loaded::at_start_of(&task.game, &task.start, screen)?;
    let seed = task.seed.or(record.and_then(|record| record.seed)).unwrap_or_else(fresh_seed);
    let choices = &task.game.options.choices;
    let session = Session::begin(&loaded.source, choices, start, seed).map_err(|refused| blame(refused, &loaded.source))?;
    let session = if task.start.position.is_some() { session.elsewhere() } else { session };
    let seats = Seats::new(loaded.game.rules(), &task.seats, seed)?;
    let mut table = Table { session, seats, source: &loaded.source, screen, json: screen.json(), out };
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

/// Puts the blame for a line that was not obeyed on itself, or on the rules.
fn blame(refused: Refused, source: &Sources) -> Failure {
    match refused.fault {
        Some(fault) => Failure::endless(Fault { message: refused.message, ..fault }, source),
        None => Failure::input(refused.message),
    }
}

/// Tells what a program played and thought.
fn played(rules: &Rules, mover: Turn, ply: &str, thinking: Option<&Thinking>) -> Value {
    let mut told = json!({ "played": ply, "by": turn(rules, mover) });
    if let Some(thinking) = thinking {
        let chances = rules.players.iter().map(|player| player.name.clone()).zip(thinking.chances.iter().map(|&chance| json!(chance)));
        told["thinking"] = json!({
            "winning_chances": chances.collect::<Map<String, Value>>(),
            "solved": thinking.solved,
            "line": thinking.line.iter().map(|ply| spell(rules, ply)).collect::<Vec<String>>(),
            "iterations": thinking.iterations,
            "seconds": thinking.seconds,
        });
    }
    told
}

/// A session and whoever looks on.
struct Table<'o> {
    session: Session,
    seats: Seats,
    source: &'o Sources,
    screen: &'o Screen,
    json: bool,
    out: &'o mut dyn Write,
}

impl Table<'_> {
    fn start(&mut self) -> Result<(), Failure> {
        let shown = self.session.shown();
        self.show(&Reply::Moved(shown))?;
        self.let_programs_play()
    }

    /// Lets the programs make their plies for as long as it is their turn.
    fn let_programs_play(&mut self) -> Result<(), Failure> {
        let mut made = 0;
        while self.seats.is_due(self.session.position()) {
            if made == MOST_IN_A_ROW {
                return Err(Failure::input(format!("the programs have made {made} plies and come to no end")));
            }
            made += 1;
            let fault = |fault: Fault| Failure::endless(fault, self.source);
            let Some(choice) = self.seats.choose(self.session.position()).map_err(fault)? else { break };
            let (rules, mover) = (self.session.position().game().rules(), self.session.position().turn());
            let ply = spell(rules, &choice.ply);
            match (&choice.thinking, mover) {
                (thinking, _) if self.json => writeln!(self.out, "{}", played(rules, mover, &ply, thinking.as_ref()))?,
                (Some(thinking), Turn::Player(player)) => {
                    writeln!(self.out, "{}: {ply}\n{}\n", turn(rules, mover), thought(rules, player, thinking))?;
                }
                _ => writeln!(self.out, "{}: {ply}\n", turn(rules, mover))?,
            }
            let reply = self.session.obey(&ply).map_err(|refused| blame(refused, self.source))?;
            self.show(&reply)?;
        }
        Ok(())
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
            let line = match typist.read(&prompt, self.session.words()) {
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
        let mut input = std::io::stdin().lock();
        for number in 1.. {
            let mut bytes = Vec::new();
            let read = input.by_ref().take(LINE).read_until(b'\n', &mut bytes);
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

    /// Does what a line says; false when it is to quit.
    fn obey(&mut self, line: &str) -> Result<bool, Failure> {
        let mut reply = self.session.obey(line).map_err(|refused| blame(refused, self.source))?;
        if let Reply::Load { file } = &reply {
            let text = read_text(Path::new(file), record::LIMIT)?;
            reply = self.session.load(&text).map_err(|refused| blame(refused, self.source).after(file))?;
        }
        // A ply is taken back to be made otherwise, so the programs' go with it.
        while line == "undo"
            && self.seats.is_due(self.session.position())
            && let Ok(further) = self.session.obey(line)
        {
            reply = further;
        }
        self.show(&reply)?;
        if matches!(reply, Reply::Moved(_)) {
            self.let_programs_play()?;
        }
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
                why::show(answer, rules, self.source, self.screen, self.out)?;
            }
            Reply::Load { .. } | Reply::Quit => {}
        }
        self.out.flush()?;
        Ok(())
    }
}
