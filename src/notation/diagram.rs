//! Writes and reads diagrams: the board as rows of symbols.
//!
//! ```text
//!   3 . B W          5 . .
//!   2 . # .         4 . . .
//!   1 . . .        3 . . . .
//!     a b c       2 . . . . .
//!                  1 . . . . e
//!                     a b c d
//! ```

use super::position::{Line, Misread};
use super::spelling::{clip, list, player};
use crate::board::{Board, Site};
use crate::engine::snapshot::Occupant;
use crate::language::diagram::{self, CUT, Cell, EMPTY, RowError, Symbol, read_row};
use crate::language::quantities::counted;
use crate::language::rules::{PlayerId, Rules};
use std::collections::BTreeSet;

/// The contents of a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// Indexed by site number, with an entry for every slot of the board.
    pub pieces: Vec<Option<Occupant>>,
    /// The cut sites, in ascending order.
    pub cut: Vec<Site>,
}

/// Lists every possible occupant with its symbol and a name for messages.
pub fn symbols(rules: &Rules) -> Vec<(Occupant, String, String)> {
    let named = |symbol: Symbol| {
        let Symbol { text, piece, owner } = symbol;
        let name = &rules.pieces[piece.index()].name;
        let name = owner.map_or(name.clone(), |owner| format!("{}'s {name}", player(rules, owner)));
        (Occupant { piece, owner }, text, name)
    };
    diagram::symbols(&rules.pieces).into_iter().map(named).collect()
}

/// Returns the symbol of a piece.
pub(super) fn symbol(rules: &Rules, occupant: Occupant) -> &str {
    let symbols = &rules.pieces[occupant.piece.index()].symbols;
    let index = occupant.owner.map_or(0, PlayerId::index);
    symbols.get(index).or(symbols.first()).map_or("?", String::as_str)
}

/// Writes the rows from top to bottom, each with its number, then the letters of the columns.
pub fn write_board(rules: &Rules, pieces: &[Option<Occupant>], cut: &[Site]) -> String {
    let drawn =
        symbols(rules).iter().map(|(_, symbol, _)| symbol.chars().count()).max().unwrap_or(1);
    write_sites(&rules.board, drawn, &|site| match pieces.get(site.index()).copied().flatten() {
        _ if cut.contains(&site) => CUT.to_owned(),
        Some(occupant) => symbol(rules, occupant).to_owned(),
        None => EMPTY.to_owned(),
    })
}

/// Writes a board with a text of at most `drawn` characters on each site.
pub fn write_sites(board: &Board, drawn: usize, shown: &dyn Fn(Site) -> String) -> String {
    let letters = |site: Site| board.column_letters(site);
    let widest = board.sites().map(|site| letters(site).len()).chain([drawn]).max().unwrap_or(1);
    // On grids with six neighbours, each row is shifted left by half a cell against the one below.
    let six = board.all().len() == 6;
    let half = (widest + 2) / 2;
    let place = |x: usize, y: isize| match six {
        true => (2 * x as isize - y) * half as isize,
        false => x as isize * (widest as isize + 1),
    };
    let at = |site: Site| {
        let (x, y) = board.place(site);
        (place(x, y as isize), y as isize)
    };
    let rows = board.rows_top_down();
    let gutter = rows.iter().map(|(number, _)| number.len()).max().unwrap_or(1) + 2;
    let left = board.sites().map(|site| at(site).0).min().unwrap_or(0);
    let offset = |x: isize| (x - left) as usize + gutter + 1;

    let mut lines = vec![TextRow::default(); rows.len() + 1];
    for (line, (number, sites)) in lines.iter_mut().zip(&rows) {
        let start = if six { sites.first().map_or(left, |&site| at(site).0) } else { left };
        line.put(offset(start) - 1 - number.len(), number);
        for &site in sites {
            line.put(offset(at(site).0), &shown(site));
        }
    }
    // A column's letters stand where the site below its lowest one would be, unless sites of a
    // board with holes are to the right of this place.
    let mut lowest: Vec<Site> = Vec::new();
    for site in board.sites() {
        if !lowest.iter().any(|&other| board.place(other).0 == board.place(site).0) {
            lowest.push(site);
        }
    }
    for site in lowest {
        let (x, y) = board.place(site);
        let below = if six { y as isize - 1 } else { -1 };
        let column = offset(place(x, below).max(left));
        let line = &mut lines[(rows.len() as isize - 1 - below) as usize];
        if below < 0 || line.width() < column {
            line.put(column, &letters(site));
        }
    }
    lines.iter().map(|line| format!("{}\n", line.text())).collect()
}

/// A line of text with write access by column.
#[derive(Clone, Default)]
struct TextRow {
    characters: Vec<char>,
}

impl TextRow {
    fn put(&mut self, column: usize, text: &str) {
        for (index, character) in text.chars().enumerate() {
            let column = column + index;
            self.characters.resize(self.characters.len().max(column + 1), ' ');
            self.characters[column] = character;
        }
    }

    fn width(&self) -> usize {
        self.characters.len()
    }

    fn text(&self) -> String {
        self.characters.iter().collect::<String>().trim_end().to_owned()
    }
}

/// Reads a diagram from the beginning of `lines`, and returns the number of lines that it takes.
///
/// # Errors
/// Names the line that does not fit the board.
pub fn read_board(rules: &Rules, lines: &[Line]) -> Result<(Diagram, usize), Misread> {
    let board = &rules.board;
    let known = diagram::symbols(&rules.pieces);
    let mut diagram = Diagram { pieces: vec![None; board.slots()], cut: Vec::new() };
    let mut used = 0;
    let letters: BTreeSet<String> = board.sites().map(|site| board.column_letters(site)).collect();
    // A row of sides and posts has no number, and is empty where cells are missing.
    let is_written =
        |(number, sites): &(String, Vec<Site>)| !number.is_empty() || !sites.is_empty();
    // A row of sides and posts may begin with a cut site, whose sign also begins a comment.
    let is_row_of_cuts = |line: &Line, number: &str, sites: usize| {
        number.is_empty()
            && read_row(&known, line.text, sites).is_ok_and(|read| read.rest.trim().is_empty())
    };
    for (number, sites) in board.rows_top_down().into_iter().filter(is_written) {
        let line = loop {
            match lines.get(used) {
                Some(line) if line.is_blank() && !is_row_of_cuts(line, &number, sites.len()) => {
                    used += 1;
                }
                Some(line) => break line,
                None => {
                    let last = lines.last().map_or(1, |line| line.number);
                    return Err(Misread::new(
                        last,
                        format!("expected row {number} of the diagram, found the end of the file"),
                    ));
                }
            }
        };
        used += 1;
        let text = line.text.trim_start();
        let first = text.split_whitespace().next().filter(|_| !number.is_empty()).unwrap_or("");
        if first != number {
            return Err(Misread::new(
                line.number,
                format!("expected row {number} of the diagram, found `{}`", clip(line.text.trim())),
            ));
        }
        let number = if number.is_empty() { String::from("of sides") } else { number };
        let count = |found: usize| {
            format!("row {number} has {}, found {found}", counted(sites.len() as u64, "site"))
        };
        let read = match read_row(&known, &text[first.len()..], sites.len()) {
            Ok(read) => read,
            Err(RowError::TooShort(found)) => {
                return Err(Misread::new(line.number, count(found)));
            }
            Err(RowError::Unknown(index, word)) => {
                let named = symbols(rules);
                let named = named.iter().map(|(_, symbol, name)| format!("`{symbol}` ({name})"));
                let named: Vec<String> =
                    [format!("`{EMPTY}`"), format!("`{CUT}`")].into_iter().chain(named).collect();
                let message = format!(
                    "expected {} at {}, found `{}`",
                    list(&named, "or"),
                    board.label(sites[index]),
                    clip(word)
                );
                return Err(Misread::new(line.number, message));
            }
        };
        for (cell, &site) in read.cells.into_iter().zip(&sites) {
            match cell {
                Cell::Empty => {}
                Cell::Cut => diagram.cut.push(site),
                Cell::Piece(piece, owner) => {
                    diagram.pieces[site.index()] = Some(Occupant { piece, owner });
                }
            }
        }
        let besides = read
            .rest
            .split_whitespace()
            .take_while(|word| !word.starts_with('#'))
            .filter(|word| !letters.contains(*word))
            .count();
        if besides > 0 {
            return Err(Misread::new(line.number, count(sites.len() + besides)));
        }
    }
    diagram.cut.sort_unstable();
    // The line of column letters is optional.
    let blank = lines.iter().skip(used).take_while(|line| line.is_blank()).count();
    if let Some(line) = lines.get(used + blank) {
        let mut words =
            line.text.split_whitespace().take_while(|word| !word.starts_with('#')).peekable();
        if words.peek().is_some() && words.all(|word| letters.contains(word)) {
            used += blank + 1;
        }
    }
    Ok((diagram, used))
}
