//! What the checker adds to a game with the pie rule.

use super::{Condition, MemoryId, MoveId, PlayerId, Rules, Spanned, Statement};
use crate::syntax::Span;

/// The memories and the move that no text declares. They come after those of the text.
///
/// The rules are about colours. Two persons play them, each at first the colour of his own name; as
/// long as `swapped` holds, each plays the other's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pie {
    /// The clause.
    pub span: Span,
    /// A condition: whether the two persons have exchanged their colours.
    pub swapped: MemoryId,
    /// A condition: whether the second player is still to have his first ply.
    pub swappable: MemoryId,
    /// A condition: whether the second player has just made his first ply and has kept his colour.
    /// False at every decision.
    pub kept: MemoryId,
    /// The move by which they are exchanged.
    pub swap: MoveId,
    /// The player who can swap.
    pub second: PlayerId,
}

impl PlayerId {
    /// Returns the other of two players if `swapped`: the person who plays a colour, or the colour
    /// that a person plays.
    pub fn exchanged(self, swapped: bool) -> PlayerId {
        if swapped { PlayerId(1u16.saturating_sub(self.0)) } else { self }
    }
}

impl Rules {
    /// Returns what a statement that the checker has added because of the pie rule leaves of the
    /// text: `None` if the statement is one of the text.
    pub fn without_pie<'r>(&'r self, statement: &'r Statement) -> Option<&'r [Spanned<Statement>]> {
        let pie = self.pie?;
        match statement {
            Statement::If { condition, otherwise, .. } => {
                let Condition::And(all) = &condition.node else { return None };
                let asks = |of: MemoryId| {
                    all.iter().any(
                        |one| matches!(one.node, Condition::Memory { memory, .. } if memory == of),
                    )
                };
                (asks(pie.swappable) || asks(pie.kept)).then_some(otherwise)
            }
            Statement::SetCondition { memory, .. } if *memory == pie.swappable => Some(&[]),
            _ => None,
        }
    }
}
