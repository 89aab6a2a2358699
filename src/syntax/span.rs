//! Two places in a text in, what stands between them out. A span knows no text of its own and
//! counts bytes, never lines.

/// The bytes from `start` up to, not including, `end` of a source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    /// Spans the bytes from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// Returns the least span around both.
    pub fn join(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Tests if the other lies within it.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the span so many bytes further on.
    pub fn shifted(self, offset: usize) -> Span {
        Span { start: self.start + offset, end: self.end + offset }
    }

    /// Counts the bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Tests if there is nothing between the two ends.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the text it spans; empty if it does not fit this source.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_join_and_measure() {
        let joined = Span::new(4, 6).join(Span::new(1, 2));
        assert_eq!((joined, joined.len()), (Span::new(1, 6), 5));
        assert!(Span::new(3, 3).is_empty() && !joined.is_empty());
        assert_eq!(joined.text("(ab cd)"), "ab cd");
        assert_eq!(joined.text("ab"), "");
        assert_eq!(joined.text("ééé"), "");
    }
}
