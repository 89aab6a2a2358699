//! The interpreter: executes one instruction after another until one ends the routine. Each arm of
//! the match yields whether the instruction jumps to its operand `c`.

use super::{MAX_MOVE_SETS, Machine};
use crate::compile::op::{Code, Op};
use crate::compile::program::Address;
use crate::engine::bits::Bits;
use crate::engine::frame::{Frame, MoveSet, Queue};
use crate::engine::piles::Piles;
use crate::engine::spread::{beside, between, direction, fill, flood, next, sight, single, walk};
use crate::engine::tables::back;
use crate::engine::task::Stop;

/// The number of instructions that following the lines of a direction counts as.
const LINE_INSTRUCTIONS: u64 = 3;
/// The same for a walk, per word, where bits cross words; there, fills use lookups.
const WIDE_LINE_INSTRUCTIONS: u64 = 10;

/// The number of instructions that changing a pile counts as.
const PILE_INSTRUCTIONS: u64 = 10;

impl<const W: usize> Machine<W> {
    /// Interprets from an instruction until one stops.
    pub fn run(&mut self, from: Address) -> Stop {
        let mut count = 0;
        let stop = self.interpret(from, &mut count);
        self.interpreted += count;
        stop
    }

    /// Interprets, and counts the instructions.
    #[inline(always)]
    fn interpret(&mut self, from: Address, count: &mut u64) -> Stop {
        let Machine { program, tables, frame, move_sets, queues, .. } = self;
        let Frame {
            sets,
            nums,
            arguments,
            prefix,
            move_fuel,
            leaves,
            move_set_count,
            member_count,
            all_legal,
            ..
        } = &mut **frame;
        let code = &program.code[..];
        let rounds = tables.fuel.rounds();
        let mut at = usize::from(from);
        // The cast bounds the index by the size of the register files, so that no bounds check is
        // emitted. The compiler allocates no register beyond them.
        macro_rules! set {
            ($register:expr) => {
                sets[usize::from($register as u8)]
            };
        }
        macro_rules! num {
            ($register:expr) => {
                nums[usize::from($register as u8)]
            };
        }
        macro_rules! mask {
            ($op:expr) => {
                tables.masks[usize::from($op.x)]
            };
        }
        loop {
            let op = code[at];
            at += 1;
            *count += 1;
            let jumps = match op.code {
                Code::Copy => {
                    set!(op.a) = set!(op.b);
                    false
                }
                Code::And => {
                    set!(op.a) = set!(op.b) & set!(op.c);
                    false
                }
                Code::Or => {
                    set!(op.a) = set!(op.b) | set!(op.c);
                    false
                }
                Code::AndNot => {
                    set!(op.a) = set!(op.b) & !set!(op.c);
                    false
                }
                Code::Xor => {
                    set!(op.a) = set!(op.b) ^ set!(op.c);
                    false
                }
                Code::Shift => {
                    set!(op.a) = tables.steps[usize::from(op.x & 15)].step(set!(op.b));
                    false
                }
                Code::Beside => {
                    set!(op.a) = beside(tables, mask!(op), set!(op.b));
                    false
                }
                Code::Fill => {
                    let back = &tables.steps[usize::from(back(op.x & 15))];
                    set!(op.a) = fill(back, set!(op.b), set!(op.c));
                    *count += LINE_INSTRUCTIONS;
                    false
                }
                Code::Walk => {
                    set!(op.a) = walk(tables, mask!(op), set!(op.b), set!(op.c));
                    let each =
                        if W > 1 { WIDE_LINE_INSTRUCTIONS * W as u64 } else { LINE_INSTRUCTIONS };
                    *count += u64::from(mask!(op).count_ones()) * each;
                    false
                }
                Code::Flood => {
                    // A flood iterates inside the instruction, at a cost that grows with the width.
                    let (flooded, times) = flood(tables, mask!(op), set!(op.b), set!(op.c));
                    *move_fuel = move_fuel.saturating_sub(times * (W as u32).div_ceil(4));
                    set!(op.a) = flooded;
                    false
                }
                Code::Sight => {
                    set!(op.a) = sight(tables, mask!(op), num!(op.b), set!(op.c));
                    false
                }
                Code::Between => {
                    set!(op.a) = between(tables, num!(op.b), num!(op.c));
                    false
                }
                Code::Single => {
                    set!(op.a) = single(num!(op.b));
                    false
                }
                Code::Gate => {
                    set!(op.a) = if num!(op.c) != 0 { set!(op.b) } else { Bits::NONE };
                    false
                }
                Code::Clear => {
                    set!(op.a) = Bits::NONE;
                    false
                }
                Code::Join => {
                    set!(op.a) |= set!(op.b);
                    false
                }
                Code::Drop => {
                    set!(op.a) &= !set!(op.b);
                    false
                }
                Code::Transfer => {
                    let (from, to) = (single(num!(op.b)), single(num!(op.c)));
                    let plane = set!(op.a);
                    let there = if (plane & from).is_none() { Bits::NONE } else { to };
                    set!(op.a) = (plane & !(from | to)) | there;
                    false
                }
                Code::Sink | Code::Rise | Code::Carry => {
                    if let Some(registers) = &program.layout.piles {
                        let at = set!(op.a);
                        let mut piles = Piles::new(sets, registers);
                        match op.code {
                            Code::Sink => piles.sink(at),
                            Code::Rise => piles.rise(at, num!(op.b)),
                            _ => piles.carry(num!(op.a), num!(op.b), num!(op.c), op.x == 1),
                        }
                    }
                    *count += PILE_INSTRUCTIONS;
                    false
                }
                Code::Height => {
                    let piles = program.layout.piles.as_ref();
                    let piles = piles.map(|registers| Piles::new(sets, registers));
                    num!(op.a) = piles.map_or(0, |piles| piles.height(num!(op.b)));
                    false
                }
                Code::Constant => {
                    num!(op.a) = op.constant();
                    false
                }
                Code::Assign => {
                    num!(op.a) = num!(op.b);
                    false
                }
                Code::Add => {
                    num!(op.a) = num!(op.b).saturating_add(num!(op.c));
                    false
                }
                Code::Subtract => {
                    num!(op.a) = num!(op.b).saturating_sub(num!(op.c));
                    false
                }
                Code::Multiply => {
                    num!(op.a) = num!(op.b).saturating_mul(num!(op.c));
                    false
                }
                Code::Divide => {
                    num!(op.a) = num!(op.b).div_euclid(i32::from(op.c.max(1)));
                    false
                }
                Code::Remainder => {
                    num!(op.a) = num!(op.b).rem_euclid(i32::from(op.c.max(1)));
                    false
                }
                Code::Least => {
                    num!(op.a) = num!(op.b).min(num!(op.c));
                    false
                }
                Code::Greatest => {
                    num!(op.a) = num!(op.b).max(num!(op.c));
                    false
                }
                Code::Count => {
                    num!(op.a) = set!(op.b).count() as i32;
                    false
                }
                Code::Lowest => {
                    num!(op.a) = set!(op.b).lowest().map_or(-1, |site| site as i32);
                    false
                }
                Code::Step => {
                    num!(op.a) = next(tables, op.x, num!(op.b));
                    false
                }
                Code::StepBy => {
                    num!(op.a) = tables.board.step_by(op.x, num!(op.b), num!(op.c));
                    false
                }
                Code::Direction => {
                    num!(op.a) = direction(tables, num!(op.b), num!(op.c));
                    false
                }
                Code::Distance => {
                    num!(op.a) = tables.board.distance(mask!(op), num!(op.b), num!(op.c));
                    false
                }
                Code::Argument => {
                    num!(op.a) = arguments.get(usize::from(op.x)).copied().unwrap_or(-1);
                    false
                }
                Code::Bit => {
                    let site = num!(op.c);
                    if site >= 0 && set!(op.b).has(site as usize) {
                        num!(op.a) += 1 << op.x;
                    }
                    false
                }
                Code::IfNone => set!(op.a).is_none(),
                Code::IfAny => !set!(op.a).is_none(),
                Code::IfIn => {
                    let site = num!(op.a);
                    site >= 0 && set!(op.b).has(site as usize)
                }
                Code::IfOut => {
                    let site = num!(op.a);
                    site < 0 || !set!(op.b).has(site as usize)
                }
                Code::IfEqual => num!(op.a) == num!(op.b),
                Code::IfUnequal => num!(op.a) != num!(op.b),
                Code::IfLess => num!(op.a) < num!(op.b),
                Code::IfAtLeast => num!(op.a) >= num!(op.b),
                Code::Jump => true,
                Code::LoopBack => {
                    if !take_move_fuel(move_fuel, rounds[at - 1]) {
                        return Stop::OutOfFuel(at as Address - 1);
                    }
                    true
                }
                Code::Take => match set!(op.b).take() {
                    None => true,
                    Some(site) => {
                        if !take_move_fuel(move_fuel, rounds[at - 1]) {
                            return Stop::OutOfFuel(at as Address - 1);
                        }
                        num!(op.a) = site as i32;
                        false
                    }
                },
                Code::NewQueue => {
                    if let Some(queue) = queues.get_mut(usize::from(op.x)) {
                        queue.empty();
                    }
                    false
                }
                Code::Enqueue => {
                    let sites = set!(op.a);
                    if let Some(queue) = queues.get_mut(usize::from(op.x)) {
                        queue.join(sites);
                    }
                    false
                }
                Code::Dequeue => {
                    if !take_move_fuel(move_fuel, rounds[at - 1]) {
                        return Stop::OutOfFuel(at as Address - 1);
                    }
                    match queues.get_mut(usize::from(op.x)).and_then(Queue::take) {
                        None => true,
                        Some(site) => {
                            num!(op.a) = i32::from(site);
                            false
                        }
                    }
                }
                Code::AddMoveSet => {
                    let place = at - 1;
                    let factors = &code[place - usize::from(op.x)..place];
                    let move_set = MoveSet {
                        members: set!(op.a),
                        before: *member_count,
                        specialization: op.b,
                        prefix: *prefix,
                    };
                    let added = each_move_set(factors, sets, move_set, &mut |move_set| {
                        if *move_set_count >= MAX_MOVE_SETS {
                            return false;
                        }
                        let move_set = MoveSet { before: *member_count, ..move_set };
                        *member_count += move_set.members.count();
                        match move_sets.get_mut(*move_set_count as usize) {
                            Some(place) => *place = move_set,
                            None => move_sets.push(move_set),
                        }
                        *move_set_count += 1;
                        true
                    });
                    if !added {
                        return Stop::OutOfFuel(place as Address);
                    }
                    false
                }
                Code::EachPrefix | Code::Together => false,
                Code::SetPrefix => {
                    if let Some(prefix) = prefix.get_mut(usize::from(op.x)) {
                        *prefix = num!(op.a) as i16;
                    }
                    false
                }
                Code::GuardAllLegal => {
                    *all_legal = num!(op.a);
                    false
                }
                Code::Return => return Stop::Return,
                Code::Fail => return Stop::Fail(op.a),
                Code::Leave => {
                    *leaves = 1;
                    false
                }
                Code::Win => return Stop::won(num!(op.a) as u16),
                Code::Draw => return Stop::Draw,
                Code::Decide => return Stop::Decide(op.a),
            };
            if jumps {
                at = usize::from(op.c);
            }
        }
    }
}

/// Consumes the fuel of a round; returns false if none is left.
#[inline(always)]
fn take_move_fuel(move_fuel: &mut u32, round: u32) -> bool {
    *move_fuel = move_fuel.saturating_sub(round);
    *move_fuel > 0
}

/// Adds a move set for each combination of the factors, unless it is empty, in the order of the
/// prefix arguments. Returns false once that fails.
#[inline(always)]
fn each_move_set<const W: usize>(
    factors: &[Op],
    sets: &[Bits<W>],
    move_set: MoveSet<W>,
    add: &mut impl FnMut(MoveSet<W>) -> bool,
) -> bool {
    if factors.is_empty() {
        return move_set.members.is_none() || add(move_set);
    }
    each_move_set_of_product(factors, sets, move_set, add)
}

fn each_move_set_of_product<const W: usize>(
    factors: &[Op],
    sets: &[Bits<W>],
    move_set: MoveSet<W>,
    add: &mut impl FnMut(MoveSet<W>) -> bool,
) -> bool {
    let Some((factor, inner)) = factors.split_first() else {
        return move_set.members.is_none() || add(move_set);
    };
    let place = usize::from(factor.x);
    match (factor.code, factor.b) {
        (Code::EachPrefix, _) => sets[usize::from(factor.a)].iter().all(|value| {
            each_move_set_of_product(inner, sets, move_set.with_prefix(place, value), add)
        }),
        (_, 0) => each_move_set_of_product(inner, sets, move_set, add),
        (_, more) => {
            let mut rest = move_set;
            let others = [Op { x: factor.x + 1, b: more - 1, ..*factor }];
            while let Some(site) = rest.members.take() {
                let move_set = rest.with_prefix(place, site);
                if !each_move_set_of_product(&others, sets, move_set, add) {
                    return false;
                }
            }
            true
        }
    }
}
