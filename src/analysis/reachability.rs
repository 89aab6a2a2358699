//! Breadth-first search of the positions of a game, with the shortest path to each.
//!
//! Positions are compared in full, not by hash, so the results are exact. Rules of repetition are
//! ignored: every reachable position is also reached by a game that repeats no position.

use crate::engine::PackedMove;
use crate::engine::game::{Fault, State};
use crate::engine::position::Position;
use indexmap::IndexMap;
use std::collections::VecDeque;

/// The cost limit of the search for the shortest cycle, in edges followed.
const MAX_CYCLE_COST: u64 = 20_000_000;

/// Observes the positions and plies of a search, and can stop it.
pub trait Visitor {
    /// Called for each position with its legal plies, before any of them is followed.
    fn on_position(&mut self, _state: &State, _legal: &[PackedMove]) {}

    /// Called with a shortest path if the rules never reach the ply after it; that ends the search.
    fn on_fault(&mut self, _fault: &Fault, _path: Vec<PackedMove>) {}

    /// Tests if the budget allows one more ply of a position that has `legal` plies.
    fn may_follow(&mut self, state: &State, legal: usize) -> bool;

    /// Called after each ply; returning true ends the search.
    fn on_ply(&mut self, state: &mut State, step: &Step) -> bool;
}

/// A ply that the search follows.
pub struct Step<'g> {
    graph: &'g PositionGraph,
    from: u32,
    pub made: PackedMove,
    /// The number of plies from the first position to the one after this ply.
    pub depth: u32,
}

impl Step<'_> {
    /// Returns the decision at which the ply is made.
    pub fn decision(&self) -> usize {
        self.graph.decision(self.from)
    }

    /// Returns the shortest path whose last ply is this one.
    pub fn path(&self) -> Vec<PackedMove> {
        self.graph.path_to(self.from).into_iter().chain([self.made]).collect()
    }
}

/// How a search ended.
pub enum Extent {
    /// Every reachable position was seen.
    All,
    /// The budget is exhausted; every game of this number of plies was seen.
    UpTo(u32),
    /// The visitor ended the search after these plies, a shortest path.
    Stopped(Vec<PackedMove>),
}

/// A game that returns to a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The path from the first position to the repeated one.
    pub path: Vec<PackedMove>,
    /// The path from the repeated position back to itself.
    pub around: Vec<PackedMove>,
    /// The decision at the repeated position.
    pub decision: usize,
    /// Whether no shorter game repeats a position.
    pub is_shortest: bool,
}

impl Cycle {
    /// Returns the number of plies of the game.
    pub fn plies_in_all(&self) -> usize {
        self.path.len() + self.around.len()
    }

    /// Returns the plies of the whole game.
    pub fn plies(&self) -> Vec<PackedMove> {
        [&self.path[..], &self.around].concat()
    }
}

/// The positions that a search has found, in order of depth, with the plies between them.
#[derive(Default)]
pub struct PositionGraph {
    positions: IndexMap<Position, Discovery>,
    edges: Vec<Edge>,
    /// Indexed by position whose plies were all followed: the end of its edges in `edges`, and
    /// whether one of its plies ends the game.
    edge_ends: Vec<u32>,
    can_end: Vec<bool>,
}

/// How a position was found.
#[derive(Clone, Copy)]
struct Discovery {
    parent: Option<(u32, PackedMove)>,
    depth: u32,
}

#[derive(Clone, Copy)]
struct Edge {
    to: u32,
    made: PackedMove,
}

impl PositionGraph {
    /// Returns the number of positions found.
    pub fn position_count(&self) -> usize {
        self.positions.len()
    }

    /// Explores from the position of `state`, in which the game must not be over.
    ///
    /// # Errors
    /// If the rules run out of fuel in one of the positions.
    pub fn explore(
        &mut self,
        state: &mut State,
        visitor: &mut impl Visitor,
    ) -> Result<Extent, Fault> {
        self.positions.insert(state.position(), Discovery { parent: None, depth: 0 });
        while let Some((position, &Discovery { depth, .. })) =
            self.positions.get_index(self.edge_ends.len())
        {
            let from = self.edge_ends.len() as u32;
            let position = position.clone();
            state.go_to(&position);
            let legal = state.candidates();
            if let Some(fault) = state.fault() {
                visitor.on_fault(&fault, self.path_to(from));
                return Err(fault);
            }
            visitor.on_position(state, &legal);
            let mut can_end = false;
            for &made in &legal {
                state.go_to(&position);
                if !visitor.may_follow(state, legal.len()) {
                    return Ok(Extent::UpTo(depth));
                }
                if !state.advance(made) {
                    continue;
                }
                let step = Step { graph: self, from, made, depth: depth + 1 };
                if let Some(fault) = state.fault() {
                    visitor.on_fault(&fault, step.path());
                    return Err(fault);
                }
                if visitor.on_ply(state, &step) {
                    return Ok(Extent::Stopped(step.path()));
                }
                if state.outcome().is_some() {
                    can_end = true;
                    continue;
                }
                let entry = self.positions.entry(state.position());
                let to = entry.index() as u32;
                entry.or_insert(Discovery { parent: Some((from, made)), depth: depth + 1 });
                self.edges.push(Edge { to, made });
            }
            self.edge_ends.push(self.edges.len() as u32);
            self.can_end.push(can_end);
        }
        Ok(Extent::All)
    }

    fn decision(&self, position: u32) -> usize {
        self.positions.get_index(position as usize).map_or(0, |(found, _)| found.decision())
    }

    /// Returns a shortest path to a position.
    fn path_to(&self, position: u32) -> Vec<PackedMove> {
        let mut path = Vec::new();
        let mut at = position;
        while let Some((parent, made)) = self.positions[at as usize].parent {
            path.push(made);
            at = parent;
        }
        path.reverse();
        path
    }

    /// Returns the plies of a position that were followed and do not end the game.
    fn edges(&self, position: u32) -> &[Edge] {
        let end = |at: usize| self.edge_ends.get(at).map_or(self.edges.len(), |&end| end as usize);
        let at = position as usize;
        &self.edges[at.checked_sub(1).map_or(0, end)..end(at)]
    }

    fn all(&self) -> std::ops::Range<u32> {
        0..self.position_count() as u32
    }

    /// Orders the positions topologically, without the positions on cycles and the positions
    /// reachable from them. (A. B. Kahn, *Topological Sorting of Large Networks*, Communications of
    /// the ACM 5, 1962.)
    fn topological_order(&self) -> Vec<u32> {
        let mut indegrees = vec![0u32; self.position_count()];
        self.edges.iter().for_each(|edge| indegrees[edge.to as usize] += 1);
        let mut order: Vec<u32> =
            self.all().filter(|&position| indegrees[position as usize] == 0).collect();
        let mut next = 0;
        while let Some(&position) = order.get(next) {
            next += 1;
            for edge in self.edges(position) {
                indegrees[edge.to as usize] -= 1;
                if indegrees[edge.to as usize] == 0 {
                    order.push(edge.to);
                }
            }
        }
        order
    }

    /// Returns, by position, the length of the longest game from it; `None` if a position can be
    /// repeated.
    fn longest_from(&self) -> Option<Vec<u32>> {
        let order = self.topological_order();
        if order.len() < self.position_count() {
            return None;
        }
        let mut longest = vec![0u32; self.position_count()];
        for &position in order.iter().rev() {
            let on = self.edges(position).iter().map(|edge| longest[edge.to as usize] + 1).max();
            longest[position as usize] =
                on.unwrap_or(0).max(u32::from(self.can_end[position as usize]));
        }
        Some(longest)
    }

    /// Returns the length of the longest game and up to `count` of its first plies; `None` if a
    /// position can be repeated. Valid only after [`Extent::All`].
    pub fn longest(&self, count: u32) -> Option<(u32, Vec<PackedMove>)> {
        let longest = self.longest_from()?;
        let (mut path, mut at) = (Vec::new(), 0);
        while path.len() < count as usize
            && let Some(edge) = self.edges(at).iter().max_by_key(|edge| longest[edge.to as usize])
        {
            path.push(edge.made);
            at = edge.to;
        }
        Some((longest.first().copied().unwrap_or(0), path))
    }

    /// Returns, by position, whether it is on a cycle or on a path between two cycles.
    fn recurring(&self) -> Vec<bool> {
        let mut remains = vec![true; self.position_count()];
        self.topological_order().into_iter().for_each(|at| remains[at as usize] = false);
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.position_count()];
        let mut outdegrees = vec![0u32; self.position_count()];
        for position in self.all().filter(|&position| remains[position as usize]) {
            for edge in self.edges(position).iter().filter(|edge| remains[edge.to as usize]) {
                before[edge.to as usize].push(position);
                outdegrees[position as usize] += 1;
            }
        }
        // The remaining positions are on a cycle or reachable from one. The same elimination
        // backwards removes the positions that lead to no cycle.
        let mut last: Vec<u32> =
            self.all().filter(|&at| remains[at as usize] && outdegrees[at as usize] == 0).collect();
        while let Some(position) = last.pop() {
            remains[position as usize] = false;
            for &earlier in &before[position as usize] {
                outdegrees[earlier as usize] -= 1;
                if outdegrees[earlier as usize] == 0 {
                    last.push(earlier);
                }
            }
        }
        remains
    }

    /// Finds a short game that returns to a position, if there is one among the positions found.
    pub fn find_cycle(&self) -> Option<Cycle> {
        let recurring = self.recurring();
        let mut best: Option<(u32, Vec<PackedMove>)> = None;
        let mut length = u32::MAX;
        let mut cost = 0;
        let mut parents: Vec<Option<(u32, PackedMove)>> = vec![None; self.position_count()];
        for position in self.all().filter(|&position| recurring[position as usize]) {
            let depth = self.positions[position as usize].depth;
            // Positions are in order of depth, so no later position gives a shorter game.
            if depth.saturating_add(1) >= length || cost > MAX_CYCLE_COST {
                break;
            }
            let within = length - depth - 1;
            if let Some(around) =
                self.cycle_from(position, within, &recurring, &mut parents, &mut cost)
            {
                length = depth + around.len() as u32;
                best = Some((position, around));
            }
        }
        let (position, around) = best?;
        Some(Cycle {
            path: self.path_to(position),
            around,
            decision: self.decision(position),
            is_shortest: cost <= MAX_CYCLE_COST,
        })
    }

    /// Returns the shortest path from a position back to it, if it has at most `within` plies.
    /// `parents` is scratch space, all `None` before and after.
    fn cycle_from(
        &self,
        position: u32,
        within: u32,
        recurring: &[bool],
        parents: &mut [Option<(u32, PackedMove)>],
        cost: &mut u64,
    ) -> Option<Vec<PackedMove>> {
        let mut met = Vec::new();
        let mut queue = VecDeque::from([(position, 0)]);
        'search: while let Some((at, depth)) =
            queue.pop_front().filter(|&(_, depth)| depth < within)
        {
            for edge in self.edges(at).iter().filter(|edge| recurring[edge.to as usize]) {
                *cost += 1;
                if parents[edge.to as usize].is_none() {
                    parents[edge.to as usize] = Some((at, edge.made));
                    met.push(edge.to);
                    if edge.to == position {
                        break 'search;
                    }
                    queue.push_back((edge.to, depth + 1));
                }
            }
        }
        let mut around = Vec::new();
        let mut at = position;
        while let Some((parent, made)) = parents[at as usize] {
            around.push(made);
            at = parent;
            if at == position {
                break;
            }
        }
        met.into_iter().for_each(|position| parents[position as usize] = None);
        around.reverse();
        (!around.is_empty()).then_some(around)
    }
}
