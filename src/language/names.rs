//! The names of a game, with their declarations and uses. Recorded by the checker; used by editors
//! to navigate and rename.

use super::ludemes::Kind;
use super::rules::{DefinitionId, Local, MemoryId, MoveId, PieceId, PlayerId};
use crate::syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, HashSet};

/// What a name declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    Player,
    Option,
    Piece,
    /// A memory or a hand.
    Memory,
    Definition,
    Path,
    /// A move, by its verb.
    Move,
    Variable,
}

impl NameKind {
    /// Returns its word for messages.
    pub fn word(self) -> &'static str {
        match self {
            NameKind::Player => "player",
            NameKind::Option => "option",
            NameKind::Piece => "piece",
            NameKind::Memory => "memory",
            NameKind::Definition => "definition",
            NameKind::Path => "path",
            NameKind::Move => "move",
            NameKind::Variable => "variable",
        }
    }
}

/// What a declared name or a verb denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Meaning {
    Player(PlayerId),
    /// An index into the options.
    Option(usize),
    Piece(PieceId),
    Memory(MemoryId),
    Definition(DefinitionId),
    Move(MoveId),
    /// An index into the paths.
    Path(usize),
}

impl Meaning {
    pub(super) fn kind(self) -> NameKind {
        match self {
            Meaning::Player(_) => NameKind::Player,
            Meaning::Option(_) => NameKind::Option,
            Meaning::Piece(_) => NameKind::Piece,
            Meaning::Memory(_) => NameKind::Memory,
            Meaning::Definition(_) => NameKind::Definition,
            Meaning::Move(_) => NameKind::Move,
            Meaning::Path(_) => NameKind::Path,
        }
    }

    /// Returns the kind of declaration with its article.
    pub(super) fn phrase(self) -> String {
        let sort = self.kind().word();
        let article = if sort.starts_with(['a', 'o']) { "an" } else { "a" };
        format!("{article} {sort}")
    }
}

/// The uses of names, as the checker meets them.
#[derive(Default)]
pub(super) struct Usage {
    pub used: FxHashSet<Meaning>,
    /// The declaration of each use, by spans.
    pub uses: FxHashMap<Span, Span>,
    /// The uses that only give a variable another value.
    pub written: HashSet<Span>,
    /// The memories that are read.
    pub read: FxHashSet<MemoryId>,
    /// The variables of `let` and the parameters of definitions.
    pub named: Vec<Local>,
    /// The definitions that are called under the chosen option values, outside of definitions.
    pub called: Vec<usize>,
}

/// A declared name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    pub name: String,
    pub kind: NameKind,
    /// The type of its value, if known.
    pub is: Option<Kind>,
    /// The span of the name in its declaration.
    pub span: Span,
    /// The uses in the order of the text, without the declaration.
    pub uses: Vec<Span>,
}

/// All names of a game, in the order of their declarations. Spans refer to the concatenated text of
/// its files.
///
/// If the game has errors, uses may be missing: renaming is safe only without errors. Parts of a
/// base game that a variant replaces are not included.
///
/// ```
/// let text = "(game \"Fill\" (players White Black) (board (square 3)) (piece Stone)
///     (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop))))";
/// let names = ludwright::language::check(text, &[]).names;
/// let stone = names.at(text.find("Stone t").unwrap()).expect("a name");
/// assert_eq!((stone.name.as_str(), stone.span.start, stone.uses.len()), ("Stone", text.find("Stone)").unwrap(), 1));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Names {
    declared: Vec<Declared>,
    /// The indices of declarations by the spans of the names and their uses.
    places: BTreeMap<Span, usize>,
}

impl Names {
    /// Iterates over the names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Declared> {
        self.declared.iter()
    }

    /// Finds the name at a byte, or that ends there, at a use or its declaration.
    pub fn at(&self, byte: usize) -> Option<&Declared> {
        // The last name that begins at or before the byte.
        let (span, &index) = self.places.range(..Span::new(byte + 1, 0)).next_back()?;
        (span.end >= byte).then(|| &self.declared[index])
    }

    pub(super) fn new(mut declared: Vec<Declared>, uses: &FxHashMap<Span, Span>) -> Names {
        declared.sort_by_key(|name| name.span);
        declared.dedup_by_key(|name| name.span);
        let mut places: BTreeMap<Span, usize> =
            declared.iter().enumerate().map(|(index, name)| (name.span, index)).collect();
        let mut uses: Vec<(Span, Span)> = uses.iter().map(|(&span, &of)| (span, of)).collect();
        uses.sort_unstable();
        for (span, of) in uses {
            if let Ok(index) = declared.binary_search_by_key(&of, |name| name.span)
                && span != of
            {
                declared[index].uses.push(span);
                places.insert(span, index);
            }
        }
        Names { declared, places }
    }
}
