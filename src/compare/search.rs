//! Breadth-first search over pairs of positions: all that can be reached, ply by ply, until a pair
//! does not agree. It refuses to know what the difference is.
//!
//! # Where the rules count repetitions
//!
//! What can follow then depends on what has been before. With [`HistoryMode::Ignored`] the search
//! goes by the positions alone, as if no position ever came again; to each ply it looks what would
//! follow if the position that it leads to had been there often enough. Every line of both games is
//! covered by that as long as each position of one game stands with a single one of the other: then
//! a position comes again in one game just when it does in the other. With [`HistoryMode::Kept`]
//! what has been before is a part of every pair, which is right for any two games, and takes long.

use super::lockstep::{Halt, Pair, PairPosition, PairedPly};
use crate::deadline::Deadline;
use std::collections::{HashMap, HashSet};

/// What the search may take.
#[derive(Clone, Debug)]
pub struct SearchBudget {
    pub deadline: Deadline,
    /// In bytes.
    pub memory: u64,
    /// How many plies deep.
    pub depth: u32,
    /// Whether to go on where the answer cannot be certain any more.
    pub doubts: bool,
}

/// What is known of the positions before one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryMode {
    Ignored,
    Kept,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    /// A pair does not agree; which of the sorted plies lead to it.
    Differs(Vec<u32>),
    /// Every pair that can be reached agrees, or every one to the depth asked for.
    Complete,
    /// What has been before matters, so that this search cannot be certain of its answer.
    InDoubt,
    OutOfTime,
    OutOfMemory,
}

/// What a search found out.
#[derive(Clone, Debug)]
pub struct SearchResult {
    pub end: SearchEnd,
    /// How many pairs were looked at.
    pub positions: u64,
    /// How many plies deep all pairs were looked at.
    pub depth: u32,
}

/// A game goes round without end after these of the sorted plies.
#[derive(Clone, Debug)]
pub struct Stopped {
    pub halt: Halt,
    pub way: Vec<u32>,
}

/// So many pairs can be numbered, and what one glance lets by besides.
const MAX_PAIRS: usize = u32::MAX as usize - (1 << 24);
/// After so many pairs the search looks at what it has taken.
const CHECK_INTERVAL: u64 = 256;

/// About how many bytes a pair takes up that has been seen, and the way to it.
const BYTES_PER_PAIR: usize = 16 * 2 + 8;

struct SearchNode {
    parent: u32,
    ply: u32,
}

/// A search under way.
pub struct Search<'p, 'n> {
    pair: &'p mut Pair<'n>,
    past: HistoryMode,
    known: HashSet<u128>,
    nodes: Vec<SearchNode>,
    next: Vec<(u32, PairPosition)>,
    /// How large a position is, both sides together.
    size: usize,
    bytes: Vec<u8>,
    /// Which position of the right game stands with one of the left game, and the other way round;
    /// empty where nobody needs to know.
    partners: [HashMap<u128, u128>; 2],
    /// Whether one position stands with two.
    is_ambiguous: bool,
    /// The pairs that are one ply deeper than those at hand, where what has been before matters.
    next_depth: HashSet<u128>,
    /// Whether some ply leads to a pair that can be reached in as many plies or fewer.
    returns: bool,
    /// Whether a repetition could matter that is not followed up.
    doubtful: bool,
}

impl<'p, 'n> Search<'p, 'n> {
    /// Makes a search from where the pair stands.
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

    /// Whether something hangs on positions that come again and are not told apart by what has been
    /// before.
    fn may_repeat(&self) -> bool {
        self.past == HistoryMode::Ignored && self.repetitions() != [None, None]
    }

    /// Goes on ply by ply to the end, or until it has taken what it may.
    ///
    /// # Errors
    /// Tells which game goes round without end, and after which plies.
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
                let doubt = (!budget.doubts && !self.is_certain()).then_some(SearchEnd::InDoubt);
                let late = deadline.is_over().then_some(SearchEnd::OutOfTime);
                if let Some(end) = doubt.or(late).or(short) {
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
                let doubt = !budget.doubts && !self.is_certain();
                return Ok(SearchResult {
                    end: if doubt { SearchEnd::InDoubt } else { SearchEnd::Complete },
                    positions,
                    depth,
                });
            }
            depth += 1;
        }
    }

    /// Whether the search has taken what it may, where the places to go to take up so many bytes.
    fn out_of(&self, budget: &SearchBudget, memory_use: usize) -> Option<SearchEnd> {
        let taken = self.nodes.len() * BYTES_PER_PAIR
            + self.partners[0].len() * 4 * BYTES_PER_PAIR
            + memory_use;
        match () {
            _ if taken as u64 > budget.memory || self.nodes.len() > MAX_PAIRS => {
                Some(SearchEnd::OutOfMemory)
            }
            _ => None,
        }
    }

    /// Whether nothing that is left out could say otherwise so far: no position comes again, or one
    /// does in both games together and with the same consequence.
    fn is_certain(&self) -> bool {
        let [left, right] = self.repetitions();
        !self.may_repeat()
            || !self.is_ambiguous && (!self.returns || left == right && !self.doubtful)
    }

    /// Goes on with every ply; false where the time is over before that.
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

    /// Sees what would follow the ply if the position that it leads to had been there often enough.
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

    /// Takes down which positions stand together.
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

    /// The plies that lead to a node.
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
