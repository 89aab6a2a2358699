//! The proof search of a solver: its questions, its table, and its rounds.
//!
//! A question is first given to one search. If it takes many positions, helpers join, more of them
//! the longer it takes. They work in rounds: in each, every search expands the same number of
//! positions, on any free thread, and reads a table that does not change; afterwards the results
//! are written to the table, in the order of the searches. So all results and the number of
//! positions are the same on any number of threads.
//!
//! Helpers search successors of the positions on the path of the first search, nearest to its
//! beginning first, where the first successor has not decided (Rainer Feldmann, Burkhard Monien,
//! Peter Mysliwietz and Oliver Vornberger, *Distributed Game-Tree Search*, ICCA Journal 12, 1989:
//! the young brothers wait). The first search puts these successors off, and leaves a position that
//! a helper has settled.
//!
//! Beside them, a proof-number search works on the question itself: briefly if the question is
//! hard, since it finds some proofs at once, and for most of the positions if it is very hard.
//!
//! The table holds only results that are true of a position whatever its history.

use super::lookahead::Lookahead;
use super::packed::pack;
use super::proof_by_numbers::ByNumbers;
use super::proof_helper::{Helper, NumbersTask, Round, deal, search_round};
use super::proof_search::Search;
use super::proof_table::{Proven, Table};
use super::tags::{Tag, Tagger};
use super::{Clock, RanOut, Stopped};
use crate::engine::game::State;
use crate::engine::position::Outcome;
use crate::language::rules::PlayerId;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The number of helpers of a question, from this many expanded positions on.
const HELPERS: [(u64, usize); 4] = [(1 << 12, 1), (1 << 18, 3), (1 << 22, 7), (1 << 26, 15)];
/// A new helper gets 1 / this of the memory that is left to the first search.
const HELPER_PART: u64 = 16;
/// Machine code pays from this many positions of a question on.
const FOR_MACHINE_CODE: u64 = 1 << 14;
/// The search by numbers expands 1 / this of the positions of the others, up to [`GLANCE`]
/// positions.
const GLANCE_PART: u64 = 16;
const GLANCE: u64 = 1 << 16;
/// From this many positions of the others on, it expands [`BY_NUMBERS_EACH`] for each of their
/// positions.
const BY_NUMBERS: u64 = 1 << 23;
const BY_NUMBERS_EACH: u64 = 2;
/// The number of positions that every search expands in a round.
const ROUND: u64 = 1 << 10;

/// The data that the searches of a question share.
pub struct Shared {
    pub table: Table,
    /// Whether the table must not change, as in a round.
    pub is_frozen: bool,
    /// Whether the search must pause because the table has to grow.
    is_paused: AtomicBool,
}

impl Shared {
    /// Creates an empty table that may take this many bytes.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if not even the smallest table fits.
    pub fn new(bytes: u64) -> Result<Shared, RanOut> {
        let table = Table::new(bytes)?;
        Ok(Shared { table, is_frozen: false, is_paused: AtomicBool::default() })
    }

    /// Stores a result with the number of positions that it took.
    #[inline]
    pub fn keep(&self, tag: Tag, proven: Proven, work: u64) {
        if self.table.keep(tag, proven, work) {
            self.is_paused.store(true, Relaxed);
        }
    }

    pub fn is_paused(&self) -> bool {
        self.is_paused.load(Relaxed)
    }
}

/// A proof search over the positions reachable from one.
pub struct Prover {
    shared: Shared,
    first: Search,
    helpers: Vec<Helper>,
    by_numbers: Option<ByNumbers>,
    /// The number of threads on which rounds run.
    threads: usize,
    /// The memory limit in bytes.
    memory: u64,
    asked: Option<Question>,
    /// Searches that have no other limit stop when this many positions were expanded.
    pub until: u64,
    /// Whether questions are searched by numbers alone, as long as no position repeats.
    pub numbers_alone: bool,
}

/// A question whose search has paused.
struct Question {
    tag: Tag,
    /// The packed position.
    packed: Vec<u64>,
    player: PlayerId,
    /// The number of positions expanded before the question, in total and by numbers.
    since: u64,
    since_by_numbers: u64,
}

impl Prover {
    /// Creates a search whose rounds run on a number of threads, and whose table may take 3/4 of
    /// `memory` bytes.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if not even the smallest table fits.
    pub fn new(
        from: &State,
        symmetric: bool,
        memory: u64,
        threads: usize,
    ) -> Result<Prover, RanOut> {
        let shared = Shared::new(for_table(memory))?;
        let ahead = Lookahead::new(from, Tagger::new(from, symmetric));
        let first = Search::new(ahead, for_searches(memory));
        Ok(Prover {
            shared,
            first,
            helpers: Vec::new(),
            by_numbers: None,
            threads,
            memory,
            asked: None,
            until: u64::MAX,
            numbers_alone: false,
        })
    }

    /// Returns how many positions were expanded.
    pub fn nodes(&self) -> u64 {
        self.searches().map(|search| search.nodes).sum::<u64>() + self.nodes_by_numbers()
    }

    fn nodes_by_numbers(&self) -> u64 {
        self.by_numbers.as_ref().map_or(0, ByNumbers::nodes)
    }

    /// Tests if a repetition was ever met.
    pub fn met_repetition(&self) -> bool {
        self.searches().any(|search| search.round)
    }

    fn searches(&self) -> impl Iterator<Item = &Search> {
        std::iter::once(&self.first).chain(self.helpers.iter().map(|helper| &helper.search))
    }

    /// Returns the number of symmetries under which positions are identified.
    pub fn symmetries(&self) -> usize {
        self.first.ahead.tagger.symmetries()
    }

    /// Changes the memory: it can only grow.
    pub fn set_memory(&mut self, memory: u64) {
        let memory = memory.max(self.memory);
        let before = std::mem::replace(&mut self.memory, memory);
        self.shared.table.allow(for_table(memory) - for_table(before));
        self.first.memory_budget.raise(for_searches(memory));
    }

    /// Decides if a player can force a win from the position of a state.
    ///
    /// # Errors
    /// Stops if memory or time runs out, at the number of positions [`until`](Self::until), or if
    /// the rules do not terminate somewhere.
    pub fn wins(
        &mut self,
        player: PlayerId,
        of: &State,
        clock: &mut Clock,
    ) -> Result<bool, Stopped> {
        let wins = self.decide(player, of, self.until, clock)?;
        wins.ok_or(Stopped::RanOut(RanOut::Steps))
    }

    /// As [`wins`](Self::wins), but pauses when this many positions were expanded in total, and
    /// returns `None`. The same question is then resumed.
    ///
    /// # Errors
    /// As [`wins`](Self::wins).
    pub fn decide(
        &mut self,
        player: PlayerId,
        of: &State,
        until: u64,
        clock: &mut Clock,
    ) -> Result<Option<bool>, Stopped> {
        if let Some(outcome) = of.team_outcome() {
            return Ok(Some(outcome == Outcome::Win(player)));
        }
        let tag = self.first.tag(of);
        if let Some(known) = self.shared.table.look(tag, player) {
            return Ok(Some(known.is_win_of(player)));
        }
        let asked = self.asked.take().filter(|asked| (asked.tag, asked.player) == (tag, player));
        let asked = asked.unwrap_or_else(|| {
            self.first.end();
            self.helpers.iter_mut().for_each(Helper::end);
            self.by_numbers.iter_mut().for_each(ByNumbers::end);
            let (since, since_by_numbers) = (self.nodes(), self.nodes_by_numbers());
            let mut packed = Vec::new();
            pack(&of.position(), &mut packed);
            Question { tag, packed, player, since, since_by_numbers }
        });
        loop {
            let found = self.search(&asked, of, until, clock)?;
            if self.shared.table.is_crowded() {
                self.shared.table.grow();
            }
            if found.is_some() || self.nodes() >= until {
                if found.is_none() {
                    self.asked = Some(asked);
                }
                return Ok(found.map(|found| found.is_win_of(player)));
            }
        }
    }

    /// Searches until a question is decided, the table has to grow, or this many positions were
    /// expanded in total.
    fn search(
        &mut self,
        asked: &Question,
        of: &State,
        until: u64,
        clock: &mut Clock,
    ) -> Result<Option<Proven>, Stopped> {
        let nodes = self.nodes();
        if nodes >= until {
            return Ok(None);
        }
        if self.numbers_alone {
            let others = nodes - self.nodes_by_numbers();
            self.begin_by_numbers()?;
            if let Some(search) = self.by_numbers.as_mut().filter(|search| !search.has_ended()) {
                let until = until.min(nodes + ROUND) - others;
                let from = (asked.tag, &asked.packed[..]);
                search.prove(from, asked.player, &self.shared, until, clock)?;
                return Ok(self.shared.table.look(asked.tag, asked.player));
            }
        }
        let taken = nodes - asked.since;
        if taken >= FOR_MACHINE_CODE {
            of.game().jit_compile_in_background();
        }
        *self.shared.is_paused.get_mut() = false;
        self.first.begin(of)?;
        self.first.others = nodes - self.first.nodes;
        let count = HELPERS.iter().take_while(|(from, _)| taken >= *from).last();
        let Some(&(_, count)) = count else {
            let alone = until.min(asked.since.saturating_add(HELPERS[0].0));
            let until = alone - self.first.others;
            return self.first.prove(&self.shared, asked.player, until, None, clock);
        };
        while self.helpers.len() < count {
            let memory = self.first.memory_budget.left() / HELPER_PART;
            self.first.memory_budget.take(memory)?;
            self.helpers.push(Helper::new(self.first.another(memory)));
        }
        self.begin_by_numbers()?;
        let others = taken - (self.nodes_by_numbers() - asked.since_by_numbers);
        let Prover { shared, first, helpers, by_numbers, threads, .. } = self;
        let (helpers, player) = (&mut helpers[..count], asked.player);
        let searched = helpers.iter().flat_map(|helper| &helper.searched);
        let elsewhere = first.settled_elsewhere(shared, searched, player);
        deal(first, helpers, shared, player);
        let each = ROUND.min((until - nodes).div_ceil(1 + count as u64));
        let until = asked.since_by_numbers + due_by_numbers(others + each * (1 + count as u64));
        let by_numbers = by_numbers.as_mut().map(|search| {
            let from = (asked.tag, &asked.packed[..]);
            NumbersTask { search, from, until }
        });
        shared.is_frozen = true;
        let round = Round { shared, player, positions: each, threads: *threads };
        let found = search_round(&round, first, elsewhere, helpers, by_numbers, clock);
        shared.is_frozen = false;
        let searches = helpers.iter_mut().map(|helper| &mut helper.search.fresh);
        let by_numbers = self.by_numbers.iter_mut().map(|search| &mut search.fresh);
        for fresh in std::iter::once(&mut first.fresh).chain(searches).chain(by_numbers) {
            fresh.move_to(&mut shared.table);
        }
        found
    }

    /// Creates the search by numbers, unless there is one.
    fn begin_by_numbers(&mut self) -> Result<(), RanOut> {
        if self.by_numbers.is_none() {
            let memory = self.first.memory_budget.left() / HELPER_PART;
            self.first.memory_budget.take(memory)?;
            let (ahead, for_numbers) = (self.first.ahead.another(), for_searches(self.memory));
            self.by_numbers = Some(ByNumbers::new(ahead, for_numbers, memory));
        }
        Ok(())
    }

    /// Asks a new search that begins at a state, with half of the remaining memory: its rule of
    /// repetition counts every position that the state came through.
    ///
    /// # Errors
    /// As [`Prover::wins`].
    pub fn anew<T>(
        &mut self,
        from: &State,
        ask: impl FnOnce(&mut Prover) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        let memory = self.first.memory_budget.left() / 2;
        let mut anew = Prover::new(from, false, memory, 1)?;
        self.first.memory_budget.take(memory)?;
        let before = self.nodes();
        anew.until = self.until.saturating_sub(before);
        anew.numbers_alone = self.numbers_alone;
        let answer = ask(&mut anew);
        self.first.nodes += anew.nodes();
        self.first.memory_budget.give_back(memory);
        answer
    }

    /// Looks up if a player can force a win from the position of a state, with the bit length of
    /// the number of positions that the proof took.
    pub fn known(&mut self, player: PlayerId, of: &State) -> Option<(bool, u64)> {
        if let Some(outcome) = of.team_outcome() {
            return Some((outcome == Outcome::Win(player), 0));
        }
        let tag = self.first.tag(of);
        let table = &self.shared.table;
        Some((table.look(tag, player)?.is_win_of(player), table.work(tag)?))
    }
}

/// Returns how many positions are to be expanded by numbers when the others have expanded `others`.
fn due_by_numbers(others: u64) -> u64 {
    (others / GLANCE_PART).min(GLANCE) + BY_NUMBERS_EACH * others.saturating_sub(BY_NUMBERS)
}

/// Returns the bytes that the table may take.
fn for_table(memory: u64) -> u64 {
    memory / 4 * 3
}

/// Returns the bytes for paths; numbers get as many.
fn for_searches(memory: u64) -> u64 {
    memory / 8
}
