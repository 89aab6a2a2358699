//! The machine that runs a program: two files of registers and a loop.
//!
//! In: a program and the tables of its board. Out: a position that lives in the first registers, changed in place. It refuses to know what a ply is; see `driver`.

use super::bits::Bits;
use super::tables::Tables;
use crate::compile::assembler::FIXED;
use crate::compile::op::Code;
use crate::compile::program::{Address, MOST_PARAMETERS, Program};
use std::sync::Arc;

const REGISTERS: usize = FIXED as usize;
/// How many rounds of loops a ply may take with all that follows from it.
const MOST_ROUNDS: u32 = 1 << 20;
/// How many rounds all the moves that are tried at a decision may take together: less than half a second's worth.
const PATIENCE: u32 = 1 << 24;
/// What trying a move costs besides its rounds.
const TRIAL: u32 = 8;
/// How many offers a decision may have. Each is for a whole set of sites, so this is far more than any rules mean.
const MOST_OFFERS: usize = 1 << 18;
/// How many outer arguments a variation can have.
pub const HELD: usize = MOST_PARAMETERS - 1;

/// Why the machine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The routine is done.
    Return,
    /// The move is illegal, by the clause with that index.
    Fail(u16),
    /// The order of play has come to the decision with that index.
    Decide(u16),
    /// The player with that index has won.
    Win(u8),
    Draw,
    /// What is at that instruction does not end, or takes too long.
    Endless(Address),
}

/// Moves that are offered together: a variation, for every member of a set.
#[derive(Clone, Copy, Debug)]
pub struct Offer<const W: usize> {
    pub members: Bits<W>,
    pub variation: u16,
    pub held: [i16; HELD],
}

/// The queue of a chain.
struct Queue<const W: usize> {
    sites: Vec<u16>,
    joined: Bits<W>,
    taken: usize,
}

/// A machine for boards whose site numbers are below 64 `W`.
pub struct Machine<const W: usize> {
    pub program: Arc<Program>,
    pub tables: Arc<Tables<W>>,
    pub sets: Box<[Bits<W>; REGISTERS]>,
    pub nums: Box<[i32; REGISTERS]>,
    /// What the routine of a move is handed.
    pub arguments: [i32; HELD + 1],
    held: [i16; HELD],
    pub offers: Vec<Offer<W>>,
    queues: Vec<Queue<W>>,
    /// Whether the ply at hand ends the turn.
    pub leaves: bool,
    /// How many rounds are left of the ply at hand, how many there were when it was begun, and how many are left of the decision's.
    rounds: u32,
    granted: u32,
    patience: u32,
}

impl<const W: usize> Machine<W> {
    /// Makes a machine whose position is the empty board, before the setup.
    pub fn new(program: Arc<Program>, tables: Arc<Tables<W>>) -> Self {
        let mut sets = Box::new([Bits::NONE; REGISTERS]);
        let first = usize::from(program.layout.sets);
        for (register, constant) in sets[first..].iter_mut().zip(&tables.constants) {
            *register = *constant;
        }
        let mut nums = Box::new([0; REGISTERS]);
        nums[..program.initial.len()].copy_from_slice(&program.initial);
        let queues = (0..program.chains).map(|_| Queue { sites: Vec::new(), joined: Bits::NONE, taken: 0 }).collect();
        Machine {
            program,
            tables,
            sets,
            nums,
            arguments: [0; HELD + 1],
            held: [0; HELD],
            offers: Vec::new(),
            queues,
            leaves: false,
            rounds: 0,
            granted: 0,
            patience: PATIENCE,
        }
    }

    /// Allows the rounds of a whole ply anew, at the cost of those of the decision.
    #[inline(always)]
    pub fn refresh(&mut self) {
        self.patience = self.patience.saturating_sub(self.granted.saturating_sub(self.rounds).saturating_add(TRIAL));
        self.rounds = self.patience.min(MOST_ROUNDS);
        self.granted = self.rounds;
    }

    /// Allows the rounds of a whole decision anew.
    pub fn renew(&mut self) {
        self.patience = PATIENCE;
        self.granted = self.rounds;
    }

    /// Tests if the decision has had all of its rounds.
    pub fn is_spent(&self) -> bool {
        self.patience == 0
    }

    /// Runs from an instruction until something stops it.
    pub fn run(&mut self, from: Address) -> Stop {
        let Machine { program, tables, sets, nums, arguments, held, offers, queues, leaves, rounds, .. } = self;
        let code = &program.code[..];
        let mut at = usize::from(from);
        // The cast cuts a register's number to what the files have, so that no access is checked. The compiler gives out no higher one.
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
        loop {
            let op = code[at];
            at += 1;
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
                    set!(op.a) = tables.steps[usize::from(op.x & 7)].step(set!(op.b));
                    false
                }
                Code::Beside => {
                    set!(op.a) = beside(tables, op.x, set!(op.b));
                    false
                }
                Code::Fill => {
                    let back = &tables.steps[usize::from((op.x + 4) & 7)];
                    set!(op.a) = fill(back, set!(op.b), set!(op.c));
                    false
                }
                Code::Walk => {
                    set!(op.a) = walk(tables, op.x, set!(op.b), set!(op.c));
                    false
                }
                Code::Flood => {
                    // A flood is a loop within the instruction.
                    let (flooded, layers) = flood(tables, op.x, set!(op.b), set!(op.c));
                    *rounds = rounds.saturating_sub(layers * (W as u32).div_ceil(4));
                    set!(op.a) = flooded;
                    false
                }
                Code::First => {
                    set!(op.a) = first(tables, op.x, set!(op.b), set!(op.c));
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
                Code::Direction => {
                    let (from, to) = (num!(op.b), num!(op.c));
                    let way = (0..8).find(|&way| to >= 0 && next(tables, way, from) == to);
                    num!(op.a) = way.map_or(-1, i32::from);
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
                Code::Again => {
                    if !round(rounds) {
                        return Stop::Endless(at as Address - 1);
                    }
                    true
                }
                Code::Take => match set!(op.b).take() {
                    None => true,
                    Some(site) => {
                        if !round(rounds) {
                            return Stop::Endless(at as Address - 1);
                        }
                        num!(op.a) = site as i32;
                        false
                    }
                },
                Code::NewQueue => {
                    if let Some(queue) = queues.get_mut(usize::from(op.x)) {
                        queue.sites.clear();
                        queue.joined = Bits::NONE;
                        queue.taken = 0;
                    }
                    false
                }
                Code::Enqueue => {
                    let sites = set!(op.a);
                    if let Some(queue) = queues.get_mut(usize::from(op.x)) {
                        queue.sites.extend((sites & !queue.joined).iter().map(|site| site as u16));
                        queue.joined |= sites;
                    }
                    false
                }
                Code::Dequeue => {
                    if !round(rounds) {
                        return Stop::Endless(at as Address - 1);
                    }
                    match queues.get_mut(usize::from(op.x)).and_then(|queue| {
                        let site = queue.sites.get(queue.taken).copied();
                        queue.taken += 1;
                        site
                    }) {
                        None => true,
                        Some(site) => {
                            num!(op.a) = i32::from(site);
                            false
                        }
                    }
                }
                Code::Offer => {
                    let members = set!(op.a);
                    if !members.is_none() {
                        if offers.len() >= MOST_OFFERS {
                            return Stop::Endless(at as Address - 1);
                        }
                        offers.push(Offer { members, variation: op.b, held: *held });
                    }
                    false
                }
                Code::Hold => {
                    if let Some(held) = held.get_mut(usize::from(op.x)) {
                        *held = num!(op.a) as i16;
                    }
                    false
                }
                Code::Return => return Stop::Return,
                Code::Fail => return Stop::Fail(op.a),
                Code::Leave => {
                    *leaves = true;
                    false
                }
                Code::Win => return Stop::Win(num!(op.a) as u8),
                Code::Draw => return Stop::Draw,
                Code::Decide => return Stop::Decide(op.a),
            };
            if jumps {
                at = usize::from(op.c);
            }
        }
    }
}

#[inline(always)]
fn single<const W: usize>(site: i32) -> Bits<W> {
    if site >= 0 && (site as usize) < 64 * W { Bits::single(site as usize) } else { Bits::NONE }
}

/// Takes one round off what a ply may have; false when there is none left.
#[inline(always)]
fn round(rounds: &mut u32) -> bool {
    *rounds = rounds.saturating_sub(1);
    *rounds > 0
}

#[inline(always)]
fn next<const W: usize>(tables: &Tables<W>, way: u8, site: i32) -> i32 {
    usize::try_from(site).ok().and_then(|site| tables.next[usize::from(way & 7)].get(site)).copied().unwrap_or(-1)
}

#[inline(always)]
fn beside<const W: usize>(tables: &Tables<W>, mut ways: u8, of: Bits<W>) -> Bits<W> {
    let mut all = Bits::NONE;
    while ways != 0 {
        all |= tables.steps[ways.trailing_zeros() as usize].step(of);
        ways &= ways - 1;
    }
    all
}

/// The sites from which steps, of which `back` is the reverse, lead over sites of `through` to `goals`.
#[inline(always)]
fn fill<const W: usize>(back: &super::tables::Stepping<W>, goals: Bits<W>, through: Bits<W>) -> Bits<W> {
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
fn walk<const W: usize>(tables: &Tables<W>, mut ways: u8, from: Bits<W>, through: Bits<W>) -> Bits<W> {
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

#[inline(always)]
fn flood<const W: usize>(tables: &Tables<W>, ways: u8, from: Bits<W>, within: Bits<W>) -> (Bits<W>, u32) {
    let mut all = from & within;
    let mut front = all;
    let mut layers = 0;
    while !front.is_none() {
        front = beside(tables, ways, front) & within & !all;
        all |= front;
        layers += 1;
    }
    (all, layers)
}

#[inline(always)]
fn first<const W: usize>(tables: &Tables<W>, way: u8, from: Bits<W>, stops: Bits<W>) -> Bits<W> {
    let stepping = &tables.steps[usize::from(way & 7)];
    let mut passed = Bits::NONE;
    let mut front = stepping.step(from);
    while !front.is_none() {
        let met = front & stops;
        if !met.is_none() {
            return met;
        }
        passed |= front;
        front = stepping.step(front) & !passed;
    }
    Bits::NONE
}

/// The sites strictly between two sites on a straight line; where several lines lead from one to the other, on the shortest.
fn between<const W: usize>(tables: &Tables<W>, from: i32, to: i32) -> Bits<W> {
    let mut shortest: Option<(u32, Bits<W>)> = None;
    if from == to {
        return Bits::NONE;
    }
    for way in 0..8 {
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
