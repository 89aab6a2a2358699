//! The names that a tree declares, whatever its errors: the fallback of highlighting where the
//! checker recorded nothing.

use super::cursor_context::slots_at;
use super::tokens::TokenKind;
use crate::language::ludemes::{Kind, Ludeme, Row, rows};
use crate::language::names::{NameKind, Names};
use crate::syntax::Node;
use rustc_hash::{FxHashMap, FxHashSet};

/// Names with their kinds, without their scopes.
#[derive(Default)]
pub(super) struct TreeNames {
    kinds: FxHashMap<String, TokenKind>,
    /// The words that options have as values.
    values: FxHashSet<String>,
}

impl TreeNames {
    /// Adds the names declared by forms, at any depth. Later declarations take precedence.
    pub(super) fn add_declared_by(&mut self, forms: &[Node]) {
        let mut left: Vec<&Node> = forms.iter().rev().collect();
        while let Some(node) = left.pop() {
            let Some((first, arguments)) = node.as_form().and_then(<[Node]>::split_first) else {
                continue;
            };
            left.extend(arguments.iter().rev());
            let Some(word) = first.as_word() else { continue };
            for row in rows(word).filter(|row| !row.word) {
                self.collect(row, arguments);
            }
        }
    }

    /// Adds the names of a checked game, except its variables.
    pub(super) fn add_known(&mut self, names: &Names) {
        let global = names.iter().filter(|declared| declared.kind != NameKind::Variable);
        self.kinds.extend(global.map(|known| (known.name.clone(), TokenKind::Name(known.kind))));
    }

    fn collect(&mut self, row: &'static Row, arguments: &[Node]) {
        if row.ludeme == Ludeme::OneOf {
            self.values.extend(arguments.iter().filter_map(Node::as_word).map(str::to_owned));
            return;
        }
        // Only the first argument declares a name, but every player is declared.
        let declaring = if row.ludeme == Ludeme::Players { arguments.len() } else { 1 };
        for (index, argument) in arguments.iter().take(declaring).enumerate() {
            let Some(kind) = declared_kind(row, index) else { return };
            let name = argument.as_word().or_else(|| Some(argument.head()?.0));
            self.kinds.extend(name.map(|name| (name.to_owned(), kind)));
            if row.ludeme == Ludeme::Define {
                let parameters = argument.as_form().unwrap_or_default().iter().skip(1);
                let variables = parameters.filter_map(|parameter| {
                    let name = parameter.as_form()?.get(1)?.as_word()?;
                    Some((name.to_owned(), TokenKind::Name(NameKind::Variable)))
                });
                self.kinds.extend(variables);
            }
        }
    }

    /// Returns the kind of a name.
    pub(super) fn kind_of(&self, name: &str) -> Option<TokenKind> {
        self.kinds.get(name).copied()
    }

    /// Tests if a word is a value of an option.
    pub(super) fn is_value(&self, word: &str) -> bool {
        self.values.contains(word)
    }
}

/// Returns the kind that the argument with this index declares in a form of this row.
pub(super) fn declared_kind(row: &'static Row, index: usize) -> Option<TokenKind> {
    let kind = match row.ludeme {
        Ludeme::Players => return Some(TokenKind::Name(NameKind::Player)),
        Ludeme::Option => NameKind::Option,
        Ludeme::PieceKind => NameKind::Piece,
        Ludeme::Hand | Ludeme::Remember => NameKind::Memory,
        Ludeme::Define => NameKind::Definition,
        Ludeme::Path => NameKind::Path,
        Ludeme::MoveRule => NameKind::Move,
        Ludeme::Phase => return (index == 0).then_some(TokenKind::Value),
        _ if slots_at(row, index).any(|kind| kind == Kind::Variable) => NameKind::Variable,
        _ => return None,
    };
    (index == 0).then_some(TokenKind::Name(kind))
}
