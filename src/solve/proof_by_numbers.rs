//! Proof-number search: it continues at the node where a proof or a refutation seems nearest, so it
//! finds long narrow proofs, as of races, in fewer positions than alpha-beta does.
//!
//! It gives up a question once a position repeats on its path: results that follow from a
//! repetition hold on this path alone.

use super::lookahead::Lookahead;
use super::number_search::{Expansion, Graph, NumberSearch, Numbers, Open};
use super::number_table::NumberTable;
use super::packed::unpack;
use super::proof::Shared;
use super::proof_table::{Fresh, Proven};
use super::tags::Tag;
use super::{Clock, RanOut, Stopped};
use crate::budget::MemoryBudget;
use crate::engine::game::Turn;
use crate::language::rules::PlayerId;
use rustc_hash::FxHashSet;

/// Upper bounds of the bytes per open successor, without its position, and per position on the
/// path.
const OPEN_BYTES: u64 = 3 * size_of::<Open<Tag>>() as u64;
const STEP_BYTES: u64 = 512;

/// A proof search by numbers over the positions reachable from one.
pub struct ByNumbers {
    search: NumberSearch<Tag, Proven>,
    ahead: Lookahead,
    /// The packed positions of the open successors.
    positions: Vec<u64>,
    /// The positions on the path.
    path: FxHashSet<Tag>,
    numbers: NumberTable,
    memory: u64,
    memory_budget: MemoryBudget,
    /// The results found while the table must not change.
    pub fresh: Fresh,
    has_ended: bool,
}

impl ByNumbers {
    /// Creates a search with `for_numbers` bytes for numbers and `memory` bytes for its path.
    pub fn new(ahead: Lookahead, for_numbers: u64, memory: u64) -> ByNumbers {
        ByNumbers {
            search: NumberSearch::new(),
            ahead,
            positions: Vec::new(),
            path: FxHashSet::default(),
            numbers: NumberTable::new(for_numbers),
            memory,
            memory_budget: MemoryBudget::new(memory),
            fresh: Fresh::default(),
            has_ended: false,
        }
    }

    /// Returns the number of expanded positions.
    pub fn nodes(&self) -> u64 {
        self.search.nodes
    }

    /// Ends the search of a question.
    pub fn end(&mut self) {
        self.search.end();
        self.positions.clear();
        self.path.clear();
        self.memory_budget = MemoryBudget::new(self.memory);
        self.has_ended = false;
    }

    /// Tests if the search has given up the question or answered it, and has nothing left to do.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Searches if a player wins from a position, until this many positions were expanded in total,
    /// and keeps the results. The search [ends](Self::has_ended) if a position repeats or its
    /// memory is full.
    ///
    /// # Errors
    /// Stops if time runs out, or if the rules do not terminate somewhere; the search then ends,
    /// too.
    pub fn prove(
        &mut self,
        from: (Tag, &[u64]),
        player: PlayerId,
        shared: &Shared,
        until: u64,
        clock: &mut Clock,
    ) -> Result<(), Stopped> {
        if self.has_ended {
            return Ok(());
        }
        if !self.search.is_begun() {
            self.search.begin(from.0);
            unpack(from.1, &mut self.ahead.position);
        }
        let ByNumbers { search, ahead, positions, path, numbers, memory_budget, fresh, .. } = self;
        let nodes = search.nodes;
        let mut graph = Positions {
            ahead,
            positions,
            path,
            numbers,
            memory_budget,
            fresh,
            shared,
            player,
            nodes,
            repeats: false,
            clock,
        };
        let found = search.search(&mut graph, until);
        let repeats = graph.repeats;
        if matches!(found, Ok(None)) {
            return Ok(());
        }
        self.end();
        self.has_ended = true;
        match found {
            Err(Stopped::RanOut(RanOut::Memory)) => Ok(()),
            Err(_) if repeats => Ok(()),
            found => found.map(|_| ()),
        }
    }
}

/// The positions of a game, with the question if a player wins.
struct Positions<'a, 't> {
    ahead: &'a mut Lookahead,
    positions: &'a mut Vec<u64>,
    path: &'a mut FxHashSet<Tag>,
    numbers: &'a mut NumberTable,
    memory_budget: &'a mut MemoryBudget,
    fresh: &'a mut Fresh,
    shared: &'a Shared,
    player: PlayerId,
    nodes: u64,
    /// Whether a position has occurred on its path before.
    repeats: bool,
    clock: &'a mut Clock<'t>,
}

impl Positions<'_, '_> {
    /// Returns an upper bound of the bytes of open successors.
    fn bytes(&self, open: usize) -> u64 {
        (OPEN_BYTES + 3 * 8 * self.ahead.words as u64) * open as u64
    }
}

impl Graph for Positions<'_, '_> {
    type Key = Tag;
    type Answer = Proven;

    fn expand(
        &mut self,
        tag: Tag,
        open: &mut Vec<Open<Tag>>,
    ) -> Result<Expansion<Proven>, Stopped> {
        let (player, shared, place) = (self.player, self.shared, self.path.len());
        if let Some(known) = self.fresh.look(shared, tag, player) {
            return Ok(Expansion::Settled(known));
        }
        self.nodes += 1;
        self.clock.tick(self.nodes)?;
        let wants = self.ahead.expand(place)? == Turn::Player(player);
        let mut otherwise = Proven::by_default(wants, player);
        // The result that settles the position, with its ply.
        let mut settled: Option<(Proven, u16)> = None;
        let first = open.len();
        let numbers = &*self.numbers;
        let prefetch = |tag| {
            shared.table.prefetch(tag);
            numbers.prefetch(tag, player);
        };
        while settled.is_none_or(|(proven, _)| !proven.is_decisive())
            && self.ahead.look(prefetch, self.nodes, self.clock)?
        {
            for after in self.ahead.batch() {
                match after.known(player, |tag| self.fresh.look(shared, tag, player)) {
                    None if after.tag == tag || self.path.contains(&after.tag) => {
                        self.repeats = true;
                        return Err(RanOut::Steps.into());
                    }
                    None => {
                        let acts = after.turn == Turn::Player(player);
                        let known = numbers.get(after.tag, player);
                        let numbers = known.unwrap_or(Numbers::open(acts, after.replies));
                        open.push(Open { key: after.tag, numbers });
                        self.positions.extend_from_slice(self.ahead.packed(after.at));
                    }
                    Some(known) if known.is_win_of(player) != wants => {
                        otherwise = otherwise.weaker(known);
                    }
                    // A later ply may not only prevent the other player's win but win itself.
                    Some(known) if settled.is_none() || known.is_decisive() => {
                        settled = Some((known, after.place));
                    }
                    Some(_) => {}
                }
            }
        }
        if let Some((proven, ply_place)) = settled {
            open.truncate(first);
            self.positions.truncate(first * self.ahead.words);
            self.ahead.order.remember(place + 1, ply_place);
            self.keep(tag, proven, 1)?;
            return Ok(Expansion::Settled(proven));
        }
        self.memory_budget.take(STEP_BYTES + self.bytes(open.len() - first))?;
        self.path.insert(tag);
        Ok(Expansion::Open { wants, otherwise })
    }

    fn go_to(&mut self, place: usize) {
        let words = self.ahead.words;
        unpack(&self.positions[place * words..], &mut self.ahead.position);
    }

    fn leave(&mut self, tag: Tag, open: usize) {
        let words = self.ahead.words;
        let left = self.positions.len() / words - open;
        self.memory_budget.give_back(STEP_BYTES + self.bytes(left));
        self.positions.truncate(open * words);
        self.path.remove(&tag);
    }

    fn keep(&mut self, tag: Tag, proven: Proven, work: u64) -> Result<(), Stopped> {
        self.fresh.keep(self.shared, tag, proven, work);
        Ok(())
    }

    fn note(&mut self, tag: Tag, numbers: Numbers) -> Result<(), Stopped> {
        self.numbers.keep(tag, self.player, numbers);
        Ok(())
    }

    fn is_yes(&self, proven: Proven) -> bool {
        proven.is_win_of(self.player)
    }

    fn both(&self, one: Proven, other: Proven) -> Proven {
        one.weaker(other)
    }
}
