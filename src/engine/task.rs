//! What a machine is asked to do, and why it stops.

use crate::compile::program::Address;

/// Why the machine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The routine is done.
    Return,
    /// The move is illegal, by the clause with that index.
    Fail(u16),
    /// The order of play has come to the decision with that index.
    Decide(u16),
    /// The player with that index has won.
    Win(u8),
    Draw,
    /// What is at that instruction does not end, or takes too long.
    OutOfFuel(Address),
}

/// How a call ended.
#[cfg_attr(not(feature = "native"), allow(dead_code, reason = "nothing is called"))]
pub enum CallResult {
    Stop(Stop),
    /// There was no room for the offers; nothing was done.
    Full,
}

/// How counting sequences came out.
#[cfg_attr(not(feature = "native"), allow(dead_code, reason = "nothing is counted"))]
pub enum CountResult {
    Sequences(u64),
    /// There was no room for the offers.
    Full,
    /// It would take looking at moves one by one, or longer than is meant, or more room than there
    /// is.
    Unknown,
}

/// Which function of a decision or a variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Makes the move of that variation.
    Apply(u16),
    /// Looks whether the variation's requirements hold.
    Attempt(u16),
    /// Makes the offers of that decision.
    GenerateMoves(u16),
    /// Makes the offers that random play draws from at that decision.
    GenerateProposals(u16),
    /// Looks whether the condition of the `steps` around the decision holds.
    Ending(u16),
    /// Looks whether the game is over after a ply of the decision.
    End(u16),
    /// Goes on after a ply of the decision.
    GoOn(u16),
    /// The two before, one after the other.
    EndAndGoOn(u16),
    /// Goes on after a decision without a legal move.
    Otherwise(u16),
}
