//! The board as the machine needs it: shift masks, neighbours, constants.

use super::bits::Bits;
use super::hash::sets_per_word;
use crate::board::{Board, Direction};
use crate::compile::op::Code;
use crate::compile::program::Program;
use std::sync::Arc;

/// How a whole set takes one step in a direction.
#[derive(Clone, Debug)]
pub struct Stepping<const W: usize> {
    /// The sites that the first part moves, and by how much.
    from: Bits<W>,
    delta: i32,
    /// Further parts, on boards whose directions are not one constant shift.
    others: Vec<(Bits<W>, i32)>,
}

impl<const W: usize> Stepping<W> {
    fn new(board: &Board, direction: Direction) -> Self {
        let mut parts = board.shifts(direction).into_iter().map(|shift| {
            (shift.from.iter().map(|site| site.index()).collect::<Bits<W>>(), shift.delta)
        });
        let (from, delta) = parts.next().unwrap_or((Bits::NONE, 0));
        Stepping { from, delta, others: parts.collect() }
    }

    /// The parts, one at least: the sites that each moves, and by how much.
    #[cfg(feature = "native")]
    pub fn parts(&self) -> impl Iterator<Item = (&Bits<W>, i32)> {
        std::iter::once((&self.from, self.delta))
            .chain(self.others.iter().map(|(from, delta)| (from, *delta)))
    }

    /// The sites one step from those of the set.
    #[inline(always)]
    pub fn step(&self, set: Bits<W>) -> Bits<W> {
        let mut moved = shifted(set & self.from, self.delta);
        for &(from, delta) in &self.others {
            moved |= shifted(set & from, delta);
        }
        moved
    }
}

#[inline(always)]
fn shifted<const W: usize>(set: Bits<W>, delta: i32) -> Bits<W> {
    if delta >= 0 { set.up(delta as u32) } else { set.down(delta.unsigned_abs()) }
}

/// The index of the opposite direction.
#[inline(always)]
pub fn back(way: u8) -> u8 {
    (way + 4) & 7
}

/// The sites on the way from every site, by directions in which site numbers only rise or only
/// fall: the nearest of some sites on a way is then the lowest of them or the highest.
pub struct Rays {
    /// The words of one ray after the other: of each direction first that of no site, which is
    /// empty, and then those of the sites.
    words: Vec<u64>,
    /// How many words a ray has.
    width: usize,
    /// How many rays each direction has.
    rows: usize,
    /// By the direction's index: which of the rays is its first, and whether numbers rise along
    /// them.
    ways: [Option<(usize, bool)>; 8],
}

impl Rays {
    /// The rays in the directions of the mask, by the site numbers that steps lead to, as sets of
    /// so many words.
    pub fn new(width: usize, ways: u8, next: &[Vec<i32>; 8]) -> Self {
        let mut rays = Rays { words: Vec::new(), width, rows: next[0].len() + 1, ways: [None; 8] };
        let mut count = 0;
        for (way, next) in next.iter().enumerate().filter(|(way, _)| ways >> way & 1 == 1) {
            let steps = || (0..).zip(next).filter(|(_, to)| **to >= 0);
            let rises = steps().all(|(from, &to)| from < to);
            // On a board that wraps the numbers do neither.
            if !rises && !steps().all(|(from, &to)| from > to) {
                continue;
            }
            let start = count;
            rays.ways[way] = Some((start, rises));
            count += rays.rows;
            rays.words.resize(count * width, 0);
            let mut settle = |(site, &to): (usize, &i32)| {
                if let Ok(to) = usize::try_from(to) {
                    let [from, behind] = [site, to].map(|site| (start + site + 1) * width);
                    rays.words.copy_within(behind..behind + width, from);
                    rays.words[from + to / 64] |= 1 << (to % 64);
                }
            };
            // What a step leads to is settled before it.
            match rises {
                true => next.iter().enumerate().rev().for_each(&mut settle),
                false => next.iter().enumerate().for_each(&mut settle),
            }
        }
        rays
    }

    /// The rays in a direction; none where it must be gone site by site.
    #[inline(always)]
    pub fn along(&self, way: u8) -> Option<Along<'_>> {
        let (start, rises) = self.ways[usize::from(way & 7)]?;
        Some(Along {
            words: &self.words[start * self.width..(start + self.rows) * self.width],
            rises,
        })
    }
}

/// The rays in one direction.
#[derive(Clone, Copy)]
pub struct Along<'t> {
    /// Their words. The first ray is that of no site, and each site's comes one later than its
    /// number says.
    pub words: &'t [u64],
    /// Whether site numbers rise along them.
    pub rises: bool,
}

impl Along<'_> {
    /// The first of the sites on the way from one, as a set.
    #[inline(always)]
    pub fn first<const W: usize>(&self, from: i32, stops: Bits<W>) -> Bits<W> {
        let (rays, _) = self.words.as_chunks::<W>();
        let ray = usize::try_from(from + 1)
            .ok()
            .and_then(|row| rays.get(row))
            .map_or(Bits::NONE, |&ray| Bits(ray));
        let met = ray & stops;
        let first = if self.rises { met.lowest() } else { met.highest() };
        first.map_or(Bits::NONE, Bits::single)
    }
}

/// What never changes while a game is played, as far as it has the same type for sets of every
/// width.
pub struct BoardTables {
    /// By the direction's index and the site's number: the number of the next site, or -1.
    pub next: [Vec<i32>; 8],
    /// What lies on the ways from each site, in the directions that the program looks along.
    pub rays: Rays,
    /// How many sets share a word where positions are hashed.
    pub sets_per_word: usize,
}

impl BoardTables {
    fn new(board: &Board, program: &Program, width: usize) -> Self {
        let next = |direction: Direction| {
            let mut next = vec![-1; board.slots()];
            for site in board.sites() {
                if let Some(to) = board.step(site, direction) {
                    next[site.index()] = i32::from(to.0);
                }
            }
            next
        };
        let next = Direction::ALL.map(next);
        let looks =
            program.code.iter().filter(|op| op.code == Code::Sight).fold(0, |ways, op| ways | op.x);
        BoardTables {
            rays: Rays::new(width, looks, &next),
            next,
            sets_per_word: sets_per_word(width, board.slots()),
        }
    }
}

/// What never changes while a game is played.
pub struct Tables<const W: usize> {
    /// By the direction's index.
    pub steps: [Stepping<W>; 8],
    /// The constant sets, for the registers after the position's.
    pub constants: Vec<Bits<W>>,
    /// All sites of the board.
    #[cfg(feature = "native")]
    pub sites: Bits<W>,
    pub board: Arc<BoardTables>,
}

impl<const W: usize> Tables<W> {
    /// Makes the tables of a board and a program. Every site's number must be below 64 `W`.
    pub fn new(board: &Board, program: &Program) -> Self {
        Tables {
            steps: Direction::ALL.map(|direction| Stepping::new(board, direction)),
            constants: program
                .constants
                .iter()
                .map(|sites| sites.iter().map(|site| site.index()).collect())
                .collect(),
            #[cfg(feature = "native")]
            sites: board.sites().map(|site| site.index()).collect(),
            board: Arc::new(BoardTables::new(board, program, W)),
        }
    }
}
