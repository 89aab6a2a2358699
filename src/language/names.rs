//! The names of a game: where each is declared and where it is used.
//!
//! In: what the checker meets. Out: what an editor asks for to go to a declaration or to rename
//! what is there. It refuses to know what the names mean.

use super::ludemes::Kind;
use crate::syntax::Span;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a name is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    Player,
    Option,
    Piece,
    /// A memory or a hand.
    Memory,
    Definition,
    /// A move, by its verb.
    Move,
    Variable,
}

impl NameKind {
    /// The word for it in messages.
    pub fn word(self) -> &'static str {
        match self {
            NameKind::Player => "player",
            NameKind::Option => "option",
            NameKind::Piece => "piece",
            NameKind::Memory => "memory",
            NameKind::Definition => "definition",
            NameKind::Move => "move",
            NameKind::Variable => "variable",
        }
    }
}

/// A name that a file declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    pub name: String,
    pub kind: NameKind,
    /// What it stands for, as far as that is known.
    pub is: Option<Kind>,
    /// Where it is declared: the name itself.
    pub span: Span,
    /// Where it is used, in the order of the text; the declaration is not among them.
    pub uses: Vec<Span>,
}

/// All names of a game, in the order of their declarations. Spans point into the common text of its
/// files.
///
/// Where a finding is an error, what it hides is not looked at, so that uses may be missing: to
/// rename is safe only where there is none. Of a variant, what it replaces in its base is not
/// looked at either.
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
    /// The declarations by the places where their names stand.
    places: BTreeMap<Span, usize>,
}

impl Names {
    /// Lists the names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Declared> {
        self.declared.iter()
    }

    /// Finds the name that stands at a byte, or ends there, wherever it is declared.
    pub fn at(&self, byte: usize) -> Option<&Declared> {
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
