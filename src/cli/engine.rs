//! `ludwright engine`: serves the Universal Game Interface (<https://github.com/kz04px/ugi>) on
//! standard input and output.
//!
//! Where the protocol leaves a choice: moves are spelled with `_` for blanks. Before a roll, `query
//! turn` answers `chance`, and `go` answers with a random roll, seeded by the option `Seed`. The
//! game's options are engine options; setting one restarts the game. `query moves` lists all legal
//! moves, or all rolls, separated by blanks. `query position` prints a position on one line, its
//! lines joined by `|`, and `position fen` reads it. A command that cannot be executed is answered
//! with `info string` and changes nothing. If there is no move, for example after the end, `go`
//! explains it with `info string` and answers `bestmove (none)`, as chess engines do, so that the
//! caller always gets an answer; `query moves` then answers `(none)`.
//!
//! The option `Player` chooses who thinks: `strong` where the game has a training, `mcts` elsewhere.
//! Before the last `info` of a search, `info string root` lists the plies that it has tried, at most
//! [`MAX_ROOT_PLIES`], best first: each with its visits, the score that its player expects, between
//! 0 and 1, and `proven` if that is certain.
//!
//! After a swap by the pie rule, `p1` is still the program that began as the first player, in clocks
//! and results; `query turn` names the colour to move.
//!
//! After `go infinite`, `bestmove` comes only after `stop`, even if there is nothing left to search.

mod asked;
mod settings;

use super::fault;
use crate::program::arguments;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use asked::GoLimits;
use ludwright::budget::Deadline;
use ludwright::diagnostics::{Places, SourcePosition};
use ludwright::engine::game::{Fault, Game, Move, State, Turn};
use ludwright::engine::position::Outcome;
use ludwright::language::edit_distance::nearest;
use ludwright::language::rules::Choice;
use ludwright::language::sources::Sources;
use ludwright::notation::{clip, list, spell, turn};
use ludwright::random::mix;
use ludwright::record::{Start, load};
use ludwright::search::{Player, SearchLimits, Thinking, roll};
use ludwright::why::read;
use settings::{Settings, described, untrained};
use std::collections::VecDeque;
use std::io::{BufRead, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Longest accepted line, in bytes.
const MAX_LINE_BYTES: usize = 1 << 20;
/// How many lines can be queued during a search.
const MAX_QUEUED_LINES: usize = 1_000;
/// How many plies of the root are listed after a search.
const MAX_ROOT_PLIES: usize = 100;
/// In place of a move if there is none.
const NO_MOVE: &str = "(none)";
const COMMANDS: [&str; 9] =
    ["ugi", "isready", "setoption", "uginewgame", "position", "go", "stop", "query", "quit"];
const QUERIES: [&str; 6] = ["gameover", "p1turn", "result", "turn", "moves", "position"];

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
    let engine = Engine {
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
    /// The answer of an infinite search that ended by itself, until it is stopped.
    held: Option<Answer>,
}

/// What `go` answers.
enum Answer {
    Searched(Result<Thinking, Fault>),
    /// A roll, a ply of a player that does not search, or nothing after the end of the game.
    Move(String),
}

struct Engine<'o> {
    source: Sources,
    game: Game,
    settings: Settings,
    place: CurrentGame,
    /// Locked while it thinks.
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

    /// Takes a line: executes what is allowed during a search at once, and queues the rest.
    fn receive_line(&mut self, line: String) -> Result<(), Failure> {
        match line.split_whitespace().next() {
            None => {}
            // Lines after `quit` are ignored.
            Some(_) if self.ended => {}
            Some("quit") => {
                self.stop_search()?;
                self.waiting.clear();
                self.ended = true;
            }
            Some("stop") if self.running.is_some() => self.stop_search()?,
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
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let done = match command {
            "ugi" => {
                let rules = self.game.rules();
                let settings: String = std::iter::once(self.settings.list(&self.game))
                    .chain(rules.options.iter().map(described))
                    .collect();
                let title = &rules.title;
                write!(
                    self.out,
                    "id name Ludwright {} playing {title}\nid author Ludwright\n{settings}ugiok\n",
                    env!("CARGO_PKG_VERSION")
                )?;
                Ok(())
            }
            "isready" => {
                writeln!(self.out, "readyok")?;
                Ok(())
            }
            "setoption" => self.set_option(rest)?,
            "uginewgame" => {
                locked(&self.player).clear();
                self.goto(None, &[])
            }
            "position" => self.set_position(rest),
            "go" => self.go(rest)?,
            "query" => match self.answer(rest) {
                Ok(answer) => {
                    writeln!(self.out, "response {answer}")?;
                    Ok(())
                }
                Err(complaint) => Err(complaint),
            },
            // No search is in progress.
            "stop" => Ok(()),
            _ => Err(unknown("command", command, &COMMANDS)),
        };
        if let Err(complaint) = done {
            self.say(&complaint)?;
        }
        Ok(())
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        Ok(writeln!(self.out, "info string {text}")?)
    }

    fn set_option(&mut self, text: &str) -> Result<Result<(), String>, Failure> {
        let named = text.strip_prefix("name ").and_then(|rest| rest.split_once(" value "));
        let Some((name, value)) = named else {
            let found = clip(text);
            return Ok(Err(format!("expected `setoption name NAME value VALUE`, found `{found}`")));
        };
        let (name, value) = (name.trim(), value.trim());
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
            let value = if option.name == name { value } else { &option.values[option.chosen] };
            (option.name.clone(), value.to_owned())
        };
        let choices: Vec<(String, String)> = self.game.rules().options.iter().map(chosen).collect();
        let game = load(&self.source, &choices, None).map_err(|error| error.summary())?;
        let position = game.begin().map_err(|fault| fault.to_string())?;
        self.place = CurrentGame { fen: None, moves: Vec::new(), position };
        self.game = game;
        Ok(())
    }

    fn set_position(&mut self, text: &str) -> Result<(), String> {
        let (start, moves) = match text
            .strip_suffix(" moves")
            .map(|start| (start, ""))
            .or_else(|| text.rsplit_once(" moves "))
        {
            Some((start, moves)) => (start.trim(), moves),
            None => (text, ""),
        };
        let moves: Vec<&str> = moves.split_whitespace().collect();
        match start.split_once(' ').unwrap_or((start, "")) {
            ("startpos", "") => self.goto(None, &moves),
            ("fen", fen) if !fen.trim().is_empty() => self.goto(Some(fen.to_owned()), &moves),
            _ => Err(format!(
                "expected `position startpos` or `position fen POSITION`, and perhaps `moves …`, found `{}`",
                clip(text)
            )),
        }
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
            let number = place.moves.len() + 1;
            let ply = find(&place.position, word)
                .map_err(|complaint| format!("move {number}, `{}`: {complaint}", clip(word)))?;
            place
                .position
                .play(&ply)
                .map_err(|error| format!("move {number}, `{}`: {error}", clip(word)))?;
            place.moves.push(word.to_owned());
        }
        self.place = place;
        Ok(())
    }

    fn start(&self, fen: Option<&str>) -> Result<State, String> {
        let Some(fen) = fen else { return self.game.begin().map_err(|fault| fault.to_string()) };
        let text = fen.replace('|', "\n");
        let start = Start::parse(&text).map_err(|misread| misread.to_string())?;
        if !start.options.is_empty() {
            return Err("set options with `setoption`".to_owned());
        }
        start.begin(&self.game).map_err(|misread| misread.to_string())
    }

    fn answer(&self, question: &str) -> Result<String, String> {
        let position = &self.place.position;
        Ok(match question {
            "gameover" => position.outcome().is_some().to_string(),
            "p1turn" => {
                matches!(position.personal_turn(), Turn::Player(player) if player.index() == 0)
                    .to_string()
            }
            "result" => match position.personal_outcome() {
                Some(Outcome::Win(winner)) => format!("p{}win", winner.index() + 1),
                Some(Outcome::Draw | Outcome::Shared(_)) => "draw".to_owned(),
                None => "none".to_owned(),
            },
            "turn" => turn(self.game.rules(), position.turn()).to_owned(),
            "moves" => {
                let moves: Vec<String> =
                    position.legal().iter().map(|ply| written(position, ply)).collect();
                if moves.is_empty() { NO_MOVE.to_owned() } else { moves.join(" ") }
            }
            "position" => {
                let written = Start::write(position);
                let lines: Vec<&str> =
                    written.lines().filter(|line| !line.starts_with("option:")).collect();
                lines.join("|")
            }
            _ => return Err(unknown("query", question, &QUERIES)),
        })
    }

    /// Starts a search, or rolls the dice.
    fn go(&mut self, text: &str) -> Result<Result<(), String>, Failure> {
        let position = &self.place.position;
        let GoLimits { mut iterations, time, infinite, depth } =
            match GoLimits::read(text, position.personal_turn()) {
                Ok(asked) => asked,
                Err(complaint) => return Ok(Err(complaint)),
            };
        let known = match roll(position, self.settings.seed) {
            Some(rolled) => Some(written(position, &rolled)),
            None if position.turn() == Turn::Nobody => Some(NO_MOVE.to_owned()),
            None => None,
        };
        if let Some(known) = known {
            if known == NO_MOVE {
                self.say("the game is over: there is no move")?;
            }
            // Without limits, a roll and the end of the game are answered at once: only the caller
            // who writes `infinite` expects to write `stop`.
            return match infinite && !text.is_empty() && !self.ended {
                true => {
                    let held = Some(Answer::Move(known));
                    self.running = Some(Running { infinite, depth, held });
                    Ok(Ok(()))
                }
                false => self.finish(Answer::Move(known)).map(Ok),
            };
        }
        if position.legal().len() == 1 && !infinite {
            iterations = Some(1);
        }
        self.stop = Arc::new(AtomicBool::new(infinite && self.ended));
        self.running = Some(Running { infinite, depth, held: None });
        let (player, stop) = (Arc::clone(&self.player), Arc::clone(&self.stop));
        let (sender, position) = (self.sender.clone(), position.clone());
        let seed = mix(self.settings.seed, position.plies().len() as u64);
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
                    Ok(choice) => {
                        let ply = choice.map(|choice| written(&position, &choice.ply));
                        Answer::Move(ply.unwrap_or_else(|| NO_MOVE.to_owned()))
                    }
                    Err(fault) => Answer::Searched(Err(fault)),
                },
            };
            // After `quit` the receiver is gone.
            let _ = sender.send(Event::Done(answer));
        });
        Ok(Ok(()))
    }

    /// Stops the search, and answers if it has ended by itself.
    fn stop_search(&mut self) -> Result<(), Failure> {
        self.stop.store(true, Ordering::Relaxed);
        match self.running.as_mut().and_then(|running| running.held.take()) {
            Some(answer) => self.finish(answer),
            None => Ok(()),
        }
    }

    fn report(&mut self, thinking: &Thinking) -> Result<(), Failure> {
        let position = &self.place.position;
        let milliseconds = (thinking.seconds * 1e3) as u64;
        let rate = thinking.rate() as u64;
        let chance = match position.turn() {
            Turn::Player(player) => {
                thinking.win_probabilities.get(player.index()).copied().unwrap_or(0.5)
            }
            Turn::Chance | Turn::Nobody => 0.5,
        };
        let line: Vec<String> = thinking.line.iter().map(|ply| written(position, ply)).collect();
        let (depth, iterations) = (line.len(), thinking.iterations);
        // Scale: 100 for a certain win, -100 for a certain loss.
        let score = (200.0 * chance - 100.0).round() as i64;
        writeln!(
            self.out,
            "info depth {depth} time {milliseconds} nodes {iterations} nps {rate} score cp {score} pv {}",
            line.join(" ")
        )?;
        if self
            .running
            .as_ref()
            .and_then(|running| running.depth)
            .is_some_and(|depth| line.len() >= depth)
        {
            self.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Lists what a search has found out about each ply.
    fn report_root(&mut self, thinking: &Thinking) -> Result<(), Failure> {
        let position = &self.place.position;
        let tried = thinking.plies.iter().take(MAX_ROOT_PLIES).map(|tried| {
            let proven = if tried.solved { " proven" } else { "" };
            format!(
                "{} {} {:.3}{proven}",
                written(position, &tried.ply),
                tried.visits,
                tried.chance
            )
        });
        let tried: Vec<String> = tried.collect();
        Ok(writeln!(self.out, "info string root {}", tried.join(", "))?)
    }

    fn finish(&mut self, answer: Answer) -> Result<(), Failure> {
        let best = match answer {
            Answer::Searched(Ok(thinking)) => {
                self.report_root(&thinking)?;
                self.report(&thinking)?;
                thinking.plies.first().map(|tried| written(&self.place.position, &tried.ply))
            }
            Answer::Searched(Err(fault)) => {
                let (file, span) = self.source.place(fault.span);
                let name = self.source.names().nth(file).unwrap_or_default();
                let SourcePosition { line, column } =
                    Places::new(self.source.text_of(file)).of(span.start);
                self.say(&format!("{name}:{line}:{column}: {fault}"))?;
                None
            }
            Answer::Move(ply) => Some(ply),
        };
        writeln!(self.out, "bestmove {}", best.as_deref().unwrap_or(NO_MOVE))?;
        self.running = None;
        Ok(())
    }
}

/// Locks the player. After a panic its tree is still usable.
fn locked(player: &Mutex<Player>) -> MutexGuard<'_, Player> {
    player.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Spells a ply with `_` for blanks.
fn written(position: &State, ply: &Move) -> String {
    spell(position.game().rules(), ply).replace(' ', "_")
}

/// Finds the legal ply with this spelling.
fn find(position: &State, word: &str) -> Result<Move, String> {
    match position.legal().iter().find(|ply| written(position, ply) == word) {
        Some(ply) => Ok(ply.clone()),
        None => match read(position, &word.replace('_', " ")) {
            // Accepts other spellings, too.
            Ok(ply) => Ok(ply),
            Err(refusal) => Err(refusal.line()),
        },
    }
}

/// Reports an unknown word with the nearest known one, or all known ones.
fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    let help = match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use {}", list(known, "or")),
    };
    format!("there is no {what} `{}`; {help}", clip(word))
}
