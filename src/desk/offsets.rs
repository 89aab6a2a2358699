//! Offsets of a text in bytes, as the library counts, and in UTF-16 code units, as the page does.

use crate::syntax::Span;
use serde_json::{Value, json};

/// The offsets of a text. An offset beyond its end is taken for the end.
pub struct Offsets {
    wide: Vec<Wide>,
    bytes: usize,
    units: usize,
}

/// A character outside ASCII: where it starts and ends, in bytes and in code units.
struct Wide {
    bytes: (usize, usize),
    units: (usize, usize),
}

impl Offsets {
    /// Indexes a text.
    pub fn new(text: &str) -> Offsets {
        let mut wide: Vec<Wide> = Vec::new();
        let (mut end, mut units) = (0, 0);
        for (start, character) in text.char_indices().filter(|(_, one)| !one.is_ascii()) {
            let from = units + start - end;
            (end, units) = (start + character.len_utf8(), from + character.len_utf16());
            wide.push(Wide { bytes: (start, end), units: (from, units) });
        }
        Offsets { wide, bytes: text.len(), units: units + text.len() - end }
    }

    /// Converts a byte offset; inside a character, to its start.
    pub fn unit(&self, byte: usize) -> usize {
        let byte = byte.min(self.bytes);
        let before = self.wide.partition_point(|wide| wide.bytes.0 < byte);
        match before.checked_sub(1).map(|index| &self.wide[index]) {
            None => byte,
            Some(wide) if byte < wide.bytes.1 => wide.units.0,
            Some(wide) => wide.units.1 + byte - wide.bytes.1,
        }
    }

    /// Converts an offset in code units; inside a character, to its start.
    pub fn byte(&self, unit: usize) -> usize {
        let unit = unit.min(self.units);
        let before = self.wide.partition_point(|wide| wide.units.0 < unit);
        match before.checked_sub(1).map(|index| &self.wide[index]) {
            None => unit,
            Some(wide) if unit < wide.units.1 => wide.bytes.0,
            Some(wide) => wide.bytes.1 + unit - wide.units.1,
        }
    }

    /// Returns a span as a pair of offsets in code units.
    pub fn range(&self, span: Span) -> Value {
        json!([self.unit(span.start), self.unit(span.end)])
    }
}
