//! The routines that a machine executes, and the reasons why it stops.

use crate::compile::op::{LOST, SHARED};
use crate::compile::program::Address;

/// The reason why a routine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The routine is complete.
    Return,
    /// The move is illegal because of the clause with that index.
    Fail(u16),
    /// The order of play has reached the decision with that index.
    Decide(u16),
    /// The player with that index has won.
    Win(u8),
    /// The player with that index has lost to the only other team.
    Lose(u8),
    Draw,
    /// The players with these bits share a draw.
    Share(u8),
    /// The instruction at that address has run out of fuel.
    OutOfFuel(Address),
}

impl Stop {
    /// Decodes the operand of [`Code::Win`](crate::compile::op::Code::Win).
    pub(super) fn won(operand: u16) -> Stop {
        match (operand.checked_sub(LOST), operand.checked_sub(SHARED)) {
            (Some(loser), _) => Stop::Lose(loser as u8),
            (None, Some(among)) => Stop::Share(among as u8),
            (None, None) => Stop::Win(operand as u8),
        }
    }
}

/// How much work goes into machine code.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeQuality {
    /// Code that runs as fast as possible.
    Full,
    /// The same instructions, made in a third of the time by a register allocator that visits each
    /// of them once; the code is slower. For comparisons of many games.
    Quick,
}

impl Default for CodeQuality {
    /// In a development build Cranelift itself is not optimized: there, its optimization of the
    /// code takes longer than most games run.
    fn default() -> Self {
        if cfg!(debug_assertions) { CodeQuality::Quick } else { CodeQuality::Full }
    }
}

/// The result of a call.
#[cfg_attr(not(feature = "native"), allow(dead_code, reason = "nothing is called"))]
pub enum CallResult {
    Stop(Stop),
    /// The buffer of move sets is full; nothing was done.
    Full,
}

/// The result of counting sequences.
#[cfg_attr(not(feature = "native"), allow(dead_code, reason = "nothing is counted"))]
pub enum CountResult {
    Sequences(u64),
    /// The buffer of move sets is full.
    Full,
    /// The count needs moves to be tested one by one, more fuel, or more frames.
    Unknown,
}

/// A function of a decision or a specialization, given by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Applies a move of the specialization.
    Apply(u16),
    /// Tests the specialization's requirements.
    TestRequirements(u16),
    /// Generates the move sets.
    GenerateMoves(u16),
    /// Generates the proposals for random play.
    GenerateProposals(u16),
    /// Evaluates the ending condition of the `steps` around the decision.
    Ending(u16),
    /// Evaluates the end of the game after a ply.
    End(u16),
    /// Continues after a ply.
    GoOn(u16),
    /// [`Task::End`], then [`Task::GoOn`].
    EndAndGoOn(u16),
    /// Continues after finding no legal move.
    Otherwise(u16),
}
