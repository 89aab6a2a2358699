//! A game at the prompt: one line in, one reply out.

use super::answers;
use super::command::{Command, Row};
use super::line::Line;
use super::refusal::{refuse, refuse_move};
use super::reply::{Played, Refused, Reply, Wanted};
use super::seats::Seats;
use super::words::Words;
use crate::engine::game::{Match, Move, Turn};
use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::notation::{clip, completions, list, spell};
use crate::random::mix;
use crate::record::{CHANGED, Note, Record, Start, load};
use crate::render::{Room, Scene, drawing, key, spell as spelled};
use crate::search::{Kind, Player};
use crate::why::{self, why_result};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A game at the prompt, and who plays it.
pub struct Session {
    pub(super) source: Sources,
    /// The options that records and positions have to go with.
    pub(super) choices: Vec<(String, String)>,
    pub(super) line: Line,
    pub(super) seats: Seats,
    /// The program that plays for people, and for how many plies.
    pub(super) auto: Option<(usize, Player)>,
    /// Whether programs wait to be asked.
    paused: bool,
    /// How long the next ply has been thought about.
    time: Option<Duration>,
    /// Whether there is a clock.
    timed: bool,
    /// The moves that the last line may have meant.
    pub(super) asked: Vec<Move>,
    /// The lines of a position that is being typed.
    drawn: Option<String>,
    screen: Screen,
    /// Tells programs to think no further.
    stop: Option<&'static AtomicBool>,
    /// How many games were begun.
    games: usize,
    /// Whether programs have had a say in the game.
    programmed: bool,
}

/// What positions are drawn for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    pub room: Room,
    /// Whether it takes colours.
    pub color: bool,
}

impl Session {
    /// Begins where a match stands, and rolls the dice if a roll comes first. The source and the options asked for serve to load other records.
    ///
    /// # Errors
    /// Tells if the rules go on for ever, or the game has no such players as are to be seated.
    pub fn begin(
        source: impl Into<Sources>,
        choices: &[(String, String)],
        start: Match,
        seats: &[(String, Kind)],
        seed: u64,
    ) -> Result<Session, Refused> {
        let seats = Seats::new(start.game().rules(), seats, seed)?;
        Ok(Session {
            source: source.into(),
            choices: choices.to_vec(),
            line: Line::begin(start, seed)?,
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
            programmed: false,
        })
    }

    /// Takes over the comments and times of the record that the match was played from, and goes to the ply that it looks at.
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
    pub fn position(&self) -> &Match {
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

    /// Goes back to where the record begins; everything can be made again.
    ///
    /// # Errors
    /// Tells if the rules go on for ever.
    pub fn rewind(&mut self) -> Result<(), Refused> {
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
        // What programs choose depends on it, too.
        let seed = record.seed.or((self.programmed || self.seats.has_program()).then_some(self.line.seed));
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
            Turn::Nobody => "`undo` takes the last ply back, `save FILE` keeps the game, `quit` leaves.\n",
            _ if seat_waits => "A program plays here: `auto` lets it play on, `redo` makes what was taken back again.\n",
            _ => "",
        };
        let lines = drawing(&Scene::of(self.position()), self.screen.room);
        format!("{rolls}{}{next}", spelled(&lines, self.screen.color))
    }

    /// What can be typed now.
    pub fn words(&self) -> Words {
        Words::of(self.position())
    }

    /// Whether it is for a program to play now: where one sits, unless something was taken back that could be made again, or where one plays for people.
    pub fn is_due(&self) -> bool {
        match (self.position().turn(), &self.auto) {
            (Turn::Player(_), Some(_)) => true,
            (Turn::Player(_), None) => !self.paused && self.is_at_end() && self.seats.is_due(self.position()),
            _ => false,
        }
    }

    /// Lets the programs wait until they are asked again.
    pub fn pause(&mut self) {
        self.auto = None;
        self.paused = true;
    }

    /// Lets the program play whose turn it is; `None` where it is no program's.
    ///
    /// # Errors
    /// Tells if the rules go on for ever.
    pub fn let_program_play(&mut self) -> Result<Option<Played>, Refused> {
        if !self.is_due() {
            return Ok(None);
        }
        let seated = self.seats.is_due(self.position());
        let choice = match &mut self.auto {
            Some((_, player)) if !seated => player.choose_until(self.line.now(), self.stop)?,
            _ => self.seats.choose(self.line.now(), self.stop)?,
        };
        let Some(choice) = choice else { return Ok(None) };
        self.programmed = true;
        let (mover, ply) = (self.position().turn(), spell(self.rules(), &choice.ply));
        self.time = choice.thinking.as_ref().filter(|_| self.timed).map(|thinking| Duration::from_secs_f64(thinking.seconds));
        let reply = self.play(&choice.ply)?;
        match &mut self.auto {
            Some((left, _)) if *left > 1 && !matches!(self.line.now().turn(), Turn::Nobody) => *left -= 1,
            auto => {
                // Asked for so many plies, programs make no more.
                self.paused |= auto.is_some();
                *auto = None;
            }
        }
        Ok(Some(Played { mover, ply, thinking: choice.thinking, reply }))
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
            (Some(row), _) => Err(format!("`{0}` may be a move (`play {0}`) or the command (`/{1}`)", clip(line), row.name).into()),
            (None, []) => match line.parse::<usize>().ok().and_then(|number| asked.get(number.checked_sub(1)?)) {
                Some(ply) => self.make(&ply.clone()),
                None => Err(refuse(self.position(), line).into()),
            },
            (None, _) => self.choose(line, candidates),
        }
    }

    /// Plays the one move that a text may stand for, or asks which.
    fn choose(&mut self, text: &str, candidates: Vec<Move>) -> Result<Reply, Refused> {
        if let [ply] = &candidates[..] {
            return self.make(&ply.clone());
        }
        let spelled = candidates.iter().zip(1..).map(|(ply, number)| format!("`{}` ({number})", spell(self.rules(), ply)));
        let message = format!("`{}` may be {}", clip(text), list(&spelled.collect::<Vec<String>>(), "or"));
        self.asked = candidates;
        Err(Refused { help: Some("type the whole move, or its number".to_owned()), ..message.into() })
    }

    /// Goes to another game or position with the text of a file.
    ///
    /// # Errors
    /// Tells what is wrong with the text; the game at hand is then kept.
    pub fn take(&mut self, wanted: Wanted, text: &str) -> Result<Reply, Refused> {
        match wanted {
            Wanted::Record { force } => self.load(text, force),
            Wanted::Position => self.go_to_position(text),
        }
    }

    fn load(&mut self, text: &str, force: bool) -> Result<Reply, Refused> {
        let record = Record::parse(text).map_err(|misread| misread.to_string())?;
        let game = load(&self.source, &self.choices, Some(&record)).map_err(|unloadable| unloadable.to_string())?;
        let mut start = record.begin(&game)?;
        let said = match record.replay(&mut start) {
            Err(stopped) if force => format!("as far as it goes: {stopped}\n"),
            Ok(()) if record.is_changed(game.rules()) => format!("{CHANGED}\n"),
            done => done.map(|()| String::new())?,
        };
        let mut line = Line::begin(start, record.seed.unwrap_or(self.line.seed))?;
        line.adopt(&record)?;
        match self.sit_down_to(line)? {
            Reply::Moved(shown) => Ok(Reply::Moved(format!("{said}{shown}"))),
            other => Ok(other),
        }
    }

    fn go_to_position(&mut self, text: &str) -> Result<Reply, Refused> {
        let start = Start::parse(text).map_err(|misread| misread.to_string())?;
        // What it does not say of the options stays as it is.
        let mut options = start.options.clone();
        for (name, value) in answers::chosen(self.rules()) {
            if !options.iter().any(|(known, _)| *known == name) {
                options.push((name, value));
            }
        }
        let game = load(&self.source, &[], Some(&Record { options, ..Record::default() })).map_err(|unloadable| unloadable.to_string())?;
        let begun = start.begin(&game).map_err(|misread| misread.to_string())?;
        self.sit_down_to(Line::begin(begun, self.line.seed)?)
    }

    /// Goes on with another game of the same file.
    fn sit_down_to(&mut self, line: Line) -> Result<Reply, Refused> {
        let rules = line.now().game().rules();
        self.seats = Seats::new(rules, &self.seats.wanted(self.rules()), line.seed)?;
        self.line = line;
        self.games += 1;
        self.programmed = false;
        self.auto = None;
        self.paused = false;
        Ok(Reply::Moved(self.shown()))
    }

    pub(super) fn rules(&self) -> &Rules {
        self.line.now().game().rules()
    }

    fn command(&mut self, row: &Row, rest: &str) -> Result<Reply, Refused> {
        if row.takes.is_empty() && !rest.is_empty() {
            return Err(format!("`{}` stands alone, found `{}` after it", row.name, clip(rest)).into());
        }
        if row.needs() && rest.is_empty() {
            return Err(format!("expected `{}`", row.call()).into());
        }
        match row.command {
            Command::Moves => Ok(Reply::Said(answers::moves(self.position(), self.screen.room.width))),
            Command::Play => match completions(self.position(), rest) {
                candidates if candidates.is_empty() => Err(refuse_move(self.position(), rest).into()),
                candidates => self.choose(rest, candidates),
            },
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Goto => self.go_to(rest),
            Command::Board => {
                let key = spelled(&key(&Scene::of(self.position()), self.screen.room.width), self.screen.color);
                Ok(Reply::Said(format!("{}\n{key}", self.shown())))
            }
            Command::Targets => answers::targets(self.position(), rest, self.screen).map(Reply::Said),
            Command::Why => Ok(Reply::Explained(why::ask(self.position(), rest)?)),
            Command::Hint => answers::hint(self.position(), rest, self.line.seed, self.stop).map(Reply::Said),
            Command::Eval => answers::eval(self.position(), rest, self.line.seed, self.stop).map(Reply::Said),
            Command::Auto => self.auto(rest),
            Command::Seats => self.seat(rest),
            Command::Options => Ok(Reply::Said(answers::options(self.rules()))),
            Command::Restart => self.restart(rest),
            Command::Seed => self.seed(rest),
            Command::Position if rest == "draw" => {
                self.drawn = Some(String::new());
                Ok(Reply::Said("Type the diagram and what completes it, then an empty line.\n".to_owned()))
            }
            Command::Position if rest.is_empty() => Ok(Reply::Said(Start::write(self.position()))),
            Command::Position => Ok(Reply::Load { file: rest.to_owned(), wanted: Wanted::Position }),
            Command::Comment => {
                self.line.remark(rest);
                Ok(Reply::Said(String::new()))
            }
            Command::Record => Ok(Reply::Said(self.record(false).write())),
            Command::Save => Ok(Reply::Save { file: rest.to_owned(), text: self.record(false).write() }),
            Command::Load => {
                let forced = rest.strip_prefix("--force").filter(|file| file.starts_with(char::is_whitespace));
                let file = forced.map_or(rest, str::trim).to_owned();
                Ok(Reply::Load { file, wanted: Wanted::Record { force: forced.is_some() } })
            }
            Command::Explain => answers::explain(rest).map(Reply::Said),
            Command::Help if rest.is_empty() => Ok(Reply::Said(answers::help(self.rules(), self.screen.room.width))),
            Command::Help => answers::help_with(rest, self.screen.room.width).map(Reply::Said),
            Command::Quit => Ok(Reply::Quit),
        }
    }

    /// Makes a move that somebody has typed.
    fn make(&mut self, ply: &Move) -> Result<Reply, Refused> {
        self.paused = false;
        self.play(ply)
    }

    fn play(&mut self, ply: &Move) -> Result<Reply, Refused> {
        let note = Note { time: self.time.take(), comment: None };
        self.line.play(ply, note)?;
        Ok(Reply::Moved(self.shown()))
    }

    /// Takes plies back until a person is to act: the programs' would only be made again.
    fn undo(&mut self) -> Result<Reply, Refused> {
        if !self.line.undo() {
            return Err("there is nothing to take back".into());
        }
        while self.seats.has_person() && self.seats.is_due(self.position()) && self.line.undo() {}
        Ok(Reply::Moved(self.shown()))
    }

    fn redo(&mut self) -> Result<Reply, Refused> {
        if !self.line.redo()? {
            return Err("there is nothing to make again".into());
        }
        while self.seats.has_person() && self.seats.is_due(self.position()) && self.line.redo()? {}
        Ok(Reply::Moved(self.shown()))
    }

    fn go_to(&mut self, rest: &str) -> Result<Reply, Refused> {
        let plies: usize = rest.parse().map_err(|_| format!("expected a number of plies, found `{}`", clip(rest)))?;
        let whole = self.line.whole();
        if plies > whole {
            return Err(format!("the game has {whole} plies so far").into());
        }
        self.line.go_to(plies)?;
        Ok(Reply::Moved(self.shown()))
    }

    fn auto(&mut self, rest: &str) -> Result<Reply, Refused> {
        let (mut plies, mut kind) = (usize::MAX, Kind::Time(Duration::from_millis(200)));
        for word in rest.split_whitespace() {
            match word.parse::<usize>() {
                Ok(0) => return Err("expected a number of plies from 1 up, found `0`".into()),
                Ok(number) => plies = number,
                Err(_) => kind = word.parse().map_err(|message| format!("expected a number of plies or a player; {message}"))?,
            }
        }
        let player = Player::new(kind, mix(!self.line.seed, u64::MAX)).ok_or("a person does not play by itself")?;
        if self.position().turn() == Turn::Nobody {
            return Err(answers::OVER.into());
        }
        self.auto = Some((plies, player));
        self.paused = false;
        Ok(Reply::Said(String::new()))
    }

    fn seat(&mut self, rest: &str) -> Result<Reply, Refused> {
        let mut wanted = self.seats.wanted(self.rules());
        let mut changes: Vec<(String, Kind)> = Vec::new();
        for word in rest.split_whitespace() {
            let (name, kind) = word.split_once('=').ok_or_else(|| format!("expected NAME=PLAYER, found `{}`", clip(word)))?;
            changes.push((name.to_owned(), kind.parse()?));
        }
        // What was asked for is looked at by itself first: there may be no such player.
        Seats::new(self.rules(), &changes, self.line.seed)?;
        for (name, kind) in changes {
            wanted.iter_mut().filter(|(known, _)| *known == name).for_each(|(_, seated)| *seated = kind);
        }
        if !rest.is_empty() {
            self.seats = Seats::new(self.rules(), &wanted, self.line.seed)?;
            self.paused = false;
        }
        Ok(Reply::Said(wanted.iter().map(|(name, kind)| format!("{name}={kind}\n")).collect()))
    }

    fn restart(&mut self, rest: &str) -> Result<Reply, Refused> {
        let mut choices = answers::chosen(self.rules());
        for word in rest.split_whitespace() {
            let (name, value) = word.split_once('=').ok_or_else(|| format!("expected KEY=VALUE, found `{}`", clip(word)))?;
            choices.retain(|(known, _)| known != name);
            choices.push((name.to_owned(), value.to_owned()));
        }
        let game = load(&self.source, &choices, None).map_err(|unloadable| unloadable.to_string())?;
        let start = game.begin()?;
        // An option that is chosen anew binds records no longer.
        self.choices.retain(|choice| choices.contains(choice));
        self.sit_down_to(Line::begin(start, mix(self.line.seed, u64::MAX) % 1_000_000_000)?)
    }

    fn seed(&mut self, rest: &str) -> Result<Reply, Refused> {
        if !rest.is_empty() {
            let seed = rest.parse().map_err(|_| format!("expected a whole number from 0 to {}, found `{}`", u64::MAX, clip(rest)))?;
            self.line.seed = seed;
            self.seats = Seats::new(self.rules(), &self.seats.wanted(self.rules()), seed)?;
        }
        Ok(Reply::Said(format!("seed: {}\n", self.line.seed)))
    }

    /// Takes another line of a position, or goes there once it is whole.
    fn draw(&mut self, mut text: String, line: &str) -> Result<Reply, Refused> {
        if line.trim().is_empty() {
            return self.go_to_position(&text).map_err(|refused| Refused { message: format!("in what was typed, {refused}"), ..refused });
        }
        if text.len() + line.len() > crate::record::LIMIT {
            return Err("the position is too large".into());
        }
        text.extend([line, "\n"]);
        self.drawn = Some(text);
        Ok(Reply::Said(String::new()))
    }
}
