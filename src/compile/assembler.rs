//! Emits the instructions of one routine.
//!
//! In: calls that say what is to be computed. Out: instructions on real registers. Equal pure
//! computations are shared, sets that are known to be empty or full are folded away, what is never
//! read is dropped, and at the end registers are given out by a linear scan. It refuses to know the
//! language.
//!
//! Registers below [`FIXED`] are real ones: the position and the constants. Those from it on are
//! virtual until [`Assembler::finish`].

use super::op::{Code, Op, OperandRole};
use super::plan::ExecutionNote;
use rustc_hash::FxHashMap;

/// How many registers of each kind a machine has.
pub const FIXED: u16 = 256;

/// A register that holds a set of sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Set(pub u16);

/// A register that holds a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Num(pub u16);

/// A place in the routine to go to, which may not be known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label(pub u16);

/// Why a routine could not be finished: it needs more registers or instructions than there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// The constants that folding knows.
#[derive(Clone, Copy, Debug)]
pub struct FoldedConstants {
    /// The register of no site.
    pub none: Set,
    /// The register of all the sites of the board.
    pub board: Set,
}

/// What a value is computed from; the versions tell apart the contents of a register before and
/// after it is changed.
type Computation = (Op, [u32; 3]);

/// The routine under construction.
pub struct Assembler {
    ops: Vec<Op>,
    known: FoldedConstants,
    next_set: u32,
    next_num: u32,
    labels: Vec<Option<usize>>,
    /// Values at hand, the innermost scope last.
    values: Vec<FxHashMap<Computation, u16>>,
    set_versions: FxHashMap<u16, u32>,
    num_versions: FxHashMap<u16, u32>,
    version: u32,
    /// Registers that hold all sites but those of another one, as of that version.
    complements: FxHashMap<u16, (Set, u32)>,
    /// Stretches of instructions that are gone through again and again.
    rounds: Vec<(usize, usize)>,
    /// What is said of stretches of instructions.
    notes: Vec<(ExecutionNote, usize, usize)>,
    /// How many values were asked for, shared ones and those of attempts taken back among them.
    requests: usize,
}

/// A routine with its registers and addresses.
pub struct Finished {
    pub ops: Vec<Op>,
    /// Where each label lies.
    pub places: Vec<Option<u16>>,
    pub notes: Vec<ExecutionNote>,
}

impl Assembler {
    /// Begins a routine.
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
            rounds: Vec::new(),
            notes: Vec::new(),
            requests: 0,
        }
    }

    /// The number of instructions so far.
    pub fn length(&self) -> usize {
        self.ops.len()
    }

    /// How many values were asked for so far: the measure of the work done, which instructions
    /// alone are not, for equal values are shared and attempts taken back.
    pub fn requests(&self) -> usize {
        self.requests
    }

    /// The instructions so far.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// What was said of stretches of instructions, each with its stretch.
    pub fn noted(&self) -> impl Iterator<Item = (&ExecutionNote, &[Op])> {
        self.notes.iter().map(|(note, from, to)| (note, &self.ops[*from..*to]))
    }

    /// A fresh register for a set.
    pub fn fresh_set(&mut self) -> Set {
        let set = Set(self.next_set.min(u32::from(u16::MAX)) as u16);
        self.next_set += 1;
        set
    }

    /// A fresh register for a number.
    pub fn fresh_num(&mut self) -> Num {
        let num = Num(self.next_num.min(u32::from(u16::MAX)) as u16);
        self.next_num += 1;
        num
    }

    /// A label to be placed later.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label((self.labels.len() - 1).min(usize::from(u16::MAX)) as u16)
    }

    /// Puts the label here. Whatever was computed on the way may not have been.
    pub fn place(&mut self, label: Label) {
        self.labels[usize::from(label.0)] = Some(self.ops.len());
    }

    /// Begins a stretch that may be skipped; values computed in it are not at hand after
    /// [`Assembler::close`].
    pub fn open(&mut self) {
        self.values.push(FxHashMap::default());
    }

    /// Ends such a stretch.
    pub fn close(&mut self) {
        self.values.pop();
    }

    /// Ends such a stretch, which begins with that instruction and leads either on or to the label.
    /// Where only its last instruction leads there, whatever was computed in it stays at hand.
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

    /// Begins a stretch that is gone through again and again and may change the position: nothing
    /// computed before is at hand in it. Gives the token to close it with.
    pub fn open_round(&mut self) -> LoopRegion {
        let kept = std::mem::replace(&mut self.values, vec![FxHashMap::default()]);
        LoopRegion { kept, from: self.ops.len() }
    }

    /// Ends such a stretch, the jump back included.
    pub fn close_round(&mut self, round: LoopRegion) {
        self.values = round.kept;
        self.rounds.push((round.from, self.ops.len()));
    }

    /// Forgets every value at hand: code from elsewhere may come in here.
    pub fn forget(&mut self) {
        self.values = vec![FxHashMap::default()];
    }

    /// Begins something that may turn out not to be possible.
    pub fn attempt(&mut self) -> Attempt {
        self.open();
        Attempt {
            ops: self.ops.len(),
            labels: self.labels.len(),
            rounds: self.rounds.len(),
            notes: self.notes.len(),
            scopes: self.values.len(),
        }
    }

    /// Keeps what was emitted since, on a way that no jump from before it leads past.
    pub fn commit(&mut self, attempt: Attempt) {
        debug_assert_eq!(attempt.scopes, self.values.len());
        if let Some(scope) = self.values.pop()
            && let Some(outer) = self.values.last_mut()
        {
            outer.extend(scope);
        }
    }

    /// Takes back what was emitted since.
    pub fn roll_back(&mut self, attempt: Attempt) {
        self.ops.truncate(attempt.ops);
        self.labels.truncate(attempt.labels);
        self.rounds.truncate(attempt.rounds);
        self.notes.truncate(attempt.notes);
        self.values.truncate(attempt.scopes - 1);
    }

    /// Says something of the instructions from that one to here.
    pub fn note(&mut self, note: ExecutionNote, from: usize) {
        self.notes.push((note, from, self.ops.len()));
    }

    /// Emits an instruction as it is.
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

    fn at_hand(&self, computation: &Computation) -> Option<u16> {
        self.values.iter().rev().find_map(|scope| scope.get(computation)).copied()
    }

    fn keep(&mut self, computation: Computation, register: u16) {
        if let Some(scope) = self.values.last_mut() {
            scope.insert(computation, register);
        }
    }

    /// Computes a set, unless the same is at hand already.
    pub fn set(&mut self, code: Code, x: u8, b: u16, c: u16) -> Set {
        let (b, c) = match code {
            Code::And | Code::Or | Code::Xor if c < b => (c, b),
            _ => (b, c),
        };
        self.requests += 1;
        let computation = self.computation(Op::new(code, x, 0, b, c));
        if let Some(register) = self.at_hand(&computation) {
            return Set(register);
        }
        let set = self.fresh_set();
        self.emit(code, x, set.0, b, c);
        self.keep(computation, set.0);
        set
    }

    /// Computes a number, unless the same is at hand already.
    pub fn num(&mut self, code: Code, x: u8, b: u16, c: u16) -> Num {
        self.requests += 1;
        let computation = self.computation(Op::new(code, x, 0, b, c));
        if let Some(register) = self.at_hand(&computation) {
            return Num(register);
        }
        let num = self.fresh_num();
        self.emit(code, x, num.0, b, c);
        self.keep(computation, num.0);
        num
    }

    /// No site.
    pub fn none(&self) -> Set {
        self.known.none
    }

    /// All the sites of the board.
    pub fn board(&self) -> Set {
        self.known.board
    }

    /// The set that this one is the complement of, if that is known.
    fn complemented(&self, set: Set) -> Option<Set> {
        let &(other, version) = self.complements.get(&set.0)?;
        (self.set_version(other.0) == version).then_some(other)
    }

    fn set_version(&self, register: u16) -> u32 {
        self.set_versions.get(&register).copied().unwrap_or(0)
    }

    /// All sites but these.
    fn complement(&mut self, set: Set) -> Set {
        if let Some(other) = self.complemented(set) {
            return other;
        }
        let complement = self.set(Code::AndNot, 0, self.known.board.0, set.0);
        self.complements.insert(complement.0, (set, self.set_version(set.0)));
        complement
    }

    /// The sites in both.
    pub fn and(&mut self, a: Set, b: Set) -> Set {
        let FoldedConstants { none, board } = self.known;
        match (a, b) {
            _ if a == none || b == none => none,
            _ if a == board || a == b => b,
            _ if b == board => a,
            _ => match [a, b].map(|set| self.complemented(set)) {
                [_, Some(other)] => self.without(a, other),
                [Some(other), _] => self.without(b, other),
                _ => self.set(Code::And, 0, a.0, b.0),
            },
        }
    }

    /// The sites in either.
    pub fn or(&mut self, a: Set, b: Set) -> Set {
        let FoldedConstants { none, board } = self.known;
        match (a, b) {
            _ if a == board || b == board => board,
            _ if a == none || a == b => b,
            _ if b == none => a,
            _ => self.set(Code::Or, 0, a.0, b.0),
        }
    }

    /// The sites in the first and not in the second.
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

    /// The sites in just one of them.
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

    /// All sites but those in just one of them.
    fn complemented_xor(&mut self, a: Set, b: Set) -> Set {
        let either = self.xor(a, b);
        self.without(self.known.board, either)
    }

    /// A register with that number.
    pub fn constant(&mut self, number: i32) -> Num {
        let bits = number as u32;
        self.num(Code::Constant, 0, bits as u16, (bits >> 16) as u16)
    }

    /// Finishes the routine: drops what is never read, gives out registers from `free` on (sets,
    /// numbers), and resolves labels relative to `origin`, the index that the first instruction
    /// will have.
    pub fn finish(mut self, origin: usize, free: (u16, u16)) -> Result<Finished, TooLarge> {
        if self.next_set >= u32::from(u16::MAX)
            || self.next_num >= u32::from(u16::MAX)
            || self.labels.len() >= usize::from(u16::MAX)
        {
            return Err(TooLarge);
        }
        self.drop_unread();
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

    /// Drops pure instructions whose result is never read, until none is left.
    fn drop_unread(&mut self) {
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
            // What comes before is dropped with what reads it, unless that is read in the next
            // round.
            if !dropped || self.rounds.is_empty() {
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
        for (from, to) in &mut self.rounds {
            (*from, *to) = (moved[*from], moved[*to]);
        }
        for (_, from, to) in &mut self.notes {
            (*from, *to) = (moved[*from], moved[*to]);
        }
        let mut keep = keep.into_iter();
        self.ops.retain(|_| keep.next().unwrap_or(true));
    }

    /// Gives out real registers by a linear scan over the lives of the virtual ones (Poletto and
    /// Sarkar, 1999). A value that lives into a stretch of rounds lives to the end of it.
    fn assign_registers(&mut self, first: (u16, u16)) -> Result<(), TooLarge> {
        for sets in [true, false] {
            // From where to where each virtual register lives; those that do not, from the end.
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
            // By the instruction that they end at, so that a stretch looks at those alone that end
            // in it.
            let mut ending: Vec<Vec<usize>> = vec![Vec::new(); self.ops.len() + 1];
            for (register, &(from, to)) in lives.iter().enumerate() {
                if from < self.ops.len() && !self.rounds.is_empty() {
                    ending[to].push(register);
                }
            }
            // Rounds were recorded innermost first; going through them twice covers every nesting.
            for _ in 0..2 {
                for &(from, to) in &self.rounds {
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
                // A register whose last reader is this very instruction can be written by it.
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

/// Where an attempt began.
pub struct Attempt {
    ops: usize,
    labels: usize,
    rounds: usize,
    notes: usize,
    scopes: usize,
}

/// A stretch of rounds that is open.
pub struct LoopRegion {
    kept: Vec<FxHashMap<Computation, u16>>,
    from: usize,
}

#[cfg(test)]
mod tests;
