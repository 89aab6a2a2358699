//! Monte-Carlo tree search, parallel and deterministic. (UCT: Levente Kocsis and Csaba Szepesvári,
//! *Bandit based Monte-Carlo planning*, ECML 2006.)
//!
//! Descents are selected one after the other, in batches whose size depends on the tree alone.
//! Their playouts run on all threads, each with its own seed, and their results are recorded in the
//! order of selection. So the same seed and number of iterations give the same tree, whatever the
//! number of threads.

use super::probe::{Probe, ProbeResult, actor};
use super::tree::{Actor, Leaf, NONE, PathEdge, Tree};
use crate::budget::Deadline;
use crate::engine::game::{Fault, Game, Mark, Move, State};
use crate::engine::position::Outcome;
use crate::random::mix;
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The largest batch.
const MAX_BATCH: u32 = 32;
/// A batch has at most 1 / this of the root's visits: its descents do not see each other's results.
const BATCH_DIVISOR: u32 = 16;
/// The interval between two calls of the progress callback.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);
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
    /// The number of nodes in the tree.
    pub nodes: usize,
    /// The expected score of each player: 1 for a win, ½ for a draw.
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
    threads: usize,
    memory: usize,
    pool: Option<rayon::ThreadPool>,
    tree: Option<ReusedTree>,
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
        let pool = (threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok())
            .flatten();
        // Falls back to one thread if the pool cannot be started.
        let threads = pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads);
        Mcts { threads, memory: memory.max(MIN_MEMORY), pool, tree: None }
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
        let tree = self.reuse_or_new_tree(position);
        let states = (0..self.threads).map(|_| Mutex::new(position.clone())).collect();
        let search = Search {
            tree,
            start: position.mark(),
            states,
            game: position.game().clone(),
            seed,
            limits,
            began: Instant::now(),
            iterations: 0,
            plies_made: 0,
        };
        let (tree, thinking) = match &self.pool {
            Some(pool) => pool.install(|| search.run(tell)),
            None => search.run(tell),
        }?;
        self.tree = Some(ReusedTree { tree, plies: position.plies().to_vec() });
        Ok(thinking)
    }

    /// Discards the tree.
    pub fn clear(&mut self) {
        self.tree = None;
    }

    /// Returns the part of the previous tree below the position, or a new tree.
    fn reuse_or_new_tree(&mut self, position: &State) -> Tree {
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
        kept.unwrap_or_else(|| {
            Tree::new(hash, actor(position.turn()), game.rules().players.len(), joined, self.memory)
        })
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
    /// The starting position, and a state for each thread.
    start: Mark,
    states: Vec<Mutex<State>>,
    game: Game,
    seed: u64,
    limits: &'s SearchLimits<'s>,
    began: Instant,
    iterations: u64,
    plies_made: u64,
}

/// A descent in progress.
#[derive(Default)]
struct Descent {
    path: Vec<PathEdge>,
    leaf: Option<Leaf>,
    probe: Probe,
}

impl Search<'_> {
    fn run(
        mut self,
        tell: &mut (dyn FnMut(&Thinking) -> bool + Send),
    ) -> Result<(Tree, Thinking), Fault> {
        let mut descents: Vec<Descent> = Vec::new();
        descents.resize_with(MAX_BATCH as usize, Descent::default);
        let mut told = self.began;
        while let Some(batch) = self.batch() {
            let batch = &mut descents[..batch];
            self.descend(batch);
            self.walk(batch);
            self.record_results(batch)?;
            if told.elapsed() >= REPORT_INTERVAL {
                told = Instant::now();
                if !tell(&self.thinking()) {
                    break;
                }
            }
        }
        let thinking = self.thinking();
        Ok((self.tree, thinking))
    }

    /// Returns the size of the next batch, or `None` to stop.
    fn batch(&self) -> Option<usize> {
        let root = self.tree.node(self.tree.root);
        // At least one iteration runs, so that a ply can be chosen however short the time.
        let begun = self.iterations > 0;
        let endless = self.limits.iterations.is_none() && !self.limits.deadline.is_set();
        if root.solved
            || root.actor == Actor::Nobody
            || begun && (self.is_late() || endless && self.tree.is_full())
        {
            return None;
        }
        let batch = u64::from((root.visits / BATCH_DIVISOR).clamp(1, MAX_BATCH));
        let left =
            self.limits.iterations.map_or(u64::MAX, |most| most.saturating_sub(self.iterations));
        match batch.min(left) {
            0 => None,
            batch => Some(batch as usize),
        }
    }

    fn is_late(&self) -> bool {
        self.limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.limits.deadline.has_passed()
    }

    /// Selects the paths of a batch.
    fn descend(&mut self, batch: &mut [Descent]) {
        for (descent, number) in batch.iter_mut().zip(self.iterations..) {
            let seed = mix(self.seed, number);
            let leaf = self.tree.descend(seed, &mut descent.path);
            descent.leaf = Some(leaf);
            descent.probe.path.clear();
            descent
                .probe
                .path
                .extend(descent.path.iter().map(|step| self.tree.edge(step.edge).candidate));
            descent.probe.expand = leaf == Leaf::Bare;
            descent.probe.seed = seed;
            descent.probe.found = None;
        }
    }

    /// Runs the playouts of a batch on all threads; when time is up, the rest are skipped.
    fn walk(&self, batch: &mut [Descent]) {
        let walk = |descent: &mut Descent| {
            let thread = rayon::current_thread_index().unwrap_or(0) % self.states.len();
            let skipped =
                descent.leaf == Some(Leaf::Solved) || self.iterations > 0 && self.is_late();
            if let Ok(mut state) = self.states[thread].lock()
                && !skipped
            {
                let mut late = false;
                let mut stop = || {
                    late = self.is_late();
                    late
                };
                // Searches limited by iterations alone never read a clock.
                let watched = self.limits.deadline.is_set() || self.limits.stop.is_some();
                descent.probe.walk(&mut state, &self.start, watched.then_some(&mut stop));
                // A playout that was cut short is discarded, unless it is the first: a ply must be
                // chosen.
                if late && self.iterations > 0 {
                    descent.probe.found = None;
                }
            }
        };
        match self.states.len() {
            1 => batch.iter_mut().for_each(walk),
            _ => batch.par_iter_mut().with_max_len(1).for_each(walk),
        }
    }

    /// Records the results of a batch.
    fn record_results(&mut self, batch: &mut [Descent]) -> Result<(), Fault> {
        let players = self.game.rules().players.len();
        for Descent { path, leaf, probe } in batch {
            match (*leaf, probe.found.take().transpose()?) {
                (Some(Leaf::Solved), _) => {
                    self.tree.backpropagate(path, &mut vec![0.0; players], false)
                }
                (_, None) => {
                    self.tree.forget(path);
                    continue;
                }
                (leaf, Some(found)) => {
                    self.plies_made += found.plies;
                    self.enter(path, leaf, &found, players)
                }
            }
            self.iterations += 1;
        }
        Ok(())
    }

    fn enter(
        &mut self,
        path: &mut Vec<PathEdge>,
        leaf: Option<Leaf>,
        found: &ProbeResult,
        players: usize,
    ) {
        let tree = &mut self.tree;
        if leaf == Some(Leaf::Bare)
            && let Some(node) = tree.end(path)
        {
            tree.expand(node, &found.legal);
            path.extend(found.legal.first().and_then(|&first| tree.follow(node, first)));
        }
        if leaf != Some(Leaf::Cut) {
            tree.grow(path, found.hash, found.actor);
        }
        let mut values = payoffs(found.outcome, players);
        tree.backpropagate(path, &mut values, found.over && leaf != Some(Leaf::Cut));
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
            win_probabilities: (0..players).map(|player| tree.value(at, player)).collect(),
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

/// Returns each player's payoff; an unfinished game counts as a draw. A single player who does not
/// win gets nothing.
fn payoffs(outcome: Option<Outcome>, players: usize) -> Vec<f64> {
    match outcome {
        Some(Outcome::Win(winner)) => {
            (0..players).map(|player| if player == winner.index() { 1.0 } else { 0.0 }).collect()
        }
        Some(Outcome::Draw) | None if players == 1 => vec![0.0],
        Some(Outcome::Draw) | None => vec![0.5; players],
    }
}
