//! The rows of diagrams: one symbol for each site of a row of the board, from left to right.
//!
//! Positions in text files and the `diagram` of a setup are written in this notation. A site that
//! the board lacks has no symbol, so that white space at its place, as in a drawing, is skipped.

use super::rules::{Piece, PieceId, PlayerId};
use crate::syntax::visible::is_hidden;
use pest::unicode::MARK;
use std::collections::HashSet;

/// The symbol of a site without a piece.
pub const EMPTY: &str = ".";
/// The symbol of a site that is cut out.
pub const CUT: &str = "#";

/// The maximal number of characters of a symbol.
pub(super) const MAX_CHARACTERS: usize = 3;

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    Empty,
    Cut,
    /// A piece, with its owner unless it is unowned.
    Piece(PieceId, Option<PlayerId>),
}

/// A symbol of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub text: String,
    pub piece: PieceId,
    pub owner: Option<PlayerId>,
}

/// Lists the symbols of all pieces.
pub fn symbols(pieces: &[Piece]) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        for (owner, text) in piece.symbols.iter().enumerate() {
            let owner = piece.owned.then_some(PlayerId(owner as u16));
            symbols.push(Symbol { text: text.clone(), piece: PieceId(index as u16), owner });
        }
    }
    symbols
}

/// A row that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'t> {
    pub cells: Vec<Cell>,
    /// The text after the last cell.
    pub rest: &'t str,
}

/// Why a row cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowError<'t> {
    /// The symbol for the site with this index, from the left, is unknown.
    Unknown(usize, &'t str),
    /// The text ends after this many symbols.
    TooShort(usize),
}

/// Reads a row of `sites` symbols. Symbols of one character can stand without spaces between them;
/// a word that is a symbol as a whole is that symbol.
///
/// ```
/// use ludwright::language::diagram::{Cell, RowError, read_row};
///
/// assert_eq!(read_row(&[], " .#. a b", 3).map(|row| row.rest), Ok(" a b"));
/// assert_eq!(read_row(&[], ". x .", 3), Err(RowError::Unknown(1, "x")));
/// assert_eq!(read_row(&[], ". .", 3), Err(RowError::TooShort(2)));
/// ```
///
/// # Errors
/// Fails at the first symbol that is unknown or missing.
pub fn read_row<'t>(
    symbols: &[Symbol],
    text: &'t str,
    sites: usize,
) -> Result<Row<'t>, RowError<'t>> {
    let mut cells = Vec::with_capacity(sites.min(text.len()));
    let mut rest = text;
    while cells.len() < sites {
        let begin = rest.trim_start();
        let word = begin.split(char::is_whitespace).next().unwrap_or_default();
        if word.is_empty() {
            return Err(RowError::TooShort(cells.len()));
        }
        if let Some(cell) = cell(symbols, word) {
            cells.push(cell);
            rest = &begin[word.len()..];
            continue;
        }
        let joined = characters(word);
        let known = joined.iter().filter(|one| cell(symbols, one).is_some()).count();
        // Without any known symbol in it, the word as a whole is unknown.
        if known == 0 || known < joined.len() && word.starts_with(CUT) {
            return Err(RowError::Unknown(cells.len(), word));
        }
        rest = begin;
        for one in joined.into_iter().take(sites - cells.len()) {
            let cell = cell(symbols, one).ok_or(RowError::Unknown(cells.len(), one))?;
            cells.push(cell);
            rest = &rest[one.len()..];
        }
    }
    Ok(Row { cells, rest })
}

/// Counts the symbols of a text. A word without any known symbol in it counts as one.
pub fn count(symbols: &[Symbol], text: &str) -> usize {
    let in_word = |word: &str| match cell(symbols, word) {
        Some(_) => 1,
        None => {
            let joined = characters(word);
            let known = joined.iter().any(|one| cell(symbols, one).is_some());
            if known { joined.len() } else { 1 }
        }
    };
    text.split_whitespace().map(in_word).sum()
}

fn cell(symbols: &[Symbol], text: &str) -> Option<Cell> {
    match text {
        EMPTY => Some(Cell::Empty),
        CUT => Some(Cell::Cut),
        _ => {
            let symbol = symbols.iter().find(|symbol| symbol.text == text)?;
            Some(Cell::Piece(symbol.piece, symbol.owner))
        }
    }
}

/// Splits a word into characters, each with the variation selectors that follow it.
fn characters(word: &str) -> Vec<&str> {
    let selects = |sign: char| ('\u{fe00}'..='\u{fe0f}').contains(&sign);
    let mut starts: Vec<usize> =
        word.char_indices().filter(|&(_, sign)| !selects(sign)).map(|(at, _)| at).collect();
    if starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([word.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &word[start..end]).collect()
}

/// Tests if a text can be the symbol of a piece.
pub(super) fn is_symbol(text: &str) -> bool {
    (1..=MAX_CHARACTERS).contains(&text.chars().count())
        && text != "."
        && !text.contains(|sign: char| sign == '#' || sign.is_whitespace())
        && !has_invisible(text)
}

/// Tests if a symbol has invisible or combining characters, so that it could look like another or
/// affect its neighbours. A variation selector after a character is allowed.
pub(super) fn has_invisible(text: &str) -> bool {
    let selects = |sign: char| ('\u{fe00}'..='\u{fe0f}').contains(&sign);
    text.starts_with(selects)
        || text.contains(|sign: char| is_hidden(sign) || MARK(sign) && !selects(sign))
}

/// How a symbol is made from a word.
#[derive(Clone, Copy)]
pub(super) enum SymbolStyle {
    Capital,
    Small,
    /// Small if the word begins with a capital, and the other way round.
    Other,
    Numbered(usize),
}

/// Generates an unused symbol from the beginning of a word, and marks it as used.
pub(super) fn new_symbol(word: &str, style: SymbolStyle, taken: &mut HashSet<String>) -> String {
    let style = match style {
        SymbolStyle::Other if word.starts_with(char::is_uppercase) => SymbolStyle::Small,
        SymbolStyle::Other => SymbolStyle::Capital,
        style => style,
    };
    let number = match style {
        SymbolStyle::Numbered(number) => number.to_string(),
        _ => String::new(),
    };
    let beginnings = (1..=MAX_CHARACTERS - number.len()).map(|length| {
        let begin: String = word.chars().take(length).collect();
        let mut letters = begin.chars();
        let first = letters.next().map(|first| match style {
            SymbolStyle::Small => first.to_lowercase().to_string(),
            _ => first.to_uppercase().to_string(),
        });
        let rest: String = match style {
            SymbolStyle::Small => letters.as_str().to_lowercase(),
            _ => letters.as_str().to_owned(),
        };
        format!("{}{rest}{number}", first.unwrap_or_default())
    });
    // An initial and two digits of base 36 suffice for the maximal number of symbols.
    let initial = match word.chars().next() {
        Some(first) if first.is_alphabetic() => first,
        _ => 'P',
    };
    let digit = |value: u32| char::from_digit(value, 36).unwrap_or('0');
    let numbered = (0..36 * 36).map(|count| {
        let (high, low) = (digit(count / 36), digit(count % 36));
        format!("{initial}{high}{low}")
    });
    let found = beginnings
        .chain(numbered)
        .find(|symbol| is_symbol(symbol) && !taken.contains(symbol))
        .unwrap_or_default();
    taken.insert(found.clone());
    found
}
