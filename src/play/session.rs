//! A game at the prompt: one line in, one reply out.

use super::command::{COMMANDS, Command};
use crate::engine::game::{Fault, Match, Move, PlayError, Turn};
use crate::language::near::nearest;
use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::notation::{clip, completions, form, legal, list, read, refuse_bare, spell};
use crate::record::{Record, load};
use crate::render::{Room, Scene, drawing, key, spell as spelled};
use crate::search::roll;
use crate::why;

/// What a line leads to.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The position is another now; the text shows it.
    Moved(String),
    /// An answer.
    Said(String),
    /// The answer to a question about the rules.
    Explained(why::Reply),
    /// The text is to be written to the file.
    Save {
        file: String,
        text: String,
    },
    /// The file is to be read and given to [`Session::load`].
    Load {
        file: String,
    },
    Quit,
}

/// Why a line was not obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// A sentence without its period.
    pub message: String,
    /// What in the rules goes round without end, where that is why.
    pub fault: Option<Fault>,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refused {}

impl From<String> for Refused {
    fn from(message: String) -> Refused {
        Refused { message, fault: None }
    }
}

impl From<&str> for Refused {
    fn from(message: &str) -> Refused {
        message.to_owned().into()
    }
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Refused {
        Refused { message: fault.message.clone(), fault: Some(fault) }
    }
}

/// A game at the prompt.
///
/// Dice roll themselves. The roll at a given ply depends on the seed and the number of the ply alone, so taking back and playing on never changes it.
pub struct Session {
    source: Sources,
    choices: Vec<(String, String)>,
    seed: u64,
    /// Whether it began at another position than the first, which no record tells.
    elsewhere: bool,
    now: Match,
    /// What was taken back, the last ply first.
    undone: Vec<Move>,
    screen: Screen,
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
    /// Tells if the rules go on for ever.
    pub fn begin(source: impl Into<Sources>, choices: &[(String, String)], start: Match, seed: u64) -> Result<Session, Refused> {
        let mut session = Session {
            source: source.into(),
            choices: choices.to_vec(),
            seed,
            elsewhere: false,
            now: start,
            undone: Vec::new(),
            screen: Screen::default(),
        };
        session.roll()?;
        Ok(session)
    }

    /// Says that the match began at another position than the first. There is then no record of it to be saved.
    pub fn elsewhere(self) -> Session {
        Session { elsewhere: true, ..self }
    }

    /// Draws positions for that screen from now on.
    pub fn draw_for(&mut self, screen: Screen) {
        self.screen = screen;
    }

    /// Where the game stands.
    pub fn position(&self) -> &Match {
        &self.now
    }

    /// Spells the rolls that were made since the last player's ply.
    pub fn rolled(&self) -> Vec<String> {
        let plies = self.now.plies();
        let since = plies.len() - trailing_rolls(&self.now);
        plies[since..].iter().map(|ply| spell(self.rules(), ply)).collect()
    }

    /// Shows the position, after the roll that led to it if there was one.
    pub fn shown(&self) -> String {
        let rolls: String = self.rolled().iter().map(|roll| format!("{roll}\n")).collect();
        let over = match self.now.turn() {
            Turn::Nobody => "`undo` takes the last ply back, `save FILE` keeps the game, `quit` leaves.\n",
            _ => "",
        };
        let lines = drawing(&Scene::of(&self.now), self.screen.room);
        format!("{rolls}{}{over}", spelled(&lines, self.screen.color))
    }

    /// The words that can begin a line now: the commands and the legal moves.
    pub fn words(&self) -> Vec<String> {
        let commands = COMMANDS.iter().map(|&(_, name, ..)| name.to_owned());
        commands.chain(legal(&self.now)).collect()
    }

    /// Does what a line says: a move, its verb left out where that is clear, or a command.
    ///
    /// # Errors
    /// Tells what is wrong with it; nothing has been done then.
    pub fn obey(&mut self, line: &str) -> Result<Reply, Refused> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(Reply::Said(String::new()));
        }
        match &completions(&self.now, line)[..] {
            [] => {}
            [ply] => {
                let ply = ply.clone();
                self.undone.clear();
                return self.play(&ply);
            }
            candidates => {
                let spelled: Vec<String> = candidates.iter().map(|ply| format!("`{}`", spell(self.rules(), ply))).collect();
                return Err(format!("`{}` may be {}", clip(line), list(&spelled, "or")).into());
            }
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match Command::from_name(word) {
            Some(command) => self.command(command, rest.trim()),
            None => Err(self.refuse(line, word).into()),
        }
    }

    /// Goes on from a record instead.
    ///
    /// # Errors
    /// Tells what is wrong with the record; the game at hand is then kept.
    pub fn load(&mut self, text: &str) -> Result<Reply, Refused> {
        let record = Record::parse(text).map_err(|misread| misread.to_string())?;
        let game = load(&self.source, &self.choices, Some(&record)).map_err(|unloadable| unloadable.to_string())?;
        let mut start = game.begin()?;
        record.replay(&mut start).map_err(|stopped| {
            let message = match &stopped.help {
                Some(help) => format!("{stopped}; {help}"),
                None => stopped.to_string(),
            };
            match stopped.endless {
                Some(span) => Fault { message, span }.into(),
                None => Refused::from(message),
            }
        })?;
        let seed = record.seed.unwrap_or(self.seed);
        let screen = self.screen;
        *self = Session::begin(&self.source, &self.choices, start, seed)?;
        self.screen = screen;
        Ok(Reply::Moved(self.shown()))
    }

    fn rules(&self) -> &Rules {
        self.now.game().rules()
    }

    fn command(&mut self, command: Command, rest: &str) -> Result<Reply, Refused> {
        let takes = COMMANDS.iter().find(|known| known.0 == command).map(|&(_, name, takes, _)| (name, takes));
        match takes {
            Some((name, "")) if !rest.is_empty() => return Err(format!("`{name}` stands alone, found `{}` after it", clip(rest)).into()),
            Some((name, takes)) if !takes.is_empty() && !takes.starts_with('[') && rest.is_empty() => {
                return Err(format!("expected `{name} {takes}`").into());
            }
            _ => {}
        }
        match command {
            Command::Moves => Ok(Reply::Said(self.moves())),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Board => {
                let key = spelled(&key(&Scene::of(&self.now), self.screen.room.width), self.screen.color);
                Ok(Reply::Said(format!("{}\n{key}", self.shown())))
            }
            Command::Why => Ok(Reply::Explained(why::ask(&self.now, rest)?)),
            Command::Options => Ok(Reply::Said(options(self.rules()))),
            Command::Save if self.elsewhere => Err("this game began at a position of its own, and a record begins at the first".into()),
            Command::Save => Ok(Reply::Save { file: rest.to_owned(), text: Record::of(&self.now, self.seed).write() }),
            Command::Load => Ok(Reply::Load { file: rest.to_owned() }),
            Command::Help => Ok(Reply::Said(self.help())),
            Command::Quit => Ok(Reply::Quit),
        }
    }

    fn play(&mut self, ply: &Move) -> Result<Reply, Refused> {
        make(&mut self.now, ply)?;
        self.roll()?;
        Ok(Reply::Moved(self.shown()))
    }

    /// Rolls the dice for as long as rolls come next.
    fn roll(&mut self) -> Result<(), Refused> {
        while let Some(outcome) = roll(&self.now, self.seed) {
            make(&mut self.now, &outcome)?;
        }
        Ok(())
    }

    fn undo(&mut self) -> Result<Reply, Refused> {
        let back = trailing_rolls(&self.now) + 1;
        if back > self.now.plies().len() {
            return Err("there is nothing to take back".into());
        }
        for _ in 0..back {
            self.undone.extend(self.now.plies().last().cloned());
            self.now.undo();
        }
        Ok(Reply::Moved(self.shown()))
    }

    fn redo(&mut self) -> Result<Reply, Refused> {
        let Some(ply) = self.undone.pop() else { return Err("there is nothing to make again".into()) };
        make(&mut self.now, &ply)?;
        while self.now.turn() == Turn::Chance {
            let Some(roll) = self.undone.pop() else { break };
            make(&mut self.now, &roll)?;
        }
        self.roll()?;
        Ok(Reply::Moved(self.shown()))
    }

    fn moves(&self) -> String {
        let moves = legal(&self.now);
        if moves.is_empty() {
            return "The game is over.\n".to_owned();
        }
        let wide = moves.iter().map(|spelled| spelled.chars().count()).max().unwrap_or(1) + 2;
        let columns = (96 / wide).max(1);
        let line = |moves: &[String]| {
            let padded: String = moves.iter().map(|spelled| format!("{spelled:wide$}")).collect();
            format!("{}\n", padded.trim_end())
        };
        moves.chunks(columns).map(line).collect()
    }

    fn help(&self) -> String {
        let forms: Vec<String> = self.rules().moves.iter().map(|rule| format!("`{}`", form(rule))).collect();
        let mut text = format!("A line is a move of {}:\n  {}\n", self.rules().title, forms.join(", "));
        text.push_str("The verb may be left out where only one move fits. Or it is a command:\n");
        for (_, name, takes, what) in COMMANDS {
            let call = format!("{name} {takes}");
            text.push_str(&format!("  {call:10} {what}\n"));
        }
        text
    }

    /// Says why a line is neither a legal move nor a command.
    fn refuse(&self, line: &str, word: &str) -> String {
        let verbs = self.rules().moves.iter().map(|rule| rule.verb.as_str());
        if verbs.clone().any(|verb| verb == word) {
            return match read(&self.now, line) {
                Err(refusal) => refusal.line(),
                Ok(_) => format!("`{}` is not clear", clip(line)),
            };
        }
        if self.now.turn() == Turn::Nobody {
            return format!("`{}` cannot be done: the game is over; `undo` takes the last ply back", clip(line));
        }
        if let Some(refusal) = refuse_bare(&self.now, line) {
            return refusal;
        }
        let near = nearest(word, COMMANDS.iter().map(|&(_, name, ..)| name).chain(verbs));
        match near {
            Some(near) => format!("`{}` is neither a legal move nor a command; did you mean `{near}`?", clip(line)),
            None => format!("`{}` is neither a legal move nor a command; `moves` and `help` list those", clip(line)),
        }
    }
}

/// Counts the rolls at the end of what was played, which no player chose.
fn trailing_rolls(position: &Match) -> usize {
    let game = position.game();
    position.plies().iter().rev().take_while(|ply| game.is_roll(ply)).count()
}

fn make(position: &mut Match, ply: &Move) -> Result<(), Refused> {
    position.play(ply).map_err(|error| match error {
        PlayError::Illegal => format!("`{}` is not legal", spell(position.game().rules(), ply)).into(),
        PlayError::Fault(fault) => fault.into(),
    })
}

fn options(rules: &Rules) -> String {
    if rules.options.is_empty() {
        return "This game has no options.\n".to_owned();
    }
    let line = |option: &crate::language::rules::Choice| {
        let values = &option.values;
        let range =
            if values.len() > 8 { format!("{}, {} … {}", values[0], values[1], values[values.len() - 1]) } else { list(values, "or") };
        let default = if option.chosen == option.default { String::new() } else { format!("; usually {}", values[option.default]) };
        format!("{}={}  {} ({range}{default})\n", option.name, values[option.chosen], option.description)
    };
    rules.options.iter().map(line).collect()
}
