//! Converts between byte offsets and the protocol's lines and columns, which count UTF-16 code
//! units.

use lsp_types::{Position, Range};
use ludwright::syntax::Span;

/// A text with its line starts.
pub struct Lines<'t> {
    text: &'t str,
    /// First byte of each line.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Finds the lines, which end with a line feed, a carriage return, or both.
    pub fn of(text: &'t str) -> Lines<'t> {
        let bytes = text.as_bytes();
        let ends = (0..bytes.len()).filter(|&at| {
            bytes[at] == b'\n' || bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n')
        });
        Lines { text, starts: std::iter::once(0).chain(ends.map(|at| at + 1)).collect() }
    }

    /// Converts a byte offset; an offset past the end counts as the end.
    pub fn position(&self, byte: usize) -> Position {
        let byte = self.text.floor_char_boundary(byte.min(self.text.len()));
        let line = self.starts.partition_point(|&start| start <= byte).saturating_sub(1);
        let column: usize = self.text[self.starts[line]..byte].chars().map(char::len_utf16).sum();
        Position::new(line as u32, column as u32)
    }

    /// Returns the line of a byte offset, from 0.
    pub fn line(&self, byte: usize) -> u32 {
        self.starts.partition_point(|&start| start <= byte).saturating_sub(1) as u32
    }

    /// Converts a span.
    pub fn range(&self, span: Span) -> Range {
        Range::new(self.position(span.start), self.position(span.end.max(span.start)))
    }

    /// Converts a position. A position past the end of a line or text is clamped to that end; a
    /// position inside a character goes to its start.
    pub fn byte(&self, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else { return self.text.len() };
        let next = self.starts.get(position.line as usize + 1).copied().unwrap_or(self.text.len());
        let line = self.text[start..next].trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (at, character) in line.char_indices() {
            column += character.len_utf16();
            if column > position.character as usize {
                return start + at;
            }
        }
        start + line.len()
    }

    /// Converts a range; a reversed range becomes empty.
    pub fn span(&self, range: Range) -> Span {
        let start = self.byte(range.start);
        Span::new(start, self.byte(range.end).max(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_in_utf_16() {
        let text = "aé𝄞b\r\nc\rd\n";
        let lines = Lines::of(text);
        for (found, line, column) in
            [("a", 0, 0), ("é", 0, 1), ("𝄞", 0, 2), ("b", 0, 4), ("c", 1, 0), ("d", 2, 0)]
        {
            let byte = text.find(found).expect("it is there");
            assert_eq!(lines.position(byte), Position::new(line, column), "{found}");
            assert_eq!(lines.byte(Position::new(line, column)), byte, "{found}");
        }
        assert_eq!(lines.position(100), Position::new(3, 0));
        for (line, column, byte) in [
            (0, 3, 3),
            (0, 99, 8),
            (1, 7, 11),
            (9, 0, text.len()),
            (u32::MAX, u32::MAX, text.len()),
        ] {
            assert_eq!(lines.byte(Position::new(line, column)), byte, "{line}:{column}");
        }
        let backwards = Range::new(Position::new(2, 0), Position::new(0, 0));
        assert!(lines.span(backwards).is_empty());
        assert_eq!(Lines::of("").position(5), Position::new(0, 0));
    }
}
