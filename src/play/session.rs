//! The state of the prompt, and the execution of lines.

use super::command::{Command, CommandRow};
use super::completion::CompletionContext;
use super::expressions;
use super::queries;
use super::refusal::refuse_move;
use super::reply::{Refused, Reply, Wanted};
use super::seats::Seats;
use super::variations::{Run, Variations};
use crate::engine::game::{Move, State, Turn};
use crate::engine::snapshot::Snapshot;
use crate::evaluate::is_expression;
use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::notation::{clip, completions, spell, understand};
use crate::record::{Record, Start};
use crate::render::{Room, Scene, drawing, key, spell_with as spelled};
use crate::search::{Player, PlayerKind};
use crate::why::{self, why_result};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A game at the prompt, and who plays it.
pub struct Session {
    pub(super) source: Sources,
    /// The options requested at the start, which records and positions must match.
    pub(super) choices: Vec<(String, String)>,
    pub(super) tree: Variations,
    pub(super) run: Run,
    pub(super) seats: Seats,
    /// The remaining plies of `auto`, and the program that it uses for human players.
    pub(super) auto: Option<(usize, Player)>,
    /// Whether programs wait for a command.
    pub(super) paused: bool,
    /// The time used for the next ply.
    pub(super) time: Option<Duration>,
    /// Whether times are recorded.
    pub(super) timed: bool,
    /// The possible meanings of the last line, if it was ambiguous.
    pub(super) asked: Vec<Move>,
    /// The text of a position that is being entered.
    pub(super) drawn: Option<String>,
    pub(super) screen: Screen,
    /// Ends searches of programs early.
    pub(super) stop: Option<&'static AtomicBool>,
    /// The number of games started.
    pub(super) games: usize,
    /// The replaced games, the latest last.
    pub(super) replaced: Vec<Replaced>,
    /// Whether the plies may depend on the seed.
    pub(super) seeded: bool,
    /// Whether the last line was a move.
    pub(super) has_moved: bool,
    /// The expressions that are shown after each ply.
    pub(super) watched: Vec<String>,
}

/// A game that was replaced by another one.
pub(super) struct Replaced {
    pub tree: Variations,
    pub run: Run,
    /// The options requested for this game.
    pub choices: Vec<(String, String)>,
}

/// The medium that positions are drawn for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    pub room: Room,
    /// The start of escape sequences, or `None` for plain text; [`ESCAPE`](crate::render::ESCAPE)
    /// for a terminal.
    pub escape: Option<&'static str>,
}

impl Session {
    /// Starts at the position of a match, and makes its first rolls. The source and the requested
    /// options are kept for loading other records.
    ///
    /// # Errors
    /// Fails if the rules do not terminate or the game has no such players.
    pub fn begin(
        source: impl Into<Sources>,
        choices: &[(String, String)],
        start: State,
        seats: &[(String, PlayerKind)],
        seed: u64,
    ) -> Result<Session, Refused> {
        let seats = Seats::new(start.game().rules(), seats, seed)?;
        let (tree, run) = Variations::of_match(start, seed)?;
        Ok(Session {
            source: source.into(),
            choices: choices.to_vec(),
            tree,
            run,
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
            replaced: Vec::new(),
            seeded: true,
            has_moved: false,
            watched: Vec::new(),
        })
    }

    /// Takes over the comments and times of the record that the match was played from, and goes to
    /// the record's current ply.
    ///
    /// # Errors
    /// Fails if the rules do not terminate.
    pub fn adopt(&mut self, record: &Record) -> Result<(), Refused> {
        Ok(self.tree.adopt(&mut self.run, record)?)
    }

    /// Sets the screen for which positions are drawn.
    pub fn draw_for(&mut self, screen: Screen) {
        self.screen = screen;
    }

    /// Returns the space for drawings.
    pub fn room(&self) -> Room {
        self.screen.room
    }

    /// Sets a flag that ends searches of programs.
    pub fn think_until(&mut self, stop: &'static AtomicBool) {
        self.stop = Some(stop);
    }

    /// Returns the number of games started, loaded and set up so far.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Sets the time used for the next ply, and records times from now on.
    pub fn clock(&mut self, time: Duration) {
        self.time = Some(time);
        self.timed = true;
    }

    /// Returns the current position.
    pub fn position(&self) -> &State {
        &self.run.state
    }

    /// Tests if the next line belongs to a position that is being entered; blanks in it are
    /// significant.
    pub fn is_drawing(&self) -> bool {
        self.drawn.is_some()
    }

    /// Tests if the last line was a move.
    pub fn has_moved(&self) -> bool {
        self.has_moved
    }

    /// Tests if no ply can be redone.
    pub fn is_at_end(&self) -> bool {
        self.whole() == self.run.path.len()
    }

    /// As [`Session::adopt`], but goes to the start of the record; all plies can be redone. Without
    /// a seed in the record, none is recorded until a new ply is made.
    ///
    /// # Errors
    /// Fails if the rules do not terminate.
    pub fn rewind(&mut self, record: &Record) -> Result<(), Refused> {
        self.adopt(record)?;
        self.seeded = record.seed.is_some();
        Ok(self.tree.go_to_ply(&mut self.run, 0)?)
    }

    /// Returns the number of plies including those that can be redone.
    pub(super) fn whole(&self) -> usize {
        self.run.path.len() + self.tree.ahead(self.run.node()).len()
    }

    /// Returns the record of the game; if `whole`, with the plies that can be redone.
    pub fn record(&self, whole: bool) -> Record {
        let result = self.position().outcome().map(|_| match why_result(self.position()) {
            Ok(answer) => answer.reason().map(str::to_owned),
            Err(message) => Some(message),
        });
        let seats = self.seats.spelled(self.rules());
        let record = self.tree.record(&self.run, whole);
        // The seed also determines the choices of programs, now or later.
        let seed = self.seeded.then_some(self.tree.seed);
        Record { seats, seed, reason: result.flatten(), ..record }
    }

    /// Returns the last ply chosen by a player, with its number and remarks.
    pub fn told(&self) -> String {
        let number = self.run.path.len() - self.run.trailing_rolls();
        let ply = number.checked_sub(1).map(|index| {
            let ply = spell(self.rules(), &self.position().plies()[index]);
            format!("{number}. {ply}{}\n", self.tree.nodes[self.run.path[index]].note.write())
        });
        ply.unwrap_or_default()
    }

    /// Lists the rolls since the last ply of a player.
    pub fn rolled(&self) -> Vec<String> {
        let plies = self.position().plies();
        let since = plies.len() - self.run.trailing_rolls();
        plies[since..].iter().map(|ply| spell(self.rules(), ply)).collect()
    }

    /// Shows the rolls since the last ply of a player, the position, and the possible next steps.
    pub fn shown(&self) -> String {
        self.drawn_with(Scene::of(self.position()))
    }

    /// Shows the position as [`Session::shown`] does, and marks all sites changed since an earlier
    /// position.
    pub fn shown_since(&self, before: &Snapshot) -> String {
        self.drawn_with(Scene::of(self.position()).with_changes(before))
    }

    fn drawn_with(&self, scene: Scene) -> String {
        let rolls: String = self.rolled().iter().map(|roll| format!("{roll}\n")).collect();
        let seat_waits = self.seats.is_due(self.position()) && !self.is_due();
        let next = match self.position().turn() {
            Turn::Nobody => queries::ending(self.position(), self.screen.room.width),
            _ if seat_waits => {
                "A program is to play: `auto` lets it, `redo` replays what was taken back.\n"
                    .to_owned()
            }
            _ => String::new(),
        };
        let lines = drawing(&scene, self.screen.room);
        let watched = self.watched_lines();
        format!("{rolls}{}{watched}{next}", spelled(&lines, self.screen.escape))
    }

    /// Returns the completions for the next line; none while a position is being entered.
    pub fn words(&self) -> CompletionContext {
        if self.is_drawing() {
            CompletionContext::default()
        } else {
            CompletionContext::of(self.position())
        }
    }

    /// Discards the position that is being entered; returns false if there is none.
    pub fn stop_drawing(&mut self) -> bool {
        self.drawn.take().is_some()
    }

    /// Executes a line: a move, with or without its verb, or a command.
    ///
    /// # Errors
    /// Says why the line is refused; the session is then unchanged.
    pub fn obey(&mut self, line: &str) -> Result<Reply, Refused> {
        if let Some(text) = self.drawn.take() {
            return self.draw(text, line);
        }
        let line = line.trim();
        let asked = std::mem::take(&mut self.asked);
        self.has_moved = false;
        if line.is_empty() {
            return Ok(Reply::Said(String::new()));
        }
        if is_expression(line) {
            return self.evaluate(line);
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
            (None, []) => self.obey_loosely(line, &asked),
            (None, _) => self.choose(line, candidates),
        }
    }

    pub(super) fn rules(&self) -> &Rules {
        self.position().game().rules()
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
            Command::Play => match understand(self.position(), rest) {
                candidates if candidates.is_empty() => Err(refuse_move(self.position(), rest)),
                candidates => self.choose(rest, candidates),
            },
            Command::Undo => self.undo(rest),
            Command::Redo => self.redo(),
            Command::Goto => self.go_to(rest),
            Command::Board => {
                let key = spelled(&key(&Scene::of(self.position()), width), self.screen.escape);
                Ok(Reply::Said(format!("{}\n{key}", self.shown())))
            }
            Command::Targets => {
                queries::targets(self.position(), rest, self.screen).map(Reply::Said)
            }
            Command::Why if is_expression(rest) => self.explain_value(rest),
            Command::Why => Ok(Reply::Explained(why::ask(self.position(), rest)?)),
            Command::Hint => queries::hint(self.position(), rest, self.tree.seed, width, self.stop)
                .map(Reply::Said),
            Command::Eval if is_expression(rest) || expressions::is_name(self.rules(), rest) => {
                self.evaluate(rest)
            }
            Command::Watch => self.watch(rest),
            Command::Eval => queries::eval(self.position(), rest, self.tree.seed, width, self.stop)
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
                self.tree.remark(&self.run, rest);
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
            Command::Explain => queries::explain(self.rules(), rest, width).map(Reply::Said),
            Command::Help if rest.is_empty() => Ok(Reply::Said(queries::help(self.rules(), width))),
            Command::Help => queries::help_with(rest, width).map(Reply::Said),
            Command::Quit => Ok(Reply::Quit),
        }
    }

    /// Undoes as many plies of people as `rest` says, together with the plies of programs after
    /// them.
    fn undo(&mut self, rest: &str) -> Result<Reply, Refused> {
        let times: usize = match rest {
            "" => 1,
            _ => rest
                .parse()
                .ok()
                .filter(|&times| times > 0)
                .ok_or_else(|| format!("expected a number of plies, found `{}`", clip(rest)))?,
        };
        for undone in 0..times {
            match self.undo_once() {
                true => {}
                // At the start of a game, the command that replaced the previous game is undone.
                false if undone == 0 => return self.bring_back(),
                false => break,
            }
        }
        Ok(Reply::Moved(self.shown()))
    }

    fn undo_once(&mut self) -> bool {
        let own = self.run.plies_before_own(|position| self.seats.is_skipped(position));
        if own.is_none() && self.run.trailing_rolls() == self.run.path.len() {
            return false;
        }
        self.tree.go_to_ply(&mut self.run, own.unwrap_or(0)).is_ok()
    }

    fn redo(&mut self) -> Result<Reply, Refused> {
        if !self.tree.redo(&mut self.run, |position| self.seats.is_skipped(position))? {
            return Err("there is nothing to redo".into());
        }
        Ok(Reply::Moved(self.shown()))
    }

    fn go_to(&mut self, rest: &str) -> Result<Reply, Refused> {
        let plies: usize = rest
            .parse()
            .map_err(|_| format!("expected a number of plies, found `{}`", clip(rest)))?;
        let whole = self.whole();
        if plies > whole {
            return Err(format!("the game has {whole} plies so far").into());
        }
        self.tree.go_to_ply(&mut self.run, plies)?;
        Ok(Reply::Moved(self.shown()))
    }

    fn seed(&mut self, rest: &str) -> Result<Reply, Refused> {
        if !rest.is_empty() {
            let seed = rest.parse().map_err(|_| {
                format!("expected a whole number from 0 to {}, found `{}`", u64::MAX, clip(rest))
            })?;
            self.tree.seed = seed;
            self.seeded = true;
            self.seats = Seats::new(self.rules(), &self.seats.wanted(self.rules()), seed)?;
        }
        Ok(Reply::Said(format!("seed: {}\n", self.tree.seed)))
    }
}

/// Says which arguments are missing.
fn expected(row: &CommandRow) -> Refused {
    format!("expected `{}`", row.call()).into()
}
