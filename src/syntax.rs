//! Parser: turns the text of a rule file into a tree with spans and a list of faults.
//!
//! Parsing never fails: every text has a tree. The parser knows brackets, words, numbers and
//! strings; which forms have a meaning is decided by [`crate::language`].

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

/// The maximal length of a source, in bytes. Longer ones are not parsed.
pub const SOURCE_LIMIT: usize = 1 << 20;

/// The maximal nesting depth of forms.
pub const DEPTH_LIMIT: usize = 200;

/// The maximal number of faults of a tree.
pub const FAULT_LIMIT: usize = 20;

/// Parses a source text. Spans are byte ranges of `source`; a byte order mark at the beginning is
/// skipped, but counted.
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
    let tree = tree::build(source, &tokens, &repair, faults);
    Tree { tokens, ..tree }
}

/// Closing brackets that the indentation suggests to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BracketMove {
    /// From the first of them to the last.
    pub brackets: Span,
    /// The byte to which they should move.
    pub to: usize,
}

/// Finds the moves of brackets that make the brackets of a source agree with its indentation, for
/// each convention of indenting. Empty if the brackets do not match or too many would move.
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
pub fn as_indented(source: &str) -> Vec<BracketMove> {
    parse(source).as_indented(source)
}

impl Tree {
    /// As [`as_indented`], of the source of this tree.
    pub(crate) fn as_indented(&self, source: &str) -> Vec<BracketMove> {
        let moved = |repair: brackets::Repair| {
            let &(before, _) = repair.closings.first()?;
            let span = |index: usize| self.tokens.get(index).map(|token| token.span);
            let to = before.checked_sub(1).and_then(span).map_or(0, |last| last.end);
            Some(BracketMove {
                brackets: span(*repair.strays.first()?)?.join(span(*repair.strays.last()?)?),
                to,
            })
        };
        let moves = brackets::bracket_moves(source, &self.tokens);
        let mut moves: Vec<BracketMove> = moves.into_iter().filter_map(moved).collect();
        moves.dedup();
        moves
    }
}

/// Parses a source text as if some brackets stood elsewhere, which is a fault of the tree.
pub fn parse_moved(source: &str, moved: BracketMove) -> Tree {
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
