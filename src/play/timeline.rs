//! The plies of a game with undo, redo and rolls.

use super::reply::Refused;
use crate::engine::game::{Move, PlayError, State, Turn};
use crate::notation::spell;
use crate::record::{PlyNote, Record, RecordedPly, beginning};
use crate::search::roll;

/// The plies made and the plies that can be redone.
///
/// Rolls are made automatically. A roll depends only on the seed and the ply number, so that
/// undoing and playing on does not change it.
#[derive(Clone)]
pub struct Timeline {
    now: State,
    /// The lines of the starting position; empty if it is the usual one.
    start: Vec<String>,
    /// One per ply.
    notes: Vec<PlyNote>,
    /// The undone plies, the earliest last.
    undone: Vec<(Move, PlyNote)>,
    comment: Option<String>,
    pub seed: u64,
}

impl Timeline {
    /// Starts at the position of a match, and makes rolls that come first.
    pub fn begin(now: State, seed: u64) -> Result<Timeline, Refused> {
        let notes = vec![PlyNote::default(); now.ply_count()];
        let mut line = Timeline {
            start: beginning(&now),
            now,
            notes,
            undone: Vec::new(),
            comment: None,
            seed,
        };
        line.roll()?;
        Ok(line)
    }

    /// Takes over the remarks of a record, and goes to its current ply.
    pub fn adopt(&mut self, record: &Record) -> Result<(), Refused> {
        for (note, ply) in self.notes.iter_mut().zip(&record.plies) {
            *note = ply.note.clone();
        }
        self.comment.clone_from(&record.comment);
        match record.at {
            Some(at) if at < self.len() => self.go_to(at),
            _ => Ok(()),
        }
    }

    pub fn now(&self) -> &State {
        &self.now
    }

    /// Returns the number of plies made.
    pub fn len(&self) -> usize {
        self.now.ply_count()
    }

    /// Returns the number of plies including those that can be redone.
    pub fn whole(&self) -> usize {
        self.len() + self.undone.len()
    }

    /// Counts the rolls after the last ply of a player.
    pub fn trailing_rolls(&self) -> usize {
        let game = self.now.game();
        self.now.plies().iter().rev().take_while(|ply| game.is_roll(ply)).count()
    }

    /// Plays a ply and discards the undone ones.
    pub fn play(&mut self, ply: &Move, note: PlyNote) -> Result<(), Refused> {
        self.make(ply, note)?;
        self.undone.clear();
        self.roll()
    }

    /// Undoes the last ply of a player and the rolls after it; returns false if there is none.
    pub fn undo(&mut self) -> bool {
        let back = self.trailing_rolls() + 1;
        if back > self.len() {
            return false;
        }
        (0..back).for_each(|_| self.back());
        true
    }

    /// Redoes a ply and the rolls after it; returns false if there is none.
    pub fn redo(&mut self) -> Result<bool, Refused> {
        if !self.forth()? {
            return Ok(false);
        }
        self.settle()?;
        Ok(true)
    }

    /// Goes to the position after `plies` plies and the rolls that follow.
    pub fn go_to(&mut self, plies: usize) -> Result<(), Refused> {
        while self.len() > plies {
            self.back();
        }
        while self.len() < plies && self.forth()? {}
        self.settle()
    }

    /// Adds a comment to the last ply of a player, or to the game if there is none.
    pub fn remark(&mut self, text: &str) {
        let ply = (self.len() - self.trailing_rolls()).checked_sub(1);
        let comment = match ply.and_then(|ply| self.notes.get_mut(ply)) {
            Some(note) => &mut note.comment,
            None => &mut self.comment,
        };
        match comment {
            Some(before) => before.extend(["\n", text]),
            None => *comment = Some(text.to_owned()),
        }
    }

    /// Formats the ply with this index, from 0, as in a record.
    pub fn told(&self, index: usize) -> String {
        let ply = self
            .now
            .plies()
            .get(index)
            .map(|ply| spell(self.now.game().rules(), ply))
            .unwrap_or_default();
        let note = self.notes.get(index).map(PlyNote::write).unwrap_or_default();
        format!("{ply}{note}")
    }

    /// Returns the record; if `whole`, with the plies that can be redone.
    pub fn record(&self, whole: bool) -> Record {
        let rules = self.now.game().rules();
        let line = |ply: &Move, note: &PlyNote| RecordedPly {
            line: 0,
            text: spell(rules, ply),
            note: note.clone(),
        };
        let played = self.now.plies().iter().zip(&self.notes).map(|(ply, note)| line(ply, note));
        let undone = self.undone.iter().rev().filter(|_| whole).map(|(ply, note)| line(ply, note));
        let plies: Vec<RecordedPly> = played.chain(undone).collect();
        let at = (plies.len() > self.len()).then(|| self.len());
        Record {
            start: self.start.clone(),
            comment: self.comment.clone(),
            at,
            plies,
            ..Record::about(&self.now, self.seed)
        }
    }

    fn back(&mut self) {
        let ply = self.now.plies().last().cloned();
        self.undone.extend(ply.zip(self.notes.pop()));
        self.now.undo();
    }

    fn forth(&mut self) -> Result<bool, Refused> {
        let Some((ply, note)) = self.undone.pop() else { return Ok(false) };
        self.make(&ply, note)?;
        Ok(true)
    }

    /// Redoes undone rolls, or makes new ones, until a player is to move.
    fn settle(&mut self) -> Result<(), Refused> {
        while self.now.turn() == Turn::Chance && self.forth()? {}
        self.roll()
    }

    fn roll(&mut self) -> Result<(), Refused> {
        while let Some(outcome) = roll(&self.now, self.seed) {
            self.make(&outcome, PlyNote::default())?;
        }
        Ok(())
    }

    fn make(&mut self, ply: &Move, note: PlyNote) -> Result<(), Refused> {
        self.now.play(ply).map_err(|error| match error {
            PlayError::Fault(fault) => Refused::from(fault),
            illegal => illegal.to_string().into(),
        })?;
        self.notes.push(note);
        Ok(())
    }
}
