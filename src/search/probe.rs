//! One descent, walked by the engine: the plies of a path in, a playout from its end out.

use super::tree::Actor;
use crate::engine::PackedMove;
use crate::engine::game::{Fault, Mark, State, Turn};
use crate::engine::position::Outcome;
use crate::random::Random;

/// A playout that has not ended after so many plies is nobody's.
const CAP: u32 = 2_000;

/// What is to be walked, and what was found.
#[derive(Default)]
pub struct Probe {
    pub path: Vec<PackedMove>,
    /// Whether to list what is legal at the end of the path, and to go on with one of it.
    pub expand: bool,
    pub seed: u64,
    /// None if it was not walked.
    pub found: Option<Result<ProbeResult, Fault>>,
}

/// What is at the end of a path, or one ply after it.
pub struct ProbeResult {
    /// What is legal at the end of the path, in an order drawn with the seed; the first was played.
    pub legal: Vec<PackedMove>,
    pub hash: u64,
    pub actor: Actor,
    /// Whether the game is over there.
    pub over: bool,
    /// How the playout ended; none where it did not.
    pub outcome: Option<Outcome>,
}

impl Probe {
    /// Walks. Where somebody who is asked on the way says that it should stop, the playout has come
    /// to no end.
    pub fn walk(
        &mut self,
        state: &mut State,
        start: &Mark,
        stop: Option<&mut dyn FnMut() -> bool>,
    ) {
        let found = self.find(state, start, stop);
        self.found = Some(state.fault().map_or(Ok(found), Err));
    }

    fn find(
        &self,
        state: &mut State,
        start: &Mark,
        stop: Option<&mut dyn FnMut() -> bool>,
    ) -> ProbeResult {
        let mut random = Random::new(self.seed);
        state.return_to(start);
        for &ply in &self.path {
            state.advance(ply);
        }
        let mut legal = Vec::new();
        if self.expand {
            legal = state.candidates();
            shuffle(&mut legal, &mut random);
            legal.first().map(|&first| state.advance(first));
        }
        let (hash, actor) = (state.hash(), actor(state.turn()));
        let over = state.outcome().is_some();
        let playout = match stop {
            Some(stop) => state.play_out_until(&mut random, CAP, stop),
            None => state.play_out(&mut random, CAP),
        };
        let outcome = playout.outcome;
        ProbeResult { legal, hash, actor, over, outcome }
    }
}

/// Who acts, for the tree.
pub fn actor(turn: Turn) -> Actor {
    match turn {
        Turn::Player(player) => Actor::Player(player.index() as u8),
        Turn::Chance => Actor::Chance,
        Turn::Nobody => Actor::Nobody,
    }
}

/// Fisher and Yates's shuffle, as Durstenfeld gives it (*Algorithm 235*, Communications of the ACM
/// 7, 1964).
fn shuffle(candidates: &mut [PackedMove], random: &mut Random) {
    for last in (1..candidates.len()).rev() {
        candidates.swap(last, random.below(last as u32 + 1) as usize);
    }
}
