//! A column and a row in, their names out, in the manner a game writes them: letters for columns,
//! numbers for rows. Knows nothing of shapes or of which nodes there are.

/// Where labels start and which way rows count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Labels {
    /// Name of the leftmost column, an ASCII letter; its case decides the case of all. After
    /// z come aa, ab, ….
    pub first_column: char,
    /// Whether row 1 is the highest on the drawing instead of the lowest.
    pub rows_from_top: bool,
}

impl Default for Labels {
    /// Starts at `a` and counts rows from the bottom, as chess does.
    fn default() -> Self {
        Labels { first_column: 'a', rows_from_top: false }
    }
}

impl Labels {
    /// Spells the name of the column `x` places from the left.
    pub(super) fn column(self, x: usize) -> String {
        let start = if self.first_column.is_ascii_uppercase() { b'A' } else { b'a' };
        // Bijective base 26: there is no letter for nothing, so each place counts from one.
        let mut rest = x + 1 + (self.first_column as usize).saturating_sub(start as usize);
        let mut letters = Vec::new();
        while rest > 0 {
            rest -= 1;
            letters.push(char::from(start + (rest % 26) as u8));
            rest /= 26;
        }
        letters.iter().rev().collect()
    }

    /// Numbers the row `y` places from the bottom of `rows` rows.
    pub(super) fn row(self, y: usize, rows: usize) -> usize {
        if self.rows_from_top { rows - y } else { y + 1 }
    }

    /// Tests if the first column is a letter that the others can follow.
    pub(super) fn are_valid(self) -> bool {
        self.first_column.is_ascii_alphabetic()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_run_on_after_the_last_letter() {
        let small = Labels::default();
        let spelled: Vec<String> =
            [0, 25, 26, 27, 51, 52, 701, 702].map(|x| small.column(x)).to_vec();
        assert_eq!(spelled, ["a", "z", "aa", "ab", "az", "ba", "zz", "aaa"]);
        let capitals = Labels { first_column: 'B', rows_from_top: true };
        assert_eq!([0, 1, 24, 25].map(|x| capitals.column(x)), ["B", "C", "Z", "AA"]);
        assert_eq!(capitals.row(0, 8), 8);
        assert_eq!(capitals.row(7, 8), 1);
        assert_eq!(small.row(7, 8), 8);
    }
}
