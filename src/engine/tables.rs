//! Tables of the board, precomputed for sets of a given width: shift masks, neighbours, rays and
//! constant sets.

use super::bits::Bits;
use super::fuel::FuelCosts;
use super::lines::Lines;
use crate::board::{Board, Direction, Site};
use crate::compile::layout::PileRegisters;
use crate::compile::op::Code;
use crate::compile::program::{MAX_MASKS, Program};
use std::sync::Arc;

/// A step of a whole set in one direction, as shifts under masks.
#[derive(Clone, Debug)]
pub struct Stepping<const W: usize> {
    first: Shift<W>,
    /// Further shifts, on boards where the direction is not one constant shift.
    others: Vec<Shift<W>>,
}

/// Moves the sites `from` up or down by a number; one of the two is 0.
#[derive(Clone, Copy, Debug)]
struct Shift<const W: usize> {
    from: Bits<W>,
    up: u32,
    down: u32,
}

impl<const W: usize> Shift<W> {
    #[inline(always)]
    fn shifted(&self, set: Bits<W>) -> Bits<W> {
        let moved = set & self.from;
        if W == 1 {
            // Both without a branch are faster than one with.
            let mut words = moved.0;
            words[0] = words[0] << (self.up & 63) >> (self.down & 63);
            return Bits(words);
        }
        if self.down == 0 { moved.up(self.up) } else { moved.down(self.down) }
    }
}

impl<const W: usize> Stepping<W> {
    /// Computes the steps; there are none without a direction.
    pub fn new(board: &Board, direction: Option<Direction>) -> Self {
        let shifts = direction.map_or(Vec::new(), |direction| board.shifts(direction));
        let mut parts = shifts.into_iter().map(|shift| Shift {
            from: shift.from.iter().map(|site| site.index()).collect(),
            up: shift.delta.max(0).unsigned_abs(),
            down: shift.delta.min(0).unsigned_abs(),
        });
        let first = parts.next().unwrap_or(Shift { from: Bits::NONE, up: 0, down: 0 });
        Stepping { first, others: parts.collect() }
    }

    /// Returns the shifts, at least one, as the sites that each moves and its distance in site
    /// numbers.
    #[cfg(feature = "native")]
    pub fn parts(&self) -> impl Iterator<Item = (&Bits<W>, i32)> {
        let delta = |shift: &Shift<W>| shift.up as i32 - shift.down as i32;
        let all = std::iter::once(&self.first).chain(&self.others);
        all.map(move |shift| (&shift.from, delta(shift)))
    }

    /// Returns all sites one step from the sites of the set.
    #[inline(always)]
    pub fn step(&self, set: Bits<W>) -> Bits<W> {
        let mut moved = self.first.shifted(set);
        for other in &self.others {
            moved |= other.shifted(set);
        }
        moved
    }
}

/// Returns the index of the opposite direction.
#[inline(always)]
pub fn back(way: u8) -> u8 {
    (way & 8) | ((way + 4) & 7)
}

/// The sites on the ray from each site. Only for directions in which site numbers are monotonic:
/// the first blocker on a ray is then the lowest or highest bit (classical ray attacks, Chess
/// Programming Wiki).
pub struct Rays {
    /// The rays one after the other. Each direction has an empty ray for "no site" before the rays
    /// of its sites.
    words: Vec<u64>,
    /// The width of a ray in words.
    width: usize,
    /// The number of rays per direction.
    rows: usize,
    /// By direction: the index of its first ray, and whether site numbers rise.
    ways: [Option<(usize, bool)>; Direction::COUNT],
}

impl Rays {
    /// Computes the rays in the directions of the mask `ways`. `next` has the neighbour of each
    /// site, and `width` is the number of words of a set.
    pub fn new(width: usize, ways: u16, next: &[Vec<i32>; Direction::COUNT]) -> Self {
        let mut rays = Rays {
            words: Vec::new(),
            width,
            rows: next[0].len() + 1,
            ways: [None; Direction::COUNT],
        };
        let mut count = 0;
        for (way, next) in next.iter().enumerate().filter(|(way, _)| ways >> way & 1 == 1) {
            let steps = || (0..).zip(next).filter(|(_, to)| **to >= 0);
            let is_ascending = steps().all(|(from, &to)| from < to);
            // On a board that wraps, site numbers are not monotonic.
            if !is_ascending && !steps().all(|(from, &to)| from > to) {
                continue;
            }
            let start = count;
            rays.ways[way] = Some((start, is_ascending));
            count += rays.rows;
            rays.words.resize(count * width, 0);
            let mut extend_ray = |(site, &to): (usize, &i32)| {
                if let Ok(to) = usize::try_from(to) {
                    let [from, behind] = [site, to].map(|site| (start + site + 1) * width);
                    rays.words.copy_within(behind..behind + width, from);
                    rays.words[from + to / 64] |= 1 << (to % 64);
                }
            };
            // A ray is its first site and the ray from there, which therefore is computed first.
            match is_ascending {
                true => next.iter().enumerate().rev().for_each(&mut extend_ray),
                false => next.iter().enumerate().for_each(&mut extend_ray),
            }
        }
        rays
    }

    /// Returns the rays in a direction; `None` if it must be followed site by site.
    #[inline(always)]
    pub fn along(&self, way: u8) -> Option<DirectionRays<'_>> {
        let (start, is_ascending) = self.ways[usize::from(way & 15)]?;
        Some(DirectionRays {
            words: &self.words[start * self.width..(start + self.rows) * self.width],
            is_ascending,
        })
    }
}

/// The rays in one direction.
#[derive(Clone, Copy)]
pub struct DirectionRays<'t> {
    /// The words of the rays. The first ray belongs to "no site" (-1), so a site's ray is at its
    /// number plus one.
    pub words: &'t [u64],
    /// Whether site numbers rise along the rays.
    pub is_ascending: bool,
}

impl DirectionRays<'_> {
    /// Returns the first site of `stops` on the ray from a site, as a set.
    #[inline(always)]
    pub fn first<const W: usize>(&self, from: i32, stops: Bits<W>) -> Bits<W> {
        let (rays, _) = self.words.as_chunks::<W>();
        let ray = usize::try_from(from + 1)
            .ok()
            .and_then(|row| rays.get(row))
            .map_or(Bits::NONE, |&ray| Bits(ray));
        let met = ray & stops;
        let first = if self.is_ascending { met.lowest() } else { met.highest() };
        first.map_or(Bits::NONE, Bits::single)
    }
}

/// The tables whose type does not depend on the width.
pub struct BoardTables {
    /// By direction and site number: the number of the next site, or -1.
    pub next: [Vec<i32>; Direction::COUNT],
    /// The indices of the board's [`straight`](Board::straight).
    pub straight: Vec<u8>,
    /// The rays in the directions of the program's `Sight` instructions.
    pub rays: Rays,
    /// The distances that the program's `Distance` instructions need, by the mask of directions.
    distances: Vec<(u16, Vec<u16>)>,
    /// The lines that the program's `StepBy` instructions need, by direction.
    lines: Vec<Lines>,
    /// The registers of piles where they stand in one array without others.
    pub piles: Option<PileRegisters>,
}

impl BoardTables {
    /// Returns the site that many steps from another in a direction, which a `StepBy` instruction
    /// of the program has; -1 for nowhere.
    #[inline]
    pub fn step_by(&self, way: u8, site: i32, number: i32) -> i32 {
        self.lines.get(usize::from(way)).map_or(-1, |lines| lines.step(site, number))
    }

    /// Returns the distance of two sites by steps in the directions of the mask, which a `Distance`
    /// instruction of the program has. A negative site is nowhere.
    pub fn distance(&self, mask: u16, from: i32, to: i32) -> i32 {
        let find = || {
            let (_, distances) = self.distances.iter().find(|(known, _)| *known == mask)?;
            let (from, to) = (usize::try_from(from).ok()?, usize::try_from(to).ok()?);
            distances.get(from * self.next[0].len() + to)
        };
        find().map_or(Board::FAR as i32, |&steps| i32::from(steps))
    }

    fn new(board: &Board, program: &Program, width: usize) -> Self {
        // The compiler turns steps around.
        let leads_back = |way: Direction| {
            let back = |from, to| board.step(to, way.opposite()) == Some(from);
            board.places().all(|from| board.step(from, way).is_none_or(|to| back(from, to)))
        };
        debug_assert!((0..Direction::COUNT).filter_map(Direction::from_index).all(leads_back));
        let next = |direction: Direction| {
            let mut next = vec![-1; board.slots()];
            for site in board.places() {
                if let Some(to) = board.step(site, direction) {
                    next[site.index()] = i32::from(to.0);
                }
            }
            next
        };
        let next =
            std::array::from_fn(|index| Direction::from_index(index).map_or(Vec::new(), next));
        let masks_of = |code: Code| {
            let ops = program.code.iter().filter(move |op| op.code == code);
            ops.filter_map(|op| program.masks.get(usize::from(op.x)).copied())
        };
        let sight_directions = masks_of(Code::Sight).fold(0, |ways, mask| ways | mask);
        let mut masks: Vec<u16> = masks_of(Code::Distance).collect();
        masks.sort_unstable();
        masks.dedup();
        let steps = program.code.iter().filter(|op| op.code == Code::StepBy);
        let steps = steps.fold(0u16, |ways, op| ways | 1 << (op.x & 15));
        let lines = (0..u16::BITS as usize - steps.leading_zeros() as usize)
            .map(|index| match Direction::from_index(index).filter(|_| steps >> index & 1 == 1) {
                Some(direction) => Lines::new(board, direction),
                None => Lines::default(),
            })
            .collect();
        BoardTables {
            distances: masks.into_iter().map(|mask| (mask, all_distances(board, mask))).collect(),
            rays: Rays::new(width, sight_directions, &next),
            straight: board.straight().map(|way| way.index() as u8).collect(),
            lines,
            next,
            piles: program.layout.piles.as_ref().map(PileRegisters::compact),
        }
    }
}

/// Returns the distances from each site number to each, by steps in the directions of the mask.
fn all_distances(board: &Board, mask: u16) -> Vec<u16> {
    let directions: Vec<Direction> =
        board.ways().filter(|direction| mask >> direction.index() & 1 == 1).collect();
    let slots = board.slots() as u16;
    (0..slots).flat_map(|from| board.distances(Site(from), &directions)).collect()
}

/// All tables of a board and a program. They never change in play.
pub struct Tables<const W: usize> {
    /// By direction.
    pub steps: [Stepping<W>; Direction::COUNT],
    /// The masks of directions, by the numbers that instructions give them.
    pub masks: [u16; MAX_MASKS],
    /// The constant sets, for the registers after the position's.
    pub constants: Vec<Bits<W>>,
    /// All that sets can hold: the sites of the board, and the passages of its tracks.
    #[cfg(feature = "native")]
    pub places: Bits<W>,
    pub board: Arc<BoardTables>,
    pub fuel: Arc<FuelCosts>,
    /// By specialization: how many prefix arguments it has.
    pub prefixes: Vec<usize>,
}

impl<const W: usize> Tables<W> {
    /// Computes the tables. Every site number must be below 64 `W`.
    pub fn new(board: &Board, program: &Program) -> Self {
        Tables {
            steps: std::array::from_fn(|index| Stepping::new(board, Direction::from_index(index))),
            masks: std::array::from_fn(|number| program.masks.get(number).copied().unwrap_or(0)),
            constants: program
                .constants
                .iter()
                .map(|sites| sites.iter().map(|site| site.index()).collect())
                .collect(),
            #[cfg(feature = "native")]
            places: board.places().map(|place| place.index()).collect(),
            board: Arc::new(BoardTables::new(board, program, W)),
            fuel: Arc::new(FuelCosts::new(board, program, W)),
            prefixes: program.specializations.iter().map(|each| program.prefixes(each)).collect(),
        }
    }
}
