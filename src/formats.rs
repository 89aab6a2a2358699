//! Reads and writes moves, positions and records in formats of other programs, as the rules'
//! `notation` describes them.

mod diagram;
mod moves;
mod names;
mod pgn;
mod position;
mod sgf;

pub use moves::Speller;
pub use position::{read_line, write_line};

use crate::engine::game::{Game, State};
use crate::language::notations::{Format, Spellings};
use crate::language::rules::Rules;
use crate::notation::{Misread, list};

/// Finds the format of a text: `None` if it is a record or a position of this program.
pub fn detect(text: &str, rules: &Rules) -> Option<Format> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next()?;
    let starts_as = |format: Format, spelled: fn(&Spellings) -> Option<&String>| {
        let text = rules.notations.of(format).and_then(spelled);
        text.is_some_and(|text| first.starts_with(text.trim()))
    };
    match first {
        _ if first.starts_with("(;")
            || first.starts_with('(') && text[1..].trim_start().starts_with(';') =>
        {
            Some(Format::Sgf)
        }
        _ if starts_as(Format::Diagram, |spellings| spellings.line.as_ref()) => {
            Some(Format::Diagram)
        }
        _ if first.starts_with('[') || first.starts_with("1.") => Some(Format::Pgn),
        _ if first.contains('/') && lines.next().is_none() => Some(Format::Fen),
        _ if text.lines().any(|line| line.split_once(':').is_some()) => None,
        _ => Some(Format::Diagram),
    }
}

/// Returns how a format writes the game.
///
/// # Errors
/// Lists the formats that the rules describe.
pub fn spellings(rules: &Rules, format: Format) -> Result<&Spellings, String> {
    rules.notations.of(format).ok_or_else(|| {
        let known: Vec<String> =
            rules.notations.formats().map(|format| format!("`{}`", format.word())).collect();
        let known = match known.is_empty() {
            true => String::from("no format"),
            false => format!("only {}", list(&known, "and")),
        };
        let word = format.word();
        format!("the rules do not say how `{word}` writes this game: they describe {known}; see `ludwright explain notation`")
    })
}

/// Finds the values of options that a record names.
pub fn options(rules: &Rules, format: Format, text: &str) -> Vec<(String, String)> {
    let Some(spellings) = rules.notations.of(format) else { return Vec::new() };
    let tags = match format {
        Format::Pgn => pgn::tags(text),
        Format::Sgf => sgf::tags(text),
        _ => Vec::new(),
    };
    let named = |(name, value): (String, String)| {
        let (index, _) = spellings.options.iter().find(|(_, known)| *known == name)?;
        Some((rules.options.get(*index)?.name.clone(), value))
    };
    tags.into_iter().filter_map(named).collect()
}

/// Reads a game or a position.
///
/// # Errors
/// Names the line that does not fit the game.
pub fn read(game: &Game, format: Format, text: &str) -> Result<State, Misread> {
    let text = text.trim_start_matches('\u{feff}');
    spellings(game.rules(), format).map_err(|message| Misread::new(1, message))?;
    match format {
        Format::Pgn => pgn::read(game, text),
        Format::Sgf => sgf::read(game, text),
        Format::Diagram => diagram::read(game, text),
        Format::Fen => {
            read_line(game, format, text.trim()).map_err(|message| Misread::new(1, message))
        }
        Format::Uci | Format::Gtp => {
            Err(Misread::new(1, "this is how moves are written, and no format of files"))
        }
    }
}

/// Writes a game, or its position.
///
/// # Errors
/// If the rules do not describe the format, or the format cannot express the game or position.
pub fn write(position: &State, format: Format) -> Result<String, String> {
    spellings(position.game().rules(), format)?;
    match format {
        Format::Pgn => pgn::write(position),
        Format::Sgf => sgf::write(position),
        Format::Diagram => diagram::write(position),
        Format::Fen => Ok(write_line(position, format)? + "\n"),
        Format::Uci | Format::Gtp => {
            Err(String::from("this is how moves are written, and no format of files"))
        }
    }
}

/// Goes back to the first position of a game.
fn beginning(position: &State) -> State {
    let mut first = position.clone();
    while first.undo() {}
    first
}
