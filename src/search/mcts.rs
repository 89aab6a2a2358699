//! Monte-Carlo tree search.
//!
//! In: a match and limits. Out: which ply is best and what was thought of it. Descents are chosen
//! one after the other in batches whose size depends on the tree alone; their playouts are then
//! walked on all threads, each with a seed of its own, and what they bring is entered in the order
//! in which they were chosen. So the same seed and the same number of iterations lead to the same
//! tree, whatever the number of threads.

use super::probe::{Probe, ProbeResult, actor};
use super::tree::{Actor, Leaf, NONE, PathEdge, Tree};
use crate::deadline::Deadline;
use crate::engine::game::{Fault, Game, Mark, Move, State};
use crate::engine::position::Outcome;
use crate::random::mix;
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// So many descents are under way at most.
const MAX_BATCH: u32 = 32;
/// A batch is no larger than this part of the visits so far.
const BATCH_DIVISOR: u32 = 16;
/// How often somebody is told what is thought.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);
/// How much memory a tree takes, unless told otherwise.
pub const MEMORY: usize = 256 << 20;

/// A tree takes no less.
const MIN_MEMORY: usize = 1 << 20;

/// When to stop. Where nothing is said, a search goes on until the root is solved or the tree is
/// full.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchLimits<'s> {
    pub iterations: Option<u64>,
    pub time: Option<Duration>,
    /// Somebody else may set it.
    pub stop: Option<&'s AtomicBool>,
    /// It stops at that moment, too.
    pub deadline: Option<&'s Deadline>,
}

/// What is thought of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Thinking {
    pub iterations: u64,
    pub seconds: f64,
    /// How many positions the tree has.
    pub nodes: usize,
    /// What each player can expect: 1 for a win, ½ for a draw.
    pub win_probabilities: Vec<f64>,
    /// Whether that is certain.
    pub solved: bool,
    /// The principal variation: what is chosen for everybody, up to a ply of chance.
    pub line: Vec<Move>,
    /// Every ply that was tried, the one chosen first, then those tried most.
    pub plies: Vec<RootMove>,
}

impl Thinking {
    /// How many iterations there were in a second.
    pub fn rate(&self) -> f64 {
        self.iterations as f64 / self.seconds.max(1e-9)
    }
}

/// What is thought of a ply.
#[derive(Clone, Debug, PartialEq)]
pub struct RootMove {
    pub ply: Move,
    pub visits: u32,
    /// What whoever makes it can expect.
    pub chance: f64,
    pub solved: bool,
}

/// A searcher. It keeps its tree between moves.
pub struct Mcts {
    threads: usize,
    memory: usize,
    pool: Option<rayon::ThreadPool>,
    tree: Option<ReusedTree>,
}

/// A tree, and the plies that led to its root.
struct ReusedTree {
    tree: Tree,
    plies: Vec<Move>,
}

impl Default for Mcts {
    /// Thinks on all threads that there are.
    fn default() -> Self {
        Mcts::new(std::thread::available_parallelism().map_or(1, usize::from), MEMORY)
    }
}

impl Mcts {
    /// Makes a searcher that thinks on so many threads, whose tree takes about so many bytes at
    /// most.
    pub fn new(threads: usize, memory: usize) -> Mcts {
        let pool = (threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok())
            .flatten();
        // Where there are no threads to be had, one does it.
        let threads = pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads);
        Mcts { threads, memory: memory.max(MIN_MEMORY), pool, tree: None }
    }

    /// Thinks about a position, and tells now and then what it thinks; it stops when told `false`.
    ///
    /// # Errors
    /// Fails where the rules go round without end in what was looked at.
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
        };
        let (tree, thinking) = match &self.pool {
            Some(pool) => pool.install(|| search.run(tell)),
            None => search.run(tell),
        }?;
        self.tree = Some(ReusedTree { tree, plies: position.plies().to_vec() });
        Ok(thinking)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.tree = None;
    }

    /// The tree at a position: what was kept of it, or a new one.
    fn reuse_or_new_tree(&mut self, position: &State) -> Tree {
        let hash = position.hash();
        let kept = self
            .tree
            .take()
            .and_then(|kept| kept.at(position))
            .filter(|tree| tree.hash(tree.root) == hash);
        let game = position.game();
        // See the floor's documentation for why.
        let joined = game.rules().repetition.is_none();
        kept.unwrap_or_else(|| {
            Tree::new(hash, actor(position.turn()), game.rules().players.len(), joined, self.memory)
        })
    }
}

impl ReusedTree {
    /// Goes on along the plies that were played since.
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

/// A search under way.
struct Search<'s> {
    tree: Tree,
    /// Where the descents begin, and what walks them, one for each thread.
    start: Mark,
    states: Vec<Mutex<State>>,
    game: Game,
    seed: u64,
    limits: &'s SearchLimits<'s>,
    began: Instant,
    iterations: u64,
}

/// A descent under way.
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

    /// How many descents come next; none when it is time to stop.
    fn batch(&self) -> Option<usize> {
        let root = self.tree.node(self.tree.root);
        // The first ply must be known, however short the time.
        let begun = self.iterations > 0;
        let endless = self.limits.iterations.is_none() && self.limits.time.is_none();
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
        let stopped = self.limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.limits.deadline.is_some_and(Deadline::has_passed);
        stopped || self.limits.time.is_some_and(|time| self.began.elapsed() >= time)
    }

    /// Chooses where to go.
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

    /// Walks there, on all threads. When it is late, what was not begun is left.
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
                // Limits of iterations alone never look at a clock.
                let watched = self.limits.time.is_some()
                    || self.limits.stop.is_some()
                    || self.limits.deadline.is_some();
                descent.probe.walk(&mut state, &self.start, watched.then_some(&mut stop));
                // What was cut short says nothing, unless there is nothing else: the first ply must
                // be known.
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

    /// Enters what was found.
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
                (leaf, Some(found)) => self.enter(path, leaf, &found, players),
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
        // What is expected is what the chosen ply leads to, not the mean of all that were tried.
        // Chance chooses nothing.
        let chosen = chosen
            .filter(|_| tree.node(root).actor != Actor::Chance)
            .map(|edge| tree.edge(edge).child);
        let at = chosen.filter(|&child| child != NONE).unwrap_or(root);
        Thinking {
            iterations: self.iterations,
            seconds: self.began.elapsed().as_secs_f64(),
            nodes: tree.size(),
            win_probabilities: (0..players).map(|player| tree.value(at, player)).collect(),
            solved: tree.node(root).solved,
            line: self.line(),
            plies: plies.collect(),
        }
    }

    /// The principal variation.
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

/// What an outcome is worth to each player. A game that came to no end counts as a draw.
fn payoffs(outcome: Option<Outcome>, players: usize) -> Vec<f64> {
    match outcome {
        Some(Outcome::Win(winner)) => {
            (0..players).map(|player| if player == winner.index() { 1.0 } else { 0.0 }).collect()
        }
        Some(Outcome::Draw) | None => vec![0.5; players],
    }
}
