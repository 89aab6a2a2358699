//! Two games walked in lockstep: a pair of positions in, whether they agree and the plies that lead
//! on out. It refuses to know where to go.

use super::Side;
use super::names::Names;
use crate::engine::PackedMove;
use crate::engine::game::{Fault, Game, Mark, Move, State, Turn};
use crate::engine::position::{Outcome, Position};
use crate::engine::snapshot::Snapshot;
use sha2::{Digest, Sha256};
use std::cmp::Ordering;

/// What there is to see of a position, in the left game's terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub turn: Turn,
    pub outcome: Option<Outcome>,
    /// Of the memories only those that both games show.
    pub snapshot: Snapshot,
}

/// The same move in both games.
#[derive(Clone, Debug)]
pub struct PairedPly {
    /// In the left game's terms.
    pub told: Move,
    pub left: PackedMove,
    pub right: PackedMove,
}

/// A game goes round without end.
#[derive(Clone, Debug)]
pub struct Halt {
    pub side: Side,
    pub fault: Fault,
}

/// Where two games stand, and what has been before.
#[derive(Clone)]
pub struct PairPosition {
    left: Position,
    right: Position,
    /// The hashes of the positions so far, where they are kept.
    past: [Vec<u64>; 2],
}

impl PairPosition {
    /// A key for it: the first half of the SHA-256 of both positions and, where it is kept, of what
    /// has been before, the order of which says nothing.
    pub fn key(&self, bytes: &mut Vec<u8>) -> u128 {
        bytes.clear();
        self.left.write_bytes(bytes);
        self.right.write_bytes(bytes);
        for past in &self.past {
            let mut past = past.clone();
            past.sort_unstable();
            past.iter().for_each(|hash| bytes.extend(hash.to_le_bytes()));
        }
        half(bytes)
    }

    /// Keys for the positions on either side.
    pub fn keys(&self, bytes: &mut Vec<u8>) -> [u128; 2] {
        [&self.left, &self.right].map(|position| {
            bytes.clear();
            position.write_bytes(bytes);
            half(bytes)
        })
    }

    /// About how many bytes it takes up.
    pub fn size(&self, bytes: usize) -> usize {
        size_of::<PairPosition>() + bytes + 8 * self.past.iter().map(Vec::len).sum::<usize>()
    }
}

fn half(bytes: &[u8]) -> u128 {
    let digest = Sha256::digest(bytes);
    digest.iter().take(16).fold(0, |key, &byte| key << 8 | u128::from(byte))
}

/// Two games, each at some position.
pub struct Pair<'n> {
    names: &'n Names,
    left: State,
    right: State,
    start: [Mark; 2],
}

impl<'n> Pair<'n> {
    /// Begins where two matches stand.
    pub fn new(names: &'n Names, left: &State, right: &State) -> Pair<'n> {
        Pair { names, left: left.clone(), right: right.clone(), start: [left.mark(), right.mark()] }
    }

    pub fn games(&self) -> [&Game; 2] {
        [self.left.game(), self.right.game()]
    }

    /// Goes back to where the matches stood.
    pub fn restart(&mut self) {
        self.left.return_to(&self.start[0]);
        self.right.return_to(&self.start[1]);
    }

    /// Goes to a pair of positions.
    pub fn go_to(&mut self, place: &PairPosition) {
        self.left.go_to_after(&place.left, &place.past[0]);
        self.right.go_to_after(&place.right, &place.past[1]);
    }

    /// Goes to a pair of positions as if this one had been before already, so many times on either
    /// side.
    pub fn go_to_after(&mut self, place: &PairPosition, before: &[u64; 2], times: usize) {
        self.left.go_to_after(&place.left, &vec![before[0]; times]);
        self.right.go_to_after(&place.right, &vec![before[1]; times]);
    }

    /// Where they stand, what has been before left out unless it is to be kept.
    pub fn place(&self, keep: bool) -> PairPosition {
        let past = [&self.left, &self.right]
            .map(|state| if keep { state.history().to_vec() } else { Vec::new() });
        PairPosition { left: self.left.position(), right: self.right.position(), past }
    }

    /// Hashes of both positions.
    pub fn hashes(&self) -> [u64; 2] {
        [self.left.hash(), self.right.hash()]
    }

    /// Whether both games are over.
    pub fn is_over(&self) -> bool {
        self.left.outcome().is_some() && self.right.outcome().is_some()
    }

    /// What there is to see of either.
    pub fn seen(&self) -> [Seen; 2] {
        let names = self.names;
        let turn = match self.right.turn() {
            Turn::Player(player) => Turn::Player(names.player(player)),
            other => other,
        };
        let left = Seen {
            turn: self.left.turn(),
            outcome: self.left.outcome(),
            snapshot: names.left(self.left.snapshot()),
        };
        let outcome = self.right.outcome().map(|outcome| names.outcome(outcome));
        [left, Seen { turn, outcome, snapshot: names.right(&self.right.snapshot()) }]
    }

    /// Looks whether the two agree in all that there is to see and in what is legal. Gives the
    /// legal plies where they do, always in the same order; else nothing.
    ///
    /// # Errors
    /// Tells which game goes round without end here.
    pub fn agree(&mut self) -> Result<Option<Vec<PairedPly>>, Halt> {
        let [left, right] = self.seen();
        if left != right {
            return Ok(None);
        }
        let (mine, others) = self.legal()?;
        if mine.len() != others.len()
            || mine.iter().zip(&others).any(|(one, other)| one.0 != other.0)
        {
            return Ok(None);
        }
        Ok(Some(
            mine.into_iter()
                .zip(others)
                .map(|((told, left), (_, right))| PairedPly { told, left, right })
                .collect(),
        ))
    }

    /// The legal moves of both, in the left game's terms and in order.
    fn legal(&mut self) -> Result<(Vec<Named>, Vec<Named>), Halt> {
        let names = self.names;
        let plies = self.left.candidates();
        let mine = plies.into_iter().map(|ply| (self.left.game().spell_out(ply), ply)).collect();
        let plies = self.right.candidates();
        let others = plies
            .into_iter()
            .map(|ply| (names.ply(&self.right.game().spell_out(ply)), ply))
            .collect();
        self.halt().map_or(Ok((in_order(mine), in_order(others))), Err)
    }

    /// Makes a ply of both games.
    ///
    /// # Errors
    /// Tells which game goes round without end after it.
    pub fn play(&mut self, ply: &PairedPly) -> Result<(), Halt> {
        self.left.advance(ply.left);
        self.right.advance(ply.right);
        self.halt().map_or(Ok(()), Err)
    }

    fn halt(&self) -> Option<Halt> {
        let left = self.left.fault().map(|fault| Halt { side: Side::Left, fault });
        left.or_else(|| self.right.fault().map(|fault| Halt { side: Side::Right, fault }))
    }
}

/// A move in the left game's terms, and the candidate that makes it.
type Named = (Move, PackedMove);

fn in_order(mut plies: Vec<Named>) -> Vec<Named> {
    plies.sort_by(|one, other| order(&one.0, &other.0));
    plies
}

fn order(one: &Move, other: &Move) -> Ordering {
    one.rule.cmp(&other.rule).then_with(|| one.arguments.cmp(&other.arguments))
}
