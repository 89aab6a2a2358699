//! What is declared and never used.

use super::Checker;
use super::scope::Meaning;
use crate::language::finding::{Code, Finding};
use crate::language::rules::*;

impl Checker<'_> {
    /// Warns of all that the game's own file declares and never uses; other files are there for more games than one. Only a file without errors has a say in this: what an error hides may be the use.
    pub(super) fn warn_of_unused(&mut self) {
        if self.failed {
            return;
        }
        let options = self.options.iter().enumerate().map(|(index, entry)| (Meaning::Option(index), &entry.name));
        let pieces = self.pieces.iter().enumerate().map(|(index, entry)| (Meaning::Piece(PieceId(index as u16)), &entry.name));
        let memories = self.memories.iter().enumerate().map(|(index, entry)| (Meaning::Memory(MemoryId(index as u16)), &entry.name));
        let definitions =
            self.definitions.iter().enumerate().map(|(index, entry)| (Meaning::Definition(DefinitionId(index as u16)), &entry.name));
        let moves = self.moves.iter().enumerate().map(|(index, entry)| (Meaning::Move(MoveId(index as u16)), &entry.verb));
        let all = options.chain(pieces).chain(memories).chain(definitions).chain(moves);
        let unused: Vec<Finding> = all
            .filter(|(meaning, name)| !self.used.contains(meaning) && self.sources.file_of(name.span) == 0)
            .map(|(meaning, name)| {
                let message = format!("the {} `{}` is never used", meaning.sort(), name.name);
                Finding::new(Code::Unused, name.span, message)
            })
            .collect();
        for finding in unused {
            self.report(finding);
        }
    }
}
