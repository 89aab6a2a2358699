//! `ludwright engine`: serves a protocol of game engines on standard input and output: the
//! Universal Game Interface and the Universal Chess Interface ([`ugi`]), the Go Text Protocol
//! ([`gtp`]) or the Chess Engine Communication Protocol ([`cecp`]).
//!
//! A protocol executes lines and answers searches. The search runs on a thread of its own; its
//! results and the input lines arrive as events in one loop. During a search, lines wait, except
//! lines that end it.
//!
//! The option `Player` chooses the searching player: `strong` where the game has a training, else
//! `mcts`.

mod asked;
mod cecp;
mod gtp;
mod settings;
mod ugi;

use super::fault;
use crate::program::arguments::{self, Protocol};
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use asked::GoLimits;
use ludwright::budget::Deadline;
use ludwright::diagnostics::{Places, SourcePosition};
use ludwright::engine::game::{Fault, Game, Move, State, Turn};
use ludwright::formats::{self, Speller};
use ludwright::language::edit_distance::nearest;
use ludwright::language::notations::Format;
use ludwright::language::rules::Choice;
use ludwright::language::sources::Sources;
use ludwright::notation::{clip, list};
use ludwright::random::mix;
use ludwright::record::{Start, load};
use ludwright::search::{Player, SearchLimits, Thinking, roll};
use settings::{Settings, untrained};
use std::collections::VecDeque;
use std::io::{BufRead, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Longest accepted line, in bytes.
const MAX_LINE_BYTES: usize = 1 << 20;
/// How many lines can be queued during a search.
const MAX_QUEUED_LINES: usize = 1_000;
/// Answers commands until `quit` or the end of the input.
pub fn run(
    task: &arguments::Engine,
    console: &Console,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let (loaded, start, _) = Loaded::at_end_of(&task.game, None, console)?;
    let (sender, events) = sync_channel(64);
    let lines = sender.clone();
    std::thread::spawn(move || read_lines(&lines));
    let settings = Settings::default();
    let protocol = task.protocol;
    let format = match protocol {
        Protocol::Ugi => None,
        Protocol::Uci | Protocol::Cecp => Some(Format::Uci),
        Protocol::Gtp => Some(Format::Gtp),
    };
    if let Some(format) = format {
        formats::spellings(loaded.game.rules(), format).map_err(Failure::input)?;
    }
    let engine = Engine {
        protocol,
        format,
        speller: Speller::new(&loaded.game, format),
        talk: Talk::default(),
        player: settings.player(&loaded.game)?,
        source: loaded.source,
        game: loaded.game,
        settings,
        place: CurrentGame { fen: None, moves: Vec::new(), position: start },
        stop: Arc::default(),
        running: None,
        ended: false,
        waiting: VecDeque::new(),
        sender,
        out,
    };
    engine.serve(&events)
}

/// Event for the main loop, from the reader thread or the search thread.
enum Event {
    Line(String),
    Overlong,
    /// End of the input.
    End,
    Thought(Thinking),
    Done(Answer),
}

/// Sends the lines of standard input as events.
fn read_lines(events: &SyncSender<Event>) {
    let mut input = std::io::stdin().lock();
    let mut overlong = false;
    loop {
        let mut bytes = Vec::new();
        match input.by_ref().take(MAX_LINE_BYTES as u64).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let ends = bytes.last() == Some(&b'\n') || bytes.len() < MAX_LINE_BYTES;
        let event = if overlong || !ends {
            Event::Overlong
        } else {
            Event::Line(String::from_utf8_lossy(&bytes).trim().to_owned())
        };
        overlong = !ends;
        // A line that is too long is reported once, when it ends.
        if ends && events.send(event).is_err() {
            return;
        }
    }
    // After `quit` the receiver is gone.
    let _ = events.send(Event::End);
}

/// Current position, and the `position` command that leads to it.
#[derive(Clone)]
struct CurrentGame {
    fen: Option<String>,
    moves: Vec<String>,
    position: State,
}

/// A search in progress.
struct Running {
    infinite: bool,
    /// Stops the search once the principal variation has this many plies.
    depth: Option<usize>,
    /// The result of an infinite search that ended by itself, kept until `stop`.
    held: Option<Answer>,
}

/// The answer to `go`.
enum Answer {
    Searched(Result<Thinking, Fault>),
    /// A roll, a ply of a player that does not search, or nothing after the end of the game.
    Move(Option<Move>),
}

/// Settings of a protocol that last longer than a command.
#[derive(Default)]
struct Talk {
    /// GTP: the number of the command that a search answers.
    id: String,
    /// GTP: whether the engine also plays the move that it finds.
    plays: bool,
    /// CECP: whether the program only follows the game.
    forced: bool,
    /// CECP: whether the engine prints its thinking.
    posts: bool,
    /// The limits of the next search, in protocols that set them beforehand.
    limits: GoLimits,
}

struct Engine<'o> {
    protocol: Protocol,
    /// How the protocol writes moves; `None` for the spelling of records.
    format: Option<Format>,
    speller: Speller,
    talk: Talk,
    source: Sources,
    game: Game,
    settings: Settings,
    place: CurrentGame,
    /// Locked by the search thread while it thinks.
    player: Arc<Mutex<Player>>,
    stop: Arc<AtomicBool>,
    running: Option<Running>,
    /// Whether the input has ended or `quit` was read.
    ended: bool,
    /// Lines queued during the search.
    waiting: VecDeque<String>,
    sender: SyncSender<Event>,
    out: &'o mut dyn Write,
}

impl Engine<'_> {
    fn serve(mut self, events: &Receiver<Event>) -> Result<u8, Failure> {
        loop {
            while self.running.is_none() {
                let Some(line) = self.waiting.pop_front() else { break };
                self.execute_line(&line)?;
            }
            self.out.flush()?;
            if self.ended && self.running.is_none() {
                return Ok(0);
            }
            match events.recv() {
                Ok(Event::Line(line)) => self.receive_line(line)?,
                Ok(Event::Overlong) => {
                    self.say(&format!("a line was longer than {MAX_LINE_BYTES} bytes"))?
                }
                Ok(Event::Thought(thinking)) => self.report(&thinking)?,
                Ok(Event::Done(answer)) => match &mut self.running {
                    Some(running) if running.infinite && !self.stop.load(Ordering::Relaxed) => {
                        running.held = Some(answer);
                    }
                    _ => self.finish(answer)?,
                },
                Ok(Event::End) => {
                    self.ended = true;
                    if self.running.as_ref().is_some_and(|running| running.infinite) {
                        self.stop_search()?;
                    }
                }
                Err(_) => return Ok(0),
            }
        }
    }

    /// Takes a line: executes a command that is allowed during a search at once, and queues others.
    fn receive_line(&mut self, line: String) -> Result<(), Failure> {
        match line.split_whitespace().next() {
            None => {}
            // Lines after `quit` are ignored.
            Some(_) if self.ended => {}
            // In GTP a number may precede `quit`, and earlier commands are answered first: it is
            // queued.
            Some("quit") if self.protocol != Protocol::Gtp => {
                self.stop_search()?;
                self.waiting.clear();
                self.ended = true;
            }
            Some("stop" | "?") if self.running.is_some() => self.stop_search()?,
            Some("isready") if self.running.is_some() => writeln!(self.out, "readyok")?,
            Some(_) if self.waiting.len() == MAX_QUEUED_LINES => {
                self.say("too many lines wait for the search to end")?
            }
            Some(_) => self.waiting.push_back(line),
        }
        Ok(())
    }

    /// Executes a line.
    fn execute_line(&mut self, line: &str) -> Result<(), Failure> {
        fault::provoke("engine");
        match self.protocol {
            Protocol::Ugi | Protocol::Uci => ugi::execute(self, line),
            Protocol::Gtp => gtp::execute(self, line),
            Protocol::Cecp => cecp::execute(self, line),
        }
    }

    /// Prints a text that answers no command.
    fn say(&mut self, text: &str) -> Result<(), Failure> {
        match self.protocol {
            Protocol::Ugi | Protocol::Uci => writeln!(self.out, "info string {text}")?,
            // GTP allows only answers on standard output.
            Protocol::Gtp => eprintln!("{text}"),
            Protocol::Cecp => writeln!(self.out, "# {text}")?,
        }
        Ok(())
    }

    /// Sets an option: of the game, which restarts the game, or else of the engine.
    fn set_option(&mut self, name: &str, value: &str) -> Result<Result<(), String>, Failure> {
        let done = if self.game.rules().options.iter().any(|option| option.name == name) {
            self.choose(name, value)
        } else {
            self.settings.set(name, value, self.game.rules())
        };
        if done.is_ok() {
            self.player = self.settings.player(&self.game)?;
            let chosen = self.settings.chosen(&self.game);
            if let Some(note) = untrained(&self.game, chosen) {
                self.say(&note)?;
            }
        }
        Ok(done)
    }

    /// Restarts the game with another value of one of its options.
    fn choose(&mut self, name: &str, value: &str) -> Result<(), String> {
        let chosen = |option: &Choice| {
            let value = if option.name == name { value } else { option.value() };
            (option.name.clone(), value.to_owned())
        };
        let choices: Vec<(String, String)> = self.game.rules().options.iter().map(chosen).collect();
        let game = load(&self.source, &choices, None).map_err(|error| error.summary())?;
        let position = game.begin().map_err(|fault| fault.to_string())?;
        self.place = CurrentGame { fen: None, moves: Vec::new(), position };
        self.speller = Speller::new(&game, self.format);
        self.game = game;
        Ok(())
    }

    /// Sets the position. If it extends the current game, only the new moves are played.
    fn goto(&mut self, fen: Option<String>, moves: &[&str]) -> Result<(), String> {
        let known = fen == self.place.fen
            && moves.len() >= self.place.moves.len()
            && self.place.moves.iter().zip(moves).all(|(known, new)| known == new);
        let mut place = match known {
            true => self.place.clone(),
            false => CurrentGame { position: self.start(fen.as_deref())?, fen, moves: Vec::new() },
        };
        for &word in &moves[place.moves.len()..] {
            self.follow(&mut place, word)?;
        }
        self.place = place;
        Ok(())
    }

    /// Plays a move in the protocol's spelling.
    fn follow(&self, place: &mut CurrentGame, word: &str) -> Result<(), String> {
        let number = place.moves.len() + 1;
        let at = |complaint: String| match complaint.starts_with(&format!("`{}`", clip(word))) {
            true => format!("move {number}: {complaint}"),
            false => format!("move {number}, `{}`: {complaint}", clip(word)),
        };
        let ply = self.speller.read(&place.position, word).map_err(at)?;
        place.position.play(&ply).map_err(|error| at(error.to_string()))?;
        place.moves.push(word.to_owned());
        Ok(())
    }

    /// Plays more moves; if one is illegal, plays none.
    fn extend(&mut self, moves: &[&str]) -> Result<(), String> {
        let mut place = self.place.clone();
        moves.iter().try_for_each(|word| self.follow(&mut place, word))?;
        self.place = place;
        Ok(())
    }

    /// Takes back moves.
    fn take_back(&mut self, count: usize) -> Result<(), String> {
        if count > self.place.moves.len() {
            return Err(String::from("there is no move to take back"));
        }
        for _ in 0..count {
            self.place.position.undo();
            self.place.moves.pop();
        }
        Ok(())
    }

    fn start(&self, fen: Option<&str>) -> Result<State, String> {
        let Some(fen) = fen else { return self.game.begin().map_err(|fault| fault.to_string()) };
        if !fen.contains('|') && self.game.rules().notations.of(Format::Fen).is_some() {
            return formats::read_line(&self.game, Format::Fen, fen);
        }
        let text = fen.replace('|', "\n");
        let start = Start::parse(&text).map_err(|misread| misread.to_string())?;
        if !start.options.is_empty() {
            return Err("set options with `setoption`".to_owned());
        }
        start.begin(&self.game).map_err(|misread| misread.to_string())
    }

    /// Starts a search, or rolls the dice. `waits` tells if the caller expects to end the search.
    fn go(&mut self, limits: GoLimits, waits: bool) -> Result<(), Failure> {
        let position = &self.place.position;
        let GoLimits { mut iterations, time, infinite, depth } = limits;
        let known = match roll(position, self.settings.seed) {
            Some(rolled) => Some(Answer::Move(Some(rolled))),
            None if position.turn() == Turn::Nobody => Some(Answer::Move(None)),
            None => None,
        };
        if let Some(known) = known {
            // Without limits, a roll and the end of the game are answered at once: only the caller
            // who writes `infinite` expects to write `stop`.
            return match infinite && waits && !self.ended {
                true => {
                    self.running = Some(Running { infinite, depth, held: Some(known) });
                    Ok(())
                }
                false => self.finish(known),
            };
        }
        if position.legal().len() == 1 && !infinite {
            iterations = Some(1);
        }
        self.stop = Arc::new(AtomicBool::new(infinite && self.ended));
        self.running = Some(Running { infinite, depth, held: None });
        let (player, stop) = (Arc::clone(&self.player), Arc::clone(&self.stop));
        let (sender, position) = (self.sender.clone(), position.clone());
        let seed = mix(self.settings.seed, position.ply_count() as u64);
        std::thread::spawn(move || {
            let deadline = Deadline::after(time);
            let limits = SearchLimits { iterations, deadline, stop: Some(&stop) };
            let mut tell =
                |thinking: &Thinking| sender.send(Event::Thought(thinking.clone())).is_ok();
            let mut player = locked(&player);
            let answer = match player.think_within(&position, seed, &limits, &mut tell) {
                Ok(Some(thinking)) => Answer::Searched(Ok(thinking)),
                Err(fault) => Answer::Searched(Err(fault)),
                Ok(None) => match player.choose_until(&position, Some(&stop)) {
                    Ok(choice) => Answer::Move(choice.map(|choice| choice.ply)),
                    Err(fault) => Answer::Searched(Err(fault)),
                },
            };
            // After `quit` the receiver is gone.
            let _ = sender.send(Event::Done(answer));
        });
        Ok(())
    }

    /// Stops the search, and prints the result of an infinite search that has ended by itself.
    fn stop_search(&mut self) -> Result<(), Failure> {
        self.stop.store(true, Ordering::Relaxed);
        match self.running.as_mut().and_then(|running| running.held.take()) {
            Some(answer) => self.finish(answer),
            None => Ok(()),
        }
    }

    /// Prints the intermediate result of the search, and ends the search at its depth limit.
    fn report(&mut self, thinking: &Thinking) -> Result<(), Failure> {
        match self.protocol {
            Protocol::Ugi | Protocol::Uci => ugi::report(self, thinking)?,
            Protocol::Cecp if self.talk.posts => cecp::report(self, thinking)?,
            Protocol::Gtp | Protocol::Cecp => {}
        }
        let depth = self.running.as_ref().and_then(|running| running.depth);
        if depth.is_some_and(|depth| thinking.line.len() >= depth) {
            self.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Prints the answer of `go`.
    fn finish(&mut self, answer: Answer) -> Result<(), Failure> {
        self.running = None;
        let thinking = match answer {
            Answer::Searched(Ok(thinking)) => Ok(thinking),
            Answer::Searched(Err(fault)) => {
                let (file, span) = self.source.place(fault.span);
                let name = self.source.names().nth(file).unwrap_or_default();
                let SourcePosition { line, column } =
                    Places::new(self.source.text_of(file)).of(span.start);
                self.say(&format!("{name}:{line}:{column}: {fault}"))?;
                Err(None)
            }
            Answer::Move(ply) => Err(ply),
        };
        let best = match &thinking {
            Ok(thinking) => thinking.plies.first().map(|tried| tried.ply.clone()),
            Err(known) => known.clone(),
        };
        match self.protocol {
            Protocol::Ugi | Protocol::Uci => ugi::finish(self, thinking.ok().as_ref(), best),
            Protocol::Gtp => gtp::finish(self, best),
            Protocol::Cecp => cecp::finish(self, best),
        }
    }

    /// Writes a move of the current position in the protocol's spelling.
    fn written(&self, ply: &Move) -> String {
        self.speller.write(&self.place.position, ply)
    }

    /// Writes the moves of a line that begins at the current position.
    fn written_line(&self, line: &[Move]) -> Vec<String> {
        // The spelling of records does not depend on the position.
        if self.format.is_none() {
            return line.iter().map(|ply| self.written(ply)).collect();
        }
        let mut at = self.place.position.clone();
        let mut words = Vec::with_capacity(line.len());
        for ply in line {
            words.push(self.speller.write(&at, ply));
            if at.play(ply).is_err() {
                break;
            }
        }
        words
    }

    /// Returns the score that the player to move expects, from -100 for a certain loss to 100.
    fn score(&self, thinking: &Thinking) -> i64 {
        let chance = match self.place.position.turn() {
            Turn::Player(player) => {
                thinking.win_probabilities.get(player.index()).copied().unwrap_or(0.5)
            }
            Turn::Chance | Turn::Nobody => 0.5,
        };
        (200.0 * chance - 100.0).round() as i64
    }
}

/// Locks the player. After a panic its tree is still usable.
fn locked(player: &Mutex<Player>) -> MutexGuard<'_, Player> {
    player.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reports an unknown word with the nearest known one, or all known ones.
fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    let help = match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use {}", list(known, "or")),
    };
    format!("there is no {what} `{}`; {help}", clip(word))
}
