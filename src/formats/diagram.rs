//! Diagrams in text, as they are posted in forums.

use super::names::Names;
use crate::engine::game::{Game, State, Turn};
use crate::engine::snapshot::Occupant;
use crate::language::notations::{Format, Spellings};
use crate::language::rules::PlayerId;
use crate::notation::{Misread, write_board, write_sites};
use crate::record::Start;

/// Draws the position: a line that names the player to move, if the rules spell players, and the
/// rows of the board.
pub fn write(position: &State) -> Result<String, String> {
    let rules = position.game().rules();
    let spellings = super::spellings(rules, Format::Diagram)?;
    let names = Names { rules, spellings };
    let pieces = position.snapshot().pieces;
    let empty = free(spellings).chars().next().unwrap_or('.').to_string();
    let widest = names.occupants().iter().map(|(_, text)| text.chars().count()).max();
    let rows = write_sites(&rules.board, widest.unwrap_or(1), &|site| {
        let occupant = pieces.get(site.index()).copied().flatten();
        occupant.map_or_else(|| empty.clone(), |it| names.piece(it.piece, it.owner).to_owned())
    });
    let before = spellings.line.as_deref().unwrap_or_default();
    let mut text = String::new();
    if let (Turn::Player(player), false) = (position.turn(), spellings.players.is_empty()) {
        text.push_str(&format!("{before}{}\n", names.player(player)));
    }
    let rows = rows.lines().map(|row| format!("{before}{row}").trim_end().to_owned() + "\n");
    text.extend(rows);
    Ok(text)
}

fn free(spellings: &Spellings) -> &str {
    spellings.empty.as_deref().filter(|empty| !empty.is_empty()).unwrap_or(".")
}

/// Reads a diagram. Lines without a site, such as borders, letters of columns and titles, are
/// skipped, and so is text beside the rows.
pub fn read(game: &Game, text: &str) -> Result<State, Misread> {
    let rules = game.rules();
    let spellings =
        super::spellings(rules, Format::Diagram).map_err(|message| Misread::new(1, message))?;
    let names = Names { rules, spellings };
    let occupants = names.occupants();
    let before = spellings.line.as_deref().unwrap_or_default().trim();
    let empty = free(spellings);
    let rows = rules.board.rows_top_down();
    let mut left = rows.iter();
    let mut pieces = vec![None; rules.board.slots()];
    let mut mover = None;
    let mut last = 1;
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        let line = line.strip_prefix(before).unwrap_or(line).trim();
        let named = (0..rules.players.len()).map(|index| PlayerId(index as u16)).find(|&player| {
            let word = line.split_whitespace().next();
            !spellings.players.is_empty() && word == Some(names.player(player))
        });
        if mover.is_none() && named.is_some() && left.len() == rows.len() {
            mover = named;
            continue;
        }
        // A row is the part between frames, without its number.
        let inside = line.trim_matches(|sign: char| sign == '|' || sign.is_whitespace());
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let cells: Option<Vec<_>> = inside
            .split_whitespace()
            .filter(|word| !is_number(word) && *word != "|")
            .map(|word| cell(word, &occupants, empty))
            .collect();
        let Some(cells) = cells.filter(|cells| !cells.is_empty()) else { continue };
        let Some((name, sites)) = left.next() else {
            return Err(Misread::new(number, "expected the end of the diagram, found another row"));
        };
        let cells: Vec<_> = cells.into_iter().flatten().collect();
        if cells.len() != sites.len() {
            let (sites, cells) = (sites.len(), cells.len());
            let message = format!("row {name} has {sites} sites, and {cells} are drawn");
            return Err(Misread::new(number, message));
        }
        for (site, occupant) in sites.iter().zip(cells) {
            pieces[site.index()] = occupant;
        }
        last = number;
    }
    if let Some((name, _)) = left.next() {
        return Err(Misread::new(last, format!("expected row {name}, found the end")));
    }
    let mut text = write_board(rules, &pieces, &[]);
    if let Some(player) = mover {
        text.push_str(&format!("to move: {}\n", rules.players[player.index()].name));
    }
    let begun = Start::parse(&text).and_then(|start| start.begin(game));
    begun.map_err(|misread| Misread::new(last, misread.message))
}

type Cell = Option<Occupant>;

/// Reads cells written without blanks between them; `None` if a part is no cell.
fn cell(word: &str, occupants: &[(Occupant, &str)], empty: &str) -> Option<Vec<Cell>> {
    let mut cells = Vec::new();
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let piece = occupants.iter().find(|(_, text)| !text.is_empty() && rest.starts_with(*text));
        match piece {
            Some((occupant, text)) => {
                cells.push(Some(*occupant));
                rest = &rest[text.len()..];
            }
            None if empty.contains(first) => {
                cells.push(None);
                rest = &rest[first.len_utf8()..];
            }
            None => return None,
        }
    }
    Some(cells)
}
