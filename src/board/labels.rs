//! Names columns by letters and rows by numbers, as a game wants its sites labelled.

use super::Board;

/// Where column letters start, and from which edge rows are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Labels {
    /// The name of the leftmost column, an ASCII letter. All names have its case. After z come aa,
    /// ab, ….
    pub first_column: char,
    /// Whether row 1 is at the top of the drawing instead of the bottom.
    pub rows_from_top: bool,
}

impl Default for Labels {
    /// Starts at `a` and counts rows from the bottom, as chess does.
    fn default() -> Self {
        Labels { first_column: 'a', rows_from_top: false }
    }
}

impl Labels {
    /// Returns the name of the column with index `x` from the left.
    pub fn column(self, x: usize) -> String {
        let start = if self.first_column.is_ascii_uppercase() { b'A' } else { b'a' };
        // Bijective base 26: digits run from 1 to 26, as there is no letter for zero.
        let mut rest = x + 1 + (self.first_column as usize).saturating_sub(start as usize);
        let mut letters = Vec::new();
        while rest > 0 {
            rest -= 1;
            letters.push(char::from(start + (rest % 26) as u8));
            rest /= 26;
        }
        letters.iter().rev().collect()
    }

    /// Returns the number of the row with index `y` from the bottom, out of `rows`.
    pub fn row(self, y: usize, rows: usize) -> usize {
        if self.rows_from_top { rows - y } else { y + 1 }
    }

    /// Returns the index of the column and the number of the row in a label such as `b12`; `None`
    /// if it is no label, or if no board has such a site.
    pub fn read(self, label: &str) -> Option<(usize, usize)> {
        let (letters, digits) = label.split_at(label.find(|sign: char| sign.is_ascii_digit())?);
        let row: usize = digits.parse().ok().filter(|row| (1..=Board::LIMIT).contains(row))?;
        let column = (0..Board::LIMIT).find(|&x| self.column(x) == letters)?;
        Some((column, row))
    }

    /// Tests if the first column is an ASCII letter.
    pub(super) fn are_valid(self) -> bool {
        self.first_column.is_ascii_alphabetic()
    }
}
