//! The edges of a tree, by column: what a selection reads of them lies side by side.

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
    /// before the first, what the evaluation expects, or NaN if it was not asked.
    pub value: f32,
    /// The visits, and the descents in progress.
    pub seen: u32,
}

/// What is expected of an edge before its first visit.
#[derive(Clone, Copy, Debug)]
pub struct Rating {
    /// The score of the player to act; NaN if it is not known.
    pub value: f32,
    /// The share of visits.
    pub prior: f32,
}

/// How much a selection adds to the value of an edge that it has seen `n` times, of `N` at its
/// node, so that what is little known is explored. The number is a constant by which it is
/// multiplied.
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

/// The edges of all nodes; those of a node follow each other.
#[derive(Default)]
pub struct Edges {
    candidates: Vec<PackedMove>,
    solved: Vec<bool>,
    children: Vec<u32>,
    visits: Vec<u32>,
    values: Vec<f32>,
    seen: Vec<u32>,
    /// The expected shares of visits; empty if none is ever expected.
    priors: Vec<f32>,
}

/// The number of edges that are compared at once.
const LANES: usize = 4;

impl Edges {
    pub const SIZE: usize = size_of::<PackedMove>() + 1 + 5 * size_of::<u32>();

    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    #[inline]
    pub fn get(&self, edge: u32) -> Edge {
        let edge = edge as usize;
        Edge {
            candidate: self.candidates[edge],
            solved: self.solved[edge],
            child: self.children[edge],
            visits: self.visits[edge],
            value: self.values[edge],
            seen: self.seen[edge],
        }
    }

    /// Returns some of the edges, with their indices.
    pub fn range(&self, edges: Range<u32>) -> impl Iterator<Item = (u32, Edge)> {
        edges.map(|edge| (edge, self.get(edge)))
    }

    /// Adds edges that were never visited; returns the index of the first. With `rated`, they have
    /// these ratings, or equal priors if there are none.
    pub fn add(&mut self, candidates: &[PackedMove], rated: Option<&[Rating]>) -> u32 {
        let first = self.len();
        let end = first + candidates.len();
        if let Some(rated) = rated {
            self.priors.extend(rated.iter().map(|rating| rating.prior));
            self.values.extend(rated.iter().map(|rating| rating.value));
            self.priors.resize(end, 1.0 / candidates.len() as f32);
        }
        self.candidates.extend_from_slice(candidates);
        self.solved.resize(end, false);
        self.children.resize(end, NONE);
        self.visits.resize(end, 0);
        self.values.resize(end, f32::NAN);
        self.seen.resize(end, 0);
        first as u32
    }

    /// Adds edges of another tree, whose children have other indices here.
    pub fn add_from(&mut self, other: &Edges, edges: Range<u32>, child: impl Fn(u32) -> u32) {
        let edges = edges.start as usize..edges.end as usize;
        self.candidates.extend_from_slice(&other.candidates[edges.clone()]);
        self.solved.extend_from_slice(&other.solved[edges.clone()]);
        self.children.extend(other.children[edges.clone()].iter().map(|&old| child(old)));
        self.visits.extend_from_slice(&other.visits[edges.clone()]);
        self.values.extend_from_slice(&other.values[edges.clone()]);
        self.seen.extend_from_slice(&other.seen[edges.clone()]);
        self.priors.extend_from_slice(other.priors.get(edges).unwrap_or_default());
    }

    pub fn set_child(&mut self, edge: u32, child: u32) {
        self.children[edge as usize] = child;
    }

    pub fn set_value(&mut self, edge: u32, value: f32, solved: bool) {
        self.values[edge as usize] = value;
        self.solved[edge as usize] = solved;
    }

    /// Begins a descent along an edge.
    pub fn begin(&mut self, edge: u32) {
        self.seen[edge as usize] += 1;
    }

    /// Ends a descent along an edge that is no visit of it.
    pub fn end(&mut self, edge: u32) {
        self.seen[edge as usize] -= 1;
    }

    /// Counts a visit.
    pub fn visit(&mut self, edge: u32) {
        self.visits[edge as usize] += 1;
        self.seen[edge as usize] += 1;
    }

    /// Returns the highest sum of an edge's value, or `unseen` if it has none, and what is added to
    /// explore it, with the first edge that has it. The node was visited that many times; `extra` is
    /// added to the value of each edge, by its number at the node. With `OPEN`, solved edges do not
    /// count; [`NONE`] if all are solved.
    #[inline]
    pub fn best<const OPEN: bool>(
        &self,
        edges: Range<u32>,
        unseen: f32,
        visits: u32,
        by: Exploration,
        extra: impl Fn(usize) -> f32,
    ) -> (f32, u32) {
        let visits = visits as f32;
        match by {
            Exploration::Uct(exploration) => {
                let log = visits.max(1.0).ln();
                let bonus = |edge: usize, seen: f32| {
                    exploration * (log / (seen + 1.0)).sqrt() + extra(edge)
                };
                self.highest::<OPEN>(edges, unseen, bonus)
            }
            Exploration::Puct(exploration) => {
                let scale = exploration * visits.sqrt();
                let priors = &self.priors[edges.start as usize..edges.end as usize];
                let bonus =
                    |edge: usize, seen: f32| priors[edge] * scale / (seen + 1.0) + extra(edge);
                self.highest::<OPEN>(edges, unseen, bonus)
            }
        }
    }

    /// As [`best`](Self::best), with what is added as a function of the number of the edge at its
    /// node and of how often it was seen.
    #[inline(always)]
    fn highest<const OPEN: bool>(
        &self,
        edges: Range<u32>,
        unseen: f32,
        bonus: impl Fn(usize, f32) -> f32,
    ) -> (f32, u32) {
        let (first, end) = (edges.start as usize, edges.end as usize);
        let (values, seen) = (&self.values[first..end], &self.seen[first..end]);
        let solved = &self.solved[first..end];
        let promise = |edge: usize, value: f32, seen: u32| {
            if OPEN && solved[edge] {
                return f32::NEG_INFINITY;
            }
            let value = if value.is_nan() { unseen } else { value };
            value + bonus(edge, seen as i32 as f32)
        };
        let mut best = (f32::NEG_INFINITY, NONE);
        let (values, last_values) = values.as_chunks::<LANES>();
        let (seen, last_seen) = seen.as_chunks::<LANES>();
        for (block, (values, seen)) in values.iter().zip(seen).enumerate() {
            let mut promises = [0.0; LANES];
            for lane in 0..LANES {
                promises[lane] = promise(block * LANES + lane, values[lane], seen[lane]);
            }
            // Rarely any of them is better than the best so far.
            if promises.iter().any(|&promise| promise > best.0) {
                for (lane, promise) in promises.into_iter().enumerate() {
                    if promise > best.0 {
                        best = (promise, (first + block * LANES + lane) as u32);
                    }
                }
            }
        }
        for (lane, (&value, &seen)) in last_values.iter().zip(last_seen).enumerate() {
            let edge = values.len() * LANES + lane;
            let promise = promise(edge, value, seen);
            if promise > best.0 {
                best = (promise, (first + edge) as u32);
            }
        }
        best
    }
}
