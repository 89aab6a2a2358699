//! The tree of a Monte-Carlo search: flat arrays of nodes and edges.
//!
//! In: what a descent met at its end. Out: where the next descent should go, and what is known of
//! the root. It refuses to know positions: a node is a hash and who acts there.
//!
//! A node is a position, an edge one of its legal plies or rolls. Where the rules count
//! repetitions, what a position is worth depends on those before it, and so each node has a single
//! path that leads to it. Where they do not, a position has one node, however it is reached.

use crate::engine::PackedMove;
use crate::random::{Random, mix};
use std::collections::HashMap;

/// No node.
pub const NONE: u32 = u32::MAX;
/// No descent is longer.
const MAX_DEPTH: usize = 1_000;
/// The constant of UCT (Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*, ECML 2006). In
/// paired matches over the shipped games neither 0.4 nor 1.0 did better.
const EXPLORATION: f32 = 0.7;

/// Who acts at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The player with that index.
    Player(u8),
    Chance,
    /// The game is over.
    Nobody,
}

#[derive(Clone, Copy, Debug)]
pub struct TreeNode {
    hash: u64,
    /// Where its edges begin. It has none until it is visited again.
    first: u32,
    edges: u32,
    pub visits: u32,
    /// How many descents are under way that have left it.
    pending: u32,
    pub actor: Actor,
    /// Whether its values are exact.
    pub solved: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub candidate: PackedMove,
    /// Whether the value is exact.
    pub solved: bool,
    pub child: u32,
    pub visits: u32,
    pending: u32,
    /// What the child was worth to whoever acts here, when a descent last came back this way.
    pub value: f32,
}

/// An edge on the way of a descent, and the node that it leaves.
#[derive(Clone, Copy, Debug)]
pub struct PathEdge {
    pub node: u32,
    pub edge: u32,
    /// A solved edge that promises more. It is what counts for those before; the step is made only
    /// to learn more.
    instead: u32,
}

/// Where a descent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// At the end of an edge that nobody went before.
    New,
    /// At a node whose edges are not known yet.
    Bare,
    /// At a node that is solved.
    Solved,
    /// At a node that is not to be gone beyond: the tree is full, or the way comes back to itself.
    Cut,
}

/// A tree of positions.
pub struct Tree {
    nodes: Vec<TreeNode>,
    edges: Vec<Edge>,
    /// By node and player: the sum of what the visits brought, or the exact value where the node is
    /// solved.
    values: Vec<f64>,
    /// The nodes by the hashes of their positions, where each position has one.
    known: Option<HashMap<u64, u32>>,
    players: usize,
    /// In bytes.
    memory: usize,
    pub root: u32,
}

impl Tree {
    /// Makes a tree of a root alone.
    pub fn new(hash: u64, actor: Actor, players: usize, joined: bool, memory: usize) -> Tree {
        let known = joined.then(HashMap::new);
        let mut tree = Tree {
            nodes: Vec::new(),
            edges: Vec::new(),
            values: Vec::new(),
            known,
            players,
            memory,
            root: 0,
        };
        tree.root = tree.add(hash, actor);
        tree
    }

    pub fn node(&self, node: u32) -> &TreeNode {
        &self.nodes[node as usize]
    }

    /// The hash of a node's position.
    pub fn hash(&self, node: u32) -> u64 {
        self.node(node).hash
    }

    pub fn edge(&self, edge: u32) -> &Edge {
        &self.edges[edge as usize]
    }

    /// The edges of a node, with their indices.
    pub fn edges(&self, node: u32) -> impl Iterator<Item = (u32, &Edge)> {
        let TreeNode { first, edges, .. } = *self.node(node);
        (first..).zip(&self.edges[first as usize..][..edges as usize])
    }

    /// How many nodes there are.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the memory is used up. A growing array may take twice its length.
    pub fn is_full(&self) -> bool {
        let each = size_of::<TreeNode>()
            + size_of::<f64>() * self.players
            + if self.known.is_some() { 16 } else { 0 };
        2 * (self.nodes.len() * each + self.edges.len() * size_of::<Edge>()) >= self.memory
    }

    /// What a node is worth to a player, from 0 to 1: exactly, or else on average so far.
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
            visits: 0,
            pending: 0,
            actor,
            solved: false,
        });
        self.values.resize(self.values.len() + self.players, 0.0);
        if let Some(known) = self.known.as_mut().filter(|_| actor != Actor::Nobody) {
            // A position where the game is over may look like one where it is not.
            known.insert(hash, node);
        }
        node
    }

    /// Goes from the root to where something new is to be learned, and leaves its steps in `path`.
    /// Chance is drawn with the seed. The steps are under way until [`Tree::backpropagate`] or
    /// [`Tree::forget`] is told.
    pub fn descend(&mut self, seed: u64, path: &mut Vec<PathEdge>) -> Leaf {
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
            let child = self.edge(edge).child;
            let back =
                self.known.is_some() && (child == at || path.iter().any(|step| step.node == child));
            path.push(self.leave_by(at, edge, instead));
            if child == NONE && !full {
                return Leaf::New;
            }
            if child == NONE || back {
                return Leaf::Cut;
            }
            at = child;
        }
    }

    /// Leaves a node by one of its edges.
    fn leave_by(&mut self, node: u32, edge: u32, instead: u32) -> PathEdge {
        self.nodes[node as usize].pending += 1;
        self.edges[edge as usize].pending += 1;
        PathEdge { node, edge, instead }
    }

    /// The edge of a node of chance to follow: one of those that were followed least, so that all
    /// are followed equally often, drawn with the seed.
    fn chance_edge(&self, node: u32, seed: u64) -> u32 {
        let count = |edge: &Edge| edge.visits + edge.pending;
        let least = self.edges(node).map(|(_, edge)| count(edge)).min().unwrap_or(0);
        let fewest =
            || self.edges(node).filter(|(_, edge)| count(edge) == least).map(|(index, _)| index);
        let rank = Random::new(seed).below(fewest().count() as u32);
        fewest().nth(rank as usize).unwrap_or(self.node(node).first)
    }

    /// The edge to follow at a node where a player acts: the one that promises most to the player.
    /// One that nobody went yet promises what the node does on average. Descents under way count as
    /// visits that have brought what the others did (Liu et al., *Watch the Unobserved*, ICLR
    /// 2020). Where that edge is solved, nothing is to be learned from it: it comes second, and
    /// first the best of those that are not.
    fn best_edge(&self, node: u32, player: usize) -> (u32, u32) {
        let TreeNode { first, visits, pending, .. } = *self.node(node);
        let log = (((visits + pending) as f32).max(1.0)).ln();
        let unseen = self.value(node, player) as f32;
        let (mut solved, mut open) = ((0.0, NONE), (f32::NEG_INFINITY, NONE));
        for (index, edge) in self.edges(node) {
            let seen = edge.visits + edge.pending;
            let value = if edge.visits > 0 || edge.child != NONE { edge.value } else { unseen };
            let (best, promise) = match edge.solved {
                true => (&mut solved, edge.value),
                false => (&mut open, value + EXPLORATION * (log / (seen as f32 + 1.0)).sqrt()),
            };
            if promise > best.0 {
                *best = (promise, index);
            }
        }
        match (open.1, solved.1) {
            // All is solved, but it is not known what that makes of the node.
            (NONE, NONE) => (first, NONE),
            (NONE, solved) => (solved, NONE),
            (edge, NONE) => (edge, NONE),
            (edge, _) if open.0 >= solved.0 => (edge, NONE),
            (edge, instead) => (edge, instead),
        }
    }

    /// Gives a node its edges, unless it has them.
    pub fn expand(&mut self, node: u32, candidates: &[PackedMove]) {
        if self.node(node).edges > 0 {
            return;
        }
        let first = self.edges.len() as u32;
        let edge = |&candidate| Edge {
            candidate,
            solved: false,
            child: NONE,
            visits: 0,
            pending: 0,
            value: 0.0,
        };
        self.edges.extend(candidates.iter().map(edge));
        let node = &mut self.nodes[node as usize];
        (node.first, node.edges) = (first, candidates.len() as u32);
    }

    /// Makes one more step from a node, along the edge of a candidate.
    pub fn follow(&mut self, node: u32, candidate: PackedMove) -> Option<PathEdge> {
        let (edge, _) = self.edges(node).find(|(_, edge)| edge.candidate == candidate)?;
        Some(self.leave_by(node, edge, NONE))
    }

    /// The node at the end of a path; none if nobody was there.
    pub fn end(&self, path: &[PathEdge]) -> Option<u32> {
        let end = path.last().map_or(self.root, |step| self.edge(step.edge).child);
        (end != NONE).then_some(end)
    }

    /// Hangs a node to the end of a path, unless there is one: that of the position if it has one
    /// already, or else a new one.
    pub fn grow(&mut self, path: &[PathEdge], hash: u64, actor: Actor) {
        let Some(step) = path.last().filter(|_| self.end(path).is_none()) else { return };
        let known = self
            .known
            .as_ref()
            .filter(|_| actor != Actor::Nobody)
            .and_then(|known| known.get(&hash).copied());
        self.edges[step.edge as usize].child = known.unwrap_or_else(|| self.add(hash, actor));
    }

    /// Carries to the root what a descent brought: a value for each player. `exact` says that it is
    /// what the node at the end of the path is worth.
    pub fn backpropagate(&mut self, path: &[PathEdge], brought: &mut [f64], exact: bool) {
        if let Some(end) = self.end(path) {
            if exact {
                self.solve(end, brought);
            }
            self.visit(end, brought);
        }
        for &PathEdge { node, edge, instead } in path.iter().rev() {
            let Edge { child, solved: before, value, visits, .. } = *self.edge(edge);
            let solved = child != NONE && self.node(child).solved;
            let value = match self.node(node).actor {
                Actor::Player(player) if child != NONE => {
                    self.value(child, usize::from(player)) as f32
                }
                // There was no room for a child.
                Actor::Player(player) => {
                    value + (brought[usize::from(player)] as f32 - value) / (visits as f32 + 1.0)
                }
                Actor::Chance | Actor::Nobody => 0.0,
            };
            let here = &mut self.edges[edge as usize];
            (here.value, here.solved) = (value, solved);
            here.pending -= 1;
            self.nodes[node as usize].pending -= 1;
            let counted = if instead == NONE { edge } else { instead };
            self.edges[counted as usize].visits += 1;
            if solved && !before && !self.node(node).solved {
                self.propagate_solution(node, child);
            }
            if instead != NONE {
                brought.copy_from_slice(self.exact(self.edge(instead).child));
            }
            self.visit(node, brought);
        }
    }

    /// Counts a visit of a node. What it brought gives way to what is known exactly.
    fn visit(&mut self, node: u32, brought: &mut [f64]) {
        let values = &mut self.values[node as usize * self.players..][..self.players];
        let node = &mut self.nodes[node as usize];
        node.visits += 1;
        if node.solved {
            brought.copy_from_slice(values);
        } else {
            values.iter_mut().zip(brought).for_each(|(sum, brought)| *sum += *brought);
        }
    }

    /// Takes a descent back that came to nothing.
    pub fn forget(&mut self, path: &[PathEdge]) {
        for step in path {
            self.edges[step.edge as usize].pending -= 1;
            self.nodes[step.node as usize].pending -= 1;
        }
    }

    /// Writes down what a node is worth exactly.
    fn solve(&mut self, node: u32, values: &[f64]) {
        if !self.node(node).solved {
            self.values[node as usize * self.players..][..self.players].copy_from_slice(values);
            self.nodes[node as usize].solved = true;
        }
    }

    /// Looks whether a node is solved now that one of its children is (after Winands, Björnsson and
    /// Saito, *Monte-Carlo Tree Search Solver*, CG 2008, with draws, chance and any number of
    /// players).
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

    /// What a node is worth whose children are all solved: what the best of them for the player is.
    /// Where several are equally good for the player but not for all the others, nobody can tell
    /// which is chosen.
    fn best_exact(&self, node: u32, player: usize) -> Option<Vec<f64>> {
        let children = || self.edges(node).map(|(_, edge)| self.exact(edge.child));
        let most = children().map(|values| values[player]).fold(0.0, f64::max);
        let mut best = children().filter(|values| values[player] >= most);
        let first = best.next()?;
        best.all(|values| values == first).then(|| first.to_vec())
    }

    /// What a node of chance is worth whose children are all solved.
    fn mean_exact(&self, node: u32) -> Vec<f64> {
        let count = f64::from(self.node(node).edges.max(1));
        (0..self.players)
            .map(|player| {
                self.edges(node).map(|(_, edge)| self.exact(edge.child)[player]).sum::<f64>()
                    / count
            })
            .collect()
    }

    /// The edge that is chosen at a node in the end: the best exact value where that is a win or
    /// all there is, else the edge followed most often of those that are not lost; none while
    /// nothing is known.
    pub fn choice(&self, node: u32) -> Option<u32> {
        let rank = |edge: &Edge| {
            let class = match edge.solved {
                true if edge.value >= 1.0 => 2,
                true if edge.value <= 0.0 => 0,
                _ => 1,
            };
            // A node all of whose edges are solved is a matter of values alone.
            let value = if self.node(node).solved && edge.solved { edge.value } else { 0.0 };
            (class, value, edge.visits, edge.value)
        };
        let visited = self.edges(node).filter(|(_, edge)| edge.visits > 0 || edge.solved);
        let better = |one: &(u32, &Edge), other: &(u32, &Edge)| {
            // The first of equals.
            rank(one.1)
                .partial_cmp(&rank(other.1))
                .unwrap_or(std::cmp::Ordering::Equal)
                .then(other.0.cmp(&one.0))
        };
        visited.max_by(better).map(|(index, _)| index)
    }

    /// Keeps only what can be reached from a node, which becomes the root.
    pub fn reroot(&mut self, root: u32) {
        let mut places = vec![NONE; self.nodes.len()];
        let mut order = vec![root];
        places[root as usize] = 0;
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            for (_, edge) in self.edges(node) {
                if edge.child != NONE && places[edge.child as usize] == NONE {
                    places[edge.child as usize] = order.len() as u32;
                    order.push(edge.child);
                }
            }
        }
        let (mut nodes, mut edges, mut values) =
            (Vec::with_capacity(order.len()), Vec::new(), Vec::new());
        for &node in &order {
            let first = edges.len() as u32;
            let moved = |edge: &Edge| Edge {
                child: places.get(edge.child as usize).copied().unwrap_or(NONE),
                ..*edge
            };
            edges.extend(self.edges(node).map(|(_, edge)| moved(edge)));
            values.extend_from_slice(self.exact(node));
            nodes.push(TreeNode { first, ..*self.node(node) });
        }
        if let Some(known) = &mut self.known {
            known.clear();
            let alive = (0..).zip(&nodes).filter(|(_, node)| node.actor != Actor::Nobody);
            known.extend(alive.map(|(index, node)| (node.hash, index)));
        }
        (self.nodes, self.edges, self.values, self.root) = (nodes, edges, values, 0);
    }
}
