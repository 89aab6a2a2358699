//! A game at the prompt: one line in, one reply out.

use super::command::{Command, CommandRow};
use super::completion::CompletionContext;
use super::queries;
use super::refusal::{refuse, refuse_move};
use super::reply::{Refused, Reply, Wanted};
use super::seats::Seats;
use super::timeline::Timeline;
use crate::engine::game::{Move, State, Turn};
use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::notation::{clip, completions, list, spell};
use crate::record::{PlyNote, Record, Start};
use crate::render::{Room, Scene, drawing, key, spell_with as spelled};
use crate::search::{Player, PlayerKind};
use crate::why::{self, why_result};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A game at the prompt, and who plays it.
pub struct Session {
    pub(super) source: Sources,
    /// The options that records and positions have to go with.
    pub(super) choices: Vec<(String, String)>,
    pub(super) line: Timeline,
    pub(super) seats: Seats,
    /// The program that plays for people, and for how many plies.
    pub(super) auto: Option<(usize, Player)>,
    /// Whether programs wait to be asked.
    pub(super) paused: bool,
    /// How long the next ply has been thought about.
    pub(super) time: Option<Duration>,
    /// Whether there is a clock.
    pub(super) timed: bool,
    /// The moves that the last line may have meant.
    pub(super) asked: Vec<Move>,
    /// The lines of a position that is being typed.
    pub(super) drawn: Option<String>,
    pub(super) screen: Screen,
    /// Tells programs to think no further.
    pub(super) stop: Option<&'static AtomicBool>,
    /// How many games were begun.
    pub(super) games: usize,
    /// Whether what was played may depend on the seed.
    pub(super) seeded: bool,
}

/// What positions are drawn for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    pub room: Room,
    /// What the sequences of colours begin with, where it takes any: for a terminal
    /// [`ESCAPE`](crate::render::ESCAPE).
    pub escape: Option<&'static str>,
}

impl Session {
    /// Begins where a match stands, and rolls the dice if a roll comes first. The source and the
    /// options asked for serve to load other records.
    ///
    /// # Errors
    /// Tells if the rules go on for ever, or the game has no such players as are to be seated.
    pub fn begin(
        source: impl Into<Sources>,
        choices: &[(String, String)],
        start: State,
        seats: &[(String, PlayerKind)],
        seed: u64,
    ) -> Result<Session, Refused> {
        let seats = Seats::new(start.game().rules(), seats, seed)?;
        Ok(Session {
            source: source.into(),
            choices: choices.to_vec(),
            line: Timeline::begin(start, seed)?,
            seats,
            auto: None,
            paused: false,
            time: None,
            timed: false,
            asked: Vec::new(),
            drawn: None,
            screen: Screen::default(),
            stop: None,
            games: 1,
            seeded: true,
        })
    }

    /// Takes over the comments and times of the record that the match was played from, and goes to
    /// the ply that it looks at.
    ///
    /// # Errors
    /// Tells if the rules go on for ever.
    pub fn adopt(&mut self, record: &Record) -> Result<(), Refused> {
        self.line.adopt(record)
    }

    /// Draws positions for that screen from now on.
    pub fn draw_for(&mut self, screen: Screen) {
        self.screen = screen;
    }

    /// How much room positions are drawn in.
    pub fn room(&self) -> Room {
        self.screen.room
    }

    /// Lets programs think only for as long as this is false.
    pub fn think_until(&mut self, stop: &'static AtomicBool) {
        self.stop = Some(stop);
    }

    /// How many games were begun here: each that is loaded, restarted or set up is another.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Says how long the next ply has been thought about.
    pub fn clock(&mut self, time: Duration) {
        self.time = Some(time);
        self.timed = true;
    }

    /// Where the game stands.
    pub fn position(&self) -> &State {
        self.line.now()
    }

    /// Whether the next line is one of a position that is being typed, blanks and all.
    pub fn is_drawing(&self) -> bool {
        self.drawn.is_some()
    }

    /// Whether nothing can be made again.
    pub fn is_at_end(&self) -> bool {
        self.line.whole() == self.line.len()
    }

    /// Takes over a record as [`Session::adopt`] does and goes back to where it begins; everything
    /// can be made again. If it has no seed, there is none to tell of before something new is
    /// played.
    ///
    /// # Errors
    /// Tells if the rules go on for ever.
    pub fn rewind(&mut self, record: &Record) -> Result<(), Refused> {
        self.adopt(record)?;
        self.seeded = record.seed.is_some();
        self.line.go_to(0)
    }

    /// The record of the game; with what was taken back and can be made again, if that is wanted.
    pub fn record(&self, whole: bool) -> Record {
        let result = self.position().outcome().map(|_| match why_result(self.position()) {
            Ok(answer) => answer.message.split_once(": ").map(|(_, reason)| reason.to_owned()),
            Err(message) => Some(message),
        });
        let seats = self.seats.spelled(self.rules());
        let record = self.line.record(whole);
        // What programs choose depends on it, too, and one may be asked later.
        let seed = self.seeded.then_some(self.line.seed);
        Record { seats, seed, reason: result.flatten(), ..record }
    }

    /// The last ply that a player chose, with its number, and what the record says of it.
    pub fn told(&self) -> String {
        let number = self.position().plies().len() - self.line.trailing_rolls();
        let ply = number.checked_sub(1).map(|index| self.line.told(index));
        ply.map(|ply| format!("{number}. {ply}\n")).unwrap_or_default()
    }

    /// Spells the rolls that were made since the last player's ply.
    pub fn rolled(&self) -> Vec<String> {
        let plies = self.position().plies();
        let since = plies.len() - self.line.trailing_rolls();
        plies[since..].iter().map(|ply| spell(self.rules(), ply)).collect()
    }

    /// Shows the position, after the roll that led to it if there was one.
    pub fn shown(&self) -> String {
        let rolls: String = self.rolled().iter().map(|roll| format!("{roll}\n")).collect();
        let seat_waits = self.seats.is_due(self.position()) && !self.is_due();
        let next = match self.position().turn() {
            Turn::Nobody => {
                "`undo` takes back the last ply, `save FILE` saves the game, `quit` leaves.\n"
            }
            _ if seat_waits => {
                "A program is to play: `auto` lets it, `redo` replays what was taken back.\n"
            }
            _ => "",
        };
        let lines = drawing(&Scene::of(self.position()), self.screen.room);
        format!("{rolls}{}{next}", spelled(&lines, self.screen.escape))
    }

    /// What can be typed now; of a position that is being typed nothing is known beforehand.
    pub fn words(&self) -> CompletionContext {
        if self.is_drawing() {
            CompletionContext::default()
        } else {
            CompletionContext::of(self.position())
        }
    }

    /// Gives up the position that is being typed; false if none is.
    pub fn stop_drawing(&mut self) -> bool {
        self.drawn.take().is_some()
    }

    /// Does what a line says: a move, its verb left out where that is clear, or a command.
    ///
    /// # Errors
    /// Tells what is wrong with it; nothing has been done then.
    pub fn obey(&mut self, line: &str) -> Result<Reply, Refused> {
        if let Some(text) = self.drawn.take() {
            return self.draw(text, line);
        }
        let line = line.trim();
        let asked = std::mem::take(&mut self.asked);
        if line.is_empty() {
            return Ok(Reply::Said(String::new()));
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if let Some(row) = word.strip_prefix('/').and_then(Command::from_name) {
            return self.command(row, rest.trim());
        }
        let row = Command::from_name(word);
        let candidates = completions(self.position(), line);
        match (row, &candidates[..]) {
            (Some(row), []) => self.command(row, rest.trim()),
            (Some(row), _) => Err(format!(
                "`{0}` can be a move (`play {0}`) or the command (`/{1}`)",
                clip(line),
                row.name
            )
            .into()),
            (None, []) => match line
                .parse::<usize>()
                .ok()
                .and_then(|number| asked.get(number.checked_sub(1)?))
            {
                Some(ply) => self.make(&ply.clone()),
                None => Err(refuse(self.position(), line)),
            },
            (None, _) => self.choose(line, candidates),
        }
    }

    /// Plays the one move that a text may stand for, or asks which.
    fn choose(&mut self, text: &str, candidates: Vec<Move>) -> Result<Reply, Refused> {
        if let [ply] = &candidates[..] {
            return self.make(&ply.clone());
        }
        let spelled = candidates
            .iter()
            .zip(1..)
            .map(|(ply, number)| format!("`{}` ({number})", spell(self.rules(), ply)));
        let message =
            format!("`{}` can mean {}", clip(text), list(&spelled.collect::<Vec<String>>(), "or"));
        self.asked = candidates;
        Err(Refused {
            help: Some("enter the whole move, or its number".to_owned()),
            ..message.into()
        })
    }

    pub(super) fn rules(&self) -> &Rules {
        self.line.now().game().rules()
    }

    fn command(&mut self, row: &CommandRow, rest: &str) -> Result<Reply, Refused> {
        if row.takes.is_empty() && !rest.is_empty() {
            return Err(format!("`{}` takes no argument, found `{}`", row.name, clip(rest)).into());
        }
        if row.needs() && rest.is_empty() {
            return Err(expected(row));
        }
        let width = self.screen.room.width;
        match row.command {
            Command::Moves => Ok(Reply::Said(queries::moves(self.position(), width))),
            Command::Play => match completions(self.position(), rest) {
                candidates if candidates.is_empty() => Err(refuse_move(self.position(), rest)),
                candidates => self.choose(rest, candidates),
            },
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Goto => self.go_to(rest),
            Command::Board => {
                let key = spelled(&key(&Scene::of(self.position()), width), self.screen.escape);
                Ok(Reply::Said(format!("{}\n{key}", self.shown())))
            }
            Command::Targets => {
                queries::targets(self.position(), rest, self.screen).map(Reply::Said)
            }
            Command::Why => Ok(Reply::Explained(why::ask(self.position(), rest)?)),
            Command::Hint => queries::hint(self.position(), rest, self.line.seed, width, self.stop)
                .map(Reply::Said),
            Command::Eval => queries::eval(self.position(), rest, self.line.seed, width, self.stop)
                .map(Reply::Said),
            Command::Auto => self.auto(rest),
            Command::Seats => self.seat(rest),
            Command::Options => Ok(Reply::Said(queries::options(self.rules(), width))),
            Command::Restart => self.restart(rest),
            Command::Seed => self.seed(rest),
            Command::Position if rest == "draw" => {
                self.drawn = Some(String::new());
                Ok(Reply::Said(
                    "Enter the diagram and the lines below it, then an empty line.\n".to_owned(),
                ))
            }
            Command::Position if rest.is_empty() => Ok(Reply::Said(Start::write(self.position()))),
            Command::Position => {
                Ok(Reply::Load { file: rest.to_owned(), wanted: Wanted::Position })
            }
            Command::Comment => {
                self.line.remark(rest);
                Ok(Reply::Said(String::new()))
            }
            Command::Record => Ok(Reply::Said(self.record(false).write())),
            Command::Save => {
                Ok(Reply::Save { file: rest.to_owned(), text: self.record(false).write() })
            }
            Command::Load => {
                let forced = rest
                    .strip_prefix("--force")
                    .filter(|file| file.is_empty() || file.starts_with(char::is_whitespace));
                match forced.map_or(rest, str::trim) {
                    "" => Err(expected(row)),
                    file => Ok(Reply::Load {
                        file: file.to_owned(),
                        wanted: Wanted::Record { force: forced.is_some() },
                    }),
                }
            }
            Command::Explain => queries::explain(rest, width).map(Reply::Said),
            Command::Help if rest.is_empty() => Ok(Reply::Said(queries::help(self.rules(), width))),
            Command::Help => queries::help_with(rest, width).map(Reply::Said),
            Command::Quit => Ok(Reply::Quit),
        }
    }

    /// Makes a move that somebody has typed.
    fn make(&mut self, ply: &Move) -> Result<Reply, Refused> {
        self.paused = false;
        self.play(ply)
    }

    pub(super) fn play(&mut self, ply: &Move) -> Result<Reply, Refused> {
        let note = PlyNote { time: self.time.take(), comment: None };
        self.line.play(ply, note)?;
        self.seeded = true;
        Ok(Reply::Moved(self.shown()))
    }

    /// Takes plies back until a person is to act: the programs' would only be made again.
    fn undo(&mut self) -> Result<Reply, Refused> {
        if !self.line.undo() {
            return Err("there is nothing to undo".into());
        }
        while self.seats.has_person() && self.seats.is_due(self.position()) && self.line.undo() {}
        Ok(Reply::Moved(self.shown()))
    }

    fn redo(&mut self) -> Result<Reply, Refused> {
        if !self.line.redo()? {
            return Err("there is nothing to redo".into());
        }
        while self.seats.has_person() && self.seats.is_due(self.position()) && self.line.redo()? {}
        Ok(Reply::Moved(self.shown()))
    }

    fn go_to(&mut self, rest: &str) -> Result<Reply, Refused> {
        let plies: usize = rest
            .parse()
            .map_err(|_| format!("expected a number of plies, found `{}`", clip(rest)))?;
        let whole = self.line.whole();
        if plies > whole {
            return Err(format!("the game has {whole} plies so far").into());
        }
        self.line.go_to(plies)?;
        Ok(Reply::Moved(self.shown()))
    }

    fn seed(&mut self, rest: &str) -> Result<Reply, Refused> {
        if !rest.is_empty() {
            let seed = rest.parse().map_err(|_| {
                format!("expected a whole number from 0 to {}, found `{}`", u64::MAX, clip(rest))
            })?;
            self.line.seed = seed;
            self.seeded = true;
            self.seats = Seats::new(self.rules(), &self.seats.wanted(self.rules()), seed)?;
        }
        Ok(Reply::Said(format!("seed: {}\n", self.line.seed)))
    }
}

/// Says what a command takes, where it was left out.
fn expected(row: &CommandRow) -> Refused {
    format!("expected `{}`", row.call()).into()
}
