//! Syntax faults: what can be wrong with a source text before its forms have a meaning. The checker
//! turns them into findings.

use super::Span;

/// A syntax fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// The offending text; never empty.
    pub span: Span,
}

/// The kind of a syntax fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The source is longer than [`SOURCE_LIMIT`](super::SOURCE_LIMIT) and was not parsed. Spans
    /// the first character.
    FileTooLarge,
    /// A form is nested in [`DEPTH_LIMIT`](super::DEPTH_LIMIT) others. It and all further ones are
    /// left out of the tree. Spans the opening bracket of the first.
    NestedTooDeep,
    /// A form is not closed, and possibly forms inside it. Spans its opening bracket.
    UnclosedBracket {
        /// The byte where the indentation suggests that it ends; the tree ends it there.
        suggested_end: usize,
        /// How many brackets are missing there, including those of forms inside it.
        missing: usize,
    },
    /// A closing bracket without an opening one; skipped.
    StrayBracket,
    /// Brackets close other forms than the indentation suggests. Spans them; the tree is built as
    /// if they stood where the indentation suggests.
    MisplacedBracket {
        /// The byte where the indentation suggests that they belong.
        belongs: usize,
    },
    /// A string has no closing quote. Spans it up to where the tree ends it.
    UnclosedString,
    /// A character that begins no token; skipped.
    StrayCharacter(char),
    /// A form is written with `[`, `]`, `{` or `}`. Spans the opening bracket, of whatever kind.
    WrongBrackets {
        /// The closing bracket.
        close: Span,
    },
    /// A string stands between `“` and `”` or similar quotes. Spans it.
    WrongQuotes,
    /// A number is not a multiple of one half, or twice its value does not fit 64 bits.
    BadNumber,
}
