//! Writes and reads memories as lines `Name: value` or `Name PLAYER: value`.

use super::piles::{PILES, read_piles, write_piles};
use super::reading::unknown_site;
use super::spelling::{clip, list};
use crate::board::{Board, Direction, Site};
use crate::engine::snapshot::{MemoryValue, Snapshot};
use crate::language::rules::{Keys, Memory, MemoryId, MemoryType, Pie, PieceId, PlayerId, Rules};
use std::ops::Range;

/// One line of memory text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryLine {
    pub memory: MemoryId,
    /// The owner of the value, if the memory is kept per player.
    pub player: Option<PlayerId>,
    /// The name of the memory and, if it is kept per player, the player's name.
    pub name: String,
    pub value: String,
    /// Whether the memory is a player's hand.
    pub hand: bool,
    /// Whether the memory has a value per site.
    pub per_site: bool,
    /// Whether the value is zero, empty, false, no site, no direction or no kind.
    pub idle: bool,
}

/// Writes every memory, in declaration order, then in player order, and at the end the piles, in
/// one line.
pub fn write_memories(rules: &Rules, snapshot: &Snapshot) -> Vec<MemoryLine> {
    let mut lines = Vec::new();
    for (index, (memory, memories)) in rules.memories.iter().zip(&snapshot.memories).enumerate() {
        let is = |of: fn(Pie) -> MemoryId| rules.pie.is_some_and(|pie| of(pie).index() == index);
        // These memories mean nothing at a decision, or are written as the line of piles.
        let id = MemoryId(index as u16);
        if is(|pie| pie.kept) || rules.is_of_pile(id) || rules.notes_ply(id) {
            continue;
        }
        let width = memory.values_per_player();
        for (player, part) in memories.chunks(width).enumerate() {
            let name = if memory.per_player {
                format!("{} {}", memory.name, rules.players[player].name)
            } else {
                memory.name.clone()
            };
            let value = write(rules, memory, part);
            // A swap that is still possible is part of the rules, and not shown with the board.
            let idle = ["", "0", NOWHERE, NO_KIND, "false"].contains(&value.as_str())
                || is(|pie| pie.swappable);
            lines.push(MemoryLine {
                memory: MemoryId(index as u16),
                player: memory.per_player.then_some(PlayerId(player as u16)),
                name,
                value,
                hand: memory.hand,
                per_site: memory.per_site,
                idle,
            });
        }
    }
    lines.extend(write_piles(rules, snapshot));
    lines
}

const NOWHERE: &str = "nowhere";
const NO_KIND: &str = "none";

fn write(rules: &Rules, memory: &Memory, part: &[MemoryValue]) -> String {
    let label = |site: Site| rules.board.label(site);
    let site_or_nowhere = |site: Option<Site>| site.map_or(NOWHERE, label).to_owned();
    if !memory.per_direction.is_empty() {
        let mut marks: Vec<(Site, usize)> = Vec::new();
        for (direction, memory_value) in part.iter().enumerate() {
            if let MemoryValue::Sites(sites) = memory_value {
                marks.extend(sites.iter().map(|&site| (site, direction)));
            }
        }
        marks.sort_unstable();
        let spelled = marks.iter().map(|&(site, direction)| {
            format!(
                "{} {}",
                label(site),
                rules.board.direction_name(memory.per_direction[direction])
            )
        });
        return spelled.collect::<Vec<String>>().join(", ");
    }
    let kind_name = |kind: PieceId| rules.pieces[kind.index()].name.as_str();
    if !memory.keys.is_one() {
        let counted = part.iter().enumerate().filter_map(|(place, value)| match value {
            MemoryValue::Number(0) => None,
            MemoryValue::Number(number) => {
                Some(format!("{} {number}", memory.keys.name(&rules.pieces, place)?))
            }
            _ => None,
        });
        return counted.collect::<Vec<String>>().join(", ");
    }
    match part.first() {
        None => String::new(),
        Some(MemoryValue::Number(number)) => number.to_string(),
        Some(MemoryValue::Sites(sites)) => {
            sites.iter().map(|&site| label(site)).collect::<Vec<&str>>().join(" ")
        }
        Some(MemoryValue::Site(site)) => site_or_nowhere(*site),
        Some(MemoryValue::Player(player)) => super::player(rules, *player).to_owned(),
        Some(MemoryValue::Kind(kind)) => kind.map_or(NO_KIND, kind_name).to_owned(),
        Some(MemoryValue::KindPerSite(kinds)) => {
            let pairs = rules.board.sites().filter_map(|site| Some((site, kinds[site.index()]?)));
            pairs
                .map(|(site, kind)| format!("{} {}", label(site), kind_name(kind)))
                .collect::<Vec<String>>()
                .join(", ")
        }
        Some(MemoryValue::Direction(direction)) => {
            direction.map_or(NOWHERE.to_owned(), |direction| rules.board.direction_name(direction))
        }
        Some(MemoryValue::DirectionPerSite(directions)) => {
            let pairs =
                rules.board.sites().filter_map(|site| Some((site, directions[site.index()]?)));
            pairs
                .map(|(site, direction)| {
                    format!("{} {}", label(site), rules.board.direction_name(direction))
                })
                .collect::<Vec<String>>()
                .join(", ")
        }
        Some(MemoryValue::Condition(holds)) => holds.to_string(),
        Some(MemoryValue::NumberPerSite(numbers)) => {
            let borne = rules.board.sites().filter(|site| numbers[site.index()] != 0);
            borne
                .map(|site| format!("{} {}", label(site), numbers[site.index()]))
                .collect::<Vec<String>>()
                .join(", ")
        }
        Some(MemoryValue::SitePerSite(sites)) => {
            let pairs = rules.board.sites().filter_map(|site| Some((site, sites[site.index()]?)));
            pairs
                .map(|(site, to)| format!("{} {}", label(site), label(to)))
                .collect::<Vec<String>>()
                .join(", ")
        }
    }
}

/// Finds a memory by name, and the range of its values for the named player.
fn find(rules: &Rules, name: &str) -> Option<Result<(usize, Range<usize>), String>> {
    let mut words = name.split_whitespace();
    let first = words.next()?;
    let index = rules.memories.iter().position(|memory| memory.name == first)?;
    let memory = &rules.memories[index];
    let width = memory.values_per_player();
    let names: Vec<&str> = rules.players.iter().map(|player| player.name.as_str()).collect();
    let player = match (words.next(), memory.per_player) {
        (None, false) => 0,
        (Some(word), true) => match names.iter().position(|name| *name == word) {
            Some(player) => player,
            None => {
                return Some(Err(format!(
                    "there is no player `{}`; the players are {}",
                    clip(word),
                    list(&names, "and")
                )));
            }
        },
        (None, true) => {
            return Some(Err(format!(
                "`{first}` is kept per player: write `{first} {}:`",
                names.first().unwrap_or(&"")
            )));
        }
        (Some(word), false) => {
            return Some(Err(format!("expected `{first}:`, found `{first} {}:`", clip(word))));
        }
    };
    match words.next() {
        Some(word) => {
            Some(Err(format!("expected `{first} PLAYER:`, found an extra `{}`", clip(word))))
        }
        None => Some(Ok((index, player * width..(player + 1) * width))),
    }
}

/// Reads a value of the named memory (`Fresh`, `Supply Red`) into a snapshot; `None` if there is no
/// such memory. The line of piles is read like a memory `piles`.
pub fn read_memory(
    rules: &Rules,
    snapshot: &mut Snapshot,
    name: &str,
    value: &str,
) -> Option<Result<(), String>> {
    if let (PILES, Some(piles)) = (name, &rules.piles) {
        return Some(read_piles(rules, piles, snapshot, value));
    }
    let (index, range) = match find(rules, name)? {
        Ok(found) => found,
        Err(message) => return Some(Err(message)),
    };
    let memory = &rules.memories[index];
    let part = match parse(rules, memory, value) {
        Ok(part) => part,
        Err(message) => return Some(Err(format!("{name}: {message}"))),
    };
    snapshot.memories[index][range].clone_from_slice(&part);
    Some(Ok(()))
}

fn parse(rules: &Rules, memory: &Memory, value: &str) -> Result<Vec<MemoryValue>, String> {
    let board = &rules.board;
    let slots = board.slots();
    if !memory.per_direction.is_empty() {
        let mut sets = vec![Vec::new(); memory.per_direction.len()];
        for (site, word) in pairs(board, value, "SITE DIRECTION")? {
            let direction = direction(board, &memory.per_direction, word)?;
            let index = memory.per_direction.iter().position(|&kept| kept == direction);
            sets[index.unwrap_or(0)].push(site);
        }
        return Ok(sets.into_iter().map(sorted).collect());
    }
    if !memory.keys.is_one() {
        let mut numbers = vec![0; memory.keys.count()];
        let is_counted = matches!(memory.keys, Keys::Numbers(_));
        let form = if is_counted { "NUMBER AMOUNT" } else { "KIND NUMBER" };
        for pair in value.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let [word, amount] = pair.split_whitespace().collect::<Vec<&str>>()[..] else {
                return Err(format!(
                    "expected `{form}` pairs with commas between, found `{}`",
                    clip(pair)
                ));
            };
            numbers[place(rules, &memory.keys, word)?] = hand_number(memory, amount)?;
        }
        return Ok(numbers.into_iter().map(MemoryValue::Number).collect());
    }
    let every_way: Vec<Direction> = board.ways_of_grid().collect();
    let every: Vec<PieceId> = (0..rules.pieces.len() as u16).map(PieceId).collect();
    let memory_value = match (memory.holds, memory.per_site) {
        (MemoryType::Number { most }, true) => {
            let mut numbers = vec![0; slots];
            for (site, word) in pairs(board, value, "SITE NUMBER")? {
                let number = number(word)?;
                if !(0..=most).contains(&number) {
                    return Err(format!("expected a number from 0 to {most}, found {number}"));
                }
                numbers[site.index()] = number;
            }
            MemoryValue::NumberPerSite(numbers)
        }
        (MemoryType::Number { .. }, false) => MemoryValue::Number(hand_number(memory, value)?),
        (MemoryType::Kind, true) => {
            let mut kinds = vec![None; slots];
            for (at, word) in pairs(board, value, "SITE KIND")? {
                kinds[at.index()] = Some(kind(rules, &every, word)?);
            }
            MemoryValue::KindPerSite(kinds)
        }
        (MemoryType::Kind, false) if value == NO_KIND => MemoryValue::Kind(None),
        (MemoryType::Kind, false) => MemoryValue::Kind(Some(kind(rules, &every, value)?)),
        (MemoryType::Direction, true) => {
            let mut directions = vec![None; slots];
            for (at, word) in pairs(board, value, "SITE DIRECTION")? {
                directions[at.index()] = Some(direction(board, &every_way, word)?);
            }
            MemoryValue::DirectionPerSite(directions)
        }
        (MemoryType::Direction, false) if value == NOWHERE => MemoryValue::Direction(None),
        (MemoryType::Direction, false) => {
            MemoryValue::Direction(Some(direction(board, &every_way, value)?))
        }
        (MemoryType::Condition, _) => match value {
            "true" => MemoryValue::Condition(true),
            "false" => MemoryValue::Condition(false),
            _ => return Err(format!("expected `true` or `false`, found `{}`", clip(value))),
        },
        (MemoryType::Sites, _) => {
            let words = value.split([' ', '\t', ',']).filter(|word| !word.is_empty());
            sorted(words.map(|word| site(board, word)).collect::<Result<Vec<Site>, String>>()?)
        }
        (MemoryType::Site, true) => {
            let mut sites = vec![None; slots];
            for (at, word) in pairs(board, value, "SITE SITE")? {
                sites[at.index()] = Some(site(board, word)?);
            }
            MemoryValue::SitePerSite(sites)
        }
        (MemoryType::Site, false) if value == NOWHERE => MemoryValue::Site(None),
        (MemoryType::Site, false) => MemoryValue::Site(Some(site(board, value)?)),
        (MemoryType::Player, _) => {
            let names: Vec<&str> =
                rules.players.iter().map(|player| player.name.as_str()).collect();
            let found = names.iter().position(|name| *name == value);
            let index = found.ok_or_else(|| {
                format!("expected {}, found `{}`", list(&names, "or"), clip(value))
            })?;
            MemoryValue::Player(PlayerId(index as u16))
        }
    };
    Ok(vec![memory_value])
}

fn sorted(mut sites: Vec<Site>) -> MemoryValue {
    sites.sort_unstable();
    sites.dedup();
    MemoryValue::Sites(sites)
}

pub(super) fn site(board: &Board, word: &str) -> Result<Site, String> {
    board.find(word).ok_or_else(|| unknown_site(board, word).line())
}

/// Reads the name of one of these kinds of piece.
fn kind(rules: &Rules, kinds: &[PieceId], word: &str) -> Result<PieceId, String> {
    let name = |kind: &PieceId| rules.pieces[kind.index()].name.as_str();
    kinds.iter().copied().find(|kind| name(kind) == word).ok_or_else(|| {
        let known: Vec<&str> = kinds.iter().map(name).collect();
        format!(
            "expected a kind of piece, found `{}`; the kinds are {}",
            clip(word),
            list(&known, "and")
        )
    })
}

/// Returns the index of a memory's value for the kind or number that a word names.
fn place(rules: &Rules, keys: &Keys, word: &str) -> Result<usize, String> {
    match keys {
        Keys::One => Ok(0),
        Keys::Kinds(kinds) => {
            let kind = kind(rules, kinds, word)?;
            Ok(keys.place_of_kind(kind).unwrap_or(0))
        }
        Keys::Numbers(numbers) => keys.place_of_number(number(word)?.into()).ok_or_else(|| {
            format!(
                "expected a number from {} to {} before the amount, found {}",
                numbers.start(),
                numbers.end(),
                clip(word)
            )
        }),
    }
}

/// Reads the name of one of these directions.
fn direction(board: &Board, directions: &[Direction], word: &str) -> Result<Direction, String> {
    let found = board.direction_named(word).filter(|direction| directions.contains(direction));
    found.ok_or_else(|| {
        let known: Vec<String> =
            directions.iter().map(|&known| board.direction_name(known)).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        format!(
            "expected a direction, found `{}`; the directions are {}",
            clip(word),
            list(&known, "and")
        )
    })
}

/// Reads a number that the memory can hold.
fn hand_number(memory: &Memory, word: &str) -> Result<i32, String> {
    match number(word)? {
        number if number < 0 && memory.hand => {
            Err(format!("expected a number of 0 or more, found {number}"))
        }
        number => Ok(number),
    }
}

fn number(word: &str) -> Result<i32, String> {
    word.parse().map_err(|_| format!("expected a whole number, found `{}`", clip(word)))
}

/// Reads comma-separated pairs whose first word is a site.
fn pairs<'v>(board: &Board, value: &'v str, form: &str) -> Result<Vec<(Site, &'v str)>, String> {
    let pairs = value.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| match pair.split_whitespace().collect::<Vec<&str>>()[..] {
            [first, second] => Ok((site(board, first)?, second)),
            _ => {
                Err(format!("expected `{form}` pairs with commas between, found `{}`", clip(pair)))
            }
        })
        .collect()
}
