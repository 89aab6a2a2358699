//! Monte-Carlo tree search, parallel and deterministic. (UCT: Levente Kocsis and Csaba Szepesvári,
//! *Bandit based Monte-Carlo planning*, ECML 2006.)
//!
//! Descents are selected one after the other, in batches of a few, and their results are recorded in
//! the same order. In between, their playouts run on all threads, each with its own seed. A batch is
//! selected as soon as fewer than a certain number of descents are in flight, which depends on the
//! tree alone, as does the size of the batch. So the same seed and number of iterations give the
//! same tree, whatever the number of threads.

use super::probe::{Probe, ProbeResult, Prober, Starts, actor};
use super::tree::{Actor, Exploration, Leaf, NONE, PathEdge, Tree};
use super::window::Window;
use crate::budget::{Deadline, Pace};
use crate::engine::game::{Fault, Game, Move, State};
use crate::engine::position::Outcome;
use crate::language::rules::PlayerId;
use crate::learn::{Evaluation, Method, Style};
use crate::random::mix;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The largest number of descents in flight.
const MAX_IN_FLIGHT: u32 = 32;
/// At most 1 / this of the root's visits are in flight: they do not see each other's results.
const IN_FLIGHT_DIVISOR: u32 = 16;
/// A batch is at most 1 / this of what may be in flight, so that threads need not wait for one.
const BATCH_DIVISOR: u32 = 4;
/// A batch is of as many playouts as make about this many plies: short ones take little longer than
/// handing them to another thread.
const BATCH_PLIES: u64 = 256;
/// Distinguishes the seed that decides between plies of the root from those of descents.
const VARIATION: u64 = u64::MAX;
/// The interval between two calls of the progress callback.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);
/// The most descents between two readings of the clock.
const MAX_UNTIMED: u32 = 64;
/// The default memory limit of a tree, in bytes.
pub const MEMORY: usize = 256 << 20;

/// The smallest memory limit of a tree, in bytes.
const MIN_MEMORY: usize = 1 << 20;

/// The limits of a search. Without limits of iterations or time it also stops when the tree is
/// full; a solved root always ends it.
#[derive(Clone, Debug, Default)]
pub struct SearchLimits<'s> {
    pub iterations: Option<u64>,
    pub deadline: Deadline,
    /// Stops the search when set, from any thread.
    pub stop: Option<&'s AtomicBool>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Thinking {
    pub iterations: u64,
    /// The plies made in all descents and playouts.
    pub plies_made: u64,
    pub seconds: f64,
    /// The number of nodes in the tree, or of positions of a search by depth.
    pub nodes: usize,
    /// The plies looked ahead by a search by depth; `None` for a tree.
    pub depth: Option<u32>,
    /// How often the tree was full, and the least visited part of it was dropped.
    pub recycled: u32,
    /// The expected score of each player: 1 for a win, ½ for a draw. With the pie rule it is that
    /// of the person who plays this colour in the position that was searched.
    pub win_probabilities: Vec<f64>,
    /// Whether the value of the root is proven.
    pub solved: bool,
    /// The principal variation, up to a roll or the end of the tree.
    pub line: Vec<Move>,
    /// Every ply that was tried: the chosen one first, then by visits.
    pub plies: Vec<RootMove>,
}

impl Thinking {
    /// Returns the iterations per second.
    pub fn rate(&self) -> f64 {
        self.iterations as f64 / self.seconds.max(1e-9)
    }
}

/// The result of a search for one ply of the root.
#[derive(Clone, Debug, PartialEq)]
pub struct RootMove {
    pub ply: Move,
    pub visits: u32,
    /// The expected score of the player who makes it.
    pub chance: f64,
    pub solved: bool,
}

/// A searcher; it keeps its tree between moves.
pub struct Mcts {
    memory: usize,
    /// The workers, besides the thread that searches.
    pool: Option<rayon::ThreadPool>,
    tree: Option<ReusedTree>,
    /// Of a method that is a tree.
    style: Style,
    /// What the style asks for.
    evaluation: Option<Arc<Evaluation>>,
}

/// A tree, and the plies of the game up to its root.
struct ReusedTree {
    tree: Tree,
    plies: Vec<Move>,
}

impl Default for Mcts {
    /// Uses all available threads.
    fn default() -> Self {
        Mcts::new(std::thread::available_parallelism().map_or(1, usize::from), MEMORY)
    }
}

impl Mcts {
    /// Creates a searcher with `threads` threads and a tree of about `memory` bytes at most.
    pub fn new(threads: usize, memory: usize) -> Mcts {
        // The thread that searches is one of them. It is alone if the pool cannot be started.
        let pool = (threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads - 1).build().ok())
            .flatten();
        let memory = memory.max(MIN_MEMORY);
        Mcts { memory, pool, tree: None, style: Style::PLAIN, evaluation: None }
    }

    /// Searches with plain playouts from now on. Discards the tree if it did not.
    pub fn search_plainly(&mut self) {
        self.set_style(Style::PLAIN, None);
    }

    /// Searches by a style from now on. By [`Method::Mcts`] each new node counts for its playout, and
    /// the evaluation is not asked. Otherwise it counts for what the evaluation expects there (as in
    /// David Silver et al., *Mastering the Game of Go with Deep Neural Networks and Tree Search*,
    /// Nature 529, 2016): by [`Method::Tree`] for the mean of that and of its playout, and then plies
    /// that have done well elsewhere in the tree are tried more often; by any other for that alone,
    /// and then those of which the evaluation expects much. Positions must be of the game of the
    /// evaluation. Discards the tree if anything changes.
    pub fn search_by(&mut self, style: Style, evaluation: &Arc<Evaluation>) {
        self.set_style(style, Some(evaluation).filter(|_| style.method != Method::Mcts));
    }

    fn set_style(&mut self, style: Style, evaluation: Option<&Arc<Evaluation>>) {
        let is_same = self.evaluation.as_ref().map(Arc::as_ptr) == evaluation.map(Arc::as_ptr);
        if !is_same || style != self.style {
            self.style = style;
            self.evaluation = evaluation.cloned();
            self.tree = None;
        }
    }

    /// Tests if playouts count.
    fn plays_out(&self) -> bool {
        matches!(self.style.method, Method::Tree | Method::Mcts)
    }

    /// Searches a position. Calls `tell` a few times per second with the result so far; `false`
    /// stops the search.
    ///
    /// # Errors
    /// Returns the [`Fault`] if the rules do not terminate in a position of the search.
    pub fn think(
        &mut self,
        position: &State,
        seed: u64,
        limits: &SearchLimits,
        tell: &mut (dyn FnMut(&Thinking) -> bool + Send),
    ) -> Result<Thinking, Fault> {
        let search = Search {
            tree: self.reuse_or_new_tree(position, seed),
            swapped: position.is_swapped(),
            game: position.game().clone(),
            seed,
            limits,
            deadline: limits.deadline.clone(),
            late: Arc::default(),
            began: Instant::now(),
            iterations: 0,
            plies_made: 0,
            recycled: 0,
            evaluation: self.evaluation.clone(),
            plays_out: self.plays_out(),
            brought: vec![0.0; position.game().rules().players.len()],
            spare: Vec::new(),
        };
        let (tree, thinking) = search.run(position.clone(), self.pool.as_ref(), tell)?;
        self.tree = Some(ReusedTree { tree, plies: position.plies().to_vec() });
        Ok(thinking)
    }

    /// Discards the tree.
    pub fn clear(&mut self) {
        self.tree = None;
    }

    /// Returns the part of the previous tree below the position, or a new tree.
    fn reuse_or_new_tree(&mut self, position: &State, seed: u64) -> Tree {
        // Equal plies may belong to another game or starting position, hence the test of the hash.
        let hash = position.hash();
        let kept = self
            .tree
            .take()
            .and_then(|kept| kept.at(position))
            .filter(|tree| tree.hash(tree.root) == hash);
        let game = position.game();
        // Nodes are shared between paths only where values cannot depend on history; see `search`.
        let joined = game.rules().repetition.is_none();
        let root = position.position();
        let mut tree = kept.unwrap_or_else(|| {
            let players = game.rules().players.len();
            let actor = actor(position.personal_turn());
            let constant = self.style.exploration.unwrap_or(1.0);
            let exploration = match self.evaluation {
                Some(_) => Exploration::Puct(constant),
                None => Exploration::Uct(constant),
            };
            Tree::new(hash, actor, &root, players, joined, exploration, self.memory)
        });
        tree.store(tree.root, &root);
        // Playouts vary enough by themselves.
        tree.vary((!self.plays_out()).then_some(mix(seed, VARIATION)));
        tree
    }
}

impl ReusedTree {
    /// Follows the plies played since the tree was built, and makes their end the root.
    fn at(mut self, position: &State) -> Option<Tree> {
        let played = position.plies().strip_prefix(&self.plies[..])?;
        let mut root = self.tree.root;
        for ply in played {
            let (_, edge) = self
                .tree
                .edges(root)
                .find(|(_, edge)| position.game().spell_out(edge.candidate) == *ply)?;
            root = Some(edge.child).filter(|&child| child != NONE)?;
        }
        self.tree.reroot(root);
        Some(self.tree)
    }
}

/// A search in progress.
struct Search<'s> {
    tree: Tree,
    /// Whether the two persons have exchanged their colours in the starting position. The tree is
    /// by person.
    swapped: bool,
    game: Game,
    seed: u64,
    limits: &'s SearchLimits<'s>,
    deadline: Deadline,
    /// Whether time is up, for all threads.
    late: Arc<AtomicBool>,
    began: Instant,
    iterations: u64,
    plies_made: u64,
    recycled: u32,
    evaluation: Option<Arc<Evaluation>>,
    plays_out: bool,
    /// The result of a descent, by player.
    brought: Vec<f64>,
    /// Batches that are not in flight, to be used again.
    spare: Vec<Batch>,
}

/// A descent in progress.
#[derive(Default)]
struct Descent {
    path: Vec<PathEdge>,
    leaf: Leaf,
    probe: Probe,
}

/// Descents that are selected, run and recorded together, by one thread each time.
#[derive(Default)]
struct Batch {
    /// These and more that an earlier batch has left, to be used again.
    descents: Vec<Descent>,
    count: usize,
    starts: Starts,
}

impl Search<'_> {
    /// Runs the search from a state. This thread selects and records all descents, and runs some;
    /// the others are run by the workers of the pool.
    fn run(
        mut self,
        state: State,
        pool: Option<&rayon::ThreadPool>,
        tell: &mut (dyn FnMut(&Thinking) -> bool + Send),
    ) -> Result<(Tree, Thinking), Fault> {
        let window = Window::new((0..MAX_IN_FLIGHT).map(|_| Batch::default()));
        let (limits, late) = (self.limits, Arc::clone(&self.late));
        let run_one = |prober: &mut Prober, number: u64, batch: &mut Batch| {
            for descent in &mut batch.descents[..batch.count] {
                let is_first = number == 0;
                run_probe(prober, limits, &late, is_first, descent, &mut batch.starts);
            }
        };
        let workers = pool.map_or(0, rayon::ThreadPool::current_num_threads);
        let (evaluation, plays_out) = (self.evaluation.as_ref(), self.plays_out);
        let probers: Vec<Prober> =
            (0..workers).map(|_| Prober::new(state.clone(), evaluation, plays_out)).collect();
        let mut prober = Prober::new(state, evaluation, plays_out);
        let result = match pool {
            None => self.select_and_record(&window, &mut || false, &mut prober, &run_one, tell),
            Some(pool) => {
                let mut probers = probers.into_iter();
                pool.in_place_scope(|scope| {
                    let mut hire = || {
                        let Some(mut prober) = probers.next() else { return false };
                        let (window, run_one) = (&window, &run_one);
                        scope.spawn(move |_| {
                            window.work(|number, batch| run_one(&mut prober, number, batch));
                        });
                        true
                    };
                    let result =
                        self.select_and_record(&window, &mut hire, &mut prober, &run_one, tell);
                    window.close();
                    result
                })
            }
        };
        result?;
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
        run_one: &dyn Fn(&mut Prober, u64, &mut Batch),
        tell: &mut (dyn FnMut(&Thinking) -> bool + Send),
    ) -> Result<(), Fault> {
        // Descents, and batches.
        let (mut selected, mut in_flight, mut recorded) = (0, 0, 0);
        let (mut told, mut hired, mut stopped) = (self.began, false, false);
        let mut pace = Pace::new(MAX_UNTIMED);
        loop {
            while !stopped && let Some(count) = self.next_batch(in_flight) {
                if in_flight > 0 && !hired {
                    while hire() {}
                    hired = true;
                }
                window.publish(|batch| self.select_batch(selected, count, batch));
                selected += u64::from(count);
                in_flight += count;
            }
            if in_flight == 0 {
                if stopped || !self.tree.can_recycle() || self.has_ended() {
                    return Ok(());
                }
                self.tree.recycle();
                self.recycled += 1;
                continue;
            }
            window.finish(recorded, |number, batch| run_one(prober, number, batch));
            let count = window.with(recorded, |batch| self.record_batch(batch))?;
            recorded += 1;
            in_flight -= count;
            if let Some(now) = pace.count(count).filter(|&now| now - told >= REPORT_INTERVAL) {
                told = now;
                stopped = stopped || !tell(&self.thinking());
            }
        }
    }

    /// Returns how many descents to select now, given how many are in flight; `None` if results must
    /// be recorded first. The numbers depend on the tree alone, unless time is up.
    fn next_batch(&mut self, in_flight: u32) -> Option<u32> {
        if self.has_ended() || self.tree.can_recycle() {
            return None;
        }
        let visits = self.tree.node(self.tree.root).visits;
        let most = (visits / IN_FLIGHT_DIVISOR).clamp(1, MAX_IN_FLIGHT);
        let left = self.limits.iterations.map_or(u64::MAX, |most| most - self.iterations);
        let most = left.min(u64::from(most)) as u32;
        let batch = match self.evaluation {
            Some(_) => 1,
            None => (self.iterations * BATCH_PLIES / self.plies_made.max(1))
                .clamp(1, u64::from(most / BATCH_DIVISOR).max(1)) as u32,
        };
        (in_flight + batch <= most).then_some(batch)
    }

    /// Tests if no more descents are to be made.
    fn has_ended(&mut self) -> bool {
        let root = *self.tree.node(self.tree.root);
        // At least one iteration runs, so that a ply can be chosen however short the time.
        let begun = self.iterations > 0;
        let endless = self.limits.iterations.is_none() && !self.limits.deadline.is_set();
        root.solved
            || root.actor == Actor::Nobody
            || self.limits.iterations.is_some_and(|most| self.iterations >= most)
            || begun && (self.is_late() || endless && self.tree.is_full())
    }

    /// Tests if time is up; playouts, which are asked every few milliseconds, may know it before.
    fn is_late(&mut self) -> bool {
        if self.deadline.is_over() || is_stopped(self.limits) {
            self.late.store(true, Ordering::Relaxed);
        }
        self.late.load(Ordering::Relaxed)
    }

    /// Selects a batch of descents, the first of which has this number.
    fn select_batch(&mut self, first: u64, count: u32, batch: &mut Batch) {
        // Those that were recorded last are still in the cache.
        *batch = self.spare.pop().unwrap_or_default();
        batch.count = count as usize;
        if batch.descents.len() < batch.count {
            batch.descents.resize_with(batch.count, Descent::default);
        }
        batch.starts.positions.clear();
        batch.starts.hashes.clear();
        for (number, descent) in (first..).zip(&mut batch.descents[..batch.count]) {
            self.select(number, descent, &mut batch.starts);
        }
    }

    /// Records the results of a batch of descents; returns how many there are.
    fn record_batch(&mut self, batch: &mut Batch) -> Result<u32, Fault> {
        let mut batch = std::mem::take(batch);
        let (descents, starts) = (&mut batch.descents[..batch.count], &batch.starts);
        descents.iter_mut().try_for_each(|descent| self.record(descent, starts))?;
        let count = batch.count as u32;
        self.spare.push(batch);
        Ok(count)
    }

    /// Selects a path.
    fn select(&mut self, number: u64, descent: &mut Descent, starts: &mut Starts) {
        let seed = mix(self.seed, number);
        let Descent { path, leaf, probe } = descent;
        *leaf = self.tree.descend(seed, path);
        probe.seed = seed;
        probe.expand = *leaf == Leaf::Bare;
        probe.found = None;
        if *leaf == Leaf::Solved {
            return;
        }
        // The descent continues from the last position that is kept. All nodes that a path leaves
        // are expanded and keep theirs.
        let from = path.last().map_or(self.tree.root, |step| step.node);
        probe.ply = path.last().map(|step| self.tree.edge(step.edge).candidate);
        probe.position = self.tree.read(from, &mut starts.positions);
        let first = starts.hashes.len();
        if self.game.rules().repetition.is_some() {
            let passed = path.iter().skip(1).map(|step| self.tree.hash(step.node));
            starts.hashes.extend(passed);
        }
        probe.passed = first..starts.hashes.len();
    }

    /// Records the result of a descent.
    fn record(&mut self, descent: &mut Descent, starts: &Starts) -> Result<(), Fault> {
        match (descent.leaf, descent.probe.found.take().transpose()?) {
            (Leaf::Solved, _) => {
                self.brought.fill(0.0);
                self.tree.backpropagate(&descent.path, &mut self.brought, false);
            }
            (_, None) => {
                self.tree.forget(&descent.path);
                return Ok(());
            }
            (_, Some(found)) => {
                self.plies_made += found.plies;
                self.enter(descent, &found, starts);
            }
        }
        self.iterations += 1;
        Ok(())
    }

    fn enter(&mut self, descent: &mut Descent, found: &ProbeResult, starts: &Starts) {
        let (tree, Descent { path, leaf, probe }) = (&mut self.tree, descent);
        if *leaf == Leaf::Bare
            && let Some(node) = tree.end(path)
        {
            tree.expand(node, &probe.legal, &probe.ratings);
            tree.store_from(node, &starts.positions, probe.position);
            path.extend(probe.legal.first().and_then(|&first| tree.follow(node, first)));
        }
        if *leaf != Leaf::Cut {
            tree.grow(path, found.hash, found.actor);
        }
        payoffs(found.outcome, &mut self.brought);
        for (value, &expected) in self.brought.iter_mut().zip(&probe.expected) {
            let expected = f64::from(expected);
            *value = if self.plays_out { (*value + expected) / 2.0 } else { expected };
        }
        tree.backpropagate(path, &mut self.brought, found.over && *leaf != Leaf::Cut);
    }

    fn thinking(&self) -> Thinking {
        let tree = &self.tree;
        let root = tree.root;
        let players = self.game.rules().players.len();
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
        // The value is that of the chosen ply, not the mean over all plies; at a roll it is the
        // mean.
        let chosen = chosen
            .filter(|_| tree.node(root).actor != Actor::Chance)
            .map(|edge| tree.edge(edge).child);
        let at = chosen.filter(|&child| child != NONE).unwrap_or(root);
        Thinking {
            iterations: self.iterations,
            plies_made: self.plies_made,
            seconds: self.began.elapsed().as_secs_f64(),
            nodes: tree.size(),
            depth: None,
            recycled: self.recycled,
            win_probabilities: (0..players as u16)
                .map(|player| tree.value(at, PlayerId(player).exchanged(self.swapped).index()))
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

/// Tests if the search was stopped.
fn is_stopped(limits: &SearchLimits) -> bool {
    limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
}

/// Runs the playout of a descent; when time is up, it is left without a result, unless it is the
/// first: a ply must be chosen.
fn run_probe(
    prober: &mut Prober,
    limits: &SearchLimits,
    late: &AtomicBool,
    is_first: bool,
    descent: &mut Descent,
    starts: &mut Starts,
) {
    if descent.leaf == Leaf::Solved || !is_first && late.load(Ordering::Relaxed) {
        return;
    }
    let mut breaks_off = false;
    let mut stop = || {
        if is_stopped(limits) || limits.deadline.has_passed() {
            late.store(true, Ordering::Relaxed);
        }
        breaks_off = late.load(Ordering::Relaxed);
        breaks_off
    };
    // Searches limited by iterations alone never read a clock.
    let watched = limits.deadline.is_set() || limits.stop.is_some();
    prober.run(&mut descent.probe, starts, watched.then_some(&mut stop));
    if breaks_off && !is_first {
        descent.probe.found = None;
    }
}

/// Writes each player's payoff; an unfinished game counts as a draw. A single player who does not
/// win gets nothing.
fn payoffs(outcome: Option<Outcome>, scores: &mut [f64]) {
    let (over, players) = (outcome.unwrap_or(Outcome::Draw), scores.len());
    for (player, score) in (0..).map(PlayerId).zip(scores) {
        *score = over.score(player, players);
    }
}
