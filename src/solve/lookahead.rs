//! Makes each ply of a position once: a proof search looks at all successors before it searches
//! any.

use super::packed::{pack, packed_words};
use super::ply_order::PlyOrder;
use super::proof_table::Proven;
use super::tags::{Tag, Tagger};
use super::{Clock, Stopped, check_fault};
use crate::engine::PackedMove;
use crate::engine::game::{State, Turn};
use crate::engine::position::{Outcome, Position};
use crate::language::rules::PlayerId;

/// The number of plies in a batch: the table is read while the next ply is made.
const BATCH: usize = 4;

/// A state that looks one ply ahead.
pub struct Lookahead {
    pub tagger: Tagger,
    /// The current position.
    pub position: Position,
    pub order: PlyOrder,
    state: State,
    /// The hashes of the positions before the search began.
    history_before: Vec<u64>,
    /// The plies of the position that was expanded last, with their history indices, and how many
    /// of them were looked at.
    plies: Vec<(PackedMove, u16)>,
    looked: usize,
    /// The same plies in the engine's order.
    legal: Vec<PackedMove>,
    /// The results of the plies that were looked at last.
    batch: Vec<After>,
    /// The packed positions after the plies that do not end the game.
    packed: Vec<u64>,
    /// The number of words of a packed position.
    pub words: usize,
}

/// The result of a ply.
#[derive(Clone, Copy)]
pub struct After {
    /// The result, if the game is over.
    pub outcome: Option<Outcome>,
    pub turn: Turn,
    pub tag: Tag,
    /// The ply's index in the history.
    pub place: u16,
    /// An upper bound of the number of replies.
    pub replies: u32,
    /// The distance of the ply's last site from the middle of the board.
    pub off_centre: u32,
    /// The offset of the packed position.
    pub at: usize,
}

impl Lookahead {
    pub fn new(from: &State, tagger: Tagger) -> Lookahead {
        let position = from.position();
        Lookahead {
            tagger,
            order: PlyOrder::new(from),
            state: from.clone(),
            history_before: from.history().to_vec(),
            plies: Vec::new(),
            looked: 0,
            legal: Vec::new(),
            batch: Vec::new(),
            packed: Vec::new(),
            words: packed_words(&position),
            position,
        }
    }

    /// Creates another one, of the same game and after the same history.
    pub fn another(&self) -> Lookahead {
        let mut another = Lookahead::new(&self.state, self.tagger.clone());
        another.history_before.clone_from(&self.history_before);
        another
    }

    /// Lists the plies of the current position, whose index on a path is `place`, with the plies
    /// first that were the last to decide there. Returns whose turn it is.
    ///
    /// # Errors
    /// If the rules do not terminate.
    pub fn expand(&mut self, place: usize) -> Result<Turn, Stopped> {
        self.tagger.go_to(&self.position);
        self.state.go_to_after(&self.position, &self.history_before);
        let turn = self.state.team_turn();
        let mover = match turn {
            Turn::Player(person) => person.0 as u8,
            Turn::Chance | Turn::Nobody => 0,
        };
        self.state.candidates_into(&mut self.legal);
        check_fault(&self.state)?;
        self.plies.clear();
        self.plies.extend(self.legal.iter().map(|&ply| (ply, PlyOrder::place(ply, mover))));
        self.order.killers_first(place + 1, &mut self.plies);
        self.looked = 0;
        self.packed.clear();
        Ok(turn)
    }

    /// Makes the next few plies for the [`batch`](Self::batch), which ends at a win. Passes each
    /// tag to `prefetch`, so that its table entry is fetched while the next ply is made. Returns
    /// whether there was a ply left.
    ///
    /// # Errors
    /// If time or plies run out, or the rules do not terminate. `nodes` positions were expanded so
    /// far.
    pub fn look(
        &mut self,
        prefetch: impl Fn(Tag),
        nodes: u64,
        clock: &mut Clock,
    ) -> Result<bool, Stopped> {
        self.batch.clear();
        while self.looked < self.plies.len() && self.batch.len() < BATCH {
            clock.pass(nodes)?;
            let (ply, place) = self.plies[self.looked];
            self.looked += 1;
            let position = &mut self.position;
            let (outcome, turn, replies) = self.state.ahead(ply, |state| {
                state.read(position);
                (state.team_outcome(), state.team_turn(), state.move_count_bound())
            });
            check_fault(&self.state)?;
            let tag = self.tagger.tag(&self.position);
            prefetch(tag);
            let (off_centre, at) = (self.order.off_centre(ply), self.packed.len());
            self.batch.push(After { outcome, turn, tag, place, replies, off_centre, at });
            match outcome {
                None => pack(&self.position, &mut self.packed),
                Some(Outcome::Win(_)) => break,
                Some(Outcome::Draw | Outcome::Shared(_)) => {}
            }
        }
        Ok(!self.batch.is_empty())
    }

    /// Returns the results of the plies that were looked at last.
    #[inline]
    pub fn batch(&self) -> &[After] {
        &self.batch
    }

    /// Returns the packed position at an offset.
    #[inline]
    pub fn packed(&self, at: usize) -> &[u64] {
        &self.packed[at..at + self.words]
    }
}

impl After {
    /// Returns the known answer to the question if a player wins the position, from the rules or
    /// `look`.
    #[inline]
    pub fn known(
        &self,
        player: PlayerId,
        look: impl FnOnce(Tag) -> Option<Proven>,
    ) -> Option<Proven> {
        match self.outcome {
            Some(Outcome::Win(winner)) => Some(Proven::Wins(winner)),
            Some(Outcome::Draw | Outcome::Shared(_)) => Some(Proven::Not(player)),
            None => look(self.tag),
        }
    }
}
