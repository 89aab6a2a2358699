//! Records in the Smart Game Format: a tree of nodes with properties. Only the main line is read.

use super::beginning;
use super::moves::Speller;
use super::names::Names;
use crate::diagnostics::Places;
use crate::engine::game::{Game, State, Turn};
use crate::engine::position::Outcome;
use crate::engine::snapshot::Occupant;
use crate::language::notations::Format;
use crate::language::rules::PlayerId;
use crate::notation::{Misread, clip, write_board};
use crate::record::Start;

/// A property of a node with its values.
struct Property<'t> {
    line: usize,
    name: &'t str,
    values: Vec<String>,
}

/// Writes a game.
pub fn write(position: &State) -> Result<String, String> {
    let game = position.game();
    let rules = game.rules();
    let names = Names { rules, spellings: super::spellings(rules, Format::Sgf)? };
    let mut text = String::from("(;FF[4]CA[UTF-8]AP[Ludwright]");
    let mut property = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace(']', "\\]");
        text.push_str(&format!("{name}[{value}]"));
    };
    for (name, value) in &names.spellings.tags {
        property(name, value);
    }
    for (option, name) in &names.spellings.options {
        if let Some(option) = rules.options.get(*option) {
            property(name, option.value());
        }
    }
    match position.personal_outcome() {
        None => {}
        Some(Outcome::Win(winner)) => property("RE", &format!("{}+", names.player(winner))),
        Some(Outcome::Draw | Outcome::Shared(_)) => property("RE", "0"),
    }
    let mut at = beginning(position);
    let usual = game.begin().is_ok_and(|usual| usual.hash() == at.hash());
    if !usual {
        let pieces = at.snapshot().pieces;
        for (occupant, name) in names.occupants() {
            let standing = rules
                .board
                .sites()
                .filter(|site| pieces.get(site.index()).copied().flatten() == Some(occupant));
            let values: String = standing.map(|site| format!("[{}]", names.site(site))).collect();
            if !values.is_empty() {
                text.push_str(&format!("{name}{values}"));
            }
        }
        if let Turn::Player(player) = at.turn() {
            text.push_str(&format!("PL[{}]", names.player(player)));
        }
    }
    let speller = Speller::new(game, Some(Format::Sgf));
    for ply in position.plies() {
        let player = match at.turn() {
            Turn::Player(player) => names.player(player).to_owned(),
            Turn::Chance | Turn::Nobody => String::from("N"),
        };
        let value = speller.write(&at, ply).replace('\\', "\\\\").replace(']', "\\]");
        text.push_str(&format!("\n;{player}[{value}]"));
        at.play(ply).map_err(|error| error.to_string())?;
    }
    Ok(text + ")\n")
}

/// Reads the nodes of the main line: at a branching, the first variation.
fn nodes(text: &str) -> Result<Vec<Vec<Property<'_>>>, Misread> {
    let mut nodes: Vec<Vec<Property>> = Vec::new();
    let places = Places::new(text);
    let line = |rest: &str| 1 + places.line(text.len() - rest.len());
    let mut rest = text;
    let mut open = 0_usize;
    // Nodes after the end of the first variation are not on the main line.
    let mut ended = false;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        match first {
            '(' => {
                open += 1;
                rest = &rest[1..];
            }
            ')' => {
                ended = true;
                let Some(outer) = open.checked_sub(1) else {
                    return Err(Misread::new(line(rest), "expected the end, found `)`"));
                };
                open = outer;
                rest = &rest[1..];
                if open == 0 {
                    return Ok(nodes);
                }
            }
            ';' if open > 0 => {
                if !ended {
                    nodes.push(Vec::new());
                }
                rest = &rest[1..];
            }
            first if first.is_ascii_alphabetic() && open > 0 => {
                let number = line(rest);
                let end = rest.find(|sign: char| !sign.is_ascii_alphabetic()).unwrap_or(rest.len());
                let (name, after) = rest.split_at(end);
                rest = after.trim_start();
                let mut values = Vec::new();
                while let Some(inner) = rest.strip_prefix('[') {
                    let mut value = String::new();
                    let mut signs = inner.char_indices();
                    let end = loop {
                        match signs.next() {
                            Some((_, '\\')) => value.extend(signs.next().map(|(_, sign)| sign)),
                            Some((at, ']')) => break at + 1,
                            Some((_, sign)) => value.push(sign),
                            None => {
                                return Err(Misread::new(
                                    number,
                                    format!("expected `]` after `{name}[`"),
                                ));
                            }
                        }
                    };
                    values.push(value);
                    rest = inner[end..].trim_start();
                }
                if values.is_empty() {
                    return Err(Misread::new(
                        number,
                        format!("expected `[` after `{}`", clip(name)),
                    ));
                }
                if !ended {
                    let node = nodes.last_mut();
                    let node = node.ok_or_else(|| {
                        Misread::new(number, format!("expected `;` before `{name}`"))
                    })?;
                    node.push(Property { line: number, name, values });
                }
            }
            _ => {
                let found = format!("expected a property such as `B[aa]`, found `{first}`");
                return Err(Misread::new(line(rest), found));
            }
        }
    }
    Err(Misread::new(line(rest), "expected `)` at the end"))
}

/// Lists the first values of the first node.
pub fn tags(text: &str) -> Vec<(String, String)> {
    let first = nodes(text).ok().and_then(|nodes| nodes.into_iter().next()).unwrap_or_default();
    let first = first.into_iter().filter_map(|property| {
        Some((property.name.to_owned(), property.values.into_iter().next()?))
    });
    first.collect()
}

/// Reads a game.
pub fn read(game: &Game, text: &str) -> Result<State, Misread> {
    let rules = game.rules();
    let fault = |message: String| Misread::new(1, message);
    let names = Names { rules, spellings: super::spellings(rules, Format::Sgf).map_err(fault)? };
    let speller = Speller::new(game, Some(Format::Sgf));
    let nodes = nodes(text)?;
    let mut position = match nodes.first() {
        Some(first) => placed(game, &names, first, &nodes)?,
        None => None,
    };
    let mut begun = match position.take() {
        Some(position) => position,
        None => game.begin().map_err(|error| fault(error.to_string()))?,
    };
    for property in nodes.iter().flatten() {
        let Some(player) = names.player_named(property.name) else { continue };
        let value = property.values.first().map_or("", String::as_str);
        let number = begun.ply_count() + 1;
        let misread =
            |message: String| Misread::new(property.line, format!("ply {number}: {message}"));
        if begun.turn() != Turn::Player(player) {
            let name = &rules.players[player.index()].name;
            return Err(misread(format!("{name} is not to move")));
        }
        let ply = speller.read(&begun, value).map_err(misread)?;
        begun.play(&ply).map_err(|error| misread(error.to_string()))?;
    }
    Ok(begun)
}

/// Makes the position that the first node sets up; `None` without a setup.
fn placed(
    game: &Game,
    names: &Names,
    first: &[Property],
    nodes: &[Vec<Property>],
) -> Result<Option<State>, Misread> {
    let rules = names.rules;
    let occupants = names.occupants();
    let mut pieces: Vec<Option<Occupant>> = vec![None; rules.board.slots()];
    let mut line = None;
    let mut mover: Option<PlayerId> = None;
    for property in first {
        if let Some((occupant, _)) = occupants.iter().find(|(_, name)| *name == property.name) {
            line = Some(property.line);
            for value in &property.values {
                let site = names.find(value).ok_or_else(|| {
                    let message = format!("expected a site, found `{}`", clip(value));
                    Misread::new(property.line, message)
                })?;
                pieces[site.index()] = Some(*occupant);
            }
        } else if property.name == "PL" {
            mover = property.values.first().and_then(|value| names.player_named(value));
        }
    }
    let Some(line) = line else { return Ok(None) };
    // Without `PL`, the first mover in the record is to move.
    let first_mover = || nodes.iter().flatten().find_map(|node| names.player_named(node.name));
    let mover = mover.or_else(first_mover).unwrap_or(PlayerId(0));
    let text = format!(
        "{}to move: {}\n",
        write_board(rules, &pieces, &[]),
        rules.players[mover.index()].name
    );
    let begun = Start::parse(&text).and_then(|start| start.begin(game));
    begun.map(Some).map_err(|misread| Misread::new(line, misread.message))
}
