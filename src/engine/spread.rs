//! Set operations along the directions of the board, as the instructions of the same names define
//! them (see [`Code`](crate::compile::op::Code)).
//!
//! Fills and walks advance a whole front of sites by shifts (the Chess Programming Wiki's "occluded
//! fill"). Rays are looked up in tables; only lines that wrap are followed site by site.

use super::bits::Bits;
use super::tables::{Stepping, Tables};

#[inline(always)]
pub fn single<const W: usize>(site: i32) -> Bits<W> {
    if site >= 0 && (site as usize) < 64 * W { Bits::single(site as usize) } else { Bits::NONE }
}

#[inline(always)]
pub fn next<const W: usize>(tables: &Tables<W>, way: u8, site: i32) -> i32 {
    usize::try_from(site)
        .ok()
        .and_then(|site| tables.board.next[usize::from(way & 15)].get(site))
        .copied()
        .unwrap_or(-1)
}

#[inline(always)]
pub fn beside<const W: usize>(tables: &Tables<W>, mut ways: u16, of: Bits<W>) -> Bits<W> {
    let mut all = Bits::NONE;
    while ways != 0 {
        all |= tables.steps[ways.trailing_zeros() as usize].step(of);
        ways &= ways - 1;
    }
    all
}

/// Returns the sites from which a line of steps leads over sites of `through` to `goals`; `back` is
/// the opposite step.
#[inline(always)]
pub fn fill<const W: usize>(back: &Stepping<W>, goals: Bits<W>, through: Bits<W>) -> Bits<W> {
    let mut front = back.step(goals);
    let mut all = front;
    loop {
        front = back.step(front & through) & !all;
        if front.is_none() {
            return all;
        }
        all |= front;
    }
}

#[inline(always)]
pub fn walk<const W: usize>(
    tables: &Tables<W>,
    mut ways: u16,
    from: Bits<W>,
    through: Bits<W>,
) -> Bits<W> {
    let mut all = Bits::NONE;
    while ways != 0 {
        let stepping = &tables.steps[ways.trailing_zeros() as usize];
        ways &= ways - 1;
        let mut passed = Bits::NONE;
        let mut front = stepping.step(from) & through;
        while !front.is_none() {
            passed |= front;
            front = stepping.step(front) & through & !passed;
        }
        all |= passed;
    }
    all
}

/// Returns the sites of `within` connected to `from` in it, and the number of passes over all
/// directions. Each direction continues from what the earlier ones have reached in the same pass,
/// so few passes suffice.
#[inline(always)]
pub fn flood<const W: usize>(
    tables: &Tables<W>,
    ways: u16,
    from: Bits<W>,
    within: Bits<W>,
) -> (Bits<W>, u32) {
    let mut all = from & within;
    let mut rounds = 0;
    while !all.is_none() {
        let before = all;
        let mut left = ways;
        while left != 0 {
            all |= tables.steps[left.trailing_zeros() as usize].step(all) & within;
            left &= left - 1;
        }
        rounds += 1;
        if all == before {
            break;
        }
    }
    (all, rounds)
}

/// Returns the first site of `stops` on each ray from a site, in the directions of the mask.
#[inline(always)]
pub fn sight<const W: usize>(
    tables: &Tables<W>,
    mut ways: u16,
    from: i32,
    stops: Bits<W>,
) -> Bits<W> {
    let mut seen = Bits::NONE;
    while ways != 0 {
        let way = ways.trailing_zeros() as u8;
        ways &= ways - 1;
        seen |= match tables.board.rays.along(way) {
            Some(rays) => rays.first(from, stops),
            None => first(tables, way, from, stops),
        };
    }
    seen
}

/// Returns the first site of `stops` on a line that may wrap. It ends at the site that it starts
/// from.
fn first<const W: usize>(tables: &Tables<W>, way: u8, from: i32, stops: Bits<W>) -> Bits<W> {
    let mut site = next(tables, way, from);
    while site >= 0 && !stops.has(site as usize) {
        if site == from {
            return Bits::NONE;
        }
        site = next(tables, way, site);
    }
    single(site)
}

/// Returns the sites strictly between two sites on a straight line, the shortest if there are
/// several.
pub fn between<const W: usize>(tables: &Tables<W>, from: i32, to: i32) -> Bits<W> {
    let mut shortest: Option<(u32, Bits<W>)> = None;
    if from == to {
        return Bits::NONE;
    }
    for &way in &tables.board.straight {
        let mut passed = Bits::NONE;
        let mut length = 0;
        let mut site = next(tables, way, from);
        while site >= 0 && site != to && !passed.has(site as usize) {
            passed |= Bits::single(site as usize);
            length += 1;
            site = next(tables, way, site);
        }
        if site >= 0 && site == to && shortest.is_none_or(|(known, _)| length < known) {
            shortest = Some((length, passed));
        }
    }
    shortest.map_or(Bits::NONE, |(_, passed)| passed)
}

/// Returns the index of the direction of the step from one site to another, or -1.
pub fn direction<const W: usize>(tables: &Tables<W>, from: i32, to: i32) -> i32 {
    let mut straight = tables.board.straight.iter();
    straight
        .find(|&&way| to >= 0 && next(tables, way, from) == to)
        .map_or(-1, |&way| i32::from(way))
}
