//! Emits the instructions of one routine on virtual registers, and assigns real ones at the end.
//!
//! Optimizes while it emits: equal pure computations are shared (value numbering by hash), and sets
//! known to be empty, full or complements are folded. [`Assembler::finish`] drops unread results,
//! assigns registers by a linear scan and resolves labels.
//!
//! A value is available as long as the scope is open in which it was computed: scopes are the
//! stretches that a jump may skip. Versions distinguish the contents of a register before and after
//! a change. Registers below [`FIXED`] are real: the position and the constants. The others are
//! virtual.

use super::op::{Code, Op, OperandRole};
use super::plan::ExecutionNote;
use rustc_hash::FxHashMap;

/// Number of registers of each kind.
pub const FIXED: u16 = 256;

/// A register that holds a set of sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Set(pub u16);

/// A register that holds a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Num(pub u16);

/// A position in the routine to jump to, which may not be placed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label(pub u16);

/// The routine needs more registers or instructions than there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// The constants that folding recognizes.
#[derive(Clone, Copy, Debug)]
pub struct FoldedConstants {
    /// The register of the empty set.
    pub none: Set,
    /// The register of all sites of the board.
    pub board: Set,
}

/// The key of value numbering: an instruction without its result, and the versions of its operands.
type Computation = (Op, [u32; 3]);

/// The routine under construction.
pub struct Assembler {
    ops: Vec<Op>,
    known: FoldedConstants,
    next_set: u32,
    next_num: u32,
    labels: Vec<Option<usize>>,
    /// The available values, by scope, the innermost last.
    values: Vec<FxHashMap<Computation, u16>>,
    set_versions: FxHashMap<u16, u32>,
    num_versions: FxHashMap<u16, u32>,
    version: u32,
    /// Registers that hold the complement of another one, as of its version.
    complements: FxHashMap<u16, (Set, u32)>,
    /// Ranges of instructions that are loops.
    loops: Vec<(usize, usize)>,
    /// Notes on ranges of instructions.
    notes: Vec<(ExecutionNote, usize, usize)>,
    /// Number of requested values, shared ones and those rolled back included.
    requests: usize,
}

/// A routine with real registers and addresses.
pub struct Finished {
    pub ops: Vec<Op>,
    /// The address of each label.
    pub places: Vec<Option<u16>>,
    pub notes: Vec<ExecutionNote>,
}

impl Assembler {
    /// Starts a routine.
    pub fn new(known: FoldedConstants) -> Assembler {
        Assembler {
            ops: Vec::new(),
            known,
            next_set: u32::from(FIXED),
            next_num: u32::from(FIXED),
            labels: Vec::new(),
            values: vec![FxHashMap::default()],
            set_versions: FxHashMap::default(),
            num_versions: FxHashMap::default(),
            version: 0,
            complements: FxHashMap::default(),
            loops: Vec::new(),
            notes: Vec::new(),
            requests: 0,
        }
    }

    /// Returns the number of instructions so far.
    pub fn length(&self) -> usize {
        self.ops.len()
    }

    /// Returns the number of requested values: a measure of work that, unlike the number of
    /// instructions, includes shared values and attempts that were rolled back.
    pub fn requests(&self) -> usize {
        self.requests
    }

    /// Returns the instructions so far.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Returns the notes, each with its instructions.
    pub fn noted(&self) -> impl Iterator<Item = (&ExecutionNote, &[Op])> {
        self.notes.iter().map(|(note, from, to)| (note, &self.ops[*from..*to]))
    }

    /// Returns a fresh register for a set.
    pub fn fresh_set(&mut self) -> Set {
        let set = Set(self.next_set.min(u32::from(u16::MAX)) as u16);
        self.next_set += 1;
        set
    }

    /// Returns a fresh register for a number.
    pub fn fresh_num(&mut self) -> Num {
        let num = Num(self.next_num.min(u32::from(u16::MAX)) as u16);
        self.next_num += 1;
        num
    }

    /// Makes a label to be placed later.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label((self.labels.len() - 1).min(usize::from(u16::MAX)) as u16)
    }

    /// Places the label here. The caller closes the scopes that a jump to it skips.
    pub fn place(&mut self, label: Label) {
        self.labels[usize::from(label.0)] = Some(self.ops.len());
    }

    /// Opens a scope for a stretch that may be skipped: its values are not available after
    /// [`Assembler::close`].
    pub fn open(&mut self) {
        self.values.push(FxHashMap::default());
    }

    /// Closes the innermost scope.
    pub fn close(&mut self) {
        self.values.pop();
    }

    /// Closes the scope of a stretch that begins at `from` and either continues here or jumps to
    /// the label. If only its last instruction jumps there, all of it has run in both cases, and
    /// its values stay available.
    pub fn close_before(&mut self, label: Label, from: usize) {
        let leads_there = |op: &Op| op.code.roles()[2] == OperandRole::Target && op.c == label.0;
        let ways = self.ops[from..].iter().filter(|op| leads_there(op)).count();
        let computed = self.values.pop();
        if ways == 1
            && self.ops.last().is_some_and(leads_there)
            && let Some((computed, outer)) = computed.zip(self.values.last_mut())
        {
            outer.extend(computed);
        }
    }

    /// Opens a loop. Nothing computed before is available in it, because an iteration may change
    /// the position that it was computed from. Returns the token to close it with.
    pub fn open_loop(&mut self) -> LoopRegion {
        let kept = std::mem::replace(&mut self.values, vec![FxHashMap::default()]);
        LoopRegion { kept, from: self.ops.len() }
    }

    /// Closes a loop, after its jump back.
    pub fn close_loop(&mut self, round: LoopRegion) {
        self.values = round.kept;
        self.loops.push((round.from, self.ops.len()));
    }

    /// Makes every value unavailable: control may arrive here from elsewhere.
    pub fn forget(&mut self) {
        self.values = vec![FxHashMap::default()];
    }

    /// Begins something that may have to be rolled back.
    pub fn attempt(&mut self) -> Attempt {
        self.open();
        Attempt {
            ops: self.ops.len(),
            labels: self.labels.len(),
            loops: self.loops.len(),
            notes: self.notes.len(),
            scopes: self.values.len(),
        }
    }

    /// Keeps what was emitted since. No jump from before the attempt may skip any of it.
    pub fn commit(&mut self, attempt: Attempt) {
        debug_assert_eq!(attempt.scopes, self.values.len());
        if let Some(scope) = self.values.pop()
            && let Some(outer) = self.values.last_mut()
        {
            outer.extend(scope);
        }
    }

    /// Removes what was emitted since.
    pub fn roll_back(&mut self, attempt: Attempt) {
        self.ops.truncate(attempt.ops);
        self.labels.truncate(attempt.labels);
        self.loops.truncate(attempt.loops);
        self.notes.truncate(attempt.notes);
        self.values.truncate(attempt.scopes - 1);
    }

    /// Attaches a note to the instructions from `from` to here.
    pub fn note(&mut self, note: ExecutionNote, from: usize) {
        self.notes.push((note, from, self.ops.len()));
    }

    /// Emits an instruction unchanged.
    pub fn emit(&mut self, code: Code, x: u8, a: u16, b: u16, c: u16) {
        let op = Op::new(code, x, a, b, c);
        self.ops.push(op);
        for (role, register) in op.operands() {
            match role {
                OperandRole::SetWrite | OperandRole::SetChange => {
                    self.version += 1;
                    self.set_versions.insert(register, self.version);
                }
                OperandRole::NumberWrite | OperandRole::NumberChange => {
                    self.version += 1;
                    self.num_versions.insert(register, self.version);
                }
                _ => {}
            }
        }
    }

    fn computation(&self, op: Op) -> Computation {
        let versions = op.operands().map(|(role, register)| match role {
            OperandRole::SetRead => self.set_version(register),
            OperandRole::NumberRead => self.num_versions.get(&register).copied().unwrap_or(0),
            _ => 0,
        });
        (op, versions)
    }

    fn available(&self, computation: &Computation) -> Option<u16> {
        self.values.iter().rev().find_map(|scope| scope.get(computation)).copied()
    }

    fn keep(&mut self, computation: Computation, register: u16) {
        if let Some(scope) = self.values.last_mut() {
            scope.insert(computation, register);
        }
    }

    /// Returns a register with the set, computed unless the value is available.
    pub fn set(&mut self, code: Code, x: u8, b: u16, c: u16) -> Set {
        // Commutative: a canonical order of operands finds more equal computations.
        let (b, c) = match code {
            Code::And | Code::Or | Code::Xor if c < b => (c, b),
            _ => (b, c),
        };
        self.requests += 1;
        let computation = self.computation(Op::new(code, x, 0, b, c));
        if let Some(register) = self.available(&computation) {
            return Set(register);
        }
        let set = self.fresh_set();
        self.emit(code, x, set.0, b, c);
        self.keep(computation, set.0);
        set
    }

    /// Returns a register with the number, computed unless the value is available.
    pub fn num(&mut self, code: Code, x: u8, b: u16, c: u16) -> Num {
        self.requests += 1;
        let computation = self.computation(Op::new(code, x, 0, b, c));
        if let Some(register) = self.available(&computation) {
            return Num(register);
        }
        let num = self.fresh_num();
        self.emit(code, x, num.0, b, c);
        self.keep(computation, num.0);
        num
    }

    /// Returns the empty set.
    pub fn none(&self) -> Set {
        self.known.none
    }

    /// Returns all the sites of the board.
    pub fn board(&self) -> Set {
        self.known.board
    }

    /// Returns the set whose complement this one is, if known and unchanged since.
    fn complemented(&self, set: Set) -> Option<Set> {
        let &(other, version) = self.complements.get(&set.0)?;
        (self.set_version(other.0) == version).then_some(other)
    }

    fn set_version(&self, register: u16) -> u32 {
        self.set_versions.get(&register).copied().unwrap_or(0)
    }

    /// Returns the complement of a set.
    fn complement(&mut self, set: Set) -> Set {
        if let Some(other) = self.complemented(set) {
            return other;
        }
        let complement = self.set(Code::AndNot, 0, self.known.board.0, set.0);
        self.complements.insert(complement.0, (set, self.set_version(set.0)));
        complement
    }

    /// Returns the intersection.
    pub fn and(&mut self, a: Set, b: Set) -> Set {
        let FoldedConstants { none, board } = self.known;
        match (a, b) {
            _ if a == none || b == none => none,
            _ if a == board || a == b => b,
            _ if b == board => a,
            // Two complements cancel, and the complement itself is dropped if nothing else reads
            // it.
            _ => match [a, b].map(|set| self.complemented(set)) {
                [_, Some(other)] => self.without(a, other),
                [Some(other), _] => self.without(b, other),
                _ => self.set(Code::And, 0, a.0, b.0),
            },
        }
    }

    /// Returns the union.
    pub fn or(&mut self, a: Set, b: Set) -> Set {
        let FoldedConstants { none, board } = self.known;
        match (a, b) {
            _ if a == board || b == board => board,
            _ if a == none || a == b => b,
            _ if b == none => a,
            _ => self.set(Code::Or, 0, a.0, b.0),
        }
    }

    /// Returns the difference.
    pub fn without(&mut self, a: Set, b: Set) -> Set {
        let FoldedConstants { none, board } = self.known;
        match (a, b) {
            _ if a == none || b == board || a == b => none,
            _ if b == none => a,
            _ if a == board => self.complement(b),
            _ => match self.complemented(b) {
                Some(other) => self.and(a, other),
                None => self.set(Code::AndNot, 0, a.0, b.0),
            },
        }
    }

    /// Returns the symmetric difference.
    pub fn xor(&mut self, a: Set, b: Set) -> Set {
        let FoldedConstants { none, board } = self.known;
        match (a, b) {
            _ if a == b => none,
            _ if a == none => b,
            _ if b == none => a,
            _ if a == board => self.without(board, b),
            _ if b == board => self.without(board, a),
            _ => match [a, b].map(|set| self.complemented(set)) {
                [None, None] => self.set(Code::Xor, 0, a.0, b.0),
                [Some(one), Some(other)] => self.xor(one, other),
                [Some(one), None] => self.complemented_xor(one, b),
                [None, Some(other)] => self.complemented_xor(other, a),
            },
        }
    }

    /// Returns the complement of the symmetric difference.
    fn complemented_xor(&mut self, a: Set, b: Set) -> Set {
        let either = self.xor(a, b);
        self.without(self.known.board, either)
    }

    /// Returns a register with this number.
    pub fn constant(&mut self, number: i32) -> Num {
        let bits = number as u32;
        self.num(Code::Constant, 0, bits as u16, (bits >> 16) as u16)
    }

    /// Finishes the routine: drops unread results, assigns the registers from `free` on (sets,
    /// numbers), and resolves labels relative to `origin`, the address of the first instruction.
    pub fn finish(mut self, origin: usize, free: (u16, u16)) -> Result<Finished, TooLarge> {
        if self.next_set >= u32::from(u16::MAX)
            || self.next_num >= u32::from(u16::MAX)
            || self.labels.len() >= usize::from(u16::MAX)
        {
            return Err(TooLarge);
        }
        self.eliminate_dead_code();
        self.assign_registers(free)?;
        if origin + self.ops.len() >= usize::from(u16::MAX) {
            return Err(TooLarge);
        }
        let places: Vec<Option<u16>> =
            self.labels.iter().map(|place| place.map(|place| (origin + place) as u16)).collect();
        for op in &mut self.ops {
            for (role, operand) in op.operands_mut() {
                if role == OperandRole::Target {
                    *operand = places[usize::from(*operand)].ok_or(TooLarge)?;
                }
            }
        }
        let at = |index: usize| (origin + index) as u16;
        let notes = self
            .notes
            .into_iter()
            .map(|(note, from, to)| ExecutionNote { from: at(from), to: at(to), ..note })
            .collect();
        Ok(Finished { ops: self.ops, places, notes })
    }

    /// Eliminates dead code: drops pure instructions whose result is never read, to a fixed point.
    fn eliminate_dead_code(&mut self) {
        let mut set_reads = vec![0u32; self.next_set as usize];
        let mut num_reads = vec![0u32; self.next_num as usize];
        let count = |op: &Op, by: i64, sets: &mut Vec<u32>, nums: &mut Vec<u32>| {
            for (role, register) in op.operands() {
                let reads = match role {
                    OperandRole::SetRead | OperandRole::SetChange => {
                        &mut sets[usize::from(register)]
                    }
                    OperandRole::NumberRead | OperandRole::NumberChange => {
                        &mut nums[usize::from(register)]
                    }
                    _ => continue,
                };
                *reads = (i64::from(*reads) + by) as u32;
            }
        };
        for op in &self.ops {
            count(op, 1, &mut set_reads, &mut num_reads);
        }
        let mut keep = vec![true; self.ops.len()];
        loop {
            let mut dropped = false;
            // Backwards, so that a dropped reader frees the values that it reads in the same pass.
            for (index, op) in self.ops.iter().enumerate().rev() {
                if !keep[index] || !op.code.is_pure() || op.a < FIXED {
                    continue;
                }
                let reads = match op.code.roles()[0] {
                    OperandRole::SetWrite => set_reads[usize::from(op.a)],
                    _ => num_reads[usize::from(op.a)],
                };
                if reads == 0 {
                    keep[index] = false;
                    dropped = true;
                    count(op, -1, &mut set_reads, &mut num_reads);
                }
            }
            // Only in a loop can an instruction read what a later one computes, which takes another
            // pass.
            if !dropped || self.loops.is_empty() {
                break;
            }
        }
        let mut moved = Vec::with_capacity(self.ops.len() + 1);
        let mut left = 0;
        for &kept in &keep {
            moved.push(left);
            left += usize::from(kept);
        }
        moved.push(left);
        for place in self.labels.iter_mut().flatten() {
            *place = moved[*place];
        }
        for (from, to) in &mut self.loops {
            (*from, *to) = (moved[*from], moved[*to]);
        }
        for (_, from, to) in &mut self.notes {
            (*from, *to) = (moved[*from], moved[*to]);
        }
        let mut keep = keep.into_iter();
        self.ops.retain(|_| keep.next().unwrap_or(true));
    }

    /// Assigns real registers by a linear scan over the live ranges of the virtual ones (Poletto
    /// and Sarkar, 1999). A value that is live at the start of a loop and read in it lives to the
    /// loop's end, for the next iteration.
    fn assign_registers(&mut self, first: (u16, u16)) -> Result<(), TooLarge> {
        for sets in [true, false] {
            // First and last use of each virtual register; an unused one begins at the end.
            let count = if sets { self.next_set } else { self.next_num } - u32::from(FIXED);
            let mut lives = vec![(self.ops.len(), 0); count as usize];
            for (index, op) in self.ops.iter().enumerate() {
                for (role, register) in op.operands() {
                    let relevant = match role {
                        OperandRole::SetRead | OperandRole::SetWrite | OperandRole::SetChange => {
                            sets
                        }
                        OperandRole::NumberRead
                        | OperandRole::NumberWrite
                        | OperandRole::NumberChange => !sets,
                        _ => continue,
                    };
                    if relevant && register >= FIXED {
                        let life = &mut lives[usize::from(register - FIXED)];
                        *life = (life.0.min(index), index);
                    }
                }
            }
            // By last use, so that a loop only visits the live ranges that end in it.
            let mut ending: Vec<Vec<usize>> = vec![Vec::new(); self.ops.len() + 1];
            for (register, &(from, to)) in lives.iter().enumerate() {
                if from < self.ops.len() && !self.loops.is_empty() {
                    ending[to].push(register);
                }
            }
            // Loops were recorded innermost first; two passes cover every nesting.
            for _ in 0..2 {
                for &(from, to) in &self.loops {
                    for end in from..to {
                        if ending[end].is_empty() {
                            continue;
                        }
                        let (outliving, ended): (Vec<usize>, Vec<usize>) = ending[end]
                            .iter()
                            .copied()
                            .partition(|&register| lives[register].0 < from);
                        ending[end] = ended;
                        outliving.iter().for_each(|&register| lives[register].1 = to);
                        ending[to].extend(outliving);
                    }
                }
            }
            let mut order: Vec<(usize, (usize, usize))> = lives
                .into_iter()
                .enumerate()
                .filter(|(_, (from, _))| *from < self.ops.len())
                .collect();
            order.sort_by_key(|&(register, (from, _))| (from, register));
            let first = if sets { first.0 } else { first.1 };
            let mut free: Vec<u16> = (first..FIXED).rev().collect();
            let mut active: Vec<(usize, u16)> = Vec::new();
            let mut real = vec![0; count as usize];
            for (register, (from, to)) in order {
                // The instruction that reads a value last may write its own result to the same
                // register.
                active.retain(|&(end, used)| {
                    let over = end <= from;
                    if over {
                        free.push(used);
                    }
                    !over
                });
                let used = free.pop().ok_or(TooLarge)?;
                active.push((to, used));
                real[register] = used;
            }
            for op in &mut self.ops {
                for (role, operand) in op.operands_mut() {
                    let relevant = match role {
                        OperandRole::SetRead | OperandRole::SetWrite | OperandRole::SetChange => {
                            sets
                        }
                        OperandRole::NumberRead
                        | OperandRole::NumberWrite
                        | OperandRole::NumberChange => !sets,
                        _ => continue,
                    };
                    if relevant && *operand >= FIXED {
                        *operand = real[usize::from(*operand - FIXED)];
                    }
                }
            }
        }
        Ok(())
    }
}

/// The state at the start of an attempt.
pub struct Attempt {
    ops: usize,
    labels: usize,
    loops: usize,
    notes: usize,
    scopes: usize,
}

/// A loop that is open.
pub struct LoopRegion {
    kept: Vec<FxHashMap<Computation, u16>>,
    from: usize,
}

#[cfg(test)]
mod tests;
