//! Moves at the prompt: one or several on a line, in any form that people type.

use super::expressions;
use super::refusal::refuse;
use super::reply::{Refused, Reply};
use super::session::Session;
use crate::engine::game::{Move, State, Turn};
use crate::notation::{clip, completions, list, spell, turn, understand};
use crate::record::PlyNote;

/// The most plies on a line.
const MAX_PLIES: usize = 100;
/// The most words of a ply on a line without commas.
const MAX_WORDS: usize = 6;
/// The most moves listed for an ambiguous line.
const MAX_LISTED: usize = 12;

impl Session {
    /// Executes a line that is neither a command nor a move in canonical spelling: the number of a
    /// move in the last question, a name with a value, a move in another form, or several plies.
    pub(super) fn obey_loosely(&mut self, line: &str, asked: &[Move]) -> Result<Reply, Refused> {
        let number = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        if let Some(ply) = number.and_then(|number| asked.get(number)) {
            return self.make(&ply.clone());
        }
        if expressions::is_name(self.rules(), line) {
            return self.evaluate(line);
        }
        let meant = understand(self.position(), line);
        if !meant.is_empty() {
            return self.choose(line, meant);
        }
        match self.several(line) {
            Some(played) => played,
            None => Err(refuse(self.position(), line)),
        }
    }

    /// Plays the move if the text has only one meaning; otherwise asks which move is meant.
    pub(super) fn choose(&mut self, text: &str, candidates: Vec<Move>) -> Result<Reply, Refused> {
        if let [ply] = &candidates[..] {
            return self.make(&ply.clone());
        }
        let mut spelled: Vec<String> = candidates
            .iter()
            .zip(1..)
            .take(MAX_LISTED)
            .map(|(ply, number)| format!("`{}` ({number})", spell(self.rules(), ply)))
            .collect();
        if candidates.len() > MAX_LISTED {
            spelled.push(format!("{} more", candidates.len() - MAX_LISTED));
        }
        let joint = if candidates.len() > MAX_LISTED { "and" } else { "or" };
        let message = format!("`{}` can mean {}", clip(text), list(&spelled, joint));
        self.asked = candidates;
        Err(Refused {
            help: Some("enter the whole move, or its number".to_owned()),
            ..message.into()
        })
    }

    /// Makes a move that was entered.
    pub(super) fn make(&mut self, ply: &Move) -> Result<Reply, Refused> {
        self.paused = false;
        let reply = self.play(ply)?;
        self.has_moved = true;
        Ok(reply)
    }

    pub(super) fn play(&mut self, ply: &Move) -> Result<Reply, Refused> {
        let note = PlyNote { time: self.time.take(), comment: None };
        self.tree.play_anew(&mut self.run, ply, note)?;
        self.seeded = true;
        Ok(Reply::Moved(self.shown()))
    }

    /// Plays several plies on a line, separated by commas or blanks; either all of them or none.
    /// `None` if the line does not begin with a ply.
    fn several(&mut self, line: &str) -> Option<Result<Reply, Refused>> {
        let parts: Vec<&str> = line.split([',', ';']).map(str::trim).collect();
        let by_comma = parts.len() > 1;
        let words: Vec<&str> = if by_comma { parts } else { line.split_whitespace().collect() };
        if words.len() < 2 || words.len() > MAX_PLIES {
            return None;
        }
        let before = self.position().snapshot();
        let (tree, run) = (self.tree.clone(), self.run.clone());
        let mut at = 0;
        let mut number = 0;
        while at < words.len() {
            let found = match by_comma {
                true if words[at].is_empty() => {
                    at += 1;
                    continue;
                }
                true => only(understand(self.position(), words[at])).map(|ply| (ply, 1)),
                false => longest(self.position(), &words[at..]),
            };
            if found.is_none() && number == 0 {
                return None;
            }
            let played = match found {
                _ if number > 0 && self.seats.is_due(self.position()) => {
                    Err(format!("{} is played by a program", self.mover_name()).into())
                }
                Some((ply, taken)) => {
                    at += taken;
                    let note = PlyNote::default();
                    self.tree.play_anew(&mut self.run, &ply, note).map_err(Refused::from)
                }
                None => Err(self.refuse_next(words[at])),
            };
            number += 1;
            if let Err(refused) = played {
                (self.tree, self.run) = (tree, run);
                let message = format!("nothing is played, because of ply {number}: {refused}");
                return Some(Err(Refused { message, ..refused }));
            }
        }
        self.time = None;
        self.paused = false;
        self.seeded = true;
        self.has_moved = true;
        Some(Ok(Reply::Moved(self.shown_since(&before))))
    }

    /// Explains why a text is not the next ply of a line.
    fn refuse_next(&self, text: &str) -> Refused {
        let meant = understand(self.position(), text);
        if meant.is_empty() {
            return refuse(self.position(), text);
        }
        let spelled: Vec<String> = meant
            .iter()
            .take(MAX_LISTED)
            .map(|ply| format!("`{}`", spell(self.rules(), ply)))
            .collect();
        format!("`{}` can mean {}", clip(text), list(&spelled, "or")).into()
    }

    fn mover_name(&self) -> String {
        turn(self.rules(), self.position().turn()).to_owned()
    }
}

fn only(plies: Vec<Move>) -> Option<Move> {
    let mut plies = plies.into_iter();
    plies.next().filter(|_| plies.next().is_none())
}

/// Reads as many words as possible as one complete ply; returns the ply and the number of words.
fn longest(position: &State, words: &[&str]) -> Option<(Move, usize)> {
    if position.turn() == Turn::Nobody {
        return None;
    }
    (1..=words.len().min(MAX_WORDS)).rev().find_map(|count| {
        let text = words[..count].join(" ");
        let exact = completions(position, &text);
        let found = match exact.is_empty() {
            false => exact,
            true => whole(position, &text),
        };
        Some((only(found)?, count))
    })
}

/// Reads a legal ply with all its arguments.
fn whole(position: &State, text: &str) -> Vec<Move> {
    let rules = position.game().rules();
    let given = |ply: &Move| ply.arguments.len() == rules.moves[ply.rule.index()].parameters.len();
    let is_whole = crate::notation::readings(position, text).is_ok();
    understand(position, text).into_iter().filter(|ply| is_whole && given(ply)).collect()
}
