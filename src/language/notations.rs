//! How other programs write a game's moves, positions and records.
//!
//! Plain data, filled in by the checker from `(notation FORMAT …)` and read by [`crate::formats`].

use super::edit_distance::series;
use super::rules::{DefinitionId, MemoryId, MoveId, ParameterRole, PieceId, PlayerId};
use crate::board::Site;

/// What can be spelled beside names of the game.
pub const SUBJECTS: [&str; 8] =
    ["columns", "rows", "rows-down", "position", "tag", "win", "line", "blank"];

/// A format of other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Positions on one line, as in Forsyth-Edwards Notation.
    Fen,
    /// Moves of the Universal Chess Interface and of the Chess Engine Communication Protocol.
    Uci,
    /// Records in Portable Game Notation.
    Pgn,
    /// Records in the Smart Game Format.
    Sgf,
    /// Moves and settings of the Go Text Protocol.
    Gtp,
    /// Diagrams in text, as they are posted in forums.
    Diagram,
}

impl Format {
    /// All formats with their words.
    pub const ALL: [(Format, &'static str); 6] = [
        (Format::Fen, "fen"),
        (Format::Uci, "uci"),
        (Format::Pgn, "pgn"),
        (Format::Sgf, "sgf"),
        (Format::Gtp, "gtp"),
        (Format::Diagram, "diagram"),
    ];

    /// Returns the word for it in rules.
    pub fn word(self) -> &'static str {
        Format::ALL.iter().find(|(format, _)| *format == self).map_or("", |(_, word)| word)
    }

    /// Finds the format with exactly this word.
    pub fn from_word(word: &str) -> Option<Format> {
        Format::ALL.iter().find(|(_, known)| *known == word).map(|(format, _)| *format)
    }
}

/// Everything that a game says about formats of other programs.
#[derive(Clone, Debug, Default)]
pub struct Notations {
    pub(super) formats: Vec<(Format, Spellings)>,
}

impl Notations {
    /// Returns how a format writes this game; `None` if the rules do not say.
    pub fn of(&self, format: Format) -> Option<&Spellings> {
        self.formats.iter().find(|(known, _)| *known == format).map(|(_, spellings)| spellings)
    }

    /// Lists the formats that the rules describe.
    pub fn formats(&self) -> impl Iterator<Item = Format> {
        self.formats.iter().map(|(format, _)| *format)
    }
}

/// How one format writes a game. Whatever it does not say is written in the common notation.
#[derive(Clone, Debug, Default)]
pub struct Spellings {
    pub moves: Vec<MoveSpelling>,
    /// For each player, or once for all.
    pub pieces: Vec<(PieceId, Vec<String>)>,
    pub players: Vec<(PlayerId, String)>,
    /// By the index of the option.
    pub options: Vec<(usize, String)>,
    /// Written after a move when the condition holds for the player who is then to move.
    pub conditions: Vec<(DefinitionId, String)>,
    /// Written after a move that wins, instead of the marks of `conditions`.
    pub win: Option<String>,
    /// The characters of the columns, from the left.
    pub columns: Option<String>,
    /// The characters of the rows, from the bottom.
    pub rows: Option<String>,
    /// The characters of the rows, from the top.
    pub rows_down: Option<String>,
    /// The fields of a position on one line.
    pub position: Vec<Field>,
    /// Fixed entries at the head of a record.
    pub tags: Vec<(String, String)>,
    /// What every line of a diagram begins with.
    pub line: Option<String>,
    /// The characters of empty sites in diagrams; the first is written.
    pub empty: Option<String>,
}

/// How the moves of a rule are written.
#[derive(Clone, Debug)]
pub struct MoveSpelling {
    pub rule: MoveId,
    /// Only moves whose first chosen site has one of these pieces; all moves if empty.
    pub pieces: Vec<PieceId>,
    /// Only moves with one of these sites; all moves if empty.
    pub sites: Vec<Site>,
    /// A move is written by the first pattern that gives it another text than every other legal
    /// move.
    pub patterns: Vec<Vec<PatternPart>>,
}

/// A part of how a move is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternPart {
    Text(String),
    /// The argument for a parameter.
    Choice {
        parameter: usize,
        aspect: Aspect,
    },
    /// Written only if the move takes a piece of another player off the board.
    Capture(Vec<PatternPart>),
}

/// The aspect of an argument that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    Whole,
    /// The column of a site.
    Column,
    /// The row of a site.
    Row,
    /// The piece on a site, before the move.
    Piece,
}

/// Reads a pattern such as `{s.piece}[x]{t}` for a move that chooses these. Without them, as for a
/// move with errors, any choice is taken to be one of the move.
///
/// # Errors
///
/// Returns what was expected.
pub(super) fn read_pattern(
    text: &str,
    choices: Option<&[(&str, ParameterRole)]>,
) -> Result<Vec<PatternPart>, String> {
    match pattern_parts(text, choices, false)? {
        (parts, "") => Ok(parts),
        _ => Err(String::from("expected `[` before this `]`")),
    }
}

/// Reads a pattern up to its end or to a `]`. Returns what follows, too.
fn pattern_parts<'t>(
    text: &'t str,
    choices: Option<&[(&str, ParameterRole)]>,
    is_inside: bool,
) -> Result<(Vec<PatternPart>, &'t str), String> {
    let mut parts = Vec::new();
    let mut left = text;
    loop {
        let (plain, special) = left.split_at(left.find(['{', '[', ']']).unwrap_or(left.len()));
        if !plain.is_empty() {
            parts.push(PatternPart::Text(plain.to_owned()));
        }
        left = if let Some(after) = special.strip_prefix('{') {
            let (choice, after) = after.split_once('}').ok_or("expected `}` after this `{`")?;
            parts.push(read_choice(choice, choices)?);
            after
        } else if let Some(after) = special.strip_prefix('[') {
            if is_inside {
                return Err(String::from("expected `]`, found a second `[`"));
            }
            let (captured, after) = pattern_parts(after, choices, true)?;
            parts.push(PatternPart::Capture(captured));
            after.strip_prefix(']').ok_or("expected `]` after this `[`")?
        } else {
            return Ok((parts, special));
        };
    }
}

/// Reads the inside of `{s.column}`.
fn read_choice(
    text: &str,
    choices: Option<&[(&str, ParameterRole)]>,
) -> Result<PatternPart, String> {
    let (name, aspect) = match text.split_once('.') {
        None => (text, Aspect::Whole),
        Some((name, "column")) => (name, Aspect::Column),
        Some((name, "row")) => (name, Aspect::Row),
        Some((name, "piece")) => (name, Aspect::Piece),
        Some((_, aspect)) => {
            return Err(format!("expected `column`, `row` or `piece`, found `{aspect}`"));
        }
    };
    let Some(choices) = choices else { return Ok(PatternPart::Choice { parameter: 0, aspect }) };
    let Some(parameter) = choices.iter().position(|(known, _)| *known == name) else {
        let known: Vec<String> = choices.iter().map(|(known, _)| format!("`{known}`")).collect();
        let known = if known.is_empty() { "nothing".to_owned() } else { series(&known, "and") };
        return Err(format!("the move chooses {known}, and no `{name}`"));
    };
    let is_site =
        matches!(choices[parameter].1, ParameterRole::At | ParameterRole::From | ParameterRole::To);
    match aspect == Aspect::Whole || is_site {
        true => Ok(PatternPart::Choice { parameter, aspect }),
        false => Err(format!("`{name}` is no site")),
    }
}

/// A field of a position on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// The rows of the board from the top, with the numbers of empty sites.
    Board,
    Mover,
    /// The number of the round, from 1. It is not read.
    Round,
    /// What another program has there and this game has not: written like this, and not read.
    Ignored(String),
    /// The value of a memory; `-` if it is empty.
    Memory(MemoryId),
    /// A memory of sites as letters, each for a site; `-` if it is empty.
    Flags(MemoryId, Vec<(char, Site)>),
}
