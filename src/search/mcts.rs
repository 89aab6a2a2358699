//! Monte-Carlo tree search, parallel and deterministic. (UCT: Levente Kocsis and Csaba Szepesvári,
//! *Bandit based Monte-Carlo planning*, ECML 2006.)

mod search;

use super::probe::actor;
use super::tree::{Edge, Exploration, NONE, Tree};
use super::watch::Watch;
use crate::budget::Deadline;
use crate::engine::game::{Fault, GameId, Move, State};
use crate::learn::{Evaluation, Method, Style};
use crate::random::mix;
use search::Search;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Distinguishes the seed that decides between plies of the root from the seeds of descents.
const VARIATION: u64 = u64::MAX;
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

impl SearchLimits<'_> {
    /// Tests if the search was stopped from outside.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
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
    /// The expected score of each player: 1 for a win, ½ for a draw. With the pie rule, the score
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

/// Receives the result of a search so far, a few times per second; `false` stops the search.
pub type Tell<'t> = &'t mut (dyn FnMut(&Thinking) -> bool + Send);

/// A searcher; it keeps its tree between moves of a game, and begins anew with another game.
pub struct Mcts {
    memory: usize,
    /// The workers, besides the thread that searches.
    pool: Option<rayon::ThreadPool>,
    tree: Option<ReusedTree>,
    /// A tree that was discarded: the next one takes over its memory, which the system would clear
    /// page by page otherwise.
    discarded: Option<Tree>,
    /// A style whose method searches a tree.
    style: Style,
    /// The evaluation, if the method of the style uses one.
    evaluation: Option<Arc<Evaluation>>,
}

/// A tree, and the plies of the game up to its root.
struct ReusedTree {
    tree: Tree,
    game: GameId,
    plies: Vec<Move>,
    /// The hashes of the positions up to the root, if the rules count repetitions.
    history: Vec<u64>,
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
        // The calling thread is one of them. It is alone if the pool cannot be started.
        let pool = (threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads - 1).build().ok())
            .flatten();
        let memory = memory.max(MIN_MEMORY);
        Mcts { memory, pool, tree: None, discarded: None, style: Style::PLAIN, evaluation: None }
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        1 + self.pool.as_ref().map_or(0, rayon::ThreadPool::current_num_threads)
    }

    /// Searches with plain playouts from now on. Discards the tree of another style.
    pub fn search_plainly(&mut self) {
        self.set_style(Style::PLAIN, None);
    }

    /// Searches by a style from now on; discards the tree if anything changes. The method decides
    /// what a new node is worth (with an evaluation as in David Silver et al., *Mastering the Game
    /// of Go with Deep Neural Networks and Tree Search*, Nature 529, 2016). [`Method::Mcts`]: the
    /// result of its playouts, without the evaluation. [`Method::Tree`]: the mean of playouts and
    /// evaluation; plies that have done well elsewhere in the tree are tried more often, and at
    /// nodes with many visits the plies that the evaluation rates highly. Any other method: the
    /// evaluation alone; the plies that it rates highly are tried more often.
    pub fn search_by(&mut self, style: Style, evaluation: &Arc<Evaluation>) {
        self.set_style(style, Some(evaluation).filter(|_| style.method != Method::Mcts));
    }

    fn set_style(&mut self, style: Style, evaluation: Option<&Arc<Evaluation>>) {
        let is_same = self.evaluation.as_ref().map(Arc::as_ptr) == evaluation.map(Arc::as_ptr);
        if !is_same || style != self.style {
            self.style = style;
            self.evaluation = evaluation.cloned();
            self.clear();
        }
    }

    /// Tests if playouts count.
    fn plays_out(&self) -> bool {
        matches!(self.style.method, Method::Tree | Method::Mcts)
    }

    /// Tests if the evaluation rates the plies of nodes that were visited often, and not all plies
    /// when a node is expanded.
    fn rates_later(&self) -> bool {
        self.evaluation.is_some() && self.plays_out()
    }

    /// Searches a position. Calls `tell` a few times per second with the result so far; `false`
    /// stops the search.
    ///
    /// # Errors
    /// Returns the [`Fault`] if the rules do not terminate in a position of the search, or the
    /// evaluation is of another game.
    pub fn think(
        &mut self,
        position: &State,
        seed: u64,
        limits: &SearchLimits,
        tell: Tell,
    ) -> Result<Thinking, Fault> {
        if let Some(evaluation) = &self.evaluation {
            evaluation.features.fit(position.game())?;
        }
        let tree = self.reuse_or_new_tree(position, seed);
        let watch = Watch::new(limits);
        let search = Search::new(self, tree, position, seed, &watch);
        let (tree, thinking) = search.run(position.clone(), tell)?;
        self.tree = Some(ReusedTree {
            tree,
            game: position.game().id(),
            plies: position.plies().to_vec(),
            history: position.history().to_vec(),
        });
        Ok(thinking)
    }

    /// Discards the tree.
    pub fn clear(&mut self) {
        if let Some(kept) = self.tree.take() {
            self.discarded = Some(kept.tree);
        }
    }

    /// Returns the part of the previous tree below the position, or a new tree.
    fn reuse_or_new_tree(&mut self, position: &State, seed: u64) -> Tree {
        let hash = position.history_word();
        if self.tree.as_mut().is_some_and(|kept| !kept.go_to(position, hash)) {
            self.clear();
        }
        let game = position.game();
        // Nodes are shared between paths only where values cannot depend on history; see `search`.
        let joined = game.rules().repetition.is_none();
        let root = position.position();
        let kept = self.tree.take().map(|kept| kept.tree);
        let mut tree = kept.unwrap_or_else(|| {
            let players = game.rules().teams.count();
            let actor = actor(position.team_turn());
            let constant = self.style.exploration.unwrap_or(1.0);
            let exploration = match self.evaluation {
                Some(_) => Exploration::Puct(constant),
                None => Exploration::Uct(constant),
            };
            let mut tree = Tree::new(hash, actor, &root, players, joined, exploration, self.memory);
            if let Some(discarded) = self.discarded.take() {
                tree.reuse(discarded);
            }
            tree
        });
        tree.store(tree.root, &root);
        // Playouts vary enough by themselves.
        tree.vary((!self.plays_out()).then_some(mix(seed, VARIATION)));
        tree
    }
}

impl ReusedTree {
    /// Makes the position the root, following the plies played since the tree was built; returns
    /// false if the tree does not have it.
    fn go_to(&mut self, position: &State, hash: u64) -> bool {
        let is_of_this_game = self.game == position.game().id();
        if !is_of_this_game || !position.history().starts_with(&self.history) {
            return false;
        }
        // Equal plies may follow another starting position, hence the test of the hash.
        let Some(root) = self.find(position).filter(|&root| self.tree.hash(root) == hash) else {
            return false;
        };
        self.tree.reroot(root);
        true
    }

    fn find(&self, position: &State) -> Option<u32> {
        let tree = &self.tree;
        position.plies().strip_prefix(&self.plies[..])?.iter().try_fold(tree.root, |node, ply| {
            let spelled = |edge: Edge| position.game().spell_out(edge.candidate);
            let (_, edge) = tree.edges(node).find(|&(_, edge)| spelled(edge) == *ply)?;
            Some(edge.child).filter(|&child| child != NONE)
        })
    }
}
