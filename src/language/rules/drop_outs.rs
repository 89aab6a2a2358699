//! What the checker adds to a game in which players drop out.

use super::{Condition, DefinitionId, MemoryId, Rules, Spanned};

/// The memories and definitions that no text declares. They come after those of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DropOuts {
    /// A condition per player: whether he has dropped out.
    pub out: MemoryId,
    /// A condition per player: whether he drops out when the statements at hand are done. False at
    /// every decision.
    pub leaving: MemoryId,
    /// Tests if a player has not dropped out. The first of the definitions.
    pub playing: DefinitionId,
    /// Returns the first player after the given one who has not dropped out.
    pub next: DefinitionId,
    /// Lets those who are leaving drop out, and ends the game if at most one player is left.
    pub settle: DefinitionId,
}

impl Rules {
    /// Tests if the definition is one that no text declares.
    pub fn is_generated(&self, definition: DefinitionId) -> bool {
        self.drop_outs.is_some_and(|drop_outs| definition >= drop_outs.playing)
    }

    /// Returns the part of a condition that the text contains, without the question of who has
    /// dropped out; `None` if that is all.
    pub fn written<'c>(&self, condition: &'c Spanned<Condition>) -> Option<&'c Spanned<Condition>> {
        match &condition.node {
            guard if self.is_turn_guard(guard) => None,
            Condition::And(parts) | Condition::Or(parts) => match &parts[..] {
                [guard, condition] if self.is_turn_guard(&guard.node) => Some(condition),
                _ => Some(condition),
            },
            _ => Some(condition),
        }
    }

    /// Tests if no text contains the condition: it asks if a player has dropped out.
    pub fn is_turn_guard(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Call(definition, _) => self.is_generated(*definition),
            Condition::Not(of) => self.is_turn_guard(&of.node),
            _ => false,
        }
    }
}
