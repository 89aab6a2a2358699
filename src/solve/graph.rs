//! Every position that can arise, with what its plies lead to.
//!
//! In: a match. Out: positions by number in the order in which they were found, who acts in each,
//! and the numbers of those after it. The first is the match's own. It refuses to know what
//! anything is worth, and it heeds no rule of repetition: a position is the same whatever came
//! before it, save that what was played before the match's own position counts.

use super::canonical::Canonicalizer;
use super::key::Store;
use super::memory::{ChunkedVec, MemoryBudget};
use super::{Clock, RanOut, Stopped};
use crate::engine::game::{State, Turn};
use crate::engine::position::{Outcome, Position};

/// A position, or an end of the game: the numbers below [`Graph::ends`] are ends.
pub type NodeIndex = u32;

/// Nobody's ply but chance's.
pub const CHANCE: u8 = u8::MAX;

/// The positions and what leads where.
pub struct Graph {
    players: usize,
    /// By position, who acts.
    actors: ChunkedVec<u8>,
    /// By position, where its plies end in `after`.
    until: ChunkedVec<u64>,
    after: ChunkedVec<NodeIndex>,
    store: Store,
    canonicalizer: Canonicalizer,
}

impl Graph {
    /// Finds every position.
    ///
    /// # Errors
    /// Tells if memory or time ran out, or the rules go round without end somewhere.
    pub fn explore(
        from: &State,
        symmetric: bool,
        memory_budget: &mut MemoryBudget,
        clock: &mut Clock,
    ) -> Result<Graph, Stopped> {
        let canonicalizer = Canonicalizer::new(from, symmetric);
        let mut graph = Graph {
            players: from.game().rules().players.len(),
            actors: ChunkedVec::default(),
            until: ChunkedVec::default(),
            after: ChunkedVec::default(),
            store: Store::new(canonicalizer.words(), memory_budget)?,
            canonicalizer,
        };
        let mut state = from.clone();
        let mut position = graph.canonicalizer.blank();
        if from.outcome().is_none() {
            state.read(&mut position);
            graph.number(&position, memory_budget)?;
        }
        let mut after: Vec<NodeIndex> = Vec::new();
        let mut key = vec![0; graph.canonicalizer.words()];
        let mut at = 0;
        while at < graph.len() {
            clock.tick(graph.len() as u64)?;
            memory_budget.has(graph.memory_needed())?;
            graph.store.copy(at, &mut key);
            graph.canonicalizer.read(&key, &mut position);
            state.go_to_after(&position, from.history());
            let actor = match state.turn() {
                Turn::Player(player) => player.0 as u8,
                Turn::Chance | Turn::Nobody => CHANCE,
            };
            after.clear();
            for ply in state.candidates() {
                clock.pass(graph.len() as u64)?;
                let outcome = state.ahead(ply, |state| {
                    state.read(&mut position);
                    state.outcome()
                });
                after.push(match outcome {
                    Some(outcome) => graph.end(outcome),
                    None => graph.number(&position, memory_budget)?,
                });
            }
            if let Some(fault) = state.fault() {
                return Err(Stopped::Fault(fault));
            }
            if actor != CHANCE {
                // Plies that lead to the same are one; rolls keep their odds.
                after.sort_unstable();
                after.dedup();
            }
            for &node in &after {
                graph.after.push(node, memory_budget)?;
            }
            graph.actors.push(actor, memory_budget)?;
            graph.until.push(graph.after.len() as u64, memory_budget)?;
            at += 1;
        }
        Ok(graph)
    }

    /// How much memory it takes at most to find out what the positions are worth, as far as they
    /// are found.
    fn memory_needed(&self) -> u64 {
        // What leads where, turned round; then by node a number for each player, two where there
        // are more than two players, and two more on the way.
        let numbers = if self.players > 2 { 2 * self.players } else { 2 } + 2;
        let reversed =
            (self.nodes() + 1) * size_of::<u64>() + self.after.len() * size_of::<NodeIndex>();
        (reversed + self.nodes() * numbers * size_of::<u32>()) as u64
    }

    /// The number of a position, a new one if it is new.
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

    /// The node of a position that was found.
    pub fn find(&mut self, position: &Position) -> Option<NodeIndex> {
        // What is not there yet needs no memory that matters.
        let name =
            self.canonicalizer.canonical_key(position, &mut MemoryBudget::new(u64::MAX)).ok()?;
        self.store.find(name).map(|number| (number + self.ends()) as NodeIndex)
    }

    /// The node of where a match is, if it was found.
    pub fn node(&mut self, of: &State) -> Option<NodeIndex> {
        match of.outcome() {
            Some(outcome) => Some(self.end(outcome)),
            None => self.find(&of.position()),
        }
    }

    /// How many symmetries make positions one, the one that leaves everything where it is among
    /// them.
    pub fn symmetries(&self) -> usize {
        self.canonicalizer.symmetries()
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// How many nodes are ends: a win for each player, and a draw.
    pub fn ends(&self) -> usize {
        self.players + 1
    }

    /// How many nodes there are, positions and ends.
    pub fn nodes(&self) -> usize {
        self.len() + self.ends()
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players
    }

    /// The node of an end.
    pub fn end(&self, outcome: Outcome) -> NodeIndex {
        match outcome {
            Outcome::Win(player) => NodeIndex::from(player.0),
            Outcome::Draw => self.players as NodeIndex,
        }
    }

    /// Who acts in a position: a player's index, or [`CHANCE`].
    pub fn actor(&self, node: NodeIndex) -> u8 {
        self.actors.get(node as usize - self.ends())
    }

    /// Where the plies of a position lead; nowhere from an end.
    pub fn after(&self, node: NodeIndex) -> impl DoubleEndedIterator<Item = NodeIndex> + '_ {
        let until = |position: usize| self.until.get(position) as usize;
        let range = match (node as usize).checked_sub(self.ends()) {
            None => 0..0,
            Some(0) => 0..until(0),
            Some(position) => until(position - 1)..until(position),
        };
        range.map(|index| self.after.get(index))
    }

    /// Turns every ply round.
    ///
    /// # Errors
    /// Tells if there is no memory left for it.
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
                // Each place is used once, and then says where those of the next node begin.
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

/// What leads to each node.
pub struct Reversed {
    from: Vec<u64>,
    before: Vec<NodeIndex>,
}

impl Reversed {
    /// Gives the memory back.
    pub fn drop(self, memory_budget: &mut MemoryBudget) {
        memory_budget.drop(self.from);
        memory_budget.drop(self.before);
    }

    /// The positions with a ply to the node, as often as they have one.
    pub fn before(&self, node: NodeIndex) -> &[NodeIndex] {
        &self.before[self.from[node as usize] as usize..self.from[node as usize + 1] as usize]
    }
}
