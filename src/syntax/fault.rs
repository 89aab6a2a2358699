//! What can be wrong with a text before anything is known of its meaning. How to put a fault into
//! words is not known here.

use super::Span;

/// Something wrong with the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// The culprit, never empty.
    pub span: Span,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The source is longer than [`SOURCE_LIMIT`](super::SOURCE_LIMIT), and was not read. Spans
    /// the first character.
    FileTooLarge,
    /// A form stands inside [`DEPTH_LIMIT`](super::DEPTH_LIMIT) others, and was left out of the
    /// tree, as were any further ones. Spans the opening bracket of the first.
    NestedTooDeep,
    /// A form is not closed, nor are perhaps some inside it. Spans its opening bracket.
    UnclosedBracket {
        /// The byte where the indentation suggests that it ends, and where the tree ends it.
        suggested_end: usize,
        /// How many brackets are missing there, for it and for those inside it.
        missing: usize,
    },
    /// A bracket closes nothing, and was passed over.
    StrayBracket,
    /// Brackets close something, and not what the indentation suggests. Spans them; the tree is as
    /// if they stood elsewhere.
    MisplacedBracket {
        /// The byte where the indentation suggests that they belong.
        belongs: usize,
    },
    /// A text has no closing quote. Spans it up to where the tree ends it.
    UnclosedString,
    /// A character that nothing can begin with, and that was passed over.
    StrayCharacter(char),
    /// A `[` or a `{` opens a form, or a `]` or a `}` closes it. Spans the opening bracket,
    /// whichever it is.
    WrongBrackets {
        /// What closes the form.
        close: Span,
    },
    /// A text stands between `“` and `”` or the like. Spans it.
    WrongQuotes,
    /// A number is not a multiple of one half, or its double does not fit 64 bits.
    BadNumber,
}
