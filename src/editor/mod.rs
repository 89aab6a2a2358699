//! What an editor asks while somebody writes: the texts of a game and a place in them in, an answer
//! out.
//!
//! What could be written here ([`completion`]), what is this ([`hover`]), what does the file hold
//! ([`outline`]), and how is a name changed everywhere ([`rename`]). Places are bytes. It refuses
//! to know of any editor, or of the protocol by which they ask.

pub mod candidates;
pub mod completion;
mod cursor_context;
pub mod hover;
pub mod outline;
pub mod rename;

use crate::language::finding::Severity;
use crate::language::names::Declared;
use crate::language::sources::Sources;
use crate::language::{Checked, check};
use crate::syntax::{Node, Span};

/// A game that somebody is writing, and all that the checker has to say about it.
#[derive(Clone, Debug)]
pub struct CheckedSources {
    pub sources: Sources,
    pub checked: Checked,
}

impl CheckedSources {
    /// Looks at a game.
    pub fn of(sources: Sources) -> CheckedSources {
        let checked = check(&sources, &[]);
        CheckedSources { sources, checked }
    }

    /// Tells if something is wrong with the game. Then not everything is known of it.
    pub fn is_faulty(&self) -> bool {
        self.checked.findings.iter().any(|finding| finding.severity() == Severity::Error)
    }

    /// Finds the file of that name.
    pub fn file_named(&self, name: &str) -> Option<usize> {
        self.sources.names().position(|known| known == name)
    }

    /// Finds the name that stands at a byte of a file, or ends there.
    pub fn name_at(&self, file: usize, byte: usize) -> Option<&Declared> {
        self.checked.names.at(self.sources.byte_of(file, byte))
    }

    /// Finds where the thing is declared whose name stands at a byte of a file: the file, and the
    /// place in it. Of a text that names a file, it is the beginning of that file.
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

    /// Finds where the thing is spoken of whose name stands at a byte of a file: its declaration,
    /// and its uses in the order of the text; each with its file.
    pub fn mentions(&self, file: usize, byte: usize) -> Vec<(usize, Span)> {
        let Some(name) = self.name_at(file, byte) else { return Vec::new() };
        std::iter::once(&name.span)
            .chain(&name.uses)
            .map(|&span| self.sources.place(span))
            .collect()
    }
}

/// The nodes around a byte, from the outermost to the innermost. What ends at the byte is around it
/// too.
fn path_to(forms: &[Node], byte: usize) -> Vec<&Node> {
    let around = |node: &&Node| node.span.start <= byte && byte <= node.span.end;
    let mut path = Vec::new();
    let mut level = forms;
    // Of two neighbours the word is meant, not the bracket.
    while let Some(node) =
        level.iter().filter(around).max_by_key(|node| (node.as_form().is_none(), node.span.start))
    {
        path.push(node);
        level = node.as_form().unwrap_or_default();
    }
    path
}
