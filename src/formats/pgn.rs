//! Records in Portable Game Notation: tags, then numbered moves.

use super::moves::Speller;
use super::names::Names;
use super::{beginning, position};
use crate::diagnostics::Places;
use crate::engine::game::{Game, State};
use crate::engine::position::Outcome;
use crate::language::notations::Format;
use crate::language::rules::PlayerId;
use crate::notation::{Misread, clip};

/// The greatest width of the lines of moves, as in the standard.
const WIDTH: usize = 79;

/// Writes a game.
pub fn write(position: &State) -> Result<String, String> {
    let game = position.game();
    let rules = game.rules();
    let names = Names { rules, spellings: super::spellings(rules, Format::Pgn)? };
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    };
    for (name, value) in [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?")] {
        tag(name, value);
    }
    for index in 0..rules.players.len() {
        tag(names.player(PlayerId(index as u16)), "?");
    }
    let result = result(position);
    tag("Result", result);
    for (name, value) in &names.spellings.tags {
        tag(name, value);
    }
    for (option, name) in &names.spellings.options {
        if let Some(option) = rules.options.get(*option) {
            tag(name, option.value());
        }
    }
    let mut at = beginning(position);
    let usual = game.begin().is_ok_and(|usual| usual.hash() == at.hash());
    if !usual {
        tag("SetUp", "1");
        tag("FEN", &position::write_line(&at, Format::Fen)?);
    }
    let speller = Speller::new(game, Some(Format::Pgn));
    let mut words = Vec::new();
    let (mut round, mut last) = (0, None);
    for ply in position.plies() {
        let mover = at.turn().player().map(PlayerId::index);
        if mover == Some(0) && last != Some(0) || round == 0 {
            round += 1;
            words.push(if mover == Some(0) { format!("{round}.") } else { format!("{round}...") });
        }
        last = mover;
        words.push(speller.write(&at, ply));
        at.play(ply).map_err(|error| error.to_string())?;
    }
    words.push(result.to_owned());
    text.push('\n');
    let mut width = 0;
    for word in words {
        if width > 0 && width + 1 + word.len() > WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(&word);
        width += word.len();
    }
    Ok(text + "\n")
}

fn result(position: &State) -> &'static str {
    match position.personal_outcome() {
        None => "*",
        Some(Outcome::Win(winner)) if winner.index() == 0 => "1-0",
        Some(Outcome::Win(winner)) if winner.index() == 1 => "0-1",
        Some(Outcome::Draw | Outcome::Shared(_)) => "1/2-1/2",
        Some(Outcome::Win(_)) => "*",
    }
}

/// An element of a record.
enum Item<'t> {
    Tag(&'t str, String),
    Move(&'t str),
}

/// Reads the tags and the moves of the main line with their line numbers. Comments, variations,
/// numbers of moves and annotations are skipped.
fn items(text: &str) -> Result<Vec<(usize, Item<'_>)>, Misread> {
    let mut items = Vec::new();
    let mut depth = 0_usize;
    let mut rest = text;
    let places = Places::new(text);
    let line = |rest: &str| 1 + places.line(text.len() - rest.len());
    let until = |rest: &str, end: &str, what: &str| {
        let at = rest.find(end);
        at.ok_or_else(|| Misread::new(line(rest), format!("expected `{end}` after this {what}")))
    };
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        match first {
            '{' => rest = &rest[until(rest, "}", "comment")? + 1..],
            ';' | '%' => rest = rest.find('\n').map_or("", |end| &rest[end..]),
            '(' => {
                depth += 1;
                rest = &rest[1..];
            }
            ')' => {
                depth = depth
                    .checked_sub(1)
                    .ok_or_else(|| Misread::new(line(rest), "expected a move, found `)`"))?;
                rest = &rest[1..];
            }
            '[' if depth == 0 => {
                let number = line(rest);
                let inner = &rest[1..];
                let (name, value) = inner.split_once('"').ok_or_else(|| {
                    Misread::new(number, "expected a tag such as `[Event \"?\"]`")
                })?;
                let mut end = None;
                let mut read = String::new();
                let mut signs = value.char_indices();
                while let Some((at, sign)) = signs.next() {
                    match sign {
                        '\\' => read.extend(signs.next().map(|(_, sign)| sign)),
                        '"' => {
                            end = Some(at + 1);
                            break;
                        }
                        sign => read.push(sign),
                    }
                }
                let after = end.map(|end| value[end..].trim_start());
                let after = after
                    .and_then(|after| after.strip_prefix(']'))
                    .ok_or_else(|| Misread::new(number, "expected `\"]` at the end of this tag"))?;
                items.push((number, Item::Tag(name.trim(), read)));
                rest = after;
            }
            _ => {
                let end = rest
                    .find(|sign: char| sign.is_whitespace() || "{}();[".contains(sign))
                    .unwrap_or(rest.len())
                    .max(first.len_utf8());
                let (word, after) = rest.split_at(end);
                let number = line(rest);
                rest = after;
                // `12.e4` is a number and a move.
                let digits = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
                let word = match digits.strip_prefix('.') {
                    Some(after) if digits.len() < word.len() => after.trim_start_matches('.'),
                    _ => word,
                };
                let is_result = ["1-0", "0-1", "1/2-1/2", "*"].contains(&word);
                let is_skipped = word.is_empty()
                    || is_result
                    || word.starts_with('$')
                    || word.chars().all(|sign| sign == '.')
                    || word.chars().all(|sign| "!?".contains(sign));
                if depth == 0 && !is_skipped {
                    items.push((number, Item::Move(word)));
                }
            }
        }
    }
    Ok(items)
}

/// Lists the tags of a record.
pub fn tags(text: &str) -> Vec<(String, String)> {
    let tag = |(_, item)| match item {
        Item::Tag(name, value) => Some((str::to_owned(name), value)),
        Item::Move(_) => None,
    };
    items(text).unwrap_or_default().into_iter().filter_map(tag).collect()
}

/// Reads a game.
pub fn read(game: &Game, text: &str) -> Result<State, Misread> {
    let speller = Speller::new(game, Some(Format::Pgn));
    let mut position = game.begin().map_err(|fault| Misread::new(1, fault.to_string()))?;
    for (line, item) in items(text)? {
        match item {
            Item::Tag("FEN", value) => {
                position = position::read_line(game, Format::Fen, &value)
                    .map_err(|message| Misread::new(line, message))?;
            }
            Item::Tag(..) => {}
            Item::Move(word) => {
                let number = position.ply_count() + 1;
                let ply = speller
                    .read(&position, word)
                    .map_err(|message| Misread::new(line, format!("ply {number}: {message}")))?;
                position.play(&ply).map_err(|error| {
                    Misread::new(line, format!("ply {number}, `{}`: {error}", clip(word)))
                })?;
            }
        }
    }
    Ok(position)
}
