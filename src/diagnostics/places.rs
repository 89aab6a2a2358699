//! Maps byte offsets of a text to lines and columns.

/// An index of the lines of a text, with character counts per block, so that a lookup does not scan
/// the text.
pub struct Places<'t> {
    text: &'t str,
    /// The first byte of each line.
    starts: Vec<usize>,
    /// The number of characters that begin before each block of bytes.
    characters: Vec<usize>,
}

pub const BLOCK: usize = 256;

/// A line and a column in characters, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SourcePosition {
    pub line: usize,
    pub column: usize,
}

impl<'t> Places<'t> {
    /// Builds the index.
    pub fn new(text: &'t str) -> Places<'t> {
        let starts = std::iter::once(0).chain(
            text.bytes().zip(1..).filter_map(|(byte, next)| (byte == b'\n').then_some(next)),
        );
        let mut count = 0;
        let mut characters = Vec::with_capacity(text.len() / BLOCK + 1);
        for block in text.as_bytes().chunks(BLOCK) {
            characters.push(count);
            count += beginnings(block);
        }
        characters.push(count);
        Places { text, starts: starts.collect(), characters }
    }

    /// Returns the position of a byte; past the end, that of the end.
    pub fn of(&self, byte: usize) -> SourcePosition {
        let byte = byte.min(self.text.len());
        let line = self.line(byte);
        SourcePosition {
            line: line + 1,
            column: self.before(byte) - self.before(self.starts[line]) + 1,
        }
    }

    /// Returns the line of a byte, from 0.
    pub fn line(&self, byte: usize) -> usize {
        self.starts.partition_point(|&start| start <= byte).saturating_sub(1)
    }

    /// Returns the first byte of a line, counted from 0; past the last line, the end of the text.
    pub fn start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.text.len())
    }

    /// Counts the characters that begin before a byte.
    fn before(&self, byte: usize) -> usize {
        let block = byte / BLOCK;
        self.characters[block] + beginnings(&self.text.as_bytes()[block * BLOCK..byte])
    }
}

/// Counts the bytes that begin a character.
fn beginnings(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}
