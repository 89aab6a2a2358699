//! What the checker adds to a game that asks about the last ply.

use super::{MemoryId, MoveId, Rules, Statement};
use crate::syntax::Span;

/// A question about the last ply, and the memories that answer it, which no text declares. They
/// come after those of the text and of piles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastMove {
    /// The clause, or the first of several.
    pub span: Span,
    /// The moves that are asked for.
    pub moves: Vec<MoveId>,
    /// Whether it is about the last ply of a player.
    pub by_player: bool,
    /// A condition: whether the last ply, or that of each player, was by one of these moves.
    pub last: MemoryId,
    /// A condition: whether the ply that is being made is. False at every decision.
    pub made: MemoryId,
}

impl Rules {
    /// Returns the question that a memory answers.
    pub fn last_move(&self, memory: MemoryId) -> Option<&LastMove> {
        self.last_moves.iter().find(|it| it.last == memory)
    }

    /// Tests if a memory says something only while a ply is being made: which move it is.
    pub fn notes_ply(&self, memory: MemoryId) -> bool {
        self.last_moves.iter().any(|it| it.made == memory)
    }

    /// Tests if no text contains the statement: it only keeps by which move a ply was made.
    pub fn is_of_last_moves(&self, statement: &Statement) -> bool {
        match statement {
            Statement::SetCondition { memory, .. } => {
                self.last_move(*memory).is_some() || self.notes_ply(*memory)
            }
            _ => false,
        }
    }
}
