//! The board as the machine needs it: shift masks, neighbours, constants.

use super::bits::Bits;
use super::hash::sharing;
use crate::board::{Board, Direction};
use crate::compile::op::Code;
use crate::compile::program::Program;

/// How a whole set takes one step in a direction.
#[derive(Clone, Debug)]
pub struct Stepping<const W: usize> {
    /// The sites that the first part moves, and by how much.
    from: Bits<W>,
    delta: i32,
    /// Further parts, on boards whose directions are not one constant shift.
    others: Vec<(Bits<W>, i32)>,
    /// How many steps one after the other lead on at most; as many as there are sites where they lead round and round.
    longest: i32,
    /// All sites of the board.
    #[cfg(feature = "native")]
    board: Bits<W>,
}

impl<const W: usize> Stepping<W> {
    fn new(board: &Board, direction: Direction) -> Self {
        let mut parts =
            board.shifts(direction).into_iter().map(|shift| (shift.from.iter().map(|site| site.index()).collect::<Bits<W>>(), shift.delta));
        let (from, delta) = parts.next().unwrap_or((Bits::NONE, 0));
        let mut stepping = Stepping {
            from,
            delta,
            others: parts.collect(),
            longest: 0,
            #[cfg(feature = "native")]
            board: board.sites().map(|site| site.index()).collect(),
        };
        let mut front = stepping.parts().fold(Bits::NONE, |all, (&from, _)| all | from);
        while !front.is_none() && stepping.longest < board.slots() as i32 {
            front = stepping.step(front);
            stepping.longest += 1;
        }
        stepping
    }

    /// The parts: the sites that each moves, and by how much.
    pub fn parts(&self) -> impl Iterator<Item = (&Bits<W>, i32)> {
        std::iter::once((&self.from, self.delta)).chain(self.others.iter().map(|(from, delta)| (from, *delta)))
    }

    /// By how much every site is moved, where it is the same for all of them.
    #[cfg(feature = "native")]
    pub fn one_shift(&self) -> Option<i32> {
        self.others.is_empty().then_some(self.delta)
    }

    /// What must be left of the board's sites that are in a set and in all of those that so many shifts lead to, so that steps lead there. It must be [one shift](Stepping::one_shift).
    #[cfg(feature = "native")]
    pub fn ends(&self, shifts: u32) -> Bits<W> {
        let step = |set: Bits<W>| shifted(set & self.from, self.delta);
        let shift = |set: Bits<W>| shifted(set, self.delta) & self.board;
        let [led, shifted] = [(0..shifts).fold(self.board, |set, _| step(set)), (0..shifts).fold(self.board, |set, _| shift(set))];
        !(shifted & !led)
    }

    /// What must be left of a set of the board's sites so that only those of `from` are moved by that much: what is moved out of all words need not be taken away before.
    #[cfg(feature = "native")]
    pub fn kept(&self, from: Bits<W>, delta: i32) -> Bits<W> {
        let stays = |site: &usize| (0..64 * W as i32).contains(&(*site as i32 + delta));
        let others: Bits<W> = (self.board & !from).iter().filter(stays).collect();
        !others
    }

    /// How many steps one after the other lead on at most.
    #[cfg(feature = "native")]
    pub fn longest(&self) -> i32 {
        self.longest
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

/// The sites on the way from every site, by directions in which site numbers only rise or only fall: the nearest of some sites on a way is then the lowest of
/// them or the highest.
pub struct Rays<const W: usize> {
    /// One ray after the other: of each direction first that of no site, which is empty, and then those of the sites.
    all: Vec<Bits<W>>,
    /// How many of them each direction has.
    rows: usize,
    /// By the direction's index: where its rays begin, and whether numbers rise along them.
    ways: [Option<(usize, bool)>; 8],
}

impl<const W: usize> Rays<W> {
    /// The rays in the directions of the mask, by the site numbers that steps lead to.
    pub fn new(ways: u8, next: &[Vec<i32>; 8]) -> Self {
        let mut rays = Rays { all: Vec::new(), rows: next[0].len() + 1, ways: [None; 8] };
        for (way, next) in next.iter().enumerate().filter(|(way, _)| ways >> way & 1 == 1) {
            let steps = || (0..).zip(next).filter(|(_, to)| **to >= 0);
            let rises = steps().all(|(from, &to)| from < to);
            // On a board that wraps the numbers do neither.
            if !rises && !steps().all(|(from, &to)| from > to) {
                continue;
            }
            let start = rays.all.len();
            rays.ways[way] = Some((start, rises));
            rays.all.resize(start + rays.rows, Bits::NONE);
            let mut settle = |(site, &to): (usize, &i32)| {
                if let Ok(to) = usize::try_from(to) {
                    rays.all[start + site + 1] = rays.all[start + to + 1] | Bits::single(to);
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
    pub fn along(&self, way: u8) -> Option<Along<'_, W>> {
        let (start, rises) = self.ways[usize::from(way & 7)]?;
        Some(Along { rays: &self.all[start..start + self.rows], rises })
    }
}

/// The rays in one direction.
#[derive(Clone, Copy)]
pub struct Along<'t, const W: usize> {
    /// The first is that of no site, and each site's comes one later than its number says.
    pub rays: &'t [Bits<W>],
    /// Whether site numbers rise along them.
    pub rises: bool,
}

impl<const W: usize> Along<'_, W> {
    /// The first of the sites on the way from one, as a set.
    #[inline(always)]
    pub fn first(&self, from: i32, stops: Bits<W>) -> Bits<W> {
        let ray = usize::try_from(from + 1).ok().and_then(|row| self.rays.get(row)).copied().unwrap_or(Bits::NONE);
        let met = ray & stops;
        let first = if self.rises { met.lowest() } else { met.highest() };
        first.map_or(Bits::NONE, Bits::single)
    }
}

/// What never changes while a game is played.
pub struct Tables<const W: usize> {
    /// By the direction's index.
    pub steps: [Stepping<W>; 8],
    /// By the direction's index and the site's number: the number of the next site, or -1.
    pub next: [Vec<i32>; 8],
    /// What lies on the ways from each site, in the directions that the program looks along.
    pub rays: Rays<W>,
    /// How many sets share a word where positions are hashed.
    pub sharing: usize,
    /// The constant sets, for the registers after the position's.
    pub constants: Vec<Bits<W>>,
}

impl<const W: usize> Tables<W> {
    /// Makes the tables of a board and a program. Every site's number must be below 64 `W`.
    pub fn new(board: &Board, program: &Program) -> Self {
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
        let looks = program.code.iter().filter(|op| op.code == Code::Sight).fold(0, |ways, op| ways | op.x);
        Tables {
            steps: Direction::ALL.map(|direction| Stepping::new(board, direction)),
            rays: Rays::new(looks, &next),
            next,
            sharing: sharing::<W>(board.slots()),
            constants: program.constants.iter().map(|sites| sites.iter().map(|site| site.index()).collect()).collect(),
        }
    }
}
