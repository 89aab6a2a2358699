//! The text of a rule file in, a tree with spans out, together with all that is wrong with it.
//! Parsing never fails, whatever the text. It knows brackets, words, numbers and texts, but no
//! ludeme: whether a form means anything is for others to say.

mod brackets;
mod fault;
pub mod format;
mod node;
mod span;
mod strangers;
mod tokens;
mod tree;

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
    let start = match source.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => source.len() - rest.len(),
        None => 0,
    };
    let mut tokens = tokens::tokens(source, start);
    let faults = strangers::adopt(source, &mut tokens);
    let repair = brackets::repair(source, &tokens);
    tree::build(source, &tokens, &repair, faults)
}

const BYTE_ORDER_MARK: char = '\u{feff}';

#[cfg(test)]
mod tests;
