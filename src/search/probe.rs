//! Runs one descent in the engine: makes its last ply, expands, and plays out at random.

use super::tree::{Actor, Rating};
use crate::engine::PackedMove;
use crate::engine::game::{Fault, State, Turn};
use crate::engine::position::{Outcome, Position};
use crate::learn::network::{logit, softmax};
use crate::learn::{Evaluation, Scratch};
use crate::random::Random;
use std::sync::Arc;

/// Playouts that have not ended after this many plies count as draws.
const CAP: u32 = 2_000;
/// Where there are more legal plies than this, they are not rated.
const MAX_RATED: usize = 256;
/// The greatest log-odds that count in a rating.
const MAX_RATED_LOGIT: f32 = 6.0;

/// A ply with its value and its place among the legal ones.
type Rated = (f32, u16, PackedMove);

/// A playout to run, and its result.
pub struct Probe {
    /// The position to start from. Afterwards, if it was expanded, the one after `ply`.
    pub position: Position,
    /// The hashes of the positions before it, its own last, if the rules count repetitions.
    pub history: Vec<u64>,
    /// A ply to make first.
    pub ply: Option<PackedMove>,
    /// Whether to list the legal plies then, and play one of them.
    pub expand: bool,
    pub seed: u64,
    /// If it was expanded: the legal plies, shuffled with the seed, or the most promising first if
    /// they are rated; the first was played.
    pub legal: Vec<PackedMove>,
    /// What the evaluation expects of each; empty if they are not rated.
    pub ratings: Vec<Rating>,
    /// The scores that the evaluation expects before the playout; empty without one, or if the game
    /// is over.
    pub expected: Vec<f32>,
    /// Working memory.
    rated: Vec<Rated>,
    priors: Vec<f32>,
    evaluation: Option<(Arc<Evaluation>, Scratch)>,
    /// Whether to play out after an evaluation.
    plays_out: bool,
    /// `None` if it was skipped.
    pub found: Option<Result<ProbeResult, Fault>>,
}

/// What was found after the ply, or one ply later if the node was expanded.
pub struct ProbeResult {
    pub hash: u64,
    pub actor: Actor,
    /// Whether the game is over before the playout.
    pub over: bool,
    /// The result of the playout by person; `None` if it did not end.
    pub outcome: Option<Outcome>,
    /// The plies that were made.
    pub plies: u64,
}

impl Probe {
    /// Makes a probe for the state's game, of which it takes any position.
    pub fn new(state: &State, evaluation: Option<&Arc<Evaluation>>, plays_out: bool) -> Probe {
        let working = |evaluation: &Arc<Evaluation>| {
            (Arc::clone(evaluation), Scratch::new(&evaluation.features, &state.position()))
        };
        Probe {
            position: state.position(),
            expected: Vec::new(),
            ratings: Vec::new(),
            rated: Vec::new(),
            priors: Vec::new(),
            evaluation: evaluation.map(working),
            plays_out,
            history: Vec::new(),
            ply: None,
            expand: false,
            seed: 0,
            legal: Vec::new(),
            found: None,
        }
    }

    /// Runs the playout. `stop` is polled; `true` ends it without a result.
    pub fn run(&mut self, state: &mut State, stop: Option<&mut dyn FnMut() -> bool>) {
        let found = self.find(state, stop);
        self.found = Some(state.fault().map_or(Ok(found), Err));
    }

    fn find(&mut self, state: &mut State, stop: Option<&mut dyn FnMut() -> bool>) -> ProbeResult {
        let mut random = Random::new(self.seed);
        match self.ply {
            Some(ply) => {
                state.advance_from(&self.position, &self.history, ply);
            }
            None => state.go_to_after(&self.position, &self.history),
        }
        let mut plies = u64::from(self.ply.is_some());
        if self.expand {
            state.read(&mut self.position);
            state.candidates_into(&mut self.legal);
            random.shuffle(&mut self.legal);
            self.rate(state);
            if let Some(&first) = self.legal.first() {
                state.advance(first);
                plies += 1;
            }
        }
        let (hash, actor) = (state.hash(), actor(state.personal_turn()));
        let over = state.outcome().is_some();
        self.expected.clear();
        if let Some((evaluation, scratch)) = self.evaluation.as_mut().filter(|_| !over) {
            self.expected.resize(evaluation.features.players, 0.0);
            evaluation.scores(state, scratch, &mut self.expected);
        }
        if over || !self.plays_out {
            return ProbeResult { hash, actor, over, outcome: state.personal_outcome(), plies };
        }
        let playout = match stop {
            Some(stop) => state.play_out_until(&mut random, CAP, stop),
            None => state.play_out(&mut random, CAP),
        };
        plies += u64::from(playout.plies);
        ProbeResult { hash, actor, over, outcome: playout.personal_outcome(), plies }
    }

    /// Where an evaluation takes the place of playouts: rates the legal plies by the positions after
    /// them, and sorts them.
    fn rate(&mut self, state: &mut State) {
        self.ratings.clear();
        let Some((evaluation, scratch)) = &mut self.evaluation else { return };
        let Turn::Player(person) = state.personal_turn() else { return };
        if self.plays_out || self.legal.len() > MAX_RATED {
            return;
        }
        self.expected.resize(evaluation.features.players, 0.0);
        self.rated.clear();
        for (place, &ply) in (0..).zip(&self.legal) {
            state.ahead(ply, |after| evaluation.scores(after, scratch, &mut self.expected));
            self.rated.push((self.expected[person.index()], place, ply));
        }
        let order =
            |one: &Rated, other: &Rated| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1));
        self.rated.sort_unstable_by(order);
        self.legal.clear();
        self.legal.extend(self.rated.iter().map(|&(.., ply)| ply));
        self.priors.clear();
        self.priors.extend(
            self.rated
                .iter()
                .map(|&(value, ..)| logit(value).clamp(-MAX_RATED_LOGIT, MAX_RATED_LOGIT)),
        );
        softmax(&mut self.priors);
        let rating = |(&(value, ..), &prior): (&Rated, &f32)| Rating { value, prior };
        self.ratings.extend(self.rated.iter().zip(&self.priors).map(rating));
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
