//! Five games written by hand in safe Rust, each optimized for itself alone, as baselines for the
//! engine.
//!
//! A position is a few words, copied freely. Every ply lists all legal plies in an array and picks
//! one; nothing is allocated. The games have the default options of their rules files (Kitaran also
//! other sizes). `tests/testsuite/baselines.rs` tests each of them against the engine.

#![allow(
    dead_code,
    reason = "what spells plies is for the test, what plays many games for the benchmark"
)]

mod breakthrough;
mod cicada;
pub mod connect_four;
mod kitaran;
mod lichen;

pub use breakthrough::Breakthrough;
pub use cicada::Cicada;
pub use connect_four::ConnectFour;
pub use kitaran::Kitaran;
pub use lichen::Lichen;

use ludwright::engine::Playout;
use ludwright::engine::position::Outcome;
use ludwright::language::rules::PlayerId;
use ludwright::language::rules::Teams;
use ludwright::random::Random;

/// Ply limit of a random game, as in `ludwright bench`.
pub const CAP: u32 = 2_000;

/// A position of a game.
pub trait Baseline: Copy {
    /// Earlier positions, if repetition matters; allocated once and reused for many games.
    type Past: Default;

    /// Returns the first position.
    fn start() -> Self;

    /// Lists the legal plies; none when the game is over.
    fn list(&self, plies: &mut List);

    /// Counts the legal plies.
    fn count(&self) -> u64;

    /// Plays a legal ply.
    fn play(&mut self, ply: u16, past: &mut Self::Past);

    /// Returns the result, `None` while a ply is legal.
    fn outcome(&self) -> Option<Outcome>;

    /// Spells a legal ply as the engine does.
    fn spell(&self, ply: u16) -> String;

    /// Plays uniformly random plies from the first position until the game ends or reaches `CAP`.
    fn playout(random: &mut Random, past: &mut Self::Past) -> Playout {
        let mut position = Self::start();
        let mut list = List::default();
        for plies in 0..CAP {
            list.clear();
            position.list(&mut list);
            let Some(ply) = list.pick(random) else {
                return Playout {
                    plies,
                    outcome: position.outcome(),
                    swapped: false,
                    teams: Teams::alone(2),
                };
            };
            position.play(ply, past);
        }
        Playout { plies: CAP, outcome: position.outcome(), swapped: false, teams: Teams::alone(2) }
    }

    /// Counts the sequences of exactly `depth` plies, at least one. `lists` holds a buffer per ply.
    fn perft(&self, depth: u32, lists: &mut [List], past: &mut Self::Past) -> u64 {
        let Some((list, lists)) = lists.split_first_mut().filter(|_| depth > 1) else {
            return self.count();
        };
        list.clear();
        self.list(list);
        let after = |&ply: &u16| {
            let mut next = *self;
            next.play(ply, past);
            next.perft(depth - 1, lists, past)
        };
        list.plies().iter().map(after).sum()
    }
}

/// Upper bound on the number of legal plies, with room for `push_many_bits`.
const MOST: usize = 256;

/// A list of plies in an array.
pub struct List {
    plies: [u16; MOST],
    length: usize,
}

impl Default for List {
    fn default() -> List {
        List { plies: [0; MOST], length: 0 }
    }
}

impl List {
    pub fn plies(&self) -> &[u16] {
        &self.plies[..self.length]
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Adds a ply if it is legal, without a branch.
    #[inline(always)]
    fn push_if(&mut self, legal: bool, ply: u16) {
        self.plies[self.length % MOST] = ply;
        self.length += usize::from(legal);
    }

    /// Adds the index of every bit plus a constant.
    #[inline(always)]
    fn push_bits(&mut self, mut bits: u64, plus: u16) {
        while bits != 0 {
            self.plies[self.length % MOST] = bits.trailing_zeros() as u16 + plus;
            self.length += 1;
            bits &= bits - 1;
        }
    }

    /// Adds the index of every bit, eight bits at a time without a branch; faster than `push_bits`
    /// for dense words.
    #[inline(always)]
    fn push_many_bits(&mut self, bits: u64) {
        for (byte, first) in bits.to_le_bytes().into_iter().zip((0..).step_by(8)) {
            let (places, count) = &BITS[usize::from(byte)];
            // Always writes eight; the next write overwrites those beyond the count.
            let at = self.length % (MOST - 8);
            self.plies[at..at + 8].copy_from_slice(&places.map(|place| place + first));
            self.length += count;
        }
    }

    /// Picks one of the plies uniformly at random.
    #[inline(always)]
    fn pick(&self, random: &mut Random) -> Option<u16> {
        (self.length > 0).then(|| self.plies[random.below(self.length as u32) as usize % MOST])
    }
}

/// Indices of the bits of every byte, and their number.
static BITS: [([u16; 8], usize); 256] = {
    let mut table = [([0; 8], 0); 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                let (places, count) = &mut table[byte];
                places[*count] = bit;
                *count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Makes a win of the first player (0) or the second (1).
fn win(player: usize) -> Option<Outcome> {
    Some(Outcome::Win(PlayerId(player as u16)))
}

/// Spells a site by its column and row, both from 0.
fn site(column: u32, row: u32) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}
