//! A search in progress.
//!
//! An iteration is a playout. Where playouts are short, several follow each descent of the tree.
//!
//! Descents are selected one after the other, in batches of a few, and their results are recorded
//! in the same order. In between, their playouts run on all threads, each with its own seed. A
//! batch is selected as soon as fewer than a certain number of iterations are in flight. Unless the
//! search is limited by a time, that number depends on the tree alone, as does the size of the
//! batch. So the same seed and number of iterations give the same tree, whatever the number of
//! threads.

use super::{Mcts, RootMove, Thinking};
use crate::budget::{Deadline, Instant, Pace};
use crate::engine::game::{Fault, Game, Move, State};
use crate::language::rules::PlayerId;
use crate::random::mix;
use crate::search::probe::{Finding, Findings, Prober, Probes, RatingRequest, Request};
use crate::search::tree::{Actor, Edge, Leaf, NONE, PathEdge, Tree};
use crate::search::watch::Watch;
use crate::search::window::Window;
use std::ops::Range;
use std::time::Duration;

/// The largest number of descents in flight.
const MAX_IN_FLIGHT: u32 = 32;
/// With several threads, a time limit and plain playouts, this many times as many descents are in
/// flight and in a batch: threads then hand over batches half as often, and make 5 % more
/// iterations.
const TIMED: u32 = 2;
/// At most 1 / this of the root's visits are in flight, since descents in flight do not see each
/// other's results.
const IN_FLIGHT_DIVISOR: u32 = 16;
/// A batch has at most 1 / this of the iterations that may be in flight, so that threads need not
/// wait for a batch.
const BATCH_DIVISOR: u32 = 4;
/// A batch has at least this many descents if several playouts follow each: with four playouts,
/// searches then made 0.70 of the iterations of random play, and 0.68 with batches of one.
const MIN_DESCENTS_WITH_SEVERAL: u32 = 2;
/// From this many visits of the root on, each descent may be followed by several playouts. Before,
/// the tree gains more from one playout at each of several leaves.
const MIN_VISITS_FOR_SEVERAL: u32 = 1_000;
/// Estimated seconds of a descent, on the scale of [`Game::seconds_per_ply`], which errs by a
/// factor of 2 for the shortest programs. A descent is followed by as many playouts as fit into
/// this time: with one, more than half of the time of a search would not be spent on playouts.
/// Where playouts take longer, several of them do worse than one.
const DESCENT_SECONDS: f64 = 3.6e-6;
/// The most playouts of a descent.
const MAX_PLAYOUTS: u32 = 4;
/// A batch has as many playouts as make about this many plies: handing over a short playout to
/// another thread takes about as long as the playout.
const BATCH_PLIES: u64 = 256;
/// With an evaluation and playouts, the plies of a node are rated when it was visited this often:
/// one evaluation for each ply takes as long as some ten iterations.
const MIN_VISITS_TO_RATE: u32 = 16;
/// The interval between two calls of the progress callback.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);
/// From this many visits on, the mean result of a ply counts as its value.
const MIN_VISITS: u32 = 20;
/// The most descents between two readings of the clock.
const MAX_UNTIMED: u32 = 64;

/// A search in progress.
pub struct Search<'s> {
    searcher: &'s Mcts,
    tree: Tree,
    /// Whether the two persons have exchanged their colours in the starting position. The tree is
    /// by team of persons.
    swapped: bool,
    game: Game,
    seed: u64,
    watch: &'s Watch<'s>,
    deadline: Deadline,
    began: Instant,
    /// Estimated seconds per ply of a playout.
    ply_seconds: f64,
    /// The number of descents selected.
    selected: u64,
    iterations: u64,
    plies_made: u64,
    recycled: u32,
    /// The result of a descent, by player.
    brought: Vec<f64>,
}

/// A descent in progress.
#[derive(Default)]
struct Descent {
    path: Vec<PathEdge>,
    leaf: Leaf,
    /// The node whose plies are rated along with the playouts.
    rated: Option<u32>,
}

/// Descents that are selected and recorded together. Their playouts are run by one thread.
struct Batch {
    /// The descents of the batch, and behind them spare ones of an earlier batch.
    descents: Vec<Descent>,
    size: BatchSize,
    /// The probes of the descents that have not ended at a solved node.
    probes: Probes,
}

/// The number of descents of a batch, and of playouts of each. Every playout counts as a visit.
#[derive(Clone, Copy, Default)]
struct BatchSize {
    descents: u32,
    playouts: u32,
}

impl BatchSize {
    fn iterations(self) -> u32 {
        self.descents * self.playouts
    }
}

impl<'s> Search<'s> {
    pub fn new(
        searcher: &'s Mcts,
        tree: Tree,
        position: &State,
        seed: u64,
        watch: &'s Watch<'s>,
    ) -> Search<'s> {
        Search {
            searcher,
            tree,
            swapped: position.is_swapped(),
            game: position.game().clone(),
            seed,
            watch,
            deadline: watch.limits.deadline.clone(),
            began: Instant::now(),
            ply_seconds: position.game().seconds_per_ply(),
            selected: 0,
            iterations: 0,
            plies_made: 0,
            recycled: 0,
            brought: vec![0.0; position.game().rules().teams.count()],
        }
    }

    /// Runs the search from a state. This thread selects and records all descents, and runs some;
    /// the others are run by the workers of the pool.
    pub fn run(
        mut self,
        state: State,
        tell: &mut (dyn FnMut(&Thinking) -> bool + Send),
    ) -> Result<(Tree, Thinking), Fault> {
        let (searcher, watch) = (self.searcher, self.watch);
        let first = state.position();
        let batch = || Batch {
            descents: Vec::new(),
            size: BatchSize::default(),
            probes: Probes::like(&first),
        };
        let window = Window::new((0..TIMED * MAX_IN_FLIGHT * MAX_PLAYOUTS).map(|_| batch()));
        let prober =
            |state: State| Prober::new(state, searcher.evaluation.as_ref(), searcher.plays_out());
        let pool = searcher.pool.as_ref();
        let workers = pool.map_or(0, rayon::ThreadPool::current_num_threads);
        let mut probers: Vec<Prober> = (0..workers).map(|_| prober(state.clone())).collect();
        let mut own = prober(state);
        match pool {
            None => self.select_and_record(&window, &mut || false, &mut own, tell)?,
            Some(pool) => pool.in_place_scope(|scope| {
                let mut hire = || {
                    let Some(mut prober) = probers.pop() else { return false };
                    let window = &window;
                    scope.spawn(move |_| {
                        window.work(|batch| prober.run(&mut batch.probes, watch));
                    });
                    true
                };
                let result = self.select_and_record(&window, &mut hire, &mut own, tell);
                window.close();
                result
            })?,
        }
        let thinking = self.thinking();
        Ok((self.tree, thinking))
    }

    /// Selects descents and records their results, both in order, until the search ends. `hire`
    /// starts one more worker, if there is one.
    fn select_and_record(
        &mut self,
        window: &Window<Batch>,
        hire: &mut dyn FnMut() -> bool,
        prober: &mut Prober,
        tell: &mut (dyn FnMut(&Thinking) -> bool + Send),
    ) -> Result<(), Fault> {
        let watch = self.watch;
        // Iterations in flight, and batches recorded.
        let (mut in_flight, mut recorded) = (0, 0);
        let (mut told, mut hired, mut stopped) = (self.began, false, false);
        let mut pace = Pace::new(MAX_UNTIMED);
        loop {
            while !stopped && let Some(size) = self.next_batch(in_flight) {
                if in_flight > 0 && !hired {
                    while hire() {}
                    hired = true;
                }
                window.publish(|batch| self.select_batch(size, batch));
                in_flight += size.iterations();
            }
            if in_flight == 0 {
                if stopped || !self.tree.can_recycle() || self.has_ended() {
                    return Ok(());
                }
                self.tree.recycle();
                self.recycled += 1;
                continue;
            }
            window.finish(recorded, |batch| prober.run(&mut batch.probes, watch));
            let count = window.end(recorded, |batch| self.record_batch(batch))?;
            recorded += 1;
            in_flight -= count;
            if let Some(now) = pace.count(count).filter(|&now| now - told >= REPORT_INTERVAL) {
                told = now;
                stopped = stopped || !tell(&self.thinking());
            }
        }
    }

    /// Returns the next batch to select, given how many iterations are in flight; `None` if results
    /// must be recorded first. Its size depends on the tree alone, unless time is up.
    fn next_batch(&mut self, in_flight: u32) -> Option<BatchSize> {
        if self.has_ended() || self.tree.can_recycle() {
            return None;
        }
        let visits = self.tree.node(self.tree.root).visits;
        let playouts = self.playouts_per_descent(visits);
        let Mcts { pool, evaluation, .. } = self.searcher;
        let is_timed = self.watch.limits.iterations.is_none();
        let factor = if is_timed && pool.is_some() && evaluation.is_none() { TIMED } else { 1 };
        let most = (visits / IN_FLIGHT_DIVISOR).clamp(1, factor * MAX_IN_FLIGHT * playouts);
        let left = self.watch.limits.iterations.map_or(u64::MAX, |most| most - self.iterations);
        let most = left.min(u64::from(most)) as u32;
        let most_at_once = (most / BATCH_DIVISOR).max(1);
        let least = if playouts > 1 { MIN_DESCENTS_WITH_SEVERAL * playouts } else { 1 };
        let iterations = match evaluation {
            Some(_) => 1,
            None => (self.iterations * u64::from(factor) * BATCH_PLIES / self.plies_made.max(1))
                .max(u64::from(least))
                .min(u64::from(most_at_once)) as u32,
        };
        let playouts = playouts.min(iterations);
        let batch = BatchSize { descents: iterations / playouts, playouts };
        (in_flight + batch.iterations() <= most).then_some(batch)
    }

    /// Returns how many playouts are to follow a descent.
    fn playouts_per_descent(&self, visits: u32) -> u32 {
        if visits < MIN_VISITS_FOR_SEVERAL || self.searcher.evaluation.is_some() {
            return 1;
        }
        let plies = self.plies_made as f64 / self.iterations.max(1) as f64;
        (DESCENT_SECONDS / (plies * self.ply_seconds)).clamp(1.0, f64::from(MAX_PLAYOUTS)) as u32
    }

    /// Tests if no more descents are to be made.
    fn has_ended(&mut self) -> bool {
        let root = *self.tree.node(self.tree.root);
        // At least one iteration runs, so that a ply can be chosen however short the time.
        let begun = self.iterations > 0;
        let endless =
            self.watch.limits.iterations.is_none() && !self.watch.limits.deadline.is_set();
        root.solved
            || root.actor == Actor::Nobody
            || self.watch.limits.iterations.is_some_and(|most| self.iterations >= most)
            || begun && (self.is_late() || endless && self.tree.is_full())
    }

    /// Tests if time is up; playouts poll the clock every few milliseconds and may know it before.
    fn is_late(&mut self) -> bool {
        if self.deadline.is_over() || self.watch.is_stopped() {
            self.watch.ring();
        }
        self.watch.is_late()
    }

    /// Selects a batch of descents.
    fn select_batch(&mut self, size: BatchSize, batch: &mut Batch) {
        batch.size = size;
        let count = size.descents as usize;
        if batch.descents.len() < count {
            batch.descents.resize_with(count, Descent::default);
        }
        batch.probes.clear();
        // A ply must be chosen.
        batch.probes.needed = self.selected == 0;
        for descent in &mut batch.descents[..count] {
            self.select(descent, size.playouts, &mut batch.probes);
        }
    }

    /// Selects a path, and the request for the probe at its end.
    fn select(&mut self, descent: &mut Descent, playouts: u32, probes: &mut Probes) {
        let seed = mix(self.seed, self.selected);
        self.selected += 1;
        let path = &mut descent.path;
        descent.leaf = self.tree.descend(seed, playouts, path);
        descent.rated = None;
        if descent.leaf == Leaf::Solved {
            return;
        }
        // The descent continues from the last stored position. Every node that a path leaves is
        // expanded and has its position stored.
        let from = path.last().map_or(self.tree.root, |step| step.node);
        let start = self.tree.read(from, &mut probes.starts);
        let first = probes.hashes.len() as u32;
        if self.game.rules().repetition.is_some() {
            let passed = path.iter().skip(1).map(|step| self.tree.hash(step.node));
            probes.hashes.extend(passed);
        }
        let end = probes.hashes.len() as u32;
        let rate = self.select_to_rate(path, first..end, probes);
        descent.rated = rate.as_ref().map(|(node, _)| *node);
        probes.requests.push(Request {
            seed,
            start,
            ply: path.last().map(|step| self.tree.edge(step.edge).candidate),
            expand: descent.leaf == Leaf::Bare,
            playouts,
            passed: first..end,
            rate: rate.map(|(_, request)| request),
        });
    }

    /// Finds a node of a path whose plies are to be rated, if there is one. `passed` is the range
    /// of the hashes of the path's positions, if repetitions count.
    fn select_to_rate(
        &mut self,
        path: &[PathEdge],
        passed: Range<u32>,
        probes: &mut Probes,
    ) -> Option<(u32, RatingRequest)> {
        if !self.searcher.rates_later() {
            return None;
        }
        let place = self.tree.find_unrated(path, MIN_VISITS_TO_RATE)?;
        let node = path[place].node;
        let first = probes.plies.len() as u32;
        probes.plies.extend(self.tree.edges(node).map(|(_, edge)| edge.candidate));
        let request = RatingRequest {
            start: self.tree.read(node, &mut probes.starts),
            plies: first..probes.plies.len() as u32,
            passed: passed.start..passed.end.min(passed.start + place as u32),
        };
        Some((node, request))
    }

    /// Records the results of a batch of descents; returns how many iterations they are.
    fn record_batch(&mut self, batch: &mut Batch) -> Result<u32, Fault> {
        let BatchSize { descents, playouts } = batch.size;
        let findings = &mut batch.probes.findings;
        if let Some(fault) = findings.fault.take() {
            return Err(fault);
        }
        findings.fetch();
        let mut found = findings.found.iter();
        for Descent { path, leaf, rated } in &mut batch.descents[..descents as usize] {
            if *leaf == Leaf::Solved {
                self.brought.fill(0.0);
                self.tree.backpropagate(path, playouts, &mut self.brought, false);
            } else if let Some(finding) = found.next() {
                self.record(path, *leaf, playouts, finding, findings);
                if let Some(node) = *rated {
                    self.tree.rate(node, findings.rated(finding));
                }
            } else {
                self.tree.forget(path, playouts);
                if let Some(node) = *rated {
                    self.tree.unrate(node);
                }
                continue;
            }
            self.iterations += u64::from(playouts);
        }
        Ok(batch.size.iterations())
    }

    /// Records the finding of the probe at the end of a path.
    fn record(
        &mut self,
        path: &mut Vec<PathEdge>,
        leaf: Leaf,
        playouts: u32,
        finding: &Finding,
        findings: &Findings,
    ) {
        self.plies_made += u64::from(finding.plies);
        let tree = &mut self.tree;
        if let Some(position) = finding.expanded
            && let Some(node) = tree.end(path)
        {
            let legal = findings.legal(finding);
            tree.expand(node, legal, findings.ratings(finding));
            tree.store_from(node, &findings.positions, position);
            path.extend(legal.first().and_then(|&first| tree.follow(node, first, playouts)));
        }
        if leaf != Leaf::Cut {
            tree.grow(path, finding.hash, finding.actor);
        }
        self.brought.copy_from_slice(findings.scores(finding));
        let exact = finding.over && leaf != Leaf::Cut;
        tree.backpropagate(path, playouts, &mut self.brought, exact);
    }

    fn thinking(&self) -> Thinking {
        let tree = &self.tree;
        let root = tree.root;
        let rules = self.game.rules();
        let team = |player: PlayerId| rules.teams.of(player.exchanged(self.swapped));
        let chosen = tree.choice(root);
        let mut tried: Vec<_> =
            tree.edges(root).filter(|(_, edge)| edge.visits > 0 || edge.solved).collect();
        tried.sort_by_key(|&(index, edge)| {
            (Some(index) != chosen, std::cmp::Reverse(edge.visits), index)
        });
        let plies = tried.into_iter().map(|(_, edge)| RootMove {
            ply: self.game.spell_out(edge.candidate),
            visits: edge.visits,
            chance: f64::from(edge.value),
            solved: edge.solved,
        });
        // The value is the chosen ply's. At a roll it is the mean over all rolls; likewise over all
        // plies if none was tried often: the best of many such means is mostly lucky.
        let is_known = |edge: Edge| edge.solved || edge.visits >= MIN_VISITS;
        let chosen = chosen
            .map(|edge| tree.edge(edge))
            .filter(|&edge| tree.node(root).actor != Actor::Chance && is_known(edge))
            .map(|edge| edge.child);
        let at = chosen.filter(|&child| child != NONE).unwrap_or(root);
        Thinking {
            iterations: self.iterations,
            plies_made: self.plies_made,
            seconds: self.began.elapsed().as_secs_f64(),
            nodes: tree.size(),
            depth: None,
            recycled: self.recycled,
            win_probabilities: (0..rules.players.len() as u16)
                .map(|player| tree.value(at, team(PlayerId(player)).index()))
                .collect(),
            solved: tree.node(root).solved,
            line: self.line(),
            plies: plies.collect(),
        }
    }

    /// Returns the principal variation.
    fn line(&self) -> Vec<Move> {
        const LONGEST: usize = 20;
        let mut line = Vec::new();
        let mut at = self.tree.root;
        while line.len() < LONGEST && matches!(self.tree.node(at).actor, Actor::Player(_)) {
            let Some(edge) = self.tree.choice(at).map(|edge| self.tree.edge(edge)) else { break };
            line.push(self.game.spell_out(edge.candidate));
            if edge.child == NONE {
                break;
            }
            at = edge.child;
        }
        line
    }
}
