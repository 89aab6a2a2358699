//! Runs the ends of descents in the engine: makes the last ply, expands, and plays out at random.

use super::tree::{Actor, Positions, Rating};
use super::watch::Watch;
use super::window::fetch;
use crate::engine::PackedMove;
use crate::engine::game::{Fault, State, Turn};
use crate::engine::position::{Outcome, Position};
use crate::language::rules::PlayerId;
use crate::learn::costs::MAX_RATED;
use crate::learn::network::{logit, softmax};
use crate::learn::{Evaluation, Scratch};
use crate::random::Random;
use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

/// Playouts that have not ended after this many plies count as draws.
const CAP: u32 = 2_000;
/// The greatest log-odds that count in a rating.
const MAX_RATED_LOGIT: f32 = 6.0;
/// The trust in an evaluation beside playouts: if it has weights for each point in the order of
/// play, and if a side acts at one point only. See the benchmark of strength.
const BESIDE_PLAYOUTS: Trust = Trust { share: 0.7, sharpness: 3.0 };
const BESIDE_PLAYOUTS_AT_ONE_POINT: Trust = Trust { share: 0.5, sharpness: 2.0 };

/// How much an evaluation counts.
#[derive(Clone, Copy)]
struct Trust {
    /// Its share in the value of a position; playouts have the rest.
    share: f64,
    /// The factor of its log-odds before they become priors.
    sharpness: f32,
}

/// A ply with its value and its index among the legal plies.
type Rated = (f32, u16, PackedMove);

/// The state and memory with which a thread runs probes.
pub struct Prober {
    state: State,
    rater: Option<Rater>,
    /// Whether to play out after an evaluation.
    plays_out: bool,
    /// The number of players.
    players: usize,
    /// The hashes of the positions before the search, followed by the path to the current probe, if
    /// the rules count repetitions.
    history: Vec<u64>,
    /// The number of hashes from before the search.
    before: usize,
    /// Working memory.
    position: Position,
    legal: Vec<PackedMove>,
}

/// Playouts for one thread to run, and their findings: flat data, since it passes from one thread
/// to another.
pub struct Probes {
    /// Whether they run even when time is up.
    pub needed: bool,
    pub requests: Vec<Request>,
    /// The positions to start from, and the positions whose plies are to be rated.
    pub starts: Positions,
    /// The plies to rate.
    pub plies: Vec<PackedMove>,
    /// Hashes of positions.
    pub hashes: Vec<u64>,
    pub findings: Findings,
}

/// A playout to run.
pub struct Request {
    pub seed: u64,
    /// The index of the position to start from.
    pub start: u32,
    /// A ply to make first.
    pub ply: Option<PackedMove>,
    /// Whether to list the legal plies then, and play one of them.
    pub expand: bool,
    /// The number of playouts, at least 1.
    pub playouts: u32,
    /// The range of the hashes of its path, from the position after the root to the start position,
    /// if the rules count repetitions.
    pub passed: Range<u32>,
    pub rate: Option<RatingRequest>,
}

/// Plies to rate, along with a playout but independent of it.
pub struct RatingRequest {
    /// The index of the position in which they are legal.
    pub start: u32,
    pub plies: Range<u32>,
    /// As [`Request::passed`].
    pub passed: Range<u32>,
}

/// The findings of probes.
pub struct Findings {
    /// By request; the last findings are missing if time was up.
    pub found: Vec<Finding>,
    /// The reason why the last probe did not end; no other has run after it.
    pub fault: Option<Fault>,
    /// The positions that were expanded.
    pub positions: Positions,
    legal: Vec<PackedMove>,
    ratings: Vec<Rating>,
    scores: Vec<f64>,
}

/// The finding of a probe, after its ply or, if the node was expanded, one ply later.
#[derive(Default)]
pub struct Finding {
    pub hash: u64,
    pub actor: Actor,
    /// Whether the game is over before the playouts.
    pub over: bool,
    /// The plies that were made.
    pub plies: u32,
    /// The index of the position if it was expanded.
    pub expanded: Option<u32>,
    legal: Range<u32>,
    ratings: Range<u32>,
    /// The ratings of the plies that were to be rated, in their order.
    rated: Range<u32>,
    scores: Range<u32>,
}

impl Probes {
    /// Returns an empty list of probes for the game of a position.
    pub fn like(position: &Position) -> Probes {
        Probes {
            needed: false,
            requests: Vec::new(),
            starts: Positions::like(position),
            plies: Vec::new(),
            hashes: Vec::new(),
            findings: Findings {
                found: Vec::new(),
                fault: None,
                positions: Positions::like(position),
                legal: Vec::new(),
                ratings: Vec::new(),
                scores: Vec::new(),
            },
        }
    }

    /// Fetches the requests into the cache.
    fn fetch(&self) {
        fetch(&self.requests, |request| request.start);
        self.starts.fetch();
        fetch(&self.plies, |&ply| ply);
        fetch(&self.hashes, |&hash| hash);
    }

    /// Empties everything; keeps the memory.
    pub fn clear(&mut self) {
        let Probes { needed, requests, starts, plies, hashes, findings } = self;
        *needed = false;
        requests.clear();
        starts.clear();
        plies.clear();
        hashes.clear();
        findings.found.clear();
        findings.fault = None;
        findings.positions.clear();
        findings.legal.clear();
        findings.ratings.clear();
        findings.scores.clear();
    }
}

impl Findings {
    /// Fetches all findings into the cache.
    pub fn fetch(&self) {
        fetch(&self.found, |finding| finding.hash);
        self.positions.fetch();
        fetch(&self.legal, |&ply| ply);
        fetch(&self.ratings, |&rating| rating);
        fetch(&self.scores, |&score| score);
    }

    /// The legal plies of a position that was expanded, shuffled with the seed, or the most
    /// promising first if they are rated; the first was played.
    pub fn legal(&self, finding: &Finding) -> &[PackedMove] {
        part(&self.legal, &finding.legal)
    }

    /// The ratings of the legal plies by the evaluation; empty if they are not rated.
    pub fn ratings(&self, finding: &Finding) -> &[Rating] {
        part(&self.ratings, &finding.ratings)
    }

    /// The ratings of the plies that were to be rated; empty if there were too many.
    pub fn rated(&self, finding: &Finding) -> &[Rating] {
        part(&self.ratings, &finding.rated)
    }

    /// The value of the position for each person: the mean over the playouts, the evaluation, or a
    /// mean of both.
    pub fn scores(&self, finding: &Finding) -> &[f64] {
        part(&self.scores, &finding.scores)
    }
}

fn part<'l, T>(list: &'l [T], range: &Range<u32>) -> &'l [T] {
    &list[range.start as usize..range.end as usize]
}

/// Appends items to a list; returns their range.
fn append<T: Copy>(list: &mut Vec<T>, items: &[T]) -> Range<u32> {
    let start = list.len() as u32;
    list.extend_from_slice(items);
    start..list.len() as u32
}

impl Prober {
    /// Makes a prober for a search from the state.
    pub fn new(state: State, evaluation: Option<&Arc<Evaluation>>, plays_out: bool) -> Prober {
        let position = state.position();
        let trust = |evaluation: &Evaluation| match evaluation.features.heads.has_points() {
            _ if !plays_out => Trust { share: 1.0, sharpness: 1.0 },
            true => BESIDE_PLAYOUTS,
            false => BESIDE_PLAYOUTS_AT_ONE_POINT,
        };
        let working = |evaluation: &Arc<Evaluation>| Rater {
            evaluation: Arc::clone(evaluation),
            scratch: Scratch::new(&evaluation.features, &position),
            trust: trust(evaluation),
            expected: vec![0.0; evaluation.features.players],
            rated: Vec::new(),
            priors: Vec::new(),
            ratings: Vec::new(),
        };
        Prober {
            rater: evaluation.map(working),
            players: state.game().rules().teams.count(),
            history: state.history().to_vec(),
            before: state.history().len(),
            state,
            plays_out,
            position,
            legal: Vec::new(),
        }
    }

    /// Runs probes until all have run or, unless they are needed, time is up.
    pub fn run(&mut self, probes: &mut Probes, watch: &Watch) {
        probes.fetch();
        let Probes { needed, requests, starts, plies, hashes, findings } = probes;
        for request in requests {
            if !*needed && watch.is_late() {
                return;
            }
            self.turn_to(starts, request.start, part(hashes, &request.passed));
            let mut breaks_off = false;
            let mut finding = self.probe(request, findings, watch, &mut breaks_off);
            if let Some(rate) = &request.rate
                && self.state.fault().is_none()
            {
                self.turn_to(starts, rate.start, part(hashes, &rate.passed));
                self.state.go_to_after(&self.position, &self.history);
                let plies = part(plies, &rate.plies);
                let rater = self.rater.as_mut();
                let ratings = rater.map(|rater| rater.rate_in_order(&mut self.state, plies));
                finding.rated = append(&mut findings.ratings, ratings.unwrap_or_default());
            }
            if let Some(fault) = self.state.fault() {
                findings.fault = Some(fault);
                return;
            }
            if breaks_off && !*needed {
                return;
            }
            findings.found.push(finding);
        }
    }

    /// Reads a position, and the hashes of the positions before it.
    fn turn_to(&mut self, positions: &Positions, index: u32, passed: &[u64]) {
        positions.read(index, &mut self.position);
        self.history.truncate(self.before);
        self.history.extend_from_slice(passed);
    }

    /// Runs a probe from the position. Sets `breaks_off` if time is up before its end.
    fn probe(
        &mut self,
        request: &Request,
        findings: &mut Findings,
        watch: &Watch,
        breaks_off: &mut bool,
    ) -> Finding {
        let mut finding = Finding::default();
        match request.ply {
            Some(ply) => {
                self.state.advance_from(&self.position, &self.history, ply);
                finding.plies += 1;
            }
            None => self.state.go_to_after(&self.position, &self.history),
        }
        let mut random = Random::new(request.seed);
        if request.expand {
            self.expand(&mut finding, findings, &mut random);
        }
        let state = &mut self.state;
        (finding.hash, finding.actor) = (state.history_word(), actor(state.team_turn()));
        finding.over = state.outcome().is_some();
        let start = findings.scores.len();
        findings.scores.resize(start + self.players, 0.0);
        finding.scores = start as u32..findings.scores.len() as u32;
        let scores = &mut findings.scores[start..];
        if finding.over {
            add_payoffs(state.team_outcome(), scores);
            return finding;
        }
        if let Some(rater) = &mut self.rater {
            rater.evaluate(state);
        }
        if self.plays_out {
            let count = request.playouts;
            finding.plies += self.play_out(count, &mut random, scores, watch, breaks_off);
        }
        if let Some(rater) = &self.rater {
            for (score, &expected) in scores.iter_mut().zip(&rater.expected) {
                // Several playouts and shorter ones did no better: see the benchmark of strength.
                let share = rater.trust.share;
                *score = (1.0 - share) * *score + share * f64::from(expected);
            }
        }
        finding
    }

    /// Plays a number of random games from here; adds the mean of their results, and returns the
    /// plies made. Sets `breaks_off` if time is up before the end.
    fn play_out(
        &mut self,
        count: u32,
        random: &mut Random,
        scores: &mut [f64],
        watch: &Watch,
        breaks_off: &mut bool,
    ) -> u32 {
        let state = &mut self.state;
        if count > 1 {
            state.read(&mut self.position);
            self.history.truncate(self.before);
            self.history.extend_from_slice(&state.history()[self.before..]);
        }
        let is_late = Cell::new(false);
        let mut stop = || {
            is_late.set(watch.look());
            is_late.get()
        };
        let mut plies = 0;
        for number in 0..count {
            let stop: Option<&mut dyn FnMut() -> bool> =
                if watch.is_timed() { Some(&mut stop) } else { None };
            let playout = match number {
                0 => Ok(state.play_out_until(random, CAP, stop)),
                _ => state.play_out_from(&self.position, &self.history, random, CAP, stop),
            };
            // The state keeps a fault, which is reported in the end.
            let Ok(playout) = playout else { break };
            plies += playout.plies;
            add_payoffs(playout.team_outcome(), scores);
            if is_late.get() || state.fault().is_some() {
                break;
            }
        }
        *breaks_off = is_late.get();
        if count > 1 {
            scores.iter_mut().for_each(|score| *score /= f64::from(count));
        }
        plies
    }

    /// Lists the legal plies and makes the first, if there is one.
    fn expand(&mut self, finding: &mut Finding, findings: &mut Findings, random: &mut Random) {
        self.state.read(&mut self.position);
        finding.expanded = Some(findings.positions.push(&self.position));
        self.state.candidates_into(&mut self.legal);
        random.shuffle(&mut self.legal);
        if let Some(rater) = self.rater.as_mut().filter(|_| !self.plays_out) {
            let ratings = rater.rate(&mut self.state, &mut self.legal);
            finding.ratings = append(&mut findings.ratings, ratings);
        }
        finding.legal = append(&mut findings.legal, &self.legal);
        if self.legal.first().is_some_and(|&first| self.state.advance(first)) {
            finding.plies += 1;
        }
    }
}

/// An evaluation, and the working memory that it needs.
struct Rater {
    evaluation: Arc<Evaluation>,
    scratch: Scratch,
    trust: Trust,
    expected: Vec<f32>,
    rated: Vec<Rated>,
    priors: Vec<f32>,
    ratings: Vec<Rating>,
}

impl Rater {
    /// Computes the expected score of each person in a position.
    fn evaluate(&mut self, state: &State) {
        self.evaluation.scores(state, &mut self.scratch, &mut self.expected);
    }

    /// Rates the legal plies by the positions after them, and sorts them; returns their ratings, or
    /// none at a roll or if there are too many plies.
    fn rate(&mut self, state: &mut State, legal: &mut Vec<PackedMove>) -> &[Rating] {
        if !self.look_ahead(state, legal) {
            return &[];
        }
        legal.clear();
        legal.extend(self.rated.iter().map(|&(.., ply)| ply));
        self.ratings.clear();
        let rating = |(&(value, ..), &prior): (&Rated, &f32)| Rating { value, prior };
        self.ratings.extend(self.rated.iter().zip(&self.priors).map(rating));
        &self.ratings
    }

    /// Rates the legal plies as [`Rater::rate`], but keeps their order.
    fn rate_in_order(&mut self, state: &mut State, legal: &[PackedMove]) -> &[Rating] {
        if !self.look_ahead(state, legal) {
            return &[];
        }
        self.ratings.resize(legal.len(), Rating { value: f32::NAN, prior: 0.0 });
        for (&(value, place, _), &prior) in self.rated.iter().zip(&self.priors) {
            self.ratings[usize::from(place)] = Rating { value, prior };
        }
        &self.ratings
    }

    /// Looks at the position after each legal ply: lists the plies, the best first, with their
    /// priors. Returns false at a roll or if there are too many plies.
    fn look_ahead(&mut self, state: &mut State, legal: &[PackedMove]) -> bool {
        let Turn::Player(person) = state.team_turn() else { return false };
        if legal.len() > MAX_RATED {
            return false;
        }
        self.rated.clear();
        for (place, &ply) in (0..).zip(legal) {
            state.ahead(ply, |after| self.evaluate(after));
            self.rated.push((self.expected[person.index()], place, ply));
        }
        let order =
            |one: &Rated, other: &Rated| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1));
        self.rated.sort_unstable_by(order);
        let log_odds =
            |value| self.trust.sharpness * logit(value).clamp(-MAX_RATED_LOGIT, MAX_RATED_LOGIT);
        self.priors.clear();
        self.priors.extend(self.rated.iter().map(|&(value, ..)| log_odds(value)));
        softmax(&mut self.priors);
        true
    }
}

/// Adds each player's payoff; an unfinished game counts as a draw. A single player who does not win
/// gets nothing.
fn add_payoffs(outcome: Option<Outcome>, scores: &mut [f64]) {
    let (over, players) = (outcome.unwrap_or(Outcome::Draw), scores.len());
    for (player, score) in (0..).map(PlayerId).zip(scores) {
        *score += over.score(player, players);
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
