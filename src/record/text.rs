//! The text of a record, in and out, and playing it over.

use crate::engine::game::{Match, Move, PlayError};
use crate::language::near::nearest;
use crate::language::rules::Rules;
use crate::notation::{Line, Misread, Refusal, clip, list, read, spell};
use crate::syntax::Span;

/// The largest record, in bytes.
pub const LIMIT: usize = 1 << 20;

/// A game written down: a header of `key: value` lines, an empty line, then a move a line.
///
/// ```
/// use ludwright::record::Record;
///
/// let record = Record::parse("game: Chase\noption: Size=3\n\nplace b2  # the centre\nplace a1\n")?;
/// assert_eq!(record.game.as_deref(), Some("Chase"));
/// assert_eq!(record.plies[1].text, "place a1");
/// # Ok::<(), ludwright::notation::Misread>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The title of the game.
    pub game: Option<String>,
    /// Options by name, with their values.
    pub options: Vec<(String, String)>,
    /// What the dice are rolled with.
    pub seed: Option<u64>,
    /// The moves, rolls included.
    pub plies: Vec<Ply>,
}

/// A move of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The line that it stands on, from 1.
    pub line: usize,
    pub text: String,
}

/// Why a record cannot be played on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Which ply it is, from 1.
    pub ply: usize,
    /// The line of the record.
    pub line: usize,
    pub text: String,
    /// A full sentence without its period.
    pub message: String,
    pub help: Option<String>,
    /// The clause of the rules that goes round without end, where that is why.
    pub endless: Option<Span>,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ply {} (line {}), `{}`: {}", self.ply, self.line, clip(&self.text), self.message)
    }
}

impl std::error::Error for Stopped {}

const KEYS: [&str; 3] = ["game", "option", "seed"];

impl Record {
    /// Reads a record. Whether its moves are legal, or moves at all, is not looked at.
    ///
    /// # Errors
    /// Names the line that is no part of a record.
    pub fn parse(text: &str) -> Result<Record, Misread> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut record = Record::default();
        // The header ends with the first empty line after it, or with the first move.
        let mut header = false;
        let mut body = false;
        for line in Line::split(text) {
            if line.text.trim().is_empty() {
                body |= header;
            } else if line.is_blank() {
                // A comment.
            } else if let Some((key, value)) = line.entry() {
                if body {
                    let message = format!("expected a move, found `{}`; the header ends at the empty line", clip(line.content()));
                    return Err(Misread::new(line.number, message));
                }
                header = true;
                record.enter(key, value).map_err(|message| Misread::new(line.number, message))?;
            } else {
                body = true;
                record.plies.push(Ply { line: line.number, text: line.content().to_owned() });
            }
        }
        Ok(record)
    }

    fn enter(&mut self, key: &str, value: &str) -> Result<(), String> {
        let repeated = || Err(format!("`{key}:` stands here a second time"));
        match key {
            "game" if self.game.is_some() => repeated(),
            "game" => {
                self.game = Some(value.to_owned());
                Ok(())
            }
            "seed" if self.seed.is_some() => repeated(),
            "seed" => match value.parse() {
                Ok(seed) => {
                    self.seed = Some(seed);
                    Ok(())
                }
                Err(_) => Err(format!("expected a whole number from 0 to {}, found `{}`", u64::MAX, clip(value))),
            },
            "option" => {
                let Some((name, value)) = value.split_once('=') else {
                    return Err(format!("expected `option: Name=Value`, found `{}`", clip(value)));
                };
                let (name, value) = (name.trim(), value.trim());
                if let Some((_, other)) = self.options.iter().find(|(known, other)| known == name && other != value) {
                    return Err(format!("{name} is {} here and {} before", clip(value), clip(other)));
                }
                self.options.push((name.to_owned(), value.to_owned()));
                Ok(())
            }
            _ => {
                let near = nearest(key, KEYS).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                let keys = KEYS.map(|key| format!("`{key}:`"));
                Err(format!("a record has no `{}:`; it may have {}{near}", clip(key), list(&keys, "and")))
            }
        }
    }

    /// Takes a match down. The seed is kept where dice are rolled.
    pub fn of(position: &Match, seed: u64) -> Record {
        let game = position.game();
        let rules = game.rules();
        let chosen = rules.options.iter().map(|option| (option.name.clone(), option.values[option.chosen].clone()));
        let plies = position.plies().iter().zip(1..);
        let has_chance = game.decisions().iter().any(|decision| decision.mover.is_none());
        Record {
            game: Some(rules.title.clone()),
            options: chosen.collect(),
            seed: has_chance.then_some(seed),
            plies: plies.map(|(ply, line)| Ply { line, text: spell(rules, ply) }).collect(),
        }
    }

    /// Writes the record so that [`Record::parse`] reads it.
    pub fn write(&self) -> String {
        let mut text = String::new();
        let mut line = |line: &str| text.extend([line, "\n"]);
        if let Some(game) = &self.game {
            line(&format!("game: {game}"));
        }
        for (name, value) in &self.options {
            line(&format!("option: {name}={value}"));
        }
        if let Some(seed) = self.seed {
            line(&format!("seed: {seed}"));
        }
        line("");
        for ply in &self.plies {
            line(&ply.text);
        }
        text
    }

    /// Tells if it is a record of another game.
    ///
    /// # Errors
    /// Says of which.
    pub fn is_of(&self, rules: &Rules) -> Result<(), String> {
        match &self.game {
            // A `#` begins a comment, so a title cannot be told from its beginning.
            Some(title) if *title != rules.title.split('#').next().unwrap_or("").trim() => {
                Err(format!("this is a record of {}, not of {}", clip(title), rules.title))
            }
            _ => Ok(()),
        }
    }

    /// Reads the ply with this index, from 0, as a move of a position.
    ///
    /// # Errors
    /// Tells why it is not legal there.
    ///
    /// # Panics
    /// If the record has no such ply.
    pub fn ply(&self, index: usize, position: &Match) -> Result<Move, Stopped> {
        read(position, &self.plies[index].text).map_err(|refusal| self.stop(index, refusal))
    }

    /// Plays the ply with this index, from 0.
    ///
    /// # Errors
    /// Tells why it cannot be played.
    ///
    /// # Panics
    /// If the record has no such ply.
    pub fn play(&self, index: usize, position: &mut Match) -> Result<(), Stopped> {
        let ply = self.ply(index, position)?;
        position.play(&ply).map_err(|error| {
            let (message, endless) = match error {
                PlayError::Illegal => ("it is not legal".to_owned(), None),
                PlayError::Fault(fault) => (fault.message, Some(fault.span)),
            };
            let Ply { line, text } = self.plies[index].clone();
            Stopped { ply: index + 1, line, text, message, help: None, endless }
        })
    }

    /// Plays every ply.
    ///
    /// # Errors
    /// Tells which ply cannot be played and why; those before it have been played.
    pub fn replay(&self, position: &mut Match) -> Result<(), Stopped> {
        (0..self.plies.len()).try_for_each(|index| self.play(index, position))
    }

    fn stop(&self, index: usize, refusal: Refusal) -> Stopped {
        let Ply { line, text } = self.plies[index].clone();
        Stopped { ply: index + 1, line, text, message: refusal.message, help: refusal.help, endless: None }
    }
}

#[cfg(test)]
mod tests {
    use super::Record;

    #[test]
    fn reads_what_it_writes() {
        let text = "game: Chase\noption: Size=5\noption: Komi=0.5\nseed: 7\n\nplace a1\nconvert a1\n";
        assert_eq!(Record::parse(text).unwrap().write(), text);
        assert_eq!(Record::parse("").unwrap(), Record::default());
        let bare = Record::parse("# no header\n\nplace a1\r\n\n\nplace b2 # two\n").unwrap();
        assert_eq!(bare.plies.iter().map(|ply| (ply.line, ply.text.as_str())).collect::<Vec<_>>(), [(3, "place a1"), (6, "place b2")]);
    }

    #[test]
    fn names_the_line_that_is_wrong() {
        for (text, message) in [
            ("gmae: X", "line 1: a record has no `gmae:`; it may have `game:`, `option:` and `seed:`; did you mean `game`?"),
            ("game: X\ngame: Y", "line 2: `game:` stands here a second time"),
            ("seed: -1", "line 1: expected a whole number from 0 to 18446744073709551615, found `-1`"),
            ("option: Size", "line 1: expected `option: Name=Value`, found `Size`"),
            ("option: Size=5\noption: Size=6", "line 2: Size is 6 here and 5 before"),
            ("game: X\n\nplace a1\nseed: 7", "line 4: expected a move, found `seed: 7`; the header ends at the empty line"),
        ] {
            assert_eq!(Record::parse(text).unwrap_err().to_string(), message);
        }
    }
}
