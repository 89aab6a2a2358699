//! Writes the lines below the board: hands, dice, numbers, the meaning of signs, and who is to
//! move.

use super::canvas::{StyledLine, width};
use super::pieces::{mark_sign, token_sign};
use super::plan::Size;
use super::styles::{FAINT, LAST, of, on};
use crate::language::rules::{MemoryId, MemoryType, PlayerId};
use crate::notation::{player, symbols, write_memories};
use crate::render::scene::{Fact, Scene, is_marked};
use anstyle::Style;

/// Writes the values of players and memories and the meaning of signs, in lines of at most `most`
/// columns unless a word is longer.
pub fn caption_lines(scene: &Scene, size: Size, most: usize) -> Vec<StyledLine> {
    let mut lines = Vec::new();
    let facts = scene.facts();
    let widest = scene.rules.players.iter().map(|player| width(&player.name)).max().unwrap_or(0);
    for index in 0..scene.rules.players.len() {
        let owner = PlayerId(index as u16);
        let own: Vec<&Fact> = facts.iter().filter(|fact| fact.player == Some(owner)).collect();
        if !own.is_empty() {
            let name = player(scene.rules, owner);
            let mut line = StyledLine::default();
            line.push(on(scene.palette.player(owner)), &format!(" {name} "));
            line.push(Style::new(), &" ".repeat(widest - width(name)));
            own.iter().for_each(|fact| push_fact(&mut line, fact));
            lines.push(line);
        }
    }
    let mut line = StyledLine::default();
    facts.iter().filter(|fact| fact.player.is_none()).for_each(|fact| push_fact(&mut line, fact));
    lines.extend((!line.parts.is_empty()).then_some(line));
    if size == Size::Full {
        lines.extend(signs(scene, most));
    }
    lines.extend(listed(scene, size));
    lines.into_iter().flat_map(|line| broken(line, most)).collect()
}

/// Writes who is to move.
pub fn situation(scene: &Scene) -> StyledLine {
    let mut line = StyledLine::default();
    let rest = match scene.mover {
        Some(mover) => {
            let name = player(scene.rules, mover);
            line.push(Style::new().bold(), name);
            scene.situation.strip_prefix(name).unwrap_or(&scene.situation)
        }
        None => &scene.situation,
    };
    line.push(Style::new(), rest);
    line
}

fn push_fact(line: &mut StyledLine, fact: &Fact) {
    let gap = if line.parts.is_empty() { "" } else { "  " };
    line.push(Style::new(), &format!("{gap}{}: ", fact.name));
    match fact.die {
        true => line.push(Style::new().bold(), &format!("[{}]", fact.value)),
        false => line.push(Style::new().bold(), &fact.value),
    }
}

/// Explains the signs that are on the board.
fn signs(scene: &Scene, most: usize) -> Vec<StyledLine> {
    let rules = scene.rules;
    let mut entries = Vec::new();
    let mut say = |style: Style, sign: &str, meaning: &str| {
        let mut entry = StyledLine::default();
        entry.push(style, sign);
        entry.push(FAINT, &format!(" {meaning}"));
        entries.push(entry);
    };
    let (marks, tokens) = (scene.marks(), scene.tokens());
    let links: Vec<MemoryId> = scene.links().map(|(link, _)| link.memory).collect();
    for (index, memory) in rules.memories.iter().enumerate() {
        let id = MemoryId(index as u16);
        let is_shown = is_marked(memory) && marks.iter().any(|mark| mark.memory == id);
        let sign = is_shown.then(|| mark_sign(id)).or(links.contains(&id).then_some("━"));
        if let Some(sign) = sign {
            let style =
                if memory.per_player { Style::new().bold() } else { of(scene.palette.mark(id)) };
            say(style, sign, &memory.name);
        }
        let mut owners: Vec<Option<PlayerId>> =
            tokens.iter().filter(|token| token.memory == id).map(|token| token.owner).collect();
        owners.sort_unstable();
        owners.dedup();
        for owner in owners {
            let name = owner.map_or(memory.name.clone(), |owner| {
                format!("{}'s {}", player(rules, owner), memory.name)
            });
            say(on(scene.color_of(owner, id)), &token_sign(rules, owner), &name);
        }
    }
    beside(entries, most)
}

/// Joins entries into lines of at most `most` columns, unless an entry is wider.
fn beside(entries: Vec<StyledLine>, most: usize) -> Vec<StyledLine> {
    const GAP: &str = "   ";
    let mut lines: Vec<StyledLine> = Vec::new();
    for entry in entries {
        match lines.last_mut() {
            Some(line) if line.width() + GAP.len() + entry.width() <= most => {
                line.push(Style::new(), GAP);
                entry.parts.iter().for_each(|(style, text)| line.push(*style, text));
            }
            _ => lines.push(entry),
        }
    }
    lines
}

/// Lists the memories of sites that the board does not show: all memories on a compact board;
/// otherwise the sites, directions, kinds and players that a memory keeps for each site.
fn listed(scene: &Scene, size: Size) -> Vec<StyledLine> {
    let rules = scene.rules;
    let is_listed = |id: MemoryId| {
        let memory = &rules.memories[id.index()];
        let is_number = matches!(memory.holds, MemoryType::Number { .. });
        let is_missing = match size {
            Size::Full => memory.per_site && !is_number,
            Size::Compact => {
                is_marked(memory) || memory.per_site || !memory.per_direction.is_empty()
            }
        };
        rules.is_of_pile(id) || is_missing && !rules.hides(id)
    };
    let lines = write_memories(rules, &scene.snapshot)
        .into_iter()
        .filter(|line| !line.idle && is_listed(line.memory));
    lines.map(|line| StyledLine::plain(format!("{}: {}", line.name, line.value))).collect()
}

/// Breaks a line between words into lines of at most `most` columns, unless a word is longer.
pub fn broken(line: StyledLine, most: usize) -> Vec<StyledLine> {
    if line.width() <= most {
        return vec![line];
    }
    let mut lines = vec![StyledLine::default()];
    for (style, text) in &line.parts {
        for word in text.split_inclusive(' ') {
            let Some(last) = lines.last_mut() else { break };
            if last.width() > 0 && last.width() + width(word.trim_end()) > most {
                if let Some((_, end)) = last.parts.last_mut() {
                    end.truncate(end.trim_end().len());
                }
                let mut next = StyledLine::default();
                next.push(*style, word.trim_start());
                lines.push(next);
            } else {
                last.push(*style, word);
            }
        }
    }
    lines
}

/// Explains the symbols of pieces and the signs of cut sites and the last move.
pub fn legend(scene: &Scene, most: usize) -> Vec<StyledLine> {
    let entry = |style: Style, sign: &str, meaning: &str| {
        let mut entry = StyledLine::default();
        entry.push(style, sign);
        entry.push(Style::new(), meaning);
        entry
    };
    let pieces = symbols(scene.rules).into_iter();
    let mut entries: Vec<StyledLine> = pieces
        .map(|(occupant, symbol, name)| {
            entry(on(scene.palette.piece(occupant)), &format!(" {symbol} "), &format!(" {name}"))
        })
        .collect();
    if scene.cuts {
        entries.push(entry(FAINT, "#", " cut out"));
    }
    entries.push(entry(LAST, "[ ]", " last move"));
    beside(entries, most).into_iter().flat_map(|line| broken(line, most)).collect()
}
