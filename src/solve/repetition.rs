//! The effect of the rule of repetition on values, and the earliest ply at which it can apply.

use super::Clock;
use super::RanOut;
use super::components::Components;
use super::graph::{Graph, NodeIndex};
use crate::budget::MemoryBudget;
use crate::language::rules::{PlayerId, PlayerOf, Rules, Statement};

/// The value of play that never reaches a position without a successor. A rule of repetition ends
/// such play, with this result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndlessPlay {
    /// Nobody wins.
    Draw,
    /// The team wins, whichever position recurs and whoever repeats it.
    Win(PlayerId),
    /// The result depends on the position that recurs or on who repeats it.
    Varies,
}

impl EndlessPlay {
    /// Reads the worth from the rules.
    pub fn of(rules: &Rules) -> EndlessPlay {
        let Some(rule) = &rules.repetition else { return EndlessPlay::Draw };
        // With the pie rule, the players of the colours can change.
        let two = rules.teams.count() == 2 && rules.pie.is_none();
        match rule.then.first().map(|first| &first.node) {
            Some(Statement::Draw) => EndlessPlay::Draw,
            Some(Statement::Win(_)) if rules.players.len() == 1 => EndlessPlay::Win(PlayerId(0)),
            Some(Statement::Lose(_)) if rules.players.len() == 1 => EndlessPlay::Draw,
            Some(Statement::Win(player)) if two => match player.node {
                PlayerOf::Fixed(player) => EndlessPlay::Win(rules.teams.of(player)),
                _ => EndlessPlay::Varies,
            },
            Some(Statement::Lose(player)) if two => match player.node {
                PlayerOf::Fixed(player) => EndlessPlay::Win(PlayerId(1 - rules.teams.of(player).0)),
                _ => EndlessPlay::Varies,
            },
            _ => EndlessPlay::Varies,
        }
    }
}

/// Searches for the shortest play that makes a position occur so often that the rule of repetition
/// applies.
pub struct RepetitionSearch<'g> {
    graph: &'g Graph,
    components: &'g Components,
    times: u32,
    /// The search from the start, and the search for a cycle.
    play: BreadthFirst,
    cycle: BreadthFirst,
    /// How many more edges may be followed.
    left: u64,
}

/// The result of a search.
pub struct EarliestRepetition {
    /// The rule does not apply before this many plies.
    pub plies: u32,
    /// A play of this many plies, after which the rule applies.
    pub path: Option<Vec<NodeIndex>>,
}

/// A search may follow each edge this often on average, and [`FEW_EDGES`] more.
const ROUNDS: u64 = 16;
const FEW_EDGES: u64 = 1 << 20;

impl<'g> RepetitionSearch<'g> {
    /// Prepares searches, under a rule that applies when a position occurs this often.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if the arrays do not fit into the budget.
    pub fn new(
        graph: &'g Graph,
        components: &'g Components,
        times: u32,
        memory_budget: &mut MemoryBudget,
    ) -> Result<RepetitionSearch<'g>, RanOut> {
        Ok(RepetitionSearch {
            graph,
            components,
            times,
            play: BreadthFirst::new(graph, memory_budget)?,
            cycle: BreadthFirst::new(graph, memory_budget)?,
            left: ROUNDS * graph.edge_count() as u64 + FEW_EDGES,
        })
    }

    /// Finds the earliest repetition in play from a node, if it is before `bound` plies. The node
    /// itself has occurred `again` times since the start of the graph.
    ///
    /// A play ends when the first of its positions has occurred often enough. So it consists at
    /// least of the shortest path to that position and, for each occurrence that is still missing,
    /// the shortest cycle through it.
    pub fn earliest(
        &mut self,
        from: NodeIndex,
        again: u32,
        bound: u32,
        clock: &mut Clock,
    ) -> EarliestRepetition {
        let mut earliest = EarliestRepetition { plies: bound, path: None };
        self.play.begin(from);
        let mut next = 0;
        while let Some(&node) = self.play.queue.get(next) {
            next += 1;
            let plies = self.play.plies[node as usize];
            if plies >= earliest.plies {
                break;
            }
            let before = self.graph.occurrences(node);
            let arrived = if node == from { before + again } else { before + 1 };
            let rounds = self.times.saturating_sub(arrived).max(1);
            // Only a shorter play is of interest.
            let most = (earliest.plies - plies - 1) / rounds;
            match self.shortest_cycle(node, most, clock) {
                Ok(Some(cycle)) => {
                    let mut path = self.play.way_to(node);
                    (0..rounds).for_each(|_| path.extend(&cycle));
                    earliest =
                        EarliestRepetition { plies: path.len() as u32 - 1, path: Some(path) };
                }
                Ok(None) => {}
                // A repetition found later takes at least this long, but perhaps less than the best
                // so far.
                Err(_) => return EarliestRepetition { plies: plies + 1, path: None },
            }
            let after = self.graph.after(node);
            after.for_each(|after| self.play.reach(after, node, plies + 1));
        }
        earliest
    }

    /// Returns the shortest cycle through a node, if it has at most `most` plies. The node comes
    /// last.
    fn shortest_cycle(
        &mut self,
        through: NodeIndex,
        most: u32,
        clock: &mut Clock,
    ) -> Result<Option<Vec<NodeIndex>>, RanOut> {
        self.cycle.begin(through);
        let mut next = 0;
        while let Some(&node) = self.cycle.queue.get(next) {
            next += 1;
            let plies = self.cycle.plies[node as usize] + 1;
            if plies > most {
                break;
            }
            for after in self.graph.after(node) {
                self.left = self.left.checked_sub(1).ok_or(RanOut::Cancelled)?;
                clock.poll(self.graph.len() as u64)?;
                if after == through {
                    let mut cycle = self.cycle.way_to(node);
                    cycle.push(through);
                    cycle.remove(0);
                    return Ok(Some(cycle));
                }
                if self.components.joins(through, after) {
                    self.cycle.reach(after, node, plies);
                }
            }
        }
        Ok(None)
    }

    /// Returns the memory to the budget.
    pub fn drop(self, memory_budget: &mut MemoryBudget) {
        self.play.drop(memory_budget);
        self.cycle.drop(memory_budget);
    }
}

/// A breadth-first search whose arrays are reused.
struct BreadthFirst {
    /// By node: the search that reached it, its predecessor, and its number of plies.
    reached: Vec<u32>,
    came: Vec<NodeIndex>,
    plies: Vec<u32>,
    queue: Vec<NodeIndex>,
    /// The number of the current search, from 1 on.
    search: u32,
}

impl BreadthFirst {
    fn new(graph: &Graph, memory_budget: &mut MemoryBudget) -> Result<BreadthFirst, RanOut> {
        Ok(BreadthFirst {
            reached: memory_budget.array(0, graph.nodes())?,
            came: memory_budget.array(0, graph.nodes())?,
            plies: memory_budget.array(0, graph.nodes())?,
            queue: memory_budget.list(graph.nodes())?,
            search: 0,
        })
    }

    fn begin(&mut self, from: NodeIndex) {
        self.search += 1;
        self.queue.clear();
        self.reach(from, from, 0);
    }

    fn reach(&mut self, node: NodeIndex, from: NodeIndex, plies: u32) {
        let index = node as usize;
        if self.reached[index] != self.search {
            (self.reached[index], self.came[index], self.plies[index]) = (self.search, from, plies);
            self.queue.push(node);
        }
    }

    /// Returns the nodes of the path to this node.
    fn way_to(&self, node: NodeIndex) -> Vec<NodeIndex> {
        let before = |&at: &NodeIndex| Some(self.came[at as usize]).filter(|&before| before != at);
        let mut way: Vec<NodeIndex> = std::iter::successors(Some(node), before).collect();
        way.reverse();
        way
    }

    fn drop(self, memory_budget: &mut MemoryBudget) {
        [self.reached, self.came, self.plies, self.queue]
            .into_iter()
            .for_each(|array| memory_budget.drop(array));
    }
}
