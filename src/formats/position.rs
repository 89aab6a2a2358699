//! Positions on one line, such as `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1`.

use super::names::Names;
use crate::board::Site;
use crate::engine::game::{Game, State, Turn};
use crate::engine::snapshot::{MemoryValue, Occupant};
use crate::language::notations::{Field, Format};
use crate::language::rules::{MemoryId, PlayerId};
use crate::notation::{clip, list, write_board};
use crate::record::Start;

/// The text of an empty memory.
const NOTHING: &str = "-";
/// The fields if the rules list none.
const USUAL: [Field; 2] = [Field::Board, Field::Mover];

/// Writes a position on one line.
///
/// # Errors
/// If the rules do not describe the format, or a memory has several values.
pub fn write_line(position: &State, format: Format) -> Result<String, String> {
    let rules = position.game().rules();
    let names = Names { rules, spellings: super::spellings(rules, format)? };
    let snapshot = position.snapshot();
    let memory = |id: MemoryId| snapshot.memories.get(id.index()).and_then(|values| values.first());
    let fields = match &names.spellings.position[..] {
        [] => &USUAL[..],
        fields => fields,
    };
    let written = fields.iter().map(|field| {
        Ok(match field {
            Field::Board => board(&names, &snapshot.pieces),
            Field::Mover => match next_mover(position) {
                Some(player) => names.player(player).to_owned(),
                None => NOTHING.to_owned(),
            },
            Field::Round => (1 + position.ply_count() / rules.players.len().max(1)).to_string(),
            Field::Ignored(text) => text.clone(),
            Field::Flags(id, letters) => {
                let set: String = letters
                    .iter()
                    .filter(|(_, site)| matches!(memory(*id), Some(MemoryValue::Sites(sites)) if sites.contains(site)))
                    .map(|(letter, _)| *letter)
                    .collect();
                if set.is_empty() { NOTHING.to_owned() } else { set }
            }
            Field::Memory(id) => match memory(*id) {
                Some(MemoryValue::Number(number)) => number.to_string(),
                Some(MemoryValue::Site(Some(site))) => names.site(*site),
                Some(MemoryValue::Site(None)) | None => NOTHING.to_owned(),
                Some(MemoryValue::Sites(sites)) => match &sites[..] {
                    [] => NOTHING.to_owned(),
                    sites => sites.iter().map(|&site| names.site(site)).collect(),
                },
                Some(_) => {
                    let name = &rules.memories[id.index()].name;
                    return Err(format!("the value of `{name}` cannot be written in one field"));
                }
            },
        })
    });
    Ok(written.collect::<Result<Vec<String>, String>>()?.join(" "))
}

/// Returns the player to move; after the end of the game, the player after the last mover.
fn next_mover(position: &State) -> Option<PlayerId> {
    match position.turn() {
        Turn::Player(player) => Some(player),
        Turn::Chance => None,
        Turn::Nobody => {
            let mut before = position.clone();
            let Turn::Player(last) = before.undo().then(|| before.turn())? else { return None };
            let players = position.game().rules().players.len();
            Some(PlayerId(((last.index() + 1) % players) as u16))
        }
    }
}

/// Writes the rows from the top, separated by `/`, with the numbers of empty sites between pieces.
fn board(names: &Names, pieces: &[Option<Occupant>]) -> String {
    let row = |sites: Vec<Site>| {
        let mut text = String::new();
        let mut empty = 0;
        for site in sites {
            match pieces.get(site.index()).copied().flatten() {
                None => empty += 1,
                Some(occupant) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                    }
                    empty = 0;
                    text.push_str(names.piece(occupant.piece, occupant.owner));
                }
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text
    };
    let rows = names.rules.board.rows_top_down();
    rows.into_iter().map(|(_, sites)| row(sites)).collect::<Vec<String>>().join("/")
}

/// Reads a position on one line. Fields missing at its end have their values at the start.
///
/// # Errors
/// Names the field that does not fit the game.
pub fn read_line(game: &Game, format: Format, line: &str) -> Result<State, String> {
    let rules = game.rules();
    let names = Names { rules, spellings: super::spellings(rules, format)? };
    let fields = match &names.spellings.position[..] {
        [] => &USUAL[..],
        fields => fields,
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.len() > fields.len() {
        return Err(format!("expected {} fields, found {}", fields.len(), words.len()));
    }
    let mut text = String::new();
    for (field, word) in fields.iter().zip(&words) {
        match field {
            Field::Board => {
                let pieces = read_board(&names, word)?;
                text.insert_str(0, &write_board(rules, &pieces, &[]));
            }
            Field::Mover => {
                let player = names.player_named(word).ok_or_else(|| {
                    let known: Vec<String> = (0..rules.players.len())
                        .map(|index| format!("`{}`", names.player(PlayerId(index as u16))))
                        .collect();
                    format!("expected {} to move, found `{}`", list(&known, "or"), clip(word))
                })?;
                text.push_str(&format!("to move: {}\n", rules.players[player.index()].name));
            }
            Field::Round | Field::Ignored(_) => {}
            Field::Memory(id) => {
                let value = match *word {
                    NOTHING => String::new(),
                    word if word.parse::<i32>().is_ok() => word.to_owned(),
                    word => sites(&names, word)?,
                };
                if !value.is_empty() {
                    text.push_str(&format!("{}: {value}\n", rules.memories[id.index()].name));
                }
            }
            Field::Flags(id, letters) => {
                let mut set = Vec::new();
                for letter in word.chars().filter(|letter| letter.to_string() != NOTHING) {
                    let (_, site) =
                        letters.iter().find(|(known, _)| *known == letter).ok_or_else(|| {
                            let known: Vec<String> =
                                letters.iter().map(|(letter, _)| format!("`{letter}`")).collect();
                            format!(
                                "expected `-` or some of {}, found `{letter}`",
                                list(&known, "and")
                            )
                        })?;
                    set.push(rules.board.label(*site));
                }
                text.push_str(&format!("{}: {}\n", rules.memories[id.index()].name, set.join(" ")));
            }
        }
    }
    let start = Start::parse(&text).map_err(|misread| misread.message)?;
    start.begin(game).map_err(|misread| misread.message)
}

/// Reads labels of sites written without blanks between them.
fn sites(names: &Names, word: &str) -> Result<String, String> {
    let board = &names.rules.board;
    let mut known: Vec<(String, Site)> =
        board.sites().map(|site| (names.site(site), site)).collect();
    // A longer name may begin with a shorter one.
    known.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut labels = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let begins = |(name, _): &&(String, Site)| !name.is_empty() && rest.starts_with(name);
        let (name, site) = known
            .iter()
            .find(begins)
            .ok_or_else(|| format!("expected `-` or a site, found `{}`", clip(word)))?;
        labels.push(board.label(*site));
        rest = &rest[name.len()..];
    }
    Ok(labels.join(" "))
}

fn read_board(names: &Names, word: &str) -> Result<Vec<Option<Occupant>>, String> {
    let board = &names.rules.board;
    let mut pieces = vec![None; board.slots()];
    let occupants = names.occupants();
    let rows = board.rows_top_down();
    let written: Vec<&str> = word.split('/').collect();
    if written.len() != rows.len() {
        return Err(format!("expected {} rows, found {}", rows.len(), written.len()));
    }
    for ((number, sites), written) in rows.iter().zip(written) {
        let mut free = sites.iter();
        let mut rest = written;
        let too_many = || format!("row {number} has {} sites, and more are written", sites.len());
        while !rest.is_empty() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            if digits > 0 {
                let empty: usize = rest[..digits].parse().map_err(|_| too_many())?;
                if empty > free.len() {
                    return Err(too_many());
                }
                free.by_ref().take(empty).for_each(drop);
                rest = &rest[digits..];
                continue;
            }
            let fits = |(_, text): &&(Occupant, &str)| !text.is_empty() && rest.starts_with(*text);
            let (occupant, text) = occupants
                .iter()
                .find(fits)
                .ok_or_else(|| format!("no piece is written as in `{}`", clip(rest)))?;
            let site = free.next().ok_or_else(too_many)?;
            pieces[site.index()] = Some(*occupant);
            rest = &rest[text.len()..];
        }
        if free.len() > 0 {
            return Err(format!("row {number} has {} sites, and fewer are written", sites.len()));
        }
    }
    Ok(pieces)
}
