//! Marks: the values of a memory that is kept for each site and direction, with the states of the
//! site and of the next site in that direction.
//!
//! Such a memory often says what a piece may do there: where it points, where its links lead, at
//! which side a token lies. No window of sites shows that. One table per memory serves all sites
//! and directions.

use super::sides::Exchange;
use super::sites::SiteStates;
use crate::board::{Board, Direction, Site};
use crate::compile::layout::Home;
use crate::compile::program::Program;
use crate::engine::position::Position;
use crate::language::rules::{MemoryId, PlayerId, Rules};

/// The most entries of a table, and the most marks of a memory.
const MAX_ENTRIES: u64 = 1 << 17;
const MAX_MARKS: usize = 2_000;
/// Memories with marks of more players than this are left out.
const MAX_OWNERS: u16 = 3;

/// The table of one memory.
#[derive(Debug)]
pub struct Table {
    pub memory: MemoryId,
    /// The number of players with marks of their own; 1 if marks have no owners.
    owners: u16,
    /// The number of directions of the memory.
    ranks: u16,
    /// The first set of the memory, which has a set for each player and direction.
    set: u16,
    /// By set: its direction and the bit of its owner, as it is and with the sides exchanged.
    views: [Vec<(u16, u8)>; 2],
    marks: Vec<Mark>,
    /// The index of the first entry's weight.
    first: u32,
    /// The number of states of a site.
    states: u32,
    slots: usize,
}

/// A place where a memory can have a mark.
#[derive(Clone, Copy, Debug)]
struct Mark {
    site: Site,
    /// The next site in the direction; `None` beyond the edge.
    next: Option<Site>,
    /// The index of the direction in the memory.
    rank: u16,
}

/// What an entry of a table means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The owners of the mark, a bit for each player.
    pub owners: u32,
    /// The owners of the next site's mark in the same direction.
    pub next_owners: u32,
    pub state: u32,
    /// The state of the next site; `None` beyond the edge.
    pub next_state: Option<u32>,
}

/// The marks of a game.
#[derive(Debug, Default)]
pub struct Marks {
    pub tables: Vec<Table>,
    /// The image of each slot where the sides are exchanged.
    images: Vec<u16>,
    pub weights: u32,
}

impl Marks {
    /// Makes a table for each memory that is kept for each direction.
    pub fn new(
        rules: &Rules,
        program: &Program,
        exchange: Option<&Exchange>,
        sites: &SiteStates,
    ) -> Marks {
        let (board, states) = (&rules.board, sites.count() as u32);
        let image = |slot: u16| exchange.map_or(slot, |exchange| exchange.site(slot));
        let images = (0..board.slots() as u16).map(image).collect();
        let mut made = Marks { images, ..Marks::default() };
        for (index, memory) in rules.memories.iter().enumerate() {
            let id = MemoryId(index as u16);
            let Home::Sets { first: set } = program.layout.home(id) else { continue };
            let owners = if memory.per_player { rules.players.len() as u16 } else { 1 };
            let marks = marks(board, &memory.per_direction);
            if marks.is_empty() || marks.len() > MAX_MARKS || owners > MAX_OWNERS {
                continue;
            }
            let entries = (u64::from(states) * u64::from(states + 1)) << (2 * owners);
            if entries > MAX_ENTRIES {
                continue;
            }
            let ranks = memory.per_direction.len() as u16;
            let plain = |set: u16| (set % ranks, 1 << (set / ranks));
            let exchanged = |set: u16| {
                let (rank, owner) = (set % ranks, set / ranks);
                let owner = if owners == 2 { 1 - owner } else { owner };
                (exchange.map_or(rank, |exchange| exchange.rank(memory, rank)), 1 << owner)
            };
            let sets = 0..owners * ranks;
            let views = [sets.clone().map(plain).collect(), sets.map(exchanged).collect()];
            let (first, slots) = (made.weights, board.slots());
            made.weights += entries as u32;
            let memory = id;
            made.tables.push(Table {
                memory,
                owners,
                ranks,
                set,
                views,
                marks,
                first,
                states,
                slots,
            });
        }
        made
    }

    /// Calls `add` with the weight of each mark, in the order of [`sites`](Self::sites); with
    /// `side` 1, for the position with its sides exchanged. `states` holds the states of the sites,
    /// exchanged likewise; `owners` is working memory.
    #[inline]
    pub fn look(
        &self,
        position: &Position,
        width: usize,
        side: usize,
        states: &[u32],
        owners: &mut Vec<u8>,
        mut add: impl FnMut(u32),
    ) {
        for table in &self.tables {
            table.read(position, width, side, &self.images, owners);
            for mark in &table.marks {
                add(table.first + table.entry(mark, states, owners));
            }
        }
    }

    /// Returns the sites of all marks.
    pub fn sites(&self) -> impl Iterator<Item = Site> + '_ {
        self.tables.iter().flat_map(|table| table.marks.iter().map(|mark| mark.site))
    }

    /// Returns what a weight means, with its table.
    pub fn explain(&self, weight: u32) -> Option<(&Table, Look)> {
        let table = self.tables.iter().rfind(|table| table.first <= weight)?;
        Some((table, table.explain(weight - table.first)))
    }
}

impl Table {
    /// Reads the owners of each mark, by direction and slot.
    fn read(
        &self,
        position: &Position,
        width: usize,
        side: usize,
        images: &[u16],
        owners: &mut Vec<u8>,
    ) {
        owners.clear();
        owners.resize(usize::from(self.ranks) * self.slots, 0);
        for (set, &(rank, owner)) in (self.set..).zip(&self.views[side]) {
            let places = &mut owners[usize::from(rank) * self.slots..][..self.slots];
            for (index, &word) in position.set(set, width).iter().enumerate() {
                let mut left = word;
                while left != 0 {
                    let slot = index * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    let image =
                        if side == 0 { Some(slot) } else { images.get(slot).map(|&at| at.into()) };
                    if let Some(place) = image.and_then(|image| places.get_mut(image)) {
                        *place |= owner;
                    }
                }
            }
        }
    }

    /// Returns the entry of a mark.
    #[inline]
    fn entry(&self, mark: &Mark, states: &[u32], owners: &[u8]) -> u32 {
        let owners = &owners[usize::from(mark.rank) * self.slots..];
        let (next_owners, next_state) = match mark.next {
            Some(next) => (u32::from(owners[next.index()]), states[next.index()]),
            None => (0, self.states),
        };
        let owners = u32::from(owners[mark.site.index()]) << self.owners | next_owners;
        (owners * self.states + states[mark.site.index()]) * (self.states + 1) + next_state
    }

    fn explain(&self, entry: u32) -> Look {
        let (rest, next_state) = (entry / (self.states + 1), entry % (self.states + 1));
        let (owners, state) = (rest / self.states, rest % self.states);
        Look {
            owners: owners >> self.owners,
            next_owners: owners & ((1 << self.owners) - 1),
            state,
            next_state: (next_state < self.states).then_some(next_state),
        }
    }

    /// Returns the players of these bits; none if marks have no owners.
    pub fn players(&self, owners: u32) -> impl Iterator<Item = PlayerId> + use<> {
        let count = if self.owners == 1 { 0 } else { self.owners };
        (0..count).filter(move |owner| owners >> owner & 1 == 1).map(PlayerId)
    }
}

/// Lists where a memory with these directions can have marks.
fn marks(board: &Board, directions: &[Direction]) -> Vec<Mark> {
    let at = |site: Site| {
        let mark = move |(rank, &direction): (u16, &Direction)| Mark {
            site,
            next: board.step(site, direction),
            rank,
        };
        (0..).zip(directions).map(mark)
    };
    board.sites().flat_map(at).collect()
}
