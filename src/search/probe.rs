//! Runs one descent in the engine: replays its path, expands, and plays out at random.

use super::tree::Actor;
use crate::engine::PackedMove;
use crate::engine::game::{Fault, Mark, State, Turn};
use crate::engine::position::Outcome;
use crate::random::Random;

/// Playouts that have not ended after this many plies count as draws.
const CAP: u32 = 2_000;

/// A descent to run, and its result.
#[derive(Default)]
pub struct Probe {
    pub path: Vec<PackedMove>,
    /// Whether to list the legal plies at the end of the path and play one of them.
    pub expand: bool,
    pub seed: u64,
    /// `None` if it was skipped.
    pub found: Option<Result<ProbeResult, Fault>>,
}

/// What was found at the end of a path, or one ply after it if it was expanded.
pub struct ProbeResult {
    /// The legal plies at the end of the path, shuffled with the seed; the first was played.
    pub legal: Vec<PackedMove>,
    pub hash: u64,
    pub actor: Actor,
    /// Whether the game is over before the playout.
    pub over: bool,
    /// The result of the playout; `None` if it did not end.
    pub outcome: Option<Outcome>,
    /// The plies that were made, path included.
    pub plies: u64,
}

impl Probe {
    /// Runs the descent. `stop` is polled during the playout; `true` ends it without a result.
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
        let plies = self.path.len() as u64 + u64::from(self.expand) + u64::from(playout.plies);
        ProbeResult { legal, hash, actor, over, outcome, plies }
    }
}

/// Converts a turn to the tree's actor.
pub fn actor(turn: Turn) -> Actor {
    match turn {
        Turn::Player(player) => Actor::Player(player.index() as u8),
        Turn::Chance => Actor::Chance,
        Turn::Nobody => Actor::Nobody,
    }
}

/// Fisher–Yates shuffle, in Durstenfeld's form (*Algorithm 235*, Communications of the ACM 7,
/// 1964).
fn shuffle(candidates: &mut [PackedMove], random: &mut Random) {
    for last in (1..candidates.len()).rev() {
        candidates.swap(last, random.below(last as u32 + 1) as usize);
    }
}
