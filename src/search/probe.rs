//! Runs one descent in the engine: makes its last ply, expands, and plays out at random.

use super::tree::{Actor, Positions, Rating};
use crate::engine::PackedMove;
use crate::engine::game::{Fault, State, Turn};
use crate::engine::position::{Outcome, Position};
use crate::learn::network::{logit, softmax};
use crate::learn::{Evaluation, Scratch};
use crate::random::Random;
use std::ops::Range;
use std::sync::Arc;

/// Playouts that have not ended after this many plies count as draws.
const CAP: u32 = 2_000;
/// Where there are more legal plies than this, they are not rated.
const MAX_RATED: usize = 256;
/// The greatest log-odds that count in a rating.
const MAX_RATED_LOGIT: f32 = 6.0;

/// A ply with its value and its place among the legal ones.
type Rated = (f32, u16, PackedMove);

/// What one thread runs probes with.
pub struct Prober {
    state: State,
    evaluation: Option<(Arc<Evaluation>, Scratch)>,
    /// Whether to play out after an evaluation.
    plays_out: bool,
    /// The hashes of the positions before the search and, at the end, of those before a probe, if
    /// the rules count repetitions.
    history: Vec<u64>,
    /// How many of them are from before the search.
    before: usize,
    /// Working memory.
    position: Position,
    rated: Vec<Rated>,
    priors: Vec<f32>,
}

/// What probes that are run together start from, as flat data.
#[derive(Default)]
pub struct Starts {
    pub positions: Positions,
    /// Hashes of positions.
    pub hashes: Vec<u64>,
}

/// A playout to run, and its result.
#[derive(Default)]
pub struct Probe {
    /// The index of the position to start from. If the probe expands, it becomes the one after
    /// `ply`.
    pub position: u32,
    /// Where the hashes of the positions before it are, from the one after the root on, its own
    /// last, if the rules count repetitions.
    pub passed: Range<usize>,
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

impl Prober {
    /// Makes a prober for a search from the state.
    pub fn new(state: State, evaluation: Option<&Arc<Evaluation>>, plays_out: bool) -> Prober {
        let position = state.position();
        let working = |evaluation: &Arc<Evaluation>| {
            (Arc::clone(evaluation), Scratch::new(&evaluation.features, &position))
        };
        Prober {
            evaluation: evaluation.map(working),
            history: state.history().to_vec(),
            before: state.history().len(),
            state,
            plays_out,
            position,
            rated: Vec::new(),
            priors: Vec::new(),
        }
    }

    /// Runs a probe. `stop` is polled; `true` ends it without a result.
    pub fn run(
        &mut self,
        probe: &mut Probe,
        starts: &mut Starts,
        stop: Option<&mut dyn FnMut() -> bool>,
    ) {
        starts.positions.read(probe.position, &mut self.position);
        self.history.truncate(self.before);
        self.history.extend_from_slice(&starts.hashes[probe.passed.clone()]);
        let mut plies = 0;
        match probe.ply {
            Some(ply) => {
                self.state.advance_from(&self.position, &self.history, ply);
                plies += 1;
            }
            None => self.state.go_to_after(&self.position, &self.history),
        }
        let mut random = Random::new(probe.seed);
        if probe.expand {
            self.state.read(&mut self.position);
            starts.positions.replace(probe.position, &self.position);
            plies += u64::from(self.expand(probe, &mut random));
        }
        let found = self.find(probe, plies, &mut random, stop);
        probe.found = Some(self.state.fault().map_or(Ok(found), Err));
    }

    /// Lists the legal plies and makes the first; returns false if there is none.
    fn expand(&mut self, probe: &mut Probe, random: &mut Random) -> bool {
        self.state.candidates_into(&mut probe.legal);
        random.shuffle(&mut probe.legal);
        self.rate(probe);
        probe.legal.first().is_some_and(|&first| self.state.advance(first))
    }

    /// Evaluates the position, and plays out. `plies` have been made before.
    fn find(
        &mut self,
        probe: &mut Probe,
        mut plies: u64,
        random: &mut Random,
        stop: Option<&mut dyn FnMut() -> bool>,
    ) -> ProbeResult {
        let state = &mut self.state;
        let (hash, actor) = (state.hash(), actor(state.personal_turn()));
        let over = state.outcome().is_some();
        probe.expected.clear();
        if let Some((evaluation, scratch)) = self.evaluation.as_mut().filter(|_| !over) {
            probe.expected.resize(evaluation.features.players, 0.0);
            evaluation.scores(state, scratch, &mut probe.expected);
        }
        if over || !self.plays_out {
            return ProbeResult { hash, actor, over, outcome: state.personal_outcome(), plies };
        }
        let playout = match stop {
            Some(stop) => state.play_out_until(random, CAP, stop),
            None => state.play_out(random, CAP),
        };
        plies += u64::from(playout.plies);
        ProbeResult { hash, actor, over, outcome: playout.personal_outcome(), plies }
    }

    /// Where an evaluation takes the place of playouts: rates the legal plies by the positions after
    /// them, and sorts them.
    fn rate(&mut self, probe: &mut Probe) {
        probe.ratings.clear();
        let Some((evaluation, scratch)) = &mut self.evaluation else { return };
        let Turn::Player(person) = self.state.personal_turn() else { return };
        if self.plays_out || probe.legal.len() > MAX_RATED {
            return;
        }
        let expected = &mut probe.expected;
        expected.resize(evaluation.features.players, 0.0);
        self.rated.clear();
        for (place, &ply) in (0..).zip(&probe.legal) {
            self.state.ahead(ply, |after| evaluation.scores(after, scratch, expected));
            self.rated.push((expected[person.index()], place, ply));
        }
        let order =
            |one: &Rated, other: &Rated| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1));
        self.rated.sort_unstable_by(order);
        probe.legal.clear();
        probe.legal.extend(self.rated.iter().map(|&(.., ply)| ply));
        self.priors.clear();
        self.priors.extend(
            self.rated
                .iter()
                .map(|&(value, ..)| logit(value).clamp(-MAX_RATED_LOGIT, MAX_RATED_LOGIT)),
        );
        softmax(&mut self.priors);
        let rating = |(&(value, ..), &prior): (&Rated, &f32)| Rating { value, prior };
        probe.ratings.extend(self.rated.iter().zip(&self.priors).map(rating));
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
