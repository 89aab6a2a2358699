//! Emits operations on sets: a set is a few words, each an SSA value of its own.

use super::steps::Steps;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use smallvec::SmallVec;

/// A set of sites, word by word.
pub type Words = SmallVec<[Value; 4]>;

/// The variables of a set, word by word.
pub type Variables = SmallVec<[Variable; 4]>;

/// Declares variables for a set of this many words.
pub fn variables(b: &mut FunctionBuilder, width: usize) -> Variables {
    (0..width).map(|_| b.declare_var(types::I64)).collect()
}

/// Reads variables.
pub fn used(b: &mut FunctionBuilder, variables: &[Variable]) -> Words {
    variables.iter().map(|&variable| b.use_var(variable)).collect()
}

/// Assigns a set to variables.
pub fn define(b: &mut FunctionBuilder, variables: &[Variable], set: &[Value]) {
    variables.iter().zip(set).for_each(|(&variable, &word)| b.def_var(variable, word));
}

/// Adds parameters for a set of this many words to a block.
pub fn parameters(b: &mut FunctionBuilder, block: Block, width: usize) -> Words {
    (0..width).map(|_| b.append_block_param(block, types::I64)).collect()
}

/// Returns a set as arguments for the parameters of a block.
pub fn arguments(set: &[Value]) -> SmallVec<[BlockArg; 4]> {
    set.iter().copied().map(BlockArg::from).collect()
}

pub fn constant(b: &mut FunctionBuilder, set: &[u64]) -> Words {
    set.iter().map(|&word| b.ins().iconst(types::I64, word as i64)).collect()
}

/// Emits the empty set of this many words.
pub fn none(b: &mut FunctionBuilder, width: usize) -> Words {
    (0..width).map(|_| b.ins().iconst(types::I64, 0)).collect()
}

pub fn and(b: &mut FunctionBuilder, one: &[Value], other: &[Value]) -> Words {
    one.iter().zip(other).map(|(&one, &other)| b.ins().band(one, other)).collect()
}

pub fn or(b: &mut FunctionBuilder, one: &[Value], other: &[Value]) -> Words {
    one.iter().zip(other).map(|(&one, &other)| b.ins().bor(one, other)).collect()
}

pub fn xor(b: &mut FunctionBuilder, one: &[Value], other: &[Value]) -> Words {
    one.iter().zip(other).map(|(&one, &other)| b.ins().bxor(one, other)).collect()
}

pub fn without(b: &mut FunctionBuilder, one: &[Value], other: &[Value]) -> Words {
    one.iter().zip(other).map(|(&one, &other)| b.ins().band_not(one, other)).collect()
}

/// Emits the set if the condition is not zero, else the empty set.
pub fn gate(b: &mut FunctionBuilder, condition: Value, set: &[Value]) -> Words {
    let none = b.ins().iconst(types::I64, 0);
    set.iter().map(|&word| b.ins().select(condition, word, none)).collect()
}

fn masked(b: &mut FunctionBuilder, set: &[Value], mask: &[u64]) -> Words {
    let masked = set.iter().zip(mask).map(|(&word, &mask)| match mask {
        u64::MAX => word,
        mask => b.ins().band_imm_u(word, mask as i64),
    });
    masked.collect()
}

/// Emits one word that is zero if and only if the set is empty.
pub fn any(b: &mut FunctionBuilder, set: &[Value]) -> Value {
    set[1..].iter().fold(set[0], |all, &word| b.ins().bor(all, word))
}

/// Adds `delta`, which may be negative, to every site number; sites that leave the words are lost.
fn shifted(b: &mut FunctionBuilder, set: &[Value], delta: i32) -> Words {
    let (whole, part) =
        ((delta.unsigned_abs() / 64) as usize, i64::from(delta.unsigned_abs() % 64));
    let moved = (0..set.len()).map(|index| {
        let near = if delta >= 0 { index.checked_sub(whole) } else { index.checked_add(whole) };
        let far = near
            .and_then(|near| if delta >= 0 { near.checked_sub(1) } else { near.checked_add(1) });
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
            let carried = if delta >= 0 {
                b.ins().ushr_imm_u(word, 64 - part)
            } else {
                b.ins().ishl_imm_u(word, 64 - part)
            };
            moved = Some(moved.map_or(carried, |moved| b.ins().bor(moved, carried)));
        }
        moved.unwrap_or_else(|| b.ins().iconst(types::I64, 0))
    });
    moved.collect()
}

/// Emits the sites one step from the set.
pub fn step(b: &mut FunctionBuilder, steps: &Steps, set: &[Value]) -> Words {
    let mut all: Option<Words> = None;
    for (from, delta) in steps.parts() {
        let part = masked(b, set, &steps.kept(from, *delta));
        let moved = shifted(b, &part, *delta);
        all = Some(match all {
            Some(all) => or(b, &all, &moved),
            None => moved,
        });
    }
    all.unwrap_or_else(|| none(b, set.len()))
}

/// Emits the sites of the set from which `others` steps back all stay in the set. The direction
/// must be one constant shift.
pub fn row(b: &mut FunctionBuilder, steps: &Steps, others: u32, set: &[Value]) -> Words {
    let Some(delta) = steps.one_shift() else { return none(b, set.len()) };
    let (mut row, mut length) = (Words::from_slice(set), 1);
    while length <= others {
        let further = length.min(others + 1 - length);
        let rest = shifted(b, &row, delta * further as i32);
        // By doubling: the ends of rows of `length` sites, intersected with themselves `further`
        // steps on, are the ends of rows of `length + further`.
        row = and(b, &row, &rest);
        length += further;
    }
    masked(b, &row, &steps.ends(others))
}

/// Emits the union of steps in all directions of the mask.
pub fn beside(b: &mut FunctionBuilder, steps: &[Steps], ways: u16, set: &[Value]) -> Words {
    let mut all: Option<Words> = None;
    for way in (0..steps.len()).filter(|way| ways >> way & 1 == 1) {
        let moved = step(b, &steps[way], set);
        all = Some(match all {
            Some(all) => or(b, &all, &moved),
            None => moved,
        });
    }
    all.unwrap_or_else(|| none(b, set.len()))
}

/// Emits the set and all sites that walks from it reach in `through`, by parallel prefix (Kogge and
/// Stone, 1973): every iteration doubles the reach. The direction must be one constant shift.
fn spread(b: &mut FunctionBuilder, steps: &Steps, from: &[Value], through: &[Value]) -> Words {
    let Some(delta) = steps.one_shift() else { return Words::from_slice(from) };
    let mut passable = masked(b, through, &steps.ends(1));
    let mut all = Words::from_slice(from);
    let mut reach = 1;
    loop {
        let moved = shifted(b, &all, delta * reach);
        let passed = and(b, &moved, &passable);
        all = or(b, &all, &passed);
        reach *= 2;
        if reach > steps.longest() {
            return all;
        }
        let further = shifted(b, &passable, delta * (reach / 2));
        passable = and(b, &passable, &further);
    }
}

/// Emits the sites from which a walk, whose reverse is `back`, reaches `goals` over zero or more
/// sites of `through`.
pub fn fill(b: &mut FunctionBuilder, back: &Steps, goals: &[Value], through: &[Value]) -> Words {
    let all = spread(b, back, goals, through);
    step(b, back, &all)
}

/// Emits the sites passed on a walk from the set while they are in `through`.
pub fn walk(b: &mut FunctionBuilder, steps: &Steps, from: &[Value], through: &[Value]) -> Words {
    let all = spread(b, steps, from, through);
    let passed = step(b, steps, &all);
    and(b, &passed, through)
}

/// Emits the nearest of the sites: the lowest, or the highest.
pub fn nearest(b: &mut FunctionBuilder, sites: &[Value], lowest: bool) -> Words {
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

/// Emits the sites of a ray up to the nearest stop on it, inclusive; all of them without a stop.
/// The ray leads to higher numbers if `upwards`.
pub fn up_to(b: &mut FunctionBuilder, ray: &[Value], stops: &[Value], upwards: bool) -> Words {
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

/// Computes words upwards or downwards, up to the first one with a stop; the words after it are
/// empty.
fn until(
    b: &mut FunctionBuilder,
    stops: &[Value],
    upwards: bool,
    mut make: impl FnMut(&mut FunctionBuilder, usize) -> Value,
) -> Words {
    let none = b.ins().iconst(types::I64, 0);
    let mut made = Words::from_elem(none, stops.len());
    let mut stopped: Option<Value> = None;
    for place in 0..stops.len() {
        let index = if upwards { place } else { stops.len() - 1 - place };
        let here = make(b, index);
        made[index] = stopped.map_or(here, |stopped| b.ins().select(stopped, none, here));
        stopped = Some(stopped.map_or(stops[index], |stopped| b.ins().bor(stopped, stops[index])));
    }
    made
}

/// Emits the sites of `within` connected to `from`. The iterations, each over all directions as in
/// [`super::super::spread::flood`], are counted in the variable, if there is one.
pub fn flood(
    b: &mut FunctionBuilder,
    steps: &[Steps],
    ways: u16,
    from: &[Value],
    within: &[Value],
    rounds: Option<Variable>,
) -> Words {
    let [head, done] = [b.create_block(), b.create_block()];
    let [before, result] = [head, done].map(|block| parameters(b, block, within.len()));
    let start = and(b, from, within);
    let any = any(b, &start);
    if let Some(rounds) = rounds {
        let none = b.ins().iconst(types::I32, 0);
        b.def_var(rounds, none);
    }
    b.ins().brif(any, head, &arguments(&start), done, &arguments(&start));
    b.switch_to_block(head);
    let mut all = before.clone();
    for steps in (0..steps.len()).filter(|way| ways >> way & 1 == 1).map(|way| &steps[way]) {
        let moved = step(b, steps, &all);
        let new = and(b, &moved, within);
        all = or(b, &all, &new);
    }
    if let Some(rounds) = rounds {
        let gone = b.use_var(rounds);
        let gone = b.ins().iadd_imm_s(gone, 1);
        b.def_var(rounds, gone);
    }
    let new = xor(b, &all, &before);
    let more = self::any(b, &new);
    b.ins().brif(more, head, &arguments(&all), done, &arguments(&all));
    b.switch_to_block(done);
    result
}

/// Emits the number of sites in the set.
pub fn count(b: &mut FunctionBuilder, set: &[Value]) -> Value {
    let counts: Words = set.iter().map(|&word| b.ins().popcnt(word)).collect();
    let sum = counts[1..].iter().fold(counts[0], |sum, &count| b.ins().iadd(sum, count));
    b.ins().ireduce(types::I32, sum)
}

/// Emits the lowest site of the set; unspecified if it is empty.
pub fn lowest(b: &mut FunctionBuilder, set: &[Value]) -> Value {
    let place = |b: &mut FunctionBuilder, index: usize| {
        let zeros = b.ins().ctz(set[index]);
        b.ins().iadd_imm_s(zeros, 64 * index as i64)
    };
    let mut lowest = place(b, set.len() - 1);
    for index in (0..set.len() - 1).rev() {
        let here = place(b, index);
        lowest = b.ins().select(set[index], here, lowest);
    }
    b.ins().ireduce(types::I32, lowest)
}

/// Emits the set without its lowest site.
pub fn rest(b: &mut FunctionBuilder, set: &[Value]) -> Words {
    let mut below: Option<Value> = None;
    let rest = set.iter().map(|&word| {
        let less = b.ins().iadd_imm_s(word, -1);
        let cut = b.ins().band(word, less);
        let kept = match below {
            None => cut,
            Some(below) => b.ins().select(below, word, cut),
        };
        below = Some(below.map_or(word, |below| b.ins().bor(below, word)));
        kept
    });
    rest.collect()
}

/// Emits the set of just this site; empty if the number is no site number.
pub fn single(b: &mut FunctionBuilder, width: usize, site: Value) -> Words {
    let one = b.ins().iconst(types::I64, 1);
    let none = b.ins().iconst(types::I64, 0);
    let bit = b.ins().ishl(one, site);
    if width == 1 {
        let valid = b.ins().icmp_imm_u(IntCC::UnsignedLessThan, site, 64);
        return Words::from_slice(&[b.ins().select(valid, bit, none)]);
    }
    let word = b.ins().sshr_imm_u(site, 6);
    let single = (0..width).map(|index| {
        let here = b.ins().icmp_imm_s(IntCC::Equal, word, index as i64);
        b.ins().select(here, bit, none)
    });
    single.collect()
}
