//! The text format of records, and replaying them.

use super::start::begin_at;
use crate::engine::game::{Fault, Game, Move, PlayError, State};
use crate::language::edit_distance::nearest;
use crate::language::rules::Rules;
use crate::notation::{Line, Misread, PositionText, clip, list, outcome, spell, understand};
use crate::syntax::Span;
use crate::why::read;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::time::Duration;

/// Maximum size of a record in bytes.
pub const LIMIT: usize = 1 << 20;

/// A recorded game: a header of `key: value` lines, an empty line, then one move per line. A `#`
/// begins a comment on the move before it; the comment may start with the time used: `place b2  #
/// [3.2 s] the centre`.
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
    /// The [`fingerprint`] of the rules.
    pub rules: Option<String>,
    /// Names and values of options.
    pub options: Vec<(String, String)>,
    /// Names of the game's players, and who played them.
    pub seats: Vec<(String, String)>,
    /// The seed of the rolls.
    pub seed: Option<u64>,
    /// The result.
    pub result: Option<String>,
    pub reason: Option<String>,
    /// The number of plies made in the position that was shown, if some were taken back.
    pub at: Option<usize>,
    /// The lines of the starting position; empty if it is the usual one.
    pub start: Vec<String>,
    /// The comment on the whole game.
    pub comment: Option<String>,
    /// The plies, rolls included.
    pub plies: Vec<RecordedPly>,
}

/// Remarks on a ply; as data, they are what a record has after the ply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct PlyNote {
    /// The time used for the ply.
    pub time: Option<Duration>,
    pub comment: Option<String>,
}

/// A ply of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPly {
    /// The line number, from 1.
    pub line: usize,
    pub text: String,
    pub note: PlyNote,
}

/// Why a record cannot be played on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stopped {
    /// The ply's number, from 1; 0 for the starting position.
    pub ply: usize,
    /// The line of the record.
    pub line: usize,
    pub text: String,
    /// A sentence without its period.
    pub message: String,
    pub help: Option<String>,
    /// The clause where the fuel ran out, if that is the reason.
    pub endless: Option<Span>,
    /// Whether the rules differ from those that the record was made with.
    pub changed: bool,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.ply {
            0 => f.write_str(&self.message)?,
            ply => {
                write!(f, "ply {ply} (line {})", self.line)?;
                let text = format!("`{}`", clip(&self.text));
                // Some messages begin with the text.
                if !self.message.starts_with(&text) {
                    write!(f, ", {text}")?;
                }
                write!(f, ": {}", self.message)?;
            }
        }
        match self.changed {
            true => f.write_str("; the record was made under other rules"),
            false => Ok(()),
        }
    }
}

impl std::error::Error for Stopped {}

impl From<Fault> for Stopped {
    fn from(Fault { message, span }: Fault) -> Stopped {
        Stopped { message, endless: Some(span), ..Stopped::default() }
    }
}

impl From<PlayError> for Stopped {
    fn from(error: PlayError) -> Stopped {
        match error {
            PlayError::Fault(fault) => fault.into(),
            PlayError::Illegal => Stopped { message: error.to_string(), ..Stopped::default() },
        }
    }
}

/// The reason alone, for a reader who knows the ply.
impl From<Stopped> for String {
    fn from(Stopped { message, help, .. }: Stopped) -> String {
        match help {
            Some(help) => format!("{message}; {help}"),
            None => message,
        }
    }
}

/// The remark on a valid record that was made with other rules.
pub const CHANGED: &str =
    "the record was made under other rules; it is valid under these rules, too";

/// The most moves listed for an ambiguous ply.
const MAX_LISTED: usize = 12;

pub const KEYS: [&str; 9] =
    ["game", "rules", "option", "seat", "seed", "start", "result", "reason", "at"];

/// Returns the first half of the SHA-256 of the rules and their included files, in hexadecimal.
pub fn fingerprint(rules: &Rules) -> String {
    let digest = Sha256::digest(rules.source().as_bytes());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

impl Record {
    /// Reads a record without checking its moves.
    ///
    /// # Errors
    /// Names the line that is not part of a record.
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
                record.remark(comment_of(&line).unwrap_or_default());
            } else if let Some((key, value)) = line.entry() {
                if body {
                    let message = format!(
                        "expected a move, found `{}`; the header ends at the empty line",
                        clip(line.content())
                    );
                    return Err(Misread::new(line.number, message));
                }
                header = true;
                // The leading blanks of a diagram's row are significant.
                let row = line
                    .text
                    .split_once(':')
                    .map_or("", |(_, row)| row.strip_prefix(' ').unwrap_or(row));
                let value = if key == "start" { row } else { value };
                record.enter(key, value).map_err(|message| Misread::new(line.number, message))?;
            } else {
                body = true;
                let note = comment_of(&line).map(PlyNote::parse).unwrap_or_default();
                // Several plies on a line are separated by commas; the comment is on the last.
                let texts = line.content().split([',', ';']).map(str::trim);
                record.plies.extend(texts.filter(|text| !text.is_empty()).map(|text| {
                    RecordedPly {
                        line: line.number,
                        text: text.to_owned(),
                        note: PlyNote::default(),
                    }
                }));
                if let Some(last) = record.plies.last_mut() {
                    last.note = note;
                }
            }
        }
        Ok(record)
    }

    /// Adds a comment line to the last ply, or to the whole record before the first.
    fn remark(&mut self, text: &str) {
        let comment = match self.plies.last_mut() {
            Some(ply) => &mut ply.note.comment,
            None => &mut self.comment,
        };
        match comment {
            Some(before) => before.extend(["\n", text]),
            None => *comment = Some(text.to_owned()),
        }
    }

    fn enter(&mut self, key: &str, value: &str) -> Result<(), String> {
        let repeated = || Err(format!("`{key}:` appears twice"));
        let once = |place: &mut Option<String>| match place {
            Some(_) => repeated(),
            None => {
                *place = Some(value.to_owned());
                Ok(())
            }
        };
        match key {
            "game" => once(&mut self.game),
            "rules" => once(&mut self.rules),
            "result" => once(&mut self.result),
            "reason" => once(&mut self.reason),
            "start" => {
                self.start.push(value.to_owned());
                Ok(())
            }
            "at" if self.at.is_some() => repeated(),
            "at" => {
                self.at =
                    Some(value.parse().map_err(|_| {
                        format!("expected a number of plies, found `{}`", clip(value))
                    })?);
                Ok(())
            }
            "seat" => {
                let Some((name, player)) = value.split_once('=') else {
                    return Err(format!("expected `seat: Name=Player`, found `{}`", clip(value)));
                };
                self.seats.push((name.trim().to_owned(), player.trim().to_owned()));
                Ok(())
            }
            "seed" if self.seed.is_some() => repeated(),
            "seed" => match value.parse() {
                Ok(seed) => {
                    self.seed = Some(seed);
                    Ok(())
                }
                Err(_) => Err(format!(
                    "expected a whole number from 0 to {}, found `{}`",
                    u64::MAX,
                    clip(value)
                )),
            },
            "option" => {
                let Some((name, value)) = value.split_once('=') else {
                    return Err(format!("expected `option: Name=Value`, found `{}`", clip(value)));
                };
                let (name, value) = (name.trim(), value.trim());
                if let Some((_, other)) =
                    self.options.iter().find(|(known, other)| known == name && other != value)
                {
                    return Err(format!(
                        "{name} is {} here but {} above",
                        clip(value),
                        clip(other)
                    ));
                }
                self.options.push((name.to_owned(), value.to_owned()));
                Ok(())
            }
            _ => {
                let near = nearest(key, KEYS)
                    .map(|near| format!("; did you mean `{near}`?"))
                    .unwrap_or_default();
                let keys = KEYS.map(|key| format!("`{key}:`"));
                Err(format!(
                    "a record has no `{}:`; its keys are {}{near}",
                    clip(key),
                    list(&keys, "and")
                ))
            }
        }
    }

    /// Records a match. The seed is kept only in games with chance.
    pub fn of(position: &State, seed: u64) -> Record {
        let rules = position.game().rules();
        let plies = position.plies().iter().map(|ply| RecordedPly {
            line: 0,
            text: spell(rules, ply),
            note: PlyNote::default(),
        });
        let record = Record {
            start: beginning(position),
            plies: plies.collect(),
            ..Record::about(position, seed)
        };
        record.numbered()
    }

    /// Returns the header of a match's record, without its start and plies.
    pub(crate) fn about(position: &State, seed: u64) -> Record {
        let game = position.game();
        let rules = game.rules();
        let has_chance = game.decisions().iter().any(|decision| decision.mover.is_none());
        Record {
            game: Some(rules.title.clone()),
            rules: Some(fingerprint(rules)),
            options: rules.chosen_options(),
            seed: has_chance.then_some(seed),
            result: position.outcome().map(|over| outcome(rules, Some(over))),
            ..Record::default()
        }
    }

    /// Sets every ply's line to where [`Record::write`] puts it.
    pub fn numbered(mut self) -> Record {
        let mut line = self.header().lines().count() + 1;
        for ply in &mut self.plies {
            line += 1;
            ply.line = line;
            line += ply.note.write().matches('\n').count();
        }
        self
    }

    /// Writes the record in the form that [`Record::parse`] reads.
    pub fn write(&self) -> String {
        let mut text = self.header();
        text.push('\n');
        for ply in &self.plies {
            text.push_str(&ply.text);
            text.push_str(&ply.note.write());
            text.push('\n');
        }
        text
    }

    fn header(&self) -> String {
        let mut text = String::new();
        let mut line = |key: &str, value: &str| text.extend([key, ": ", value, "\n"]);
        if let Some(game) = &self.game {
            line("game", game);
        }
        if let Some(rules) = &self.rules {
            line("rules", rules);
        }
        for (name, value) in &self.options {
            line("option", &format!("{name}={value}"));
        }
        for (name, player) in &self.seats {
            line("seat", &format!("{name}={player}"));
        }
        if let Some(seed) = self.seed {
            line("seed", &seed.to_string());
        }
        if let Some(at) = self.at {
            line("at", &at.to_string());
        }
        if let Some(result) = &self.result {
            line("result", result);
        }
        if let Some(reason) = &self.reason {
            line("reason", reason);
        }
        for row in &self.start {
            line("start", row);
        }
        for comment in self.comment.iter().flat_map(|comment| comment.lines()) {
            text.extend(["# ", comment, "\n"]);
        }
        text
    }

    /// Tests if the rules differ from the rules that the record was made with.
    pub fn is_changed(&self, rules: &Rules) -> bool {
        self.rules.as_ref().is_some_and(|made| *made != fingerprint(rules))
    }

    /// Starts a match where the record starts.
    ///
    /// # Errors
    /// Fails if the starting position is invalid or the rules do not terminate.
    pub fn begin(&self, game: &Game) -> Result<State, Stopped> {
        let changed = self.is_changed(game.rules());
        if self.start.is_empty() {
            return game.begin().map_err(|fault| Stopped { changed, ..fault.into() });
        }
        let text = self.start.join("\n");
        begin_at(game, &Line::split(&text)).map_err(|misread| {
            let message = format!("in its start position, {misread}");
            Stopped { message, changed, ..Stopped::default() }
        })
    }

    /// Tests if this is a record of the game, by title.
    ///
    /// # Errors
    /// Names the other game.
    pub fn is_of(&self, rules: &Rules) -> Result<(), String> {
        match &self.game {
            // Titles are written up to the first `#`, which begins a comment.
            Some(title) if *title != rules.title.split('#').next().unwrap_or("").trim() => {
                Err(format!("this is a record of {}, not of {}", clip(title), rules.title))
            }
            _ => Ok(()),
        }
    }

    /// Reads the ply with this index, from 0, as a legal move of a position, in any form that fits
    /// exactly one legal move.
    ///
    /// # Errors
    /// Says why the ply is not legal.
    ///
    /// # Panics
    /// If there is no such ply.
    pub fn ply(&self, index: usize, position: &State) -> Result<Move, Stopped> {
        let changed = self.is_changed(position.game().rules());
        let text = &self.plies[index].text;
        let refusal = match read(position, text) {
            Ok(ply) => return Ok(ply),
            Err(refusal) => refusal,
        };
        let (message, help) = match &understand(position, text)[..] {
            [ply] => return Ok(ply.clone()),
            [] => (refusal.message, refusal.help),
            several => {
                let spelled = several.iter().take(MAX_LISTED);
                let spelled: Vec<String> = spelled
                    .map(|ply| format!("`{}`", spell(position.game().rules(), ply)))
                    .collect();
                (format!("`{}` can mean {}", clip(text), list(&spelled, "or")), None)
            }
        };
        Err(Stopped { help, changed, ..self.stop(index, message) })
    }

    /// Plays the ply with this index, from 0.
    ///
    /// # Errors
    /// Says why the ply cannot be played.
    ///
    /// # Panics
    /// If there is no such ply.
    pub fn play(&self, index: usize, position: &mut State) -> Result<(), Stopped> {
        let ply = self.ply(index, position)?;
        position.play(&ply).map_err(|error| {
            let changed = self.is_changed(position.game().rules());
            let Stopped { message, endless, .. } = error.into();
            Stopped { endless, changed, ..self.stop(index, message) }
        })
    }

    /// Plays every ply and compares the result.
    ///
    /// # Errors
    /// Says which ply cannot be played and why, or that the result differs; earlier plies remain
    /// played.
    pub fn replay(&self, position: &mut State) -> Result<(), Stopped> {
        (0..self.plies.len()).try_for_each(|index| self.play(index, position))?;
        self.agrees(position)
    }

    /// Compares the result of a match with the record's.
    ///
    /// # Errors
    /// Fails if the record has a result and it differs.
    pub fn agrees(&self, position: &State) -> Result<(), Stopped> {
        let rules = position.game().rules();
        let found = position.outcome().map(|over| outcome(rules, Some(over)));
        let Some(expected) = self.result.as_ref().filter(|&result| found.as_ref() != Some(result))
        else {
            return Ok(());
        };
        let found = found.unwrap_or_else(|| "the game is unfinished".to_owned());
        let message = format!("{found}, but the record says: {}", clip(expected));
        let changed = self.is_changed(rules);
        Err(match self.plies.len().checked_sub(1) {
            Some(last) => Stopped { changed, ..self.stop(last, message) },
            None => Stopped { message, changed, ..Stopped::default() },
        })
    }

    fn stop(&self, index: usize, message: String) -> Stopped {
        let RecordedPly { line, text, .. } = self.plies[index].clone();
        Stopped { ply: index + 1, line, text, message, ..Stopped::default() }
    }
}

/// Returns the lines of a match's starting position; empty for the usual start.
pub fn beginning(position: &State) -> Vec<String> {
    let mut first = position.clone();
    while first.undo() {}
    let game = first.game();
    match game.begin() {
        Ok(usual) if usual.hash() == first.hash() && usual.outcome() == first.outcome() => {
            Vec::new()
        }
        _ => PositionText::of(&first).write(game).lines().map(str::to_owned).collect(),
    }
}

/// Returns the text after a `#`.
fn comment_of<'t>(line: &Line<'t>) -> Option<&'t str> {
    line.text.split_once('#').map(|(_, comment)| comment.trim())
}

impl From<PlyNote> for String {
    fn from(note: PlyNote) -> String {
        note.write()
    }
}

impl From<String> for PlyNote {
    fn from(text: String) -> PlyNote {
        let record = Record::parse(&format!("ply{text}")).unwrap_or_default();
        record.plies.into_iter().next().map(|ply| ply.note).unwrap_or_default()
    }
}

impl PlyNote {
    /// Tests if there are no remarks.
    pub fn is_empty(&self) -> bool {
        *self == PlyNote::default()
    }

    /// Parses the comment on a move.
    fn parse(text: &str) -> PlyNote {
        let timed = text.strip_prefix('[').and_then(|rest| rest.split_once(" s]"));
        let time =
            timed.and_then(|(seconds, _)| Duration::try_from_secs_f64(seconds.parse().ok()?).ok());
        let rest = match (time, timed) {
            (Some(_), Some((_, rest))) => rest.trim(),
            _ => text,
        };
        PlyNote { time, comment: (!rest.is_empty()).then(|| rest.to_owned()) }
    }

    /// Formats the comment on a move.
    pub(crate) fn write(&self) -> String {
        let time = self.time.map(|time| format!("[{:.1} s]", time.as_secs_f64()));
        let mut lines = self.comment.iter().flat_map(|comment| comment.lines());
        // On a line of its own, a comment such as `[3 s]` is not read as a time.
        if time.is_none()
            && self.comment.as_ref().is_some_and(|comment| PlyNote::parse(comment).time.is_some())
        {
            return lines.fold(String::new(), |text, line| format!("{text}\n# {line}"));
        }
        let first: Vec<String> = time.into_iter().chain(lines.next().map(str::to_owned)).collect();
        let first =
            if first.is_empty() { String::new() } else { format!("  # {}", first.join(" ")) };
        lines.fold(first, |text, line| format!("{text}\n# {line}"))
    }
}
