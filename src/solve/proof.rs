//! The proof search of a solver: its questions, its table, and its threads.
//!
//! All threads ask the same question, each with a path and an order of plies of its own, and share
//! the table. So that they do not do the same, a thread puts off a successor that another one is
//! searching, unless it is the first of its position, on which the others often do not matter; and
//! it leaves a position that another thread has settled (Jean-Christophe Weill, *The ABDADA
//! Distributed Minimax Search Algorithm*, ICCA Journal 19, 1996; Thomas Kerrigan's simplification of
//! it needs no more than a set of the positions that are being searched).
//!
//! The table holds only what is true of a position whatever its history, so the value does not
//! depend on the number of threads. How many positions it takes does. A question is asked on one
//! thread at first, so that what takes few positions needs no threads.

use super::proof_search::Search;
use super::proof_table::{Proven, Table};
use super::tags::{Tag, Tagger};
use super::{Clock, RanOut, Stopped};
use crate::engine::game::State;
use crate::engine::position::Outcome;
use crate::language::rules::PlayerId;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The positions of a question that one thread searches alone.
const ALONE: u64 = 1 << 8;
/// The number of places for positions that are being searched.
const SEARCHED: usize = 1 << 14;

/// What the threads of a search share.
pub struct Shared {
    pub table: Table,
    /// The tags of positions that are being searched, by place; one that falls on the place of
    /// another takes it. Empty with one thread.
    searched: Vec<AtomicU64>,
    /// Whether all threads are to pause: the question is decided, or the table is to grow.
    is_paused: AtomicBool,
}

impl Shared {
    /// Stores a result with the number of positions that it took.
    #[inline]
    pub fn keep(&self, tag: Tag, proven: Proven, work: u64) {
        if self.table.keep(tag, proven, work) {
            self.pause();
        }
    }

    /// Tests if several threads search.
    #[inline]
    pub fn is_shared(&self) -> bool {
        !self.searched.is_empty()
    }

    pub fn is_paused(&self) -> bool {
        self.is_paused.load(Relaxed)
    }

    fn pause(&self) {
        self.is_paused.store(true, Relaxed);
    }

    /// Tests if a thread is searching a position, this one included.
    pub fn is_searched(&self, tag: Tag) -> bool {
        self.place(tag).is_some_and(|(place, hash)| place.load(Relaxed) == hash)
    }

    /// Tells the other threads that this one begins to search a position.
    pub fn enter(&self, tag: Tag) {
        if let Some((place, hash)) = self.place(tag) {
            place.store(hash, Relaxed);
        }
    }

    /// Tells the other threads that this one has left a position.
    pub fn leave(&self, tag: Tag) {
        if let Some((place, hash)) = self.place(tag)
            && place.load(Relaxed) == hash
        {
            place.store(0, Relaxed);
        }
    }

    #[inline]
    fn place(&self, tag: Tag) -> Option<(&AtomicU64, u64)> {
        let hash = tag.hash();
        Some((self.searched.get(hash as usize % SEARCHED)?, hash | 1))
    }
}

/// A proof search over the positions reachable from one.
pub struct Prover {
    shared: Shared,
    /// One for each thread, that of the caller first.
    searches: Vec<Search>,
    /// The bytes that may be used.
    memory: u64,
    asked: Option<Question>,
    /// Searches that have no other limit stop when this many positions were expanded.
    pub until: u64,
}

/// A question whose search has paused.
struct Question {
    tag: Tag,
    player: PlayerId,
    /// The positions that were expanded before.
    since: u64,
}

impl Prover {
    /// Creates a search on a number of threads, whose table may take 7/8 of `memory` bytes.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if not even the smallest table fits.
    pub fn new(
        from: &State,
        symmetric: bool,
        memory: u64,
        threads: usize,
    ) -> Result<Prover, RanOut> {
        let table = Table::new(for_table(memory))?;
        let share = for_searches(memory) / threads as u64;
        let searches = std::iter::repeat_n(Tagger::new(from, symmetric), threads)
            .map(|tagger| Search::new(from, tagger, share))
            .collect();
        let places = if threads > 1 { SEARCHED } else { 0 };
        let searched = std::iter::repeat_with(AtomicU64::default).take(places).collect();
        let shared = Shared { table, searched, is_paused: AtomicBool::default() };
        Ok(Prover { shared, searches, memory, asked: None, until: u64::MAX })
    }

    /// Returns how many positions were expanded.
    pub fn nodes(&self) -> u64 {
        self.searches.iter().map(|search| search.nodes).sum()
    }

    /// Tests if a repetition was ever met.
    pub fn met_repetition(&self) -> bool {
        self.searches.iter().any(|search| search.round)
    }

    /// Returns the number of symmetries under which positions are identified.
    pub fn symmetries(&self) -> usize {
        self.searches[0].tagger.symmetries()
    }

    /// Changes the memory: it can only grow.
    pub fn set_memory(&mut self, memory: u64) {
        let memory = memory.max(self.memory);
        let before = std::mem::replace(&mut self.memory, memory);
        self.shared.table.allow(for_table(memory) - for_table(before));
        let share = for_searches(memory) / self.searches.len() as u64;
        for search in &mut self.searches {
            search.memory_budget.raise(share);
        }
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

    /// As [`wins`](Self::wins), but pauses when this many positions were expanded in all, and returns
    /// `None`. The same question then goes on where it paused.
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
        if let Some(outcome) = of.personal_outcome() {
            return Ok(Some(outcome == Outcome::Win(player)));
        }
        let tag = self.searches[0].tag(of);
        if let Some(known) = self.shared.table.look(tag, player) {
            return Ok(Some(known.is_win_of(player)));
        }
        let asked = self.asked.take().filter(|asked| (asked.tag, asked.player) == (tag, player));
        let asked = asked.unwrap_or_else(|| {
            self.searches.iter_mut().for_each(Search::end);
            Question { tag, player, since: self.nodes() }
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

    /// Searches until a question is decided, the table is to grow, or this many positions were
    /// expanded in all.
    fn search(
        &mut self,
        asked: &Question,
        of: &State,
        until: u64,
        clock: &mut Clock,
    ) -> Result<Option<Proven>, Stopped> {
        let nodes = self.nodes();
        self.shared.is_paused.store(false, Relaxed);
        let Prover { shared, searches, .. } = self;
        let Some((first, others)) = searches.split_first_mut() else { return Ok(None) };
        first.begin(of)?;
        first.others = nodes - first.nodes;
        let alone = asked.since.saturating_add(ALONE);
        let is_alone = others.is_empty() || nodes < alone;
        if is_alone {
            let until = if others.is_empty() { until } else { until.min(alone) };
            return first.prove(shared, asked.player, until - first.others, clock);
        }
        let each = (until - nodes).div_ceil(1 + others.len() as u64);
        let help = |search: &mut Search, clock: &mut Clock| {
            let until = search.nodes.saturating_add(each);
            let found = search.prove(shared, asked.player, until, clock);
            if !matches!(found, Ok(None)) {
                shared.pause();
            }
            found
        };
        std::thread::scope(|scope| {
            let mut helpers = Vec::new();
            for search in others {
                search.learn(first);
                if search.begin(of).is_ok() {
                    helpers
                        .push(scope.spawn(|| help(search, &mut Clock::free(&mut |_| true)).ok()?));
                }
            }
            let mut found = help(first, clock);
            shared.pause();
            for helper in helpers {
                // What ends a helper, such as its memory, does not end the search.
                if let Ok(Some(helped)) = helper.join() {
                    found = Ok(Some(helped));
                }
            }
            found
        })
    }

    /// Asks a search that begins at a state, with half of the memory that is left: to it, every
    /// position that the state came through counts for the rule of repetition.
    ///
    /// # Errors
    /// As [`Prover::wins`].
    pub fn anew<T>(
        &mut self,
        from: &State,
        ask: impl FnOnce(&mut Prover) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        let memory = self.searches[0].memory_budget.left() / 2;
        let mut anew = Prover::new(from, false, memory, 1)?;
        self.searches[0].memory_budget.take(memory)?;
        let before = self.nodes();
        anew.until = self.until.saturating_sub(before);
        let answer = ask(&mut anew);
        self.searches[0].nodes += anew.nodes();
        self.searches[0].memory_budget.give_back(memory);
        answer
    }

    /// Looks up if a player can force a win from the position of a state, with the bit length of
    /// the number of positions that the proof took.
    pub fn known(&mut self, player: PlayerId, of: &State) -> Option<(bool, u64)> {
        if let Some(outcome) = of.personal_outcome() {
            return Some((outcome == Outcome::Win(player), 0));
        }
        let tag = self.searches[0].tag(of);
        let table = &self.shared.table;
        Some((table.look(tag, player)?.is_win_of(player), table.work(tag)?))
    }
}

/// Returns the bytes that the table may take.
fn for_table(memory: u64) -> u64 {
    memory / 8 * 7
}

/// Returns the bytes for paths.
fn for_searches(memory: u64) -> u64 {
    memory - for_table(memory)
}
