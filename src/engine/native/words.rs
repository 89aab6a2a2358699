//! Machine code for operations on sets: every set is a few words, each a value of its own.
//!
//! In: sets as values, the tables of the board. Out: values. It refuses to know instructions and registers.

use super::super::bits::Bits;
use super::super::tables::{Stepping, Tables};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use std::array::from_fn;

/// A set of sites, word by word.
pub type Words<const W: usize> = [Value; W];

/// What steps in a direction lead to: exactly, or loosely.
pub type Steps<const W: usize> = fn(&mut FunctionBuilder, &Stepping<W>, &Words<W>) -> Words<W>;

pub fn constant<const W: usize>(b: &mut FunctionBuilder, set: Bits<W>) -> Words<W> {
    from_fn(|index| b.ins().iconst(types::I64, set.0[index] as i64))
}

pub fn and<const W: usize>(b: &mut FunctionBuilder, one: &Words<W>, other: &Words<W>) -> Words<W> {
    from_fn(|index| b.ins().band(one[index], other[index]))
}

pub fn or<const W: usize>(b: &mut FunctionBuilder, one: &Words<W>, other: &Words<W>) -> Words<W> {
    from_fn(|index| b.ins().bor(one[index], other[index]))
}

pub fn xor<const W: usize>(b: &mut FunctionBuilder, one: &Words<W>, other: &Words<W>) -> Words<W> {
    from_fn(|index| b.ins().bxor(one[index], other[index]))
}

pub fn without<const W: usize>(b: &mut FunctionBuilder, one: &Words<W>, other: &Words<W>) -> Words<W> {
    from_fn(|index| b.ins().band_not(one[index], other[index]))
}

/// The set where the condition is not zero, else none.
pub fn gate<const W: usize>(b: &mut FunctionBuilder, condition: Value, set: &Words<W>) -> Words<W> {
    let none = b.ins().iconst(types::I64, 0);
    from_fn(|index| b.ins().select(condition, set[index], none))
}

fn masked<const W: usize>(b: &mut FunctionBuilder, set: &Words<W>, mask: &Bits<W>) -> Words<W> {
    from_fn(|index| match mask.0[index] {
        u64::MAX => set[index],
        word => b.ins().band_imm_u(set[index], word as i64),
    })
}

/// All words as one that is zero if and only if the set is empty.
pub fn any<const W: usize>(b: &mut FunctionBuilder, set: &Words<W>) -> Value {
    (1..W).fold(set[0], |all, index| b.ins().bor(all, set[index]))
}

/// Every number raised by `delta`, which may be below zero; what leaves the words is lost.
fn shifted<const W: usize>(b: &mut FunctionBuilder, set: &Words<W>, delta: i32) -> Words<W> {
    let (whole, part) = ((delta.unsigned_abs() / 64) as usize, i64::from(delta.unsigned_abs() % 64));
    from_fn(|index| {
        let near = if delta >= 0 { index.checked_sub(whole) } else { index.checked_add(whole) };
        let far = near.and_then(|near| if delta >= 0 { near.checked_sub(1) } else { near.checked_add(1) });
        let word = |place: Option<usize>| place.and_then(|place| set.get(place)).copied();
        let mut moved = None;
        if let Some(word) = word(near) {
            moved = Some(match (part, delta >= 0) {
                (0, _) => word,
                (_, true) => b.ins().ishl_imm_u(word, part),
                (_, false) => b.ins().ushr_imm_u(word, part),
            });
        }
        if let Some(word) = word(far).filter(|_| part > 0) {
            let carried = if delta >= 0 { b.ins().ushr_imm_u(word, 64 - part) } else { b.ins().ishl_imm_u(word, 64 - part) };
            moved = Some(moved.map_or(carried, |moved| b.ins().bor(moved, carried)));
        }
        moved.unwrap_or_else(|| b.ins().iconst(types::I64, 0))
    })
}

/// The sites one step from those of the set.
pub fn step<const W: usize>(b: &mut FunctionBuilder, stepping: &Stepping<W>, set: &Words<W>) -> Words<W> {
    let mut parts = stepping.parts();
    let Some((from, delta)) = parts.next() else { return constant(b, Bits::NONE) };
    let part = masked(b, set, &stepping.kept(*from, delta));
    let first = shifted(b, &part, delta);
    parts.fold(first, |all, (from, delta)| {
        let part = masked(b, set, &stepping.kept(*from, delta));
        let moved = shifted(b, &part, delta);
        or(b, &all, &moved)
    })
}

/// The sites of the set that come after so many others of it, which steps lead to one after the other. The direction must be one constant shift.
pub fn row<const W: usize>(b: &mut FunctionBuilder, stepping: &Stepping<W>, others: u32, set: &Words<W>) -> Words<W> {
    let Some(delta) = stepping.one_shift() else { return constant(b, Bits::NONE) };
    let (mut row, mut length) = (*set, 1);
    while length <= others {
        let further = length.min(others + 1 - length);
        let rest = shifted(b, &row, delta * further as i32);
        row = and(b, &row, &rest);
        length += further;
    }
    masked(b, &row, &stepping.ends(others))
}

/// The sites one step from those of the set, and perhaps more beside the board.
pub fn loose_step<const W: usize>(b: &mut FunctionBuilder, stepping: &Stepping<W>, set: &Words<W>) -> Words<W> {
    let Some(delta) = stepping.one_shift() else { return step(b, stepping, set) };
    let moved = shifted(b, set, delta);
    masked(b, &moved, &stepping.ends(1))
}

/// What such steps lead to in any direction of the mask.
pub fn beside<const W: usize>(b: &mut FunctionBuilder, tables: &Tables<W>, ways: u8, set: &Words<W>, step: Steps<W>) -> Words<W> {
    let mut all: Option<Words<W>> = None;
    for way in (0..8).filter(|way| ways >> way & 1 == 1) {
        let moved = step(b, &tables.steps[way], set);
        all = Some(all.map_or(moved, |all| or(b, &all, &moved)));
    }
    all.unwrap_or_else(|| constant(b, Bits::NONE))
}

/// The set with all that walks from it come over in the other one, by doubling (Kogge and Stone, 1973): every round goes twice as far as the one before. The direction must
/// be one constant shift.
fn spread<const W: usize>(b: &mut FunctionBuilder, stepping: &Stepping<W>, from: &Words<W>, through: &Words<W>) -> Words<W> {
    let Some(delta) = stepping.one_shift() else { return *from };
    let mut passable = masked(b, through, &stepping.ends(1));
    let mut all = *from;
    let mut reach = 1;
    loop {
        let moved = shifted(b, &all, delta * reach);
        let passed = and(b, &moved, &passable);
        all = or(b, &all, &passed);
        reach *= 2;
        if reach > stepping.longest() {
            return all;
        }
        let further = shifted(b, &passable, delta * (reach / 2));
        passable = and(b, &passable, &further);
    }
}

/// The sites from which a walk, of which `back` is the reverse, over no or more sites of `through` comes to `goals`.
pub fn fill<const W: usize>(b: &mut FunctionBuilder, back: &Stepping<W>, goals: &Words<W>, through: &Words<W>) -> Words<W> {
    let all = spread(b, back, goals, through);
    step(b, back, &all)
}

/// The sites passed on a walk from the set for as long as they are in `through`.
pub fn walk<const W: usize>(b: &mut FunctionBuilder, stepping: &Stepping<W>, from: &Words<W>, through: &Words<W>) -> Words<W> {
    let all = spread(b, stepping, from, through);
    let passed = step(b, stepping, &all);
    and(b, &passed, through)
}

/// The nearest of the sites: the lowest, or the highest.
pub fn nearest<const W: usize>(b: &mut FunctionBuilder, sites: &Words<W>, lowest: bool) -> Words<W> {
    until(b, sites, lowest, |b, index| {
        let word = sites[index];
        let bit = if lowest {
            b.ins().ineg(word)
        } else {
            let zeros = b.ins().clz(word);
            let top = b.ins().iconst(types::I64, i64::MIN);
            b.ins().ushr(top, zeros)
        };
        b.ins().band(word, bit)
    })
}

/// The sites of a ray up to the nearest of some on it, that one included, or all of them: sites are gone by upwards, or downwards.
pub fn up_to<const W: usize>(b: &mut FunctionBuilder, ray: &Words<W>, stops: &Words<W>, upwards: bool) -> Words<W> {
    until(b, stops, upwards, |b, index| {
        let word = stops[index];
        let reach = if upwards {
            let less = b.ins().iadd_imm_s(word, -1);
            b.ins().bxor(word, less)
        } else {
            let some = b.ins().bor_imm_u(word, 1);
            let zeros = b.ins().clz(some);
            let top = b.ins().iconst(types::I64, i64::MIN);
            b.ins().sshr(top, zeros)
        };
        b.ins().band(ray[index], reach)
    })
}

/// Makes words one after the other, upwards or downwards, up to the first in which there is a stop; those after it are empty.
fn until<const W: usize>(
    b: &mut FunctionBuilder,
    stops: &Words<W>,
    upwards: bool,
    mut make: impl FnMut(&mut FunctionBuilder, usize) -> Value,
) -> Words<W> {
    let none = b.ins().iconst(types::I64, 0);
    let mut made = [none; W];
    let mut stopped: Option<Value> = None;
    for place in 0..W {
        let index = if upwards { place } else { W - 1 - place };
        let here = make(b, index);
        made[index] = stopped.map_or(here, |stopped| b.ins().select(stopped, none, here));
        stopped = Some(stopped.map_or(stops[index], |stopped| b.ins().bor(stopped, stops[index])));
    }
    made
}

/// The sites of `within` connected to those of `from` in it. How many times it was gone through all directions, as in [`super::super::spread::flood`], is counted in the variable, if there is one.
pub fn flood<const W: usize>(
    b: &mut FunctionBuilder,
    tables: &Tables<W>,
    ways: u8,
    from: &Words<W>,
    within: &Words<W>,
    rounds: Option<Variable>,
) -> Words<W> {
    let [head, done] = [b.create_block(), b.create_block()];
    let steppings: Vec<&Stepping<W>> = (0..8).filter(|way| ways >> way & 1 == 1).map(|way| &tables.steps[way]).collect();
    // Where a direction is one shift, what it reaches is narrowed once instead of what it leaves in every round.
    let reached: Vec<Words<W>> = steppings
        .iter()
        .map(|stepping| match stepping.one_shift() {
            Some(_) => masked(b, within, &stepping.ends(1)),
            None => *within,
        })
        .collect();
    let [before, result]: [Words<W>; 2] = [head, done].map(|block| from_fn(|_| b.append_block_param(block, types::I64)));
    let start = and(b, from, within);
    let any = any(b, &start);
    if let Some(rounds) = rounds {
        let none = b.ins().iconst(types::I32, 0);
        b.def_var(rounds, none);
    }
    b.ins().brif(any, head, &start.map(BlockArg::from), done, &start.map(BlockArg::from));
    b.switch_to_block(head);
    let mut all = before;
    for (stepping, reached) in steppings.iter().zip(&reached) {
        let moved = match stepping.one_shift() {
            Some(delta) => shifted(b, &all, delta),
            None => step(b, stepping, &all),
        };
        let new = and(b, &moved, reached);
        all = or(b, &all, &new);
    }
    if let Some(rounds) = rounds {
        let gone = b.use_var(rounds);
        let gone = b.ins().iadd_imm_s(gone, 1);
        b.def_var(rounds, gone);
    }
    let new = xor(b, &all, &before);
    let more = self::any(b, &new);
    b.ins().brif(more, head, &all.map(BlockArg::from), done, &all.map(BlockArg::from));
    b.switch_to_block(done);
    result
}

/// How many sites are in the set.
pub fn count<const W: usize>(b: &mut FunctionBuilder, set: &Words<W>) -> Value {
    let counts: Words<W> = from_fn(|index| b.ins().popcnt(set[index]));
    let sum = (1..W).fold(counts[0], |sum, index| b.ins().iadd(sum, counts[index]));
    b.ins().ireduce(types::I32, sum)
}

/// The lowest site of the set; meaningless where it is empty.
pub fn lowest<const W: usize>(b: &mut FunctionBuilder, set: &Words<W>) -> Value {
    let place = |b: &mut FunctionBuilder, index: usize| {
        let zeros = b.ins().ctz(set[index]);
        b.ins().iadd_imm_s(zeros, 64 * index as i64)
    };
    let mut lowest = place(b, W - 1);
    for index in (0..W - 1).rev() {
        let here = place(b, index);
        lowest = b.ins().select(set[index], here, lowest);
    }
    b.ins().ireduce(types::I32, lowest)
}

/// The set without its lowest site.
pub fn rest<const W: usize>(b: &mut FunctionBuilder, set: &Words<W>) -> Words<W> {
    let mut below: Option<Value> = None;
    from_fn(|index| {
        let less = b.ins().iadd_imm_s(set[index], -1);
        let cut = b.ins().band(set[index], less);
        let kept = match below {
            None => cut,
            Some(below) => b.ins().select(below, set[index], cut),
        };
        below = Some(below.map_or(set[index], |below| b.ins().bor(below, set[index])));
        kept
    })
}

/// The set of just that site; none where the number is none of a site.
pub fn single<const W: usize>(b: &mut FunctionBuilder, site: Value) -> Words<W> {
    let one = b.ins().iconst(types::I64, 1);
    let none = b.ins().iconst(types::I64, 0);
    let bit = b.ins().ishl(one, site);
    if W == 1 {
        let valid = b.ins().icmp_imm_u(IntCC::UnsignedLessThan, site, 64);
        return from_fn(|_| b.ins().select(valid, bit, none));
    }
    let word = b.ins().sshr_imm_u(site, 6);
    from_fn(|index| {
        let here = b.ins().icmp_imm_s(IntCC::Equal, word, index as i64);
        b.ins().select(here, bit, none)
    })
}
