//! Two games in lockstep: compares a pair of positions and plays the same ply in both.

use super::Side;
use super::names::Names;
use crate::engine::PackedMove;
use crate::engine::game::{Fault, Game, Mark, Move, State, Turn};
use crate::engine::position::{Outcome, Position};
use crate::engine::snapshot::Snapshot;
use sha2::{Digest, Sha256};
use std::cmp::Ordering;

/// The observable part of a position, in the left game's terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub turn: Turn,
    pub outcome: Option<Outcome>,
    /// The snapshot, with only the memories that both games show.
    pub snapshot: Snapshot,
}

/// Returns the result. A draw shared by all players counts as a draw: perhaps only one of the games
/// lets players drop out.
fn result(position: &State) -> Option<Outcome> {
    match position.outcome()? {
        Outcome::Shared(among) if among.len() == position.game().rules().players.len() => {
            Some(Outcome::Draw)
        }
        result => Some(result),
    }
}

/// The same move in both games.
#[derive(Clone, Debug)]
pub struct PairedPly {
    /// The move in the left game's terms.
    pub told: Move,
    pub left: PackedMove,
    pub right: PackedMove,
}

/// A fault of rules that do not terminate, and the side of the game.
#[derive(Clone, Debug)]
pub struct Halt {
    pub side: Side,
    pub fault: Fault,
}

/// A pair of positions with their history.
#[derive(Clone)]
pub struct PairPosition {
    left: Position,
    right: Position,
    /// The hashes of the earlier positions; empty unless history is kept.
    past: [Vec<u64>; 2],
}

impl PairPosition {
    /// Returns a key: the first half of the SHA-256 of both positions and of the history as a
    /// multiset.
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

    /// Returns a key of the position on each side.
    pub fn keys(&self, bytes: &mut Vec<u8>) -> [u128; 2] {
        [&self.left, &self.right].map(|position| {
            bytes.clear();
            position.write_bytes(bytes);
            half(bytes)
        })
    }

    /// Returns the approximate size in bytes.
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
    /// Creates a pair at the positions of two matches.
    pub fn new(names: &'n Names, left: &State, right: &State) -> Pair<'n> {
        Pair { names, left: left.clone(), right: right.clone(), start: [left.mark(), right.mark()] }
    }

    pub fn games(&self) -> [&Game; 2] {
        [self.left.game(), self.right.game()]
    }

    /// Returns to the starting positions.
    pub fn restart(&mut self) {
        self.left.return_to(&self.start[0]);
        self.right.return_to(&self.start[1]);
    }

    /// Goes to a pair of positions with their history.
    pub fn go_to(&mut self, place: &PairPosition) {
        self.left.go_to_after(&place.left, &place.past[0]);
        self.right.go_to_after(&place.right, &place.past[1]);
    }

    /// Goes to a pair of positions with a history in which the positions `before` occurred `times`
    /// times.
    pub fn go_to_after(&mut self, place: &PairPosition, before: &[u64; 2], times: usize) {
        self.left.go_to_after(&place.left, &vec![before[0]; times]);
        self.right.go_to_after(&place.right, &vec![before[1]; times]);
    }

    /// Returns the current pair of positions, with its history if `keep`.
    pub fn place(&self, keep: bool) -> PairPosition {
        let past = [&self.left, &self.right]
            .map(|state| if keep { state.history().to_vec() } else { Vec::new() });
        PairPosition { left: self.left.position(), right: self.right.position(), past }
    }

    /// Returns the hashes of both positions.
    pub fn hashes(&self) -> [u64; 2] {
        [self.left.hash(), self.right.hash()]
    }

    /// Tests if both games are over.
    pub fn is_over(&self) -> bool {
        self.left.outcome().is_some() && self.right.outcome().is_some()
    }

    /// Returns the observable part of both positions.
    pub fn seen(&self) -> [Seen; 2] {
        let names = self.names;
        let turn = match self.right.turn() {
            Turn::Player(player) => Turn::Player(names.player(player)),
            other => other,
        };
        let [own, other] = [&self.left, &self.right].map(result);
        let left = Seen {
            turn: self.left.turn(),
            outcome: own,
            snapshot: names.left(self.left.snapshot()),
        };
        let outcome = other.map(|outcome| names.outcome(outcome));
        [left, Seen { turn, outcome, snapshot: names.right(&self.right.snapshot()) }]
    }

    /// Returns the legal plies in a canonical order if the positions agree in all observable parts
    /// and legal moves; otherwise `None`.
    ///
    /// # Errors
    /// Returns [`Halt`] if the rules of a game do not terminate here.
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

    /// Returns the legal moves of both games in the left game's terms, in canonical order.
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

    /// Plays a ply in both games.
    ///
    /// # Errors
    /// Returns [`Halt`] if the rules of a game do not terminate after it.
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

/// A move in the left game's terms, and the packed move that makes it.
type Named = (Move, PackedMove);

fn in_order(mut plies: Vec<Named>) -> Vec<Named> {
    plies.sort_by(|one, other| order(&one.0, &other.0));
    plies
}

fn order(one: &Move, other: &Move) -> Ordering {
    one.rule.cmp(&other.rule).then_with(|| one.arguments.cmp(&other.arguments))
}
