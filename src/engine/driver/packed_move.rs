//! Moves in the compact form that searches use: members of the move sets of a decision.

use super::Driver;
use crate::compile::program::ParameterSource;
use crate::engine::frame::{MAX_PREFIX, MoveSet};
use crate::random::mix;
use std::ops::Range;

/// One member of a move set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PackedMove {
    pub specialization: u16,
    pub member: u16,
    pub prefix: [i16; MAX_PREFIX],
}

impl PackedMove {
    /// Returns a hash of the move and the player who makes it, independent of the position.
    #[inline]
    pub fn hash_by(self, player: u8) -> u64 {
        let prefix =
            self.prefix.iter().fold(u64::from(player), |sum, &part| sum * 67 + part as u64);
        let key = u64::from(self.specialization) << 32 | u64::from(self.member) << 16;
        mix(key, prefix)
    }
}

/// Iterates over the members of a range of move sets.
pub(super) struct PackedMoves<const W: usize> {
    /// The indices of the remaining move sets.
    move_sets: Range<u32>,
    /// The remaining members of the current move set.
    last: MoveSet<W>,
}

impl<const W: usize> PackedMoves<W> {
    pub(super) fn new(move_sets: Range<u32>) -> Self {
        PackedMoves { move_sets, last: MoveSet::EMPTY }
    }

    /// Returns the next candidate; `room` is the buffer that the range indexes.
    #[inline(always)]
    pub(super) fn next(&mut self, room: &[MoveSet<W>]) -> Option<PackedMove> {
        loop {
            if let Some(member) = self.last.members.take() {
                let MoveSet { specialization, prefix, .. } = self.last;
                return Some(PackedMove { specialization, member: member as u16, prefix });
            }
            self.last = room[self.move_sets.next()? as usize];
        }
    }
}

impl<const W: usize> Driver<W> {
    /// Tests if a candidate can belong to this game: its sites are on the board. Machine code does
    /// not check this.
    pub fn is_of_this_game(&self, candidate: PackedMove) -> bool {
        let PackedMove { specialization, member, prefix } = candidate;
        let slots = self.machine.tables.board.next[0].len();
        let Some(specialization) =
            self.machine.program.specializations.get(usize::from(specialization))
        else {
            return false;
        };
        let is_number = specialization
            .sources
            .iter()
            .any(|source| matches!(source, ParameterSource::MemberNumber(_)));
        let most = if is_number { 64 * W } else { slots };
        usize::from(member) < most && prefix.iter().all(|&site| site < 0 || (site as usize) < slots)
    }

    /// Returns a candidate as move lists show it, with unused prefix arguments set to zero. In a
    /// move set they still hold the values of the sets generated before.
    #[inline]
    pub(super) fn listed(&self, mut candidate: PackedMove) -> PackedMove {
        let prefixes = self.machine.tables.prefixes[usize::from(candidate.specialization)];
        candidate.prefix[prefixes..].fill(0);
        candidate
    }

    /// Tests if a listed move is one of the current decision's candidates, legal or not.
    pub fn is_candidate(&mut self, packed: PackedMove) -> bool {
        self.outcome.is_none()
            && self.any_candidate(self.move_set_range(), |driver, candidate| {
                driver.listed(candidate) == packed
            })
    }
}
