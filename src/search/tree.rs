//! The tree of Monte-Carlo tree search: selection, backpropagation and proven values on flat arrays
//! of nodes and edges.
//!
//! A node is a position, known only by its hash and its actor; an edge is a legal ply or roll.
//! Where the rules count repetitions, a position's value depends on its history and each node has
//! one parent. Otherwise positions with equal hashes share a node and the tree is a directed graph.
//!
//! An expanded node stores its position, so that a descent makes one or two plies at any depth.
//! When the memory is used up, [`Tree::recycle`] discards the expansions of the least visited
//! nodes; the results of their visits stay.

mod edges;
mod positions;
mod rating;
mod recycling;

use super::history::PlyHistory;
use crate::engine::PackedMove;
use crate::engine::position::Position;
use crate::random::{Random, mix};
use edges::Edges;
pub use edges::{Edge, Exploration, Rating};
pub use positions::Positions;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// No node.
pub const NONE: u32 = u32::MAX;
/// The most that a seed adds to the value of a ply at the root.
const LEEWAY: f32 = 0.015;
/// The longest descent.
const MAX_DEPTH: usize = 1_000;

/// The actor at a node. Players are persons, who differ from colours after a swap by the pie rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Actor {
    /// The player with this index.
    Player(u8),
    Chance,
    /// The game is over.
    #[default]
    Nobody,
}

#[derive(Clone, Copy, Debug)]
pub struct TreeNode {
    hash: u64,
    /// The index of its first edge. A node is expanded on its second visit.
    first: u32,
    edges: u32,
    /// The number of edges up to the last one that was selected. Later edges have an equal or lower
    /// upper bound than the next one, so that edges are selected in order.
    begun: u32,
    pub visits: u32,
    /// Descents in progress through this node.
    pending: u32,
    /// The index of its stored position, or [`NONE`].
    stored: u32,
    pub actor: Actor,
    /// Whether its values are exact.
    pub solved: bool,
    /// Whether any of its edges is solved.
    has_solved: bool,
    /// Whether ratings of its edges have been requested.
    is_rated: bool,
}

/// An edge of a descent, and the node that it leaves.
#[derive(Clone, Copy, Debug)]
pub struct PathEdge {
    pub node: u32,
    pub edge: u32,
    /// A solved edge with a higher score, or [`NONE`]. Its value is backed up; `edge` is followed
    /// only to learn more.
    instead: u32,
}

impl TreeNode {
    fn edges(&self) -> Range<u32> {
        self.first..self.first + self.edges
    }
}

/// How a selection ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaf {
    /// At an edge without a child.
    New,
    /// At a node that is not expanded.
    Bare,
    /// At a solved node.
    Solved,
    /// At a node that cannot be extended: the tree is full, or the path has a cycle.
    #[default]
    Cut,
}

/// The memory of a tree, with contents that are no longer needed. The system clears memory that is
/// freed and allocated again page by page, which would take a sixth of a search.
struct Spare {
    nodes: Vec<TreeNode>,
    edges: Edges,
    values: Vec<f64>,
    positions: Positions,
}

/// Replaces the contents of a list.
fn refilled<T: Copy>(mut list: Vec<T>, contents: &[T]) -> Vec<T> {
    list.clear();
    list.extend_from_slice(contents);
    list
}

/// A search tree.
pub struct Tree {
    nodes: Vec<TreeNode>,
    edges: Edges,
    /// By node and player: the sum of the results of all visits, or the exact value of a solved
    /// node.
    values: Vec<f64>,
    /// The nodes by hash, if nodes are shared.
    known: Option<FxHashMap<u64, u32>>,
    positions: Positions,
    players: usize,
    /// The limit in bytes.
    memory: usize,
    /// Whether recycling cannot make room any more.
    frozen: bool,
    /// The seed that decides between plies of the root that are nearly as good; `None` without
    /// variation.
    variation: Option<u64>,
    /// The results of plies in all positions, if they determine priors.
    history: Option<PlyHistory>,
    /// Working memory: plies in the order in which they are tried, with their ratings.
    ordered: (Vec<PackedMove>, Vec<Rating>),
    /// Memory for the next time that parts of the tree are dropped.
    spare: Option<Spare>,
    pub root: u32,
}

impl Tree {
    /// Creates a tree of one node, which has the position. `joined` shares nodes between paths.
    pub fn new(
        hash: u64,
        actor: Actor,
        position: &Position,
        players: usize,
        joined: bool,
        exploration: Exploration,
        memory: usize,
    ) -> Tree {
        let known = joined.then(FxHashMap::default);
        let mut tree = Tree {
            nodes: Vec::new(),
            edges: Edges::new(exploration),
            values: Vec::new(),
            known,
            positions: Positions::like(position),
            players,
            memory,
            frozen: false,
            variation: None,
            history: matches!(exploration, Exploration::Puct(_)).then(|| PlyHistory::new(players)),
            ordered: Default::default(),
            spare: None,
            root: 0,
        };
        tree.root = tree.add(hash, actor);
        tree.store(tree.root, position);
        tree
    }

    /// Takes over the memory of a tree that is no longer needed. The root is not expanded yet.
    pub fn reuse(&mut self, discarded: Tree) {
        let Tree { nodes, edges, values, known, positions, spare, .. } = discarded;
        let positions = self.positions.emptied_into(positions);
        let old = std::mem::replace(&mut self.positions, positions);
        self.positions.push_from(&old, 0);
        self.nodes = refilled(nodes, &self.nodes);
        self.values = refilled(values, &self.values);
        self.edges = self.edges.emptied_into(edges);
        if let (Some(own), Some(mut known)) = (&mut self.known, known) {
            known.clear();
            known.extend(own.drain());
            *own = known;
        }
        self.spare = spare;
    }

    /// Lets a seed decide between plies of the root that are nearly as good; `None` turns this off.
    pub fn vary(&mut self, seed: Option<u64>) {
        self.variation = seed;
    }

    /// Stores the position of a node.
    pub fn store(&mut self, node: u32, position: &Position) {
        if self.node(node).stored == NONE {
            self.nodes[node as usize].stored = self.positions.push(position);
        }
    }

    /// Stores the position of a node, given by its index among other positions of the game.
    pub fn store_from(&mut self, node: u32, positions: &Positions, index: u32) {
        if self.node(node).stored == NONE {
            let stored = self.positions.push_from(positions, index);
            self.nodes[node as usize].stored = stored;
        }
    }

    /// Appends the stored position of a node to other positions of the game; returns its index
    /// there.
    pub fn read(&self, node: u32, positions: &mut Positions) -> u32 {
        let stored = self.node(node).stored;
        debug_assert!(stored != NONE, "an expanded node keeps its position");
        positions.push_from(&self.positions, stored)
    }

    pub fn node(&self, node: u32) -> &TreeNode {
        &self.nodes[node as usize]
    }

    /// Returns the hash of a node's position.
    pub fn hash(&self, node: u32) -> u64 {
        self.node(node).hash
    }

    pub fn edge(&self, edge: u32) -> Edge {
        self.edges.get(edge)
    }

    /// Returns the edges of a node with their indices.
    pub fn edges(&self, node: u32) -> impl Iterator<Item = (u32, Edge)> {
        self.edges.range(self.node(node).edges())
    }

    /// Returns the number of nodes.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Tests if the memory limit is reached. A growing array may take twice its length.
    pub fn is_full(&self) -> bool {
        2 * self.size_of(self.nodes.len(), self.edges.len(), self.positions.len()) >= self.memory
    }

    /// Returns the number of bytes that these numbers of nodes, edges and positions take.
    fn size_of(&self, nodes: usize, edges: usize, positions: usize) -> usize {
        let node = size_of::<TreeNode>()
            + size_of::<f64>() * self.players
            + if self.known.is_some() { 16 } else { 0 };
        nodes * node + edges * Edges::SIZE + positions * self.positions.size()
    }

    /// Tests if the tree is full and [`Tree::recycle`] may make room.
    pub fn can_recycle(&self) -> bool {
        !self.frozen && self.is_full()
    }

    /// Returns a node's value for a player, from 0 to 1: exact, or the mean so far.
    pub fn value(&self, node: u32, player: usize) -> f64 {
        let value = self.values[node as usize * self.players + player];
        match *self.node(node) {
            TreeNode { solved: true, .. } => value,
            TreeNode { visits: 0, .. } => 0.5,
            TreeNode { visits, .. } => value / f64::from(visits),
        }
    }

    fn exact(&self, node: u32) -> &[f64] {
        &self.values[node as usize * self.players..][..self.players]
    }

    fn add(&mut self, hash: u64, actor: Actor) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(TreeNode {
            hash,
            first: 0,
            edges: 0,
            begun: 0,
            visits: 0,
            pending: 0,
            stored: NONE,
            actor,
            solved: false,
            has_solved: false,
            is_rated: false,
        });
        self.values.resize(self.values.len() + self.players, 0.0);
        if let Some(known) = self.known.as_mut().filter(|_| actor != Actor::Nobody) {
            // A finished position may have the hash of an unfinished one, so that it is never
            // shared.
            known.insert(hash, node);
        }
        node
    }

    /// Selects a path from the root to where playouts should start, and writes it to `path`. The
    /// seed decides rolls. The path counts for `visits`, which are pending until
    /// [`Tree::backpropagate`] or [`Tree::forget`].
    pub fn descend(&mut self, seed: u64, visits: u32, path: &mut Vec<PathEdge>) -> Leaf {
        path.clear();
        let full = self.is_full();
        let mut at = self.root;
        loop {
            let node = self.node(at);
            if node.solved {
                return Leaf::Solved;
            }
            if node.edges == 0 && !full {
                return Leaf::Bare;
            }
            if node.edges == 0 || path.len() >= MAX_DEPTH {
                return Leaf::Cut;
            }
            let (edge, instead) = match node.actor {
                Actor::Chance => (self.chance_edge(at, mix(seed, path.len() as u64)), NONE),
                Actor::Player(player) => self.best_edge(at, usize::from(player)),
                Actor::Nobody => return Leaf::Cut,
            };
            let child = self.edges.child(edge);
            // A shared node may be reached from itself: the descent stops at a cycle.
            let back =
                self.known.is_some() && (child == at || path.iter().any(|step| step.node == child));
            path.push(self.leave_by(at, edge, instead, visits));
            if child == NONE && !full {
                return Leaf::New;
            }
            if child == NONE || back {
                return Leaf::Cut;
            }
            at = child;
        }
    }

    /// Adds a step to a pending path.
    fn leave_by(&mut self, node: u32, edge: u32, instead: u32, visits: u32) -> PathEdge {
        let here = &mut self.nodes[node as usize];
        here.pending += visits;
        here.begun = here.begun.max(edge - here.first + 1);
        self.edges.begin(edge, visits);
        PathEdge { node, edge, instead }
    }

    /// Chooses a roll: at random among the least visited, so that all are visited equally often.
    fn chance_edge(&self, node: u32, seed: u64) -> u32 {
        let least = self.edges(node).map(|(_, edge)| edge.seen).min().unwrap_or(0);
        let fewest =
            || self.edges(node).filter(|(_, edge)| edge.seen == least).map(|(index, _)| index);
        let rank = Random::new(seed).below(fewest().count() as u32);
        fewest().nth(rank as usize).unwrap_or(self.node(node).first)
    }

    /// Chooses the edge with the highest upper confidence bound for the player. An unvisited edge
    /// has the mean value of the node. Pending descents count as visits that do not change the mean
    /// (WU-UCT: Liu et al., *Watch the Unobserved*, ICLR 2020).
    ///
    /// A solved edge has nothing left to learn. If it scores highest, it is returned second, and
    /// the best unsolved edge first.
    fn best_edge(&self, node: u32, player: usize) -> (u32, u32) {
        let TreeNode { first, edges, begun, visits, pending, has_solved, .. } = *self.node(node);
        let visits = visits + pending;
        let unseen = self.value(node, player) as f32;
        let variation = self.variation.filter(|_| node == self.root);
        let count = if variation.is_some() { edges } else { edges.min(begun + 1) };
        let worth_a_look = first..first + count;
        if !has_solved {
            return (self.promising::<false>(worth_a_look, unseen, visits, variation).1, NONE);
        }
        let open = self.promising::<true>(worth_a_look.clone(), unseen, visits, variation);
        let mut solved = (0.0, NONE);
        for (index, edge) in self.edges.range(worth_a_look) {
            if edge.solved && edge.value > solved.0 {
                solved = (edge.value, index);
            }
        }
        match (open.1, solved.1) {
            // Every edge is a proven loss, but the node is still open: nothing is left to choose.
            (NONE, NONE) => (first, NONE),
            (NONE, solved) => (solved, NONE),
            (edge, NONE) => (edge, NONE),
            (edge, _) if open.0 >= solved.0 => (edge, NONE),
            (edge, instead) => (edge, instead),
        }
    }

    /// Returns the best edge of a range, as [`Edges::best`], where a seed may add to the values.
    #[inline]
    fn promising<const OPEN: bool>(
        &self,
        edges: Range<u32>,
        unseen: f32,
        visits: u32,
        variation: Option<u64>,
    ) -> (f32, u32) {
        match variation {
            None => self.edges.best::<OPEN>(edges, unseen, visits, |_| 0.0),
            Some(seed) => {
                let share = |edge: usize| (mix(seed, edge as u64) >> 40) as f32 / (1 << 24) as f32;
                self.edges.best::<OPEN>(edges, unseen, visits, |edge| share(edge) * LEEWAY)
            }
        }
    }

    /// Adds the edges of a node that has none, in the order in which they are to be tried. With
    /// [`Exploration::Puct`] ratings count: no edge has a higher value or prior than an earlier
    /// one. Without ratings, a player's plies are rated and ordered by their results so far.
    pub fn expand(&mut self, node: u32, candidates: &[PackedMove], ratings: &[Rating]) {
        if self.node(node).edges > 0 {
            return;
        }
        let first = match (&mut self.history, self.nodes[node as usize].actor) {
            (None, _) => self.edges.add(candidates, &[]),
            (Some(history), Actor::Player(player)) if ratings.is_empty() => {
                let (plies, ratings) = &mut self.ordered;
                history.rate(candidates, player, plies, ratings);
                self.edges.add(plies, ratings)
            }
            (Some(_), _) => self.edges.add(candidates, ratings),
        };
        let node = &mut self.nodes[node as usize];
        (node.first, node.edges) = (first, candidates.len() as u32);
    }

    /// Extends a pending path from a node by the edge of a candidate.
    pub fn follow(&mut self, node: u32, candidate: PackedMove, visits: u32) -> Option<PathEdge> {
        let (edge, _) = self.edges(node).find(|(_, edge)| edge.candidate == candidate)?;
        Some(self.leave_by(node, edge, NONE, visits))
    }

    /// Returns the node at the end of a path, if there is one.
    pub fn end(&self, path: &[PathEdge]) -> Option<u32> {
        let end = path.last().map_or(self.root, |step| self.edges.child(step.edge));
        (end != NONE).then_some(end)
    }

    /// Adds a node at the end of a path that has none: the shared node of the position, or a new
    /// one.
    pub fn grow(&mut self, path: &[PathEdge], hash: u64, actor: Actor) {
        let Some(step) = path.last().filter(|_| self.end(path).is_none()) else { return };
        let known = self
            .known
            .as_ref()
            .filter(|_| actor != Actor::Nobody)
            .and_then(|known| known.get(&hash).copied());
        let child = known.unwrap_or_else(|| self.add(hash, actor));
        self.edges.set_child(step.edge, child);
    }

    /// Backs up the result of a descent, a value per player, which counts as `visits` visits.
    /// `exact` marks it as the exact value of the node at the end of the path.
    pub fn backpropagate(
        &mut self,
        path: &[PathEdge],
        visits: u32,
        brought: &mut [f64],
        exact: bool,
    ) {
        if let Some(end) = self.end(path) {
            if exact {
                self.solve(end, brought);
            }
            self.visit(end, visits, brought);
        }
        for &PathEdge { node, edge, instead } in path.iter().rev() {
            let Edge { child, solved: before, value, visits: seen, candidate, .. } =
                self.edge(edge);
            let actor = self.node(node).actor;
            if let (Some(history), Actor::Player(player)) = (&mut self.history, actor) {
                history.record(candidate, player, brought[usize::from(player)] as f32);
            }
            let solved = child != NONE && self.node(child).solved;
            let value = match actor {
                Actor::Player(player) if child != NONE => {
                    self.value(child, usize::from(player)) as f32
                }
                // The tree was full, so that the edge has no child and keeps its own mean.
                Actor::Player(player) if value.is_nan() => brought[usize::from(player)] as f32,
                Actor::Player(player) => {
                    let change = brought[usize::from(player)] as f32 - value;
                    value + change * visits as f32 / (seen + visits) as f32
                }
                Actor::Chance | Actor::Nobody => 0.0,
            };
            self.edges.set_value(edge, value, solved);
            let here = &mut self.nodes[node as usize];
            here.pending -= visits;
            here.has_solved |= solved;
            if instead == NONE {
                self.edges.complete(edge, visits);
            } else {
                // The visit counts for the edge that scored highest, since visits decide the
                // choice.
                self.edges.give_up(edge, visits);
                self.edges.begin(instead, visits);
                self.edges.complete(instead, visits);
            }
            if solved && !before && !self.node(node).solved {
                self.propagate_solution(node, child);
            }
            if instead != NONE {
                brought.copy_from_slice(self.exact(self.edge(instead).child));
            }
            self.visit(node, visits, brought);
        }
    }

    /// Counts visits. At a solved node the exact value replaces the result that is backed up.
    fn visit(&mut self, node: u32, visits: u32, brought: &mut [f64]) {
        let values = &mut self.values[node as usize * self.players..][..self.players];
        let node = &mut self.nodes[node as usize];
        node.visits += visits;
        if node.solved {
            brought.copy_from_slice(values);
        } else {
            let visits = f64::from(visits);
            values.iter_mut().zip(brought).for_each(|(sum, brought)| *sum += visits * *brought);
        }
    }

    /// Removes a pending path without a result.
    pub fn forget(&mut self, path: &[PathEdge], visits: u32) {
        for step in path {
            self.edges.give_up(step.edge, visits);
            self.nodes[step.node as usize].pending -= visits;
        }
    }

    /// Marks a node as solved.
    fn solve(&mut self, node: u32, values: &[f64]) {
        if !self.node(node).solved {
            self.values[node as usize * self.players..][..self.players].copy_from_slice(values);
            self.nodes[node as usize].solved = true;
        }
    }

    /// Solves a node if possible, now that one of its children is solved. (MCTS-Solver: Winands,
    /// Björnsson and Saito, *Monte-Carlo Tree Search Solver*, CG 2008, extended to draws, rolls and
    /// any number of players.)
    fn propagate_solution(&mut self, node: u32, child: u32) {
        let solved = match self.node(node).actor {
            Actor::Player(player) if self.exact(child)[usize::from(player)] >= 1.0 => {
                Some(self.exact(child).to_vec())
            }
            _ if self.edges(node).any(|(_, edge)| !edge.solved) => None,
            Actor::Player(player) => self.best_exact(node, usize::from(player)),
            Actor::Chance => Some(self.mean_exact(node)),
            Actor::Nobody => None,
        };
        if let Some(values) = solved {
            self.solve(node, &values);
        }
    }

    /// Returns the best child's value for the player, where all children are solved. `None` if
    /// several are equally good for the player but differ for others: the choice is then unknown.
    fn best_exact(&self, node: u32, player: usize) -> Option<Vec<f64>> {
        let children = || self.edges(node).map(|(_, edge)| self.exact(edge.child));
        let most = children().map(|values| values[player]).fold(0.0, f64::max);
        let mut best = children().filter(|values| values[player] >= most);
        let first = best.next()?;
        best.all(|values| values == first).then(|| first.to_vec())
    }

    /// Returns the mean of the children's values, where all children are solved.
    fn mean_exact(&self, node: u32) -> Vec<f64> {
        let count = f64::from(self.node(node).edges.max(1));
        (0..self.players)
            .map(|player| {
                self.edges(node).map(|(_, edge)| self.exact(edge.child)[player]).sum::<f64>()
                    / count
            })
            .collect()
    }

    /// Returns the final choice at a node: the best exact value if it is a win or everything is
    /// solved, otherwise the most visited edge that is not lost. `None` before the first visit.
    pub fn choice(&self, node: u32) -> Option<u32> {
        let rank = |edge: &Edge| {
            let class = match edge.solved {
                true if edge.value >= 1.0 => 2,
                true if edge.value <= 0.0 => 0,
                _ => 1,
            };
            // At a solved node only exact values count.
            let value = if self.node(node).solved && edge.solved { edge.value } else { 0.0 };
            (class, value, edge.visits, edge.value)
        };
        let visited = self.edges(node).filter(|(_, edge)| edge.visits > 0 || edge.solved);
        let better = |one: &(u32, Edge), other: &(u32, Edge)| {
            // Ties go to the first edge.
            rank(&one.1)
                .partial_cmp(&rank(&other.1))
                .unwrap_or(std::cmp::Ordering::Equal)
                .then(other.0.cmp(&one.0))
        };
        visited.max_by(better).map(|(index, _)| index)
    }
}
