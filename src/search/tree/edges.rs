//! The edges of a tree. The fields that a selection reads lie side by side.

use super::NONE;
use crate::engine::PackedMove;
use std::ops::Range;

/// An edge: a legal ply or roll.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub candidate: PackedMove,
    /// Whether the value is exact.
    pub solved: bool,
    pub child: u32,
    pub visits: u32,
    /// The child's value for the player to act, as of the last backpropagation along this edge;
    /// before the first, the rating by the evaluation, or NaN without one.
    pub value: f32,
    /// The visits, and the descents in progress.
    pub seen: u32,
}

/// The expectation for an edge before its first visit.
#[derive(Clone, Copy, Debug)]
pub struct Rating {
    /// The score of the player to act; NaN if it is not known.
    pub value: f32,
    /// The expected share of visits.
    pub prior: f32,
}

/// The exploration bonus that a selection adds to the value of an edge with `n` visits at a node
/// with `N`, so that little-known edges are explored. The number is a constant factor of the bonus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exploration {
    /// √(ln N / (n + 1)): UCT (Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*, ECML
    /// 2006).
    Uct(f32),
    /// The prior times √N / (n + 1): PUCT (Christopher Rosin, *Multi-armed Bandits with Episode
    /// Context*, 2011, as in Silver et al., *Mastering the Game of Go without Human Knowledge*,
    /// Nature 550, 2017).
    Puct(f32),
}

impl Exploration {
    /// Returns the factor of the bonus that is common to all edges of a node with this many visits.
    #[inline(always)]
    fn scale(self, visits: u32) -> f32 {
        let visits = visits as f32;
        match self {
            Exploration::Uct(constant) => constant * visits.max(1.0).ln().sqrt(),
            Exploration::Puct(constant) => constant * visits.sqrt(),
        }
    }
}

/// The fields that a descent reads of every edge of a node.
#[derive(Clone, Copy)]
struct Promise {
    value: f32,
    /// The exploration bonus, as a multiple of the node's [`Exploration::scale`].
    weight: f32,
}

/// The fields that are read only of the chosen edge and in backpropagation.
#[derive(Clone, Copy)]
struct Rest {
    candidate: PackedMove,
    child: u32,
    visits: u32,
    seen: u32,
    solved: bool,
}

/// The edges of all nodes; the edges of a node are consecutive.
pub struct Edges {
    exploration: Exploration,
    promises: Vec<Promise>,
    rest: Vec<Rest>,
    /// The expected shares of visits; empty if the exploration does not use them.
    priors: Vec<f32>,
}

/// The number of edges that are compared at once.
const LANES: usize = 4;

impl Edges {
    pub const SIZE: usize = size_of::<Promise>() + size_of::<Rest>() + size_of::<f32>();

    pub fn new(exploration: Exploration) -> Edges {
        Edges { exploration, promises: Vec::new(), rest: Vec::new(), priors: Vec::new() }
    }

    /// Returns an empty list for edges of this tree.
    pub fn emptied(&self) -> Edges {
        Edges::new(self.exploration)
    }

    /// As [`emptied`](Self::emptied), but reuses the memory of `other`.
    pub fn emptied_into(&self, other: Edges) -> Edges {
        let Edges { mut promises, mut rest, mut priors, .. } = other;
        promises.clear();
        rest.clear();
        priors.clear();
        Edges { exploration: self.exploration, promises, rest, priors }
    }

    pub fn len(&self) -> usize {
        self.rest.len()
    }

    #[inline(always)]
    pub fn get(&self, edge: u32) -> Edge {
        let Rest { candidate, child, visits, seen, solved } = self.rest[edge as usize];
        Edge { candidate, solved, child, visits, value: self.promises[edge as usize].value, seen }
    }

    /// Returns a range of edges, with their indices.
    pub fn range(&self, edges: Range<u32>) -> impl Iterator<Item = (u32, Edge)> {
        edges.map(|edge| (edge, self.get(edge)))
    }

    /// Adds edges that were never visited; returns the index of the first. They have these ratings,
    /// or, if there are none, no values and equal priors.
    pub fn add(&mut self, candidates: &[PackedMove], ratings: &[Rating]) -> u32 {
        let first = self.len();
        let end = first + candidates.len();
        let rest = |&candidate| Rest { candidate, child: NONE, visits: 0, seen: 0, solved: false };
        self.rest.extend(candidates.iter().map(rest));
        let weight = match self.exploration {
            Exploration::Uct(_) => 1.0,
            Exploration::Puct(_) => 1.0 / candidates.len() as f32,
        };
        if let Exploration::Puct(_) = self.exploration {
            self.priors.extend(ratings.iter().map(|rating| rating.prior));
            self.priors.resize(end, weight);
            let promise = |&Rating { value, prior }: &Rating| Promise { value, weight: prior };
            self.promises.extend(ratings.iter().map(promise));
        }
        self.promises.resize(end, Promise { value: f32::NAN, weight });
        first as u32
    }

    /// Adds edges of another tree, whose children have other indices in this tree.
    pub fn add_from(&mut self, other: &Edges, edges: Range<u32>, child: impl Fn(u32) -> u32) {
        let edges = edges.start as usize..edges.end as usize;
        let kept = |rest: &Rest| Rest { child: child(rest.child), ..*rest };
        self.rest.extend(other.rest[edges.clone()].iter().map(kept));
        self.promises.extend_from_slice(&other.promises[edges.clone()]);
        self.priors.extend_from_slice(other.priors.get(edges).unwrap_or_default());
    }

    /// Gives edges priors, and gives values to edges that have none. A visit may have counted for
    /// another edge, so an edge without visits may have a value, even an exact one.
    pub fn rate(&mut self, edges: Range<u32>, ratings: &[Rating]) {
        for (edge, &Rating { value, prior }) in edges.zip(ratings) {
            let promise = &mut self.promises[edge as usize];
            if promise.value.is_nan() {
                promise.value = value;
            }
            self.priors[edge as usize] = prior;
            self.set_seen(edge, self.rest[edge as usize].seen);
        }
    }

    /// Returns the node to which an edge leads, or [`NONE`].
    pub fn child(&self, edge: u32) -> u32 {
        self.rest[edge as usize].child
    }

    pub fn set_child(&mut self, edge: u32, child: u32) {
        self.rest[edge as usize].child = child;
    }

    pub fn set_value(&mut self, edge: u32, value: f32, solved: bool) {
        self.promises[edge as usize].value = value;
        self.rest[edge as usize].solved = solved;
    }

    /// Begins a descent along an edge, which counts for some visits.
    pub fn begin(&mut self, edge: u32, visits: u32) {
        self.set_seen(edge, self.rest[edge as usize].seen + visits);
    }

    /// Ends a descent along an edge and counts its visits.
    pub fn complete(&mut self, edge: u32, visits: u32) {
        self.rest[edge as usize].visits += visits;
    }

    /// Ends a descent along an edge without counting visits.
    pub fn give_up(&mut self, edge: u32, visits: u32) {
        self.set_seen(edge, self.rest[edge as usize].seen - visits);
    }

    #[inline(always)]
    fn set_seen(&mut self, edge: u32, seen: u32) {
        let edge = edge as usize;
        self.rest[edge].seen = seen;
        let count = seen as f32 + 1.0;
        self.promises[edge].weight = match self.exploration {
            Exploration::Uct(_) => 1.0 / count.sqrt(),
            Exploration::Puct(_) => self.priors[edge] / count,
        };
    }

    /// Returns the highest sum of an edge's value (or `unseen` if it has none) and its exploration
    /// bonus, with the first edge that has it. `visits` is the node's number of visits; `extra` is
    /// added to the value of each edge, by its number at the node. With `OPEN`, solved edges do not
    /// count; [`NONE`] if all are solved.
    #[inline(always)]
    pub fn best<const OPEN: bool>(
        &self,
        edges: Range<u32>,
        unseen: f32,
        visits: u32,
        extra: impl Fn(usize) -> f32,
    ) -> (f32, u32) {
        let scale = self.exploration.scale(visits);
        let (first, end) = (edges.start as usize, edges.end as usize);
        let (promises, rest) = (&self.promises[first..end], &self.rest[first..end]);
        let sum = |edge: usize, &Promise { value, weight }: &Promise| {
            if OPEN && rest[edge].solved {
                return f32::NEG_INFINITY;
            }
            let value = if value.is_nan() { unseen } else { value };
            value + scale * weight + extra(edge)
        };
        let mut best = (f32::NEG_INFINITY, NONE);
        let (blocks, last) = promises.as_chunks::<LANES>();
        for (block, promises) in blocks.iter().enumerate() {
            let mut sums = [0.0; LANES];
            for lane in 0..LANES {
                sums[lane] = sum(block * LANES + lane, &promises[lane]);
            }
            // An edge is rarely better than the best so far.
            if sums.iter().any(|&sum| sum > best.0) {
                for (lane, sum) in sums.into_iter().enumerate() {
                    if sum > best.0 {
                        best = (sum, (first + block * LANES + lane) as u32);
                    }
                }
            }
        }
        for (lane, promise) in last.iter().enumerate() {
            let edge = blocks.len() * LANES + lane;
            let sum = sum(edge, promise);
            if sum > best.0 {
                best = (sum, (first + edge) as u32);
            }
        }
        best
    }
}
