//! Language services for editors, such as the language server: completion ([`completion`]), hover
//! ([`hover`]), signatures ([`signature`]), highlighting ([`tokens`]), folding ([`folding`]),
//! outline ([`outline`]), renaming ([`rename`]) and recipes ([`recipe`]) in rules files, and faults
//! of rule cases ([`case`]).
//!
//! Positions are byte offsets. The protocol of the editor is handled by the caller.

pub mod candidates;
pub mod case;
pub mod completion;
pub mod cursor_context;
pub mod finder;
pub mod folding;
pub mod hover;
pub mod look;
pub mod outline;
pub mod recipe;
pub mod refactor;
pub mod rename;
pub mod signature;
pub mod tokens;
mod tree_names;

use crate::language::finding::Severity;
use crate::language::names::Declared;
use crate::language::sources::Sources;
use crate::language::{Checked, check};
use crate::syntax::{Node, Span};

/// A game in an editor, with the result of checking it.
#[derive(Clone, Debug)]
pub struct CheckedSources {
    pub sources: Sources,
    pub checked: Checked,
}

impl CheckedSources {
    /// Checks a game.
    pub fn of(sources: Sources) -> CheckedSources {
        let checked = check(&sources, &[]);
        CheckedSources { sources, checked }
    }

    /// Tests if the game has errors. The recorded names and uses may then be incomplete.
    pub fn is_faulty(&self) -> bool {
        self.checked.findings.iter().any(|finding| finding.severity() == Severity::Error)
    }

    /// Returns the index of the file with that name.
    pub fn file_named(&self, name: &str) -> Option<usize> {
        self.sources.names().position(|known| known == name)
    }

    /// Finds the name that contains a byte of a file or ends there.
    pub fn name_at(&self, file: usize, byte: usize) -> Option<&Declared> {
        self.checked.names.at(self.sources.byte_of(file, byte))
    }

    /// Finds the declaration of the name at a byte of a file: its file and span. The path of an
    /// included file counts as a name; its declaration is the beginning of that file.
    ///
    /// ```
    /// use ludwright::{editor::CheckedSources, language::sources::Sources, syntax::Span};
    ///
    /// let text = "(game \"Fill\" (players White Black) (board (square 3)) (piece Stone)
    ///     (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop))))";
    /// let study = CheckedSources::of(Sources::from(text));
    /// let declared = text.find("Stone)").unwrap();
    /// assert_eq!(study.declaration(0, text.find("Stone t").unwrap()), Some((0, Span::new(declared, declared + 5))));
    /// ```
    pub fn declaration(&self, file: usize, byte: usize) -> Option<(usize, Span)> {
        if let Some(name) = self.name_at(file, byte) {
            return Some(self.sources.place(name.span));
        }
        let tree = crate::syntax::parse(self.sources.text_of(file));
        let word = *path_to(&tree.forms, byte).last()?;
        let start = self.sources.byte_of(file, 0);
        let named = self.sources.linked(word.span.shifted(start))?;
        Some((named, Span::new(0, 0)))
    }

    /// Finds the declaration and all uses of the name at a byte of a file, in the order of the
    /// text, each with its file.
    pub fn mentions(&self, file: usize, byte: usize) -> Vec<(usize, Span)> {
        let Some(name) = self.name_at(file, byte) else { return Vec::new() };
        std::iter::once(&name.span)
            .chain(&name.uses)
            .map(|&span| self.sources.place(span))
            .collect()
    }
}

/// Returns the nodes that contain or touch a byte, from the outermost to the innermost.
fn path_to(forms: &[Node], byte: usize) -> Vec<&Node> {
    let around = |node: &&Node| node.span.start <= byte && byte <= node.span.end;
    let mut path = Vec::new();
    let mut level = forms;
    // Between a word and an adjacent bracket, the word is chosen.
    while let Some(node) =
        level.iter().filter(around).max_by_key(|node| (node.as_form().is_none(), node.span.start))
    {
        path.push(node);
        level = node.as_form().unwrap_or_default();
    }
    path
}
