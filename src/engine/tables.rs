//! The board as the machine needs it: shift masks, neighbours, constants.

use super::bits::Bits;
use crate::board::{Board, Direction};
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
}

impl<const W: usize> Stepping<W> {
    fn new(board: &Board, direction: Direction) -> Self {
        let mut parts =
            board.shifts(direction).into_iter().map(|shift| (shift.from.iter().map(|site| site.index()).collect::<Bits<W>>(), shift.delta));
        let (from, delta) = parts.next().unwrap_or((Bits::NONE, 0));
        let mut stepping = Stepping { from, delta, others: parts.collect(), longest: 0 };
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

    /// Whether every site is moved by the same amount.
    #[cfg(feature = "native")]
    pub fn is_one_shift(&self) -> bool {
        self.others.is_empty()
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

/// What never changes while a game is played.
pub struct Tables<const W: usize> {
    /// By the direction's index.
    pub steps: [Stepping<W>; 8],
    /// By the direction's index and the site's number: the number of the next site, or -1.
    pub next: [Vec<i32>; 8],
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
        Tables {
            steps: Direction::ALL.map(|direction| Stepping::new(board, direction)),
            next: Direction::ALL.map(next),
            constants: program.constants.iter().map(|sites| sites.iter().map(|site| site.index()).collect()).collect(),
        }
    }
}
