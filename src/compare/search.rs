//! Exact breadth-first search over pairs of positions until a pair differs.
//!
//! # Repetition rules
//!
//! With a repetition rule, the future depends on history. [`HistoryMode::Ignored`] identifies pairs
//! by their positions alone, and checks after each ply the effect of the rule if the new position
//! had occurred often enough. That covers all lines of play as long as the pairing is one-to-one,
//! so that positions repeat in both games at the same time. [`HistoryMode::Kept`] makes history
//! part of every pair: correct for any two games, but expensive.

use super::lockstep::{Halt, Pair, PairPosition, PairedPly};
use crate::budget::{Deadline, MemoryBudget};
use std::collections::{HashMap, HashSet};

/// The limits of a search.
#[derive(Clone, Debug)]
pub struct SearchBudget {
    pub deadline: Deadline,
    pub memory: MemoryBudget,
    /// The most pairs.
    pub positions: u64,
    /// The depth limit in plies.
    pub depth: u32,
    /// Whether to continue once the result can no longer be proven.
    pub continue_when_uncertain: bool,
}

/// Whether history is part of a pair's identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryMode {
    Ignored,
    Kept,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    /// A pair differs; the path to it as indices into the ordered legal plies.
    Differs(Vec<u32>),
    /// All reachable pairs agree, or all up to the depth limit.
    Complete,
    /// History matters, so that this search cannot decide.
    Uncertain,
    OutOfTime,
    OutOfMemory,
    OutOfPositions,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    pub end: SearchEnd,
    /// Pairs searched.
    pub positions: u64,
    /// The depth in plies up to which all pairs were searched.
    pub depth: u32,
}

/// Rules that do not terminate after this path.
#[derive(Clone, Debug)]
pub struct Stopped {
    pub halt: Halt,
    pub way: Vec<u32>,
}

/// The limit of pairs, with a margin for pairs added between two checks.
const MAX_PAIRS: usize = u32::MAX as usize - (1 << 24);
/// Pairs between two checks of the limits.
const CHECK_INTERVAL: u64 = 256;

/// Approximate bytes per known pair, with its link to the parent.
const BYTES_PER_PAIR: usize = 16 * 2 + 8;

struct SearchNode {
    parent: u32,
    ply: u32,
}

/// A search in progress.
pub struct Search<'p, 'n> {
    pair: &'p mut Pair<'n>,
    past: HistoryMode,
    known: HashSet<u128>,
    nodes: Vec<SearchNode>,
    next: Vec<(u32, PairPosition)>,
    /// The size of a pair in bytes.
    size: usize,
    bytes: Vec<u8>,
    /// The partner of each position on the other side; empty if repetition cannot matter.
    partners: [HashMap<u128, u128>; 2],
    /// Whether some position has two partners.
    is_ambiguous: bool,
    /// The pairs first reached in the next layer, where repetition can matter.
    next_depth: HashSet<u128>,
    /// Whether some ply leads to a pair of this layer or an earlier one, so that a cycle is
    /// possible.
    returns: bool,
    /// Whether repetition could have a consequence that the search does not follow.
    doubtful: bool,
}

impl<'p, 'n> Search<'p, 'n> {
    /// Creates a search from the current pair.
    pub fn new(pair: &'p mut Pair<'n>, past: HistoryMode) -> Search<'p, 'n> {
        let start = pair.place(past == HistoryMode::Kept);
        let mut bytes = Vec::new();
        let key = start.key(&mut bytes);
        let size = 2 * bytes.len();
        let partners = Default::default();
        let mut search = Search {
            pair,
            past,
            known: HashSet::from([key]),
            nodes: vec![SearchNode { parent: 0, ply: 0 }],
            next: Vec::new(),
            size,
            bytes,
            partners,
            is_ambiguous: false,
            next_depth: HashSet::new(),
            returns: false,
            doubtful: false,
        };
        search.pair_up(&start);
        search.next.push((0, start));
        search
    }

    fn repetitions(&self) -> [Option<u32>; 2] {
        self.pair
            .games()
            .map(|game| game.rules().repetition.as_ref().map(|repetition| repetition.times))
    }

    /// Tests if repetition can matter and is not tracked.
    fn may_repeat(&self) -> bool {
        self.past == HistoryMode::Ignored && self.repetitions() != [None, None]
    }

    /// Runs the search to its end or a limit.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the rules of a game do not terminate.
    pub fn run(
        mut self,
        budget: &SearchBudget,
        watch: &mut dyn FnMut(u64, u32),
    ) -> Result<SearchResult, Stopped> {
        let mut deadline = budget.deadline.clone();
        let mut positions = 0u64;
        let mut depth = 0;
        loop {
            let layer = std::mem::take(&mut self.next);
            self.next_depth.clear();
            let mut memory_use: usize = layer.iter().map(|(_, place)| place.size(self.size)).sum();
            for (node, place) in layer {
                let mut short = None;
                if positions.is_multiple_of(CHECK_INTERVAL) {
                    watch(positions, depth);
                    short = self.out_of(budget, memory_use);
                }
                let doubt = (!budget.continue_when_uncertain && !self.is_certain())
                    .then_some(SearchEnd::Uncertain);
                let late = deadline.is_over().then_some(SearchEnd::OutOfTime);
                let full = (positions >= budget.positions).then_some(SearchEnd::OutOfPositions);
                if let Some(end) = doubt.or(late).or(short).or(full) {
                    return Ok(SearchResult { end, positions, depth: depth.saturating_sub(1) });
                }
                positions += 1;
                self.pair.go_to(&place);
                let Some(plies) =
                    self.pair.agree().map_err(|halt| self.stopped(halt, node, None))?
                else {
                    return Ok(SearchResult {
                        end: SearchEnd::Differs(self.way(node)),
                        positions,
                        depth: depth.saturating_sub(1),
                    });
                };
                if depth < budget.depth {
                    let before = self.next.len();
                    if !self.expand(node, &place, &plies, &mut deadline)? {
                        return Ok(SearchResult {
                            end: SearchEnd::OutOfTime,
                            positions,
                            depth: depth.saturating_sub(1),
                        });
                    }
                    memory_use += self.next[before..]
                        .iter()
                        .map(|(_, place)| place.size(self.size))
                        .sum::<usize>();
                }
            }
            if self.next.is_empty() {
                let doubt = !budget.continue_when_uncertain && !self.is_certain();
                return Ok(SearchResult {
                    end: if doubt { SearchEnd::Uncertain } else { SearchEnd::Complete },
                    positions,
                    depth,
                });
            }
            depth += 1;
        }
    }

    /// Checks the limits of memory and pairs; `memory_use` is the memory of the queued positions.
    fn out_of(&self, budget: &SearchBudget, memory_use: usize) -> Option<SearchEnd> {
        let taken = self.nodes.len() * BYTES_PER_PAIR
            + self.partners[0].len() * 4 * BYTES_PER_PAIR
            + memory_use;
        match () {
            _ if budget.memory.has(taken as u64).is_err() || self.nodes.len() > MAX_PAIRS => {
                Some(SearchEnd::OutOfMemory)
            }
            _ => None,
        }
    }

    /// Tests if ignoring history is exact so far: positions cannot repeat, or they repeat in both
    /// games at the same time with the same consequence.
    fn is_certain(&self) -> bool {
        let [left, right] = self.repetitions();
        !self.may_repeat()
            || !self.is_ambiguous && (!self.returns || left == right && !self.doubtful)
    }

    /// Queues the successors of a pair; returns false if time runs out.
    fn expand(
        &mut self,
        node: u32,
        place: &PairPosition,
        plies: &[PairedPly],
        deadline: &mut Deadline,
    ) -> Result<bool, Stopped> {
        for (ply, index) in plies.iter().zip(0..) {
            if deadline.is_over() {
                return Ok(false);
            }
            if index > 0 {
                self.pair.go_to(place);
            }
            self.pair.play(ply).map_err(|halt| self.stopped(halt, node, Some(index)))?;
            let reached = self.pair.place(self.past == HistoryMode::Kept);
            let key = reached.key(&mut self.bytes);
            self.repeat(place, ply).map_err(|halt| self.stopped(halt, node, Some(index)))?;
            let is_new = self.known.insert(key);
            if self.may_repeat() {
                if is_new {
                    self.next_depth.insert(key);
                }
                self.returns |= !self.next_depth.contains(&key);
            }
            if is_new {
                self.pair_up(&reached);
                self.next.push((self.nodes.len() as u32, reached));
                self.nodes.push(SearchNode { parent: node, ply: index });
            }
        }
        Ok(true)
    }

    /// Checks the result of the ply if the new position had occurred often enough for the
    /// repetition rule: both games should end with the same result.
    fn repeat(&mut self, place: &PairPosition, ply: &PairedPly) -> Result<(), Halt> {
        let [Some(times), Some(other)] = self.repetitions() else { return Ok(()) };
        if self.past == HistoryMode::Kept || times != other || self.pair.is_over() {
            return Ok(());
        }
        let hashes = self.pair.hashes();
        self.pair.go_to_after(place, &hashes, times as usize - 1);
        self.pair.play(ply)?;
        let [left, right] = self.pair.seen();
        self.doubtful |= left != right || !self.pair.is_over();
        Ok(())
    }

    /// Records which positions are paired.
    fn pair_up(&mut self, place: &PairPosition) {
        if self.is_ambiguous || !self.may_repeat() {
            return;
        }
        let [left, right] = place.keys(&mut self.bytes);
        for (partners, (one, other)) in self.partners.iter_mut().zip([(left, right), (right, left)])
        {
            self.is_ambiguous |= *partners.entry(one).or_insert(other) != other;
        }
    }

    /// Returns the path to a node.
    fn way(&self, mut node: u32) -> Vec<u32> {
        let mut way = Vec::new();
        while node > 0 {
            let SearchNode { parent, ply } = self.nodes[node as usize];
            way.push(ply);
            node = parent;
        }
        way.reverse();
        way
    }

    fn stopped(&self, halt: Halt, node: u32, ply: Option<u32>) -> Stopped {
        Stopped { halt, way: self.way(node).into_iter().chain(ply).collect() }
    }
}
