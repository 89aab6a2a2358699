//! A grid of styled characters, and the lines made from it.

use anstyle::Style;
use unicode_width::UnicodeWidthChar;

/// The start of ANSI escape sequences.
pub const ESCAPE: &str = "\u{1b}[";

/// A line of text with styled parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StyledLine {
    pub parts: Vec<(Style, String)>,
}

impl StyledLine {
    /// Makes a line without styles.
    pub fn plain(text: impl Into<String>) -> StyledLine {
        StyledLine { parts: vec![(Style::new(), text.into())] }
    }

    /// Appends text.
    pub fn push(&mut self, style: Style, text: &str) {
        match self.parts.last_mut() {
            Some((last, before)) if *last == style => before.push_str(text),
            _ => self.parts.push((style, text.to_owned())),
        }
    }

    /// Returns the width in terminal columns.
    pub fn width(&self) -> usize {
        self.parts.iter().map(|(_, text)| width(text)).sum()
    }

    /// Formats the line without trailing blanks, optionally with ANSI escape sequences.
    pub fn spell(&self, color: bool) -> String {
        self.spell_with(color.then_some(ESCAPE))
    }

    /// Formats the line with escape sequences that start with `escape`, or without any.
    pub fn spell_with(&self, escape: Option<&str>) -> String {
        let mut spelled = String::new();
        for (index, (style, text)) in self.parts.iter().enumerate() {
            let bare = *style == Style::new() && index + 1 == self.parts.len();
            let text = if bare { text.trim_end() } else { text };
            match escape.filter(|_| *style != Style::new()) {
                Some(escape) => {
                    let [on, off] = [format!("{style}"), format!("{style:#}")]
                        .map(|sequence| sequence.replace(ESCAPE, escape));
                    spelled.extend([&on, text, &off]);
                }
                None => spelled.push_str(text),
            }
        }
        if escape.is_some() { spelled } else { spelled.trim_end().to_owned() }
    }
}

/// Returns the width of a text in terminal columns.
pub fn width(text: &str) -> usize {
    text.chars().map(|character| character.width().unwrap_or(0)).sum()
}

/// A grid that grows as characters are put on it.
#[derive(Default)]
pub struct Canvas {
    rows: Vec<Vec<Cell>>,
}

#[derive(Clone, Copy)]
struct Cell {
    style: Style,
    /// `None` in the second column of a wide character.
    character: Option<char>,
}

const BLANK: Cell = Cell { style: Style::new(), character: Some(' ') };

impl Canvas {
    /// Puts text at a row and column, overwriting what is there.
    pub fn put(&mut self, row: usize, column: usize, style: Style, text: &str) {
        let mut column = column;
        for character in text.chars() {
            let width = character.width().unwrap_or(0);
            for index in 0..width {
                let cell = Cell { style, character: (index == 0).then_some(character) };
                *self.at(row, column + index) = cell;
            }
            column += width;
        }
    }

    /// Tests if the cell is blank.
    pub fn is_blank(&self, row: usize, column: usize) -> bool {
        self.rows
            .get(row)
            .and_then(|cells| cells.get(column))
            .is_none_or(|cell| cell.character == Some(' '))
    }

    fn at(&mut self, row: usize, column: usize) -> &mut Cell {
        if self.rows.len() <= row {
            self.rows.resize_with(row + 1, Vec::new);
        }
        let cells = &mut self.rows[row];
        if cells.len() <= column {
            cells.resize(column + 1, BLANK);
        }
        &mut cells[column]
    }

    /// Returns the lines from top to bottom.
    pub fn lines(self) -> Vec<StyledLine> {
        let line = |cells: Vec<Cell>| {
            let mut line = StyledLine::default();
            for cell in cells {
                if let Some(character) = cell.character {
                    line.push(cell.style, character.encode_utf8(&mut [0; 4]));
                }
            }
            line
        };
        self.rows.into_iter().map(line).collect()
    }
}
