//! Plies of computer players in a session.

use super::command::Command;
use super::queries;
use super::reply::{Played, Refused, Reply};
use super::seats::Seats;
use super::session::Session;
use crate::engine::game::Turn;
use crate::notation::{clip, spell};
use crate::random::mix;
use crate::search::{Player, PlayerKind};
use std::collections::BTreeSet;
use std::time::Duration;

impl Session {
    /// Tests if a program is to play now: with `auto` for any player, otherwise for the players
    /// whom it is seated as, unless programs are paused or plies can be redone.
    pub fn is_due(&self) -> bool {
        match (self.position().turn(), &self.auto) {
            (Turn::Player(_), Some(_)) => true,
            (Turn::Player(_), None) => {
                !self.paused && self.is_at_end() && self.seats.is_due(self.position())
            }
            _ => false,
        }
    }

    /// Tests if the program that is [due](Self::is_due) searches, and may take long.
    pub fn is_search_due(&self) -> bool {
        let seated = self.seats.program(self.position());
        let auto = self.auto.as_ref().map(|(_, player)| player);
        self.is_due() && seated.or(auto).is_some_and(Player::searches)
    }

    /// Tests if a line asks for a search.
    pub fn asks_for_search(&self, line: &str) -> bool {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let row = Command::from_name(word.strip_prefix('/').unwrap_or(word));
        let command = row.map(|row| row.command);
        let is_program = rest.is_empty()
            || ["mcts", "strong"].iter().any(|name| rest.trim_start().starts_with(name));
        matches!(command, Some(Command::Hint | Command::Eval)) && is_program && !self.is_drawing()
    }

    /// Tests if a program is to move but paused.
    pub fn is_paused(&self) -> bool {
        self.paused && self.seats.is_due(self.position())
    }

    /// Pauses the programs and ends `auto`.
    pub fn pause(&mut self) {
        self.auto = None;
        self.paused = true;
    }

    /// Lets the program to move play; `None` if none is due.
    ///
    /// # Errors
    /// Fails if the rules do not terminate.
    pub fn let_program_play(&mut self) -> Result<Option<Played>, Refused> {
        if !self.is_due() {
            return Ok(None);
        }
        let seated = self.seats.is_due(self.position());
        let choice = match &mut self.auto {
            Some((_, player)) if !seated => player.choose_until(&self.run.state, self.stop)?,
            _ => self.seats.choose(&self.run.state, self.stop)?,
        };
        let Some(choice) = choice else { return Ok(None) };
        let (mover, ply) = (self.position().turn(), spell(self.rules(), &choice.ply));
        let thought = match (mover, &choice.thinking) {
            (Turn::Player(player), Some(thinking)) => {
                queries::thinking(self.rules(), player, thinking, self.screen.room.width)
            }
            _ => String::new(),
        };
        self.time = choice
            .thinking
            .as_ref()
            .filter(|_| self.timed)
            .map(|thinking| Duration::from_secs_f64(thinking.seconds));
        let reply = self.play(&choice.ply)?;
        match &mut self.auto {
            Some((left, _)) if *left > 1 && !matches!(self.run.state.turn(), Turn::Nobody) => {
                *left -= 1
            }
            auto => {
                // After the requested number of plies, programs are paused.
                self.paused |= auto.is_some();
                *auto = None;
            }
        }
        Ok(Some(Played { mover, ply, thinking: choice.thinking, thought, reply }))
    }

    /// Starts `auto` with the given number of plies and program.
    pub(super) fn auto(&mut self, rest: &str) -> Result<Reply, Refused> {
        let (mut plies, mut kind) = (usize::MAX, PlayerKind::Time(Duration::from_millis(200)));
        for word in rest.split_whitespace() {
            match word.parse::<usize>() {
                Ok(0) => return Err("expected a number of plies from 1 up, found `0`".into()),
                Ok(number) => plies = number,
                Err(_) => {
                    kind = word.parse().map_err(|message| {
                        format!("expected a number of plies or a player; {message}")
                    })?
                }
            }
        }
        let player =
            Player::new(kind, mix(!self.tree.seed, u64::MAX)).ok_or("`human` is not a program")?;
        if self.position().turn() == Turn::Nobody {
            return Err(queries::OVER.into());
        }
        self.auto = Some((plies, player));
        self.paused = false;
        let width = self.screen.room.width;
        Ok(Reply::Said(queries::note_untrained(self.position().game(), kind, width)))
    }

    /// Changes who plays, and lists the seats.
    pub(super) fn seat(&mut self, rest: &str) -> Result<Reply, Refused> {
        let mut wanted = self.seats.wanted(self.rules());
        let mut changes: Vec<(String, PlayerKind)> = Vec::new();
        for word in rest.split_whitespace() {
            let (name, kind) = word
                .split_once('=')
                .ok_or_else(|| format!("expected NAME=PLAYER, found `{}`", clip(word)))?;
            changes.push((name.to_owned(), kind.parse()?));
        }
        // Checks the changes on their own first, so that unknown players are reported.
        Seats::new(self.rules(), &changes, self.tree.seed)?;
        let notes: Vec<PlayerKind> = changes.iter().map(|(_, kind)| *kind).collect();
        for (name, kind) in changes {
            wanted
                .iter_mut()
                .filter(|(known, _)| *known == name)
                .for_each(|(_, seated)| *seated = kind);
        }
        if !rest.is_empty() {
            self.seats = Seats::new(self.rules(), &wanted, self.tree.seed)?;
            self.paused = false;
        }
        let width = self.screen.room.width;
        let notes = notes
            .into_iter()
            .map(|kind| queries::note_untrained(self.position().game(), kind, width));
        let mut text: String = notes.collect::<BTreeSet<String>>().into_iter().collect();
        text.extend(wanted.iter().map(|(name, kind)| format!("{name}={kind}\n")));
        if self.position().is_swapped() {
            text.push_str("The two have swapped, and each plays the other's colour.\n");
        }
        Ok(Reply::Said(text))
    }
}
