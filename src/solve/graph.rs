//! The game graph: all reachable positions, breadth first, with the player to act and the
//! successors of each.
//!
//! Players are persons: if colours can be swapped, a person is named by the initial colour.
//!
//! Nodes are numbered in the order of discovery; the starting position comes first, after the ends.
//! Repetition rules are ignored within the graph: a position is one node whatever its history. Only
//! the plies before the starting position count as history.
//!
//! A player who has dropped out has lost, however long the others go on.

use super::canonical::Canonicalizer;
use super::key::Store;
use super::memory::ChunkedVec;
use super::{Clock, RanOut, Stopped, check_fault};
use crate::budget::MemoryBudget;
use crate::engine::game::{State, Turn};
use crate::engine::position::{Outcome, PlayerSet, Position};
use crate::engine::snapshot::MemoryValue;
use crate::language::rules::PlayerId;
use std::collections::HashMap;
use std::ops::Range;

/// A node: numbers below [`Graph::ends`] are results of the game, the others positions.
pub type NodeIndex = u32;

/// The actor of a node at which dice are rolled.
pub const CHANCE: u8 = u8::MAX;

/// The numbers per node that [`super::components`] needs at once, and a result of
/// [`super::retrograde`].
const RECURRING_NUMBERS: usize = 9;

/// The graph, with successors in compressed sparse rows.
pub struct Graph {
    /// The number of teams; each is one player here.
    players: usize,
    /// Whether some players can share a draw.
    shares: bool,
    /// Whether the rule of repetition ends play at a repetition of a position that occurred up to
    /// the start.
    pub ends_by_repetition: bool,
    /// By position, the players who have dropped out; empty if nobody can.
    dropped_out: ChunkedVec<PlayerSet>,
    /// How often positions have occurred up to the start, if the rules count repetitions; used only
    /// without symmetries.
    occurrences: HashMap<NodeIndex, u32>,
    /// The most occurrences of a position up to the start.
    max_occurrences: u32,
    /// Whether the evaluation looks for positions that can recur.
    counts: bool,
    /// By position, the player to act.
    actors: ChunkedVec<u8>,
    /// By position, the end of its successors in `after`.
    until: ChunkedVec<u64>,
    after: ChunkedVec<NodeIndex>,
    store: Store,
    canonicalizer: Canonicalizer,
}

/// An exploration in progress: it can stop at any number of positions, and goes on from there.
pub struct Exploration {
    graph: Graph,
    /// The state that makes the plies, and how often positions have occurred before the start.
    state: State,
    history: Vec<u64>,
    past: HashMap<u64, u32>,
    /// Working memory.
    position: Position,
    after: Vec<NodeIndex>,
    key: Vec<u64>,
    /// The positions whose successors are known.
    expanded: usize,
}

impl Exploration {
    /// Begins at a state's position. `counts` tells if the evaluation looks for positions that can
    /// recur.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if not even the first position fits into the budget.
    pub fn begin(
        from: &State,
        symmetric: bool,
        counts: bool,
        memory_budget: &mut MemoryBudget,
    ) -> Result<Exploration, RanOut> {
        let canonicalizer = Canonicalizer::new(from, symmetric);
        let mut graph = Graph {
            players: from.game().rules().teams.count(),
            shares: from.game().rules().drop_outs.is_some(),
            ends_by_repetition: false,
            dropped_out: ChunkedVec::default(),
            occurrences: HashMap::new(),
            max_occurrences: from.max_repetitions() as u32,
            counts,
            actors: ChunkedVec::default(),
            until: ChunkedVec::default(),
            after: ChunkedVec::default(),
            store: Store::new(canonicalizer.words(), memory_budget)?,
            canonicalizer,
        };
        let mut position = graph.canonicalizer.blank();
        if from.outcome().is_none() {
            from.read(&mut position);
            graph.number(&position, memory_budget)?;
        }
        let mut past: HashMap<u64, u32> = HashMap::new();
        from.history().iter().for_each(|&hash| *past.entry(hash).or_default() += 1);
        let key = vec![0; graph.canonicalizer.words()];
        Ok(Exploration {
            graph,
            state: from.clone(),
            history: from.history().to_vec(),
            past,
            position,
            after: Vec::new(),
            key,
            expanded: 0,
        })
    }

    /// Explores until all reachable positions are expanded, and returns true, or until this number
    /// of positions was found.
    ///
    /// # Errors
    /// Stops if memory or time runs out, or if the rules do not terminate somewhere.
    pub fn advance(
        &mut self,
        until: u64,
        memory_budget: &mut MemoryBudget,
        clock: &mut Clock,
    ) -> Result<bool, Stopped> {
        while self.expanded < self.graph.len() {
            if self.graph.len() as u64 >= until {
                return Ok(false);
            }
            self.expand(memory_budget, clock)?;
            self.expanded += 1;
        }
        Ok(true)
    }

    /// Returns the number of positions found.
    pub fn len(&self) -> usize {
        self.graph.len()
    }

    /// Returns the number of unexpanded positions per expanded position.
    pub fn growth(&self) -> f64 {
        (self.len() - self.expanded) as f64 / self.expanded.max(1) as f64
    }

    /// Returns the explored graph.
    pub fn graph(self) -> Graph {
        self.graph
    }

    /// Finds the successors of the next position.
    fn expand(
        &mut self,
        memory_budget: &mut MemoryBudget,
        clock: &mut Clock,
    ) -> Result<(), Stopped> {
        let Exploration { graph, state, position, after, .. } = self;
        clock.tick(graph.len() as u64)?;
        // Stops early if the evaluation that follows would not fit into memory.
        memory_budget.has(graph.memory_needed())?;
        graph.store.copy(self.expanded, &mut self.key);
        graph.canonicalizer.read(&self.key, position);
        state.go_to_after(position, &self.history);
        let actor = match state.team_turn() {
            Turn::Player(player) => player.0 as u8,
            Turn::Chance | Turn::Nobody => CHANCE,
        };
        if graph.counts
            && let Some(&times) = self.past.get(&state.hash())
        {
            graph.occurrences.insert((self.expanded + graph.ends()) as NodeIndex, times);
        }
        if graph.shares {
            graph.dropped_out.push(dropped_out(state), memory_budget)?;
        }
        after.clear();
        let plies = state.candidates();
        check_fault(state)?;
        for ply in plies {
            clock.pass(graph.len() as u64)?;
            let before = state.history().len();
            let (outcome, counted) = state.ahead(ply, |state| {
                state.read(position);
                (state.team_outcome(), state.history().len() > before)
            });
            check_fault(state)?;
            // A position counts only if nothing else ends the game in it.
            graph.ends_by_repetition |= outcome.is_some() && counted;
            after.push(match outcome {
                Some(outcome) => graph.end(outcome),
                None => graph.number(position, memory_budget)?,
            });
        }
        if actor != CHANCE {
            // Plies to the same successor count once; rolls are kept, since their number gives the
            // odds.
            after.sort_unstable();
            after.dedup();
        }
        for &node in after.iter() {
            graph.after.push(node, memory_budget)?;
        }
        graph.actors.push(actor, memory_budget)?;
        graph.until.push(graph.after.len() as u64, memory_budget)?;
        Ok(())
    }
}

impl Graph {
    /// Returns an upper bound of the bytes that the evaluation of the positions found so far needs.
    fn memory_needed(&self) -> u64 {
        // The reversed edges; per node one number for each player (two with more than two players)
        // and two of scratch space; the data about positions that can recur.
        let recurring = if self.counts { RECURRING_NUMBERS } else { 0 };
        let numbers = if self.players > 2 { 2 * self.players } else { 2 } + 2 + recurring;
        let reversed =
            (self.nodes() + 1) * size_of::<u64>() + self.after.len() * size_of::<NodeIndex>();
        (reversed + self.nodes() * numbers * size_of::<u32>()) as u64
    }

    /// Returns the node of a position, adding it if it is new.
    fn number(
        &mut self,
        position: &Position,
        memory_budget: &mut MemoryBudget,
    ) -> Result<NodeIndex, RanOut> {
        let (number, _) = self
            .store
            .add(self.canonicalizer.canonical_key(position, memory_budget)?, memory_budget)?;
        Ok((number + self.ends()) as NodeIndex)
    }

    /// Returns the node of a position, if it is reachable.
    pub fn find(&mut self, position: &Position) -> Option<NodeIndex> {
        // A lookup may intern a few remainders, too few to charge to the budget.
        let name =
            self.canonicalizer.canonical_key(position, &mut MemoryBudget::new(u64::MAX)).ok()?;
        self.store.find(name).map(|number| (number + self.ends()) as NodeIndex)
    }

    /// Returns the node of a state's position or result, if it is reachable.
    pub fn node(&mut self, of: &State) -> Option<NodeIndex> {
        match of.team_outcome() {
            Some(outcome) => Some(self.end(outcome)),
            None => self.find(&of.position()),
        }
    }

    /// Returns the number of symmetries under which positions are identified, including the
    /// identity.
    pub fn symmetries(&self) -> usize {
        self.canonicalizer.symmetries()
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Returns the number of result nodes: a win for each player, a draw, and where players drop
    /// out, a draw of each set of players.
    pub fn ends(&self) -> usize {
        self.players + 1 + if self.shares { 1 << self.players } else { 0 }
    }

    /// Returns the results in which the player does not even draw, and the positions in which he
    /// has dropped out.
    pub fn lost(&self, player: PlayerId) -> impl Iterator<Item = NodeIndex> + '_ {
        let sets = if self.shares { 0..1u16 << self.players } else { 0..0 };
        let others = (0..self.players as u16).filter(move |&other| other != player.0);
        let wins = others.map(|other| Outcome::Win(PlayerId(other)));
        let sets = sets.map(|set| PlayerSet(set as u8));
        let draws = sets.filter(move |set| !set.contains(player)).map(Outcome::Shared);
        let without = (0..self.dropped_out.len())
            .filter(move |&position| self.dropped_out.get(position).contains(player))
            .map(|position| (position + self.ends()) as NodeIndex);
        wins.chain(draws).map(|over| self.end(over)).chain(without)
    }

    /// Returns the results that the player does not win.
    pub fn not_won(&self, player: PlayerId) -> impl Iterator<Item = NodeIndex> + use<> {
        (0..self.ends() as NodeIndex).filter(move |&end| end != NodeIndex::from(player.0))
    }

    /// Returns how often a position has occurred up to the start; with symmetries, an upper bound.
    pub fn occurrences(&self, node: NodeIndex) -> u32 {
        match self.symmetries() {
            1 => self.occurrences.get(&node).copied().unwrap_or(0),
            _ => self.max_occurrences,
        }
    }

    /// Returns the starting position, unless the game is over there.
    pub fn start(&self) -> Option<NodeIndex> {
        (self.len() > 0).then(|| self.ends() as NodeIndex)
    }

    /// Returns the number of nodes, positions and results.
    pub fn nodes(&self) -> usize {
        self.len() + self.ends()
    }

    /// Returns the number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Returns the node of a result.
    pub fn end(&self, outcome: Outcome) -> NodeIndex {
        match outcome {
            Outcome::Win(player) => NodeIndex::from(player.0),
            Outcome::Draw => self.players as NodeIndex,
            Outcome::Shared(among) if among.len() == self.players => self.players as NodeIndex,
            Outcome::Shared(among) => (self.players + 1) as NodeIndex + NodeIndex::from(among.0),
        }
    }

    /// Returns the actor in a position: a player's index, or [`CHANCE`].
    pub fn actor(&self, node: NodeIndex) -> u8 {
        self.actors.get(node as usize - self.ends())
    }

    /// Returns the successors of a node; results have none.
    pub fn after(&self, node: NodeIndex) -> impl DoubleEndedIterator<Item = NodeIndex> + '_ {
        self.edges(node).map(|edge| self.target(edge))
    }

    /// Returns the numbers of the edges to the successors of a node.
    pub fn edges(&self, node: NodeIndex) -> Range<usize> {
        let until = |position: usize| self.until.get(position) as usize;
        match (node as usize).checked_sub(self.ends()) {
            None => 0..0,
            Some(0) => 0..until(0),
            Some(position) => until(position - 1)..until(position),
        }
    }

    /// Returns the target node of an edge.
    pub fn target(&self, edge: usize) -> NodeIndex {
        self.after.get(edge)
    }

    /// Returns the number of edges.
    pub fn edge_count(&self) -> usize {
        self.after.len()
    }

    /// Builds the predecessor lists, by counting sort.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if they do not fit into the budget.
    pub fn reversed(&self, memory_budget: &mut MemoryBudget) -> Result<Reversed, RanOut> {
        let mut from = memory_budget.array(0u64, self.nodes() + 1)?;
        let mut before = memory_budget.array(0 as NodeIndex, self.after.len())?;
        let positions = || self.ends() as NodeIndex..self.nodes() as NodeIndex;
        positions()
            .for_each(|node| self.after(node).for_each(|after| from[after as usize + 1] += 1));
        for node in 0..self.nodes() {
            from[node + 1] += from[node];
        }
        for node in positions() {
            for after in self.after(node) {
                // Filling advances each start to the start of the next node, hence the rotation
                // below.
                let place = &mut from[after as usize];
                before[*place as usize] = node;
                *place += 1;
            }
        }
        from.rotate_right(1);
        from[0] = 0;
        Ok(Reversed { from, before })
    }
}

/// The predecessors of each node, in compressed sparse rows.
pub struct Reversed {
    from: Vec<u64>,
    before: Vec<NodeIndex>,
}

impl Reversed {
    /// Frees the lists.
    pub fn drop(self, memory_budget: &mut MemoryBudget) {
        memory_budget.drop(self.from);
        memory_budget.drop(self.before);
    }

    /// Returns the positions with a ply to the node, once per ply.
    pub fn before(&self, node: NodeIndex) -> &[NodeIndex] {
        &self.before[self.from[node as usize] as usize..self.from[node as usize + 1] as usize]
    }
}

/// Returns the teams that have dropped out.
fn dropped_out(state: &State) -> PlayerSet {
    let rules = state.game().rules();
    let Some(drop_outs) = rules.drop_outs else { return PlayerSet(0) };
    let snapshot = state.snapshot();
    let out = snapshot.memories.get(drop_outs.out.index()).map_or(&[][..], Vec::as_slice);
    let is_out = |player: &PlayerId| out.get(player.index()) == Some(&MemoryValue::Condition(true));
    let players = (0..rules.players.len() as u16).map(PlayerId);
    players.filter(is_out).map(|player| rules.teams.of(player)).collect()
}
