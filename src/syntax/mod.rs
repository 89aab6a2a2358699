//! The text of a rule file in, a tree with spans out, together with all that is wrong with it.
//! Parsing never fails, whatever the text. It knows brackets, words, numbers and texts, but no
//! ludeme: whether a form means anything is for others to say.

mod brackets;
mod fault;
pub mod format;
mod lookalikes;
mod node;
mod span;
mod tokens;
mod tree;
pub mod visible;

pub use fault::{Fault, FaultKind};
pub use node::{Comment, Node, NodeKind, Number};
pub use span::Span;
pub use tree::Tree;

/// The longest source that is read, in bytes.
pub const SOURCE_LIMIT: usize = 1 << 20;

/// How many forms may stand inside each other.
pub const DEPTH_LIMIT: usize = 200;

/// How many faults are told at once.
pub const FAULT_LIMIT: usize = 20;

/// Reads a source text into a tree. Spans count the bytes of `source`; a byte order mark before
/// all else is passed over, but counted.
///
/// ```
/// let tree = ludwright::syntax::parse("(game \"Nim\" (players 2)) ; Bouton 1901");
/// assert!(tree.faults.is_empty());
/// let parts = tree.forms[0].as_form().expect("a form");
/// assert_eq!(parts[1].as_text(), Some("Nim"));
/// assert_eq!(parts[2].head().map(|(word, _)| word), Some("players"));
/// assert_eq!(tree.comments[0].text, "; Bouton 1901");
/// ```
pub fn parse(source: &str) -> Tree {
    if source.len() > SOURCE_LIMIT {
        let span = Span::new(0, source.chars().next().map_or(0, char::len_utf8));
        let kind = FaultKind::FileTooLarge;
        return Tree { faults: vec![Fault { kind, span }], ..Tree::default() };
    }
    let (tokens, faults) = tokens_and_faults(source);
    let repair = brackets::repair(source, &tokens);
    tree::build(source, &tokens, &repair, faults)
}

/// Closing brackets that would rather stand elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// From the first of them to the last.
    pub brackets: Span,
    /// The byte where they would rather stand.
    pub to: usize,
}

/// Of a source text whose brackets match, though not as it is indented: the brackets that have to
/// move to make the two agree, in one or another manner of indenting; none if it would take many.
///
/// ```
/// use ludwright::syntax::{FaultKind, as_indented, parse, parse_moved};
///
/// let source = "(game \"Nim\"\n  (move take\n    (lower Heap)))\n  (play (turns (choose take)))";
/// assert_eq!(parse(source).forms.len(), 2);
/// let moves = as_indented(source);
/// assert_eq!((moves.len(), moves[0].to), (1, source.len()));
/// let tree = parse_moved(source, moves[0]);
/// assert_eq!(tree.forms.len(), 1);
/// assert!(matches!(tree.faults[0].kind, FaultKind::MisplacedBracket { .. }));
/// ```
pub fn as_indented(source: &str) -> Vec<Moved> {
    if source.len() > SOURCE_LIMIT {
        return Vec::new();
    }
    let (tokens, _) = tokens_and_faults(source);
    let moved = |repair: brackets::Repair| {
        let &(before, _) = repair.closings.first()?;
        let span = |index: usize| tokens.get(index).map(|token| token.span);
        let to = before.checked_sub(1).and_then(span).map_or(0, |last| last.end);
        Some(Moved {
            brackets: span(*repair.strays.first()?)?.join(span(*repair.strays.last()?)?),
            to,
        })
    };
    let mut moves: Vec<Moved> =
        brackets::rearrangements(source, &tokens).into_iter().filter_map(moved).collect();
    moves.dedup();
    moves
}

/// Reads a source text as if some brackets stood elsewhere, which is a fault of the tree.
pub fn parse_moved(source: &str, moved: Moved) -> Tree {
    if source.len() > SOURCE_LIMIT {
        return parse(source);
    }
    let (tokens, faults) = tokens_and_faults(source);
    let repair = brackets::Repair::moving(&tokens, moved);
    tree::build(source, &tokens, &repair, faults).with_one_misplacement()
}

fn tokens_and_faults(source: &str) -> (Vec<tokens::Token>, Vec<Fault>) {
    let start = match source.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => source.len() - rest.len(),
        None => 0,
    };
    let mut tokens = tokens::tokens(source, start);
    let faults = lookalikes::replace_lookalikes(source, &mut tokens);
    (tokens, faults)
}

const BYTE_ORDER_MARK: char = '\u{feff}';

#[cfg(test)]
mod tests;
